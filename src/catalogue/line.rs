//! What a catalogue consists of: lines, and the positions they name.

use super::tree::NodeId;
use crate::{
    chess::PositionKey,
    master::{Alias, LineLocation},
    opening::Opening,
};

/// An opening of a master: a line that was replayed, or a position without moves.
#[derive(Debug)]
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
#[derive(Debug)]
#[non_exhaustive]
pub struct NamedPosition {
    /// The position.
    pub key: PositionKey,
    /// The index in [`Catalogue::lines`](super::Catalogue::lines) of the line that names it, unless
    /// the game followed another line of the same master.
    pub line: usize,
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
