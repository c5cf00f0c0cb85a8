//! Why a move cannot be played, in words.

use shakmaty::{Bitboard, CastlingSide, Color, File, Piece, Rank, Square};

use super::language::Language;
use crate::chess::notation::{piece_name, role_name, with_article};

/// Why a typed word is not a move that can be played. It prints as an English sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypedFault {
    /// The word does not have the form of a move.
    #[error("not a move in {}; the pieces are {}", .0.name(), .0.piece_letters())]
    Unreadable(Language),
    /// The word has the form of a move to a square that no board has.
    #[error("there is no square {0}: files are a to h, ranks 1 to 8")]
    NoSquare(String),
    /// The word is a null move.
    #[error("a null move cannot be played")]
    Null,
    /// A letter before the word is a piece or a sign of the move before it, and both can be played.
    #[error(
        "{letter} stands apart; write {letter}{word} for the piece, and leave {letter} out if it is a sign"
    )]
    PieceApart {
        /// The letter.
        letter: char,
        /// The word after it.
        word: String,
    },
    /// The other side could play this move. The colour is that of the side to move.
    #[error("it is {}'s turn, and this is a move of {}", side(*.0), side(!*.0))]
    WrongSide(Color),
    /// The side to move has no such piece.
    #[error("{} has no {}{}", side(.piece.color), role_name(.piece.role), within_text(*.within))]
    NoPiece {
        /// The missing piece.
        piece: Piece,
        /// The squares where the word puts it.
        within: Bitboard,
    },
    /// The piece on the origin belongs to the other side.
    #[error("{} on {on} is not {}'s to move", with_article(*.piece), side(!.piece.color))]
    NotYours {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        on: Square,
    },
    /// The origin is empty.
    #[error("there is no piece on {0}")]
    EmptyOrigin(Square),
    /// A piece of the own side stands on the target.
    #[error("{} stands on {on} already", with_article(*.piece))]
    OwnPiece {
        /// The piece.
        piece: Piece,
        /// The target.
        on: Square,
    },
    /// A piece stands between origin and target.
    #[error("{} on {from} cannot go to {to}: {} on {at} is in the way", with_article(*.piece), with_article(*.blocker))]
    Blocked {
        /// The piece that cannot pass.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// The target.
        to: Square,
        /// The piece in the way.
        blocker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// No such piece moves to the target.
    #[error("{} cannot go to {to}", standing(*.piece, *.from))]
    Unreachable {
        /// The kind of piece.
        piece: Piece,
        /// The squares of such pieces.
        from: Bitboard,
        /// The target.
        to: Square,
    },
    /// A pawn captures, and nothing is there to take.
    #[error("there is nothing on {0} that a pawn could take, and no pawn to take en passant")]
    NothingToTake(Square),
    /// A pawn is pushed, and a piece stands in the way.
    #[error("{} on {at} is in the way of the pawn; pawns take sideways", with_article(*.blocker))]
    PawnBlocked {
        /// The piece in the way.
        blocker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The piece is pinned to its king.
    #[error("{} on {from} is pinned to the king on {king} by {} on {at}", with_article(*.piece), with_article(*.pinner))]
    Pinned {
        /// The pinned piece.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// Where its king stands.
        king: Square,
        /// The piece that pins it.
        pinner: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The king is in check, and the move does not change that.
    #[error("it leaves the king on {king} in check from {} on {at}", with_article(*.checker))]
    LeftInCheck {
        /// Where the king stands.
        king: Square,
        /// The piece that gives check.
        checker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The king would go to an attacked square.
    #[error("the king would be in check on {to} from {} on {at}", with_article(*.checker))]
    IntoCheck {
        /// The target of the king.
        to: Square,
        /// The piece that would give check.
        checker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// More than one piece can make the move.
    #[error("ambiguous: {} can do it; say which", standing(*.piece, *.from))]
    Ambiguous {
        /// The kind of piece.
        piece: Piece,
        /// The squares of the pieces that can.
        from: Bitboard,
    },
    /// The pawn can capture on several squares of the file.
    #[error("ambiguous: the pawn can take on {}; say which", squares(*.0))]
    AmbiguousTarget(Bitboard),
    /// No pawn of one file can capture on the other.
    #[error("no {} pawn of the {}-file can take on the {}-file", .color, .from.char(), .to.char())]
    NoPawnTakes {
        /// Whose pawns.
        color: Color,
        /// From this file.
        from: File,
        /// To this file.
        to: File,
    },
    /// The pawn reaches the last rank and must promote.
    #[error("a pawn that reaches {0} must promote; write {0}={letters}", letters = .1.promotions())]
    NoPromotion(Square, Language),
    /// The promotion is impossible.
    #[error("only a pawn that reaches the last rank promotes, and only to {}", .0.promotions())]
    WrongPromotion(Language),
    /// Castling is not possible.
    #[error("{} cannot castle {}: {why}", side(*.color), side_name(*.wing))]
    NoCastling {
        /// The side that castles.
        color: Color,
        /// The wing.
        wing: CastlingSide,
        /// The reason.
        why: CastlingFault,
    },
}

/// Why a side cannot castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CastlingFault {
    /// The FEN does not have the right, or the game has lost it.
    #[error("the position gives no such right")]
    NoRight,
    /// King or rook is not on its home square.
    #[error("there is no {} on {home}", piece_name(*.piece))]
    NotAtHome {
        /// The king or the rook.
        piece: Piece,
        /// Its home square.
        home: Square,
    },
    /// A piece stands between king and rook.
    #[error("{} on {at} is in the way", with_article(*.blocker))]
    Blocked {
        /// The piece in the way.
        blocker: Piece,
        /// Its square.
        at: Square,
    },
    /// The king is in check.
    #[error("the king is in check from {} on {at}", with_article(*.checker))]
    InCheck {
        /// The piece that gives check.
        checker: Piece,
        /// Where that stands.
        at: Square,
    },
    /// The king would pass an attacked square, or go there.
    #[error("{} on {at} attacks {square}", with_article(*.attacker))]
    Attacked {
        /// The attacking piece.
        attacker: Piece,
        /// Where that stands.
        at: Square,
        /// The attacked square.
        square: Square,
    },
}

/// Returns "White".
fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn side_name(wing: CastlingSide) -> &'static str {
    match wing {
        CastlingSide::KingSide => "on the king's side",
        CastlingSide::QueenSide => "on the queen's side",
    }
}

/// Returns "the white knights on b1 and g1".
fn standing(piece: Piece, from: Bitboard) -> String {
    let plural = if from.count() == 1 { "" } else { "s" };
    format!("{}{plural} on {}", with_article(piece), squares(from))
}

/// Returns "b1, c3 and g1".
fn squares(set: Bitboard) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Returns " on b1", " on the b-file", " on rank 1", or nothing.
fn within_text(set: Bitboard) -> String {
    if let Some(square) = set.single_square() {
        return format!(" on {square}");
    }
    if let Some(file) = File::ALL.into_iter().find(|file| Bitboard::from(*file) == set) {
        return format!(" on the {}-file", file.char());
    }
    let rank = Rank::ALL.into_iter().find(|rank| Bitboard::from(*rank) == set);
    rank.map_or_else(String::new, |rank| format!(" on rank {}", rank.char()))
}
