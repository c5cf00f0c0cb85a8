//! Answers questions about collections, from many threads.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{collections::BTreeMap, ops::ControlFlow};

use super::list::{ListedCollection, SegmentRow};
use super::{CollectionInfo, segments::SegmentBlobs};
use crate::collection::segment::{Cache, SegmentReader};
use crate::collection::{
    Cancellation, ExploredSegment, GameId, KeptGame, Memory, PositionQuery, PositionStats,
    find_game, unknown_player,
};
use crate::new_file::{FileId, identity};
use crate::repertoire::{Book, MoveCounts};
use crate::store::{DamagedGames, Database, InFile, StoreError};
use crate::{chess::PositionKey, executor::lock, select::UnknownPlayer};

/// The memory for what is read of segments, in bytes.
const CACHE_BYTES: usize = 256 << 20;

/// The size of SQLite's cache for each connection: the pages that lead to the blobs of ten million
/// games, each of which is looked up by many questions.
const CACHE_KIBIBYTES: i64 = 8 * 1024;

/// Connections that wait for the next question.
const MAX_IDLE: usize = 16;

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
/// use eco::{chess::{Chess, PositionKey}, collection::PositionQuery};
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
/// let start = PositionKey::from(&Chess::default());
/// let stats = explorer.query(&start, &PositionQuery::default())?;
/// assert_eq!(stats.score.games(), 3);
/// assert_eq!(stats.moves[0].uci.to_string(), "e2e4");
/// assert_eq!(stats.moves[0].score.white, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Explorer {
    file: Arc<SharedFile>,
    /// The collections that are asked; all, if there are none.
    names: Vec<String>,
    cancellation: Cancellation,
    /// The damage that was found, by the numbers of segments, if these are to be left out.
    left_out: Option<Arc<Mutex<BTreeMap<i64, DamagedGames>>>>,
}

/// What explorers of the same file share.
struct SharedFile {
    path: PathBuf,
    connections: Mutex<Connections>,
    cache: Cache,
    memory: Memory,
}

/// Open connections to the file.
#[derive(Default)]
struct Connections {
    idle: Vec<Database>,
    /// The identity of the file, by which a replacement is noticed.
    file: Option<FileId>,
    /// How often the file was replaced.
    generation: u64,
}

/// A connection in use.
struct Session {
    database: Database,
    generation: u64,
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
        let file = Arc::new(SharedFile {
            path: path.to_owned(),
            connections: Mutex::default(),
            cache: Cache::new(CACHE_BYTES),
            memory: Memory::default(),
        });
        let (names, cancellation) = (names.to_vec(), Cancellation::default());
        let explorer = Self { file, names, cancellation, left_out: None };
        explorer.collections()?;
        Ok(explorer)
    }

    /// An explorer that asks only these collections of the same file. Both share connections and
    /// memory. If the file has no collection of one of the names, each question is an error.
    pub fn only(&self, names: &[String]) -> Self {
        Self { names: names.to_vec(), ..self.clone() }
    }

    /// This explorer for questions that can be cancelled: those asked of the result end with
    /// [`StoreError::Cancelled`] soon after that, and leave nothing behind. Both share what they
    /// have found.
    pub fn until(&self, cancellation: &Cancellation) -> Self {
        Self { cancellation: cancellation.clone(), ..self.clone() }
    }

    /// This explorer for questions that are answered without the games of damaged segments, where
    /// otherwise they end with [`StoreError::DamagedGames`]. Both share what they have found.
    pub fn leaving_out_damage(&self) -> Self {
        Self { left_out: Some(Arc::default()), ..self.clone() }
    }

    /// The damage that was found so far. All games of the segments are left out that it is in.
    pub fn left_out(&self) -> Vec<DamagedGames> {
        self.left_out
            .iter()
            .flat_map(|found| lock(found).values().cloned().collect::<Vec<_>>())
            .collect()
    }

    /// Whether a segment is left out from now on, given the error of a question that was asked of
    /// it.
    fn leaves_out(&self, error: &StoreError) -> bool {
        let (Some(left_out), StoreError::DamagedGames { games, .. }) = (&self.left_out, error)
        else {
            return false;
        };
        let Some((segment, _)) = games.segment else { return false };
        lock(left_out).insert(segment, DamagedGames::clone(games)).is_none()
    }

    /// The collections that are asked, by name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has no collection of a name that is asked.
    pub fn collections(&self) -> Result<Vec<CollectionInfo>, StoreError> {
        self.in_session(|session| session.database.collections_of(&self.names))
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
        self.with_segments(|segments| self.file.memory.query(segments, position, query))
    }

    /// Calls `visit` with every game that has a position and counts: all that
    /// [`query`](Self::query) counts, and in the order of their moves within each part of a
    /// collection. Where damage is left out, games of its segment may come before it is found.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or that of `visit`.
    pub fn games<E: From<StoreError>>(
        &self,
        position: &PositionKey,
        query: &PositionQuery,
        mut visit: impl FnMut(KeptGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut visited = Ok(());
        let mut visit = |game| {
            visited = visit(game);
            if visited.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.with_listed(|session, listed| {
            for listed in listed {
                let segment = self.open_segment(session, listed);
                let searched = segment.and_then(|s| self.file.memory.searched(s, query));
                match searched.and_then(|s| s.games(position, query, &mut visit)) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => break,
                    Err(error) if self.leaves_out(&error) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        })?;
        visited
    }

    /// The game with an identity: all its tags, and all its moves.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn game(&self, id: GameId) -> Result<Option<KeptGame>, StoreError> {
        self.with_segments(|segments| find_game(&segments, id))
    }

    /// The names of players that have all words of a text as parts, with the number of their
    /// games: those with the most games first. Case and accents do not matter.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn players(&self, part: &str, limit: usize) -> Result<Vec<(String, u64)>, StoreError> {
        let players = self.with_segments(|segments| self.file.memory.players(&segments))?;
        Ok(players.find(part, limit))
    }

    /// A player whom no game has, with the nearest names; `None` if a game has the player. The name
    /// is compared as in a [`Selection`](crate::select::Selection).
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unknown_player(&self, name: &str) -> Result<Option<UnknownPlayer>, StoreError> {
        self.with_segments(|segments| unknown_player(name, &segments))
    }

    /// What the games that are asked played in the positions of a book in which the opponent is to
    /// move and the book has a move: the numbers of games with a result.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn replies(&self, book: &Book) -> Result<MoveCounts, StoreError> {
        let mut counts = MoveCounts::default();
        let query = PositionQuery { from_position: true, ..PositionQuery::default() };
        for id in book.ids().filter(|id| !book.is_own_turn(*id) && book.has_moves(*id)) {
            for played in self.query(&book.node(id).key, &query)?.moves {
                let games = u32::try_from(played.score.games()).unwrap_or(u32::MAX);
                counts.add_games(id, played.uci, games);
            }
        }
        Ok(counts)
    }

    /// Asks the segments of the collections, as they are at one moment; again without a damaged
    /// one, if it is left out.
    fn with_segments<R>(
        &self,
        ask: impl Fn(Vec<ExploredSegment<'_, SegmentBlobs<'_>>>) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        self.with_listed(|session, listed| {
            loop {
                let known = self.left_out.as_ref();
                let is_asked = |(segment, _): &&ListedSegment| {
                    known.is_none_or(|known| !lock(known).contains_key(&segment.id))
                };
                let segments = listed.iter().filter(is_asked);
                let segments = segments.map(|listed| self.open_segment(session, listed));
                match segments.collect::<Result<_, _>>().and_then(&ask) {
                    Err(error) if self.leaves_out(&error) => {}
                    answered => return answered,
                }
            }
        })
    }

    /// Calls `ask` with the segments of the collections, as they are at one moment.
    fn with_listed<R>(
        &self,
        ask: impl FnOnce(&Session, &[ListedSegment]) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        self.in_session(|session| {
            let database = &session.database;
            let _snapshot = database.snapshot()?;
            ask(session, &listed_segments(database, &self.names)?)
        })
    }

    fn open_segment<'s>(
        &'s self,
        session: &'s Session,
        listed: &'s ListedSegment,
    ) -> Result<ExploredSegment<'s, SegmentBlobs<'s>>, StoreError> {
        let (SegmentRow { id, games, bytes, .. }, collection) = listed;
        // What was written over a file, in the same place, has other sizes.
        let mut hasher = DefaultHasher::new();
        (session.generation, *id, *games, *bytes).hash(&mut hasher);
        let mut blobs = SegmentBlobs::new(&session.database, *id);
        (blobs.key, blobs.cancellation) = (hasher.finish(), Some(&self.cancellation));
        let reader = SegmentReader::new(blobs, &self.file.cache)?;
        Ok(ExploredSegment { reader, collection })
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
        let file = identity(&self.file.path).map_err(|error| StoreError::Inaccessible {
            name: self.file.path.display().to_string(),
            source: error.into(),
        })?;
        let mut connections = lock(&self.file.connections);
        if connections.file.as_ref() != Some(&file) {
            connections.idle.clear();
            connections.file = Some(file);
            connections.generation += 1;
            self.file.cache.clear();
        }
        let (idle, generation) = (connections.idle.pop(), connections.generation);
        drop(connections);
        if let Some(database) = idle {
            return Ok(Session { database, generation });
        }
        let database = Database::open(&self.file.path)?;
        let cached = database.connection.pragma_update(None, "cache_size", -CACHE_KIBIBYTES);
        cached.in_file(&database.name)?;
        Ok(Session { database, generation })
    }
}

/// A segment that is asked, and its collection.
type ListedSegment = (SegmentRow, String);

/// The segments of the collections of these names, in order; of all, if there are none.
fn listed_segments(
    database: &Database,
    names: &[String],
) -> Result<Vec<ListedSegment>, StoreError> {
    let collections = match names {
        [] => database.listed_collections()?,
        names => {
            let mut names: Vec<&String> = names.iter().collect();
            names.sort();
            names.dedup();
            let found = names.into_iter().map(|name| database.listed_collection(name));
            found.collect::<Result<_, _>>()?
        }
    };
    let segments_of = |ListedCollection { info, segments, .. }: ListedCollection| {
        segments.into_iter().map(move |segment| (segment, info.name.clone()))
    };
    Ok(collections.into_iter().flat_map(segments_of).collect())
}

#[cfg(test)]
impl Explorer {
    /// The bytes that are held of what was read of segments.
    pub(super) fn memory_of_segments(&self) -> usize {
        self.file.cache.bytes()
    }
}
