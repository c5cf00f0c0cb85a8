//! Positions with what was played there, in the words of the file: workers find them, so that the
//! one thread that writes has only to write.

use std::{
    fmt::{self, Write as _},
    ops::Range,
};

use super::position_rows::RowId;
use crate::{
    chess::{PositionKey, UciMove, play_as_san},
    repertoire::{CountedPosition, CountedVisits, MoveCount, PositionCount, Tally},
};

/// The rows of some positions and of the moves that were played there, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct RowBatch {
    /// All texts, one after the other: memory is asked for once.
    texts: String,
    positions: Vec<PositionRow>,
    moves: Vec<PlayedRow>,
}

/// The row of a position.
#[derive(Debug)]
pub(super) struct PositionRow {
    pub(super) row: RowId,
    pub(super) key: Text,
    pub(super) ply: u32,
    pub(super) tally: Tally,
    moves: Range<usize>,
}

/// The row of a move.
#[derive(Debug)]
pub(super) struct PlayedRow {
    pub(super) san: Text,
    pub(super) uci: Text,
    pub(super) leads_to: Destination,
    pub(super) tally: Tally,
    pub(super) first: Option<Text>,
    pub(super) last: Option<Text>,
    pub(super) examples: Text,
}

/// A text of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    start: u32,
    end: u32,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// To the position of a row.
    Row(i64),
    /// To a position that may have a row elsewhere, or may get one later.
    Elsewhere(PositionKey),
    /// To a position without a row.
    NoRow,
}

impl RowBatch {
    /// The rows of counts; `destination` finds where moves lead.
    ///
    /// # Panics
    ///
    /// If a count has a move that is not legal in its position.
    pub(super) fn of(
        counts: Vec<(RowId, PositionCount)>,
        destination: impl Fn(&PositionKey) -> Destination,
    ) -> Self {
        let mut batch = Self::default();
        for (row, count) in counts {
            let PositionCount { key, ply, tally, moves } = &count;
            let moves =
                moves.iter().map(|MoveCount { uci, to, tally }| (*uci, tally, destination(to)));
            batch.push(row, key, *ply, tally, moves);
        }
        batch
    }

    /// The rows of counted positions, by their ranks. The row of the lowest rank is `first`.
    pub(super) fn of_visits(counts: &CountedVisits, ranks: Range<usize>, first: i64) -> Self {
        let mut batch = Self::default();
        for rank in ranks {
            let position = counts.position(rank);
            let CountedPosition { key, ply, tally, .. } = &position;
            let moves = position.moves().map(|(uci, tally, next)| {
                let next = next.map(|rank| Destination::Row(first + i64::from(rank)));
                (uci, tally, next.unwrap_or(Destination::NoRow))
            });
            batch.push(RowId::New(first + rank as i64), key, *ply, tally, moves);
        }
        batch
    }

    /// Adds the row of a position, and those of its moves.
    fn push<'a>(
        &mut self,
        row: RowId,
        key: &PositionKey,
        ply: u32,
        tally: &Tally,
        moves: impl Iterator<Item = (UciMove, &'a Tally, Destination)>,
    ) {
        let position = key.to_position().expect("games have it");
        let from = self.moves.len();
        for (uci, tally, leads_to) in moves {
            let m = uci.to_known_move(&position).expect("it was played");
            let played = PlayedRow {
                san: self.add(&play_as_san(&mut position.clone(), m)),
                uci: self.add(&uci),
                leads_to,
                tally: *tally,
                first: tally.first.map(|date| self.add(&date)),
                last: tally.last.map(|date| self.add(&date)),
                examples: self.add(&Examples(tally)),
            };
            self.moves.push(played);
        }
        // As the table has them.
        let texts = &self.texts;
        self.moves[from..].sort_by(|a, b| a.san.of(texts).cmp(b.san.of(texts)));
        let (key, moves) = (self.add(key), from..self.moves.len());
        self.positions.push(PositionRow { row, key, ply, tally: *tally, moves });
    }

    fn add(&mut self, text: &impl fmt::Display) -> Text {
        let start = self.texts.len() as u32;
        write!(self.texts, "{text}").expect("a string takes all that is written");
        Text { start, end: self.texts.len() as u32 }
    }

    /// A text of this batch.
    pub(super) fn text(&self, text: Text) -> &str {
        text.of(&self.texts)
    }

    /// The positions with their moves.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&PositionRow, &[PlayedRow])> {
        self.positions.iter().map(|position| (position, &self.moves[position.moves.clone()]))
    }
}

impl Text {
    fn of(self, texts: &str) -> &str {
        &texts[self.start as usize..self.end as usize]
    }
}

/// Numbers of games as a JSON array.
struct Examples<'a>(&'a Tally);

impl fmt::Display for Examples<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (n, number) in self.0.examples().enumerate() {
            if n > 0 {
                f.write_char(',')?;
            }
            number.fmt(f)?;
        }
        f.write_char(']')
    }
}
