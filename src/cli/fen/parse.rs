//! `eco fen parse`.

use std::io::{BufReader, Read, Write, stdin};

use clap::{Args, ValueEnum};
use eco::{
    chess::fen::{FenTable, TableFault},
    output::sanitize,
    pgn::source::Source,
};
use serde::Serialize;

use super::{
    lines::{FenInput, Lines, Origin, Unanswered, open_file, output},
    short::ShortFens,
    text_format::json_line,
};
use crate::cli::{
    outcome::{Failure, Interruption, Outcome, complain},
    replace::Inputs,
};

const HELP: &str = "\
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
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
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

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// JSON over several lines
    Json,
    /// One JSON object per line
    Jsonl,
    /// Tab-separated: a line for each field and each square
    Tsv,
}

/// What `parse` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableSource {
    /// FENs
    Fen,
    /// Tables in JSON
    Json,
    /// Tables in tab-separated values
    Tsv,
}

pub(super) fn run(args: &ParseArgs) -> Result<Outcome, Interruption> {
    match args.from {
        TableSource::Fen => take_apart(args),
        TableSource::Json => put_together(&args.input, |reader| {
            Box::new(FenTable::read_json(BufReader::new(reader)))
        }),
        TableSource::Tsv => {
            put_together(&args.input, |reader| Box::new(FenTable::read_tsv(BufReader::new(reader))))
        }
    }
}

fn take_apart(args: &ParseArgs) -> Result<Outcome, Interruption> {
    let mut short = ShortFens::default();
    let unanswered = match args.format {
        TableFormat::Json | TableFormat::Jsonl => Unanswered::Answer,
        TableFormat::Tsv => Unanswered::EmptyLine,
    };
    let outcome = Lines::open(&args.input)?.answer(unanswered, |line, answer| {
        let table = match short.read(line) {
            Ok(epd) => FenTable::from_fen(epd.fen()),
            Err(fault) => {
                if unanswered == Unanswered::Answer && line.origin != Origin::Only {
                    json_line(&FaultObject { error: fault.to_string() }, answer);
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
    })?;
    short.finish();
    Ok(outcome)
}

/// Stands for the table of a FEN that cannot be read.
#[derive(Serialize)]
struct FaultObject {
    error: String,
}

type Tables = Box<dyn Iterator<Item = Result<FenTable, TableFault>>>;

fn put_together(
    input: &FenInput,
    read: fn(Box<dyn Read>) -> Tables,
) -> Result<Outcome, Interruption> {
    if !input.fens.is_empty() && input.fens != ["-"] {
        let hint = "tables are read from standard input or --file".to_owned();
        return Err(Failure(hint).into());
    }
    let (name, reader): (_, Box<dyn Read>) = match &input.file {
        Some(path) if path.as_os_str() != "-" => {
            Inputs::of([&Source::File(path.clone())]).check_stdout()?;
            (path.display().to_string(), Box::new(open_file(path)?))
        }
        _ => {
            Inputs::of([&Source::Stdin]).check_stdout()?;
            ("-".to_owned(), Box::new(stdin()))
        }
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
