//! A repertoire as an SQLite file, for queries. The door to `rusqlite` for rows.

use std::{borrow::Cow, io};

use rusqlite::types::{Null, ToSqlOutput, Value as Stored};
use rusqlite::{Connection, params_from_iter};

use super::{export::BookMoveRow, moves::examples};
use crate::output::{ColumnSet, ColumnValue, RowColumns, Value, Width};
use crate::{chess::Color, collection::KeptGame, repertoire::Extract};

/// A game, and its number in the repertoire.
struct GameRow {
    number: u64,
    game: KeptGame,
}

impl GameRow {
    fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
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
        Value::text(self.game.known_tag(tag))
    }

    fn rating(&self, color: Color) -> Value<'_> {
        self.game.info().rating(color).map(u64::from).into()
    }
}

/// An SQLite file of the moves of an extract (table `move`: the columns of
/// [`write_book_moves`](super::write_book_moves), `examples`, the numbers of the latest games, and
/// `mistake`) and of the games (table `game`), which have numbers from 1.
///
/// # Errors
///
/// If there is no room for it.
pub fn to_sqlite(
    extract: &Extract<'_>,
    games: impl IntoIterator<Item = KeptGame>,
) -> io::Result<Vec<u8>> {
    let columns = BookMoveRow::columns()
        .with("examples", Width::Share(1), |row| Value::text(examples(&row.choice.edge.played)))
        .with("mistake", Width::AtMost(5), |row| {
            row.extract.book.is_mistake(row.id, row.choice.edge).into()
        });
    let games = (1..).zip(games).map(|(number, game)| GameRow { number, game });
    let write = || -> rusqlite::Result<Vec<u8>> {
        let mut connection = Connection::open_in_memory()?;
        connection.execute_batch("BEGIN")?;
        add_table(&connection, "move", &columns, BookMoveRow::all(extract), "key")?;
        add_table(&connection, "game", &GameRow::columns(), games, "number")?;
        connection.execute_batch("COMMIT")?;
        let bytes = connection.serialize("main")?.to_vec();
        Ok(bytes)
    };
    write().map_err(io::Error::other)
}

/// Adds a table of this name with these rows, and an index of the column `key`.
fn add_table<R, F: ColumnValue<R>>(
    connection: &Connection,
    name: &str,
    columns: &ColumnSet<F>,
    rows: impl IntoIterator<Item = R>,
    key: &str,
) -> rusqlite::Result<()> {
    let names: Vec<String> =
        columns.columns().iter().map(|column| format!("\"{}\"", column.name)).collect();
    let marks = vec!["?"; names.len()].join(", ");
    connection.execute(&format!("CREATE TABLE \"{name}\" ({})", names.join(", ")), [])?;
    let mut insert = connection.prepare(&format!("INSERT INTO \"{name}\" VALUES ({marks})"))?;
    for row in rows {
        let values = columns.cells(&row).map(|(_, value)| stored(&value));
        insert.execute(params_from_iter(values))?;
    }
    let index = format!("CREATE INDEX \"{name}_by_{key}\" ON \"{name}\" (\"{key}\")");
    connection.execute(&index, []).map(drop)
}

/// A value as SQLite has it: numbers as numbers, yes and no as 1 and 0.
fn stored(value: &Value<'_>) -> ToSqlOutput<'static> {
    match value {
        Value::None => ToSqlOutput::from(Null),
        Value::Number(number) => i64::try_from(*number).unwrap_or(i64::MAX).into(),
        Value::Decimal { value, .. } => (*value).into(),
        Value::Bool(is_so) => (*is_so).into(),
        text => ToSqlOutput::Owned(Stored::Text(text.to_text("").into_owned())),
    }
}
