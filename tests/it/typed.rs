//! Moves as people type them, and the faults reported for those that cannot be played.

use eco::{
    chess::{
        CastlingFault, Chess, EnPassantMode, Fen, Language, Move, Piece, Position, Rank, Role, San,
        Square, TypedFault, read_fen, read_typed,
    },
    pgn::play_typed,
};
use proptest::prelude::*;
use shakmaty::uci::UciMove;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White can castle both ways, take en passant, and take with pawn and pieces.
const RICH: &str = "r3k2r/ppq2ppp/2n1b3/3pP3/3Q4/2p2N2/PP1P1PPP/R3K2R w KQkq d6 0 10";
const PROMOTES: &str = "3r4/4P3/6k1/8/8/8/8/4K3 w - - 0 50";
const KNIGHTS: &str = "4k3/8/8/8/1b6/2N5/8/2N1K1N1 w - - 0 40";

fn typed(fen: &str, word: &str, language: Language) -> Result<String, String> {
    let position = read_fen(fen.as_bytes()).unwrap();
    read_typed(&position, word, language)
        .map(|m| San::from_move(&position, m).to_string())
        .map_err(|fault| fault.to_string())
}

#[test]
fn the_forms_people_type_mean_one_move() {
    use Language::{Dutch, English, French, German, Italian, Russian, Spanish};
    for (fen, language, words, san) in [
        (
            START,
            English,
            &["e4", "e2e4", "e2-e4", "e2–e4", "Pe4", "e4!", "e4!?", "♙e4", "e4=", "e4+-"][..],
            "e4",
        ),
        (
            START,
            English,
            &["Nf3", "Ng1f3", "Ng1-f3", "Ng1×f3", "Nf3+", "Nf3±", "♘f3", "♞f3", "♘\u{fe0e}f3"],
            "Nf3",
        ),
        (START, English, &["nf3", "ng1-f3", "nf3!", "NF3", "NG1-F3"], "Nf3"),
        (START, English, &["E4", "E2E4", "E2-E4"], "e4"),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", English, &["bc4", "bc4!"], "Bc4"),
        ("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1", English, &["bxc4", "bc4"], "bxc4"),
        ("4k3/8/8/8/2p5/8/1P6/4KB2 w - - 0 1", English, &["bxc4", "bc4", "BXC4"], "Bxc4"),
        (RICH, English, &["qxc3", "qc3"], "Qxc3"),
        (RICH, English, &["rb1"], "Rb1"),
        (RICH, English, &["kg1"], "O-O"),
        (PROMOTES, English, &["ke2"], "Ke2"),
        (
            RICH,
            English,
            &["O-O", "0-0", "o-o", "O–O", "0–0", "OO", "00", "O-O+", "e1g1", "Ke1-g1", "О-О"],
            "O-O",
        ),
        (RICH, English, &["O-O-O", "0-0-0", "OOO", "0—0—0", "e1c1", "Kc1", "Kec1"], "O-O-O"),
        (RICH, English, &["Kg1", "♔g1", "K1g1+"], "O-O"),
        (RICH, Russian, &["Крg1"], "O-O"),
        (PROMOTES, English, &["e8(Q)", "e8(Q)+", "e8(♕)", "e7-e8(Q)"], "e8=Q"),
        (PROMOTES, German, &["e8(D)"], "e8=Q"),
        (
            RICH,
            English,
            &["exd6", "ed6", "ed", "exd", "e:d", "e5d6", "exd6e.p.", "exd6ep", "e5xd6 e.p."],
            "exd6",
        ),
        (RICH, English, &["dxc3", "dc3", "dc", "d2xc3", "d2c3"], "dxc3"),
        (RICH, English, &["Qxc3", "Q:c3", "Qc3", "Qd4c3", "Qc3:"], "Qxc3"),
        (PROMOTES, English, &["e8=Q", "e8Q", "e8/Q", "e7e8q", "e7-e8=Q+", "e8=♕"], "e8=Q"),
        (PROMOTES, English, &["exd8=N", "ed8N", "ed=N", "exd=N"], "exd8=N"),
        (START, Dutch, &["Pf3", "Pg1-f3"], "Nf3"),
        (START, German, &["Sf3", "Sg1f3", "sf3"], "Nf3"),
        (START, German, &["Be4", "e4"], "e4"),
        (START, French, &["Cf3", "Cg1f3"], "Nf3"),
        (START, Spanish, &["Cf3"], "Nf3"),
        (START, Italian, &["Cf3"], "Nf3"),
        (START, Russian, &["Кf3", "Кg1-f3", "♘f3"], "Nf3"),
        (RICH, Dutch, &["Dxc3", "Dc3:"], "Qxc3"),
        (RICH, German, &["Dxc3", "Dd4:c3"], "Qxc3"),
        (RICH, Russian, &["Ф:c3", "Фхc3", "фc3"], "Qxc3"),
        (RICH, Russian, &["Крd1"], "Kd1"),
        (RICH, Dutch, &["Tb1"], "Rb1"),
        (RICH, French, &["Rd1"], "Kd1"),
        (RICH, French, &["Tb1"], "Rb1"),
        (RICH, Spanish, &["Rd1"], "Kd1"),
        (RICH, Italian, &["Tb1"], "Rb1"),
        (RICH, Russian, &["Лb1"], "Rb1"),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", Dutch, &["Lb5+"], "Bb5"),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", French, &["Fb5+"], "Bb5"),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", Spanish, &["Ab5+"], "Bb5"),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", Russian, &["Сb5+"], "Bb5"),
        (PROMOTES, German, &["e8=D", "e8D", "ed=D", "ed8D"], "e8=Q"),
    ] {
        for word in words {
            let expected = if word.starts_with("ed") && san == "e8=Q" { "exd8=Q" } else { san };
            assert_eq!(typed(fen, word, language).as_deref(), Ok(expected), "{word} in {fen}");
        }
    }
}

#[test]
fn what_cannot_be_played_is_explained() {
    for (fen, word, reason) in [
        (START, "e5", "it is White's turn, and this is a move of Black"),
        (START, "Nf6", "it is White's turn, and this is a move of Black"),
        (START, "e7e5", "it is White's turn, and this is a move of Black"),
        (
            START,
            "Bc4",
            "the white bishop on f1 cannot go to c4: the white pawn on e2 is in the way",
        ),
        (START, "Ra3", "the white rook on a1 cannot go to a3: the white pawn on a2 is in the way"),
        (START, "Ke2", "the white pawn stands on e2 already"),
        (START, "Nd4", "the white knights on b1 and g1 cannot go to d4"),
        (START, "Nce2", "White has no knight on the c-file"),
        (START, "N3e4", "White has no knight on rank 3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e6", "the white pawn on e2 cannot go to e6"),
        (
            START,
            "exd3",
            "there is nothing on d3 that a pawn could take, and no pawn to take en passant",
        ),
        (START, "ed", "no white pawn of the e-file can take on the d-file"),
        (START, "d4d5", "there is no piece on d4"),
        (
            START,
            "O-O",
            "White cannot castle on the king's side: the white bishop on f1 is in the way",
        ),
        (
            START,
            "e4=Q",
            "only a pawn that reaches the last rank promotes, and only to Q, R, B or N",
        ),
        (START, "--", "a null move cannot be played"),
        (START, "Sf3", "not a move in English; the pieces are K Q R B N"),
        (START, "bc4", "the white pawn on b2 cannot go to c4"),
        (START, "hello", "not a move in English; the pieces are K Q R B N"),
        (START, "Nf9", "there is no square f9: files are a to h, ranks 1 to 8"),
        (START, "Ng1-i3", "there is no square i3: files are a to h, ranks 1 to 8"),
        (START, "hello5", "not a move in English; the pieces are K Q R B N"),
        (START, "", "not a move in English; the pieces are K Q R B N"),
        (PROMOTES, "e8", "a pawn that reaches e8 must promote; write e8=Q, R, B or N"),
        (PROMOTES, "ed", "a pawn that reaches d8 must promote; write d8=Q, R, B or N"),
        (
            PROMOTES,
            "e8=K",
            "only a pawn that reaches the last rank promotes, and only to Q, R, B or N",
        ),
        (PROMOTES, "Kd1", "the king would be in check on d1 from the black rook on d8"),
        (PROMOTES, "Qe3", "White has no queen"),
        (
            KNIGHTS,
            "Nd5",
            "the white knight on c3 is pinned to the king on e1 by the black bishop on b4",
        ),
        (KNIGHTS, "Ne2", "ambiguous: the white knights on c1 and g1 can do it; say which"),
        (KNIGHTS, "b4", "the black bishop on b4 is in the way of the pawn; pawns take sideways"),
        (
            "4k3/8/8/8/1b6/8/8/R3K1N1 w Q - 0 1",
            "Nf3",
            "it leaves the king on e1 in check from the black bishop on b4",
        ),
        (
            "4k3/8/8/8/1b6/8/8/R3K1N1 w Q - 0 1",
            "O-O-O",
            "White cannot castle on the queen's side: the king is in check from the black bishop on b4",
        ),
        (
            "4k3/8/8/8/b7/8/8/R3K1N1 w Q - 0 1",
            "O-O-O",
            "White cannot castle on the queen's side: the black bishop on a4 attacks d1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
            "O-O",
            "White cannot castle on the king's side: the position gives no such right",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
            "e1g1",
            "White cannot castle on the king's side: the position gives no such right",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1",
            "Kg1",
            "White cannot castle on the king's side: there is no white rook on h1",
        ),
        (
            "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1",
            "O-O-O",
            "White cannot castle on the queen's side: there is no white king on e1",
        ),
        (
            "4k3/8/8/8/b7/8/8/R3K3 w Q - 0 1",
            "e1c1",
            "White cannot castle on the queen's side: the black bishop on a4 attacks d1",
        ),
        (START, "e7e2", "the black pawn on e7 is not White's to move"),
        ("4k3/8/8/8/8/8/6P1/4K3 b - - 0 1", "g2g5", "the white pawn on g2 is not Black's to move"),
        ("4k3/8/8/8/8/n7/4P3/4K3 w - - 0 1", "e5", "the white pawn on e2 cannot go to e5"),
        (
            "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1",
            "e4",
            "the white pawn on e2 cannot go to e4: the black knight on e3 is in the way",
        ),
        (
            "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1",
            "e4",
            "the black knight on e4 is in the way of the pawn; pawns take sideways",
        ),
        ("4k3/4p3/2p5/1P1P4/8/8/8/4K3 w - - 0 1", "d6e7", "there is no piece on d6"),
        (
            "4k3/8/8/KPp4r/8/8/8/8 w - c6 0 2",
            "bxc6",
            "the white pawn on b5 is pinned to the king on a5 by the black rook on h5",
        ),
    ] {
        assert_eq!(typed(fen, word, Language::English), Err(reason.to_owned()), "{word} in {fen}");
    }
}

#[test]
fn a_capture_by_files_may_be_ambiguous() {
    let fen = "4k3/8/8/2p5/3P4/2p5/3P4/4K3 w - - 0 1";
    assert_eq!(
        typed(fen, "dc", Language::English),
        Err("ambiguous: the pawn can take on c3 and c5; say which".to_owned())
    );
    assert_eq!(typed(fen, "dc5", Language::English).as_deref(), Ok("dxc5"));
}

#[test]
fn lines_are_played_with_all_that_stands_between_the_moves() {
    let line =
        "1.e4 $1 e5 2.Nf3! {the knight} Nc6 (2...d6 3.d4) 3. Bb5 a6 4 Bc6: dc ; exchange\n5. 0–0";
    let mut seen = 0;
    let end = play_typed(Chess::default(), line, Language::English, |_, _| seen += 1).unwrap();
    assert_eq!(seen, 9);
    assert_eq!(
        Fen::from_position(&end, EnPassantMode::Always).to_string(),
        "r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 5"
    );
    for (line, error) in [
        (
            "1. e4 e5 2. Nf6",
            "column 13, move 2. Nf6: it is White's turn, and this is a move of Black",
        ),
        ("1. e4 e5 2. Nf3 {", "comment never closed"),
        ("1. e4 (1. d4", "variation never closed"),
    ] {
        let played = play_typed(Chess::default(), line, Language::English, |_, _| {});
        assert_eq!(played.unwrap_err().to_string(), error);
    }
}

/// Whether a fault is true, determined independently of the code that found it.
fn is_true(position: &Chess, fault: &TypedFault) -> bool {
    use shakmaty::{Bitboard, attacks};
    let (board, turn) = (position.board(), position.turn());
    let is_on = |piece: &Piece, at: &Square| board.piece_at(*at) == Some(*piece);
    match fault {
        TypedFault::Blocked { piece, from, to, blocker, at } => {
            let lies_between = attacks::between(*from, *to).contains(*at);
            is_on(piece, from) && is_on(blocker, at) && lies_between && piece.color == turn
        }
        TypedFault::Pinned { piece, from, king, pinner, at } => {
            let line = attacks::ray(*king, *at);
            // En passant two pawns leave a rank.
            let others = attacks::between(*king, *at) & board.occupied() & !board.pawns();
            is_on(piece, from)
                && is_on(&turn.king(), king)
                && is_on(pinner, at)
                && pinner.color != turn
                && (line.contains(*from) || piece.role == Role::Pawn)
                && (others & !Bitboard::from_square(*from)).is_empty()
        }
        TypedFault::LeftInCheck { king, checker, at } => {
            is_on(&turn.king(), king) && is_on(checker, at) && position.checkers().contains(*at)
        }
        TypedFault::IntoCheck { to, checker, at } => {
            let without = board.occupied() & !board.kings();
            is_on(checker, at)
                && checker.color != turn
                && attacks::attacks(*at, *checker, without).contains(*to)
        }
        TypedFault::NoPiece { piece, within } => (board.by_piece(*piece) & *within).is_empty(),
        TypedFault::EmptyOrigin(square) => board.piece_at(*square).is_none(),
        TypedFault::OwnPiece { piece, on } => is_on(piece, on) && piece.color == turn,
        TypedFault::NotYours { piece, on } => is_on(piece, on) && piece.color != turn,
        TypedFault::PawnBlocked { blocker, at } => is_on(blocker, at),
        TypedFault::NothingToTake(square) => {
            board.piece_at(*square).is_none() && position.legal_ep_square() != Some(*square)
        }
        TypedFault::Unreachable { piece, from, to } => {
            let moves = position.legal_moves();
            let goes = |m: &Move| m.from().is_some_and(|at| from.contains(at)) && m.to() == *to;
            from.into_iter().all(|at| is_on(piece, &at))
                && !moves.iter().any(|m| goes(m) && !m.is_castle())
        }
        TypedFault::Ambiguous { piece, from } => {
            from.count() > 1 && from.into_iter().all(|at| is_on(piece, &at))
        }
        TypedFault::WrongSide(color) => *color == turn && position.clone().swap_turn().is_ok(),
        TypedFault::NoPromotion(square, _) => matches!(square.rank(), Rank::First | Rank::Eighth),
        TypedFault::WrongPromotion(_) => true,
        TypedFault::NoCastling { color, why, .. } => {
            *color == turn
                && match why {
                    CastlingFault::NoRight => true,
                    CastlingFault::NotAtHome { piece, home } => !is_on(piece, home),
                    CastlingFault::Blocked { blocker, at } => is_on(blocker, at),
                    CastlingFault::InCheck { checker, at } => {
                        is_on(checker, at) && position.checkers().contains(*at)
                    }
                    CastlingFault::Attacked { attacker, at, square } => {
                        is_on(attacker, at)
                            && attacks::attacks(*at, *attacker, board.occupied() & !board.kings())
                                .contains(*square)
                    }
                    _ => false,
                }
        }
        // Words like these are not among those tried.
        _ => false,
    }
}

#[test]
fn promotion_letters_are_those_of_the_language() {
    for (language, advice) in [
        (Language::English, "e8=Q, R, B or N"),
        (Language::Dutch, "e8=D, T, L or P"),
        (Language::French, "e8=D, T, F or C"),
        (Language::Russian, "e8=Ф, Л, С or К"),
    ] {
        let told = format!("a pawn that reaches e8 must promote; write {advice}");
        assert_eq!(typed(PROMOTES, "e8", language), Err(told));
    }
}

#[test]
fn nothing_after_a_result_is_dropped() {
    for (moves, word) in [
        ("e4 1-0 e5", "column 8: e5"),
        ("e4 *** e5", "column 8: e5"),
        ("* 1-0 {x} Nf3 d5", "column 11: Nf3"),
    ] {
        let error = play_typed(Chess::default(), moves, Language::English, |_, _| {}).unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("{word} comes after the result")),
            "{error}"
        );
    }
    for moves in ["e4 1-0", "e4 * {the end}", "e4 1/2-1/2 *", "e4 *** +- N"] {
        assert!(
            play_typed(Chess::default(), moves, Language::English, |_, _| {}).is_ok(),
            "{moves}"
        );
    }
    let promotes = read_fen(PROMOTES.as_bytes()).unwrap();
    let played = play_typed(promotes, "1.e8(Q) (1.ed8(N)) Kf6", Language::English, |_, _| {});
    assert!(played.is_ok(), "{played:?}");
}

fn walk(choices: &[u16]) -> Chess {
    crate::positions::walk(choices)
}

/// Both squares, with a piece letter or not, and with a promotion.
fn long_form(m: Move, with: &str) -> String {
    let (from, to) = match m {
        Move::Castle { king, rook } => {
            let to = if rook > king { king.offset(2) } else { king.offset(-2) };
            (king, to.unwrap())
        }
        _ => (m.from().unwrap(), m.to()),
    };
    let letter = match m.role() {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    let letter = if m.is_castle() { "" } else { &letter };
    let promotion = m.promotion().map_or(String::new(), |role| format!("={}", role.upper_char()));
    format!("{letter}{from}{with}{to}{promotion}")
}

fn in_language(san: &str, letters: [&str; 5]) -> String {
    let mut text = String::new();
    for c in san.chars() {
        match "KQRBN".find(c) {
            Some(index) => text += letters[index],
            None => text.push(c),
        }
    }
    text
}

proptest! {
    #[test]
    fn every_legal_move_in_every_form_gives_one_fen(
        choices in prop::collection::vec(any::<u16>(), 0..100),
    ) {
        let position = walk(&choices);
        let languages = [
            (Language::English, ["K", "Q", "R", "B", "N"]),
            (Language::English, ["♔", "♕", "♖", "♗", "♘"]),
            (Language::Dutch, ["K", "D", "T", "L", "P"]),
            (Language::German, ["K", "D", "T", "L", "S"]),
            (Language::French, ["R", "D", "T", "F", "C"]),
            (Language::Spanish, ["R", "D", "T", "A", "C"]),
            (Language::Italian, ["R", "D", "T", "A", "C"]),
            (Language::Russian, ["Кр", "Ф", "Л", "С", "К"]),
        ];
        for m in position.legal_moves() {
            let after = position.clone().play(m).unwrap();
            let fen = Fen::from_position(&after, EnPassantMode::Always);
            let san = San::from_move(&position, m).to_string();
            let mut forms = vec![
                (Language::English, UciMove::from_standard(m).to_string()),
                (Language::English, long_form(m, "")),
                (Language::English, long_form(m, if m.is_capture() { "x" } else { "-" })),
                (Language::English, san.replace('x', "")),
                (Language::English, format!("{san}+!?")),
            ];
            forms.extend(languages.map(|(language, letters)| (language, in_language(&san, letters))));
            for (language, form) in forms {
                let read = read_typed(&position, &form, language);
                prop_assert_eq!(read, Ok(m), "{} in {}", form, Fen::from_position(&position, EnPassantMode::Always));
                let again = position.clone().play(read_typed(&position, &form, language).unwrap()).unwrap();
                prop_assert_eq!(&Fen::from_position(&again, EnPassantMode::Always), &fen);
            }
        }
    }

    #[test]
    fn every_illegal_move_has_a_reason(
        choices in prop::collection::vec(any::<u16>(), 0..100),
        role in prop::sample::select(vec!["", "N", "B", "R", "Q", "K"]),
        from in prop::sample::select(vec!["", "a", "d", "h", "1", "5", "e2", "g7"]),
        to in prop::sample::select(Square::ALL.to_vec()),
        promotion in prop::sample::select(vec!["", "", "", "=Q", "=K"]),
    ) {
        let position = walk(&choices);
        let word = format!("{role}{from}{to}{promotion}");
        let read = read_typed(&position, &word, Language::English);
        let strict = eco::chess::read_move(&position, word.as_bytes());
        let castles = read.as_ref().is_ok_and(|m| m.is_castle());
        prop_assert!(read.is_ok() == strict.is_ok() || castles, "{word}: {read:?} {strict:?}");
        if let Err(fault) = read {
            prop_assert!(is_true(&position, &fault), "{word}: {fault}");
        }
    }

    #[test]
    fn no_words_are_too_odd_to_be_answered(
        choices in prop::collection::vec(any::<u16>(), 0..60),
        words in ".{0,60}",
        chess in "[a-h1-8KQRBNx:=+#.{}()$ O0–♘К-]{0,60}",
    ) {
        let position = walk(&choices);
        let _ = (words.parse::<Language>(), words.parse::<eco::diagram::Paint>());
        let _ = (words.parse::<eco::diagram::Mark>(), words.parse::<eco::diagram::Arrow>());
        for language in Language::ALL.iter().copied() {
            let _ = play_typed(position.clone(), &words, language, |_, _| {});
            let _ = play_typed(position.clone(), &chess, language, |_, _| {});
            if let Ok(m) = read_typed(&position, &chess, language) {
                prop_assert!(position.is_legal(m));
            }
        }
    }
}
