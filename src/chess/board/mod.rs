//! A board on which the moves of a game are played one after the other.
//!
//! The plain meaning of a move is [`read_move`] on a `shakmaty` position, and nothing else. Nearly
//! all moves of real games are decided by the [fast path](fast), which the tests hold against the
//! plain one, move by move.

#[cfg(feature = "collection")]
mod coded_board;
mod fast;
#[cfg(any(feature = "collection", feature = "repertoire"))]
mod move_code;
mod state;
mod tables;
#[cfg(test)]
mod tests;

use shakmaty::Position;

#[cfg(feature = "collection")]
pub(crate) use self::coded_board::CodedBoard;
pub(crate) use self::state::Board;
use super::{
    packed_san::PackedSan,
    san::{MoveFault, read_move},
};

impl Board {
    /// Plays the move that `written` means, exactly as [`read_move`] understands it.
    ///
    /// # Errors
    ///
    /// Those of [`read_move`]; the board is then as it was.
    pub(crate) fn play(&mut self, written: &[u8]) -> Result<(), MoveFault> {
        match self.play_packed(PackedSan::new(written)) {
            Some(()) => Ok(()),
            None => self.play_plain(written),
        }
    }

    /// Plays a move by the fast path alone. `None` leaves the board as it was and says nothing
    /// about the move: ask [`play`](Self::play).
    #[inline(always)]
    pub(crate) fn play_packed(&mut self, san: PackedSan) -> Option<()> {
        self.play_fast(san).map(drop)
    }

    /// The plain path: it knows every form of a move, and the reason why a word is not one.
    #[cold]
    fn play_plain(&mut self, written: &[u8]) -> Result<(), MoveFault> {
        let mut position = self.key().to_position().map_err(|_| MoveFault::Illegal)?;
        let m = read_move(&position, written)?;
        position.play_unchecked(m);
        *self = Self::from_position(&position);
        Ok(())
    }
}
