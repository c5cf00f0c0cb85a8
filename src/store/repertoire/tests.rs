//! Stored repertoires, against books by the obvious count, however the games were added.

use std::{collections::BTreeMap, path::PathBuf};

use proptest::prelude::*;

use rusqlite::Connection;

use super::{load::Counted, *};
use crate::chess::{Board, Color, PositionKey, UciMove};
use crate::pipeline::{Options, Workers};
use crate::repertoire::{Book, BookRule, Node};
use crate::select::Selection;
use crate::store::{CollectionBuild, CollectionSettings, Database, Kind, StoreError};
use crate::{catalogue::Catalogue, classify::Classifier, collection::KeptGameReader, pgn::Game};

mod counts;
mod journal;
mod preparation;

fn classifier() -> Classifier<'static> {
    Classifier::new(Catalogue::builtin())
}

fn one_thread() -> Workers {
    Workers::new(std::num::NonZeroUsize::MIN)
}
const MAX_PLY: u32 = 10;

fn white() -> RepertoireSettings {
    RepertoireSettings {
        color: Some(Color::White),
        max_ply: Some(MAX_PLY),
        rule: Some(BookRule::default()),
        ..RepertoireSettings::default()
    }
}

struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chess.db");
        Self { _folder: folder, path }
    }

    fn begin(&self, games: &[String]) -> RepertoireBuild {
        let mut build = RepertoireBuild::begin(&self.path, "r", &white(), &one_thread()).unwrap();
        build.takes_positions = true;
        let mut reader = build.reader(&Selection::default(), classifier());
        for block in games.chunks(3) {
            let games = block.iter().map(|game| reader.read(&Game::from_bytes(game.as_bytes())));
            build.add(games).unwrap();
        }
        build
    }

    fn build(&self, games: &[String]) -> BuildReport {
        self.begin(games).finish(0).unwrap()
    }

    fn prepare(&self, lines: &[&str]) {
        let mut book = Book::new(Color::White, BookRule::default());
        for line in lines {
            book.prepare(line).unwrap();
        }
        Database::prepare(&self.path, "r", &white(), 0, &book).unwrap();
    }

    fn open(&self) -> Database {
        let database = Database::open(&self.path).unwrap();
        assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
        database
    }

    fn book(&self) -> Book {
        self.open().book("r", Counted::All, &one_thread()).unwrap()
    }
}

const WORDS: [&str; 14] =
    ["e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "d4", "d5", "Nc3", "Nc6", "c4", "g6", "exd5", "O-O"];

/// Games that come together and part again, no two with the same content.
fn games() -> impl Strategy<Value = Vec<String>> {
    let line = prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..12);
    let result = prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*"]);
    prop::collection::vec((line, result, 1900..1910_u16, 2000..2003_u16), 0..12).prop_map(|games| {
        let game = |(n, (line, result, year, elo)): (usize, (Vec<&str>, &str, u16, u16))| {
            let white = ["Byrne", "?", "Anand"][n % 3];
            let tags = format!(
                "[Round \"{n}\"]\n[White \"{white}\"]\n[Date \"{year}.01.??\"]\n[BlackElo \"{elo}\"]\n"
            );
            format!("{tags}\n1. e4 e5 {} {result}\n", line.join(" "))
        };
        games.into_iter().enumerate().map(game).collect()
    })
}

fn collect(path: &std::path::Path, pgn: &[u8]) {
    let settings = CollectionSettings { max_ply: Some(300), ..CollectionSettings::default() };
    let mut build = CollectionBuild::begin(path, "all", &settings, &one_thread()).unwrap();
    build.add_pgn(pgn, &Selection::default(), &Options::default()).unwrap();
    build.finish().unwrap();
}

fn some_games() -> Vec<String> {
    ["1. e4 e5 2. Nf3 Nc6 1-0", "1. e4 e5 2. Nf3 Nf6 0-1", "1. d4 d5 *"].map(str::to_owned).to_vec()
}

#[test]
fn a_build_that_never_finishes_leaves_nothing() {
    let place = Place::new();
    place.build(&some_games()[..1]);
    let before = std::fs::read(&place.path).unwrap();
    drop(place.begin(&some_games()));
    assert_eq!(std::fs::read(&place.path).unwrap(), before);
    assert_eq!(place.open().counts(&place.open().repertoire("r").unwrap()).unwrap().games, 1);
}

#[test]
fn two_at_a_time_are_reported() {
    let place = Place::new();
    let build = place.begin(&some_games());
    let second = RepertoireBuild::begin(&place.path, "other", &white(), &one_thread());
    let message = second.err().unwrap().to_string();
    assert!(message.contains("in use by another program"), "{message}");
    build.finish(0).unwrap();
    assert_eq!(place.open().repertoires().unwrap().len(), 1);
}

#[test]
fn what_does_not_fit_is_reported_and_changes_nothing() {
    let place = Place::new();
    place.build(&some_games());
    let before = std::fs::read(&place.path).unwrap();
    let begin = |name: &str, settings: &RepertoireSettings| {
        RepertoireBuild::begin(&place.path, name, settings, &one_thread())
            .err()
            .unwrap()
            .to_string()
    };
    let path = &place.path;
    for (message, part) in [
        (begin("new", &RepertoireSettings::default()), "'new' is new, and needs a color"),
        (
            begin(
                "r",
                &RepertoireSettings { color: Some(Color::Black), ..RepertoireSettings::default() },
            ),
            "'r' is for white",
        ),
        (
            begin("r", &RepertoireSettings { max_ply: Some(11), ..RepertoireSettings::default() }),
            "counts games up to ply 10",
        ),
        (
            Database::rename(path, Kind::Repertoire, "no", "r", 0).unwrap_err().to_string(),
            "no repertoire 'no'; there is r",
        ),
        (
            Database::rename(path, Kind::Repertoire, "r", "r", 0).unwrap_err().to_string(),
            "'r' is there already",
        ),
        (
            Database::remove(path, &[(Kind::Repertoire, "no".to_owned())], 0)
                .unwrap_err()
                .to_string(),
            "no repertoire 'no'",
        ),
        (
            Database::merge_repertoires(path, "r", "r", 0, &one_thread()).unwrap_err().to_string(),
            "cannot be merged with itself",
        ),
        (
            place
                .open()
                .book("no", Counted::OfSeveralGames, &one_thread())
                .unwrap_err()
                .to_string(),
            "no repertoire 'no'",
        ),
    ] {
        assert!(message.contains(part), "{message:?} does not say {part:?}");
    }
    assert_eq!(std::fs::read(&place.path).unwrap(), before);
}

#[test]
fn settings_stay_until_others_are_given() {
    let place = Place::new();
    let set = |settings: RepertoireSettings| {
        let build = RepertoireBuild::begin(&place.path, "r", &settings, &one_thread()).unwrap();
        build.finish(0).unwrap();
        place.open().repertoire("r").unwrap()
    };
    let players = vec!["Byrne, Donald".to_owned()];
    let rule = BookRule { mine: "top:1".parse().unwrap(), theirs: "share:7%".parse().unwrap() };
    set(RepertoireSettings { players: players.clone(), ..white() });
    assert_eq!(place.open().repertoire("r").unwrap().rule, BookRule::default());
    set(RepertoireSettings { rule: Some(rule), ..RepertoireSettings::default() });
    let info = set(RepertoireSettings::default());
    assert_eq!((info.color, info.max_ply, info.players), (Color::White, MAX_PLY, players));
    assert_eq!(info.rule, rule);
}

#[test]
fn notes_come_back_and_are_not_doubled() {
    let place = Place::new();
    let text = "{Start} 1. e4! {King's pawn} e5 (1... c5 $6 {Sicilian}) 2. Nf3 *";
    let mut book = Book::new(Color::White, BookRule::default());
    book.add_chapter(&Game::from_bytes(text.as_bytes()));
    for _ in 0..2 {
        Database::prepare(&place.path, "r", &white(), 0, &book).unwrap();
    }
    let stored = place.book();
    for id in book.ids() {
        let (expected, other) = (book.node(id), stored.find(&book.node(id).key).unwrap());
        assert_eq!(stored.node(other).notes, expected.notes);
        let notes = |node: &Node| -> BTreeMap<_, _> {
            let edges =
                node.edges.iter().filter_map(|edge| Some((edge.uci, edge.prepared.clone()?)));
            edges.collect()
        };
        assert_eq!(notes(stored.node(other)), notes(expected));
    }
    assert_eq!(stored.roots().len(), 1);
}

#[test]
fn damage_is_reported() {
    for (sql, part) in [
        ("UPDATE prepared_move SET san = 'Qh7' WHERE san = 'e4'", "Qh7 is no move of"),
        ("UPDATE prepared_move SET key = 'x' WHERE san = 'e4'", "not a position key"),
        ("UPDATE chapter SET tags = '['", "tags of a chapter"),
        ("UPDATE segment_blob SET bytes = x'00' WHERE kind = 'moves'", "segment 1"),
    ] {
        let place = Place::new();
        place.build(&some_games());
        place.prepare(&["1. e4 c5"]);
        Connection::open(&place.path).unwrap().execute_batch(sql).unwrap();
        let database = place.open();
        let whole = database.book("r", Counted::OfSeveralGames, &one_thread());
        let start = database.book_at("r", &Board::default().key(), BookRule::USUAL, &one_thread());
        // A key that is damaged is not found.
        let message = whole.and(start).unwrap_err().to_string();
        assert!(message.contains("damaged") && message.contains(part), "{message}");
    }
}

#[test]
fn games_of_the_repertoire_alone_are_added() {
    let place = Place::new();
    let settings = RepertoireSettings { players: vec!["Byrne, Donald".to_owned()], ..white() };
    let mut build = RepertoireBuild::begin(&place.path, "r", &settings, &one_thread()).unwrap();
    let mut reader = KeptGameReader::new(Selection::default());
    for (game, added) in [
        ("[White \"D. Byrne\"]\n\n1. e4 c5 1-0", 0),
        ("[White \"Donald Byrne\"]\n\n1. e4 c5 1-0", 1),
        ("[Black \"Donald Byrne\"]\n\n1. e4 c5 1-0", 1),
        ("[White \"Fischer\"]\n\n1. e4 c5 1-0", 1),
        ("[White \"Donald Byrne\"]\n[Variant \"Atomic\"]\n\n1. e4 c5 1-0", 1),
        ("[White \"Donald Byrne\"]\n\n1-0", 1),
    ] {
        build.add([reader.read(&Game::from_bytes(game.as_bytes()))]).unwrap();
        assert_eq!(build.report().added, added, "{game}");
    }
    let report = build.report();
    assert_eq!((report.not_selected, report.other_variants, report.without_moves), (3, 1, 1));
}

#[test]
fn pgn_is_read_as_the_repertoire_says() {
    let place = Place::new();
    let settings = RepertoireSettings { players: vec!["Byrne, Donald".to_owned()], ..white() };
    let mut build = RepertoireBuild::begin(&place.path, "r", &settings, &one_thread()).unwrap();
    let games = "[White \"D. Byrne\"]\n\n1. e4 *\n\n[White \"Donald Byrne\"]\n[Date \"1956\"]\n\n\
                 1. d4 *\n\n[White \"Donald Byrne\"]\n[Date \"1957\"]\n\n1. c4 *\n\n\
                 [Black \"Donald Byrne\"]\n[Date \"1957\"]\n\n1. f4 *\n";
    let filter = Selection { since: "1957".parse().ok(), ..Selection::default() };
    build.add_pgn(games.as_bytes(), &filter, &Options::default()).unwrap();
    assert_eq!((build.report().added, build.report().not_selected), (1, 3));
}

#[test]
fn pgn_that_cannot_be_read_is_an_error_with_its_cause() {
    let place = Place::new();
    let mut build = RepertoireBuild::begin(&place.path, "r", &white(), &one_thread()).unwrap();
    let pgn = std::io::Read::chain(&b"1. e4 *\n\n1. d4 *\n"[..], BadReader);
    let error = build.add_pgn(pgn, &Selection::default(), &Options::default()).unwrap_err();
    assert!(matches!(error, StoreError::Input { .. }), "{error}");
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "unplugged");
    assert_eq!(build.report().added, 2);
}

struct BadReader;

impl std::io::Read for BadReader {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("unplugged"))
    }
}
