//! The games of a repertoire, as they are written and read.

use std::{collections::HashSet, ops::ControlFlow};

use rusqlite::{Connection, Row, params};

use super::{info::RepertoireInfo, rows::read_date};
use crate::{
    chess::{Board, Color, Fen, PositionKey},
    repertoire::{Fingerprint, GameFacts, PlayedGame},
    select::GameResult,
    store::{
        database::Database,
        error::{InFile, StoreError},
    },
};

impl Database {
    /// The games of a repertoire, by their numbers, as far as they are stored.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, or the file cannot be read.
    pub fn games(
        &self,
        name: &str,
        visit: &mut dyn FnMut(u32, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let info = self.repertoire(name)?;
        self.each_game(&info, u32::MAX, visit)
    }

    /// The game of this number.
    ///
    /// # Errors
    ///
    /// If there is none, or the file cannot be read.
    pub(crate) fn game(&self, number: u32) -> Result<PlayedGame, StoreError> {
        let read = || {
            let sql = format!("SELECT {GAME_COLUMNS} FROM game WHERE id = ?1");
            self.connection.prepare_cached(&sql)?.query_row([number], read_game)
        };
        read().map(|(_, game)| game).in_file(&self.name)
    }

    /// The greatest number of its games; 0 if it has none.
    pub(super) fn last_game(&self, info: &RepertoireInfo) -> Result<u32, StoreError> {
        self.connection
            .query_row(
                "SELECT coalesce(max(id), 0) FROM game WHERE repertoire_id = ?1",
                [info.id],
                |row| row.get(0),
            )
            .in_file(&self.name)
    }

    /// The games of a repertoire, by their numbers, up to one of them.
    pub(super) fn each_game(
        &self,
        info: &RepertoireInfo,
        last: u32,
        mut visit: impl FnMut(u32, PlayedGame) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let sql = format!(
                "SELECT {GAME_COLUMNS} FROM game WHERE repertoire_id = ?1 AND id <= ?2 ORDER BY id"
            );
            let mut games = self.connection.prepare(&sql)?;
            let mut rows = games.query(params![info.id, last])?;
            while let Some(row) = rows.next()? {
                let (number, game) = read_game(row)?;
                if visit(number, game).is_break() {
                    break;
                }
            }
            Ok(())
        };
        read().in_file(&self.name)
    }

    /// Where the games of a repertoire begin.
    pub(super) fn start_keys(
        &self,
        info: &RepertoireInfo,
    ) -> Result<HashSet<PositionKey>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Option<String>>> {
            let mut starts = self
                .connection
                .prepare("SELECT DISTINCT start FROM game WHERE repertoire_id = ?1")?;
            starts.query_map([info.id], |row| row.get(0))?.collect()
        };
        let starts = read().in_file(&self.name)?;
        let key = |start: Option<String>| match start {
            None => Some(*Board::default().key()),
            Some(fen) => Some(fen.parse::<Fen>().ok()?.key()),
        };
        Ok(starts.into_iter().filter_map(key).collect())
    }
}

/// Adds a game and returns its number; `None` if it is there already.
pub(super) fn add_game(
    connection: &Connection,
    repertoire: i64,
    game: &PlayedGame,
) -> rusqlite::Result<Option<u32>> {
    let mut add = connection.prepare_cached(
        "INSERT INTO game (repertoire_id, fingerprint, white, black, white_rating, black_rating,
             date, result, site, start, moves)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING",
    )?;
    let added = add.execute(params![
        repertoire,
        game.fingerprint.0,
        game.white,
        game.black,
        game.white_rating.map(u16::from),
        game.black_rating.map(u16::from),
        game.date.map(|date| date.to_string()),
        game.result.as_str(),
        game.site,
        game.start.as_ref().map(ToString::to_string),
        game.moves,
    ])?;
    let number = u32::try_from(connection.last_insert_rowid());
    (added > 0).then(|| number.map_err(out_of_range)).transpose()
}

fn out_of_range(error: std::num::TryFromIntError) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

/// The columns that [`read_game`] takes.
pub(super) const GAME_COLUMNS: &str = "id, fingerprint, white, black, white_rating, black_rating, \
     date, result, site, start, moves";

/// The number of a game, and the game.
pub(super) fn read_game(row: &Row<'_>) -> rusqlite::Result<(u32, PlayedGame)> {
    let fingerprint: [u8; 16] = row.get(1)?;
    let moves: String = row.get(10)?;
    let game = PlayedGame {
        fingerprint: Fingerprint(fingerprint),
        white: row.get(2)?,
        black: row.get(3)?,
        white_rating: row.get::<_, Option<u16>>(4)?.and_then(std::num::NonZeroU16::new),
        black_rating: row.get::<_, Option<u16>>(5)?.and_then(std::num::NonZeroU16::new),
        date: read_date(row, 6)?,
        result: GameResult::read(row.get::<_, String>(7)?.as_bytes()),
        site: row.get(8)?,
        start: row.get::<_, Option<String>>(9)?.and_then(|fen| fen.parse().ok()),
        plies: moves.split_ascii_whitespace().count(),
        moves,
    };
    Ok((row.get(0)?, game))
}

/// The facts of a stored game that a count needs.
pub(super) fn facts(number: u32, game: &PlayedGame, side: Color) -> Option<GameFacts> {
    (number > 0).then(|| game.facts(number, side))
}
