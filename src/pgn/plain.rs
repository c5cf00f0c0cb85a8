//! An oracle: a game as `pgn-reader` reads it. What that crate does not report is found by the most
//! obvious means.
//!
//! `eco` does not read with that crate, because it loses what games, studies and masters contain.
//! It skips signs for glyphs (`±`, `N`) and drops moves that they are attached to, comments after
//! `;`, and words that are not moves, so that a slip such as `2. Nf33` shortens a line without an
//! error. It does not report a variation left open, ends a game at a blank line, reads on after a
//! result, and gives neither byte offsets nor line numbers. Given one game at a time, it agrees on
//! 5,866 of 5,867 over-the-board games and all of 993 of lichess; the exception is cut in the
//! middle of a move.
//!
//! It is slow and allocates freely. The reading that `classify` uses is tested against it.
//!
//! `pgn-reader` ends a game at a blank line, so blank lines are removed first. It skips words that
//! are not moves, and does not report a variation that is left open. Both are looked for in the
//! bare words of the movetext. It knows neither figurines nor pieces apart from their squares, so
//! these are written as letters first. In square brackets among the moves it reads moves, and one
//! that begins a line ends the game, so these are replaced by blanks before all else.

use std::{io::Cursor, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};

use super::{MAX_TAG_LENGTH, decode_text};

/// A game, read into memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainGame {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, Vec<u8>)>,
    /// The main line up to its result, its end, or the first word that is not a move.
    pub moves: Vec<SanPlus>,
    /// Why the main line ended before its result; `None` if it did not.
    pub fault: Option<PlainFault>,
}

/// Why a main line ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlainFault {
    /// This word is where a move is expected, and it is not a move.
    NotAMove(Vec<u8>),
    /// A comment that is never closed.
    OpenComment,
    /// A variation that is never closed.
    OpenVariation,
}

/// Reads one game that has no unterminated tags.
///
/// Moves must be in the forms `pgn-reader` knows: standard algebraic notation, in ASCII.
pub fn read_plainly(game: &[u8]) -> PlainGame {
    let text = in_letters(&without_blank_lines(&without_bracketed(game)));
    let mut reader = Reader::build(Cursor::new(&text))
        .set_supported_tag_line_length(2 * MAX_TAG_LENGTH)
        .finish();
    let mut plain = PlainGame::default();
    // An error means an open comment, which the bare words show too.
    let _ = reader.read_game(&mut plain);
    let (words, open) = bare_words(&text);
    let bad_word = words.iter().position(|word| !is_move(word));
    plain.fault = match bad_word {
        Some(n) => {
            plain.moves.truncate(n);
            Some(PlainFault::NotAMove(words[n].clone()))
        }
        None => open,
    };
    plain
}

/// Whether `pgn-reader` reads the word as a move. It reads castling with zeros apart from
/// `SanPlus`.
fn is_move(word: &[u8]) -> bool {
    word.starts_with(b"0-0") || SanPlus::from_ascii(word).is_ok()
}

/// The game with English letters for figurines, joined to the square after them, and `О-О` as
/// `O-O`. Tags stay as they are.
fn in_letters(game: &[u8]) -> Vec<u8> {
    let Ok(text) = str::from_utf8(game) else { return game.to_vec() };
    let lines = text
        .split_inclusive('\n')
        .map(|line| if line.starts_with('[') { line.to_owned() } else { line_in_letters(line) });
    lines.collect::<String>().into_bytes()
}

fn line_in_letters(line: &str) -> String {
    let is_blank = |c: &char| matches!(c, ' ' | '\t');
    let chars: Vec<char> = line.chars().collect();
    let mut text = String::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        at += 1;
        let figurine = "♔♕♖♗♘♙♚♛♜♝♞♟".chars().position(|figurine| figurine == *c);
        let letter = figurine.and_then(|index| "KQRBNP".chars().nth(index % 6));
        // After a number, these are no signs of a move.
        let is_after_number = || {
            let before = text.trim_end_matches([' ', '\t', '.']);
            let word = before.rsplit(|c: char| c.is_whitespace() || c == '.').next();
            let is_number =
                |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            before.len() < text.len() && word.is_some_and(is_number)
        };
        let letter = letter.or_else(|| Some(*c).filter(|c| "ND".contains(*c) && is_after_number()));
        let Some(letter) = letter else {
            text.push(if *c == 'О' { 'O' } else { *c });
            continue;
        };
        let selectors = chars[at..].iter().take_while(|c| "\u{fe0e}\u{fe0f}".contains(**c)).count();
        let after = at + if figurine.is_some() { selectors } else { 0 };
        let blanks = chars[after..].iter().take_while(|c| is_blank(c)).count();
        let ends_word = |c: &char| " \t\r\x0b\x0c\n{}()!?$;.*".contains(*c);
        let word = chars[after + blanks..].split(ends_word).next().unwrap_or_default();
        let begins = matches!(word, ['a'..='h' | 'x' | ':', ..]);
        let is_target = begins && (blanks == 0 || matches!(word, [.., '1'..='8' | '+' | '#']));
        text.push(if figurine.is_some() && !is_target { *c } else { letter });
        at = if is_target { after + blanks } else { at };
    }
    text
}

/// The game with a blank for every run in square brackets that is no tag, and for every such
/// bracket that is not closed.
fn without_bracketed(game: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = game;
    let mut in_tags = true;
    while let Some(byte) = rest.first() {
        let is_line_start = text.last().is_none_or(|before| *before == b'\n');
        let is_tag = in_tags && is_line_start && rest.get(1).is_some_and(u8::is_ascii_alphabetic);
        in_tags &= is_tag || byte.is_ascii_whitespace() || b"%;{".contains(byte);
        let until = |end| rest.iter().position(|b| *b == end).map_or(rest.len(), |at| at + 1);
        let taken = match byte {
            b'[' if is_tag => until(b'\n'),
            b'%' if is_line_start => until(b'\n'),
            b';' => until(b'\n'),
            b'{' => until(b'}'),
            b'[' => {
                let next = rest[1..].iter().find(|b| b"[]{};".contains(b));
                text.push(b' ');
                rest = &rest[if next == Some(&b']') { until(b']') } else { 1 }..];
                continue;
            }
            _ => 1,
        };
        text.extend_from_slice(&rest[..taken]);
        rest = &rest[taken..];
    }
    text
}

fn without_blank_lines(game: &[u8]) -> Vec<u8> {
    let lines = game.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.collect::<Vec<_>>().join(&b'\n')
}

impl Visitor for PlainGame {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let name = decode_text(name.trim_ascii()).into_owned();
        self.tags.push((name, value.decode().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.moves.push(san);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), _: pgn_reader::Outcome) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// The words of the main line up to its result, without comments, variations, NAGs and move
/// numbers, and the comment or variation that is left open.
fn bare_words(text: &[u8]) -> (Vec<Vec<u8>>, Option<PlainFault>) {
    let (bare, open) = without_asides(text);
    let mut words = Vec::new();
    for word in bare.split(|b| b.is_ascii_whitespace() || b"!?.)}".contains(b)) {
        if matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
            return (words, None);
        }
        let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
        let word = if word.starts_with(b"0-0") { word } else { &word[digits..] };
        let is_aside = matches!(word, b"N" | b"D" | b"e" | b"p" | b"ep" | b"ch" | b"mate");
        let text = decode_text(word);
        let has_letter = text.chars().any(|c| c.is_alphabetic() || ('♔'..='♟').contains(&c));
        let is_word = word == b"--" || has_letter || word.iter().any(u8::is_ascii_digit);
        if is_word && !is_aside && !word.starts_with(b"$") {
            words.push(word.to_vec());
        }
    }
    (words, open)
}

/// The movetext with a space in place of every tag line, comment, variation and `%` line.
fn without_asides(text: &[u8]) -> (Vec<u8>, Option<PlainFault>) {
    let mut bare = Vec::new();
    let mut depth = 0_usize;
    let mut in_tags = true;
    let mut bytes = text.iter().copied().peekable();
    let mut before = b'\n';
    while let Some(byte) = bytes.next() {
        let is_line_start = before == b'\n';
        before = byte;
        let closes = match byte {
            b'%' if is_line_start => b'\n',
            b'[' if is_line_start && in_tags => b'\n',
            b';' => b'\n',
            b'{' => b'}',
            b'(' => {
                depth += 1;
                continue;
            }
            b')' if depth > 0 => {
                depth -= 1;
                continue;
            }
            _ => {
                in_tags &= byte.is_ascii_whitespace();
                if depth == 0 {
                    bare.push(byte);
                }
                continue;
            }
        };
        in_tags &= closes == b'\n';
        bare.push(b' ');
        before = closes;
        if bytes.by_ref().all(|b| b != closes) && closes == b'}' {
            return (bare, Some(PlainFault::OpenComment));
        }
    }
    (bare, (depth > 0).then_some(PlainFault::OpenVariation))
}

/// What `pgn-reader` loses is why studies and masters are not read with it.
#[cfg(test)]
mod tests {
    use pgn_reader::{Nag, Outcome, RawComment, Skip};
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::{Item, Movetext};

    /// Everything in a movetext, as text.
    #[derive(Default)]
    struct Items {
        items: Vec<String>,
        comment: Vec<u8>,
    }

    impl Items {
        fn push(&mut self, item: impl Into<String>) -> ControlFlow<()> {
            self.items.push(item.into());
            ControlFlow::Continue(())
        }
    }

    impl Visitor for Items {
        type Tags = ();
        type Movetext = ();
        type Output = ();

        fn begin_tags(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
            self.push(san.to_string())
        }

        fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
            self.push(format!("${}", nag.0))
        }

        fn partial_comment(&mut self, (): &mut (), text: RawComment<'_>) -> ControlFlow<()> {
            self.comment.extend(text.as_bytes());
            ControlFlow::Continue(())
        }

        fn comment(&mut self, (): &mut (), text: RawComment<'_>) -> ControlFlow<()> {
            self.comment.extend(text.as_bytes());
            let comment = std::mem::take(&mut self.comment);
            self.push(format!("{{{}}}", decode_text(&comment)))
        }

        fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
            let _ = self.push("(");
            ControlFlow::Continue(Skip(false))
        }

        fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
            self.push(")")
        }

        fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
            self.push(outcome.to_string())
        }

        fn end_game(&mut self, (): ()) {}
    }

    fn by_pgn_reader(movetext: &str) -> String {
        let mut items = Items::default();
        if let Err(error) = Reader::new(Cursor::new(movetext)).read_game(&mut items) {
            let _ = items.push(error.to_string());
        }
        items.items.join(" ")
    }

    fn by_movetext(movetext: &str) -> String {
        let items = Movetext::from_bytes(movetext.as_bytes()).map(|item| match item {
            Item::Move(word) | Item::Result(word) => decode_text(word).into_owned(),
            Item::Nag(nag) => format!("${nag}"),
            Item::Comment(text) => format!("{{{}}}", decode_text(text)),
            Item::Open => "(".to_owned(),
            Item::Close => ")".to_owned(),
            Item::OpenComment => "unterminated comment".to_owned(),
            Item::OpenVariation => "unterminated variation".to_owned(),
        });
        items.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_apart_from_their_squares_are_the_moves_of_the_main_line() {
        use crate::pgn::{MainLine, Token};
        for movetext in [
            "1. e4 e5 2. ♘ f3 ♞ c6",
            "1. ♘f3 ♞\u{fe0e}f6 2. ♗ ♘",
            "1. e4 e5 2. N f3 Nc6 3. N xe5",
            "1. e4 N e5 2. Nf3",
            "1. e4 日本 e5",
            "1. e4 e5 2. О-О Nf6",
            "1. e4 ⩲ e5 △ 2. Nf3",
            "2. D d5",
            "2. N e Nf3",
            "2. ♘ d Nf3",
        ] {
            let plain = read_plainly(format!("{movetext} *").as_bytes());
            let position = crate::chess::Chess::default();
            let mut moves = Vec::new();
            let mut fault = None;
            for token in MainLine::from_movetext(movetext.as_bytes()) {
                let Token::Move(word) = token else { break };
                let letters = line_in_letters(&decode_text(word).replace([' ', '\t'], ""));
                match SanPlus::from_ascii(letters.as_bytes()) {
                    // Every word that the oracle reads has the form of a move for all readers.
                    Ok(san) => {
                        let read = crate::chess::read_move(&position, word);
                        assert_ne!(read, Err(crate::chess::MoveFault::Unreadable), "{movetext}");
                        moves.push(san);
                    }
                    Err(_) => {
                        fault = Some(());
                        break;
                    }
                }
            }
            assert_eq!(plain.moves, moves, "{movetext}");
            assert_eq!(plain.fault.is_some(), fault.is_some(), "{movetext}: {:?}", plain.fault);
        }
    }

    #[test]
    fn pgn_reader_loses_what_studies_and_masters_contain() {
        for (movetext, ours, theirs) in [
            // A slip in a master would make its line shorter, and name another position.
            ("1. e4 e5 2. Nf33 Nc6 *", "e4 e5 Nf33 Nc6 *", "e4 e5 Nc6 *"),
            ("1. e4 Nf3\u{b1} e5", "e4 Nf3\u{b1} e5", "e4 e5"),
            // Moves as people write them.
            ("1. e8Q exd6e.p. Ng1-f3", "e8Q exd6 Ng1-f3", ""),
            // Signs for glyphs, as in repertoire-variations.pgn, and comments up to the end of a
            // line.
            ("1. e4 \u{b1} (1. d4 +-) c5 N", "e4 $16 ( d4 $18 ) c5 $146", "e4 ( d4 ) c5"),
            ("1. e4= c5+= 2. d4", "e4 $10 c5+ $14 d4", "d4"),
            ("1. e4 ; best by test\n c5", "e4 { best by test} c5", "e4 c5"),
            // What is left open, what is closed twice, and what follows the result.
            ("1. e4 (1. d4", "e4 ( d4 unterminated variation", "e4 ( d4"),
            ("1. e4 ) c5", "e4 c5", "e4 ) c5"),
            // What programs write outside of comments.
            ("1. e4 [%x d4 ] c5\n[%x] 2. d4", "e4 c5 d4", "e4 d4 c5"),
            ("1. e4 1-0 c5", "e4 1-0", "e4 1-0 c5"),
            ("1. e4\n\nc5", "e4 c5", "e4"),
            ("1. e4 1/2", "e4 1/2", "e4"),
        ] {
            assert_eq!(by_movetext(movetext), ours, "for {movetext:?}");
            assert_eq!(by_pgn_reader(movetext), theirs, "for {movetext:?} by pgn-reader");
        }
    }

    const FRAGMENTS: [&str; 16] = [
        "e4",
        "Nf3+",
        "exd5",
        "O-O",
        "O-O-O#",
        "e8=Q",
        "R1a3",
        "--",
        "12.",
        "7...",
        "{a (b) ; c}",
        "{}",
        "$14",
        "!",
        "?!",
        "??",
    ];

    /// Well-formed movetext with variations in each other.
    fn movetext() -> impl Strategy<Value = String> {
        let fragment = prop::sample::select(&FRAGMENTS[..]).prop_map(str::to_owned);
        fragment.prop_recursive(4, 40, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..8).prop_map(|parts| parts.join(" ")),
                inner.prop_map(|variation| format!("({variation})\n")),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn well_formed_movetext_is_read_as_pgn_reader_reads_it(movetext in movetext()) {
            let movetext = format!("{movetext} 1/2-1/2");
            prop_assert_eq!(by_movetext(&movetext), by_pgn_reader(&movetext));
        }
    }
}
