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
//! It is written position by position. Reading takes the keys, moves, notes and counts, and forgives
//! that any but `color` is missing: without `roots`, lines begin with the positions that no move leads
//! to, and if no move is prepared, all are, as in what was exported of games. `line`, `eco`, `opening`, `san` and `to` are for others. Which
//! games a count refers to is not written, since their numbers mean nothing outside of a database.

use std::io::{self, Write};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    chess::{Chess, Color, EnPassantMode, Position, PositionKey, UciMove},
    opening::Opening,
    repertoire::{
        book::{Book, BookRule, Extract, ExtractMove, NodeId, Note, Prepared},
        games::{GameDate, Tally},
    },
};

/// Writes part of a book as one JSON document.
///
/// # Errors
///
/// Those of `out`.
pub fn write_json(extract: &Extract<'_>, out: &mut impl Write) -> io::Result<()> {
    let book = extract.book();
    let roots: Vec<String> = book.roots().iter().map(|id| book.node(*id).key.to_string()).collect();
    write!(out, "{{\"color\":\"{}\",\"roots\":{},\"positions\":[", extract.color(), json!(roots))?;
    for (index, id) in extract.positions().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &position_json(extract, id))?;
    }
    out.write_all(b"\n]}\n")
}

fn position_json(extract: &Extract<'_>, id: NodeId) -> Value {
    let node = extract.book().node(id);
    let opening = extract.opening(id);
    let moves: Vec<Value> =
        extract.moves(id).iter().map(|choice| move_json(extract, choice)).collect();
    json!({
        "key": node.key.to_string(),
        "line": extract.movetext(id),
        "eco": opening.map(|opening| opening.eco().as_str()),
        "opening": opening.map(Opening::name),
        "played": tally_json(&node.tally),
        "notes": notes_json(&node.notes),
        "moves": moves,
    })
}

fn move_json(extract: &Extract<'_>, choice: &ExtractMove<'_>) -> Value {
    let edge = choice.edge;
    let prepared = edge.prepared.as_ref().map(
        |prepared| json!({ "ordinal": prepared.ordinal, "notes": notes_json(&prepared.notes) }),
    );
    json!({
        "san": choice.san,
        "uci": edge.uci.to_string(),
        "to": extract.book().node(edge.to).key.to_string(),
        "prepared": prepared,
        "played": tally_json(&edge.played),
    })
}

fn notes_json(notes: &[Note]) -> Value {
    let notes = notes.iter().map(
        |Note { source, nags, comment }| json!({ "source": source, "nags": nags, "comment": comment }),
    );
    notes.collect()
}

/// What was played; `null` for nothing. Scores are rounded, so that all machines write the same.
fn tally_json(tally: &Tally) -> Value {
    if tally.games == 0 {
        return Value::Null;
    }
    let score = tally.score().map(|score| (score * 1e4).round() / 1e4);
    let Tally { games, wins, draws, losses, .. } = tally;
    if tally.rated == 0 && tally.last.is_none() {
        // Of positions a database keeps results alone: what is not known is not said.
        return json!({
            "games": games, "wins": wins, "draws": draws, "losses": losses, "score": score,
        });
    }
    let date = |date: Option<GameDate>| date.map(|date| date.to_string());
    json!({
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": score,
        "average_rating": tally.average_rating().map(|rating| rating.round() as i64),
        "performance": tally.performance().map(|rating| rating.round() as i64),
        "rated": tally.rated,
        "rated_half_points": tally.rated_half_points,
        "rating_sum": tally.rating_sum,
        "first": date(tally.first),
        "last": date(tally.last),
    })
}

/// Why a document is no book.
#[derive(Debug, thiserror::Error)]
pub enum JsonBookError {
    /// It is no JSON, or not in this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The side is neither.
    #[error("found color {0:?}, expected \"white\" or \"black\"")]
    Color(String),
    /// A position is none of chess.
    #[error(
        "position {index}: found key {key:?}, expected the first four fields of a FEN, of a position that is possible"
    )]
    Position {
        /// Its place among the positions, or among the roots, from 1.
        index: usize,
        /// What stands there.
        key: String,
    },
    /// A move cannot be played.
    #[error("position {index} ({key}): {uci:?} is no legal move there")]
    Move {
        /// The place of the position, from 1.
        index: usize,
        /// The position.
        key: String,
        /// The move.
        uci: String,
    },
    /// Counts that no games can have.
    #[error("position {index}: these counts contradict each other")]
    Counts {
        /// The place of the position, from 1.
        index: usize,
    },
    /// A date is none.
    #[error("position {index}: found date {date:?}, expected one such as 2021-05-13")]
    Date {
        /// The place of the position, from 1.
        index: usize,
        /// What stands there.
        date: String,
    },
}

#[derive(Deserialize)]
#[serde(expecting = "a book")]
struct BookText {
    color: String,
    #[serde(default)]
    roots: Vec<String>,
    #[serde(default)]
    positions: Vec<PositionText>,
}

#[derive(Deserialize)]
#[serde(expecting = "a position")]
struct PositionText {
    key: String,
    #[serde(default)]
    played: Option<TallyText>,
    #[serde(default)]
    notes: Vec<NoteText>,
    #[serde(default)]
    moves: Vec<MoveText>,
}

#[derive(Deserialize)]
#[serde(expecting = "a move")]
struct MoveText {
    uci: String,
    #[serde(default)]
    prepared: Option<PreparedText>,
    #[serde(default)]
    played: Option<TallyText>,
}

#[derive(Deserialize, Default)]
#[serde(default, expecting = "what is prepared")]
struct PreparedText {
    ordinal: Option<u32>,
    notes: Vec<NoteText>,
}

#[derive(Deserialize)]
#[serde(expecting = "a note")]
struct NoteText {
    #[serde(default)]
    source: String,
    #[serde(default)]
    nags: Vec<u8>,
    #[serde(default)]
    comment: String,
}

#[derive(Deserialize, Default)]
#[serde(default, expecting = "counts")]
struct TallyText {
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

/// Reads a book that [`write_json`] has written. Moves that are neither prepared nor played are prepared,
/// and all of them if that is said of none: who exports what was played and reads it again has chosen it.
///
/// # Errors
///
/// What is no such document, and the first position or move in it that is none of chess.
pub fn read_json(bytes: &[u8]) -> Result<Book, JsonBookError> {
    let text: BookText = serde_json::from_slice(bytes)?;
    let color = match text.color.as_str() {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(JsonBookError::Color(text.color)),
    };
    let mut book = Book::new(color, BookRule::default());
    for (index, key) in (1..).zip(text.roots) {
        let (key, _) = read_key(index, key)?;
        book.add_root(&key);
    }
    for (index, position) in (1..).zip(text.positions) {
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

fn read_key(index: usize, key: String) -> Result<(PositionKey, Chess), JsonBookError> {
    let position = key.parse().ok().and_then(|key: PositionKey| key.to_position().ok());
    let position = position.ok_or(JsonBookError::Position { index, key })?;
    Ok((PositionKey::from_position(&position, EnPassantMode::Legal), position))
}

impl PositionText {
    fn add_to(self, book: &mut Book, index: usize) -> Result<(), JsonBookError> {
        let (key, position) = read_key(index, self.key)?;
        let id = book.add_position(&key);
        let node = book.node_mut(id);
        node.tally = tally(self.played, index)?;
        node.notes.extend(self.notes.into_iter().map(NoteText::into_note));
        for m in self.moves {
            m.add_to(book, (id, &position), index)?;
        }
        Ok(())
    }
}

impl MoveText {
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
        book.add_move(from, UciMove::from_move(m), to).played = played;
        if self.prepared.is_some() || played.games == 0 {
            let told = self.prepared.unwrap_or_default();
            let (_, Prepared { ordinal, notes }) = book.prepare_move(from, position, m);
            *ordinal = told.ordinal.unwrap_or(*ordinal);
            *notes = told.notes.into_iter().map(NoteText::into_note).collect();
        }
        Ok(())
    }
}

impl NoteText {
    fn into_note(self) -> Note {
        let Self { source, nags, comment } = self;
        Note { source, nags, comment }
    }
}

fn tally(text: Option<TallyText>, index: usize) -> Result<Tally, JsonBookError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repertoire::{ExtractOptions, book::random};
    use proptest::prelude::*;

    fn written(book: &Book) -> Vec<u8> {
        let mut out = Vec::new();
        write_json(&Extract::new(book, ExtractOptions::default(), None), &mut out).unwrap();
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_book_comes_back_with_all_that_is_told_of_it(book in random::book()) {
            let again = read_json(&written(&book)).unwrap();
            prop_assert_eq!(written(&again), written(&book));
            prop_assert_eq!(random::told(&again), random::told(&book));
        }

        #[test]
        fn no_document_is_too_bad(
            book in random::book(),
            at in any::<prop::sample::Index>(),
            patch in prop::sample::select(vec!["", "0", "}", "\"", "null", "[[", "-1", "e9", "\u{fffd}"]),
        ) {
            let mut bytes = written(&book);
            let at = at.index(bytes.len());
            bytes.splice(at..at + 1, patch.bytes());
            let _ = read_json(&bytes);
        }
    }

    #[test]
    fn faults_say_where_they_are() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (positions, fault) in [
            ("1", "invalid type: integer `1`, expected a position at line 1 column 31"),
            (
                r#"{"key": "8/8/8/8/8/8/8/8 w - -"}"#,
                "position 1: found key \"8/8/8/8/8/8/8/8 w - -\", expected the first four fields of \
                 a FEN, of a position that is possible",
            ),
            (
                r#"{"key": "START"}, {"key": "START", "moves": [{"uci": "e2e5"}]}"#,
                "position 2 (START): \"e2e5\" is no legal move there",
            ),
            (
                r#"{"key": "START", "played": {"games": 1, "wins": 4294967295}}"#,
                "position 1: these counts contradict each other",
            ),
            (
                r#"{"key": "START", "played": {"games": 1, "first": "yesterday"}}"#,
                "position 1: found date \"yesterday\", expected one such as 2021-05-13",
            ),
        ] {
            let positions = positions.replace("START", start);
            let text = format!(r#"{{"color":"white","positions":[{positions}]}}"#);
            let found = read_json(text.as_bytes()).unwrap_err().to_string();
            assert_eq!(found, fault.replace("START", start), "for {positions}");
        }
        let found = read_json(b"{\"color\": \"green\"}").unwrap_err().to_string();
        assert_eq!(found, "found color \"green\", expected \"white\" or \"black\"");
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    /// The moves of the initial position in a document with these.
    fn first_moves(roots: &str, moves: &str) -> Vec<String> {
        let text = format!(
            r#"{{"color":"white",{roots}"positions":[{{"key":"{START}","moves":[{moves}]}}]}}"#
        );
        let book = read_json(text.as_bytes()).unwrap();
        assert!(book.has_prepared(), "{text}");
        let lines = crate::repertoire::ShortestLines::of(&book);
        assert!(lines.reached().len() > 1, "{text}");
        random::moves(&book, book.roots()[0]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_document_leaves_out_is_found() {
        let last = r#"{"uci":"a2a3","prepared":{"ordinal":4294967295}}"#;
        let played = |uci: &str, games| {
            format!(r#"{{"uci":"{uci}","prepared":null,"played":{{"games":{games}}}}}"#)
        };
        let (e4, d4) = (played("e2e4", 1), played("d2d4", 9));
        let d3 = r#"{"uci":"d2d3"}"#;
        for (moves, expected) in [
            // As they stand there, whatever was played more often.
            (format!("{e4},{d4}"), &["e2e4", "d2d4"][..]),
            (format!("{e4},{d3},{d4}"), &["d2d3"]),
            (format!("{last},{d3}"), &["a2a3", "d2d3"]),
        ] {
            assert_eq!(first_moves("", &moves), expected, "{moves}");
            let roots = format!(r#""roots":["{START}"],"#);
            assert_eq!(first_moves(&roots, &moves), expected, "{moves}");
        }
    }

    #[test]
    fn a_document_is_the_same_on_every_machine() {
        let mut book = Book::new(Color::White, BookRule::default());
        let end = book.prepare("1. e4").unwrap();
        let root = book.roots()[0];
        let edge = &mut book.node_mut(root).edges[0];
        edge.played = Tally {
            games: 4,
            wins: 1,
            draws: 1,
            losses: 1,
            rated: 3,
            rated_half_points: 3,
            rating_sum: 6001,
            first: "2020-01".parse().ok(),
            last: "2021-05-13".parse().ok(),
            ..Tally::default()
        };
        let note =
            Note { source: "a".to_owned(), nags: vec![1, 14], comment: "\"best\"".to_owned() };
        edge.prepared.as_mut().unwrap().notes.push(note.clone());
        book.node_mut(end).notes.push(note);
        let catalogue = crate::catalogue::Catalogue::builtin();
        let mut out = Vec::new();
        write_json(&Extract::new(&book, ExtractOptions::default(), Some(catalogue)), &mut out)
            .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), GOLDEN);
    }

    const GOLDEN: &str = r#"{"color":"white","roots":["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"],"positions":[
{"key":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","line":"","eco":null,"opening":null,"played":null,"notes":[],"moves":[{"san":"e4","uci":"e2e4","to":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","prepared":{"ordinal":1,"notes":[{"source":"a","nags":[1,14],"comment":"\"best\""}]},"played":{"games":4,"wins":1,"draws":1,"losses":1,"score":0.5,"average_rating":2000,"performance":2000,"rated":3,"rated_half_points":3,"rating_sum":6001,"first":"2020-01","last":"2021-05-13"}}]},
{"key":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","line":"1. e4","eco":"B00","opening":"King's Pawn Game","played":null,"notes":[{"source":"a","nags":[1,14],"comment":"\"best\""}],"moves":[]}
]}
"#;
}
