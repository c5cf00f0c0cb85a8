//! Rows as tables of an SQLite file. The door to `rusqlite` for them.

use std::io;

use rusqlite::{
    Connection, params_from_iter,
    types::{Null, ToSqlOutput, Value as Stored},
};

use super::{
    column::Cell as _,
    column_set::{ColumnSet, ColumnValue},
    value::Value,
};

/// A file with a table for each kind of rows, in memory.
pub(crate) struct SqliteTables(Connection);

impl SqliteTables {
    /// A file without tables.
    pub(crate) fn new() -> io::Result<Self> {
        let connection = Connection::open_in_memory().map_err(io::Error::other)?;
        connection.execute_batch("BEGIN").map_err(io::Error::other)?;
        Ok(Self(connection))
    }

    /// Adds a table of this name with these rows.
    pub(crate) fn add<R, F: ColumnValue<R>>(
        &self,
        name: &str,
        columns: &ColumnSet<F>,
        rows: impl IntoIterator<Item = R>,
    ) -> io::Result<()> {
        let add = || -> rusqlite::Result<()> {
            let names: Vec<String> =
                columns.columns().iter().map(|column| format!("\"{}\"", column.name)).collect();
            let marks = vec!["?"; names.len()].join(", ");
            self.0.execute(&format!("CREATE TABLE \"{name}\" ({})", names.join(", ")), [])?;
            let mut insert = self.0.prepare(&format!("INSERT INTO \"{name}\" VALUES ({marks})"))?;
            for row in rows {
                insert.execute(params_from_iter(
                    columns.cells(&row).map(|cell| stored(&cell.value())),
                ))?;
            }
            Ok(())
        };
        add().map_err(io::Error::other)
    }

    /// Adds an index of a column.
    pub(crate) fn index(&self, table: &str, column: &str) -> io::Result<()> {
        let sql = format!("CREATE INDEX \"{table}_by_{column}\" ON \"{table}\" (\"{column}\")");
        self.0.execute(&sql, []).map(drop).map_err(io::Error::other)
    }

    /// The bytes of the file.
    pub(crate) fn into_bytes(mut self) -> io::Result<Vec<u8>> {
        self.0.execute_batch("COMMIT").map_err(io::Error::other)?;
        let bytes = self.0.serialize("main").map_err(io::Error::other)?;
        Ok(bytes.to_vec())
    }
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
