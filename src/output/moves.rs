//! The moves of a position of a repertoire: `show`.

use super::{Column, Value, Width, percent, sanitize};
use crate::{
    catalogue::Catalogue,
    chess::{PositionKey, play_as_san},
    opening::Opening,
    pgn::nag_glyph,
    repertoire::{Book, Edge, NodeId, Note, Tally},
};

/// What programs are told of each move.
pub const MOVE_COLUMNS: [Column; 19] = [
    Column { name: "move", width: Width::Fixed(8), absent: "" },
    Column { name: "uci", width: Width::Fixed(5), absent: "" },
    Column { name: "book", width: Width::Fixed(5), absent: "" },
    Column { name: "prepared", width: Width::Fixed(8), absent: "" },
    Column { name: "games", width: Width::Number(7), absent: "0" },
    Column { name: "share", width: Width::Number(6), absent: "" },
    Column { name: "wins", width: Width::Number(6), absent: "0" },
    Column { name: "draws", width: Width::Number(6), absent: "0" },
    Column { name: "losses", width: Width::Number(6), absent: "0" },
    Column { name: "score", width: Width::Number(6), absent: "" },
    Column { name: "average_rating", width: Width::Number(6), absent: "" },
    Column { name: "performance", width: Width::Number(6), absent: "" },
    Column { name: "first_date", width: Width::Fixed(10), absent: "" },
    Column { name: "last_date", width: Width::Fixed(10), absent: "" },
    Column { name: "examples", width: Width::Fixed(20), absent: "" },
    Column { name: "notes", width: Width::Share(2), absent: "" },
    Column { name: "eco", width: Width::Fixed(3), absent: "" },
    Column { name: "opening", width: Width::Share(2), absent: "" },
    Column { name: "leads_to", width: Width::Share(1), absent: "" },
];

/// What a table shows of each move.
pub const MOVE_TABLE_COLUMNS: [Column; 9] = [
    Column { name: "", width: Width::Fixed(1), absent: "" },
    Column { name: "move", width: Width::Fixed(7), absent: "" },
    Column { name: "games", width: Width::Number(6), absent: "0" },
    Column { name: "share", width: Width::Number(5), absent: "" },
    Column { name: "score", width: Width::Number(6), absent: "" },
    Column { name: "", width: Width::Fixed(BAR_WIDTH), absent: "" },
    Column { name: "perf", width: Width::Number(4), absent: "" },
    Column { name: "eco", width: Width::Fixed(3), absent: "" },
    Column { name: "opening", width: Width::Share(1), absent: "" },
];

/// How many characters a score bar takes.
const BAR_WIDTH: usize = 10;

/// A bar of won, drawn and lost games, `███▒▒▒▒░░░`; blank if no game has a result.
#[must_use]
pub fn score_bar(tally: &Tally) -> String {
    let [wins, draws, losses] = [tally.wins, tally.draws, tally.losses].map(u64::from);
    let all = wins + draws + losses;
    if all == 0 {
        return String::new();
    }
    // Up to where each part goes, rounded, so that the parts always fill the bar.
    let end = |games: u64| ((games * 2 * BAR_WIDTH as u64 + all) / (2 * all)) as usize;
    let (wins, draws) = (end(wins), end(wins + draws));
    ["█".repeat(wins), "▒".repeat(draws - wins), "░".repeat(BAR_WIDTH - draws)].concat()
}

/// What is said of a move or position, in one line: glyphs and comments.
#[must_use]
pub fn notes_text(notes: &[Note]) -> String {
    let mut parts = Vec::new();
    for note in notes {
        parts.extend(note.nags.iter().map(|nag| nag_glyph(*nag).into_owned()));
        parts.extend((!note.comment.is_empty()).then(|| note.comment.clone()));
    }
    parts.join(" ")
}

/// A move of a position, ready to be told.
struct ToldMove<'b> {
    edge: &'b Edge,
    san: String,
    is_book: bool,
    /// Of the games in which any move was played.
    share: Option<f64>,
    leads_to: PositionKey,
}

/// The moves of a position, those of the book first, then by how often they were played.
fn told_moves(book: &Book, id: NodeId) -> Vec<ToldMove<'_>> {
    let Ok(position) = book.node(id).key.to_position() else { return Vec::new() };
    let in_book = book.moves(id);
    let mut others: Vec<&Edge> =
        book.node(id).edges.iter().filter(|edge| !book.has_move(id, edge)).collect();
    others.sort_by_key(|edge| (std::cmp::Reverse(edge.played.games), edge.uci));
    let all: u64 = book.node(id).edges.iter().map(|edge| u64::from(edge.played.games)).sum();
    let told = |edge: &'_ Edge| {
        let m = edge.uci.to_move(&position)?;
        Some(play_as_san(&mut position.clone(), m).to_string())
    };
    let book_count = in_book.len();
    let moves = in_book.into_iter().chain(others).enumerate();
    let moves = moves.filter_map(|(place, edge)| {
        let san = told(edge)?;
        let share = (all > 0).then(|| f64::from(edge.played.games) / all as f64);
        let leads_to = book.node(edge.to).key;
        Some(ToldMove { edge, san, is_book: place < book_count, share, leads_to })
    });
    moves.collect()
}

/// Rows about the moves of a position, with [`MOVE_COLUMNS`].
#[must_use]
pub fn move_rows<'v>(book: &Book, catalogue: &Catalogue, id: NodeId) -> Vec<Vec<Value<'v>>> {
    told_moves(book, id).iter().map(|told| move_row(told, catalogue)).collect()
}

fn move_row<'v>(told: &ToldMove<'_>, catalogue: &Catalogue) -> Vec<Value<'v>> {
    let Edge { uci, played, prepared, .. } = told.edge;
    let opening = opening_at(catalogue, &told.leads_to);
    let examples: Vec<String> = played.examples().map(|number| number.to_string()).collect();
    let notes = prepared.as_ref().map(|prepared| notes_text(&prepared.notes));
    let rounded =
        |rating: Option<f64>| rating.map_or(Value::None, |r| Value::Number(r.round() as u64));
    vec![
        Value::text(told.san.clone()),
        Value::text(uci.to_string()),
        Value::Bool(told.is_book),
        Value::Bool(prepared.is_some()),
        Value::Number(played.games.into()),
        Value::share(told.share),
        Value::Number(played.wins.into()),
        Value::Number(played.draws.into()),
        Value::Number(played.losses.into()),
        Value::share(played.score()),
        rounded(played.average_rating()),
        rounded(played.performance()),
        Value::told(played.first),
        Value::told(played.last),
        Value::text(examples.join(" ")),
        Value::told(notes),
        Value::told(opening.map(|opening| opening.eco().as_str())),
        Value::told(opening.map(Opening::name)),
        Value::text(told.leads_to.to_string()),
    ]
}

/// Rows about the moves of a position, with [`MOVE_TABLE_COLUMNS`].
#[must_use]
pub fn move_table_rows<'v>(book: &Book, catalogue: &Catalogue, id: NodeId) -> Vec<Vec<Value<'v>>> {
    let row = |told: &ToldMove<'_>| {
        let played = &told.edge.played;
        let opening = opening_at(catalogue, &told.leads_to);
        vec![
            Value::text(if told.is_book { "*" } else { "" }),
            Value::text(told.san.clone()),
            Value::Number(played.games.into()),
            Value::told(told.share.map(|share| format!("{:.0}%", 100.0 * share))),
            Value::told(played.score().map(percent)),
            Value::text(score_bar(played)),
            Value::told(played.performance().map(|rating| format!("{rating:.0}"))),
            Value::told(opening.map(|opening| opening.eco().as_str())),
            Value::told(opening.map(Opening::name)),
        ]
    };
    told_moves(book, id).iter().map(row).collect()
}

/// What is said of the moves of a position, one line each, and of the position itself first.
#[must_use]
pub fn notes_lines(book: &Book, id: NodeId) -> Vec<String> {
    let of_position = book.node(id).notes.iter().map(|note| (String::new(), note));
    let of_moves = told_moves(book, id).into_iter().flat_map(|told| {
        let notes = told.edge.prepared.iter().flat_map(|prepared| &prepared.notes);
        let name = format!("{}: ", told.san);
        notes.map(|note| (name.clone(), note)).collect::<Vec<_>>()
    });
    let line = |(name, note): (String, &Note)| {
        let said = notes_text(std::slice::from_ref(note));
        sanitize(format!("{name}{said} ({})", note.source).as_bytes()).into_owned()
    };
    of_position.chain(of_moves).map(line).collect()
}

/// The name of a position.
#[must_use]
pub fn opening_at<'c>(catalogue: &'c Catalogue, key: &PositionKey) -> Option<&'c Opening> {
    catalogue.find(key).map(|position| catalogue.opening(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_bars_are_always_full() {
        for (results, bar) in [
            ([0, 0, 0], ""),
            ([1, 0, 0], "██████████"),
            ([0, 0, 7], "░░░░░░░░░░"),
            ([5, 0, 5], "█████░░░░░"),
            ([1, 1, 1], "███▒▒▒▒░░░"),
            ([1, 1000, 1], "▒▒▒▒▒▒▒▒▒▒"),
            ([u32::MAX, u32::MAX, 2], "█████▒▒▒▒▒"),
            ([u32::MAX, 2, 0], "██████████"),
        ] {
            assert_eq!(score_bar(&Tally::of_results(0, results)), bar, "for {results:?}");
        }
    }
}
