//! Writes the games of a segment, whether they were collected or are of other segments: in the
//! order of their moves, some at a time, so that few are in memory.

use super::blobs::{Blob, BlobKind, DictionaryKind};
use super::dictionary::Dictionary;
use super::facts::{FACTS_A_CHUNK, Facts, FactsRow, Labels, Sums, TraceColumn};
use super::game_moves::{FRAMES_A_BLOB, GameMoves, MOVES_A_FRAME, pack_moves, shared_moves};
use super::sink::{JoinedItems, SegmentSink};
use super::tag_columns::TagParts;
use super::unindexed::Unindexed;
use crate::{chess::Board, chess::PositionKey, executor::Executor, lists::Lists};

/// Games that are packed at the same time: a whole number of all blobs.
const GAMES_AT_ONCE: usize = 1 << 15;

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

/// Games that are packed together.
#[derive(Default)]
struct Window {
    codes: Lists<u8>,
    rests: Lists<u8>,
    rows: Vec<FactsRow>,
    tags: Vec<TagParts>,
}

/// Writes games in the order of their moves.
pub(super) struct GameWriter {
    unindexed: Unindexed,
    /// The class and the start of the last game, and its moves if its window is written.
    last: Option<(u8, Option<PositionKey>)>,
    last_codes: Vec<u8>,
    window: Window,
    moves: JoinedItems,
    tags: JoinedItems,
}

impl GameWriter {
    /// No games, of about this number.
    pub(super) fn new(max_ply: usize, games: usize) -> Self {
        Self {
            unindexed: Unindexed::new(max_ply, games),
            last: None,
            last_codes: Vec::new(),
            window: Window::default(),
            moves: JoinedItems::new(BlobKind::Moves, FRAMES_A_BLOB),
            tags: JoinedItems::new(BlobKind::Tags, FRAMES_A_BLOB),
        }
    }

    /// Adds a game.
    pub(super) fn push<K: SegmentSink>(
        &mut self,
        game: NextGame<'_>,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<(), K::Error> {
        let NextGame { mut row, moves, start, class, tags } = game;
        let window = &mut self.window;
        let place = Some((class, start.map(|board| board.key())));
        let before = window.codes.len().checked_sub(1).map(|last| window.codes.get(last));
        let shared = (self.last == place)
            .then(|| shared_moves(before.unwrap_or(&self.last_codes), moves.codes));
        self.last = place;
        row.shared = shared.unwrap_or(0);
        let next = moves.codes.get(usize::from(row.shared));
        row.next = next.map_or(0, |code| u16::from(*code) + 1);
        self.unindexed.push((moves.codes, shared), start, &row, class);
        window.codes.push(moves.codes);
        window.rests.push(moves.rest);
        window.rows.push(row);
        window.tags.extend(tags);
        if window.rows.len() == GAMES_AT_ONCE { self.write(executor, sink) } else { Ok(()) }
    }

    fn write<K: SegmentSink>(
        &mut self,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<(), K::Error> {
        let window = std::mem::take(&mut self.window);
        let chunks = executor.map(window.rows.chunks(FACTS_A_CHUNK).collect(), pack_facts);
        for (blobs, sums) in chunks {
            let all = &mut self.unindexed.header.sums;
            let number = all.len() as u32;
            all.push(sums);
            let mut blobs = blobs.into_iter();
            blobs.try_for_each(|(kind, bytes)| sink.add(Blob { kind, number, bytes }))?;
        }
        let frames = (0..window.codes.len()).step_by(MOVES_A_FRAME).collect();
        let frames = executor.map(frames, |first| {
            let games = first..(first + MOVES_A_FRAME).min(window.codes.len());
            pack_moves(games.map(|game| GameMoves {
                codes: window.codes.get(game),
                rest: window.rests.get(game),
            }))
        });
        frames.into_iter().try_for_each(|frame| self.moves.push(frame, sink))?;
        let frames = executor.map(window.tags, |parts| parts.pack());
        frames.into_iter().try_for_each(|frame| self.tags.push(frame, sink))?;
        if let Some(last) = window.codes.len().checked_sub(1) {
            self.last_codes = window.codes.get(last).to_vec();
        }
        Ok(())
    }

    /// Writes what is left: the tags of the last games, if they fill no frame, and the dictionaries
    /// of the columns of tags.
    pub(super) fn finish<'d, K: SegmentSink>(
        mut self,
        tags: Option<TagParts>,
        columns: impl Iterator<Item = Option<&'d Dictionary>>,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<Unindexed, K::Error> {
        self.window.tags.extend(tags);
        self.write(executor, sink)?;
        self.moves.finish(sink)?;
        self.tags.finish(sink)?;
        for (column, dictionary) in (0..).zip(columns) {
            self.unindexed.header.shared_columns.push(dictionary.is_some());
            let kind = DictionaryKind::Column(column);
            dictionary.map_or(Ok(()), |dictionary| add_dictionary(sink, kind, dictionary))?;
        }
        Ok(self.unindexed)
    }
}

/// The facts, labels and traces of a chunk of games, and the sums of the facts.
fn pack_facts(rows: &[FactsRow]) -> ([(BlobKind, Vec<u8>); 3], Sums) {
    let (mut facts, mut labels) = (Facts::default(), Labels::default());
    let mut traces = TraceColumn::default();
    for row in rows {
        facts.push(row);
        labels.push(row);
        traces.push(row);
    }
    let blobs = [
        (BlobKind::Facts, facts.to_bytes()),
        (BlobKind::Labels, labels.to_bytes()),
        (BlobKind::Traces, traces.to_bytes()),
    ];
    (blobs, facts.sums())
}

pub(super) fn add_dictionary<K: SegmentSink>(
    sink: &mut K,
    kind: DictionaryKind,
    dictionary: &Dictionary,
) -> Result<(), K::Error> {
    let (number, bytes) = (kind.number(), dictionary.to_bytes());
    sink.add(Blob { kind: BlobKind::Dictionary, number, bytes })
}
