//! `eco fen move`.

use std::{error::Error, fmt::Write};

use eco::{
    chess::{Chess, Fen, fen::split_fen},
    pgn::play_typed,
};

use super::{Ended, args::MoveArgs, input::Lines};
use crate::cli::Outcome;

/// The initial position, as engines call it.
const START: &str = "startpos";

pub(super) fn run(args: &MoveArgs) -> Result<Outcome, Ended> {
    let given = args.words.join(" ");
    let given = if given.is_empty() { Vec::new() } else { vec![given] };
    Lines::of(given, args.file.as_deref())?.answer(|line, answer| {
        let (start, moves) = read_start(line)?;
        let mut write = |position: &Chess| {
            // A string takes every text.
            let _ = writeln!(answer, "{}", Fen::of(position, args.ep.into()));
        };
        let end = play_typed(start, moves, args.lang, |position| {
            if args.each {
                write(position);
            }
        })?;
        if !args.each {
            write(&end);
        }
        Ok(())
    })
}

/// The position that a line begins with, and the moves behind it.
fn read_start(line: &str) -> Result<(Chess, &str), Box<dyn Error>> {
    let line = line.trim_start();
    if let Some(moves) =
        line.strip_prefix(START).filter(|rest| !rest.starts_with(char::is_alphanumeric))
    {
        return Ok((Chess::default(), moves));
    }
    let (fen, moves) = split_fen(line);
    Ok((fen.parse::<Fen>()?.to_position()?, moves))
}
