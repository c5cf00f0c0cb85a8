//! What can be wrong with a position database, and what to do about it.

use crate::named::named;
use std::fmt::{self, Display};
use std::{error::Error, io, ops::RangeInclusive};

use rusqlite::{ErrorCode, ffi};

/// The error of SQLite or of the operating system.
type Source = Box<dyn Error + Send + Sync>;

/// A position database could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such file, or it may not be looked at.
    #[error("{name}: {source}")]
    Inaccessible {
        /// The file.
        name: String,
        /// The cause.
        source: Source,
    },
    /// It is a file, but not a position database.
    #[error("{name}: not a position database of eco")]
    NotPositionDatabase {
        /// The file.
        name: String,
    },
    /// It says that it is a position database, but has other tables, indexes, views or triggers
    /// than those that eco makes.
    #[error("{name}: not a position database as eco makes it: {what}")]
    ForeignSchema {
        /// The file.
        name: String,
        /// The first difference.
        what: String,
    },
    /// Another release of eco wrote it.
    #[error("{name}: schema {found}, and this release of eco reads schema {known}")]
    OtherSchema {
        /// The file.
        name: String,
        /// Its version.
        found: i32,
        /// The version that is read.
        known: i32,
    },
    /// Another program holds a lock on it.
    #[error("{name}: in use by another program; try again when that is done")]
    Busy {
        /// The file.
        name: String,
    },
    /// Another program has changed what is being read.
    #[error("{name}: another program changed it while it was read; run this again")]
    Changed {
        /// The file.
        name: String,
    },
    /// Nobody waits for the answer any more.
    #[error("{name}: the question was cancelled")]
    Cancelled {
        /// The file.
        name: String,
    },
    /// Its contents are inconsistent, or SQLite cannot read them.
    #[error("{name}: damaged ({what}); put back a copy, or make it anew")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong.
        what: String,
        /// The error of SQLite, if it found the damage.
        source: Option<Source>,
    },
    /// Games are not as they were stored. Others can be read.
    #[error("{name}: {games}")]
    DamagedGames {
        /// The file.
        name: String,
        /// Which.
        games: Box<DamagedGames>,
    },
    /// It has nothing of that kind and name.
    #[error("{name}: no {kind} '{sought}'; {}", there_is(known))]
    NoSuch {
        /// The file.
        name: String,
        /// What was asked for.
        kind: Kind,
        /// The name that was asked for.
        sought: String,
        /// The names that there are.
        known: String,
    },
    /// A master, collection or repertoire is not what it should be for this.
    #[error("{name}: {kind} '{which}' {what}")]
    Unfit {
        /// The file.
        name: String,
        /// What it is one of.
        kind: Kind,
        /// Its name.
        which: String,
        /// What it is.
        what: String,
    },
    /// The games to be added could not be read.
    #[error("the games cannot be read: {source}")]
    Input {
        /// The cause.
        source: Source,
    },
    /// The file could not be made.
    #[error("{name}: cannot be written: {source}")]
    CannotWrite {
        /// The file.
        name: String,
        /// The cause.
        source: Source,
    },
}

/// Games of a collection or of a repertoire that are damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DamagedGames {
    /// Whether they are of a collection or of a repertoire.
    pub kind: Kind,
    /// The name of that.
    pub which: String,
    /// Their numbers, from 1, in the order in which games are stored.
    pub games: RangeInclusive<u64>,
    /// The number of their segment and the numbers of all its games; `None` if the list of segments
    /// is damaged.
    pub segment: Option<(i64, RangeInclusive<u64>)>,
    /// What is damaged of the segment.
    pub what: String,
}

impl Display for DamagedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, which, games, segment, what } = self;
        let Some((segment, _)) = segment else {
            return write!(f, "{kind} {which}: the list of its games is damaged");
        };
        let (first, last) = (games.start(), games.end());
        match first == last {
            true => write!(f, "{kind} {which}: game {first} is damaged")?,
            false => write!(f, "{kind} {which}: games {first} to {last} are damaged")?,
        }
        write!(f, " (segment {segment}, {what})")
    }
}

named! {
    /// A kind of what a position database keeps under a name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        /// Openings of one source.
        Master = "master",
        /// Games.
        Collection = "collection",
        /// What is prepared for one colour, and games.
        Repertoire = "repertoire",
    }
}

impl Kind {
    /// The rows that are listed, and their order. The games of a repertoire are a collection that
    /// is not; nor is a repertoire that was removed last.
    pub(super) fn rows(self) -> (&'static str, &'static str) {
        match self {
            Self::Master => ("master", "precedence"),
            Self::Collection => {
                ("(SELECT id, name FROM collection WHERE repertoire_id IS NULL)", "name")
            }
            Self::Repertoire => ("(SELECT id, name FROM repertoire WHERE is_removed = 0)", "name"),
        }
    }
}

fn there_is(known: &str) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("there is {known}") }
}

impl StoreError {
    fn new(name: &str, error: rusqlite::Error) -> Self {
        let name = name.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotPositionDatabase { name },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { name },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::CannotWrite { name, source: error.into() }
            }
            Some(ErrorCode::DiskFull) => {
                let source = io::Error::from(io::ErrorKind::StorageFull).into();
                Self::CannotWrite { name, source }
            }
            Some(ErrorCode::SystemIoFailure)
                if extended_code(&error) != Some(ffi::SQLITE_IOERR_SHORT_READ) =>
            {
                // Otherwise the file ends within a page.
                Self::io_failure(name, error)
            }
            Some(ErrorCode::OperationInterrupted) => {
                let what = "reading it takes longer than its size allows".to_owned();
                Self::Damaged { name, what, source: Some(error.into()) }
            }
            // Corrupt or missing pages, missing tables, values of the wrong type or that cannot be
            // read. SQL may be long: one line of it.
            _ => {
                let text = match &error {
                    rusqlite::Error::FromSqlConversionFailure(.., fault) => fault.to_string(),
                    _ => error.to_string(),
                };
                let what = text.lines().next().unwrap_or_default().to_owned();
                Self::Damaged { name, what, source: Some(error.into()) }
            }
        }
    }

    /// The disk or the system refused; the file may be sound.
    fn io_failure(name: String, error: rusqlite::Error) -> Self {
        if extended_code(&error) == Some(ffi::SQLITE_IOERR_READ) {
            return Self::Inaccessible { name, source: error.into() };
        }
        // SQLite does not pass on why, such as a limit of the size of files.
        let cause = io::Error::last_os_error();
        let source = match cause.kind() {
            io::ErrorKind::FileTooLarge | io::ErrorKind::QuotaExceeded => cause.into(),
            _ => error.into(),
        };
        Self::CannotWrite { name, source }
    }

    /// The file has an impossible value.
    pub(super) fn damaged(name: &str, what: &dyn Display) -> Self {
        Self::Damaged { name: name.to_owned(), what: what.to_string(), source: None }
    }
}

fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// Names the file in an error of SQLite.
pub(super) trait InFile<T> {
    fn in_file(self, name: &str) -> Result<T, StoreError>;
}

impl<T> InFile<T> for rusqlite::Result<T> {
    fn in_file(self, name: &str) -> Result<T, StoreError> {
        self.map_err(|error| StoreError::new(name, error))
    }
}
