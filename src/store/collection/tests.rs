//! Collections in a file: built, extended, changed, and left alone.

use std::path::{Path, PathBuf};
use std::{fs, ops::ControlFlow};

use rusqlite::Connection;

use super::checksum::checksum_of_blob;
use super::{CollectionBuild, CollectionReport, CollectionSettings, Explorer};
use crate::chess::Board;
use crate::collection::PositionQuery;
use crate::pipeline::{Options, Workers};
use crate::select::{Player, SameGame, Selection};
use crate::store::{Database, Kind, StoreError};

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    (folder, path)
}

/// A game of each number, with a result and a date.
fn games(numbers: std::ops::Range<usize>) -> String {
    let moves = ["1. e4 e5", "1. d4 d5", "1. c4 c5 2. Nf3", "1. e4 e5 2. Nf3"];
    let game = |n: usize| {
        let (year, moves) = (1900 + n % 50, moves[n % moves.len()]);
        format!("[White \"W{n}\"]\n[Black \"B\"]\n[Date \"{year}.01.02\"]\n\n{moves} 1-0\n\n")
    };
    numbers.map(game).collect()
}

fn add(path: &Path, name: &str, pgn: &str) -> CollectionReport {
    let options = Options::default();
    let settings = CollectionSettings::default();
    let mut build = CollectionBuild::begin(path, name, &settings, &options.workers).unwrap();
    build.add_pgn(pgn.as_bytes(), &Selection::default(), &options).unwrap();
    build.finish().unwrap()
}

fn whites(path: &Path, name: &str) -> Vec<String> {
    let database = Database::open(path).unwrap();
    let mut names = Vec::new();
    let visit = &mut |game: crate::collection::KeptGame| {
        names.push(String::from_utf8(game.tag("White").unwrap().to_vec()).unwrap());
    };
    database.kept_games(&database.collection(name).unwrap(), visit).unwrap();
    names.sort();
    names
}

fn expected(numbers: impl Iterator<Item = usize>) -> Vec<String> {
    let mut names: Vec<String> = numbers.map(|n| format!("W{n}")).collect();
    names.sort();
    names
}

#[test]
fn games_are_kept_once_and_added_to() {
    let (_folder, path) = file();
    let first = add(&path, "c", &games(0..10));
    assert_eq!((first.added, first.known), (10, 0));
    let second = add(&path, "c", &games(5..12));
    assert_eq!((second.added, second.known), (2, 5));
    assert_eq!(whites(&path, "c"), expected(0..12));
    let info = Database::open(&path).unwrap().collection("c").unwrap();
    assert_eq!((info.games, info.counted_games, info.max_ply), (12, 12, 50));
    let dates = info.dates.map(|(first, last)| (first.to_string(), last.to_string()));
    assert_eq!(dates, Some(("1900-01-02".to_owned(), "1911-01-02".to_owned())));
}

#[test]
fn what_is_not_counted_is_kept_and_reported() {
    let (_folder, path) = file();
    let report = add(
        &path,
        "c",
        "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n[Variant \"Atomic\"]\n\n1. e4 1-0\n\n\
         [White \"C\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd8 1-0\n\n\
         [White \"D\"]\n\n1. e4 e5 2. Ke3 1-0\n",
    );
    let CollectionReport {
        added, without_result, other_variants, from_position, cut_short, ..
    } = report;
    assert_eq!((added, without_result, other_variants), (4, 1, 1));
    assert_eq!((from_position, cut_short), (1, 1));
    assert_eq!(whites(&path, "c"), ["A", "B", "C", "D"]);
    assert_eq!(Database::open(&path).unwrap().collection("c").unwrap().counted_games, 1);
}

#[test]
fn many_small_runs_make_few_segments() {
    let (_folder, path) = file();
    for n in 0..12 {
        add(&path, "c", &games(3 * n..3 * n + 3));
    }
    let info = Database::open(&path).unwrap().collection("c").unwrap();
    assert_eq!(info.games, 36);
    assert!(info.segments <= 4, "{} segments", info.segments);
    assert_eq!(whites(&path, "c"), expected(0..36));
}

#[test]
fn a_long_run_makes_few_segments() {
    let (_folder, path) = file();
    add(&path, "c", &games(0..900));
    add(&path, "c", &games(500..6000));
    let info = Database::open(&path).unwrap().collection("c").unwrap();
    assert_eq!((info.games, info.counted_games, info.segments), (6000, 6000, 3));
    assert_eq!(whites(&path, "c"), expected(0..6000));
    assert_eq!(Database::open(&path).unwrap().integrity_faults().unwrap(), Vec::<String>::new());
}

/// Games that are equal in all that orders them, so their arrival decides.
#[test]
fn joined_collections_answer_as_one_that_was_made_in_one_go() {
    let (folder, path) = file();
    let parts = [0..700, 600..1500, 0..9, 1500..1900];
    let mut joined = add(&path, "c", "[White \"A\"]\n\n1. e4 *\n");
    let mut opened = Vec::new();
    for (number, games_of_part) in (0..).zip(parts.clone()) {
        let part = folder.path().join(format!("part{number}.db"));
        add(&part, "part", &games(games_of_part));
        let database = Database::open(&part).unwrap();
        let info = database.collection("part").unwrap();
        opened.push((database, info));
    }
    let settings = CollectionSettings::default();
    let mut build = CollectionBuild::begin(&path, "c", &settings, &Workers::default()).unwrap();
    let others: Vec<_> = opened.iter().map(|(database, info)| (database, info)).collect();
    build.join(&others).unwrap();
    joined = CollectionReport { without_result: joined.without_result, ..build.finish().unwrap() };
    let anew = folder.path().join("anew.db");
    add(&anew, "c", "[White \"A\"]\n\n1. e4 *\n");
    let report = add(&anew, "c", &parts.map(games).concat());
    assert_eq!(CollectionReport { without_result: 1, ..report }, joined);
    let info = Database::open(&path).unwrap().collection("c").unwrap();
    assert_eq!((info.games, info.segments), (1901, 1));
    let mut query = PositionQuery::default();
    (query.top_games, query.recent_games, query.reached, query.history) = (9, 9, true, true);
    for moves in ["", "e4", "e4 e5", "d4", "d4 d5", "c4 c5", "c4 c5 Nf3", "h4"] {
        let mut board = Board::default();
        moves.split_whitespace().for_each(|m| board.play(m.as_bytes()).unwrap());
        let [joined, anew] = [&path, &anew].map(|path| {
            let mut stats = Explorer::open(path, &[]).unwrap().query(&board.key(), &query).unwrap();
            let games = stats.top_games.iter_mut().chain(&mut stats.recent_games);
            let only = stats.moves.iter_mut().filter_map(|played| played.only_game.as_mut());
            games.chain(only).for_each(|game| game.arrival = 0);
            stats
        });
        assert_eq!(joined, anew, "after {moves}");
    }
}

#[test]
fn a_join_that_fails_keeps_nothing() {
    let (folder, damaged) = with_damage();
    let database = Database::open(&damaged).unwrap();
    let infos = ["sound", "c"].map(|name| database.collection(name).unwrap());
    let (path, settings) = (folder.path().join("all.db"), CollectionSettings::default());
    let mut build = CollectionBuild::begin(&path, "c", &settings, &Workers::default()).unwrap();
    let others: Vec<_> = infos.iter().map(|info| (&database, info)).collect();
    assert!(matches!(build.join(&others), Err(StoreError::DamagedGames { .. })));
    let finished = build.finish().unwrap_err().to_string();
    assert!(finished.ends_with("cannot be written: games could not be added"), "{finished}");
    assert!(!path.exists());
}

/// Calls `change` with the kind and the bytes of each blob of all segments, which get the checksums
/// of what they become.
fn forge_blobs(path: &Path, mut change: impl FnMut(&str, &mut [u8])) {
    Database::change(path, |database| {
        let sql = "SELECT id, segment_id, kind, number, bytes FROM segment_blob ORDER BY id";
        let read = |row: &rusqlite::Row<'_>| {
            let (segment, kind): (i64, String) = (row.get(1)?, row.get(2)?);
            Ok((row.get(0)?, segment, kind, row.get(3)?, row.get(4)?))
        };
        let blobs: Vec<(i64, i64, String, u32, Vec<u8>)> = database.rows(sql, [], read)?;
        for (id, segment, kind, number, mut bytes) in blobs {
            change(&kind, &mut bytes);
            let checksum = checksum_of_blob(segment, &kind, number, &bytes);
            let sql = "UPDATE segment_blob SET bytes = ?2, checksum = ?3 WHERE id = ?1";
            database.execute(sql, rusqlite::params![id, bytes, checksum])?;
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn sums_that_are_not_those_of_the_facts_are_damage() {
    let (_folder, path) = file();
    add(&path, "c", &games(0..10));
    let change = |kind: &str, bytes: &mut [u8]| {
        // The last byte has the highest bits of a sum.
        bytes.iter_mut().last().filter(|_| kind == "header").into_iter().for_each(|b| *b ^= 1);
    };
    forge_blobs(&path, change);
    let damage = Database::open(&path).unwrap().damage_of(Kind::Collection, "c").unwrap();
    assert_eq!(damage.len(), 1);
    assert_eq!(damage[0].what, "facts 0: the header has other sums");
}

#[test]
fn selected_games_are_removed() {
    let (_folder, path) = file();
    add(&path, "c", &games(0..9));
    add(&path, "c", &games(9..12));
    let selected =
        |name: &str| Selection { players: vec![Player::new(name)], ..Selection::default() };
    let remove =
        |selection: Selection| Database::remove_games(&path, "c", &selection, &Workers::default());
    assert_eq!(remove(selected("W3")).unwrap(), 1);
    assert_eq!(remove(selected("Nobody")).unwrap(), 0);
    assert_eq!(whites(&path, "c"), expected((0..12).filter(|n| *n != 3)));
    // It can be added again.
    assert_eq!(add(&path, "c", &games(0..4)).added, 1);
    assert_eq!(remove(selected("B")).unwrap(), 12);
    let info = Database::open(&path).unwrap().collection("c").unwrap();
    assert_eq!((info.games, info.segments), (0, 0));
    assert_eq!(whites(&path, "c"), Vec::<String>::new());
}

#[test]
fn collections_are_renamed_and_removed() {
    let (_folder, path) = file();
    add(&path, "a", &games(0..3));
    add(&path, "b", &games(0..3));
    let names = || {
        let all = Database::open(&path).unwrap().collections().unwrap();
        all.into_iter().map(|info| info.name).collect::<Vec<_>>()
    };
    let error = Database::rename(&path, Kind::Collection, "a", "b", 0).unwrap_err();
    assert!(error.to_string().ends_with("collection 'b' is there already"), "{error}");
    Database::rename(&path, Kind::Collection, "a", "c", 0).unwrap();
    assert_eq!(names(), ["b", "c"]);
    let error = Database::remove(&path, &[(Kind::Collection, "a".to_owned())], 0).unwrap_err();
    assert!(matches!(error, StoreError::NoSuch { .. }));
    assert!(error.to_string().ends_with("no collection 'a'; there is b, c"), "{error}");
    Database::remove(&path, &[(Kind::Collection, "b".to_owned())], 0).unwrap();
    assert_eq!((names(), whites(&path, "c")), (vec!["c".to_owned()], expected(0..3)));
    let file = Connection::open(&path).unwrap();
    let segments: i64 = file
        .query_row("SELECT count(DISTINCT segment_id) FROM segment_blob", [], |row| row.get(0))
        .unwrap();
    assert_eq!(segments, 1);
    assert_eq!(Database::open(&path).unwrap().integrity_faults().unwrap(), Vec::<String>::new());
}

#[test]
fn a_build_that_is_dropped_changes_nothing() {
    let (folder, path) = file();
    let begin = |name, max_ply| {
        let settings = CollectionSettings { max_ply, ..CollectionSettings::default() };
        CollectionBuild::begin(&path, name, &settings, &Workers::default())
    };
    drop(begin("c", None).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    add(&path, "c", &games(0..3));
    let before = fs::read(&path).unwrap();
    let mut build = begin("c", None).unwrap();
    build.add_pgn(games(3..9).as_bytes(), &Selection::default(), &Options::default()).unwrap();
    assert!(matches!(begin("d", None), Err(StoreError::Busy { .. })));
    drop(build);
    assert_eq!(fs::read(&path).unwrap(), before);
    let error = begin("c", Some(20)).err().unwrap();
    assert!(error.to_string().ends_with("collection 'c' finds positions up to ply 50"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// What a person finds in the file.
#[test]
fn the_view_sums_up_a_collection() {
    let (_folder, path) = file();
    add(&path, "c", &games(0..10));
    add(&path, "c", "[White \"A\"]\n\n1. e4 *\n");
    let file = Connection::open(&path).unwrap();
    let row = file.query_row(
        "SELECT name, max_ply, games, counted_games, segments, first_date, last_date
         FROM all_collections",
        [],
        |row| {
            Ok((
                row.get::<_, String>(0)?,
                [row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?, row.get(4)?],
                row.get::<_, String>(5)?,
                row.get::<_, String>(6)?,
            ))
        },
    );
    let (name, numbers, first, last) = row.unwrap();
    assert_eq!((&*name, numbers), ("c", [50, 11, 10, 2]));
    assert_eq!((&*first, &*last), ("1900-01-02", "1909-01-02"));
}

#[test]
fn nobody_waits_for_a_reader_and_a_change_ends_its_reading() {
    let (_folder, path) = file();
    add(&path, "c", &games(0..1500));
    let database = Database::open(&path).unwrap();
    let info = database.collection("c").unwrap();
    let mut seen = 0;
    let read = database.kept_games(&info, &mut |_| {
        seen += 1;
        if seen == 1000 {
            add(&path, "c", &games(1500..1510));
        }
    });
    assert!(matches!(read, Err(StoreError::Changed { .. })), "{read:?}");
    assert_eq!(seen, 1024);
    // Another collection is not in the way.
    let info = database.collection("c").unwrap();
    let read = database.kept_games(&info, &mut |_| {
        if seen == 1500 {
            add(&path, "d", &games(0..10));
        }
        seen += 1;
    });
    assert!(read.is_ok() && seen == 1024 + 1510, "{read:?} {seen}");
}

#[test]
fn a_damaged_segment_is_reported() {
    let (_folder, path) = file();
    add(&path, "c", &games(0..10));
    for damage in [
        "UPDATE segment_blob SET bytes = x'00' WHERE kind = 'facts'",
        "UPDATE segment_blob SET bytes = x'ffffffffffffffffff' WHERE kind = 'moves'",
        "DELETE FROM segment_blob WHERE kind = 'header'",
        "UPDATE segment_blob SET number = 7 WHERE kind = 'tags'",
        "UPDATE segment SET games = 99",
        "UPDATE segment SET bytes = 99",
        "UPDATE segment SET last_date = '1999-01-01'",
        "UPDATE collection SET max_ply = 51",
        "UPDATE collection SET name = 'd'",
        "UPDATE collection SET checksum = checksum + 1",
        "DELETE FROM segment",
        "PRAGMA foreign_keys = off; DELETE FROM collection",
    ] {
        let copy = path.with_extension("copy");
        fs::copy(&path, &copy).unwrap();
        Connection::open(&copy).unwrap().execute_batch(damage).unwrap();
        let database = Database::open(&copy).unwrap();
        let info = database.collection("c");
        let read = info.and_then(|info| database.kept_games(&info, &mut drop));
        let is_noticed =
            matches!(read, Err(StoreError::DamagedGames { .. } | StoreError::Damaged { .. }));
        assert!(is_noticed, "{damage}: {read:?}");
        assert!(database.collections().is_err() || damage.contains("blob"), "{damage}");
    }
}

/// A file with a collection of 3,000 games in two segments, whose blob of moves 1 is damaged in the
/// first, and with one that is sound.
fn with_damage() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = file();
    add(&path, "c", &games(0..2000));
    add(&path, "c", &games(2000..3000));
    add(&path, "sound", &games(0..10));
    let sql = "UPDATE segment_blob SET bytes = zeroblob(length(bytes))
         WHERE segment_id = 1 AND kind = 'moves' AND number = 1";
    Connection::open(&path).unwrap().execute(sql, []).unwrap();
    (folder, path)
}

#[test]
fn damaged_games_are_named_and_the_others_are_read() {
    let (_folder, path) = with_damage();
    let database = Database::open(&path).unwrap();
    let damage = database.damage_of(Kind::Collection, "c").unwrap();
    let texts: Vec<String> = damage.iter().map(ToString::to_string).collect();
    let expected = "collection c: games 513 to 1024 are damaged (segment 1, moves 1: its checksum \
                    differs)";
    assert_eq!(texts, [expected]);
    assert_eq!(damage[0].segment, Some((1, 1..=2000)));
    assert_eq!(database.damage_of(Kind::Collection, "sound").unwrap(), []);
    let (mut blocks, mut errors) = (0, Vec::new());
    let info = database.collection("c").unwrap();
    let fed = database.feed_games(
        &info,
        &Selection::default(),
        &mut |_| {
            blocks += 1;
            ControlFlow::<()>::Continue(())
        },
        &mut |error| {
            errors.push(error.to_string());
            ControlFlow::Continue(())
        },
    );
    assert!(fed.unwrap().is_continue());
    assert_eq!(blocks, 5, "one before the damage, four after it");
    assert_eq!(errors, [format!("{}: {expected}", path.display())]);
}

#[test]
fn what_is_damaged_is_removed_and_can_be_added_again() {
    let (_folder, path) = with_damage();
    let remove =
        |name| Database::remove_damaged(&path, Kind::Collection, name, &Workers::default());
    let salvage = remove("c").unwrap();
    assert_eq!((salvage.kept, salvage.lost), (1488, 512));
    assert_eq!(whites(&path, "c").len(), 2488);
    let added = add(&path, "c", &games(0..3000));
    assert_eq!((added.added, added.known), (512, 2488));
    assert_eq!(whites(&path, "c"), expected(0..3000));
    assert_eq!(remove("c").unwrap(), crate::store::Salvage::default());
    assert_eq!(Database::open(&path).unwrap().damage_of(Kind::Collection, "c").unwrap(), []);
}

#[test]
fn a_damaged_list_is_made_anew() {
    for damage in [
        "UPDATE segment SET games = 99, counted_games = 1, first_date = NULL",
        "UPDATE collection SET max_ply = 3",
        "DELETE FROM segment WHERE id = 2",
    ] {
        let (_folder, path) = file();
        add(&path, "c", &games(0..20));
        add(&path, "c", &games(20..25));
        let before = Database::open(&path).unwrap().collection("c").unwrap();
        Connection::open(&path).unwrap().execute(damage, []).unwrap();
        let database = Database::open(&path).unwrap();
        let found = database.damage_of(Kind::Collection, "c").unwrap();
        assert_eq!(found[0].to_string(), "collection c: the list of its games is damaged");
        Database::remove_damaged(&path, Kind::Collection, "c", &Workers::default()).unwrap();
        add(&path, "c", &games(0..25));
        let after = Database::open(&path).unwrap().collection("c").unwrap();
        assert_eq!((after.games, after.counted_games), (before.games, before.counted_games));
        assert_eq!(after.dates, before.dates);
        assert_eq!(whites(&path, "c"), expected(0..25));
    }
}

/// Copies of one game, and others that differ in what makes a game.
#[test]
fn copies_from_other_sources_are_the_same_game_if_moves_decide() {
    let game = |white: &str, tags: &str, moves: &str| {
        let date = if tags.contains("[Date") { "" } else { "[Date \"2001.02.03\"]\n" };
        format!("[White \"{white}\"]\n[Black \"B\"]\n{date}{tags}\n{moves} 1-0\n\n")
    };
    let first = game("Grünfeld, Ernst", "[Site \"Vienna\"]\n", "1. e4 e5 2. Nf3");
    let copies = [
        game("Grünfeld, Ernst", "[Site \"Wien\"]\n", "1. e4 e5 2. Nf3"),
        game("ernst grunfeld", "[Round \"7\"]\n[UTCTime \"12:00:00\"]\n", "1. e4 e5 2. Ng1f3"),
    ];
    let others = [
        game("Grünfeld, E.", "", "1. e4 e5 2. Nf3"),
        game("Grünfeld, Ernst", "[Date \"2001.02.04\"]\n", "1. e4 e5 2. Nf3"),
        game("Grünfeld, Ernst", "[Date \"????.??.??\"]\n", "1. e4 e5 2. Nf3"),
        game("Grünfeld, Ernst", "", "1. e4 e5"),
        game("Grünfeld, Ernst", "", "1. e4 e5 2. Nf3 xx"),
        game("Grünfeld, Ernst", "[Variant \"Atomic\"]\n", "1. e4 e5 2. Nf3"),
        game(
            "Grünfeld, Ernst",
            "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n",
            "2. Nf3",
        ),
    ];
    let (_folder, path) = file();
    let options = Options::default();
    let add = |name: &str, same_game: Option<SameGame>, pgn: &str| {
        let settings = CollectionSettings { same_game, ..CollectionSettings::default() };
        let mut build = CollectionBuild::begin(&path, name, &settings, &options.workers).unwrap();
        build.add_pgn(pgn.as_bytes(), &Selection::default(), &options).unwrap();
        let report = build.finish().unwrap();
        (report.added, report.known)
    };
    let all = [&first, &copies[0], &copies[1]].map(String::as_str).concat() + &others.concat();
    assert_eq!(add("strict", None, &all), (10, 0));
    let moves = Some(SameGame::Moves);
    assert_eq!(add("moves", moves, &(first.clone() + &copies[0])), (1, 1));
    // The rule stays, and heeds games of earlier runs.
    assert_eq!(add("moves", None, &all), (7, 3));
    assert_eq!(add("moves", None, &all), (0, 10));
    // Under another rule, what is there stays.
    assert_eq!(add("moves", Some(SameGame::Strict), &all), (2, 8));
    assert_eq!(add("strict", moves, &all), (0, 10));
    let rule = |name: &str| Database::open(&path).unwrap().collection(name).unwrap().same_game;
    assert_eq!((rule("strict"), rule("moves")), (SameGame::Moves, SameGame::Strict));
}
