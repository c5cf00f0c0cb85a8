//! A game as a repertoire keeps it: who played, and its first moves.

use std::num::{NonZeroU16, NonZeroU32};

use super::tally::GameFacts;
use crate::{
    chess::{Board, Color, Fen, PositionKey, UciMove},
    pgn::GameDate,
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
    /// When it was played.
    pub date: Option<GameDate>,
    /// How it ended.
    pub result: GameResult,
    /// The `Site` tag, on the web often a link to the game.
    pub site: String,
    /// The start position, unless that is the initial one.
    pub start: Option<Fen>,
    /// Its first moves as written, separated by blanks.
    pub moves: String,
    /// The number of those moves.
    pub plies: usize,
}

impl PlayedGame {
    /// The key of its start position.
    #[must_use]
    pub(crate) fn start_key(&self) -> PositionKey {
        self.start.as_ref().map_or_else(|| *Board::default().key(), Fen::key)
    }

    /// Plays its moves, up to a ply. Calls `visit` with each position and the move played there,
    /// and with the last position without a move. A move that cannot be played ends the game.
    pub(crate) fn walk(
        &self,
        max_ply: usize,
        mut visit: impl FnMut(&PositionKey, Option<UciMove>),
    ) {
        let start =
            self.start.as_ref().map(|start| start.to_position().map(|p| Board::from_position(&p)));
        let Ok(mut board) = start.unwrap_or_else(|| Ok(Board::default())) else { return };
        for word in self.moves.split_ascii_whitespace().take(max_ply) {
            let before = *board.key();
            if board.play(word.as_bytes()).is_err() {
                break;
            }
            visit(&before, UciMove::between(&before, board.key()));
        }
        visit(board.key(), None);
    }

    /// The facts that a count for a side needs.
    ///
    /// # Panics
    ///
    /// If `number` is 0.
    #[must_use]
    pub(crate) fn facts(&self, number: u32, side: Color) -> GameFacts {
        GameFacts {
            number: NonZeroU32::new(number).expect("games are numbered from 1"),
            date: self.date,
            half_points: self.result.half_points(side),
            opponent: if side.is_white() { self.black_rating } else { self.white_rating },
        }
    }
}
