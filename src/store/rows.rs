//! The rows of masters, openings and aliases, as they are read and written.

use std::{collections::HashMap, sync::Arc};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::catalogue::Catalogue;
use crate::chess::ParseKeyError;
use crate::master::{Alias, LineLocation, Master, MasterInfo, MasterLine, clean};
use crate::opening::{EcoCode, ParseEcoError};

/// A master with its openings as they are stored.
pub(super) struct StoredMaster {
    id: i64,
    pub(super) master: Master,
    pub(super) openings: Vec<StoredOpening>,
}

/// An opening as it is stored.
pub(super) struct StoredOpening {
    id: i64,
    /// Empty if it has no code.
    eco: String,
    name: String,
    line: Option<String>,
    place: LineLocation,
    key: String,
    aliases: Vec<StoredAlias>,
}

struct StoredAlias {
    source: String,
    eco: Option<String>,
    name: String,
}

impl StoredOpening {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            eco: row.get(1)?,
            name: row.get(2)?,
            line: row.get(3)?,
            place: LineLocation { file: Arc::from(row.get::<_, String>(4)?), line: row.get(5)? },
            key: row.get(6)?,
            aliases: Vec::new(),
        })
    }

    /// The line as the catalogue takes it, or what is wrong with what is stored.
    pub(super) fn into_line(self) -> Result<MasterLine, String> {
        let key = self.key.parse().map_err(|error: ParseKeyError| error.to_string())?;
        let aliases = self.aliases.into_iter().map(StoredAlias::into_alias);
        let message = |error: ParseEcoError| error.to_string();
        Ok(MasterLine {
            location: self.place,
            eco: EcoCode::from_text(&self.eco).map_err(message)?,
            name: clean(&self.name),
            movetext: self.line,
            key: Some(key),
            aliases: aliases.collect::<Result<_, _>>().map_err(message)?,
        })
    }
}

impl StoredAlias {
    fn into_alias(self) -> Result<Alias, ParseEcoError> {
        let eco = self.eco.map(|eco| eco.parse()).transpose()?;
        Ok(Alias { source: self.source, eco, name: self.name })
    }
}

/// The masters in order of precedence, with all their openings.
pub(super) fn read_masters(connection: &Connection) -> rusqlite::Result<Vec<StoredMaster>> {
    let mut masters = read_masters_only(connection)?;
    let mut openings = connection.prepare(
        "SELECT opening.id, opening.eco, opening.name, opening.line, opening.source_file,
             opening.source_line, position.key
         FROM opening JOIN position ON position.id = opening.position_id
         WHERE opening.master_id = ?1 ORDER BY opening.ordinal",
    )?;
    let mut aliases = read_aliases(connection)?;
    for master in &mut masters {
        let rows = openings.query_map([master.id], StoredOpening::from_row)?;
        master.openings = rows.collect::<Result<_, _>>()?;
        for opening in &mut master.openings {
            opening.aliases = aliases.remove(&opening.id).unwrap_or_default();
        }
    }
    Ok(masters)
}

/// The masters in order of precedence, without their openings.
pub(super) fn master_infos(connection: &Connection) -> rusqlite::Result<Vec<MasterInfo>> {
    let masters = read_masters_only(connection)?;
    Ok(masters.into_iter().map(|stored| stored.master.info).collect())
}

/// The masters in order of precedence, still without their openings.
fn read_masters_only(connection: &Connection) -> rusqlite::Result<Vec<StoredMaster>> {
    let mut masters = connection
        .prepare("SELECT id, name, version, date, fingerprint FROM master ORDER BY precedence")?;
    let rows = masters.query_map([], |row| {
        let info = MasterInfo {
            name: row.get(1)?,
            version: row.get(2)?,
            date: row.get(3)?,
            fingerprint: row.get(4)?,
        };
        let master = Master::without_lines(&info);
        Ok(StoredMaster { id: row.get(0)?, master, openings: Vec::new() })
    })?;
    rows.collect()
}

fn read_aliases(connection: &Connection) -> rusqlite::Result<HashMap<i64, Vec<StoredAlias>>> {
    let mut aliases = connection
        .prepare("SELECT opening_id, source, eco, name FROM alias ORDER BY opening_id, source")?;
    let mut rows = aliases.query([])?;
    let mut by_opening: HashMap<i64, Vec<StoredAlias>> = HashMap::new();
    while let Some(row) = rows.next()? {
        let alias = StoredAlias { source: row.get(1)?, eco: row.get(2)?, name: row.get(3)? };
        by_opening.entry(row.get(0)?).or_default().push(alias);
    }
    Ok(by_opening)
}

/// Writes the masters of a catalogue: each in the place of the master of its name, or after all
/// others.
pub(super) fn write_catalogue(
    connection: &Connection,
    catalogue: &Catalogue,
) -> rusqlite::Result<()> {
    let mut add_position =
        connection.prepare("INSERT INTO position (key) VALUES (?1) ON CONFLICT DO NOTHING")?;
    let mut add_opening = connection.prepare(
        "INSERT INTO opening (master_id, ordinal, position_id, eco, name, line, plies,
             source_file, source_line)
         VALUES (?1, ?2, (SELECT id FROM position WHERE key = ?3), ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let mut add_alias = connection
        .prepare("INSERT INTO alias (opening_id, source, eco, name) VALUES (?1, ?2, ?3, ?4)")?;
    for (index, master) in catalogue.masters().iter().enumerate() {
        let precedence: Option<i64> = connection
            .query_row(
                "DELETE FROM master WHERE name = ?1 RETURNING precedence",
                [&master.name],
                |row| row.get(0),
            )
            .optional()?;
        connection.execute(
            "INSERT INTO master (precedence, name, version, date, fingerprint)
             VALUES (coalesce(?1, (SELECT coalesce(max(precedence), 0) + 1 FROM master)),
                 ?2, ?3, ?4, ?5)",
            params![precedence, master.name, master.version, master.date, master.fingerprint],
        )?;
        let id = connection.last_insert_rowid();
        let lines = catalogue.lines().iter().filter(|line| line.master == index);
        for (line, ordinal) in lines.zip(1_i64..) {
            let key = catalogue.positions()[line.position].key.to_string();
            add_position.execute([&key])?;
            add_opening.execute(params![
                id,
                ordinal,
                key,
                line.opening.code(),
                line.opening.name(),
                catalogue.movetext(line),
                catalogue.plies(line).map(|plies| plies as i64),
                &*line.location.file,
                line.location.line,
            ])?;
            let opening_id = connection.last_insert_rowid();
            for Alias { source, eco, name } in &line.aliases {
                let eco = eco.as_ref().map(EcoCode::as_str);
                add_alias.execute(params![opening_id, source, eco, name])?;
            }
        }
    }
    forget_unnamed_positions(connection)
}

/// Deletes the positions that no master names any more.
pub(super) fn forget_unnamed_positions(connection: &Connection) -> rusqlite::Result<()> {
    let unnamed = "DELETE FROM position WHERE id NOT IN (SELECT position_id FROM opening)";
    connection.execute(unnamed, []).map(drop)
}
