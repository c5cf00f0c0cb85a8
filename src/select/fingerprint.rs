//! The identity of a game, and when two games are the same.

use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::{game_info::GameInfo, tag_value::GameResult};
use crate::chess::{Board, Color, EnPassantMode, Fen};
use crate::chess::{PackedSan, without_checks};
use crate::pgn::{Game, Tag, Token, decode_text};
use crate::{classify::Header, named::named, quoted::Quoted};

/// The identity of a game: 16 bytes of the SHA-256 of its content.
///
/// The content is its players, date and time, site, round, result and start position, and all moves
/// of its main line as written, without signs of check. Comments, variations, other tags and layout
/// do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 16]);

impl Fingerprint {
    /// The identity of a game as it stands in a file.
    ///
    /// ```
    /// use eco::{pgn::games, select::Fingerprint};
    ///
    /// let pgn = b"[White \"A\"]\n\n1. e4 e5+ 1-0\n\n[White \"A\"]\n\n1. e4 {!} e5 1-0\n";
    /// let found: Vec<_> = games(pgn).map(|game| Fingerprint::of_game(&game)).collect();
    /// assert_eq!(found[0], found[1]);
    /// ```
    pub fn of_game(game: &Game<'_>) -> Self {
        let info = GameInfo::read(game);
        let (mut content, mut end) = (Content::default(), None);
        for token in info.main_line() {
            match token {
                Token::Move(word) => content.add_move(word),
                Token::Result(result) => end = Some(result),
                Token::OpenComment | Token::OpenVariation => {}
            }
        }
        let result = GameResult::of_game(info.tag("Result").as_deref(), || end);
        let start = Header::read(info.tags()).start().ok().flatten();
        let start = start.filter(|start| Board::from_position(start) != Board::default());
        let start = start.map(|start| Fen::from_position(&start, EnPassantMode::Legal));
        content.fingerprint(&info, result, start.as_ref())
    }

    /// That of any content.
    pub(crate) fn of_bytes(content: &[u8]) -> Self {
        let digest = Sha256::digest(content);
        Self(std::array::from_fn(|n| digest[n]))
    }
}

/// The content of a game, as far as it was read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Content {
    bytes: Vec<u8>,
}

impl Content {
    #[inline]
    pub(crate) fn add_move(&mut self, written: &[u8]) {
        self.bytes.extend_from_slice(without_checks(written));
        self.bytes.push(b' ');
    }

    /// Adds a packed move, which has no sign of check.
    #[inline]
    pub(crate) fn add_packed_move(&mut self, written: PackedSan) {
        let end = self.bytes.len() + written.len() + 1;
        self.bytes.extend_from_slice(&written.then_blank());
        self.bytes.truncate(end);
    }

    /// The fingerprint of the game, of which `start` is `None` if it begins in the initial
    /// position. Nothing is left of the moves.
    pub(crate) fn fingerprint(
        &mut self,
        game: &GameInfo<'_>,
        result: GameResult,
        start: Option<&Fen>,
    ) -> Fingerprint {
        let [white, black] = [Color::White, Color::Black].map(|color| game.name(color));
        let is_time = |tag: &Tag<'_>| matches!(tag.name, b"UTCTime" | b"Time");
        let time = game.tags().find(is_time).map(|tag| tag.value());
        let tags = [white, black, game.date_value(), game.tag("Site"), game.tag("Round"), time];
        for value in tags {
            self.bytes.push(b'\n');
            let value = decode_text(value.as_deref().unwrap_or_default());
            // The PGN standard's mark of unknown values.
            let value = Some(value.trim()).filter(|value| *value != "?");
            self.bytes.extend_from_slice(value.unwrap_or_default().as_bytes());
        }
        let start = start.map(ToString::to_string).unwrap_or_default();
        for value in [result.as_str(), &start] {
            self.bytes.push(b'\n');
            self.bytes.extend_from_slice(value.as_bytes());
        }
        let fingerprint = Fingerprint::of_bytes(&self.bytes);
        self.bytes.clear();
        fingerprint
    }
}

named! {
    /// When two games are the same, so that only the first of them is kept.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum SameGame {
        /// If all that identifies them is the same: see [`Fingerprint`](super::Fingerprint). A copy
        /// with another site is another game.
        #[default]
        Strict = "strict",
        /// If players, date, start position and moves are the same, whatever their sites, rounds,
        /// times and results: as copies of one game from several sources are.
        Moves = "moves",
    }
}

/// A rule by which games are the same that is neither of the two.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {}, expected strict or moves", Quoted(.0))]
pub struct ParseSameGameError(String);

impl FromStr for SameGame {
    type Err = ParseSameGameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().copied().find(|rule| rule.name() == text);
        known.ok_or_else(|| ParseSameGameError(text.to_owned()))
    }
}
