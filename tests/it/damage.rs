//! Bytes of a database change: every answer is what it was, or the command says what is damaged.

use std::{fmt::Write as _, fs, ops::Range};

use rusqlite::Connection;

use crate::harness::{Workplace, famous_games};

const LINES: [&str; 6] = [
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 O-O Nc6 a3 Bxc3 bxc3 dxc4 Bxc4 Qc7 Bd3 e5",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6 O-O Be7 d3 O-O a3 Be6 b4 f6",
    "d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5 Bg5 Be7 e3 O-O Bd3 Nbd7 Qc2 Re8 Nge2 Nf8 O-O c6 f3",
    "e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3 bxc3 Ne7 Qg4 O-O Bd3 f5 exf6 Rxf6 Bg5 Rf7",
];

/// Games that differ in players, dates, ratings, events and lengths.
fn games(numbers: Range<usize>) -> String {
    let mut pgn = String::new();
    for n in numbers {
        let words: Vec<&str> = LINES[n % LINES.len()].split(' ').collect();
        let moves = words[..4 + n * 7 % (words.len() - 3)].join(" ");
        let (year, day, result) = (1960 + n % 60, 1 + n % 28, ["1-0", "0-1", "1/2-1/2"][n / 7 % 3]);
        let (white, black, event) = (n * 31 % 211, n * 17 % 199, n % 37);
        let (ratings, round) = ([1800 + n * 13 % 900, 1700 + n * 11 % 1000], n % 11);
        let _ = write!(
            pgn,
            "[Event \"Open {event}\"]\n[Site \"Town {event}\"]\n[Date \"{year}.05.{day:02}\"]\n\
             [Round \"{round}.{n}\"]\n[White \"White{white}\"]\n[Black \"Black{black}\"]\n\
             [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n",
            ratings[0], ratings[1],
        );
    }
    pgn
}

/// What is asked of the database x.db.
const QUESTIONS: [&str; 9] = [
    "filter x.db",
    "classify x.db --fields game,white,black,eco,date,result",
    "explore --db x.db --format jsonl",
    "explore e4 c5 Nf3 --db x.db --format jsonl --rating 2000..",
    "explore d4 d5 c4 --db x.db --games 20 --player White1",
    "explore --db x.db --format jsonl --since 1990 --until 2005-05-20 --result 1-0 --eco B",
    "novelties new.pgn --reference x.db",
    "stats x.db --by opening --format tsv",
    "db list --db x.db --format tsv",
];

/// A change of a file.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// Another value of a byte.
    Byte(usize, u8),
    /// A page of zeros.
    Page(usize),
}

const PAGE: usize = 4096;

impl Damage {
    fn make(self, file: &mut [u8]) {
        match self {
            Self::Byte(at, change) => file[at] ^= change,
            Self::Page(page) => file[page * PAGE..][..PAGE].fill(0),
        }
    }
}

/// The next number of a sequence, below a limit.
fn draw(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

/// Asks after each of many changes.
fn is_never_silent(bytes: usize, pages: usize) {
    let place = Workplace::new();
    place.write("games.pgn", games(0..3000));
    place.run(&["index", "games.pgn", "--db", "x.db"]).exits(0);
    place.write("more.pgn", games(3000..3500));
    place.run(&["index", "more.pgn", "--db", "x.db"]).exits(0);
    place.write("new.pgn", games(3300..3550));
    let answers = QUESTIONS.map(|question| place.line(question).exits(0).stdout.clone());
    let sound = fs::read(place.path("x.db")).unwrap();
    let mut state = 39;
    let damaged = |number| match number < bytes {
        true => Damage::Byte(draw(&mut state, sound.len()), 1 << draw(&mut state, 8)),
        false => Damage::Page(1 + draw(&mut state, sound.len() / PAGE - 1)),
    };
    let (mut noticed, mut damages) = (0, (0..bytes + pages).map(damaged));
    let ask = |damage: Damage| {
        let mut file = sound.clone();
        damage.make(&mut file);
        fs::write(place.path("x.db"), file).unwrap();
        let mut was_noticed = false;
        for (question, answer) in QUESTIONS.iter().zip(&answers) {
            let run = place.line(question);
            match run.code {
                Some(0) => assert!(run.stdout == *answer, "{damage:?} changes `{question}`"),
                Some(1 | 2) => {
                    assert!(!run.stderr.is_empty(), "{damage:?}: {question}");
                    was_noticed = true;
                }
                code => panic!("{damage:?}: {question} ends with {code:?}: {}", run.stderr),
            }
        }
        let verified = place.run(&["db", "verify", "--db", "x.db"]).code;
        assert!(!was_noticed || verified != Some(0), "{damage:?} is not listed");
        was_noticed
    };
    damages.by_ref().for_each(|damage| noticed += usize::from(ask(damage)));
    println!("{noticed} of {} changes were noticed", bytes + pages);
    assert!(noticed > 0);
}

#[test]
fn a_changed_byte_never_changes_an_answer_in_silence() {
    is_never_silent(16, 0);
}

#[test]
fn a_lost_page_never_changes_an_answer_in_silence() {
    is_never_silent(0, 8);
}

#[test]
#[ignore = "takes half an hour"]
fn a_thousand_changed_bytes_and_three_hundred_lost_pages_change_nothing_in_silence() {
    is_never_silent(1000, 300);
}

/// A place with x.db, of two segments, of which the first has a damaged blob of a kind.
fn place_with(kind: &str) -> Workplace {
    let place = Workplace::new();
    place.write("famous.pgn", famous_games());
    place.write("others.pgn", games(0..20));
    place.run(&["index", "famous.pgn", "--db", "x.db", "--name", "club"]).exits(0);
    place.run(&["index", "others.pgn", "--db", "x.db", "--name", "club"]).exits(0);
    let sql = "UPDATE segment_blob SET bytes = zeroblob(length(bytes))
         WHERE kind = ?1 AND segment_id = 1";
    let changed = Connection::open(place.path("x.db")).unwrap().execute(sql, [kind]).unwrap();
    assert!(changed > 0);
    place
}

#[test]
fn damaged_games_are_left_out_and_named() {
    for kind in ["header", "dictionary", "facts", "moves", "tags"] {
        let place = place_with(kind);
        let message =
            format!("eco: x.db: collection club: games 1 to 30 are damaged (segment 1, {kind} ");
        for (args, lines) in [
            ("filter x.db --quiet", 20 * 11),
            ("classify x.db", 21),
            ("stats x.db --by result --format tsv", 3),
        ] {
            let run = place.line(args);
            run.exits(1).complains(&message);
            assert!(run.stderr.contains("`eco db verify` lists the damage"), "{}", run.stderr);
            assert!(run.stdout.lines().count() >= lines, "{kind}: {args}: {}", run.stdout);
        }
        let run = place.line("explore d4 Nf6 c4 --db x.db --format tsv");
        run.exits(1).complains(&message).prints_part("e7e6");
        let verified = place.line("db verify --db x.db");
        verified.exits(1).complains("collection club: games 1 to 30 are damaged (segment 1, ");
    }
    for kind in ["positions", "ids"] {
        let place = place_with(kind);
        place.line("filter x.db").exits(0);
        let verified = place.line("db verify club --db x.db");
        verified.exits(1).complains("collection club: games 1 to 30 are damaged (segment 1, ");
    }
    let place = place_with("positions");
    place.line("explore e4 --db x.db --format tsv").exits(1).complains("segment 1, positions ");
}

#[test]
fn a_database_of_which_no_game_can_be_read_leaves_outputs_alone() {
    let place = Workplace::new();
    place.write("famous.pgn", famous_games());
    place.run(&["index", "famous.pgn", "--db", "x.db"]).exits(0);
    let damage = "UPDATE segment_blob SET bytes = x'ffffffffffffffffff' WHERE kind = 'moves'";
    Connection::open(place.path("x.db")).unwrap().execute(damage, []).unwrap();
    place.write("old.pgn", "old");
    for args in ["filter x.db -o old.pgn", "index x.db --db new.db"] {
        let run = place.line(args);
        run.exits(1).prints("").complains("eco: x.db: collection games: games 1 to 30 are damaged");
    }
    assert_eq!(fs::read(place.path("old.pgn")).unwrap(), b"old");
    assert_eq!(place.files(), ["famous.pgn", "old.pgn", "x.db"]);
}

#[test]
fn damaged_games_are_removed_and_indexed_again() {
    let place = place_with("moves");
    let games = |place: &Workplace| {
        let list = place.line("db list --db x.db --format tsv").stdout.clone();
        list.lines().nth(1).and_then(|row| row.split('\t').nth(3)).map(str::to_owned)
    };
    place.line("index famous.pgn --db x.db").exits(0).prints_part("30 known already");
    let dry = place.line("db remove club --damaged --dry-run --db x.db");
    dry.exits(0).complains("games 1 to 30 are damaged").prints_part("would lose");
    place.line("db remove club --damaged --db x.db").exits(2).complains("--damaged");
    let removed = place.line("db remove club --damaged --yes --db x.db");
    removed.exits(0).prints_part("removed 30 damaged games");
    assert_eq!(games(&place).as_deref(), Some("20"));
    place.line("index famous.pgn others.pgn --db x.db").exits(0).prints_part("added 30 games");
    assert_eq!(games(&place).as_deref(), Some("50"));
    place.line("db verify --db x.db").exits(0).prints_part("50 games read");
    place.line("db remove club --damaged --db x.db").exits(0).prints_part("no game is damaged");
    place.line("db remove club --damaged --games --result 1-0 --db x.db").exits(2);
}

#[test]
fn damaged_games_of_a_repertoire_are_named() {
    let place = Workplace::new();
    place.write("famous.pgn", famous_games());
    let build = "repertoire build mine --color white famous.pgn --db x.db";
    place.line(build).exits(0);
    let damage = "UPDATE segment_blob SET bytes = zeroblob(length(bytes)) WHERE kind = 'moves'";
    Connection::open(place.path("x.db")).unwrap().execute(damage, []).unwrap();
    let message = "repertoire mine: games 1 to ";
    place.line("repertoire tree mine --db x.db").exits(2).complains(message);
    place.line("db verify --db x.db").exits(1).complains(message);
    place.line("db remove mine --damaged --yes --db x.db").exits(0).prints_part("removed ");
    place.line("db verify --db x.db").exits(0);
    place.line(build).exits(0);
    place.line("repertoire tree mine --db x.db").exits(0);
}
