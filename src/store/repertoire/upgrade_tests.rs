//! Repertoires of schema version 4, and what the file says in SQL, which must stay what it is.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use rusqlite::Connection;

use super::{RepertoireBuild, RepertoireSettings, load::SingleGames};
use crate::{
    chess::Color,
    pgn::games,
    pipeline::{Options, Workers},
    repertoire::{Book, BookRule, Preparation, PreparedSource},
    select::Selection,
    store::{Database, StoreError, schema},
};

const OLD: &str = include_str!("../../../tests/data/repertoires-schema-4.sql");
const GAMES: &[u8] = include_bytes!("../../../tests/data/repertoires-schema-4.pgn");
const NOTES: &[u8] = include_bytes!("../../../tests/data/repertoires-schema-4-notes.pgn");

fn old_file(folder: &Path) -> PathBuf {
    let path = folder.join("old.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(OLD).unwrap();
    old.pragma_update(None, "application_id", schema::APPLICATION_ID).unwrap();
    old.pragma_update(None, "user_version", 4).unwrap();
    path
}

/// The same repertoires as this release writes them.
fn new_file(folder: &Path) -> PathBuf {
    let path = folder.join("new.db");
    let white = RepertoireSettings {
        color: Some(Color::White),
        max_ply: Some(10),
        players: vec!["Novak, Ana".to_owned()],
        ..RepertoireSettings::default()
    };
    let black = RepertoireSettings { color: Some(Color::Black), ..RepertoireSettings::default() };
    assert_eq!(build(&path, "white", &white), 5);
    let mut book = Book::new(Color::White, BookRule::default());
    games(NOTES).for_each(|game| drop(book.add_chapter(&game)));
    Database::prepare(&path, "white", &white, &book, &Workers::default()).unwrap();
    assert_eq!(build(&path, "all", &black), 6);
    path
}

fn build(path: &Path, name: &str, settings: &RepertoireSettings) -> u64 {
    let workers = Workers::default();
    let build = RepertoireBuild::begin(path, name, settings, &workers).unwrap();
    let mut build = build.with_set_positions();
    build.add_pgn(GAMES, &Selection::default(), &Options::default()).unwrap();
    build.finish(&mut |_, _| {}).unwrap().added
}

fn rows(path: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut query = connection.prepare(sql).unwrap();
    let columns = query.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        let value = |column| format!("{:?}", row.get_ref(column).unwrap());
        Ok((0..columns).map(value).collect::<Vec<_>>().join("|"))
    };
    query.query_map([], row).unwrap().map(Result::unwrap).collect()
}

const VIEW: &str =
    "SELECT repertoire, color, key, san, prepared, games, wins, draws, losses, score,
        average_rating, first_date, last_date
    FROM repertoire_move ORDER BY repertoire, key, san";
const COUNTS: &str = "SELECT repertoire_id, key, is_prepared, is_prepared, position.games,
        position.wins, position.draws, position.losses, played.san, played.games, played.wins,
        played.draws, played.losses, played.rated_games, played.rated_half_points,
        played.rating_sum, played.first_date, played.last_date, played.examples
    FROM repertoire_position AS position LEFT JOIN played_move AS played ON position_id = id
    ORDER BY 1, 2, san";
const GAME_ROWS: &str = "SELECT id, repertoire_id, white, black, white_rating, black_rating, date,
        result, site FROM game ORDER BY id";

#[test]
fn rows_are_those_that_version_4_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (old_file(folder.path()), new_file(folder.path()));
    assert_eq!(rows(&new, VIEW), rows(&old, VIEW));
    assert_eq!(rows(&new, VIEW).len(), 25);
    assert_eq!(rows(&new, GAME_ROWS), rows(&old, GAME_ROWS));
    assert_eq!(rows(&new, COUNTS), rows(&old, COUNTS));
}

/// Every move was the default, which nobody had asked for.
#[test]
fn a_rule_that_was_asked_for_stays() {
    let folder = tempfile::tempdir().unwrap();
    let old = old_file(folder.path());
    let sql = "UPDATE repertoire SET min_games = 3, min_share = 0.07 WHERE name = 'all'";
    Connection::open(&old).unwrap().execute(sql, []).unwrap();
    let database = Database::open(&old).unwrap();
    let rule = |name| database.repertoire(name).unwrap().rule;
    assert_eq!(rule("white"), BookRule::USUAL);
    assert_eq!(rule("all"), BookRule::both("min-games:3,share:7%".parse().unwrap()));
}

#[test]
fn an_old_repertoire_is_read_as_it_is_and_upgraded_by_writing() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (old_file(folder.path()), new_file(folder.path()));
    let before = std::fs::read(&old).unwrap();
    let (found, expected) = (Database::open(&old).unwrap(), Database::open(&new).unwrap());
    for name in ["white", "all"] {
        for single_games in [SingleGames::Included, SingleGames::Omitted] {
            let book = |database: &Database| {
                database.book(name, single_games, &Workers::default()).unwrap()
            };
            assert_eq!(book(&found).differences(&book(&expected)), [], "{name}");
            assert_eq!(book(&found).len(), book(&expected).len(), "{name}");
        }
        let counts =
            |database: &Database| database.counts(&database.repertoire(name).unwrap()).unwrap();
        assert_eq!(counts(&found), counts(&expected), "{name}");
        let games = |database: &Database| {
            let mut games = Vec::new();
            let visit = &mut |game| {
                games.push(game);
                ControlFlow::Continue(())
            };
            database.games(name, 10, &Selection::default(), visit).unwrap();
            games
        };
        assert_eq!(games(&found), games(&expected), "{name}");
    }
    assert!(std::fs::read(&old).unwrap() == before, "the file was touched");

    let (view, games) = (rows(&old, VIEW), rows(&old, GAME_ROWS));
    // It knows its games. What older versions did not write of moves is written.
    assert_eq!(build(&old, "all", &RepertoireSettings::default()), 0);
    let walked = "SELECT repertoire, key, san, turn, uci, leads_to, ply FROM repertoire_move
        ORDER BY repertoire, key, san";
    assert_eq!(rows(&old, walked), rows(&new, walked));
    assert!(!rows(&old, walked).iter().any(|row| row.ends_with("Null")));
    assert_eq!(rows(&old, VIEW), view);
    assert_eq!(rows(&old, GAME_ROWS), games);
    assert_eq!(rows(&old, "SELECT time_control, link FROM game WHERE id = 1").len(), 1);
    assert_eq!(rows(&old, "SELECT * FROM all_collections"), [""; 0]);
    assert_eq!(rows(&old, "SELECT * FROM collection").len(), 2);
    let database = Database::open(&old).unwrap();
    assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
    assert_eq!(database.collections().unwrap(), []);
    drop(database);

    // All that belongs to a repertoire goes with it.
    for name in ["white", "all"] {
        Database::remove_repertoire(&old, name).unwrap();
    }
    for table in ["game", "collection", "segment", "segment_blob", "repertoire_position"] {
        assert_eq!(rows(&old, &format!("SELECT * FROM {table}")).len(), 0, "{table}");
    }
}

/// Version 10 knew no tags of chapters, and no half-move clock.
#[test]
fn chapters_of_version_10_stay_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let old = old_file(folder.path());
    let connection = Connection::open(&old).unwrap();
    schema::migrate_to(&connection, 4, 10);
    let sql = "UPDATE chapter SET name = 'My Rep: Sicilian', study = 'My Rep', \
               identity = 'https://lichess.org/study/a/b';
               UPDATE chapter_start SET move_number = 7";
    connection.execute_batch(sql).unwrap();
    drop(connection);
    let read = || Database::open(&old).unwrap().preparation("white").unwrap();
    let before = read();
    assert!(before.chapters().all(|chapter| chapter.tags.is_empty()));
    let pgn = before.to_pgn("white");
    for tag in [
        "[StudyName \"My Rep\"]\n[ChapterName \"Sicilian\"]",
        "[ChapterURL \"https://lichess.org/study/a/b\"]",
    ] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    // A change upgrades the file.
    let change = |_: &mut Preparation| Ok::<(), StoreError>(());
    let (settings, workers) = (RepertoireSettings::default(), Workers::default());
    Database::change_preparation(&old, "white", &settings, &workers, change).unwrap();
    assert_eq!(read(), before);
    assert_eq!(rows(&old, "SELECT DISTINCT halfmoves, tags FROM chapter, chapter_start").len(), 1);
}

/// Version 5 knew no sources: what is prepared is one source without a name, and stays when others
/// are added.
#[test]
fn what_an_older_release_prepared_is_a_source_without_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (old_file(folder.path()), new_file(folder.path()));
    let connection = Connection::open(&old).unwrap();
    schema::migrate_to(&connection, 4, 5);
    drop(connection);
    let before = std::fs::read(&old).unwrap();
    let read = |path: &Path| Database::open(path).unwrap().preparation("white").unwrap();
    let (found, expected) = (read(&old), read(&new));
    let [source] = found.sources() else { panic!("{found:?}") };
    assert_eq!((source.name.as_str(), source.chapters.len()), ("", 1));
    let book = |preparation: &Preparation| preparation.to_book(Color::White);
    assert_eq!(book(&found).differences(&book(&expected)), []);
    assert_eq!(book(&found).roots().len(), book(&expected).roots().len());
    assert!(std::fs::read(&old).unwrap() == before, "the file was touched");

    let mut line = Book::new(Color::White, BookRule::default());
    line.prepare("1. b3 e5").unwrap();
    let change = |preparation: &mut Preparation| {
        preparation.replace(PreparedSource::of_book("b3", line));
        Ok::<(), StoreError>(())
    };
    let settings = RepertoireSettings::default();
    let moves = book(&found).prepared_moves() as u64;
    let workers = Workers::default();
    let counts = Database::change_preparation(&old, "white", &settings, &workers, change).unwrap();
    assert_eq!(counts.prepared_moves, moves + 2);
    let names: Vec<_> = read(&old).sources().iter().map(|source| source.name.clone()).collect();
    assert_eq!(names, ["", "b3"]);
    let database = Database::open(&old).unwrap();
    assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
    // A tree is walked by SQL alone.
    let walk = "WITH RECURSIVE line (key, moves) AS (
            VALUES ('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -', '')
            UNION ALL
            SELECT leads_to, moves || ' ' || san FROM line
            JOIN repertoire_move ON repertoire_move.key = line.key
            WHERE repertoire = 'white' AND prepared AND length(moves) < 60)
        SELECT moves FROM line WHERE moves LIKE ' b3%'";
    assert_eq!(rows(&old, walk).len(), 2);
    let plan = rows(
        &old,
        "EXPLAIN QUERY PLAN SELECT san FROM repertoire_move WHERE repertoire = 'white' AND key = 'x'",
    );
    let scans = ["SCAN position", "SCAN played", "SCAN prepared"];
    let is_scan = |step: &String| scans.iter().any(|scan| step.contains(scan));
    assert!(plan.len() > 9 && !plan.iter().any(is_scan), "{plan:#?}");
}
