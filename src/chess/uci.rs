//! Moves by their squares, as engines write them: `e2e4`, `e1g1`, `e7e8q`.

use std::{fmt, str::FromStr};

use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square};

use super::key::PositionKey;

use crate::quoted::Quoted;

/// A move of standard chess by its origin, its target and the role that a pawn promotes to.
/// Castling is the move of the king. It takes 16 bits, and means a move only together with a
/// position.
///
/// Prints and parses in the notation of the UCI protocol.
///
/// ```
/// use eco::chess::{Chess, UciMove, read_move};
///
/// let start = Chess::default();
/// let m = read_move(&start, b"Nf3")?;
/// assert_eq!(UciMove::from_move(m).to_string(), "g1f3");
/// assert_eq!("g1f3".parse::<UciMove>().unwrap().to_move(&start), Some(m));
/// # Ok::<(), eco::chess::MoveFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UciMove(u16);

const ROLES: [Option<Role>; 5] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];

impl UciMove {
    /// The move between these squares. `promotion` must be `None`, knight, bishop, rook or queen;
    /// any other role counts as `None`.
    pub(crate) fn new(from: Square, to: Square, promotion: Option<Role>) -> Self {
        let role = ROLES.iter().position(|role| *role == promotion).unwrap_or_default();
        Self((role as u16) << 12 | (from as u16) << 6 | to as u16)
    }

    /// The move between these squares, which is no promotion.
    #[inline(always)]
    pub(crate) fn step(from: Square, to: Square) -> Self {
        Self((from as u16) << 6 | to as u16)
    }

    /// A move of a position.
    pub fn from_move(m: Move) -> Self {
        match m {
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                Self::new(king, Square::from_coords(side.king_to_file(), king.rank()), None)
            }
            // A drop has no square to come from; standard chess has none.
            _ => Self::new(m.from().unwrap_or(m.to()), m.to(), m.promotion()),
        }
    }

    /// The move that leads from one position to the next; `None` if no single move does.
    pub(crate) fn between(before: &PositionKey, after: &PositionKey) -> Option<Self> {
        let own = |key: &PositionKey| {
            let [p0, p1, p2, black] = key.planes;
            if before.state & 1 == 1 { black } else { (p0 | p1 | p2) & !black }
        };
        let kings = |key: &PositionKey| key.roles()[Role::King as usize];
        let pawns = |key: &PositionKey| key.roles()[Role::Pawn as usize];
        let (mut left, mut reached) = (own(before) & !own(after), own(after) & !own(before));
        if left.count_ones() == 2 {
            // Castling.
            left &= kings(before);
            reached &= kings(after);
        }
        if left.count_ones() != 1
            || reached.count_ones() != 1
            || before.state & 1 == after.state & 1
        {
            return None;
        }
        let from = Square::new(left.trailing_zeros());
        let to = Square::new(reached.trailing_zeros());
        let is_promotion = pawns(before) & left != 0 && pawns(after) & reached == 0;
        Some(Self::new(from, to, after.role_at(to).filter(|_| is_promotion)))
    }

    /// The origin; of castling, that of the king.
    pub(crate) fn from(self) -> Square {
        Square::new(u32::from(self.0 >> 6 & 63))
    }

    /// The target; of castling, that of the king.
    pub(crate) fn to(self) -> Square {
        Square::new(u32::from(self.0 & 63))
    }

    /// The role that a pawn promotes to.
    pub(crate) fn promotion(self) -> Option<Role> {
        ROLES.get(usize::from(self.0 >> 12)).copied().flatten()
    }

    /// The legal move of `position` with these squares, if there is one.
    pub fn to_move(self, position: &Chess) -> Option<Move> {
        position.legal_moves().into_iter().find(|m| Self::from_move(*m) == self)
    }

    /// The move as 16 bits, from the highest: 0, three bits for the promotion (0 for none, knight 1
    /// to queen 4), six for the origin, six for the target. No move is 0.
    pub(crate) fn bits(self) -> u16 {
        self.0
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UciMove({self})")
    }
}

/// The text is not a move in UCI notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a move such as e2e4 or e7e8q: {}", Quoted(.0))]
pub struct ParseUciError(String);

impl FromStr for UciMove {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<Self, ParseUciError> {
        let is_small = !text.contains(char::is_uppercase);
        match shakmaty::uci::UciMove::from_ascii(text.as_bytes()) {
            Ok(shakmaty::uci::UciMove::Normal { from, to, promotion })
                if from != to && ROLES.contains(&promotion) && is_small =>
            {
                Ok(Self::new(from, to, promotion))
            }
            _ => Err(ParseUciError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::read_fen;

    const STARTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "3r4/4P3/6k1/8/8/8/2p5/1R2K3 b - - 0 1",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_legal_move_is_found_again(
            start in prop::sample::select(STARTS.to_vec()),
            choices in prop::collection::vec(any::<u16>(), 1..60),
        ) {
            let mut position = read_fen(start.as_bytes()).unwrap();
            for choice in choices {
                let legal = position.legal_moves();
                let before = PositionKey::from(&position);
                for m in &legal {
                    let mut after = position.clone();
                    after.play_unchecked(*m);
                    let uci = UciMove::from_move(*m);
                    let key = PositionKey::from(&after);
                    prop_assert_eq!(uci.to_move(&position), Some(*m));
                    prop_assert_eq!(UciMove::between(&before, &key), Some(uci));
                    prop_assert_eq!(uci.to_string().parse(), Ok(uci));
                }
                if legal.is_empty() {
                    break;
                }
                position.play_unchecked(legal[usize::from(choice) % legal.len()]);
            }
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", "e2", "e2e", "e2e9", "e2e4k", "e7e8qq", "e2e2", "é2e4"] {
            assert!(text.parse::<UciMove>().is_err(), "{text:?} was read as a move");
        }
        let start = read_fen(STARTS[0].as_bytes()).unwrap();
        let key = PositionKey::from(&start);
        assert_eq!(UciMove::between(&key, &key), None);
    }
}
