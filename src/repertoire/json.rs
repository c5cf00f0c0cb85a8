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

use std::{borrow::Cow, error::Error, io, io::Write};

use serde::{Deserialize, Deserializer, Serialize};

use super::book::key_after;
use super::{Book, BookRule, Extract, ExtractMove, MoveCounters, NodeId, Note, Prepared, Tally};
use crate::chess::{Chess, Color, Fen, PositionKey, UciMove};
use crate::opening::{EcoCode, Opening};
use crate::{pgn::GameDate, quoted::Quoted};

/// Why a document cannot be read as a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonBookError {
    /// The document is not JSON, or not in this form.
    #[error("{source}")]
    Json {
        /// What is wrong, and where.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The side is neither.
    #[error("found color {}, expected white or black", Quoted(.0))]
    Color(String),
    /// A position is illegal.
    #[error(
        "position {index}: found key {}, expected the first four fields of a FEN, of a position that is possible", Quoted(.key)
    )]
    Position {
        /// Its number among the positions, or among the roots, from 1.
        index: usize,
        /// The text as written.
        key: String,
    },
    /// A move cannot be played.
    #[error("position {index} ({key}): {} is no legal move there", Quoted(.uci))]
    Move {
        /// The number of the position, from 1.
        index: usize,
        /// The position.
        key: String,
        /// The move.
        uci: String,
    },
    /// Counts that no games can have.
    #[error("position {index}: these counts contradict each other")]
    Counts {
        /// The number of the position, from 1.
        index: usize,
    },
    /// A date is invalid.
    #[error("position {index}: found date {}, expected one such as 2021-05-13", Quoted(.date))]
    Date {
        /// The number of the position, from 1.
        index: usize,
        /// The text as written.
        date: String,
    },
}

#[derive(Deserialize)]
#[serde(expecting = "a book")]
struct BookDocument {
    color: String,
    #[serde(default)]
    roots: Vec<String>,
    #[serde(default)]
    positions: Vec<PositionEntry<'static>>,
}

// Members are written in the order of the fields.
#[derive(Deserialize, Serialize)]
#[serde(expecting = "a position")]
struct PositionEntry<'a> {
    key: String,
    #[serde(skip_deserializing)]
    line: String,
    #[serde(skip_deserializing)]
    eco: Option<&'a str>,
    #[serde(skip_deserializing)]
    opening: Option<&'a str>,
    #[serde(default)]
    played: Option<TallyEntry>,
    #[serde(default)]
    notes: Cow<'a, [Note]>,
    #[serde(default)]
    moves: Vec<MoveEntry<'a>>,
}

#[derive(Deserialize, Serialize)]
#[serde(expecting = "a move")]
struct MoveEntry<'a> {
    #[serde(skip_deserializing)]
    san: String,
    uci: String,
    #[serde(skip_deserializing)]
    to: String,
    #[serde(default)]
    prepared: Option<PreparedEntry<'a>>,
    #[serde(default)]
    played: Option<TallyEntry>,
}

#[derive(Deserialize, Serialize, Default)]
#[serde(default, expecting = "what is prepared")]
struct PreparedEntry<'a> {
    ordinal: Option<u32>,
    notes: Cow<'a, [Note]>,
}

/// Scores and ratings are rounded, so that all machines write the same bytes. What follows them is
/// left out, all of it, where no rating and no date is known.
#[derive(Deserialize, Serialize, Default)]
#[serde(default, expecting = "counts")]
struct TallyEntry {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    #[serde(skip_deserializing)]
    score: Option<f64>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    average_rating: Option<Option<i64>>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    performance: Option<Option<i64>>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    rated: Option<u32>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    rated_half_points: Option<u32>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    rating_sum: Option<u64>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    first: Option<Option<String>>,
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    last: Option<Option<String>>,
}

/// A member that may be missing, but is no `null` if it is there.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Reads a book that [`write_json`] has written. Moves that are neither prepared
/// nor played become prepared. If no move is prepared, all become so: whoever exports played moves
/// and reads them again has chosen them.
///
/// # Errors
///
/// If the document has another form, or has an illegal position or move: the first one.
pub fn read_json(bytes: &[u8]) -> Result<Book, JsonBookError> {
    let document: BookDocument = serde_json::from_slice(bytes)
        .map_err(|error| JsonBookError::Json { source: error.into() })?;
    let color: Color =
        document.color.parse().map_err(|_| JsonBookError::Color(document.color.clone()))?;
    let mut book = Book::new(color, BookRule::default());
    for (index, key) in (1..).zip(document.roots) {
        let position = match key.split_ascii_whitespace().count() {
            6 => key.parse().ok().and_then(|fen: Fen| fen.to_position().ok()),
            _ => position_of(&key),
        };
        book.prepare_from(&position.ok_or(JsonBookError::Position { index, key })?, []);
    }
    for (index, position) in (1..).zip(document.positions) {
        position.add_to(&mut book, index)?;
    }
    if book.roots().is_empty() {
        book.add_roots();
    }
    if !book.has_prepared() {
        prepare_all(&mut book);
    }
    Ok(book)
}

/// Prepares the moves of all positions, in their order.
fn prepare_all(book: &mut Book) {
    for id in book.ids() {
        let moves: Vec<_> = book.node(id).edges.iter().map(|edge| (edge.uci, edge.to)).collect();
        for (uci, to) in moves {
            book.prepare_edge(id, uci, to);
        }
    }
}

fn position_of(key: &str) -> Option<Chess> {
    key.parse::<PositionKey>().ok()?.to_position().ok()
}

impl PositionEntry<'_> {
    fn add_to(self, book: &mut Book, index: usize) -> Result<(), JsonBookError> {
        let key = self.key;
        let position = position_of(&key).ok_or(JsonBookError::Position { index, key })?;
        let id = book.add_position(&PositionKey::from(&position));
        let node = book.node_mut(id);
        node.tally = tally(self.played, index)?.into();
        node.notes.extend(self.notes.into_owned());
        for m in self.moves {
            m.add_to(book, (id, &position), index)?;
        }
        Ok(())
    }
}

impl MoveEntry<'_> {
    fn add_to(
        self,
        book: &mut Book,
        (from, position): (NodeId, &Chess),
        index: usize,
    ) -> Result<(), JsonBookError> {
        let uci = self.uci.parse().ok();
        let m = uci.and_then(|uci: UciMove| uci.to_move(position)).ok_or_else(|| {
            let key = book.node(from).key.to_string();
            JsonBookError::Move { index, key, uci: self.uci }
        })?;
        let played = tally(self.played, index)?;
        let to = book.add_position(&key_after(position, m));
        let uci = UciMove::from_move(m);
        book.set_played(from, uci, to, played);
        if self.prepared.is_some() || played.games == 0 {
            let PreparedEntry { ordinal, notes } = self.prepared.unwrap_or_default();
            *book.prepare_edge(from, uci, to) = notes.into_owned();
            ordinal.into_iter().for_each(|ordinal| book.rank_move(from, uci, ordinal));
        }
        Ok(())
    }
}

fn tally(text: Option<TallyEntry>, index: usize) -> Result<Tally, JsonBookError> {
    let text = text.unwrap_or_default();
    let date = |date: Option<String>| -> Result<Option<GameDate>, JsonBookError> {
        let read = |date: String| date.parse().map_err(|_| JsonBookError::Date { index, date });
        date.map(read).transpose()
    };
    let tally = Tally {
        games: text.games,
        wins: text.wins,
        draws: text.draws,
        losses: text.losses,
        rated: text.rated.unwrap_or(0),
        rated_half_points: text.rated_half_points.unwrap_or(0),
        rating_sum: text.rating_sum.unwrap_or(0),
        first: date(text.first.flatten())?,
        last: date(text.last.flatten())?,
        ..Tally::default()
    };
    if tally.is_possible() { Ok(tally) } else { Err(JsonBookError::Counts { index }) }
}

/// Writes part of a book as one JSON document.
///
/// # Errors
///
/// Those of `out`.
pub fn write_json(extract: &Extract<'_>, out: &mut impl Write) -> io::Result<()> {
    let book = extract.book;
    let roots: Vec<String> = book.starts().map(|id| root(book, id)).collect();
    write!(out, "{{\"color\":\"{}\",\"roots\":", book.color())?;
    serde_json::to_writer(&mut *out, &roots)?;
    out.write_all(b",\"positions\":[")?;
    for (index, id) in extract.positions().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &PositionEntry::new(extract, id))?;
    }
    out.write_all(b"\n]}\n")
}

/// The key of a position that lines begin with; with counters, unless they are those of the initial
/// position.
fn root(book: &Book, id: NodeId) -> String {
    let key = &book.node(id).key;
    match book.counters(id) {
        counters if counters == MoveCounters::default() => key.to_string(),
        counters => counters.fen(key).to_string(),
    }
}

impl<'a> PositionEntry<'a> {
    fn new(extract: &Extract<'a>, id: NodeId) -> Self {
        let node = extract.book.node(id);
        let opening = extract.opening(id);
        let moves = extract.moves(id).into_iter();
        Self {
            key: node.key.to_string(),
            line: extract.movetext(id),
            eco: opening.and_then(Opening::eco).map(EcoCode::as_str),
            opening: opening.map(Opening::name),
            played: TallyEntry::new(&node.tally),
            notes: node.notes.as_slice().into(),
            moves: moves.map(|choice| MoveEntry::new(extract, choice)).collect(),
        }
    }
}

impl<'a> MoveEntry<'a> {
    fn new(extract: &Extract<'a>, choice: ExtractMove<'a>) -> Self {
        let edge = choice.edge;
        Self {
            san: choice.san,
            uci: edge.uci.to_string(),
            to: extract.book.node(edge.to).key.to_string(),
            prepared: edge.prepared.as_ref().map(|Prepared { ordinal, notes }| PreparedEntry {
                ordinal: Some(*ordinal),
                notes: notes.into(),
            }),
            played: TallyEntry::new(&edge.played),
        }
    }
}

impl TallyEntry {
    /// `None` if there are no games.
    fn new(tally: &Tally) -> Option<Self> {
        let Tally { games, wins, draws, losses, .. } = *tally;
        let has_details = tally.rated > 0 || tally.last.is_some();
        let rounded = |rating: Option<f64>| rating.map(|rating| rating.round() as i64);
        let date = |date: Option<GameDate>| date.map(|date| date.to_string());
        (games > 0).then(|| Self {
            games,
            wins,
            draws,
            losses,
            score: tally.score().map(|score| (score * 1e4).round() / 1e4),
            average_rating: has_details.then(|| rounded(tally.average_rating())),
            performance: has_details.then(|| rounded(tally.performance())),
            rated: has_details.then_some(tally.rated),
            rated_half_points: has_details.then_some(tally.rated_half_points),
            rating_sum: has_details.then_some(tally.rating_sum),
            first: has_details.then(|| date(tally.first)),
            last: has_details.then(|| date(tally.last)),
        })
    }
}

#[cfg(test)]
mod tests;
