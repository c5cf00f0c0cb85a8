//! A board on which the moves of a game are played one after the other.
//!
//! The plain meaning of a move is [`read_move`] on a `shakmaty` position, and nothing else. Nearly
//! all moves of real games are decided by the [fast path](fast), which the tests hold against the
//! plain one, move by move.

mod coded_board;
mod fast;
mod move_code;
mod tables;
mod written;

use shakmaty::{Chess, Position, Role};

pub(crate) use self::coded_board::CodedBoard;
use super::san::{MoveFault, read_move};
use super::{key::PositionKey, packed_san::PackedSan};

/// A position without its history, on which moves can be played: a [`PositionKey`] with legal en
/// passant squares only, with a set of squares for each role and each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    /// By the number of a role, its pieces of both sides; none at 0 and 7, which are no roles.
    roles: [u64; 8],
    /// The pieces of White and of Black.
    sides: [u64; 2],
    /// As in a key.
    state: u64,
}

impl Default for Board {
    /// The initial position.
    fn default() -> Self {
        Self::from_position(&Chess::default())
    }
}

impl Board {
    /// The board of a position.
    pub(crate) fn from_position(position: &Chess) -> Self {
        Self::from_key(&PositionKey::from(position))
    }

    /// The board of a position that has this key, with legal en passant squares only.
    #[inline(always)]
    pub(crate) const fn from_key(key: &PositionKey) -> Self {
        let [p0, p1, p2, black, state] = key.to_words();
        Self { roles: key.roles(), sides: [(p0 | p1 | p2) & !black, black], state }
    }

    /// The key of the position on the board, with legal en passant squares only.
    #[inline(always)]
    pub(crate) const fn key(&self) -> PositionKey {
        PositionKey::from_roles(&self.roles, self.sides[1], self.state)
    }

    /// As [`PositionKey::piece_count`].
    #[inline(always)]
    pub(crate) const fn piece_count(&self) -> usize {
        (self.sides[0] | self.sides[1]).count_ones() as usize
    }

    /// White's pieces of all roles, and Black's.
    #[inline(always)]
    pub(crate) const fn sides(&self) -> [u64; 2] {
        self.sides
    }

    /// White's pieces of a role, and Black's.
    #[inline(always)]
    pub(crate) const fn pieces(&self, role: Role) -> [u64; 2] {
        let pieces = self.roles[role as usize];
        [pieces & self.sides[0], pieces & self.sides[1]]
    }

    /// Whether the move that led here from `before` took a piece.
    #[inline(always)]
    pub(crate) const fn follows_capture(&self, before: &Self) -> bool {
        let turn = (self.state & 1) as usize;
        self.sides[turn] != before.sides[turn]
    }

    /// White's pawns on their home squares, a bit for each file, and Black's.
    #[inline(always)]
    pub(crate) const fn home_pawns(&self) -> [usize; 2] {
        let [white, black] = self.pieces(Role::Pawn);
        [(white >> 8 & 0xff) as usize, (black >> 48 & 0xff) as usize]
    }

    /// The castling rights, a bit each from the lowest: K, Q, k, q.
    #[inline(always)]
    pub(crate) const fn castling_rights(&self) -> usize {
        (self.state >> 1 & 0b1111) as usize
    }

    /// Plays the move that `written` means, exactly as [`read_move`] understands it.
    ///
    /// # Errors
    ///
    /// Those of [`read_move`]; the board is then as it was.
    pub(crate) fn play(&mut self, written: &[u8]) -> Result<(), MoveFault> {
        match self.play_packed(PackedSan::new(written)) {
            Some(_) => Ok(()),
            None => self.play_plain(written),
        }
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

#[cfg(test)]
mod tests;
