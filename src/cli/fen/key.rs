//! `eco fen key`.

use std::{
    borrow::Cow,
    error::Error,
    fmt::Write,
    io::{IsTerminal, stdout},
};

use clap::Args;
use eco::{
    catalogue::Catalogue,
    chess::{EnPassantMode, Epd, PositionKey, polyglot_hash},
    classify::Classifier,
    output::sanitize,
};

use super::{
    en_passant::EnPassant,
    lines::{FenInput, Lines},
};
use crate::cli::outcome::{Interruption, Outcome};

const HELP: &str = "\
Examples:
  eco fen key \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"
  eco fen key --file positions.epd --name

Two positions are the same if they have the same key: placement, side to move, castling rights, and
the en passant square if --ep keeps it. Operations of EPD lines are kept after the key. A line that
is not a position is reported on standard error and skipped.

Exit codes: 0 success; 1 success, but a line was not a position; 2 failure.";

/// Print the key of a position: the first four fields of its FEN, normalized.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct KeyArgs {
    #[command(flatten)]
    input: FenInput,

    /// En passant squares to keep
    #[arg(long, value_enum, default_value_t = EnPassant::Legal, value_name = "MODE")]
    ep: EnPassant,

    /// Print a hash of the key instead: 16 hexadecimal digits, the same in all versions of eco
    #[arg(long)]
    hash: bool,

    /// Add the opening as EPD operations: eco, and v0, v1, v2 for its name in parts
    #[arg(long, conflicts_with = "hash")]
    name: bool,
}

pub(super) fn run(args: &KeyArgs) -> Result<Outcome, Interruption> {
    let classifier = args.name.then(|| Classifier::new(Catalogue::builtin()));
    // Operations come from files and may contain control characters.
    let is_shown = stdout().is_terminal();
    Lines::open(&args.input)?.answer(|line, answer| {
        let mut epd: Epd = line.parse()?;
        let position = epd.fen().to_position()?;
        let mode = EnPassantMode::from(args.ep);
        if args.hash {
            return Ok(writeln!(answer, "{:016x}", polyglot_hash(&position, mode))?);
        }
        let named = classifier.and_then(|classifier| classifier.classify_position(&position));
        if let Some(named) = named {
            epd.name(named.opening().operations());
        }
        write_key(&PositionKey::from_position(&position, mode), &epd, answer)?;
        if is_shown && let Cow::Owned(safe) = sanitize(answer.trim_end().as_bytes()) {
            *answer = safe + "\n";
        }
        Ok(())
    })
}

/// Writes a key, and the operations of its line.
fn write_key(key: &PositionKey, epd: &Epd, answer: &mut String) -> Result<(), Box<dyn Error>> {
    write!(answer, "{key}")?;
    epd.operations().iter().try_for_each(|operation| write!(answer, " {operation}"))?;
    Ok(writeln!(answer)?)
}
