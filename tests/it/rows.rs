//! Rows as all commands write them: formats, tables, files, colors; and what the environment and
//! usage errors say.

use std::{fs, process::Command};

use serde_json::Value;

use crate::harness::{Run, Workplace, famous_games};

const NAMED: &str =
    "[White \"A\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 *\n";

fn run_with(command: &mut Command, settings: &[(&str, &str)]) -> Run {
    Run::new(&command.envs(settings.iter().copied()).output().unwrap())
}

#[test]
fn the_name_of_the_output_decides_about_its_format() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    for (name, format) in
        [("a.csv", "csv"), ("a.tsv", "tsv"), ("a.jsonl", "jsonl"), ("a.txt", "table"), ("a", "tsv")]
    {
        place.run(&["classify", "g.pgn", "-o", name]).exits(0).prints("");
        let expected = place.run(&["classify", "g.pgn", "-f", format]).exits(0).stdout.clone();
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), expected, "{name}");
    }
    place.run(&["search", "najdorf", "-o", "b.csv", "-f", "jsonl"]).exits(2).prints("");
    place.run(&["search", "najdorf", "-o", "b.data", "-f", "jsonl"]).exits(0).prints("");
    let rows = fs::read_to_string(place.path("b.data")).unwrap();
    assert!(rows.lines().all(|row| serde_json::from_str::<Value>(row).is_ok()), "{rows}");
}

#[test]
fn an_output_is_whole_or_not_there_and_overwrites_no_input() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.run(&["classify", "g.pgn", "-o", "g.pgn"]).exits(2).complains("is an input too");
    place.run(&["classify", "g.pgn", "-o", "no/a.csv"]).exits(2).complains("cannot be written");
    assert_eq!(fs::read(place.path("g.pgn")).unwrap(), famous_games());
    assert_eq!(place.files(), ["g.pgn"]);
}

#[test]
fn tables_fit_the_width_that_is_asked_for() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    let table = ["classify", "g.pgn", "-f", "table"];
    for width in ["60", "80", "120", "200"] {
        let by_option = place.run(&[&table[..], &["--width", width]].concat());
        let by_environment = run_with(&mut place.command(&table), &[("COLUMNS", width)]);
        assert_eq!(by_option.exits(0).stdout, by_environment.stdout);
        let width: usize = width.parse().unwrap();
        assert!(by_option.stdout.lines().all(|line| line.chars().count() <= width));
    }
    let default = place.run(&table).stdout;
    assert_eq!(run_with(&mut place.command(&table), &[("COLUMNS", "x")]).stdout, default);
    let all = ["--fields", "all", "--width", "80"];
    let cut = place.run(&[&table[..], &all].concat());
    cut.exits(0).complains("the table has no room for ").complains("master_version");
}

#[test]
fn names_that_differ_in_their_last_part_differ_in_a_table() {
    let place = Workplace::new();
    let hits = place.run(&["search", "najdorf", "-f", "table", "--limit", "0"]);
    hits.exits(0).prints_part("English Attack").prints_part("Adams Attack");
    let mut rows: Vec<&str> = hits.stdout.lines().collect();
    let count = rows.len();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), count, "{}", hits.stdout);
}

#[test]
fn tables_of_several_files_say_which_one_a_game_is_from() {
    let place = Workplace::new();
    place.write("a.pgn", NAMED);
    place.write("b.pgn", NAMED);
    let one = place.run(&["classify", "a.pgn", "-f", "table"]).exits(0).stdout.clone();
    assert!(one.starts_with("game  white"), "{one}");
    let two = place.run(&["classify", ".", "-f", "table"]);
    two.exits(0).prints_part("source   game  white").prints_part("./b.pgn     1  A");
}

#[test]
fn colors_are_used_when_asked_for() {
    let place = Workplace::new();
    let search = ["search", "najdorf", "-f", "table", "--limit", "1"];
    let is_colored = |args: &[&str], settings: &[(&str, &str)]| {
        let run = run_with(&mut place.command(&[&search[..], args].concat()), settings);
        run.exits(0).stdout.starts_with("\u{1b}[1m")
    };
    assert!(!is_colored(&[], &[]));
    assert!(is_colored(&["--color", "always"], &[]));
    assert!(is_colored(&["--colour=always"], &[("NO_COLOR", "1")]));
    assert!(is_colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_colored(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
    let failed = place.run(&["classify", "no.pgn", "--color", "always"]);
    failed.exits(1).complains("\u{1b}[1;31meco:\u{1b}[0m no.pgn: No such file or directory\n");
    place.run(&["search", "x", "--color", "blue"]).exits(2).complains("auto, always or never");
}

#[test]
fn lists_are_arrays_and_shares_are_numbers_in_json() {
    let place = Workplace::new();
    place.write("g.pgn", NAMED);
    let build = ["repertoire", "build", "mine", "--db", "c.db", "--color", "white", "g.pgn"];
    place.run(&[&build[..], &["--player", "A", "--theirs", "share:5%"]].concat()).exits(0);
    let list = place.run(&["db", "list", "--db", "c.db", "-f", "jsonl"]);
    let row: Value = serde_json::from_str(&list.exits(0).stdout).unwrap();
    assert_eq!(row["players"], serde_json::json!(["A"]));
    assert_eq!(row["theirs"], serde_json::json!("share:5%"));
    let show =
        place.run(&["repertoire", "tree", "mine", "--depth", "1", "--db", "c.db", "-f", "jsonl"]);
    let row: Value = serde_json::from_str(show.exits(0).stdout.lines().next().unwrap()).unwrap();
    assert!(row["share"].as_f64().is_some_and(|share| share > 1.0), "{row}");
}

#[test]
fn all_tables_spell_dates_and_scores_alike() {
    let place = Workplace::new();
    let game = |date: &str, moves: &str| {
        format!("[White \"A\"]\n[Date \"{date}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    let games = [
        ("1956.10.17", "1. d4 d5"),
        ("1956.10.??", "1. d4 f5"),
        ("1956.??.??", "1. d4 f5"),
        ("????.??.??", "1. e4"),
        ("spring", "1. e4"),
    ];
    place.write("g.pgn", games.map(|(date, moves)| game(date, moves)).concat());
    let rows = |args: &[&str]| place.run(args).exits(0).stdout.replace("  ", " ");
    let dates = ["classify", "g.pgn", "--fields", "date,game", "--no-header", "-f"];
    let table = rows(&[&dates[..], &["table"]].concat());
    let shown: Vec<&str> = table.lines().map(str::trim).collect();
    assert_eq!(shown.len(), 5, "{table}");
    for (line, date) in table.lines().zip(["1956-10-17", "1956-10 ", "1956 ", " ", "spring "]) {
        assert!(line.starts_with(date), "{line:?} does not begin with {date:?}");
    }
    let tsv = rows(&[&dates[..], &["tsv"]].concat());
    assert!(tsv.starts_with("1956.10.17\t1\n1956.10.??\t2\n"), "{tsv}");

    place.run(&["repertoire", "build", "a", "g.pgn", "--color", "white", "--db", "a.db"]).exits(0);
    for command in [&["tree", "--depth", "1"][..], &["gaps"]] {
        let asked = [&["repertoire"], command, &["a", "--db", "a.db", "-f"]].concat();
        let (table, tsv) =
            (rows(&[&asked[..], &["table"]].concat()), place.run(&[&asked[..], &["tsv"]].concat()));
        assert!(table.contains("100.0"), "{command:?}: {table}");
        assert!(tsv.exits(0).stdout.contains("\t100.0\t"), "{command:?}: {}", tsv.stdout);
    }
}

#[test]
fn the_environment_names_a_catalogue_and_the_option_wins() {
    let place = Workplace::new();
    place.write("m.tsv", "eco\tname\tpgn\nB00\tMine\t1. e4\n");
    place.run(&["ingest", "m.tsv", "--db", "m.db", "--quiet"]).exits(0);
    place.write("g.pgn", "1. e4 *\n");
    let named = |args: &[&str], value: &str| {
        let args = [&["classify", "g.pgn", "--fields", "opening", "--no-header"], args].concat();
        run_with(&mut place.command(&args), &[("ECO_CATALOGUE", value)])
    };
    named(&[], "m.db").exits(0).prints("Mine\n");
    named(&["--catalogue", "m.db"], "no.db").exits(0).prints("Mine\n");
    named(&[], "no.db").exits(2).complains("no.db: No such file");
}

#[test]
fn the_environment_limits_vectors_and_no_row_depends_on_them() {
    let place = Workplace::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    for command in [&["classify", "--fields", "all"][..], &["stats", "--by", "eco"]] {
        let args = [command, &[data, "-f", "tsv"]].concat();
        let limited = |to: &str| {
            run_with(&mut place.command(&args), &[("ECO_VECTORS", to)]).exits(0).stdout.clone()
        };
        let widest = place.run(&args).exits(0).stdout.clone();
        assert!(widest.lines().count() > 20, "{widest}");
        for to in ["widest", "avx2", "baseline"] {
            assert_eq!(limited(to), widest, "{to}");
        }
    }
    let unknown = run_with(&mut place.command(&["search", "Dutch"]), &[("ECO_VECTORS", "mmx")]);
    unknown.exits(2).complains("ECO_VECTORS is mmx: give widest, avx2 or baseline");
}

#[test]
fn the_only_repertoire_needs_no_name() {
    let place = Workplace::new();
    place.write("g.pgn", NAMED);
    let build = |name| {
        let build = ["repertoire", "build", name, "--db", "c.db", "--color", "white", "g.pgn"];
        let whole = ["--player", "A", "--mine", "min-games:1", "--theirs", "min-games:1"];
        place.run(&[&build[..], &whole].concat()).exits(0);
    };
    build("mine");
    let repertoire =
        |args: &[&str]| place.run(&[&["repertoire"], args, &["--db", "c.db", "--quiet"]].concat());
    for (with_name, without) in [
        (&["gaps", "mine"][..], &["gaps"][..]),
        (&["lint", "mine"], &["lint"]),
        (&["check", "mine", "g.pgn"], &["check", "g.pgn"]),
    ] {
        let expected = repertoire(with_name).exits(0).stdout.clone();
        repertoire(without).exits(0).prints(&expected);
    }
    repertoire(&["gaps", "g.pgn"]).exits(2).complains("no repertoire 'g.pgn'; there is ");
    repertoire(&["check", "nobody", "g.pgn"]).exits(2).complains("nobody");
    place.write("b.pgn", "1. e4 c5 *\n\n1. d4 *\n");
    let black = ["repertoire", "add", "black", "--color", "black", "--db", "c.db", "b.pgn"];
    place.run(&black).exits(0);
    // Of each colour there is one: both.
    let rows = |args: &[&str]| repertoire(args).exits(0).stdout.lines().count() - 1;
    for command in ["gaps", "lint"] {
        assert_eq!(rows(&[command]), rows(&[command, "mine"]) + rows(&[command, "black"]));
    }
    let tree = ["repertoire", "tree", "--db", "c.db"];
    place.run(&tree).exits(0).prints_part("mine:\n").prints_part("\nblack:\n");
    let named = "name a repertoire; there is mine, black";
    place.run(&[&tree[..], &["-f", "tsv"]].concat()).exits(2).complains(named);
    repertoire(&["export", "-f", "pgn"]).exits(2).complains(named);
    build("other");
    repertoire(&["gaps"]).exits(2).complains("name a repertoire; there is mine, other, black");
    repertoire(&["check", "g.pgn"])
        .exits(2)
        .complains("name a repertoire; there is mine, other, black");
}

#[test]
fn errors_of_games_are_named_with_a_way_to_see_them() {
    let place = Workplace::new();
    place.write("v.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e4 e4 *\n");
    place.write("ok.pgn", NAMED);
    for (args, text) in [
        (
            &["v.pgn"][..],
            "1 of 2 games, of another variant, is not classified; 1 more with an error (see the \
             column `error`)\n",
        ),
        (&["v.pgn", "-f", "jsonl"], "(see the key `error`)\n"),
        (&["v.pgn", "-f", "table"], "(--fields game,white,black,error shows them)\n"),
        (&["v.pgn", "-f", "table", "--fields", "error"], "(see the column `error`)\n"),
    ] {
        place.run(&[&["classify"], args].concat()).exits(0).complains(text);
    }
    place.run(&["classify", "ok.pgn"]).exits(0).is_silent();
}

#[test]
fn usage_errors_say_what_there_is() {
    let place = Workplace::new();
    place.write("games.pgn", NAMED);
    for (args, advice) in [
        (&["games.pgn"][..], "'eco classify games.pgn'"),
        (&["no.pgn"], "'eco classify no.pgn'"),
        (&["classify", "games.pgn", "--json"], "there is '--format jsonl'"),
        (
            &["serve", "--port", "80x"],
            "eco: invalid value '80x' for '--port <N>': expected a whole number, without sign \
             or unit\n\nFor more information, try '--help'.\n",
        ),
        (&["search", "x", "--limit", ""], "'--limit <N>': expected a whole number"),
        (&["classify", "-j", "0"], "'--threads <N>': expected a whole number from 1\n"),
        (&["classify", "-j", &"9".repeat(30)], "'--threads <N>': expected a smaller number\n"),
        (&["serve", "--port", "80000"], "'--port <N>': 80000 is not in 0..=65535\n"),
        (&["serve", "--listen", "home"], "'--listen <ADDRESS>': expected an IP address such as"),
        (&["classify", "games.pgn", "--sort", "eco"], "sort(1)"),
        (&["fen", "show", "--arrow", "e2e4"], "'--mark'"),
        (&["clasify", "games.pgn"], "'classify'"),
        (&["classify", "games.pgn", "--fields", "gam"], "no field 'gam' (did you mean 'game'?)"),
        (&["filter", "games.pgn", "--by", "famly", "-O", "x"], "similar value exists: 'family'"),
        (&["tag", "games.pgn", "--add", "sorce"], "code:TAG (did you mean 'source'?)"),
        (&["fen", "move", "e4", "Sf3", "--lang", "germn"], "(did you mean 'German'?)"),
    ] {
        let run = place.run(args);
        run.exits(2).complains(advice);
        assert!(!run.stderr.contains("as a value"), "{}", run.stderr);
    }
    place.run(&["lookup", "startpos"]).exits(0);
}

/// Runs a command on a terminal of this width, if there is script(1).
fn on_terminal(place: &Workplace, width: usize, command: &str) -> Option<Run> {
    if place.shell("command -v script").code != Some(0) {
        eprintln!("skipped: there is no script(1) to run a command on a terminal");
        return None;
    }
    let command = format!("stty cols {width} rows 24; {command}");
    Some(place.shell(&format!("script -qec \"{command}\" /dev/null")))
}

#[test]
fn messages_break_between_words_on_a_terminal() {
    let place = Workplace::new();
    for command in
        ["eco train mine", "eco stats no.pgn --by famly", "eco serve x --cors -q --port x"]
    {
        let plain = format!("NO_COLOR=1 {command}");
        let Some(run) = on_terminal(&place, 60, &plain) else { return };
        let lines: Vec<&str> = run.stdout.lines().collect();
        let widest = lines.iter().map(|line| line.chars().count()).max();
        assert!(lines.len() > 1 && widest <= Some(60), "{command}: {}", run.stdout);
        // As one line in a pipe.
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let piped = place.shell(command);
        assert_eq!(words(&run.stdout), words(&piped.stderr), "{command}");
    }
    place.shell("eco train mine").exits(2).complains("make it, --db FILE names another\n");
}

#[test]
fn an_interrupt_is_left_to_the_pager() {
    let place = Workplace::new();
    let pager = "kill -INT $PPID; sleep 0.3; cat > seen.txt";
    place.write("pager", pager);
    place.write("run", "PAGER='. ./pager' eco search A B C D E --limit 0\n");
    let Some(run) = on_terminal(&place, 80, "sh run") else { return };
    run.exits(0);
    let seen = std::fs::read_to_string(place.path("seen.txt")).unwrap();
    assert!(seen.lines().count() > 3000, "{} lines", seen.lines().count());
}

#[test]
fn a_database_of_few_openings_says_so() {
    let place = Workplace::new();
    place.write("m.tsv", "eco\tname\tpgn\nB00\tMine\t1. e4\n");
    let run = place.run(&["ingest", "m.tsv", "--db", "alone.db"]);
    run.exits(0).complains(
        "--catalogue alone.db names openings by it, but it has only 1 position, of m; `eco ingest",
    );
    let both = place.run(&["ingest", "m.tsv", "builtin", "--db", "both.db"]);
    assert_eq!(both.exits(0).stderr, "--catalogue both.db names openings by it\n");
    let lookup = |db, moves| place.run(&["lookup", moves, "--catalogue", db]);
    lookup("both.db", "e4").exits(0).prints_part("Mine");
    lookup("both.db", "d4").exits(0).prints_part("Queen's Pawn Game");
    let alone = lookup("alone.db", "d4");
    assert!(!alone.exits(0).stdout.contains("Queen's Pawn Game"), "{}", alone.stdout);
    place.run(&["ingest", "m.tsv", "--db", "both.db", "--master", "again", "--quiet"]).is_silent();
}

#[test]
fn choices_are_read_in_any_case() {
    let place = Workplace::new();
    place.write("games.pgn", NAMED);
    for (args, choice) in [
        (&["classify", "games.pgn", "--format"][..], "jsonl"),
        (&["classify", "games.pgn", "--format", "tsv", "--fields"], "eco,opening"),
        (&["--color", "never", "fen", "show", "startpos", "--side"], "black"),
        (&["fen", "show", "startpos", "-o", "-", "--show"], "check"),
        (&["fen", "show", "startpos", "-o", "-", "--theme"], "night"),
        (&["filter", "games.pgn", "--player", "A", "--color"], "white"),
        (&["filter", "games.pgn", "--player", "A", "--result"], "win"),
        (&["stats", "games.pgn", "--by"], "eco"),
        (&["db", "list", "--db", "r.db", "--format"], "csv"),
        (&["completions"], "bash"),
        (&["lookup", "e4", "--color"], "never"),
    ] {
        let small = place.run(&[args, &[choice]].concat());
        let (big, first) = (choice.to_uppercase(), choice[..1].to_uppercase() + &choice[1..]);
        for typed in [&big, &first] {
            let run = place.run(&[args, &[typed]].concat());
            run.exits(small.code.unwrap()).prints(&small.stdout);
            assert_eq!(run.stderr, small.stderr, "{typed}");
        }
    }
}

#[test]
fn every_command_with_a_format_calls_it_f() {
    let place = Workplace::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for args in [
        &["fen", "check", start][..],
        &["fen", "key", start],
        &["fen", "move", "startpos", "e4"],
        &["lookup", "e4"],
        &["search", "najdorf"],
        &["db", "list", "builtin"],
    ] {
        let short = place.run(&[args, &["-f", "jsonl"]].concat()).exits(0).stdout.clone();
        place.run(&[args, &["--format", "jsonl"]].concat()).exits(0).prints(&short);
        assert!(short.starts_with('{'), "{short}");
    }
}

#[test]
fn pipes_and_files_get_every_row_unless_a_limit_is_given() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    // 40 moves without an answer.
    let replies = ["a5", "b6", "b5", "c6", "c5", "d6", "d5", "e6", "e5", "f6", "f5", "g6", "g5"];
    let replies = replies.iter().chain(&["h6", "h5", "Na6", "Nc6", "Nf6", "Nh6"]);
    let replies: String = replies.map(|reply| format!(" (1... {reply})")).collect();
    place.write("lines.pgn", format!("1. e4 a6{replies} *\n\n1. d4 a6{replies} *\n"));
    place.write("other.pgn", NAMED);
    place.write("own.tsv", "eco\tname\tpgn\nA00\tOwn\t1. a3\n");
    let add = ["repertoire", "add", "r", "lines.pgn", "--db", "r.db", "--color", "white"];
    place.run(&add).exits(0);
    for (command, least) in [
        ("search gambit", 1000),
        ("stats g.pgn --by player", 40),
        ("explore g.pgn", 4),
        ("repertoire gaps r --db r.db", 40),
        ("repertoire tree r --db r.db", 40),
        ("repertoire tree r 1.e4 --depth 1 --db r.db", 20),
        ("classify g.pgn", 4),
        ("novelties g.pgn --reference other.pgn", 4),
        ("fen from-pgn g.pgn", 4),
        ("fen from-pgn g.pgn --ply all -f tsv", 100),
        ("split g.pgn --parts 3", 3),
        ("db list r --db r.db", 2),
        ("db diff builtin own.tsv", 3000),
    ] {
        let run = |more: &[&str]| {
            let args: Vec<&str> = command.split(' ').chain(more.iter().copied()).collect();
            let run = place.run(&[&args[..], &["--no-header"]].concat());
            run.exits(0).stdout.lines().count()
        };
        let all = run(&[]);
        assert!(all >= least, "{command}: {all} rows");
        assert_eq!((run(&["--limit", "0"]), run(&["--limit", "2"])), (all, 2), "{command}");
        run(&["-o", "rows.tsv"]);
        let written = fs::read_to_string(place.path("rows.tsv")).unwrap();
        assert_eq!(written.lines().count(), all, "{command}");
        fs::remove_file(place.path("rows.tsv")).unwrap();
    }
}

#[test]
fn rows_beyond_the_limit_are_counted_where_all_are_known() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.write("own.tsv", "eco\tname\tpgn\nA00\tOwn\t1. a3\n");
    let run = |command: &str| place.run(&command.split(' ').collect::<Vec<_>>());
    run("split g.pgn --parts 3 --limit 1").exits(0).complains("... and 2 more (--limit)");
    run("db diff own.tsv builtin --limit 1").exits(0).complains(" more (--limit)\n");
    run("db diff own.tsv builtin --limit 1 -q").exits(0).is_silent();
    run("novelties g.pgn --reference g.pgn --limit 1").exits(0).complains(" more (--limit)\n");
    run("novelties g.pgn --reference g.pgn --limit 1 -q").exits(0).is_silent();
}

#[test]
fn games_beyond_the_limit_are_not_read() {
    let place = Workplace::new();
    place.write("many.pgn", famous_games().repeat(200));
    place.write("binary.pgn", [0; 100]);
    for (command, rows) in [
        ("classify many.pgn binary.pgn --no-header", 3),
        ("classify many.pgn binary.pgn --explain -f jsonl", 3),
        ("classify many.pgn binary.pgn --fields error,eco,white -f csv --no-header", 3),
        ("fen from-pgn many.pgn binary.pgn", 3),
    ] {
        let args: Vec<&str> = command.split(' ').collect();
        let whole = place.run(&args).exits(1).stdout.clone();
        let first: String = whole.split_inclusive('\n').take(rows).collect();
        let few = [&args[..], &["--limit", "3", "-j", "1"]].concat();
        place.run(&few).exits(0).prints(&first).is_silent();
    }
    let texts =
        place.run(&["classify", "many.pgn", "binary.pgn", "--explain", "--limit", "3", "-j", "1"]);
    assert_eq!(texts.exits(0).stdout.matches("\ngame ").count(), 2);
    let typed =
        ["classify", "many.pgn", "binary.pgn", "--limit", "3", "-j", "1", "-o", "rows.arrow"];
    place.run(&typed).exits(0).is_silent();
}
