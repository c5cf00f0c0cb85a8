//! The fast readers of a main line against the plain one.

use proptest::prelude::*;

use super::*;
use crate::simd::{Kernel, Vectors, run_with};

fn words(movetext: &str) -> Vec<String> {
    MainLine::from_movetext(movetext.as_bytes())
        .map(|token| match token {
            Token::Move(word) => String::from_utf8_lossy(word).into_owned(),
            Token::Result(result) => format!("={}", String::from_utf8_lossy(result)),
            Token::OpenComment => "{".to_owned(),
            Token::OpenVariation => "(".to_owned(),
        })
        .collect()
}

#[test]
fn the_main_line_is_what_remains() {
    for (movetext, expected) in [
        ("", &[][..]),
        ("1. e4 e5 2.Nf3 Nc6", &["e4", "e5", "Nf3", "Nc6"]),
        ("1.e4!? e5?? 2... $14 Nc6 $1$2 Bb5", &["e4", "e5", "Nc6", "Bb5"]),
        ("1. e4 {a (b ; c} e5 ; 2. Nf3 {\n2. Bc4", &["e4", "e5", "Bc4"]),
        ("1. e4 (1. d4 d5 (1... Nf6 {)} 2. c4) 2. c4) e5", &["e4", "e5"]),
        ("1. e4 (1. d4 ; )\n% )\n) e5 ) Nf3", &["e4", "e5", "Nf3"]),
        ("% 1. d4\n1. e4\n% 1... c5\ne5", &["e4", "e5"]),
        ("1. e4 % e5", &["e4", "e5"]),
        ("1. e4\n\n\n1... e5\r\n\r\n2. Nf3", &["e4", "e5", "Nf3"]),
        ("0-0 0-0-0 O-O 1-0", &["0-0", "0-0-0", "O-O", "=1-0"]),
        ("1. e4 1/2-1/2 and so on", &["e4", "=1/2-1/2"]),
        ("e4 * e5", &["e4", "=*"]),
        ("e4 ½-½", &["e4", "=½-½"]),
        ("e4 1–0", &["e4", "=1–0"]),
        ("1e4 1-00 e5", &["e4", "-00", "e5"]),
        ("e4 N e5 +- = +/= -+ ∞ Nf3 D", &["e4", "e5", "Nf3"]),
        ("5. exd6 e.p. c5 6. exd6e.p. Kb1 bxc3ep", &["exd6", "c5", "exd6", "Kb1", "bxc3"]),
        ("1. Qh5 ch, N= Nf6=, D,, mate= 2. Ke2 eep --ep", &["Qh5", "Nf6", "Ke2"]),
        ("1. e4 -- 2. Z0 @@@@", &["e4", "--", "Z0", "@@@@"]),
        ("1. e4 (1. d4 ; x\n% (\n) e5", &["e4", "e5"]),
        ("1. e4\n\u{feff}e5", &["e4", "e5"]),
        ("1. e4, e5= 1/2", &["e4", "e5", "=1/2"]),
        ("1. e4 Sf6 foo", &["e4", "Sf6", "foo"]),
        ("1. e4 e5 2. ♘ f3 ♞\t c6", &["e4", "e5", "♘ f3", "♞\t c6"]),
        ("1. ♘f3 ♘\u{fe0e} f6+! ♗ ♘ . ♕ xd5", &["♘f3", "♘\u{fe0e} f6+", "♗", "♘", "♕ xd5"]),
        ("1. ♘fd2 h5 ♔xc4 h6", &["♘fd2", "h5", "♔xc4", "h6"]),
        ("2. N f3 3... N xd4 4. D d5", &["N f3", "N xd4", "D d5"]),
        ("2. N 3. N\nf3 e4 N c5 2.N", &["f3", "e4", "c5"]),
        ("e4 日本 e5 О-О о-о", &["e4", "日本", "e5", "О-О", "о-о"]),
        ("e4 ⩲ △ ½ ∓ \u{a0} e5 Âé", &["e4", "e5", "Âé"]),
        ("1. e4 [%clk 0:01:00] c5 [%eval 0.2] 2. Nf3 *", &["e4", "c5", "Nf3", "=*"]),
        ("1. e4[%clk 0:01:00]c5! [e5 (] 2. Nf3[]1-0 d4", &["e4", "c5", "Nf3", "=1-0"]),
        ("1. e4 [%clk\n0:01:00] c5\n[%clk 0:01:00]\n\n2. Nf3", &["e4", "c5", "Nf3"]),
        ("[%clk 0:01:00] 1. e4 (1. d4 [)] d5 [x {]}) e5", &["e4", "e5"]),
        // One that is not closed hides nothing.
        ("1. e4 [%clk 0:01:00 c5 2. Nf3", &["e4", "%clk", ":01:00", "c5", "Nf3"]),
        ("1. e4 [c5 [x] [ 2. Nf3 [{]} Nc6 [", &["e4", "c5", "Nf3", "Nc6"]),
        ("1. e4 {no end e5", &["e4", "{"]),
        ("1. e4 (1. d4 e5", &["e4", "("]),
        ("1. e4 (1. d4 {no end) e5", &["e4", "{"]),
    ] {
        assert_eq!(words(movetext), expected, "for {movetext:?}");
    }
}

#[test]
fn variations_nested_without_end_take_no_stack() {
    let movetext = format!("1. e4 {} e5", "(".repeat(100_000));
    assert_eq!(words(&movetext), ["e4", "("]);
    let movetext = format!("1. e4 {}{} e5", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(words(&movetext), ["e4", "e5"]);
}

/// [`MainLine::peek_moves`] as a kernel, or [`MainLine::peek_again`].
struct Peek<'l, 'a, 'b, const AGAIN: bool> {
    line: &'l MainLine<'a>,
    buffer: &'b mut MoveBuffer,
    count: usize,
}

impl<'b, const AGAIN: bool> Kernel for Peek<'_, '_, 'b, AGAIN> {
    type Output = (&'b [PackedSan], usize);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { line, buffer, count } = self;
        if AGAIN {
            line.peek_again(simd, buffer, count)
        } else {
            line.peek_moves(simd, buffer, count)
        }
    }
}

/// What stands between moves, simple and not, and words with what ends them.
const FRAGMENTS: [&str; 41] = [
    "[%clk 0:01:00] ",
    "[e5 ",
    "] ",
    "\r",
    "05. ",
    "c4 ",
    "Nc6 ",
    " ",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    ".",
    "1.",
    "9. ",
    "12.",
    "34. ",
    "5...",
    "123. ",
    "{x}",
    "{",
    "(e5) ",
    "% ",
    "\n%\n",
    "$1 ",
    "N ",
    "e4 ",
    "d5\n",
    "Nf3 ",
    "Nbd2+ ",
    "O-O ",
    "exd5\r\n",
    "Zz ",
    "e8=Q ",
    "e4! ",
    "\u{feff}",
    "\n\u{feff}",
    "♘ f3 ",
    "♘",
    "2. N f3 ",
    "О-О ",
];

fn fragments() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(FRAGMENTS.to_vec()), 0..40)
        .prop_map(|fragments| fragments.concat())
}

/// Moves with a comment before each, and here and there something else.
fn commented_moves() -> impl Strategy<Value = String> {
    let gaps = ["", " 1... ", " 12. ", " 12... ", " ", "\n", " 5.", "  "];
    let moves = [
        "e4", "Nbd2+", "Qa1xb2", "O-O", "O-O-O+", "exd8=Q", "Qxf7#", "Nf3++", "e4!", "N", "f3",
        "N f3", "exd6e.p.", "1-0", "@5", "é5", "½5", "♘f3", "d5(c5)", "Nb1xd2xx", "", "d5[c5]",
        "[5", "[5]7",
    ];
    let comments = [
        " {x}",
        " { [%eval 0.17] [%clk 0:03:00] }",
        " {a {b}",
        "{x}",
        " {\n}",
        " {x}}",
        " {",
        " { a comment of more than sixty-four bytes, with 1. e4 (e5) and more text in it }",
    ];
    let one_of = |of: &[&'static str]| prop::sample::select(of.to_vec());
    // Most are as programs write them.
    let gap = prop_oneof![4 => one_of(&[" 7... ", " 8. "]), 1 => one_of(&gaps)];
    let played = prop_oneof![
        8 => one_of(&["Nf3", "e5", "Rfe8", "Bb5+"]),
        1 => one_of(&moves),
    ];
    let comment = prop_oneof![
        8 => one_of(&[" { [%clk 0:01:00] }", " {[%eval -0.3] [%clk 1:00:00]}"]),
        1 => one_of(&comments),
    ];
    let one =
        (comment, gap, played).prop_map(|(comment, gap, played)| [comment, gap, played].concat());
    prop::collection::vec(one, 0..20)
        .prop_map(|moves| moves.concat() + " {the end of the game, and some more}")
}

#[test]
fn commented_moves_are_found_together() {
    let movetext = " { [%clk 0:01:00] } 1... e5 { [%clk 0:01:00] } 2. Nf3 { x } 2... O-O { x } 3. Bb5+ \
        { x } 3... exd8=Q { a comment after a move that is not packed }";
    let line = MainLine::new(movetext.as_bytes(), false);
    for vectors in Vectors::ALL {
        let mut buffer = MoveBuffer::new();
        let peek = Peek::<false> { line: &line, buffer: &mut buffer, count: MoveBuffer::CAPACITY };
        let (moves, taken) = run_with(vectors, peek);
        assert_eq!(moves, ["e5", "Nf3", "O-O", "Bb5"].map(|san| PackedSan::new(san.as_bytes())));
        assert!(line.after(taken).rest.starts_with(b" { x } 3... exd8=Q"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_fast_path_reads_what_the_plain_one_reads(movetext in fragments(), is_line_start: bool) {
        let mut line = MainLine::new(movetext.as_bytes(), is_line_start);
        let mut plain = line.clone();
        loop {
            let expected = plain.next_plainly();
            prop_assert_eq!(line.next(), expected, "{:?}", movetext);
            if expected.is_none() {
                break;
            }
        }
    }

    #[test]
    fn peeked_moves_are_those_that_come(
        movetext in prop_oneof![fragments(), commented_moves()],
        count in 0..=MoveBuffer::CAPACITY,
        is_line_start: bool,
    ) {
        let line = MainLine::new(movetext.as_bytes(), is_line_start);
        for vectors in Vectors::ALL {
            let mut buffer = MoveBuffer::new();
            let peek = Peek::<false> { line: &line, buffer: &mut buffer, count };
            let (moves, taken) = run_with(vectors, peek);
            for fewer in 0..moves.len() {
                let mut buffer = MoveBuffer::new();
                let again = Peek::<true> { line: &line, buffer: &mut buffer, count: fewer };
                let (first, taken) = run_with(vectors, again);
                prop_assert_eq!(first, &moves[..fewer], "{:?}", movetext);
                let mut one_by_one = line.clone();
                one_by_one.by_ref().take(fewer).for_each(drop);
                prop_assert!(line.after(taken).eq(one_by_one), "{:?}", movetext);
            }
            let mut one_by_one = line.clone();
            for packed in moves {
                let Some(Token::Move(written)) = one_by_one.next() else { panic!("{movetext:?}") };
                prop_assert_eq!(*packed, PackedSan::new(written), "{:?}", movetext);
            }
            prop_assert!(line.after(taken).eq(one_by_one), "{:?}", movetext);
        }
    }
}
