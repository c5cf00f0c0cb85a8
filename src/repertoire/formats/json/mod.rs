//! A book as one JSON document, and back.
//!
//! ```json
//! {"color": "white", "roots": ["rnbqkbnr/... w KQkq -"], "positions": [
//!   {"key": "...", "line": "1. e4", "eco": "B00", "opening": "King's Pawn Game",
//!    "played": {"games": 12, ...}, "notes": [], "moves": [
//!      {"san": "c5", "uci": "c7c5", "to": "...", "prepared": {"ordinal": 1, "notes": [
//!        {"source": "chapter 1", "nags": [1], "comment": "best"}]}, "played": null}]}]}
//! ```
//!
//! The document is written position by position. Reading takes the keys, moves, notes and counts.
//! All members but `color` may be missing: without `roots`, lines begin with the positions that no
//! move leads to; if no move is prepared, all are, as in an export of games. `line`, `eco`,
//! `opening`, `san` and `to` are for other programs. Which games a count refers to is not written,
//! since their numbers mean nothing outside a database.

mod read;
mod write;

pub use read::{JsonBookError, read_json};
pub use write::write_json;

#[cfg(test)]
mod tests;
