//! A repertoire in memory: its book, and the catalogue that names its openings.

use std::path::PathBuf;

use eco::{
    catalogue::Catalogue,
    output::sanitize,
    repertoire::Book,
    store::{Database, RepertoireInfo},
};

use super::{
    args::{BreadthArgs, OneRepertoireArgs},
    resolve_name::named_or_only,
};
use crate::cli::{args::InputArgs, games::inputs, masters::own_catalogue, outcome::Failure};

/// A repertoire in memory.
pub(super) struct OpenRepertoire {
    pub(super) info: RepertoireInfo,
    pub(super) book: Book,
    /// The catalogue of the database, if it has one.
    stored: Option<Catalogue>,
}

impl OpenRepertoire {
    pub(super) fn open(args: &OneRepertoireArgs, breadth: &BreadthArgs) -> Result<Self, Failure> {
        let mut inputs = Vec::new();
        let opened = Self::open_named(args, breadth, &mut inputs)?;
        match inputs.pop() {
            Some(name) => Err(Failure(format!("there is no repertoire {:?}", name.display()))),
            None => Ok(opened),
        }
    }

    /// As [`open`](Self::open), for a command that has nothing to say of an empty book.
    pub(super) fn open_with_moves(
        args: &OneRepertoireArgs,
        breadth: &BreadthArgs,
    ) -> Result<Self, Failure> {
        let opened = Self::open(args, breadth)?;
        match opened.book.ids().any(|id| !opened.book.moves(id).is_empty()) {
            true => Ok(opened),
            false => Err(Failure(without_moves(&opened.info.name, "no move in its book"))),
        }
    }

    /// As [`open`](Self::open), for a command whose inputs follow the name; with those inputs.
    pub(super) fn open_with_inputs(
        args: &OneRepertoireArgs,
        breadth: &BreadthArgs,
        input: &InputArgs,
        command: &str,
    ) -> Result<(Self, Vec<PathBuf>), Failure> {
        let mut given = input.inputs.clone();
        let opened = Self::open_named(args, breadth, &mut given)?;
        Ok((opened, inputs(&given, command)?))
    }

    /// The name may turn out to be the first of the inputs.
    fn open_named(
        args: &OneRepertoireArgs,
        breadth: &BreadthArgs,
        inputs: &mut Vec<PathBuf>,
    ) -> Result<Self, Failure> {
        let database = Database::open(&args.database.db)?;
        let info = named_or_only(&database, args.name.as_deref(), inputs)?;
        let book = database.book_by(&info.name, breadth.rule(info.rule))?;
        breadth.check_effect(&book);
        Ok(Self { info, book, stored: own_catalogue(&database)? })
    }

    /// The catalogue that names openings.
    pub(super) fn catalogue(&self) -> &Catalogue {
        self.stored.as_ref().unwrap_or_else(|| Catalogue::builtin())
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
