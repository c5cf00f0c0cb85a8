//! `eco fen check`.

use std::io::{self, Write};

use eco::{
    chess::{FaultClass, FenReading},
    report::{harmless, reading_json},
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
        let reading = FenReading::of(line.text);
        worst = worst.max(reading.class());
        match args.format {
            _ if args.quiet => {}
            CheckFormat::Text => write_text(line.text, line.number, &reading, &mut out)?,
            CheckFormat::Jsonl => {
                writeln!(out, "{}", reading_json(line.text, line.number, &reading))?;
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
    let shown = harmless(text);
    let class = reading.class().map_or("ok", FaultClass::name);
    let place = number.map_or_else(String::new, |number| format!("line {number}: "));
    let head = format!("{place}{class}: ");
    writeln!(out, "{head}{shown}")?;
    if !reading.faults().is_empty() && shown.chars().count() <= MAX_POINTED {
        let mut pointers = String::new();
        for fault in reading.faults() {
            let indent = head.chars().count() + fault.column() - 1;
            let width = pointers.chars().count();
            if width <= indent {
                pointers += &" ".repeat(indent - width);
                pointers.push('^');
            }
        }
        writeln!(out, "{pointers}")?;
    }
    for fault in reading.faults() {
        writeln!(
            out,
            "  {}: field {} ({}), column {}: found {}, expected {}",
            fault.class().name(),
            fault.field().number(),
            fault.field().name(),
            fault.column(),
            fault.found(),
            fault.expected()
        )?;
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
