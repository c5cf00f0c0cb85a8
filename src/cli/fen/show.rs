//! `eco fen show`.

use std::io::{IsTerminal, Write, stdout};

use eco::{
    chess::{Color, Fen, fen::split_fen},
    diagram::{Coordinates, Diagram, TextStyle},
    pgn::decode_text,
};

use super::{
    Ended,
    args::{DiagramArgs, ShowArgs, Side, Style},
    input::{Lines, output, place},
};
use crate::cli::{Outcome, complain};

pub(super) fn run(args: &ShowArgs) -> Result<Outcome, Ended> {
    let style = match args.style {
        Some(Style::Ascii) => TextStyle::Ascii,
        Some(Style::Unicode) => TextStyle::Unicode,
        Some(Style::Coloured) => TextStyle::Coloured,
        None if stdout().is_terminal() && wants_colour() => TextStyle::Coloured,
        None => TextStyle::Ascii,
    };
    let lines = Lines::open(&args.input)?;
    let source = lines.source.clone();
    let mut out = output();
    let (mut is_whole, mut is_first) = (true, true);
    let outcome = lines.each(|line| {
        match split_fen(&decode_text(line.text)).0.parse() {
            Ok(fen) => {
                let gap = if std::mem::take(&mut is_first) { "" } else { "\n" };
                write!(out, "{gap}{}", diagram(&args.diagram, fen).to_text(style))?;
            }
            Err(fault) => {
                is_whole = false;
                let fault: eco::chess::FenFault = fault;
                complain(&format_args!("{}{fault}", place(&source, line.number)));
            }
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(if is_whole { outcome } else { Outcome::Incomplete })
}

/// Whether the user has not asked all programs to leave colours out (no-color.org).
fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The diagram of a position, as far as text and images have it in common.
pub(super) fn diagram(args: &DiagramArgs, fen: Fen) -> Diagram {
    let bottom = match args.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Mover => fen.turn(),
    };
    let coordinates = if args.no_coordinates { Coordinates::Hidden } else { Coordinates::Shown };
    Diagram { bottom, coordinates, marks: args.mark.clone(), ..Diagram::new(fen) }
}
