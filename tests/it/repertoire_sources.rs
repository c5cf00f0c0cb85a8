//! Where prepared lines are from: files that are known again, and chapters that come back as they
//! came.

use std::fs;

use crate::harness::{Run, Workplace};

fn repertoire(place: &Workplace, args: &[&str]) -> Run {
    place.run(&[&["repertoire"], args, &["--db", "r.db"]].concat())
}

fn place(files: &[(&str, &str)]) -> Workplace {
    let place = Workplace::new();
    for (name, moves) in files {
        if let Some((folder, _)) = name.rsplit_once('/') {
            fs::create_dir_all(place.path(folder)).unwrap();
        }
        place.write(name, format!("{moves} *\n"));
    }
    place
}

/// The names of sources, with the number of their moves.
fn sources(place: &Workplace) -> Vec<String> {
    let run = place.run(&["db", "list", "r", "--no-header", "--db", "r.db"]);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        format!("{} {}", cells[0], cells[3])
    };
    run.exits(0).stdout.lines().map(row).collect()
}

#[test]
fn another_file_of_the_same_name_takes_nothing_away() {
    let place = place(&[
        ("a/study.pgn", "1. e4 c5 2. Nf3 d6 3. d4"),
        ("b/study.pgn", "1. e4 e6 2. d4 d5 3. Nc3"),
    ]);
    repertoire(&place, &["add", "r", "a/study.pgn", "--color", "white"]).exits(0);
    for more in [&[][..], &["--dry-run"]] {
        repertoire(&place, &[&["add", "r", "b/study.pgn"], more].concat())
            .exits(2)
            .complains("study.pgn: the file has 1 of the 5 moves")
            .complains("nothing was written: --existing replace")
            .complains("--source 'b/study.pgn' makes it another source");
        assert_eq!(sources(&place), ["study.pgn 5"]);
    }
    repertoire(&place, &["add", "r", "b/study.pgn", "--source", "b/study.pgn"]).exits(0);
    assert_eq!(sources(&place), ["study.pgn 5", "b/study.pgn 5"]);
    // Both are known again, and may change.
    place.write("a/study.pgn", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 *\n");
    place.write("b/study.pgn", "1. e4 e6 2. d4 d5 3. Nd2 *\n");
    repertoire(&place, &["add", "r", "a/study.pgn", "b/study.pgn"])
        .exits(0)
        .prints_part("in place of the earlier study.pgn, b/study.pgn: 1 move gone, 2 new\n");
    assert_eq!(sources(&place), ["study.pgn 6", "b/study.pgn 5"]);
    place.write("b/study.pgn", "1. d4 d5 *\n");
    repertoire(&place, &["add", "r", "b/study.pgn", "--existing", "replace"]).exits(0);
    assert_eq!(sources(&place), ["study.pgn 6", "b/study.pgn 2"]);
}

#[test]
fn files_of_one_name_that_are_added_together_are_known_by_their_folders() {
    let place = place(&[("a/study.pgn", "1. e4 c5"), ("b/study.pgn", "1. d4 d5")]);
    let add = ["add", "r", "a", "b", "--color", "white"];
    repertoire(&place, &add).exits(0);
    assert_eq!(sources(&place), ["a/study.pgn 2", "b/study.pgn 2"]);
    place.write("a/study.pgn", "1. e4 c5 2. Nf3 *\n");
    repertoire(&place, &["add", "r", "a/study.pgn"]).exits(0);
    assert_eq!(sources(&place), ["a/study.pgn 3", "b/study.pgn 2"]);
}

/// A chapter with all tags of lichess, from a position in the middle of a game.
const CHAPTER: &str = r#"[Event "My Rep: Sicilian"]
[Date "2026.11.01"]
[Result "1/2-1/2"]
[Variant "From Position"]
[ECO "?"]
[Opening "?"]
[StudyName "My Rep"]
[ChapterName "Sicilian \\ \"A\""]
[ChapterURL "https://lichess.org/study/abcdefgh/ijklmnop"]
[Annotator "https://lichess.org/@/somebody"]
[FEN "r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 3 6"]
[SetUp "1"]
[UTCDate "2026.11.01"]
[UTCTime "10:00:00"]
[Orientation "black"]

6. Bg5 (6. Be3 Ng4) 6... e6 1/2-1/2
"#;

#[test]
fn a_chapter_comes_back_with_the_tags_and_the_fen_that_it_came_with() {
    let place = Workplace::new();
    // A square behind a pawn that nobody can take stays as it was written.
    let passed = "[ChapterName \"After 1. e4\"]\n\
                  [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]\n\
                  [Orientation \"white\"]\n\n1... c5 *\n";
    for (name, text) in [("lichess", CHAPTER), ("passed", passed)] {
        let file = format!("{name}.pgn");
        place.write(&file, text);
        repertoire(&place, &["add", name, &file, "--color", "black", "-q", "--yes"]).exits(0);
        let run = repertoire(&place, &["export", name, "--format", "pgn", "-q"]);
        run.exits(0).is_silent().prints(text);
    }
    let json = repertoire(&place, &["export", "lichess", "--format", "json", "-q"]);
    let fen = "r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 3 6";
    json.prints_part(&format!("\"roots\":[\"{fen}\"]"));
    place.write("again.json", &json.stdout);
    let add = ["add", "again", "again.json", "--format", "json", "--color", "black", "-q"];
    repertoire(&place, &add).exits(0);
    let again = ["export", "again", "--format", "json", "-q"];
    repertoire(&place, &again).prints_part(&format!("\"roots\":[\"{fen}\"]"));
    place.write("white.pgn", CHAPTER);
    repertoire(&place, &["add", "white", "white.pgn", "--color", "white", "-q", "-y"]).exits(0);
    let epd = ["export", "white", "--format", "epd", "-q"];
    let line = repertoire(&place, &epd).stdout;
    assert!(line.lines().next().unwrap().contains(" hmvc 3; fmvn 6;"), "{line}");
    place.write("white.epd", line);
    let add = ["add", "epd", "white.epd", "--format", "epd", "--color", "white", "-q"];
    repertoire(&place, &add).exits(0);
    repertoire(&place, &["export", "epd", "--format", "pgn", "-q"])
        .prints_part(&format!("[FEN \"{fen}\"]\n"))
        .prints_part("6. Bg5 (6. Be3");
}

/// A chapter to which lines from another position were merged is two games of one study.
#[test]
fn a_chapter_of_two_starts_keeps_its_names_and_its_result() {
    let tags = "[Event \"S: Sicilian\"]\n[StudyName \"S\"]\n[ChapterName \"Sicilian\"]\n\
        [ChapterURL \"https://lichess.org/study/abcdefgh/ijklmnop\"]\n";
    let fen = "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 3 40\"]\n";
    let place = Workplace::new();
    place.write("a.pgn", format!("{tags}\n1. e4 c5 1-0\n"));
    place.write("b.pgn", format!("{tags}{fen}\n40. e4 Ke6 1-0\n"));
    repertoire(&place, &["add", "r", "a.pgn", "--color", "white"]).exits(0);
    repertoire(&place, &["add", "r", "b.pgn", "--existing", "merge"]).exits(0);
    let export = |name: &str| {
        let args = ["export", name, "--format", "pgn"];
        repertoire(&place, &args).exits(0).stdout.clone()
    };
    let pgn = export("r");
    for part in ["[ChapterName \"Sicilian\"]", "[ChapterName \"Sicilian (2)\"]", "40. e4 Ke6"] {
        assert_eq!(pgn.matches(part).count(), 1, "{part}: {pgn}");
    }
    assert_eq!(pgn.matches("[StudyName \"S\"]").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[Result \"1-0\"]").count(), 2, "{pgn}");
    // And again.
    place.write("c.pgn", &pgn);
    repertoire(&place, &["add", "again", "c.pgn", "--color", "white"]).exits(0);
    assert_eq!(export("again"), pgn);
}

#[test]
fn an_export_says_what_it_wrote() {
    let place = place(&[("a.pgn", "1. e4 c5 (1... e5 2. Nf3) 2. Nf3")]);
    repertoire(&place, &["add", "r", "a.pgn", "--color", "white"]).exits(0);
    for (format, written) in [
        ("pgn", "1 game"),
        ("polyglot", "5 moves"),
        ("epd", "3 positions"),
        ("csv", "5 moves"),
        ("apkg", "3 cards"),
        ("anki", "3 cards"),
        ("json", "6 positions"),
    ] {
        let export = ["export", "r", "--format", format, "-o", "out"];
        let run = repertoire(&place, &export);
        assert_eq!(run.exits(0).stderr, format!("out: {written}\n"), "{format}");
        repertoire(&place, &[&export[..], &["-q"]].concat()).exits(0).is_silent();
    }
}

/// A repertoire of games has a choice in many positions: those that are met most often are first.
#[test]
fn lint_lists_first_what_is_met_most_often() {
    let place = Workplace::new();
    let game = |moves: &str, n: usize| {
        (0..n).map(|round| format!("[Round \"{round}\"]\n\n{moves} *\n\n")).collect::<String>()
    };
    place.write(
        "games.pgn",
        game("1. e4 e5 2. Nf3", 2)
            + &game("1. e4 e5 2. Nc3", 3)
            + &game("1. e4 c5 2. Nf3", 4)
            + &game("1. e4 c5 2. c3", 4),
    );
    repertoire(&place, &["build", "r", "games.pgn", "--color", "white"]).exits(0);
    let lint = |more: &[&str]| {
        let run = repertoire(&place, &[&["lint", "r", "--no-header"], more].concat());
        let cells = |row: &str| {
            let cells: Vec<&str> = row.split('\t').collect();
            format!("{} {}", cells[1], cells[4])
        };
        (run.stdout.lines().map(cells).collect::<Vec<_>>(), run.exits(0).stderr.clone())
    };
    let (rows, _) = lint(&["--only", "choice"]);
    assert_eq!(rows, ["1. e4 c5 8", "1. e4 e5 5"]);
    let (rows, counts) = lint(&["--limit", "1"]);
    assert_eq!(rows, ["1. e4 c5 8"]);
    assert!(counts.contains("2 findings: 2 choice") && counts.contains("... and 1 more (--limit)"));
    assert_eq!(lint(&["--limit", "0"]).0.len(), 2);
}

/// A course as its owner gets it: its names in the tags of a game, results of model games, and one
/// line whose tags could be those of two players.
const COURSE: &str = r#"[Event "Lifetime Repertoires: Caro-Kann"]
[White "3...Bf5"]
[Black "Main line #4"]
[Result "*"]

1. e4 c6 2. d4 d5 3. e5 {Advance.} Bf5 *

[Event "Lifetime Repertoires: Caro-Kann"]
[White "Fantasy"]
[Black "Karpov"]
[Result "*"]

1. e4 c6 2. d4 d5 3. f3 {Fantasy.} e6 *

[Event "Lifetime Repertoires: Caro-Kann"]
[White "3...Bf5"]
[Black "Short, Nigel"]
[Date "2024.01.02"]
[Result "0-1"]

1. e4 c6 2. d4 d5 3. e5 Bf5 4. Nf3 e6 0-1
"#;

#[test]
fn a_course_in_the_tags_of_games_is_a_source_with_its_chapters() {
    let place = Workplace::new();
    let game = "[Event \"Club\"]\n[White \"Novak, Ana\"]\n[Black \"Costa, Rui\"]\n\n1. e4 c6 *\n";
    place.write("course.pgn", format!("{COURSE}\n{game}"));
    repertoire(&place, &["add", "r", "course.pgn", "--color", "black"]).exits(0);
    let course = "Lifetime Repertoires: Caro-Kann";
    let rows = place.run(&["db", "list", "r", "--db", "r.db", "--no-header"]);
    let row = |number: usize, chapter: &str, moves: usize| {
        format!("{course}\t{number}\t{course}: {chapter}\t{moves}\t{chapter}\n")
    };
    rows.exits(0).prints(
        &[
            row(1, "3...Bf5: Main line #4", 6),
            row(2, "Fantasy: Karpov", 6),
            row(3, "3...Bf5: Short, Nigel", 8),
            "course.pgn\t1\tClub #4\t2\t1\n".to_owned(),
        ]
        .concat(),
    );
    let table = ["db", "list", "r", "--db", "r.db", "-f", "table", "--width", "80"];
    place.run(&table).exits(0).prints(
        "source                           number  chapter                moves\n\
         Lifetime Repertoires: Caro-Kann       1  3...Bf5: Main line #4      6\n\
         Lifetime Repertoires: Caro-Kann       2  Fantasy: Karpov            6\n\
         Lifetime Repertoires: Caro-Kann       3  3...Bf5: Short, Nigel      8\n\
         course.pgn                            1  Club #4                    2\n",
    );
    // Notes have the names of their chapters, and the export has the tags that came.
    let json = repertoire(&place, &["export", "r", "--format", "json"]).exits(0).stdout.clone();
    assert!(json.contains("\"source\":\"Lifetime Repertoires: Caro-Kann: Fantasy: Karpov\""));
    let pgn = repertoire(&place, &["export", "r"]).exits(0).stdout.clone();
    assert_eq!(pgn.matches("[Event \"Lifetime Repertoires: Caro-Kann\"]").count(), 3, "{pgn}");
    assert!(pgn.contains("[White \"3...Bf5\"]\n[Black \"Main line #4\"]\n"), "{pgn}");
    // A new edition of the course takes the place of the old one, and of nothing else.
    place.write("edition-2.pgn", COURSE.replace("4. Nf3 e6", "4. Nf3 e6 5. Be2 c5"));
    repertoire(&place, &["add", "r", "edition-2.pgn"]).exits(0).prints_part(
        "in place of the earlier Lifetime Repertoires: Caro-Kann: 0 moves gone, 2 new",
    );
}

#[test]
fn a_study_is_listed_by_its_name_and_not_by_its_address() {
    let place = Workplace::new();
    let chapter = |study: &str, name: &str, id: &str, moves: &str| {
        format!(
            "[Event \"{study}: {name}\"]\n[StudyName \"{study}\"]\n[ChapterName \"{name}\"]\n\
             [ChapterURL \"https://lichess.org/study/abcdefgh/{id}\"]\n\n{moves} *\n\n"
        )
    };
    let study = chapter("Open games", "Italian: Giuoco Piano", "aaaaaaaa", "1. e4 e5 2. Nf3")
        + &chapter("Open games", "Philidor", "bbbbbbbb", "1. e4 e5 2. Nf3 d6 3. d4");
    // As lichess wrote chapters before it had tags for their names.
    let old = "[Event \"Gambits: Evans\"]\n[Site \"https://lichess.org/study/ijklmnop/cccccccc\"]\n\n\
               1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 *\n";
    place.write("studies.pgn", study + old);
    repertoire(&place, &["add", "r", "studies.pgn", "--color", "white"]).exits(0);
    let table = ["db", "list", "r", "--db", "r.db", "-f", "table", "--width", "80"];
    place.run(&table).exits(0).prints(
        "source      number  chapter                moves\n\
         Open games       1  Italian: Giuoco Piano      3\n\
         Open games       2  Philidor                   5\n\
         Gambits          1  Evans                      7\n",
    );
    let rows =
        place.run(&["db", "list", "r", "--db", "r.db", "--no-header"]).exits(0).stdout.clone();
    let address = "https://lichess.org/study/abcdefgh";
    let row = format!("{address}\t2\tOpen games: Philidor\t5\t{address}/bbbbbbbb\n");
    assert!(rows.contains(&row), "{rows}");
}

#[test]
fn lines_of_the_other_side_are_a_question() {
    let place = Workplace::new();
    let tag = |side: &str| format!("[Event \"x\"]\n[Orientation \"{side}\"]\n\n1. e4 e5 *\n\n");
    place.write("tagged.pgn", tag("white") + &tag("Black") + "[Event \"y\"]\n\n1. e4 c5 *\n");
    let add = ["add", "r", "tagged.pgn", "--color", "white"];
    let run = repertoire(&place, &add);
    let seen = "r is for white, and tagged.pgn seems to be for black: [Orientation \"black\"] in 1 \
                of 3 chapters";
    assert_eq!(
        run.exits(2).stderr,
        format!(
            "eco: {seen}; nothing was written: --yes adds it, and another NAME with --color black \
             keeps it apart\n"
        )
    );
    assert!(!place.path("r.db").exists());
    repertoire(&place, &[&add[..], &["--dry-run"]].concat()).exits(0).complains(seen);
    repertoire(&place, &[&add[..], &["--yes"]].concat()).exits(0);
    // Without a tag the lines say it: Black has one answer to many moves.
    let lines = "1. e4 (1. d4 d5 2. c4 (2. Bf4 c5) (2. Nf3 Nf6) 2... e6 3. Nc3 (3. Nf3 Nf6) 3... Nf6) \
                 (1. c4 e5 2. Nc3 (2. g3 Nf6) 2... Nf6) 1... c5 2. Nf3 (2. Nc3 Nc6) (2. c3 Nf6) d6";
    place.write("black.pgn", format!("{lines} *\n"));
    repertoire(&place, &["add", "r", "black.pgn", "-y"]).exits(0);
    repertoire(&place, &["add", "own", "black.pgn", "--color", "black"]).exits(0);
    repertoire(&place, &["add", "r", "black.pgn"]).exits(2).complains(
        "black.pgn seems to be for black: white has several moves in 5 positions, black in 0",
    );
    // A tag that agrees is believed, and an unsure file is not asked about.
    place.write("black.pgn", format!("[Orientation \"white\"]\n\n{lines} *\n"));
    repertoire(&place, &["add", "r", "black.pgn"]).exits(0);
    place.write("few.pgn", "1. e4 (1. d4 d5) (1. c4 e5) 1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6 *\n");
    repertoire(&place, &["add", "r", "few.pgn"]).exits(0).is_silent();
}
