//! What a position database keeps under names: masters, collections and repertoires. All three are
//! listed, renamed and removed alike.

use std::path::Path;

use rusqlite::params;

use super::{Database, InFile, Kind, StoreError, rows::forget_unnamed_positions};
use crate::select::{NearestNames, Player};

impl Database {
    /// The names of a kind: masters in order of precedence, others in that of their names.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn names(&self, kind: Kind) -> Result<Vec<String>, StoreError> {
        let (rows, order) = kind.rows();
        self.rows(&format!("SELECT name FROM {rows} ORDER BY {order}"), [], |row| row.get(0))
    }

    /// Gives another name to a master, a collection or a repertoire. `at` is when, in seconds since
    /// the beginning of 1970, UTC.
    ///
    /// # Errors
    ///
    /// If the file has none of the old name, or one of the new name, or cannot be written. It is
    /// then what it was.
    pub fn rename(
        path: &Path,
        kind: Kind,
        name: &str,
        new: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        Self::change(path, |database| {
            let id = database.id_of(kind, name)?;
            if database.find_id(kind, new)?.is_some() {
                return Err(database.unfit(kind, new, "is there already".to_owned()));
            }
            if kind == Kind::Repertoire {
                return database.rename_repertoire(name, new, at);
            }
            let sql = format!("UPDATE {kind} SET name = ?2 WHERE id = ?1");
            database.connection.execute(&sql, params![id, new]).in_file(&database.name)?;
            if kind == Kind::Collection {
                database.seal(id)?;
            }
            database.keep_after(&[kind])
        })
    }

    /// Removes masters, collections and repertoires, with their openings and games: all of them, or
    /// none. Repertoires can be brought back by [undo](Self::undo) until others are removed. `at`
    /// is when, in seconds since the beginning of 1970, UTC.
    ///
    /// # Errors
    ///
    /// If the file has none of such a name, or cannot be written. It is then what it was.
    pub fn remove(path: &Path, named: &[(Kind, String)], at: i64) -> Result<(), StoreError> {
        Self::change(path, |database| {
            let (repertoires, others): (Vec<_>, Vec<_>) =
                named.iter().partition(|(kind, _)| *kind == Kind::Repertoire);
            let names: Vec<&str> = repertoires.iter().map(|(_, name)| name.as_str()).collect();
            if !names.is_empty() {
                database.remove_repertoires(&names, at)?;
            }
            for (kind, name) in others {
                let id = database.id_of(*kind, name)?;
                let sql = format!("DELETE FROM {kind} WHERE id = ?1");
                database.connection.execute(&sql, [id]).in_file(&database.name)?;
            }
            let kinds: Vec<Kind> = named.iter().map(|(kind, _)| *kind).collect();
            database.keep_after(&kinds)
        })
    }

    /// Changes an existing file in one transaction.
    pub(super) fn change<T>(
        path: &Path,
        change: impl FnOnce(&Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let changed = change(&database)?;
        database.commit()?;
        Ok(changed)
    }

    /// Keeps the catalogue again after a change of these kinds.
    fn keep_after(&self, changed: &[Kind]) -> Result<(), StoreError> {
        if !changed.contains(&Kind::Master) {
            return Ok(());
        }
        forget_unnamed_positions(&self.connection).in_file(&self.name)?;
        self.keep_catalogue()
    }

    fn find_id(&self, kind: Kind, name: &str) -> Result<Option<i64>, StoreError> {
        let sql = format!("SELECT id FROM {} AS named WHERE name = ?1", kind.rows().0);
        Ok(self.rows(&sql, [name], |row| row.get(0))?.pop())
    }

    pub(super) fn id_of(&self, kind: Kind, name: &str) -> Result<i64, StoreError> {
        self.find_id(kind, name)?.ok_or_else(|| self.no_such(kind, name))
    }

    /// There is none of this name.
    pub(super) fn no_such(&self, kind: Kind, sought: &str) -> StoreError {
        StoreError::NoSuch {
            name: self.name.clone(),
            kind,
            sought: sought.to_owned(),
            known: nearest_first(sought, self.names(kind).unwrap_or_default()),
        }
    }

    /// What is there is not as it should be.
    pub(super) fn unfit(&self, kind: Kind, which: &str, what: String) -> StoreError {
        let (name, which) = (self.name.clone(), which.to_owned());
        StoreError::Unfit { name, kind, which, what }
    }
}

/// The number of names that are listed for one that is wrong.
const LISTED: usize = 8;

/// Names, those nearest to another one first.
fn nearest_first(sought: &str, mut names: Vec<String>) -> String {
    let mut nearest = NearestNames::new(Player::new(sought));
    nearest.add(&names);
    let nearest = nearest.unknown(sought).nearest;
    let place = |name: &String| nearest.iter().position(|near| near == name);
    names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let text = names.join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}
