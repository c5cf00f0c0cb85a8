//! The book: a graph of positions, and the parts and lines of it.

mod extract;
mod graph;
mod line;
mod note;
mod shortest_lines;

pub use extract::{Extract, ExtractMove, ExtractOptions, MovesOf};
pub use graph::{Book, BookRule, Edge, Node, NodeId, Note, Prepared};
pub use line::BookLine;
pub(super) use note::POINTER;
pub use shortest_lines::ShortestLines;

#[cfg(test)]
pub(super) mod random;
