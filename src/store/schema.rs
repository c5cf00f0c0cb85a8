//! The schema of the file, and how an older one becomes the current one.
//!
//! Migrations go forward only. One that was ever released is never edited.

use rusqlite::{Connection, Transaction};

/// What SQLite files of this kind carry in their header: "ECOp" in ASCII.
pub(super) const APPLICATION_ID: i32 = 0x4543_4f70;

/// The n-th entry makes version n of version n - 1.
const MIGRATIONS: [&str; 3] = [
    include_str!("../../migrations/0001_catalogue.sql"),
    include_str!("../../migrations/0002_many_masters.sql"),
    include_str!("../../migrations/0003_repertoires.sql"),
];

/// The version that this program writes.
pub(super) const CURRENT: i32 = MIGRATIONS.len() as i32;

/// Makes the current schema in an empty file.
pub(super) fn create(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    migrate(transaction, 0)
}

/// Brings the schema from `version` to the current one.
pub(super) fn migrate(transaction: &Connection, version: i32) -> rusqlite::Result<()> {
    for migration in &MIGRATIONS[version.max(0) as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", CURRENT)
}
