//! Counts what was played, position by position, in bounded memory.
//!
//! A game visits a position at every ply. The visits of all games, sorted by position, are the
//! counts. A visit holds the whole position, 40 bytes with the move and the game, so no two
//! positions are ever confused. Visits are divided into [`PARTS`] parts by the hash of the
//! position, and each part is sorted and counted by itself. When more visits are held than the
//! granted memory has room for, all of them go to a temporary file, part by part; they are read
//! back when their part is counted.
//!
//! Two things stay in memory regardless of the limit: 20 bytes a game, and the parts that are being
//! counted. All visits of a position are in one part, so the part of the initial position takes 40
//! bytes for each game.

use std::{io, path::PathBuf};

use super::{
    bucket::Bucket,
    spill::{HeldVisits, Spill},
    tally::GameFacts,
    visits::{PARTS, VISIT_BYTES, Visit, Visits},
};

/// Collects the visits of games, and returns them in buckets to be counted.
pub(crate) struct Counter {
    games: Vec<GameFacts>,
    held: Vec<HeldVisits>,
    held_visits: usize,
    max_visits: usize,
    folder: PathBuf,
    spill: Option<Spill>,
}

impl Counter {
    /// Holds visits in this many bytes of memory; more go to a temporary file in a folder.
    pub(crate) fn new(memory: usize, folder: impl Into<PathBuf>) -> Self {
        Self {
            games: Vec::new(),
            held: Vec::new(),
            held_visits: 0,
            max_visits: memory / VISIT_BYTES,
            folder: folder.into(),
            spill: None,
        }
    }

    /// Adds the visits of a block. `games` has the facts of each game of the block, or `None` if
    /// the game is left out.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be made or written.
    ///
    /// # Panics
    ///
    /// At 2³² games.
    pub(crate) fn add(&mut self, visits: Visits, games: Vec<Option<GameFacts>>) -> io::Result<()> {
        let index = |facts: Option<GameFacts>| {
            let next = u32::try_from(self.games.len()).expect("there are fewer games");
            facts.map(|facts| {
                self.games.push(facts);
                next
            })
        };
        let games = games.into_iter().map(index).collect();
        self.held_visits += visits.len();
        self.held.push(HeldVisits { visits, games });
        if self.held_visits > self.max_visits { self.spill() } else { Ok(()) }
    }

    /// Whether anything went to a temporary file.
    pub(crate) fn has_spilled(&self) -> bool {
        self.spill.is_some()
    }

    fn spill(&mut self) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        self.held_visits = 0;
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(Spill::create_in(&self.folder)?),
        };
        spill.write_run(&held)
    }

    /// The facts of the games, and their visits.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<(Vec<GameFacts>, Buckets)> {
        if self.spill.is_some() && !self.held.is_empty() {
            // The memory is needed for reading back.
            self.spill()?;
        }
        Ok((self.games, Buckets { held: self.held, spill: self.spill, next: 0 }))
    }
}

/// The visits of all games, part by part.
pub(crate) struct Buckets {
    held: Vec<HeldVisits>,
    spill: Option<Spill>,
    next: usize,
}

impl Buckets {
    /// The number of buckets in all.
    pub(crate) const COUNT: usize = PARTS;

    /// The next bucket, until there is none. All visits of a position are in one bucket.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be read.
    pub(crate) fn next_bucket(&mut self) -> io::Result<Option<Bucket>> {
        let part = self.next;
        if part == PARTS {
            return Ok(None);
        }
        self.next += 1;
        let mut visits: Vec<Visit> = self.held.iter().flat_map(|held| held.part(part)).collect();
        if let Some(spill) = &mut self.spill {
            spill.read_part(part, &mut visits)?;
        }
        Ok(Some(Bucket(visits)))
    }
}
