//! Collections in a position database.
//!
//! The tables are a thin frame: a collection has segments, and a segment has blobs, which the room
//! `collection` makes and reads. A segment is never changed. A run writes new ones, which take in
//! the games of small older ones, so that there are few.

mod build;
mod checksum;
mod explorer;
mod list;
mod repair;
mod segments;
mod writing;

pub(super) use build::read_pgn;
pub use build::{CollectionBuild, CollectionReport};
pub use explorer::Explorer;
pub use list::CollectionInfo;
pub use repair::Salvage;
pub use segments::{StoredGames, UnreadGames};

use rusqlite::params;

use self::list::ListedCollection;
use super::{Database, Kind, StoreError};
use crate::select::SameGame;

/// The settings of a collection. What is not set stays as it is, or is the default for a new one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CollectionSettings {
    /// Positions are found up to this ply; 50 in a new collection. It cannot be changed later.
    pub max_ply: Option<u32>,
    /// Which games are the same; [`SameGame::Strict`] in a new collection. Games that
    /// are in the collection already stay when that changes.
    pub same_game: Option<SameGame>,
}

/// The default number of plies up to which positions are found.
const DEFAULT_MAX_PLY: u32 = 50;

impl Database {
    /// The collections of the file, by name.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn collections(&self) -> Result<Vec<CollectionInfo>, StoreError> {
        Ok(self.listed_collections()?.into_iter().map(|listed| listed.info).collect())
    }

    /// The collections of these names; without names all of them, by name.
    ///
    /// # Errors
    ///
    /// If there is none of one of the names, or they cannot be read.
    pub fn collections_of(&self, names: &[String]) -> Result<Vec<CollectionInfo>, StoreError> {
        match names {
            [] => self.collections(),
            names => names.iter().map(|name| self.collection(name)).collect(),
        }
    }

    /// The collection of this name.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub fn collection(&self, name: &str) -> Result<CollectionInfo, StoreError> {
        Ok(self.listed_collection(name)?.info)
    }

    /// The collection of this name with its segments.
    fn listed_collection(&self, name: &str) -> Result<ListedCollection, StoreError> {
        self.find_collection(name)?.ok_or_else(|| self.no_such(Kind::Collection, name))
    }

    /// The collection of this name, which is made if there is none.
    fn set_up_collection(
        &self,
        name: &str,
        settings: &CollectionSettings,
    ) -> Result<CollectionInfo, StoreError> {
        let info = match self.find_collection(name)?.map(|listed| listed.info) {
            Some(info) if settings.max_ply.is_some_and(|max_ply| max_ply != info.max_ply) => {
                let what = format!("finds positions up to ply {}", info.max_ply);
                return Err(self.unfit(Kind::Collection, &info.name, what));
            }
            Some(info) => info,
            None => {
                let sql = "INSERT INTO collection (name, max_ply) VALUES (?1, ?2)";
                self.execute(sql, params![name, settings.max_ply.unwrap_or(DEFAULT_MAX_PLY)])?;
                self.seal(self.connection.last_insert_rowid())?;
                self.collection(name)?
            }
        };
        self.set_same_game(info, settings.same_game)
    }

    /// Sets which games of a collection are the same, if that is given.
    pub(in crate::store) fn set_same_game(
        &self,
        info: CollectionInfo,
        rule: Option<SameGame>,
    ) -> Result<CollectionInfo, StoreError> {
        let Some(same_game) = rule.filter(|rule| *rule != info.same_game) else {
            return Ok(info);
        };
        let sql = "UPDATE collection SET same_game = ?2 WHERE id = ?1";
        self.execute(sql, params![info.id, same_game.name()])?;
        self.seal(info.id)?;
        Ok(CollectionInfo { same_game, ..info })
    }

    fn find_collection(&self, name: &str) -> Result<Option<ListedCollection>, StoreError> {
        self.find_listed(|listed| listed.repertoire.is_none() && listed.info.name == name)
    }
}

#[cfg(test)]
mod explorer_tests;
#[cfg(test)]
mod tests;
