//! A repertoire in memory: its book, and the catalogue that names its openings.

use eco::{
    catalogue::Catalogue,
    repertoire::Book,
    store::{Database, RepertoireInfo},
};

use super::args::NamedRepertoireArgs;
use crate::cli::{masters::own_catalogue, outcome::Failure};

/// A repertoire in memory.
pub(super) struct OpenRepertoire {
    pub(super) info: RepertoireInfo,
    pub(super) book: Book,
    /// The catalogue of the database, if it has one.
    stored: Option<Catalogue>,
}

impl OpenRepertoire {
    pub(super) fn open(args: &NamedRepertoireArgs) -> Result<Self, Failure> {
        let database = Database::open(&args.database.db)?;
        let info = database.repertoire(&args.name)?;
        let book = database.book_by(&info.name, info.rule)?;
        Ok(Self { info, book, stored: own_catalogue(&database)? })
    }

    /// The catalogue that names openings.
    pub(super) fn catalogue(&self) -> &Catalogue {
        self.stored.as_ref().unwrap_or_else(|| Catalogue::builtin())
    }
}
