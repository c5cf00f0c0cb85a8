//! `eco fen show`.

use std::{
    fmt::Write,
    io::{IsTerminal, stdout},
};

use clap::{Args, ValueEnum};
use eco::diagram::TextStyle;

use super::{
    diagram::DiagramArgs,
    lines::{FenInput, Lines, Unanswered},
    short::ShortFens,
};
use crate::cli::outcome::{Interruption, Outcome};

const HELP: &str = "\
Examples:
  eco fen show \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\"
  eco fen show \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" --style unicode --side black --mark e4,e3

The position does not have to be possible, and one to three fields of a FEN are enough. Diagrams
have the side to move and the move number below, and stand one below the other; `no diagram` stands
for a FEN among several that cannot be read.

Exit codes: 0 success; 1 success, but a FEN could not be read; 2 failure.";

/// Show a position on the terminal.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    input: FenInput,

    /// Drawing style [default: coloured on a terminal unless NO_COLOR is set, ascii otherwise]
    #[arg(long, value_enum)]
    style: Option<Style>,

    #[command(flatten)]
    diagram: DiagramArgs,
}

/// The style of a position on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// Letters and dots
    Ascii,
    /// Figurines
    Unicode,
    /// Figurines on coloured squares
    Coloured,
}

/// Stands for a FEN that cannot be read.
const NO_DIAGRAM: &str = "no diagram\n";

pub(super) fn run(args: &ShowArgs) -> Result<Outcome, Interruption> {
    let style = match args.style {
        Some(Style::Ascii) => TextStyle::Ascii,
        Some(Style::Unicode) => TextStyle::Unicode,
        Some(Style::Coloured) => TextStyle::Coloured,
        None if stdout().is_terminal() && wants_colour() => TextStyle::Coloured,
        None => TextStyle::Ascii,
    };
    let mut is_first = true;
    let mut short = ShortFens::default();
    let outcome =
        Lines::open(&args.input)?.answer(Unanswered::Text(NO_DIAGRAM), |line, answer| {
            if !std::mem::take(&mut is_first) {
                answer.push('\n');
            }
            let fen = short.read(line)?.fen().clone();
            let number = fen.fullmoves();
            answer.push_str(args.diagram.diagram(fen).to_text(style).trim_end());
            Ok(writeln!(answer, ", move {number}")?)
        })?;
    short.finish();
    Ok(outcome)
}

/// Whether colours are wanted: NO_COLOR is unset or empty (no-color.org).
fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
