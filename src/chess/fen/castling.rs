//! What the pieces on a board say about castling rights.

use shakmaty::{Bitboard, Color, File, Rank, Setup, Square};

use crate::chess::words::color_name;

/// Whether an impossible castling right may be a slip for another one, so that removing it is not
/// certainly right. It may be a right of Chess960, where a letter names any rook on that side of
/// the king, or a right that the field lacks although king and rook are at home.
pub(super) fn may_mean_another(setup: &Setup, rook: Square, color: Color) -> bool {
    let home = Bitboard::from(rook.rank());
    let rooks = setup.board.by_piece(color.rook()) & home;
    let of_chess960 = setup.board.king_of(color).filter(|king| home.contains(*king));
    let is_beside = |king: Square| rooks.into_iter().any(|r| (r > king) == (rook > king));
    // The letter of a file without a rook can be a slip for any other letter.
    !Bitboard::CORNERS.contains(rook)
        || of_chess960.is_some_and(is_beside)
        || (at_home(setup) & !setup.castling_rights).any()
}

/// Whether any king and rook stand on home squares.
pub(super) fn may_castle(setup: &Setup) -> bool {
    at_home(setup).any()
}

/// The corners whose rook could have a castling right.
fn at_home(setup: &Setup) -> Bitboard {
    let color = |corner: &Square| Color::from_white(corner.rank() == Rank::First);
    let corners = Bitboard::CORNERS.into_iter();
    corners.filter(|corner| why_no_castling(setup, *corner, color(corner)).is_none()).collect()
}

/// Why a side cannot have the right to castle with the rook on a square; `None` if it can.
pub(super) fn why_no_castling(setup: &Setup, rook: Square, color: Color) -> Option<String> {
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
