//! `eco fen move`.

use std::{error::Error, io::Write};

use eco::{
    chess::{Chess, Fen, fen::split_fen},
    pgn::{decode_text, play_typed},
};

use super::{
    Ended,
    args::MoveArgs,
    input::{Lines, output, place},
};
use crate::cli::{Outcome, complain};

/// The initial position, as engines call it.
const START: &str = "startpos";

pub(super) fn run(args: &MoveArgs) -> Result<Outcome, Ended> {
    let given = args.words.join(" ");
    let given = if given.is_empty() { Vec::new() } else { vec![given] };
    let lines = Lines::of(given, args.file.as_deref())?;
    let source = lines.source.clone();
    let mut out = output();
    let mut is_whole = true;
    let mut answer = String::new();
    let outcome = lines.each(|line| {
        answer.clear();
        let played = play(args, &decode_text(line.text), &mut answer);
        out.write_all(answer.as_bytes())?;
        if let Err(fault) = played {
            is_whole = false;
            complain(&format_args!("{}{fault}", place(&source, line.number)));
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(if is_whole { outcome } else { Outcome::Incomplete })
}

/// Plays the moves of a line and appends what is printed for it.
fn play(args: &MoveArgs, line: &str, answer: &mut String) -> Result<(), Box<dyn Error>> {
    use std::fmt::Write;
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
