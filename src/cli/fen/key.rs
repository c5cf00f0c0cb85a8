//! `eco fen key`.

use std::io::{IsTerminal, stdout};
use std::{borrow::Cow, error::Error, fmt::Write};

use clap::{Args, ValueEnum};
use eco::chess::{EnPassantMode, Epd, Fen, PositionKey, Rank, Square, polyglot_hash};
use eco::classify::{Classifier, NamedAt};
use eco::{catalogue::Catalogue, chess::epd::Operation, opening::EcoCode, output::sanitize};
use serde::Serialize;

use crate::cli::completion;
use crate::cli::outcome::{Interruption, Outcome, refuse};
use crate::cli::position::{EN_PASSANT, Line, PositionsArgs, json_line};

const HELP: &str = "\
Examples:
  eco fen key \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"
  eco fen key najdorf --format epd
  eco fen key --format jsonl < positions.epd

Two positions are the same if they have the same key: placement, side to move, castling rights, and
the en passant square if --ep keeps it. Operations of EPD lines are kept after the key. Lines that
are blank or begin with # are skipped. One to three fields of a FEN are enough. A line that is not a
position is reported on standard error and leaves an empty line; --format jsonl has an object for
it, with its error. The objects have line, fen, key, hash, eco, opening and error.

--format epd adds the opening as operations: eco, and v0, v1, v2 for its name in parts. --format
polyglot prints the hash of Polyglot's opening books, 16 hexadecimal digits, which includes the en
passant square if an enemy pawn stands next to the pawn, whether its capture is legal or not. With
--chess960, only positions that standard chess has too get names.

Exit codes: 0 success; 1 success, but a line was not a position; 2 failure.";

/// Print the key of a position: the first four fields of its FEN, normalized.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct KeyArgs {
    #[command(flatten)]
    input: PositionsArgs,

    /// En passant squares to keep [default: legal]
    #[arg(long, value_parser = completion::one_of(EN_PASSANT), value_name = "MODE")]
    ep: Option<EnPassantMode>,

    /// Read castling rights as Chess960 has them, by file (HAha) or by side (KQkq)
    #[arg(long)]
    chess960: bool,

    /// Accept positions that no game can have, such as those without kings
    #[arg(long)]
    lenient: bool,

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    format: KeyFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KeyFormat {
    /// Keys, with the operations of EPD
    Text,
    /// Keys with the opening as operations
    Epd,
    /// Hashes of Polyglot's books
    Polyglot,
    /// One JSON object per line
    Jsonl,
}

/// What is known about a line.
#[derive(Serialize)]
struct KeyObject {
    line: Option<u64>,
    fen: Option<String>,
    key: Option<String>,
    hash: Option<String>,
    eco: Option<EcoCode>,
    opening: Option<String>,
    error: Option<String>,
}

/// The key of a line, with what is printed besides.
struct Keyed<'c> {
    epd: Epd,
    key: String,
    hash: Option<u64>,
    named: Option<NamedAt<'c>>,
}

pub(super) fn run(args: &KeyArgs) -> Result<Outcome, Interruption> {
    let is_hash = args.format == KeyFormat::Polyglot;
    if is_hash && !matches!(args.ep, None | Some(EnPassantMode::PseudoLegal)) {
        let hint = "the hash is Polyglot's, which keeps the en passant square where a pawn stands \
                    beside; leave out --ep";
        return refuse(hint);
    }
    if is_hash && args.lenient {
        return refuse("only positions that can be played have a hash; leave out --lenient");
    }
    let is_named = matches!(args.format, KeyFormat::Epd | KeyFormat::Jsonl);
    let classifier = is_named.then(|| Classifier::new(Catalogue::builtin()));
    // Operations come from files and may contain control characters.
    let is_shown = stdout().is_terminal();
    let unanswered = if args.format == KeyFormat::Jsonl { "" } else { "\n" };
    args.input.lines()?.answer(unanswered, |line, answer| {
        let keyed = line.epd().and_then(|epd| key_of(args, epd, classifier.as_ref()));
        if args.format == KeyFormat::Jsonl {
            json_line(&object(line, &keyed), answer);
            return keyed.map(drop);
        }
        let keyed = keyed?;
        if let (true, Some(hash)) = (is_hash, keyed.hash) {
            return Ok(writeln!(answer, "{hash:016x}")?);
        }
        write_key(&keyed, answer)?;
        if is_shown && let Cow::Owned(safe) = sanitize(answer.trim_end().as_bytes()) {
            *answer = safe + "\n";
        }
        Ok(())
    })
}

fn key_of<'c>(
    args: &KeyArgs,
    epd: Epd,
    classifier: Option<&Classifier<'c>>,
) -> Result<Keyed<'c>, Box<dyn Error>> {
    let fen = epd.fen();
    if fen.is_chess960() && !args.chess960 {
        return Err("the castling rights are those of Chess960; --chess960 reads them".into());
    }
    let mode = args.ep.unwrap_or(EnPassantMode::Legal);
    let position = match if args.chess960 { fen.to_chess960() } else { fen.to_position() } {
        Err(_) if args.lenient => {
            return Ok(Keyed { key: key_as_written(fen, mode), epd, hash: None, named: None });
        }
        played => played?,
    };
    let hash = Some(polyglot_hash(&position, EnPassantMode::PseudoLegal));
    if !args.chess960 {
        let named = classifier.and_then(|classifier| classifier.classify_position(&position));
        let key = PositionKey::from_position(&position, mode).to_string();
        return Ok(Keyed { key, hash, named, epd });
    }
    let key = Fen::from_position(&position, mode).four_fields_text();
    // The catalogue has positions of standard chess; rights that only Chess960 has are others.
    let standard = (!fen.is_chess960()).then(|| fen.to_position().ok()).flatten();
    let named = standard.and_then(|position| classifier?.classify_position(&position));
    Ok(Keyed { key, hash, named, epd })
}

/// The key of a position that cannot be played. Whether a capture is legal is not known, so an en
/// passant square stays where a pawn stands beside.
fn key_as_written(fen: &Fen, mode: EnPassantMode) -> String {
    let stands_beside = |passed: &Square| {
        let rank = fen.turn().fold_wb(Rank::Fifth, Rank::Fourth);
        let pawn = fen.turn().pawn();
        let files = [passed.file().offset(-1), passed.file().offset(1)];
        let mut beside = files.into_iter().flatten();
        beside.any(|file| fen.piece_at(Square::from_coords(file, rank)) == Some(pawn))
    };
    let kept =
        fen.en_passant().filter(|passed| mode == EnPassantMode::Always || stands_beside(passed));
    fen.with_en_passant(kept).four_fields_text()
}

fn object(line: &Line<'_>, keyed: &Result<Keyed<'_>, Box<dyn Error>>) -> KeyObject {
    let found = keyed.as_ref().ok();
    let opening = found.and_then(|keyed| keyed.named.as_ref()).map(NamedAt::opening);
    KeyObject {
        line: line.number,
        fen: found.map(|keyed| keyed.epd.fen().to_string()),
        key: found.map(|keyed| keyed.key.clone()),
        hash: found.and_then(|keyed| keyed.hash).map(|hash| format!("{hash:016x}")),
        eco: opening.and_then(|opening| opening.eco().copied()),
        opening: opening.map(|opening| opening.name().to_owned()),
        error: keyed.as_ref().err().map(ToString::to_string),
    }
}

/// Writes a key, and the operations of its line with the name of the opening.
fn write_key(keyed: &Keyed<'_>, answer: &mut String) -> Result<(), Box<dyn Error>> {
    let mut epd = keyed.epd.clone();
    if let Some(named) = &keyed.named {
        epd.name(named.opening().operations());
    }
    write!(answer, "{}", keyed.key)?;
    let mut operations = epd.operations().iter();
    operations.try_for_each(|operation: &Operation| write!(answer, " {operation}"))?;
    Ok(writeln!(answer)?)
}
