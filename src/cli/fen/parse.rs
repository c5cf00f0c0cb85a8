//! `eco fen parse`.

use std::io::{Read, Write, stdin};

use clap::{Args, ValueEnum};
use eco::{
    chess::{Epd, fen::FenTable},
    output::sanitize,
};

use super::lines::{FenInput, Lines, open_file, output};
use crate::cli::outcome::{Failure, Interruption, Outcome, complain};

const HELP: &str = "\
Examples:
  eco fen parse \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format json
  eco fen parse \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format jsonl | eco fen parse --from json

The table has the fields and a board of eight rows, the eighth rank first, with a piece letter or a
blank for every square. With --from json it is read from standard input or --file, one object after
the other, and the FEN is printed.

Exit codes: 0 done; 1 done, but a FEN or table could not be read; 2 could not be done.";

/// Take a FEN apart into its fields and squares, or put one together.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "--help tells more, with examples.")]
pub(super) struct ParseArgs {
    #[command(flatten)]
    input: FenInput,

    /// How the table is written
    #[arg(long, value_enum, default_value_t = TableFormat::Json)]
    format: TableFormat,

    /// What is read
    #[arg(long, value_enum, default_value_t = TableSource::Fen)]
    from: TableSource,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// JSON over several lines
    Json,
    /// One JSON object a line
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
}

pub(super) fn run(args: &ParseArgs) -> Result<Outcome, Interruption> {
    match args.from {
        TableSource::Fen => take_apart(args),
        TableSource::Json => put_together(&args.input),
    }
}

fn take_apart(args: &ParseArgs) -> Result<Outcome, Interruption> {
    Lines::open(&args.input)?.answer(|line, answer| {
        let table = FenTable::from_fen(line.parse::<Epd>()?.fen());
        *answer = match args.format {
            TableFormat::Json => table.to_pretty_json() + "\n",
            TableFormat::Jsonl => table.to_json() + "\n",
            TableFormat::Tsv => table.to_string(),
        };
        Ok(())
    })
}

fn put_together(input: &FenInput) -> Result<Outcome, Interruption> {
    if !input.fens.is_empty() && input.fens != ["-"] {
        let hint = "tables are read from standard input or --file".to_owned();
        return Err(Failure(hint).into());
    }
    let (name, reader): (_, Box<dyn Read>) = match &input.file {
        Some(path) if path.as_os_str() != "-" => {
            (path.display().to_string(), Box::new(open_file(path)?))
        }
        _ => ("-".to_owned(), Box::new(stdin())),
    };
    let mut out = output();
    let mut is_whole = true;
    for table in FenTable::read_json(std::io::BufReader::new(reader)) {
        match table.and_then(|table| table.to_fen()) {
            Ok(fen) => writeln!(out, "{fen}")?,
            Err(fault) => {
                is_whole = false;
                let fault = fault.to_string();
                complain(&format_args!("{name}: {}", sanitize(fault.as_bytes())));
            }
        }
    }
    out.flush()?;
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}
