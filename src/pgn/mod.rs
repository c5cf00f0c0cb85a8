//! PGN as bytes: where games begin, their tags, their moves, and what accompanies the moves.
//!
//! | input | reader |
//! | --- | --- |
//! | bytes in memory | [`games`], one [`Game`] after the other without copying |
//! | a stream | [`Chunks::blocks`], one [`Block`] of whole games after the other |
//! | a stream, on several threads | [`Chunks`], each of which becomes a block on any thread |
//! | bytes that are pushed | [`PushReader`] |
//! | one game | [`Game::tags`], then [`Tags::into_main_line`] or [`Tags::into_movetext`] |
//!
//! The project reads PGN itself instead of with `pgn-reader`, because classifying needs what that
//! crate skips in silence: words that are no moves, positions in the bytes, and games whose
//! movetext holds blank lines. `pgn-reader` is the second opinion that this reading is tested
//! against.
//!
//! # What a game is
//!
//! * A game begins at a tag line that follows movetext, or that repeats the name of the first tag
//!   of the game before it. A tag line is a line that begins with `[`, a name and a value in
//!   quotes; among tags, the value may be missing.
//! * A game without tags begins where movetext begins: at the start of the input, or at a line
//!   that begins with `1.` after a result, or after a blank line if the game before has no tags
//!   either.
//! * Nothing inside a comment begins a game. A comment that is still open at a tag line is ended by
//!   the next `}` if that comes before any other `{` and within 64 KiB; otherwise the comment was
//!   never closed, and the tag line begins the next game.
//! * Comments among the tags are no movetext. Blank lines end nothing. Text before the first game
//!   belongs to no game; text after a game belongs to that game.
//!
//! # What is forgiven
//!
//! Line ends of either kind, byte order marks, blanks before a tag, several tags on a line,
//! missing blank lines, `%` lines, tag lines without quotes (they have no value), quotes within a
//! value that are not escaped, and any byte that is not ASCII. What stands in square brackets among
//! the moves, such as `[%clk 0:01:00]` or `[diagram]`, is skipped as comments are.
//!
//! # Where the fast paths are
//!
//! `tags`, `movetext` and `split` each hold the whole meaning plainly. Their `fast.rs` answers for
//! what nearly all files look like, or returns `None`. Property tests hold both equal.

mod annotated;
mod buffers;
mod chunks;
#[cfg(feature = "codecs")]
mod codecs;
mod commands;
mod compression;
mod date;
#[cfg(feature = "codecs")]
mod frame_encoder;
mod frames;
mod game;
mod movetext;
pub mod parts;
#[cfg(feature = "oracle")]
pub mod plain;
pub mod source;
mod split;
mod tags;
mod text;
mod typed;

pub use annotated::{Item, Movetext, nag_glyph};
pub use buffers::Buffers;
pub use chunks::{Chunk, Chunks, PushReader};
#[cfg(feature = "codecs")]
pub use codecs::Encoder;
pub(crate) use commands::Aside;
pub use commands::Commands;
pub use compression::Compression;
pub(crate) use date::{Clock, days_since_1970, two_digits};
pub use date::{GameDate, ParseDateError, PlayedAt};
#[cfg(feature = "codecs")]
pub use frame_encoder::Frames;
pub use game::{Block, BlockOptions, Game, games};
pub(crate) use movetext::{CountedLine, FirstMoves, MoveBuffer};
pub use movetext::{MainLine, Token};
#[cfg(feature = "oracle")]
pub(crate) use tags::MAX_TAG_LENGTH;
pub(crate) use tags::{PlacedTag, TagVisitor, implied_variant, is_standard_chess};
pub use tags::{Tag, TagFault, Tags};
pub(crate) use tags::{write_tag, write_value};
pub use text::decode_text;
pub(crate) use text::{BYTE_ORDER_MARK, decode_word};
pub use typed::{TypedError, play_typed};

/// Without the feature `codecs`, only plain data are read.
#[cfg(not(feature = "codecs"))]
mod codecs {
    use std::io;

    use super::Compression;

    pub(super) fn decode_frames(
        compression: Compression,
        _: impl io::BufRead,
    ) -> io::Result<Box<dyn io::Read + Send>> {
        Err(without_codecs(compression.name()))
    }

    pub(super) fn decode(
        compression: Compression,
        input: impl io::BufRead + 'static,
    ) -> io::Result<Box<dyn io::Read>> {
        match compression {
            Compression::Plain => Ok(Box::new(input)),
            _ => Err(without_codecs(compression.name())),
        }
    }

    /// The error for input that needs the feature `codecs`.
    pub(super) fn without_codecs(what: &str) -> io::Error {
        let text = format!("{what} cannot be read: eco was built without the feature codecs");
        io::Error::new(io::ErrorKind::Unsupported, text)
    }
}
