//! English names of colours, pieces and ends of games.

use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};

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
#[must_use]
pub fn piece_name(piece: Piece) -> String {
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

/// Returns "checkmate", "stalemate" or "insufficient material"; `None` if the game can go on.
#[must_use]
pub fn end_name(position: &Chess) -> Option<&'static str> {
    match () {
        () if position.is_checkmate() => Some("checkmate"),
        () if position.is_stalemate() => Some("stalemate"),
        () if position.is_insufficient_material() => Some("insufficient material"),
        () => None,
    }
}
