//! The repertoire that a command is about: which one its words name, its book, and the catalogue
//! that names its openings.

use std::path::{Path, PathBuf};

use clap::Args;
use eco::classify::{Question, QuestionFault};
use eco::repertoire::{Book, BookRule, NodeId};
use eco::store::{Database, RepertoireInfo};
use eco::{catalogue::Catalogue, chess::PositionKey, output::sanitize};

use super::args::{BookArgs, BreadthArgs, OneRepertoireArgs};
use crate::cli::args::NamingArgs;
use crate::cli::outcome::{Failure, complain};
use crate::cli::{args, completion, games};

/// A repertoire with its book in memory.
pub(super) struct OpenRepertoire {
    pub(super) database: Database,
    pub(super) info: RepertoireInfo,
    pub(super) book: Book,
    /// The catalogue that names its openings.
    pub(super) catalogue: &'static Catalogue,
}

impl OpenRepertoire {
    /// For a command that has nothing to say of an empty book.
    pub(super) fn open_with_moves(
        BookArgs { repertoire, breadth }: &BookArgs,
    ) -> Result<Self, Failure> {
        let (database, info) = repertoire.find()?;
        let rule = breadth.rule(info.rule);
        let naming = &repertoire.database.naming;
        let opened = Self::by_rule(database, info, rule, breadth, naming)?;
        match opened.book.ids().any(|id| !opened.book.moves(id).is_empty()) {
            true => Ok(opened),
            false => Err(Failure(without_moves(&opened.info.name, "no move in its book"))),
        }
    }

    /// For a command whose inputs follow the name; with those inputs.
    pub(super) fn open_with_inputs(
        BookArgs { repertoire, breadth }: &BookArgs,
        input: &args::InputArgs,
        command: &str,
    ) -> Result<(Self, Vec<PathBuf>), Failure> {
        let mut given = input.inputs.clone();
        let database = Database::open(&repertoire.database.db)?;
        let info = named_or_only(&database, repertoire.name.as_deref(), &mut given)?;
        let rule = breadth.rule(info.rule);
        let opened = Self::by_rule(database, info, rule, breadth, &repertoire.database.naming)?;
        Ok((opened, games::inputs_or(&given, &repertoire.database.db, command)?))
    }

    /// With the book that a rule makes, which a breadth may have changed.
    pub(super) fn by_rule(
        database: Database,
        info: RepertoireInfo,
        rule: BookRule,
        breadth: &BreadthArgs,
        naming: &NamingArgs,
    ) -> Result<Self, Failure> {
        let book = database.book_by(&info.name, rule)?;
        breadth.check_effect(&book);
        Self::with_book(database, info, book, naming)
    }

    pub(super) fn with_book(
        database: Database,
        info: RepertoireInfo,
        book: Book,
        naming: &NamingArgs,
    ) -> Result<Self, Failure> {
        let catalogue = naming.catalogue()?;
        Ok(Self { database, info, book, catalogue })
    }

    /// A position of the book.
    pub(super) fn find(&self, key: &PositionKey) -> Result<NodeId, Failure> {
        let name = sanitize(self.info.name.as_bytes());
        let missing = || Failure(format!("{name} does not have this position: {key}"));
        self.book.find(key).ok_or_else(missing)
    }
}

/// Why there is nothing to say of a repertoire, and how it gets moves.
pub(super) fn without_moves(name: &str, what: &str) -> String {
    let name = sanitize(name.as_bytes());
    format!(
        "{name} has {what}: `eco repertoire add {name} NOTES.pgn` prepares lines, \
         `eco repertoire build {name} GAMES.pgn` counts games"
    )
}

impl OneRepertoireArgs {
    /// The repertoire that is named, or the only one.
    pub(super) fn find(&self) -> Result<(Database, RepertoireInfo), Failure> {
        let database = Database::open(&self.database.db)?;
        let mut inputs = Vec::new();
        let info = named_or_only(&database, self.name.as_deref(), &mut inputs)?;
        match inputs.pop() {
            Some(name) => Err(Failure(format!("there is no repertoire {:?}", name.display()))),
            None => Ok((database, info)),
        }
    }
}

/// A repertoire, optional if the database has only one, and a position.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// The repertoire, and a position: FEN, moves, a code or a name [default: the initial one]
    #[arg(value_name = "NAME] [POSITION", add = completion::repertoires())]
    words: Vec<String>,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,
}

impl PositionArgs {
    /// The repertoire, and the position if the words have one.
    pub(super) fn find(&self) -> Result<(Database, RepertoireInfo, Option<PositionKey>), Failure> {
        let database = Database::open(&self.database.db)?;
        let (info, words) = named_first(&database, &self.words)?;
        let key = match words {
            [] => None,
            words => {
                let question = words.join(" ").parse::<Question>();
                let unread = |fault| unread(&database, &self.words, words, &fault);
                let question = question.map_err(unread)?;
                question.notes().iter().for_each(|note| complain(note));
                Some(question.key())
            }
        };
        Ok((database, info, key))
    }
}

/// The fault of words that are no position. The first of them may have been meant as a name.
fn unread(
    database: &Database,
    given: &[String],
    words: &[String],
    fault: &QuestionFault,
) -> Failure {
    let first = given.first().filter(|_| given.len() == words.len());
    match first.map(|first| database.repertoire(first)) {
        Some(Err(no_name)) => Failure(format!("{fault}; and {no_name}")),
        Some(Ok(_)) | None => Failure(fault.to_string()),
    }
}

/// The repertoire that the first word names, and the other words. If it names none and there is
/// only one repertoire, that one, and all words.
fn named_first<'w>(
    database: &Database,
    words: &'w [String],
) -> Result<(RepertoireInfo, &'w [String]), Failure> {
    let all = database.repertoires()?;
    if let [first, rest @ ..] = words
        && let Some(info) = all.iter().find(|info| info.name == *first)
    {
        return Ok((info.clone(), rest));
    }
    match (only(all), words.first()) {
        (Ok(info), _) => Ok((info, words)),
        (Err(_), Some(first)) => Ok((database.repertoire(first)?, words)),
        (Err(failure), None) => Err(failure),
    }
}

/// The repertoire of that name, or the only one.
///
/// The name may have been meant as the first input, since it can be left out: it is one if there is
/// no repertoire of that name, only one repertoire, and such a file.
fn named_or_only(
    database: &Database,
    name: Option<&str>,
    inputs: &mut Vec<PathBuf>,
) -> Result<RepertoireInfo, Failure> {
    let all = database.repertoires()?;
    let Some(name) = name else { return only(all) };
    if let Some(info) = all.iter().find(|info| info.name == name) {
        return Ok(info.clone());
    }
    if name != "-" && !Path::new(name).exists() {
        return Ok(database.repertoire(name)?);
    }
    let info = only(all)?;
    inputs.insert(0, name.into());
    Ok(info)
}

fn only(mut all: Vec<RepertoireInfo>) -> Result<RepertoireInfo, Failure> {
    if let [_] = all[..] {
        return Ok(all.remove(0));
    }
    let names: Vec<&str> = all.iter().map(|info| info.name.as_str()).collect();
    let hint = if names.is_empty() { "there is none" } else { "there is " };
    Err(Failure(format!("name a repertoire; {hint}{}", names.join(", "))))
}
