//! English names of colours and pieces, for messages.

use shakmaty::{Board, Color, Piece, Role, Square};

/// Returns "white".
pub(super) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// Returns "knight".
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// Returns "white knight".
pub(super) fn piece_name(piece: Piece) -> String {
    format!("{} {}", piece.color, role_name(piece.role))
}

/// Returns "the white knight".
pub(super) fn with_article(piece: Piece) -> String {
    format!("the {}", piece_name(piece))
}

/// Returns "the black queen on h4", or "h4, which is empty".
pub(super) fn on_square(board: &Board, square: Square) -> String {
    match board.piece_at(square) {
        Some(piece) => format!("{} on {square}", with_article(piece)),
        None => format!("{square}, which is empty"),
    }
}
