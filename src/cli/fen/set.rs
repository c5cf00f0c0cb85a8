//! `eco fen set`.

use std::{fmt::Write, str::FromStr};

use clap::Args;
use eco::chess::{Fen, Piece, Square, piece_name};

use super::{
    lines::{Lines, Origin, Unanswered},
    short::ShortFens,
};
use crate::cli::outcome::{Failure, Interruption, Outcome, say};

const HELP: &str = "\
Examples:
  eco fen set startpos e2= e4=P
  eco fen set \"8/8/8/8/8/8/8/8 w - - 0 1\" e1=K e8=k d4=Q

Castling rights whose king or rook has left its square, and an en passant square whose pawn has
gone, are dropped; side to move and counters stay. What is removed from one FEN is reported on
standard error. The position does not have to be possible. With
- for the FEN, the FENs are read from standard input; one that cannot be read is reported on
standard error and leaves an empty line.

Exit codes: 0 success; 1 success, but a FEN could not be read; 2 failure.";

/// Put pieces on a board, and remove them.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct SetArgs {
    /// A FEN in quotes, startpos, or - for standard input; then e4=N puts a white knight on e4,
    /// e4=n a black one, and e4= removes what stands there
    #[arg(value_name = "FEN SQUARE=PIECE", required = true)]
    words: Vec<String>,
}

/// A square, and the piece that is put there; none if the square becomes empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change {
    square: Square,
    piece: Option<Piece>,
}

impl FromStr for Change {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let fail = || Failure(format!("found {text:?}, expected e4=N, or e4= to empty a square"));
        let (square, letter) = text.split_once('=').ok_or_else(fail)?;
        let square = square.parse().map_err(|_| fail())?;
        let mut letters = letter.chars();
        let piece = match (letters.next(), letters.next()) {
            (None | Some('-'), None) => None,
            (Some(letter), None) => Some(Piece::from_char(letter).ok_or_else(fail)?),
            _ => return Err(fail()),
        };
        Ok(Self { square, piece })
    }
}

/// Reports what a change removes.
fn note(fen: &Fen, change: &Change) {
    let Change { square, piece } = change;
    match fen.piece_at(*square) {
        Some(stood) if Some(stood) != *piece => {
            say(&format_args!("removed from {square}: {}", piece_name(stood)));
        }
        None if piece.is_none() => say(&format_args!("removed from {square}: nothing")),
        _ => {}
    }
}

pub(super) fn run(args: &SetArgs) -> Result<Outcome, Interruption> {
    let is_change = |word: &&String| word.find('=') == Some(2);
    let changes = args.words.iter().filter(is_change).map(|word| word.parse());
    let changes: Vec<Change> = changes.collect::<Result<_, Failure>>()?;
    let fen: Vec<&str> =
        args.words.iter().filter(|word| !is_change(word)).map(String::as_str).collect();
    if fen.is_empty() {
        return Err(Failure("no FEN; - reads FENs from standard input".to_owned()).into());
    }
    let mut short = ShortFens::default();
    let outcome =
        Lines::of(vec![fen.join(" ")], None)?.answer(Unanswered::EmptyLine, |line, answer| {
            let fen = changes.iter().fold(short.read(line)?.fen().clone(), |fen: Fen, change| {
                if line.origin == Origin::Only {
                    note(&fen, change);
                }
                fen.with_piece(change.square, change.piece)
            });
            Ok(writeln!(answer, "{fen}")?)
        })?;
    short.finish();
    Ok(outcome)
}
