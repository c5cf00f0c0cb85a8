//! Asks segments, wherever they are from, and remembers what was found.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use super::search::{SearchedSegment, search};
use super::segment::{BlobSource, Cache, DictionaryKind, SegmentReader};
use super::{GameId, KeptGame, PositionQuery, PositionStats, filter::SegmentFilter};
use crate::select::{People, UnknownPlayer, fold};
use crate::{chess::PositionKey, executor::lock, pgn::decode_text};

/// The number of filters that are kept: some for each segment.
const MAX_FILTERS: usize = 128;

/// The number of answers that are kept, of positions with many games.
const MAX_ANSWERS: usize = 1024;

/// The sets of segments whose players are kept.
const MAX_PLAYERS: usize = 16;

/// An answer is kept if at least this number of games was counted for it.
const KEPT_GAMES: u64 = 2000;

/// A segment that can be asked.
pub(crate) struct ExploredSegment<'s, S> {
    pub(crate) reader: SegmentReader<'s, S>,
    /// The collection that it is of.
    pub(crate) collection: &'s str,
}

/// What was found for the questions that were asked so far.
pub(crate) struct Memory {
    filters: Mutex<VecDeque<(u64, Arc<SegmentFilter>)>>,
    answers: Cache<Question>,
    /// The players of some segments, by their keys.
    players: Cache<Vec<u64>>,
}

impl Default for Memory {
    fn default() -> Self {
        let (answers, players) = (Cache::of_values(MAX_ANSWERS), Cache::of_values(MAX_PLAYERS));
        Self { filters: Mutex::default(), answers, players }
    }
}

/// What is asked without a filter.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    /// The keys of the segments that are asked.
    segments: Vec<u64>,
    position: PositionKey,
    games: [usize; 2],
    extras: [bool; 3],
}

impl Memory {
    /// What was played in a position.
    pub(crate) fn query<S: BlobSource>(
        &self,
        segments: Vec<ExploredSegment<'_, S>>,
        position: &PositionKey,
        query: &PositionQuery,
    ) -> Result<PositionStats, S::Error> {
        let question = Question::new(&segments, position, query);
        if let Some(stats) = question.as_ref().and_then(|q| self.answers.get(q)) {
            return Ok(PositionStats::clone(&stats));
        }
        let searched = segments.into_iter().map(|segment| self.searched(segment, query));
        let stats = search(&searched.collect::<Result<Vec<_>, _>>()?, position, query)?;
        if let Some(question) = question.filter(|_| stats.score.games() >= KEPT_GAMES) {
            self.answers.put(question, Arc::new(stats.clone()), 0);
        }
        Ok(stats)
    }

    /// A segment with the meaning of the query for it.
    pub(crate) fn searched<'s, S: BlobSource>(
        &self,
        segment: ExploredSegment<'s, S>,
        query: &PositionQuery,
    ) -> Result<SearchedSegment<'s, S>, S::Error> {
        let ExploredSegment { reader, collection } = segment;
        let key = reader.key();
        let is_same = |(of, filter): &&(u64, Arc<SegmentFilter>)| *of == key && filter.is_of(query);
        let known = lock(&self.filters).iter().find(is_same).map(|(_, filter)| Arc::clone(filter));
        let filter = match known {
            Some(filter) => filter,
            None => {
                let filter = Arc::new(SegmentFilter::new(&reader, query)?);
                let mut filters = lock(&self.filters);
                filters.truncate(MAX_FILTERS - 1);
                filters.push_front((key, Arc::clone(&filter)));
                filter
            }
        };
        Ok(SearchedSegment { reader, collection, filter })
    }

    /// The players of segments.
    pub(crate) fn players<S: BlobSource>(
        &self,
        segments: &[ExploredSegment<'_, S>],
    ) -> Result<Arc<KnownPlayers>, S::Error> {
        self.players.get_or(keys(segments), |_| 0, || KnownPlayers::read(segments))
    }
}

fn keys<S: BlobSource>(segments: &[ExploredSegment<'_, S>]) -> Vec<u64> {
    segments.iter().map(|segment| segment.reader.key()).collect()
}

/// The game with an identity.
pub(crate) fn find_game<S: BlobSource>(
    segments: &[ExploredSegment<'_, S>],
    id: GameId,
) -> Result<Option<KeptGame>, S::Error> {
    for ExploredSegment { reader, .. } in segments {
        if let Some(number) = reader.find_game(id)? {
            return reader.game(number).map(Some);
        }
    }
    Ok(None)
}

impl Question {
    /// The question, unless it has a filter.
    fn new<S: BlobSource>(
        segments: &[ExploredSegment<'_, S>],
        position: &PositionKey,
        query: &PositionQuery,
    ) -> Option<Self> {
        let has_filter = !query.selection.is_everything() || !query.mean_ratings.is_empty();
        (!has_filter).then(|| Self {
            segments: keys(segments),
            position: *position,
            games: [query.top_games, query.recent_games],
            extras: [query.from_position, query.history, query.reached],
        })
    }
}

/// The players of some segments, those with the most games first.
pub(crate) struct KnownPlayers(Vec<KnownPlayer>);

struct KnownPlayer {
    folded: String,
    name: String,
    games: u64,
}

impl KnownPlayers {
    fn read<S: BlobSource>(segments: &[ExploredSegment<'_, S>]) -> Result<Self, S::Error> {
        let mut games: HashMap<String, u64> = HashMap::new();
        for segment in segments {
            let players = segment.reader.dictionary(DictionaryKind::Players)?;
            for (name, count) in players.iter() {
                *games.entry(decode_text(name).into_owned()).or_default() += u64::from(count);
            }
        }
        let named = games.into_iter().filter(|(name, _)| is_name(name.as_bytes()));
        let player =
            |(name, games): (String, u64)| KnownPlayer { folded: fold(&name).into(), name, games };
        let mut players: Vec<_> = named.map(player).collect();
        players.sort_unstable_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        Ok(Self(players))
    }

    /// The first players that have all words of a text.
    pub(crate) fn find(&self, part: &str, limit: usize) -> Vec<(String, u64)> {
        let folded = fold(part);
        let words = folded.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let found = self.0.iter().filter(|p| words.iter().all(|w| p.folded.contains(w)));
        found.take(limit).map(|player| (player.name.clone(), player.games)).collect()
    }
}

/// The names nearest to one that no game of some segments has; `None` if a game has it, or there
/// are no games. The names are looked at where they are, and no list of all players is made.
pub(crate) fn unknown_player<S: BlobSource>(
    name: &str,
    segments: &[ExploredSegment<'_, S>],
) -> Result<Option<UnknownPlayer>, S::Error> {
    let (people, mut has_names) = (People::new(vec![name.to_owned()]), false);
    for segment in segments {
        let players = segment.reader.dictionary(DictionaryKind::Players)?;
        has_names |= players.iter().any(|(name, _)| is_name(name));
        people.meet_names(&players.iter());
        if people.are_found() {
            break;
        }
    }
    Ok(people.missing().pop().filter(|_| has_names))
}

/// Whether a value is the name of somebody.
fn is_name(value: &[u8]) -> bool {
    !matches!(value.trim_ascii(), b"" | b"?")
}
