//! Games made up of legal moves, asides and damage: the classifier agrees with the obvious one,
//! which reads with `pgn-reader` and plays with lists of legal moves.

use std::sync::OnceLock;

use super::{Choices, Facts, play, verdicts};
use eco::{
    catalogue::Catalogue,
    chess::{Chess, Move, San, read_fen},
    classify::{Classifier, reference::Reference},
    pgn::Game,
};

/// Where games begin; the initial position more often than others.
const STARTS: [&str; 8] = [
    "",
    "",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
    "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbq1rk1/pp2ppbp/2pp1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 1 7",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
];

/// What stands between moves, and what stands there by mistake.
const ASIDES: [&str; 40] = [
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
    " 0-0 ",
    " 1-0 ",
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
    " ♘ f3 ",
    " 2. N f3 ",
    " ⩲ ",
    " D ",
    " e.p. ",
    " e8=Q ",
];

pub fn check_bytes(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let fen = *choices.of(&STARTS);
    let mut position = read_fen(fen.as_bytes()).unwrap_or_default();
    let mut game = if fen.is_empty() { String::new() } else { format!("[FEN \"{fen}\"]\n\n") };
    let (mut moves, mut is_plain) = (Vec::new(), fen.is_empty());
    while let Some(kind) = choices.try_next() {
        if kind >= 192 {
            is_plain = false;
            game.push_str(ASIDES[usize::from(kind - 192) % ASIDES.len()]);
            continue;
        }
        let Some(m) = choices.next_move(&position) else { break };
        moves.push(m);
        // Where too little is written, another move may be meant.
        is_plain &= kind % 4 != 2;
        game.push_str(&spelled(&mut position, m, kind));
    }
    check(&game);
    if is_plain {
        let classifier = Classifier::new(Catalogue::builtin());
        let by_moves = Facts::of(&classifier.classify_moves(moves));
        assert_eq!(by_moves, Facts::of(&classifier.classify_movetext(game.as_bytes())), "{game}");
    }
}

/// A move as it should be written, with more than is needed, or with less.
fn spelled(position: &mut Chess, m: Move, kind: u8) -> String {
    let san = match (San::from_move(position, m), kind % 4) {
        (San::Normal { role, capture, to, promotion, .. }, 1) => {
            let from = m.from().expect("pieces are not dropped");
            let (file, rank) = (Some(from.file()), Some(from.rank()));
            San::Normal { role, file, rank, capture, to, promotion }
        }
        (San::Normal { role, to, promotion, .. }, 2) => {
            San::Normal { role, file: None, rank: None, capture: false, to, promotion }
        }
        (san, _) => san,
    };
    let full = play(position, m);
    if kind.is_multiple_of(4) { format!(" {full}") } else { format!(" {san}") }
}

fn check(game: &str) {
    static REFERENCES: OnceLock<[Reference<'static>; 2]> = OnceLock::new();
    let references = REFERENCES.get_or_init(|| {
        let reference = || Reference::new(Catalogue::builtin());
        [reference(), reference().exhaustive()]
    });
    let expected = references.each_ref().map(|slow| Facts::of(&slow.verdict(game.as_bytes())));
    let mut found = verdicts(Catalogue::builtin(), &Game::from_bytes(game.as_bytes()));
    for facts in &mut found {
        // `pgn-reader` does not say how castling and pieces were written.
        for (written, meant) in [("0-0-0", "O-O-O"), ("0-0", "O-O"), ("♘", "N"), ("N f3", "Nf3")]
        {
            facts.error = facts.error.replace(written, meant);
        }
    }
    assert_eq!(found, expected, "{game:?}");
}
