//! `eco lookup`.

use std::fs::File;
use std::io::{self, IsTerminal, Read, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::chess::Epd;
use eco::classify::{Lookup, Question, lookup};
use eco::output::{LookupRow, Row, Value, lookup_json, lookup_text, sanitize, to_json};
use eco::{pgn, pgn::decode_text};
use serde::Serialize;

use super::args::Format;
use super::input::Length;
use super::outcome::{Failure, Interruption, Outcome, complain};
use super::progress::Progress;
use super::replace::Inputs;
use super::row_writer::{RowLayout, RowWriter};
use super::{args, completion, input, row_writer};

const HELP: &str = "\
Examples:
  eco lookup 1. g3 f5 2. d4
  eco lookup 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
  eco lookup e4 c5 Nf3 --format jsonl
  eco lookup --file positions.epd --format epd

Exit codes: 0 success, also if the position has no name; 1 success, but a line of - or --file is
neither a position nor moves, or the file is not text; 2 failure.";

/// Show the opening of a position or line, and what is around it.
///
/// A position is FEN or EPD, with or without move counters, or the address of a page that has it;
/// one to three fields are enough. Anything else is read as moves from the initial position, as
/// `eco fen move` reads them. The answer has the name and its source, the named positions on the
/// line, the names that other masters give, and the moves that lead to named positions.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct LookupArgs {
    /// FEN, moves, or - to read one of them per line from standard input
    #[arg(value_name = "FEN|MOVES", required_unless_present = "file")]
    words: Vec<String>,

    /// Look up every line of a file: FEN, EPD or moves
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    #[command(flatten)]
    naming: args::NamingArgs,

    /// Output format [default: by the name of the output file; else text]
    #[arg(long, short, value_parser = completion::one_of(FORMATS))]
    format: Option<LookupFormat>,

    /// Write to FILE, which appears only when it is complete [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookupFormat {
    Text,
    Jsonl,
    Epd,
    Rows(Format),
}

const FORMATS: &[completion::Choice<LookupFormat>] = &[
    ("text", "Text for people", LookupFormat::Text),
    ("jsonl", "One JSON object per answer", LookupFormat::Jsonl),
    ("epd", "EPD with eco, v0, v1 and v2; operations of the input are kept", LookupFormat::Epd),
    ("tsv", "Tab-separated values", LookupFormat::Rows(Format::Tsv)),
    (
        "arrow",
        "Typed columns as an Apache Arrow IPC stream, for a pipe or a file",
        LookupFormat::Rows(Format::Arrow),
    ),
    (
        "parquet",
        "Typed columns as an Apache Parquet file, compressed",
        LookupFormat::Rows(Format::Parquet),
    ),
];

impl LookupArgs {
    /// The format that is given or that the name of the output ends in; text for standard output
    /// and for a name without an ending.
    fn format(&self) -> Result<LookupFormat, Failure> {
        let path = self.output().filter(|path| path.extension().is_some());
        let (None, Some(path)) = (self.format, path) else {
            return Ok(self.format.unwrap_or(LookupFormat::Text));
        };
        match Format::by_name(path) {
            Some(Format::Jsonl) => Ok(LookupFormat::Jsonl),
            Some(Format::Table) => Ok(LookupFormat::Text),
            Some(format) if format != Format::Csv => Ok(LookupFormat::Rows(format)),
            _ if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("epd")) => {
                Ok(LookupFormat::Epd)
            }
            _ => {
                let known = ".txt, .epd, .jsonl, .tsv, .arrow or .parquet, or give --format";
                Err(Failure(format!("{}: name a file in {known}", path.display())))
            }
        }
    }

    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

pub(super) fn run(args: &LookupArgs) -> Result<Outcome, Failure> {
    let catalogue = args.naming.catalogue()?;
    let answered = match &args.file {
        Some(path) => {
            let inputs = Inputs::of([&pgn::source::Source::File(path.clone())]);
            inputs.check_stdout()?;
            let failed = |error| Failure(format!("{}: {error}", path.display()));
            let file = File::open(path).map_err(failed)?;
            answer_lines(catalogue, args, &inputs, &path.display().to_string(), file)
        }
        None if args.words == ["-"] => {
            let inputs = Inputs::of([&pgn::source::Source::Stdin]);
            inputs.check_stdout()?;
            answer_lines(catalogue, args, &inputs, "-", stdin())
        }
        None => answer_one(catalogue, args),
    };
    answered.or_else(Interruption::outcome)
}

/// A question as it was typed: moves, or an EPD, whose operations are kept.
struct TypedQuestion {
    question: Question,
    epd: Option<Epd>,
}

fn read(text: &str, catalogue: &'static Catalogue) -> Result<TypedQuestion, Failure> {
    let question = Question::read(text, &[], || Ok::<_, Failure>(catalogue))?;
    Ok(TypedQuestion {
        epd: question.epd().cloned().filter(|_| question.moves().is_empty()),
        question,
    })
}

/// Answers on their way to the output.
struct Answers {
    catalogue: &'static Catalogue,
    format: LookupFormat,
    writer: RowWriter,
    /// Rows that are not written yet, if answers are rows.
    rows: Option<(LookupLayout, row_writer::RowBuffer)>,
    waiting: usize,
}

type LookupLayout = RowLayout<for<'r> fn(&'r LookupRow<'_>) -> Value<'r>>;

/// The number of rows that are written at once.
const ROWS_AT_ONCE: usize = 500;

impl Answers {
    fn open(
        catalogue: &'static Catalogue,
        args: &LookupArgs,
        inputs: &Inputs,
    ) -> Result<Self, Interruption> {
        let format = args.format()?;
        let LookupFormat::Rows(of_rows) = format else {
            let writer = RowWriter::open_for_text(args.output(), inputs)?;
            return Ok(Self { catalogue, format, writer, rows: None, waiting: 0 });
        };
        let layout = RowLayout::new(of_rows, LookupRow::columns()).named_by([catalogue]);
        let writer =
            RowWriter::open(args.output(), inputs, &layout, true, 0, row_writer::Pager::Never)?;
        let rows = layout.buffer(0);
        Ok(Self { catalogue, format, writer, rows: Some((layout, rows)), waiting: 0 })
    }

    fn answer(&mut self, text: &str, asked: &TypedQuestion) -> Result<(), Interruption> {
        if let Some((layout, rows)) = &mut self.rows {
            let answer = lookup(self.catalogue, &asked.question);
            let answer = Ok((self.catalogue, &answer));
            layout.write(&LookupRow { input: text, answer }, rows);
            return self.end_row();
        }
        self.writer.write_text(&written(self.catalogue, self.format, text, asked)?)
    }

    /// Answers a line that is neither a position nor moves, so that answers match lines.
    fn answer_bad_line(&mut self, text: &str, fault: &str) -> Result<(), Interruption> {
        if let Some((layout, rows)) = &mut self.rows {
            layout.write(&LookupRow { input: text, answer: Err(fault) }, rows);
            return self.end_row();
        }
        self.writer.write_text(&bad_line(self.format, text, fault))
    }

    fn end_row(&mut self) -> Result<(), Interruption> {
        self.waiting += 1;
        if self.waiting < ROWS_AT_ONCE { Ok(()) } else { self.write_rows() }
    }

    fn write_rows(&mut self) -> Result<(), Interruption> {
        self.waiting = 0;
        let Some((layout, rows)) = &mut self.rows else { return Ok(()) };
        let rows = std::mem::replace(rows, layout.buffer(0));
        self.writer.write(&rows.finish(), &Progress::hidden())
    }

    fn finish(mut self) -> Result<(), Interruption> {
        self.write_rows()?;
        self.writer.finish()
    }
}

fn answer_one(catalogue: &'static Catalogue, args: &LookupArgs) -> Result<Outcome, Interruption> {
    let text = args.words.join(" ");
    let asked = read(&text, catalogue)?;
    let mut answers = Answers::open(catalogue, args, &Inputs::none())?;
    answers.answer(&text, &asked)?;
    answers.finish()?;
    Ok(Outcome::Done)
}

/// Answers every line, except blank ones and comments. A bad line is reported and skipped, and so
/// is an input that is no text.
fn answer_lines(
    catalogue: &'static Catalogue,
    args: &LookupArgs,
    inputs: &Inputs,
    name: &str,
    input: impl Read,
) -> Result<Outcome, Interruption> {
    let (mut outcome, mut line) = (Outcome::Done, Vec::new());
    let failed = |error: io::Error| Failure(format!("{name}: {error}"));
    let mut reader = match input::lines_of(input).map_err(failed)? {
        Ok(reader) => reader,
        Err(fault) => {
            complain(&format_args!("{name}: {fault}"));
            return Ok(Outcome::Incomplete);
        }
    };
    let mut answers = Answers::open(catalogue, args, inputs)?;
    for number in 1_u64.. {
        line.clear();
        let length = input::read_line(&mut reader, &mut line);
        let length = length.map_err(failed)?;
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        let mut text = decode_text(line.trim_ascii());
        let asked = match length {
            Length::End => break,
            Length::TooLong => {
                text = "".into();
                Err("longer than 1 MiB".to_owned())
            }
            Length::Whole if text.is_empty() || text.starts_with('#') => continue,
            Length::Whole => read(&text, catalogue).map_err(|Failure(fault)| fault),
        };
        match asked {
            Ok(asked) => {
                answers.answer(&text, &asked)?;
                if answers.format == LookupFormat::Text {
                    answers.writer.write_text("\n")?;
                }
            }
            Err(fault) => {
                outcome = Outcome::Incomplete;
                complain(&format_args!("{name}: line {number}: {fault}"));
                answers.answer_bad_line(&text, &fault)?;
            }
        }
    }
    answers.finish()?;
    Ok(outcome)
}

#[derive(Serialize)]
struct FaultObject<'a> {
    input: &'a str,
    error: &'a str,
}

/// The answer to a bad line, where answers are text.
fn bad_line(format: LookupFormat, text: &str, fault: &str) -> String {
    match format {
        LookupFormat::Jsonl => {
            format!("{}\n", to_json(&FaultObject { input: text, error: fault }))
        }
        LookupFormat::Epd => format!("{}\n", sanitize(text.as_bytes())),
        _ => String::new(),
    }
}

/// An answer as text or as an object.
fn written(
    catalogue: &Catalogue,
    format: LookupFormat,
    text: &str,
    asked: &TypedQuestion,
) -> Result<String, Failure> {
    let question = &asked.question;
    let answer = lookup(catalogue, question);
    Ok(match format {
        LookupFormat::Jsonl => format!("{}\n", lookup_json(catalogue, text, question, &answer)),
        LookupFormat::Epd => {
            let epd = as_epd(asked, &answer)?.to_string();
            // Operations may contain control characters.
            let is_shown = stdout().is_terminal();
            format!("{}\n", if is_shown { sanitize(epd.as_bytes()) } else { epd.into() })
        }
        _ => lookup_text(catalogue, question, &answer),
    })
}

/// The position with its name as EPD. Other operations of the line are kept.
fn as_epd(asked: &TypedQuestion, answer: &Lookup<'_>) -> Result<Epd, Failure> {
    let plain = || answer.key.to_string().parse();
    let mut epd = asked.epd.clone().map_or_else(plain, Ok)?;
    if let Some(named) = answer.named {
        epd.name(named.opening().operations());
    }
    Ok(epd)
}
