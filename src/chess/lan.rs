//! Long algebraic notation: moves with both their squares.

use shakmaty::{Chess, Move};

use super::play_as_san;

/// The legal move `m` of a position in long algebraic notation, with its sign of check or mate.
///
/// ```
/// use eco::chess::{Chess, long_algebraic, read_move};
///
/// let start = Chess::default();
/// let m = read_move(&start, b"Nf3").unwrap();
/// assert_eq!(long_algebraic(&start, m), "Ng1-f3");
/// ```
#[must_use]
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
