//! Repertoires are renamed, removed and merged.

use std::path::Path;

use rusqlite::params;

use super::info::{RepertoireCounts, RepertoireInfo, RepertoireSettings, read_info};
use crate::{
    pipeline::Workers,
    store::{
        CollectionBuild,
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The number of games that are copied at a time.
const GAMES_AT_A_TIME: usize = 2048;

impl Database {
    /// Renames a repertoire.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of the old name, or one of the new name, or the file cannot be
    /// written. It is then what it was.
    pub fn rename_repertoire(path: &Path, name: &str, new: &str) -> Result<(), StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let info = database.repertoire(name)?;
        let known = read_info(&database.connection, new);
        if known.in_file(&database.name)?.is_some() {
            return Err(database.refuse(new, "is there already".to_owned()));
        }
        database.execute("UPDATE repertoire SET name = ?2 WHERE id = ?1", params![info.id, new])?;
        database.commit()
    }

    /// Removes a repertoire, with its games.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, or the file cannot be written. It is then what it
    /// was.
    pub fn remove_repertoire(path: &Path, name: &str) -> Result<(), StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let info = database.repertoire(name)?;
        database.execute("DELETE FROM repertoire WHERE id = ?1", params![info.id])?;
        database.commit()
    }

    /// Adds everything that one repertoire has to another: games that it does not have, players,
    /// and prepared moves with their notes, after its own. The other one stays as it is.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of one of the names, they are for different sides, or the file
    /// cannot be written. It is then what it was.
    pub fn merge_repertoires(
        path: &Path,
        into: &str,
        from: &str,
        workers: &Workers,
    ) -> Result<RepertoireCounts, StoreError> {
        let database = Self::begin_to_change(path)?;
        let (a, b) = (database.repertoire(into)?, database.repertoire(from)?);
        if a.id == b.id {
            return Err(database.refuse(into, "cannot be merged with itself".to_owned()));
        }
        if a.color != b.color {
            let what = format!("is for {}, {from:?} is not", a.color);
            return Err(database.refuse(into, what));
        }
        let settings =
            RepertoireSettings { players: b.players.clone(), ..RepertoireSettings::default() };
        database.set_up(into, &settings)?;
        let mut preparation = database.read_preparation(&a, None)?;
        for source in database.read_preparation(&b, None)?.sources() {
            preparation.merge(source.clone());
        }
        database.write_preparation(&a, &preparation)?;
        let mut database = copy_games(database, &a, &b, workers)?;
        database.commit()?;
        database.counts(&a)
    }
}

/// Adds the games of a repertoire to another one, except those that it has.
fn copy_games(
    database: Database,
    into: &RepertoireInfo,
    from: &RepertoireInfo,
    workers: &Workers,
) -> Result<Database, StoreError> {
    let Some(other) = database.collection_of_repertoire(from.id)? else { return Ok(database) };
    let collection = database.set_up_games(into)?;
    let mut build = CollectionBuild::of(database, collection, workers)?;
    for segment in build.database().segments(&other)? {
        for first in (0..segment.games).step_by(GAMES_AT_A_TIME) {
            let last = segment.games.min(first + GAMES_AT_A_TIME as u32);
            for game in build.database().kept_games_of(segment, first..last)? {
                build.add_game(&game)?;
            }
        }
    }
    build.write()
}
