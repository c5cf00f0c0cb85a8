//! The schema of the file, and how an older one becomes the current one.
//!
//! Migrations go forward only. One that was ever released is never edited.

use std::{collections::BTreeMap, ops::Range};

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::{InFile, StoreError};

/// What SQLite files of this kind carry in their header: "ECOp" in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x4543_4f70;

/// The n-th entry makes version n of version n - 1.
const MIGRATIONS: [&str; 1] = [include_str!("../../migrations/0001_schema.sql")];

/// The version that this program writes.
pub(super) const CURRENT: i32 = MIGRATIONS.len() as i32;

/// Makes the current schema in an empty file.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    migrate(connection, 0)
}

/// Brings the schema from `version` to the current one.
pub(super) fn migrate(connection: &Connection, version: i32) -> rusqlite::Result<()> {
    make(connection, version..CURRENT)?;
    connection.pragma_update(None, "user_version", CURRENT)
}

/// Makes each version after these.
fn make(connection: &Connection, versions: Range<i32>) -> rusqlite::Result<()> {
    let migrations = &MIGRATIONS[versions.start.max(0) as usize..versions.end.max(0) as usize];
    migrations.iter().try_for_each(|sql| connection.execute_batch(sql))
}

/// More objects than this are not read of a file; eco makes 64.
const MOST_OBJECTS: usize = 100;

/// Type and name of a table, index, view or trigger, and the table and the SQL it is made with.
type Objects = BTreeMap<(String, String), (String, Option<String>)>;

/// Refuses a file whose tables, indexes, views and triggers are not those that the migrations up to
/// `version` make. What stands in place of a table could run for ever, or take all memory.
pub(super) fn check(connection: &Connection, version: i32, name: &str) -> Result<(), StoreError> {
    let found = objects(connection).in_file(name)?;
    if version == CURRENT && digest(&found) == CURRENT_DIGEST {
        return Ok(());
    }
    let expected = expected(version).in_file(name)?;
    match difference(&found, &expected) {
        Some(what) => Err(StoreError::ForeignSchema { name: name.to_owned(), what }),
        None => Ok(()),
    }
}

/// The [`digest`] of what the migrations make. To run them takes longer than most questions to a
/// file.
const CURRENT_DIGEST: &str = "d03b6c145e8724771b765e90204a025ef586e0ecc3a16982aeb334adfa9ccc34";

fn digest(objects: &Objects) -> String {
    let mut hasher = Sha256::new();
    for ((kind, name), (table, sql)) in objects {
        // No text has a zero byte, and SQL is never empty.
        for text in [kind, name, table, sql.as_deref().unwrap_or_default()] {
            hasher.update(text);
            hasher.update([0]);
        }
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a new file of this version has.
fn expected(version: i32) -> rusqlite::Result<Objects> {
    let fresh = Connection::open_in_memory()?;
    make(&fresh, 0..version)?;
    objects(&fresh)
}

fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let mut objects = connection.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")?;
    let rows = objects
        .query_map([], |row| Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?))))?;
    rows.take(MOST_OBJECTS).collect()
}

fn difference(found: &Objects, expected: &Objects) -> Option<String> {
    // An index that a table makes by itself says less than the table.
    let foreign = found
        .keys()
        .filter(|(_, name)| !name.starts_with("sqlite_autoindex"))
        .find(|key| !expected.contains_key(*key));
    if let Some((kind, name)) = foreign {
        let article = if kind == "index" { "an" } else { "a" };
        return Some(format!("it has {article} {kind} {name:?} that is not eco's"));
    }
    let other = expected.iter().find(|(key, object)| found.get(*key) != Some(*object));
    other.map(|((kind, name), _)| match found.contains_key(&(kind.clone(), name.clone())) {
        true => format!("its {kind} {name:?} is made otherwise"),
        false => format!("it has no {kind} {name:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_what_the_migrations_make() {
        let made = expected(CURRENT).unwrap();
        assert_eq!(digest(&made), CURRENT_DIGEST);
        for (key, object) in &made {
            let mut other = made.clone();
            other.remove(key);
            assert_ne!(digest(&other), CURRENT_DIGEST, "without {key:?}");
            let longer = (object.0.clone(), object.1.as_ref().map(|sql| format!("{sql} ")));
            other.insert(key.clone(), (format!("{} ", longer.0), longer.1));
            assert_ne!(digest(&other), CURRENT_DIGEST, "with another {key:?}");
        }
    }
}
