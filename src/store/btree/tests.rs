//! What is written here is read by SQLite.

use rusqlite::Connection;

use super::{PageFile, Record, Records, Tree, TreeKind};

/// Pages of this size make deep trees of few rows.
const PAGE_SIZE: u32 = 512;

/// Texts of many lengths, some of which need pages of their own; in the order of their bytes.
fn texts(count: usize, longest: usize) -> Vec<String> {
    let mut state = 1_u64;
    let mut length = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Most are short.
        let part = (state >> 33) as usize % 16;
        (state >> 40) as usize % longest / if part == 0 { 1 } else { 16 }
    };
    (0..count).map(|n| format!("{n:06}{}", "x".repeat(length()))).collect()
}

/// A file with a table of texts, one of texts by themselves, and an index; all are empty.
fn empty_file(path: &std::path::Path) -> [u32; 3] {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "page_size", PAGE_SIZE).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT, number INTEGER) STRICT;
             CREATE TABLE entry (text TEXT PRIMARY KEY, number INTEGER) STRICT, WITHOUT ROWID;
             CREATE INDEX row_by_text ON row (text);",
        )
        .unwrap();
    ["row", "entry", "row_by_text"].map(|name| {
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        connection.query_row(sql, [name], |row| row.get(0)).unwrap()
    })
}

/// Numbers that need each number of bytes that there is.
fn number(n: usize) -> Option<i64> {
    let widths = [0, 1, 7, 15, 23, 31, 47, 62];
    match n % 9 {
        8 => None,
        place => Some(
            ((1_i64 << widths[place]) - (n as i64 % 2)) * if n.is_multiple_of(5) { -1 } else { 1 },
        ),
    }
}

fn write(path: &std::path::Path, roots: [u32; 3], texts: &[String]) {
    let mut file = PageFile::open(path).unwrap().unwrap();
    assert_eq!(file.page_size(), PAGE_SIZE as usize);
    let kinds = [TreeKind::Table, TreeKind::Index, TreeKind::Index];
    let trees = kinds.map(|kind| Tree::new(kind, &file));
    let mut records = kinds.map(|_| Records::default());
    let mut record = Record::default();
    for (n, text) in texts.iter().enumerate() {
        // Ids with gaps, from below 0.
        let id = n as i64 * 70_000 - 100_000;
        record.null();
        record.text(text);
        record.optional_integer(number(n));
        records[0].push(id, &mut record);
        record.text(text);
        record.optional_integer(number(n));
        records[1].push(0, &mut record);
        record.optional_text(Some(text));
        record.integer(id);
        records[2].push(0, &mut record);
    }
    let mut images = Vec::new();
    for ((mut tree, records), root) in trees.into_iter().zip(&records).zip(roots) {
        for (id, record) in records.iter() {
            tree.push(id, record, &mut file).unwrap();
        }
        images.push((root, tree.finish(&mut file).unwrap()));
    }
    file.finish(&images).unwrap();
}

#[test]
fn sqlite_reads_what_was_written_and_finds_no_fault() {
    for (count, longest) in
        [(0, 1), (1, 1), (2, 9000), (3, 30), (40, 100), (300, 3000), (5000, 90), (5000, 700)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let (roots, texts) = (empty_file(&path), texts(count, longest));
        write(&path, roots, &texts);
        let connection = Connection::open(&path).unwrap();
        let fault: String =
            connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(fault, "ok", "{count} texts of at most {longest} bytes");
        for table in ["row ORDER BY id", "row INDEXED BY row_by_text ORDER BY text", "entry"] {
            let mut rows =
                connection.prepare(&format!("SELECT text, number FROM {table}")).unwrap();
            let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            let rows: Vec<(String, Option<i64>)> = rows.collect::<Result<_, _>>().unwrap();
            let expected = texts.iter().enumerate().map(|(n, text)| (text.clone(), number(n)));
            assert!(rows.into_iter().eq(expected), "{table}: {count} of at most {longest} bytes");
        }
        // The file can be changed like any other.
        connection.execute_batch("DELETE FROM row WHERE id % 3 = 0; DELETE FROM entry").unwrap();
        connection.execute_batch("INSERT INTO row SELECT id + 1, text, 1 FROM row").unwrap();
        let fault: String =
            connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(fault, "ok", "after changes: {count} texts of at most {longest} bytes");
    }
}

#[test]
fn a_file_that_is_laid_out_otherwise_is_left_alone() {
    for pragma in ["auto_vacuum = FULL", "encoding = 'UTF-16'", "journal_mode = WAL"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(&format!("PRAGMA {pragma}; CREATE TABLE t (a)")).unwrap();
        drop(connection);
        assert!(PageFile::open(&path).unwrap().is_none(), "{pragma}");
    }
}
