//! Writes the games of a segment, whether they were collected or are of other segments: in the
//! order of their moves, some at a time, so that few are in memory.

use super::blobs::{Blob, BlobKind, DictionaryKind};
use super::facts::{FACTS_A_CHUNK, Facts, FactsRow, Labels, Sums, TraceColumn};
use super::game_moves::{FRAMES_A_BLOB, GameMoves, MOVES_A_FRAME, MovesOfGames, shared_moves};
use super::sink::SegmentSink;
use super::{
    bytes::join_items, dictionary::Dictionary, tag_columns::TagParts, unindexed::Unindexed,
};
use crate::{chess::Board, chess::PositionKey, executor::Executor};

/// Games that are packed together: a whole number of all blobs.
const GAMES_A_WINDOW: usize = 1 << 13;

/// A game, the next one in the order of a segment.
pub(super) struct NextGame<'g> {
    /// What is known of it, but for what it shares with the one before.
    pub(super) row: FactsRow,
    pub(super) moves: GameMoves<'g>,
    /// Where it begins, if it is set up and counts.
    pub(super) start: Option<Board>,
    /// 0 for games from the initial position, 1 for others that count, 2 for the rest.
    pub(super) class: u8,
    /// The tags of its frame, if it begins or ends that.
    pub(super) tags: Option<TagParts>,
}

/// Writes games, which `feed` pushes in the order of a segment, while it finds the next. It returns
/// the tags of the last games, if they fill no frame.
pub(super) fn write_games<K: SegmentSink>(
    max_ply: usize,
    games: usize,
    executor: &impl Executor,
    sink: &mut K,
    feed: impl FnOnce(&mut dyn FnMut(NextGame<'_>) -> Result<(), K::Error>) -> Fed<K::Error>,
) -> Result<Unindexed, K::Error> {
    let (mut collector, mut sums) = (Collector::new(max_ply, games), Vec::new());
    executor.run(
        |push| {
            let tags = feed(&mut |game| collector.push(game).map_or(Ok(()), &mut *push))?;
            collector.window.tags.extend(tags);
            push(collector.next_window())
        },
        |window| window.pack(),
        |(blobs, of_window)| {
            sums.extend(of_window);
            blobs.into_iter().try_for_each(|blob| sink.add(blob))
        },
    )?;
    collector.unindexed.header.sums = sums;
    Ok(collector.unindexed)
}

type Fed<E> = Result<Option<TagParts>, E>;

/// Games that are packed together.
#[derive(Default)]
struct Window {
    /// How many there are before.
    number: usize,
    moves: MovesOfGames,
    rows: Vec<FactsRow>,
    tags: Vec<TagParts>,
}

impl Window {
    /// All blobs of the games, and the sums of each chunk.
    fn pack(&self) -> (Vec<Blob>, Vec<Sums>) {
        let (mut blobs, mut all_sums) = (Vec::new(), Vec::new());
        let mut add = |kind: BlobKind, at: usize, bytes| {
            let before = kind.games().map_or(0, |games| GAMES_A_WINDOW / games * self.number);
            blobs.push(Blob { kind, number: (before + at) as u32, bytes });
        };
        for (at, rows) in self.rows.chunks(FACTS_A_CHUNK).enumerate() {
            let (mut facts, mut labels) = (Facts::default(), Labels::default());
            let mut traces = TraceColumn::default();
            for row in rows {
                facts.push(row);
                labels.push(row);
                traces.push(row);
            }
            add(BlobKind::Facts, at, facts.to_bytes());
            add(BlobKind::Labels, at, labels.to_bytes());
            add(BlobKind::Traces, at, traces.to_bytes());
            all_sums.push(facts.sums());
        }
        let games = self.moves.len();
        let moves = |first| self.moves.pack(first..(first + MOVES_A_FRAME).min(games));
        let moves: Vec<_> = (0..games).step_by(MOVES_A_FRAME).map(moves).collect();
        let tags: Vec<_> = self.tags.iter().map(TagParts::pack).collect();
        for (kind, frames) in [(BlobKind::Moves, moves), (BlobKind::Tags, tags)] {
            let frames = frames.chunks(FRAMES_A_BLOB).enumerate();
            frames.for_each(|(at, frames)| add(kind, at, join_items(frames)));
        }
        (blobs, all_sums)
    }
}

/// Collects games in the order of their moves, for one window after another.
struct Collector {
    unindexed: Unindexed,
    /// The class and the start of the last game, and its moves if its window is full.
    last: Option<(u8, Option<PositionKey>)>,
    last_codes: Vec<u8>,
    window: Window,
}

impl Collector {
    /// No games, of about this number.
    fn new(max_ply: usize, games: usize) -> Self {
        Self {
            unindexed: Unindexed::new(max_ply, games),
            last: None,
            last_codes: Vec::new(),
            window: Window::default(),
        }
    }

    /// Adds a game. Returns the window if it is full.
    fn push(&mut self, game: NextGame<'_>) -> Option<Window> {
        let NextGame { mut row, moves, start, class, tags } = game;
        let window = &mut self.window;
        let place = Some((class, start.map(|board| board.key())));
        let before = window.moves.len().checked_sub(1).map(|last| window.moves.at(last).codes);
        let shared = (self.last == place)
            .then(|| shared_moves(before.unwrap_or(&self.last_codes), moves.codes));
        self.last = place;
        row.shared = shared.unwrap_or(0);
        let next = moves.codes.get(usize::from(row.shared));
        row.next = next.map_or(0, |code| u16::from(*code) + 1);
        self.unindexed.push((moves.codes, shared), start, &row, class);
        window.moves.push(moves);
        window.rows.push(row);
        window.tags.extend(tags);
        (window.rows.len() == GAMES_A_WINDOW).then(|| {
            self.last_codes = moves.codes.to_vec();
            self.next_window()
        })
    }

    /// The games that were collected.
    fn next_window(&mut self) -> Window {
        let next = Window { number: self.window.number + 1, ..Window::default() };
        std::mem::replace(&mut self.window, next)
    }
}

pub(super) fn add_dictionary<K: SegmentSink>(
    sink: &mut K,
    kind: DictionaryKind,
    dictionary: &Dictionary,
) -> Result<(), K::Error> {
    let (number, bytes) = (kind.number(), dictionary.to_bytes());
    sink.add(Blob { kind: BlobKind::Dictionary, number, bytes })
}

/// Writes the dictionaries of the columns of tags, of those that have one.
pub(super) fn add_columns<'d, K: SegmentSink>(
    unindexed: &mut Unindexed,
    columns: impl Iterator<Item = Option<&'d Dictionary>>,
    sink: &mut K,
) -> Result<(), K::Error> {
    for (column, dictionary) in (0..).zip(columns) {
        unindexed.header.shared_columns.push(dictionary.is_some());
        let kind = DictionaryKind::Column(column);
        dictionary.map_or(Ok(()), |dictionary| add_dictionary(sink, kind, dictionary))?;
    }
    Ok(())
}
