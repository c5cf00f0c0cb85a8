//! What is kept of training: the log and the cards, whatever happens to the repertoire.

use std::{path::PathBuf, sync::Arc};

use rusqlite::Connection;

use super::{RepertoireSettings, TrainingLog};
use crate::chess::Color;
use crate::repertoire::{Book, BookRule, Preparation, PreparedSource};
use crate::store::{Database, Kind, StoreError};
use crate::training::{
    Card, Deck, Mode, Moment, Reason, Review, Scheduler, Session, SessionOptions, Standing,
};

struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn day(number: u32) -> Moment {
    Moment::from_seconds(1_700_000_000).plus_days(number)
}

fn white() -> RepertoireSettings {
    RepertoireSettings { color: Some(Color::White), ..RepertoireSettings::default() }
}

fn book(lines: &[&str]) -> Book {
    let mut book = Book::new(Color::White, BookRule::default());
    for line in lines {
        book.prepare(line).unwrap();
    }
    book
}

impl Place {
    fn new(lines: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Self { path: folder.path().join("x.db"), _folder: folder };
        place.prepare(lines);
        place
    }

    /// Puts lines in place of those that were prepared.
    fn prepare(&self, lines: &[&str]) {
        let change = |preparation: &mut Preparation| {
            preparation.replace(PreparedSource::of_book("s", book(lines)));
            Ok::<_, StoreError>("replaced".to_owned())
        };
        Database::change_preparation(&self.path, "r", &white(), 0, change).unwrap();
    }

    fn open(&self) -> Database {
        let database = Database::open(&self.path).unwrap();
        assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
        database
    }

    fn cards(&self) -> Vec<Card> {
        self.open().training_cards("r").unwrap()
    }

    fn reviews(&self) -> Vec<Review> {
        self.open().training_reviews("r").unwrap()
    }

    fn deck(&self) -> Deck {
        let database = self.open();
        let book = database.book_by("r", BookRule::default()).unwrap();
        Deck::new(Arc::new(book), self.cards())
    }

    /// Asks everything that is due or new; each n-th answer is wrong.
    fn train(&self, at: Moment, nth: usize) -> Vec<Review> {
        let mut log = TrainingLog::open(&self.path, "r").unwrap();
        let options =
            SessionOptions { mode: Mode::Line, new: 100, seed: 1, ..SessionOptions::default() };
        let mut session = Session::new(self.deck(), options, at);
        let mut reviews = Vec::new();
        while let Some(id) = session.question().map(|question| question.id) {
            let main = session.deck().answers(id)[0];
            let given = (reviews.len() % nth != nth - 1).then_some(main);
            let review = session.answer(given, at).unwrap().review;
            let card = log.record(&review).unwrap();
            assert_eq!((card.key, card.reviewed), (review.key, at));
            reviews.push(review);
        }
        reviews
    }

    fn sql(&self, sql: &str) {
        Connection::open(&self.path).unwrap().execute_batch(sql).unwrap();
    }

    fn rows(&self, sql: &str) -> Vec<String> {
        let connection = Connection::open(&self.path).unwrap();
        let mut query = connection.prepare(sql).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }
}

const LINES: [&str; 3] = [
    "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3",
    "1. d4 d5 2. c4 e6 3. Nc3",
    "1. d4 e6 2. c4 Nf6 3. Nc3",
];

#[test]
fn cards_follow_from_the_log() {
    let place = Place::new(&LINES);
    let mut expected = Vec::new();
    for number in [0, 1, 3, 7, 8] {
        expected.extend(place.train(day(number), 4));
        assert_eq!(place.reviews(), expected);
        let scheduler = Scheduler::default();
        for card in place.cards() {
            let of_card = expected.iter().filter(|review| review.key == card.key);
            assert_eq!(scheduler.replay(of_card), Some(card));
        }
        assert_eq!(place.cards().len(), 7, "a transposed position is one card");
    }
    assert!(expected.len() > 15, "{}", expected.len());
}

#[test]
fn cards_survive_what_happens_to_the_repertoire() {
    let place = Place::new(&LINES);
    place.train(day(0), 100);
    let (cards, reviews) = (place.cards(), place.reviews());
    // Sources come again, other lines come and go, and it is renamed.
    place.prepare(&LINES);
    place.prepare(&["1. d4 Nf6 2. Bg5"]);
    assert_eq!(place.cards(), cards);
    let deck = place.deck();
    let standings: Vec<_> = deck.positions().map(|id| deck.standing(id)).collect();
    assert!(matches!(standings[0], Standing::Known(_)));
    assert_eq!(standings[1], Standing::Changed("c2c4".parse().unwrap()));
    let mut session = Session::new(deck, SessionOptions::default(), day(1));
    let reason = session.question().unwrap().reason;
    assert_eq!(reason, Reason::Changed("c2c4".parse().unwrap()));
    place.prepare(&LINES);
    Database::rename(&place.path, Kind::Repertoire, "r", "other", 0).unwrap();
    Database::rename(&place.path, Kind::Repertoire, "other", "r", 0).unwrap();
    assert_eq!((place.cards(), place.reviews()), (cards, reviews));
    let deck = place.deck();
    assert!(deck.positions().all(|id| matches!(deck.standing(id), Standing::Known(_))));
    // They go with it, and come back with it until something else is removed.
    let remove = |name: &str| {
        Database::remove(&place.path, &[(Kind::Repertoire, name.to_owned())], 0).unwrap();
    };
    let (cards, reviews) = (place.cards(), place.reviews());
    remove("r");
    assert_eq!(Database::open(&place.path).unwrap().repertoires().unwrap(), []);
    Database::undo(&place.path, None, &crate::pipeline::Workers::default()).unwrap().unwrap();
    assert_eq!((place.cards(), place.reviews()), (cards, reviews));
    Database::prepare(&place.path, "other", &white(), 0, &book(&LINES)).unwrap();
    remove("r");
    remove("other");
    let all = "SELECT key FROM training_card UNION ALL SELECT key FROM training_review";
    assert_eq!(place.rows(all), [""; 0]);
}

/// Existing files depend on what is stored, so it must not change.
#[test]
fn what_is_kept_is_pinned() {
    let place = Place::new(&["1. d4 Nf6 2. c4"]);
    place.train(day(0), 2);
    place.train(day(2), 100);
    let cards = "SELECT key || '|' || answer || '|' || round(stability, 3) || '|'
            || round(difficulty, 3) || '|' || datetime(reviewed_at, 'unixepoch') || '|'
            || datetime(due_at, 'unixepoch') || '|' || reviews || '|' || lapses
        FROM training_card ORDER BY key";
    assert_eq!(
        place.rows(cards),
        [
            "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -|c2c4|2.634|6.391|\
             2023-11-16 22:13:20|2023-11-19 22:13:20|3|0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -|d2d4|10.964|2.111|\
             2023-11-16 22:13:20|2023-11-27 22:13:20|2|0",
        ]
    );
    let reviews =
        "SELECT id || '|' || substr(key, 1, 8) || '|' || datetime(reviewed_at, 'unixepoch')
            || '|' || is_first || '|' || rating || '|' || answer || '|' || coalesce(given, '-')
        FROM training_review ORDER BY id";
    assert_eq!(
        place.rows(reviews),
        [
            "1|rnbqkbnr|2023-11-14 22:13:20|1|3|d2d4|d2d4",
            "2|rnbqkb1r|2023-11-14 22:13:20|1|1|c2c4|-",
            "3|rnbqkb1r|2023-11-14 22:13:20|0|3|c2c4|c2c4",
            "4|rnbqkbnr|2023-11-16 22:13:20|0|3|d2d4|d2d4",
            "5|rnbqkb1r|2023-11-16 22:13:20|0|3|c2c4|c2c4",
        ]
    );
}

#[test]
fn what_cannot_be_trained_is_said() {
    let place = Place::new(&LINES);
    let error = TrainingLog::open(&place.path, "mine").unwrap_err().to_string();
    assert!(error.ends_with("no repertoire 'mine'; there is r"), "{error}");
    let missing = place.path.with_extension("missing");
    assert!(TrainingLog::open(&missing, "r").is_err() && !missing.exists());
    // Removed while it is trained.
    let review = place.train(day(0), 100).remove(0);
    let mut log = TrainingLog::open(&place.path, "r").unwrap();
    Database::remove(&place.path, &[(Kind::Repertoire, "r".to_owned())], 0).unwrap();
    let error = log.record(&review).unwrap_err().to_string();
    assert!(error.ends_with("no repertoire 'r'; it has none"), "{error}");
}

#[test]
fn damaged_rows_are_named() {
    for (sql, what) in [
        ("UPDATE training_card SET stability = 0", "stability 0"),
        ("UPDATE training_card SET difficulty = 9e999", "difficulty inf"),
        ("UPDATE training_card SET answer = 'x'", "'x'"),
        ("UPDATE training_card SET key = 'x'", "x"),
        ("UPDATE training_review SET rating = 5", "there is no rating 5"),
    ] {
        let place = Place::new(&["1. d4"]);
        place.train(day(0), 100);
        place.sql(sql);
        let database = place.open();
        let cards = database.training_cards("r").map(drop);
        let error = cards.and_then(|()| database.training_reviews("r").map(drop)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("damaged") && text.contains(what), "{sql}: {text}");
    }
}
