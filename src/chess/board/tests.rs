//! The fast path against the plain one, on positions where they could differ.

use proptest::prelude::*;
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, Position, Square};

use super::*;
use crate::chess::read_fen;

/// Plays a word both ways and compares them.
fn both_ways(position: &Chess, word: &str) {
    let mut board = Board::from_position(position);
    let fast = board.play(word.as_bytes());
    let slow = read_move(position, word.as_bytes()).map(|m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        Board::from_position(&after)
    });
    assert_eq!(fast.map(|()| board), slow, "{word} in {}", Board::from_position(position).key());
    let mut board = Board::from_position(position);
    if board.play_packed(PackedSan::new(word.as_bytes())).is_some() {
        assert_eq!(Ok(board), slow, "{word} in {}", Board::from_position(position).key());
    } else {
        assert_eq!(board, Board::from_position(position), "{word} left a trace");
    }
}

/// Every way to write a move that could be meant, and some that are not.
fn spellings(position: &Chess) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for m in position.legal_moves() {
        words.push(SanPlus::from_move(position.clone(), m).to_string());
        if let San::Normal { role, capture, to, promotion, .. } = San::from_move(position, m) {
            let from = m.from().unwrap();
            for file in [None, Some(from.file())] {
                for rank in [None, Some(from.rank())] {
                    for capture in [capture, !capture] {
                        let san = San::Normal { role, file, rank, capture, to, promotion };
                        words.push(san.to_string());
                    }
                }
            }
        }
    }
    words
}

const HARD: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/8/2NNN3/8/8/8/4K3 w - - 0 1",
    "r3k2r/8/8/8/4q3/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/1b6/8/8/R3K2R w KQkq - 0 1",
    // Doubled pawns, free and blocked.
    "4k3/pp2p3/1p2p3/3n4/2n5/1P2P1n1/PP2P1P1/4K3 w - - 0 1",
    "4k3/pp2p1p1/1p2p1N1/2N5/3N4/1P2P3/PP2P3/4K3 b - - 0 1",
];

#[test]
fn the_fast_path_plays_standard_san_of_all_moves_but_promotions() {
    for fen in HARD {
        let position = read_fen(fen.as_bytes()).unwrap();
        for m in position.legal_moves().into_iter().filter(|m| !m.is_promotion()) {
            let san = SanPlus::from_move(position.clone(), m).to_string();
            let mut board = Board::from_position(&position);
            assert!(board.play_packed(PackedSan::new(san.as_bytes())).is_some(), "{san} in {fen}");
        }
    }
}

#[test]
fn every_move_of_hard_positions_is_played_alike() {
    for fen in HARD {
        let start = read_fen(fen.as_bytes()).unwrap();
        for word in spellings(&start) {
            both_ways(&start, &word);
        }
        for m in start.legal_moves() {
            let mut after = start.clone();
            after.play_unchecked(m);
            for word in spellings(&after) {
                both_ways(&after, &word);
                // The same word where it most often is illegal.
                both_ways(&start, &word);
            }
        }
    }
}

/// Letters that may or may not stand there after a piece, or after the file of a pawn.
#[test]
fn any_letter_before_the_target_is_read_alike() {
    for fen in [HARD[1], HARD[3], HARD[5]] {
        let position = read_fen(fen.as_bytes()).unwrap();
        for first in "abcdefghNBRQK".chars() {
            for letter in "abcdefgh12345678xN=".chars() {
                for target in Square::ALL {
                    both_ways(&position, &format!("{first}{letter}{target}"));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_games_are_played_alike(
        start in prop::sample::select(HARD.to_vec()),
        choices in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        let mut position = read_fen(start.as_bytes()).unwrap();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let words = spellings(&position);
            both_ways(&position, &words[usize::from(choice) % words.len()]);
            position.play_unchecked(legal[usize::from(choice) % legal.len()]);
        }
    }

    #[test]
    fn any_word_is_taken_alike(
        start in prop::sample::select(HARD.to_vec()),
        word in "[a-hNBRQKOPx1-8=+#0-]{1,7}",
    ) {
        both_ways(&read_fen(start.as_bytes()).unwrap(), &word);
    }
}
