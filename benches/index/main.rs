//! The position index: how fast it is made, how large it is, and how long an answer takes.
//!
//! ```text
//! cargo bench --bench index                                  # 20,000 games bred from data/games
//! cargo bench --bench index -- otb.pgn lichess.pgn --games 1000000 --folder /tmp/bench
//! cargo bench --bench index -- otb.pgn --as-they-are         # the games themselves
//! cargo bench --bench index -- otb.pgn --games 10000000 --breed-only | eco index - --db 10.db
//! ```
//!
//! * `index`: `eco index` as a process, with its peak memory where the system says it; games a
//!   second, and bytes of the database a game.
//! * `query`: one thread, warm, positions of random walks along played moves, of which each move is
//!   taken as often as it was played; without a filter, and with one of each kind. The initial
//!   position is where each walk begins.
//!
//! Games are [bred](breed) with a fixed seed: the same command measures the same games. Answers are
//! checked: the games of a position are the sum of its moves, and a filter never adds any.

#[path = "../common/mod.rs"]
mod common;

mod breed;

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use eco::{
    chess::{Chess, Color, EnPassantMode, Position, PositionKey},
    collection::{PositionQuery, PositionStats},
    select::{Player, Selection, Speed, TagPart},
    store::{Database, Explorer},
};

use breed::{Breeder, Random};

const SEED: u64 = 16;

/// The number of walks for each kind of filter.
const WALKS: usize = 60;

/// The plies of a walk.
const WALK_PLIES: usize = 30;

struct Args {
    files: Vec<PathBuf>,
    games: usize,
    folder: Option<PathBuf>,
    breed_only: bool,
    as_they_are: bool,
}

fn args() -> Args {
    let mut args = Args {
        files: Vec::new(),
        games: 20_000,
        folder: None,
        breed_only: false,
        as_they_are: false,
    };
    let mut given = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = given.next() {
        match &*arg {
            "--games" => {
                args.games = given.next().and_then(|n| n.parse().ok()).expect("--games N");
            }
            "--folder" => args.folder = Some(given.next().expect("--folder FOLDER").into()),
            "--breed-only" => args.breed_only = true,
            "--as-they-are" => args.as_they_are = true,
            file => args.files.push(file.into()),
        }
    }
    args
}

fn main() -> io::Result<()> {
    let args = args();
    let mut pgn = Vec::new();
    for file in &args.files {
        pgn.extend(fs::read(file)?);
        pgn.push(b'\n');
    }
    if pgn.is_empty() {
        pgn = common::games(1).into_bytes();
    }
    if args.breed_only {
        return breed(&pgn, args.games, &mut BufWriter::new(io::stdout().lock()));
    }
    let temporary = tempfile::tempdir()?;
    let folder = args.folder.as_deref().unwrap_or(temporary.path());
    let (games, db) = (folder.join("games.pgn"), folder.join("games.db"));
    if args.as_they_are {
        fs::write(&games, &pgn)?;
    } else {
        let begun = Instant::now();
        breed(&pgn, args.games, &mut BufWriter::new(File::create(&games)?))?;
        println!("bred {} games in {:.1} s", args.games, begun.elapsed().as_secs_f64());
    }
    drop(pgn);
    index(&games, &db)?;
    query(&db);
    Ok(())
}

fn breed(pgn: &[u8], games: usize, out: &mut impl Write) -> io::Result<()> {
    let breeder = Breeder::new(pgn);
    assert!(breeder.parents() > 1, "there are games to breed from");
    breeder.write_children(games, SEED, out)
}

fn index(games: &Path, db: &Path) -> io::Result<()> {
    let _ = fs::remove_file(db);
    let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
    command.args(["index", "--name", "bench"]).arg(games).arg("--db").arg(db);
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let mut peak = None;
    let status = loop {
        peak = peak_memory(child.id()).max(peak);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let seconds = begun.elapsed().as_secs_f64();
    assert!(status.success(), "eco index: {status}");
    let info = Database::open(db).and_then(|db| db.collection("bench")).expect("it was made");
    let bytes = fs::metadata(db)?.len();
    println!(
        "index: {} games in {seconds:.2} s: {:.0} games/s, {} segments, {:.0} bytes a game{}",
        info.games,
        info.games as f64 / seconds,
        info.segments,
        bytes as f64 / info.games as f64,
        peak.map_or(String::new(), |kib| format!(", at most {} MiB of memory", kib / 1024)),
    );
    Ok(())
}

/// The most memory that a process has had, in KiB, where the system says it.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// A query for each kind of filter. The player is the one who has most games.
fn queries(player: &str) -> Vec<(&'static str, PositionQuery)> {
    let shown = || {
        let mut query = PositionQuery::default();
        (query.top_games, query.recent_games) = (4, 4);
        query
    };
    let filtered = |change: &dyn Fn(&mut Selection)| {
        let mut query = shown();
        change(&mut query.selection);
        query
    };
    let mut mean = shown();
    mean.mean_ratings = vec![2200..=2499];
    let mut reached = shown();
    reached.reached = true;
    vec![
        ("no filter", shown()),
        ("no filter, positions after moves", reached),
        ("player", filtered(&|s| s.players = vec![Player::new(player)])),
        ("player with White", {
            filtered(&|s| {
                s.players = vec![Player::new(player)];
                s.color = Some(Color::White);
            })
        }),
        ("ratings", filtered(&|s| s.rating = Some(2400..=4000))),
        ("mean ratings", mean),
        ("dates", filtered(&|s| s.since = "1990".parse().ok())),
        ("speed", filtered(&|s| s.speeds = vec![Speed::Blitz, Speed::Rapid])),
        ("event", filtered(&|s| s.events = vec![TagPart::new("ch")])),
        ("opening", filtered(&|s| s.eco = Some(eco::catalogue::Query::new("B")))),
        ("tag", filtered(&|s| s.tags = vec![("Round".to_owned(), "1".to_owned())])),
    ]
}

fn query(db: &Path) {
    let explorer = Explorer::open(db, &[]).expect("it was made");
    let ask = |position: &PositionKey, query: &PositionQuery| -> PositionStats {
        explorer.query(position, query).expect("it can be read")
    };
    let start = PositionKey::from_position(&Chess::default(), EnPassantMode::Legal);
    let first = ask(&start, &PositionQuery::default());
    let info = Database::open(db).and_then(|db| db.collection("bench")).expect("it was made");
    let counted = first.score.games() + first.ended.games();
    assert_eq!(counted, info.counted_games, "all games begin in the initial position");
    let mut some = PositionQuery::default();
    some.top_games = 1;
    let player = ask(&start, &some).top_games.first().map(|game| game.names[0].clone());
    for (name, query) in queries(&player.unwrap_or_default()) {
        let mut random = Random::new(SEED);
        let (mut times, mut firsts) = (Vec::new(), Vec::new());
        // The first walk warms up.
        for walk in 0..=WALKS {
            let mut position = Chess::default();
            for ply in 0..WALK_PLIES {
                let key = PositionKey::from_position(&position, EnPassantMode::Legal);
                let begun = Instant::now();
                let stats = ask(&key, &query);
                let time = begun.elapsed();
                if walk > 0 {
                    times.push(time);
                    firsts.extend((ply == 0).then_some(time));
                }
                let sum: u64 = stats.moves.iter().map(|m| m.score.games()).sum();
                assert_eq!(sum, stats.score.games(), "{name} in {key}");
                assert!(sum <= counted, "{name} in {key}");
                // As often as it was played.
                let mut left = random.below(sum as usize) as u64;
                let played = stats.moves.iter().find(|m| {
                    let is_it = left < m.score.games();
                    left = left.saturating_sub(m.score.games());
                    is_it
                });
                let Some(m) = played.and_then(|m| m.uci.to_move(&position)) else { break };
                position.play_unchecked(m);
            }
        }
        report(name, &mut times, &firsts);
    }
}

fn report(name: &str, times: &mut [Duration], firsts: &[Duration]) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "query, {name}: p50 {:.2} ms, p99 {:.2} ms, initial position {:.2} ms ({} answers)",
        at(0.5),
        at(0.99),
        common::median(firsts).as_secs_f64() * 1e3,
        times.len()
    );
}
