//! `eco fen show`.

use std::io::{IsTerminal, stdout};

use eco::{
    chess::{Color, Fen, fen::split_fen},
    diagram::{Coordinates, Diagram, TextStyle},
};

use super::{
    Ended,
    args::{DiagramArgs, ShowArgs, Side, Style},
    input::Lines,
};
use crate::cli::Outcome;

pub(super) fn run(args: &ShowArgs) -> Result<Outcome, Ended> {
    let style = match args.style {
        Some(Style::Ascii) => TextStyle::Ascii,
        Some(Style::Unicode) => TextStyle::Unicode,
        Some(Style::Coloured) => TextStyle::Coloured,
        None if stdout().is_terminal() && wants_colour() => TextStyle::Coloured,
        None => TextStyle::Ascii,
    };
    let mut is_first = true;
    Lines::open(&args.input)?.answer(|line, answer| {
        let fen: Fen = split_fen(line).0.parse()?;
        if !std::mem::take(&mut is_first) {
            answer.push('\n');
        }
        answer.push_str(&diagram(&args.diagram, fen).to_text(style));
        Ok(())
    })
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
