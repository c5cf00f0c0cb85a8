//! What is impossible or odd in a FEN that can be read.
//!
//! The rules are `shakmaty`'s. This file finds which of them is broken, where in the text, and
//! whether there is exactly one repair.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, FromSetup, PositionErrorKinds, Setup};
use shakmaty::{Square, attacks};

use super::draft::{Draft, offset_of, quoted, rook_of};
use super::fault::{FaultKind, FenField};
use super::rights::{
    checkers, is_chess960, may_have_pushed, may_mean_another, passed_square, rights_in_chess960,
    why_no_castling, why_no_chess960, why_no_en_passant,
};
use crate::chess::notation::{color_name, on_square};
use crate::quoted::{Quoted, counted};

/// The largest move number that is not odd. The longest games played have fewer than 300 moves.
const MAX_MOVE_NUMBER: u32 = 9999;

/// The 75-move rule ends a game when the clock reaches this.
const CLOCK_LIMIT: u32 = 150;

/// Records everything impossible or odd about the fields that a draft knows, and repairs in its
/// setup what has exactly one repair. `mode` says whose castling rights are possible.
pub(super) fn check_legality(draft: &mut Draft<'_>, mode: CastlingMode) {
    use FenField::{Castling, EnPassant, Fullmoves, Halfmoves, Placement, Side};
    if !draft.knows(&[Placement]) {
        return;
    }
    if mode == CastlingMode::Chess960 {
        draft.setup.castling_rights = rights_in_chess960(&draft.setup);
    }
    let setup = draft.setup.clone();
    if setup.board.occupied().is_empty() {
        let found = "no pieces".to_owned();
        let expected = "at least the two kings";
        return placement_fault(draft, FaultKind::EmptyBoard, None, found, expected);
    }
    kings(draft, &setup);
    pawns(draft, &setup);
    material(draft, &setup);
    if draft.knows(&[Castling]) {
        match mode {
            CastlingMode::Standard if is_chess960(&setup) => chess960_castling(draft),
            CastlingMode::Standard | CastlingMode::Chess960 => castling(draft, &setup, mode),
        }
    }
    if draft.knows(&[Side]) {
        opponent_in_check(draft, &setup);
    }
    if draft.knows(&[Side, EnPassant]) {
        impossible_check(draft, &setup, mode);
        en_passant(draft, &setup);
        if draft.knows(&[Halfmoves, Fullmoves]) {
            counters(draft, &setup);
        }
    }
}

fn placement_fault(
    draft: &mut Draft<'_>,
    kind: FaultKind,
    square: Option<Square>,
    found: String,
    expected: &'static str,
) {
    let word = draft.word(FenField::Placement);
    let offset = square.and_then(|square| offset_of(word.text, square)).unwrap_or(0);
    draft.fault(kind, FenField::Placement, word.at + offset, found, expected);
}

/// The square of a set with index `n`, in the order of the text.
fn nth_in_text(set: Bitboard, n: usize) -> Option<Square> {
    let mut squares: Vec<Square> = set.into_iter().collect();
    squares.sort_by_key(|square| (7 - square.rank() as u8, square.file() as u8));
    squares.get(n).copied()
}

fn kings(draft: &mut Draft<'_>, setup: &Setup) {
    for color in Color::ALL {
        let kings = setup.board.kings() & setup.board.by_color(color);
        let (count, name) = (kings.count(), color_name(color));
        if count == 0 {
            let found = format!("no {name} king");
            placement_fault(draft, FaultKind::MissingKing, None, found, "one king of each colour");
        } else if count > 1 {
            let found = format!("{count} {name} kings");
            let second = nth_in_text(kings, 1);
            placement_fault(draft, FaultKind::TooManyKings, second, found, "one");
        }
    }
    if let Some((white, black)) = touching_kings(setup) {
        let found = format!("the kings side by side on {white} and {black}");
        let expected = "a square between them";
        placement_fault(draft, FaultKind::KingsTouch, Some(white), found, expected);
    }
}

fn touching_kings(setup: &Setup) -> Option<(Square, Square)> {
    let kings = |color| setup.board.kings() & setup.board.by_color(color);
    kings(Color::White).into_iter().find_map(|white| {
        let black = (attacks::king_attacks(white) & kings(Color::Black)).first()?;
        Some((white, black))
    })
}

fn pawns(draft: &mut Draft<'_>, setup: &Setup) {
    for square in setup.board.pawns() & Bitboard::BACKRANKS {
        let (found, expected) = (on_square(&setup.board, square), "pawns on ranks 2 to 7 only");
        placement_fault(draft, FaultKind::PawnOnBackRank, Some(square), found, expected);
    }
    for color in Color::ALL {
        let pawns = setup.board.pawns() & setup.board.by_color(color);
        if pawns.count() > 8 {
            let found = format!("{} {} pawns", pawns.count(), color_name(color));
            let ninth = nth_in_text(pawns, 8);
            placement_fault(draft, FaultKind::TooManyPawns, ninth, found, "at most 8");
        }
    }
}

fn material(draft: &mut Draft<'_>, setup: &Setup) {
    for color in Color::ALL {
        let own = setup.board.by_color(color);
        if own.count() > 16 {
            let found = format!("{} {} pieces", own.count(), color_name(color));
            let last = nth_in_text(own, 16);
            placement_fault(draft, FaultKind::TooManyPieces, last, found, "at most 16");
        }
        let beyond = |set: Bitboard, initial: usize| (set & own).count().saturating_sub(initial);
        let promoted = beyond(setup.board.queens(), 1)
            + beyond(setup.board.rooks(), 2)
            + beyond(setup.board.knights(), 2)
            + beyond(setup.board.bishops() & Bitboard::LIGHT_SQUARES, 1)
            + beyond(setup.board.bishops() & Bitboard::DARK_SQUARES, 1);
        let missing = 8_usize.saturating_sub((setup.board.pawns() & own).count());
        if promoted > missing {
            let found = counted(promoted, &format!("promoted {} piece", color_name(color)));
            let expected = format!("at most {missing}, as many as pawns are missing");
            let at = draft.word(FenField::Placement).at;
            draft.fault(FaultKind::TooManyPromoted, FenField::Placement, at, found, expected);
        }
    }
}

fn opponent_in_check(draft: &mut Draft<'_>, setup: &Setup) {
    let at = draft.word(FenField::Side).at;
    let (mover, other) = (setup.turn, !setup.turn);
    let attacker = checkers(&setup.board, other).first();
    let Some((king, attacker)) = setup.board.king_of(other).zip(attacker) else { return };
    let found = format!(
        "{}, and the {} king on {king} in check from {}",
        mover.char(),
        color_name(other),
        on_square(&setup.board, attacker)
    );
    // With both kings in check, the other side to move would be as impossible.
    let expected = if checkers(&setup.board, mover).any() {
        "no check: two kings are never in check at once".to_owned()
    } else {
        format!("{}, or no check", other.char())
    };
    draft.fault(FaultKind::OpponentInCheck, FenField::Side, at, found, expected);
}

fn impossible_check(draft: &mut Draft<'_>, setup: &Setup, mode: CastlingMode) {
    let at = draft.word(FenField::Side).at;
    let (mover, other) = (setup.turn, !setup.turn);
    // An impossible en passant square says nothing about the last move.
    let kinds = Chess::from_setup(setup.clone(), mode)
        .map_or_else(|error| error.kinds(), |_| PositionErrorKinds::empty());
    if let (true, Some(king)) =
        (kinds.contains(PositionErrorKinds::IMPOSSIBLE_CHECK), setup.board.king_of(mover))
    {
        let checkers = setup.board.attacks_to(king, other, setup.board.occupied());
        if (checkers & setup.board.kings()).any() {
            // Kings do not give check. That they touch is a fault of its own.
            return;
        }
        let pieces: Vec<String> =
            checkers.into_iter().map(|c| on_square(&setup.board, c)).collect();
        let found = format!("check from {}", pieces.join(" and "));
        let expected = "a check that one move can give";
        draft.fault(FaultKind::ImpossibleCheck, FenField::Side, at, found, expected);
    }
}

/// Castling rights that standard chess does not have, and Chess960 has. Nothing is wrong with them
/// but the rules of the game.
fn chess960_castling(draft: &mut Draft<'_>) {
    let word = draft.word(FenField::Castling);
    let (kind, found) = (FaultKind::Chess960Castling, quoted(word.text));
    let expected = "kings and rooks at home; these are castling rights of Chess960";
    draft.fault(kind, FenField::Castling, word.at, found, expected);
}

fn castling(draft: &mut Draft<'_>, setup: &Setup, mode: CastlingMode) {
    for rook in setup.castling_rights {
        let reason = match mode {
            CastlingMode::Standard => why_no_castling(setup, rook),
            CastlingMode::Chess960 => why_no_chess960(setup, rook),
        };
        let Some(reason) = reason else { continue };
        let word = draft.word(FenField::Castling);
        let offset = word.text.find(|letter| rook_of(letter) == Some(rook)).unwrap_or(0);
        let letter = word.text[offset..].chars().next().unwrap_or('-');
        let (kind, at) = (FaultKind::CastlingNotAtHome, word.at + offset);
        let (found, expected) = (Quoted(letter).to_string(), format!("no such right: {reason}"));
        if mode == CastlingMode::Chess960 || may_mean_another(setup, rook) {
            draft.fault(kind, FenField::Castling, at, found, expected);
        } else {
            draft.setup.castling_rights.discard(rook);
            draft.repaired(kind, FenField::Castling, at, found, expected);
        }
    }
}

fn en_passant(draft: &mut Draft<'_>, setup: &Setup) {
    let Some(square) = setup.ep_square else { return };
    if why_no_en_passant(setup, square).is_none() {
        return;
    }
    let at = draft.word(FenField::EnPassant).at;
    let (field, found) = (FenField::EnPassant, quoted(draft.word(FenField::EnPassant).text));
    if let Some(passed) = passed_square(setup, square) {
        draft.setup.ep_square = Some(passed);
        let found = format!("{found}, the square of the pawn itself");
        let expected = format!("{passed}, the square that it has passed over");
        return draft.repaired(FaultKind::EnPassantOwnSquare, field, at, found, expected);
    }
    let reason = why_no_en_passant(setup, square).unwrap_or_default();
    let expected = format!("-: {reason}");
    let other = Setup { turn: !setup.turn, ..setup.clone() };
    if may_have_pushed(setup) || may_have_pushed(&other) {
        // The file, the rank or the side to move may be wrong: the repair is unknown.
        return draft.fault(FaultKind::EnPassantWithoutPawn, field, at, found, expected);
    }
    draft.setup.ep_square = None;
    draft.repaired(FaultKind::EnPassantWithoutPawn, field, at, found, expected);
}

fn counters(draft: &mut Draft<'_>, setup: &Setup) {
    let Setup { halfmoves, .. } = *setup;
    let at = draft.word(FenField::Halfmoves).at;
    let mut odd = |kind, expected: String| {
        let (field, found) = (FenField::Halfmoves, halfmoves.to_string());
        draft.fault(kind, field, at, found, expected);
    };
    let played =
        2 * (setup.fullmoves.get() - 1).min(u32::MAX / 4) + u32::from(setup.turn.is_black());
    if halfmoves > played {
        let expected = format!("at most {played}, the half-moves of the game so far");
        odd(FaultKind::ClockBeyondGame, expected);
    }
    let has_passed =
        setup.ep_square.is_some_and(|square| why_no_en_passant(setup, square).is_none());
    if halfmoves > 0 && has_passed {
        odd(FaultKind::ClockAfterPawnMove, "0 after the pawn move that field 4 tells of".into());
    }
    if halfmoves > CLOCK_LIMIT {
        odd(FaultKind::ClockBeyondLimit, format!("at most {CLOCK_LIMIT}, by the 75-move rule"));
    }
    if setup.fullmoves.get() > MAX_MOVE_NUMBER {
        let (field, found) = (FenField::Fullmoves, setup.fullmoves.to_string());
        let (kind, at) = (FaultKind::MoveNumberLarge, draft.word(field).at);
        draft.fault(kind, field, at, found, "at most 9999");
    }
}
