//! The positions from which a named one may still be reached.
//!
//! The proof is at [`Catalogue::is_decided`](super::Catalogue::is_decided). A
//! table has for each of the 2^18 sets of irreversible features the fewest pieces of a named
//! position that needs no more than this set. For a set that is exactly that of some named
//! positions it begins with the fewest pieces of these; then, one bit after another, each set with
//! the bit gets the lesser of its own number and that of the set without the bit, so that in the
//! end it has the least of all its subsets. A position is decided if it has fewer pieces than the
//! number of its set. So one look-up answers what the reference classifier finds by comparing with
//! all named positions.

use super::maybe_static::MaybeStatic;
use crate::chess::{Board, PositionKey};

/// For each set of [`Irreversible`] features, the fewest pieces of a named position that needs no
/// more than these.
#[derive(Debug)]
pub(crate) struct Reachability {
    min_pieces: MaybeStatic<MinPieces>,
}

pub(super) type MinPieces = [u8; 1 << FEATURES];

/// While the table is made, the sets that differ only in the lowest bits are compared at once: 16
/// bytes fill a vector register.
const LANES: usize = 1 << LANE_BITS;
const LANE_BITS: usize = 4;

/// What a game begins with and never gets back, a bit each: bits 0 to 7 are White's pawns on the
/// second rank, bits 8 to 15 Black's on the seventh, bits 16 and 17 whether White and Black may
/// castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Irreversible(usize);

/// Eight pawns and one right to castle of each side.
const FEATURES: usize = 2 * (8 + 1);

/// More pieces than any position has: no named position needs so little.
const NEVER: u8 = 65;

/// By the four castling rights, of which the lower two are White's: bits 16 and 17.
static CASTLING_BITS: [u32; 16] = {
    let mut bits = [0; 16];
    let mut rights = 0;
    while rights < 16 {
        let (white, black) = (rights & 0b0011 != 0, rights & 0b1100 != 0);
        bits[rights] = (white as u32) << 16 | (black as u32) << 17;
        rights += 1;
    }
    bits
};

impl Irreversible {
    /// From the [home pawns](PositionKey::home_pawns) and the castling rights.
    #[inline(always)]
    fn new(home_pawns: u64, castling_rights: usize) -> Self {
        Self((home_pawns | u64::from(CASTLING_BITS[castling_rights])) as usize)
    }
}

impl Reachability {
    /// Of the positions that have a name.
    pub(super) fn new<'k>(named: impl Iterator<Item = &'k PositionKey>) -> Self {
        let mut table = vec![[NEVER; LANES]; (1 << FEATURES) / LANES];
        for key in named {
            let Irreversible(set) = Irreversible::new(key.home_pawns(), key.castling_rights());
            let pieces = key.piece_count() as u8;
            let lanes = table[set / LANES].iter_mut().enumerate();
            let needed = set % LANES;
            for (_, min) in lanes.filter(|(lane, _)| lane & needed == needed) {
                *min = (*min).min(pieces);
            }
        }
        // What needs no more than a set without a bit needs no more than the set with it.
        for bit in 0..FEATURES - LANE_BITS {
            for pair in table.chunks_exact_mut(2 << bit) {
                let (without, with) = pair.split_at_mut(1 << bit);
                for (with, less) in with.iter_mut().zip(without) {
                    with.iter_mut().zip(less).for_each(|(with, less)| *with = (*less).min(*with));
                }
            }
        }
        let min_pieces = table.into_flattened().into_boxed_slice().try_into();
        let min_pieces = min_pieces.expect("there is a number for each set");
        Self { min_pieces: MaybeStatic::Owned(min_pieces) }
    }

    /// As it was stored.
    pub(super) fn stored(min_pieces: MaybeStatic<MinPieces>) -> Self {
        Self { min_pieces }
    }

    /// The number of each set.
    #[cfg(test)]
    pub(super) fn min_pieces(&self) -> &MinPieces {
        &self.min_pieces
    }

    /// Whether no named position can be reached.
    #[inline(always)]
    pub(crate) fn is_decided(&self, board: &Board) -> bool {
        let features = Irreversible::new(board.home_pawns(), board.key().castling_rights());
        self.has_too_few(features, board.piece_count())
    }

    /// As [`is_decided`](Self::is_decided), of a position that need not be legal.
    pub(super) fn is_decided_key(&self, key: &PositionKey) -> bool {
        let features = Irreversible::new(key.home_pawns(), key.castling_rights());
        self.has_too_few(features, key.piece_count())
    }

    #[inline(always)]
    fn has_too_few(&self, Irreversible(set): Irreversible, pieces: usize) -> bool {
        // The remainder changes nothing; it spares the bounds check.
        pieces < usize::from(self.min_pieces[set % self.min_pieces.len()])
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        catalogue::Catalogue,
        chess::{Chess, EnPassantMode, Position, PositionKey},
    };

    #[test]
    fn no_position_along_a_line_is_decided() {
        let catalogue = Catalogue::builtin();
        for line in catalogue.lines() {
            let mut position = Chess::default();
            for m in catalogue.moves(line).unwrap() {
                let key = PositionKey::from_position(&position, EnPassantMode::Legal);
                assert!(!catalogue.is_decided(&key), "{key} in {}", line.opening.name());
                position.play_unchecked(m);
            }
            assert!(!catalogue.is_decided(&catalogue.positions()[line.position].key));
        }
    }

    #[test]
    fn a_position_is_decided_where_no_named_one_has_less() {
        for (key, is_decided) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", false),
            // It has all that never comes back, but no named position has so few pieces.
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -", true),
            // No pawn stands on its home rank.
            ("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w KQkq -", true),
        ] {
            let key: PositionKey = key.parse().unwrap();
            assert_eq!(Catalogue::builtin().is_decided(&key), is_decided, "{key}");
        }
    }
}
