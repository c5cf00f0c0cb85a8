//! Writing, reading back, and every file that is not what it should be.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::*;
use crate::catalogue::Catalogue;
use crate::master::{Master, MasterFile, MasterInfo};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn small(name: &str, rows: &str) -> Catalogue {
    let info = MasterInfo {
        name: name.to_owned(),
        version: "1".to_owned(),
        date: "2020-02-29".to_owned(),
        fingerprint: String::new(),
    };
    let file = MasterFile { name: "s.tsv", bytes: rows.as_bytes() };
    let reading = Master::read(info, &[file], None).unwrap();
    assert_eq!(reading.faults, []);
    Catalogue::from_masters(reading.masters).0
}

const ROWS: &str =
    "A80\tDutch\t1. d4 f5\nA81\tDutch: g3\t1. d4 f5 2. g3\nA82\tAgain\t1. g3 f5 2. d4";

fn stored(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("x.db");
    Database::ingest(&path, &small("first", ROWS)).unwrap();
    path
}

fn facts(catalogue: &Catalogue) -> Vec<String> {
    let lines = catalogue.lines().iter();
    lines
        .map(|l| {
            format!("{} {:?} {:?} {}", l.location, l.opening, catalogue.movetext(l), l.position)
        })
        .collect()
}

#[test]
fn a_catalogue_comes_back_as_it_went_in() {
    let folder = folder();
    for (name, catalogue) in
        [("small.db", &small("first", ROWS)), ("builtin.db", Catalogue::builtin())]
    {
        let path = folder.path().join(name);
        Database::ingest(&path, catalogue).unwrap();
        let read = Database::open(&path).unwrap().catalogue().unwrap();
        assert_eq!(read.masters(), catalogue.masters());
        assert_eq!(facts(&read), facts(catalogue));
    }
    let files: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "litter: {files:?}");
}

#[test]
fn a_second_master_comes_behind_the_first() {
    let folder = folder();
    let path = stored(&folder);
    Database::ingest(&path, &small("second", "A99\tMine\t1. d4 f5\nA00\tNew\t1. Nh3")).unwrap();
    let catalogue = Database::open(&path).unwrap().catalogue().unwrap();
    let names: Vec<_> = catalogue.masters().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    assert_eq!(catalogue.lines()[catalogue.positions()[0].line].opening.name(), "Dutch");
    assert_eq!(catalogue.positions().len(), 3);
}

/// The text of the table of masters, openings and positions, without the numbers of their rows.
fn contents(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut rows = connection
        .prepare(
            "SELECT master.name || '|' || ordinal || '|' || key || '|' || opening.name
             FROM opening JOIN master ON master.id = master_id
             JOIN position ON position.id = position_id ORDER BY precedence, ordinal",
        )
        .unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_master_takes_the_place_of_the_one_of_its_name() {
    let folder = folder();
    let [path, anew] = ["x.db", "anew.db"].map(|name| folder.path().join(name));
    let [old, other, new] = [
        small("first", "A00\tOld\t1. a3\nA00\tGone\t1. h3"),
        small("second", "A00\tOther\t1. a3"),
        small("first", "A00\tNew\t1. a3\nA01\tLarsen\t1. b3"),
    ];
    for catalogue in [&old, &other] {
        assert_eq!(Database::ingest(&path, catalogue).unwrap(), []);
    }
    for (replacement, before) in [(&new, &old), (&new, &new)] {
        let replaced = Database::ingest(&path, replacement).unwrap();
        assert_eq!(replaced, before.to_masters());
    }
    for catalogue in [&new, &other] {
        Database::ingest(&anew, catalogue).unwrap();
    }
    assert_eq!(contents(&path), contents(&anew));
    let database = Database::open(&path).unwrap();
    assert!(database.keeps_catalogue_of(&database.catalogue_of_masters().unwrap()).unwrap());
    assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
    let positions: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM position", [], |row| row.get(0))
        .unwrap();
    assert_eq!(positions, 2, "positions that nothing names are left");
}

/// Existing files depend on the stored text of keys and lines, so it must not change.
#[test]
fn what_is_on_disk_is_pinned() {
    let folder = folder();
    let connection = Connection::open(stored(&folder)).unwrap();
    let mut query = connection
        .prepare(
            "SELECT key || '|' || eco || '|' || name || '|' || line FROM named_position ORDER BY 1",
        )
        .unwrap();
    let rows: Vec<String> =
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(
        rows,
        [
            "rnbqkbnr/ppppp1pp/8/5p2/3P4/6P1/PPP1PP1P/RNBQKBNR b KQkq -|A81|Dutch: g3|1. d4 f5 2. g3",
            "rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -|A80|Dutch|1. d4 f5",
        ]
    );
}

/// A version that no release has written stands for an older one: its file has no table.
#[test]
fn a_file_of_another_schema_is_refused_untouched_and_an_older_one_is_upgraded_by_writing() {
    let folder = folder();
    let make = |name: &str, version: i32| {
        let path = folder.path().join(name);
        let file = Connection::open(&path).unwrap();
        file.pragma_update(None, "application_id", schema::APPLICATION_ID).unwrap();
        file.pragma_update(None, "user_version", version).unwrap();
        path
    };
    let newer = make("newer.db", schema::CURRENT + 1);
    let before = fs::read(&newer).unwrap();
    for error in [
        Database::open(&newer).unwrap_err(),
        Database::ingest(&newer, &small("first", ROWS)).unwrap_err(),
    ] {
        let other = matches!(error, StoreError::OtherSchema { found, known, .. }
            if (found, known) == (schema::CURRENT + 1, schema::CURRENT));
        assert!(other, "{error}");
    }
    assert!(fs::read(&newer).unwrap() == before);
    let older = make("older.db", 0);
    let error = Database::open(&older).unwrap_err();
    assert!(matches!(error, StoreError::OtherSchema { found: 0, .. }), "{error}");
    Database::ingest(&older, &small("first", ROWS)).unwrap();
    let read = Database::open(&older).unwrap().catalogue().unwrap();
    assert_eq!(facts(&read), facts(&small("first", ROWS)));
}

#[test]
fn masters_are_preferred_and_removed() {
    let folder = folder();
    let path = stored(&folder);
    Database::ingest(&path, &small("second", "A99\tMine\t1. d4 f5\nA00\tNew\t1. Nh3")).unwrap();
    let names = |path: &PathBuf| -> Vec<String> {
        let catalogue = Database::open(path).unwrap().catalogue().unwrap();
        catalogue.masters().iter().map(|master| master.name.clone()).collect()
    };
    let before = fs::read(&path).unwrap();
    let error = Database::prefer(&path, &["third".to_owned()]).unwrap_err().to_string();
    assert!(error.ends_with("no master 'third'; there is first, second"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    Database::prefer(&path, &["second".to_owned()]).unwrap();
    assert_eq!(names(&path), ["second", "first"]);
    Database::prefer(&path, &["first".to_owned(), "second".to_owned()]).unwrap();
    assert_eq!(names(&path), ["first", "second"]);
    Database::remove(&path, &[(Kind::Master, "first".to_owned())], 0).unwrap();
    assert_eq!(names(&path), ["second"]);
    let database = Database::open(&path).unwrap();
    assert_eq!(database.catalogue().unwrap().positions().len(), 2);
    let positions = database
        .connection
        .query_row("SELECT count(*) FROM position", [], |row| row.get::<_, i64>(0))
        .unwrap();
    assert_eq!(positions, 2);
    assert_eq!(database.integrity_faults().unwrap(), [""; 0]);
}

#[test]
fn aliases_and_positions_without_a_line_are_kept() {
    let text = "[{\"fen\":\"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\",\"eco\":\"B20\",\
                \"name\":\"Sicilian\",\"scid\":\"B20a\",\"aliases\":{\"scid\":\"S\",\"x\":\"X\"}}]";
    let file = MasterFile { name: "s.json", bytes: text.as_bytes() };
    let reading = Master::read(MasterInfo::default(), &[file], None).unwrap();
    let catalogue = Catalogue::from_masters(reading.masters).0;
    let folder = folder();
    let path = folder.path().join("x.db");
    Database::ingest(&path, &catalogue).unwrap();
    let read = Database::open(&path).unwrap().catalogue().unwrap();
    assert_eq!(read.to_masters(), catalogue.to_masters());
    assert_eq!(read.lines()[0].aliases.len(), 2);
    assert_eq!(read.plies(&read.lines()[0]), None);
}

#[test]
fn what_is_no_position_database_is_refused_untouched() {
    let folder = folder();
    let text = folder.path().join("text.db");
    fs::write(&text, "this is not a database, however long it may be".repeat(50)).unwrap();
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    for path in [text, foreign, empty] {
        let before = fs::read(&path).unwrap();
        let reading = Database::open(&path).unwrap_err().to_string();
        let writing = Database::ingest(&path, &small("m", ROWS)).unwrap_err().to_string();
        assert!(reading.contains("not a position database"), "{reading}");
        assert_eq!(reading, writing);
        assert_eq!(fs::read(&path).unwrap(), before, "{} was touched", path.display());
    }
    let missing = Database::open(&folder.path().join("no.db")).unwrap_err();
    assert!(matches!(missing, StoreError::Inaccessible { .. }), "{missing}");
}

#[test]
fn a_file_whose_lines_do_not_lead_to_its_positions_is_damaged() {
    for sql in [
        "UPDATE opening SET line = '1. e4 e5' WHERE ordinal = 1",
        "UPDATE opening SET line = '1. e4 Qh4' WHERE ordinal = 1",
        "UPDATE opening SET eco = 'X' WHERE ordinal = 1",
        "UPDATE position SET key = 'x' || key",
        "UPDATE opening SET source_line = -1",
    ] {
        let folder = folder();
        let path = stored(&folder);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let error = Database::open(&path).unwrap().catalogue().unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{sql}: {error}");
        let before = fs::read(&path).unwrap();
        let error = Database::ingest(&path, &small("second", ROWS)).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{sql}: {error}");
        assert_eq!(fs::read(&path).unwrap(), before, "{sql}: the file was touched");
    }
}

#[test]
fn broken_pages_are_told_as_damage() {
    let folder = folder();
    let path = folder.path().join("x.db");
    Database::ingest(&path, Catalogue::builtin()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[4096..].fill(0xaa);
    fs::write(&path, bytes).unwrap();
    let error = Database::open(&path).and_then(|database| database.catalogue()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_locked_file_is_told_to_be_in_use() {
    let folder = folder();
    let path = stored(&folder);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = Database::ingest(&path, &small("second", ROWS)).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    Database::ingest(&path, &small("second", ROWS)).unwrap();
}

/// Foreign databases are hostile input. Each of these hung every command, took all memory, or ran
/// code of its own.
#[test]
fn a_file_with_other_tables_views_indexes_or_triggers_is_refused_at_once() {
    let view = |columns: &str, rows: &str| {
        format!(
            "DROP VIEW named_position; DROP VIEW all_openings;
             PRAGMA foreign_keys = off; ALTER TABLE master RENAME TO hidden;
             CREATE VIEW master AS {rows} SELECT {columns} FROM r"
        )
    };
    let endless = "WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)";
    let huge = "WITH RECURSIVE r (x) AS (SELECT zeroblob(900000000) UNION ALL SELECT x FROM r)";
    for (sql, what) in [
        (
            view("x AS id, x AS precedence, '' AS name, '' AS version, '' AS date", endless),
            "a table \"hidden\"",
        ),
        (
            view("x AS id, 1 AS precedence, x AS name, x AS version, x AS date", huge),
            "a table \"hidden\"",
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON master BEGIN DELETE FROM opening; END".to_owned(),
            "a trigger \"t\"",
        ),
        ("CREATE INDEX i ON opening (hex(name))".to_owned(), "an index \"i\""),
        ("CREATE TABLE t (x)".to_owned(), "a table \"t\""),
        (
            "ALTER TABLE master ADD COLUMN x TEXT".to_owned(),
            "its table \"master\" is made otherwise",
        ),
        (
            "ALTER TABLE alias ADD COLUMN x TEXT AS (hex(zeroblob(900000000)))".to_owned(),
            "its table \"alias\" is made otherwise",
        ),
        ("DROP VIEW named_position; DROP TABLE opening".to_owned(), "it has no"),
        ("ANALYZE".to_owned(), "sqlite_stat"),
    ] {
        let folder = folder();
        let path = stored(&folder);
        Connection::open(&path).unwrap().execute_batch(&sql).unwrap();
        let before = fs::read(&path).unwrap();
        for error in [
            Database::open(&path).unwrap_err(),
            Database::ingest(&path, &small("second", ROWS)).unwrap_err(),
            Database::remove(&path, &[(Kind::Master, "first".to_owned())], 0).unwrap_err(),
        ] {
            assert!(matches!(error, StoreError::ForeignSchema { .. }), "{sql}: {error}");
            assert!(error.to_string().contains(what), "{sql}: {error}");
        }
        assert!(fs::read(&path).unwrap() == before, "{sql}: the file was touched");
    }
}

/// Interior pages of an index whose children are all the same page, at every level: SQLite finds
/// nothing wrong with it, and it has 300 to the power of 4 entries.
#[test]
fn a_table_that_is_longer_than_its_file_is_damaged() {
    const PAGE: usize = 4096;
    let folder = folder();
    let path = stored(&folder);
    let sql = "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'opening' AND sql IS NULL";
    let connection = Connection::open(&path).unwrap();
    let root: u32 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let at = PAGE * (root as usize - 1);
    let first = (bytes.len() / PAGE) as u32 + 1;
    // The entries move to a page of their own.
    bytes.extend_from_within(at..at + PAGE);
    for child in first..first + 4 {
        bytes.extend(interior_page(child));
    }
    let last = bytes.len() - PAGE;
    bytes.copy_within(last.., at);
    let pages = (bytes.len() / PAGE) as u32;
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
    fs::write(&path, bytes).unwrap();
    let error = Database::open(&path).unwrap().catalogue_of_masters().unwrap_err().to_string();
    assert!(error.contains("reading it takes longer than its size allows"), "{error}");
}

/// A page of an index with 300 entries (1, 1, 1), and as many children and one more, all of them
/// the same page.
fn interior_page(child: u32) -> Vec<u8> {
    let (child, mut page) = (child.to_be_bytes(), vec![0; 4096]);
    // The child, the length of the record, the length of its header, and three times the number 1.
    let cell = [&child[..], &[4, 4, 9, 9, 9]].concat();
    let cells = 300_usize;
    let content = page.len() - cells * cell.len();
    page[0] = 2;
    page[3..5].copy_from_slice(&(cells as u16).to_be_bytes());
    page[5..7].copy_from_slice(&(content as u16).to_be_bytes());
    page[8..12].copy_from_slice(&child);
    for number in 0..cells {
        let at = content + number * cell.len();
        page[12 + 2 * number..14 + 2 * number].copy_from_slice(&(at as u16).to_be_bytes());
        page[at..at + cell.len()].copy_from_slice(&cell);
    }
    page
}

#[test]
fn a_value_has_a_limit() {
    let folder = folder();
    let path = stored(&folder);
    let sql = "UPDATE opening SET name = hex(zeroblob(20000000)) WHERE ordinal = 1";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let error = Database::open(&path).unwrap().catalogue().unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}
