//! The second opinion: a game as `pgn-reader` reads it, with what that crate does not tell found by
//! the most obvious means.
//!
//! It is slow and allocates freely. It stays for good: the reading that `classify` uses is tested
//! against it.
//!
//! `pgn-reader` ends a game at a blank line, so blank lines are dropped before it sees them. It passes
//! over words that are no moves, and does not say when a variation is left open, so both are
//! looked for in the bare words of the movetext.

use std::{io::Cursor, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};

use super::{MAX_TAG_LENGTH, decode_text};

/// A game, read into memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlainGame {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, Vec<u8>)>,
    /// The main line up to its result, its end, or the first word that is no move.
    pub moves: Vec<SanPlus>,
    /// Why the main line ended before its result, if it did.
    pub fault: Option<PlainFault>,
}

/// Why a main line ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlainFault {
    /// This word stands where a move should be, and is none.
    NotAMove(Vec<u8>),
    /// A comment that is never closed.
    OpenComment,
    /// A variation that is never closed.
    OpenVariation,
}

/// Reads one game that has no unterminated tags.
///
/// Moves must be in the forms `pgn-reader` knows: standard algebraic notation, in ASCII.
#[must_use]
pub fn read_plainly(game: &[u8]) -> PlainGame {
    let text = without_blank_lines(game);
    let mut reader = Reader::build(Cursor::new(&text))
        .set_supported_tag_line_length(2 * MAX_TAG_LENGTH)
        .finish();
    let mut collector = Collector::default();
    // An error means an open comment; the bare words tell the same below.
    let _ = reader.read_game(&mut collector);
    let mut plain = collector.game;
    let (words, open) = bare_words(&text);
    let strange = words.iter().position(|word| !is_move(word));
    plain.fault = match strange {
        Some(n) => {
            plain.moves.truncate(n);
            Some(PlainFault::NotAMove(words[n].clone()))
        }
        None => open,
    };
    plain
}

/// Whether `pgn-reader` takes the word for a move; it reads castling with zeros by itself.
fn is_move(word: &[u8]) -> bool {
    word.starts_with(b"0-0") || SanPlus::from_ascii(word).is_ok()
}

fn without_blank_lines(game: &[u8]) -> Vec<u8> {
    let lines = game.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.collect::<Vec<_>>().join(&b'\n')
}

#[derive(Debug, Default)]
struct Collector {
    game: PlainGame,
}

impl Visitor for Collector {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let name = decode_text(name.trim_ascii()).into_owned();
        self.game.tags.push((name, value.decode().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.game.moves.push(san);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), _: pgn_reader::Outcome) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// The words of the main line up to its result, without comments, variations, NAGs and move
/// numbers, and what was left open, if anything.
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
        let is_word = word == b"--" || word.iter().any(u8::is_ascii_alphanumeric);
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
