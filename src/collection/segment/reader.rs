//! Reads a segment.

use std::{any::Any, sync::Arc};

use hashbrown::{HashMap, hash_map};

use super::blobs::{BUCKETS_A_BLOB, BlobKind, Cache, DictionaryKind, Header, TEXTS};
use super::bucket::{BucketShape, Entry, Interval, find_entries};
use super::bytes::{ByteReader, DamagedSegment, find_item};
use super::facts::{FACTS_A_CHUNK, Facts, Labels, TEXTS_OF_GAME, TraceColumn};
use super::game_moves::{FRAMES_A_BLOB, GameMoves, MOVES_A_FRAME, MovesOfGames};
use super::tag_columns::{
    ColumnValue, FactValues, FrameReader, FrameTag, NO_TAGS, TAGS_A_FRAME, TagsFrame, ValueSource,
};
use super::{dictionary::Dictionary, merged_tags::TagDictionaries};
use crate::chess::{Board, CodedBoard, PositionKey};
use crate::collection::{GameId, GameTexts, KeptGame, KeptTags};
use crate::opening::{EcoCode, Opening};

/// Where the blobs of a segment are.
pub(crate) trait BlobSource {
    /// What goes wrong there.
    type Error;

    /// A number that no other segment has, as long as the cache is not cleared.
    fn key(&self) -> u64;

    /// Reads a blob.
    ///
    /// # Errors
    ///
    /// If there is none, or `read` refuses it.
    fn read<R>(
        &self,
        kind: BlobKind,
        number: u32,
        read: impl FnOnce(&[u8]) -> Result<R, DamagedSegment>,
    ) -> Result<R, Self::Error>;

    /// Checks that somebody still waits for what is read. Every reading of a segment asks first,
    /// also for what is in memory.
    ///
    /// # Errors
    ///
    /// If nobody does.
    fn check_waiting(&self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The error of a blob that does not fit the others.
    fn damaged(&self, fault: DamagedSegment) -> Self::Error;
}

/// Reads a segment.
#[derive(Debug)]
pub(crate) struct SegmentReader<'a, S> {
    source: S,
    cache: &'a Cache,
    header: Arc<Header>,
}

/// What is known of a game: the facts and labels of its chunk, and its index there.
pub(crate) struct KnownGame {
    pub(crate) facts: Arc<Facts>,
    pub(crate) labels: Arc<Labels>,
    pub(crate) at: usize,
}

const NO_SUCH_GAME: DamagedSegment = DamagedSegment::new("a number of no game");

impl<'a, S: BlobSource> SegmentReader<'a, S> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub(crate) fn new(source: S, cache: &'a Cache) -> Result<Self, S::Error> {
        let read = || source.read(BlobKind::Header, 0, Header::from_bytes);
        let header = cache.get_or((source.key(), BlobKind::Header, 0), Header::memory, read)?;
        Ok(Self { source, cache, header })
    }

    /// What the segment is made of.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// What the cache knows the segment by.
    pub(crate) fn key(&self) -> u64 {
        self.source.key()
    }

    /// The error of a segment whose parts do not fit each other.
    pub(crate) fn damaged(&self, fault: DamagedSegment) -> S::Error {
        self.source.damaged(fault)
    }

    /// What the cache has, or else what `read` returns, which is kept then.
    fn cached<T: Any + Send + Sync>(
        &self,
        (kind, number): (BlobKind, u32),
        memory: impl FnOnce(&T) -> usize,
        read: impl FnOnce() -> Result<T, S::Error>,
    ) -> Result<Arc<T>, S::Error> {
        self.source.check_waiting()?;
        self.cache.get_or((self.source.key(), kind, number), memory, read)
    }

    /// The facts of a chunk of games.
    pub(crate) fn facts(&self, chunk: u32) -> Result<Arc<Facts>, S::Error> {
        self.chunk((BlobKind::Facts, chunk), Facts::from_bytes, [Facts::len, Facts::memory])
    }

    /// The labels of a chunk of games.
    pub(crate) fn labels(&self, chunk: u32) -> Result<Arc<Labels>, S::Error> {
        self.chunk((BlobKind::Labels, chunk), Labels::from_bytes, [Labels::len, Labels::memory])
    }

    /// The traces of a chunk of games.
    pub(crate) fn traces(&self, chunk: u32) -> Result<Arc<TraceColumn>, S::Error> {
        let sizes = [TraceColumn::len, TraceColumn::memory];
        self.chunk((BlobKind::Traces, chunk), TraceColumn::from_bytes, sizes)
    }

    /// What is known of a chunk of games; `sizes` are their number, and the memory that it takes.
    fn chunk<T: Any + Send + Sync>(
        &self,
        blob: (BlobKind, u32),
        from_bytes: fn(&[u8]) -> Result<T, DamagedSegment>,
        [len, memory]: [fn(&T) -> usize; 2],
    ) -> Result<Arc<T>, S::Error> {
        let before = blob.1 as usize * FACTS_A_CHUNK;
        let games = (self.header.games as usize).saturating_sub(before).min(FACTS_A_CHUNK);
        self.cached(blob, memory, || {
            self.source.read(blob.0, blob.1, |bytes| match from_bytes(bytes)? {
                read if len(&read) == games => Ok(read),
                _ => Err(DamagedSegment::new("facts of another number of games")),
            })
        })
    }

    /// A dictionary.
    pub(crate) fn dictionary(&self, kind: DictionaryKind) -> Result<Arc<Dictionary>, S::Error> {
        let blob = (BlobKind::Dictionary, kind.number());
        self.cached(blob, Dictionary::memory, || {
            self.source.read(blob.0, blob.1, Dictionary::from_bytes)
        })
    }

    /// The games that have a position, as intervals that may lie in each other; sorted. A game that
    /// is known to have it is given as an interval of its own: what lists it needs no playing.
    pub(crate) fn intervals(
        &self,
        position: &PositionKey,
        known: Option<Interval>,
    ) -> Result<Vec<Interval>, S::Error> {
        let Header { counted, positions, .. } = self.header();
        let has_known = |interval: &Interval| {
            known.is_some_and(|known| interval.ply == known.ply && interval.has(known.first))
        };
        let mut found = Vec::new();
        for entry in self.entries(BlobKind::Positions, positions, position.hash64(), *counted)? {
            match entry {
                Entry::Game(game) => match known.filter(|known| known.first == game) {
                    Some(known) => found.push(known),
                    None => found.extend(self.last_visit(game, position)?),
                },
                Entry::Intervals(intervals)
                    if intervals.iter().any(has_known)
                        || self.has_position(&intervals, position)? =>
                {
                    found.extend(intervals);
                }
                Entry::Intervals(_) => {}
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    fn entries(
        &self,
        kind: BlobKind,
        shape: &BucketShape,
        hash: u64,
        games: u32,
    ) -> Result<Vec<Entry>, S::Error> {
        let number = shape.bucket_of(hash);
        // As it is stored. The others of its blob are of no use: hashes are spread evenly.
        let bucket = self.cached((kind, number as u32), Vec::len, || {
            self.source.read(kind, (number / BUCKETS_A_BLOB) as u32, |blob| {
                find_item(blob, number % BUCKETS_A_BLOB).map(<[u8]>::to_vec)
            })
        })?;
        let found = find_entries(shape, &bucket, hash, games);
        found.map_err(|fault| self.damaged(fault))
    }

    /// The last visit of a game to a position.
    fn last_visit(&self, game: u32, position: &PositionKey) -> Result<Option<Interval>, S::Error> {
        let (moves, index) = self.moves(game)?;
        let codes = moves.get(index).map_err(|fault| self.damaged(fault))?.codes;
        let counted = &codes[..codes.len().min(usize::from(self.header.max_ply))];
        let boards = (0..).zip(self.start(game)?.line(counted));
        let visits = boards.filter(|(_, (board, _))| board.key() == *position);
        Ok(visits.last().map(|(ply, _): (u16, _)| {
            let code = codes.get(usize::from(ply)).copied();
            Interval { first: game, ply, games: 1, code }
        }))
    }

    /// Whether intervals are of a position: that of the first game decides for all.
    fn has_position(
        &self,
        intervals: &[Interval],
        position: &PositionKey,
    ) -> Result<bool, S::Error> {
        let Some(Interval { first, ply, .. }) = intervals.first().copied() else {
            return Ok(false);
        };
        let (moves, index) = self.moves(first)?;
        let codes = moves.get(index).map_err(|fault| self.damaged(fault))?.codes;
        let board = self.start(first)?.line(codes).nth(usize::from(ply));
        Ok(board.is_some_and(|(board, _)| board.key() == *position))
    }

    /// The frame that the moves of a game are in, and its index there.
    fn moves(&self, game: u32) -> Result<(Arc<MovesOfGames>, usize), S::Error> {
        let (frame, index) = (game as usize / MOVES_A_FRAME, game as usize % MOVES_A_FRAME);
        let moves = self.cached((BlobKind::Moves, frame as u32), MovesOfGames::memory, || {
            self.source.read(BlobKind::Moves, (frame / FRAMES_A_BLOB) as u32, |blob| {
                MovesOfGames::unpack(find_item(blob, frame % FRAMES_A_BLOB)?)
            })
        })?;
        Ok((moves, index))
    }

    /// The frames of moves of a blob.
    pub(super) fn moves_frames(&self, blob: usize) -> Result<Vec<MovesOfGames>, S::Error> {
        let frames = self.frames_of(blob, MOVES_A_FRAME);
        self.source.read(BlobKind::Moves, blob as u32, |blob| {
            (0..frames).map(|frame| MovesOfGames::unpack(find_item(blob, frame)?)).collect()
        })
    }

    /// The frames of tags of a blob.
    pub(super) fn tags_frames(
        &self,
        blob: usize,
        forms: &Dictionary,
    ) -> Result<Vec<TagsFrame>, S::Error> {
        let frames = self.frames_of(blob, TAGS_A_FRAME);
        self.source.read(BlobKind::Tags, blob as u32, |blob| {
            let unpack = |item| TagsFrame::unpack(item, forms, self.shared_columns());
            (0..frames).map(|frame| unpack(find_item(blob, frame)?)).collect()
        })
    }

    /// The number of frames in a blob.
    fn frames_of(&self, blob: usize, games: usize) -> usize {
        let all = (self.header.games as usize).div_ceil(games);
        all.saturating_sub(blob * FRAMES_A_BLOB).min(FRAMES_A_BLOB)
    }

    /// The dictionaries of tags.
    pub(super) fn tag_dictionaries(&self) -> Result<TagDictionaries, S::Error> {
        let columns = (0..).zip(&self.header.shared_columns);
        let columns = columns.map(|(column, is_shared)| {
            is_shared.then(|| self.dictionary(DictionaryKind::Column(column))).transpose()
        });
        let forms = self.dictionary(DictionaryKind::Forms)?;
        Ok(TagDictionaries { forms, columns: columns.collect::<Result<_, _>>()? })
    }

    /// Whether a game has words after the moves that can be played.
    #[cfg(feature = "sqlite")]
    pub(crate) fn has_rest(&self, game: u32) -> Result<bool, S::Error> {
        let (moves, index) = self.moves(game)?;
        moves.get(index).map(|moves| !moves.rest.is_empty()).map_err(|fault| self.damaged(fault))
    }

    /// How much memory the largest dictionary takes, in bytes.
    #[cfg(feature = "sqlite")]
    pub(crate) fn memory_of_texts(&self) -> Result<usize, S::Error> {
        let columns = (0..).zip(&self.header.shared_columns).filter(|(_, is_shared)| **is_shared);
        let columns = columns.map(|(column, _)| DictionaryKind::Column(column));
        let mut kinds = TEXTS.into_iter().chain([DictionaryKind::Forms]).chain(columns);
        kinds.try_fold(0, |most, kind| Ok(self.dictionary(kind)?.memory().max(most)))
    }

    /// The board that a game begins on.
    fn start(&self, game: u32) -> Result<CodedBoard, S::Error> {
        if game < self.header.initial {
            return Ok(CodedBoard::default());
        }
        let start = self.game(game)?.start_board().map(CodedBoard::from);
        start.ok_or_else(|| self.damaged(DamagedSegment::new("a game without a start position")))
    }

    /// Calls `visit` with the number of each of some games, the codes of its moves, and where it
    /// begins, unless that is the initial position. Games of which that is not known are left out.
    pub(crate) fn each_line(
        &self,
        games: impl Iterator<Item = u32>,
        mut visit: impl FnMut(u32, &[u8], Option<Board>) -> Result<(), S::Error>,
    ) -> Result<(), S::Error> {
        for game in games {
            let mut start = None;
            if game >= self.header.initial {
                let Some(board) = self.game(game)?.start_board() else { continue };
                start = Some(board).filter(|board| *board != Board::default());
            }
            let (moves, index) = self.moves(game)?;
            let moves = moves.get(index).map_err(|fault| self.damaged(fault))?;
            visit(game, moves.codes, start)?;
        }
        Ok(())
    }

    /// What is wrong with the blobs that no game is read from, and with the sums of facts.
    #[cfg(feature = "sqlite")]
    pub(crate) fn other_faults(&self) -> Vec<S::Error> {
        let Header { positions, ids, sums, .. } = self.header();
        let buckets = |shape: &BucketShape| shape.buckets().div_ceil(BUCKETS_A_BLOB);
        let blobs = [
            (BlobKind::Facts, sums.len()),
            (BlobKind::Traces, sums.len()),
            (BlobKind::Positions, buckets(positions)),
            (BlobKind::Ids, buckets(ids)),
        ];
        let check = |kind, number: usize, bytes: &[u8]| match kind {
            BlobKind::Facts if Facts::from_bytes(bytes)?.sums() != sums[number] => {
                Err(DamagedSegment::new("the header has other sums"))
            }
            _ => Ok(()),
        };
        let faults = blobs.into_iter().flat_map(|(kind, count)| {
            (0..count).filter_map(move |number| {
                self.source.read(kind, number as u32, |bytes| check(kind, number, bytes)).err()
            })
        });
        faults.collect()
    }

    /// The number of the game with an identity.
    pub(crate) fn find_game(&self, id: GameId) -> Result<Option<u32>, S::Error> {
        let games = self.header.games;
        for entry in self.entries(BlobKind::Ids, &self.header.ids, id.number(), games)? {
            let Entry::Game(game) = entry else { continue };
            let (chunk, at) = self.place(game)?;
            if GameId::from(self.labels(chunk)?.fingerprint(at)) == id {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    /// The chunk that a game is in, and its index there.
    fn place(&self, game: u32) -> Result<(u32, usize), S::Error> {
        if game >= self.header.games {
            return Err(self.damaged(NO_SUCH_GAME));
        }
        let (chunk, at) = (game as usize / FACTS_A_CHUNK, game as usize % FACTS_A_CHUNK);
        Ok((chunk as u32, at))
    }

    /// What is known of a game.
    pub(crate) fn known(&self, game: u32) -> Result<KnownGame, S::Error> {
        let (chunk, at) = self.place(game)?;
        Ok(KnownGame { facts: self.facts(chunk)?, labels: self.labels(chunk)?, at })
    }

    /// The opening of a game.
    fn opening(&self, number: u32) -> Result<Option<Opening>, S::Error> {
        let openings = self.dictionary(DictionaryKind::Openings)?;
        read_opening(openings.text(number)).map_err(|fault| self.damaged(fault))
    }

    /// The tags of a game.
    pub(crate) fn tags(&self, game: u32) -> Result<KeptTags, S::Error> {
        let known = self.known(game)?;
        let opening = self.opening(known.labels.opening(known.at))?;
        self.tags_with(game, &known, opening.as_ref())
    }

    fn tags_with(
        &self,
        game: u32,
        known: &KnownGame,
        opening: Option<&Opening>,
    ) -> Result<KeptTags, S::Error> {
        let texts = self.tag_texts()?;
        let number = game / TAGS_A_FRAME as u32;
        let frame = self.cached((BlobKind::Tags, number), TagsFrame::memory, || {
            self.tags_frame(number, |frame| {
                TagsFrame::unpack(frame, &texts.forms, self.shared_columns())
            })
        })?;
        let index = game as usize % TAGS_A_FRAME;
        let found = frame.tags(index, &texts.forms, self.shared_columns());
        let (found, mut tags) = (found.map_err(|fault| self.damaged(fault))?, KeptTags::default());
        let values = || texts.values(known, opening);
        self.add_tags(&mut tags, &found, &mut HashMap::new(), values)?;
        Ok(tags)
    }

    /// Which games of a frame, the n-th [`TAGS_A_FRAME`] games, fit by their tags: a bit for each.
    /// Only tags of names that are read are there. All games of a collection may be asked in turn,
    /// so nothing of this is kept in memory.
    pub(crate) fn fit_by_tags(
        &self,
        frame: u32,
        is_read: impl Fn(&[u8]) -> bool,
        fits: impl Fn(&KeptTags) -> bool,
    ) -> Result<u64, S::Error> {
        let texts = self.tag_texts()?;
        let damaged = |fault| self.damaged(fault);
        let parts = self.tags_frame(frame, |frame| ByteReader::new(frame).unpacked())?;
        let mut reader = FrameReader::new(&parts, &texts.forms, self.shared_columns(), &is_read)
            .map_err(damaged)?;
        let reads_opening = is_read(b"ECO") || is_read(b"Opening");
        let first = frame * TAGS_A_FRAME as u32;
        let games = self.header.games.saturating_sub(first).min(TAGS_A_FRAME as u32);
        let (mut fitting, mut tags, mut columns) = (0, KeptTags::default(), HashMap::new());
        // A chunk of facts has whole frames.
        let mut known = self.known(first)?;
        for index in 0..games {
            let (_, read) = reader.next_game().map_err(damaged)?.ok_or_else(|| damaged(NO_TAGS))?;
            tags.reset(read.len(), 0);
            let opening = match reads_opening {
                true => self.opening(known.labels.opening(known.at))?,
                false => None,
            };
            self.add_tags(&mut tags, read, &mut columns, || {
                texts.values(&known, opening.as_ref())
            })?;
            fitting |= u64::from(fits(&tags)) << index;
            known.at += 1;
        }
        Ok(fitting)
    }

    /// The texts that tags of games consist of.
    fn tag_texts(&self) -> Result<TagTexts, S::Error> {
        let texts =
            TEXTS.map(|kind| self.dictionary(kind)).into_iter().collect::<Result<_, _>>()?;
        Ok(TagTexts { forms: self.dictionary(DictionaryKind::Forms)?, texts })
    }

    /// Adds the tags of a game. Dictionaries of columns that were used are in `columns`, and what
    /// the facts have is asked for once it is needed.
    fn add_tags<'v>(
        &self,
        tags: &mut KeptTags,
        found: &[FrameTag<'_>],
        columns: &mut HashMap<usize, Arc<Dictionary>>,
        values: impl Fn() -> FactValues<'v>,
    ) -> Result<(), S::Error> {
        let (mut known, mut room) = (None, [0; 10]);
        for FrameTag { name, source, value } in found {
            let head = match source {
                ValueSource::Column => &[][..],
                ValueSource::Facts | ValueSource::Both => {
                    known.get_or_insert_with(&values).value(name, &mut room)
                }
            };
            let rest = match *value {
                ColumnValue::None => &[][..],
                ColumnValue::Text(rest) => rest,
                ColumnValue::Number(column, number) => {
                    let dictionary = match columns.entry(column) {
                        hash_map::Entry::Occupied(known) => known.into_mut(),
                        hash_map::Entry::Vacant(entry) => {
                            entry.insert(self.dictionary(DictionaryKind::Column(column as u8))?)
                        }
                    };
                    dictionary.text(number)
                }
            };
            match (head, rest) {
                (value, []) | ([], value) => tags.push(name, value),
                (head, rest) => tags.push(name, &[head, rest].concat()),
            }
        }
        Ok(())
    }

    /// The columns of tags that have a dictionary.
    fn shared_columns(&self) -> impl Fn(usize) -> bool {
        |column| self.header.shared_columns.get(column).copied().unwrap_or(false)
    }

    /// Reads the tags of the games of a frame.
    fn tags_frame<T>(
        &self,
        frame: u32,
        read: impl FnOnce(&[u8]) -> Result<T, DamagedSegment>,
    ) -> Result<T, S::Error> {
        self.source.check_waiting()?;
        let (blob, index) = (frame / FRAMES_A_BLOB as u32, frame as usize % FRAMES_A_BLOB);
        self.source.read(BlobKind::Tags, blob, |blob| read(find_item(blob, index)?))
    }

    /// A game, whole.
    pub(crate) fn game(&self, game: u32) -> Result<KeptGame, S::Error> {
        let known = self.known(game)?;
        let KnownGame { facts, labels, at } = &known;
        let opening = self.opening(labels.opening(*at))?;
        let tags = self.tags_with(game, &known, opening.as_ref())?;
        let (moves, index) = self.moves(game)?;
        let GameMoves { codes, rest } = moves.get(index).map_err(|fault| self.damaged(fault))?;
        let (codes, rest) = (codes.to_vec(), rest.to_vec());
        let texts = GameTexts { tags, codes, rest };
        Ok(KeptGame::stored(labels.fingerprint(*at), texts, facts.details(*at, labels), opening))
    }
}

/// The texts that tags of games consist of, apart from columns.
struct TagTexts {
    forms: Arc<Dictionary>,
    /// By the index of [`TEXTS`].
    texts: Vec<Arc<Dictionary>>,
}

impl TagTexts {
    fn values<'t>(&'t self, known: &KnownGame, opening: Option<&'t Opening>) -> FactValues<'t> {
        let KnownGame { facts, labels, at } = known;
        let numbers = labels.texts(*at);
        let text = |label: usize| self.texts[TEXTS_OF_GAME[label]].text(numbers[label]);
        let texts = std::array::from_fn(text);
        FactValues { texts, details: facts.details(*at, labels), opening }
    }
}

/// Reads an opening as the dictionary has it.
pub(crate) fn read_opening(text: &[u8]) -> Result<Option<Opening>, DamagedSegment> {
    if text.is_empty() {
        return Ok(None);
    }
    let read = || {
        let (eco, name) = str::from_utf8(text).ok()?.split_once('\t')?;
        Some(Opening::new(EcoCode::from_text(eco).ok()?, name))
    };
    read().map(Some).ok_or(DamagedSegment::new("an opening that is not one"))
}
