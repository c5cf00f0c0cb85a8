//! What is kept of training: the log and the cards, whatever happens to the repertoire.

use std::collections::{HashMap, HashSet};
use std::{path::PathBuf, sync::Arc};

use rusqlite::Connection;

use super::{RepertoireSettings, TrainingLog};
use crate::chess::Color;
use crate::repertoire::{Book, BookRule, Preparation, PreparedSource};
use crate::store::{Database, Kind, StoreError};
use crate::training::{
    Card, Deck, Mode, Moment, Pause, Reason, Review, Scheduler, Session, SessionOptions, Standing,
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
        let mut log = TrainingLog::open(&self.path, &["r"]).unwrap();
        let options =
            SessionOptions { mode: Mode::Line, new: 100, seed: 1, ..SessionOptions::default() };
        let mut session = Session::new(vec![self.deck()], options, at);
        let mut reviews = Vec::new();
        while let Some(id) = session.question().map(|question| question.id) {
            let main = session.deck(0).answers(id)[0];
            let given = (reviews.len() % nth != nth - 1).then_some(main);
            let review = session.answer(given, at).unwrap().review;
            let card = log.record(0, &review).unwrap();
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
    let mut session = Session::new(vec![deck], SessionOptions::default(), day(1));
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
    place.train(day(0), 4);
    place.train(day(2), 100);
    let cards = "SELECT key || '|' || answer || '|' || round(stability, 3) || '|'
            || round(difficulty, 3) || '|' || datetime(reviewed_at, 'unixepoch') || '|'
            || datetime(due_at, 'unixepoch') || '|' || reviews || '|' || lapses
        FROM training_card ORDER BY key";
    assert_eq!(
        place.rows(cards),
        [
            "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -|c2c4|3.755|7.37|\
             2023-11-16 22:13:20|2023-11-20 22:13:20|4|1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -|d2d4|10.971|2.104|\
             2023-11-16 22:13:20|2023-11-27 22:13:20|3|0",
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
            "2|rnbqkb1r|2023-11-14 22:13:20|1|3|c2c4|c2c4",
            "3|rnbqkbnr|2023-11-14 22:13:20|0|3|d2d4|d2d4",
            "4|rnbqkb1r|2023-11-14 22:13:20|0|1|c2c4|-",
            "5|rnbqkb1r|2023-11-14 22:13:20|0|3|c2c4|c2c4",
            "6|rnbqkbnr|2023-11-16 22:13:20|0|3|d2d4|d2d4",
            "7|rnbqkb1r|2023-11-16 22:13:20|0|3|c2c4|c2c4",
        ]
    );
}

#[test]
fn what_cannot_be_trained_is_said() {
    let place = Place::new(&LINES);
    let error = TrainingLog::open(&place.path, &["mine"]).unwrap_err().to_string();
    assert!(error.ends_with("no repertoire 'mine'; there is r"), "{error}");
    let missing = place.path.with_extension("missing");
    assert!(TrainingLog::open(&missing, &["r"]).is_err() && !missing.exists());
    // Removed while it is trained.
    let review = place.train(day(0), 100).remove(0);
    let mut log = TrainingLog::open(&place.path, &["r"]).unwrap();
    Database::remove(&place.path, &[(Kind::Repertoire, "r".to_owned())], 0).unwrap();
    let error = log.record(0, &review).unwrap_err().to_string();
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

/// What is known of a position, as a plain loop over `fsrs` has it: the states after each answer.
#[derive(Default)]
struct Plain {
    states: Vec<(fsrs::MemoryState, i64, i64)>,
    is_suspended: bool,
}

impl Plain {
    const DAY: i64 = 86_400;

    /// When it is due, if it was asked.
    fn due(&self) -> Option<i64> {
        self.states.last().map(|(_, _, due)| *due)
    }

    fn is_due(&self, now: i64) -> bool {
        !self.is_suspended && self.due().is_some_and(|due| due <= now + Self::DAY / 2)
    }

    fn answer(&mut self, is_right: bool, now: i64) {
        let last = self.states.last();
        let days = last.map_or(0, |(_, at, _)| (now - at + Self::DAY / 2) / Self::DAY);
        let fsrs = fsrs::FSRS::default();
        let next = fsrs.next_states(last.map(|(memory, ..)| *memory), 0.9, days as u32).unwrap();
        let state = if is_right { next.good } else { next.again };
        let days = if is_right { state.interval.round().max(1.0) as i64 } else { 0 };
        self.states.push((state.memory, now, now + days * Self::DAY));
    }
}

/// A learner who forgets, slips, takes back and suspends trains for 90 days, at another hour each
/// day; some sessions are left and begun anew.
#[test]
fn ninety_days_follow_the_reference() {
    let place = Place::new(&[
        "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3",
        "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5 5. Bg5",
        "1. d4 d5 2. c4 c6 3. Nf3 Nf6 4. Nc3 dxc4 5. a4",
        "1. d4 f5 2. g3 Nf6 3. Bg2",
        "1. d4 c5 2. d5 e5 3. e4 d6 4. Nc3",
    ]);
    let (mut rng, mut plain) = (fastrand::Rng::with_seed(90), HashMap::<_, Plain>::new());
    let (mut taken_back, mut answers) = (0, 0);
    for number in 0..90 {
        let now = Moment::from_seconds(day(number).seconds() + rng.i64(0..10) * 3600);
        let mut log = TrainingLog::open(&place.path, &["r"]).unwrap();
        if number == 60 {
            assert!(log.resume(0, &log.deck(0, now).unwrap()).unwrap() > 0);
            plain.values_mut().for_each(|plain| plain.is_suspended = false);
        }
        for _ in 0..rng.usize(1..3) {
            let deck = log.deck(0, now).unwrap();
            let pauses = place.open().training_pauses("r").unwrap();
            let deck = deck.with_pauses(&pauses, now);
            let learned = deck.today().learned;
            let options = SessionOptions { new: 3, ..SessionOptions::default() };
            let mut session = Session::new(vec![deck], options, now);
            let due = plain.values().filter(|plain| plain.is_due(now.seconds())).count();
            assert_eq!(session.counts().due, due, "day {number}");
            assert!(session.counts().new + learned <= 3, "day {number}");
            let left_after = rng.usize(0..40);
            for _ in 0..left_after {
                let Some(question) = session.question().cloned() else { break };
                let node = session.deck(0).book().node(question.id);
                let key = node.key;
                let known = plain.entry(key).or_default();
                assert_eq!(question.is_new, known.states.is_empty());
                if number < 60 && rng.f64() < 0.01 {
                    log.pause(0, Pause::suspended(key), now).unwrap();
                    session.pause(Pause::suspended(key));
                    known.is_suspended = true;
                    continue;
                }
                let main = session.deck(0).answers(question.id)[0];
                let answer = session.judge((rng.f64() < 0.88).then_some(main), now).unwrap();
                let card = log.record(0, &answer.review).unwrap();
                session.take(&answer);
                known.answer(answer.kind.is_right(), now.seconds());
                assert_eq!(Some(card.due.seconds()), known.due());
                answers += 1;
                if rng.f64() < 0.05 {
                    let taken = log.take_back(now).unwrap().unwrap();
                    assert_eq!(taken.review.key, key);
                    assert!(session.ask_again(0, &taken.review, taken.card.as_ref()));
                    plain.get_mut(&key).unwrap().states.pop();
                    taken_back += 1;
                }
            }
        }
        let mut known: HashMap<_, _> = plain.iter().filter(|(_, p)| p.due().is_some()).collect();
        for card in place.cards() {
            let (memory, at, due) = *known.remove(&card.key).unwrap().states.last().unwrap();
            assert_eq!((card.memory, card.reviewed.seconds()), (memory, at), "day {number}");
            assert_eq!(card.due.seconds(), due, "day {number}");
        }
        assert!(known.is_empty(), "day {number}");
    }
    assert!(answers > 150 && taken_back > 5, "{answers} answers, {taken_back} taken back");
    assert_eq!(place.reviews().len(), answers - taken_back);
    assert!(plain.len() > 20, "{} positions", plain.len());
}

#[test]
fn the_last_answer_of_today_can_be_taken_back() {
    let place = Place::new(&LINES);
    let before = (place.reviews(), place.cards());
    let reviews = place.train(day(0), 3);
    let after = (place.reviews(), place.cards());
    let mut log = TrainingLog::open(&place.path, &["r"]).unwrap();
    for expected in reviews.iter().rev() {
        let taken = log.take_back(day(0)).unwrap().unwrap();
        assert_eq!((taken.deck, &taken.review), (0, expected));
        assert_eq!(place.cards().into_iter().find(|card| card.key == expected.key), taken.card);
    }
    assert_eq!(log.take_back(day(0)).unwrap(), None);
    assert_eq!((place.reviews(), place.cards()), before);
    assert_eq!(place.train(day(0), 3), reviews);
    assert_eq!((place.reviews(), place.cards()), after);
    assert_eq!(log.take_back(day(1)).unwrap(), None, "that day is over");
}

#[test]
fn pauses_are_kept_until_they_end() {
    let place = Place::new(&LINES);
    let deck = |now| {
        let pauses = place.open().training_pauses("r").unwrap();
        place.deck().with_pauses(&pauses, now)
    };
    let key = deck(day(0)).book().node(deck(day(0)).positions().nth(1).unwrap()).key;
    let mut log = TrainingLog::open(&place.path, &["r"]).unwrap();
    log.pause(0, Pause::buried(key, day(0)), day(0)).unwrap();
    let all = place.deck().positions().count();
    assert!(deck(day(0)).positions().count() < all - 1, "what follows is not asked either");
    assert_eq!(deck(day(1)).positions().count(), all);
    log.pause(0, Pause::suspended(key), day(1)).unwrap();
    assert_eq!(deck(day(50)).positions().count(), all - 1);
    let nothing = place.deck().limited_to(&HashSet::new());
    assert_eq!(log.resume(0, &nothing).unwrap(), 0);
    assert_eq!(log.resume(0, &place.deck()).unwrap(), 1);
    assert_eq!(deck(day(50)).positions().count(), all);
    // Those that have ended are forgotten.
    let other = deck(day(0)).book().node(deck(day(0)).positions().next().unwrap()).key;
    log.pause(0, Pause::buried(key, day(0)), day(0)).unwrap();
    log.pause(0, Pause::suspended(other), day(2)).unwrap();
    assert_eq!(place.rows("SELECT CAST(count(*) AS TEXT) FROM training_pause"), ["1"]);
    place.sql("UPDATE training_pause SET key = 'x'");
    assert!(place.open().training_pauses("r").unwrap_err().to_string().contains("damaged"));
}

#[test]
fn chapters_are_found_by_a_part_of_their_names() {
    let place = Place::new(&LINES);
    let database = place.open();
    assert_eq!(database.chapter_names("r").unwrap(), ["s"]);
    for (name, positions) in [("S", 12), ("x", 0)] {
        let found = database.chapter_positions("r", &[name.to_owned()]).unwrap();
        assert_eq!(found.len(), positions, "{name}");
    }
}
