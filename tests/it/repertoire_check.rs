//! `eco repertoire check` and `eco filter --follows`: where games leave a repertoire.

use crate::harness::{Workplace, famous_games};

/// White's repertoire in three chapters that come to the same positions by other moves; one
/// variation is nested five deep.
pub const PREPARED: &str = "\
[Event \"Main\"]

1. d4 Nf6
  (1... e6 2. c4 $14 Nf6
    (2... d5 3. Nc3 c5
      (3... c6 4. e4 $1 dxe4
        (4... Bb4 5. e5 c5
          (5... Ne7)
        6. a3)
      5. Nxe4)
    4. cxd5)
  3. Nc3)
2. c4 e6 3. Nc3 Bb4 4. e3 *

[Event \"English\"]

1. c4 e6 (1... c5) (1... Nf6 2. Nc3) 2. d4 $15 *

[Event \"Doubts\"]

1. d4 e6 2. c4 d5 3. Nc3 c6 4. e4 $6 *
";

/// A place with the repertoire `mine` in `my.db`.
pub fn prepared() -> Workplace {
    let place = Workplace::new();
    place.write("prepared.pgn", PREPARED);
    place
        .run(&["repertoire", "add", "mine", "--db", "my.db", "--color", "white", "prepared.pgn"])
        .exits(0);
    place
}

/// Games with their expected rows: status, plies, move, book moves, re-entry, detail.
const GAMES: [(&str, &str); 14] = [
    ("1. d4 Nf6 2. c4 e6 3. Nf3 d5 0-1", "mine\t4\t3. Nf3\tNc3\t\t"),
    ("1. d4 Nf6 2. c4 e6 3. Nf3 b6 1-0", "mine\t4\t3. Nf3\tNc3\t\t"),
    ("1. d4 e6 2. c4 Nf6 3. Nc3 Bb4 4. Qc2 1/2-1/2", "mine\t6\t4. Qc2\te3\t\t"),
    ("1. d4 f5 2. c4 e6 1-0", "theirs\t1\t1... f5\tNf6, e6\t\t"),
    ("1. c4 e6 2. d4 d5 3. Nc3 c6 4. e4 Bb4 5. e5 Ne7 6. a3", "book ended\t10\t6. a3\t\t\t"),
    ("1. d4 Nf6 2. e3 e6 3. c4 Bb4 4. Nc3 1-0", "mine\t2\t2. e3\tc4\t7\t"),
    ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 1/2-1/2", "completed\t7\t\t\t\t"),
    ("1. d4 e6 0-1", "completed\t2\t\t\t\t"),
    ("1. d4 e6 2. Ke2 0-1", "completed\t2\t\t\t\tmove 2. Ke2: illegal"),
    ("*", "completed\t0\t\t\t\t"),
    ("[Variant \"Chess960\"]\n\n1. d4 *", "unmatched\t\t\t\t\tvariant Chess960: not classified"),
    (
        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2 *",
        "unmatched\t\t\t\t\tthe book does not have its first position",
    ),
    (
        "[FEN \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... d6 *",
        "theirs\t0\t1... d6\tNf6, e6\t\t",
    ),
    ("1. d4 e6 2. c4 {never closed", "completed\t3\t\t\t\tcomment never closed"),
];

fn games() -> String {
    let with_tags = |game: &str| {
        let gap = if game.starts_with('[') { "" } else { "\n" };
        format!("[White \"Nona\"]\n[Black \"Vera\"]\n{gap}{game}\n\n")
    };
    GAMES.iter().map(|(game, _)| with_tags(game)).collect()
}

#[test]
fn every_game_is_told_where_it_left_and_who_left_it() {
    let place = prepared();
    place.write("games.pgn", games());
    let check = ["repertoire", "check", "mine", "--db", "my.db", "games.pgn", "--games"];
    let usual = place.run(&[&check[..], &["--no-header"]].concat());
    assert!(!usual.exits(0).stdout.contains("unmatched"), "{}", usual.stdout);
    let all = ["--no-header", "--only", "mine,theirs,book-ended,completed,unmatched"];
    let run = place.run(&[&check[..], &all].concat());
    run.exits(0).complains("14 games: 4 mine, 2 theirs, 1 book ended, 5 completed, 2 unmatched");
    let told: Vec<String> = run
        .stdout
        .lines()
        .map(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            [cells[6], cells[7], cells[8], cells[9], cells[10], cells[14]].join("\t")
        })
        .collect();
    for ((game, expected), told) in GAMES.iter().zip(&told) {
        assert_eq!(told, expected, "for {game}");
    }
    assert_eq!(told.len(), GAMES.len());
}

#[test]
fn rows_have_the_opening_and_the_position_that_was_left() {
    let place = prepared();
    let check = ["repertoire", "check", "mine", "--db", "my.db", "--games", "-f", "jsonl", "-q"];
    let run = place.pipe(&check, b"[White \"A\"]\n\n1. d4 e6 2. c4 Nf6 3. Nf3 b6 *\n");
    run.exits(0).is_silent();
    let row: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(row["opening"], "Queen's Indian Defense");
    assert_eq!(row["key"], "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -");
    assert_eq!((&row["ply"], &row["move"]), (&4.into(), &"3. Nf3".into()));
    let game = b"[Site \"https://lichess.org/abcdefgh\"]\n[White \"A\"]\n[Black \"Vera\"]\n\
                 [WhiteElo \"1800\"]\n[BlackElo \"1900\"]\n\n1. d4 a6 *\n";
    let linked: serde_json::Value = serde_json::from_str(&place.pipe(&check, game).stdout).unwrap();
    let told = ["opponent", "rating", "opponent_rating", "link"].map(|name| &linked[name]);
    assert_eq!(
        serde_json::json!(told),
        serde_json::json!(["Vera", 1800, 1900, "https://lichess.org/abcdefgh"])
    );
    assert_eq!((&row["reentry"], &row["detail"]), (&serde_json::Value::Null, &row["reentry"]));
}

#[test]
fn only_games_of_the_player_and_of_the_status_are_listed() {
    let place = prepared();
    place.write("games.pgn", games().replacen("Nona", "Gaprindashvili, N.", 1));
    let check = ["repertoire", "check", "mine", "--db", "my.db", "games.pgn", "--no-header"];
    let run = |more: &[&str]| place.run(&[&check[..], &["--games"], more].concat());
    run(&["--player", "n. gaprindashvili"])
        .complains("14 games: 1 mine, 0 theirs, 0 book ended, 0 completed, 13 unmatched");
    run(&["--player", "Vera"])
        .complains("14 unmatched")
        .complains("no game of that player as white");
    run(&["--since", "1990"]).complains("14 unmatched");
    let mine = run(&["--only", "mine,theirs"]);
    assert_eq!(mine.exits(0).stdout.lines().count(), 6);
    let mine = mine.stdout.clone();
    for format in ["tsv", "jsonl", "table"] {
        let all = run(&["--only", "mine,theirs", "-f", format]).stdout.clone();
        let first: String = all.split_inclusive('\n').take(2).collect();
        let two = run(&["--only", "mine,theirs", "-f", format, "--limit", "2"]);
        let two = two.exits(0).complains("... and 4 more (--limit)\n14 games: 4 mine");
        assert_eq!(two.stdout.lines().count(), 2, "{}", two.stdout);
        assert!(format == "table" || two.stdout == first, "{}", two.stdout);
    }
    run(&["--only", "mine,theirs", "--limit", "0"]).exits(0).prints(&mine);
    let parquet = [&check[..6], &["--games", "--limit", "3", "-o", "rows.parquet"]].concat();
    place.run(&parquet).exits(0).complains("... and 9 more (--limit)");
    run(&["--only", "lost"]).exits(2);
}

#[test]
fn a_summary_tells_what_leaving_cost() {
    let place = prepared();
    place.write("games.pgn", games());
    let check = ["repertoire", "check", "mine", "--db", "my.db", "games.pgn"];
    let usual = place.run(&[&check[..], &["--no-header"]].concat());
    assert_eq!(usual.exits(0).stdout.lines().count(), 1);
    usual.complains("5 more with fewer than 2 games (--min-games)");
    let check = [&check[..], &["--min-games", "1"]].concat();
    let run = place.run(&[&check[..], &["--limit", "3", "--no-header"]].concat());
    assert_eq!(run.exits(0).stdout.lines().count(), 3);
    place.run(&[&check[..], &["--games"]].concat()).exits(2).complains("cannot be used with");
    let run = place.run(&[&check[..], &["--format", "jsonl"]].concat());
    let rows: Vec<serde_json::Value> =
        run.stdout.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    // 4 points in 8 games with a result and a path through the book: 0.5 a game.
    let told = |row: &serde_json::Value| {
        let told = ["line", "status", "move", "games", "cost"].map(|name| row[name].to_string());
        told.join(" ").replace('"', "")
    };
    let told: Vec<String> = rows.iter().map(told).collect();
    assert_eq!(
        told,
        [
            "1. d4 Nf6 2. c4 e6 mine 3. Nf3 2 0.0",
            "1. d4 e6 2. c4 d5 3. Nc3 c6 4. e4 Bb4 5. e5 Ne7 book ended 6. a3 1 0.0",
            "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 mine 4. Qc2 1 0.0",
            "1. d4 theirs 1... d6 1 0.0",
            "1. d4 Nf6 mine 2. e3 1 -0.5",
            "1. d4 theirs 1... f5 1 -0.5",
        ]
    );
    assert_eq!(rows[0]["opening"], "Indian Defense: Normal Variation");
    let table = place.run(&[&check[..], &["--format", "table"]].concat());
    assert!(table.stdout.lines().all(|line| line.chars().count() <= 80), "{}", table.stdout);
}

#[test]
fn rows_and_bytes_are_the_same_on_any_number_of_threads() {
    let place = prepared();
    place.write("games.pgn", [famous_games(), games().into_bytes()].concat());
    let mine = ["mine", "--db", "my.db"];
    for command in [
        &["check", "games.pgn", "--games"][..],
        &["check", "games.pgn", "--min-games", "1"],
        &["gaps", "--reference", "games.pgn"],
    ] {
        let run = |threads: &str, size: &str| {
            let (name, rest) = command.split_first().unwrap();
            let how = ["--threads", threads, "--block-size", size];
            let args = [&["repertoire", name], &mine[..], rest, &how].concat();
            place.run(&args).exits(0).stdout.clone()
        };
        let one = run("1", "1000000");
        assert!(one.lines().count() > 5, "{one}");
        for (threads, size) in [("1", "700"), ("3", "700"), ("2", "5000")] {
            assert_eq!(run(threads, size), one, "{command:?} on {threads}, {size} bytes");
        }
    }
}

#[test]
fn each_game_is_followed_in_the_book_of_its_colour() {
    let place = prepared();
    place.write("black.pgn", "1. d4 f5 *\n");
    place
        .run(&["repertoire", "add", "black", "black.pgn", "--color", "black", "--db", "my.db"])
        .exits(0);
    let game = |white: &str, black: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves} *\n\n")
    };
    let games = [
        game("Nona", "Vera", "1. d4 Nf6 2. e3"),
        game("Vera", "Nona", "1. d4 d5"),
        game("Vera", "Maja", "1. d4 d5"),
    ];
    place.write("games.pgn", games.concat());
    let check = ["repertoire", "check", "games.pgn", "--db", "my.db", "--no-header"];
    place.run(&check).exits(2).complains("the repertoires mine, black").complains("--player");
    let check = [&check[..], &["--player", "Nona"]].concat();
    let run = place.run(&[&check[..], &["--games"]].concat());
    run.exits(0).complains("3 games: 2 mine, 0 theirs, 0 book ended, 0 completed, 1 unmatched");
    assert_eq!(run.stdout.lines().count(), 2, "{}", run.stdout);
    let run = place.run(&[&check[..], &["--min-games", "1"]].concat());
    run.exits(0)
        .prints_part("1. d4 Nf6\tmine\t2. e3\tc4\t")
        .prints_part("1. d4\tmine\t1... d5\tf5\t");
}

/// Whether `part` is `whole` with something left out.
fn is_subsequence(part: &[u8], whole: &[u8]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|byte| rest.any(|other| other == byte))
}

#[test]
fn filtered_games_are_the_bytes_they_were() {
    let place = prepared();
    let whole = [games().into_bytes(), famous_games()].concat();
    place.write("games.pgn", &whole);
    let run = |ply: &str| {
        let follows = format!("mine:{ply}");
        place.run(&["filter", "--db", "my.db", "games.pgn", "--follows", &follows])
    };
    for (ply, count) in [("0", 42), ("4", 7), ("7", 3), ("11", 0)] {
        let kept = run(ply);
        kept.exits(0).complains(&format!("{count} of 44 games are selected"));
        assert!(is_subsequence(kept.stdout.as_bytes(), &whole), "{}", kept.stdout);
        assert_eq!(kept.stdout.matches("[White ").count(), count, "{}", kept.stdout);
    }
    run("7").prints_part(
        "[White \"Nona\"]\n[Black \"Vera\"]\n\n1. c4 e6 2. d4 d5 3. Nc3 c6 4. e4 Bb4 5. e5 Ne7 6. a3\n\n\
         [White \"Nona\"]\n[Black \"Vera\"]\n\n1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 1/2-1/2\n\n",
    );
}

#[test]
fn filtered_games_keep_carriage_returns_alone() {
    let place = prepared();
    let old = games().replace('\n', "\r");
    place.write("games.pgn", &old);
    let filter = ["filter", "--db", "my.db", "--follows", "mine:4"];
    let kept = place.run(&[&filter[..], &["games.pgn"]].concat());
    assert!(!kept.exits(0).stdout.contains('\n'), "{:?}", kept.stdout);
    assert!(kept.stdout.contains("[White "));
    assert!(is_subsequence(kept.stdout.as_bytes(), old.as_bytes()), "{:?}", kept.stdout);
    // A line that the file does not end is ended before the next file.
    let open = kept.stdout.trim_end().to_owned();
    place.write("open.pgn", &open);
    let both = place.run(&[&filter[..], &["open.pgn", "games.pgn"]].concat());
    assert_eq!(both.exits(0).stdout, format!("{open}\r{}", kept.stdout));
}

#[test]
fn filtered_games_go_to_a_file_but_never_over_what_is_read_or_a_database() {
    let place = prepared();
    place.write("games.pgn", games());
    // A file whose last game does not end its line.
    place.write("more.pgn", "[White \"C\"]\n\n1. d4 e6 *");
    let filter = |inputs: &[&str], more: &[&str]| {
        let base = ["filter", "--db", "my.db", "--follows", "mine:2"];
        place.run(&[&base[..], inputs, more].concat())
    };
    let plain = filter(&["more.pgn", "games.pgn"], &[]).exits(0).stdout.clone();
    assert!(plain.starts_with("[White \"C\"]\n\n1. d4 e6 *\n[White \"Nona\"]"), "{plain}");
    filter(&["more.pgn", "games.pgn"], &["-o", "out.pgn"]).exits(0).prints("");
    assert_eq!(std::fs::read_to_string(place.path("out.pgn")).unwrap(), plain);
    filter(&["more.pgn", "games.pgn"], &["-o", "out.pgn.zst"]).exits(0);
    let packed = std::fs::read(place.path("out.pgn.zst")).unwrap();
    assert_eq!(zstd::decode_all(&packed[..]).unwrap(), plain.as_bytes());
    let before = std::fs::read(place.path("my.db")).unwrap();
    filter(&["games.pgn"], &["-o", "my.db"]).exits(2).complains("is a database");
    assert_eq!(std::fs::read(place.path("my.db")).unwrap(), before);
    filter(&["games.pgn"], &["-o", "games.pgn"]).exits(2).complains("is an input too");
    assert_eq!(std::fs::read_to_string(place.path("games.pgn")).unwrap(), games());
    filter(&["games.pgn", "none.pgn"], &["-o", "out.pgn"]).exits(1).complains("none.pgn");
    filter(&["games.pgn"], &["-o", "no/such/folder.pgn"]).exits(2).complains("cannot be written");
}

#[test]
fn an_output_that_is_refused_has_no_counts() {
    let place = prepared();
    place.write("games.pgn", games());
    for more in [&[][..], &["--games"]] {
        let check = ["repertoire", "check", "mine", "--db", "my.db", "-f", "parquet", "games.pgn"];
        let run = place.run(&[&check, more].concat());
        run.exits(2).complains("name it with -o").prints("");
        assert!(!run.stderr.contains("games:"), "{}", run.stderr);
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let place = prepared();
    place.write("games.pgn", games());
    place.write("empty.pgn", "");
    for (args, reason) in [
        (&["check", "yours", "--db", "my.db", "games.pgn"][..], "yours"),
        (&["check", "mine", "--db", "none.db", "games.pgn"], "none.db"),
        (&["check", "mine", "--db", "games.pgn", "games.pgn"], "games.pgn"),
        (&["gaps", "mine", "--db", "my.db", "--reference", "none.pgn"], "none.pgn"),
        (
            &["gaps", "mine", "--db", "my.db", "--reference", "empty.pgn"],
            "no games to compare with",
        ),
        (
            &["gaps", "mine", "--db", "my.db", "--reference", "games.pgn:x"],
            "games.pgn: is no position database",
        ),
        (&["gaps", "mine", "--db", "my.db", "--reference", "my.db:x"], "x"),
    ] {
        place.run(&[&["repertoire"], args].concat()).exits(2).complains(reason);
    }
    place.run(&["novelties", "games.pgn"]).exits(2).complains("--reference");
    for (book, reason) in [("mine", "such as white:8"), ("yours:4", "yours")] {
        let filter = ["filter", "games.pgn", "--db", "my.db", "--follows", book];
        place.run(&filter).exits(2).complains(reason);
    }
    place
        .run(&["repertoire", "check", "mine", "--db", "my.db", "games.pgn", "none.pgn"])
        .exits(1)
        .complains("none.pgn");
}
