//! A book from a JSON document.

use std::error::Error;

use serde::Deserialize;

use crate::{
    chess::{Chess, Color, EnPassantMode, Fen, Position, PositionKey, UciMove},
    pgn::GameDate,
    repertoire::{
        book::{Book, BookRule, MoveCounters, NodeId, Note, Prepared},
        games::Tally,
    },
};

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
    #[error("found color {0:?}, expected \"white\" or \"black\"")]
    Color(String),
    /// A position is illegal.
    #[error(
        "position {index}: found key {key:?}, expected the first four fields of a FEN, of a position that is possible"
    )]
    Position {
        /// Its number among the positions, or among the roots, from 1.
        index: usize,
        /// The text as written.
        key: String,
    },
    /// A move cannot be played.
    #[error("position {index} ({key}): {uci:?} is no legal move there")]
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
    #[error("position {index}: found date {date:?}, expected one such as 2021-05-13")]
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
    positions: Vec<PositionEntry>,
}

#[derive(Deserialize)]
#[serde(expecting = "a position")]
struct PositionEntry {
    key: String,
    #[serde(default)]
    played: Option<TallyEntry>,
    #[serde(default)]
    notes: Vec<NoteEntry>,
    #[serde(default)]
    moves: Vec<MoveEntry>,
}

#[derive(Deserialize)]
#[serde(expecting = "a move")]
struct MoveEntry {
    uci: String,
    #[serde(default)]
    prepared: Option<PreparedEntry>,
    #[serde(default)]
    played: Option<TallyEntry>,
}

#[derive(Deserialize, Default)]
#[serde(default, expecting = "what is prepared")]
struct PreparedEntry {
    ordinal: Option<u32>,
    notes: Vec<NoteEntry>,
}

#[derive(Deserialize)]
#[serde(expecting = "a note")]
struct NoteEntry {
    #[serde(default)]
    source: String,
    #[serde(default)]
    nags: Vec<u8>,
    #[serde(default)]
    comment: String,
}

#[derive(Deserialize, Default)]
#[serde(default, expecting = "counts")]
struct TallyEntry {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    rated: u32,
    rated_half_points: u32,
    rating_sum: u64,
    first: Option<String>,
    last: Option<String>,
}

/// Reads a book that [`write_json`](super::write_json) has written. Moves that are neither prepared
/// nor played become prepared. If no move is prepared, all become so: whoever exports played moves
/// and reads them again has chosen them.
///
/// # Errors
///
/// If the document has another form, or has an illegal position or move: the first one.
pub fn read_json(bytes: &[u8]) -> Result<Book, JsonBookError> {
    let document: BookDocument = serde_json::from_slice(bytes)
        .map_err(|error| JsonBookError::Json { source: error.into() })?;
    let color = match document.color.as_str() {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(JsonBookError::Color(document.color)),
    };
    let mut book = Book::new(color, BookRule::default());
    for (index, key) in (1..).zip(document.roots) {
        let (key, counters) = match key.split_ascii_whitespace().count() {
            6 => read_fen(index, key)?,
            _ => (read_key(index, key)?.0, MoveCounters::default()),
        };
        book.add_root(&key);
        book.set_counters(&key, counters);
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
        for (ordinal, (uci, to)) in (1..).zip(moves) {
            book.set_prepared(id, uci, to, Prepared { ordinal, notes: Vec::new() });
        }
    }
}

/// A position with the counters of lines that begin there.
fn read_fen(index: usize, key: String) -> Result<(PositionKey, MoveCounters), JsonBookError> {
    let position = key.parse().ok().and_then(|fen: Fen| fen.to_position().ok());
    let position = position.ok_or(JsonBookError::Position { index, key })?;
    let key = PositionKey::from_position(&position, EnPassantMode::Legal);
    Ok((key, MoveCounters::of(&position)))
}

fn read_key(index: usize, key: String) -> Result<(PositionKey, Chess), JsonBookError> {
    let position = key.parse().ok().and_then(|key: PositionKey| key.to_position().ok());
    let position = position.ok_or(JsonBookError::Position { index, key })?;
    Ok((PositionKey::from_position(&position, EnPassantMode::Legal), position))
}

impl PositionEntry {
    fn add_to(self, book: &mut Book, index: usize) -> Result<(), JsonBookError> {
        let (key, position) = read_key(index, self.key)?;
        let id = book.add_position(&key);
        book.set_tally(id, tally(self.played, index)?);
        book.add_notes(id, self.notes.into_iter().map(NoteEntry::into_note));
        for m in self.moves {
            m.add_to(book, (id, &position), index)?;
        }
        Ok(())
    }
}

impl MoveEntry {
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
        let mut after = position.clone();
        after.play_unchecked(m);
        let to = book.add_position(&PositionKey::from_position(&after, EnPassantMode::Legal));
        let uci = UciMove::from_move(m);
        book.set_played(from, uci, to, played);
        if self.prepared.is_some() || played.games == 0 {
            book.prepare_move(from, position, m);
            let text = self.prepared.unwrap_or_default();
            let ordinal = text.ordinal.or_else(|| {
                let edge = book.node(from).edge(uci)?;
                edge.prepared().map(|prepared| prepared.ordinal)
            });
            let notes = text.notes.into_iter().map(NoteEntry::into_note).collect();
            book.set_prepared(from, uci, to, Prepared { ordinal: ordinal.unwrap_or(1), notes });
        }
        Ok(())
    }
}

impl NoteEntry {
    fn into_note(self) -> Note {
        let Self { source, nags, comment } = self;
        Note { source, nags, comment }
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
        rated: text.rated,
        rated_half_points: text.rated_half_points,
        rating_sum: text.rating_sum,
        first: date(text.first)?,
        last: date(text.last)?,
        ..Tally::default()
    };
    if tally.is_possible() { Ok(tally) } else { Err(JsonBookError::Counts { index }) }
}
