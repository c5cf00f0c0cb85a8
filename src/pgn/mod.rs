//! PGN as bytes: where games begin, their tags, the words of their main line, and what stands beside it.
//!
//! The project reads PGN itself instead of with `pgn-reader`, because classifying needs to know
//! what that crate passes over in silence: words that are no moves, where in the bytes a thing
//! stands, and games whose movetext holds blank lines. `pgn-reader` is the second opinion that
//! this reading is tested against, by way of [`plain`].
//!
//! # What a game is
//!
//! * A game begins at a tag line that follows movetext, or that repeats the name of the first tag
//!   of the game before it. A tag line is a line that begins with `[`, a name and a value.
//! * A game without tags begins where movetext begins: at the start of the input, or at a line
//!   that begins with `1.` after a result, or after a blank line if the game before has no tags
//!   either.
//! * Nothing inside a comment begins a game. A comment that is still open at a tag line is ended
//!   by the next `}` if that comes before any other `{` and within [`COMMENT_LOOKAHEAD`] bytes;
//!   otherwise the comment was never closed, and the tag line begins the next game.
//! * Comments among the tags are no movetext. Blank lines end nothing. Text before the first game belongs to no game; text after a game
//!   belongs to that game.
//!
//! # What is forgiven
//!
//! Line ends of either kind, byte order marks, blanks before a tag, several tags on a line,
//! missing blank lines, `%` lines, tag lines without quotes (they have no value), quotes within a
//! value that are not escaped, and any byte that is not ASCII.

mod annotated;
mod blocks;
mod buffers;
mod codecs;
mod compression;
mod glyph;
mod movetext;
mod pieces;
#[cfg(feature = "oracle")]
pub mod plain;
pub mod source;
mod split;
mod starts;
mod tags;
mod typed;

pub use annotated::{Item, Movetext};
pub use blocks::{Block, BlockOptions, Blocks};
pub use buffers::Buffers;
#[cfg(feature = "codecs")]
pub use codecs::Encoder;
pub use compression::Compression;
pub use glyph::nag_glyph;
pub(crate) use movetext::WordsAhead;
pub use movetext::{MainLine, Token};
pub use pieces::{Piece, Pieces};
pub use split::COMMENT_LOOKAHEAD;
pub use tags::{MAX_TAG_LENGTH, PlacedTag, PlacedTags, Tag, TagFault, Tags, decode_text};
pub use typed::{TypedError, play_typed};

/// One game: the bytes from its first tag (or its first move, if it has no tags) to where the next
/// game begins.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    bytes: &'a [u8],
    /// The tags that it begins with, as far as they were read when it was found.
    known_tags: &'a [tags::UsualTag],
    number: u64,
    /// The bytes of its block before it.
    before: &'a [u8],
    /// Whether its block begins a line, but for blanks.
    block_begins_line: bool,
    is_cut: bool,
}

impl<'a> Game<'a> {
    /// The game that `bytes` hold; they are taken to hold one.
    #[must_use]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            known_tags: &[],
            number: 1,
            before: b"",
            block_begins_line: true,
            is_cut: false,
        }
    }

    /// The bytes of the game. Of a game longer than [`BlockOptions::max_game`] only so many.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Its place in the input, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where it begins in the bytes of its block.
    #[must_use]
    pub fn start(&self) -> usize {
        self.before.len()
    }

    /// Whether nothing but blanks is before it on its first line.
    #[must_use]
    pub fn begins_line(&self) -> bool {
        begins_line_behind(self.before, self.block_begins_line)
    }

    /// Whether its movetext ends in a result, so that whatever follows is another game.
    #[must_use]
    pub fn ends_in_result(&self) -> bool {
        // The splitter looks for a result where a line ends.
        let lines = [self.bytes, b"\n"].concat();
        let mut splitter = split::Splitter::new();
        splitter.scan(&lines, 0, split::More::No, &mut starts::Starts::default());
        splitter.is_after_result()
    }

    /// Whether the game goes on beyond [`bytes`](Self::bytes), because it is longer than
    /// [`BlockOptions::max_game`].
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Its tags; afterwards [`Tags::into_main_line`] gives the moves, and
    /// [`Tags::into_movetext`] everything else as well.
    #[must_use]
    pub fn tags(&self) -> Tags<'a> {
        Tags::new(self.bytes, self.known_tags)
    }
}

/// So much of a word is told; no move is longer, and what is no move may be a megabyte.
const MAX_WORD: usize = 40;

/// A word of movetext as text to be told.
#[must_use]
pub fn told_word(word: &[u8]) -> String {
    let told = &word[..word.len().min(MAX_WORD)];
    let dots = if told.len() < word.len() { "..." } else { "" };
    format!("{}{dots}", decode_text(told))
}

/// Whether a byte is a blank within a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Whether what follows these bytes begins a line, but for blanks; `begins` says so of the bytes.
fn begins_line_behind(mut bytes: &[u8], begins: bool) -> bool {
    loop {
        bytes = match bytes {
            [rest @ .., last] if is_blank(*last) => rest,
            _ => match bytes.strip_suffix(BYTE_ORDER_MARK) {
                Some(rest) => rest,
                None => return bytes.last().map_or(begins, |last| *last == b'\n'),
            },
        };
    }
}

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
