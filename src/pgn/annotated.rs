//! Movetext with its variations, comments and NAGs.
//!
//! Every byte is read as [`MainLine`] reads it, by the same functions. So outside of variations,
//! the moves, the result and the faults are those of the main line. Annotations are found in what a
//! main line skips. A sign that a main line leaves on a word (`Nf3±`) stays there.
//!
//! Variations are not collected: their brackets are items, so that nesting takes neither stack nor
//! memory. A variation replaces the last move before its bracket at the same depth.
//!
//! `pgn-reader` reads all of this too, but not without loss: the tests at the end show what it
//! skips.
//!
//! The signs for numeric annotation glyphs (NAGs) are in one table, for reading and for writing.

use std::borrow::Cow;

use memchr::memchr;

use super::{BYTE_ORDER_MARK, MainLine, Token};
use crate::subslice::range_in;

/// An element of a movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item<'a> {
    /// A word where a move is expected. It need not be a move.
    Move(&'a [u8]),
    /// A numeric annotation glyph, such as 1 for `$1` or `!`. Glyphs above 255 are skipped.
    Nag(u8),
    /// The text between braces, or from a `;` to the end of its line.
    Comment(&'a [u8]),
    /// A variation begins. Its [`Item::Close`] follows, or a fault.
    Open,
    /// The innermost variation ends.
    Close,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`. Outside of variations nothing follows it. Inside of one it
    /// ends nothing.
    Result(&'a [u8]),
    /// The game ends in a comment. Nothing follows.
    OpenComment,
    /// The game ends in a variation. Nothing follows.
    OpenVariation,
}

/// The items of a movetext, in order.
///
/// ```
/// use eco::pgn::{Item, Movetext};
///
/// let items: Vec<_> = Movetext::from_bytes(b"1. e4! (1. d4 {or so}) e5 *").collect();
/// assert_eq!(
///     items,
///     [
///         Item::Move(b"e4"),
///         Item::Nag(1),
///         Item::Open,
///         Item::Move(b"d4"),
///         Item::Comment(b"or so"),
///         Item::Close,
///         Item::Move(b"e5"),
///         Item::Result(b"*"),
///     ]
/// );
/// ```
#[derive(Debug, Clone)]
pub struct Movetext<'a> {
    /// What is not read yet, as a main line reads it.
    line: MainLine<'a>,
    /// The number of open variations.
    depth: usize,
    /// The NAG of a sign at the end of the last move.
    nag: Option<u8>,
}

impl<'a> Movetext<'a> {
    pub(super) fn new(line: MainLine<'a>) -> Self {
        Self { line, depth: 0, nag: None }
    }

    /// The movetext that `bytes` hold, without tags.
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self::new(MainLine::from_movetext(bytes))
    }

    /// The fault at the end of the game, if a variation is open.
    fn end(&mut self) -> Option<Item<'a>> {
        let is_open = std::mem::take(&mut self.depth) > 0;
        is_open.then_some(Item::OpenVariation)
    }

    /// Skips what has a meaning only at the start of a line. Returns whether it skipped anything.
    fn skip_line_start(&mut self, byte: u8) -> bool {
        if !std::mem::take(&mut self.line.is_line_start) {
            return false;
        }
        if byte == b'%' {
            self.line.skip_line();
            return true;
        }
        let is_mark = self.line.rest.starts_with(BYTE_ORDER_MARK);
        if is_mark {
            self.line.pass(BYTE_ORDER_MARK.len());
            // Inside of a variation, a main line reads a `%` after the mark as text.
            self.line.is_line_start = self.depth == 0;
        }
        is_mark
    }

    fn read_comment(&mut self) -> Item<'a> {
        let text = &self.line.rest[1..];
        if self.line.skip_past(b'}') {
            Item::Comment(&text[..text.len() - self.line.rest.len() - 1])
        } else {
            self.depth = 0;
            Item::OpenComment
        }
    }

    fn read_line_comment(&mut self) -> Item<'a> {
        let text = &self.line.rest[1..];
        let text = &text[..memchr(b'\n', text).unwrap_or(text.len())];
        self.line.skip_line();
        Item::Comment(text.strip_suffix(b"\r").unwrap_or(text))
    }

    fn open(&mut self) -> Item<'a> {
        self.line.pass(1);
        self.depth += 1;
        Item::Open
    }

    /// Skips a bracket that closes nothing.
    fn close(&mut self) -> Option<Item<'a>> {
        self.line.pass(1);
        self.depth = self.depth.checked_sub(1)?;
        Some(Item::Close)
    }

    fn read_mark(&mut self) -> Option<Item<'a>> {
        let rest = self.line.rest;
        let len = rest.iter().take_while(|b| matches!(b, b'!' | b'?')).count();
        self.line.pass(len);
        // Of more than two, the first two count.
        nag_of(&rest[..len.min(2)]).map(Item::Nag)
    }

    /// A move, a result, or the annotation in what a main line skips.
    fn read_word(&mut self, byte: u8) -> Option<Item<'a>> {
        let before = self.line.rest;
        let token = self.line.read_token(byte);
        let taken = before.len() - self.line.rest.len();
        let skipped = &before[..taken];
        match token {
            Some(Token::Move(word)) => {
                self.nag = glued_sign(word, &before[range_in(word, before).end..taken]);
                Some(Item::Move(word))
            }
            Some(Token::Result(result)) => {
                if self.depth > 0 {
                    self.line.rest = &before[result.len()..];
                }
                Some(Item::Result(result))
            }
            _ => nag(skipped).map(Item::Nag),
        }
    }
}

impl<'a> Iterator for Movetext<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        if let Some(nag) = self.nag.take() {
            return Some(Item::Nag(nag));
        }
        loop {
            let Some(&byte) = self.line.rest.first() else { return self.end() };
            if self.skip_line_start(byte) {
                continue;
            }
            let item = match byte {
                b'\n' => {
                    self.line.skip_line();
                    None
                }
                b'{' => Some(self.read_comment()),
                b';' => Some(self.read_line_comment()),
                b'(' => Some(self.open()),
                b')' => self.close(),
                b'!' | b'?' => self.read_mark(),
                _ => self.read_word(byte),
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

/// The NAG of a word that is not a move.
fn nag(word: &[u8]) -> Option<u8> {
    match word {
        [b'$', number @ ..] => std::str::from_utf8(number).ok()?.parse().ok(),
        _ => nag_of(word),
    }
}

/// The NAG of what a main line takes off the end of a move. `Nf3+=` has the sign `+=`: a check with
/// the sign `=` is written with a blank between them.
fn glued_sign(word: &[u8], taken: &[u8]) -> Option<u8> {
    match (word, taken) {
        ([.., b'+'], b"=") => nag(b"+="),
        (_, b"=") => nag(taken),
        _ => None,
    }
}

/// Signs and their numbers: those of the PGN standard, and those of ChessBase and lichess. The
/// standard has no numbers for a novelty (146) and a diagram (220). Of several signs for a number,
/// the first is written: `+=` because few fonts have `⩲`.
const SIGNS: [(&str, u8); 35] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("⨀", 22),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("=∞", 44),
    ("⇆", 132),
    ("N", 146),
    ("D", 220),
];

/// The numbers for White where the standard has the next number for Black, and people write one
/// sign for both: zugzwang, development, initiative, attack, compensation, counterplay.
const OF_EITHER_SIDE: [u8; 6] = [22, 32, 36, 40, 44, 132];

/// The number of a sign. A sign for either side is read as White's.
pub(super) fn nag_of(sign: &[u8]) -> Option<u8> {
    SIGNS.iter().find(|(known, _)| known.as_bytes() == sign).map(|(_, nag)| *nag)
}

/// A numeric annotation glyph as a sign, or as `$99` if there is no sign for it.
///
/// ```
/// use eco::pgn::nag_glyph;
///
/// assert_eq!(nag_glyph(5), "!?");
/// assert_eq!(nag_glyph(99), "$99");
/// ```
pub fn nag_glyph(nag: u8) -> Cow<'static, str> {
    let white = nag.checked_sub(1).filter(|white| OF_EITHER_SIDE.contains(white)).unwrap_or(nag);
    let found = SIGNS.iter().find(|(_, number)| *number == white);
    found.map_or_else(|| format!("${nag}").into(), |(sign, _)| (*sign).into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::{Game, Item, Movetext, Tags};

    fn item_text(item: Item<'_>) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match item {
            Item::Move(word) => text(word),
            Item::Nag(nag) => format!("${nag}"),
            Item::Comment(comment) => format!("{{{}}}", text(comment)),
            Item::Open => "(".to_owned(),
            Item::Close => ")".to_owned(),
            Item::Result(result) => format!("={}", text(result)),
            Item::OpenComment => "{ open".to_owned(),
            Item::OpenVariation => "( open".to_owned(),
        }
    }

    fn items(movetext: &str) -> Vec<String> {
        Movetext::from_bytes(movetext.as_bytes()).map(item_text).collect()
    }

    #[test]
    fn every_item_of_a_movetext_is_read() {
        for (movetext, expected) in [
            ("", &[][..]),
            ("1. e4 e5 2.Nf3 Nc6 *", &["e4", "e5", "Nf3", "Nc6", "=*"]),
            (
                "{a} 1. e4 {b; c} e5 ; d {e}\r\n2. d4",
                &["{a}", "e4", "{b; c}", "e5", "{ d {e}}", "d4"],
            ),
            ("1. e4 (1. d4 (1. c4) d5) e5", &["e4", "(", "d4", "(", "c4", ")", "d5", ")", "e5"]),
            (
                "1. e4 (1. d4 *) (1. c4 1-0) e5 1-0 d4",
                &["e4", "(", "d4", "=*", ")", "(", "c4", "=1-0", ")", "e5", "=1-0"],
            ),
            ("e4 ) e5", &["e4", "e5"]),
            ("e4 (d4\n% )\n; )\n)", &["e4", "(", "d4", "{ )}", ")"]),
            (
                "e4 (\u{feff}d4\n\u{feff}d5) \n\u{feff}% e5\nd4",
                &["e4", "(", "\u{feff}d4", "d5", ")", "d4"],
            ),
            ("e4 {no end", &["e4", "{ open"]),
            ("e4 (d4 (c4", &["e4", "(", "d4", "(", "c4", "( open"]),
            ("e4 (d4 {no end)", &["e4", "(", "d4", "{ open"]),
            ("e4 {} ;\nd4", &["e4", "{}", "{}", "d4"]),
            ("e4[%clk 1]! (d4 [)] {b}) [$1] e5", &["e4", "$1", "(", "d4", "{b}", ")", "e5"]),
        ] {
            assert_eq!(items(movetext), expected, "for {movetext:?}");
        }
    }

    #[test]
    fn annotations_of_every_kind_are_nags() {
        for (movetext, expected) in [
            (
                "e4! e5? d4!! d5?? c4!? c5?! a4!!! a5!?!",
                "e4 $1 e5 $2 d4 $3 d5 $4 c4 $5 c5 $6 a4 $3 a5 $5",
            ),
            ("e4 ! $14 e5 $1$2 d4 $255 $256 $ $0", "e4 $1 $14 e5 $1 $2 d4 $255 $0"),
            (
                "e4 = += =+ ± ∓ +- -+ +/- -/+ ∞ N D",
                "e4 $10 $14 $15 $16 $17 $18 $19 $16 $17 $13 $146 $220",
            ),
            ("e4 +/= =/+ ⩲ ⩱ □ (d4 ±)", "e4 $14 $15 $14 $15 $7 ( d4 $16 )"),
            ("e4= e5!= d4+= d5!± c4!N", "e4 $10 e5 $1 $10 d4+ $14 d5 $1 $16 c4 $1 $146"),
            ("exd6 e.p. exd6e.p. exd6ep Kb1, Qh5 ch Qf7 mate", "exd6 exd6 exd6 Kb1 Qh5 Qf7"),
            ("-- 2. Z0 e8=Q e8=Q= Nf3±", "-- Z0 e8=Q e8=Q $10 Nf3±"),
        ] {
            assert_eq!(items(movetext).join(" "), expected, "for {movetext:?}");
        }
    }

    #[test]
    fn variations_nested_without_end_take_no_stack() {
        let count = |movetext: &str| Movetext::from_bytes(movetext.as_bytes()).count();
        let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(count(&format!("1. e4 {open}")), 100_002);
        assert_eq!(count(&format!("1. e4 {open}{close} e5")), 200_002);
    }

    /// The main line, made from the items.
    fn main_line(movetext: Movetext<'_>) -> Vec<Token<'_>> {
        let mut depth = 0;
        let mut tokens = Vec::new();
        for item in movetext {
            match item {
                Item::Open => depth += 1,
                Item::Close => depth -= 1,
                Item::OpenComment => tokens.push(Token::OpenComment),
                Item::OpenVariation => tokens.push(Token::OpenVariation),
                Item::Move(word) if depth == 0 => tokens.push(Token::Move(word)),
                Item::Result(result) if depth == 0 => tokens.push(Token::Result(result)),
                _ => {}
            }
        }
        tokens
    }

    fn assert_is_main_line(bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let expected: Vec<_> = MainLine::from_movetext(bytes).collect();
        assert_eq!(main_line(Movetext::from_bytes(bytes)), expected, "for {text:?}");
        let tags = Game::from_bytes(bytes).tags();
        let expected: Vec<_> = tags.clone().into_main_line().collect();
        assert_eq!(main_line(tags.into_movetext()), expected, "for the game {text:?}");
    }

    #[test]
    fn comments_after_the_tags_are_in_the_movetext() {
        for (game, expected) in [
            ("{a} 1. e4", "{a} e4"),
            ("[A \"1\"]\n{a}\n\n{b} ;c\n% d\n1. e4", "{a} {b} {c} e4"),
            ("[A \"1\"] {a} [B \"2\"] {b} [C] ; c\n {d} 1. e4", "{ c} {d} e4"),
            ("[A \"1\n{a}\n\n{b}\n1. e4", "e4"),
            ("[A \"1\"]\n\n{a", "{ open"),
        ] {
            let mut tags = Game::from_bytes(game.as_bytes()).tags();
            let items =
                |tags: Tags<'_>| tags.into_movetext().map(item_text).collect::<Vec<_>>().join(" ");
            assert_eq!(items(tags.clone()), expected, "for {game:?}");
            tags.by_ref().for_each(drop);
            assert_eq!(items(tags), expected, "for {game:?} with its tags read");
        }
    }

    const FRAGMENTS: [&str; 46] = [
        " ",
        "\n",
        "\r\n",
        "(",
        ")",
        "{",
        "}",
        ";",
        "%",
        "\u{feff}",
        "$",
        "$14",
        "!",
        "?",
        "=",
        "+-",
        "±",
        "½-½",
        "1-0",
        "1/2",
        "*",
        "12.",
        "3",
        "0-0",
        "0",
        "e4",
        "Nf3+",
        "e.p.",
        "exd6ep",
        "N",
        "--",
        "Z0",
        ",",
        "[A \"1\"]\n",
        "[B \"2",
        "[C]",
        "\n\n",
        "\u{c2}",
        "[",
        "]",
        "[)]",
        "a",
        "♘ f3",
        "♘",
        "2. N f3",
        "О-О",
    ];

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn the_moves_of_any_bytes_are_those_of_the_main_line(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            assert_is_main_line(&bytes);
        }

        #[test]
        fn the_moves_of_any_movetext_are_those_of_the_main_line(
            fragments in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..40),
            broken in any::<prop::sample::Index>(),
        ) {
            let mut bytes = fragments.concat().into_bytes();
            assert_is_main_line(&bytes);
            // Not every text is UTF-8.
            if !bytes.is_empty() {
                bytes.remove(broken.index(bytes.len()));
            }
            assert_is_main_line(&bytes);
        }
    }

    #[test]
    fn a_glyph_that_is_written_is_read_back() {
        for nag in 0..=u8::MAX {
            let expected = match nag {
                23 | 33 | 37 | 41 | 45 | 133 => nag - 1,
                _ => nag,
            };
            let movetext = format!("Nf3 {}", nag_glyph(nag));
            let items: Vec<_> = Movetext::from_bytes(movetext.as_bytes()).collect();
            assert_eq!(items, [Item::Move(b"Nf3"), Item::Nag(expected)], "for {nag}: {movetext}");
        }
    }

    #[test]
    fn signs_mean_what_the_standard_says() {
        for (nag, sign) in [
            (1, "!"),
            (4, "??"),
            (14, "+="),
            (15, "=+"),
            (17, "∓"),
            (19, "-+"),
            (20, "$20"),
            (36, "↑"),
            (37, "↑"),
            (40, "→"),
            (41, "→"),
            (45, "=∞"),
            (0, "$0"),
        ] {
            assert_eq!(nag_glyph(nag), sign, "for {nag}");
        }
    }
}
