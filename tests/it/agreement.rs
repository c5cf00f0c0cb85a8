//! The fast classifier agrees with the reference: on generated, cut, transposed and damaged games.
//!
//! Damaged tags are left out: the reference does not detect them.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use eco::{
    catalogue::Catalogue,
    chess::{Chess, EnPassantMode, Position, PositionKey, San},
    classify::{Classifier, Variations, reference::Reference, replay_all},
    master::{Master, MasterInfo, MasterLine},
    pgn::{BlockOptions, Chunks, Game},
    simd::{Vectors, limit_vectors},
};
use proptest::prelude::*;

use crate::harness::{Facts, famous_games};

/// Held while the vectors are limited.
static LIMIT: Mutex<()> = Mutex::new(());

/// The verdicts of a game: the default one, and the exhaustive one.
#[derive(Debug, PartialEq)]
struct Both {
    default: Facts,
    exhaustive: Facts,
}

impl Both {
    fn slow([default, exhaustive]: &[Reference<'_>; 2], game: &[u8]) -> Self {
        let facts = |reference: &Reference<'_>| Facts::from(&reference.verdict(game));
        Self { default: facts(default), exhaustive: facts(exhaustive) }
    }

    /// With the vectors of any machine.
    fn fast(classifier: Classifier<'_>, game: &[u8]) -> Self {
        // The limit is that of the process.
        let one_at_a_time = LIMIT.lock().unwrap_or_else(PoisonError::into_inner);
        let vectors = [Vectors::Baseline, Vectors::Avx2, Vectors::Widest];
        let [baseline, others @ ..] = vectors.map(|vectors| {
            limit_vectors(vectors);
            Self::fast_with_limit(classifier, game)
        });
        drop(one_at_a_time);
        for other in others {
            assert_eq!(other, baseline, "other vectors");
        }
        baseline
    }

    fn fast_with_limit(classifier: Classifier<'_>, game: &[u8]) -> Self {
        let classify = |classifier: Classifier<'_>| {
            Facts::from(&classifier.classify(&Game::from_bytes(game)).verdict)
        };
        let default = classify(classifier);
        let exhaustive = classify(classifier.exhaustive());
        // Where a game is not played to its end, at most an error is missed.
        let error =
            if default.error.is_empty() { exhaustive.error.clone() } else { default.error.clone() };
        assert_eq!(Facts { error, ..default.clone() }, exhaustive);
        Self { default, exhaustive }
    }
}

fn references(catalogue: &Catalogue) -> [Reference<'_>; 2] {
    [Reference::new(catalogue), Reference::new(catalogue).exhaustive()]
}

fn reference(game: &[u8]) -> Both {
    static REFERENCES: std::sync::OnceLock<[Reference<'static>; 2]> = std::sync::OnceLock::new();
    Both::slow(REFERENCES.get_or_init(|| references(Catalogue::builtin())), game)
}

fn classify(game: &[u8]) -> Both {
    Both::fast(Classifier::new(Catalogue::builtin()), game)
}

/// A game: some moves of a line of the catalogue, in another order where that is possible, and
/// then any legal moves.
fn made_up_game(line: usize, kept: usize, swap: bool, choices: &[u16], spelling: u8) -> String {
    let catalogue = Catalogue::builtin();
    let lines = catalogue.lines();
    let mut moves = catalogue.moves(&lines[line % lines.len()]).unwrap();
    moves.truncate(kept);
    if swap && moves.len() > 3 {
        moves.swap(0, 2);
    }
    let mut position = Chess::default();
    let mut text = String::new();
    for m in moves {
        if !position.is_legal(m) {
            break;
        }
        push(&mut text, &mut position, m, spelling);
    }
    for choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[usize::from(*choice) % legal.len()];
        push(&mut text, &mut position, m, spelling);
    }
    text
}

fn push(text: &mut String, position: &mut Chess, m: eco::chess::Move, spelling: u8) {
    let san = match (San::from_move(position, m), spelling % 3) {
        // As much as possible, or too little.
        (San::Normal { role, capture, to, promotion, .. }, 1) => {
            let from = m.from().unwrap();
            let (file, rank) = (Some(from.file()), Some(from.rank()));
            San::Normal { role, file, rank, capture, to, promotion }
        }
        (San::Normal { role, to, promotion, .. }, 2) => {
            San::Normal { role, file: None, rank: None, capture: false, to, promotion }
        }
        (san, _) => san,
    };
    position.play_unchecked(m);
    text.push_str(&format!(" {san}"));
}

fn asides() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " ",
        "\n",
        "\r\n",
        "\n\n",
        " {a} ",
        " {[%clk 0:01:00]} ",
        "!",
        "??",
        " $6 ",
        " 1. ",
        " 12... ",
        " (1. d4 d5 (1... f5) 2. c4) ",
        " ; rest {\n",
        "\n% line (\n",
        " N ",
        " +- ",
        " -- ",
        " Zz ",
        " e4 ",
        " Ke7 ",
        " O-O ",
        " 1-0 ",
        " [%clk 0:01:00] ",
        "[5 e4 (]",
        "\n[%clk\n0:01:00] ",
        " +- \n[D] ",
        " +-\n[better d5]\n",
        " [, ",
        " ] ",
        " * ",
        " {\n\n[Event \"x\"]\n} ",
        " { ",
        " ( ",
        " ) ",
        " } ",
        " O-O-O ",
        " Nf3Nf6 ",
        "\0",
        " \0e4 ",
        " e4\0 ",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_legal_games_however_spelled(
        line in any::<usize>(),
        kept in 0_usize..40,
        swap in any::<bool>(),
        choices in prop::collection::vec(any::<u16>(), 0..45),
        spelling in any::<u8>(),
    ) {
        let game = made_up_game(line, kept, swap, &choices, spelling);
        prop_assert_eq!(classify(game.as_bytes()), reference(game.as_bytes()), "{}", game);
    }

    #[test]
    fn on_games_with_asides_and_damage(
        line in any::<usize>(),
        kept in 0_usize..20,
        at in prop::collection::vec((any::<prop::sample::Index>(), asides()), 0..6),
    ) {
        let mut words: Vec<String> = made_up_game(line, kept, false, &[], 0)
            .split(' ')
            .map(str::to_owned)
            .collect();
        for (index, aside) in at {
            let index = index.index(words.len());
            words[index].push_str(aside);
        }
        let game = words.join(" ");
        prop_assert_eq!(classify(game.as_bytes()), reference(game.as_bytes()), "{:?}", game);
    }

    /// No byte at any place makes the program fail or lose a byte of the input.
    #[test]
    fn mutated_files_are_read_to_their_end(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        block_size in prop::sample::select(vec![64_usize, 1024, 1 << 20]),
    ) {
        let mut pgn = famous_games();
        for (index, byte) in edits {
            let index = index.index(pgn.len());
            pgn[index] = byte;
        }
        let classifier = Classifier::new(Catalogue::builtin());
        let mut verdicts = Vec::new();
        let mut read = Vec::new();
        let options = BlockOptions { block_size, ..BlockOptions::default() };
        for block in Chunks::new(&pgn[..], options).blocks() {
            let block = block.unwrap();
            read.extend_from_slice(block.bytes());
            verdicts.extend(block.games().map(|game| format!("{:?}", classifier.classify(&game))));
        }
        prop_assert!(read == pgn);
        let whole: Vec<String> = Chunks::new(&pgn[..], BlockOptions::default()).blocks()
            .flat_map(|block| {
                let block = block.unwrap();
                block.games().map(|game| format!("{:?}", classifier.classify(&game))).collect::<Vec<_>>()
            })
            .collect();
        prop_assert_eq!(verdicts, whole);
    }
}

#[test]
fn on_every_line_of_the_catalogue() {
    let catalogue = Catalogue::builtin();
    for line in catalogue.lines() {
        let movetext = catalogue.movetext(line).unwrap();
        let both = reference(movetext.as_bytes());
        assert_eq!(classify(movetext.as_bytes()), both, "{movetext}");
        let verdict = both.default;
        assert_eq!(
            (verdict.eco.as_str(), verdict.name.as_str()),
            (line.opening.code(), line.opening.name())
        );
    }
}

#[test]
fn on_a_long_word_that_is_no_move() {
    let game = format!("1. f4 Nf6 2. d6{} Nc3 *", "\0x".repeat(40));
    assert_eq!(classify(game.as_bytes()), reference(game.as_bytes()));
}

/// A line may go beyond where games are looked at otherwise, and a game ends with it then.
#[test]
fn on_a_line_of_more_than_forty_plies() {
    let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(11);
    let builtin = Catalogue::builtin().to_masters().swap_remove(0);
    let lines = [format!("{dance} e4"), "e4 e5".to_owned()].map(|moves| MasterLine {
        movetext: Some(moves),
        key: None,
        ..builtin.lines[0].clone()
    });
    let (catalogue, faults) =
        Catalogue::from_masters([Master { info: builtin.info, lines: lines.into() }]);
    assert_eq!((faults.len(), catalogue.max_ply()), (0, 45));
    let slow = references(&catalogue);
    for end in ["", "e4", "e4 e5", "e4 Zz", "e3", "e2e4", "e2e4 e5", "e4 {", "Zz", "d4 d5"] {
        let game = format!("{dance}{end}");
        let fast = Both::fast(Classifier::new(&catalogue), game.as_bytes());
        assert_eq!(fast, Both::slow(&slow, game.as_bytes()), "{end}");
    }
}

/// Every third line of the built-in catalogue under other names, with its first and third move
/// changed over where that is possible, once more as it is, and once as a position without a line;
/// then the built-in catalogue itself.
fn several_masters() -> &'static Catalogue {
    static SEVERAL: std::sync::OnceLock<Catalogue> = std::sync::OnceLock::new();
    SEVERAL.get_or_init(|| {
        let builtin = Catalogue::builtin().to_masters().swap_remove(0);
        let mut lines = Vec::new();
        for line in builtin.lines.iter().step_by(3) {
            let words = words_of(line.movetext.as_ref().unwrap());
            let mut swapped = words.clone();
            if words.len() > 3 {
                swapped.swap(0, 2);
            }
            for (words, suffix) in [(swapped, "swapped"), (words, "again")] {
                let name = format!("{} {suffix}", line.name);
                let movetext = Some(words.join(" "));
                lines.push(MasterLine { name, movetext, key: None, ..line.clone() });
            }
        }
        for line in builtin.lines.iter().skip(1).step_by(3) {
            let name = format!("{} by position", line.name);
            lines.push(MasterLine { name, movetext: None, ..line.clone() });
        }
        let info = MasterInfo { name: "other".to_owned(), ..MasterInfo::default() };
        // Lines that cannot be played with two moves changed over are left out.
        let (catalogue, faults) =
            Catalogue::from_masters([Master { info, lines }, builtin.clone()]);
        assert!(catalogue.duplicates_of(0).count() > 300 && faults.len() < 1000);
        catalogue
    })
}

fn words_of(movetext: &str) -> Vec<String> {
    let words = movetext.split(' ').filter(|word| !word.ends_with('.'));
    words.map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_games_made_up_with_several_masters(
        line in any::<usize>(),
        kept in 0_usize..40,
        swap in any::<bool>(),
        choices in prop::collection::vec(any::<u16>(), 0..20),
    ) {
        static SLOW: std::sync::OnceLock<[Reference<'static>; 2]> = std::sync::OnceLock::new();
        let slow = SLOW.get_or_init(|| references(several_masters()));
        let game = made_up_game(line, kept, swap, &choices, 0);
        let fast = Both::fast(Classifier::new(several_masters()), game.as_bytes());
        prop_assert_eq!(fast, Both::slow(slow, game.as_bytes()), "{}", game);
    }

    #[test]
    fn on_games_from_any_position(
        start in prop::sample::select(STARTS.to_vec()),
        choices in prop::collection::vec(any::<u16>(), 0..45),
        spelling in any::<u8>(),
        damage in prop::sample::select(vec!["", " Ke1", " Zz", " --", " {", " e4"]),
    ) {
        let mut position = eco::chess::read_fen(start.as_bytes()).unwrap();
        let mut game = format!("[FEN \"{start}\"]\n\n");
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[usize::from(choice) % legal.len()];
            push(&mut game, &mut position, m, spelling);
        }
        game.push_str(damage);
        prop_assert_eq!(classify(game.as_bytes()), reference(game.as_bytes()), "{}", game);
    }

    /// Any bytes anywhere in the movetext, read token by token and played with all legal moves at
    /// hand, without reading ahead and without knowledge of lines. The reference reads some odd
    /// bytes differently.
    #[test]
    fn on_mutated_movetext(
        line in any::<usize>(),
        choices in prop::collection::vec(any::<u16>(), 0..30),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut game = made_up_game(line, 40, false, &choices, 0).into_bytes();
        for (index, byte) in edits {
            if !game.is_empty() {
                let index = index.index(game.len());
                game[index] = byte;
            }
        }
        let Facts { eco, ply, error, .. } = classify(&game).exhaustive;
        let shown = String::from_utf8_lossy(&game);
        prop_assert_eq!((eco, ply, error), token_by_token(&game), "{}", shown);
    }
}

/// Code, ply and error.
fn token_by_token(game: &[u8]) -> (String, usize, String) {
    let catalogue = Catalogue::builtin();
    let mut named = (String::new(), 0);
    let replayed = replay_all(&Game::from_bytes(game), Variations::Skipped, |step| {
        let (ply, position) = (step.ply, step.position);
        let key = PositionKey::from_position(position, EnPassantMode::Legal);
        if key.piece_count() < catalogue.min_pieces() {
            return ControlFlow::Break(());
        }
        if let Some(found) = catalogue.get(&key).filter(|_| ply > 0) {
            named = (found.opening.code().to_owned(), ply);
        }
        if ply == catalogue.max_ply() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (named.0, named.1, replayed.error.map(|error| error.to_string()).unwrap_or_default())
}

/// Positions from which some positions with a name can be reached, or none.
const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
    "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbq1rk1/pp2ppbp/2pp1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 1 7",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
];
