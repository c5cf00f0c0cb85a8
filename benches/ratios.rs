//! How fast `eco classify` is beside what people would otherwise do, in one run on the same file.
//!
//! ```text
//! cargo bench --bench ratios -- games.pgn
//! ```
//!
//! * `obvious`: the obvious program, one thread: `pgn-reader`, `shakmaty`, a `HashMap` of Zobrist
//!   hashes, 40 plies, tab-separated output.
//! * `skip`: `pgn-reader` merely skipping the same games, one thread.
//! * `eco -j1`, `eco -j2`: the program as a process, tsv to nowhere, start-up and reading included.
//! * `eco .zst` and `zstd -dc`: the same file compressed, if `zstd` is installed.
//! * `tag` and `tag .zst`: `eco tag` from plain to plain and from zstd to zstd, two workers; beside
//!   it `zstd -dc | zstd -c`.
//! * `pgn-extract -e`, if it is installed; on the first 10,000 games.
//!
//! The competitors take turns, and the median of the rounds counts. Answers are compared: where
//! `pgn-reader` finds the same games, the obvious program must name as many.

use std::{
    collections::HashMap,
    hint::black_box,
    io::{Cursor, Write},
    ops::ControlFlow,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use eco::catalogue::Catalogue;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

const ROUNDS: usize = 7;

/// The obvious program.
struct Obvious<'c> {
    names: HashMap<Zobrist64, (&'c str, &'c str)>,
    out: Vec<u8>,
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

impl<'c> Obvious<'c> {
    fn new(catalogue: &'c Catalogue) -> Self {
        let mut names = HashMap::new();
        for line in catalogue.lines() {
            let mut position = Chess::default();
            let moves = catalogue.moves(line).expect("the built-in master has lines only");
            moves.iter().for_each(|m| position.play_unchecked(*m));
            let hash = position.zobrist_hash(EnPassantMode::Legal);
            names.insert(hash, (line.opening.eco().as_str(), line.opening.name()));
        }
        Self { names, out: Vec::new(), games: 0, named: 0 }
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
        self.out.extend_from_slice(&game.white);
        self.out.push(b'\t');
        self.out.extend_from_slice(&game.black);
        writeln!(self.out, "\t{eco}\t{name}\t{ply}").expect("memory takes every byte");
    }
}

fn obvious(pgn: &[u8], catalogue: &Catalogue) -> (u64, u64) {
    let mut visitor = Obvious::new(catalogue);
    Reader::new(Cursor::new(pgn)).visit_all_games(&mut visitor).expect("the file is read whole");
    black_box(&visitor.out);
    (visitor.games, visitor.named)
}

fn skip(pgn: &[u8]) -> u64 {
    let mut reader = Reader::new(Cursor::new(pgn));
    let mut games = 0;
    while reader.skip_game().expect("the file is read whole") {
        games += 1;
    }
    games
}

fn eco(path: &Path, threads: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_eco"))
        .args(["classify", "--quiet", "--no-header", "--format", "tsv", "-j", threads])
        .arg(path)
        .stderr(Stdio::inherit())
        .output()
        .expect("the program was built with this benchmark");
    String::from_utf8(output.stdout).expect("tsv is UTF-8")
}

fn time_to_nowhere(command: &mut Command) -> Option<Duration> {
    let begun = Instant::now();
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.ok().map(|_| begun.elapsed())
}

/// Rows without the name of their source.
fn verdicts(rows: &str) -> impl Iterator<Item = Option<&str>> {
    rows.lines().map(|row| row.split_once('\t').map(|(_, verdict)| verdict))
}

fn tag(path: &Path, output: &Path) -> Option<Duration> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    time_to_nowhere(command.args(["tag", "--quiet", "-j", "2"]).arg(path).arg("-o").arg(output))
}

fn repack(path: &Path) -> Option<Duration> {
    time_to_nowhere(Command::new("sh").args(["-c", "zstd -dc \"$0\" | zstd -c"]).arg(path))
}

fn timed(run: impl FnOnce()) -> Option<Duration> {
    let begun = Instant::now();
    run();
    Some(begun.elapsed())
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2]
}

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if files.is_empty() {
        println!("SKIPPED: name PGN files: cargo bench --bench ratios -- games.pgn");
    }
    for file in &files {
        measure(Path::new(file));
    }
}

fn measure(path: &Path) {
    let catalogue = Catalogue::builtin();
    let pgn = std::fs::read(path).expect("the file can be read");
    let rows = eco(path, "1");
    let games = rows.lines().count() as u64;
    let named = rows.lines().filter(|row| row.split('\t').nth(6) != Some("")).count() as u64;
    assert_eq!(eco(path, "2"), rows, "two threads say something else");
    let (obvious_games, obvious_named) = obvious(&pgn, catalogue);
    println!("\n{}: {games} games, {named} named, {} bytes", path.display(), pgn.len());
    if obvious_games == games {
        println!("the obvious program names {obvious_named}");
    } else {
        println!("pgn-reader finds {obvious_games} games (it ends games at blank lines)");
    }

    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let packed = folder.path().join("games.pgn.zst");
    let packing = Command::new("zstd").args(["-q", "-o"]).arg(&packed).arg(path).status();
    let has_zstd = packing.is_ok_and(|status| status.success());

    let program = env!("CARGO_BIN_EXE_eco");
    let classify = |threads: &str, file: &Path| {
        let mut command = Command::new(program);
        command.args(["classify", "--quiet", "--format", "tsv", "-j", threads]).arg(file);
        time_to_nowhere(&mut command)
    };
    let tagged = folder.path().join("tagged.pgn");
    tag(path, &tagged);
    assert!(verdicts(&eco(&tagged, "2")).eq(verdicts(&rows)), "tags change verdicts");
    type Competitor<'a> = (&'static str, Box<dyn Fn() -> Option<Duration> + 'a>);
    let mut competitors: Vec<Competitor<'_>> = vec![
        (
            "obvious",
            Box::new(|| {
                timed(|| assert_eq!(obvious(&pgn, catalogue), (obvious_games, obvious_named)))
            }),
        ),
        ("skip", Box::new(|| timed(|| assert_eq!(skip(&pgn), obvious_games)))),
        ("eco -j1", Box::new(|| classify("1", path))),
        ("eco -j2", Box::new(|| classify("2", path))),
        ("tag", Box::new(|| tag(path, &tagged))),
    ];
    if has_zstd {
        competitors.push(("eco .zst", Box::new(|| classify("2", &packed))));
        competitors.push(("tag .zst", Box::new(|| tag(&packed, &folder.path().join("out.zst")))));
        competitors.push(("zstd|zstd", Box::new(|| repack(&packed))));
        competitors.push((
            "zstd -dc",
            Box::new(|| time_to_nowhere(Command::new("zstd").arg("-dc").arg(&packed))),
        ));
    }
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
        println!("{name:>10} {:>8.1} ms {:>10.0} games/s", seconds * 1e3, games as f64 / seconds);
    }
    let ratio = |slow: &str, fast: &str| medians[slow].as_secs_f64() / medians[fast].as_secs_f64();
    println!("eco -j1 against obvious    {:.2} x the speed", ratio("obvious", "eco -j1"));
    println!("eco -j1 against skip       {:.2} x the speed", ratio("skip", "eco -j1"));
    println!("eco -j2 against eco -j1    {:.2} x the speed", ratio("eco -j1", "eco -j2"));
    println!("tag against eco -j2        {:.2} x the speed", ratio("eco -j2", "tag"));
    if has_zstd {
        println!("tag .zst against zstd|zstd {:.2} x the time", ratio("tag .zst", "zstd|zstd"));
        println!("eco .zst against zstd -dc  {:.2} x the time", ratio("eco .zst", "zstd -dc"));
    }
    extract(path, &pgn);
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
        let ours = run(Command::new(env!("CARGO_BIN_EXE_eco"))
            .args(["classify", "-q", "-j1", "--format", "tsv"])
            .arg(&part));
        let ours = ours.expect("the program was built with this benchmark");
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        println!("eco -j1 against pgn-extract -e {ratio:.1} x the speed ({})", path.display());
        return;
    }
}
