//! Moves as people type them, in every language: what is played is legal and is read again from
//! every way to write it, and what is not played is refused with its column.
//!
//! The first byte chooses the language, the second the position; the text of the moves follows.

use super::{Choices, play};
use eco::{
    chess::{
        Chess, Language, Move, Position, San, UciMove, long_algebraic, read_fen, read_move,
        read_typed, shakmaty,
    },
    pgn::{TypedError, play_typed},
};

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/ppq2ppp/2n1b3/3pP3/3Q4/2p2N2/PP1P1PPP/R3K2R w KQkq d6 0 10",
    "3r4/4P3/6k1/8/8/8/8/4K3 w - - 0 50",
    "4k3/8/8/8/1b6/2N5/8/2N1K1N1 w - - 0 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

pub fn check_bytes(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let language = *choices.of(Language::ALL);
    let start = read_fen(choices.of(&STARTS).as_bytes()).expect("it is a position");
    check_word(&start, choices.rest(), language);
    let Ok(text) = str::from_utf8(choices.rest()) else { return };
    let mut played = Vec::new();
    let end = play_typed(start.clone(), text, language, |m, _| played.push(m));
    let mut position = start;
    for m in &played {
        assert!(position.is_legal(*m));
        check_move(&position, *m, language);
        position.play_unchecked(*m);
    }
    match end {
        Ok(last) => assert_eq!(last, position),
        Err(
            TypedError::Move { column, word, .. } | TypedError::AfterResult { column, word, .. },
        ) => {
            assert!((1..=text.chars().count()).contains(&column), "{column} in {text:?}");
            assert!(!word.is_empty());
        }
        Err(_) => {}
    }
}

/// A legal move is read from all ways to write it.
fn check_move(position: &Chess, m: Move, language: Language) {
    let san = play(&mut position.clone(), m);
    assert_eq!(read_move(position, san.as_bytes()), Ok(m));
    assert_eq!(read_typed(position, &san, Language::English).as_ref(), Ok(&m), "{san}");
    let translated = language.translated(&san);
    assert_eq!(read_typed(position, &translated, language).as_ref(), Ok(&m), "{translated}");
    let uci = UciMove::from_move(m);
    assert_eq!(uci.to_string().parse(), Ok(uci));
    assert_eq!(uci.to_move(position), Some(m), "{uci}");
    let long = long_algebraic(position, m).to_string();
    assert_eq!(read_typed(position, &long, Language::English).as_ref(), Ok(&m), "{long}");
}

/// A word of a file means no more than it does for `shakmaty`, where both read it; typed, it means
/// the same and perhaps more.
fn check_word(position: &Chess, word: &[u8], language: Language) {
    let in_file = read_move(position, word);
    if let Ok(m) = in_file {
        assert!(position.is_legal(m));
    }
    if let Ok(text) = str::from_utf8(word) {
        let typed = read_typed(position, text, Language::English);
        if let Ok(m) = in_file {
            assert_eq!(typed.as_ref(), Ok(&m), "{text}");
        }
        match read_typed(position, text, language) {
            Ok(m) => assert!(position.is_legal(m), "{text}"),
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
    let theirs = San::from_ascii(word).ok().and_then(|san| san.to_move(position).ok());
    // A pawn that takes names its file: `xd6` is no move, though `shakmaty` reads it.
    if let Some(theirs) = theirs.filter(|_| !word.starts_with(b"x")) {
        assert_eq!(in_file, Ok(theirs), "{}", word.escape_ascii());
    }
    // `shakmaty` also reads promotions in capitals, and castling as the king taking its rook.
    let uci = shakmaty::uci::UciMove::from_ascii(word).ok();
    let theirs = uci
        .and_then(|uci| uci.to_move(position).ok())
        .filter(|m| shakmaty::uci::UciMove::from_standard(*m).to_string().as_bytes() == word);
    if let Some(theirs) = theirs {
        let ours = str::from_utf8(word).ok().and_then(|text| text.parse::<UciMove>().ok());
        let ours = ours.and_then(|uci| uci.to_move(position));
        assert_eq!(ours, Some(theirs), "{}", word.escape_ascii());
    }
}
