//! `eco fen move` and `eco fen set`: other positions made of one.

use std::{error::Error, fmt::Write};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::chess::{EnPassantMode, Fen, Language, Piece, Square, piece_name};
use eco::classify::{Question, QuestionFault};
use eco::output::{fen_move_fault_json, fen_move_json};
use eco::quoted::Quoted;

use crate::cli::outcome::{Failure, Interruption, Outcome, refuse, say};
use crate::cli::position::{EN_PASSANT, Line, Lines, Ply, TextFormat};
use crate::cli::{completion, settings};

const MOVE_HELP: &str = "\
Examples:
  eco fen move startpos 1. e4 c5 2. Nf3
  eco fen move \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\" Ng1f3 d6 --ply all
  eco fen move najdorf 6. Be3 e5
  eco fen move startpos e4 d5 ed Dd5: --lang de
  eco fen move --ply all --format jsonl < lines.txt

Moves are accepted as people type them and books print them: SAN with or without x, +, #, =, !? and
e.p.; both squares given (Ng1f3, e2-e4, e2e4); UCI; pawn captures by files (dc3, cd5, dc); 0-0 for
O-O; figurines, also apart from their square; piece letters in lower case (nf3; bc4, where no pawn
can be meant) and of other languages (--lang, or whichever fits); with move numbers, comments,
variations, NAGs, signs such as +- and commands such as [%clk 0:01:00] in between. Every other word
is refused, with its column.

Without arguments, or with -, every line is a position, followed by the moves; one to three fields
of a FEN are enough. A FEN is printed for each. Lines that are blank or begin with # are skipped. A
line whose moves cannot be played is reported on standard error and leaves an empty line, with --ply
all after the FENs before its fault.

--format jsonl prints an object for every line, with its error if it has one, and with --ply all for
every move: line, ply (moves played), san, uci and lan of the last move, fen, key and error.

Exit codes: 0 success; 1 success, but a line could not be played; 2 failure.";

/// Play moves from a position and print the new FEN.
#[derive(Debug, Args)]
#[command(after_long_help = MOVE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct MoveArgs {
    /// A position (FEN in quotes, startpos, a code or a name), and the moves
    #[arg(value_name = "POSITION MOVES")]
    words: Vec<String>,

    /// The words after `--`, which is no end of options among moves, but a null move.
    #[arg(last = true, hide = true)]
    after_dashes: Vec<String>,

    /// Print the FENs after every move (all), or the one at a ply of each line [default: the last]
    #[arg(long, value_name = "N|all")]
    ply: Option<Ply>,

    /// En passant squares to write
    #[arg(long, value_parser = completion::one_of(EN_PASSANT), value_name = "MODE")]
    #[arg(default_value = "always")]
    ep: EnPassantMode,

    /// Language of the piece letters, such as de or en; an unknown one lists them all [default:
    /// en, or whichever fits]
    #[arg(long, value_name = "LANGUAGE", add = completion::languages())]
    lang: Option<Language>,

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
    Lines::of(given)?.answer(args.format.unanswered(), |line, answer| {
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
    let given = line.given()?;
    let lang = args.lang.or_else(settings::lang);
    let languages = lang.as_slice();
    let builtin = || Ok::<_, QuestionFault>(Catalogue::builtin());
    let (mut question, moves) = Question::begin(given, languages, builtin)?;
    if question.epd().is_some_and(|epd| epd.fen().is_chess960()) {
        return Err(
            "the castling rights are those of Chess960, whose moves are not played here".into()
        );
    }
    let before = given.chars().count().saturating_sub(moves.chars().count());
    let first = question.moves().len();
    let played = question.play(&moves, languages).map_err(|fault| fault.after_columns(before));
    line.note(question.notes());
    // A semicolon would turn the moves into a comment, which is hardly intended.
    if played.is_ok() && question.moves().len() == first && given.contains(';') {
        return Err("found ; after the FEN, expected moves".into());
    }
    let steps: Vec<_> = question.steps().skip(first).collect();
    let start = steps.first().map_or(question.end(), |step| step.0);
    let mut write = |ply: usize| {
        let last = ply.checked_sub(1).map(|at| steps[at]);
        let position = last.map_or(start, |(_, _, after)| after);
        let last = last.map(|(before, m, _)| (before, m));
        *answer += &match args.format {
            TextFormat::Text => Fen::from_position(position, args.ep).to_string(),
            TextFormat::Jsonl => fen_move_json(line.number, ply, last, position, args.ep),
        };
        answer.push('\n');
    };
    match args.ply {
        Some(Ply::All) => (1..=steps.len()).for_each(write),
        Some(Ply::At(ply)) if ply <= steps.len() => write(ply),
        None if played.is_ok() => write(steps.len()),
        Some(Ply::At(ply)) if played.is_ok() => {
            return Err(format!("the moves end before ply {ply}").into());
        }
        Some(Ply::At(_)) | None => {}
    }
    Ok(played?)
}

const SET_HELP: &str = "\
Examples:
  eco fen set startpos e2= e4=P
  eco fen set \"8/8/8/8/8/8/8/8 w - - 0 1\" e1=K e8=k d4=Q

Castling rights whose king or rook has left its square, and an en passant square whose pawn has
gone, are dropped; side to move and counters stay. What is removed from one FEN is reported on
standard error. The position does not have to be possible. With
- for the position, FENs are read from standard input; one that cannot be read is reported on
standard error and leaves an empty line.

Exit codes: 0 success; 1 success, but a FEN could not be read; 2 failure.";

/// Put pieces on a board, and remove them.
#[derive(Debug, Args)]
#[command(after_long_help = SET_HELP, after_help = "See --help for details and examples.")]
pub(super) struct SetArgs {
    /// A position, or - for standard input; then e4=N puts a white knight on e4, e4=n a black one,
    /// and e4= removes what stands there
    #[arg(value_name = "POSITION SQUARE=PIECE", required = true)]
    words: Vec<String>,
}

/// A square, and the piece that is put there; none if the square becomes empty.
fn read_change(text: &str) -> Result<(Square, Option<Piece>), Failure> {
    let fail =
        || Failure(format!("found {}, expected e4=N, or e4= to empty a square", Quoted(text)));
    let (square, letter) = text.split_once('=').ok_or_else(fail)?;
    let square = square.parse().map_err(|_| fail())?;
    let mut letters = letter.chars();
    let piece = match (letters.next(), letters.next()) {
        (None | Some('-'), None) => None,
        (Some(letter), None) => Some(Piece::from_char(letter).ok_or_else(fail)?),
        _ => return Err(fail()),
    };
    Ok((square, piece))
}

fn report_removed(fen: &Fen, square: Square, piece: Option<Piece>) {
    match fen.piece_at(square) {
        Some(stood) if Some(stood) != piece => {
            say(&format_args!("removed from {square}: {}", piece_name(stood)));
        }
        None if piece.is_none() => say(&format_args!("removed from {square}: nothing")),
        _ => {}
    }
}

pub(super) fn set(args: &SetArgs) -> Result<Outcome, Interruption> {
    let words = args.words.iter().map(String::as_str);
    let (changes, fen): (Vec<_>, Vec<_>) = words.partition(|word| word.find('=') == Some(2));
    let changes = changes.into_iter().map(read_change).collect::<Result<Vec<_>, Failure>>()?;
    if fen.is_empty() {
        return refuse("no position; - reads them from standard input");
    }
    Lines::of(vec![fen.join(" ")])?.answer("\n", |line, answer| {
        let fen = changes.iter().fold(line.epd()?.fen().clone(), |fen: Fen, (square, piece)| {
            if line.number.is_none() {
                report_removed(&fen, *square, *piece);
            }
            fen.with_piece(*square, *piece)
        });
        Ok(writeln!(answer, "{fen}")?)
    })
}
