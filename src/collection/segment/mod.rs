//! Segments: games, packed so that any position is found.
//!
//! A segment is never changed. Its games are numbered in the order of their moves, those first that
//! begin in the initial position. So all games through one line are neighbours, and a position is a
//! few [intervals](Interval) of numbers, one for each line to it. The moves from there are parts of
//! these intervals, and what is asked of games are [columns](facts) that are read from end to end.
//!
//! | blobs | file |
//! | --- | --- |
//! | header | [`blobs`] |
//! | facts and labels of 2048 games each, in columns | [`facts`] |
//! | texts that games share | [`dictionary`] |
//! | moves, 128 games together | [`game_moves`] |
//! | other tags, 64 games together | [`tag_columns`] |
//! | from the hash of a position, or of an identity, to games | [`bucket`] |
//!
//! Up to 90,000 games make a segment that is [built](SegmentBuilder) in memory; segments are
//! [merged](merge()) to one of up to 1,890,000.
//!
//! What is read may be damaged or made by an enemy: it is an error then, no panic, and takes no
//! more memory than its size allows.

mod blobs;
mod bucket;
mod bytes;
mod dictionary;
mod facts;
mod first_moves;
mod game_moves;
mod merge;
mod merged_tags;
mod position_index;
mod reader;
mod sink;
mod tag_columns;
mod unindexed;

use self::bucket::{MAX_GAMES, MAX_PLY};
use self::game_moves::{
    CollectedMoves, FRAMES_A_BLOB, GameMoves, MOVES_A_FRAME, SortedMoves, pack_moves,
};
use self::tag_columns::{FactValues, TagCollector, TagColumns, shared_site};
use self::unindexed::{Unindexed, add_dictionary, add_facts, pack_facts};
use self::{dictionary::Interner, facts::FactsRow, sink::JoinedItems};
use super::{Details, KeptGame};
use crate::{executor::Executor, opening::Opening};
pub(crate) use blobs::{Blob, BlobKind, Cache, DictionaryKind};
pub(crate) use bucket::Interval;
pub(crate) use bytes::DamagedSegment;
pub(crate) use dictionary::Dictionary;
pub(crate) use facts::{FACTS_A_CHUNK, Facts, Labels, Sums};
pub(crate) use merge::{MergedSegment, merge};
pub(crate) use reader::{BlobSource, KnownGame, SegmentReader, read_opening};
pub(crate) use sink::{Aside, SegmentSink};
pub(crate) use tag_columns::TAGS_A_FRAME;
pub(crate) use unindexed::NewSegment;

impl BlobKind {
    /// The number of games that a blob is of; `None` if it is of all games of its segment.
    pub(crate) fn games(self) -> Option<usize> {
        match self {
            Self::Facts | Self::Labels => Some(FACTS_A_CHUNK),
            Self::Moves => Some(MOVES_A_FRAME * FRAMES_A_BLOB),
            Self::Tags => Some(TAGS_A_FRAME * FRAMES_A_BLOB),
            Self::Header | Self::Dictionary | Self::Positions | Self::Ids => None,
        }
    }
}

/// The bytes of games after which a segment is full, whatever their number. No blob of it is
/// longer, though all texts may differ; a value of the database has at most 32 MB.
const MAX_BYTES: usize = 28 << 20;

/// The number of games after which a segment that is built in memory is full.
const BUILT_GAMES: usize = if cfg!(test) { 2500 } else { 90_000 };

/// The number of games up to which segments are merged. What a query takes in time grows with the
/// number of segments.
pub(crate) const MOST_GAMES: usize = if cfg!(test) { 2 } else { 21 } * BUILT_GAMES;

/// Collects the games of a segment, and builds it.
#[derive(Debug)]
pub(crate) struct SegmentBuilder {
    max_ply: usize,
    moves: CollectedMoves,
    facts: Vec<FactsRow>,
    tags: TagCollector,
    texts: Texts,
    bytes: usize,
}

/// The texts that facts refer to.
#[derive(Debug, Default)]
struct Texts {
    players: Interner,
    events: Interner,
    sites: Interner,
    variants: Interner,
    openings: Interner,
    opening: Vec<u8>,
}

impl SegmentBuilder {
    /// An empty segment, in which positions will be found up to a ply.
    pub(crate) fn new(max_ply: usize) -> Self {
        Self {
            max_ply: max_ply.min(MAX_PLY),
            moves: CollectedMoves::default(),
            facts: Vec::new(),
            tags: TagCollector::default(),
            texts: Texts::default(),
            bytes: 0,
        }
    }

    /// The number of games.
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether no more games should be added.
    pub(crate) fn is_full(&self) -> bool {
        self.len() >= BUILT_GAMES || self.bytes >= MAX_BYTES
    }

    /// Adds a game, with its number in the order in which the collection took its games.
    ///
    /// # Panics
    ///
    /// If the segment was full long ago.
    pub(crate) fn add(&mut self, game: &KeptGame, arrival: u32) {
        assert!(self.len() < MAX_GAMES, "a segment of too many games");
        let [white, black, event, site, variant] = shared_values(game);
        let (site, opening) = (shared_site(site), game.opening());
        let details = game.details();
        let Details { result, date, played_at, ratings, .. } = details;
        let texts = &mut self.texts;
        let facts = FactsRow {
            details,
            names: [white, black].map(|name| texts.players.add(name)),
            event: texts.events.add(event),
            site: texts.sites.add(site),
            variant: texts.variants.add(variant),
            opening: texts.add_opening(opening),
            shared: 0,
            next: 0,
            fingerprint: game.fingerprint(),
            arrival,
        };
        let values = FactValues {
            white,
            black,
            event,
            site,
            variant,
            ratings,
            date,
            played_at,
            result,
            opening,
        };
        self.tags.begin();
        for (name, value) in game.tags() {
            let (source, value) = values.source(name, value);
            self.tags.push(name, source, value);
            self.bytes += name.len() + value.len();
        }
        self.tags.end();
        self.bytes += game.codes().len() + game.rest().len();
        self.facts.push(facts);
        self.moves.push(game);
    }

    /// Builds the segment, without its index.
    pub(crate) fn finish<K: SegmentSink>(
        self,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<Unindexed, K::Error> {
        let Self { max_ply, moves, facts, tags, texts, .. } = self;
        let games = moves.sorted(executor);
        let mut unindexed = Unindexed::new(max_ply, facts.len());
        for number in 0..games.order.len() as u32 {
            let (codes, shared) = (games.codes(number), games.shared[number as usize]);
            let class = u8::from(number >= games.initial) + u8::from(number >= games.counted);
            let facts = &facts[games.order[number as usize] as usize];
            unindexed.push((codes, shared), games.start(number), facts, class);
        }
        let mut joined = JoinedItems::new(BlobKind::Moves, FRAMES_A_BLOB);
        let frames = pack_all_moves(&games, executor).into_iter();
        frames.into_iter().try_for_each(|frame| joined.push(frame, sink))?;
        joined.finish(sink)?;
        let tags = tags.finish();
        let mut joined = JoinedItems::new(BlobKind::Tags, FRAMES_A_BLOB);
        let frames = pack_all_tags(&tags, &games, executor).into_iter();
        frames.into_iter().try_for_each(|frame| joined.push(frame, sink))?;
        joined.finish(sink)?;
        unindexed.header.sums = texts.finish(&games, &facts, executor, sink)?;
        add_dictionary(sink, DictionaryKind::Forms, &tags.forms)?;
        for (column, dictionary) in (0..).zip(tags.dictionaries()) {
            if let Some(dictionary) = dictionary {
                add_dictionary(sink, DictionaryKind::Column(column), dictionary)?;
            }
        }
        unindexed.header.shared_columns =
            tags.dictionaries().map(|dictionary| dictionary.is_some()).collect();
        Ok(unindexed)
    }
}

/// The values of `White`, `Black`, `Event`, `Site` and `Variant`; empty if the game has no such
/// tag. Of tags with one name the first counts.
fn shared_values(game: &KeptGame) -> [&[u8]; 5] {
    let mut values = [None; 5];
    for (name, value) in game.tags() {
        let at = match name {
            b"White" => 0,
            b"Black" => 1,
            b"Event" => 2,
            b"Site" => 3,
            b"Variant" => 4,
            _ => continue,
        };
        values[at].get_or_insert(value);
    }
    values.map(Option::unwrap_or_default)
}

impl Texts {
    /// Adds an opening: its code, if it has one, a tab, and its name; no text if there is none.
    fn add_opening(&mut self, opening: Option<&Opening>) -> u32 {
        self.opening.clear();
        if let Some(opening) = opening {
            self.opening.extend_from_slice(opening.code().as_bytes());
            self.opening.push(b'\t');
            self.opening.extend_from_slice(opening.english_name().as_bytes());
        }
        self.openings.add(&self.opening)
    }

    /// Adds the facts of all games, and their dictionaries; returns the sums of the facts.
    fn finish<K: SegmentSink>(
        self,
        games: &SortedMoves<'_>,
        facts: &[FactsRow],
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<Vec<Sums>, K::Error> {
        let mut sorted = |kind, texts: Interner| {
            let (dictionary, numbers) = texts.sorted();
            add_dictionary(sink, kind, &dictionary).map(|()| numbers)
        };
        let players = sorted(DictionaryKind::Players, self.players)?;
        let events = sorted(DictionaryKind::Events, self.events)?;
        let sites = sorted(DictionaryKind::Sites, self.sites)?;
        let variants = sorted(DictionaryKind::Variants, self.variants)?;
        let openings = sorted(DictionaryKind::Openings, self.openings)?;
        let numbered = |number: u32| {
            let facts = facts[games.order[number as usize] as usize];
            let shared = games.shared[number as usize].unwrap_or(0);
            let next = games.codes(number).get(usize::from(shared));
            FactsRow {
                names: facts.names.map(|name| players[name as usize]),
                event: events[facts.event as usize],
                site: sites[facts.site as usize],
                variant: variants[facts.variant as usize],
                opening: openings[facts.opening as usize],
                shared,
                next: next.map_or(0, |code| u16::from(*code) + 1),
                ..facts
            }
        };
        let numbers: Vec<u32> = (0..games.order.len() as u32).collect();
        let chunks = executor.map(numbers.chunks(FACTS_A_CHUNK).collect(), |chunk| {
            pack_facts(chunk.iter().map(|number| numbered(*number)))
        });
        let add = |(number, chunk)| add_facts(sink, number, chunk);
        (0..).zip(chunks).map(add).collect()
    }
}

fn pack_all_moves(games: &SortedMoves<'_>, executor: &impl Executor) -> Vec<Vec<u8>> {
    let numbers: Vec<u32> = (0..games.order.len() as u32).collect();
    executor.map(numbers.chunks(MOVES_A_FRAME).collect(), |frame| {
        pack_moves(frame.iter().map(|number| {
            let (codes, rest) = (games.codes(*number), games.rest(*number));
            GameMoves { codes, rest }
        }))
    })
}

fn pack_all_tags(
    tags: &TagColumns,
    games: &SortedMoves<'_>,
    executor: &impl Executor,
) -> Vec<Vec<u8>> {
    executor.map(games.order.chunks(TAGS_A_FRAME).collect(), |frame| tags.pack(frame))
}
