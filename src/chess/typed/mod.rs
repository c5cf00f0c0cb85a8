//! Moves as people type them and books print them, and why one cannot be played, in words.
//!
//! Accepted besides all that [`read_move`] accepts: figurines, piece letters of other languages,
//! pawn captures by files alone (`dc`), en dashes and multiplication signs of books, `o-o` and
//! zeros, `e8/Q`, `e8(Q)`, castling as a move of the king (`Kg1`), piece letters in lower case
//! (`nf3`; `bc4`, where no pawn can be meant), capitals (`E4`, `NF3`), and assessments glued to a
//! move.
//! Games in files are not read this way, so that nothing in a file is guessed at.

mod fault;
mod language;
mod why;

pub use fault::{CastlingFault, TypedFault};
pub use language::{Language, ParseLanguageError};
use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Role, Square, attacks};

use super::notation::is_dash;
use super::san::{Word, figurine, legal_moves_meant, parse, read_move};

/// Returns the move that a word means, as people type it or books print it.
///
/// ```
/// use eco::chess::{Chess, Language, read_typed};
///
/// let start = Chess::default();
/// let knight = read_typed(&start, "Nf3", Language::English);
/// assert_eq!(read_typed(&start, "Sg1–f3!?", Language::German), knight);
/// assert_eq!(read_typed(&start, "♘f3", Language::Russian), knight);
///
/// let fault = read_typed(&start, "Bc4", Language::English).unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "the white bishop on f1 cannot go to c4: the white pawn on e2 is in the way"
/// );
/// ```
///
/// # Errors
///
/// [`TypedFault`], if the word means no legal move, or more than one.
pub fn read_typed(position: &Chess, word: &str, language: Language) -> Result<Move, TypedFault> {
    if language == Language::English
        && let Ok(m) = read_move(position, word.as_bytes())
    {
        return Ok(m);
    }
    let unreadable = |word: &str| match no_square(word) {
        Some(square) => TypedFault::NoSquare(square),
        None => TypedFault::Unreadable(language),
    };
    let Some((plain, parsed)) = read_form(word, language) else {
        return match in_small_letters(word, language) {
            Some(small) => read_typed(position, &small, language),
            None => Err(unreadable(word)),
        };
    };
    if let Some((from, to, promotion)) = two_files(&plain) {
        return pawn_by_files(position, (from, to), promotion, language);
    }
    let parsed = parsed.ok_or_else(|| unreadable(&plain))?;
    let parsed = castling_by_king(position, parsed).unwrap_or(parsed);
    match (parsed, &legal_moves_meant(position, parsed)[..]) {
        (Word::Null, _) => Err(TypedFault::Null),
        (_, [m]) => Ok(*m),
        (_, []) => by_small_letter(position, word, language)
            .ok_or_else(|| why::why_not(position, parsed, language)),
        (_, moves) => Err(ambiguous(position, moves)),
    }
}

/// The word in ASCII, and what it means if it has the form of a move; `None` if it has neither that
/// form nor that of a capture by files.
fn read_form(word: &str, language: Language) -> Option<(String, Option<Word>)> {
    let plain = plain(word, language)?;
    let parsed = parse(plain.as_bytes());
    (parsed.is_some() || two_files(&plain).is_some()).then_some((plain, parsed))
}

/// The word in small letters but for its piece, if it has none and that has the form of a move:
/// `E4`, `EXD5`, `NF3`.
fn in_small_letters(word: &str, language: Language) -> Option<String> {
    let is_pawn = matches!(word.as_bytes(), [b'A'..=b'H', b'1'..=b'8' | b'X' | b':', ..]);
    let rest = if is_pawn { word } else { language.piece(word)?.1 };
    let small = word[..word.len() - rest.len()].to_owned() + &rest.to_lowercase();
    let has_small = rest.chars().any(char::is_lowercase);
    (!has_small && small != word && read_form(&small, language).is_some()).then_some(small)
}

/// The move of a piece whose letter is also that of a file, where no pawn of that file can be
/// meant: `bc4`.
fn by_small_letter(position: &Chess, word: &str, language: Language) -> Option<Move> {
    let first = word.chars().next().filter(|c| ('a'..='h').contains(c))?;
    let (_, parsed) =
        read_form(&word.replacen(first, &first.to_uppercase().to_string(), 1), language)?;
    let piece = parsed.filter(|word| matches!(word, Word::Piece { role: Some(_), .. }))?;
    let Word::Piece { to, .. } = piece else { return None };
    let side = position.turn();
    let pawns = position.board().by_piece(side.pawn()) & File::from_char(first)?;
    let [m] = legal_moves_meant(position, piece)[..] else { return None };
    (pawns & attacks::pawn_attacks(!side, to)).is_empty().then_some(m)
}

/// What stands for the square in a word that would be a move if there were such a square: `f9` in
/// `Nf9`.
fn no_square(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    let (before, square) = word.split_at_checked(word.len().checked_sub(2)?)?;
    let [file, rank] = square.as_bytes() else { return None };
    let has_form = file.is_ascii_lowercase() && rank.is_ascii_digit();
    let is_square = (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank);
    let begins = before.len() <= 4
        && before
            .chars()
            .all(|c| matches!(c, 'K' | 'Q' | 'R' | 'B' | 'N' | 'a'..='h' | '1'..='8' | 'x' | '-'));
    (has_form && !is_square && begins).then(|| square.to_owned())
}

/// Castling written as a move of the king from its home square: `Ke1-g1`, `e1g1` or `Kg1`.
fn castling_by_king(position: &Chess, word: Word) -> Option<Word> {
    let Word::Piece { role, file, rank, to, promotion: None } = word else { return None };
    let king = position.board().king_of(position.turn())?;
    let side = CastlingSide::from_queen_side(to < king);
    let is_named = match role {
        Some(role) => role == Role::King,
        None => file.is_some() && rank.is_some(),
    };
    let is_castling = is_named
        && file.is_none_or(|file| file == king.file())
        && rank.is_none_or(|rank| rank == king.rank())
        && king == Square::from_coords(File::E, to.rank())
        && to == side.king_to(position.turn());
    is_castling.then_some(Word::Castle(side))
}

/// The word in ASCII and with English piece letters; `None` if it has characters of no move.
fn plain(word: &str, language: Language) -> Option<String> {
    let mut rest = without_signs(word);
    if let Some(castling) = castling(rest) {
        return Some(castling.to_owned());
    }
    let mut plain = String::with_capacity(8);
    if let Some((piece, after)) = language.small_piece(rest) {
        plain.push(piece);
        rest = after;
    }
    while let Some(c) = rest.chars().next() {
        if let Some((piece, after)) = language.piece(rest) {
            plain.push(piece);
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            'a'..='h' | '1'..='8' | 'x' | ':' | '-' | '=' | '0' | '@' => plain.push(c),
            '×' | 'х' => plain.push('x'),
            '/' | '(' => plain.push('='),
            ')' if rest.is_empty() => {}
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            'Z' => plain.push('Z'),
            // Blanks of books, and the variation selectors that follow figurines.
            ' ' | '\t' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{fe0e}' | '\u{fe0f}' => {}
            'q' | 'r' | 'n' if rest.is_empty() => plain.push(c.to_ascii_uppercase()),
            _ => plain.push(figurine(c)?),
        }
    }
    Some(plain)
}

/// The word without its comments: signs of check and mate, glyphs, assessments, `e.p.`.
fn without_signs(word: &str) -> &str {
    let is_sign = |c: char| "+#:!?=.,;†‡±∓⩲⩱∞".contains(c);
    let word = word.trim();
    if matches!(word, "--" | "@@@@") {
        return word;
    }
    let mut rest = word;
    loop {
        let shorter = rest.trim_end_matches(is_sign).trim_end_matches(['-', '–', '—', '−']);
        let shorter = ["e.p", "ep", "mate", "ch"]
            .into_iter()
            .find_map(|end| shorter.strip_suffix(end))
            .unwrap_or(shorter)
            .trim_end();
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

fn castling(word: &str) -> Option<&'static str> {
    let is_zero = |c: char| matches!(c, '0' | 'O' | 'o' | 'О' | 'о');
    match word
        .split(is_dash)
        .map(|part| part.chars().filter(|c| is_zero(*c)).count())
        .collect::<Vec<_>>()[..]
    {
        _ if !word.chars().all(|c| is_zero(c) || is_dash(c)) => None,
        [1, 1] | [2] => Some("O-O"),
        [1, 1, 1] | [3] => Some("O-O-O"),
        _ => None,
    }
}

/// A pawn capture by its files: `dc`, `dxc`, `dc=Q`.
fn two_files(plain: &str) -> Option<(File, File, Option<Role>)> {
    let (files, promotion) = match plain.split_once('=') {
        Some((files, letter)) if letter.len() == 1 => {
            (files, Role::from_char(letter.chars().next()?))
        }
        Some(_) => return None,
        None => (plain, None),
    };
    match files.as_bytes() {
        [from @ b'a'..=b'h', to @ b'a'..=b'h']
        | [from @ b'a'..=b'h', b'x' | b':', to @ b'a'..=b'h'] => {
            let file = |letter: &u8| File::from_char(char::from(*letter));
            Some((file(from)?, file(to)?, promotion))
        }
        _ => None,
    }
}

fn pawn_by_files(
    position: &Chess,
    (from, to): (File, File),
    promotion: Option<Role>,
    language: Language,
) -> Result<Move, TypedFault> {
    let mut moves = position.legal_moves();
    moves.retain(|m| {
        let is_pawn = m.role() == Role::Pawn && m.from().is_some_and(|s| s.file() == from);
        is_pawn && m.is_capture() && m.to().file() == to
    });
    let promotes = moves.iter().find(|m| m.is_promotion()).map(|m| m.to());
    moves.retain(|m| m.promotion() == promotion);
    match moves[..] {
        [m] => Ok(m),
        [] => Err(match (promotes, promotion) {
            (Some(square), None) => TypedFault::NoPromotion(square, language),
            (_, Some(_)) => TypedFault::WrongPromotion(language),
            _ => TypedFault::NoPawnTakes { color: position.turn(), from, to },
        }),
        _ => Err(TypedFault::AmbiguousTarget(moves.iter().copied().map(Move::to).collect())),
    }
}

fn ambiguous(position: &Chess, moves: &[Move]) -> TypedFault {
    let from: Bitboard = moves.iter().copied().filter_map(Move::from).collect();
    let role = moves.first().map_or(Role::Pawn, |m| m.role());
    TypedFault::Ambiguous { piece: role.of(position.turn()), from }
}
