//! Repertoires in a position database.
//!
//! What is stored is the truth a repertoire is made from, the first moves of its games and what is
//! prepared, and the counts of all positions that are prepared or that two games have at least. A
//! position of a single game, as most are, is found by the moves of that game: as a row of its own it
//! would cost five times the space and time, and say nothing that the game does not.

mod build;
mod change;
mod load;
mod prepare;
mod rows;

pub use build::{BuildReport, RepertoireBuild};
pub use load::Tails;

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use self::rows::{color_name, read_color};
use super::{Database, StoreError};
use crate::{chess::Color, repertoire::BookRule};

/// A repertoire as its database describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct RepertoireInfo {
    /// Its name.
    pub name: String,
    /// The side it is for.
    pub color: Color,
    /// Its games are counted up to this ply.
    pub max_ply: u32,
    /// Which of the moves that were played are its book, if nothing is prepared.
    pub rule: BookRule,
    /// Whose games they are, as the names were given; everybody's, if there are none.
    pub players: Vec<String>,
    /// How many games it has.
    pub games: u64,
    /// How many positions are stored: those that are prepared, or that two games have.
    pub positions: u64,
    /// How many moves are prepared.
    pub prepared_moves: u64,
    pub(super) id: i64,
}

/// What a repertoire is to be like. What is not told stays as it is, or is the usual for a new one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The side it is for. A new repertoire must be told.
    pub color: Option<Color>,
    /// Its games are counted up to this ply; 40 in a new one. It cannot be changed later.
    pub max_ply: Option<u32>,
    /// See [`BookRule::min_games`].
    pub min_games: Option<u32>,
    /// See [`BookRule::min_share`].
    pub min_share: Option<f64>,
    /// Whose games are taken, besides those whose are taken already.
    pub players: Vec<String>,
}

/// How many plies of a game are counted unless told otherwise.
const USUAL_MAX_PLY: u32 = 40;

impl Database {
    /// The repertoires of the file, by name.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn repertoires(&self) -> Result<Vec<RepertoireInfo>, StoreError> {
        let names = || -> rusqlite::Result<Vec<String>> {
            let mut names = self.connection.prepare("SELECT name FROM repertoire ORDER BY name")?;
            names.query_map([], |row| row.get(0))?.collect()
        };
        let names = names().map_err(|error| StoreError::new(&self.name, error))?;
        names.iter().map(|name| self.repertoire(name)).collect()
    }

    /// The repertoire of this name.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub fn repertoire(&self, name: &str) -> Result<RepertoireInfo, StoreError> {
        let found = read_info(&self.connection, name);
        match found.map_err(|error| StoreError::new(&self.name, error))? {
            Some(info) => Ok(info),
            None => Err(self.no_such_repertoire(name)),
        }
    }

    fn no_such_repertoire(&self, name: &str) -> StoreError {
        let names = || -> rusqlite::Result<Vec<String>> {
            let mut names = self.connection.prepare("SELECT name FROM repertoire ORDER BY name")?;
            names.query_map([], |row| row.get(0))?.collect()
        };
        StoreError::NoSuchRepertoire {
            name: self.name.clone(),
            repertoire: name.to_owned(),
            known: names().unwrap_or_default().join(", "),
        }
    }

    /// The repertoire of this name, made if it is not there, with these settings.
    fn set_up(&self, name: &str, settings: &Settings) -> Result<RepertoireInfo, StoreError> {
        let fail = |error| StoreError::new(&self.name, error);
        let refuse = |what: String| {
            let (name, repertoire) = (self.name.clone(), name.to_owned());
            Err(StoreError::OtherRepertoire { name, repertoire, what })
        };
        let rule = match read_info(&self.connection, name).map_err(fail)? {
            None => {
                let Some(color) = settings.color else {
                    return refuse("is new, and needs a color".to_owned());
                };
                self.connection
                    .execute(
                        "INSERT INTO repertoire (name, color, max_ply, min_games, min_share)
                         VALUES (?1, ?2, ?3, 1, 0.0)",
                        params![name, color_name(color), settings.max_ply.unwrap_or(USUAL_MAX_PLY)],
                    )
                    .map_err(fail)?;
                BookRule::default()
            }
            Some(info) if settings.color.is_some_and(|color| color != info.color) => {
                return refuse(format!("is for {}", color_name(info.color)));
            }
            Some(info) if settings.max_ply.is_some_and(|max_ply| max_ply != info.max_ply) => {
                return refuse(format!("counts games up to ply {}", info.max_ply));
            }
            Some(info) => info.rule,
        };
        let rule = BookRule {
            min_games: settings.min_games.unwrap_or(rule.min_games),
            min_share: settings.min_share.unwrap_or(rule.min_share),
        };
        let set = || -> rusqlite::Result<()> {
            self.connection.execute(
                "UPDATE repertoire SET min_games = ?2, min_share = ?3 WHERE name = ?1",
                params![name, rule.min_games, rule.min_share],
            )?;
            let mut add = self.connection.prepare(
                "INSERT INTO repertoire_player (repertoire_id, name)
                 SELECT id, ?2 FROM repertoire WHERE name = ?1 ON CONFLICT DO NOTHING",
            )?;
            settings.players.iter().try_for_each(|player| add.execute([name, player]).map(drop))
        };
        set().map_err(fail)?;
        self.repertoire(name)
    }

    /// Opens a file to change its repertoires; one that is not there is made, without masters. The
    /// change has begun, and ends with [`commit`](Self::commit); if that never comes, the file is what it was.
    fn begin_change(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            Self::create(path, None)?;
        }
        let database = Self::connect(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let version = database.version()?;
        let begin = || -> rusqlite::Result<()> {
            // Positions of many games are written in no order; what is read again should still be there.
            database.connection.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)?;
            database.connection.execute_batch("BEGIN IMMEDIATE")?;
            super::schema::migrate(&database.connection, version)
        };
        begin().map_err(|error| StoreError::new(&database.name, error))?;
        Ok(database)
    }

    fn commit(&self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT").map_err(|error| StoreError::new(&self.name, error))
    }
}

/// How much of the file SQLite holds in memory while it is changed.
const CACHE_KIBIBYTES: i64 = 64 * 1024;

fn read_info(connection: &Connection, name: &str) -> rusqlite::Result<Option<RepertoireInfo>> {
    let info = connection
        .query_row(
            "SELECT id, color, max_ply, min_games, min_share,
                 (SELECT count(*) FROM game WHERE repertoire_id = repertoire.id),
                 (SELECT count(*) FROM repertoire_position WHERE repertoire_id = repertoire.id),
                 (SELECT count(*) FROM prepared_move WHERE position_id IN (
                     SELECT id FROM repertoire_position WHERE repertoire_id = repertoire.id))
             FROM repertoire WHERE name = ?1",
            [name],
            |row| {
                Ok(RepertoireInfo {
                    id: row.get(0)?,
                    name: name.to_owned(),
                    color: read_color(&row.get::<_, String>(1)?),
                    max_ply: row.get(2)?,
                    rule: BookRule { min_games: row.get(3)?, min_share: row.get(4)? },
                    players: Vec::new(),
                    games: row.get::<_, i64>(5)? as u64,
                    positions: row.get::<_, i64>(6)? as u64,
                    prepared_moves: row.get::<_, i64>(7)? as u64,
                })
            },
        )
        .optional()?;
    let Some(mut info) = info else { return Ok(None) };
    let mut players = connection
        .prepare("SELECT name FROM repertoire_player WHERE repertoire_id = ?1 ORDER BY name")?;
    info.players = players.query_map([info.id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(Some(info))
}
