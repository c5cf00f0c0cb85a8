//! The games of PGN that is in memory.

use std::collections::VecDeque;

use super::{
    block::BlockOptions,
    game::Game,
    split::{More, Splitter, Starts},
};

/// The number of further bytes to scan when the end of a game is not known yet.
const STEP: usize = 64 * 1024;

/// Returns the games in `bytes`, in order, without copying them.
///
/// They are the games that [`Blocks`](super::Blocks) return with default options.
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
#[must_use]
pub fn games(bytes: &[u8]) -> Games<'_> {
    Games {
        bytes,
        splitter: Splitter::new(),
        seen: 0,
        scanned: 0,
        starts: VecDeque::new(),
        number: 0,
        max_game: BlockOptions::default().max_game,
    }
}

/// The iterator that [`games`] returns.
#[derive(Debug, Clone)]
pub struct Games<'a> {
    bytes: &'a [u8],
    splitter: Splitter,
    /// The number of bytes given to the splitter.
    seen: usize,
    /// The number of bytes that the splitter has finished.
    scanned: usize,
    /// Where the next games begin.
    starts: VecDeque<usize>,
    number: u64,
    max_game: usize,
}

impl Games<'_> {
    fn scan(&mut self) {
        self.seen = self.bytes.len().min(self.seen + STEP);
        let more = if self.seen < self.bytes.len() { More::Yes } else { More::No };
        let mut starts = Starts::default();
        let bytes = &self.bytes[..self.seen];
        self.scanned = self.splitter.scan(bytes, self.scanned, more, &mut starts);
        self.starts.extend(starts.all());
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = Game<'a>;

    fn next(&mut self) -> Option<Game<'a>> {
        while self.starts.len() < 2 && self.seen < self.bytes.len() {
            self.scan();
        }
        let start = self.starts.pop_front()?;
        let end = self.starts.front().copied().unwrap_or(self.bytes.len());
        self.number += 1;
        let bytes = &self.bytes[start..end];
        Some(Game {
            bytes: &bytes[..bytes.len().min(self.max_game)],
            noted_tags: &[],
            number: self.number,
            before: &self.bytes[..start],
            block_begins_line: true,
            is_cut: bytes.len() > self.max_game,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Blocks;

    #[test]
    fn the_games_in_memory_are_those_of_the_stream() {
        let one = "[Event \"x\"]\n\n1. e4 {a comment} e5 *\n\n";
        let long = format!("[Event \"long\"]\n\n1. e4 {{{}}} *\n\n", "z\n".repeat(STEP));
        for pgn in [
            String::new(),
            "no chess\n".repeat(20_000),
            one.repeat(3),
            format!("text\n{}", one.repeat(10_000)),
            [one, &long, one, &long].concat(),
            format!("{one}[Event \"open\"]\n\n1. e4 {{{}", "z\n".repeat(STEP)),
            "1. e4 e5 1-0\n\n1. d4 d5 0-1\n".repeat(5000),
        ] {
            let mut found = games(pgn.as_bytes());
            let mut offset = 0;
            for block in Blocks::new(pgn.as_bytes(), BlockOptions::default()) {
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
