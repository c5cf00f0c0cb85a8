//! Rows of positions and moves, as they are read and written.

use std::num::NonZeroU32;

use rusqlite::{Connection, Row, Statement, params};

use super::{
    position_rows::{PositionRows, Positions, RowFinder, RowId},
    row_batch::{Destination, PlayedRow, PositionRow, RowBatch},
};
use crate::{
    chess::{Chess, Color, PositionKey, UciMove, play_as_san},
    pgn::GameDate,
    repertoire::{MoveCounters, Note, Tally},
    store::error::{InFile, StoreError},
};

pub(super) fn read_color(name: &str) -> Color {
    Color::from_white(name == "white")
}

/// A date, if there is one.
pub(super) fn read_date(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<GameDate>> {
    Ok(row.get::<_, Option<String>>(column)?.and_then(|date| date.parse().ok()))
}

pub(super) fn san(position: &Chess, uci: UciMove) -> String {
    let m = uci.to_move(position).expect("it was played");
    play_as_san(&mut position.clone(), m).to_string()
}

/// Where the rows of positions and moves go.
pub(super) trait RowSink {
    /// Rows as they are written.
    type Batch: Send;

    /// What workers can do before rows of a repertoire are written.
    fn prepare(repertoire: i64, rows: RowBatch) -> Self::Batch;

    /// Writes rows, which come in their order.
    fn write(&mut self, batch: Self::Batch) -> Result<(), StoreError>;
}

/// A move whose next position has no row so far, by the hash of that.
#[derive(Debug)]
pub(super) struct OpenMove {
    position: i64,
    san: String,
    to: u64,
}

impl OpenMove {
    pub(super) fn new(position: i64, san: &str, to: &PositionKey) -> Self {
        Self { position, san: san.to_owned(), to: to.hash64() }
    }

    /// Writes where moves lead, as far as there are rows by now.
    pub(super) fn close_all(
        open: &[Self],
        connection: &Connection,
        rows: &PositionRows,
    ) -> rusqlite::Result<()> {
        let mut set = connection
            .prepare("UPDATE played_move SET leads_to = ?3 WHERE position_id = ?1 AND san = ?2")?;
        for Self { position, san, to } in open {
            if let Some(row) = rows.of(*to) {
                set.execute(params![position, san, row])?;
            }
        }
        Ok(())
    }
}

/// Writes what was played in positions, in place of what was known, by statements.
pub(super) struct PositionWriter<'c> {
    finder: RowFinder<'c>,
    /// The name of the file, for errors.
    name: &'c str,
    /// Moves that may lead to positions that are written later.
    open: Vec<OpenMove>,
    // Not from the cache, which would look for each of them a million times.
    add: Statement<'c>,
    set: Statement<'c>,
    add_move: Statement<'c>,
}

impl<'c> PositionWriter<'c> {
    pub(super) fn new(finder: RowFinder<'c>, name: &'c str) -> rusqlite::Result<Self> {
        let RowFinder { connection, positions, .. } = finder;
        let add = connection.prepare(
            "INSERT INTO repertoire_position
                 (id, repertoire_id, key, played_ply, games, wins, draws, losses)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        let set = connection.prepare(
            "UPDATE repertoire_position
             SET played_ply = ?2, games = ?3, wins = ?4, draws = ?5, losses = ?6
             WHERE id = ?1",
        )?;
        // To be ready to replace a row costs a copy of its page.
        let insert = match positions {
            Positions::New => "INSERT",
            Positions::Known => "INSERT OR REPLACE",
        };
        let add_move = connection.prepare(&format!(
            "{insert} INTO played_move (position_id, san, games, wins, draws, losses,
                 rated_games, rated_half_points, rating_sum, first_date, last_date, examples,
                 uci, leads_to)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        ))?;
        Ok(Self { finder, name, open: Vec::new(), add, set, add_move })
    }

    fn write_position(
        &mut self,
        batch: &RowBatch,
        position: &PositionRow,
        moves: &[PlayedRow],
    ) -> rusqlite::Result<()> {
        let PositionRow { ply, tally: Tally { games, wins, draws, losses, .. }, .. } = position;
        let id = position.row.number();
        match position.row {
            RowId::Known(_) => self.set.execute(params![id, ply, games, wins, draws, losses])?,
            RowId::New(_) => {
                let (repertoire, key) = (self.finder.repertoire, batch.text(position.key));
                self.add.execute(params![id, repertoire, key, ply, games, wins, draws, losses])?
            }
        };
        for played in moves {
            let leads_to = match played.leads_to {
                Destination::Row(row) => Some(row),
                Destination::NoRow => None,
                Destination::Elsewhere(key) => {
                    let found = self.finder.find(&key)?;
                    if found.is_none() {
                        self.open.push(OpenMove::new(id, batch.text(played.san), &key));
                    }
                    found
                }
            };
            self.write_move(batch, id, played, leads_to)?;
        }
        Ok(())
    }

    /// Writes where the moves lead whose next position had no row when they were written.
    pub(super) fn finish(self, rows: &PositionRows) -> rusqlite::Result<()> {
        OpenMove::close_all(&self.open, self.finder.connection, rows)
    }

    fn write_move(
        &mut self,
        batch: &RowBatch,
        position: i64,
        row: &PlayedRow,
        leads_to: Option<i64>,
    ) -> rusqlite::Result<()> {
        let (tally, text) = (&row.tally, |text| batch.text(text));
        self.add_move.execute(params![
            position,
            text(row.san),
            tally.games,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.rated,
            tally.rated_half_points,
            tally.rating_sum as i64,
            row.first.map(text),
            row.last.map(text),
            text(row.examples),
            text(row.uci),
            leads_to,
        ])?;
        Ok(())
    }
}

impl RowSink for PositionWriter<'_> {
    type Batch = RowBatch;

    fn prepare(_: i64, rows: RowBatch) -> RowBatch {
        rows
    }

    fn write(&mut self, batch: RowBatch) -> Result<(), StoreError> {
        let mut rows = batch.rows();
        let written = rows.try_for_each(|(row, moves)| self.write_position(&batch, row, moves));
        written.in_file(self.name)
    }
}

/// The columns that [`read_played`] takes.
pub(super) const PLAYED_COLUMNS: &str = "san, games, wins, draws, losses, rated_games, \
     rated_half_points, rating_sum, first_date, last_date, examples";

/// A move with its games, from the columns from `first` on.
pub(super) fn read_played(row: &Row<'_>, first: usize) -> rusqlite::Result<(String, Tally)> {
    let results = [row.get(first + 2)?, row.get(first + 3)?, row.get(first + 4)?];
    let mut tally = Tally::of_results(row.get(first + 1)?, results);
    tally.rated = row.get(first + 5)?;
    tally.rated_half_points = row.get(first + 6)?;
    tally.rating_sum = row.get::<_, i64>(first + 7)? as u64;
    tally.first = read_date(row, first + 8)?;
    tally.last = read_date(row, first + 9)?;
    let examples: String = row.get(first + 10)?;
    let numbers = examples.trim_matches(['[', ']']).split(',');
    tally.set_examples(numbers.filter_map(|number| number.parse::<NonZeroU32>().ok()));
    Ok((row.get(first)?, tally))
}

/// The counters where lines begin, from two columns: the half-move clock, and the move number.
pub(super) fn read_counters(row: &Row<'_>, first: usize) -> rusqlite::Result<MoveCounters> {
    let fullmoves = NonZeroU32::new(row.get(first + 1)?).unwrap_or(NonZeroU32::MIN);
    Ok(MoveCounters { halfmoves: row.get(first)?, fullmoves })
}

/// The columns that [`read_note`] takes.
pub(super) const NOTE_COLUMNS: &str = "source, nags, comment";

/// A note, from the columns from `first` on.
pub(super) fn read_note(row: &Row<'_>, first: usize) -> rusqlite::Result<Note> {
    let nags: String = row.get(first + 1)?;
    let nags = nags.trim_matches(['[', ']']).split(',').flat_map(str::parse).collect();
    Ok(Note { source: row.get(first)?, nags, comment: row.get(first + 2)? })
}
