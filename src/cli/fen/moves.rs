//! `eco fen move`.

use std::{error::Error, fmt::Write, path::PathBuf};

use clap::Args;
use eco::{
    chess::{Chess, Fen, Language, fen::split_fen},
    pgn::play_typed,
};

use super::{en_passant::EnPassant, lines::Lines};
use crate::cli::outcome::{Interruption, Outcome};

const HELP: &str = "\
Examples:
  eco fen move startpos 1. e4 c5 2. Nf3
  eco fen move \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" e2e4 c7-c5 Ng1f3 --each
  eco fen move startpos e4 d5 ed Dd5: --lang de

Moves are accepted as people type them and books print them: SAN with or without x, +, #, =, !? and
e.p.; both squares given (Ng1f3, e2-e4, e2e4); UCI; pawn captures by files (dc3, cd5, dc); 0-0 for
O-O; figurines; with move numbers, comments, variations and NAGs in between.

Without arguments, or with --file, every line is a FEN of four or six fields, or startpos, followed
by the moves; a FEN is printed for each. A line whose moves cannot be played is reported on standard
error and skipped.

Exit codes: 0 success; 1 success, but a line could not be played; 2 failure.";

/// Play moves from a position and print the new FEN.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct MoveArgs {
    /// A FEN in quotes, or startpos, and the moves
    #[arg(value_name = "FEN MOVES")]
    words: Vec<String>,

    /// Read a file with a FEN and moves on each line; - is standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    /// Print a FEN after each move, not only after the last
    #[arg(long)]
    each: bool,

    /// En passant squares to write
    #[arg(long, value_enum, default_value_t = EnPassant::Always, value_name = "MODE")]
    ep: EnPassant,

    /// Language of the piece letters: en, nl, de, fr, es, it, ru
    #[arg(long, default_value = "en", value_name = "LANGUAGE")]
    lang: Language,
}

pub(super) fn run(args: &MoveArgs) -> Result<Outcome, Interruption> {
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

/// The position that a line begins with, and the moves after it, which UCI introduces by `moves`.
fn read_start(line: &str) -> Result<(Chess, &str), Box<dyn Error>> {
    let (fen, moves) = split_fen(line);
    let position = fen.parse::<Fen>()?.to_position()?;
    // A semicolon would turn the moves into a comment, which is hardly intended.
    let word = moves.split_whitespace().next().unwrap_or_default();
    if word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(';') {
        return Err(format!("found {word:?} after the FEN, expected moves").into());
    }
    let is_uci = word == "moves";
    Ok((position, if is_uci { moves.trim_start().trim_start_matches(word) } else { moves }))
}
