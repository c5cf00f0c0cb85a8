//! `eco fen move` and `eco fen set`: other positions made of one.

use std::{error::Error, fmt::Write, path::PathBuf, str::FromStr};

use clap::Args;
use eco::chess::{Chess, EnPassantMode, Fen, Language, Move, Piece, Square, piece_name};
use eco::output::{fen_move_fault_json, fen_move_json};
use eco::{chess::fen::split_fen, pgn::play_typed};

use super::lines::{EN_PASSANT, Line, Lines, TextFormat};
use crate::cli::outcome::{Failure, Interruption, Outcome, say};
use crate::cli::{completion, settings};

const MOVE_HELP: &str = "\
Examples:
  eco fen move startpos 1. e4 c5 2. Nf3
  eco fen move \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" e2e4 c7-c5 Ng1f3 --each
  eco fen move startpos e4 d5 ed Dd5: --lang de
  eco fen move --file lines.txt --each --format jsonl

Moves are accepted as people type them and books print them: SAN with or without x, +, #, =, !? and
e.p.; both squares given (Ng1f3, e2-e4, e2e4); UCI; pawn captures by files (dc3, cd5, dc); 0-0 for
O-O; figurines, also apart from their square; piece letters in lower case where they are no files
(nf3, not bc4); with move numbers, comments, variations, NAGs, signs such as +- and commands such as
[%clk 0:01:00] in between. Every other word is refused, with its column.

Without arguments, or with --file, every line is a FEN or startpos, followed by the moves; one to
three fields of a FEN are enough. A FEN is printed for each. Lines that are blank or begin with #
are skipped. A line whose moves cannot be played is reported on standard error and leaves an empty
line, with --each after the FENs before its fault.

--format jsonl prints an object for every line, with its error if it has one, and with --each for
every move: line, ply (moves played), san, uci and lan of the last move, fen, key and error.

Exit codes: 0 success; 1 success, but a line could not be played; 2 failure.";

/// Play moves from a position and print the new FEN.
#[derive(Debug, Args)]
#[command(after_long_help = MOVE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct MoveArgs {
    /// A FEN in quotes, or startpos, and the moves
    #[arg(value_name = "FEN MOVES")]
    words: Vec<String>,

    /// The words after `--`, which is no end of options among moves, but a null move.
    #[arg(last = true, hide = true)]
    after_dashes: Vec<String>,

    /// Read a file with a FEN and moves on each line; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    /// Print a FEN after each move, not only after the last
    #[arg(long)]
    each: bool,

    /// En passant squares to write
    #[arg(long, value_parser = completion::one_of(EN_PASSANT), value_name = "MODE")]
    #[arg(default_value = "always")]
    ep: EnPassantMode,

    /// Language of the piece letters, such as de or en; an unknown one names them all
    #[arg(long, value_name = "LANGUAGE", add = completion::languages())]
    #[arg(default_value_t = settings::lang(), hide_default_value = true)]
    lang: Language,

    /// Output format
    #[arg(long, short, value_enum, default_value_t = TextFormat::Text)]
    format: TextFormat,
}

impl MoveArgs {
    /// The words of the command line, with a `--` among them.
    fn line(&self) -> String {
        let ends_in_dashes = std::env::args_os().next_back().is_some_and(|last| last == "--");
        let dashes = !self.words.is_empty() && (ends_in_dashes || !self.after_dashes.is_empty());
        let words = self.words.iter().map(String::as_str).chain(dashes.then_some("--"));
        let after = self.after_dashes.iter().map(String::as_str);
        words.chain(after).collect::<Vec<_>>().join(" ")
    }
}

pub(super) fn play_moves(args: &MoveArgs) -> Result<Outcome, Interruption> {
    let given = args.line();
    let given = if given.is_empty() { Vec::new() } else { vec![given] };
    let lines = Lines::of(given, args.file.as_deref())?;
    lines.answer(args.format.unanswered(), |line, answer| {
        let played = play(args, line, answer);
        if let (TextFormat::Jsonl, Err(error)) = (args.format, &played) {
            *answer += &fen_move_fault_json(line.number, &error.to_string());
            answer.push('\n');
        }
        played
    })
}

/// Plays a line, and prints what is wanted of it.
fn play(args: &MoveArgs, line: &Line<'_>, answer: &mut String) -> Result<(), Box<dyn Error>> {
    let (start, moves) = read_start(line)?;
    let before = line.columns - moves.chars().count();
    let mut at = start.clone();
    let (mut ply, mut last) = (0, None);
    let mut write = |ply: usize, last: Option<(&Chess, Move)>, position: &Chess| {
        *answer += &match args.format {
            TextFormat::Text => Fen::from_position(position, args.ep).to_string(),
            TextFormat::Jsonl => fen_move_json(line.number, ply, last, position, args.ep),
        };
        answer.push('\n');
    };
    let end = play_typed(start, moves, args.lang, |m, position| {
        ply += 1;
        if args.each {
            write(ply, Some((&at, m)), position);
        }
        last = Some((std::mem::replace(&mut at, position.clone()), m));
    })
    .map_err(|error| error.after_columns(before))?;
    if !args.each {
        write(ply, last.as_ref().map(|(before, m)| (before, *m)), &end);
    }
    Ok(())
}

/// The position that a line begins with, and the moves after it, which UCI introduces by `moves`.
fn read_start<'l>(line: &'l Line<'_>) -> Result<(Chess, &'l str), Box<dyn Error>> {
    let (fen, moves) = split_short(line.text()?);
    let fen = line.complete(fen).parse::<Fen>()?;
    if fen.is_chess960() {
        let reason = "the castling rights are those of Chess960, whose moves are not played here";
        return Err(reason.into());
    }
    let position = fen.to_position()?;
    // A semicolon would turn the moves into a comment, which is hardly intended.
    let word = moves.split_whitespace().next().unwrap_or_default();
    if word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(';') {
        return Err(format!("found {word:?} after the FEN, expected moves").into());
    }
    let is_uci = word == "moves";
    Ok((position, if is_uci { moves.trim_start().trim_start_matches(word) } else { moves }))
}

/// The FEN at the beginning of a line, which may lack fields, and the moves after it.
fn split_short(line: &str) -> (&str, &str) {
    /// What the fields after the first look like. No move looks like the first two.
    const FIELDS: [fn(&str) -> bool; 3] = [
        |word| matches!(word, "w" | "b"),
        |word| word.bytes().all(|b| b"KQkq-".contains(&b)),
        |word| matches!(word.as_bytes(), [b'-'] | [b'a'..=b'h', b'3' | b'6']),
    ];
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    let fits = words.iter().skip(1).zip(FIELDS).take_while(|(word, fits)| fits(word)).count();
    let has_later_field =
        words.iter().skip(1 + fits).any(|word| *word == "-" || word.parse::<u32>().is_ok());
    let is_short = fits < FIELDS.len() && line.contains('/') && !has_later_field;
    if !is_short {
        return split_fen(line);
    }
    let moves = words[..=fits].iter().fold(line, |rest, word| &rest.trim_start()[word.len()..]);
    line.split_at(line.len() - moves.len())
}

const SET_HELP: &str = "\
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
#[command(after_long_help = SET_HELP, after_help = "See --help for details and examples.")]
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

fn report_removed(fen: &Fen, change: &Change) {
    let Change { square, piece } = change;
    match fen.piece_at(*square) {
        Some(stood) if Some(stood) != *piece => {
            say(&format_args!("removed from {square}: {}", piece_name(stood)));
        }
        None if piece.is_none() => say(&format_args!("removed from {square}: nothing")),
        _ => {}
    }
}

pub(super) fn set(args: &SetArgs) -> Result<Outcome, Interruption> {
    let is_change = |word: &&String| word.find('=') == Some(2);
    let changes = args.words.iter().filter(is_change).map(|word| word.parse());
    let changes: Vec<Change> = changes.collect::<Result<_, Failure>>()?;
    let fen: Vec<&str> =
        args.words.iter().filter(|word| !is_change(word)).map(String::as_str).collect();
    if fen.is_empty() {
        return Err(Failure("no FEN; - reads FENs from standard input".to_owned()).into());
    }
    Lines::of(vec![fen.join(" ")], None)?.answer("\n", |line, answer| {
        let fen = changes.iter().fold(line.epd()?.fen().clone(), |fen: Fen, change| {
            if line.number.is_none() {
                report_removed(&fen, change);
            }
            fen.with_piece(change.square, change.piece)
        });
        Ok(writeln!(answer, "{fen}")?)
    })
}
