//! What is known of the positions of games while they are added to a repertoire, and how they are
//! counted from it in the end.

use std::num::{NonZeroU16, NonZeroU32};

use hashbrown::{HashMap, HashSet};

use super::{
    count::{Counting, row_rank},
    info::RepertoireInfo,
    row_pages::RowPages,
};
use crate::{
    chess::{Board, Position, PositionKey},
    collection::KeptGame,
    pipeline::Workers,
    repertoire::{CountedVisits, GameFacts, HashFilter, Visits},
    store::{CollectionInfo, database::Database, error::StoreError},
};

/// The positions of added games for which there is room without many mistakes.
const TOUCHED_POSITIONS: usize = 1 << 22;

/// The positions of added games, until they are counted.
pub(super) struct AddedPositions {
    /// For counting, in bytes.
    memory: usize,
    /// All of them; `None` if the repertoire has no other games.
    touched: Option<HashFilter>,
    /// The visits to them, if the repertoire has no rows, and as long as there is memory for them.
    visits: Option<Visits>,
    /// Where the games begin, and the least number of a first move there.
    starts: HashMap<PositionKey, NonZeroU32>,
    /// The hashes of a game, in memory that serves one after the other.
    hashes: Vec<u64>,
}

/// What a repertoire had before games are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// No rows of positions.
    Nothing,
    /// What is prepared.
    Prepared,
    /// Games.
    Games,
}

impl Before {
    /// What the repertoire with this collection has.
    pub(super) fn of(
        database: &Database,
        info: &RepertoireInfo,
        collection: &CollectionInfo,
    ) -> Result<Self, StoreError> {
        Ok(match collection.games {
            0 if database.kept_keys(info)?.is_empty() => Self::Nothing,
            0 => Self::Prepared,
            _ => Self::Games,
        })
    }
}

impl AddedPositions {
    pub(super) fn new(before: Before, memory: usize) -> Self {
        let touched = || HashFilter::with_room(TOUCHED_POSITIONS);
        Self {
            memory,
            touched: (before == Before::Games).then(touched),
            visits: (before == Before::Nothing).then(|| Visits::with_memory(memory)),
            starts: HashMap::new(),
            hashes: Vec::new(),
        }
    }

    /// Whether the repertoire had games before.
    pub(super) fn come_after_others(&self) -> bool {
        self.touched.is_some()
    }

    /// Whether games are best read with the hashes of their positions.
    pub(super) fn take_hashes(&self) -> bool {
        self.visits.is_some()
    }

    /// Adds the positions of a game with this row that begins here.
    pub(super) fn add(&mut self, game: &KeptGame, start: Board, row: i64, info: &RepertoireInfo) {
        let number = game.set_up().map_or(NonZeroU32::MIN, |start| start.fullmoves());
        let least = self.starts.entry(start.key()).or_insert(number);
        *least = number.min(*least);
        self.add_visits(game, start, row, info);
        if let Some(touched) = &self.touched {
            game.walk(info.max_ply as usize, |key, _| {
                touched.insert(key.hash64());
            });
        }
    }

    /// Adds the visits of a game, as long as all of them are kept.
    fn add_visits(&mut self, game: &KeptGame, start: Board, row: i64, info: &RepertoireInfo) {
        let Some(visits) = &mut self.visits else { return };
        let max_ply = info.max_ply as usize;
        self.hashes.clear();
        game.each_hash(max_ply, |hash| self.hashes.push(hash));
        let (details, side) = (game.details(), info.color);
        let opponent = details.ratings[usize::from(side.is_white())];
        let facts = GameFacts {
            number: u32::try_from(row).ok().and_then(NonZeroU32::new),
            date: details.date,
            played_at: details.played_at,
            half_points: details.result.half_points(side),
            opponent: opponent.and_then(NonZeroU16::new),
        };
        let codes = &game.codes()[..game.codes().len().min(max_ply)];
        let start = Some(start).filter(|board| *board != Board::default());
        if !visits.push(codes, &self.hashes, start, facts) {
            self.visits = None;
        }
    }

    /// Counts the positions anew, from all games of the repertoire, and writes their rows. Returns
    /// the number of positions that were written.
    pub(super) fn write(
        self,
        database: &mut Database,
        info: &RepertoireInfo,
        workers: &Workers,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<u64, StoreError> {
        let Self { memory, touched, visits, starts, .. } = self;
        let keys: HashSet<PositionKey> = starts.keys().copied().collect();
        let visits = visits.and_then(|visits| visits.count(row_rank, workers));
        let visits: Option<&CountedVisits> = visits.as_ref();
        let positions = match RowPages::begin(database, info.id)? {
            Some(pages) => {
                let counting = Counting::new(database, info, workers);
                let (positions, pages, rows) =
                    counting.write_pages(pages, visits, &keys, memory, progress)?;
                pages.finish(database, &rows, workers)?;
                positions
            }
            None => {
                let counting = Counting::new(database, info, workers);
                match visits {
                    Some(counts) => counting.write_visits(counts, progress)?,
                    None => counting.write(&keys, touched.as_ref(), memory, progress)?,
                }
            }
        };
        database.mark_starts(info, &starts)?;
        Ok(positions)
    }
}
