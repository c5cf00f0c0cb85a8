//! Names the opening of every chess game.
//!
//! ```
//! use eco::{catalogue::Catalogue, classify::Classifier};
//!
//! let classifier = Classifier::new(Catalogue::builtin());
//! let verdict = classifier.classify_movetext(b"1. g3 f5 2. d4 Nf6");
//! let named = verdict.named.expect("a known position was reached");
//! assert_eq!(named.opening().code(), "A81");
//! assert_eq!(named.opening().name(), "Dutch Defense: Fianchetto Attack");
//! assert_eq!(named.ply(), 3);
//! assert!(named.is_transposed()); // the catalogue has it as 1. d4 f5 2. g3
//! ```
//!
//! A [`Catalogue`](catalogue::Catalogue) knows openings by position: the built-in one, lichess's,
//! or one from a file ([`store::Database`]) or from [`master::Master`]s. A
//! [`Classifier`](classify::Classifier) returns the opening
//!
//! * of a position: [`classify_position`](classify::Classifier::classify_position),
//! * of movetext: [`classify_movetext`](classify::Classifier::classify_movetext),
//! * of a game: [`classify`](classify::Classifier::classify),
//! * of every game in a stream of PGN, in parallel and in order: [`pipeline::classify_pgn`],
//!
//! and why: [`trace`](classify::Classifier::trace) returns all named positions of a game,
//! [`lookup`](classify::lookup()) what is known of a position and around it, and
//! [`Catalogue::search`](catalogue::Catalogue::search) finds openings by code or words.
//!
//! [`select`] reads what else the tags of a game say.
//!
//! [`chess`] reads FEN, EPD and moves as people type them, and reports what is wrong with them;
//! [`diagram`] draws positions as text, SVG and PNG.
//!
//! A [`Tagger`](tag::Tagger) writes it into the tags of a game, and changes nothing else.
//!
//! What is borrowed from a game (its tags) lives as long as its bytes, what is borrowed from the
//! catalogue (openings, keys) as long as that; a verdict copies nothing. The rule by which games
//! are named is described in [`classify`], what a game is in [`pgn`].
//!
//! The library never prints, exits, or reads the environment. The modules import each other in one
//! direction only, and each outside crate has one door; a test holds that.

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "what only other features use is compiled with all")
)]

// The rooms in order: each uses only those above it. A test reads the order from here.
pub mod quoted;
mod named;
mod subslice;
#[doc(hidden)]
pub mod simd;
mod swar;
mod lists;
mod packed;
pub mod executor;
#[cfg(any(feature = "codecs", feature = "sqlite"))]
pub mod new_file;
pub mod chess;
pub mod diagram;
pub mod opening;
pub mod pgn;
pub mod master;
pub mod catalogue;
pub mod classify;
pub mod select;
pub mod stats;
pub mod collection;
pub mod repertoire;
#[cfg(feature = "training")]
pub mod training;
pub mod tag;
pub mod pipeline;
#[cfg(feature = "sqlite")]
pub mod store;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
pub mod replace;
pub mod output;
pub mod report;
#[cfg(feature = "web")]
pub mod web;

/// The examples in README.md compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So do those in docs/library.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
