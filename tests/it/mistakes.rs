//! Mistakes in what is prepared: kept and shown, and never an answer, a move of the book, a weight
//! or coverage.

use std::fs;

use crate::harness::{Run, Workplace};

/// White's 2. Qh5? and 3. Nxe5?? are mistakes with refutations, 3. d4?! is dubious. After 1... c5
/// all own moves are mistakes. 2. Ng5 in the third chapter is Black's opponent's own mark.
const STUDY: &str = "\
[Event \"Open\"]

1. e4 e5 (1... d6? 2. d4) 2. Nf3 (2. Qh5? {Bad. [%cal Gh5f7]} Nc6 3. Bc4 g6 {Refuted.}) 2... Nc6
3. Bb5 (3. Nxe5?? {Drops a knight.} Nxe5) (3. d4 $6 exd4 4. Nxd4) *

[Event \"Sicilian\"]

1. e4 c5 2. Qh5 $2 {Too early.} Nf6 *
";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("study.pgn", STUDY);
    let add = "repertoire add mine study.pgn --color white --db r.db";
    run(&place, add).exits(0);
    place
}

fn run(place: &Workplace, command: &str) -> Run {
    place.run(&command.split(' ').collect::<Vec<_>>())
}

/// The values of a column of tab-separated rows.
fn column(rows: &str, name: &str) -> Vec<String> {
    let mut rows = rows.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let at = header.iter().position(|column| *column == name).unwrap();
    rows.map(|row| row[at].to_owned()).collect()
}

const MISTAKES: [&str; 2] = ["Qh5", "Nxe5"];

#[test]
fn exports_of_moves_to_play_have_no_mistake() {
    let place = place();
    let epd = run(&place, "repertoire export mine --format epd --db r.db").exits(0).stdout.clone();
    let lines: Vec<&str> = epd.lines().collect();
    assert_eq!(lines.len(), 6, "{epd}");
    for (best, avoided) in [("bm Nf3;", "am Qh5;"), ("bm Bb5 d4;", "am Nxe5;"), ("bm e4;", "")] {
        let line = lines.iter().find(|line| line.contains(best)).unwrap();
        assert!(line.contains(avoided), "{line}");
    }
    assert!(epd.contains("c0 \"Qh5? Bad. [%cal Gh5f7]\""), "{epd}");
    // Where all moves are mistakes there is none to play.
    let sicilian = lines.iter().find(|line| line.contains("pp1ppppp")).unwrap();
    assert!(!sicilian.contains("bm") && sicilian.contains("am Qh5;"), "{sicilian}");
    let csv = run(&place, "repertoire export mine --format csv --db r.db").exits(0).stdout.clone();
    assert!(!MISTAKES.iter().any(|mistake| csv.contains(&format!(",{mistake},"))), "{csv}");
    assert!(!csv.contains("g6") && csv.contains(",d4,"), "{csv}");
    run(&place, "repertoire export mine -o book.bin --db r.db").exits(0);
    run(&place, "repertoire add back book.bin --format polyglot --color white --db back.db")
        .exits(0);
    let tree = run(&place, "repertoire tree back 1.e4,e5 --depth 1 --db back.db -f tsv");
    assert_eq!(column(&tree.stdout, "move"), ["Nf3"]);
    let cards =
        run(&place, "repertoire export mine --format anki --db r.db").exits(0).stdout.clone();
    assert!(cards.contains("Not 2. Qh5?") && !cards.contains("<b>2. Qh5"), "{cards}");
    // There is none after 1... c5.
    assert_eq!(cards.matches("\neco-").count(), 5, "{cards}");
}

#[test]
fn exports_that_are_read_back_keep_mistakes_as_they_came() {
    let place = place();
    let export = |db: &str, format: &str| {
        let command = format!("repertoire export mine --format {format} --db {db}");
        run(&place, &command).exits(0).stdout.clone()
    };
    let pgn = export("r.db", "pgn");
    for part in [
        "(2. Qh5 $2 { Bad. [%cal Gh5f7] } 2... Nc6 3. Bc4 g6",
        "(3. Nxe5 $4 { Drops a knight. } 3... Nxe5)",
        "1. e4 c5 2. Qh5 $2 { Too early. } 2... Nf6",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = words(&pgn.replace('{', " { ").replace('}', " } "));
        assert!(plain.contains(part), "{part} is not in {plain}");
    }
    for format in ["pgn", "json"] {
        place.write("back", export("r.db", format));
        fs::remove_file(place.path("back.db")).unwrap_or_default();
        let add = format!("repertoire add mine back --format {format} --color white --db back.db");
        run(&place, &add).exits(0);
        assert_eq!(export("back.db", "json"), export("r.db", "json"), "{format}");
    }
    run(&place, "repertoire export mine -o moves.db --format sqlite --db r.db").exits(0);
    let file = rusqlite::Connection::open(place.path("moves.db")).unwrap();
    let sql = "SELECT group_concat(move, ' ') FROM move WHERE mistake";
    let mistakes: String = file.query_row(sql, [], |row| row.get(0)).unwrap();
    let mut mistakes: Vec<&str> = mistakes.split(' ').collect();
    mistakes.sort_unstable();
    assert_eq!(mistakes, ["Nxe5", "Qh5", "Qh5"]);
}

#[test]
fn a_game_with_a_mistake_left_the_book() {
    let place = place();
    place.write(
        "games.pgn",
        "[White \"A\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Qh5 Nc6 0-1\n\n[White \"A\"]\n\n1. e4 c5 \
         2. Qh5 *\n\n[White \"A\"]\n\n1. e4 c5 2. Nf3 *\n\n[White \"A\"]\n\n1. e4 e5 2. d4 *\n",
    );
    let check = "repertoire check mine games.pgn --games --db r.db";
    let games = run(&place, check);
    games.exits(0).complains("4 games: 1 mine, 2 known mistakes, 0 theirs, 1 book ended");
    let status = ["known mistake", "known mistake", "book ended", "mine"];
    assert_eq!(column(&games.stdout, "status"), status);
    let said = ["? Bad. [%cal Gh5f7]", "? Too early.", "", ""];
    assert_eq!(column(&games.stdout, "mistake"), said);
    for format in ["csv", "jsonl", "table"] {
        let command = format!("{check} -f {format} --width 200");
        run(&place, &command).exits(0).prints_part("known mistake").prints_part("Too early.");
    }
    let moves =
        run(&place, "repertoire check mine games.pgn --min-games 1 --only mistake --db r.db");
    assert_eq!(column(&moves.exits(0).stdout, "move"), ["2. Qh5", "2. Qh5"]);
    assert_eq!(column(&moves.stdout, "mistake").len(), 2);
}

#[test]
fn what_only_mistakes_answer_is_a_gap() {
    let place = place();
    let gaps = run(&place, "repertoire gaps mine --db r.db");
    assert_eq!(column(&gaps.exits(0).stdout, "line"), ["1. e4 c5"]);
    // The other replies are 1... e5 and 1... d6, one in three each.
    gaps.complains("coverage to ply 20: 66.7 %, 1 gap");
}

#[test]
fn trees_show_mistakes_for_what_they_are() {
    let place = place();
    let tree = run(&place, "repertoire tree mine --db r.db").exits(0).stdout.clone();
    for line in ["2. Qh5? Nc6 3. Bc4 g6", "3. Nxe5?? Nxe5", "2. Qh5? Nf6"] {
        assert!(tree.contains(line), "{line} is not in {tree}");
    }
    let moves = run(&place, "repertoire tree mine 1.e4,e5 --depth 1 --db r.db -f tsv");
    assert_eq!(column(&moves.exits(0).stdout, "move"), ["Nf3", "Qh5"]);
    assert_eq!(column(&moves.stdout, "book"), ["true", "false"]);
    assert_eq!(column(&moves.stdout, "mistake"), ["false", "true"]);
    let table = run(&place, "repertoire tree mine 1.e4,e5 --depth 1 --db r.db -f table");
    table.exits(0).prints_part("\n*  Nf3").prints_part("\n?  Qh5");
}

#[test]
fn training_answers_a_mistake_with_what_the_coach_says() {
    let place = place();
    let train = |more: &str, answers: &str| {
        let args = format!("train mine --db r.db --now 2026-01-01{more}");
        place.pipe(&args.split(' ').collect::<Vec<_>>(), answers.as_bytes()).exits(0).stdout.clone()
    };
    let said = train("", "e4\nQh5\nq\n");
    assert!(said.contains("0 due, 5 new"), "{said}");
    for line in [
        "Wrong: 2. Qh5 is a known mistake; the book has 2. Nf3\n",
        "  Bad.\n",
        "  2... Nc6 3. Bc4 g6\n",
    ] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
    // 3. Bb5 is the main move, 3. d4 another one, or a mistake.
    let third = "e4\nNf3\nd4\nd4\nq\n";
    assert!(train(" --new 0 --until 2027-01-01", "e4\nNf3\nq\n").contains("Right: 2. Nf3"));
    assert!(!train("", third).contains("Wrong: 3. d4"));
    assert!(
        train(" --main --until 2027-01-01", "d4\nd4\nd4\nd4\nd4\nq\n").contains("Wrong: 3. d4")
    );
}

#[test]
fn dubious_moves_are_mistakes_if_the_repertoire_says_so() {
    let place = place();
    let moves = |more: &str| {
        let tree = "repertoire tree mine 1.e4,e5,Nf3,Nc6 --depth 1 --db r.db -f tsv";
        let run = run(&place, &format!("{tree}{more}"));
        let rows = run.exits(0).stdout.clone();
        let book = column(&rows, "move").into_iter().zip(column(&rows, "book"));
        book.filter(|(_, book)| book == "true").map(|(m, _)| m).collect::<Vec<_>>()
    };
    assert_eq!(moves(""), ["Bb5", "d4"]);
    assert_eq!(moves(" --mine no-dubious"), ["Bb5"]);
    run(&place, "repertoire add mine study.pgn --mine no-dubious --db r.db").exits(0);
    assert_eq!(moves(""), ["Bb5"]);
    let list = run(&place, "db list --db r.db").exits(0).stdout.clone();
    assert!(column(&list, "mine")[0].contains("no-dubious"), "{list}");
}

#[test]
fn lint_reports_what_sources_disagree_on_and_what_nobody_marked() {
    let place = place();
    place.write("other.pgn", "[Event \"Other\"]\n\n1. e4 e5 2. Qh5 (2. f4 {Loses a pawn.}) *\n");
    run(&place, "repertoire add mine other.pgn --db r.db").exits(0);
    let lint = run(&place, "repertoire lint mine --db r.db --only contradiction,unmarked-mistake");
    let rows = lint.exits(0).stdout.clone();
    assert_eq!(column(&rows, "kind"), ["contradiction", "unmarked mistake"]);
    let detail = column(&rows, "detail");
    assert_eq!(detail[0], "? (Open #1), and unmarked (Other #1)");
    assert!(detail[1].starts_with("Loses a pawn. (`eco repertoire edit"), "{rows}");
    // The mark wins.
    let moves = run(&place, "repertoire tree mine 1.e4,e5 --depth 1 --db r.db -f tsv");
    assert_eq!(column(&moves.stdout, "book"), ["true", "false", "true"]);
    // Chapters that have one first move leave no choice; here the first one with 2. f4 is alone.
    let choices = run(&place, "repertoire lint mine --db r.db --only choice");
    assert_eq!(column(&choices.exits(0).stdout, "moves"), ["Nf3, f4"]);
    run(&place, "repertoire edit mine 1.e4 e5 2.Nf3 --main --db r.db").exits(0);
    run(&place, "repertoire lint mine --db r.db --only choice").exits(0).complains("0 choice");
}

#[test]
fn editing_marks_mistakes() {
    let place = place();
    run(&place, "repertoire edit mine 1.e4 e5 2.Nf3 Nc6 3.d4 --glyph mistake --db r.db").exits(0);
    let tree = "repertoire tree mine 1.e4,e5,Nf3,Nc6 --depth 1 --db r.db -f tsv";
    let rows = run(&place, tree).exits(0).stdout.clone();
    assert_eq!(column(&rows, "move"), ["Bb5", "Nxe5", "d4"]);
    assert_eq!(column(&rows, "book"), ["true", "false", "false"]);
    let mark = "repertoire edit mine 1.e4 e5 2.Qh5 --glyph none --dry-run --db r.db";
    let change = run(&place, mark).exits(0).stdout.clone();
    assert!(change.contains("Qh5"), "{change}");
}
