//! The book: a graph of positions, and the parts and lines of it.

mod extract;
mod graph;
mod line;
mod node;
mod note;
mod shortest_lines;

pub(crate) use extract::ExtractMove;
pub use extract::{Extract, ExtractOptions, MovesOf};
pub use graph::{Book, BookRule};
pub use line::BookLine;
pub use node::{Edge, Node, NodeId, Prepared};
pub use note::Note;
pub(super) use note::POINTER;
pub(crate) use shortest_lines::ShortestLines;

#[cfg(test)]
pub(super) mod random;
