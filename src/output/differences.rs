//! Where two repertoires differ.

use super::{Column, Value, Width, moves::opening_at};
use crate::{
    catalogue::Catalogue,
    chess::play_as_san,
    opening::Opening,
    repertoire::{Book, DiffSide, Difference, OtherBook, ShortestLines},
};

/// The columns of [`difference_rows`].
pub const DIFFERENCE_COLUMNS: [Column; 8] = [
    Column { name: "only_in", width: Width::Fixed(7), absent: "" },
    Column { name: "own", width: Width::Fixed(5), absent: "" },
    Column { name: "move", width: Width::Fixed(7), absent: "" },
    Column { name: "games", width: Width::Number(6), absent: "0" },
    Column { name: "the_other", width: Width::Fixed(11), absent: "" },
    Column { name: "line", width: Width::LineShare(3), absent: "" },
    Column { name: "opening", width: Width::Share(2), absent: "" },
    Column { name: "key", width: Width::Share(1), absent: "" },
];

/// Rows about the differences of two books.
#[must_use]
pub fn difference_rows<'v>(
    books: [&Book; 2],
    catalogue: &Catalogue,
    differences: &[Difference],
) -> Vec<Vec<Value<'v>>> {
    let shortest = books.map(ShortestLines::of);
    let row = |found: &Difference| {
        let (side, only_in) = match found.side {
            DiffSide::First => (0, "first"),
            DiffSide::Second => (1, "second"),
        };
        let book = books[side];
        let key = book.node(found.node).key;
        let mut position = key.to_position().ok()?;
        let m = found.uci.to_move(&position)?;
        let line = shortest[side].movetext(book, found.node).unwrap_or_default();
        let other = match found.other {
            OtherBook::PlaysOther => "other moves",
            OtherBook::Ends => "ends here",
            OtherBook::Lacks => "has it not",
        };
        let opening = opening_at(catalogue, &key);
        Some(vec![
            Value::text(only_in),
            Value::Bool(book.is_own_turn(found.node)),
            Value::text(play_as_san(&mut position, m).to_string()),
            Value::Number(found.played.games.into()),
            Value::text(other),
            Value::Text(line.into()),
            Value::told(opening.map(Opening::name)),
            Value::text(key.to_string()),
        ])
    };
    differences.iter().filter_map(row).collect()
}
