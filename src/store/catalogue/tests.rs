//! What is kept of a catalogue is what its masters make, or it is not read.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::*;
use crate::master::{Alias, Master, MasterFile, MasterInfo};

const FIRST: &str =
    "A80\tDutch\t1. d4 f5\nA81\tDutch: g3\t1. d4 f5 2. g3\nA82\tAgain\t1. g3 f5 2. d4";

const SECOND: &str = "A99\tMine\t1. d4 f5\nA00\tÉtude\t1. Nh3\nB00\tPromoted\t1. a4 b5 2. axb5 a6 \
    3. bxa6 Nc6 4. a7 h6 5. axb8=Q";

fn of_master(name: &str, rows: &str) -> Catalogue {
    let info = MasterInfo { name: name.to_owned(), ..MasterInfo::default() };
    let file = MasterFile { name: "s.tsv", bytes: rows.as_bytes() };
    let mut masters = Master::read(info, &[file], None).unwrap().masters;
    let alias = Alias { source: "x".to_owned(), eco: "A01".parse().ok(), name: "Y".to_owned() };
    masters[0].lines[1].aliases.push(alias);
    Catalogue::from_masters(masters).0
}

/// A file with two masters.
fn stored(folder: &Path) -> PathBuf {
    let path = folder.join("x.db");
    Database::ingest(&path, &of_master("first", FIRST)).unwrap();
    Database::ingest(&path, &of_master("second", SECOND)).unwrap();
    path
}

fn kept(path: &Path) -> Option<Catalogue> {
    Database::open(path).unwrap().read_image().unwrap()
}

#[track_caller]
fn assert_keeps_its_catalogue(path: &Path) {
    let database = Database::open(path).unwrap();
    let made = database.catalogue_of_masters().unwrap();
    let kept = kept(path).expect("nothing is kept");
    assert_eq!(kept.difference(&made), None);
    assert_eq!(kept.to_masters(), made.to_masters());
    assert!(database.keeps_catalogue_of(&made).unwrap());
}

#[test]
fn whatever_changes_the_masters_keeps_their_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("builtin.db");
    Database::ingest(&path, Catalogue::builtin()).unwrap();
    assert_keeps_its_catalogue(&path);
    let path = stored(folder.path());
    assert_keeps_its_catalogue(&path);
    Database::prefer(&path, &["second".to_owned()]).unwrap();
    assert_keeps_its_catalogue(&path);
    assert_eq!(kept(&path).unwrap().masters()[0].name, "second");
    Database::remove(&path, &[(Kind::Master, "second".to_owned())], 0).unwrap();
    assert_keeps_its_catalogue(&path);
    Database::remove(&path, &[(Kind::Master, "first".to_owned())], 0).unwrap();
    assert!(kept(&path).is_none());
    assert_eq!(Database::open(&path).unwrap().catalogue().unwrap().lines().len(), 0);
}

#[test]
fn changes_by_other_programs_are_seen() {
    for sql in [
        "INSERT INTO master (precedence, name, version, date, fingerprint) VALUES (9, 'm', '', '', '')",
        "UPDATE master SET precedence = precedence + 5",
        "DELETE FROM master WHERE name = 'first'",
        "INSERT INTO position (key) VALUES ('8/8/8/4k3/8/8/4P3/4K3 w - -')",
        "UPDATE position SET key = key",
        "DELETE FROM position WHERE id = 1",
        "INSERT INTO opening SELECT 99, master_id, 99, position_id, eco, 'New', line, plies, '', 1
             FROM opening WHERE id = 1",
        "UPDATE opening SET name = 'Other' WHERE id = 1",
        "DELETE FROM opening WHERE id = 1",
        "INSERT INTO alias SELECT id, 'y', NULL, 'Z' FROM opening WHERE id = 1",
        "UPDATE alias SET name = 'Z'",
        "DELETE FROM alias",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = stored(folder.path());
        let other = Connection::open(&path).unwrap();
        // As in the shell of SQLite.
        other.pragma_update(None, "foreign_keys", false).unwrap();
        assert!(other.execute(sql, []).unwrap() > 0, "{sql}");
        assert!(kept(&path).is_none(), "{sql}");
    }
}

#[test]
fn without_what_is_kept_the_tables_are_read() {
    let bytes_of = |path: &Path| -> Vec<u8> {
        let connection = Connection::open(path).unwrap();
        connection.query_row("SELECT bytes FROM catalogue_image", [], |row| row.get(0)).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = stored(folder.path());
    let expected = kept(&path).unwrap();
    let good = bytes_of(&path);
    let other = folder.path().join("other.db");
    Database::ingest(&other, &of_master("other", SECOND)).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    let replaced = "UPDATE catalogue_image SET bytes = ?1";
    for (sql, bytes) in [
        (replaced, damaged),
        (replaced, good[..good.len() - 1].to_vec()),
        (replaced, Vec::new()),
        // A good one, but of another file.
        (replaced, bytes_of(&other)),
        ("DELETE FROM catalogue_image WHERE ?1 NOT NULL", good.clone()),
        ("UPDATE catalogue_image SET version = 99 WHERE ?1 NOT NULL", good),
    ] {
        let connection = Connection::open(&path).unwrap();
        connection.execute(sql, [&bytes]).unwrap();
        drop(connection);
        let file = fs::read(&path).unwrap();
        assert!(kept(&path).is_none(), "{sql}");
        let read = Database::open(&path).unwrap().catalogue().unwrap();
        assert_eq!(read.difference(&expected), None, "{sql}");
        assert_eq!(fs::read(&path).unwrap(), file, "{sql}: a reader wrote");
    }
}

#[test]
fn what_the_masters_do_not_make_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = stored(folder.path());
    let connection = Connection::open(&path).unwrap();
    // A program that runs no triggers.
    connection
        .set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        .unwrap();
    connection.execute("UPDATE opening SET name = 'Other' WHERE id = 1", []).unwrap();
    let database = Database::open(&path).unwrap();
    let made = database.catalogue_of_masters().unwrap();
    assert!(!database.keeps_catalogue_of(&made).unwrap());
    connection.execute("DELETE FROM catalogue_image", []).unwrap();
    assert!(database.keeps_catalogue_of(&made).unwrap());
}

#[test]
fn any_change_by_eco_keeps_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = stored(folder.path());
    let connection = Connection::open(&path).unwrap();
    let change = || Database::begin_change(&path).unwrap().commit().unwrap();
    connection.execute("UPDATE opening SET name = 'Other' WHERE id = 1", []).unwrap();
    assert!(kept(&path).is_none());
    change();
    assert_keeps_its_catalogue(&path);
    assert_eq!(kept(&path).unwrap().lines()[0].opening.name(), "Other");
    // A damaged opening is no reason to refuse games.
    connection.execute("UPDATE opening SET line = '1. Qh8' WHERE id = 1", []).unwrap();
    change();
    assert!(kept(&path).is_none());
    assert!(Database::open(&path).unwrap().catalogue().is_err());
}
