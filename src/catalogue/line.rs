//! What a catalogue consists of: lines, and the positions they name.

use std::sync::OnceLock;

use super::tree::NodeId;
use crate::{
    chess::PositionKey,
    master::{Alias, LineLocation},
    opening::Opening,
};

/// An opening of a master: a line that was replayed, or a position without moves.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The index of its master in [`Catalogue::masters`](super::Catalogue::masters).
    pub master: usize,
    /// Where it stands in the master.
    pub location: LineLocation,
    /// Its code and name.
    pub opening: Opening,
    /// The index of the position it leads to in
    /// [`Catalogue::positions`](super::Catalogue::positions).
    pub position: usize,
    /// Its other names, as far as the master lists them.
    pub aliases: Vec<Alias>,
    /// The node of the tree of lines where it ends, if it has moves.
    pub(super) end: Option<NodeId>,
}

/// A position that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedPosition {
    /// The position.
    pub key: PositionKey,
    /// The index in [`Catalogue::lines`](super::Catalogue::lines) of the line that names it, unless
    /// the game followed another line of the same master.
    pub line: usize,
}

impl NamedPosition {
    /// What a table is filled with before it has positions.
    pub(super) const NONE: Self = Self { key: PositionKey::from_words([0; 5]), line: 0 };
}

/// A line that leads to the same position as an earlier line of its master.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct Duplicate {
    /// Its index in [`Catalogue::lines`](super::Catalogue::lines).
    pub(crate) line: usize,
    /// The index of the earlier line.
    pub(crate) first: usize,
}

/// The lines of a catalogue. Those that are part of the program are taken out of their bytes when
/// they are first asked for.
#[derive(Debug)]
pub(super) struct Lines {
    read: OnceLock<Vec<Line>>,
    read_now: fn() -> Vec<Line>,
}

impl Lines {
    /// Lines that `read_now` returns.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn on_demand(read_now: fn() -> Vec<Line>) -> Self {
        Self { read: OnceLock::new(), read_now }
    }

    #[inline]
    pub(super) fn get(&self) -> &[Line] {
        self.read.get_or_init(self.read_now)
    }
}

impl From<Vec<Line>> for Lines {
    fn from(lines: Vec<Line>) -> Self {
        Self { read: OnceLock::from(lines), read_now: Vec::new }
    }
}
