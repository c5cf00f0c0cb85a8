//! The time of each stage of `eco classify` on its own, on one thread.
//!
//! ```text
//! cargo bench --bench stages
//! cargo bench --bench stages -- games.pgn
//! ECO_VECTORS=avx2 cargo bench --bench stages -- games.pgn
//! ```
//!
//! * `split`: cutting the stream into games, and noting the tags that they begin with.
//! * `tokens`: taking the tags that were noted, and reading every token of the main line, to the
//!   end of every game.
//! * `walk`: classifying games that are already split.
//! * `rows`: writing the rows of games that are already classified.
//! * `classify`: all of it, from memory, with rows of the default fields.
//! * `classify .zst`: the same from a compressed file, as the program reads it.
//! * `catalogue`: making the built-in catalogue, which every start does first.
//! * `start`: the program as a process, on one small game.
//!
//! `ECO_VECTORS` limits the vectors as it does for `eco`: `widest`, `avx2` or `baseline`.
//!
//! Without a file it takes the games of `data/games`, repeated, and compares the answers with those
//! written down here. With a file the stages must agree with each other.

mod common;

use std::{
    hint::black_box,
    io::Write,
    num::NonZeroUsize,
    path::Path,
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};

use eco::{
    catalogue::Catalogue,
    classify::{Classified, Classifier},
    master::Master,
    output::{Field, Format, GameRow},
    pgn::{Block, BlockOptions, Chunks, Compression, Encoder, Game, Token, source::find_sources},
    pipeline::{Options, Workers, classify_pgn},
    simd::{Vectors, limit_vectors},
};

use common::{classify, games, median, one_game, time_to_nowhere};

const ROUNDS: usize = 9;

/// The games of `data/games` are repeated to some 9 MB.
const TIMES: usize = 400;

/// What the stages find in the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Answer {
    games: u64,
    named: u64,
    moves: u64,
    /// Bytes of rows.
    row_bytes: u64,
}

/// What they find in `data/games`, repeated.
const EXPECTED: Answer =
    Answer { games: 20_400, named: 20_400, moves: 869_200, row_bytes: 2_586_094 };

fn main() {
    if let Ok(name) = std::env::var("ECO_VECTORS") {
        limit_vectors(Vectors::named(&name).expect("widest, avx2 or baseline"));
    }
    let files: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if files.is_empty() {
        let answer = measure("data/games", games(TIMES).as_bytes());
        assert_eq!(answer, EXPECTED, "the answers have changed");
    }
    for file in &files {
        measure(file, &std::fs::read(file).expect("the file can be read"));
    }
    start();
}

/// Runs a stage several times, which must give the same answer, and returns the median time.
fn timed<T: PartialEq + std::fmt::Debug>(run: impl Fn() -> T) -> (T, Duration) {
    let answer = run();
    let times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            let again = run();
            let time = begun.elapsed();
            assert_eq!(again, answer, "the stage gave another answer");
            time
        })
        .collect();
    (answer, median(&times))
}

fn measure(name: &str, pgn: &[u8]) -> Answer {
    let classifier = Classifier::new(Catalogue::builtin());
    let blocks: Vec<Block> = split(pgn).collect();
    let games: Vec<Game<'_>> = blocks.iter().flat_map(Block::games).collect();
    let count = games.len() as u64;
    println!("\n{name}: {count} games, {} bytes", pgn.len());
    let report = |stage: &str, time: Duration| {
        let ns = time.as_secs_f64() * 1e9;
        let (each, rate) = (ns / count.max(1) as f64, pgn.len() as f64 / ns * 1e3);
        println!("{stage:>13} {each:>8.0} ns/game {rate:>8.0} MB/s");
    };

    let (split_games, time) =
        timed(|| split(pgn).map(|block| block.game_count() as u64).sum::<u64>());
    report("split", time);
    assert_eq!(count, split_games, "a block counts other games than it holds");

    let (moves, time) = timed(|| games.iter().map(tokens).sum::<u64>());
    report("tokens", time);

    let (named, time) = timed(|| {
        let verdicts = games.iter().map(|game| classifier.classify(game).verdict);
        verdicts.filter(|verdict| verdict.named.is_some()).count() as u64
    });
    report("walk", time);

    let layout = Format::Tsv.layout(Field::columns(Field::FOR_PROGRAMS));
    let write_row = |game: &Game<'_>, classified: &Classified<'_, '_>, out: &mut Vec<u8>| {
        let row = GameRow {
            source: name,
            number: game.number(),
            offset: 0,
            game: classified,
            details: None,
        };
        layout.write(&row, out);
    };
    let classified: Vec<_> = games.iter().map(|game| (game, classifier.classify(game))).collect();
    let (row_bytes, time) = timed(|| {
        let mut out = Vec::new();
        classified.iter().for_each(|(game, classified)| write_row(game, classified, &mut out));
        black_box(&out).len() as u64
    });
    report("rows", time);
    drop(classified);

    let mut options = Options::default();
    options.workers = Workers::new(NonZeroUsize::MIN);
    let whole = |reader: &mut dyn std::io::Read| {
        let (mut named, mut row_bytes) = (0, 0);
        let games = classify_pgn(
            classifier,
            reader,
            &options,
            |games| {
                let (mut out, mut named) = (Vec::new(), 0);
                for (game, classified) in games {
                    named += u64::from(classified.verdict.named.is_some());
                    write_row(&game, &classified, &mut out);
                }
                (out, named)
            },
            |(out, in_block)| {
                named += in_block;
                row_bytes += black_box(&out).len() as u64;
                Ok::<(), std::io::Error>(())
            },
        );
        Answer { games: games.expect("memory can be read"), named, moves, row_bytes }
    };
    let answer = Answer { games: count, named, moves, row_bytes };
    let (plain, time) = timed(|| whole(&mut &*pgn));
    report("classify", time);
    assert_eq!(plain, answer, "all stages together give another answer");

    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let packed = folder.path().join("games.pgn.zst");
    pack(pgn, &packed);
    let (sources, errors) = find_sources(&[packed]);
    assert!(errors.is_empty(), "the file was just written");
    let (zstd, time) = timed(|| {
        let opened = sources[0].open(&Arc::new(AtomicU64::new(0)));
        let mut streams = opened.expect("the file was just written");
        let mut stream = streams.next_stream().expect("a file is one stream");
        whole(&mut stream.reader)
    });
    report("classify .zst", time);
    assert_eq!(zstd, answer, "the compressed file gave another answer");
    answer
}

fn split(pgn: &[u8]) -> impl Iterator<Item = Block> {
    Chunks::new(pgn, BlockOptions::default())
        .blocks()
        .map(|block| block.expect("memory can be read"))
}

/// The number of moves of a game, or of words in their place.
fn tokens(game: &Game<'_>) -> u64 {
    let main_line = game.tags().into_main_line();
    main_line.filter(|token| matches!(black_box(token), Token::Move(_))).count() as u64
}

fn pack(pgn: &[u8], path: &Path) {
    let file = std::fs::File::create(path).expect("a temporary file can be made");
    let mut encoder = Encoder::new(Compression::Zstd, None, file).expect("zstd is built in");
    encoder.write_all(pgn).expect("there is room for a temporary file");
    encoder.finish().expect("there is room for a temporary file");
}

/// The time of a process for one small game.
fn start() {
    let (lines, time) = timed(|| Catalogue::from_masters([Master::builtin()]).0.lines().len());
    assert_eq!(lines, Catalogue::builtin().lines().len());
    println!("\n{:>13} {:>8.2} ms", "catalogue", time.as_secs_f64() * 1e3);

    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, one_game()).expect("a temporary file can be written");
    let output =
        classify("1").arg(&path).output().expect("the program was built with this benchmark");
    let row = String::from_utf8(output.stdout).expect("tsv is UTF-8");
    assert_eq!(row.split('\t').nth(6), Some(ONE_GAME_ECO), "the game got another code: {row}");
    let run = || time_to_nowhere(classify("1").arg(&path)).expect("it ran just now");
    let times: Vec<Duration> = (0..5 * ROUNDS).map(|_| run()).collect();
    println!("{:>13} {:>8.2} ms", "start", median(&times).as_secs_f64() * 1e3);
}

/// The code of the first famous game.
const ONE_GAME_ECO: &str = "B00";
