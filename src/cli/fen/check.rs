//! `eco fen check`.

use std::io::{self, Write};

use eco::{
    chess::{FaultClass, FenFault, FenReading, epd::split_epd},
    output::{reading_json, sanitize},
    pgn::decode_text,
};

use super::{
    Ended,
    args::{CheckArgs, CheckFormat},
    input::{Lines, output},
};
use crate::cli::Outcome;

/// Beyond this a FEN is no longer pointed into.
const MAX_POINTED: usize = 200;

pub(super) fn run(args: &CheckArgs) -> Result<Outcome, Ended> {
    let lines = Lines::open(&args.input)?;
    let mut out = output();
    let mut worst = None;
    let outcome = lines.each(|line| {
        let text = decode_text(line.text);
        let reading = FenReading::from_ascii(split_epd(&text).0.as_bytes());
        let text = text.as_bytes();
        worst = worst.max(reading.class());
        match args.format {
            _ if args.quiet => {}
            CheckFormat::Text => write_text(text, line.number(), &reading, &mut out)?,
            CheckFormat::Jsonl => {
                writeln!(out, "{}", reading_json(text, line.number(), &reading))?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
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
    Ok(())
}

/// A line that points at the columns of all faults, in a text that so many characters precede.
fn pointers(before: usize, faults: &[FenFault]) -> String {
    let last = faults.iter().map(FenFault::column).max().unwrap_or_default();
    let is_pointed = |column| faults.iter().any(|fault| fault.column() == column);
    let marks = (1..=last).map(|column| if is_pointed(column) { '^' } else { ' ' });
    " ".repeat(before) + &marks.collect::<String>()
}
