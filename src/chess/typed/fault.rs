//! Why a move cannot be played, in words.

use std::fmt;

use shakmaty::{Bitboard, CastlingSide, Color, File, Piece, Rank, Square};

use super::language::{Language, Letters, Promotions};
use crate::chess::words::{piece_name, role_name, with_article};

/// Why a word is no move that can be played. It prints as words for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TypedFault {
    /// It has not the form of a move.
    #[error("not a move in {}; the pieces are {}", .0.name(), Letters(*.0))]
    Unreadable(Language),
    /// It is a null move.
    #[error("a null move cannot be played")]
    Null,
    /// The other side could play it.
    #[error("it is {}'s turn, and this is a move of {}", side(*.0), side(!*.0))]
    WrongSide(Color),
    /// No piece of that kind is there.
    #[error("{} has no {}{}", side(.piece.color), role_name(.piece.role), Within(*.within))]
    NoPiece {
        /// The piece that is missing.
        piece: Piece,
        /// Where it should have been.
        within: Bitboard,
    },
    /// The piece that is named by its square is of the other side.
    #[error("{} on {on} is not {}'s to move", with_article(*.piece), side(!.piece.color))]
    NotYours {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        on: Square,
    },
    /// Nothing stands on the square that the piece is to leave.
    #[error("there is no piece on {0}")]
    EmptyOrigin(Square),
    /// A piece of the own side is in the way on the target.
    #[error("{} stands on {on} already", with_article(*.piece))]
    OwnPiece {
        /// The piece.
        piece: Piece,
        /// The target.
        on: Square,
    },
    /// A piece stands in between.
    #[error("{} on {from} cannot go to {to}: {} on {at} is in the way", with_article(*.piece), with_article(*.blocker))]
    Blocked {
        /// The piece that cannot pass.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
        /// What is in the way.
        blocker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The pieces of that kind do not move like that.
    #[error("{} cannot go to {to}", Standing(*.piece, *.from))]
    Unreachable {
        /// The kind of piece.
        piece: Piece,
        /// Where there are such.
        from: Bitboard,
        /// Where one should go.
        to: Square,
    },
    /// A pawn takes sideways, and there is nothing.
    #[error("there is nothing on {0} that a pawn could take, and no pawn to take en passant")]
    NothingToTake(Square),
    /// A pawn goes straight ahead, and something stands there.
    #[error("{} on {at} is in the way of the pawn; pawns take sideways", with_article(*.blocker))]
    PawnBlocked {
        /// What is in the way.
        blocker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The piece would uncover an attack on its king.
    #[error("{} on {from} is pinned to the king on {king} by {} on {at}", with_article(*.piece), with_article(*.pinner))]
    Pinned {
        /// The pinned piece.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// Where its king stands.
        king: Square,
        /// What pins it.
        pinner: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The king is attacked, and the move does not help.
    #[error("it leaves the king on {king} in check from {} on {at}", with_article(*.checker))]
    LeftInCheck {
        /// Where the king stands.
        king: Square,
        /// What gives check.
        checker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The king would go where it is attacked.
    #[error("the king would be in check on {to} from {} on {at}", with_article(*.checker))]
    IntoCheck {
        /// Where the king should go.
        to: Square,
        /// What would give check.
        checker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// More than one piece can do it.
    #[error("ambiguous: {} can do it; say which", Standing(*.piece, *.from))]
    Ambiguous {
        /// The kind of piece.
        piece: Piece,
        /// Where those stand that can.
        from: Bitboard,
    },
    /// Two captures are between these files.
    #[error("ambiguous: the pawn can take on {}; say which", Squares(*.0))]
    AmbiguousTarget(Bitboard),
    /// No pawn of one file can take on the other.
    #[error("no {} pawn of the {}-file can take on the {}-file", .color, .from.char(), .to.char())]
    NoPawnTakes {
        /// Whose pawns.
        color: Color,
        /// From this file.
        from: File,
        /// To this file.
        to: File,
    },
    /// The pawn must become something.
    #[error("a pawn that reaches {0} must promote; write {0}={letters}", letters = Promotions(*.1))]
    NoPromotion(Square, Language),
    /// The piece cannot become that.
    #[error("only a pawn that reaches the last rank promotes, and only to {}", Promotions(*.0))]
    WrongPromotion(Language),
    /// Castling is not possible.
    #[error("{} cannot castle {}: {why}", side(*.color), side_name(*.wing))]
    NoCastling {
        /// Who wants to castle.
        color: Color,
        /// To which side.
        wing: CastlingSide,
        /// What is against it.
        why: CastlingFault,
    },
}

/// What is against castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CastlingFault {
    /// The FEN gives no such right, or it was lost on the way.
    #[error("the position gives no such right")]
    NoRight,
    /// King or rook is not where castling begins, whatever the FEN says.
    #[error("there is no {} on {home}", piece_name(*.piece))]
    NotAtHome {
        /// The king or the rook.
        piece: Piece,
        /// Where it would have to be.
        home: Square,
    },
    /// Something stands between king and rook.
    #[error("{} on {at} is in the way", with_article(*.blocker))]
    Blocked {
        /// What.
        blocker: Piece,
        /// Where.
        at: Square,
    },
    /// The king is in check.
    #[error("the king is in check from {} on {at}", with_article(*.checker))]
    InCheck {
        /// By what.
        checker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The king would pass an attacked square, or stop there.
    #[error("{} on {at} attacks {square}", with_article(*.attacker))]
    Attacked {
        /// What attacks.
        attacker: Piece,
        /// Where that stands.
        at: Square,
        /// The square.
        square: Square,
    },
}

fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn side_name(wing: CastlingSide) -> &'static str {
    match wing {
        CastlingSide::KingSide => "on the king's side",
        CastlingSide::QueenSide => "on the queen's side",
    }
}

/// "the white knights on b1 and g1".
struct Standing(Piece, Bitboard);

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.1.count() == 1 { "" } else { "s" };
        write!(f, "{}{plural} on {}", with_article(self.0), Squares(self.1))
    }
}

/// "b1, c3 and g1".
struct Squares(Bitboard);

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.count();
        for (index, square) in self.0.into_iter().enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == count => " and ",
                _ => ", ",
            };
            write!(f, "{before}{square}")?;
        }
        Ok(())
    }
}

/// " on b1", " on the b-file", " on rank 1", or nothing.
struct Within(Bitboard);

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(square) = self.0.single_square() {
            return write!(f, " on {square}");
        }
        if let Some(file) = File::ALL.into_iter().find(|file| Bitboard::from(*file) == self.0) {
            return write!(f, " on the {}-file", file.char());
        }
        match Rank::ALL.into_iter().find(|rank| Bitboard::from(*rank) == self.0) {
            Some(rank) => write!(f, " on rank {}", rank.char()),
            None => Ok(()),
        }
    }
}
