//! What stands between two games that come together and were not neighbours.
//!
//! A game may owe its end to what followed it: without a result, or with a comment that is still
//! open, it would take in the next one. Whether it does is found out by reading both, unless the
//! first plainly ends in its result, as nearly all games do.

use eco::pgn::games;
use memchr::{memchr, memmem, memrchr};

/// What may stand between two games, after the end of a line; the least comes first.
const BETWEEN: [&[u8]; 4] = [b"", b"\n", b"*\n\n", b"} *\n\n"];

/// A game that plainly ends in its result, in place of all others: what follows is read alike.
const ENDED: &[u8] = b"[Event \"\"]\n\n1. e4 *\n";

/// Games longer than this are not read again.
const MAX_READ: usize = 1 << 20;

/// The end of what was written last, to one output.
#[derive(Debug, Default)]
pub(super) struct Joint {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    /// Which game it was: the number of its stream, and its own in that.
    game: (u64, u64),
    ends_line: bool,
    end: End,
}

#[derive(Debug)]
enum End {
    /// Its result.
    Result,
    /// Something else; these are its bytes.
    Open(Vec<u8>),
    /// Not looked at.
    Long,
}

impl Joint {
    /// What must be written before a game. `piece` are its bytes and what stands before them.
    pub(super) fn before(&self, game: (u64, u64), piece: &[u8]) -> Vec<u8> {
        let Some(last) = &self.last else { return Vec::new() };
        if last.game == (game.0, game.1 - 1) {
            return Vec::new();
        }
        let line_end: &[u8] = if last.ends_line { b"" } else { b"\n" };
        let bytes: &[u8] = match &last.end {
            End::Long => return line_end.to_vec(),
            End::Result if begins_plainly(piece) => return line_end.to_vec(),
            End::Result => ENDED,
            End::Open(bytes) => bytes,
        };
        let all = BETWEEN.map(|between| [line_end, between].concat());
        let fits = |between: &&Vec<u8>| are_two_games(bytes, between, piece);
        all.iter().find(fits).cloned().unwrap_or_else(|| line_end.to_vec())
    }

    /// Notes that a game was written.
    pub(super) fn after(&mut self, game: (u64, u64), piece: &[u8]) {
        let end = match () {
            () if ends_plainly(piece) => End::Result,
            () if piece.len() <= MAX_READ => End::Open(piece.to_owned()),
            () => End::Long,
        };
        self.last = Some(Last { game, ends_line: piece.ends_with(b"\n"), end });
    }

    /// Notes that more of the same game was written.
    pub(super) fn after_more(&mut self, bytes: &[u8]) {
        if let Some(last) = &mut self.last
            && !bytes.is_empty()
        {
            last.ends_line = bytes.ends_with(b"\n");
            last.end = End::Long;
        }
    }
}

/// Whether these bytes begin a game wherever a result stands before them.
fn begins_plainly(piece: &[u8]) -> bool {
    piece.starts_with(b"[") || piece.starts_with(b"1.")
}

/// Whether the last word of a game is a result that counts: one in no comment and no tag.
fn ends_plainly(game: &[u8]) -> bool {
    let text = game.trim_ascii_end();
    let line = memrchr(b'\n', text).map_or(text, |at| &text[at + 1..]);
    let at = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map_or(0, |at| at + 1);
    let (before, word) = line.split_at(at);
    let is_result = [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&word);
    // What may hide a result: a comment up to the end of the line, a tag, an escaped line.
    let is_hidden =
        memchr(b';', before).is_some() || line.starts_with(b"[") || line.starts_with(b"%");
    let has_open_comment = match (memrchr(b'{', text), memrchr(b'}', text)) {
        (Some(open), Some(close)) => open > close,
        (open, _) => open.is_some(),
    };
    // A variation that is open goes on past a result.
    let has_variation = memchr(b'(', text).is_some();
    let has_blank_line =
        memmem::find(text, b"\n\n").is_some() || memmem::find(text, b"\n\r\n").is_some();
    is_result
        && !is_hidden
        && !has_open_comment
        && !has_variation
        && (text.starts_with(b"1.") || (text.starts_with(b"[") && has_blank_line))
}

/// Whether these bytes are read as two games, the second of which is the one in `piece`.
fn are_two_games(last: &[u8], between: &[u8], piece: &[u8]) -> bool {
    if piece.len() > MAX_READ {
        return true;
    }
    let Some(alone) = games(piece).next() else { return true };
    let all = [last, between, piece].concat();
    let starts: Vec<usize> = games(&all).map(|game| game.start()).collect();
    starts.get(1..) == Some(&[last.len() + between.len() + alone.start()])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Games that depend on their neighbours, and others.
    const GAMES: [&str; 18] = [
        "[Event \"a\"]\n\n1. e4 {)} (1. d4 1-0\n\n",
        "[Event \"a\"]\n\n1. e4 ({)} 1. d4) 1-0\n\n",
        "[Event \"a\"]\n[White \"x\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"a\"]\r\n\r\n1. e4 {x} e5 1/2-1/2\r\n\r\n",
        "[Event \"a\"]\n\n1. e4 e5\n\n",
        "[Event \"a\"]\n\n1. e4 e5",
        "[White \"only tags\"]\n\n",
        "[Black \"only tags\"]\n[Result \"1-0\"]\n",
        "1. d4 d5 *\n",
        "1. c4 0-1\n\n",
        "[Event \"a\"]\n\n1. e4 {open 1-0\n\n",
        "[Event \"a\"]\n\n1. e4 e5 ; 1-0\n\n",
        "[Event \"a\"]\n\n1. e4 (1. d4 1-0\n\n",
        "[Event \"a\"]\n\n{1-0} *\n",
        "[Event \"a 1-0\n\n*\n",
        "[Event \"a\"]\n\n1. e4 1-0 and some text }\n\n",
        "[Event \"a\"]\n\n*",
        "\u{feff}[Event \"a\"]\n\n1. e4 1-0\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn games_that_come_together_stay_apart(
            texts in prop::collection::vec(prop::sample::select(&GAMES[..]), 1..6),
            is_kept in prop::collection::vec(any::<bool>(), 12),
        ) {
            let input = texts.concat();
            let all: Vec<_> = games(input.as_bytes()).collect();
            let kept: Vec<&[u8]> =
                all.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(game, _)| game.bytes()).collect();
            let (mut joint, mut out) = (Joint::default(), Vec::new());
            for (game, _) in all.iter().zip(&is_kept).filter(|(_, kept)| **kept) {
                let id = (0, game.number());
                out.extend(joint.before(id, game.bytes()));
                out.extend_from_slice(game.bytes());
                joint.after(id, game.bytes());
            }
            let found: Vec<_> = games(&out).map(|game| game.bytes()).collect();
            prop_assert_eq!(found.len(), kept.len(), "{:?}", String::from_utf8_lossy(&out));
            for (found, kept) in found.iter().zip(&kept) {
                prop_assert!(found.starts_with(kept), "{:?}", String::from_utf8_lossy(&out));
            }
        }
    }

    #[test]
    fn neighbours_have_nothing_between_them() {
        let mut joint = Joint::default();
        let open = b"[Event \"a\"]\n\n1. e4 e5";
        assert_eq!(joint.before((1, 5), open), b"");
        joint.after((1, 5), open);
        assert_eq!(joint.before((1, 6), b"\n[Event \"b\"]\n\n*"), b"");
        assert_eq!(joint.before((2, 6), b"[Event \"b\"]\n\n*"), b"\n");
        assert_eq!(joint.before((2, 6), b"1. d4 *"), b"\n*\n\n");
        joint.after_more(b" more\n");
        assert_eq!(joint.before((1, 9), b"1. d4 *"), b"");
    }
}
