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

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::chess::{Board, PositionKey};

/// For each set of [`irreversible`] features, the fewest pieces of a named position that needs no
/// more than these.
#[derive(Debug, Clone)]
pub(crate) struct Reachability {
    pub(super) rows: Cow<'static, [u16]>,
    /// The numbers of sets that differ only in White's pawns. Many are alike, and each is here
    /// once: so the table takes 55 KB instead of 256, and what is asked for stays in the caches.
    pub(super) blocks: Cow<'static, [Block]>,
}

/// By Black's pawns (8 bits) and the four castling rights above them, the index of the block.
pub(super) type Rows = [u16; 1 << (8 + 4)];

/// By White's pawns, the fewest pieces.
pub(super) type Block = [u8; 1 << 8];

/// The number of bytes that store the rows.
pub(super) const STORED_ROWS: usize = size_of::<Rows>();

/// The rows that were stored.
pub(super) const fn stored_rows(bytes: &[u8; STORED_ROWS]) -> Rows {
    let mut rows = [0; _];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]);
        at += 1;
    }
    rows
}

/// While the table is made, the sets that differ only in the lowest bits are compared at once: 16
/// bytes fill a vector register.
const LANES: usize = 1 << LANE_BITS;
const LANE_BITS: usize = 4;

/// Eight pawns and one right to castle of each side.
const FEATURES: usize = 2 * (8 + 1);

/// More pieces than any position has: no named position needs so little.
const NEVER: u8 = 65;

/// What a game begins with and never gets back, a bit each: bits 0 to 7 are White's pawns on the
/// second rank, bits 8 to 15 Black's on the seventh, bits 16 and 17 whether White and Black may
/// castle. From the [home pawns](Board::home_pawns) and the castling rights, of which the lower two
/// are White's.
fn irreversible([white_pawns, black_pawns]: [usize; 2], castling_rights: usize) -> usize {
    let [white, black] = [0b0011, 0b1100].map(|rights| usize::from(castling_rights & rights != 0));
    white_pawns | black_pawns << 8 | white << 16 | black << 17
}

impl Reachability {
    /// Of the positions that have a name.
    pub(super) fn new<'k>(named: impl Iterator<Item = &'k PositionKey>) -> Self {
        let mut table = vec![[NEVER; LANES]; (1 << FEATURES) / LANES];
        for key in named {
            let board = Board::from_key(key);
            let set = irreversible(board.home_pawns(), board.castling_rights());
            let pieces = board.piece_count() as u8;
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
                let numbers = with.as_flattened_mut().iter_mut().zip(without.as_flattened());
                numbers.for_each(|(with, less)| *with = (*less).min(*with));
            }
        }
        Self::from_numbers(table.as_flattened())
    }

    /// Of the number of each set.
    fn from_numbers(numbers: &[u8]) -> Self {
        let (numbers, _) = numbers.as_chunks::<{ size_of::<Block>() }>();
        let (mut rows, mut blocks): (Rows, Vec<Block>) = ([0; _], Vec::new());
        let mut known = HashMap::new();
        // Four rows have one block, since it does not matter which right to castle a side has.
        let mut indices = vec![None; numbers.len()];
        for (at, row) in rows.iter_mut().enumerate() {
            let (black_pawns, castling_rights) = (at & 0xff, at >> 8);
            let set = irreversible([0, black_pawns], castling_rights);
            let block = &numbers[set >> 8];
            *row = *indices[set >> 8].get_or_insert_with(|| {
                *known.entry(block).or_insert_with(|| {
                    blocks.push(*block);
                    blocks.len() as u16 - 1
                })
            });
        }
        Self { rows: rows.to_vec().into(), blocks: blocks.into() }
    }

    /// Whether no named position can be reached.
    #[inline(always)]
    pub(crate) fn is_decided(&self, board: &Board) -> bool {
        let [white_pawns, black_pawns] = board.home_pawns();
        let row = black_pawns | board.castling_rights() << 8;
        let block = &self.blocks[usize::from(self.rows[row])];
        // The remainder changes nothing; it spares the bounds check.
        board.piece_count() < usize::from(block[white_pawns % block.len()])
    }
}

#[cfg(test)]
impl Reachability {
    /// The bytes to store.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().flat_map(|row| row.to_le_bytes());
        rows.chain(self.blocks.iter().flatten().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        chess::{Chess, Position},
    };

    #[test]
    fn no_position_along_a_line_is_decided() {
        let catalogue = Catalogue::builtin();
        for line in catalogue.lines() {
            let mut position = Chess::default();
            for m in catalogue.moves(line).unwrap() {
                let key = PositionKey::from(&position);
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
