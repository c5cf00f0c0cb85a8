//! Training held against published values, against the formulas of FSRS as they stand in its
//! description, and against what a learner would expect.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use fastrand::Rng;

use super::encounters::Encounters;
use super::*;
use crate::chess::{Color, PositionKey, UciMove};
use crate::collection::KeptGame;
use crate::repertoire::{Book, BookRule, GameFacts, LineScores, NodeId, Tally};

const DAY: i64 = 86_400;

fn day(number: i64) -> Moment {
    Moment::from_seconds(20_000 * DAY + number * DAY)
}

fn uci(text: &str) -> UciMove {
    text.parse().unwrap()
}

fn book(lines: &[&str]) -> Book {
    let mut book = Book::new(Color::White, BookRule::default());
    for line in lines {
        book.prepare(line).unwrap();
    }
    book
}

/// The same with games, each a line and a date.
fn with_games(mut book: Book, games: &[(&str, &str)]) -> Book {
    for (line, date) in games {
        let game = format!("[Date \"{date}\"]\n\n{line} 1-0\n");
        let game = KeptGame::of_pgn(&game, 40);
        let facts = GameFacts::of(&game, None, book.color());
        let mut before: Option<(NodeId, UciMove)> = None;
        game.walk(usize::MAX, |key, uci| {
            let id = book.add_position(key);
            let mut tally = *book.node(id).tally;
            tally.add(&facts);
            book.node_mut(id).tally = tally.into();
            if let Some((from, uci)) = before {
                let known = book.node(from).edge(uci).map(|edge| *edge.played);
                let mut played: Tally = known.unwrap_or_default();
                played.add(&facts);
                book.set_played(from, uci, id, played);
            }
            before = uci.map(|uci| (id, uci));
        });
    }
    book
}

fn session(book: Book, cards: &[Card], options: SessionOptions, now: Moment) -> Session {
    Session::new(vec![Deck::new(Arc::new(book), cards.iter().cloned())], options, now)
}

fn all_new(mode: Mode) -> SessionOptions {
    SessionOptions { mode, new: 1000, ..SessionOptions::default() }
}

fn due_alone() -> SessionOptions {
    SessionOptions { new: 0, ..SessionOptions::default() }
}

/// What a session asks, each with its reason, if all answers are the main moves; without what was
/// learned and is asked once more.
fn asked(session: &mut Session, at: Moment) -> Vec<(String, Reason)> {
    let mut asked = Vec::new();
    while let Some(Question { id, line, reason, .. }) = session.question().cloned() {
        if reason == Reason::Learned {
            session.answer(Some(session.deck(0).answers(id)[0]), at).unwrap();
            continue;
        }
        asked.push((line.movetext(session.deck(0).book()).unwrap(), reason));
        let main = session.deck(0).answers(id)[0];
        assert_eq!(session.answer(Some(main), at).unwrap().kind, AnswerKind::Main);
    }
    asked
}

/// The cards of all that a session asks, if all answers are the main moves.
fn learn_all(session: &mut Session, at: Moment) -> Vec<Card> {
    let mut cards: BTreeMap<PositionKey, Card> = BTreeMap::new();
    while let Some(id) = session.question().map(|question| question.id) {
        let review = session.answer(Some(session.deck(0).answers(id)[0]), at).unwrap().review;
        let card = Scheduler::default().review(cards.get(&review.key), &review);
        cards.insert(review.key, card);
    }
    cards.into_values().collect()
}

fn lines(asked: &[(String, Reason)]) -> Vec<&str> {
    asked.iter().map(|(line, _)| line.as_str()).collect()
}

/// `test_memory_state` of fsrs-rs 6.6: answers and days before them, the state after them, with the
/// default parameters.
fn outlook_of(deck: &Deck, now: Moment) -> Outlook {
    let mut outlook = Outlook::default();
    outlook.add(deck, now);
    outlook
}

#[test]
fn states_are_those_that_fsrs_publishes() {
    let key: PositionKey = crate::chess::Board::default().key();
    let review = |at, rating| Review {
        key,
        at,
        is_first: false,
        rating,
        answer: uci("e2e4"),
        given: Some(uci("e2e4")),
    };
    let mut at = 0;
    let ratings = [1, 3, 3, 3, 3, 3].map(|rating| Rating::from_number(rating).unwrap());
    let reviews: Vec<Review> = [0, 0, 1, 3, 8, 21]
        .into_iter()
        .zip(ratings)
        .map(|(days, rating)| {
            at += days;
            review(day(at), rating)
        })
        .collect();
    let card = Scheduler::default().replay(&reviews).unwrap();
    let Memory { stability, difficulty } = card.memory;
    assert!((stability - 53.626_91).abs() < 1e-4, "{stability}");
    assert!((difficulty - 6.357_487).abs() < 1e-4, "{difficulty}");
    assert_eq!((card.due, card.reviews, card.lapses), (day(at + 54), 6, 0));
    // From the documentation of `next_states`: the first intervals.
    for (rating, stability, days) in [
        (Rating::Again, 0.212, 0),
        (Rating::Hard, 1.2931, 1),
        (Rating::Good, 2.3065, 2),
        (Rating::Easy, 8.2956, 8),
    ] {
        let card = Scheduler::default().review(None, &review(day(0), rating));
        assert_eq!((card.memory.stability, card.due), (stability, day(days)), "{rating:?}");
    }
}

/// FSRS 6 as its wiki describes it ("The Algorithm"), in double precision: a second opinion.
struct Formulas {
    stability: f64,
    difficulty: f64,
}

impl Formulas {
    const W: [f64; 21] = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
        1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ];

    fn first_difficulty(rating: f64) -> f64 {
        Self::W[4] - (Self::W[5] * (rating - 1.0)).exp() + 1.0
    }

    fn first(rating: f64) -> Self {
        let difficulty = Self::first_difficulty(rating).clamp(1.0, 10.0);
        Self { stability: Self::W[rating as usize - 1], difficulty }
    }

    fn recall(&self, days: f64) -> f64 {
        let factor = 0.9_f64.powf(-1.0 / Self::W[20]) - 1.0;
        (1.0 + factor * days / self.stability).powf(-Self::W[20])
    }

    fn next(&self, rating: f64, days: f64) -> Self {
        let (w, s, d, r) = (Self::W, self.stability, self.difficulty, self.recall(days));
        let stability = if days == 0.0 {
            let growth = (w[17] * (rating - 3.0 + w[18])).exp() * s.powf(-w[19]);
            s * if rating >= 3.0 { growth.max(1.0) } else { growth }
        } else if rating > 1.0 {
            s * (1.0 + w[8].exp() * (11.0 - d) * s.powf(-w[9]) * ((w[10] * (1.0 - r)).exp() - 1.0))
        } else {
            let forgotten =
                w[11] * d.powf(-w[12]) * ((s + 1.0).powf(w[13]) - 1.0) * (w[14] * (1.0 - r)).exp();
            forgotten.min(s / (w[17] * w[18]).exp())
        };
        let damped = d + -w[6] * (rating - 3.0) * (10.0 - d) / 9.0;
        let difficulty = w[7] * Self::first_difficulty(4.0) + (1.0 - w[7]) * damped;
        Self { stability, difficulty: difficulty.clamp(1.0, 10.0) }
    }
}

fn month_book() -> Book {
    book(&[
        "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3",
        "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5 5. Bg5",
        "1. d4 d5 2. c4 c6 3. Nf3 Nf6 4. Nc3 dxc4 5. a4",
        "1. d4 e6 2. c4 Nf6 3. Nc3 d5 4. cxd5",
        "1. d4 f5 2. g3 Nf6 3. Bg2",
        "1. d4 c5 2. d5 e5 3. e4 d6 4. Nc3",
    ])
}

/// A learner who forgets by chance trains for a month, every day at another hour.
#[test]
fn a_month_of_training_follows_the_formulas() {
    for (seed, mode) in [(1, Mode::Single), (2, Mode::Line), (3, Mode::Line)] {
        let mut rng = Rng::with_seed(seed);
        let mut cards: BTreeMap<PositionKey, Card> = BTreeMap::new();
        let mut expected: HashMap<PositionKey, (Formulas, Moment)> = HashMap::new();
        let mut log: Vec<Review> = Vec::new();
        let scheduler = Scheduler::default();
        let book = Arc::new(month_book());
        for number in 0..30 {
            let at = Moment::from_seconds(day(number).seconds() + rng.i64(0..10) * 3600);
            let deck = Deck::new(Arc::clone(&book), cards.values().cloned());
            let due: Vec<PositionKey> = deck
                .positions()
                .filter(|id| matches!(deck.standing(*id), Standing::Known(c) if at.has_come(c.due)))
                .map(|id| book.node(id).key)
                .collect();
            let options = SessionOptions { mode, new: 4, seed, ..SessionOptions::default() };
            let mut session = Session::new(vec![deck], options, at);
            let mut seen = HashSet::new();
            while let Some(question) = session.question().cloned() {
                let key = session.deck(0).book().node(question.id).key;
                if mode == Mode::Single && question.reason == Reason::Due {
                    assert!(due.contains(&key), "asked before it is due");
                }
                let main = session.deck(0).answers(question.id)[0];
                let given = (rng.f64() < 0.85).then_some(main);
                let review = session.answer(given, at).unwrap().review;
                let card = scheduler.review(cards.get(&key), &review);
                let next = match expected.get(&key) {
                    None => Formulas::first(f64::from(review.rating.number())),
                    Some((state, last)) => {
                        state.next(f64::from(review.rating.number()), at.days_since(*last).into())
                    }
                };
                let close = |a: f32, b: f64| (f64::from(a) - b).abs() <= 1e-4 * b.max(1.0);
                assert!(close(card.memory.stability, next.stability), "{card:?}");
                assert!(close(card.memory.difficulty, next.difficulty), "{card:?}");
                // The interval for a recall of 90 % is the stability.
                let days = next.stability.round().clamp(1.0, 36_500.0);
                let days = if review.rating.is_right() { days } else { 0.0 };
                let is_halfway = (next.stability.fract() - 0.5).abs() < 1e-3;
                assert!(is_halfway || card.due == at.plus_days(days as u32), "{card:?}");
                expected.insert(key, (next, at));
                cards.insert(key, card);
                log.push(review);
                seen.insert(key);
            }
            assert!(due.iter().all(|key| seen.contains(key)), "everything due is asked");
        }
        // Every card is what its answers make.
        for (key, card) in &cards {
            let reviews = log.iter().filter(|review| review.key == *key);
            assert_eq!(scheduler.replay(reviews).as_ref(), Some(card));
        }
        let deck = Deck::new(book, cards.values().cloned());
        let progress = Progress::of(&deck, &log, day(30));
        assert_eq!((progress.positions, progress.outlook.new), (cards.len(), 0), "all are learned");
        assert_eq!(progress.reviews, log.len());
        let share = progress.retention().unwrap();
        assert!((0.7..0.95).contains(&share), "{share} of {}", progress.recalls);
        let lapses: Vec<u32> =
            progress.cards.iter().map(|card| card.card.as_ref().unwrap().lapses).collect();
        assert!(lapses.is_sorted_by(|a, b| a >= b) && lapses[0] > 0, "{lapses:?}");
        let never_missed =
            progress.cards.iter().filter(|card| card.right == card.card.as_ref().unwrap().reviews);
        assert!(never_missed.count() > 0);
    }
}

#[test]
fn a_transposed_position_is_one_card() {
    let mut session = session(
        book(&["1. d4 f5 2. g3 g6", "1. g3 f5 2. d4 g6 3. Bg2"]),
        &[],
        all_new(Mode::Single),
        day(0),
    );
    let asked = asked(&mut session, day(0));
    assert_eq!(lines(&asked), ["", "1. d4 f5", "1. g3 f5", "1. d4 f5 2. g3 g6"]);
    assert_eq!(session.counts().new, 4);
}

#[test]
fn what_games_meet_most_is_learned_first() {
    let lines_of_book = ["1. d4 d5 2. c4", "1. d4 Nf6 2. c4 e6 3. Nc3", "1. d4 f5 2. g3"];
    let games =
        [("1. d4 f5 2. g3", "2020"), ("1. d4 f5 2. g3", "2020"), ("1. d4 Nf6 2. c4", "2020")];
    let found = with_games(book(&lines_of_book), &games);
    let mut session = session(found, &[], all_new(Mode::Single), day(0));
    let asked = asked(&mut session, day(0));
    let expected = ["", "1. d4 f5", "1. d4 Nf6", "1. d4 Nf6 2. c4 e6", "1. d4 d5"];
    assert_eq!(lines(&asked), expected);
}

#[test]
fn where_games_left_the_book_comes_first() {
    let lines_of_book = [
        "1. d4 Nf6 2. c4 e6 3. Nc3",
        "1. d4 d5 2. c4 e6 3. Nc3",
        "1. d4 e6 2. c4 d5",
        "1. c4 e6 2. Nf3",
    ];
    let games = [
        ("1. d4 d5 2. c4 e6 3. Nf3 Nf6", "2024.10.03"),
        ("1. d4 d5 2. c4 e6 3. Nf3 Nf6", "2024.10.05"),
        ("1. d4 Nf6 2. Bg5", "2024.10.04"),
        // Another order of moves leaves nothing: 2. d4 is not in the book, and leads into it.
        ("1. c4 e6 2. d4 d5 3. Nc3", "2024.10.05"),
    ];
    let found = || with_games(book(&lines_of_book), &games);
    let few = SessionOptions { new: 3, ..SessionOptions::default() };
    let mut first = session(found(), &[], few, day(0));
    let asked_first = asked(&mut first, day(0));
    assert_eq!(
        asked_first,
        [
            ("1. d4 d5 2. c4 e6".to_owned(), Reason::Departures(2)),
            ("1. d4 Nf6".to_owned(), Reason::Departures(1)),
            (String::new(), Reason::New),
        ]
    );
    assert_eq!((first.counts().departures, first.counts().new, first.counts().later), (2, 1, 4));
    // Once it was asked, only a later game brings it back.
    let learned = |date: &str| {
        let at = Moment::start_of(date.parse().unwrap());
        let mut session = session(found(), &[], all_new(Mode::Single), at);
        let cards = learn_all(&mut session, at);
        let none = due_alone();
        super::tests::session(found(), &cards, none, at.plus_days(1)).counts().departures
    };
    assert_eq!(learned("2024-10-03"), 2);
    assert_eq!(learned("2024-10-04"), 1);
    assert_eq!(learned("2024-10-05"), 0);
}

#[test]
fn answers_are_worth_what_the_book_says() {
    let lines_of_book =
        ["1. d4 d5 2. c4 e6", "1. d4 d5 2. Nf3", "1. Nf3 d5 2. d4 Nf6 3. c4", "1. c4 d5 2. d4"];
    for (given, kind, answer) in [
        (Some("c2c4"), AnswerKind::Main, "c2c4"),
        (Some("g1f3"), AnswerKind::Alternative, "g1f3"),
        (Some("e2e4"), AnswerKind::Wrong, "c2c4"),
        (None, AnswerKind::Shown, "c2c4"),
    ] {
        let mut session = session(book(&lines_of_book), &[], all_new(Mode::Single), day(0));
        while session.question().unwrap().line.moves != [uci("d2d4"), uci("d7d5")] {
            session.answer(Some(uci("d2d4")), day(0)).unwrap();
        }
        let given = given.map(uci);
        let found = session.answer(given, day(0)).unwrap();
        assert_eq!((found.kind, found.review.answer), (kind, uci(answer)));
        assert_eq!((found.review.given, found.review.is_first), (given, true));
        assert_eq!(found.review.rating.is_right(), kind.is_right());
        assert!(session.answer(given, day(0)).is_none(), "it was answered");
    }
    // 1. d4 d5 2. c4 is in the book, 1. c4 e6 2. d4 d5 is the same position.
    let lines_of_book = ["1. d4 d5 2. c4 e6 3. Nc3", "1. c4 e6 2. Nf3"];
    let mut session =
        session(book(&["1. d4 e6 2. c4", lines_of_book[1]]), &[], all_new(Mode::Single), day(0));
    while session.question().unwrap().line.moves != [uci("c2c4"), uci("e7e6")] {
        let id = session.question().unwrap().id;
        let main = session.deck(0).answers(id)[0];
        session.answer(Some(main), day(0)).unwrap();
    }
    let found = session.answer(Some(uci("d2d4")), day(0)).unwrap();
    assert_eq!((found.kind, found.review.answer), (AnswerKind::Transposition, uci("g1f3")));
}

#[test]
fn what_is_wrong_is_asked_until_it_is_right() {
    for mode in [Mode::Single, Mode::Line] {
        let mut session =
            session(book(&["1. e4 e5 2. Nf3 Nc6 3. Bb5"]), &[], all_new(mode), day(0));
        let mut wrong_left = 3;
        let mut asked = Vec::new();
        while let Some(question) = session.question().cloned() {
            if question.reason == Reason::Learned {
                session.answer(Some(session.deck(0).answers(question.id)[0]), day(0)).unwrap();
                continue;
            }
            let is_second = question.line.moves.len() == 2;
            let is_wrong = is_second && wrong_left > 0;
            wrong_left -= i32::from(is_wrong);
            asked.push((question.line.moves.len(), question.reason == Reason::Missed));
            let main = session.deck(0).answers(question.id)[0];
            let given = if is_wrong { uci("d2d4") } else { main };
            let answer = session.answer(Some(given), day(0)).unwrap();
            assert_eq!(answer.kind.is_right(), !is_wrong);
            assert_eq!(answer.review.is_first, asked.len() <= 3);
        }
        let expected = [(0, false), (2, false), (4, false), (2, true), (2, true), (2, true)];
        assert_eq!(asked, expected, "{mode:?}");
    }
}

#[test]
fn lines_are_played_from_their_start_and_go_on() {
    let found = month_book();
    let positions = Deck::new(Arc::new(found.clone()), []).positions().count();
    for seed in 0..20 {
        let options = SessionOptions { seed, ..all_new(Mode::Line) };
        let mut session = session(found.clone(), &[], options, day(0));
        let mut last: Vec<UciMove> = Vec::new();
        let mut asked = 0;
        while let Some(question) = session.question().cloned() {
            if question.reason == Reason::Learned {
                session.answer(Some(session.deck(0).answers(question.id)[0]), day(0)).unwrap();
                continue;
            }
            let moves = question.line.moves.clone();
            let is_longer = moves.len() > last.len() && moves.starts_with(&last);
            assert!(!question.goes_on || is_longer, "a line that goes on has what was played");
            let (position, _) = session.deck(0).play(&question.line).unwrap();
            let key = PositionKey::from_position(&position, crate::chess::EnPassantMode::Legal);
            assert_eq!(key, session.deck(0).book().node(question.id).key);
            let main = session.deck(0).answers(question.id)[0];
            session.answer(Some(main), day(0)).unwrap();
            last = moves;
            asked += 1;
        }
        assert_eq!(asked, positions, "each position once");
    }
}

#[test]
fn replies_come_as_often_as_they_are_met() {
    let lines_of_book =
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 c5 2. Nf3 d6 3. d4", "1. e4 e6 2. d4 d5 3. Nc3"];
    let games: Vec<(&str, &str)> = std::iter::repeat_n(("1. e4 c5 2. Nf3", "2020"), 6)
        .chain(std::iter::repeat_n(("1. e4 e5 2. Nf3", "2020"), 1))
        .collect();
    let found = with_games(book(&lines_of_book), &games);
    let mut first = BTreeMap::new();
    for seed in 0..2000 {
        let options = SessionOptions { seed, ..all_new(Mode::Line) };
        let mut session = session(found.clone(), &[], options, day(0));
        session.question().unwrap();
        session.answer(Some(uci("e2e4")), day(0)).unwrap();
        let reply = session.question().unwrap().line.moves[1].to_string();
        *first.entry(reply).or_insert(0) += 1;
    }
    // Six games and one, each move of the book once more: 7, 2 and 1 of 10.
    for (reply, expected) in [("c7c5", 1400_f64), ("e7e5", 400.0), ("e7e6", 200.0)] {
        let found = f64::from(first[reply]);
        assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{reply}: {found}");
    }
    let again = |seed| {
        let options = SessionOptions { seed, ..all_new(Mode::Line) };
        asked(&mut session(found.clone(), &[], options, day(0)), day(0))
    };
    assert_eq!(again(7), again(7));
}

#[test]
fn a_changed_answer_is_new_and_says_so() {
    let scheduler = Scheduler::default();
    let mut before = session(book(&["1. e4 e5 2. Nf3"]), &[], all_new(Mode::Single), day(0));
    let cards = learn_all(&mut before, day(0));
    // Another main move beside the learned one changes nothing; the learned one gone does.
    for (lines_of_book, expected) in [
        (&["1. e4 e5 2. Nf3"][..], None),
        (&["1. e4 e5 2. Nc3", "1. e4 e5 2. Nf3"], None),
        (&["1. e4 e5 2. Nc3"], Some(Reason::Changed(uci("g1f3")))),
        (&["1. d4 d5 2. c4"], Some(Reason::Changed(uci("e2e4")))),
    ] {
        let mut session = session(book(lines_of_book), &cards, due_alone(), day(1));
        let question = session.question().cloned();
        assert_eq!(question.as_ref().map(|q| q.reason), expected, "{lines_of_book:?}");
        if let Some(question) = question {
            let main = session.deck(0).answers(question.id)[0];
            let answer = session.answer(Some(main), day(1)).unwrap();
            assert!(answer.review.is_first);
            let old = cards.iter().find(|card| card.key == answer.review.key);
            let card = scheduler.review(old, &answer.review);
            assert_eq!((card.reviews, card.due, card.answer), (1, day(3), main));
        }
    }
}

#[test]
fn what_is_due_by_a_date_is_asked_before() {
    let mut first = session(book(&["1. e4 e5 2. Nf3"]), &[], all_new(Mode::Single), day(0));
    let cards = learn_all(&mut first, day(0));
    let due = |now, until| {
        let options = SessionOptions { until, ..due_alone() };
        session(book(&["1. e4 e5 2. Nf3"]), &cards, options, now).counts().due
    };
    assert_eq!((due(day(0), None), due(day(1), None), due(day(2), None)), (0, 0, 2));
    assert_eq!((due(day(0), Some(day(1))), due(day(0), Some(day(2)))), (0, 2));
}

#[test]
fn what_is_least_remembered_is_asked_first() {
    let scheduler = Scheduler::default();
    let found = book(&["1. e4 e5 2. Nf3", "1. e4 c5 2. Nc3"]);
    let review = |line: &str, answer: &str, at, rating| {
        let mut one = Book::new(Color::White, BookRule::default());
        let id = one.prepare(line).unwrap();
        let key = one.node(id).key;
        Review { key, at, is_first: false, rating, answer: uci(answer), given: None }
    };
    let cards = [
        scheduler.review(None, &review("1. e4 e5", "g1f3", day(0), Rating::Easy)),
        scheduler.review(None, &review("1. e4 c5", "b1c3", day(5), Rating::Good)),
    ];
    let mut session = session(found, &cards, due_alone(), day(30));
    assert_eq!(lines(&asked(&mut session, day(30))), ["1. e4 c5", "1. e4 e5"]);
}

/// Encounters by playing games out: the obvious form.
#[test]
fn encounters_are_those_of_games_that_are_played_out() {
    let games = [
        ("1. d4 Nf6 2. c4 e6 3. Nc3", "2020"),
        ("1. d4 d5 2. c4 c6", "2020"),
        ("1. e4 e5", "2020"),
    ];
    let found = with_games(month_book(), &games);
    let deck = Deck::new(Arc::new(found.clone()), []);
    let encounters = Encounters::of(&deck);
    let mut rng = Rng::with_seed(5);
    let rounds = 20_000;
    let mut met = vec![0_u32; found.len()];
    for _ in 0..rounds {
        let mut at = found.roots()[0];
        loop {
            met[at.index()] += 1;
            let moves = found.moves(at);
            let all = found.node(at).edges.iter().map(|edge| edge.played.games).sum::<u32>();
            let mut left = rng.u32(0..(all + moves.len() as u32).max(1));
            let played = moves.iter().find(|edge| {
                let weight = edge.played.games + 1;
                let is_it = left < weight;
                left = left.saturating_sub(weight);
                is_it
            });
            match played {
                Some(edge) => at = edge.to,
                None => break,
            }
        }
    }
    for id in found.ids() {
        let expected = encounters.chance(id) * f64::from(rounds);
        let error = (f64::from(met[id.index()]) - expected).abs();
        assert!(error <= 5.0 * expected.sqrt() + 1.0, "{}: {expected}", found.node(id).key);
    }
}

#[test]
fn a_lesson_says_what_the_book_and_the_games_have() {
    let mut reader =
        crate::pgn::games(b"1. e4 e5 2. Nf3 {[%cal Gg1f3] develops} (2. Bc4) 2... Nc6 *");
    let mut notes = Book::new(Color::White, BookRule::default());
    assert_eq!(notes.add_chapter(&reader.next().unwrap()).faults, []);
    let found = with_games(
        notes,
        &[("1. e4 e5 2. f4", "2020"), ("1. e4 e5 2. Nf3", "2021"), ("1. e4 e5 2. Nf3", "2021")],
    );
    let deck = Deck::new(Arc::new(found), []);
    let id = deck.positions().nth(1).unwrap();
    let lesson = Lesson::of(&deck, id);
    assert_eq!(lesson.book, ["Nf3", "Bc4"]);
    assert_eq!(lesson.comments, ["develops"]);
    assert_eq!(lesson.number.unwrap().to_string(), "2.");
    let played: Vec<_> =
        lesson.played.iter().map(|p| (p.san.as_str(), p.games, p.score, p.is_in_book)).collect();
    assert_eq!(played, [("Nf3", 2, Some(1.0), true), ("f4", 1, Some(1.0), false)]);
}

#[test]
fn what_is_new_is_learned_and_asked_once_more_at_the_end() {
    for mode in [Mode::Single, Mode::Line] {
        let mut session = session(book(&["1. e4 e5 2. Nf3"]), &[], all_new(mode), day(0));
        let mut asked = Vec::new();
        while let Some(question) = session.question().cloned() {
            asked.push((question.is_new, question.line.moves.len(), question.left));
            let main = session.deck(0).answers(question.id)[0];
            let review = session.answer(Some(main), day(0)).unwrap().review;
            assert_eq!((review.is_first, review.rating), (question.is_new, Rating::Good));
        }
        let expected = [(true, 0, 4), (true, 2, 3), (false, 0, 2), (false, 2, 1)];
        assert_eq!(asked, expected, "{mode:?}");
    }
}

/// On the way to what is asked, only what is known is asked as well.
#[test]
fn new_positions_on_the_way_wait_for_their_day() {
    let options = SessionOptions { mode: Mode::Line, new: 1, ..SessionOptions::default() };
    let mut session =
        session(book(&["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 c5 2. Nf3"]), &[], options, day(0));
    assert_eq!(lines(&asked(&mut session, day(0))), [""]);
}

#[test]
fn a_day_has_so_many_new_and_so_many_due_positions() {
    let found = Arc::new(month_book());
    let mut first = Session::new(
        vec![Deck::new(Arc::clone(&found), [])],
        SessionOptions { new: 6, ..SessionOptions::default() },
        day(0),
    );
    let cards = learn_all(&mut first, day(0));
    assert_eq!((cards.len(), first.counts().new), (6, 6));
    let counts = |today: Today, new, due, now| {
        let deck = Deck::new(Arc::clone(&found), cards.iter().cloned()).with_today(today);
        let options = SessionOptions { new, due, ..SessionOptions::default() };
        let counts = Session::new(vec![deck], options, now).counts();
        (counts.due, counts.new)
    };
    let learned = |learned| Today { learned, ..Today::default() };
    assert_eq!(counts(learned(6), 6, 100, day(0)), (0, 0), "learned already");
    assert_eq!(counts(learned(6), 8, 100, day(0)), (0, 2));
    assert_eq!(counts(learned(0), 3, 4, day(3)), (4, 3));
    // What was asked today has its place: it may be asked again, and others have what is left.
    let keys: HashSet<PositionKey> = cards.iter().take(3).map(|card| card.key).collect();
    let asked = |keys: &HashSet<PositionKey>| Today { learned: 0, asked: keys.clone() };
    assert_eq!(counts(asked(&keys), 0, 4, day(3)), (4, 0));
    assert_eq!(counts(asked(&keys), 0, 3, day(3)), (3, 0));
    assert_eq!(counts(asked(&HashSet::new()), 0, 0, day(3)), (0, 0));
}

#[test]
fn an_answer_that_was_taken_back_is_asked_next() {
    for mode in [Mode::Single, Mode::Line] {
        let mut session = session(book(&["1. e4 e5 2. Nf3"]), &[], all_new(mode), day(0));
        let first = session.question().cloned().unwrap();
        let review = session.answer(Some(uci("e2e4")), day(0)).unwrap().review;
        assert_eq!(session.question().unwrap().line.moves.len(), 2);
        assert!(session.ask_again(0, &review, None), "{mode:?}");
        assert_eq!(session.question(), Some(&first), "{mode:?}");
        let wrong = session.answer(Some(uci("d2d4")), day(0)).unwrap().review;
        assert!(wrong.is_first);
        let card = Scheduler::default().review(None, &wrong);
        let right = {
            while session.question().unwrap().reason != Reason::Missed {
                let id = session.question().unwrap().id;
                let main = session.deck(0).answers(id)[0];
                session.answer(Some(main), day(0)).unwrap();
            }
            session.answer(Some(uci("e2e4")), day(0)).unwrap().review
        };
        assert!(!right.is_first);
        assert!(session.ask_again(0, &right, Some(&card)));
        let question = session.question().unwrap();
        assert_eq!((question.reason, question.is_new), (Reason::Missed, false), "{mode:?}");
        let unknown = Review { key: "8/8/8/4k3/8/8/4P3/4K3 w - -".parse().unwrap(), ..right };
        assert!(!session.ask_again(0, &unknown, None));
    }
}

#[test]
fn what_is_paused_is_not_asked() {
    let lines_of_book = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 c5 2. Nf3"];
    let deck = || Deck::new(Arc::new(book(&lines_of_book)), []);
    let key = |line: &str| {
        let mut one = Book::new(Color::White, BookRule::default());
        let id = one.prepare(line).unwrap();
        one.node(id).key
    };
    let e5 = key("1. e4 e5");
    for (pause, rest) in [
        (Pause::suspended(e5), &["", "1. e4 c5", "1. e4 e5 2. Nf3 Nc6"][..]),
        (Pause::buried(e5, day(0)), &["", "1. e4 c5"]),
    ] {
        let at_start = deck().with_pauses(&[pause], day(0));
        let positions = at_start.positions().map(|id| at_start.movetext(id).unwrap());
        assert_eq!(positions.collect::<Vec<_>>(), rest);
        assert!(at_start.has(&e5));
        let outlook = outlook_of(&at_start, day(0));
        assert_eq!(outlook.suspended + outlook.buried, 4 - rest.len());
        let is_over = deck().with_pauses(&[pause], day(1)).positions().count() == 4;
        assert_eq!(is_over, pause.until.is_some());
        // In the middle of a session.
        let mut session = Session::new(vec![deck()], all_new(Mode::Single), day(0));
        while session.question().unwrap().line.moves != [uci("e2e4"), uci("e7e5")] {
            let id = session.question().unwrap().id;
            let main = session.deck(0).answers(id)[0];
            session.answer(Some(main), day(0)).unwrap();
        }
        session.pause(pause);
        let asked = asked(&mut session, day(0));
        assert!(asked.iter().all(|(line, _)| line != "1. e4 e5"), "{asked:?}");
        assert_eq!(session.deck(0).positions().count(), rest.len());
    }
}

#[test]
fn both_colours_are_one_session() {
    let mut black = Book::new(Color::Black, BookRule::default());
    black.prepare("1. e4 c5 2. Nf3 d6").unwrap();
    let decks = vec![
        Deck::new(Arc::new(book(&["1. e4 e5 2. Nf3", "1. e4 c5 2. Nf3"])), []),
        Deck::new(Arc::new(black), []),
    ];
    let options = SessionOptions { new: 4, ..SessionOptions::default() };
    let mut session = Session::new(decks, options, day(0));
    assert_eq!((session.counts().new, session.counts().later), (4, 1));
    let mut asked = Vec::new();
    while let Some(question) = session.question().cloned() {
        asked.push(question.deck);
        let main = session.deck(question.deck).answers(question.id)[0];
        session.answer(Some(main), day(0)).unwrap();
    }
    assert!(asked.contains(&0) && asked.contains(&1) && asked.len() == 8, "{asked:?}");
}

#[test]
fn of_games_alone_only_what_scores_is_learned() {
    let game = |moves: &str, result: &str, ratings: [u16; 2]| {
        let [white, black] = ratings;
        let tags = format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
        KeptGame::of_pgn(&format!("{tags}[Result \"{result}\"]\n\n{moves} {result}\n"), 40)
    };
    let games = [
        // Half a point in two games against much stronger players is more than expected.
        ("1. e4 e5 2. Nf3", "0-1", [1600, 2400]),
        ("1. e4 e5 2. Nf3", "1/2-1/2", [1600, 2400]),
        ("1. e4 c5 2. Qh5", "0-1", [2000, 2000]),
        ("1. e4 c5 2. Nf3", "1-0", [2000, 2000]),
        ("1. e4 e6 2. Qe2", "0-1", [2000, 2000]),
    ]
    .map(|(moves, result, ratings)| game(moves, result, ratings));
    let mut found = Book::new(Color::White, BookRule::default());
    let (mut scores, root) = (LineScores::default(), crate::chess::Board::default().key());
    found.add_root(&root);
    for game in &games {
        let facts = GameFacts::of(game, None, Color::White);
        let mut before: Option<(NodeId, UciMove)> = None;
        game.walk(usize::MAX, |key, uci| {
            let id = found.add_position(key);
            if let Some((from, uci)) = before {
                let mut played =
                    found.node(from).edge(uci).map(|edge| *edge.played).unwrap_or_default();
                played.add(&facts);
                found.set_played(from, uci, id, played);
            }
            before = uci.map(|uci| (id, uci));
        });
    }
    games.iter().for_each(|game| scores.add(&found, game));
    let deck = Deck::new(Arc::new(found), []).without_poor_moves(&scores);
    let asked = deck.positions().map(|id| {
        let answers = deck.answers(id).iter().map(ToString::to_string).collect::<Vec<_>>();
        (deck.movetext(id).unwrap(), answers.join(" "))
    });
    let expected = [("1. e4 c5", "g1f3"), ("1. e4 e5", "g1f3")];
    let mut asked: Vec<_> = asked.collect();
    asked.retain(|(line, _)| !line.is_empty());
    assert_eq!(asked, expected.map(|(line, answer)| (line.to_owned(), answer.to_owned())));
    assert_eq!(deck.poor_moves(), 3, "2. Qh5, 2. Qe2 and 1. e4");
}

/// 212,000 prepared moves: lines of 70 plies, of random moves after the first few.
fn large_book() -> Book {
    use crate::chess::{Chess, Position};
    let (mut rng, mut book) = (Rng::with_seed(3), Book::new(Color::White, BookRule::default()));
    for _ in 0..3200 {
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        for ply in 0..70 {
            let legal = position.legal_moves();
            let Some(last) = legal.len().checked_sub(1) else { break };
            moves.push(legal[rng.usize(0..=last.min(if ply < 4 { 2 } else { last }))]);
            position.play_unchecked(moves[moves.len() - 1]);
        }
        book.prepare_from(&Chess::default(), moves);
    }
    book
}

#[test]
#[ignore = "it measures, and so wants a quiet machine: cargo test --release -- --ignored large_book"]
fn a_large_book_asks_at_once_and_goes_on_without_a_pause() {
    use std::time::{Duration, Instant};
    let book = Arc::new(large_book());
    assert!((200_000..230_000).contains(&book.prepared_moves()), "{}", book.prepared_moves());
    let mut cards: Vec<Card> = Vec::new();
    for mode in [Mode::Single, Mode::Line] {
        let begin = Instant::now();
        let deck = Deck::new(Arc::clone(&book), cards.iter().cloned());
        let made = begin.elapsed();
        let options = SessionOptions { mode, new: 60, due: 60, ..SessionOptions::default() };
        let mut session = Session::new(vec![deck], options, day(30));
        let chosen = begin.elapsed();
        session.question().unwrap();
        let asked = begin.elapsed();
        println!("{made:?} {chosen:?} {asked:?}");
        assert!(asked < Duration::from_millis(300), "{asked:?}");
        let (mut slowest, mut answers) = (Duration::ZERO, 0);
        for number in 0..100 {
            let begin = Instant::now();
            let Some(id) = session.question().map(|question| question.id) else { break };
            let main = session.deck(0).answers(id)[0];
            let review = session.answer((number % 5 > 0).then_some(main), day(30)).unwrap().review;
            std::hint::black_box(Lesson::of(session.deck(0), id));
            session.question();
            slowest = slowest.max(begin.elapsed());
            cards.push(Scheduler::default().review(None, &review));
            answers += 1;
        }
        let begin = Instant::now();
        let outlook = outlook_of(session.deck(0), day(30));
        let ended = begin.elapsed();
        println!(
            "{mode:?}: deck {made:?}, chosen {chosen:?}, asked {asked:?}, slowest of {answers} \
             {slowest:?}, outlook of {} {ended:?}",
            outlook.new
        );
        assert!(slowest.max(ended) < Duration::from_millis(50), "{slowest:?}, {ended:?}");
    }
}
