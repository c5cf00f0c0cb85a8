//! Moves as PGN files write them.
//!
//! Forgiven: a surplus or missing capture sign, `:` or `-` for it, check and mate signs that are
//! wrong or missing, `0-0` for `O-O`, `P` for a pawn, promotion without `=`, and a move given by
//! both its squares (`e2e4`, `Ng1-f3`, `e1g1`), for any piece; figurines for letters, also apart
//! from the square (`♘ f3`), and castling in Cyrillic letters.

use shakmaty::{CastlingSide, Chess, File, Move, MoveList, Position, Rank, Role, Square};

use super::uci::UciMove;

/// Why a word of movetext is not a move that can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum MoveFault {
    /// No piece of the side to move can make this move.
    #[error("illegal")]
    Illegal,
    /// More than one move is meant.
    #[error("ambiguous")]
    Ambiguous,
    /// The word is a null move, which changes only the side to move.
    #[error("null move")]
    Null,
    /// The word is not a move in algebraic notation.
    #[error("not a move")]
    Unreadable,
}

/// What a word of movetext says, before anybody looks at the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A move to a square. Without a role, and with file and rank, any piece may stand there;
    /// without a role otherwise, it is a pawn.
    Piece {
        role: Option<Role>,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(CastlingSide),
    Null,
}

/// Returns the move that `word`, SAN or a move given by both its squares, means in `position`.
///
/// # Errors
///
/// [`MoveFault`], if the word means no legal move, or more than one.
///
/// ```
/// use eco::chess::{Chess, MoveFault, read_move};
///
/// let start = Chess::default();
/// assert_eq!(read_move(&start, b"Nf3"), read_move(&start, b"Ng1-f3"));
/// assert_eq!(read_move(&start, b"Nf6"), Err(MoveFault::Illegal));
/// ```
pub fn read_move(position: &Chess, word: &[u8]) -> Result<Move, MoveFault> {
    let word = parse(word).ok_or(MoveFault::Unreadable)?;
    if word == Word::Null {
        return Err(MoveFault::Null);
    }
    match legal_moves_meant(position, word)[..] {
        [m] => Ok(m),
        [] => Err(MoveFault::Illegal),
        _ => Err(MoveFault::Ambiguous),
    }
}

/// Returns the legal moves that a word can mean.
pub(super) fn legal_moves_meant(position: &Chess, word: Word) -> MoveList {
    match word {
        Word::Null => MoveList::new(),
        Word::Castle(side) => position.castling_moves(side),
        Word::Piece { role: None, file: Some(file), rank: Some(rank), to, promotion } => {
            let uci = UciMove::new(Square::from_coords(file, rank), to, promotion);
            let mut moves = position.legal_moves();
            // No piece is promoted to a king or a pawn, which a move in UCI notation cannot hold.
            moves.retain(|m| UciMove::from_move(*m) == uci && m.promotion() == promotion);
            moves
        }
        Word::Piece { role, file, rank, to, promotion } => {
            let role = role.unwrap_or(Role::Pawn);
            // A pawn move without a file is a push: "d5" is never a capture.
            let file = file.or_else(|| (role == Role::Pawn).then(|| to.file()));
            let mut moves = position.san_candidates(role, to);
            moves.retain(|m| {
                m.promotion() == promotion
                    && m.from().is_some_and(|from| {
                        file.is_none_or(|f| f == from.file())
                            && rank.is_none_or(|r| r == from.rank())
                    })
            });
            moves
        }
    }
}

/// A move without its signs of check and mate.
pub(crate) fn without_checks(word: &[u8]) -> &[u8] {
    let signs = word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    &word[..word.len() - signs]
}

/// Parses a word; `None` if it does not have the form of a move.
pub(super) fn parse(word: &[u8]) -> Option<Word> {
    match without_checks(word) {
        b"O-O" | b"0-0" => Some(Word::Castle(CastlingSide::KingSide)),
        b"O-O-O" | b"0-0-0" => Some(Word::Castle(CastlingSide::QueenSide)),
        b"--" | b"Z0" | b"0000" | b"@@@@" => Some(Word::Null),
        body => parse_piece(body).or_else(|| parse_other_script(body)),
    }
}

/// Parses a word with figurines, blanks or Cyrillic letters for castling.
#[cold]
fn parse_other_script(body: &[u8]) -> Option<Word> {
    if body.is_ascii() && !body.contains(&b' ') && !body.contains(&b'\t') {
        return None;
    }
    let mut plain = Vec::with_capacity(8);
    for c in str::from_utf8(body).ok()?.chars() {
        match c {
            'О' => plain.push(b'O'),
            // The variation selectors follow figurines.
            ' ' | '\t' | '\u{a0}' | '\u{fe0e}' | '\u{fe0f}' => {}
            _ => plain.push(u8::try_from(figurine(c).unwrap_or(c)).ok().filter(u8::is_ascii)?),
        }
    }
    parse(&plain)
}

/// The English letter of a figurine of either colour.
pub(super) fn figurine(c: char) -> Option<char> {
    Some(match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' => 'P',
        _ => return None,
    })
}

/// Whether a text begins with a figurine, in UTF-8.
pub(crate) fn starts_with_figurine(text: &[u8]) -> bool {
    matches!(text, [0xe2, 0x99, 0x94..=0x9f, ..])
}

fn parse_piece(body: &[u8]) -> Option<Word> {
    let (role, body) = match body {
        [letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] => (to_role(*letter), rest),
        _ => (None, body),
    };
    let (promotion, body) = match body {
        [rest @ .., b'=', letter] => (Some(to_role(letter.to_ascii_uppercase())?), rest),
        [.., b'1' | b'8', letter] if letter.is_ascii_alphabetic() => {
            (Some(to_role(letter.to_ascii_uppercase())?), &body[..body.len() - 1])
        }
        _ => (None, body),
    };
    let (head, to) = body.split_at_checked(body.len().checked_sub(2)?)?;
    let to = Square::from_ascii(to).ok()?;
    let head = match head {
        [rest @ .., b'x' | b':' | b'-'] => rest,
        _ => head,
    };
    let (file, rank) = match *head {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (to_file(file), None),
        [rank @ b'1'..=b'8'] => (None, to_rank(rank)),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (to_file(file), to_rank(rank)),
        _ => return None,
    };
    Some(Word::Piece { role, file, rank, to, promotion })
}

fn to_role(letter: u8) -> Option<Role> {
    Role::from_char(char::from(letter))
}

fn to_file(letter: u8) -> Option<File> {
    File::from_char(char::from(letter))
}

fn to_rank(digit: u8) -> Option<Rank> {
    Rank::from_char(char::from(digit))
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;
    use crate::chess::read_fen;

    fn read(fen: &str, word: &str) -> Result<String, MoveFault> {
        let position = read_fen(fen.as_bytes()).unwrap();
        read_move(&position, word.as_bytes()).map(|m| San::from_move(&position, m).to_string())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLES: &str = "r2qk2r/ppp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 10";
    const KNIGHTS: &str = "4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1";
    const TWO_KNIGHTS: &str = "4k3/8/8/8/8/5p2/8/4K1N1 w - - 0 1";
    const PROMOTES: &str = "3r4/4P3/6k1/8/8/8/8/4K3 w - - 0 1";

    #[test]
    fn the_forms_people_write_mean_one_move() {
        for (fen, words, san) in [
            (START, &["e4", "e2e4", "e2-e4", "Pe4", "e4+"][..], "e4"),
            (START, &["Nf3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "g1f3", "Nxf3"], "Nf3"),
            (CASTLES, &["O-O", "0-0", "O-O+", "e1g1"], "O-O"),
            (CASTLES, &["O-O-O", "0-0-0", "e1c1"], "O-O-O"),
            (CASTLES, &["exd6", "ed6", "e5xd6", "e5d6", "e:d6"], "exd6"),
            (TWO_KNIGHTS, &["Nxf3", "Nf3", "N:f3+"], "Nxf3"),
            (PROMOTES, &["e8=Q+", "e8Q", "e8=q", "e7e8q", "e7-e8=Q"], "e8=Q"),
            (PROMOTES, &["exd8=N", "ed8N"], "exd8=N"),
            (START, &["♘f3", "♞ f3", "♘\u{fe0e}\tf3", "N f3", "♘g1-f3"], "Nf3"),
            (PROMOTES, &["e8=♕", "e8♛+"], "e8=Q"),
            (CASTLES, &["О-О", "О-О+"], "O-O"),
            (CASTLES, &["О-О-О"], "O-O-O"),
        ] {
            for word in words {
                assert_eq!(read(fen, word).as_deref(), Ok(san), "{word} in {fen}");
            }
        }
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        use MoveFault::{Ambiguous, Illegal, Null, Unreadable};
        for (fen, words, fault) in [
            (START, &["e5", "Nf6", "O-O", "d1d3", "Ke2"][..], Illegal),
            (CASTLES, &["d6"], Illegal),
            (PROMOTES, &["e8", "e8=K", "e8=P"], Illegal),
            (
                KNIGHTS,
                &["Ke9", "Txd4", "", "N", "N@f3", "e2e4e5", "\u{e9}", "♘", "日本", "♘ N f3", "О"],
                Unreadable,
            ),
            ("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", &["Nb3"], Ambiguous),
            (START, &["--", "Z0", "0000"], Null),
        ] {
            for word in words {
                assert_eq!(read(fen, word), Err(fault), "{word} in {fen}");
            }
        }
    }
}
