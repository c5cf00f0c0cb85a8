//! A book as a JSON document. Members are written in the order of the fields here.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
    opening::{EcoCode, Opening},
    pgn::GameDate,
    repertoire::{
        book::{Book, Extract, ExtractMove, MoveCounters, NodeId, Note, Prepared},
        games::Tally,
    },
};

/// Writes part of a book as one JSON document.
///
/// # Errors
///
/// Those of `out`.
pub fn write_json(extract: &Extract<'_>, out: &mut impl Write) -> io::Result<()> {
    let book = extract.book();
    let roots: Vec<String> = book.roots().iter().map(|id| root(book, *id)).collect();
    write!(out, "{{\"color\":\"{}\",\"roots\":", extract.color())?;
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

#[derive(Serialize)]
struct PositionEntry<'a> {
    key: String,
    line: String,
    eco: Option<&'a str>,
    opening: Option<&'a str>,
    played: Option<TallyEntry>,
    notes: Vec<NoteEntry<'a>>,
    moves: Vec<MoveEntry<'a>>,
}

#[derive(Serialize)]
struct MoveEntry<'a> {
    san: String,
    uci: String,
    to: String,
    prepared: Option<PreparedEntry<'a>>,
    played: Option<TallyEntry>,
}

#[derive(Serialize)]
struct PreparedEntry<'a> {
    ordinal: u32,
    notes: Vec<NoteEntry<'a>>,
}

#[derive(Serialize)]
struct NoteEntry<'a> {
    source: &'a str,
    nags: &'a [u8],
    comment: &'a str,
}

/// Scores and ratings are rounded, so that all machines write the same bytes.
#[derive(Serialize)]
struct TallyEntry {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: Option<f64>,
    #[serde(flatten)]
    details: Option<DetailsEntry>,
}

/// Facts that a database keeps for moves only; for positions it keeps the results.
#[derive(Serialize)]
struct DetailsEntry {
    average_rating: Option<i64>,
    performance: Option<i64>,
    rated: u32,
    rated_half_points: u32,
    rating_sum: u64,
    first: Option<String>,
    last: Option<String>,
}

impl<'a> PositionEntry<'a> {
    fn new(extract: &Extract<'a>, id: NodeId) -> Self {
        let node = extract.book().node(id);
        let opening = extract.opening(id);
        let moves = extract.moves(id).into_iter();
        Self {
            key: node.key.to_string(),
            line: extract.movetext(id),
            eco: opening.and_then(Opening::eco).map(EcoCode::as_str),
            opening: opening.map(Opening::name),
            played: TallyEntry::new(&node.tally),
            notes: note_entries(&node.notes),
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
            to: extract.book().node(edge.to).key.to_string(),
            prepared: edge.prepared.as_ref().map(PreparedEntry::new),
            played: TallyEntry::new(&edge.played),
        }
    }
}

impl<'a> PreparedEntry<'a> {
    fn new(prepared: &'a Prepared) -> Self {
        Self { ordinal: prepared.ordinal, notes: note_entries(&prepared.notes) }
    }
}

fn note_entries(notes: &[Note]) -> Vec<NoteEntry<'_>> {
    notes.iter().map(NoteEntry::new).collect()
}

impl<'a> NoteEntry<'a> {
    fn new(Note { source, nags, comment }: &'a Note) -> Self {
        Self { source, nags, comment }
    }
}

impl TallyEntry {
    /// `None` if there are no games.
    fn new(tally: &Tally) -> Option<Self> {
        let Tally { games, wins, draws, losses, .. } = *tally;
        let score = tally.score().map(|score| (score * 1e4).round() / 1e4);
        // Details that are not known are left out.
        let has_details = tally.rated > 0 || tally.last.is_some();
        let details = has_details.then(|| DetailsEntry::new(tally));
        (games > 0).then_some(Self { games, wins, draws, losses, score, details })
    }
}

impl DetailsEntry {
    fn new(tally: &Tally) -> Self {
        let date = |date: Option<GameDate>| date.map(|date| date.to_string());
        Self {
            average_rating: tally.average_rating().map(|rating| rating.round() as i64),
            performance: tally.performance().map(|rating| rating.round() as i64),
            rated: tally.rated,
            rated_half_points: tally.rated_half_points,
            rating_sum: tally.rating_sum,
            first: date(tally.first),
            last: date(tally.last),
        }
    }
}
