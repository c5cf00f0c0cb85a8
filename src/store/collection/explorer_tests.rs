//! Questions to a file that many threads ask, and that changes meanwhile.

use std::{fs, path::Path, thread};

use rusqlite::Connection;

use super::{CollectionBuild, CollectionSettings, Explorer};
use crate::chess::{Board, PositionKey};
use crate::collection::{Cancellation, GameId, KeptGame, PositionQuery, PositionStats};
use crate::pipeline::Options;
use crate::select::{Player, Selection, TagPart};
use crate::store::{Database, StoreError};

fn games(count: usize) -> String {
    let moves = ["1. e4 e5 2. Nf3", "1. Nf3 e5 2. e4", "1. d4 d5", "1. e4 c5 2. Nf3 d6 3. d4"];
    let results = ["1-0", "0-1", "1/2-1/2"];
    let game = |n: usize| {
        let (moves, result) = (moves[n % moves.len()], results[n % results.len()]);
        format!(
            "[Event \"Open {}\"]\n[White \"Zoë {}\"]\n[Black \"B\"]\n[Round \"{n}\"]\n\
             [WhiteElo \"2100\"]\n\n{moves} {result}\n\n",
            n % 2,
            n % 5
        )
    };
    (0..count).map(game).collect()
}

fn add(path: &Path, name: &str, pgn: &str) {
    let (options, settings) = (Options::default(), CollectionSettings::default());
    let mut build = CollectionBuild::begin(path, name, &settings, &options.workers).unwrap();
    build.add_pgn(pgn.as_bytes(), &Selection::default(), &options).unwrap();
    build.finish().unwrap();
}

fn after(moves: &[&str]) -> PositionKey {
    let mut board = Board::default();
    moves.iter().for_each(|m| board.play(m.as_bytes()).unwrap());
    board.key()
}

fn count(explorer: &Explorer) -> Result<u64, StoreError> {
    let mut query = PositionQuery::default();
    (query.top_games, query.recent_games, query.reached) = (3, 3, true);
    let stats = explorer.query(&after(&[]), &query)?;
    Ok(stats.score.games())
}

fn file(count: usize) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    add(&path, "all", &games(count));
    (folder, path)
}

#[test]
fn a_position_is_found_by_any_order_of_moves() {
    let (_folder, path) = file(8);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let query = PositionQuery { reached: true, ..PositionQuery::default() };
    let stats = explorer.query(&after(&["e4", "e5"]), &query).unwrap();
    assert_eq!((stats.score.games(), stats.ended.games()), (2, 0));
    assert_eq!(stats.moves[0].uci.to_string(), "g1f3");
    let reached = stats.moves[0].reached.unwrap();
    assert_eq!(reached.games(), 4, "two games came there by 1. Nf3");
    let stats = explorer.query(&after(&["e4", "e5", "Nf3"]), &query).unwrap();
    assert_eq!((stats.score.games(), stats.ended.games()), (0, 4));
}

#[test]
fn many_threads_get_the_same_answers() {
    let (_folder, path) = file(200);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let mut query = PositionQuery::default();
    query.selection.players = vec![Player::new("zoe 3")];
    query.selection.events = vec![TagPart::new("open 1")];
    query.recent_games = 5;
    let expected = explorer.query(&after(&[]), &query).unwrap();
    assert_eq!(expected.score.games(), 20);
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(explorer.query(&after(&[]), &query).unwrap(), expected);
                    assert_eq!(count(&explorer).unwrap(), 200);
                }
            });
        }
    });
}

#[test]
fn games_that_are_added_are_counted_in_the_next_answer() {
    let (_folder, path) = file(2500);
    let explorer = Explorer::open(&path, &[]).unwrap();
    assert_eq!(count(&explorer).unwrap(), 2500);
    add(&path, "all", &games(2600));
    assert_eq!(count(&explorer).unwrap(), 2600);
    add(&path, "more", &games(10));
    assert_eq!(explorer.collections().unwrap().len(), 2);
}

#[test]
fn a_file_that_is_replaced_or_gone_is_opened_again() {
    let (folder, path) = file(6);
    let explorer = Explorer::open(&path, &[]).unwrap();
    assert_eq!(count(&explorer).unwrap(), 6);
    let (_other_folder, other) = file(9);
    fs::copy(&other, folder.path().join("new")).unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    assert_eq!(count(&explorer).unwrap(), 9);
    fs::write(folder.path().join("junk"), "junk").unwrap();
    fs::rename(folder.path().join("junk"), &path).unwrap();
    assert!(matches!(count(&explorer), Err(StoreError::NotPositionDatabase { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(count(&explorer), Err(StoreError::Inaccessible { .. })));
    fs::copy(&other, &path).unwrap();
    assert_eq!(count(&explorer).unwrap(), 9);
}

#[test]
fn a_locked_file_is_an_error_of_one_question() {
    let (_folder, path) = file(6);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert!(matches!(count(&explorer), Err(StoreError::Busy { .. })));
    writer.execute_batch("ROLLBACK").unwrap();
    assert_eq!(count(&explorer).unwrap(), 6);
}

#[test]
fn damage_is_an_error() {
    let kinds = ["header", "dictionary", "facts", "labels", "moves", "tags", "positions", "ids"];
    let changes = ["x''", "zeroblob(40)", "randomblob(200)", "substr(bytes, 1, length(bytes) / 2)"];
    for kind in kinds {
        for change in changes {
            let (_folder, path) = file(40);
            let connection = Connection::open(&path).unwrap();
            let sql = format!("UPDATE segment_blob SET bytes = {change} WHERE kind = ?1");
            assert!(connection.execute(&sql, [kind]).unwrap() > 0);
            drop(connection);
            let explorer = Explorer::open(&path, &[]).unwrap();
            let mut query = PositionQuery::default();
            (query.top_games, query.recent_games, query.reached) = (30, 30, true);
            query.selection.players = vec![Player::new("zoe 3")];
            let game = |explorer: &Explorer| explorer.game(GameId::from_number(1)).map(drop);
            let ask = |explorer: &Explorer| explorer.query(&after(&[]), &query);
            let answer = ask(&explorer).map(drop).and(game(&explorer));
            assert!(matches!(answer, Err(StoreError::DamagedGames { .. })), "{kind} = {change}");
            // The one segment is left out.
            let explorer = explorer.leaving_out_damage();
            game(&explorer).unwrap();
            assert_eq!(ask(&explorer).unwrap(), PositionStats::default());
            let left_out = explorer.left_out();
            assert_eq!(left_out.len(), 1);
            assert_eq!(left_out[0].segment.as_ref().unwrap().1, 1..=40);
        }
    }
}

#[test]
fn games_are_found_by_their_identities() {
    let (_folder, path) = file(30);
    let mut all = Vec::new();
    let visit = &mut |game: KeptGame| all.push(game);
    let database = Database::open(&path).unwrap();
    database.kept_games(&database.collection("all").unwrap(), visit).unwrap();
    let explorer = Explorer::open(&path, &["all".to_owned()]).unwrap();
    for game in all {
        assert_eq!(explorer.game(game.id()).unwrap(), Some(game));
    }
    assert_eq!(explorer.game(GameId::from_number(7)).unwrap(), None);
}

#[test]
fn only_collections_that_are_there_can_be_asked() {
    let (_folder, path) = file(5);
    add(&path, "few", &games(2));
    let named = |name: &str| Explorer::open(&path, &[name.to_owned()]);
    assert_eq!(count(&named("few").unwrap()).unwrap(), 2);
    let error = named("none").err().unwrap().to_string();
    assert!(error.contains("no collection 'none'; there is all, few"), "{error}");
    assert!(Explorer::open(&path.with_extension("no"), &[]).is_err());
}

#[test]
fn players_are_suggested_by_parts_of_their_names() {
    let (_folder, path) = file(11);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let names = |part, limit| -> Vec<(String, u64)> { explorer.players(part, limit).unwrap() };
    assert_eq!(names("zoe", 2), [("Zoë 0".to_owned(), 3), ("Zoë 1".to_owned(), 2)]);
    assert_eq!(names("4 Zoë", 9), [("Zoë 4".to_owned(), 2)]);
    assert_eq!(names("", 1), [("B".to_owned(), 11)]);
    assert_eq!(names("nobody", 9), []);
}

#[test]
fn a_question_that_is_cancelled_ends_and_leaves_nothing_behind() {
    let (_folder, path) = file(12);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let cancellation = Cancellation::default();
    let cancelled = explorer.until(&cancellation);
    assert_eq!(count(&cancelled).unwrap(), 12);
    cancellation.cancel();
    let mut by_tag = PositionQuery::default();
    by_tag.selection.tags = vec![("Round".to_owned(), "7".to_owned())];
    let is_cancelled = |error| matches!(error, StoreError::Cancelled { .. });
    // What is in memory by now is no answer either.
    assert!(count(&cancelled).is_err_and(is_cancelled));
    assert!(cancelled.query(&after(&[]), &by_tag).is_err_and(is_cancelled));
    assert!(cancelled.players("zoe", 2).is_err_and(is_cancelled));
    assert!(cancelled.unknown_player("zeo").is_err_and(is_cancelled));
    assert!(cancelled.game(GameId::from_number(7)).is_err_and(is_cancelled));
    assert_eq!(explorer.query(&after(&[]), &by_tag).unwrap().score.games(), 1);
    assert_eq!(count(&explorer).unwrap(), 12);
}

#[test]
fn a_name_that_no_game_has_is_answered_with_near_ones() {
    let (_folder, path) = file(11);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let nearest = |name| explorer.unknown_player(name).unwrap().map(|unknown| unknown.nearest);
    assert_eq!(nearest("zeo 3").unwrap()[0], "Zoë 3");
    assert_eq!(nearest("Mikhail Tal"), Some(Vec::new()));
    assert_eq!(nearest("zoe 3"), None);
    add(&path.with_extension("none"), "empty", "");
    let empty = Explorer::open(&path.with_extension("none"), &[]).unwrap();
    assert_eq!(empty.unknown_player("zeo 3").unwrap(), None);
}

#[test]
fn a_search_by_tags_keeps_no_tags_and_no_moves_in_memory() {
    let (_folder, path) = file(1000);
    let explorer = Explorer::open(&path, &[]).unwrap();
    let mut query = PositionQuery { reached: true, ..PositionQuery::default() };
    // A condition on labels, so that those are in memory.
    query.selection.min_plies = 1;
    explorer.query(&after(&[]), &query).unwrap();
    let before = explorer.memory_of_segments();
    query.selection.tags = vec![("Round".to_owned(), "777".to_owned())];
    assert_eq!(explorer.query(&after(&[]), &query).unwrap().score.games(), 1);
    let added = explorer.memory_of_segments() - before;
    // The game that is shown, as it is the only one of its move, has a frame of tags in memory.
    assert!(added < 32 << 10, "{added} bytes");
}
