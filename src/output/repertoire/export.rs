//! The moves of a repertoire as rows.

use std::io::{self, Write};

use crate::output::scores::{Scores, with_ratings, with_results};
use crate::output::value::{code, name};
use crate::output::{Format, RowColumns, Value, Width};
use crate::repertoire::{Extract, ExtractMove, NodeId, Note};

/// Writes a row for each move of an extract, with a header. The moves of a position follow each
/// other, the main one first.
///
/// `score` is in points a game. `nags` are numbers with spaces between them, `comment` has a bar
/// between those of different notes; `eco` and `opening` are those of the position that the move
/// leads to.
///
/// # Errors
///
/// Those of `out`.
pub fn write_book_moves(
    extract: &Extract<'_>,
    format: Format,
    out: &mut impl Write,
) -> io::Result<()> {
    let layout = format.layout(BookMoveRow::columns());
    let mut text = layout.header();
    for row in BookMoveRow::all(extract) {
        layout.write(&row, &mut text);
        out.write_all(&text)?;
        text.clear();
    }
    out.write_all(&text)
}

/// The row of a move of a book.
pub(super) struct BookMoveRow<'a> {
    pub(super) extract: &'a Extract<'a>,
    pub(super) id: NodeId,
    pub(super) choice: ExtractMove<'a>,
}

impl<'a> BookMoveRow<'a> {
    /// The rows of all moves of an extract.
    pub(super) fn all(extract: &'a Extract<'a>) -> impl Iterator<Item = Self> {
        let rows =
            move |id| extract.moves(id).into_iter().map(move |choice| Self { extract, id, choice });
        extract.positions().flat_map(rows)
    }

    pub(super) fn columns() -> RowColumns<Self> {
        let columns = RowColumns::<Self>::new()
            .with("key", Width::Share(3), |row| Value::Display(&row.extract.book.node(row.id).key))
            .with_moves("line", Width::Share(3), |row| Value::text(row.extract.movetext(row.id)))
            .with_moves("move", Width::AtMost(7), |row| Value::text(&row.choice.san))
            .with("uci", Width::AtMost(5), |row| Value::Display(&row.choice.edge.uci))
            .with("own", Width::AtMost(5), |row| row.extract.book.is_own_turn(row.id).into())
            .with("prepared", Width::AtMost(8), |row| row.choice.edge.prepared.is_some().into());
        let columns = with_results!(columns, Players, |row| Scores::from(&*row.choice.edge.played));
        with_ratings!(columns, |row| Scores::from(&*row.choice.edge.played))
            .with("nags", Width::AtMost(5), |row| Value::text(nags(row.choice.edge.notes())))
            .with("comment", Width::Share(3), |row| Value::text(comments(row.choice.edge.notes())))
            .with("leads_to", Width::Share(3), |row| {
                Value::Display(&row.extract.book.node(row.choice.edge.to).key)
            })
            .with("eco", Width::AtMost(5), |row| code(row.extract.opening(row.choice.edge.to)))
            .with("opening", Width::NameShare(3), |row| {
                name(row.extract.opening(row.choice.edge.to))
            })
    }
}

fn nags(notes: &[Note]) -> String {
    let nags = Note::all_nags(notes);
    nags.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn comments(notes: &[Note]) -> String {
    Note::all_comments(notes).join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        chess::Color,
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
            vec![note("a", &[1], "\"best\", by test"), note("b", &[1, 14], "two\nlines")];
        let mut out = Vec::new();
        let extract = Extract::new(&book, ExtractOptions::default(), Some(Catalogue::builtin()));
        write_book_moves(&extract, Format::Csv, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "key,line,move,uci,own,prepared,games,won,drawn,lost,score,opponents,\
             performance,first,last,nags,comment,leads_to,eco,opening\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -,,e4,e2e4,true,true,4,2,1,1,62.5,\
             2000,2000,2020-01,2021-05-13,1 14,\"\"\"best\"\", by test | two lines\",\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,B00,King's Pawn Game\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -,1. e4,c5,c7c5,false,true,0,0,0,\
             0,,,,,,,,rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -,B20,\
             Sicilian Defense\n"
        );
    }
}
