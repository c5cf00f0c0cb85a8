//! From which positions a named one can still be reached, as far as that is told by what never
//! comes back. The rule and why it holds are told at [`crate::classify`].

use crate::chess::{Board, PositionKey};

/// For each [`Remains`], the fewest pieces of a named position that needs no more than these.
#[derive(Debug)]
pub(crate) struct Horizon {
    fewest: Box<[u8; 1 << REMAINS]>,
}

/// So many numbers are compared at once while the table is made.
const LANES: usize = 1 << LANE_BITS;
const LANE_BITS: usize = 4;

/// What is left of what a game begins with and never gets back, a bit each: pawns on their first
/// rank, White's and Black's, and whether White and Black may castle at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Remains(usize);

/// Eight pawns and one right to castle of each side.
const REMAINS: usize = 2 * (8 + 1);

/// More pieces than any position has.
const NEVER: u8 = 65;

/// By the four castling rights: whether White and whether Black has one, at their place in [`Remains`].
static CASTLERS: [u32; 16] = {
    let mut castlers = [0; 16];
    let mut rights = 0;
    while rights < 16 {
        let (white, black) = (rights & 0b0011 != 0, rights & 0b1100 != 0);
        castlers[rights] = (white as u32) << 16 | (black as u32) << 17;
        rights += 1;
    }
    castlers
};

impl Remains {
    /// Those of the [home pawns](PositionKey::home_pawns) and the castling rights.
    #[inline(always)]
    fn of(home_pawns: u64, castling_rights: usize) -> Self {
        Self((home_pawns | u64::from(CASTLERS[castling_rights])) as usize)
    }
}

impl Horizon {
    /// The horizon of positions that have a name.
    pub(super) fn new<'k>(named: impl Iterator<Item = &'k PositionKey>) -> Self {
        let mut fewest = vec![[NEVER; LANES]; (1 << REMAINS) / LANES];
        for key in named {
            let Remains(remains) = Remains::of(key.home_pawns(), key.castling_rights());
            let pieces = key.piece_count() as u8;
            let lanes = fewest[remains / LANES].iter_mut().enumerate();
            let needed = remains % LANES;
            for (_, fewest) in lanes.filter(|(lane, _)| lane & needed == needed) {
                *fewest = (*fewest).min(pieces);
            }
        }
        // A named position needs no more than some remains, if it needs no more than the same less one.
        for bit in 0..REMAINS - LANE_BITS {
            for pair in fewest.chunks_exact_mut(2 << bit) {
                let (without, with) = pair.split_at_mut(1 << bit);
                for (with, less) in with.iter_mut().zip(without) {
                    with.iter_mut().zip(less).for_each(|(with, less)| *with = (*less).min(*with));
                }
            }
        }
        let fewest = fewest.into_flattened().into_boxed_slice().try_into();
        Self { fewest: fewest.expect("a number for each of the remains") }
    }

    /// Whether no named position can be reached any more.
    #[inline(always)]
    pub(crate) fn is_behind(&self, board: &Board) -> bool {
        let remains = Remains::of(board.home_pawns(), board.key().castling_rights());
        self.is_below(remains, board.piece_count())
    }

    /// As [`is_behind`](Self::is_behind), of a position that need not be legal.
    pub(super) fn is_behind_key(&self, key: &PositionKey) -> bool {
        let remains = Remains::of(key.home_pawns(), key.castling_rights());
        self.is_below(remains, key.piece_count())
    }

    #[inline(always)]
    fn is_below(&self, Remains(remains): Remains, pieces: usize) -> bool {
        pieces < usize::from(self.fewest[remains % self.fewest.len()])
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        catalogue::Catalogue,
        chess::{Chess, EnPassantMode, Position, PositionKey},
    };

    #[test]
    fn what_a_line_comes_from_is_never_behind() {
        let catalogue = Catalogue::builtin();
        for line in catalogue.lines() {
            let mut position = Chess::default();
            for m in catalogue.moves(line).unwrap() {
                let key = PositionKey::from_position(&position, EnPassantMode::Legal);
                assert!(!catalogue.is_decided(&key), "{key} on the way to {}", line.opening.name());
                position.play_unchecked(m);
            }
            assert!(!catalogue.is_decided(&catalogue.positions()[line.position].key));
        }
    }

    #[test]
    fn it_ends_where_no_named_position_has_less() {
        for (key, is_decided) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", false),
            // All that never comes back is there, but no named position has so few pieces.
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -", true),
            // All pawns are gone from where they began.
            ("rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w KQkq -", true),
        ] {
            let key: PositionKey = key.parse().unwrap();
            assert_eq!(Catalogue::builtin().is_decided(&key), is_decided, "{key}");
        }
    }
}
