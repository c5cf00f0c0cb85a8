//! Counting what was played, position by position, in bounded memory.
//!
//! Every game visits a position once a ply. The visits of all games, sorted by position, are the counts.
//! A visit holds the whole position, 40 bytes with the move and the game, so no two positions can
//! be mistaken for each other. Visits are parted into [`PARTS`] by the hash of the position, so each part can be
//! sorted and counted by itself; when more are held than the memory that was granted, all of them go
//! to a temporary file, part by part, and come back when their part is counted.
//!
//! What stays in memory whatever is granted: 20 bytes a game, and the parts that are being counted. All
//! visits of a position are in one part, so that is 40 bytes for each game that has the initial position.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use super::{
    reader::PlayedGame,
    tally::{GameFacts, Tally},
};
use crate::chess::{PositionKey, UciMove};

/// How many parts there are. Of them all a few are in memory at a time for each thread.
const PARTS: usize = 256;

const VISIT_BYTES: usize = size_of::<[u64; 5]>();

/// A position on the way of a game, and the move that was played there: the words of the key, the last
/// one with the move from bit 32 (0 for none) and the game in the low half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Visit([u64; 5]);

const MOVE_SHIFT: u32 = 32;
const STATE_SHIFT: u32 = 48;

impl Visit {
    fn new(key: &PositionKey, m: Option<UciMove>, game: u32) -> Self {
        let [p0, p1, p2, p3, state] = key.to_words();
        let m = m.map_or(0, UciMove::bits);
        Self([p0, p1, p2, p3, state << STATE_SHIFT | u64::from(m) << MOVE_SHIFT | u64::from(game)])
    }

    fn key(&self) -> PositionKey {
        let [p0, p1, p2, p3, last] = self.0;
        PositionKey::from_words([p0, p1, p2, p3, last >> STATE_SHIFT])
    }

    fn move_bits(&self) -> u16 {
        (self.0[4] >> MOVE_SHIFT) as u16
    }

    fn game(&self) -> u32 {
        self.0[4] as u32
    }

    fn with_game(mut self, game: u32) -> Self {
        self.0[4] = self.0[4] >> MOVE_SHIFT << MOVE_SHIFT | u64::from(game);
        self
    }

    fn is_at(&self, other: &Self) -> bool {
        self.0[..4] == other.0[..4] && self.0[4] >> STATE_SHIFT == other.0[4] >> STATE_SHIFT
    }
}

fn part_of(key: &PositionKey) -> usize {
    (key.hash64() >> 56) as usize
}

/// The visits of a block of games, parted.
#[derive(Debug, Clone)]
pub struct Visits {
    visits: Vec<Visit>,
    /// Where each part ends.
    ends: Vec<u32>,
}

/// The visits of a block of games as they are met.
#[derive(Debug, Clone, Default)]
pub(super) struct VisitsBuilder {
    visits: Vec<Visit>,
    parts: Vec<u8>,
}

impl VisitsBuilder {
    /// A game of the block, by its place in it, has a position, and goes on with a move.
    pub(super) fn push(&mut self, key: &PositionKey, m: Option<UciMove>, game: u32) {
        self.visits.push(Visit::new(key, m, game));
        self.parts.push(part_of(key) as u8);
    }

    /// How many were met.
    pub(super) fn len(&self) -> usize {
        self.visits.len()
    }

    /// Forgets all but the first.
    pub(super) fn truncate(&mut self, len: usize) {
        self.visits.truncate(len);
        self.parts.truncate(len);
    }

    /// The visits, parted.
    pub(super) fn build(self) -> Visits {
        let mut ends = vec![0_u32; PARTS];
        self.parts.iter().for_each(|part| ends[usize::from(*part)] += 1);
        let mut sum = 0;
        // Where each part begins; each visit then moves the place on, up to the end.
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut visits = vec![Visit([0; 5]); self.visits.len()];
        for (visit, part) in self.visits.into_iter().zip(self.parts) {
            let place = &mut ends[usize::from(part)];
            visits[*place as usize] = visit;
            *place += 1;
        }
        Visits { visits, ends }
    }
}

impl Visits {
    /// The visits of games to certain positions, up to a ply.
    pub fn of<'g>(
        games: impl IntoIterator<Item = &'g PlayedGame>,
        max_ply: usize,
        is_wanted: impl Fn(&PositionKey) -> bool,
    ) -> Self {
        let mut visiting = VisitsBuilder::default();
        for (place, game) in (0..).zip(games) {
            game.walk(max_ply, |key, uci| {
                if is_wanted(key) {
                    visiting.push(key, uci, place);
                }
            });
        }
        visiting.build()
    }

    fn part(&self, part: usize) -> &[Visit] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.visits[start as usize..self.ends[part] as usize]
    }

    /// The positions, in no order.
    pub fn keys(&self) -> impl Iterator<Item = PositionKey> {
        self.visits.iter().map(Visit::key)
    }
}

/// The visits of a block, and which games they are of.
struct Held {
    visits: Visits,
    /// The place of each game among all, unless it is left out.
    games: Vec<Option<u32>>,
}

impl Held {
    fn part(&self, part: usize) -> impl Iterator<Item = Visit> {
        self.visits.part(part).iter().filter_map(|visit| {
            let game = self.games.get(visit.game() as usize).copied().flatten()?;
            Some(visit.with_game(game))
        })
    }
}

/// Collects visits of games, and gives the counts.
///
/// ```
/// use eco::{chess::{Chess, EnPassantMode, PositionKey}, repertoire::{Counter, GameReader, Selection}};
/// use eco::{chess::Color, pgn::Game};
///
/// let mut reader = GameReader::new(Selection::all(Color::White), 40);
/// for moves in ["1. e4 e5 1-0", "1. e4 c5 *", "1. d4 0-1"] {
///     reader.read(&Game::from_bytes(moves.as_bytes()));
/// }
/// let batch = reader.into_batch();
/// let mut counter = Counter::new(1 << 20, std::env::temp_dir());
/// let facts = (1..).zip(&batch.games).map(|(number, game)| Some(game.facts(number, Color::White)));
/// counter.add(batch.visits, facts.collect())?;
/// let (games, mut buckets) = counter.finish()?;
/// let start = PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
/// let mut counts = Vec::new();
/// while let Some(bucket) = buckets.next_bucket()? {
///     counts.extend(bucket.count(&games, |_, games| games >= 2));
/// }
/// let count = counts.iter().find(|count| count.key == start).unwrap();
/// assert_eq!(count.tally.games, 3);
/// assert_eq!(count.moves.len(), 2);
/// assert_eq!(counts.len(), 2); // and the one after 1. e4
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Counter {
    games: Vec<GameFacts>,
    held: Vec<Held>,
    held_visits: usize,
    most_visits: usize,
    folder: PathBuf,
    spill: Option<Spill>,
}

/// Visits in a temporary file.
struct Spill {
    file: File,
    /// Of each time that memory was full, where its parts begin, and where the last ends.
    runs: Vec<Vec<u64>>,
}

impl Counter {
    /// Holds so many bytes of visits in memory; what is more goes to a temporary file in a folder. The
    /// file has no name, and is gone with the process.
    #[must_use]
    pub fn new(memory: usize, folder: impl Into<PathBuf>) -> Self {
        Self {
            games: Vec::new(),
            held: Vec::new(),
            held_visits: 0,
            most_visits: memory / VISIT_BYTES,
            folder: folder.into(),
            spill: None,
        }
    }

    /// Adds the visits of a block. `games` tells of each game of the block what a count needs, or
    /// that it is left out.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be made or written.
    ///
    /// # Panics
    ///
    /// At 2³² games.
    pub fn add(&mut self, visits: Visits, games: Vec<Option<GameFacts>>) -> io::Result<()> {
        let place = |facts: Option<GameFacts>| {
            let next = u32::try_from(self.games.len()).expect("there are fewer games");
            facts.map(|facts| {
                self.games.push(facts);
                next
            })
        };
        let games = games.into_iter().map(place).collect();
        self.held_visits += visits.visits.len();
        self.held.push(Held { visits, games });
        if self.held_visits > self.most_visits { self.spill() } else { Ok(()) }
    }

    /// Whether anything went to a temporary file.
    #[must_use]
    pub fn has_spilled(&self) -> bool {
        self.spill.is_some()
    }

    fn spill(&mut self) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        self.held_visits = 0;
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => {
                let file = tempfile::tempfile_in(&self.folder)?;
                none.insert(Spill { file, runs: Vec::new() })
            }
        };
        let mut offset = spill.runs.last().and_then(|run| run.last()).copied().unwrap_or(0);
        let mut run = vec![offset];
        let mut out = BufWriter::with_capacity(1 << 18, &mut spill.file);
        for part in 0..PARTS {
            for visit in held.iter().flat_map(|held| held.part(part)) {
                for word in visit.0 {
                    out.write_all(&word.to_ne_bytes())?;
                }
                offset += VISIT_BYTES as u64;
            }
            run.push(offset);
        }
        out.flush()?;
        drop(out);
        spill.runs.push(run);
        Ok(())
    }

    /// What is known of the games, and their visits, part by part.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub fn finish(mut self) -> io::Result<(Vec<GameFacts>, Buckets)> {
        if self.spill.is_some() && !self.held.is_empty() {
            // What is read back needs the memory.
            self.spill()?;
        }
        Ok((self.games, Buckets { held: self.held, spill: self.spill, next: 0 }))
    }
}

/// The visits of all games, part by part.
pub struct Buckets {
    held: Vec<Held>,
    spill: Option<Spill>,
    next: usize,
}

impl Buckets {
    /// How many parts there are in all.
    #[must_use]
    pub fn count(&self) -> usize {
        PARTS
    }

    /// The next part, until there is none. All visits of a position are in one part.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be read.
    pub fn next_bucket(&mut self) -> io::Result<Option<Bucket>> {
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

impl Spill {
    fn read_part(&mut self, part: usize, visits: &mut Vec<Visit>) -> io::Result<()> {
        let mut bytes = Vec::new();
        for run in &self.runs {
            let (start, end) = (run[part], run[part + 1]);
            bytes.clear();
            bytes.resize((end - start) as usize, 0);
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(&mut bytes)?;
            visits.extend(bytes.chunks_exact(VISIT_BYTES).map(|bytes| {
                let mut words = bytes.chunks_exact(8).map(|word| {
                    u64::from_ne_bytes(word.try_into().expect("a chunk has eight bytes"))
                });
                Visit([(); 5].map(|()| words.next().expect("a visit has five words")))
            }));
        }
        Ok(())
    }
}

/// All visits of some positions.
pub struct Bucket(Vec<Visit>);

/// What was played in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionCount {
    /// The position.
    pub key: PositionKey,
    /// The games that have it, each counted once.
    pub tally: Tally,
    /// The moves that were played there, each with its games, the most played first. A game that
    /// has the position twice may have played two.
    pub moves: Vec<(UciMove, Tally)>,
}

impl Bucket {
    /// The counts of those positions that `keep` wants, given how many games have them.
    pub fn count(
        mut self,
        games: &[GameFacts],
        keep: impl Fn(&PositionKey, usize) -> bool,
    ) -> Vec<PositionCount> {
        self.0.sort_unstable();
        self.0.dedup();
        let groups = self.0.chunk_by(Visit::is_at);
        groups.filter_map(|visits| count_position(visits, games, &keep)).collect()
    }
}

/// `visits` are those of one position, by move and game.
fn count_position(
    visits: &[Visit],
    games: &[GameFacts],
    keep: impl Fn(&PositionKey, usize) -> bool,
) -> Option<PositionCount> {
    let key = visits[0].key();
    let mut all: Vec<u32> = visits.iter().map(Visit::game).collect();
    all.sort_unstable();
    all.dedup();
    if !keep(&key, all.len()) {
        return None;
    }
    let tally = |of: &mut dyn Iterator<Item = u32>| {
        let mut tally = Tally::default();
        of.for_each(|game| tally.add(&games[game as usize]));
        tally
    };
    let by_move = visits.chunk_by(|a, b| a.move_bits() == b.move_bits());
    let mut moves: Vec<(UciMove, Tally)> = by_move
        .filter_map(|visits| {
            let m = UciMove::from_bits(visits[0].move_bits())?;
            Some((m, tally(&mut visits.iter().map(Visit::game))))
        })
        .collect();
    moves.sort_by_key(|(m, tally)| (std::cmp::Reverse(tally.games), *m));
    Some(PositionCount { key, tally: tally(&mut all.into_iter()), moves })
}
