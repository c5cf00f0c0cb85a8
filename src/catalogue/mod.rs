//! The catalogue: openings by position.
//!
//! A catalogue is made from one or more [`Master`](crate::master::Master)s. Where several of them
//! name one position, the first decides. Where that master has several lines to the position, the
//! one whose moves the game followed gives the name, or else its first. All others stay with the
//! position, for those who ask, and so that a game that reaches the position by their moves is not
//! transposed.

mod branches;
mod builder;
mod builtin;
mod image;
mod image_reader;
mod image_writer;
mod index;
mod masters;
mod names;
mod reachability;
mod search;
mod spelling;
mod table;
mod translation;
mod tree;
mod understanding;

pub use branches::Branch;
pub(crate) use image::VERSION as IMAGE_VERSION;
pub use index::{Catalogue, Line, NamedPosition};
pub use masters::{CatalogueDifference, DifferenceKind, MasterCounts, Side};
pub(crate) use reachability::Reachability;
pub use search::{FoundBy, ParseCodesError, Query};
pub(crate) use spelling::plain_letters;
pub use translation::{Translation, TranslationRow};
pub(crate) use tree::NodeId;

#[cfg(test)]
mod tests;
