//! `eco fen check`: what stands in a FEN, and what is wrong with it.

use std::error::Error;
use std::fmt::{self, Write};

use clap::{Args, ValueEnum};
use eco::chess::epd::split_epd;
use eco::chess::fen::{FenTable, complete_fen};
use eco::chess::{Epd, FaultClass, FaultKind, Fen, FenFault, FenReading, Position, end_name};
use eco::output::{fen_reading_json, sanitize};
use serde_json::json;

use crate::cli::outcome::{Interruption, Outcome};
use crate::cli::position::{Line, PositionsArgs};

const HELP: &str = "\
Examples:
  eco fen check \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1\"
  eco fen check --format jsonl < positions.txt
  eco fen check \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format json

The exit code is the worst class of faults in all FENs:
  0  no fault, or only forgiven ones
  3  odd: it can be played, but it is unusual (counters that contradict each other)
  4  impossible: it can be read, but no game reaches it (no king, more promoted pieces than
     missing pawns, castling rights of Chess960)
  5  syntax: it cannot be read
It is 1 if the input could not be read to its end, and 2 on failure.

If a position can be played, check, checkmate, stalemate and too few pieces for a mate are reported.
In JSON lines `check` is true or false, and null if it cannot be played; `end` is checkmate,
stalemate or insufficient material, and null if the game can go on.

--format json prints an object for each FEN: its fields, the ply that follows from them, and a board
of eight rows, the eighth rank first, with a piece letter or a blank for every square. Every command
of eco fen reads such objects from standard input as it reads FENs.

Forgiven and normalized: one to three fields (White to move, no castling rights, no en passant
square); four fields instead of six (counters 0 and 1); an en dash or em dash for
-; a dash among castling letters; castling letters in any order or repeated; repeated spaces, and
the spaces of books; adjacent digits; zeros before a counter; castling letters of X-FEN and
Shredder-FEN (HAha for KQkq); a tag ([FEN \"...\"]), an address of lichess or chess.com, or
underscores for spaces around the FEN. Columns are those of the text that is printed.
Lines that are blank or begin with # are skipped.";

/// Report every fault of a FEN, and repair it where only one repair is possible.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    input: PositionsArgs,

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    format: CheckFormat,

    /// Accept the castling rights of Chess960, by file (HAha) or by side (KQkq)
    #[arg(long)]
    chess960: bool,

    /// Print nothing; only set the exit code
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// Text for people
    Text,
    /// One JSON object per FEN, with its faults
    Jsonl,
    /// One table per FEN, with its fields and squares
    Json,
}

/// The longest text, in characters, below which the columns of faults are marked.
const MAX_POINTED: usize = 200;

pub(super) fn run(args: &CheckArgs) -> Result<Outcome, Interruption> {
    let mut worst = None;
    let outcome = args.input.lines()?.answer("", |line, out| {
        worst = worst.max(args.check(line, out)?);
        Ok(())
    })?;
    Ok(match (outcome, worst) {
        (Outcome::Done, Some(class)) => Outcome::Faulty(class),
        _ => outcome,
    })
}

impl CheckArgs {
    /// Reports what is in a line, and returns its class, or why it was not read.
    fn check(
        &self,
        line: &Line<'_>,
        out: &mut String,
    ) -> Result<Option<FaultClass>, Box<dyn Error>> {
        let (text, forgiven) = line.fen()?;
        let (fen, missing) = complete_fen(split_epd(&text).0);
        let fen = fen.as_bytes();
        let reading =
            if self.chess960 { FenReading::of_chess960(fen) } else { FenReading::from_ascii(fen) };
        let reading = reading.after_forgiving(&missing).after_forgiving(&forgiven);
        let (text, number) = (text.as_bytes(), line.number_in_file());
        match self.format {
            _ if self.quiet => {}
            CheckFormat::Text => write_text(text, number, &reading, out)?,
            CheckFormat::Jsonl => writeln!(out, "{}", fen_reading_json(text, number, &reading))?,
            CheckFormat::Json => {
                // Operations may hold the counters.
                let epd = line.epd().ok();
                let fen = epd.as_ref().map(Epd::fen).or(reading.fen());
                writeln!(out, "{}", table(fen, &reading))?;
            }
        }
        Ok(reading.class())
    }
}

/// The table of a FEN, or an object with its first fault.
fn table(fen: Option<&Fen>, reading: &FenReading) -> String {
    let error = || reading.faults.first().map(ToString::to_string);
    fen.map_or_else(
        || json!({ "error": error() }).to_string(),
        |fen| FenTable::from_fen(fen).to_pretty_json(),
    )
}

fn write_text(
    text: &[u8],
    number: Option<u64>,
    reading: &FenReading,
    out: &mut String,
) -> fmt::Result {
    let shown = sanitize(text);
    let class = reading.class().map_or("ok", FaultClass::name);
    let place = number.map_or_else(String::new, |number| format!("line {number}: "));
    let head = format!("{place}{class}: ");
    writeln!(out, "{head}{shown}")?;
    if !reading.faults.is_empty() && shown.chars().count() <= MAX_POINTED {
        writeln!(out, "{}", pointers(head.chars().count(), &reading.faults))?;
    }
    for fault in &reading.faults {
        writeln!(out, "  {}: {}", fault.class().name(), fault.in_words())?;
        if fault.kind == FaultKind::Chess960Castling {
            writeln!(out, "  hint: --chess960 checks it by the rules of Chess960")?;
        }
    }
    if reading.omitted > 0 {
        writeln!(out, "  and {} more", reading.omitted)?;
    }
    for forgiven in &reading.forgiven {
        writeln!(out, "  forgiven: {forgiven}")?;
    }
    if let Some(fen) = reading.repaired() {
        writeln!(out, "  repaired: {fen}")?;
    } else if let (Some(fen), false) = (reading.fen(), reading.forgiven.is_empty()) {
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
    let last = faults.iter().map(|fault| fault.column).max().unwrap_or_default();
    let is_pointed = |column| faults.iter().any(|fault| fault.column == column);
    let marks = (1..=last).map(|column| if is_pointed(column) { '^' } else { ' ' });
    " ".repeat(before) + &marks.collect::<String>()
}
