//! The moves of a repertoire, a row each.

use std::io::{self, Write};

use super::{Column, Rows, Value, Width};
use crate::{
    opening::Opening,
    repertoire::{Extract, ExtractMove, NodeId, Note},
};

const fn text(name: &'static str, width: Width) -> Column {
    Column { name, width, absent: "" }
}

/// The columns of the moves of a repertoire. `nags` are numbers with blanks between, `comment` has a
/// bar between those of different notes; `eco` and `opening` are of the position a move leads to.
pub const BOOK_MOVE_COLUMNS: [Column; 20] = [
    text("key", Width::Share(3)),
    text("line", Width::Share(3)),
    text("move", Width::Fixed(7)),
    text("uci", Width::Fixed(5)),
    text("own", Width::Fixed(5)),
    text("prepared", Width::Fixed(8)),
    text("games", Width::Number(7)),
    text("wins", Width::Number(7)),
    text("draws", Width::Number(7)),
    text("losses", Width::Number(7)),
    text("score", Width::Number(6)),
    text("average_rating", Width::Number(14)),
    text("performance", Width::Number(11)),
    text("first_date", Width::Fixed(10)),
    text("last_date", Width::Fixed(10)),
    text("nags", Width::Fixed(5)),
    text("comment", Width::Share(3)),
    text("leads_to", Width::Share(3)),
    text("eco", Width::Fixed(5)),
    text("opening", Width::Share(3)),
];

/// Writes a row for each move of an extract, with a header; those of one position follow each other,
/// the main one first. Scores are points a game, to four digits.
///
/// # Errors
///
/// Those of `out`.
pub fn write_book_moves(
    extract: &Extract<'_>,
    rows: &dyn Rows,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut row = Vec::new();
    rows.write_header(&BOOK_MOVE_COLUMNS, &mut row);
    for id in extract.positions() {
        for choice in extract.moves(id) {
            rows.write_row(&BOOK_MOVE_COLUMNS, &values(extract, id, &choice), &mut row);
        }
        out.write_all(&row)?;
        row.clear();
    }
    out.write_all(&row)
}

fn values(extract: &Extract<'_>, id: NodeId, choice: &ExtractMove<'_>) -> [Value<'static>; 20] {
    let (book, edge) = (extract.book(), choice.edge);
    let played = &edge.played;
    let notes = edge.prepared.as_ref().map_or(&[][..], |prepared| &prepared.notes);
    let opening = extract.opening(edge.to);
    let count = |count: u32| Value::Number(count.into());
    let rating = |rating: Option<f64>| rating.map(|rating| Value::Number(rating.round() as u64));
    let known = |value: Option<Value<'static>>| value.unwrap_or(Value::None);
    [
        Value::text(book.node(id).key.to_string()),
        Value::text(extract.movetext(id)),
        Value::text(choice.san.clone()),
        Value::text(edge.uci.to_string()),
        Value::Bool(book.is_own_turn(id)),
        Value::Bool(edge.prepared.is_some()),
        count(played.games),
        count(played.wins),
        count(played.draws),
        count(played.losses),
        Value::share(played.score()),
        known(rating(played.average_rating())),
        known(rating(played.performance())),
        Value::told(played.first),
        Value::told(played.last),
        Value::text(nags(notes)),
        Value::text(comments(notes)),
        Value::text(book.node(edge.to).key.to_string()),
        Value::told(opening.map(|opening| opening.eco().as_str())),
        Value::told(opening.map(Opening::name)),
    ]
}

fn nags(notes: &[Note]) -> String {
    let nags = notes.iter().flat_map(|note| &note.nags).map(ToString::to_string);
    nags.collect::<Vec<_>>().join(" ")
}

fn comments(notes: &[Note]) -> String {
    let comments = notes.iter().map(|note| note.comment.trim()).filter(|text| !text.is_empty());
    comments.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        chess::Color,
        output::CsvRows,
        repertoire::{Book, BookRule, ExtractOptions},
    };

    #[test]
    fn a_move_is_a_row() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. e4 c5").unwrap();
        let root = book.roots()[0];
        let edge = &mut book.node_mut(root).edges[0];
        let played = &mut edge.played;
        (played.games, played.wins, played.draws, played.losses) = (4, 2, 1, 1);
        (played.rated, played.rated_half_points, played.rating_sum) = (3, 3, 6001);
        (played.first, played.last) = ("2020-01".parse().ok(), "2021-05-13".parse().ok());
        let note = |source: &str, nags: &[u8], comment: &str| Note {
            source: source.to_owned(),
            nags: nags.to_vec(),
            comment: comment.to_owned(),
        };
        edge.prepared.as_mut().unwrap().notes =
            vec![note("a", &[1], "\"best\", by test"), note("b", &[14], "two\nlines")];
        let mut out = Vec::new();
        let extract = Extract::new(&book, ExtractOptions::default(), Some(Catalogue::builtin()));
        write_book_moves(&extract, &CsvRows, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "key,line,move,uci,own,prepared,games,wins,draws,losses,score,average_rating,\
             performance,first_date,last_date,nags,comment,leads_to,eco,opening\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,,e4,e2e4,true,true,4,2,1,1,0.6250,\
             2000,2000,2020-01,2021-05-13,1 14,\"\"\"best\"\", by test | two lines\",\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,B00,King's Pawn Game\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,1. e4,c5,c7c5,false,true,0,0,0,\
             0,,,,,,,,rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -,B20,\
             Sicilian Defense\n"
        );
    }
}
