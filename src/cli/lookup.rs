//! `eco lookup`.

use std::{
    fs::File,
    io::{BufRead, BufReader, IsTerminal, stdin, stdout},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use eco::{
    catalogue::Catalogue,
    chess::{Epd, PositionKey, epd::EpdFault},
    classify::{Lookup, Question, lookup},
    output::{LookupRow, Row, Value, lookup_json, lookup_text, sanitize, to_json},
    pgn::{self, decode_text},
    store::Database,
};
use serde::Serialize;

use super::{
    args::{Format, NamingArgs},
    input::{Length, read_line},
    outcome::{Failure, Interruption, Outcome, complain},
    progress::Progress,
    question::{read_moves, unnamed},
    replace::Inputs,
    row_writer::{RowBuffer, RowLayout, RowWriter},
};

const HELP: &str = "\
Examples:
  eco lookup 1. g3 f5 2. d4
  eco lookup 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
  eco lookup e4 c5 Nf3 --format jsonl
  eco lookup --file positions.epd --format epd

Exit codes: 0 success, also if the position has no name; 1 success, but a line of - or --file is
neither a position nor moves; 2 failure.";

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
    naming: NamingArgs,

    /// Output format [default: by the name of the output file; else text]
    #[arg(long, short, value_enum)]
    format: Option<LookupFormat>,

    /// Write to FILE, which appears only when it is complete [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The format of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LookupFormat {
    /// Text for people
    Text,
    /// One JSON object per answer
    Jsonl,
    /// EPD with eco, v0, v1 and v2; operations of the input are kept
    Epd,
    /// Tab-separated values
    Tsv,
    /// Typed columns as an Apache Arrow IPC stream, for a pipe or a file
    Arrow,
    /// Typed columns as an Apache Parquet file, compressed
    Parquet,
}

impl LookupArgs {
    /// The format that was asked for, by name or by that of the output; text by default.
    fn format(&self) -> LookupFormat {
        let by_name = || match self.output().and_then(Format::by_name)? {
            Format::Tsv => Some(LookupFormat::Tsv),
            Format::Jsonl => Some(LookupFormat::Jsonl),
            Format::Arrow => Some(LookupFormat::Arrow),
            Format::Parquet => Some(LookupFormat::Parquet),
            Format::Table | Format::Csv => None,
        };
        self.format.or_else(by_name).unwrap_or(LookupFormat::Text)
    }

    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

impl LookupFormat {
    /// The format of rows that it is; `None` for text and objects.
    fn of_rows(self) -> Option<Format> {
        match self {
            Self::Text | Self::Jsonl | Self::Epd => None,
            Self::Tsv => Some(Format::Tsv),
            Self::Arrow => Some(Format::Arrow),
            Self::Parquet => Some(Format::Parquet),
        }
    }
}

pub(super) fn run(args: &LookupArgs) -> Result<Outcome, Failure> {
    let source = Source::open(args.naming.db.as_deref())?;
    let answered = match &args.file {
        Some(path) => {
            let inputs = Inputs::of([&pgn::source::Source::File(path.clone())]);
            inputs.check_stdout()?;
            let failed = |error| Failure(format!("{}: {error}", path.display()));
            let open = || Ok(Box::new(BufReader::new(File::open(path).map_err(failed)?)) as _);
            answer_lines(&source, args, &inputs, &path.display().to_string(), &open)
        }
        None if args.words == ["-"] => {
            let inputs = Inputs::of([&pgn::source::Source::Stdin]);
            inputs.check_stdout()?;
            answer_lines(&source, args, &inputs, "-", &|| Ok(Box::new(stdin().lock())))
        }
        None => answer_one(&source, args),
    };
    answered.or_else(Interruption::outcome)
}

/// The catalogue to look up in.
enum Source {
    BuiltIn,
    /// A database, of which only the openings at the positions in question are read.
    Stored(Database),
}

impl Source {
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::BuiltIn) };
        let database = Database::open(path)?;
        Ok(if database.has_masters()? { Self::Stored(database) } else { Self::BuiltIn })
    }

    fn with_catalogue<T>(
        &self,
        keys: &[PositionKey],
        answer: impl FnOnce(&Catalogue) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self {
            Self::BuiltIn => answer(Catalogue::builtin()),
            Self::Stored(database) => answer(&database.catalogue_at(keys)?),
        }
    }
}

/// A question, as it was typed.
struct Asked {
    question: Question,
    /// The EPD that the question was read from.
    epd: Option<Epd>,
}

fn read(text: &str) -> Result<Asked, String> {
    let text = &*unnamed(text);
    if !Question::looks_like_fen(text) {
        return Ok(Asked { question: read_moves(text)?, epd: None });
    }
    let message = |fault: EpdFault| match fault {
        EpdFault::Fen(fault) => format!("FEN: {fault}"),
        other => other.to_string(),
    };
    let epd: Epd = text.trim().parse().map_err(message)?;
    let question = Question::from_fen(epd.fen()).map_err(|fault| format!("FEN: {fault}"))?;
    Ok(Asked { question, epd: Some(epd) })
}

/// Answers on their way to the output.
struct Answers<'s> {
    source: &'s Source,
    format: LookupFormat,
    writer: RowWriter,
    /// Rows that are not written yet, if answers are rows.
    rows: Option<(LookupLayout, RowBuffer)>,
    waiting: usize,
}

type LookupLayout = RowLayout<for<'r> fn(&'r LookupRow<'_>) -> Value<'r>>;

/// This number of rows is written at once.
const ROWS_AT_ONCE: usize = 500;

impl<'s> Answers<'s> {
    fn open(source: &'s Source, args: &LookupArgs, inputs: &Inputs) -> Result<Self, Interruption> {
        let format = args.format();
        let layout = format.of_rows().map(|format| format.layout(LookupRow::columns()));
        let Some(layout) = layout else {
            let writer = RowWriter::open_for_text(args.output(), inputs)?;
            return Ok(Self { source, format, writer, rows: None, waiting: 0 });
        };
        let layout = source.with_catalogue(&[], |catalogue| Ok(layout.named_by([catalogue])))?;
        let writer = RowWriter::open(args.output(), inputs, &layout, true, 0)?;
        let rows = layout.buffer(0);
        Ok(Self { source, format, writer, rows: Some((layout, rows)), waiting: 0 })
    }

    fn answer(&mut self, text: &str, asked: &Asked) -> Result<(), Interruption> {
        let question = &asked.question;
        let format = self.format;
        if let Some((layout, rows)) = &mut self.rows {
            self.source.with_catalogue(&question.keys(), |catalogue| {
                let answer = lookup(catalogue, question);
                let answer = Ok((catalogue, &answer));
                layout.write(&LookupRow { input: text, answer }, rows);
                Ok(())
            })?;
            return self.end_row();
        }
        let text = self.source.with_catalogue(&question.keys(), |catalogue| {
            written(catalogue, format, text, asked)
        })?;
        self.writer.write_text(&text)
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

fn answer_one(source: &Source, args: &LookupArgs) -> Result<Outcome, Interruption> {
    let text = args.words.join(" ");
    let asked = read(&text).map_err(Failure)?;
    let mut answers = Answers::open(source, args, &Inputs::none())?;
    answers.answer(&text, &asked)?;
    answers.finish()?;
    Ok(Outcome::Done)
}

/// Opens what lines are read from.
type OpenLines<'o> = dyn Fn() -> Result<Box<dyn BufRead>, Failure> + 'o;

/// Answers every line, except blank ones and comments. A bad line is reported and skipped.
fn answer_lines(
    source: &Source,
    args: &LookupArgs,
    inputs: &Inputs,
    name: &str,
    open: &OpenLines<'_>,
) -> Result<Outcome, Interruption> {
    let mut outcome = Outcome::Done;
    let (mut reader, mut line) = (open()?, Vec::new());
    let mut answers = Answers::open(source, args, inputs)?;
    for number in 1_u64.. {
        line.clear();
        let length = read_line(&mut reader, &mut line);
        let length = length.map_err(|error| Failure(format!("{name}: {error}")))?;
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        let mut text = decode_text(line.trim_ascii());
        let asked = match length {
            Length::End => break,
            Length::TooLong => {
                text = "".into();
                Err("longer than 1 MiB".to_owned())
            }
            Length::Whole if text.is_empty() || text.starts_with('#') => continue,
            Length::Whole => read(&text),
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
    asked: &Asked,
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
fn as_epd(asked: &Asked, answer: &Lookup<'_>) -> Result<Epd, Failure> {
    let plain = || answer.key.to_string().parse();
    let mut epd = asked.epd.clone().map_or_else(plain, Ok)?;
    if let Some(named) = answer.named {
        epd.name(named.opening().operations());
    }
    Ok(epd)
}
