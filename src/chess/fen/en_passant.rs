//! What the pieces on a board say about the en passant square.

use shakmaty::{Rank, Setup, Square};

use crate::chess::words::{color_name, on_square};

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
