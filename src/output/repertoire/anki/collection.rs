//! The collection in a package of Anki: an SQLite file in schema 11, which every version since 2.0
//! reads. The door to `rusqlite` for it.
//!
//! The tables are those that Anki itself makes (`rslib/src/storage/schema11.sql`).

use std::io::{self, Read};

use rusqlite::{Connection, config::DbConfig, params};
use serde_json::Value;

use super::{decks::Decks, note::Note, note_type};

const SCHEMA: &str = "
CREATE TABLE col (
    id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
    ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL,
    conf text NOT NULL, models text NOT NULL, decks text NOT NULL, dconf text NOT NULL,
    tags text NOT NULL
);
CREATE TABLE notes (
    id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
    usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL,
    csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL
);
CREATE TABLE cards (
    id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
    mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL,
    due integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL,
    lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL, odid integer NOT NULL,
    flags integer NOT NULL, data text NOT NULL
);
CREATE TABLE revlog (
    id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
    ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
    type integer NOT NULL
);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
";

/// The version of the schema.
const VERSION: i64 = 11;

/// A collection that is being written, in memory.
pub(super) struct Collection {
    connection: Connection,
    modified: i64,
    notes: i64,
}

impl Collection {
    /// A collection with these decks and no notes, last changed at `modified`, in seconds.
    pub(super) fn new(decks: &Decks, modified: i64) -> io::Result<Self> {
        let connection = Connection::open_in_memory().map_err(io::Error::other)?;
        let create = || -> rusqlite::Result<()> {
            connection.execute_batch(SCHEMA)?;
            let text = |value: Value| value.to_string();
            connection.execute(
                "INSERT INTO col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags)
                 VALUES (1, ?1, ?2, ?2, ?3, 0, 0, 0, ?4, ?5, ?6, ?7, '{}')",
                params![
                    modified,
                    modified * 1000,
                    VERSION,
                    text(note_type::options(decks.root())),
                    text(note_type::note_types(decks.root())),
                    text(note_type::decks(decks.all(), modified)),
                    text(note_type::deck_options()),
                ],
            )?;
            connection.execute_batch("BEGIN")
        };
        create().map_err(io::Error::other)?;
        Ok(Self { connection, modified, notes: 0 })
    }

    /// Adds a note and its card, which is new, after those that are there.
    pub(super) fn add(&mut self, note: &Note, deck: i64) -> io::Result<()> {
        self.notes += 1;
        // Anki takes numbers for the milliseconds at which notes were made.
        let id = self.modified * 1000 + self.notes;
        let add = || -> rusqlite::Result<()> {
            // Anki works out the field to sort by and the checksum as it imports.
            let mut add = self.connection.prepare_cached(
                "INSERT INTO notes (id, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data)
                 VALUES (?1, ?2, ?3, ?4, -1, ?5, ?6, '', 0, 0, '')",
            )?;
            let tags = format!(" {} ", note.tags);
            let fields = note.joined_fields();
            add.execute(params![id, note.guid, note_type::ID, self.modified, tags, fields])?;
            let mut add = self.connection.prepare_cached(
                "INSERT INTO cards (id, nid, did, ord, mod, usn, type, queue, due, ivl, factor,
                     reps, lapses, left, odue, odid, flags, data)
                 VALUES (?1, ?1, ?2, 0, ?3, -1, 0, 0, ?4, 0, 0, 0, 0, 0, 0, 0, 0, '')",
            )?;
            add.execute(params![id, deck, self.modified, self.notes]).map(drop)
        };
        add().map_err(io::Error::other)
    }

    /// The bytes of the file.
    pub(super) fn into_bytes(mut self) -> io::Result<Vec<u8>> {
        self.connection.execute_batch("COMMIT").map_err(io::Error::other)?;
        let bytes = self.connection.serialize("main").map_err(io::Error::other)?;
        Ok(bytes.to_vec())
    }
}

/// The notes of eco's type in a collection of `size` bytes.
///
/// # Errors
///
/// If it is no collection in schema 11, or is damaged.
pub(super) fn read_notes(collection: impl Read, size: usize) -> rusqlite::Result<Vec<Note>> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact("main", collection, size, true)?;
    // A view in place of a table could run for ever.
    for (config, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, value)?;
    }
    let mut notes =
        connection.prepare("SELECT guid, flds, tags FROM notes WHERE mid = ?1 ORDER BY id")?;
    let note = |row: &rusqlite::Row<'_>| {
        let fields: String = row.get(1)?;
        Ok(Note::stored(row.get(0)?, &fields, row.get(2)?))
    };
    // A damaged file may have rows without end.
    let most = size;
    let rows = notes.query_map([note_type::ID], note)?.take(most);
    rows.filter_map(Result::transpose).collect()
}
