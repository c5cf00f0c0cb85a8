//! Collections in a position database.
//!
//! The tables are a thin frame: a collection has segments, and a segment has blobs, which the room
//! `collection` makes and reads. A segment is never changed. A run writes new ones, which take in
//! the games of small older ones, so that there are few.

mod change;
mod info;

pub use info::{CollectionInfo, CollectionSettings};
