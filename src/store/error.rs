//! What can be wrong with a position database, and what to do about it.

use std::io;

use rusqlite::ErrorCode;

/// A position database could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file, or it may not be looked at.
    #[error("{name}: {error}")]
    Inaccessible {
        /// The file.
        name: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// It is a file, but no position database.
    #[error("{name}: not a position database of eco; `eco ingest --db NEW.db` makes one")]
    NotPositionDatabase {
        /// The file.
        name: String,
    },
    /// A newer release wrote it.
    #[error(
        "{name}: schema version {found}, but this release knows only up to {known}; \
         use a newer release of eco"
    )]
    NewerSchema {
        /// The file.
        name: String,
        /// Its version.
        found: i32,
        /// The newest version that is known.
        known: i32,
    },
    /// Another program holds a lock on it.
    #[error("{name}: in use by another program; try again when that is done")]
    Busy {
        /// The file.
        name: String,
    },
    /// What it says is not so, or SQLite cannot make sense of it.
    #[error("{name}: damaged ({what}); put back a copy, or ingest into a new file")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// It has a master of that name.
    #[error("{name}: has a master {master:?} already, {}; nothing was written{}", same(*is_same),
        if *is_same { "" } else { " (choose another name with --name)" })]
    MasterExists {
        /// The file.
        name: String,
        /// The name of the master.
        master: String,
        /// Whether it was read from the same bytes.
        is_same: bool,
    },
    /// It has no master of that name.
    #[error("{name}: no master {master:?}; there is {known}")]
    NoSuchMaster {
        /// The file.
        name: String,
        /// The name that was asked for.
        master: String,
        /// The names that there are.
        known: String,
    },
    /// It has no repertoire of that name.
    #[error("{name}: no repertoire {repertoire:?}; {}", there_is(known))]
    NoSuchRepertoire {
        /// The file.
        name: String,
        /// The name that was asked for.
        repertoire: String,
        /// The names that there are.
        known: String,
    },
    /// A repertoire is not what it should be for this.
    #[error("{name}: repertoire {repertoire:?} {what}")]
    RepertoireMismatch {
        /// The file.
        name: String,
        /// The repertoire.
        repertoire: String,
        /// What it is.
        what: String,
    },
    /// The file could not be made.
    #[error("{name}: cannot be written: {error}")]
    CannotWrite {
        /// The file.
        name: String,
        /// What the operating system says.
        error: io::Error,
    },
}

fn same(is_same: bool) -> &'static str {
    if is_same { "made from the same file" } else { "made from another file" }
}

fn there_is(known: &str) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("there is {known}") }
}

impl StoreError {
    pub(super) fn new(name: &str, error: rusqlite::Error) -> Self {
        let name = name.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotPositionDatabase { name },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { name },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::CannotWrite { name, error: io::Error::other(error) }
            }
            Some(ErrorCode::DiskFull) => {
                Self::CannotWrite { name, error: io::Error::from(io::ErrorKind::StorageFull) }
            }
            // Corrupt pages, missing tables, values of the wrong kind. SQL may be long: one line of it.
            _ => {
                let what = error.to_string();
                Self::Damaged { name, what: what.lines().next().unwrap_or_default().to_owned() }
            }
        }
    }
}
