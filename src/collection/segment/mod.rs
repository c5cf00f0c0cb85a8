//! Segments: up to 150,000 games, packed so that any position is found.
//!
//! A segment is never changed. Its games are numbered in the order of their moves, those first that
//! begin in the initial position. So all games through one line are neighbours, and a position is a
//! few [intervals](interval) of numbers, one for each line to it. The moves from there are parts of
//! these intervals, and what is asked of games are [columns](facts) that are read from end to end.
//!
//! | blobs | file |
//! | --- | --- |
//! | header | [`header`] |
//! | facts of 16,384 games each, in columns | [`facts`] |
//! | texts that games share | [`dictionary`] |
//! | moves, 128 games together | [`game_moves`] |
//! | other tags, 64 games together | [`tag_columns`] |
//! | from the hash of a position, or of an identity, to games | [`bucket`] |
//!
//! What is read may be damaged or made by an enemy: it is an error then, no panic, and takes no
//! more memory than its size allows.

mod bits;
mod bucket;
mod builder;
mod bytes;
mod cache;
mod damaged;
mod dictionary;
mod fact_tags;
mod facts;
mod game_moves;
mod hash;
mod header;
mod interval;
mod items;
mod order;
mod position_index;
mod reader;
mod tag_columns;

pub(crate) use builder::{MOST_GAMES, NewSegment, SegmentBuilder};
pub(crate) use cache::Cache;
pub(crate) use damaged::DamagedSegment;
pub(crate) use dictionary::Dictionary;
pub(crate) use facts::{FACTS_A_CHUNK, Facts};
pub(super) use hash::hash_position;
pub(crate) use header::{BlobKind, DictionaryKind};
pub(crate) use interval::Interval;
pub(crate) use reader::{BlobSource, SegmentReader, read_opening};
pub(crate) use tag_columns::TAGS_A_FRAME;
