//! Collections in a position database.
//!
//! The tables are a thin frame: a collection has segments, and a segment has blobs, which the room
//! `collection` makes and reads. A segment is never changed. A run writes new ones, which take in
//! the games of small older ones, so that there are few.

mod build;
mod explorer;
mod segments;

pub(super) use build::read_pgn;
pub use build::{CollectionBuild, CollectionReport};
pub use explorer::Explorer;
pub use segments::{StoredGames, UnreadGames};

use rusqlite::{Params, Row, params};

use super::{Database, Kind, StoreError, rows::Parsed};
use crate::{pgn::GameDate, select::SameGame};

/// A collection as its database describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectionInfo {
    /// Its name.
    pub name: String,
    /// Positions are found up to this ply.
    pub max_ply: u32,
    /// Which games are the same: only the first of them is kept.
    pub same_game: SameGame,
    /// The number of games.
    pub games: u64,
    /// Those of them that have a result and begin in the initial position. Without further notice,
    /// only these are counted.
    pub counted_games: u64,
    /// The number of parts in which the games are packed.
    pub segments: u64,
    /// What they take in the file, in bytes.
    pub bytes: u64,
    /// The dates of the first and the last game.
    pub dates: Option<(GameDate, GameDate)>,
    id: i64,
}

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
        self.collections_where(IS_LISTED, [])
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
        self.find_collection(name)?.ok_or_else(|| self.no_such(Kind::Collection, name))
    }

    /// The collection of this name, which is made if there is none.
    fn set_up_collection(
        &self,
        name: &str,
        settings: &CollectionSettings,
    ) -> Result<CollectionInfo, StoreError> {
        let info = match self.find_collection(name)? {
            Some(info) if settings.max_ply.is_some_and(|max_ply| max_ply != info.max_ply) => {
                let what = format!("finds positions up to ply {}", info.max_ply);
                return Err(self.unfit(Kind::Collection, &info.name, what));
            }
            Some(info) => info,
            None => {
                let sql = "INSERT INTO collection (name, max_ply) VALUES (?1, ?2)";
                self.execute(sql, params![name, settings.max_ply.unwrap_or(DEFAULT_MAX_PLY)])?;
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
        self.execute(sql, params![info.id, same_game.as_str()])?;
        Ok(CollectionInfo { same_game, ..info })
    }
}

/// The collections that are not those of a repertoire.
const IS_LISTED: &str = "collection.repertoire_id IS NULL";

const COLLECTIONS: &str = "SELECT collection.id, collection.name, collection.max_ply,
        coalesce(sum(segment.games), 0), coalesce(sum(segment.counted_games), 0),
        count(segment.id), coalesce(sum(segment.bytes), 0),
        min(segment.first_date), max(segment.last_date), collection.same_game
    FROM collection LEFT JOIN segment ON segment.collection_id = collection.id";

impl Database {
    /// The collections that meet a condition, by name.
    pub(in crate::store) fn collections_where(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Vec<CollectionInfo>, StoreError> {
        let order = "GROUP BY collection.id ORDER BY collection.name";
        self.rows(&format!("{COLLECTIONS} WHERE {condition} {order}"), values, read_info)
    }

    fn find_collection(&self, name: &str) -> Result<Option<CollectionInfo>, StoreError> {
        let condition = format!("collection.name = ?1 AND {IS_LISTED}");
        Ok(self.collections_where(&condition, [name])?.pop())
    }
}

fn read_info(row: &Row<'_>) -> rusqlite::Result<CollectionInfo> {
    let number = |column| row.get::<_, i64>(column).map(|n| u64::try_from(n).unwrap_or(0));
    let date = |column| -> rusqlite::Result<Option<GameDate>> {
        Ok(row.get::<_, Option<String>>(column)?.and_then(|date| date.parse().ok()))
    };
    Ok(CollectionInfo {
        id: row.get(0)?,
        name: row.get(1)?,
        max_ply: row.get(2)?,
        games: number(3)?,
        counted_games: number(4)?,
        segments: number(5)?,
        bytes: number(6)?,
        dates: date(7)?.zip(date(8)?),
        same_game: row.get::<_, Parsed<SameGame>>(9)?.0,
    })
}

#[cfg(test)]
mod explorer_tests;
#[cfg(test)]
mod tests;
