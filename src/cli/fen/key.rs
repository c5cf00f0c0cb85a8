//! `eco fen key`.

use std::{
    borrow::Cow,
    error::Error,
    fmt::Write,
    io::{IsTerminal, stdout},
};

use eco::{
    catalogue::Catalogue,
    chess::{EnPassantMode, Epd, PositionKey, polyglot_hash},
    classify::Classifier,
    output::sanitize,
};

use super::{Ended, args::KeyArgs, input::Lines};
use crate::cli::Outcome;

pub(super) fn run(args: &KeyArgs) -> Result<Outcome, Ended> {
    let classifier = args.name.then(|| Classifier::new(Catalogue::builtin()));
    // Operations come from files, and a terminal obeys what is in them.
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

/// A key, and the operations of the line that it was made of.
fn write_key(key: &PositionKey, epd: &Epd, answer: &mut String) -> Result<(), Box<dyn Error>> {
    write!(answer, "{key}")?;
    epd.operations().iter().try_for_each(|operation| write!(answer, " {operation}"))?;
    Ok(writeln!(answer)?)
}
