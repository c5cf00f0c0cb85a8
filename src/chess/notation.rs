//! What people write of a game: moves with both their squares, the numbers of moves, and the
//! English names of pieces and ends of games.

use std::fmt;

use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use super::play_as_san;

/// Whether it is a dash: hyphens, en dash, em dash, minus.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

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
pub fn end_name(position: &Chess) -> Option<&'static str> {
    match () {
        () if position.is_checkmate() => Some("checkmate"),
        () if position.is_stalemate() => Some("stalemate"),
        () if position.is_insufficient_material() => Some("insufficient material"),
        () => None,
    }
}

/// The number of a move and its side, as a score sheet gives them.
///
/// Prints as `12.` for White and `12...` for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    number: u32,
    turn: Color,
}

impl MoveNumber {
    /// The number of the move after `ply` plies from the initial position.
    pub(crate) fn after(ply: usize) -> Self {
        Self::next_in(&Chess::default()).later(ply)
    }

    /// The number of the move `plies` plies later.
    pub(crate) fn later(self, plies: usize) -> Self {
        let from_white = plies + usize::from(self.turn.is_black());
        let number = self.number.saturating_add(u32::try_from(from_white / 2).unwrap_or(u32::MAX));
        Self { number, turn: Color::from_white(from_white.is_multiple_of(2)) }
    }

    /// The side that plays the move.
    pub(crate) fn turn(self) -> Color {
        self.turn
    }

    /// The number of the move to be played in `position`.
    pub fn next_in(position: &Chess) -> Self {
        Self { number: position.fullmoves().get(), turn: position.turn() }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.turn.is_white() { "." } else { "..." };
        write!(f, "{}{dots}", self.number)
    }
}

/// Legal moves from a position as movetext, `1. e4 c5 2. Nf3`; the first has this number.
pub(crate) fn movetext(
    mut position: Chess,
    first: MoveNumber,
    moves: impl IntoIterator<Item = Move>,
) -> String {
    let mut text = String::new();
    for (ply, m) in moves.into_iter().enumerate() {
        if ply > 0 {
            text.push(' ');
        }
        if ply == 0 || position.turn().is_white() {
            text += &format!("{} ", first.later(ply));
        }
        text += &play_as_san(&mut position, m).to_string();
    }
    text
}

/// The legal move `m` of a position in long algebraic notation, with its sign of check or mate.
///
/// ```
/// use eco::chess::{Chess, long_algebraic, read_move};
///
/// let start = Chess::default();
/// let m = read_move(&start, b"Nf3").unwrap();
/// assert_eq!(long_algebraic(&start, m), "Ng1-f3");
/// ```
pub fn long_algebraic(position: &Chess, m: Move) -> String {
    let san = play_as_san(&mut position.clone(), m);
    let (Some(from), false) = (m.from(), m.is_castle()) else { return san.to_string() };
    let letter = match m.role() {
        shakmaty::Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let sign = if m.is_capture() { 'x' } else { '-' };
    let promotion =
        m.promotion().map_or_else(String::new, |role| format!("={}", role.upper_char()));
    let suffix = san.suffix.map_or_else(String::new, |suffix| suffix.char().to_string());
    format!("{letter}{from}{sign}{}{promotion}{suffix}", m.to())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{read_fen, read_move};

    #[test]
    fn both_squares_are_written() {
        for (fen, word, lan) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", "e2-e4"),
            ("3r4/4P3/6k1/8/8/8/8/4K3 w - - 0 1", "exd8=N", "e7xd8=N"),
            ("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", "exd6", "e5xd6"),
            ("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", "O-O", "O-O"),
            ("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", "Rh8", "Rh1-h8+"),
        ] {
            let position = read_fen(fen.as_bytes()).unwrap();
            let m = read_move(&position, word.as_bytes()).unwrap();
            assert_eq!(long_algebraic(&position, m), lan);
        }
    }
}
