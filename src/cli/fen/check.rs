//! `eco fen check` and `eco fen parse`: what stands in a FEN, and what is wrong with it.

use std::error::Error;
use std::io::{self, BufReader, Read, Write};

use clap::{Args, ValueEnum};
use eco::chess::epd::split_epd;
use eco::chess::fen::{FenTable, TableFault, complete_fen};
use eco::chess::{FaultClass, FaultKind, FenFault, FenReading, Position, end_name};
use eco::output::{fen_reading_json, sanitize};
use serde_json::json;

use super::lines::{FenInput, Lines, TextFormat, json_line, output};
use crate::cli::outcome::{Failure, Interruption, Outcome, complain};
use crate::cli::{completion, input};

const CHECK_HELP: &str = "\
Examples:
  eco fen check \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1\"
  eco fen check --file positions.txt --format jsonl

The exit code is the worst class of faults in all FENs:
  0  no fault, or only forgiven ones
  3  odd: it can be played, but it is unusual (counters that contradict each other)
  4  impossible: it can be read, but no game leads there (no king, more promoted pieces than
     missing pawns, castling rights of Chess960)
  5  syntax: it cannot be read
It is 1 if an input could not be read to its end, and 2 on failure.

A position that can be played says so if it is check, checkmate, stalemate, or has too few pieces
for a mate. In JSON `check` is true or false, and null if it cannot be played; `end` is checkmate,
stalemate or insufficient material, and null if the game can go on.

Forgiven and normalized: one to three fields (White to move, no castling rights, no en passant
square); four fields instead of six (counters 0 and 1); an en dash or em dash for
-; a dash among castling letters; castling letters in any order or repeated; repeated spaces, and
the spaces of books; adjacent digits; zeros before a counter; castling letters of X-FEN and
Shredder-FEN (HAha for KQkq); a tag ([FEN \"...\"]), an address of lichess or chess.com, or
underscores for spaces around the FEN. Columns are those of the text that is printed.
Lines that are blank or begin with # are skipped.";

/// Report every fault of a FEN, and repair it where only one repair is possible.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP, after_help = "See --help for details and examples.")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    input: FenInput,

    /// Output format
    #[arg(long, short, value_parser = completion::one_of(REPORT_FORMATS), default_value = "text")]
    format: TextFormat,

    /// Accept the castling rights of Chess960, by file (HAha) or by side (KQkq)
    #[arg(long)]
    chess960: bool,

    /// Print nothing; only set the exit code
    #[arg(long, short)]
    quiet: bool,
}

const REPORT_FORMATS: &[completion::Choice<TextFormat>] = &[
    ("text", "Text for people", TextFormat::Text),
    ("jsonl", "One JSON object per FEN", TextFormat::Jsonl),
];

/// The longest text, in characters, below which the columns of faults are marked.
const MAX_POINTED: usize = 200;

pub(super) fn check(args: &CheckArgs) -> Result<Outcome, Interruption> {
    let lines = Lines::open(&args.input)?;
    let mut out = output();
    let mut worst = None;
    let mut is_whole = true;
    let outcome = lines.each(|line| {
        let text = match line.text() {
            Ok(text) => text,
            Err(fault) => {
                is_whole = false;
                complain(&format_args!("{}{fault}", line.place()));
                return Ok(());
            }
        };
        let (fen, missing) = complete_fen(split_epd(text).0);
        let (fen, text) = (fen.as_bytes(), text.as_bytes());
        let reading =
            if args.chess960 { FenReading::of_chess960(fen) } else { FenReading::from_ascii(fen) };
        let reading = reading.after_forgiving(&missing).after_forgiving(line.forgiven);
        worst = worst.max(reading.class());
        match args.format {
            _ if args.quiet => {}
            TextFormat::Text => write_text(text, line.number_in_file(), &reading, &mut out)?,
            TextFormat::Jsonl => {
                writeln!(out, "{}", fen_reading_json(text, line.number_in_file(), &reading))?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    let outcome = if is_whole { outcome } else { Outcome::Incomplete };
    Ok(match (outcome, worst) {
        (Outcome::Done, Some(class)) => Outcome::Faulty(class),
        _ => outcome,
    })
}

fn write_text(
    text: &[u8],
    number: Option<u64>,
    reading: &FenReading,
    out: &mut impl Write,
) -> io::Result<()> {
    let shown = sanitize(text);
    let class = reading.class().map_or("ok", FaultClass::name);
    let place = number.map_or_else(String::new, |number| format!("line {number}: "));
    let head = format!("{place}{class}: ");
    writeln!(out, "{head}{shown}")?;
    if !reading.faults().is_empty() && shown.chars().count() <= MAX_POINTED {
        writeln!(out, "{}", pointers(head.chars().count(), reading.faults()))?;
    }
    for fault in reading.faults() {
        writeln!(out, "  {}: {}", fault.class().name(), fault.in_words())?;
        if fault.kind() == FaultKind::Chess960Castling {
            writeln!(out, "  hint: --chess960 checks it by the rules of Chess960")?;
        }
    }
    if reading.omitted() > 0 {
        writeln!(out, "  and {} more", reading.omitted())?;
    }
    for forgiven in reading.forgiven() {
        writeln!(out, "  forgiven: {forgiven}")?;
    }
    if let Some(fen) = reading.repaired() {
        writeln!(out, "  repaired: {fen}")?;
    } else if let (Some(fen), false) = (reading.fen(), reading.forgiven().is_empty()) {
        writeln!(out, "  normalized: {fen}")?;
    }
    if let Some(state) = state(reading) {
        writeln!(out, "  position: {state}")?;
    }
    Ok(())
}

/// Whether the side to move is in check, or why the game is over.
fn state(reading: &FenReading) -> Option<&'static str> {
    let position = reading.to_position()?;
    end_name(&position).or_else(|| position.is_check().then_some("check"))
}

/// A line that marks the columns of all faults, in a text that begins after `before` characters.
fn pointers(before: usize, faults: &[FenFault]) -> String {
    let last = faults.iter().map(FenFault::column).max().unwrap_or_default();
    let is_pointed = |column| faults.iter().any(|fault| fault.column() == column);
    let marks = (1..=last).map(|column| if is_pointed(column) { '^' } else { ' ' });
    " ".repeat(before) + &marks.collect::<String>()
}

const PARSE_HELP: &str = "\
Examples:
  eco fen parse \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format json
  eco fen parse \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format jsonl | eco fen parse --from json

The table has the fields, the ply that follows from them, and a board of eight rows, the eighth rank
first, with a piece letter or a space for every square. With --from json or tsv, tables are read
from standard input or --file, one after the other, and their FENs are printed. One to three fields
of a FEN are enough. What cannot be read is reported on standard error; among several inputs, an
object with the error stands in its place in JSON, and an empty line elsewhere.

Exit codes: 0 success; 1 success, but a FEN or table could not be read; 2 failure.";

/// Split a FEN into its fields and squares, or build one from them.
#[derive(Debug, Args)]
#[command(after_long_help = PARSE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct ParseArgs {
    #[command(flatten)]
    input: FenInput,

    /// Output format
    #[arg(long, short, value_enum, default_value_t = TableFormat::Json)]
    format: TableFormat,

    /// Input format
    #[arg(long, value_enum, default_value_t = TableSource::Fen)]
    from: TableSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// JSON over several lines
    Json,
    /// One JSON object per line
    Jsonl,
    /// Tab-separated: a line for each field and each square
    Tsv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableSource {
    /// FENs
    Fen,
    /// Tables in JSON
    Json,
    /// Tables in tab-separated values
    Tsv,
}

pub(super) fn parse(args: &ParseArgs) -> Result<Outcome, Interruption> {
    match args.from {
        TableSource::Fen => take_apart(args),
        TableSource::Json => put_together(args, |input| Box::new(FenTable::read_json(input))),
        TableSource::Tsv => put_together(args, |input| Box::new(FenTable::read_tsv(input))),
    }
}

fn take_apart(args: &ParseArgs) -> Result<Outcome, Interruption> {
    let unanswered = match args.format {
        TableFormat::Json | TableFormat::Jsonl => "",
        TableFormat::Tsv => "\n",
    };
    Lines::open(&args.input)?.answer(unanswered, |line, answer| {
        let table = match line.epd() {
            Ok(epd) => FenTable::from_fen(epd.fen()),
            Err(fault) => {
                if unanswered.is_empty() && line.number.is_some() {
                    json_line(&json!({ "error": fault.to_string() }), answer);
                }
                return Err(fault);
            }
        };
        *answer = match args.format {
            TableFormat::Json => table.to_pretty_json() + "\n",
            TableFormat::Jsonl => table.to_json() + "\n",
            TableFormat::Tsv => table.to_string(),
        };
        Ok(())
    })
}

type Tables = Box<dyn Iterator<Item = Result<FenTable, TableFault>>>;

fn put_together(
    args: &ParseArgs,
    read: fn(BufReader<Box<dyn Read>>) -> Tables,
) -> Result<Outcome, Interruption> {
    let input = &args.input;
    if !input.fens.is_empty() && input.fens != ["-"] {
        let hint = "tables are read from standard input or --file".to_owned();
        return Err(Failure(hint).into());
    }
    let lines = Lines::of(vec!["-".to_owned()], input.file.as_deref())?;
    let (name, reader) = lines.into_reader();
    let failed = |fault: &dyn Error| {
        complain(&format_args!("{name}: {fault}"));
        Ok(Outcome::Incomplete)
    };
    let reader = match input::lines_of(reader) {
        Ok(Ok(reader)) => reader,
        Ok(Err(fault)) => return failed(&fault),
        Err(error) => return failed(&error),
    };
    let mut out = output();
    let mut is_whole = true;
    for table in read(reader) {
        match table.and_then(|table| table.to_fen()) {
            Ok(fen) => writeln!(out, "{fen}")?,
            Err(fault) => {
                is_whole = false;
                let fault = fault.to_string();
                complain(&format_args!("{name}: {}", sanitize(fault.as_bytes())));
                writeln!(out)?;
            }
        }
    }
    out.flush()?;
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}
