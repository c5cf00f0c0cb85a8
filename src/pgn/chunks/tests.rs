//! The blocks of chunks against those that are read one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{convert::Infallible, num::NonZeroUsize};

use proptest::prelude::*;

use super::carry::{HEADROOM, SpeculativeSplit};
use super::plain_file_tests::{chunks_of_file, held_by_file};
use super::*;
use crate::{executor::Executor, pgn::Game, pgn::split::More, pipeline::Workers};

/// The contents of a stream, independent of how it is cut.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) bytes: Vec<u8>,
    pub(super) games: Vec<HeldGame>,
    pub(super) has_only_text: bool,
    pub(super) is_broken: bool,
}

/// A game: its number, where it begins in the stream, its bytes, whether there are more of them,
/// and whether it begins a line.
pub(super) type HeldGame = (u64, usize, Vec<u8>, bool, bool);

impl Held {
    pub(super) fn add(&mut self, block: &Block) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(block.bytes());
        assert_eq!(block.game_count(), block.games().count());
        self.games.extend(block.games().map(|game| {
            // The noted tags equal those that are read.
            let unnoted = Game::from_bytes(game.bytes());
            assert!(game.tags().placed().eq(unnoted.tags().placed()));
            // So do those that are shown.
            let (mut tags, mut shown) = (game.tags(), Vec::new());
            let main_line = tags.visit(&mut shown);
            let mut one_by_one = unnoted.tags();
            assert!(shown.into_iter().eq(one_by_one.by_ref()));
            assert!(main_line.eq(one_by_one.clone().into_main_line()));
            assert_eq!(tags.is_export_format(), one_by_one.is_export_format());
            assert!(tags.into_movetext().eq(one_by_one.into_movetext()));
            let (number, start) = (game.number(), before + game.start());
            (number, start, game.bytes().to_vec(), game.is_cut(), game.begins_line())
        }));
    }
}

/// A stream that may end in an error, and returns at most `most` bytes at once.
struct Stream<'a> {
    bytes: &'a [u8],
    most: usize,
    is_broken: bool,
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() && self.is_broken {
            return Err(io::Error::other("damaged"));
        }
        let len = buffer.len().min(self.most);
        self.bytes.read(&mut buffer[..len])
    }
}

fn held_by_blocks(stream: Stream<'_>, options: BlockOptions) -> Held {
    let mut held = Held::default();
    for block in Chunks::new(stream, options).blocks() {
        match block {
            Ok(block) => held.add(&block),
            Err(_) => held.is_broken = true,
        }
    }
    held.has_only_text = held.games.is_empty() && held.bytes.iter().any(|b| is_text(*b));
    held
}

fn held_by_chunks(stream: Stream<'_>, options: BlockOptions, threads: usize) -> Held {
    held(Chunks::new(stream, options), threads, |_| ())
}

/// What chunks hold, made blocks by these threads. An error goes to `complain`.
pub(super) fn held<R: Read>(
    mut chunks: Chunks<R>,
    threads: usize,
    complain: impl Fn(io::Error),
) -> Held {
    let (mut held, mut is_broken) = (Held::default(), false);
    let Ok(()) = Workers::new(NonZeroUsize::new(threads).unwrap()).run(
        |push| {
            for chunk in &mut chunks {
                match chunk {
                    Ok(chunk) => push(chunk)?,
                    Err(error) => {
                        complain(error);
                        is_broken = true;
                    }
                }
            }
            Ok(())
        },
        Chunk::into_block,
        |block| {
            held.add(&block);
            Ok::<(), Infallible>(())
        },
    );
    Held { is_broken, has_only_text: chunks.has_only_text(), ..held }
}

/// That chunks of this size hold what blocks do, with and without damage at the end.
fn check(bytes: &[u8], block_size: usize, max_game: usize, threads: usize) {
    let whole = BlockOptions { block_size: 1 << 20, max_game };
    let unbroken = held_by_blocks(Stream { bytes, most: usize::MAX, is_broken: false }, whole);
    for is_broken in [false, true] {
        let stream = |most| Stream { bytes, most, is_broken };
        let mut expected = held_by_blocks(stream(usize::MAX), whole);
        // A game that is left out is one.
        expected.has_only_text = unbroken.has_only_text;
        let options = BlockOptions { block_size, max_game };
        let found = held_by_chunks(stream(block_size.max(7) / 2), options, threads);
        let in_file = held_by_file(bytes, is_broken, options, threads);
        for (what, found) in [("stream", found), ("file", in_file)] {
            assert!(
                found == expected,
                "{what}, chunks of {block_size} bytes, games of {max_game}, {threads} threads, \
                 broken: {is_broken}: {:?} instead of {:?} in {:?}",
                summary(&found),
                summary(&expected),
                String::from_utf8_lossy(&bytes[..bytes.len().min(2000)])
            );
        }
    }
}

fn summary(held: &Held) -> impl std::fmt::Debug {
    let game = |(n, at, bytes, is_cut, begins_line): &HeldGame| {
        (*n, *at, bytes.len(), *is_cut, *begins_line)
    };
    let games = held.games.iter().map(game);
    (held.bytes.len(), games.take(50).collect::<Vec<_>>(), held.is_broken)
}

const MAX_GAME: usize = 8 << 20;

pub(super) const GAME: &str =
    "[Event \"x\"]\n[White \"a\"]\n\n1. e4 {[%clk 1:00]} e5 2. Nf3 1-0\n\n";

#[test]
fn streams_with_traps_hold_the_same_games() {
    let trap = "{\n\n[Event \"in a comment\"]\n[White \"b\"]\n\n1. d4 *\n\n";
    for bytes in [
        String::new(),
        "\n \n".to_owned(),
        "no chess in here\n".repeat(50),
        GAME.repeat(20),
        GAME.repeat(20).replace('\n', "\r\n"),
        GAME.repeat(20).replace("\n\n", "\n"),
        GAME.repeat(20).replace("1-0", ""),
        GAME.repeat(20).replace("1. e4 {[%clk 1:00]} e5 2. Nf3 1-0", ""),
        GAME.repeat(5).replace("[Event", "\u{feff}[Event"),
        GAME.repeat(5).trim_end().to_owned(),
        format!("Games of the week\n\n{}", GAME.repeat(5)),
        // What looks like the start of a game is within a comment, or below an open one.
        format!("{GAME}{GAME}[Event \"y\"]\n\n1. e4 {trap}}} e5 *\n\n{GAME}{GAME}"),
        format!("[Event \"y\"]\n\n1. e4 {{{}}} e5 *\n\n{GAME}", GAME.replace(['{', '}'], "")),
        format!("{GAME}[Event \"y\"]\n\n1. e4 {trap}{GAME}{GAME}"),
        format!("{GAME}% {trap}; {trap}{GAME}"),
        format!("{GAME}[Event \"y\"]\n\n[White \"apart\"]\n\n1. e4 *\n\n{GAME}"),
        format!("{GAME}[Event \"never closed\n\n[White \"b\"]\nmore\"]\n\n1. e4 *\n\n{GAME}"),
        format!("{GAME}1. d4 d5 0-1\n\n1. c4 c5 *\n{GAME}"),
        "1. e4 e5 1-0\n\n1. d4 d5 0-1\n".repeat(9),
        "{see} \u{feff} {1-0} 1. e4 e5\n\n1. d4 d5\n".to_owned(),
        " \u{feff}  1. e4 e5\n\n1. d4 d5\n".to_owned(),
        format!("{GAME}\n1. e4 {}\n{GAME}", "e5 ".repeat(400)),
    ] {
        for block_size in (1..40).chain([64, 100, 333, 1000]) {
            for max_game in [50, 300, MAX_GAME] {
                check(bytes.as_bytes(), block_size, max_game, 1);
            }
            check(bytes.as_bytes(), block_size, MAX_GAME, 3);
        }
    }
}

#[test]
fn a_game_longer_than_the_room_before_a_chunk_is_put_together() {
    let long = format!("[Event \"x\"]\n\n1. e4 {{{}}} e5 *\n\n", "z\n".repeat(3 * HEADROOM));
    let bytes = [GAME, &long, GAME, &long].concat();
    for block_size in [999, 5000, HEADROOM, 70_000] {
        for max_game in [1000, 20_000, MAX_GAME] {
            check(bytes.as_bytes(), block_size, max_game, 2);
        }
    }
}

#[test]
fn ordinary_games_are_split_before_it_is_known_what_comes_before() {
    let bytes = GAME.repeat(10);
    for from in 0..GAME.len() {
        let mut carry = Carry::new(0);
        let (before, chunk) = bytes.as_bytes().split_at(from + GAME.len());
        let more = More::Yes;
        let starts = carry.split(before, 0, more, None);
        let split = SpeculativeSplit::new(chunk, more).unwrap();
        let line = split.line.start + before.len();
        assert!(line <= before.len() + 2 * GAME.len());
        // Unless the speculative split is taken, the start that only it has is missing.
        let wrong = bytes.len() - before.len() + 1;
        let mut split = split;
        let speculative = split.starts.len();
        split.starts.push(wrong);
        carry.begins_game = false;
        let found = carry.split(bytes.as_bytes(), before.len(), more, Some(split));
        assert_eq!(found.last(), Some(wrong + before.len()), "cut at {from}, {starts:?}");
        let noted: Vec<usize> = found.with_tags().map(|(_, tags)| tags.len()).collect();
        let speculative = &noted[noted.len() - speculative - 1..];
        assert!(
            speculative.split_last() == Some((&0, &vec![2; speculative.len() - 1])),
            "{noted:?}"
        );
    }
}

#[test]
fn a_chunk_after_one_that_was_dropped_is_empty() {
    let bytes = GAME.repeat(10);
    let options = BlockOptions { block_size: 100, ..BlockOptions::default() };
    let mut chunks = Chunks::new(bytes.as_bytes(), options).map(Result::unwrap);
    assert!(!chunks.next().unwrap().into_block().bytes().is_empty());
    drop(chunks.next());
    assert!(chunks.next().unwrap().into_block().bytes().is_empty());
}

#[test]
fn chunks_become_blocks_in_any_order_on_one_thread() {
    let bytes = GAME.repeat(20);
    let options = BlockOptions { block_size: 100, ..BlockOptions::default() };
    let expected = held_by_chunks(
        Stream { bytes: bytes.as_bytes(), most: usize::MAX, is_broken: false },
        options,
        1,
    );
    let count = Chunks::new(bytes.as_bytes(), options).count();
    for step in (1..count).filter(|step| !count.is_multiple_of(*step)) {
        let in_stream = Chunks::new(bytes.as_bytes(), options).map(Result::unwrap);
        // The end of the file would have them read.
        let in_file = chunks_of_file(bytes.as_bytes(), options).take(count).map(Result::unwrap);
        for blocks in [in_steps(in_stream, step), in_steps(in_file, step)] {
            let mut held = Held::default();
            blocks.iter().for_each(|block| held.add(block));
            assert!(held == expected, "every {step}th of {count}");
        }
    }
}

/// The blocks of chunks, made in steps of this length, round and round from the last one.
fn in_steps(chunks: impl Iterator<Item = Chunk>, step: usize) -> Vec<Block> {
    let mut chunks: Vec<_> = chunks.map(Some).collect();
    let count = chunks.len();
    let mut blocks: Vec<_> = (0..count).map(|_| Block::default()).collect();
    let mut at = count - 1;
    while let Some(chunk) = chunks[at].take() {
        blocks[at] = chunk.into_block();
        at = (at + step) % count;
    }
    for (at, chunk) in chunks.into_iter().enumerate() {
        if let Some(chunk) = chunk {
            blocks[at] = chunk.into_block();
        }
    }
    blocks
}

#[test]
fn nobody_waits_for_a_worker_that_panicked() {
    let bytes = GAME.repeat(500);
    let options = BlockOptions { block_size: 100, ..BlockOptions::default() };
    let feeder = std::thread::current().id();
    let is_feeder = || std::thread::current().id() == feeder;
    // On any thread: on the one that feeds, and on another.
    let anywhere = |_| true;
    let cases: [(usize, &(dyn Fn(bool) -> bool + Sync)); 7] = [
        (1, &anywhere),
        (2, &anywhere),
        (5, &anywhere),
        (2, &|is_feeder| is_feeder),
        (5, &|is_feeder| is_feeder),
        (2, &|is_feeder| !is_feeder),
        (5, &|is_feeder| !is_feeder),
    ];
    for (is_file, (threads, panics_here)) in
        cases.map(|case| [(false, case), (true, case)]).concat()
    {
        let count = AtomicUsize::new(0);
        let run = || {
            Workers::new(NonZeroUsize::new(threads).unwrap()).run(
                |push| {
                    if is_file {
                        let mut chunks = chunks_of_file(bytes.as_bytes(), options);
                        return chunks.try_for_each(|chunk| push(chunk.unwrap()));
                    }
                    let mut chunks = Chunks::new(bytes.as_bytes(), options);
                    chunks.try_for_each(|chunk| push(chunk.unwrap()))
                },
                |chunk: Chunk| {
                    // So that there is more to do than the others can do.
                    std::thread::sleep(std::time::Duration::from_micros(200));
                    let is_late = count.fetch_add(1, Ordering::Relaxed) >= 9;
                    assert!(!(is_late && panics_here(is_feeder())), "meant to be");
                    chunk.into_block().game_count()
                },
                |_| Ok::<(), Infallible>(()),
            )
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{threads} threads");
    }
}

#[test]
fn buffers_are_used_again() {
    let bytes = GAME.repeat(100);
    let options = BlockOptions { block_size: 1000, ..BlockOptions::default() };
    let mut places = std::collections::HashSet::new();
    for chunk in Chunks::new(bytes.as_bytes(), options) {
        let block = chunk.unwrap().into_block();
        places.insert(block.buffer.as_ptr() as usize);
    }
    assert_eq!(places.len(), 1);
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            GAME, "[Event \"x\"]\n", "[Event \"y\"]\n", "[White \"a\"]\n", "[FEN \"a\"", "[Site x]\n",
            "\n", "\n\n", "\r\n", " ", "{", "}", ";", "%", "1. e4 ", "e4", "1-0", "0-1\n", "*\n\n",
            "[", "]", "\"", "\\", "\u{feff}", "text ", "1...", "\n2. c4 {a} ", "\n\n[Event \"z\"]\n",
            "{a}", "{\n\n[Event \"q\"]\n", "*\n\n[Event \"x\"]\r\n\r\n1. d4",
        ]).prop_map(str::to_owned),
        1 => ".{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_hold_the_same_games(
        parts in prop::collection::vec(part(), 0..40),
        block_size in 1_usize..200,
        max_game in prop::sample::select(vec![30, 200, MAX_GAME]),
        threads in prop::sample::select(vec![1, 1, 1, 2, 5]),
    ) {
        check(&parts.concat().into_bytes(), block_size, max_game, threads);
    }

    #[test]
    fn mutated_games_hold_the_same_games(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        block_size in 1_usize..500,
        threads in prop::sample::select(vec![1, 1, 1, 2]),
    ) {
        let mut bytes = GAME.repeat(30).into_bytes();
        for (index, byte) in edits {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        check(&bytes, block_size, MAX_GAME, threads);
    }
}
