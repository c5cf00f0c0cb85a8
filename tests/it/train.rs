//! `eco train`: sessions with answers from a pipe, and what is left when one is killed.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use eco::{
    store::Database,
    training::{Moment, Review, Scheduler},
};

use crate::harness::{Run, Workplace};

const NOTES: &str =
    "1. d4 Nf6 (1... d5 2. c4 {[%cal Gc2c4] The Queen's Gambit.} (2. Nf3)) 2. c4 e6 3. Nc3 *\n";

/// A place with the repertoire `mine`.
fn place() -> Workplace {
    let place = Workplace::new();
    place.write("notes.pgn", NOTES);
    let add = ["repertoire", "add", "mine", "notes.pgn", "--color", "white", "--db", "x.db"];
    place.run(&add).exits(0);
    place
}

fn train(place: &Workplace, args: &str, answers: &str) -> Run {
    let args = args.split_whitespace();
    let args: Vec<&str> = ["train", "--db", "x.db"].into_iter().chain(args).collect();
    place.pipe(&args, answers.as_bytes())
}

fn reviews(place: &Workplace) -> Vec<Review> {
    let database = Database::open(&place.path("x.db")).unwrap();
    assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
    let reviews = database.training_reviews("mine").unwrap();
    // The cards follow from the log.
    let scheduler = Scheduler::default();
    for card in database.training_cards("mine").unwrap() {
        let of_card = reviews.iter().filter(|review| review.key == card.key);
        assert_eq!(scheduler.replay(of_card), Some(card));
    }
    reviews
}

/// What is said, without boards and blank lines.
fn words(run: &Run) -> Vec<&str> {
    let is_board = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('+') || line.contains('|') || line == "a b c d e f g h" || line.is_empty()
    };
    run.stdout.lines().filter(|line| !is_board(line)).collect()
}

#[test]
fn a_session_asks_takes_answers_and_says_when_it_asks_again() {
    let place = place();
    let answers = "d4\nNg1-f3\nc2c4\n?\nBc4\nPd4\nd4 d5\nc4\nc4\nd4\n";
    let run = train(&place, "mine --new 3", answers);
    assert_eq!(
        words(run.exits(0)),
        [
            "Training mine as White: 0 due, 3 new",
            "Nothing is due; 4 new",
            "the first move  (new; 6 to go)",
            "  Black to move",
            "Learn: 1. d4",
            "And from memory",
            "  White to move",
            "Your move (?, help, q): d4",
            "Right: 1. d4",
            "  Asked once more at the end",
            "1. d4 Nf6  (new; 5 to go)",
            "  Black to move",
            "Learn: 2. c4",
            "And from memory",
            "  White to move",
            "Your move (?, help, q): Ng1-f3",
            "Wrong: 2. Nf3; the book has 2. c4",
            "  Black to move",
            "  Asked once more at the end",
            "1. d4 d5  (new; 4 to go)",
            "  Black to move",
            "Learn: 2. c4, also Nf3",
            "  The Queen's Gambit.",
            "And from memory",
            "  White to move",
            "Your move (?, help, q): c2c4",
            "Right: 2. c4, also Nf3",
            "  Asked once more at the end",
            "the first move  (once more; 3 to go)",
            "  White to move",
            "Your move (?, help, q): ?",
            "The book has 1. d4",
            "  Black to move",
            "  Asked once more at the end",
            "1. d4 Nf6  (once more; 3 to go)",
            "  White to move",
            "Your move (?, help, q): Bc4",
            "Bc4: the white bishop on f1 cannot go to c4: the white pawn on e2 is in the way",
            "Your move (?, help, q): Pd4",
            "Pd4: the white pawn stands on d4 already",
            "Your move (?, help, q): d4 d5",
            "d4: the white pawn stands on d4 already",
            "Your move (?, help, q): c4",
            "Right: 2. c4",
            "  Asked again tomorrow",
            "1. d4 d5  (once more; 2 to go)",
            "  White to move",
            "Your move (?, help, q): c4",
            "Right: 2. c4, also Nf3",
            "  The Queen's Gambit.",
            "  Asked again in 2 days",
            "the first move  (once more; 1 to go)",
            "  White to move",
            "Your move (?, help, q): d4",
            "Right: 1. d4",
            "  Asked again tomorrow",
            "5 of 7 answers right; all are kept",
            "Due: 0 now, 2 tomorrow, 3 within a week; 1 new",
        ]
    );
    let ratings: Vec<u8> = reviews(&place).iter().map(|review| review.rating.number()).collect();
    assert_eq!(ratings, [3, 1, 3, 1, 3, 3, 3]);
    // Nothing is due, and the day has no more than its new ones.
    let again = train(&place, "mine --new 3", "");
    assert_eq!(
        words(again.exits(0)),
        [
            "Training mine as White: 0 due, 0 new",
            "Due: 0 now, 2 tomorrow, 3 within a week; 1 new",
            "All of today is done; --new and --due set how many positions a day has",
        ]
    );
    // Two days later or more, whatever the time of the day is now: a date begins at midnight.
    let later = Moment::from_seconds(reviews(&place)[0].at.seconds()).plus_days(3).seconds();
    let later = place.shell(&format!("date -u -d @{later} +%F")).stdout.trim().to_owned();
    let run = train(&place, &format!("--new 0 --now {later}"), "q\n");
    run.exits(0).prints_part("Training mine as White: 3 due, 0 new\n");
    let run = train(&place, &format!("--new 0 --due 2 --now {later}"), "q\n");
    run.exits(0).prints_part("Training mine as White: 2 due, 0 new\n");
    let run = train(&place, &format!("--new 0 --until {later}"), "q\n");
    run.exits(0).prints_part("Training mine as White: 3 due, 0 new\n");
}

#[test]
fn a_line_is_played_from_its_start() {
    let place = place();
    let run = train(&place, "mine --play-lines", &"d4\nc4\nNc3\n".repeat(8));
    let asked: Vec<&str> =
        words(run.exits(0)).into_iter().filter(|line| line.ends_with("to go)")).collect();
    assert_eq!(asked[0], "the first move  (new; 8 to go)");
    let is_third = |line: &&&str| line.starts_with("… 1. d4 Nf6 2. c4 e6  (new");
    assert_eq!(asked.iter().filter(is_third).count(), 1, "{asked:?}");
    assert_eq!(asked.iter().filter(|line| line.contains("(new")).count(), 4, "{asked:?}");
    assert!(asked.len() >= 8, "{asked:?}");
}

#[test]
fn answers_are_typed_in_any_language() {
    let place = Workplace::new();
    place.write("notes.pgn", "1. Nf3 d5 *\n");
    let add = ["repertoire", "add", "mine", "notes.pgn", "--color", "white", "--db", "x.db"];
    place.run(&add).exits(0);
    train(&place, "--lang de", "Sf3\n").exits(0).prints_part("Right: 1. Sf3\n");
    train(&place, "--lang xy", "").exits(2).complains("xy");
}

#[test]
fn the_end_of_the_input_is_the_end_and_everything_is_kept() {
    let place = place();
    for (answers, count) in [("", 0), ("q\n", 0), ("d4", 1), ("\n\n?\n", 2), ("c4\r\nquit\r\n", 3)]
    {
        train(&place, "mine", answers).exits(0);
        assert_eq!(reviews(&place).len(), count, "{answers:?}");
    }
}

#[test]
fn where_games_left_the_book_comes_first_with_how_they_went() {
    let place = place();
    let game = |line: &str, result: &str, round: u32| {
        format!(
            "[White \"Novak, Ana\"]\n[Black \"X\"]\n[Round \"{round}\"]\n[Date \"2024.10.03\"]\n[Result \"{result}\"]\n\n{line} {result}\n\n"
        )
    };
    let games = game("1. d4 d5 2. Bf4", "0-1", 1)
        + &game("1. d4 d5 2. Bf4", "1-0", 2)
        + &game("1. d4 d5 2. c4", "1-0", 3);
    place.write("games.pgn", games);
    let build =
        ["repertoire", "build", "mine", "games.pgn", "--player", "Novak, Ana", "--db", "x.db"];
    place.run(&build).exits(0);
    let run = train(&place, "mine", "Bf4\nq\n");
    assert_eq!(
        words(run.exits(0))[..7],
        [
            "Training mine as White: 1 where games left the book, 0 due, 3 new",
            "Nothing is due; 4 new",
            "1. d4 d5  (2 games left the book here; 8 to go)",
            "  Black to move",
            "Learn: 2. c4, also Nf3",
            "  The Queen's Gambit.",
            "  Played: Bf4 (2 games, 50.0%, not in the book), c4 (1 game, 100.0%)",
        ]
    );
}

#[test]
fn statistics_name_the_hardest_positions() {
    let place = place();
    train(&place, "mine", "?\nc4\nc4\nNc3\nd4\nc4\nc4\nNc3\n").exits(0);
    let run = train(&place, "mine --stats --now 2030-01-01", "");
    let rows: Vec<Vec<&str>> =
        run.exits(0).stdout.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0][..7], ["line", "book", "reviews", "right", "lapses", "recall", "due_in"]);
    assert_eq!((rows.len(), rows[1][0], rows[1][2], rows[1][3]), (5, "", "2", "1"), "{rows:?}");
    assert!(
        run.stderr.starts_with("4 positions: 4 learned, 0 new, 4 due\nDue: 4 now, 0 tomorrow")
            && run.stderr.contains("\n8 answers, none"),
        "{}",
        run.stderr
    );
    let few = train(&place, "mine --stats --limit 1 --format jsonl", "");
    assert_eq!(few.exits(0).stdout.lines().count(), 1);
    few.prints_part("\"book\":[\"d4\"]");
    train(&place, "mine --stats --play-lines", "").exits(2);
    train(&place, "mine --format csv", "").exits(2).complains("--stats");
}

#[test]
fn what_cannot_be_trained_is_said() {
    let place = place();
    train(&place, "other", "").exits(2).complains("no repertoire 'other'; there is mine");
    place.pipe(&["train", "mine", "--db", "no.db"], b"").exits(2).complains("no.db");
    assert_eq!(place.files(), ["notes.pgn", "x.db"]);
    let empty = ["repertoire", "add", "theirs", "notes.pgn", "--color", "black", "--db", "x.db"];
    place.write("notes.pgn", "1. d4 *\n");
    place.run(&empty).exits(0);
    train(&place, "theirs", "").exits(2).complains("theirs has no move of black: `eco repertoire");
    // Root may write whatever it likes.
    let is_root = place.shell("id -u").stdout.trim() == "0";
    let mut permissions = fs::metadata(place.path("x.db")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(place.path("x.db"), permissions).unwrap();
    if is_root {
        eprintln!("SKIPPED: a read-only file, as root");
    } else {
        train(&place, "mine", "d4\n")
            .exits(2)
            .complains("x.db: cannot be written: it is read-only");
    }
}

/// What was asked and never right is begun, and not learned.
#[test]
fn statistics_tell_what_is_begun_from_what_is_learned() {
    let place = place();
    train(&place, "mine --new 2", "d4\n?\nd4\n?\nq\n").exits(0);
    let stats = |args: &str| train(&place, args, "").exits(0).stderr.clone();
    let text = stats("mine --stats");
    assert!(text.starts_with("4 positions: 1 learned, 1 begun, 2 new, 1 due"), "{text}");
    train(&place, "mine --new 0", "c4\n").exits(0);
    let text = stats("mine --stats");
    assert!(text.starts_with("4 positions: 2 learned, 2 new, 0 due"), "{text}");
}

/// Where nothing is prepared, the games are the book, and a rare move of its owner leaves nothing.
#[test]
fn a_repertoire_of_games_begins_with_what_is_met_most_often() {
    let place = Workplace::new();
    let game = |moves: &str, n: usize| {
        (0..n)
            .map(|round| format!("[White \"A\"]\n[Round \"{round}\"]\n\n{moves} 1-0\n\n"))
            .collect::<String>()
    };
    place.write("games.pgn", game("1. e4 e5 2. Nf3", 8) + &game("1. d4 d5 2. c4", 1));
    let build = ["repertoire", "build", "mine", "games.pgn", "--color", "white", "--db", "x.db"];
    place.run(&[&build[..], &["--player", "A"]].concat()).exits(0);
    let run = train(&place, "mine", "e4\nNf3\n");
    assert_eq!(
        words(run.exits(0))[..2],
        ["Training mine as White: 0 due, 2 new", "Nothing is due; 2 new"]
    );
}

/// The first replies of eight lines: 1... Nf6 and 1... d5.
fn replies(place: &Workplace, args: &str) -> [usize; 2] {
    let mut drawn = [0, 0];
    for day in 1..=8 {
        // Another day draws other lines.
        let args = format!("mine --play-lines --now 2030-01-0{day} {args}");
        let run = train(place, &args, "d4\nq\n");
        let text = &run.exits(0).stdout;
        drawn[0] += usize::from(text.contains("\n… 1. d4 Nf6  ("));
        drawn[1] += usize::from(text.contains("\n… 1. d4 d5  ("));
        place.copy(&place.path("fresh.db"), "x.db");
    }
    assert_eq!(drawn[0] + drawn[1], 8);
    drawn
}

/// Where the repertoire has no games: those of a collection of the file, or of a reference.
#[test]
fn replies_come_as_often_as_a_collection_or_a_reference_has_them() {
    let games = |reply: &str| {
        (0..300)
            .map(|round| format!("[Round \"{round}\"]\n\n1. d4 {reply} 1-0\n\n"))
            .collect::<String>()
    };
    let place = place();
    place.copy(&place.path("x.db"), "fresh.db");
    place.write("knights.pgn", games("Nf6"));
    place.write("pawns.pgn", games("d5"));
    for (reference, knights) in [("knights.pgn", 7..=8), ("pawns.pgn", 0..=1)] {
        let [drawn, _] = replies(&place, &format!("--reference {reference}"));
        assert!(knights.contains(&drawn), "{drawn} of 8 as in {reference}");
    }
    place.run(&["index", "pawns.pgn", "--db", "fresh.db", "--name", "pawns"]).exits(0);
    place.copy(&place.path("fresh.db"), "x.db");
    let [drawn, _] = replies(&place, "");
    assert!(drawn <= 1, "{drawn} of 8 as in the collection");
    let [drawn, _] = replies(&place, "--reference knights.pgn");
    assert!(drawn >= 7, "{drawn} of 8 as in the reference");
    train(&place, "mine --stats --reference pawns.pgn", "").exits(2);
}

/// A session that goes on as long as answers come.
struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Running {
    fn start(place: &Workplace) -> Self {
        let mut command = place.command(&["train", "mine", "--db", "x.db"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    /// Asks for the answer until the time is over, and returns how often it was shown.
    fn ask_for(&mut self, time: Duration) -> usize {
        let end = Instant::now() + time;
        let mut shown = 0;
        while Instant::now() < end {
            self.stdin.write_all(b"?\n").unwrap();
            shown += self.read_until_shown();
        }
        shown
    }

    fn read_until_shown(&mut self) -> usize {
        let mut line = String::new();
        while self.stdout.read_line(&mut line).unwrap() > 0 {
            if line.starts_with("The book has") {
                return 1;
            }
            line.clear();
        }
        0
    }
}

#[test]
fn only_what_an_opponent_leads_to_is_asked() {
    let place = place();
    let game = |black: &str, line: &str| {
        format!("[White \"A\"]\n[Black \"{black}\"]\n[Date \"2026.01.01\"]\n\n{line} 1-0\n\n")
    };
    let games = [game("Rival, Ed", "1. d4 d5 2. c4 e6"), game("Other", "1. d4 Nf6 2. c4 e6")];
    place.write("games.pgn", games.concat());
    let all = train(&place, "mine", "q\n");
    assert!(words(&all)[0].contains("4 new"), "{}", all.stdout);
    let against =
        ["train", "mine", "--db", "x.db", "--against", "Rival, Ed", "--reference", "games.pgn"];
    let session = place.pipe(&against, b"q\n");
    assert!(words(session.exits(0))[0].contains("2 new"), "{}", session.stdout);
    let [.., name, _, _] = against;
    let unknown = against.map(|word| if word == name { "Rivel, Ed" } else { word });
    place.pipe(&unknown, b"q\n").exits(2).complains("Rival, Ed");
}

#[test]
fn nothing_is_lost_when_a_session_is_killed() {
    let place = place();
    let mut kept = 0;
    for _ in 0..30 {
        let mut running = Running::start(&place);
        let shown = running.ask_for(Duration::from_millis(fastrand::u64(0..60)));
        // One more, at any moment of which it may be killed.
        running.stdin.write_all(b"?\n").unwrap();
        thread::sleep(Duration::from_micros(fastrand::u64(0..10_000)));
        running.child.kill().unwrap();
        running.child.wait().unwrap();
        let found = reviews(&place).len();
        let expected = kept + shown;
        assert!((expected..=expected + 1).contains(&found), "{found} of {expected} answers");
        kept = found;
    }
    assert!(kept > 0);
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_session_with_a_word() {
    let place = place();
    let mut running = Running::start(&place);
    let shown = running.ask_for(Duration::from_millis(50));
    let kill = Command::new("kill").args(["-INT", &running.child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut running.stdout, &mut rest).unwrap();
    assert_eq!(running.child.wait().unwrap().code(), Some(0));
    let answers = eco::quoted::counted(shown, "answer");
    assert!(rest.contains(&format!("0 of {answers} right; all are kept")), "{rest}");
    assert_eq!(reviews(&place).len(), shown);
}

/// The next board would push a correction off a small terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_correction_stays_on_a_terminal_until_enter() {
    let place = place();
    let session = "printf '\\nhelp\\na3\\n\\n\\na3\\nq\\n' | script -qec 'eco train --db x.db mine' /dev/null";
    let run = place.shell(session);
    let words: Vec<&str> = words(run.exits(0)).into_iter().map(str::trim).collect();
    let at = |part: &str| {
        let found = words.iter().position(|line| line.contains(part));
        found.unwrap_or_else(|| panic!("{part:?} is not in\n{}", run.stdout))
    };
    let (learn, memory) = (at("Enter to go on, q to stop:"), at("And from memory"));
    let (help, wrong) = (at("u to take back the last"), at("Wrong: 1. a3"));
    let next = at("1. d4 Nf6  (new");
    assert!(learn < memory && memory < help && help < wrong && wrong < next, "{}", run.stdout);
    // What is to be learned and the correction, twice.
    assert_eq!(run.stdout.matches("Enter to go on").count(), 4, "{}", run.stdout);
    assert_eq!(reviews(&place).len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_comment_stays_on_a_terminal_until_enter_and_breaks_between_words() {
    let place = Workplace::new();
    // A comment of 40 lines does not fit on the terminal; one of seven fits with the next board.
    for (words, enters, waits) in [(40 * 7, 3, 4), (7 * 7, 2, 3)] {
        let name = format!("{words}.db");
        place.write("notes.pgn", format!("1. d4 {{{}}} d5 2. c4 *\n", "commentary ".repeat(words)));
        let add = ["repertoire", "add", "mine", "notes.pgn", "--color", "white", "--db", &name];
        place.run(&add).exits(0);
        let run = place.shell(&format!(
            "printf '{}d4\\nq\\n' | script -qec 'stty rows 24 columns 80; eco train --db {name}' /dev/null",
            "\\n".repeat(enters)
        ));
        let text = run.exits(0).stdout.replace('\r', "");
        assert_eq!(text.matches("Enter to go on").count(), waits, "{text}");
        let comment: Vec<&str> = text.lines().filter(|line| line.contains("commentary")).collect();
        let line = format!("  {}", ["commentary"; 7].join(" "));
        // Where Enter was echoed before, a line follows its prompt.
        assert!(comment.iter().all(|shown| shown.ends_with(&line)), "{text}");
        assert_eq!(comment.len(), words / 7, "{text}");
        assert!(text.contains("1. d4 d5  (new; 3 to go)"), "{text}");
    }
}

#[test]
fn answers_are_not_removed_with_their_repertoire_unless_that_is_meant() {
    let place = place();
    train(&place, "mine", "c4\n").exits(0);
    let remove =
        |more: &[&str]| place.run(&[&["db", "remove", "mine", "--db", "x.db"], more].concat());
    let answers = reviews(&place).len();
    let said = format!("{answers} answer of its training: eco db remove --yes mine --db x.db");
    assert_eq!(answers, 1);
    remove(&[]).exits(2).complains(&said);
    assert_eq!(reviews(&place).len(), answers);
    remove(&["--dry-run"]).exits(0).prints_part("mine: would be removed with");
    remove(&["--yes"]).exits(0).prints_part("x.db: mine: removed with");
}

#[test]
fn a_slip_is_taken_back_also_in_another_session() {
    let place = place();
    let run = train(&place, "mine --new 1", "e4\nu\nd4\nq\n");
    let said = words(run.exits(0));
    assert!(said.contains(&"Taken back: e4"), "{said:?}");
    assert_eq!(said.last(), Some(&"Due: 0 now, 0 tomorrow, 1 within a week; 3 new"));
    assert!(said.contains(&"1 of 1 answer right; all are kept"), "{said:?}");
    let kept = reviews(&place);
    assert_eq!(kept.len(), 1);
    let run = train(&place, "mine --new 2", "undo\nq\n");
    let said = words(run.exits(0));
    assert!(said.contains(&"Taken back: d4"), "{said:?}");
    assert!(said.contains(&"the first move  (new; 4 to go)"), "{said:?}");
    assert_eq!(reviews(&place), []);
    train(&place, "mine", "u\nq\n").exits(0).prints_part("There is no answer of today\n");
}

#[test]
fn positions_are_suspended_buried_and_resumed() {
    let place = place();
    let run = train(&place, "mine", "s\nb\nq\n");
    let said = words(run.exits(0));
    assert!(said.contains(&"Suspended: this position is not asked until --resume"), "{said:?}");
    assert_eq!(said.last(), Some(&"Nothing is due; 1 new; 1 suspended; 2 buried"), "{said:?}");
    let stats = train(&place, "mine --stats", "");
    stats.exits(0).prints_part("suspended\n").prints_part("buried\n");
    assert!(stats.stderr.contains("2 buried (--resume asks them)"), "{}", stats.stderr);
    // The next day what was buried is back, what is suspended is not.
    let run = train(&place, "mine --now 2100-01-01", "q\n");
    assert_eq!(words(run.exits(0))[1], "Nothing is due; 3 new; 1 suspended");
    let run = train(&place, "mine --resume", "q\n");
    assert_eq!(words(run.exits(0))[1], "Nothing is due; 4 new");
    assert!(run.stderr.contains("mine: 2 pauses ended"), "{}", run.stderr);
}

#[test]
fn what_is_trained_can_be_a_part() {
    let place = place();
    place.write("black.pgn", "[Event \"Sicilian\"]\n\n1. e4 c5 2. Nf3 d6 *\n\n[Event \"French\"]\n\n1. e4 e6 2. d4 d5 *\n");
    let add = ["repertoire", "add", "theirs", "black.pgn", "--color", "black", "--db", "x.db"];
    place.run(&add).exits(0);
    let heading = |args: &str| {
        let run = train(&place, args, "q\n");
        words(run.exits(0))[0].to_owned()
    };
    assert_eq!(heading(""), "Training mine as White, theirs as Black: 0 due, 7 new");
    assert_eq!(heading("--new 5"), "Training mine as White, theirs as Black: 0 due, 5 new");
    assert_eq!(heading("theirs"), "Training theirs as Black: 0 due, 3 new");
    assert_eq!(heading("theirs 1. e4 c5"), "Training theirs as Black: 0 due, 1 new");
    assert_eq!(heading("sicilian defense"), "Training theirs as Black: 0 due, 1 new");
    assert_eq!(heading("mine 1. d4 Nf6"), "Training mine as White: 0 due, 2 new");
    assert_eq!(heading("--chapter sicil"), "Training theirs as Black: 0 due, 2 new");
    let both = "--chapter sicil --chapter french";
    assert_eq!(heading(both), "Training theirs as Black: 0 due, 3 new");
    assert_eq!(heading("--line 1.e4,e6,2.d4"), "Training theirs as Black: 0 due, 2 new");
    let nothing = train(&place, "1. c4", "");
    nothing.exits(2).complains("nothing to train there; mine has 4 positions, theirs has 3");
    let nothing = train(&place, "theirs --chapter dutch", "");
    nothing.exits(2).complains("in 2 chapters: 'Sicilian #1', 'French #2'");
}
