//! A game as a repertoire keeps it: who played, and its first moves.

use std::num::{NonZeroU16, NonZeroU32};

use super::tally::GameFacts;
use crate::{
    chess::{Board, Chess, Color, Fen, PositionKey, UciMove, play_as_san},
    pgn::{GameDate, PlayedAt},
    select::{Fingerprint, GameResult},
};

/// A game, as far as a repertoire needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its identity.
    pub fingerprint: Fingerprint,
    /// The name of White; empty if unknown.
    pub white: String,
    /// The name of Black.
    pub black: String,
    /// The rating of White.
    pub white_rating: Option<NonZeroU16>,
    /// The rating of Black.
    pub black_rating: Option<NonZeroU16>,
    /// Its date.
    pub date: Option<GameDate>,
    /// When it was played.
    pub played_at: PlayedAt,
    /// How it ended.
    pub result: GameResult,
    /// The `Site` tag, on the web often a link to the game.
    pub site: String,
    /// The start position, unless that is the initial one.
    pub start: Option<Fen>,
    /// Its first moves, a [code](Board::play_code) each.
    pub(crate) codes: Vec<u8>,
}

impl PlayedGame {
    /// The number of its first moves.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.codes.len()
    }

    /// Its first moves in SAN, separated by blanks.
    #[must_use]
    pub fn movetext(&self) -> String {
        let start = self.start.as_ref().map(Fen::to_position);
        let Ok(mut position) = start.unwrap_or_else(|| Ok(Chess::default())) else {
            return String::new();
        };
        let mut words = Vec::with_capacity(self.codes.len());
        self.walk(usize::MAX, |_, uci| {
            let played = uci.and_then(|uci| uci.to_move(&position));
            words.extend(played.map(|m| play_as_san(&mut position, m).to_string()));
        });
        words.join(" ")
    }

    /// Plays its moves, up to a ply. Calls `visit` with each position and the move played there,
    /// and with the last position without a move.
    pub(crate) fn walk(
        &self,
        max_ply: usize,
        mut visit: impl FnMut(&PositionKey, Option<UciMove>),
    ) {
        let start =
            self.start.as_ref().map(|start| start.to_position().map(|p| Board::from_position(&p)));
        let Ok(mut board) = start.unwrap_or_else(|| Ok(Board::default())) else { return };
        for code in self.codes.iter().take(max_ply) {
            let before = board.key();
            let Some(uci) = board.play_code(*code) else { break };
            visit(&before, Some(uci));
        }
        visit(&board.key(), None);
    }

    /// The facts that a count for a side needs.
    #[must_use]
    pub(crate) fn facts(&self, number: Option<NonZeroU32>, side: Color) -> GameFacts {
        GameFacts {
            number,
            date: self.date,
            played_at: self.played_at,
            half_points: self.result.half_points(side),
            opponent: if side.is_white() { self.black_rating } else { self.white_rating },
        }
    }
}
