//! The rows of positions and moves of a new file, written as pages.
//!
//! It is the fast form of [`PositionWriter`](super::rows::PositionWriter), for tables without rows
//! in a file that nobody else has open: the rows of all positions come in the order of the tables.

use std::io;

use super::{
    key_index::{Keys, write_keys},
    position_rows::PositionRows,
    row_batch::{Destination, RowBatch},
    rows::{OpenMove, RowSink},
};
use crate::{
    pipeline::Workers,
    repertoire::Tally,
    store::{
        btree::{PageFile, Record, Records, Tree, TreeKind},
        database::Database,
        error::{InFile, StoreError},
    },
};

/// The trees that are written, by the names of what they are the root of.
const POSITIONS: &str = "repertoire_position";
const KEYS: &str = "sqlite_autoindex_repertoire_position_1";
const MOVES: &str = "played_move";

/// Rows of positions and moves on their way into a new file.
pub(super) struct RowPages {
    /// The name of the file, for errors.
    name: String,
    repertoire: i64,
    file: PageFile,
    positions: Tree,
    moves: Tree,
    keys: Vec<Keys>,
    open: Vec<OpenMove>,
    roots: [u32; 3],
}

/// The records of a batch.
pub(super) struct RecordBatch {
    positions: Records,
    moves: Records,
    keys: Keys,
    open: Vec<OpenMove>,
}

impl RowSink for RowPages {
    type Batch = RecordBatch;

    fn prepare(repertoire: i64, rows: RowBatch) -> RecordBatch {
        let mut batch = RecordBatch {
            positions: Records::default(),
            moves: Records::default(),
            keys: Keys::default(),
            open: Vec::new(),
        };
        let mut record = Record::default();
        for (position, moves) in rows.rows() {
            let id = position.row.number();
            let (key, tally) = (rows.text(position.key), &position.tally);
            // The id, which a record does not repeat.
            record.null();
            record.integer(repertoire);
            record.text(key);
            // Whether it is a start, or prepared.
            record.integer(0);
            record.integer(0);
            add_results(&mut record, tally);
            record.integer(position.ply);
            record.null();
            batch.positions.push(id, &mut record);
            batch.keys.push(key, id);
            for played in moves {
                let (san, tally) = (rows.text(played.san), &played.tally);
                record.integer(id);
                record.text(san);
                add_results(&mut record, tally);
                record.integer(tally.rated);
                record.integer(tally.rated_half_points);
                record.integer(tally.rating_sum.cast_signed());
                for date in [played.first, played.last] {
                    record.optional_text(date.map(|date| rows.text(date)));
                }
                record.text(rows.text(played.examples));
                record.text(rows.text(played.uci));
                record.optional_integer(match played.leads_to {
                    Destination::Row(row) => Some(row),
                    Destination::NoRow => None,
                    Destination::Elsewhere(to) => {
                        batch.open.push(OpenMove::new(id, san, &to));
                        None
                    }
                });
                batch.moves.push(id, &mut record);
            }
        }
        batch
    }

    fn write(&mut self, mut batch: RecordBatch) -> Result<(), StoreError> {
        let Self { file, positions, moves, .. } = self;
        let mut write = || -> io::Result<()> {
            batch.positions.iter().try_for_each(|(id, record)| positions.push(id, record, file))?;
            batch.moves.iter().try_for_each(|(id, record)| moves.push(id, record, file))
        };
        write().map_err(|error| cannot_write(&self.name, error))?;
        self.keys.push(batch.keys);
        self.open.append(&mut batch.open);
        Ok(())
    }
}

impl RowPages {
    /// Begins to write the rows of a repertoire, if its file is new and has none. What the file
    /// has is committed.
    pub(super) fn begin(
        database: &mut Database,
        repertoire: i64,
    ) -> Result<Option<Self>, StoreError> {
        let has_rows = "SELECT EXISTS (SELECT * FROM repertoire_position)
             OR EXISTS (SELECT * FROM played_move)";
        let has_rows = database.connection.query_row(has_rows, [], |row| row.get::<_, bool>(0));
        if has_rows.in_file(&database.name)? {
            return Ok(None);
        }
        let [Some(positions), Some(keys), Some(moves)] =
            database.roots([POSITIONS, KEYS, MOVES])?
        else {
            return Ok(None);
        };
        let Some(file) = database.end_of_new_file()? else { return Ok(None) };
        let roots = [positions, keys, moves];
        Ok(Some(Self {
            name: database.name.clone(),
            repertoire,
            positions: Tree::new(TreeKind::Table, &file),
            moves: Tree::new(TreeKind::Index, &file),
            keys: Vec::new(),
            open: Vec::new(),
            file,
            roots,
        }))
    }

    /// Ends the pages, and writes what only statements can: where moves lead whose next position
    /// came after them, which `rows` has by now.
    pub(super) fn finish(
        self,
        database: &mut Database,
        rows: &PositionRows,
        workers: &Workers,
    ) -> Result<(), StoreError> {
        let Self { name, repertoire, mut file, positions, moves, keys, open, roots } = self;
        let write = move || -> io::Result<()> {
            let keys = write_keys(repertoire, &keys, &mut file, workers)?;
            let trees = [positions.finish(&mut file)?, keys, moves.finish(&mut file)?];
            let roots: Vec<(u32, Vec<u8>)> = roots.into_iter().zip(trees).collect();
            file.finish(&roots)
        };
        database.reopen_new(write)?;
        OpenMove::close_all(&open, &database.connection, rows).in_file(&name)
    }
}

fn add_results(record: &mut Record, tally: &Tally) {
    for count in [tally.games, tally.wins, tally.draws, tally.losses] {
        record.integer(count);
    }
}

fn cannot_write(name: &str, error: io::Error) -> StoreError {
    StoreError::CannotWrite { name: name.to_owned(), source: error.into() }
}
