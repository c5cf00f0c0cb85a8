//! Collections in a position database.
//!
//! The tables are a thin frame: a collection has segments, and a segment has blobs, which the room
//! `collection` makes and reads. A segment is never changed. A run writes new ones, which take in
//! the games of small older ones, so that there are few.

mod blobs;
mod build;
mod change;
mod explored_segments;
mod explorer;
mod games;
mod info;
mod known_players;
#[cfg(feature = "repertoire")]
mod lines;
mod new_segment;
mod remove;
#[cfg(feature = "repertoire")]
mod replies;

pub use build::{CollectionBuild, CollectionReport};
pub use explorer::Explorer;
pub use info::{CollectionInfo, CollectionSettings};
#[cfg(feature = "repertoire")]
pub(super) use lines::StoredLine;

#[cfg(test)]
mod explorer_tests;
#[cfg(test)]
mod tests;
