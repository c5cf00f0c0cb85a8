//! Counts the moves of stored games and writes the counts, on several threads.

use std::{
    collections::HashSet,
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{
    games::facts,
    info::RepertoireInfo,
    rows::{PositionRow, PositionWriter, Positions},
};
use crate::{
    chess::PositionKey,
    pipeline::{self, Workers},
    repertoire::{Bucket, Buckets, Counter, PlayedGame, Visits},
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The memory for the visits of games, in bytes; more go to a temporary file beside the database.
pub(super) const COUNT_MEMORY: usize = 96 << 20;

/// The number of stored games that a worker counts at a time.
const GAMES_AT_A_TIME: usize = 2048;

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

impl Database {
    pub(super) fn temporary_file_error(&self, error: io::Error) -> StoreError {
        StoreError::CannotWrite {
            name: format!("temporary file beside {}", self.name),
            source: error.into(),
        }
    }

    /// Adds the visits of stored games, up to one of them, to certain positions.
    pub(super) fn count_stored(
        &self,
        info: &RepertoireInfo,
        workers: &Workers,
        counter: &mut Counter,
        last: u32,
        is_wanted: impl Fn(&PositionKey) -> bool + Sync,
    ) -> Result<(), StoreError> {
        let (max_ply, side) = (info.max_ply as usize, info.color);
        pipeline::run(
            workers,
            |push| {
                let mut games = Vec::new();
                let mut fed = Ok(());
                self.each_game(info, last, |number, game| {
                    games.push((number, game));
                    if games.len() >= GAMES_AT_A_TIME {
                        fed = push(std::mem::take(&mut games));
                    }
                    if fed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })?;
                fed?;
                push(games)
            },
            |games: Vec<(u32, PlayedGame)>| {
                let known = games.iter().map(|(number, game)| facts(*number, game, side));
                let walked = games.iter().map(|(_, game)| game);
                (Visits::of(walked, max_ply, &is_wanted), known.collect())
            },
            |(visits, known)| {
                counter.add(visits, known).map_err(|error| self.temporary_file_error(error))
            },
        )
    }

    /// Writes the counts of the positions that were visited, as far as they are stored.
    pub(super) fn write_counts(
        &self,
        info: &RepertoireInfo,
        workers: &Workers,
        counter: Counter,
        starts: &HashSet<PositionKey>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<u64, StoreError> {
        let mut kept = self.kept_keys(info)?;
        // Lines begin somewhere: where no position is a start, there is none.
        let positions = if kept.is_empty() { Positions::New } else { Positions::Known };
        kept.extend(starts);
        let mut writer =
            PositionWriter::new(&self.connection, info.id, positions).in_file(&self.name)?;
        let (games, mut buckets) =
            counter.finish().map_err(|error| self.temporary_file_error(error))?;
        let (mut done, mut written) = (0, 0);
        pipeline::run(
            workers,
            |push| {
                while let Some(bucket) =
                    buckets.next_bucket().map_err(|e| self.temporary_file_error(e))?
                {
                    push(bucket)?;
                }
                Ok(())
            },
            |bucket: Bucket| -> Vec<PositionRow> {
                let counts = bucket.count(&games, |key, games| games > 1 || kept.contains(key));
                counts.into_iter().map(PositionRow::of).collect()
            },
            |rows| {
                let all = rows.iter().try_for_each(|row| writer.write(row));
                written += rows.len() as u64;
                done += 1;
                progress(done, Buckets::COUNT);
                all.in_file(&self.name)
            },
        )?;
        Ok(written)
    }
}
