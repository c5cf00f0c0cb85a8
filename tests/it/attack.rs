//! What was found by attack: files that outputs would overwrite, and text that speaks to terminals.

use std::{fs, path::Path};

use crate::{classify::packed, harness::Workplace};

const GAME: &str = "[White \"A\"]\n\n1. e4 c5 *\n";

fn with_database() -> Workplace {
    let place = Workplace::new();
    place.write("g.pgn", GAME);
    place.write("m.tsv", "eco\tname\tpgn\nB20\tMine\t1. e4 c5\n");
    place.run(&["ingest", "m.tsv", "--db", "my.db", "--quiet"]).exits(0);
    place
}

#[test]
fn no_output_overwrites_a_database() {
    let place = with_database();
    place.write("f.txt", "startpos\n");
    fs::create_dir(place.path("d")).unwrap();
    fs::copy(place.path("my.db"), place.path("d/g.pgn")).unwrap();
    fs::copy(place.path("my.db"), place.path("my.svg")).unwrap();
    let before = fs::read(place.path("my.db")).unwrap();
    for args in [
        &["tag", "g.pgn", "-o", "my.db"][..],
        &["tag", "g.pgn", "-o", "x.pgn", "--report", "my.db"],
        &["tag", "g.pgn", "--dry-run", "--report", "my.db"],
        &["tag", "g.pgn", "-O", "d"],
        &["search", "--format", "lichess", "-o", "my.db"],
        &["classify", "g.pgn", "-o", "my.db"],
        &["search", "B90", "-o", "my.db"],
        &["fen", "show", "startpos", "-o", "my.svg"],
    ] {
        place.run(args).exits(2).complains("is a database");
    }
    for name in ["my.db", "my.svg", "d/g.pgn"] {
        assert!(fs::read(place.path(name)).unwrap() == before, "{name} was overwritten");
    }
}

#[test]
fn no_output_overwrites_an_input() {
    let place = with_database();
    let before = fs::read(place.path("m.tsv")).unwrap();
    place
        .run(&["search", "--catalogue", "m.tsv", "--format", "lichess", "-o", "./m.tsv"])
        .exits(2)
        .complains("m.tsv is an input too");
    place.write("d/g.pgn", GAME);
    place.run(&["classify", "d", "-o", "d/g.pgn"]).exits(2).complains("is an input too");
    place.run(&["tag", "g.pgn", "-o", "x.pgn", "--report", "g.pgn"]).exits(2);
    for name in ["g.pgn", "d/g.pgn"] {
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), GAME);
    }
    assert_eq!(fs::read(place.path("m.tsv")).unwrap(), before);
}

/// Without the gate, each of these reads its own rows for ever.
#[test]
#[cfg(unix)]
fn standard_output_is_an_output_like_others() {
    let place = with_database();
    place.write("d/g.pgn", GAME);
    place.write("f.txt", "8/8/8/8/8/8/8/K1k5 w - - 0 1\n");
    for (command, file) in [
        ("eco tag g.pgn >> g.pgn", "g.pgn"),
        ("eco tag - < g.pgn >> g.pgn", "g.pgn"),
        ("eco classify d >> d/g.pgn", "d/g.pgn"),
        ("eco classify < g.pgn >> g.pgn", "g.pgn"),
        ("eco fen from-pgn g.pgn >> g.pgn", "g.pgn"),
        ("eco fen key - < f.txt >> f.txt", "f.txt"),
        ("eco fen check --format json < f.txt >> f.txt", "f.txt"),
        ("eco lookup - < f.txt >> f.txt", "f.txt"),
    ] {
        let before = fs::read(place.path(file)).unwrap();
        place.shell(command).exits(2).complains("standard output goes to a file that is an input");
        assert_eq!(fs::read(place.path(file)).unwrap(), before, "{command}");
    }
    place
        .shell("eco tag g.pgn --report r.tsv > r.tsv")
        .exits(2)
        .complains("standard output goes to r.tsv too");
    place.shell("eco tag g.pgn > t.pgn && eco tag g.pgn -o /dev/stdout > u.pgn").exits(0);
    assert_eq!(fs::read(place.path("t.pgn")).unwrap(), fs::read(place.path("u.pgn")).unwrap());
}

/// What opens a file for writing in another place goes around the gate.
#[test]
fn every_file_is_written_behind_the_gate() {
    const GATE: [&str; 5] = [
        "src/new_file/file.rs",
        "src/new_file/folder.rs",
        "src/new_file/mod.rs",
        "src/cli/replace.rs",
        "src/replace.rs",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    // The Python package is no part of the crate.
    folders.extend(Some(root.join("python/src")).filter(|folder| folder.is_dir()));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    assert!(files.len() > 100);
    for path in files {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        if GATE.contains(&&*name) || name.ends_with("tests.rs") {
            continue;
        }
        for call in [
            " File::create",
            "(File::create",
            "fs::File::create",
            "fs::write(",
            "OpenOptions",
            "fs::rename",
            "NamedTempFile",
        ] {
            assert!(!code.contains(call), "{name} calls {call}, which no gate guards");
        }
        // The one in `cli::games` looks at standard output as well.
        let is_cli = name.starts_with("src/cli/") && name != "src/cli/games.rs";
        for call in ["source::find_sources", "source::{find_sources", ", find_sources}, "] {
            assert!(!is_cli || !code.contains(call), "{name} finds sources past the gate");
        }
    }
}

#[test]
fn the_name_of_a_database_is_that_of_a_file() {
    let place = with_database();
    let before = fs::read(place.path("my.db")).unwrap();
    place.write("n.tsv", "eco\tname\tpgn\nA00\tOther\t1. a3\n");
    for name in ["file:my.db", ":memory:", "file:my.db?mode=memory"] {
        place.run(&["ingest", "n.tsv", "--db", name]).exits(0);
        place.run(&["lookup", "1. a3", "--catalogue", name]).exits(0).prints_part("Other");
        place.run(&["ingest", "m.tsv", "--db", name]).exits(0);
        place.run(&["lookup", "1. e4 c5", "--catalogue", name]).exits(0).prints_part("Mine");
        assert!(place.path(name).is_file(), "{name}");
    }
    assert!(fs::read(place.path("my.db")).unwrap() == before, "another file was changed");
}

#[test]
fn a_build_that_writes_nothing_leaves_nothing() {
    let place = Workplace::new();
    place.write("none.pgn", "no game\n");
    place.write("g.pgn", GAME);
    let build = ["repertoire", "build", "mine", "--db", "new.db", "--color", "white"];
    let run = place.run(&[&build[..], &["none.pgn"]].concat());
    run.exits(1).complains("nothing was written");
    assert_eq!(place.files(), ["g.pgn", "none.pgn"]);
    // One that had something before keeps it.
    place.run(&[&build[..], &["g.pgn"]].concat()).exits(0);
    let before = fs::read(place.path("new.db")).unwrap();
    place.run(&[&build[..], &["none.pgn"]].concat()).exits(1);
    assert!(fs::read(place.path("new.db")).unwrap() == before);
}

#[test]
fn a_run_removes_what_killed_runs_left() {
    let place = with_database();
    place.write(".eco-dead.tmp", "half a fi");
    place.write(".eco-live.tmp", "half a fi");
    let live = fs::File::open(place.path(".eco-live.tmp")).unwrap();
    live.lock().unwrap();
    place.run(&["ingest", "m.tsv", "--db", "new.db", "--quiet"]).exits(0);
    assert_eq!(place.files(), [".eco-live.tmp", "g.pgn", "m.tsv", "my.db", "new.db"]);
}

#[test]
fn no_json_and_no_message_speaks_to_a_terminal() {
    let place = Workplace::new();
    place.write("g.pgn", "[White \"\u{9b}31m\u{7f}\"]\n\n1. e4 \u{9b}31m *\n");
    place.write("l.txt", "1. e4 \u{9b}31m\n8/8/8/8/8/8/8/K1k5 w - - id \"\u{9b}31m\";\n");
    for args in [
        &["classify", "g.pgn", "--format", "jsonl"][..],
        &["classify", "g.pgn", "--format", "jsonl", "--explain"],
        &["classify", "g.pgn", "--explain"],
        &["classify", "--no\u{9b}31m\u{1b}[32m"],
        &["classify", "g.pgn", "--format", "\u{9b}31m\u{1b}[32m"],
        &["no\u{9b}31m\u{1b}[32m"],
    ] {
        let run = place.run(args);
        for text in [&run.stdout, &run.stderr] {
            let control = text.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(control, None, "eco {args:?} wrote {text:?}");
        }
        assert!(run.stdout.len() + run.stderr.len() > 10, "eco {args:?} wrote nothing");
    }
    let run = place.run(&["classify", "g.pgn", "--format", "jsonl", "--explain"]);
    run.prints_part("\\u009b31m: not a move");
    for args in [&["lookup", "--format", "jsonl"][..], &["lookup"], &["fen", "check"]] {
        let run = place.pipe(args, &fs::read(place.path("l.txt")).unwrap());
        let text = run.stdout.clone() + &run.stderr;
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{args:?}: {text:?}");
    }
    let run = place.pipe(&["lookup", "--format", "jsonl"], &fs::read(place.path("l.txt")).unwrap());
    run.prints_part("\\u009b31m");
}

#[test]
#[cfg(target_os = "linux")]
fn file_names_that_differ_in_bad_bytes_differ_in_the_rows() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let place = Workplace::new();
    for name in [&b"M\xfcller.pgn"[..], b"M\xf6ller.pgn"] {
        fs::write(place.folder().join(OsStr::from_bytes(name)), GAME).unwrap();
    }
    let run = place.run(&["classify", ".", "--no-header", "--fields", "source,eco"]);
    run.exits(0).prints("./M\u{fffd}f6ller.pgn\tB20\n./M\u{fffd}fcller.pgn\tB20\n");
}

#[test]
fn a_line_of_any_length_takes_no_more_memory_than_its_limit() {
    let place = Workplace::new();
    let long = [b"1. e4 ".repeat(400_000), b"\n1. d4 f5\n".to_vec()].concat();
    let run = place.pipe(&["lookup", "-", "--format", "jsonl"], &long);
    run.exits(1).complains("eco: line 1: longer than 1 MiB").prints_part("\"eco\":\"A80\"");
    assert_eq!(run.stdout.lines().count(), 2, "answers line up with lines");
}

/// Where such a line is longer than 64 KiB, it is read comment by comment.
#[test]
fn a_line_of_comments_of_any_length_ends_its_game() {
    let place = Workplace::new();
    let commented =
        "1. Nf3 { [%clk 0:01:00] } 1... Nf6 { [%clk 0:01:00] } 2. Ng1 { x } 2... Ng8 { y } ";
    // Up to its result, which lets a game without tags follow.
    let game = |length: usize| {
        let line = commented.repeat(length / commented.len());
        format!("[Event \"{length}\"]\n\n{line} 1-0\n1. d4 f5 *\n\n")
    };
    let lengths = [1_000, 65_300, 65_400, 65_500, 65_600, 130_000, 500_000];
    let pgn = lengths.map(game).concat();
    for threads in ["1", "2"] {
        let run =
            place.pipe(&[&ROWS[..], &["--format", "tsv", "-j", threads]].concat(), pgn.as_bytes());
        let rows: Vec<&str> = run.exits(0).stdout.lines().collect();
        assert_eq!(rows.len(), 2 * lengths.len());
        let is_dutch = |row: &&str| row.ends_with("\tA80\t");
        assert!(rows.iter().skip(1).step_by(2).all(is_dutch), "{rows:?}");
    }
}

#[test]
fn comments_of_any_size_are_read_for_commands() {
    let place = Workplace::new();
    let long = "x [%clk 0:00:01] ".repeat(100_000);
    let games = [
        format!("1. e4 {{{long}}} c5 {{{long}[%eval 0.3]}} *"),
        format!("1. e4 {{{}[%eval 0.3]}} *", "[%".repeat(500_000)),
        format!("1. e4 {{[%eval 0.3]}} ({long}{}", "(".repeat(500_000)),
        format!("1. e4 {{[%eval 0.3] {long}"),
    ];
    let pgn: String = games.map(|game| format!("[Event \"x\"]\n\n{game}\n\n")).concat();
    let fields = "eval_book,clock_book_white,clock_book_black";
    let args = ["classify", "-", "--no-header", "--fields", fields];
    let run = place.pipe(&args, pgn.as_bytes());
    run.exits(0).prints("30\t1\t1\n30\t\t\n30\t\t\n\t\t\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_master_without_end_is_refused() {
    let place = Workplace::new();
    let refusal = "larger than 256 MiB, and not read";
    place.run(&["ingest", "/dev/zero", "--db", "x.db"]).exits(1).complains(refusal);
    let add = ["repertoire", "add", "r", "--db", "x.db", "--color", "white", "--format"];
    for format in ["polyglot", "epd", "json"] {
        place.run(&[&add[..], &[format, "/dev/zero"]].concat()).exits(2).complains(refusal);
    }
    assert_eq!(place.files(), Vec::<String>::new());
}

const ROWS: [&str; 4] = ["classify", "--no-header", "--fields", "game,eco,error"];

/// Games that do not pack well.
fn noisy_games() -> Vec<u8> {
    let mut state = 1_u64;
    let games = (0..20_000).map(|number| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        format!("[Event \"{number}\"]\n[Noise \"{state:x}\"]\n\n1. e4 c5 *\n\n")
    });
    games.collect::<String>().into_bytes()
}

#[test]
fn a_damaged_archive_gives_the_games_before_the_damage_whatever_the_block_size() {
    let place = Workplace::new();
    let mut zip = packed("zip", &noisy_games());
    let middle = zip.len() / 2;
    zip[middle..middle + 40].fill(0xff);
    let mut cut = zip.clone();
    cut.truncate(middle + 1000);
    place.write("bad.zip", &zip);
    place.write("cut.zip", &cut);
    for (name, len) in [("bad.zip", zip.len()), ("cut.zip", cut.len())] {
        let run = |size| place.run(&[&ROWS[..], &["--block-size", size, name]].concat());
        let [small, large] = ["999", "1000000"].map(run);
        assert!(small.stdout == large.stdout, "rows depend on the size of blocks");
        let rows = large.exits(1).complains("cannot be read beyond byte ").stdout.lines().count();
        assert!(rows > 9_500, "{rows} games before damage in the middle of 20,000");
        let mut good = large.stdout.lines().take(9_500);
        assert!(good.all(|row| row.ends_with("\tB20\t")), "{name}: a good game is lost");
        let offset = large.stderr.split("byte ").nth(1).unwrap().split(':').next().unwrap();
        let offset: usize = offset.parse().unwrap();
        assert!((middle..=len).contains(&offset), "{name}: byte {offset} of {len}");
        assert_eq!(large.stderr.matches("cannot be read").count(), 1, "{}", large.stderr);
    }
}

#[test]
fn an_archive_with_a_wrong_checksum_is_damaged() {
    let place = Workplace::new();
    let mut zip = packed("zip", GAME.as_bytes());
    let directory = zip.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    zip[directory + 16] ^= 1;
    place.write("bad.zip", &zip);
    let run = place.run(&[&ROWS[..], &["bad.zip"]].concat());
    run.exits(1).prints("1\tB20\t\n").complains("the checksum of the entry does not match");
}

#[test]
fn zeros_after_gzip_are_padding() {
    let place = Workplace::new();
    let gz = packed("gz", GAME.as_bytes());
    for (bytes, rows) in [
        ([&gz[..], &[0; 512]].concat(), 1),
        ([&gz[..], &[0; 300_000]].concat(), 1),
        ([&gz[..], &[0; 100], &gz].concat(), 2),
    ] {
        place.write("g.pgn.gz", bytes);
        let run = place.run(&[&ROWS[..], &["g.pgn.gz"]].concat());
        assert_eq!(run.exits(0).is_silent().stdout.lines().count(), rows);
    }
    place.write("g.pgn.gz", [&gz[..], b"\0\0garbage"].concat());
    place.run(&[&ROWS[..], &["g.pgn.gz"]].concat()).exits(1).prints("1\tB20\t\n");
}

#[test]
fn an_xz_file_has_a_limited_dictionary() {
    let place = Workplace::new();
    let mut xz = packed("xz", GAME.as_bytes());
    // The header of the first block: its size, flags, and the filter LZMA2 with its dictionary.
    let end = 12 + 4 * usize::from(xz[12]);
    let at = 12 + xz[12..end].windows(2).position(|bytes| bytes == [0x21, 1]).unwrap() + 2;
    for (dictionary, is_read) in [(29, true), (37, false)] {
        xz[at] = dictionary;
        let crc = crc32(&xz[12..end]);
        xz[end..end + 4].copy_from_slice(&crc.to_le_bytes());
        place.write("g.pgn.xz", &xz);
        let run = place.run(&[&ROWS[..], &["g.pgn.xz"]].concat());
        if is_read {
            run.exits(0).prints("1\tB20\t\n").is_silent();
        } else {
            run.exits(1).prints("").complains("a dictionary of more than 128 MiB");
        }
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[test]
fn games_with_carriage_returns_alone_are_read_and_tagged() {
    let place = Workplace::new();
    let games = "[White \"A\"]\n\n1. e4 c5 *\n\n[White \"B\"]\n\n1. d4 ; a comment\nf5 *\n";
    place.write("lf.pgn", games);
    place.write("cr.pgn", games.replace('\n', "\r"));
    place.write("cr.pgn.gz", packed("gz", games.replace('\n', "\r").as_bytes()));
    let rows = "1\tB20\t\n2\tA80\t\n";
    for name in ["lf.pgn", "cr.pgn", "cr.pgn.gz"] {
        place.run(&[&ROWS[..], &[name]].concat()).exits(0).prints(rows);
    }
    let input = fs::read(place.path("cr.pgn")).unwrap();
    place.pipe(&ROWS, &input).exits(0).prints(rows);
    let tagged = place.run(&["tag", "lf.pgn", "-q"]).stdout;
    place.run(&["tag", "cr.pgn", "-q"]).exits(0).prints(&tagged.replace('\n', "\r"));
    place.run(&["tag", "cr.pgn", "--in-place", "-q"]).exits(0);
    let in_place = fs::read_to_string(place.path("cr.pgn")).unwrap();
    assert_eq!(in_place, tagged.replace('\n', "\r"));
    place.run(&["tag", "cr.pgn", "--in-place", "--strip", "-q"]).exits(0);
    assert_eq!(fs::read(place.path("cr.pgn")).unwrap(), input);
}

#[test]
fn prepared_lines_have_a_limit() {
    let place = Workplace::new();
    let comment = "x".repeat(1 << 20);
    let games: String = (0..130).map(|_| format!("1. e4 {{{comment}}} *\n\n")).collect();
    let add = ["repertoire", "add", "r", "--db", "x.db", "--color", "white", "-"];
    place.pipe(&add, games.as_bytes()).exits(2).complains("more than 128 MiB of PGN");
    assert_eq!(place.files(), Vec::<String>::new());
}

#[test]
fn a_file_named_csv_has_no_formulas() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 {=HYPERLINK(\"http://x\")} c5 {@SUM(A1)} *\n");
    let add = ["repertoire", "add", "mine", "--db", "my.db", "--color", "white", "-q", "g.pgn"];
    place.run(&add).exits(0);
    let export = |args: &[&str]| {
        let all = ["repertoire", "export", "mine", "--db", "my.db"];
        place.run(&[&all[..], args].concat()).exits(0).stdout.clone()
    };
    export(&["-o", "x.csv"]);
    export(&["-o", "x.txt", "-f", "csv"]);
    export(&["-o", "never.csv", "-f", "csv"]);
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    let raw = export(&["-f", "csv"]);
    assert!(raw.contains(",\"=HYPERLINK(") && raw.contains(",@SUM(A1),"), "{raw}");
    assert_eq!(read("x.txt"), raw);
    assert_eq!(read("never.csv"), raw);
    let safe = read("x.csv");
    assert!(safe.contains(",\"'=HYPERLINK(") && safe.contains(",'@SUM(A1),"), "{safe}");
    assert_eq!(export(&["-f", "csv-safe"]), safe);
    place.write("h.pgn", "[White \"=1+1\"]\n\n1. e4 *\n");
    place.run(&["classify", "h.pgn", "-o", "h.csv"]).exits(0);
    assert!(read("h.csv").contains(",'=1+1,"), "{}", read("h.csv"));
    place.run(&["classify", "h.pgn", "-f", "csv", "-o", "plain.csv"]).exits(0);
    assert!(read("plain.csv").contains(",=1+1,"), "{}", read("plain.csv"));
    place.run(&["classify", "h.pgn", "-f", "csv-safe"]).exits(0).prints_part(",'=1+1,");
    place.run(&["classify", "h.pgn", "--format", "csv"]).exits(0).prints_part(",=1+1,");
}

/// Needs `script`, which runs a program on a terminal of its own.
#[test]
#[cfg(target_os = "linux")]
fn games_on_a_terminal_cannot_control_it() {
    let place = Workplace::new();
    if place.shell("command -v script").code != Some(0) {
        eprintln!("skipped: there is no script(1) to run a command on a terminal");
        return;
    }
    let game = "[White \"\u{9b}31m\u{1b}[32m\"]\n\n1. e4 {\u{1b}]0;title\u{7}} c5 *\n";
    place.write("g.pgn", game);
    let build = ["repertoire", "build", "mine", "--db", "my.db", "--color", "white", "-q"];
    place.run(&[&build[..], &["g.pgn"]].concat()).exits(0);
    for command in
        ["eco tag g.pgn -q", "eco filter --follows mine:1 --db my.db --mine top:1 -q g.pgn"]
    {
        let run = place.shell(&format!("script -qec '{command}' /dev/null"));
        run.exits(0).prints_part("1. e4 { ]0;title } c5");
        let control = run.stdout.chars().find(|c| c.is_control() && !"\r\n".contains(*c));
        assert_eq!(control, None, "{command} wrote {:?}", run.stdout);
    }
}

/// What each file costs must not grow with the number of files in its folder.
#[test]
fn a_run_lists_the_folder_of_its_outputs_once() {
    let place = Workplace::new();
    for number in 0..300 {
        place.write(&format!("in/{number}.pgn"), GAME);
    }
    // What is left by a killed run is removed before the first output; what comes later stays.
    place.write("out/.eco-dead.tmp", "half a fi");
    place.run(&["tag", "in", "-O", "out", "-q"]).exits(0);
    let files = fs::read_dir(place.path("out")).unwrap();
    assert_eq!(files.count(), 300);
}

/// A million brackets took 27 seconds.
#[test]
fn brackets_cost_no_more_than_other_bytes() {
    let place = Workplace::new();
    for text in ["(", "1(", "e8(", "(e8", "{", "1)"] {
        let line = format!("startpos 1. e4 {}\n", text.repeat(1_000_000 / text.len()));
        let begun = std::time::Instant::now();
        place.pipe(&["fen", "move"], line.as_bytes()).exits(1);
        place.pipe(&["lookup", "-"], &line.as_bytes()["startpos ".len()..]);
        // Half a second each, where nothing is compiled for speed.
        assert!(begun.elapsed().as_secs() < 20, "{text:?}: {:?}", begun.elapsed());
    }
}
