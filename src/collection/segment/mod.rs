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
//! | facts, labels and traces of 1024 games each, in columns | [`facts`] |
//! | texts that games share | [`dictionary`] |
//! | moves, 128 games together | [`game_moves`] |
//! | other tags, and evaluations and clocks as one, 64 games together | [`tag_columns`] |
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
mod writer;

use self::bucket::{MAX_GAMES, MAX_PLY};
use self::facts::{FactsRow, TEXTS_OF_GAME};
use self::game_moves::{CollectedMoves, FRAMES_A_BLOB, MOVES_A_FRAME};
use self::tag_columns::{FactValues, SHARED_TAGS, TagCollector, shared_site};
use self::writer::{NextGame, add_columns, add_dictionary, write_games};
use self::{blobs::TEXTS, dictionary::Interner, unindexed::Unindexed};
use super::KeptGame;
use crate::executor::Executor;
pub(crate) use blobs::{Blob, BlobKind, Cache, DictionaryKind};
pub(crate) use bucket::Interval;
pub(crate) use bytes::DamagedSegment;
pub(super) use bytes::{ByteReader, push_number};
pub(crate) use dictionary::Dictionary;
pub(super) use facts::add_result;
pub(crate) use facts::{FACTS_A_CHUNK, Facts, Labels, MOST_ARRIVALS, Sums, TOO_MANY_ARRIVALS};
pub(crate) use merge::{MergedSegment, merge};
pub(crate) use reader::{BlobSource, KnownGame, SegmentReader, read_opening};
pub(crate) use sink::{Aside, SegmentSink};
pub(crate) use tag_columns::TAGS_A_FRAME;
pub(crate) use unindexed::NewSegment;

impl BlobKind {
    /// By the number of the variant.
    #[cfg(feature = "sqlite")]
    const NAMES: [&str; 9] =
        ["header", "dictionary", "facts", "labels", "traces", "moves", "tags", "positions", "ids"];

    /// Its name in the database.
    #[cfg(feature = "sqlite")]
    pub(crate) fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The number of games that a blob is of; `None` if it is of all games of its segment.
    pub(crate) fn games(self) -> Option<usize> {
        match self {
            Self::Facts | Self::Labels | Self::Traces => Some(FACTS_A_CHUNK),
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
#[derive(Debug, Default)]
pub(crate) struct SegmentBuilder {
    max_ply: usize,
    moves: CollectedMoves,
    facts: Vec<FactsRow>,
    tags: TagCollector,
    /// The texts that facts refer to, by the index of [`TEXTS`].
    texts: [Interner; TEXTS.len()],
    bytes: usize,
}

impl SegmentBuilder {
    /// An empty segment, in which positions will be found up to a ply.
    pub(crate) fn new(max_ply: usize) -> Self {
        Self { max_ply: max_ply.min(MAX_PLY), ..Self::default() }
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
        let mut shared = SHARED_TAGS.map(|name| game.tag(name).unwrap_or_default());
        let [_, _, _, site, _] = &mut shared;
        *site = shared_site(site);
        let opening = game.opening();
        let details = game.details();
        let named = opening.map(|named| [named.code(), "\t", named.english_name()].concat());
        let named = named.unwrap_or_default();
        let [white, black, event, site, variant] = shared;
        let texts = [white, black, event, site, variant, named.as_bytes()];
        let facts = FactsRow {
            details,
            texts: std::array::from_fn(|at| self.texts[TEXTS_OF_GAME[at]].add(texts[at])),
            shared: 0,
            next: 0,
            fingerprint: game.fingerprint(),
            arrival,
            traces: game.traces(),
        };
        let values = FactValues { texts: shared, details, opening };
        self.tags.begin();
        for (name, value) in game.texts.tags.all() {
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
        let mut numbers = Vec::new();
        for (kind, texts) in TEXTS.into_iter().zip(texts) {
            let (dictionary, of_kind) = texts.sorted();
            add_dictionary(sink, kind, &dictionary)?;
            numbers.push(of_kind);
        }
        let tags = tags.finish();
        add_dictionary(sink, DictionaryKind::Forms, &tags.forms)?;
        let sorted = moves.sorted(executor);
        let mut unindexed = write_games(max_ply, facts.len(), executor, sink, |push| {
            for games in sorted.chunks(TAGS_A_FRAME) {
                let mut parts = Some(tags.parts(games));
                for game in games {
                    let row = facts[*game as usize].renumbered(&numbers);
                    let row = row.expect("each text of a game was added");
                    let ((moves, start, class), tags) = (moves.get(*game), parts.take());
                    push(NextGame { row, moves, start, class, tags })?;
                }
            }
            Ok(None)
        })?;
        add_columns(&mut unindexed, tags.dictionaries(), sink)?;
        Ok(unindexed)
    }
}
