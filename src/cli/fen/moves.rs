//! `eco fen move`.

use std::{error::Error, fmt::Write};

use eco::{
    chess::{Chess, Fen, fen::split_fen},
    pgn::play_typed,
};

use super::{Ended, args::MoveArgs, input::Lines};
use crate::cli::Outcome;

pub(super) fn run(args: &MoveArgs) -> Result<Outcome, Ended> {
    let given = args.words.join(" ");
    let given = if given.is_empty() { Vec::new() } else { vec![given] };
    Lines::of(given, args.file.as_deref())?.answer(|line, answer| {
        let (start, moves) = read_start(line)?;
        let mut write = |position: &Chess| {
            // A string takes every text.
            let _ = writeln!(answer, "{}", Fen::from_position(position, args.ep.into()));
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

/// The position that a line begins with, and the moves behind it, which UCI calls `moves`.
fn read_start(line: &str) -> Result<(Chess, &str), Box<dyn Error>> {
    let (fen, moves) = split_fen(line);
    let position = fen.parse::<Fen>()?.to_position()?;
    // It would hide the moves as a comment, and who wrote it did not mean one.
    let word = moves.split_whitespace().next().unwrap_or_default();
    if word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(';') {
        return Err(format!("found {word:?} behind the FEN, expected moves").into());
    }
    let is_uci = word == "moves";
    Ok((position, if is_uci { moves.trim_start().trim_start_matches(word) } else { moves }))
}
