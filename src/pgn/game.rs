//! One game of a stream.

use super::{
    split::{More, Splitter, Starts},
    tags::{TagLine, Tags},
    text::ends_at_line_start,
};

/// One game: the bytes from its first tag (or its first move, if it has no tags) to the start of
/// the next game.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    pub(super) bytes: &'a [u8],
    /// The tag lines that the game begins with, as far as the splitter noted them.
    pub(super) noted_tags: &'a [TagLine],
    pub(super) number: u64,
    /// The bytes of the block before the game.
    pub(super) before: &'a [u8],
    /// Whether the block begins at the start of a line, except for blanks.
    pub(super) block_begins_line: bool,
    pub(super) is_cut: bool,
}

impl<'a> Game<'a> {
    /// The game in `bytes`, which should hold one game.
    #[must_use]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            noted_tags: &[],
            number: 1,
            before: b"",
            block_begins_line: true,
            is_cut: false,
        }
    }

    /// The bytes of the game, at most [`BlockOptions::max_game`](super::BlockOptions::max_game).
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The 1-based number of the game in its input.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The offset of the game in the bytes of its block.
    #[must_use]
    pub fn start(&self) -> usize {
        self.before.len()
    }

    /// Whether only blanks precede the game on its first line.
    #[must_use]
    pub(crate) fn begins_line(&self) -> bool {
        ends_at_line_start(self.before, self.block_begins_line)
    }

    /// Whether the movetext ends in a result, so that anything after it is another game.
    #[must_use]
    pub(crate) fn ends_in_result(&self) -> bool {
        // The splitter looks for a result at the end of a line.
        let lines = [self.bytes, b"\n"].concat();
        let mut splitter = Splitter::new();
        splitter.scan(&lines, 0, More::No, &mut Starts::default());
        splitter.is_after_result()
    }

    /// Whether the game goes on after [`bytes`](Self::bytes), because it is longer than
    /// [`BlockOptions::max_game`](super::BlockOptions::max_game).
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The tags. [`Tags::into_main_line`] then returns the moves, and [`Tags::into_movetext`]
    /// everything else as well.
    #[must_use]
    pub fn tags(&self) -> Tags<'a> {
        Tags::new(self.bytes, self.noted_tags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
