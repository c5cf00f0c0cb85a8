//! The verdicts of the rule.

use super::*;
use crate::chess::{Chess, Position, play_as_san, read_fen, read_move};
use crate::{catalogue::Catalogue, pgn::Game};

fn classify(game: &str) -> (String, usize, bool, String) {
    let classifier = Classifier::new(Catalogue::builtin());
    let verdict = classifier.classify(&Game::from_bytes(game.as_bytes())).verdict;
    let error = verdict.error.map(|e| e.to_string()).unwrap_or_default();
    verdict.named.map_or((String::new(), 0, false, error.clone()), |named| {
        (named.opening().code().to_owned(), named.ply(), named.is_transposed(), error)
    })
}

fn verdict(eco: &str, ply: usize, transposed: bool, error: &str) -> (String, usize, bool, String) {
    (eco.to_owned(), ply, transposed, error.to_owned())
}

#[test]
fn games_get_the_verdict_of_the_rule() {
    for (game, expected) in [
        ("1. e4 c5", verdict("B20", 2, false, "")),
        ("1. d4 f5 2. g3", verdict("A81", 3, false, "")),
        ("1. g3 f5 2. d4", verdict("A81", 3, true, "")),
        // The last named position wins, though the one before it has none.
        ("1. c4 d5 2. d4", verdict("D06", 3, true, "")),
        ("", verdict("", 0, false, "")),
        ("*", verdict("", 0, false, "")),
        // Damage ends the walk; what was known until then stands.
        ("1. e4 c5 2. Nf4 Nc6", verdict("B20", 2, false, "move 2. Nf4: illegal")),
        ("1. e4 c5 2. -- Nc6", verdict("B20", 2, false, "move 2. --: null move")),
        ("1. e4 c5 2. Sf3 Nc6", verdict("B20", 2, false, "move 2. Sf3: not a move")),
        ("1. e4 c5 {", verdict("B20", 2, false, "comment never closed")),
        ("1. e4 c5 (1... e5", verdict("B20", 2, false, "variation never closed")),
        ("1. e4 c5 1-0 2. Zz", verdict("B20", 2, false, "")),
        ("[White \"x\n\n1. e4 c5", verdict("B20", 2, false, "tag White: unterminated")),
        // Games with a start position of their own.
        (
            "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2\"]\n\n*",
            verdict("B20", 0, false, ""),
        ),
        (
            "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Nf3",
            verdict("B27", 1, true, ""),
        ),
        (
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 c5",
            verdict("B20", 2, false, ""),
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K2x w - - 0 1\"]\n\n1. Kd1",
            verdict(
                "",
                0,
                false,
                "FEN: field 1 (placement), column 20: found 'x', expected one of \
                 PNBRQKpnbrqk, a digit 1 to 8, or /",
            ),
        ),
        (
            "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... Nf3",
            verdict("B00", 0, false, "move 1... Nf3: illegal"),
        ),
        // Variants.
        ("[Variant \"Atomic\"]\n\n1. e4", verdict("", 0, false, "variant Atomic: not classified")),
        ("[Variant \"Chess960\"]\n", verdict("", 0, false, "variant Chess960: not classified")),
        ("[Variant \"From Position\"]\n\n1. e4 c5", verdict("B20", 2, false, "")),
        ("[Variant \"standard\"]\n\n1. e4 c5", verdict("B20", 2, false, "")),
    ] {
        assert_eq!(classify(game), expected, "for {game:?}");
    }
}

#[test]
fn a_variant_is_named_by_its_tag_or_else_by_rules_or_event() {
    for (tags, variant) in [
        ("[Variant \"normal\"]", None),
        ("[Variant \" Chess \"]", None),
        ("[Variant \"classical\"]", None),
        ("[Variant \"?\"]", None),
        ("[Variant \"-\"]", None),
        ("[Variant \"\"]", None),
        ("[Variant \"crazyhouse\"]", Some("crazyhouse")),
        ("[Event \"Rated Crazyhouse game\"]", Some("Crazyhouse")),
        ("[Event \"casual king of the hill game\"]", Some("king of the hill")),
        (
            "[Event \"Rated Three-check tournament https://lichess.org/tournament/x\"]",
            Some("Three-check"),
        ),
        ("[Event \"Casual Chess960 swiss https://lichess.org/swiss/x\"]", Some("Chess960")),
        ("[Event \"Rated Blitz game\"]", None),
        ("[Event \"Rated Atomic games of my club\"]", None),
        ("[Event \"Atomic City Open\"]", None),
        ("[Event \"Rated\"]", None),
        ("[Event \"Rated Horde game\"]\n[Variant \"Standard\"]", None),
        ("[Event \"Rated Horde game\"]\n[Variant \"Atomic\"]", Some("Atomic")),
        ("[Event \"Live Chess\"]\n[Rules \"chess960\"]", Some("chess960")),
        ("[Rules \"chess\"]", None),
        ("[Rules \"bughouse\"]\n[Event \"Rated Horde game\"]", Some("bughouse")),
    ] {
        let expected = variant.map_or_else(
            || verdict("B20", 2, false, ""),
            |name| verdict("", 0, false, &format!("variant {name}: not classified")),
        );
        let game = format!("{tags}\n\n1. e4 c5 *\n");
        assert_eq!(classify(&game), expected, "for {tags}");
        #[cfg(feature = "oracle")]
        {
            let reference = crate::classify::reference::Reference::new(Catalogue::builtin());
            let fast = Classifier::new(Catalogue::builtin());
            let game = crate::pgn::Game::from_bytes(game.as_bytes());
            assert_eq!(reference.verdict(game.bytes()), fast.classify(&game).verdict, "for {tags}");
        }
    }
}

#[test]
fn nothing_is_looked_for_beyond_ply_40() {
    let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(10);
    assert_eq!(classify(&format!("{dance} e4 c5 Zz")), verdict("A05", 38, true, ""));
    let shorter = "Nf3 Nf6 Ng1 Ng8 ".repeat(9);
    assert_eq!(
        classify(&format!("{shorter} e4 c5 Zz")),
        verdict("B20", 38, true, "move 20. Zz: not a move")
    );
}

#[test]
fn every_built_in_line_classifies_as_itself() {
    let catalogue = Catalogue::builtin();
    let classifier = Classifier::new(catalogue);
    for line in catalogue.lines() {
        let movetext = catalogue.movetext(line).unwrap();
        let verdict = classifier.classify_movetext(movetext.as_bytes());
        let named = verdict.named.unwrap();
        assert_eq!(named.opening(), &line.opening, "{}", line.location);
        assert_eq!(Some(named.ply()), catalogue.plies(line), "{}", line.location);
        assert!(!named.is_transposed(), "{}", line.location);
    }
}

#[test]
fn a_position_is_named_without_its_game() {
    let classifier = Classifier::new(Catalogue::builtin());
    let fen = b"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let named = classifier.classify_position(&read_fen(fen).unwrap()).unwrap();
    assert_eq!(named.opening().name(), "Sicilian Defense");
    assert_eq!(classifier.classify_position(&Chess::default()), None);
}

#[test]
fn moves_get_the_verdict_of_their_movetext() {
    let catalogue = Catalogue::builtin();
    for classifier in [Classifier::new(catalogue), Classifier::new(catalogue).exhaustive()] {
        for line in catalogue.lines() {
            let mut moves = catalogue.moves(line).unwrap();
            if moves.len() > 3 && line.position % 2 == 0 {
                moves.swap(0, 2);
            }
            let mut position = Chess::default();
            let mut movetext = String::new();
            moves.retain(|m| {
                let is_legal = position.is_legal(*m);
                if is_legal {
                    movetext.push_str(&format!("{} ", play_as_san(&mut position, *m)));
                }
                is_legal
            });
            let verdict = classifier.classify_moves(moves);
            assert_eq!(verdict, classifier.classify_movetext(movetext.as_bytes()), "{movetext}");
        }
    }
}

#[test]
fn an_illegal_move_ends_the_moves() {
    let classifier = Classifier::new(Catalogue::builtin());
    let e4 = read_move(&Chess::default(), b"e4").unwrap();
    let verdict = classifier.classify_moves([e4, e4]);
    assert_eq!(verdict.named.unwrap().opening().code(), "B00");
    assert_eq!(verdict.error.unwrap().to_string(), "move 1... e2e4: illegal");
    assert_eq!(classifier.classify_moves([]).named, None);
}
