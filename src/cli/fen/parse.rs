//! `eco fen parse`.

use std::io::{Read, Write, stdin};

use eco::{
    chess::{Epd, fen::FenTable},
    output::sanitize,
};

use super::{
    Ended,
    args::{FenInput, ParseArgs, TableFormat, TableSource},
    input::{Lines, open_file, output},
};
use crate::cli::{Failure, Outcome, complain};

pub(super) fn run(args: &ParseArgs) -> Result<Outcome, Ended> {
    match args.from {
        TableSource::Fen => take_apart(args),
        TableSource::Json => put_together(&args.input),
    }
}

fn take_apart(args: &ParseArgs) -> Result<Outcome, Ended> {
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

fn put_together(input: &FenInput) -> Result<Outcome, Ended> {
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
