//! The rows of masters, openings and aliases, as they are read and written.

use std::{collections::HashMap, error::Error, str::FromStr, sync::Arc};

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::master::{Alias, LineLocation, Master, MasterInfo, MasterLine, clean};
use crate::{catalogue::Catalogue, opening::EcoCode};

/// What the text of a column stands for. A text that cannot be read is damage.
pub(super) struct Parsed<T>(pub(super) T);

impl<T: FromStr<Err: Error + Send + Sync + 'static>> FromSql for Parsed<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Self).map_err(FromSqlError::other)
    }
}

/// The masters in order of precedence, with all their openings.
pub(super) fn read_masters(connection: &Connection) -> rusqlite::Result<Vec<Master>> {
    let mut openings = connection.prepare(
        "SELECT opening.id, nullif(opening.eco, ''), opening.name, opening.line,
             opening.source_file, opening.source_line, position.key
         FROM opening JOIN position ON position.id = opening.position_id
         WHERE opening.master_id = ?1 ORDER BY opening.ordinal",
    )?;
    let mut aliases = read_aliases(connection)?;
    let masters = read_infos(connection)?.into_iter().map(|(id, info)| {
        let lines = openings.query_map([id], |row| read_line(row, &mut aliases))?;
        Ok(Master { info, lines: lines.collect::<Result<_, _>>()? })
    });
    masters.collect()
}

fn read_line(
    row: &Row<'_>,
    aliases: &mut HashMap<i64, Vec<Alias>>,
) -> rusqlite::Result<MasterLine> {
    let Parsed(key) = row.get(6)?;
    Ok(MasterLine {
        location: LineLocation { file: Arc::from(row.get::<_, String>(4)?), line: row.get(5)? },
        eco: row.get::<_, Option<Parsed<EcoCode>>>(1)?.map(|eco| eco.0),
        name: clean(&row.get::<_, String>(2)?),
        movetext: row.get(3)?,
        key: Some(key),
        aliases: aliases.remove(&row.get(0)?).unwrap_or_default(),
    })
}

/// The masters in order of precedence, without their openings, each after its number in the file.
pub(super) fn read_infos(connection: &Connection) -> rusqlite::Result<Vec<(i64, MasterInfo)>> {
    let mut masters = connection
        .prepare("SELECT id, name, version, date, fingerprint FROM master ORDER BY precedence")?;
    let rows = masters.query_map([], |row| {
        let info = MasterInfo {
            name: row.get(1)?,
            version: row.get(2)?,
            date: row.get(3)?,
            fingerprint: row.get(4)?,
        };
        Ok((row.get(0)?, info))
    })?;
    rows.collect()
}

/// The aliases by the numbers of their openings.
fn read_aliases(connection: &Connection) -> rusqlite::Result<HashMap<i64, Vec<Alias>>> {
    let mut aliases = connection
        .prepare("SELECT opening_id, source, eco, name FROM alias ORDER BY opening_id, source")?;
    let mut rows = aliases.query([])?;
    let mut by_opening: HashMap<i64, Vec<Alias>> = HashMap::new();
    while let Some(row) = rows.next()? {
        let eco = row.get::<_, Option<Parsed<EcoCode>>>(2)?.map(|eco| eco.0);
        let alias = Alias { source: row.get(1)?, eco, name: row.get(3)? };
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
