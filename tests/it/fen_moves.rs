//! `eco fen move`: moves in every notation and language.

use crate::fen::{E4, START, fen, pipe};

#[test]
fn moves_are_played_and_explained() {
    fen(&["move", START, "1.", "e4", "c5", "2.Ng1-f3!?"])
        .exits(0)
        .prints("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n");
    fen(&["move", "startpos", "e4", "--ply", "all", "e5", "--ep", "legal"]).exits(0).prints(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n",
    );
    fen(&["move", "startpos", "e4"]).exits(0).prints(&format!("{E4}\n"));
    fen(&["move", "--lang", "ru", "startpos", "Кf3"])
        .exits(0)
        .prints("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n");
    fen(&["move", START, "e4 e5", "Bc4 Nf6 Ke3"])
        .exits(1)
        .prints("")
        .complains("eco: column 72, move 3. Ke3: the white king on e1 cannot go to e3\n");
    fen(&["move", "8/8/8/8/8/8/8/8 w - - 0 1", "e4"]).exits(1).complains("found no pieces");
    fen(&["move", "--lang", "xx", "startpos"]).exits(2).complains("no language 'xx'");
}

#[test]
fn lines_of_moves_are_played_each_by_itself() {
    let lines = format!(
        "{START} e4\n{START} e5\nstartpos d4\nnonsense\n{E4}\n4k3/8/8/8/8/8/8/4K2R w K - 0-0\n"
    );
    pipe(&["move"], lines.as_bytes())
        .exits(1)
        .prints(&format!(
            "{E4}\n\
             \n\
             rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\n\
             \n\
             {E4}\n\
             4k3/8/8/8/8/8/8/5RK1 b - - 1 1\n"
        ))
        .complains(
            "eco: line 2: column 58, move 1. e5: it is White's turn, and this is a move of Black",
        )
        .complains("eco: line 4: 'nonsense': not a FEN, not moves");
}

#[test]
fn what_move_prints_can_be_read_again() {
    let mut text = "4k3/8/8/8/8/8/8/4K2R b - - 9999 9999".to_owned();
    for word in ["Kd8", "Kd2", "Kd7"] {
        text = fen(&["move", &text, word]).exits(0).stdout.trim_end().to_owned();
    }
    assert_eq!(text, "8/3k4/8/8/8/8/3K4/7R w - - 10002 10001");
    let last = "4k3/8/8/8/8/8/8/4K2R b - - 4294967295 4294967295";
    let kept = "3k4/8/8/8/8/8/8/4K2R w - - 4294967295 4294967295\n";
    fen(&["move", last, "Kd8"]).exits(0).prints(kept);
}

#[test]
fn every_word_of_move_is_understood_or_refused_with_its_column() {
    let knight = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n";
    for words in ["♘ f3", "1. ♘ f3", "♞\u{fe0e} f3!", "N f3", "1. N f3", "Nf3 ⩲", "Nf3 $14 N +-"]
    {
        fen(&["move", "startpos", words]).exits(0).prints(knight);
    }
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9";
    for words in ["О-О", "о-о", "0-0", "0–0", "O-O", "О—О"] {
        fen(&["move", castles, words]).exits(0).prints("r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 9\n");
    }
    for (words, column, word) in [
        (&["e4", "日本", "e5"][..], 13, "1... 日本"),
        (&["e4", "--", "e5"], 13, "1... --"),
        (&["e4", "e5", "--"], 16, "2. --"),
        (&["e4", "Z0"], 13, "1... Z0"),
        (&["e4", "&", "e5"], 13, "1... &"),
        (&["e4", ")", "e5"], 13, "1... )"),
        (&["e4", "§!", "e5"], 13, "1... §"),
        (&["e4", "e5", "♘", "Nf3"], 16, "2. ♘"),
        (&["e4", "e5", "Ке2"], 16, "2. Ке2"),
        (&["e4", "e5", "1-0", "@"], 20, "2. @"),
        (&["e4", "О-О"], 13, "1... О-О"),
        (&["e4", "00"], 13, "1... 00"),
    ] {
        fen(&[&["move", "startpos"], words].concat())
            .exits(1)
            .prints("")
            .complains(&format!("eco: column {column}, move {word}:"));
    }
    // Both a knight and a pawn can go there.
    fen(&["move", "startpos e4 e5 N f3"])
        .exits(1)
        .complains("column 18, move 2. f3: N stands apart");
    fen(&["move", "--", "startpos", "e4"]).exits(0).prints(&format!("{E4}\n"));
    fen(&["move", "startpos", "e4", "1-0", "e5"])
        .exits(1)
        .complains("eco: column 17: e5 comes after the result 1-0");
}

#[test]
fn moves_are_read_in_every_language() {
    // King, queen, rook, bishop and knight as books print them; the FEN lets each move to one
    // square.
    let start = "4k3/8/8/8/8/8/7r/RNBQK3 w - - 0 1";
    for (code, letters) in [
        ("en", "K Q R B N"),
        ("nl", "K D T L P"),
        ("de", "K D T L S"),
        ("fr", "R D T F C"),
        ("es", "R D T A C"),
        ("it", "R D T A C"),
        ("ru", "Кр Ф Л С К"),
        ("pt", "R D T B C"),
        ("pl", "K H W G S"),
        ("cs", "K D V S J"),
        ("hu", "K V B F H"),
        ("sv", "K D T L S"),
        ("da", "K D T L S"),
        ("nb", "K D T L S"),
        ("fi", "K D T L R"),
        ("tr", "Ş V K F A"),
        ("el", "Ρ Β Π Α Ι"),
        ("uk", "Кр Ф Т С К"),
    ] {
        for (letter, (square, english)) in letters.split(' ').zip([
            ("f1", "K"),
            ("d8", "Q"),
            ("a8", "R"),
            ("g5", "B"),
            ("c3", "N"),
        ]) {
            let expected =
                fen(&["move", start, &format!("{english}{square}")]).exits(0).stdout.clone();
            fen(&["move", "--lang", code, start, &format!("{letter}{square}")])
                .exits(0)
                .prints(&expected);
        }
    }
}
