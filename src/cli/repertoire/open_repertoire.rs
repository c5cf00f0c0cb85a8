//! The repertoire that a command is about: which one its words name, its book, and the catalogue
//! that names its openings.

use std::path::{Path, PathBuf};

use clap::Args;
use eco::classify::{Question, QuestionFault};
use eco::repertoire::{Book, NodeId};
use eco::store::{Database, RepertoireInfo};
use eco::{catalogue::Catalogue, chess::PositionKey, output::sanitize};

use super::args::{BookArgs, OneRepertoireArgs};
use crate::cli::outcome::Failure;
use crate::cli::{args, completion, games, masters};

/// A repertoire with its book in memory.
pub(super) struct OpenRepertoire {
    pub(super) database: Database,
    pub(super) info: RepertoireInfo,
    pub(super) book: Book,
    /// The catalogue of the database, if it has one.
    pub(super) catalogue: &'static Catalogue,
}

impl OpenRepertoire {
    /// For a command that has nothing to say of an empty book.
    pub(super) fn open_with_moves(args: &BookArgs) -> Result<Vec<Self>, Failure> {
        let all = Self::open_all(args, args.repertoire.find_all()?)?;
        let has_moves = |book: &Book| book.ids().any(|id| !book.moves(id).is_empty());
        match all.iter().find(|opened| !has_moves(&opened.book)) {
            Some(empty) => Err(Failure(without_moves(&empty.info.name, "no move in its book"))),
            None => Ok(all),
        }
    }

    /// For a command whose inputs follow the name; with those inputs.
    pub(super) fn open_with_inputs(
        args: &BookArgs,
        input: &args::InputArgs,
        command: &str,
    ) -> Result<(Vec<Self>, Vec<PathBuf>), Failure> {
        let mut given = input.inputs.clone();
        let database = Database::open(&args.repertoire.database.db)?;
        let infos = named_or_each(&database, args.repertoire.name.as_deref(), &mut given)?;
        Ok((Self::open_all(args, infos)?, games::inputs(&given, command)?))
    }

    fn open_all(args: &BookArgs, infos: Vec<RepertoireInfo>) -> Result<Vec<Self>, Failure> {
        let path = &args.repertoire.database.db;
        let open = |info| Self::open(Database::open(path)?, info, &args.breadth);
        infos.into_iter().map(open).collect()
    }

    /// With a book of this breadth.
    pub(super) fn open(
        database: Database,
        info: RepertoireInfo,
        breadth: &args::BreadthArgs,
    ) -> Result<Self, Failure> {
        let book = database.book_by(&info.name, breadth.rule(info.rule))?;
        breadth.check_effect(&book);
        Self::with_book(database, info, book)
    }

    pub(super) fn with_book(
        database: Database,
        info: RepertoireInfo,
        book: Book,
    ) -> Result<Self, Failure> {
        let catalogue = masters::catalogue_in(&database)?;
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
        Ok((Database::open(&self.database.db)?, only(self.find_all()?)?))
    }

    /// The repertoire that is named, or the only one, or that of each colour.
    fn find_all(&self) -> Result<Vec<RepertoireInfo>, Failure> {
        let mut inputs = Vec::new();
        let database = Database::open(&self.database.db)?;
        let infos = named_or_each(&database, self.name.as_deref(), &mut inputs)?;
        match inputs.pop() {
            Some(name) => Err(Failure(format!("there is no repertoire {:?}", name.display()))),
            None => Ok(infos),
        }
    }
}

/// A repertoire, optional as in [`OneRepertoireArgs`], and a position.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// The repertoire, and a position: FEN, or moves from the initial position [default: that one]
    #[arg(value_name = "NAME] [FEN|MOVES", add = completion::repertoires())]
    words: Vec<String>,

    #[command(flatten)]
    database: args::DatabaseArgs,
}

impl PositionArgs {
    pub(super) fn open(&self) -> Result<Database, Failure> {
        Ok(Database::open(&self.database.db)?)
    }

    /// The repertoire, or that of each colour, and the position if the words have one.
    pub(super) fn find(&self) -> Result<(Vec<RepertoireInfo>, Option<PositionKey>), Failure> {
        let database = self.open()?;
        let (infos, words) = named_first(&database, &self.words)?;
        let key = match words {
            [] => None,
            words => {
                let question = words.join(" ").parse::<Question>();
                let unread = |fault| unread(&database, &self.words, words, &fault);
                Some(question.map_err(unread)?.key())
            }
        };
        Ok((infos, key))
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

/// The repertoire that the first word names, and the other words. If it names none, the only
/// repertoire or that of each colour, and all words.
fn named_first<'w>(
    database: &Database,
    words: &'w [String],
) -> Result<(Vec<RepertoireInfo>, &'w [String]), Failure> {
    let all = database.repertoires()?;
    if let [first, rest @ ..] = words
        && let Some(info) = all.iter().find(|info| info.name == *first)
    {
        return Ok((vec![info.clone()], rest));
    }
    match (each_color(all), words.first()) {
        (Ok(infos), _) => Ok((infos, words)),
        (Err(_), Some(first)) => Ok((vec![database.repertoire(first)?], words)),
        (Err(failure), None) => Err(failure),
    }
}

/// The repertoire of that name, or the only one, or that of each colour.
///
/// The name may have been meant as the first input, since it can be left out: it is one if there is
/// no repertoire of that name, and such a file.
fn named_or_each(
    database: &Database,
    name: Option<&str>,
    inputs: &mut Vec<PathBuf>,
) -> Result<Vec<RepertoireInfo>, Failure> {
    let all = database.repertoires()?;
    let Some(name) = name else { return each_color(all) };
    if let Some(info) = all.iter().find(|info| info.name == name) {
        return Ok(vec![info.clone()]);
    }
    if name != "-" && !Path::new(name).exists() {
        return Ok(vec![database.repertoire(name)?]);
    }
    inputs.insert(0, name.into());
    each_color(all)
}

/// The only repertoire, or that of each colour, White's first.
fn each_color(mut all: Vec<RepertoireInfo>) -> Result<Vec<RepertoireInfo>, Failure> {
    all.sort_by_key(|info| !info.color.is_white());
    match &all[..] {
        [_] => Ok(all),
        [white, black] if white.color != black.color => Ok(all),
        _ => Ok(vec![only(all)?]),
    }
}

pub(super) fn only(mut all: Vec<RepertoireInfo>) -> Result<RepertoireInfo, Failure> {
    if let [_] = all[..] {
        return Ok(all.remove(0));
    }
    let names: Vec<&str> = all.iter().map(|info| info.name.as_str()).collect();
    let hint = if names.is_empty() { "there is none" } else { "there is " };
    Err(Failure(format!("name a repertoire; {hint}{}", names.join(", "))))
}
