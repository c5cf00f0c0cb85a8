//! `eco fen key`.

use std::io::Write;

use eco::{
    catalogue::Catalogue,
    chess::{EnPassantMode, Epd, PositionKey, polyglot_hash},
    classify::Classifier,
    pgn::decode_text,
};

use super::{
    Ended,
    args::KeyArgs,
    input::{Lines, output, place},
};
use crate::cli::{Outcome, complain};

pub(super) fn run(args: &KeyArgs) -> Result<Outcome, Ended> {
    let lines = Lines::open(&args.input)?;
    let source = lines.source.clone();
    let mut out = output();
    let mut is_whole = true;
    let outcome = lines.each(|line| {
        match answer(args, &decode_text(line.text)) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(fault) => {
                is_whole = false;
                complain(&format_args!("{}{fault}", place(&source, line.number)));
            }
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(if is_whole { outcome } else { Outcome::Incomplete })
}

/// What is printed for a line.
fn answer(args: &KeyArgs, line: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut epd: Epd = line.parse()?;
    let position = epd.fen().to_position()?;
    let mode = EnPassantMode::from(args.ep);
    if args.hash {
        return Ok(format!("{:016x}", polyglot_hash(&position, mode)));
    }
    if args.name
        && let Some(named) = Classifier::new(Catalogue::builtin()).classify_position(&position)
    {
        for operation in named.opening().operations() {
            epd.set(operation);
        }
    }
    let operations = epd.operations().iter().map(|operation| format!(" {operation}"));
    Ok(PositionKey::of(&position, mode).to_string() + &operations.collect::<String>())
}
