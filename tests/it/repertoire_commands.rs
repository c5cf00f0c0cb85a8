//! The commands of a repertoire as somebody types them: parts of studies, lines that are cut, moves
//! that become the first choice, and what is said of that.

use crate::harness::{Run, Workplace};

fn repertoire(place: &Workplace, args: &[&str]) -> Run {
    place.run(&[&["repertoire"], args, &["--db", "r.db"]].concat())
}

/// A chapter of a study, as lichess writes it.
fn chapter(name: &str, moves: &str) -> String {
    format!(
        "[Event \"S: {name}\"]\n[StudyName \"S\"]\n[ChapterName \"{name}\"]\n\
         [ChapterURL \"https://lichess.org/study/abcdefgh/{name}\"]\n\n{moves} *\n\n"
    )
}

const STUDY: &str = "https://lichess.org/study/abcdefgh";

/// The sources and chapters of the repertoire `r`, with the number of their moves.
fn chapters(place: &Workplace) -> Vec<String> {
    let run = place.run(&["db", "list", "r", "--no-header", "--db", "r.db"]);
    let row = |line: &str| line.split('\t').skip(2).take(2).collect::<Vec<_>>().join(" ");
    run.exits(0).stdout.lines().map(row).collect()
}

fn place(chapters: &[(&str, &str)]) -> Workplace {
    let place = Workplace::new();
    let study: String = chapters.iter().map(|(name, moves)| chapter(name, moves)).collect();
    place.write("study.pgn", study);
    repertoire(&place, &["add", "r", "study.pgn", "--color", "white"]).exits(0);
    place
}

#[test]
fn a_single_chapter_does_not_take_its_study_away() {
    let place = place(&[("A", "1. d4 d5"), ("B", "1. d4 Nf6 2. c4"), ("C", "1. e4 e5")]);
    let all = ["S: A 2", "S: B 3", "S: C 2"];
    assert_eq!(chapters(&place), all);
    place.write("a.pgn", chapter("A", "1. d4 f5"));
    place.write("d.pgn", chapter("D", "1. c4 e5"));
    for more in [&["a.pgn"][..], &["d.pgn"], &["a.pgn", "--dry-run"]] {
        repertoire(&place, &[&["add", "r"], more].concat())
            .exits(2)
            .complains("nothing was written: --existing part keeps")
            .complains("S: B");
        assert_eq!(chapters(&place), all);
    }
    repertoire(&place, &["add", "r", "a.pgn", "--existing", "part"]).exits(0).prints(&format!(
        "r.db: r: 2 moves of 1 chapter; it has 6 now, in place of the earlier {STUDY}: 1 move gone, \
         1 new\n"
    ));
    repertoire(&place, &["add", "r", "d.pgn", "--existing", "part"])
        .exits(0)
        .prints_part("0 moves gone, 2 new; new chapter: S: D\n");
    assert_eq!(chapters(&place), ["S: A 2", "S: B 3", "S: C 2", "S: D 2"]);
    repertoire(&place, &["add", "r", "a.pgn", "--existing", "replace"])
        .exits(0)
        .prints_part("6 moves gone, 0 new; gone chapters: S: B, S: C, S: D\n");
    assert_eq!(chapters(&place), ["S: A 2"]);
}

#[test]
fn the_whole_study_replaces_itself_with_chapters_that_are_gone() {
    let place = place(&[("A", "1. d4 d5"), ("B", "1. d4 Nf6 2. c4")]);
    place.write("study.pgn", chapter("A", "1. d4 d5") + &chapter("C", "1. e4 e5"));
    repertoire(&place, &["add", "r", "study.pgn"])
        .exits(0)
        .prints_part("2 moves gone, 2 new; gone chapter: S: B; new chapter: S: C\n");
    assert_eq!(chapters(&place), ["S: A 2", "S: C 2"]);
}

#[test]
fn a_chapter_that_is_in_two_files_is_one() {
    let place = Workplace::new();
    place.write("A.pgn", chapter("A", "1. d4 d5") + &chapter("B", "1. e4 e5"));
    place.write("b.pgn", chapter("B", "1. e4 c5 2. Nf3"));
    let add = ["add", "r", "A.pgn", "b.pgn", "--color", "white"];
    repertoire(&place, &add)
        .exits(0)
        .prints("r.db: r: 5 moves of 2 chapters; it has 5 now\n")
        .complains("more than once in the input, and the last text counts: S: B");
    assert_eq!(chapters(&place), ["S: A 2", "S: B 3"]);
    let merged = ["add", "r", "A.pgn", "b.pgn", "--existing", "merge"];
    repertoire(&place, &merged).exits(0).complains("both texts count: S: B");
    assert_eq!(chapters(&place), ["S: A 2", "S: B 4"]);
}

#[test]
fn what_is_left_out_is_not_counted() {
    let place = Workplace::new();
    place.write("x.pgn", "[Variant \"Chess960\"]\n\n1. d4 *\n\n[Event \"B\"]\n\n1. e4 e5 *\n");
    repertoire(&place, &["add", "r", "x.pgn", "--color", "white"])
        .exits(1)
        .prints_part("2 moves of 1 chapter;")
        .complains("x.pgn: game 1: variant Chess960: left out");
}

#[test]
fn the_main_move_comes_from_the_chapter_that_has_it() {
    let place = place(&[("A", "1. d4 d5 2. c4"), ("B", "1. d4 Nf6 2. c4 e6")]);
    let pgn = repertoire(&place, &["export", "r", "--format", "pgn"]).exits(0).stdout.clone();
    let moves = |place: &Workplace| -> Vec<String> {
        let show = repertoire(place, &["tree", "r", "d4", "--depth", "1", "--no-header"]);
        show.exits(0).stdout.lines().map(|row| row.split('\t').next().unwrap().to_owned()).collect()
    };
    assert_eq!(moves(&place), ["d5", "Nf6"]);
    repertoire(&place, &["edit", "r", "1. d4 Nf6", "--main"]).exits(0);
    assert_eq!(moves(&place), ["Nf6", "d5"]);
    assert_eq!(repertoire(&place, &["export", "r", "--format", "pgn"]).stdout, pgn);
    assert_eq!(chapters(&place), ["S: A 3", "S: B 4"]);
    // It stays when something else is changed, and can be taken back.
    repertoire(&place, &["edit", "r", "1. d4 Nf6 2. c4 e6", "--cut"]).exits(0);
    assert_eq!(moves(&place), ["Nf6", "d5"]);
    repertoire(&place, &["edit", "r", "1. d4 d5", "--main"]).exits(0);
    assert_eq!(moves(&place), ["d5", "Nf6"]);
}

#[test]
fn comments_and_glyphs_are_set_and_removed() {
    let place = place(&[("A", "1. d4 {[%cal Gd2d4] solid} d5")]);
    let edit = |args: &[&str]| repertoire(&place, &[&["edit", "r", "1. d4"], args].concat());
    let pgn = || {
        let pgn = repertoire(&place, &["export", "r", "--format", "pgn"]).exits(0).stdout.clone();
        pgn.split("\n\n").nth(1).unwrap().trim().replace('\n', " ")
    };
    for (args, done, movetext) in [
        (&["--glyph", "good"][..], "glyph ! set", "1. d4 $1 {[%cal Gd2d4] solid} 1... d5 *"),
        (&["--comment", "old"], "comment set", "1. d4 $1 {[%cal Gd2d4]} {old} 1... d5 *"),
        (
            &["--comment", "[%eco end]"],
            "comment set",
            "1. d4 $1 {[%cal Gd2d4]} {old} {[%eco end]} 1... d5 *",
        ),
        (&["--comment", "", "--glyph", "none"], "glyphs removed, comments removed", "1. d4 d5 *"),
        (&["--glyph", "?!"], "glyph ?! set", "1. d4 $6 d5 *"),
        (&["--glyph", "mistake"], "glyph ? set", "1. d4 $2 d5 *"),
    ] {
        edit(args).exits(0).complains(&format!("r.db: r: 1. d4: {done}, in 'S: A'; it has 2"));
        assert_eq!(pgn(), movetext, "{args:?}");
    }
    edit(&["--glyph", "nice"]).exits(2).complains("expected good, mistake");
}

#[test]
fn a_line_that_is_added_stays_when_its_file_is_read_again() {
    let place = place(&[("A", "1. d4 d5"), ("B", "1. e4 e5")]);
    let edit = |args: &[&str]| repertoire(&place, &[&["edit", "r"], args].concat());
    let before = std::fs::read(place.path("r.db")).unwrap();
    edit(&["1.d4", "g6", "2.Bf4", "--comment", "solid", "--dry-run"])
        .exits(0)
        .complains("0 moves only in the first, 1 only in the second; nothing was written");
    assert!(std::fs::read(place.path("r.db")).unwrap() == before);
    edit(&["1.d4", "g6", "2.Bf4", "--comment", "solid"])
        .exits(0)
        .complains("r.db: r: 1.d4 g6 2.Bf4: 2 moves added, comment set; it has 6 moves now");
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40";
    edit(&[fen, "40.", "e4"]).exits(0).complains("1 move added, in 'edit'; it has 7 moves now");
    edit(&[&format!("{fen} e3"), "--source", "endings", "--main"])
        .exits(0)
        .complains("1 move added, main move; it has 8 moves now");
    repertoire(&place, &["add", "r", "study.pgn"]).exits(0).prints_part("0 moves gone, 0 new");
    assert_eq!(chapters(&place), ["S: A 2", "S: B 2", "edit 4", "endings 1"]);
    let tree = repertoire(&place, &["tree", "r"]);
    tree.exits(0).prints_part("1... g6 2. Bf4").prints_part(&format!("\n{fen}\n40. e3\n"));
    edit(&["--cut", "--source", "endings"]).exits(0).complains("endings: 1 move removed");
    for (args, reason) in [
        (&["--cut"][..], "required"),
        (&["--source", "x"], "name a line"),
        (&["d4", "--cut", "--source", "edit"], "leave out LINE"),
        (&[fen], "the line has no move"),
        (&["d4", "d4"], "d4"),
        (&["d4", "--cut", "--main"], "cannot be used with"),
    ] {
        edit(args).exits(2).complains(reason);
    }
}

/// The commands change a study, games, the settings and the name, and take each change back.
#[test]
fn each_change_is_listed_and_undone() {
    let place = place(&[("A", "1. d4 d5 2. c4 (2. Bf4)"), ("B", "1. e4 e5")]);
    place.write("games.pgn", "[White \"A\"]\n[Black \"B\"]\n\n1. d4 Nf6 1-0\n");
    place.write("other.pgn", "1. c4 *\n");
    let all = |place: &Workplace| {
        let commands =
            ["db list --db r.db", "repertoire tree r --db r.db -f jsonl", "db list r --db r.db"];
        let seen = commands.map(|command| place.line(command).exits(0).stdout.clone());
        seen.concat()
    };
    let mut states = Vec::new();
    for (command, what) in [
        ("repertoire edit r 1.d4 d5 2.Bf4 --main", "1.d4 d5 2.Bf4: main move, in 'S: A'"),
        (
            "repertoire edit r 1.d4 d5 2.c4 --mistake --comment no",
            "glyph ? set, comment set, in 'S: A'",
        ),
        ("repertoire build r games.pgn --player A", "1 game added"),
        (
            "repertoire edit r --cut --source https://lichess.org/study/abcdefgh",
            "in 'S: A', 'S: B'",
        ),
        ("repertoire add r other.pgn", "other.pgn added: 1 move"),
        ("repertoire edit r 1.c4 e5 2.g3", "1.c4 e5 2.g3: 2 moves added"),
    ] {
        states.push((what, all(&place)));
        place.line(&format!("{command} --db r.db")).exits(0);
    }
    let history = place.line("repertoire history r --db r.db --no-header");
    let change = |row: &str| row.rsplit('\t').next().unwrap().to_owned();
    let listed: Vec<String> = history.exits(0).stdout.lines().map(change).collect();
    assert_eq!(listed.len(), states.len() + 1);
    let before = std::fs::read(place.path("r.db")).unwrap();
    place.line("repertoire undo --dry-run --db r.db").exits(0).prints_part("would be undone: 1.c4");
    assert!(std::fs::read(place.path("r.db")).unwrap() == before);
    for ((what, state), listed) in states.iter().rev().zip(&listed) {
        assert!(listed.ends_with(what), "{listed} is not {what}");
        place
            .line("repertoire undo --db r.db")
            .exits(0)
            .prints_part(&format!("undone: {listed}; "));
        assert_eq!(&all(&place), state, "{what}");
    }
    // What is removed is there again; and what was made is gone.
    let kept = all(&place);
    place.line("db remove r --db r.db").exits(2).complains("nothing was removed");
    place.line("db remove r --yes --db r.db").exits(0);
    place.line("repertoire tree r --db r.db").exits(2).complains("no repertoire 'r'");
    place.line("repertoire undo r --db r.db").exits(0).prints_part("r: undone: removed");
    assert_eq!(all(&place), kept);
    place.line("db rename r s --db r.db").exits(0);
    place.line("repertoire undo s --db r.db").exits(0).prints_part("s: undone: renamed from r");
    assert_eq!(all(&place), kept);
    place.line("repertoire undo r --quiet --db r.db").exits(0).prints("");
    place.line("db list --db r.db --no-header").exits(0).prints("");
    place.line("repertoire undo --db r.db").exits(2).complains("there is nothing to undo");
    place.line("repertoire undo r --db r.db").exits(2).complains("no repertoire 'r'");
}

/// The journal and the book agree whenever an edit is killed: undone change by change, the lines
/// are those that they were.
#[test]
fn the_journal_and_the_book_agree_after_a_hundred_kills() {
    let place = place(&[("A", "1. d4 d5 2. c4 e6"), ("B", "1. d4 Nf6 2. c4 g6")]);
    let state = || {
        let database = eco::store::Database::open(&place.path("r.db")).unwrap();
        assert_eq!(database.integrity_faults().unwrap(), Vec::<String>::new());
        let changes = database.history(Some("r")).unwrap().len();
        (changes, database.preparation("r").unwrap().to_pgn("r"))
    };
    // How long an edit takes where the test runs.
    let begun = std::time::Instant::now();
    place.line("repertoire edit r 1.d4 --comment first --db r.db").exits(0);
    let usual = begun.elapsed().as_micros() as u64;
    let (first, mut states, mut random) = (state(), vec![state()], fastrand::Rng::with_seed(7));
    let edits = ["1.d4 d5 2.c4 --comment", "1.d4 Nf6 2.c4 --comment", "1.d4 c5 2.d5 --comment"];
    for number in 0..100 {
        let mut words = vec!["repertoire", "edit", "r", "--db", "r.db"];
        words.extend(edits[number % 3].split(' '));
        let text = number.to_string();
        words.push(&text);
        let mut child = place.command(&words).stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(random.u64(0..2 * usual)));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = state();
        match states.last() {
            Some(last) if *last == now => {}
            last => {
                assert_eq!(now.0, last.unwrap().0 + 1, "each change is in the journal once");
                states.push(now);
            }
        }
    }
    assert!(states.len() > 1, "none of 100 edits was done");
    while let Some(last) = states.pop() {
        assert_eq!(state(), last);
        if last != first {
            place.line("repertoire undo r --quiet --db r.db").exits(0);
        }
    }
}

#[test]
fn an_edit_is_done_again_when_its_file_is_added_again() {
    let place = place(&[("A", "1. d4 d5 {classical} (1... Nf6) (1... f5) 2. c4 e6")]);
    for edit in [
        "1.d4 Nf6 --main",
        "1.d4 d5 --comment mine",
        "1.d4 f5 --cut",
        "1.d4 d5 2.c4 e6 --glyph good",
    ] {
        place.line(&format!("repertoire edit r {edit} --db r.db")).exits(0);
    }
    let tree = || place.line("repertoire export r --format pgn --db r.db").exits(0).stdout.clone();
    let edited = tree();
    let add = || repertoire(&place, &["add", "r", "study.pgn"]);
    let same = add();
    let again = "1. d4 f5: removed again, with what only it leads to (--cut)\n";
    assert_eq!((tree(), same.exits(0).stderr.as_str()), (edited, again));
    place.write("study.pgn", chapter("A", "1. d4 d5 {solid} (1... Nf6) (1... f5) 2. c4 c6"));
    let dry = repertoire(&place, &["add", "r", "study.pgn", "--dry-run"]);
    for added in [dry, add()] {
        added
            .exits(0)
            .complains("1. d4 d5: your edit stays (--comment 'mine'); the input has 'solid' there")
            .complains("1. d4 d5 2. c4 e6: no longer prepared, so your edit is given up");
    }
    let now = tree();
    assert!(now.contains("1. d4 Nf6 (1... d5 {mine} 2. c4 c6) *"), "{now}");
    assert_eq!(add().exits(0).stderr, again, "the others are said once");
}

#[test]
fn an_empty_repertoire_says_so_and_a_misspelt_player_gets_names() {
    let place = Workplace::new();
    place.write("games.pgn", "[White \"Aronian, Levon\"]\n[Black \"X\"]\n\n1. e4 e5 1-0\n");
    repertoire(&place, &["build", "r", "games.pgn", "--color", "white"]).exits(0);
    for command in ["gaps", "lint"] {
        repertoire(&place, &[command, "r"])
            .exits(2)
            .complains("r has no move in its book: `eco repertoire add r NOTES.pgn`");
    }
    repertoire(&place, &["gaps", "r", "--mine", "min-games:1", "--player", "Aronain, Levon"])
        .exits(2)
        .complains("no game has a player 'Aronain, Levon': the nearest name is 'Aronian, Levon'");
    for breadth in ["top:0", "min-games:0", "top:1,top:2"] {
        repertoire(&place, &["gaps", "r", "--mine", breadth]).exits(2).complains("each once");
    }
    place.write("notes.pgn", "1. d4 d5 *\n");
    repertoire(&place, &["add", "r", "notes.pgn"]).exits(0);
    repertoire(&place, &["lint", "r", "--mine", "top:1"])
        .exits(0)
        .complains("--mine and --theirs choose among played moves");
}

#[test]
fn one_game_does_not_take_a_prepared_move_away() {
    let place = Workplace::new();
    place.write("notes.pgn", "1. e4 e5 (1... c5) *\n\n1. d4 d5 (1... f5) *\n");
    place.write("games.pgn", "[White \"A\"]\n\n1. e4 e6 *\n");
    repertoire(&place, &["add", "r", "notes.pgn", "--color", "white"]).exits(0);
    repertoire(&place, &["build", "r", "games.pgn"]).exits(0);
    let gaps = repertoire(&place, &["gaps", "r", "--no-header"]);
    let lines: Vec<&str> =
        gaps.exits(0).stdout.lines().map(|row| row.split('\t').next().unwrap()).collect();
    assert!(lines.contains(&"1. d4 d5") && lines.contains(&"1. d4 f5"), "{lines:?}");
}

#[test]
fn cards_are_counted_and_no_limit_is_all() {
    let place = place(&[("A", "1. d4 d5 2. c4 e6 3. Nc3")]);
    let export = ["export", "r", "--format", "anki"];
    for (more, cards) in
        [(&[][..], "3 cards"), (&["--limit", "0"], "3 cards"), (&["--limit", "1"], "1 card")]
    {
        let run = repertoire(&place, &[&export[..], more].concat());
        assert_eq!(run.exits(0).stderr, format!("{cards}\n"));
        let count: usize = cards.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(run.stdout.matches("\neco-r-").count(), count, "{}", run.stdout);
    }
}

#[test]
fn a_tree_keeps_to_the_width() {
    let place = place(&[("A", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 (4. cxd5)")]);
    let tree = ["tree", "r", "--depth", "12"];
    let wide = repertoire(&place, &tree).exits(0).stdout.clone();
    assert!(wide.lines().any(|line| line.chars().count() > 60), "{wide}");
    let narrow = repertoire(&place, &[&tree[..], &["--width", "60"]].concat());
    assert!(
        narrow.exits(0).stdout.lines().all(|line| line.chars().count() <= 60),
        "{}",
        narrow.stdout
    );
    assert_eq!(narrow.stdout.lines().count(), wide.lines().count());
}
