//! `eco lookup`.

use std::io::{IsTerminal, stdout};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::chess::Epd;
use eco::classify::{Lookup, Question, QuestionFault, lookup};
use eco::output::{LookupRow, Value, lookup_json, lookup_text, sanitize, to_json};
use serde::Serialize;

use super::args::{Format, NamingArgs, Readers};
use super::outcome::{Failure, Interruption, Outcome, complain, refuse};
use super::position::{Line, PositionsArgs};
use super::row_writer::{RowLayout, RowWriter};
use super::rows::{OtherFormat, RowArgs, RowsFormat};
use super::{completion, replace::Inputs};

const HELP: &str = "\
Examples:
  eco lookup 1. g3 f5 2. d4
  eco lookup caro kann advance
  eco lookup 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
  eco lookup e4 c5 Nf3 --format jsonl
  eco lookup --format epd < positions.epd

Exit codes: 0 success, also if the position has no name; 1 success, but a line or one of several
positions cannot be read, or the input is not text; 2 failure.";

/// Show the opening of a position or line, and the named positions around it.
///
/// A position is FEN or EPD (one to three fields are enough), moves, the address of a page that has
/// it, a code or the name of an opening. The answer has the name and its source, the named
/// positions on the line, the names that other masters give, and the moves that lead to named
/// positions.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct LookupArgs {
    #[command(flatten)]
    input: PositionsArgs,

    #[command(flatten)]
    naming: NamingArgs,

    #[command(flatten)]
    rows: RowArgs<LookupText>,
}

/// What is written, unless it is rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookupText {
    Text,
    Epd,
}

impl OtherFormat for LookupText {
    const CHOICES: &[completion::Choice<Self>] = &[
        ("text", "Text for people, the default", Self::Text),
        ("epd", "EPD with eco, v0, v1 and v2; operations of the input are kept", Self::Epd),
    ];
}

type LookupFormat = RowsFormat<LookupText>;

impl LookupArgs {
    /// The format that is given or that the name of the output ends in; text for standard output
    /// and for a name without an ending.
    fn format(&self) -> Result<LookupFormat, Failure> {
        let format = self.rows.format;
        let path = self.rows.output().filter(|path| path.extension().is_some());
        let (None, Some(path)) = (format, path) else {
            return Ok(format.unwrap_or(LookupFormat::Other(LookupText::Text)));
        };
        match Format::by_name(path) {
            Some(Format::Table) => Ok(LookupFormat::Other(LookupText::Text)),
            Some(format) => Ok(LookupFormat::Rows(format)),
            None if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("epd")) => {
                Ok(LookupFormat::Other(LookupText::Epd))
            }
            None => {
                let known = ".txt, .epd, .jsonl, .tsv, .csv, .arrow or .parquet, or give --format";
                refuse(format!("{}: name a file in {known}", path.display()))
            }
        }
    }
}

pub(super) fn run(args: &LookupArgs) -> Result<Outcome, Failure> {
    let readers = match args.format()? {
        LookupFormat::Rows(format) => format.into(),
        LookupFormat::Other(LookupText::Text) => Readers::People,
        LookupFormat::Other(LookupText::Epd) => Readers::Programs,
    };
    answer(args.naming.catalogue_for(readers)?, args).or_else(Interruption::outcome)
}

/// Answers on their way to the output.
struct Answers {
    catalogue: &'static Catalogue,
    format: LookupFormat,
    writer: RowWriter,
    /// `None` if answers are no rows.
    layout: Option<LookupLayout>,
}

type LookupLayout = RowLayout<for<'r> fn(&'r LookupRow<'_>) -> Value<'r>>;

impl Answers {
    fn open(
        catalogue: &'static Catalogue,
        args: &LookupArgs,
        inputs: &Inputs,
    ) -> Result<Self, Interruption> {
        let format = args.format()?;
        let of_rows = match format {
            // Objects say more than rows.
            LookupFormat::Other(_) | LookupFormat::Rows(Format::Jsonl) => {
                let writer = RowWriter::open_for_text(args.rows.output(), inputs)?;
                return Ok(Self { catalogue, format, writer, layout: None });
            }
            LookupFormat::Rows(of_rows) => of_rows,
        };
        let layout = RowLayout::new(of_rows, LookupRow::columns(), [catalogue]);
        let writer = args.rows.open(&layout, inputs)?;
        Ok(Self { catalogue, format, writer, layout: Some(layout) })
    }

    /// Answers a line, also one that is neither a position nor moves, so that answers match lines.
    fn answer(
        &mut self,
        input: &str,
        question: Result<&Question, &str>,
    ) -> Result<(), Interruption> {
        let Some(layout) = &self.layout else {
            let text = written(self.catalogue, self.format, input, question)?;
            return self.writer.write_text(&text);
        };
        let found = question.map(|question| lookup(self.catalogue, question));
        let answer = found.as_ref().map(|found| (self.catalogue, found)).map_err(|fault| *fault);
        self.writer.push(layout, &LookupRow { input, answer })
    }
}

/// Answers every position. A bad line is reported and skipped.
fn answer(catalogue: &'static Catalogue, args: &LookupArgs) -> Result<Outcome, Interruption> {
    let lines = args.input.lines()?;
    let mut answers = None;
    let (mut is_whole, mut room) = (true, args.rows.most());
    let outcome = lines.each(|line| {
        if room == 0 {
            return Ok(());
        }
        room -= 1;
        let question = read(&line, catalogue);
        if let (Err(fault), None) = (&question, line.number) {
            return refuse(fault.clone());
        }
        let answers = match &mut answers {
            Some(answers) => answers,
            none => none.insert(Answers::open(catalogue, args, &lines.inputs())?),
        };
        let text = line.given().unwrap_or_default().trim();
        match question {
            Ok(question) => answers.answer(text, Ok(&question))?,
            Err(fault) => {
                is_whole = false;
                complain(&format_args!("{}{fault}", line.place()));
                return answers.answer(text, Err(&fault));
            }
        }
        if answers.format == LookupFormat::Other(LookupText::Text) && line.number.is_some() {
            answers.writer.write_text("\n")?;
        }
        Ok(())
    })?;
    match answers {
        Some(answers) => answers.writer.finish()?,
        None if outcome == Outcome::Done => {
            Answers::open(catalogue, args, &lines.inputs())?.writer.finish()?;
        }
        None => {}
    }
    Ok(if is_whole { outcome } else { Outcome::Incomplete })
}

fn read(line: &Line<'_>, catalogue: &'static Catalogue) -> Result<Question, String> {
    let question = Question::read(line.given()?, &[], || Ok::<_, QuestionFault>(catalogue));
    let question = question.map_err(|fault| fault.to_string())?;
    line.note(question.notes());
    Ok(question)
}

#[derive(Serialize)]
struct FaultObject<'a> {
    input: &'a str,
    error: &'a str,
}

/// An answer as text or as an object, or what stands in its place for a bad line.
fn written(
    catalogue: &Catalogue,
    format: LookupFormat,
    input: &str,
    question: Result<&Question, &str>,
) -> Result<String, Failure> {
    use RowsFormat::{Other, Rows};
    let answer = |question| lookup(catalogue, question);
    let line = match (format, question) {
        (Other(LookupText::Text), Ok(question)) => {
            return Ok(lookup_text(catalogue, question, &answer(question)));
        }
        (Other(LookupText::Text), Err(_)) => return Ok(String::new()),
        (Other(LookupText::Epd), Ok(question)) => {
            let epd = as_epd(question, &answer(question))?.to_string();
            // Operations may contain control characters.
            if stdout().is_terminal() { sanitize(epd.as_bytes()).into_owned() } else { epd }
        }
        (Other(LookupText::Epd), Err(_)) => sanitize(input.as_bytes()).into_owned(),
        (Rows(_), Ok(question)) => lookup_json(catalogue, input, question, &answer(question)),
        (Rows(_), Err(error)) => to_json(&FaultObject { input, error }),
    };
    Ok(line + "\n")
}

/// The position with its name as EPD. Other operations of the line are kept.
fn as_epd(question: &Question, answer: &Lookup<'_>) -> Result<Epd, Failure> {
    let given = question.epd().filter(|_| question.moves().is_empty()).cloned();
    let mut epd = given.map_or_else(|| answer.key.to_string().parse(), Ok)?;
    if let Some(named) = answer.named {
        epd.name(named.opening().operations());
    }
    Ok(epd)
}
