//! Rows of a table, found by what is cheap to know of a game.

use super::{game::ScoredGame, group_by::GroupBy, key::NONE};

/// The rows that games had before, by a small number that decides the row. It says nothing of other
/// rows: they are looked up by their keys.
///
/// Reading a place in a list costs less than a table of hashes. Where all fields are of openings,
/// the line that names a game decides the row, and the fields are not even asked.
#[derive(Debug, Clone)]
pub(super) struct Shortcuts {
    decided_by: DecidedBy,
    /// The row of each number, or [`UNKNOWN`].
    rows: Vec<u32>,
}

/// What decides the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DecidedBy {
    /// The line of the catalogue.
    Line,
    /// The number of a text.
    Text,
    /// A number, such as a year.
    Number,
    /// Two numbers, or more.
    Several,
}

/// No shortcut.
const UNKNOWN: u32 = u32::MAX;

/// The least number, which differences of ratings do not reach, is this below 0.
const BELOW_ZERO: u32 = 1 << 12;

/// The count of numbers that have shortcuts, from the least on.
const SPAN: usize = 1 << 13;

impl Shortcuts {
    /// Those of a table with these fields.
    pub(super) fn new(fields: &[GroupBy]) -> Self {
        let decided_by = match fields {
            [_, ..] if fields.iter().all(GroupBy::is_opening) => DecidedBy::Line,
            [field] if field.is_text() => DecidedBy::Text,
            [_] => DecidedBy::Number,
            _ => DecidedBy::Several,
        };
        Self { decided_by, rows: Vec::new() }
    }

    /// The number of a game whose line decides the row; `None` if something else does.
    #[inline]
    pub(super) fn of_line(&self, game: &ScoredGame<'_, '_>) -> Option<usize> {
        let line = || game.named.map_or(0, |named| named.line_index() + 1);
        (self.decided_by == DecidedBy::Line).then(line)
    }

    /// The number of a game with this key, if it decides the row.
    #[inline]
    pub(super) fn of_key(&self, key: [u32; 2]) -> Option<usize> {
        let number = key[0].wrapping_add(BELOW_ZERO) as usize;
        match self.decided_by {
            DecidedBy::Text if key[0] == NONE => Some(0),
            DecidedBy::Text => Some(key[0] as usize + 1),
            DecidedBy::Number if number < SPAN => Some(number),
            DecidedBy::Number | DecidedBy::Line | DecidedBy::Several => None,
        }
    }

    /// The row of a number.
    #[inline]
    pub(super) fn row(&self, number: usize) -> Option<usize> {
        let row = *self.rows.get(number)?;
        (row != UNKNOWN).then_some(row as usize)
    }

    /// Keeps the row of a number.
    pub(super) fn keep(&mut self, number: usize, row: usize) {
        if number >= self.rows.len() {
            self.rows.resize(number + 1, UNKNOWN);
        }
        self.rows[number] = row as u32;
    }
}
