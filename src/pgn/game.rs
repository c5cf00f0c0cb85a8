//! Games: one, those of bytes in memory, and a block of them with the bytes around.

use std::ops::Range;

use super::split::{More, Splitter, Starts};
use super::tags::{TagLine, Tags};
use super::{buffers::Buffer, text::ends_at_line_start};

/// One game: the bytes from its first tag (or its first move, if it has no tags) to the start of
/// the next game.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    pub(super) bytes: &'a [u8],
    /// The tag lines that the game begins with, as far as the splitter noted them.
    noted_tags: &'a [TagLine],
    pub(super) number: u64,
    /// The bytes of the block before the game.
    pub(super) before: &'a [u8],
    /// Whether the block begins at the start of a line, except for blanks.
    block_begins_line: bool,
    pub(super) is_cut: bool,
}

impl<'a> Game<'a> {
    /// The game in `bytes`, which should hold one game.
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self::within(bytes, 0..bytes.len(), usize::MAX)
    }

    /// The first game of a stream, as far as it is looked at; it has this range of `bytes`.
    #[inline]
    fn within(bytes: &'a [u8], range: Range<usize>, max_game: usize) -> Self {
        let (before, whole) = (&bytes[..range.start], &bytes[range]);
        Self {
            bytes: &whole[..whole.len().min(max_game)],
            noted_tags: &[],
            number: 1,
            before,
            block_begins_line: true,
            is_cut: whole.len() > max_game,
        }
    }

    /// The bytes of the game, at most [`BlockOptions::max_game`].
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The 1-based number of the game in its input.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The offset of the game in the bytes of its block.
    pub fn start(&self) -> usize {
        self.before.len()
    }

    /// Whether only blanks precede the game on its first line.
    pub(crate) fn begins_line(&self) -> bool {
        ends_at_line_start(self.before, self.block_begins_line)
    }

    /// Whether the movetext ends in a result, so that anything after it is another game.
    pub(crate) fn ends_in_result(&self) -> bool {
        // The splitter looks for a result at the end of a line.
        let lines = [self.bytes, b"\n"].concat();
        let mut splitter = Splitter::new();
        splitter.scan(&lines, 0, More::No, &mut Starts::default());
        splitter.is_after_result
    }

    /// Whether the game goes on after [`bytes`](Self::bytes), because it is longer than
    /// [`BlockOptions::max_game`].
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The tags. [`Tags::into_main_line`] then returns the moves, and [`Tags::into_movetext`]
    /// everything else as well.
    pub fn tags(&self) -> Tags<'a> {
        Tags::new(self.bytes, self.noted_tags)
    }
}

/// Returns the games in `bytes`, in order, without copying them.
///
/// They are the games that [`Chunks`](super::Chunks) have with default options.
/// [`Game::start`] is their offset in `bytes`.
///
/// ```
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 c5 *\n";
/// let white: Vec<_> = eco::pgn::games(pgn)
///     .filter_map(|game| game.tags().find(|tag| tag.name == b"White"))
///     .map(|tag| tag.raw_value)
///     .collect();
/// assert_eq!(white, [&b"Byrne"[..], b"Fischer"]);
/// ```
pub fn games(bytes: &[u8]) -> impl Iterator<Item = Game<'_>> {
    let mut starts = Starts::default();
    Splitter::new().scan(bytes, 0, More::No, &mut starts);
    let limits: Vec<usize> = starts.all().chain([bytes.len()]).collect();
    let max_game = BlockOptions::default().max_game;
    (1..limits.len()).map(move |number| Game {
        number: number as u64,
        ..Game::within(bytes, limits[number - 1]..limits[number], max_game)
    })
}

/// How a stream is cut into blocks.
#[derive(Debug, Clone, Copy)]
pub struct BlockOptions {
    /// The approximate size of a block in bytes. No result for any game depends on it.
    pub block_size: usize,
    /// The most bytes of a game that are looked at. It bounds the memory, but for a line with
    /// comments, of which up to 64 KiB more are held until its end has come.
    pub max_game: usize,
}

impl Default for BlockOptions {
    fn default() -> Self {
        // What the threads have in hand stays in their caches. Larger blocks are less work where
        // games are long; with two threads, 256 KiB took 1 % longer (on an Intel Xeon with 2 MiB of
        // cache for each core, 2026-11).
        Self { block_size: 192 * 1024, max_game: 8 * 1024 * 1024 }
    }
}

/// A part of a stream that begins and ends between games.
///
/// All blocks of a stream, one after the other, are the stream, byte for byte. A game longer than
/// [`BlockOptions::max_game`] continues in blocks without a game of their own.
#[derive(Default)]
pub struct Block {
    pub(super) buffer: Buffer,
    /// The range of the block in the buffer.
    pub(super) within: Range<usize>,
    /// The offsets of the games in the block.
    pub(super) starts: Starts,
    /// The end of the last game. It differs from the end of the block if bytes of a broken game
    /// follow.
    pub(super) games_end: usize,
    pub(super) games_before: u64,
    /// The offset of the block in its stream.
    pub(super) offset: u64,
    pub(super) max_game: usize,
    /// Whether the block begins at the start of a line, except for blanks.
    pub(super) begins_line: bool,
}

impl Block {
    /// All bytes of the block, including those before its first game.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.within.clone()]
    }

    /// The number of bytes of the stream before the block. A game of the block begins at this
    /// offset plus [`Game::start`].
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// All bytes but those of a game at the end in which the stream broke off.
    pub fn whole_bytes(&self) -> &[u8] {
        &self.bytes()[..self.games_end]
    }

    /// The number of games that begin in the block.
    pub fn game_count(&self) -> usize {
        self.starts.len()
    }

    /// The block further on in a stream, after this number of games.
    #[must_use]
    pub fn after_games(self, games: u64) -> Self {
        Self { games_before: self.games_before + games, ..self }
    }

    /// The games that begin in the block, in order.
    pub fn games(&self) -> impl Iterator<Item = Game<'_>> {
        let all = self.bytes();
        let ends = self.starts.all().skip(1).chain([self.games_end]);
        let games = self.starts.with_tags().zip(ends).zip(self.games_before + 1..);
        games.map(move |(((start, noted_tags), end), number)| Game {
            noted_tags,
            number,
            block_begins_line: self.begins_line,
            ..Game::within(all, start..end, self.max_game)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Chunks;

    #[test]
    fn a_result_at_the_end_makes_a_game_whole() {
        for (game, ends) in [
            ("1. e4 *", true),
            ("[A \"1\"]\n\n1. e4 1-0\n\n", true),
            ("1. e4 1/2-1/2 {drawn}\n", true),
            ("1. e4 e5", false),
            ("1. e4 * e5", false),
            ("1. e4 {*", false),
        ] {
            assert_eq!(Game::from_bytes(game.as_bytes()).ends_in_result(), ends, "for {game:?}");
        }
    }

    #[test]
    fn the_games_in_memory_are_those_of_the_stream() {
        let one = "[Event \"x\"]\n\n1. e4 {a comment} e5 *\n\n";
        let comment = "z\n".repeat(64 * 1024);
        let long = format!("[Event \"long\"]\n\n1. e4 {{{comment}}} *\n\n");
        for pgn in [
            String::new(),
            "no chess\n".repeat(20_000),
            one.repeat(3),
            format!("text\n{}", one.repeat(10_000)),
            [one, &long, one, &long].concat(),
            format!("{one}[Event \"open\"]\n\n1. e4 {{{comment}"),
            "1. e4 e5 1-0\n\n1. d4 d5 0-1\n".repeat(5000),
        ] {
            let mut found = games(pgn.as_bytes());
            let mut offset = 0;
            for block in Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks() {
                let block = block.unwrap();
                for expected in block.games() {
                    let game = found.next().expect("there are as many games");
                    assert_eq!(game.number(), expected.number());
                    assert_eq!(game.start(), offset + expected.start());
                    assert_eq!(game.bytes(), expected.bytes());
                    assert_eq!(game.begins_line(), expected.begins_line());
                    assert!(game.tags().eq(expected.tags()));
                }
                offset += block.bytes().len();
            }
            assert!(found.next().is_none());
        }
    }
}
