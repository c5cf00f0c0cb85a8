//! What the pieces on a board say about castling rights and the en passant square.

use shakmaty::{Bitboard, Board, Color, File, Rank, Setup, Square};

use crate::chess::notation::{color_name, on_square};

/// Whether an impossible castling right may be a slip for another one, so that removing it is not
/// certainly right. It may be a right of Chess960, where a letter names any rook on that side of
/// the king, or a right that the field lacks although king and rook are at home.
pub(super) fn may_mean_another(setup: &Setup, rook: Square) -> bool {
    let color = side_of(rook);
    let home = Bitboard::from(rook.rank());
    let rooks = setup.board.by_piece(color.rook()) & home;
    let of_chess960 = setup.board.king_of(color).filter(|king| home.contains(*king));
    let is_beside = |king: Square| rooks.into_iter().any(|r| (r > king) == (rook > king));
    // The letter of a file without a rook can be a slip for any other letter.
    !Bitboard::CORNERS.contains(rook)
        || of_chess960.is_some_and(is_beside)
        || (at_home(setup) & !setup.castling_rights).any()
}

/// The side that a castling right of this rook belongs to.
fn side_of(rook: Square) -> Color {
    Color::from_white(rook.rank() == Rank::First)
}

/// The castling rights as Chess960 reads them: `K` and `Q` name the outermost rook on that side of
/// the king, other letters the rook on their file. A right that names no rook stays as it is.
pub(super) fn rights_in_chess960(setup: &Setup) -> Bitboard {
    let named = |rook: Square| {
        let color = side_of(rook);
        let rooks = setup.board.by_piece(color.rook()) & rook.rank();
        if rooks.contains(rook) || !Bitboard::CORNERS.contains(rook) {
            return rook;
        }
        let Some(king) = setup.board.king_of(color).filter(|king| king.rank() == rook.rank())
        else {
            return rook;
        };
        let beside = rooks.into_iter().filter(|other| (*other > king) == (rook > king));
        let outermost = if rook > king { beside.max() } else { beside.min() };
        outermost.unwrap_or(rook)
    };
    setup.castling_rights.into_iter().map(named).collect()
}

/// Why a side cannot have the right to castle with the rook on a square in Chess960; `None` if it
/// can.
pub(super) fn why_no_chess960(setup: &Setup, rook: Square) -> Option<String> {
    let color = side_of(rook);
    let name = color_name(color);
    let Some(king) = setup.board.king_of(color).filter(|king| king.rank() == rook.rank()) else {
        return Some(format!("the {name} king is not on its first rank"));
    };
    if setup.board.piece_at(rook) != Some(color.rook()) {
        return Some(format!("no {name} rook on {rook}"));
    }
    let beside = rights_in_chess960(setup) & rook.rank();
    let is_second =
        beside.into_iter().any(|other| other != rook && (other > king) == (rook > king));
    is_second.then(|| "a second right on that side of the king".to_owned())
}

/// Whether the castling rights are those of a game of Chess960 that no game of standard chess has.
///
/// Both sides begin with the same arrangement, so kings with rights share a file, and rooks too.
pub(super) fn is_chess960(setup: &Setup) -> bool {
    let is_standard = |rook: Square| why_no_castling(setup, rook).is_none();
    let rights = rights_in_chess960(setup);
    if setup.castling_rights.into_iter().all(is_standard)
        || rights.into_iter().any(|rook| why_no_chess960(setup, rook).is_some())
    {
        return false;
    }
    let on = |rank: Rank| rights & rank;
    let (white, black) = (on(Rank::First), on(Rank::Eighth));
    let king = |color| setup.board.king_of(color).map(Square::file);
    if white.is_empty() || black.is_empty() {
        // Of one side alone, letters in the corners may be left over from castling or a move of the
        // king.
        return !setup.castling_rights.is_subset(Bitboard::CORNERS);
    }
    let on_side = |rooks: Bitboard, color, is_king_side: bool| {
        let king = setup.board.king_of(color);
        let mut beside = rooks.into_iter().filter(|rook| (Some(*rook) > king) == is_king_side);
        beside.next().map(Square::file)
    };
    let is_mirrored = |is_king_side| {
        let files = (
            on_side(white, Color::White, is_king_side),
            on_side(black, Color::Black, is_king_side),
        );
        matches!(files, (None, _) | (_, None)) || files.0 == files.1
    };
    king(Color::White) == king(Color::Black) && is_mirrored(true) && is_mirrored(false)
}

/// The pieces that give check to the only king of a side. Kings do not: that they touch is a fault
/// of its own.
pub(super) fn checkers(board: &Board, of: Color) -> Bitboard {
    let king = board.king_of(of);
    let attackers = king.map(|king| board.attacks_to(king, !of, board.occupied()));
    attackers.unwrap_or(Bitboard::EMPTY) & !board.kings()
}

/// Whether any king and rook stand on home squares.
pub(super) fn may_castle(setup: &Setup) -> bool {
    at_home(setup).any()
}

/// The corners whose rook could have a castling right.
fn at_home(setup: &Setup) -> Bitboard {
    let corners = Bitboard::CORNERS.into_iter();
    corners.filter(|corner| why_no_castling(setup, *corner).is_none()).collect()
}

/// Why a side cannot have the right to castle with the rook on a square; `None` if it can.
pub(super) fn why_no_castling(setup: &Setup, rook: Square) -> Option<String> {
    let color = side_of(rook);
    if !Bitboard::CORNERS.contains(rook) {
        return Some(format!("rooks castle from the corners, and {rook} is none"));
    }
    let home = Square::from_coords(File::E, rook.rank());
    if setup.board.piece_at(home) != Some(color.king()) {
        return Some(format!("no {} king on {home}", color_name(color)));
    }
    let is_home = setup.board.piece_at(rook) == Some(color.rook());
    (!is_home).then(|| format!("no {} rook on {rook}", color_name(color)))
}

/// The square passed over by a pawn that may have made a double step to `square`.
pub(super) fn passed_square(setup: &Setup, square: Square) -> Option<Square> {
    let passed = square.offset(setup.turn.fold_wb(8, -8))?;
    why_no_en_passant(setup, passed).is_none().then_some(passed)
}

/// Whether the last move can have been the double step of some pawn.
pub(super) fn may_have_pushed(setup: &Setup) -> bool {
    Square::ALL.into_iter().any(|square| why_no_en_passant(setup, square).is_none())
}

/// Why no pawn can have passed over a square in the last move; `None` if one can.
pub(super) fn why_no_en_passant(setup: &Setup, square: Square) -> Option<String> {
    let mover = color_name(setup.turn);
    let rank = setup.turn.fold_wb(Rank::Sixth, Rank::Third);
    if square.rank() != rank {
        return Some(format!("with {mover} to move it is a square of rank {rank}"));
    }
    let towards = setup.turn.fold_wb(-8, 8);
    let (pushed, from) = (square.offset(towards)?, square.offset(-towards)?);
    if setup.board.piece_at(pushed) != Some((!setup.turn).pawn()) {
        return Some(format!("no {} pawn on {pushed}", color_name(!setup.turn)));
    }
    let occupied = [square, from].into_iter().find(|s| setup.board.piece_at(*s).is_some());
    occupied.map(|square| {
        format!("the pawn on {pushed} cannot have passed {}", on_square(&setup.board, square))
    })
}
