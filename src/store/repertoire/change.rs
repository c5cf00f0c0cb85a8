//! Repertoires are renamed, removed and merged.

use std::path::Path;

use rusqlite::params;

use super::{
    count::{COUNT_MEMORY, folder_of},
    info::{RepertoireCounts, RepertoireInfo, RepertoireSettings, read_info},
    load::SingleGames,
};
use crate::{
    pipeline::Workers,
    repertoire::Counter,
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

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
    /// If there is no repertoire of one of the names, they are for different sides, the one that is
    /// added is counted to fewer plies, or the file cannot be written. It is then what it was.
    pub fn merge_repertoires(
        path: &Path,
        into: &str,
        from: &str,
        workers: &Workers,
    ) -> Result<RepertoireCounts, StoreError> {
        let mut database = Self::begin_to_change(path)?;
        let (a, b) = (database.repertoire(into)?, database.repertoire(from)?);
        if a.id == b.id {
            return Err(database.refuse(into, "cannot be merged with itself".to_owned()));
        }
        if a.color != b.color {
            let what = format!("is for {}, {from:?} is not", a.color);
            return Err(database.refuse(into, what));
        }
        if b.max_ply < a.max_ply && database.last_game(&b)? > 0 {
            let what = format!(
                "counts games up to ply {}, {from:?} only up to {}: merge the other way round",
                a.max_ply, b.max_ply
            );
            return Err(database.refuse(into, what));
        }
        let settings =
            RepertoireSettings { players: b.players.clone(), ..RepertoireSettings::default() };
        database.set_up(into, &settings)?;
        database.copy_games(&a, &b)?;
        let prepared = database.book(from, SingleGames::Omitted)?;
        database.write_prepared(&a, &prepared)?;
        let mut counter = Counter::new(COUNT_MEMORY, folder_of(path));
        database.count_stored(&a, workers, &mut counter, u32::MAX, |_| true)?;
        let starts = database.start_keys(&a)?;
        database.write_counts(&a, workers, counter, &starts, &mut |_, _| {})?;
        database.mark_starts(&a, &starts)?;
        database.commit()?;
        database.counts(&a)
    }

    fn copy_games(&self, into: &RepertoireInfo, from: &RepertoireInfo) -> Result<(), StoreError> {
        let sql = "INSERT INTO game (repertoire_id, fingerprint, white, black, white_rating,
                 black_rating, date, result, site, start, moves)
             SELECT ?1, fingerprint, white, black, white_rating, black_rating, date, result, site,
                 start, moves
             FROM game WHERE repertoire_id = ?2 ORDER BY id
             ON CONFLICT DO NOTHING";
        self.execute(sql, params![into.id, from.id]).map(drop)
    }
}
