//! `eco lookup`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Write, stdin, stdout},
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use eco::{
    catalogue::Catalogue,
    chess::{Epd, epd::EpdFault},
    classify::{Lookup, Question, lookup},
    opening::EcoCode,
    output::{lookup_json, lookup_text, sanitize, to_json},
    pgn::{self, decode_text},
    store::Database,
};
use serde::Serialize;

use super::{
    args::NamingArgs,
    input::{Length, read_line},
    outcome::{Failure, Outcome, complain},
    replace::Inputs,
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
/// A position is FEN or EPD, with or without move counters; anything else is read as moves from the
/// initial position. The answer has the name and its source, the named positions on the line, the
/// names that other masters give, and the moves that lead to named positions.
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

    /// Output format
    #[arg(long, short, value_enum, default_value = "text")]
    format: LookupFormat,
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
}

pub(super) fn run(args: &LookupArgs) -> Result<Outcome, Failure> {
    let source = Source::open(args.naming.db.as_deref())?;
    let mut out = stdout().lock();
    let answered = match &args.file {
        Some(path) => {
            Inputs::of([&pgn::source::Source::File(path.clone())]).check_stdout()?;
            let failed = |error| Failure(format!("{}: {error}", path.display()));
            answer_lines(
                &source,
                args.format,
                &path.display().to_string(),
                &mut || Ok(Box::new(BufReader::new(File::open(path).map_err(failed)?))),
                &mut out,
            )?
        }
        None if args.words == ["-"] => {
            Inputs::of([&pgn::source::Source::Stdin]).check_stdout()?;
            answer_lines(&source, args.format, "-", &mut || Ok(Box::new(stdin().lock())), &mut out)?
        }
        None => answer_one(&source, args.format, &args.words.join(" "), &mut out)?,
    };
    match answered {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Done),
        Err(error) => Err(Failure(format!("standard output: {error}"))),
        Ok(outcome) => Ok(outcome),
    }
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

    fn with_catalogue(
        &self,
        question: &Question,
        answer: impl FnOnce(&Catalogue) -> Result<String, Failure>,
    ) -> Result<String, Failure> {
        match self {
            Self::BuiltIn => answer(Catalogue::builtin()),
            Self::Stored(database) => answer(&database.catalogue_at(&question.keys())?),
        }
    }
}

/// A question, as it was typed.
struct Asked {
    question: Question,
    /// The EPD that the question was read from.
    epd: Option<Epd>,
}

const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn read(text: &str) -> Result<Asked, String> {
    // As UCI calls the initial position.
    let text = if text.trim() == "startpos" { INITIAL_FEN } else { text };
    if !Question::looks_like_fen(text) {
        let question = Question::from_movetext(text).map_err(|error| {
            match text.trim().parse::<EcoCode>() {
                Ok(code) => format!("{code} is a code; `eco search {code}` lists its openings"),
                Err(_) => error.to_string(),
            }
        })?;
        return Ok(Asked { question, epd: None });
    }
    let message = |fault: EpdFault| match fault {
        EpdFault::Fen(fault) => format!("FEN: {fault}"),
        other => other.to_string(),
    };
    let epd: Epd = text.trim().parse().map_err(message)?;
    let question = Question::from_fen(epd.fen()).map_err(|fault| format!("FEN: {fault}"))?;
    Ok(Asked { question, epd: Some(epd) })
}

fn answer_one(
    source: &Source,
    format: LookupFormat,
    text: &str,
    out: &mut dyn Write,
) -> Result<io::Result<Outcome>, Failure> {
    let asked = read(text).map_err(Failure)?;
    let answer = written(source, format, text, &asked)?;
    Ok(out.write_all(answer.as_bytes()).and_then(|()| out.flush()).map(|()| Outcome::Done))
}

/// Answers every line, except blank ones and comments. A bad line is reported and skipped.
fn answer_lines(
    source: &Source,
    format: LookupFormat,
    name: &str,
    open: &mut dyn FnMut() -> Result<Box<dyn BufRead>, Failure>,
    out: &mut dyn Write,
) -> Result<io::Result<Outcome>, Failure> {
    let mut outcome = Outcome::Done;
    let (mut reader, mut line) = (open()?, Vec::new());
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
        let written = match asked {
            Ok(asked) => written(source, format, &text, &asked)?,
            Err(fault) => {
                outcome = Outcome::Incomplete;
                complain(&format_args!("{name}: line {number}: {fault}"));
                bad_line(format, &text, &fault)
            }
        };
        if let Err(error) = out.write_all(written.as_bytes()) {
            return Ok(Err(error));
        }
        if format == LookupFormat::Text && !written.is_empty() && out.write_all(b"\n").is_err() {
            break;
        }
    }
    Ok(out.flush().map(|()| outcome))
}

#[derive(Serialize)]
struct FaultObject<'a> {
    input: &'a str,
    error: &'a str,
}

/// The answer to a line that is neither a position nor moves, so that answers match lines.
fn bad_line(format: LookupFormat, text: &str, fault: &str) -> String {
    match format {
        LookupFormat::Jsonl => {
            format!("{}\n", to_json(&FaultObject { input: text, error: fault }))
        }
        LookupFormat::Text => String::new(),
        LookupFormat::Epd => format!("{}\n", sanitize(text.as_bytes())),
    }
}

fn written(
    source: &Source,
    format: LookupFormat,
    text: &str,
    asked: &Asked,
) -> Result<String, Failure> {
    let question = &asked.question;
    source.with_catalogue(question, |catalogue| {
        let answer = lookup(catalogue, question);
        Ok(match format {
            LookupFormat::Text => lookup_text(catalogue, question, &answer),
            LookupFormat::Jsonl => format!("{}\n", lookup_json(catalogue, text, question, &answer)),
            LookupFormat::Epd => {
                let epd = as_epd(asked, &answer)?.to_string();
                // Operations may contain control characters.
                let is_shown = stdout().is_terminal();
                format!("{}\n", if is_shown { sanitize(epd.as_bytes()) } else { epd.into() })
            }
        })
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
