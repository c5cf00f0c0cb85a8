//! A repertoire that questions are asked of: its book, and what its openings are called.

use std::path::Path;

use eco::{
    catalogue::Catalogue,
    repertoire::Book,
    store::{Database, RepertoireInfo},
};

use crate::cli::{masters::own_catalogue, outcome::Failure};

/// A repertoire in memory.
pub(super) struct OpenRepertoire {
    pub(super) info: RepertoireInfo,
    pub(super) book: Book,
    /// The catalogue of the database, if it has one.
    stored: Option<Catalogue>,
}

impl OpenRepertoire {
    pub(super) fn open(db: &Path, name: &str) -> Result<Self, Failure> {
        let database = Database::open(db)?;
        let info = database.repertoire(name)?;
        let book = database.book_by(&info.name, info.rule)?;
        Ok(Self { info, book, stored: own_catalogue(&database)? })
    }

    /// What openings are called by.
    pub(super) fn catalogue(&self) -> &Catalogue {
        self.stored.as_ref().unwrap_or_else(|| Catalogue::builtin())
    }
}
