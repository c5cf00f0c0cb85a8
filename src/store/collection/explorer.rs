//! Answers questions about collections, from many threads.

use std::{
    collections::{HashMap, VecDeque},
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    explored_segments::{ExploredSegment, KeyedBlobs, SegmentList},
    info::CollectionInfo,
    known_players::{self, KnownPlayers},
};
use crate::{
    chess::PositionKey,
    collection::{
        Cancellation, GameId, KeptGame, PositionQuery, PositionStats, SearchedSegment,
        SegmentFilter, search, segment::Cache,
    },
    select::UnknownPlayer,
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The memory for what is read of segments, in bytes.
const CACHE_BYTES: usize = 384 << 20;

/// Connections that wait for the next question.
const MAX_IDLE: usize = 16;

/// The number of filters that are kept: some for each segment.
const MAX_FILTERS: usize = 256;

/// The number of answers that are kept, of positions with many games.
const MAX_ANSWERS: usize = 1024;

/// An answer is kept if at least this number of games was counted for it.
const KEPT_GAMES: u64 = 2000;

/// Answers questions about the collections of a position database: what was played in a position,
/// and which game has an identity.
///
/// Many threads may ask at once. Each question sees the file as it is at that moment, so games that
/// are added meanwhile are seen by the next one. A file that was replaced is opened again; one that
/// is locked or damaged is an error of that question only.
///
/// A game that is in two of the collections counts in both.
///
/// ```
/// use eco::{chess::{Chess, EnPassantMode, PositionKey}, collection::PositionQuery};
/// use eco::{pipeline::Options, select::Selection};
/// use eco::store::{CollectionBuild, CollectionSettings, Explorer};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("chess.db");
/// # let options = Options::default();
/// # let settings = CollectionSettings::default();
/// # let mut build = CollectionBuild::begin(&path, "mine", &settings, &options.workers)?;
/// # build.add_pgn(&b"1. e4 c5 1-0\n\n1. d4 d5 0-1\n\n1. e4 e5 1-0\n"[..],
/// #     &Selection::default(), &options)?;
/// # build.finish()?;
/// let explorer = Explorer::open(&path, &[])?;
/// let start = PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
/// let stats = explorer.query(&start, &PositionQuery::default())?;
/// assert_eq!(stats.score.games(), 3);
/// assert_eq!(stats.moves[0].uci.to_string(), "e2e4");
/// assert_eq!(stats.moves[0].score.white, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Explorer {
    file: Arc<SharedFile>,
    /// The collections that are asked; all, if there are none.
    names: Vec<String>,
    memory: Arc<Memory>,
    cancellation: Cancellation,
}

/// What was found for the questions that were asked so far.
#[derive(Default)]
struct Memory {
    filters: Mutex<VecDeque<(u64, Arc<SegmentFilter>)>>,
    answers: Mutex<HashMap<Question, Answer>>,
    players: Mutex<Option<Arc<KnownPlayers>>>,
}

/// What explorers of the same file share.
struct SharedFile {
    path: PathBuf,
    connections: Mutex<Connections>,
    cache: Cache,
}

/// Open connections to the file.
#[derive(Default)]
struct Connections {
    idle: Vec<Database>,
    file: Option<FileId>,
    /// How often the file was replaced.
    generation: u64,
}

/// A connection in use.
struct Session {
    database: Database,
    generation: u64,
}

/// What is asked without a filter.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    position: PositionKey,
    games: [usize; 2],
    extras: [bool; 3],
}

struct Answer {
    /// The segments that were asked.
    segments: Vec<u64>,
    stats: Arc<PositionStats>,
}

impl Explorer {
    /// Opens a position database. `names` are the collections that are asked; without any, all
    /// that the file has at the time of a question.
    ///
    /// # Errors
    ///
    /// If there is no such file, it is not a position database, or it has no collection of one of
    /// the names.
    pub fn open(path: &Path, names: &[String]) -> Result<Self, StoreError> {
        let cache = Cache::new(CACHE_BYTES);
        let file = SharedFile { path: path.to_owned(), connections: Mutex::default(), cache };
        Self::of(Arc::new(file), names)
    }

    /// An explorer that asks only these collections of the same file. Both share connections and
    /// memory.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no collection of one of the names.
    pub fn only(&self, names: &[String]) -> Result<Self, StoreError> {
        Self::of(Arc::clone(&self.file), names)
    }

    /// The same explorer for questions that can be cancelled: those asked of the result end with
    /// [`StoreError::Cancelled`] soon after that, and leave nothing behind. Both share what they
    /// have found.
    #[must_use]
    pub fn until(&self, cancellation: &Cancellation) -> Self {
        Self {
            file: Arc::clone(&self.file),
            names: self.names.clone(),
            memory: Arc::clone(&self.memory),
            cancellation: cancellation.clone(),
        }
    }

    /// The bytes that are held of what was read of segments.
    #[cfg(test)]
    pub(super) fn memory_of_segments(&self) -> usize {
        self.file.cache.bytes()
    }

    fn of(file: Arc<SharedFile>, names: &[String]) -> Result<Self, StoreError> {
        let explorer = Self {
            file,
            names: names.to_vec(),
            memory: Arc::default(),
            cancellation: Cancellation::default(),
        };
        explorer.collections()?;
        Ok(explorer)
    }

    /// The collections that are asked, by name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no collection of a name that is asked.
    pub fn collections(&self) -> Result<Vec<CollectionInfo>, StoreError> {
        self.in_session(|session| match &self.names[..] {
            [] => session.database.collections(),
            names => names.iter().map(|name| session.database.collection(name)).collect(),
        })
    }

    /// What was played in a position.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn query(
        &self,
        position: &PositionKey,
        query: &PositionQuery,
    ) -> Result<PositionStats, StoreError> {
        self.with_segments(|segments| {
            let question = Question::new(position, query);
            let keys: Vec<u64> = segments.iter().map(|segment| segment.key).collect();
            if let Some(stats) = question.as_ref().and_then(|q| self.known_answer(q, &keys)) {
                return Ok(PositionStats::clone(&stats));
            }
            let searched = segments.into_iter().map(|segment| self.searched(segment, query));
            let stats = search(&searched.collect::<Result<Vec<_>, _>>()?, position, query)?;
            if let Some(question) = question.filter(|_| stats.score.games() >= KEPT_GAMES) {
                let answer = Answer { segments: keys, stats: Arc::new(stats.clone()) };
                let mut answers = lock(&self.memory.answers);
                if answers.len() >= MAX_ANSWERS {
                    answers.clear();
                }
                answers.insert(question, answer);
            }
            Ok(stats)
        })
    }

    /// The game with an identity: all its tags, and all its moves.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn game(&self, id: GameId) -> Result<Option<KeptGame>, StoreError> {
        self.with_segments(|segments| {
            for ExploredSegment { reader, .. } in &segments {
                if let Some(number) = reader.find_game(id)? {
                    return reader.game(number).map(Some);
                }
            }
            Ok(None)
        })
    }

    /// The names of players that have all words of a text as parts, with the number of their
    /// games: those with the most games first. Case and accents do not matter.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn players(&self, part: &str, limit: usize) -> Result<Vec<(String, u64)>, StoreError> {
        Ok(self.known_players()?.find(part, limit))
    }

    /// A player whom no game has, with the nearest names; `None` if a game has the player. The name
    /// is compared as in a [`Selection`](crate::select::Selection).
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unknown_player(&self, name: &str) -> Result<Option<UnknownPlayer>, StoreError> {
        self.with_segments(|segments| known_players::unknown(name, &segments))
    }

    fn known_players(&self) -> Result<Arc<KnownPlayers>, StoreError> {
        self.with_segments(|segments| {
            let known = lock(&self.memory.players).clone();
            let keys: Vec<u64> = segments.iter().map(|segment| segment.key).collect();
            if let Some(players) = known.filter(|players| players.are_of(&keys)) {
                return Ok(players);
            }
            let players = Arc::new(KnownPlayers::read(keys, &segments)?);
            *lock(&self.memory.players) = Some(Arc::clone(&players));
            Ok(players)
        })
    }

    fn known_answer(&self, question: &Question, keys: &[u64]) -> Option<Arc<PositionStats>> {
        let answers = lock(&self.memory.answers);
        let answer = answers.get(question).filter(|answer| answer.segments == keys)?;
        Some(Arc::clone(&answer.stats))
    }

    /// A segment with the meaning of the query for it.
    fn searched<'s>(
        &self,
        segment: ExploredSegment<'s>,
        query: &PositionQuery,
    ) -> Result<SearchedSegment<'s, KeyedBlobs<'s>>, StoreError> {
        let ExploredSegment { reader, collection, key } = segment;
        let is_same = |(of, filter): &&(u64, Arc<SegmentFilter>)| *of == key && filter.is_of(query);
        let known =
            lock(&self.memory.filters).iter().find(is_same).map(|(_, filter)| Arc::clone(filter));
        let filter = match known {
            Some(filter) => filter,
            None => {
                let filter = Arc::new(SegmentFilter::new(&reader, query)?);
                let mut filters = lock(&self.memory.filters);
                filters.truncate(MAX_FILTERS - 1);
                filters.push_front((key, Arc::clone(&filter)));
                filter
            }
        };
        Ok(SearchedSegment { reader, collection, filter })
    }

    /// Asks the segments of the collections, as they are at one moment.
    fn with_segments<R>(
        &self,
        ask: impl FnOnce(Vec<ExploredSegment<'_>>) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        self.in_session(|session| {
            let database = &session.database;
            // All is read of one moment; nothing is written, so nothing is committed.
            let transaction = database.connection.unchecked_transaction();
            let _snapshot = transaction.in_file(&database.name)?;
            let list = SegmentList::read(database, &self.names)?;
            ask(list.open(database, session.generation, &self.file.cache, &self.cancellation)?)
        })
    }

    /// Lends a connection. After an error it is closed.
    fn in_session<R>(
        &self,
        ask: impl FnOnce(&Session) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let session = self.session()?;
        let result = ask(&session)?;
        let mut connections = lock(&self.file.connections);
        if connections.generation == session.generation && connections.idle.len() < MAX_IDLE {
            connections.idle.push(session.database);
        }
        Ok(result)
    }

    fn session(&self) -> Result<Session, StoreError> {
        let file = FileId::of(&self.file.path).map_err(|error| StoreError::Inaccessible {
            name: self.file.path.display().to_string(),
            source: error.into(),
        })?;
        let mut connections = lock(&self.file.connections);
        if connections.file != Some(file) {
            connections.idle.clear();
            connections.file = Some(file);
            connections.generation += 1;
            self.file.cache.clear();
        }
        let (idle, generation) = (connections.idle.pop(), connections.generation);
        drop(connections);
        let database = idle.map_or_else(|| Database::open(&self.file.path), Ok)?;
        Ok(Session { database, generation })
    }
}

impl Question {
    /// The question, unless it has a filter.
    fn new(position: &PositionKey, query: &PositionQuery) -> Option<Self> {
        let has_filter = !query.selection.is_everything() || !query.mean_ratings.is_empty();
        (!has_filter).then_some(Self {
            position: *position,
            games: [query.top_games, query.recent_games],
            extras: [query.from_position, query.history, query.reached],
        })
    }
}

impl fmt::Debug for Explorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explorer")
            .field("path", &self.file.path)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind these locks is whole at any moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What tells a file from one that takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileId {
    numbers: [u64; 2],
}

impl FileId {
    #[cfg(unix)]
    fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;

        let metadata = std::fs::metadata(path)?;
        Ok(Self { numbers: [metadata.dev(), metadata.ino()] })
    }

    #[cfg(not(unix))]
    fn of(path: &Path) -> io::Result<Self> {
        let created = std::fs::metadata(path)?.created().unwrap_or(std::time::UNIX_EPOCH);
        let since = created.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(Self { numbers: [since.as_secs(), u64::from(since.subsec_nanos())] })
    }
}
