//! The book: a graph of positions, and the parts and lines of it.

mod counters;
mod cut;
mod edit;
mod extract;
mod graph;
mod line;
mod node;
mod note;
mod preparation;
mod preparation_change;
mod rule;
mod shortest_lines;

pub(crate) use counters::MoveCounters;
pub(crate) use extract::ExtractMove;
pub use extract::{Extract, ExtractOptions, MovesOf};
pub use graph::Book;
pub use line::BookLine;
pub use node::{Edge, Node, NodeId, Prepared};
pub use note::Note;
pub(super) use note::POINTER;
pub(crate) use note::without_commands;
pub use preparation::{Preparation, PreparedChapter, PreparedSource, Remark};
pub use preparation_change::{ChapterOfSource, PreparationChange};
pub use rule::{BookRule, Breadth, ParseBreadthError};
pub(crate) use shortest_lines::ShortestLines;

#[cfg(test)]
pub(super) mod random;
