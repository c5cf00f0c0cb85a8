//! How long a main line is, and how it ends.

mod fast;

use super::{FirstMoves, MainLine, Token};
use crate::simd::{self, Kernel, Simd};

/// How long a main line is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Length<'a> {
    /// The number of words in the place of a move.
    pub(crate) plies: usize,
    /// The result that ends it, as written.
    pub(crate) result: Option<&'a [u8]>,
}

/// A main line of which some moves have been read.
#[derive(Debug, Clone)]
pub(crate) struct CountedLine<'a> {
    /// What is left of it.
    pub(crate) rest: MainLine<'a>,
    /// The number of moves that were read.
    pub(crate) plies: usize,
    /// The first moves, as far as they were read ahead.
    pub(crate) first: FirstMoves,
}

impl<'a> CountedLine<'a> {
    /// A line of which nothing has been read.
    #[inline]
    pub(crate) fn new(line: MainLine<'a>) -> Self {
        Self { rest: line, plies: 0, first: FirstMoves::NONE }
    }

    /// Goes on after moves that were read.
    #[inline]
    pub(crate) fn pass(&mut self, plies: usize, rest: MainLine<'a>) {
        self.plies += plies;
        self.rest = rest;
    }

    /// The length of the whole line.
    pub(crate) fn length(self) -> Length<'a> {
        let rest = self.rest.length();
        Length { plies: self.plies + rest.plies, ..rest }
    }
}

/// [`fast::length`] as a kernel.
#[derive(Clone)]
struct FastLength<'a>(&'a [u8]);

impl<'a> Kernel for FastLength<'a> {
    type Output = Option<(usize, Option<&'a [u8]>)>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        fast::length(simd, self.0)
    }
}

impl<'a> MainLine<'a> {
    /// The length of the rest of the line.
    pub(crate) fn length(self) -> Length<'a> {
        match simd::run(FastLength(self.rest)) {
            Some((plies, result)) => Length { plies, result },
            None => self.length_plainly(),
        }
    }

    // Out of line, so that the fast path saves no registers for it.
    #[inline(never)]
    fn length_plainly(mut self) -> Length<'a> {
        let mut length = Length::default();
        loop {
            match self.next() {
                Some(Token::Move(_)) => length.plies += 1,
                Some(Token::Result(result)) => return Length { result: Some(result), ..length },
                Some(Token::OpenComment | Token::OpenVariation) | None => return length,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simd::tests::run_with_all;

    /// The definition: the tokens, one by one.
    fn by_tokens(movetext: &[u8]) -> Length<'_> {
        let mut length = Length::default();
        for token in MainLine::from_movetext(movetext) {
            match token {
                Token::Move(_) => length.plies += 1,
                Token::Result(result) => length.result = Some(result),
                Token::OpenComment | Token::OpenVariation => {}
            }
        }
        length
    }

    fn is_right(movetext: &[u8]) {
        let line = MainLine::from_movetext(movetext);
        let expected = by_tokens(movetext);
        let text = String::from_utf8_lossy(movetext).into_owned();
        assert_eq!(line.clone().length_plainly(), expected, "{text:?}");
        assert_eq!(line.clone().length(), expected, "{text:?}");
        // All vectors give the same.
        run_with_all(&FastLength(movetext));
        // So it is from any move on.
        let mut counted = CountedLine::new(line);
        while let Some(Token::Move(_)) = counted.rest.next() {
            counted.plies += 1;
            assert_eq!(counted.clone().length(), expected, "{text:?}, {} read", counted.plies);
        }
    }

    #[test]
    fn ordinary_games_are_measured_on_the_fast_path() {
        for (movetext, plies, result) in [
            ("1. e4 e5 2. Nf3 Nc6 1-0\n\n", 4, Some("1-0")),
            ("1.e4 e5\r\n2.O-O O-O-O 10.exd8=Q+ R1xd8# 1/2-1/2", 6, Some("1/2-1/2")),
            ("1. e4\ne5 100. Qxf7# 0-1 and 1. d4", 3, Some("0-1")),
            ("1. e4 e5 *", 2, Some("*")),
            ("1. e4 { [%clk 0:01:00] } 1... e5 {a (b {c} 2. Nf3{x}Nc6 1-0", 4, Some("1-0")),
            ("1. e4 1-0 {no end", 1, Some("1-0")),
            ("1. e4 e5\n", 2, None),
            ("", 0, None),
        ] {
            let expected = (plies, result.map(str::as_bytes));
            assert_eq!(
                run_with_all(&FastLength(movetext.as_bytes())),
                Some(expected),
                "{movetext:?}"
            );
            is_right(movetext.as_bytes());
        }
    }

    const PARTS: [&str; 64] = [
        "1. e4 ",
        "e5 ",
        "2.Nf3 ",
        "Nc6\n",
        "\r\n",
        "\n",
        " ",
        "12. ",
        "12.",
        "12... ",
        "1e4 ",
        "O-O ",
        "0-0 ",
        "0-0-0 ",
        "exd8=Q+ ",
        "exd8=N ",
        "N ",
        "D ",
        "e ",
        "p ",
        "ep ",
        "ch ",
        "mate ",
        "e.p. ",
        "+- ",
        "= ",
        "N= ",
        "mate=",
        "Nf3=+ ",
        "-- ",
        "Z0 ",
        "1-0 ",
        "0-1 ",
        "1/2-1/2 ",
        "1/2 ",
        "* ",
        "½-½ ",
        "{a e4 } ",
        "{[%clk 0:03:00]}",
        "{ a comment of more than sixty-four bytes, with 1. e4 (e5) and { and a number: 12345 }",
        "{}",
        "{",
        "}",
        "(e4 ",
        ") ",
        "; e4\n",
        "% e4\n",
        "$14 ",
        "e4! ",
        "e4!? ",
        "♘f3 ",
        "1234e4 ",
        "1000. e4 ",
        "2. N f3 ",
        "\t",
        "e4\u{0}e5 ",
        "e4(e5 ",
        "d4!d5 ",
        "c4{x}c5 ",
        "[%clk 0:01:00] ",
        "c4[x] ",
        "c4[c5",
        "[",
        "] ",
    ];

    /// Moves with comments.
    const COMMENTED: [&str; 15] = [
        "e4 { [%eval 0.17] [%clk 0:03:00] } 1... ",
        "Nbxd7+ {[%clk 0:03:00]} 12. ",
        "O-O {} 7... ",
        "O-O-O+ {x} ",
        "exd8=Q {x}\n8. ",
        "Qxf7# {}\n",
        "e4! {x} 1... ",
        "e4 {{} 99. ",
        "e4 { a comment of more than sixty-four bytes, with 1. e4 (e5) and some more text in it } e5 ",
        "N {x} f3 ",
        "Nb1xd2xx {x} 100. ",
        "c5  {x}  ",
        "e4[b5 {x} 1... ",
        "[5]7 {x} 12. ",
        "e4 [%clk 0:01:00] {x} 1... ",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_fast_path_measures_what_the_plain_one_does(
            parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..40),
        ) {
            is_right(parts.concat().as_bytes());
        }

        #[test]
        fn moves_with_comments_are_measured_as_well(
            parts in prop::collection::vec((0..COMMENTED.len(), 0..10_u8), 0..60),
            others in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..10),
        ) {
            let commented = parts.iter().map(|(at, odd)| match (odd, others.get(*at)) {
                // Here and there what is no move with a comment.
                (0, Some(other)) => *other,
                _ => COMMENTED[*at],
            });
            is_right((commented.collect::<String>() + &others.concat()).as_bytes());
        }

        #[test]
        fn moves_across_blocks_are_counted_once(
            parts in prop::collection::vec(prop::sample::select(&PARTS[..10]), 0..80),
            end in prop::sample::select(&PARTS[..]),
        ) {
            is_right((parts.concat() + end).as_bytes());
        }
    }
}
