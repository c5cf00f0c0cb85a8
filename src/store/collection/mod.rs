//! Collections in a position database.
//!
//! The tables are a thin frame: a collection has segments, and a segment has blobs, which the room
//! `collection` makes and reads. A segment is never changed. A run writes new ones, which take in
//! the games of small older ones, so that there are few.

mod blobs;
mod build;
mod change;
mod games;
mod info;
mod new_segment;
mod remove;

pub use build::{CollectionBuild, CollectionReport};
pub use info::{CollectionInfo, CollectionSettings};

#[cfg(test)]
mod tests;
