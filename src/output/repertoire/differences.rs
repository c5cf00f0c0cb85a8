//! The rows of `repertoire diff`: where two repertoires differ.

use super::notes::notes_text;
use crate::{
    catalogue::Catalogue,
    chess::{PositionKey, play_as_san},
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{name, opening_at},
    },
    repertoire::{Book, DiffSide, Difference, OtherBook, ShortestLines},
};

/// The row of what only one of two books has.
#[derive(Debug, Clone)]
pub struct DifferenceRow<'a> {
    difference: &'a Difference,
    is_own: bool,
    /// The move; empty if the row is about the position.
    san: String,
    /// What the book says of it.
    notes: String,
    /// The line to the position.
    line: String,
    key: PositionKey,
    opening: Option<&'a Opening>,
}

type DifferenceColumns = ColumnSet<for<'r> fn(&'r DifferenceRow<'_>) -> Value<'r>>;

impl<'a> DifferenceRow<'a> {
    /// The rows of the differences of two books.
    #[must_use]
    pub fn all(
        first: &Book,
        second: &Book,
        catalogue: &'a Catalogue,
        differences: &'a [Difference],
    ) -> Vec<Self> {
        let first = (first, ShortestLines::of(first));
        let second = (second, ShortestLines::of(second));
        let row = |difference: &'a Difference| {
            let (book, lines) = match difference.side {
                DiffSide::First => &first,
                DiffSide::Second => &second,
            };
            Self::new(book, lines, catalogue, difference)
        };
        differences.iter().filter_map(row).collect()
    }

    /// `None` if the move cannot be played.
    fn new(
        book: &Book,
        lines: &ShortestLines,
        catalogue: &'a Catalogue,
        difference: &'a Difference,
    ) -> Option<Self> {
        let node = book.node(difference.node);
        let key = node.key;
        let (san, notes) = match difference.uci {
            None => (String::new(), notes_text(&node.notes)),
            Some(uci) => {
                let mut position = key.to_position().ok()?;
                let m = uci.to_move(&position)?;
                let prepared = node.edge(uci).and_then(|edge| edge.prepared.as_ref());
                let notes = prepared.map_or(String::new(), |prepared| notes_text(&prepared.notes));
                (play_as_san(&mut position, m).to_string(), notes)
            }
        };
        Some(Self {
            difference,
            is_own: book.is_own_turn(difference.node),
            san,
            notes,
            line: lines.movetext(book, difference.node).unwrap_or_default(),
            key,
            opening: opening_at(catalogue, &key),
        })
    }
}

impl Row for DifferenceRow<'_> {
    type Columns = DifferenceColumns;

    fn columns() -> DifferenceColumns {
        DifferenceColumns::new()
            .with("only_in", Width::AtMost(7), |row| match row.difference.side {
                DiffSide::First => Value::text("first"),
                DiffSide::Second => Value::text("second"),
            })
            .of(ColumnType::Name)
            .with("own", Width::AtMost(5), |row| row.is_own.into())
            .of(ColumnType::Bool)
            .with("move", Width::AtMost(7), |row| Value::text(&row.san))
            .with("games", Width::Number, |row| row.difference.played.games.into())
            .with("the_other", Width::AtMost(14), |row| match row.difference.other {
                OtherBook::PlaysOther => Value::text("other moves"),
                OtherBook::Ends => Value::text("ends here"),
                OtherBook::Lacks => Value::text("has it not"),
                OtherBook::PrefersOther => Value::text("prefers other"),
                OtherBook::SaysOther => Value::text("says other"),
                OtherBook::SaysNothing => Value::text("says nothing"),
            })
            .of(ColumnType::Name)
            .with("notes", Width::Share(2), |row| Value::text(&row.notes))
            .with("line", Width::LineShare(3), |row| Value::Text(row.line.as_str().into()))
            .with("opening", Width::NameShare(2), |row| name(row.opening))
            .with("key", Width::Share(1), |row| Value::Display(&row.key))
    }
}
