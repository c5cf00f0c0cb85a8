//! What a word of `eco db` names: something that a position database keeps, or a catalogue that is
//! a file of its own.

use std::path::{Path, PathBuf};

use eco::catalogue::Catalogue;
use eco::store::{Database, Kind};

use crate::cli::masters::{BUILTIN, catalogue_of, report_first};
use crate::cli::outcome::{Failure, Outcome, refuse};
use crate::cli::replace::is_database;

/// What a word names.
pub(super) enum Named {
    /// A master, a collection or a repertoire of a database.
    Kept(PathBuf, Kind, String),
    /// All openings of a file, of a database, or the built-in ones.
    Openings(PathBuf),
}

impl Named {
    /// Reads NAME, KIND:NAME, FILE:NAME, FILE or `builtin`. Names are those of this database.
    pub(super) fn find(word: &str, db: &Path) -> Result<Self, Failure> {
        let database = db.exists().then(|| Database::open(db)).transpose()?;
        if let Some(database) = &database
            && let Some((kind, name)) = kept(database, word)?
        {
            return Ok(Self::Kept(db.to_owned(), kind, name));
        }
        if word == BUILTIN || Path::new(word).exists() {
            return Ok(Self::Openings(word.into()));
        }
        // A name may have a colon, and so may a file.
        for (at, _) in word.match_indices(':') {
            let (file, name) = (Path::new(&word[..at]), &word[at + 1..]);
            if file.is_file() && is_database(file) {
                let database = Database::open(file)?;
                let found = kept(&database, name)?.ok_or_else(|| unknown(name, &database, file));
                return found.map(|(kind, name)| Self::Kept(file.to_owned(), kind, name));
            }
        }
        Err(match database {
            Some(database) => unknown(word, &database, db),
            None => Failure(format!("'{word}': no such file, and {} is not there", db.display())),
        })
    }

    /// What is kept, for a command that changes it.
    pub(super) fn find_kept(word: &str, db: &Path) -> Result<(PathBuf, Kind, String), Failure> {
        match Self::find(word, db)? {
            Self::Kept(path, kind, name) => Ok((path, kind, name)),
            Self::Openings(_) => {
                let hint = "name a master, a collection or a repertoire of a database";
                refuse(format!("'{word}' is not kept in a database; {hint}"))
            }
        }
    }

    /// The openings of a master or a file, and whether all of them could be read; `None` for games.
    pub(super) fn catalogue(&self) -> Result<Option<(Catalogue, Outcome)>, Failure> {
        match self {
            Self::Openings(path) => catalogue_in(path).map(Some),
            Self::Kept(path, Kind::Master, name) => {
                let masters = Database::open(path)?.catalogue()?.to_masters();
                let of_name = masters.into_iter().filter(|master| master.info.name == *name);
                Ok(Some((Catalogue::from_masters(of_name).0, Outcome::Done)))
            }
            Self::Kept(..) => Ok(None),
        }
    }
}

/// The openings of a file, and whether all of them could be read.
fn catalogue_in(path: &Path) -> Result<(Catalogue, Outcome), Failure> {
    let (catalogue, faults) = catalogue_of(path)?;
    report_first(&faults, "bad line");
    Ok((catalogue, if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete }))
}

/// What a database keeps under NAME or KIND:NAME.
///
/// # Errors
///
/// If it keeps several kinds under the name.
fn kept(database: &Database, word: &str) -> Result<Option<(Kind, String)>, Failure> {
    let mut found = Vec::new();
    for &kind in Kind::ALL {
        let names = database.names(kind)?;
        let of_kind = word.split_once(':').filter(|(before, _)| *before == kind.name());
        let wanted = [Some(word), of_kind.map(|(_, name)| name)];
        let mut wanted =
            wanted.into_iter().flatten().filter(|name| names.iter().any(|n| n == name));
        found.extend(wanted.next().map(|name| (kind, name.to_owned())));
    }
    if found.len() > 1 {
        let words = found.iter().map(|(kind, name)| format!("'{kind}:{name}'"));
        let words = words.collect::<Vec<_>>().join(" or ");
        return refuse(format!("'{word}' is the name of several: choose {words}"));
    }
    Ok(found.pop())
}

/// The failure of a word that names nothing, with all that could be named.
fn unknown(word: &str, database: &Database, path: &Path) -> Failure {
    let of_kind = |kind| {
        let names = database.names(kind).unwrap_or_default().join(", ");
        if names.is_empty() { None } else { Some(format!("{kind} {names}")) }
    };
    let known: Vec<String> = Kind::ALL.iter().copied().filter_map(of_kind).collect();
    let known = if known.is_empty() { "nothing".to_owned() } else { known.join("; ") };
    Failure(format!("{}: has nothing of the name '{word}'; it has {known}", path.display()))
}
