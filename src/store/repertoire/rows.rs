//! Rows of positions and moves, as they are read and written.

use std::{
    fmt::{self, Write as _},
    num::NonZeroU32,
};

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use crate::{
    chess::{Chess, Color, Move, Position, UciMove, play_as_san},
    pgn::GameDate,
    repertoire::{Note, PositionCount, Tally},
};

pub(super) fn read_color(name: &str) -> Color {
    Color::from_white(name == "white")
}

/// A date, if there is one.
pub(super) fn read_date(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<GameDate>> {
    Ok(row.get::<_, Option<String>>(column)?.and_then(|date| date.parse().ok()))
}

/// A position with what was played there, in the words of the file: workers find them, so that the
/// one thread that writes has only to write.
pub(super) struct PositionRow {
    key: String,
    tally: Tally,
    moves: Vec<PlayedRow>,
}

struct PlayedRow {
    san: String,
    tally: Tally,
    first: Option<String>,
    last: Option<String>,
    examples: String,
}

impl PositionRow {
    /// # Panics
    ///
    /// If the count has a move that is not legal in its position.
    pub(super) fn of(count: PositionCount) -> Self {
        let position = count.key.to_position().expect("games have it");
        let legal = position.legal_moves();
        let moves = count.moves.into_iter().map(|played| {
            let is_played = |m: &&Move| UciMove::from_move(**m) == played.uci;
            let m = legal.iter().find(is_played).expect("it was played");
            let san = short_text(play_as_san(&mut position.clone(), *m));
            PlayedRow::of(san, played.tally)
        });
        Self { key: short_text(count.key), tally: count.tally, moves: moves.collect() }
    }
}

impl PlayedRow {
    fn of(san: String, tally: Tally) -> Self {
        let mut examples = String::with_capacity(SHORT_TEXT);
        for number in tally.examples() {
            let before = if examples.is_empty() { '[' } else { ',' };
            let written = write!(examples, "{before}{number}");
            written.expect("a string takes all that is written");
        }
        examples.push_str(if examples.is_empty() { "[]" } else { "]" });
        let (first, last) = (tally.first.map(short_text), tally.last.map(short_text));
        Self { san, tally, first, last, examples }
    }
}

/// Room for nearly all texts of rows.
const SHORT_TEXT: usize = 80;

/// A text that is short: it takes memory once, where `to_string` does again and again.
fn short_text(text: impl fmt::Display) -> String {
    let mut short = String::with_capacity(SHORT_TEXT);
    write!(short, "{text}").expect("a string takes all that is written");
    short
}

pub(super) fn san(position: &Chess, uci: UciMove) -> String {
    let m = uci.to_move(position).expect("it was played");
    play_as_san(&mut position.clone(), m).to_string()
}

/// Whether a repertoire may have a position already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Positions {
    /// It has none that is written again.
    New,
    /// It may have some.
    Known,
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

/// Writes what was played in positions, in place of what was known.
pub(super) struct PositionWriter<'c> {
    connection: &'c Connection,
    repertoire: i64,
    positions: Positions,
    // Not from the cache, which would look for each of them a million times.
    add: Statement<'c>,
    set: Statement<'c>,
    add_move: Statement<'c>,
}

impl<'c> PositionWriter<'c> {
    pub(super) fn new(
        connection: &'c Connection,
        repertoire: i64,
        positions: Positions,
    ) -> rusqlite::Result<Self> {
        let add = connection.prepare(
            "INSERT INTO repertoire_position (repertoire_id, key, games, wins, draws, losses)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        let set = connection.prepare(
            "UPDATE repertoire_position SET games = ?2, wins = ?3, draws = ?4, losses = ?5
             WHERE id = ?1",
        )?;
        // To be ready to replace a row costs a copy of its page.
        let insert = match positions {
            Positions::New => "INSERT",
            Positions::Known => "INSERT OR REPLACE",
        };
        let add_move = connection.prepare(&format!(
            "{insert} INTO played_move (position_id, san, games, wins, draws, losses,
                 rated_games, rated_half_points, rating_sum, first_date, last_date, examples)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        ))?;
        Ok(Self { connection, repertoire, positions, add, set, add_move })
    }

    pub(super) fn write(&mut self, row: &PositionRow) -> rusqlite::Result<()> {
        let known = match self.positions {
            Positions::New => None,
            Positions::Known => find_position(self.connection, self.repertoire, &row.key)?,
        };
        let Tally { games, wins, draws, losses, .. } = row.tally;
        let id = match known {
            Some(id) => {
                self.set.execute(params![id, games, wins, draws, losses])?;
                id
            }
            None => {
                let key = &row.key;
                self.add.insert(params![self.repertoire, key, games, wins, draws, losses])?
            }
        };
        row.moves.iter().try_for_each(|played| self.write_move(id, played))
    }

    fn write_move(&mut self, position: i64, row: &PlayedRow) -> rusqlite::Result<()> {
        let tally = &row.tally;
        self.add_move.execute(params![
            position,
            row.san,
            tally.games,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.rated,
            tally.rated_half_points,
            tally.rating_sum as i64,
            row.first,
            row.last,
            row.examples,
        ])?;
        Ok(())
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

/// The columns that [`read_note`] takes.
pub(super) const NOTE_COLUMNS: &str = "source, nags, comment";

/// A note, from the columns from `first` on.
pub(super) fn read_note(row: &Row<'_>, first: usize) -> rusqlite::Result<Note> {
    let nags: String = row.get(first + 1)?;
    let nags = nags.trim_matches(['[', ']']).split(',').flat_map(str::parse).collect();
    Ok(Note { source: row.get(first)?, nags, comment: row.get(first + 2)? })
}
