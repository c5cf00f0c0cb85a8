//! The rows that positions have or get, so that a move can refer to the row it leads to before that
//! is written.

use hashbrown::HashMap;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{chess::PositionKey, repertoire::PositionCount};

/// Whether a repertoire may have a position already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Positions {
    /// It has none that is written again.
    New,
    /// It may have some.
    Known,
}

/// Finds the rows that a file has of the positions of a repertoire.
#[derive(Clone, Copy)]
pub(super) struct RowFinder<'c> {
    pub(super) connection: &'c Connection,
    pub(super) repertoire: i64,
    pub(super) positions: Positions,
}

impl RowFinder<'_> {
    pub(super) fn find(&self, key: &PositionKey) -> rusqlite::Result<Option<i64>> {
        match self.positions {
            Positions::New => Ok(None),
            Positions::Known => find_position(self.connection, self.repertoire, &key.to_string()),
        }
    }
}

/// The row of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowId {
    /// It is to be added.
    New(i64),
    /// The file has it.
    Known(i64),
}

impl RowId {
    pub(super) fn number(self) -> i64 {
        match self {
            Self::New(number) | Self::Known(number) => number,
        }
    }
}

/// The rows of the positions that are written, by the hashes of their keys.
pub(super) struct PositionRows {
    /// The number of the next new row.
    next: i64,
    rows: HashMap<u64, i64>,
}

impl PositionRows {
    /// None yet. New rows come after all of the file.
    pub(super) fn new(connection: &Connection) -> rusqlite::Result<Self> {
        let last = "SELECT coalesce(max(id), 0) FROM repertoire_position";
        let last: i64 = connection.query_row(last, [], |row| row.get(0))?;
        Ok(Self { next: last + 1, rows: HashMap::new() })
    }

    /// The first of a number of new rows.
    pub(super) fn reserve(&mut self, count: usize) -> i64 {
        self.next += count as i64;
        self.next - count as i64
    }

    /// The rows of positions that are about to be written, in their order.
    pub(super) fn assign(
        &mut self,
        counts: &[PositionCount],
        finder: RowFinder<'_>,
    ) -> rusqlite::Result<Vec<RowId>> {
        self.rows.reserve(counts.len());
        let mut assign = |count: &PositionCount| {
            let row = match finder.find(&count.key)? {
                Some(known) => RowId::Known(known),
                None => {
                    self.next += 1;
                    RowId::New(self.next - 1)
                }
            };
            self.rows.insert(count.key.hash64(), row.number());
            Ok(row)
        };
        counts.iter().map(&mut assign).collect()
    }

    /// The row of a position, if it is one of those.
    pub(super) fn of(&self, hash: u64) -> Option<i64> {
        self.rows.get(&hash).copied()
    }
}

/// The row of a position, if there is one.
pub(super) fn find_position(
    connection: &Connection,
    repertoire: i64,
    key: &str,
) -> rusqlite::Result<Option<i64>> {
    let mut find = connection.prepare_cached(
        "SELECT id FROM repertoire_position WHERE repertoire_id = ?1 AND key = ?2",
    )?;
    find.query_row(params![repertoire, key], |row| row.get(0)).optional()
}

/// The row of a position, which is added without counts if there is none.
pub(super) fn position_id(
    connection: &Connection,
    repertoire: i64,
    key: &str,
) -> rusqlite::Result<i64> {
    if let Some(id) = find_position(connection, repertoire, key)? {
        return Ok(id);
    }
    let mut add = connection
        .prepare_cached("INSERT INTO repertoire_position (repertoire_id, key) VALUES (?1, ?2)")?;
    add.execute(params![repertoire, key])?;
    Ok(connection.last_insert_rowid())
}
