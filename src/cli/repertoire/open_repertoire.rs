//! The repertoire that a command is about: which one its words name, its book, and the catalogue
//! that names its openings.

use std::path::{Path, PathBuf};

use clap::Args;
use eco::repertoire::{Book, NodeId};
use eco::store::{Database, RepertoireInfo};
use eco::{catalogue::Catalogue, chess::PositionKey, classify::Question, output::sanitize};

use super::args::{BookArgs, OneRepertoireArgs};
use crate::cli::args::Readers;
use crate::cli::outcome::{Failure, refuse};
use crate::cli::{args, completion, games, position};

/// A repertoire with its book in memory.
pub(in crate::cli) struct OpenRepertoire {
    pub(in crate::cli) database: Database,
    pub(in crate::cli) info: RepertoireInfo,
    pub(in crate::cli) book: Book,
    /// The catalogue that names its openings.
    pub(in crate::cli) catalogue: &'static Catalogue,
}

impl OpenRepertoire {
    /// For a command that has nothing to say of an empty book.
    pub(super) fn open_with_moves(args: &BookArgs, readers: Readers) -> Result<Vec<Self>, Failure> {
        let OneRepertoireArgs { name, database } = &args.repertoire;
        Self::named_or_each(database, name.as_deref(), &args.breadth, readers)
    }

    /// The repertoire of this name, or the only one, or that of each colour.
    pub(in crate::cli) fn infos(
        args: &args::DatabaseArgs,
        name: Option<&str>,
    ) -> Result<Vec<RepertoireInfo>, Failure> {
        Ok(named_or_each(&Database::open(&args.db)?, name, |_| false)?.0)
    }

    /// That of this name, or the only one, or that of each colour, for a command that has nothing
    /// to say of an empty book.
    pub(in crate::cli) fn named_or_each(
        args: &args::DatabaseArgs,
        name: Option<&str>,
        breadth: &args::BreadthArgs,
        readers: Readers,
    ) -> Result<Vec<Self>, Failure> {
        let all = Self::open_all(args, Self::infos(args, name)?, breadth, readers)?;
        let has_moves = |book: &Book| book.ids().any(|id| !book.moves(id).is_empty());
        match all.iter().find(|opened| !has_moves(&opened.book)) {
            Some(empty) => refuse(without_moves(&empty.info.name, "no move in its book")),
            None => Ok(all),
        }
    }

    /// For a command whose inputs follow the name; with those inputs.
    pub(super) fn open_with_inputs(
        args: &BookArgs,
        input: &args::InputArgs,
        command: &str,
        readers: Readers,
    ) -> Result<(Vec<Self>, Vec<PathBuf>), Failure> {
        let (db, name) = (&args.repertoire.database.db, args.repertoire.name.as_deref());
        // The name may have been meant as the first input, since it can be left out.
        let is_input = |name: &str| name == "-" || Path::new(name).exists();
        let (infos, is_named) = named_or_each(&Database::open(db)?, name, is_input)?;
        let first = name.filter(|_| !is_named).map(PathBuf::from);
        let inputs: Vec<PathBuf> = first.into_iter().chain(input.inputs.clone()).collect();
        let opened = Self::open_all(&args.repertoire.database, infos, &args.breadth, readers)?;
        Ok((opened, games::inputs_or(&inputs, db, command)?))
    }

    fn open_all(
        args: &args::DatabaseArgs,
        infos: Vec<RepertoireInfo>,
        breadth: &args::BreadthArgs,
        readers: Readers,
    ) -> Result<Vec<Self>, Failure> {
        let catalogue = args.naming.catalogue_for(readers)?;
        let open = |info| Self::open(Database::open(&args.db)?, info, breadth, catalogue);
        infos.into_iter().map(open).collect()
    }

    /// With a book of this breadth.
    pub(super) fn open(
        database: Database,
        info: RepertoireInfo,
        breadth: &args::BreadthArgs,
        catalogue: &'static Catalogue,
    ) -> Result<Self, Failure> {
        let book = database.book_by(&info.name, breadth.rule(info.rule))?;
        breadth.check_effect(&book);
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
        let info = only(OpenRepertoire::infos(&self.database, self.name.as_deref())?)?;
        Ok((Database::open(&self.database.db)?, info))
    }
}

/// A repertoire, optional as in [`OneRepertoireArgs`], and a position.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// The repertoire, and a position: FEN, moves, an address, a code or a name [default: the
    /// initial position]
    #[arg(value_name = "NAME] [POSITION", add = completion::repertoires())]
    words: Vec<String>,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,
}

impl PositionArgs {
    pub(super) fn open(&self) -> Result<Database, Failure> {
        Ok(Database::open(&self.database.db)?)
    }

    /// The repertoire, or that of each colour, and the position if the words have one.
    pub(super) fn find(&self) -> Result<(Vec<RepertoireInfo>, Option<PositionKey>), Failure> {
        let database = self.open()?;
        let first = self.words.first().map(String::as_str);
        let named = named_or_each(&database, first, |_| true);
        let (infos, is_named) = named.or_else(|failure| match first {
            Some(first) => Ok((vec![database.repertoire(first)?], true)),
            None => Err(failure),
        })?;
        let question = self.question(&database, usize::from(is_named))?;
        Ok((infos, question.map(|question| question.key())))
    }

    /// The repertoire that is named, or else, with a position, every one that may have it; without
    /// one, as [`find`](Self::find).
    pub(super) fn find_any(&self) -> Result<(Vec<RepertoireInfo>, Option<Question>), Failure> {
        let database = self.open()?;
        let mut all = database.repertoires()?;
        let Some(first) = self.words.first() else { return Ok((each_color(all)?, None)) };
        let is_named = all.iter().any(|info| info.name == *first);
        if is_named {
            all.retain(|info| info.name == *first);
        } else {
            all.sort_by_key(|info| !info.color.is_white());
        }
        let question = self.question(&database, usize::from(is_named))?;
        Ok((all, question))
    }

    /// The position of the words after those that are the name.
    fn question(&self, database: &Database, names: usize) -> Result<Option<Question>, Failure> {
        let (words, first) = (&self.words[names..], self.words.first());
        if words.is_empty() {
            return Ok(None);
        }
        let catalogue = || self.database.naming.catalogue();
        // The first of them may have been meant as a name.
        let no_name = || first.and_then(|first| database.repertoire(first).err());
        let question = Question::read(&words.join(" "), &[], catalogue);
        let question = question.map_err(|Failure(fault)| match no_name() {
            Some(no_name) => Failure(format!("{fault}; and {no_name}")),
            None => Failure(fault),
        })?;
        if let (Some(correction), Some(no_name)) = (question.correction(), no_name()) {
            return refuse(format!("{no_name}; and {correction}"));
        }
        position::say_notes(&question);
        Ok(Some(question))
    }
}

/// The repertoire that a word names, or else the only one, or that of each colour; and whether the
/// word names it. A word that names none may be something else.
fn named_or_each(
    database: &Database,
    word: Option<&str>,
    may_be_other: impl Fn(&str) -> bool,
) -> Result<(Vec<RepertoireInfo>, bool), Failure> {
    let all = database.repertoires()?;
    let Some(word) = word else { return Ok((each_color(all)?, false)) };
    match all.iter().find(|info| info.name == word) {
        Some(info) => Ok((vec![info.clone()], true)),
        None if may_be_other(word) => Ok((each_color(all)?, false)),
        None => Ok((vec![database.repertoire(word)?], true)),
    }
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
    refuse(format!("name a repertoire; {hint}{}", names.join(", ")))
}
