//! The fast form against the plain one.

use proptest::prelude::*;

use super::*;
use crate::pgn::{CountedLine, MainLine};
use crate::{catalogue::Catalogue, chess::read_fen, classify::NamedAt};

/// The result of a walk: the last name, and the error.
type Outcome = (Option<NamedAt<'static>>, Result<(), GameError>);

/// The whole meaning, without the fast form.
fn play_plainly(walk: &mut Walk<'_>, line: &mut CountedLine<'_>) -> Result<(), GameError> {
    let mut main_line = line.rest.clone();
    let mut flow = walk.visit_start();
    while flow.is_continue() {
        flow = walk.play_next(&mut main_line)?;
    }
    Ok(())
}

fn outcomes(fen: Option<&str>, movetext: &[u8], extent: Extent) -> [Outcome; 2] {
    let start = fen.map(|fen| read_fen(fen.as_bytes()).unwrap());
    [play, play_plainly].map(|play| {
        let mut walk = Walk::new(Catalogue::builtin(), start.as_ref(), extent);
        let mut line = CountedLine::new(MainLine::from_movetext(movetext));
        let whole = line.clone().length();
        let played = play(&mut walk, &mut line);
        let text = String::from_utf8_lossy(movetext);
        assert_eq!(line.length(), whole, "{text:?} from the end of the walk");
        (walk.named, played)
    })
}

fn check(fen: Option<&str>, movetext: &[u8]) {
    for extent in [Extent::Decided, Extent::Exhaustive] {
        let [fast, plain] = outcomes(fen, movetext, extent);
        assert_eq!(fast, plain, "{extent:?} {fen:?} {:?}", String::from_utf8_lossy(movetext));
    }
}

const OFF_THE_LINES: &str = "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

#[test]
fn lines_of_the_catalogue_however_they_are_spelled() {
    let catalogue = Catalogue::builtin();
    for line in catalogue.lines().iter().step_by(7) {
        let movetext = catalogue.movetext(line).unwrap();
        for end in ["", " a6 h3 h6 a3", " Zz", " {", " (", " --", " *", " e2e4"] {
            check(None, format!("{movetext}{end}").as_bytes());
        }
        check(None, movetext.replace(' ', "!? $1 {x} ").as_bytes());
        check(None, movetext.replace('N', "N\0").as_bytes());
    }
    // A word that is read ahead with more than the move, and seems to go elsewhere.
    check(None, b"1. e4(d5 d4) c5");
}

/// Two blocks of moves and more are read off the lines, and the walk may end in any.
#[test]
fn lines_of_the_catalogue_that_are_followed_off_the_lines() {
    let catalogue = Catalogue::builtin();
    let movetexts = catalogue.lines().iter().filter_map(|line| catalogue.movetext(line));
    let mut count = 0;
    for movetext in movetexts {
        let Some(rest) = movetext.strip_prefix("1. e4 c5 2. Nf3 Nc6 ") else { continue };
        count += 1;
        let room = "x".repeat(80);
        for end in ["", " a6 h3 h6 a3", " Zz", " Kxe8", " e2e4"] {
            check(Some(OFF_THE_LINES), format!("{rest}{end} {{{room}}}").as_bytes());
        }
    }
    assert!(count > 50, "{count} lines");
}

/// All moves are read together, and most lead to a position with a name.
#[test]
fn the_last_of_several_names_off_the_lines_counts() {
    let moves = ["d4", "cxd4", "Nxd4", "Nf6", "Nc3", "d6", "Bg5", "e6", "Qd2", "Ng8"];
    let mut plies = Vec::new();
    for played in 0..=moves.len() {
        let movetext = format!("{} {{{}}}", moves[..played].join(" "), "x".repeat(100));
        check(Some(OFF_THE_LINES), movetext.as_bytes());
        let [(named, _), _] =
            outcomes(Some(OFF_THE_LINES), movetext.as_bytes(), Extent::Exhaustive);
        plies.push(named.map(|named| named.ply()));
    }
    plies.dedup();
    assert!(plies.is_sorted() && plies.len() > 5, "{plies:?}");
    assert_ne!(plies.last(), Some(&Some(moves.len())), "a position without a name comes last");
}

#[test]
fn games_that_are_longer_than_the_rule_looks() {
    let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(12);
    for plies in 33..48 {
        let moves: Vec<&str> = dance.split(' ').take(plies).collect();
        for end in ["", "e4 c5", "Zz", "{", "Nf3!", "Ngf3"] {
            check(None, format!("{} {end}", moves.join(" ")).as_bytes());
        }
    }
}

fn words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6", "Be2", "e5", "Nb3",
        "O-O", "c4", "g3", "f5", "Ng1", "Ng8", "g1f3", "Ngf3", "e2-e4", "e4!", "Nf3+", "{a}",
        "(d4 d5)", "$3", "1.", "2...", ";x\n", "\n% y\n", "--", "Zz", "1-0", "{", "(", "0-0", "\0",
        "Nf3Nf6",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words(words in prop::collection::vec(words(), 0..60)) {
        let movetext = words.join(" ");
        check(None, movetext.as_bytes());
        check(Some(OFF_THE_LINES), movetext.as_bytes());
    }

    #[test]
    fn mutated_lines(
        line in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
    ) {
        let catalogue = Catalogue::builtin();
        let line = &catalogue.lines()[line.index(catalogue.lines().len())];
        let mut movetext = catalogue.movetext(line).unwrap().into_bytes();
        for (index, byte) in edits {
            let index = index.index(movetext.len());
            movetext[index] = byte;
        }
        check(None, &movetext);
    }
}
