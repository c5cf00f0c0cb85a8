//! A repertoire as an SQLite file, for queries.

use std::{borrow::Cow, io};

use super::{book_moves::BookMoveRow, moves::examples};
use crate::{
    chess::Color,
    collection::KeptGame,
    output::{ColumnSet, Value, Width, sqlite::SqliteTables},
    repertoire::{Extract, known_text},
};

/// A game, and its number in the repertoire.
struct GameRow {
    number: u64,
    game: KeptGame,
}

type GameColumns = ColumnSet<for<'r> fn(&'r GameRow) -> Value<'r>>;

impl GameRow {
    fn columns() -> GameColumns {
        GameColumns::new()
            .with("number", Width::Number, |row| row.number.into())
            .with("white", Width::Share(1), |row| row.text("White"))
            .with("black", Width::Share(1), |row| row.text("Black"))
            .with("white_elo", Width::Number, |row| row.rating(Color::White))
            .with("black_elo", Width::Number, |row| row.rating(Color::Black))
            .with("date", Width::Date, |row| Value::optional(row.game.info().date()))
            .with("result", Width::AtMost(7), |row| Value::text(row.game.result().as_str()))
            .with("event", Width::Share(1), |row| row.text("Event"))
            .with("site", Width::Share(1), |row| row.text("Site"))
            .with("time_control", Width::AtMost(8), |row| row.text("TimeControl"))
            .with("link", Width::Share(1), |row| {
                Value::optional_text(row.game.info().link().map(Cow::into_owned))
            })
    }

    fn text(&self, tag: &str) -> Value<'_> {
        Value::text(known_text(self.game.tag(tag)))
    }

    fn rating(&self, color: Color) -> Value<'_> {
        self.game.info().rating(color).map(u64::from).into()
    }
}

/// An SQLite file of the moves of an extract (table `move`: the columns of
/// [`write_book_moves`](super::write_book_moves), and `examples`, the numbers of the latest games)
/// and of the games (table `game`), which have numbers from 1.
///
/// # Errors
///
/// If there is no room for it.
pub fn to_sqlite(
    extract: &Extract<'_>,
    games: impl IntoIterator<Item = KeptGame>,
) -> io::Result<Vec<u8>> {
    let tables = SqliteTables::new()?;
    let columns = BookMoveRow::columns()
        .with("examples", Width::Share(1), |row| Value::text(examples(row.tally())));
    tables.add("move", &columns, BookMoveRow::all(extract))?;
    tables.index("move", "key")?;
    let games = (1..).zip(games).map(|(number, game)| GameRow { number, game });
    tables.add("game", &GameRow::columns(), games)?;
    tables.index("game", "number")?;
    tables.into_bytes()
}
