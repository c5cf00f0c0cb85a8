//! Repertoires in a position database.
//!
//! The games of a repertoire are a collection of its own: what reads, recognizes, packs and removes
//! games is there for both. What was played is counted from those games whenever a book is loaded,
//! which takes less time than reading rows of positions and moves would. What is prepared is in
//! rows.

mod games;
mod journal;
mod load;
mod preparation;
#[cfg(feature = "training")]
mod training;

pub use games::{BuildReport, RepertoireBuild};
pub use journal::RepertoireChange;
#[cfg(feature = "training")]
pub use training::TrainingLog;

use std::path::Path;

use rusqlite::{Params, params};

use super::{Database, InFile, Kind, StoreError, rows::Parsed};
use crate::chess::Color;
use crate::repertoire::{BookRule, Breadth};
use crate::select::{Player, SameGame, Selection};

/// A repertoire as its database describes it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
    id: i64,
}

impl RepertoireInfo {
    /// Those of the selected games that belong to the repertoire: one of its players has its side.
    pub fn own_games(&self, selection: &Selection) -> Selection {
        let players = self.players.iter().map(|name| Player::asked(name)).collect();
        let mut own = Selection { players, color: Some(self.color), ..selection.clone() };
        own.see_from_players();
        own
    }
}

/// The size of a repertoire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepertoireCounts {
    /// The number of games.
    pub games: u64,
    /// The number of prepared moves.
    pub prepared_moves: u64,
}

/// The settings of a repertoire. What is not set stays as it is, or is the default for a new one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RepertoireSettings {
    /// The side it is for; required for a new repertoire.
    pub color: Option<Color>,
    /// Its games are counted up to this ply; 40 in a new one. It cannot be changed later.
    pub max_ply: Option<u32>,
    /// Which of the moves that were played are its book; [`BookRule::USUAL`] in a new one.
    pub rule: Option<BookRule>,
    /// Whose games are taken, besides those whose are taken already.
    pub players: Vec<String>,
    /// Which games are the same; [`SameGame::Strict`] in a new one. Games that it has already stay
    /// when that changes.
    pub same_game: Option<SameGame>,
}

impl RepertoireSettings {
    /// Whether they make a new repertoire or agree with an existing one; or else what disagrees.
    fn fit(&self, known: Option<&RepertoireInfo>) -> Result<(), String> {
        match (known, self.color, self.max_ply) {
            (None, None, _) => Err("is new, and needs a color".to_owned()),
            (Some(info), Some(color), _) if color != info.color => {
                Err(format!("is for {}", info.color))
            }
            (Some(info), _, Some(max_ply)) if max_ply != info.max_ply => {
                Err(format!("counts games up to ply {}", info.max_ply))
            }
            _ => Ok(()),
        }
    }
}

/// The default number of plies of a game that are counted.
const DEFAULT_MAX_PLY: u32 = 40;

impl Database {
    /// The repertoires of the file, by name.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn repertoires(&self) -> Result<Vec<RepertoireInfo>, StoreError> {
        let names = self.names(Kind::Repertoire)?;
        names.iter().map(|name| self.repertoire(name)).collect()
    }

    /// The repertoire of this name.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub fn repertoire(&self, name: &str) -> Result<RepertoireInfo, StoreError> {
        self.find_repertoire(name)?.ok_or_else(|| self.no_such(Kind::Repertoire, name))
    }

    fn find_repertoire(&self, name: &str) -> Result<Option<RepertoireInfo>, StoreError> {
        self.repertoire_where("name = ?1 AND is_removed = 0", [name])
    }

    /// The repertoire that meets a condition; it may be one that was removed.
    fn repertoire_where(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Option<RepertoireInfo>, StoreError> {
        let columns = "id, color, max_ply, mine, theirs, name";
        let sql = format!("SELECT {columns} FROM repertoire WHERE {condition}");
        let found = self.rows(&sql, values, |row| {
            let breadth = |column| row.get::<_, Option<Parsed<Breadth>>>(column);
            Ok(RepertoireInfo {
                id: row.get(0)?,
                name: row.get(5)?,
                color: Color::from_white(row.get::<_, String>(1)? == "white"),
                max_ply: row.get(2)?,
                rule: BookRule {
                    mine: breadth(3)?.map_or(BookRule::USUAL.mine, |breadth| breadth.0),
                    theirs: breadth(4)?.map_or(BookRule::USUAL.theirs, |breadth| breadth.0),
                },
                players: Vec::new(),
            })
        })?;
        let Some(info) = found.into_iter().next() else { return Ok(None) };
        let sql = "SELECT name FROM repertoire_player WHERE repertoire_id = ?1 ORDER BY name";
        let players = self.rows(sql, [info.id], |row| row.get(0))?;
        Ok(Some(RepertoireInfo { players, ..info }))
    }

    /// The size of a repertoire.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn counts(&self, info: &RepertoireInfo) -> Result<RepertoireCounts, StoreError> {
        let sql = "SELECT count(*) FROM (
                 SELECT DISTINCT key, san FROM prepared_source AS source
                 JOIN chapter ON chapter.source_id = source.id
                 JOIN prepared_move ON chapter_id = chapter.id
                 WHERE repertoire_id = ?1)";
        let moves = self.connection.query_row(sql, [info.id], |row| row.get::<_, i64>(0));
        let prepared_moves = moves.in_file(&self.name)?.unsigned_abs();
        Ok(RepertoireCounts { games: self.game_count(info)?, prepared_moves })
    }

    /// Checks that settings fit a file before it is changed: that they make a new repertoire, or
    /// agree with the existing one.
    ///
    /// # Errors
    ///
    /// If they do not, or the file is not a position database.
    pub fn check_settings(
        path: &Path,
        name: &str,
        settings: &RepertoireSettings,
    ) -> Result<(), StoreError> {
        let known = match path.exists().then(|| Self::open(path)).transpose()? {
            Some(database) => database.find_repertoire(name)?,
            None => None,
        };
        settings.fit(known.as_ref()).map_err(|what| {
            let (which, kind) = (name.to_owned(), Kind::Repertoire);
            StoreError::Unfit { name: path.display().to_string(), kind, which, what }
        })
    }

    /// The repertoire of this name, made if it is not there, with these settings.
    fn set_up(
        &self,
        name: &str,
        settings: &RepertoireSettings,
    ) -> Result<RepertoireInfo, StoreError> {
        let known = self.find_repertoire(name)?;
        settings.fit(known.as_ref()).map_err(|what| self.unfit(Kind::Repertoire, name, what))?;
        if let (None, Some(color)) = (&known, settings.color) {
            let sql = "INSERT INTO repertoire (name, color, max_ply) VALUES (?1, ?2, ?3)";
            let max_ply = settings.max_ply.unwrap_or(DEFAULT_MAX_PLY);
            self.execute(sql, params![name, color.to_string(), max_ply])?;
        }
        let info = self.repertoire(name)?;
        if let Some(BookRule { mine, theirs }) = settings.rule {
            let sql = "UPDATE repertoire SET mine = ?2, theirs = ?3 WHERE id = ?1";
            self.execute(sql, params![info.id, mine.to_string(), theirs.to_string()])?;
        }
        for player in &settings.players {
            let sql = "INSERT INTO repertoire_player (repertoire_id, name)
                 VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            self.execute(sql, params![info.id, player])?;
        }
        self.repertoire(name)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
#[cfg(feature = "training")]
mod training_tests;
