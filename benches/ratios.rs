//! The speed of `eco classify` beside that of alternatives, in one run on the same file.
//!
//! ```text
//! cargo bench --bench ratios -- games.pgn
//! cargo bench --bench ratios -- --times 10 games.pgn
//! ```
//!
//! * `obvious`: the obvious program, one thread: `pgn-reader`, `shakmaty`, a `HashMap` of Zobrist
//!   hashes, 40 plies, tab-separated output to nowhere. It reads the file, but does not start: its
//!   catalogue is made beforehand.
//! * `reference`: [`eco::classify::reference`], one thread, on the first 1,000 games: it lists all
//!   legal moves, so it is much slower than the obvious program.
//! * `skip`: `pgn-reader` only skipping the same games, one thread; it reads the file.
//! * `skip (memory)`: the same from memory, without waiting for a file.
//! * `eco -j1`, `eco -j2`: the program as a process, tsv to nowhere, start-up and reading included.
//! * `eco .zst` and `zstd -dc`: the same file compressed, if `zstd` is installed.
//! * `arrow -j1`, `parquet -j1` and the same with two threads: the program with `--format arrow`
//!   and `parquet`, to nowhere.
//! * `stats -j1`, `stats -j2`: `eco stats --by eco`; `report -j1`, `report -j2`: `eco report`.
//! * `tag` and `tag .zst`: `eco tag` from plain to plain and from zstd to zstd, two threads; beside
//!   it `zstd -dc | zstd -c`.
//! * `one game`: the program as a process, on one small game.
//! * `pgn-extract -e`, if it is installed; on the first 10,000 games.
//!
//! The competitors take turns, and the median of the rounds counts. Answers are compared: where
//! `pgn-reader` finds the same games, the obvious program must name as many. The peak memory of
//! `eco` is printed too, where there is `/proc`. `--times N` repeats the file, so that starting
//! weighs less.

mod common;

use std::{
    collections::HashMap,
    fs::{self, File},
    hint::black_box,
    io::{self, BufWriter, Cursor, Read, Write},
    ops::ControlFlow,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use common::{classify, median, one_game, time_to_nowhere};
use eco::{
    catalogue::Catalogue,
    classify::{Classifier, reference::Reference},
    pgn::{Block, BlockOptions, Chunks},
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

const ROUNDS: usize = 7;

/// The obvious program.
struct Obvious<'c> {
    names: &'c Names<'c>,
    out: Box<dyn Write>,
    games: u64,
    named: u64,
}

#[derive(Default)]
struct Game {
    white: Vec<u8>,
    black: Vec<u8>,
    position: Chess,
    ply: usize,
    is_over: bool,
    name: Option<(Zobrist64, usize)>,
}

/// Code and name by position.
type Names<'c> = HashMap<Zobrist64, (&'c str, &'c str)>;

fn names(catalogue: &Catalogue) -> Names<'_> {
    let mut names = HashMap::new();
    for line in catalogue.lines() {
        let mut position = Chess::default();
        let moves = catalogue.moves(line).expect("the built-in master has lines only");
        moves.iter().for_each(|m| position.play_unchecked(*m));
        let hash = position.zobrist_hash(EnPassantMode::Legal);
        names.insert(hash, (line.opening.code(), line.opening.name()));
    }
    names
}

/// A discarding output that is written like a file.
fn nowhere() -> Box<dyn Write> {
    match File::options().write(true).open("/dev/null") {
        Ok(null) => Box::new(BufWriter::new(null)),
        Err(_) => Box::new(io::sink()),
    }
}

impl Visitor for Obvious<'_> {
    type Tags = Game;
    type Movetext = Game;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        match name {
            b"White" => game.white = value.as_bytes().to_vec(),
            b"Black" => game.black = value.as_bytes().to_vec(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<(), Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<()> {
        if game.is_over {
            return ControlFlow::Continue(());
        }
        let Ok(m) = san.san.to_move(&game.position) else {
            game.is_over = true;
            return ControlFlow::Continue(());
        };
        game.position.play_unchecked(m);
        game.ply += 1;
        let hash = game.position.zobrist_hash(EnPassantMode::Legal);
        if self.names.contains_key(&hash) {
            game.name = Some((hash, game.ply));
        }
        game.is_over = game.ply == 40 || game.position.board().occupied().count() < 20;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) {
        self.games += 1;
        self.named += u64::from(game.name.is_some());
        let (eco, name) = game.name.map_or(("", ""), |(hash, _)| self.names[&hash]);
        let ply = game.name.map_or(0, |(_, ply)| ply);
        let row = [&game.white[..], b"\t", &game.black].concat();
        self.out.write_all(&row).expect("/dev/null takes everything");
        writeln!(self.out, "\t{eco}\t{name}\t{ply}").expect("as above");
    }
}

fn open(path: &Path) -> File {
    File::open(path).expect("the file could be read before")
}

fn obvious(pgn: impl Read, names: &Names<'_>) -> (u64, u64) {
    let mut visitor = Obvious { names, out: nowhere(), games: 0, named: 0 };
    Reader::new(pgn).visit_all_games(&mut visitor).expect("the file can be read");
    (visitor.games, visitor.named)
}

fn skip(pgn: impl Read) -> u64 {
    let mut reader = Reader::new(pgn);
    let mut games = 0;
    while reader.skip_game().expect("the file can be read") {
        games += 1;
    }
    black_box(games)
}

fn eco(path: &Path, threads: &str) -> String {
    let output = classify(threads)
        .arg(path)
        .stderr(Stdio::inherit())
        .output()
        .expect("the program was built with this benchmark");
    String::from_utf8(output.stdout).expect("tsv is UTF-8")
}

/// Rows without their source.
fn verdicts(rows: &str) -> impl Iterator<Item = Option<&str>> {
    rows.lines().map(|row| row.split_once('\t').map(|(_, verdict)| verdict))
}

/// Tags into a new file: some file systems write what takes the place of an older file to the disk
/// before they go on, and the old one has to be removed.
fn tag(path: &Path, output: &Path) -> Option<Duration> {
    // There is none before the first time.
    let _ = fs::remove_file(output);
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    time_to_nowhere(command.args(["tag", "--quiet", "-j", "2"]).arg(path).arg("-o").arg(output))
}

/// `eco classify` with typed columns.
fn columns(format: &str, threads: &str, path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    command.args(["classify", "--quiet", "-o", "/dev/null", "-j", threads, "--format", format]);
    command.arg(path);
    command
}

/// Statistics by code.
fn stats(path: &Path, threads: &str) -> Option<Duration> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    let flags = ["stats", "--by", "eco", "--format", "tsv", "--quiet", "-j", threads];
    time_to_nowhere(command.args(flags).arg(path))
}

fn report(path: &Path, output: &Path, threads: &str) -> Option<Duration> {
    let _ = fs::remove_file(output);
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    let flags = ["report", "--quiet", "-j", threads];
    time_to_nowhere(command.args(flags).arg(path).arg("-o").arg(output))
}

fn repack(path: &Path) -> Option<Duration> {
    time_to_nowhere(Command::new("sh").args(["-c", "zstd -dc \"$0\" | zstd -c"]).arg(path))
}

fn timed(run: impl FnOnce()) -> Option<Duration> {
    let begun = Instant::now();
    run();
    Some(begun.elapsed())
}

fn main() {
    let mut args = std::env::args().skip(1).peekable();
    let (mut files, mut times) = (Vec::new(), 1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--times" => {
                let number = args.next().and_then(|number| number.parse().ok());
                times = number.expect("--times needs a number");
            }
            // Cargo adds `--bench`.
            _ if arg.starts_with("--") => {}
            _ => files.push(arg),
        }
    }
    if files.is_empty() {
        println!("SKIPPED: name PGN files: cargo bench --bench ratios -- games.pgn");
    }
    for file in &files {
        measure(Path::new(file), times);
    }
}

/// The file, repeated if `times` is more than 1.
fn repeated(path: &Path, times: usize, folder: &Path) -> std::path::PathBuf {
    if times == 1 {
        return path.to_owned();
    }
    let longer = folder.join("games.pgn");
    let mut pgn = fs::read(path).expect("the file can be read");
    pgn.push(b'\n');
    let mut file = File::create(&longer).expect("a temporary file can be made");
    (0..times).for_each(|_| file.write_all(&pgn).expect("there is room for a temporary file"));
    longer
}

/// The peak memory of a process, in KiB; `None` where there is no `/proc`.
fn peak_memory(command: &mut Command) -> Option<u64> {
    let run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut run = run.expect("the program was built with this benchmark");
    let status = format!("/proc/{}/status", run.id());
    let mut peak = None;
    while run.try_wait().expect("it is our own").is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let peak_now = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = peak_now.and_then(|size| size.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(now);
        std::thread::sleep(Duration::from_millis(1));
    }
    peak
}

fn measure(original: &Path, times: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = &*repeated(original, times, folder.path());
    let catalogue = Catalogue::builtin();
    let names = &names(catalogue);
    let pgn = fs::read(path).expect("the file can be read");
    let rows = eco(path, "1");
    let games = rows.lines().count() as u64;
    let named = rows.lines().filter(|row| row.split('\t').nth(6) != Some("")).count() as u64;
    assert_eq!(eco(path, "2"), rows, "two threads give other rows");
    let (obvious_games, obvious_named) = obvious(open(path), names);
    let over = if times == 1 { String::new() } else { format!(" {times} times over") };
    println!("\n{}{over}: {games} games, {named} named, {} bytes", original.display(), pgn.len());
    if obvious_games == games {
        println!("the obvious program names {obvious_named}");
    } else {
        println!("pgn-reader finds {obvious_games} games (it ends games at blank lines)");
    }

    let packed = folder.path().join("games.pgn.zst");
    let packing = Command::new("zstd").args(["-q", "-o"]).arg(&packed).arg(path).status();
    let has_zstd = packing.is_ok_and(|status| status.success());

    let one = folder.path().join("one.pgn");
    fs::write(&one, one_game()).expect("a temporary file can be written");
    let run = |threads: &str, file: &Path| time_to_nowhere(classify(threads).arg(file));
    let tagged = folder.path().join("tagged.pgn");
    let page = &*folder.path().join("report.html");
    tag(path, &tagged);
    assert!(verdicts(&eco(&tagged, "2")).eq(verdicts(&rows)), "tags change verdicts");
    type Competitor<'a> = (&'static str, Box<dyn Fn() -> Option<Duration> + 'a>);
    let mut competitors: Vec<Competitor<'_>> = vec![
        (
            "obvious",
            Box::new(|| {
                timed(|| assert_eq!(obvious(open(path), names), (obvious_games, obvious_named)))
            }),
        ),
        ("skip", Box::new(|| timed(|| assert_eq!(skip(open(path)), obvious_games)))),
        (
            "skip (memory)",
            Box::new(|| timed(|| assert_eq!(skip(Cursor::new(&pgn)), obvious_games))),
        ),
        ("eco -j1", Box::new(|| run("1", path))),
        ("eco -j2", Box::new(|| run("2", path))),
        ("arrow -j1", Box::new(|| time_to_nowhere(&mut columns("arrow", "1", path)))),
        ("arrow -j2", Box::new(|| time_to_nowhere(&mut columns("arrow", "2", path)))),
        ("parquet -j1", Box::new(|| time_to_nowhere(&mut columns("parquet", "1", path)))),
        ("parquet -j2", Box::new(|| time_to_nowhere(&mut columns("parquet", "2", path)))),
        ("stats -j1", Box::new(|| stats(path, "1"))),
        ("stats -j2", Box::new(|| stats(path, "2"))),
        ("report -j1", Box::new(|| report(path, page, "1"))),
        ("report -j2", Box::new(|| report(path, page, "2"))),
        ("one game", Box::new(|| run("1", &one))),
    ];
    if has_zstd {
        competitors.push(("eco .zst", Box::new(|| run("2", &packed))));
        competitors.push((
            "zstd -dc",
            Box::new(|| time_to_nowhere(Command::new("zstd").arg("-dc").arg(&packed))),
        ));
        competitors.push(("tag .zst", Box::new(|| tag(&packed, &folder.path().join("out.zst")))));
        competitors.push(("zstd|zstd", Box::new(|| repack(&packed))));
    }
    // Last in each round, since the system writes the file to the disk while the next one runs:
    // that is the obvious program then, which takes longest.
    competitors.push(("tag", Box::new(|| tag(path, &tagged))));
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); competitors.len()];
    for _ in 0..ROUNDS {
        for ((_, run), times) in competitors.iter().zip(&mut times) {
            times.extend(run());
        }
    }
    let medians: HashMap<&str, Duration> =
        competitors.iter().zip(&times).map(|((name, _), times)| (*name, median(times))).collect();
    for (name, _) in &competitors {
        let seconds = medians[name].as_secs_f64();
        let games = if *name == "one game" { 1.0 } else { games as f64 };
        println!("{name:>13} {:>8.1} ms {:>10.0} games/s", seconds * 1e3, games / seconds);
    }
    let ratio = |slow: &str, fast: &str| medians[slow].as_secs_f64() / medians[fast].as_secs_f64();
    println!("eco -j1 against obvious    {:.2} x the speed", ratio("obvious", "eco -j1"));
    println!("eco -j1 against skip       {:.2} x the speed", ratio("skip", "eco -j1"));
    let from_memory = ratio("skip (memory)", "eco -j1");
    println!("eco -j1 against skip from memory {from_memory:.2} x the speed");
    println!("eco -j2 against eco -j1    {:.2} x the speed", ratio("eco -j1", "eco -j2"));
    for (stats, eco) in [("stats -j1", "eco -j1"), ("stats -j2", "eco -j2")] {
        println!("{stats} against {eco}   {:.2} x the speed", ratio(eco, stats));
    }
    for (columns, eco) in [
        ("arrow -j1", "eco -j1"),
        ("arrow -j2", "eco -j2"),
        ("parquet -j1", "eco -j1"),
        ("parquet -j2", "eco -j2"),
    ] {
        println!("{columns} against {eco}   {:.2} x the speed", ratio(eco, columns));
    }
    for (report, stats) in [("report -j1", "stats -j1"), ("report -j2", "stats -j2")] {
        println!("{report} against {stats} {:.2} x the time", ratio(report, stats));
    }
    println!("tag against eco -j2        {:.2} x the speed", ratio("eco -j2", "tag"));
    if has_zstd {
        println!("tag .zst against zstd|zstd {:.2} x the time", ratio("tag .zst", "zstd|zstd"));
        println!("eco .zst against zstd -dc  {:.2} x the time", ratio("eco .zst", "zstd -dc"));
    }
    for threads in ["1", "2"] {
        match peak_memory(classify(threads).arg(path)) {
            Some(peak) => println!("eco -j{threads} had at most {:.1} MiB", peak as f64 / 1024.0),
            None => println!("SKIPPED: memory; it ended too soon, or there is no /proc"),
        }
    }
    if let Some(peak) = peak_memory(&mut columns("parquet", "2", path)) {
        println!("parquet -j2 had at most {:.1} MiB", peak as f64 / 1024.0);
    }
    reference(catalogue, &pgn, medians["eco -j1"] / games.max(1) as u32);
    extract(path, &pgn);
}

/// The reference classifier gets the first games only, from memory. `ours` is the time for a game.
fn reference(catalogue: &Catalogue, pgn: &[u8], ours: Duration) {
    const GAMES: usize = 1_000;
    let reference = Reference::new(catalogue);
    let classifier = Classifier::new(catalogue);
    let blocks: Vec<_> = Chunks::new(pgn, BlockOptions::default()).blocks().take(8).collect();
    let blocks = blocks.iter().map(|block| block.as_ref().expect("memory is read whole"));
    let games: Vec<_> = blocks.flat_map(Block::games).take(GAMES).collect();
    let expected: Vec<_> = games.iter().map(|game| classifier.classify(game).verdict).collect();
    let begun = Instant::now();
    let verdicts: Vec<_> = games.iter().map(|game| reference.verdict(game.bytes())).collect();
    let theirs = begun.elapsed() / games.len().max(1) as u32;
    for (verdict, expected) in verdicts.iter().zip(&expected) {
        // Damaged tags it does not see.
        if expected.error.is_none() {
            assert_eq!(verdict, expected, "the reference gives another verdict");
        }
    }
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("eco -j1 against reference  {ratio:.0} x the speed ({} games)", games.len());
}

/// `pgn-extract` is slow: it gets the first games only.
fn extract(path: &Path, pgn: &[u8]) {
    const GAMES: usize = 10_000;
    /// Where Debian's package puts its master.
    const MASTER: &str = "-e/usr/share/pgn-extract/eco.pgn";
    let starts = memchr::memmem::find_iter(pgn, b"\n[Event ").nth(GAMES - 1);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let part = folder.path().join("part.pgn");
    std::fs::write(&part, &pgn[..starts.unwrap_or(pgn.len())]).expect("a temporary file");
    for program in ["pgn-extract", "/usr/games/pgn-extract"] {
        let run = |command: &mut Command| time_to_nowhere(command);
        let Some(theirs) = run(Command::new(program).args([MASTER, "-s"]).arg(&part)) else {
            continue;
        };
        let ours = run(classify("1").arg(&part));
        let ours = ours.expect("the program was built with this benchmark");
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        println!("eco -j1 against pgn-extract -e {ratio:.1} x the speed ({})", path.display());
        return;
    }
}
