//! One repertoire is added to another.

use std::path::Path;

use super::journal::Before;
use crate::pipeline::Workers;
use crate::store::{CollectionBuild, Database, Kind, RepertoireCounts, RepertoireInfo};
use crate::store::{RepertoireSettings, StoreError};

/// The number of games that are copied at a time.
const GAMES_AT_A_TIME: usize = 2048;

impl Database {
    /// Adds everything that one repertoire has to another: games that it does not have, players,
    /// and prepared moves with their notes, after its own. The other one stays as it is. `at` is
    /// when, in seconds since the beginning of 1970, UTC.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of one of the names, they are for different sides, or the file
    /// cannot be written. It is then what it was.
    pub fn merge_repertoires(
        path: &Path,
        into: &str,
        from: &str,
        at: i64,
        workers: &Workers,
    ) -> Result<RepertoireCounts, StoreError> {
        let database = Self::begin_to_change(path)?;
        let (a, b) = (database.repertoire(into)?, database.repertoire(from)?);
        if a.id == b.id {
            let what = "cannot be merged with itself".to_owned();
            return Err(database.unfit(Kind::Repertoire, into, what));
        }
        if a.color != b.color {
            let what = format!("is for {}, {from:?} is not", a.color);
            return Err(database.unfit(Kind::Repertoire, into, what));
        }
        let mut before = Before::of(&database, into)?;
        let mut preparation = before.preparation(&database)?;
        let settings =
            RepertoireSettings { players: b.players.clone(), ..RepertoireSettings::default() };
        let info = database.set_up(into, &settings)?;
        let other = database.read_preparation(&b)?;
        other.sources().iter().for_each(|source| preparation.merge(source.clone()));
        let (mut database, first_arrival) = copy_games(database, &a, &b, workers)?;
        before.first_arrival = first_arrival;
        let what = format!("{from} added");
        database.write_change(before, &info, &preparation, (at, &what))?;
        database.commit()?;
        database.counts(&info)
    }
}

/// Adds the games of a repertoire to another one, except those that it has. Returns the number of
/// arrival of the first one, if any was added.
fn copy_games(
    database: Database,
    into: &RepertoireInfo,
    from: &RepertoireInfo,
    workers: &Workers,
) -> Result<(Database, Option<u32>), StoreError> {
    let Some(other) = database.games_of(from)? else { return Ok((database, None)) };
    let collection = database.set_up_games(into)?;
    let mut build = CollectionBuild::of(database, collection, workers)?;
    let first = build.next_arrival();
    for segment in build.database().segments(&other)? {
        for first in (0..segment.games).step_by(GAMES_AT_A_TIME) {
            let last = segment.games.min(first + GAMES_AT_A_TIME as u32);
            for game in build.database().kept_games_of(segment, first..last)? {
                build.add_game(&game)?;
            }
        }
    }
    let has_more = build.report().added > 0;
    Ok((build.write()?, has_more.then_some(first)))
}
