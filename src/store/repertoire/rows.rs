//! Rows of positions and moves, as they are read and written.

use std::{
    fmt::{self, Write as _},
    num::NonZeroU32,
};

use rusqlite::{Row, Statement, params};

use super::position_rows::{PositionRows, Positions, RowFinder, RowId};
use crate::{
    chess::{Chess, Color, Move, Position, PositionKey, UciMove, play_as_san},
    pgn::GameDate,
    repertoire::{MoveCount, MoveCounters, Note, PositionCount, Tally},
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
    row: RowId,
    key: String,
    ply: u32,
    tally: Tally,
    moves: Vec<PlayedRow>,
}

struct PlayedRow {
    san: String,
    uci: String,
    leads_to: Destination,
    tally: Tally,
    first: Option<String>,
    last: Option<String>,
    examples: String,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// To the position of a row.
    Row(i64),
    /// To a position that may have a row elsewhere, or may get one later.
    Elsewhere(PositionKey),
    /// To a position without a row.
    NoRow,
}

impl PositionRow {
    /// The words of a count for a row; `destination` finds where its moves lead.
    ///
    /// # Panics
    ///
    /// If the count has a move that is not legal in its position.
    pub(super) fn of(
        row: RowId,
        count: PositionCount,
        destination: impl Fn(&PositionKey) -> Destination,
    ) -> Self {
        let position = count.key.to_position().expect("games have it");
        let legal = position.legal_moves();
        let moves = count.moves.into_iter().map(|played| {
            let is_played = |m: &&Move| UciMove::from_move(**m) == played.uci;
            let m = legal.iter().find(is_played).expect("it was played");
            let san = short_text(play_as_san(&mut position.clone(), *m));
            PlayedRow::of(san, &played, destination(&played.to))
        });
        let (moves, key) = (moves.collect(), short_text(count.key));
        Self { row, key, ply: count.ply, tally: count.tally, moves }
    }
}

impl PlayedRow {
    fn of(san: String, played: &MoveCount, leads_to: Destination) -> Self {
        let (uci, tally) = (short_text(played.uci), played.tally);
        let mut examples = String::with_capacity(SHORT_TEXT);
        for number in tally.examples() {
            let before = if examples.is_empty() { '[' } else { ',' };
            let written = write!(examples, "{before}{number}");
            written.expect("a string takes all that is written");
        }
        examples.push_str(if examples.is_empty() { "[]" } else { "]" });
        let (first, last) = (tally.first.map(short_text), tally.last.map(short_text));
        Self { san, uci, leads_to, tally, first, last, examples }
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

/// A move whose next position has no row so far, by the hash of that.
struct OpenMove {
    position: i64,
    san: String,
    to: u64,
}

/// Writes what was played in positions, in place of what was known.
pub(super) struct PositionWriter<'c> {
    finder: RowFinder<'c>,
    /// Moves that may lead to positions that are written later.
    open: Vec<OpenMove>,
    // Not from the cache, which would look for each of them a million times.
    add: Statement<'c>,
    set: Statement<'c>,
    add_move: Statement<'c>,
}

impl<'c> PositionWriter<'c> {
    pub(super) fn new(finder: RowFinder<'c>) -> rusqlite::Result<Self> {
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
        Ok(Self { finder, open: Vec::new(), add, set, add_move })
    }

    /// The rows that the file has.
    pub(super) fn finder(&self) -> RowFinder<'c> {
        self.finder
    }

    pub(super) fn write(&mut self, row: &PositionRow) -> rusqlite::Result<()> {
        let PositionRow { key, ply, tally: Tally { games, wins, draws, losses, .. }, .. } = row;
        let id = row.row.number();
        match row.row {
            RowId::Known(_) => self.set.execute(params![id, ply, games, wins, draws, losses])?,
            RowId::New(_) => {
                let repertoire = self.finder.repertoire;
                self.add.execute(params![id, repertoire, key, ply, games, wins, draws, losses])?
            }
        };
        for played in &row.moves {
            let leads_to = match played.leads_to {
                Destination::Row(row) => Some(row),
                Destination::NoRow => None,
                Destination::Elsewhere(key) => {
                    let found = self.finder.find(&key)?;
                    if found.is_none() {
                        let (san, to) = (played.san.clone(), key.hash64());
                        self.open.push(OpenMove { position: id, san, to });
                    }
                    found
                }
            };
            self.write_move(id, played, leads_to)?;
        }
        Ok(())
    }

    /// Writes where the moves lead whose next position had no row when they were written.
    pub(super) fn finish(self, rows: &PositionRows) -> rusqlite::Result<()> {
        let mut set = self
            .finder
            .connection
            .prepare("UPDATE played_move SET leads_to = ?3 WHERE position_id = ?1 AND san = ?2")?;
        for OpenMove { position, san, to } in &self.open {
            if let Some(row) = rows.of(*to) {
                set.execute(params![position, san, row])?;
            }
        }
        Ok(())
    }

    fn write_move(
        &mut self,
        position: i64,
        row: &PlayedRow,
        leads_to: Option<i64>,
    ) -> rusqlite::Result<()> {
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
            row.uci,
            leads_to,
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
