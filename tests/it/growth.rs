//! Costs grow as the input does, in every dimension of it: twice as much takes twice as many
//! instructions. What is quadratic takes four times as many.
//!
//! `valgrind --tool=callgrind` counts them, so that a busy machine changes nothing; without it the
//! test says that it was skipped. What a group takes of the memory has a limit in bytes.

use std::{
    fs,
    io::Read,
    process::{Command, Stdio},
};

use crate::harness::Workplace;

/// How much more the last doubling may take than the one before: 2 is linear, 4 quadratic.
const LIMIT: f64 = 2.5;

/// Something there may be more of: its name, how many there are at first, what `count` of them
/// look like in a file of `d`, and commands, of which the instructions of the last are counted.
type Dimension = (&'static str, usize, fn(usize) -> String, &'static [&'static str]);

const ADD: &str = "repertoire add r --color white --db x.db d";
const INDEX: &str = "index d --db x.db --threads 1";
const BUILD: &str = "repertoire build r d --color white --db x.db --threads 1";
const INGEST: &str = "ingest d/0.pgn --format tsv --db x.db";
const CLASSIFY: &[&str] = &["classify d --threads 1"];
const TAG: &[&str] = &["tag d/0.pgn --threads 1"];
const FILTER: &[&str] = &["filter d --eco B --threads 1"];
const BY_PLAYER: &[&str] = &["stats d --by player --threads 1"];
const SEARCH: &[&str] = &[INGEST, "search opening --limit 0 --catalogue x.db"];
const GAPS: &[&str] = &[ADD, "repertoire gaps r --limit 0 --db x.db"];
const PLAYED_GAPS: &[&str] = &[BUILD, "repertoire gaps r --limit 0 --db x.db"];
const ADD_BLACK: &str = "repertoire add r --color black --db x.db d";
const PREPARE: &[&str] = &[ADD_BLACK, "prepare --against x d --db x.db --threads 1 -q"];
const EXPLORE: &[&str] = &[INDEX, "explore e4 --db x.db"];
const EXPLORE_PLAYER: &[&str] = &[INDEX, "explore e4 --player a1 --db x.db"];
const LINT: &[&str] = &[ADD, "repertoire lint r --limit 0 --db x.db"];
const EXPORT: &[&str] = &[ADD, "repertoire export r --format pgn --db x.db"];

const DIMENSIONS: &[Dimension] = &[
    ("games, classify", 2000, games, CLASSIFY),
    ("games, tag", 2000, games, TAG),
    ("games, filter", 2000, games, FILTER),
    ("games, index", 500, games, &[INDEX]),
    ("games, explore", 2000, games, EXPLORE),
    ("games, explore with a player", 2000, games, EXPLORE_PLAYER),
    ("games, repertoire build", 500, games, &[BUILD]),
    ("games, repertoire gaps", 500, games, PLAYED_GAPS),
    ("games, prepare", 500, opponent, PREPARE),
    ("players, stats", 1000, games, BY_PLAYER),
    ("tags, classify", 2000, tags, CLASSIFY),
    ("tags, index", 500, tags, &[INDEX]),
    ("tags, repertoire add", 2000, tags, &[ADD]),
    ("chapters, repertoire add", 1000, chapters, &[ADD]),
    ("chapters, repertoire export", 500, chapters, EXPORT),
    ("lines, repertoire add", 200, lines, &[ADD]),
    ("lines, repertoire gaps", 500, lines, GAPS),
    ("lines, repertoire lint", 500, lines, LINT),
    ("lines, repertoire export", 500, lines, EXPORT),
    ("lines, ingest", 300, master, &[INGEST]),
    ("lines, search", 300, master, SEARCH),
    ("comments, classify", 2000, comments, CLASSIFY),
    ("comments, repertoire add", 1000, comments, &[ADD]),
    ("variations, repertoire add", 500, variations, &[ADD]),
    ("nested variations, repertoire add", 500, nested, &[ADD]),
    ("moves, classify", 2000, moves, CLASSIFY),
    ("moves, index", 500, moves, &[INDEX]),
    ("moves, repertoire add", 200, moves, &[ADD]),
    ("files, classify", 100, files, CLASSIFY),
    ("files, repertoire add", 100, files, &[ADD]),
];

fn games(count: usize) -> String {
    let game =
        |n| format!("[White \"a{n}\"]\n[Black \"b{n}\"]\n\n1. e4 c5 2. Nf3 d6 {{{n}}} *\n\n");
    (0..count).map(game).collect()
}

/// Chapters as small as they get: a cost between them is then soon the greatest.
fn chapters(count: usize) -> String {
    (0..count).map(|n| format!("[White \"a{n}\"]\n\n1. e4 *\n\n")).collect()
}

/// Different lines of two moves: pawns go one step or two.
fn pawn_lines(count: usize) -> impl Iterator<Item = String> {
    let moves = |side: [char; 2]| {
        let files = ('a'..='h').flat_map(move |one| (one..='h').skip(1).map(move |two| [one, two]));
        files.flat_map(move |[one, two]| {
            side.into_iter()
                .flat_map(move |a| side.map(|b| (format!("{one}{a}"), format!("{two}{b}"))))
        })
    };
    let lines = moves(['3', '4']).flat_map(move |(white, next)| {
        moves(['6', '5']).map(move |(black, last)| format!("1. {white} {black} 2. {next} {last}"))
    });
    lines.take(count)
}

fn lines(count: usize) -> String {
    pawn_lines(count).map(|line| format!("[White \"{line}\"]\n\n{line} *\n\n")).collect()
}

/// Games of one player, of several years; all of them are lines of a book as well.
fn opponent(count: usize) -> String {
    let game = |(n, line): (usize, String)| {
        format!("[White \"x\"]\n[Date \"{}.01.01\"]\n\n{line} *\n\n", 2000 + n % 25)
    };
    pawn_lines(count).enumerate().map(game).collect()
}

fn master(count: usize) -> String {
    let row = |line| format!("A00\tOpening {line}\t{line}\n");
    "eco\tname\tpgn\n".to_owned() + &pawn_lines(count).map(row).collect::<String>()
}

/// Files of one game, with a form feed between them.
fn files(count: usize) -> String {
    vec!["[White \"a\"]\n\n1. e4 c5 *\n"; count].join("\u{c}")
}

fn tags(count: usize) -> String {
    (0..count).map(|n| format!("[T{n} \"v\"]\n")).collect::<String>() + "\n1. e4 e5 *\n"
}

fn comments(count: usize) -> String {
    format!("[White \"a\"]\n\n1. e4 {} e5 *\n", "{word} ".repeat(count))
}

fn variations(count: usize) -> String {
    format!("[White \"a\"]\n\n1. e4 {} e5 *\n", "(1. d4 d5 2. c4) ".repeat(count))
}

fn nested(count: usize) -> String {
    format!("[White \"a\"]\n\n1. e4 {}{} e5 *\n", "(1. d4 ".repeat(count), ")".repeat(count))
}

fn moves(count: usize) -> String {
    format!("[White \"a\"]\n\n{} *\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(count))
}

/// The instructions that the last of some commands takes in a new folder; `None` without valgrind.
fn instructions(pgn: &str, commands: &[&str]) -> Option<u64> {
    let place = Workplace::new();
    for (number, file) in pgn.split('\u{c}').enumerate() {
        place.write(&format!("d/{number}.pgn"), file);
    }
    let (last, before) = commands.split_last()?;
    for command in before {
        place.run(&words(command)).exits(0);
    }
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_eco"))
        .args(words(last))
        .current_dir(place.folder())
        .env_remove("ECO_DB")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .ok()?;
    let log = String::from_utf8_lossy(&output.stderr);
    let count = log.lines().find_map(|line| line.split_once("Collected : ")?.1.parse().ok());
    assert!(output.status.success(), "{last}: {log}");
    Some(count.unwrap_or_else(|| panic!("{last}: valgrind printed no count: {log}")))
}

fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

#[test]
fn twice_as_much_takes_twice_as_long() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("SKIPPED: valgrind is not installed, no instructions are counted");
        return;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut faults = Vec::new();
    for dimensions in DIMENSIONS.chunks(threads) {
        let rows = std::thread::scope(|scope| {
            let runs = dimensions.iter().map(|dimension| scope.spawn(|| growth(dimension)));
            runs.collect::<Vec<_>>().into_iter().map(|run| run.join().unwrap()).collect::<Vec<_>>()
        });
        for (growth, row) in rows {
            println!("{row}");
            if growth > LIMIT {
                faults.push(row);
            }
        }
    }
    assert!(faults.is_empty(), "grow faster than their input:\n{}", faults.join("\n"));
}

/// How much more the last doubling takes than the one before, and the figures. The one before
/// counts as half a percent of the whole at least: so much varies from run to run where the amount
/// does not matter.
fn growth((name, least, pgn, commands): &Dimension) -> (f64, String) {
    let count =
        |times: usize| instructions(&pgn(least * times), commands).expect("it ran just now");
    let [one, two, four] = [1, 2, 4].map(count);
    let first = two.saturating_sub(one).max(one / 200);
    let growth = four.saturating_sub(two) as f64 / first as f64;
    let row = format!("{name:<34} {least:>6} {one:>12} {two:>12} {four:>12} {growth:>6.2}");
    (growth, row)
}

/// The most that a player may take of the memory of `eco stats --by player`, in bytes.
const PLAYER_BYTES: usize = 300;

/// The most memory that a process has taken so far, in bytes; `None` where the system does not say.
fn peak_memory(process: &str) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.strip_suffix("kB")?.trim().parse::<usize>().unwrap() * 1024)
}

/// The most memory that `eco stats --by player` has taken until its last rows were read.
// The system also reports it after the end, but then no less than this process takes.
fn memory_by_player(players: usize, format: &str) -> usize {
    let place = Workplace::new();
    place.write("d/0.pgn", games(players / 2));
    let words: Vec<&str> = BY_PLAYER[0].split(' ').collect();
    let mut command = place.command(&words);
    // Otherwise glibc keeps some of what is freed, more or less of it as it happens.
    command.env("MALLOC_MMAP_THRESHOLD_", "131072").args(["--quiet", "--format", format]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let (process, mut rows) = (child.id().to_string(), child.stdout.take().unwrap());
    let (mut peak, mut bytes) = (0, vec![0; 1 << 16]);
    while rows.read(&mut bytes).unwrap() > 0 {
        peak = peak_memory(&process).unwrap_or(peak);
    }
    assert!(child.wait().unwrap().success());
    peak
}

#[test]
fn a_player_takes_little_memory() {
    if peak_memory("self").is_none() {
        println!("SKIPPED: the system does not say in /proc how much memory a process takes");
        return;
    }
    let players = 100_000;
    for format in ["tsv", "table"] {
        let [one, two] = [players, 2 * players].map(|players| memory_by_player(players, format));
        let each = two.saturating_sub(one) / players;
        println!("{format}: {players} players take {one} bytes, {each} more each up to {two}");
        assert!(each <= PLAYER_BYTES, "{each} bytes for each player of {format}");
        assert!(each > 100, "{each} bytes for each player of {format} are too few to be all");
    }
}
