//! Kept games as PGN.
//!
//! The export format of the PGN standard, as far as the game has what it asks for: no tag is made
//! up, since a tag that says nothing is not the same as none to whoever selects games.

use std::iter::Peekable;

use super::{GameStart, KeptGame};
use crate::chess::{CodedBoard, MoveNumber};
use crate::pgn::{Commands, decode_text, write_tag};
use crate::select::begins_with_black;

/// Lines of movetext have at most this many characters.
const WIDTH: usize = 79;

impl KeptGame {
    /// The game as PGN: its tags, a blank line, and its moves in standard SAN on lines of at most
    /// 79 characters, with the evaluations and clocks that are kept. Words that cannot be played
    /// stand as they were.
    pub fn to_pgn(&self) -> Vec<u8> {
        // Most games take less.
        let mut pgn = Vec::with_capacity(2048);
        let first = self.tags().next().map(|(name, _)| name);
        for (n, (name, value)) in self.tags().enumerate() {
            // At the start of a line, the first tag once more would begin another game.
            let is_first_again = n > 0 && Some(name) == first;
            pgn.extend_from_slice(if n == 0 || is_first_again { b"" } else { b"\n" });
            write_tag(name, value, &mut pgn);
        }
        if first.is_none() {
            // Without any tag, nothing would divide it from the game before.
            write_tag(b"Result", self.result().as_str().as_bytes(), &mut pgn);
        }
        pgn.extend_from_slice(b"\n\n");
        let mut lines = Lines { out: &mut pgn, width: 0 };
        self.write_moves(&mut lines);
        lines.add(self.result().as_str().as_bytes());
        pgn.push(b'\n');
        pgn
    }

    fn write_moves(&self, lines: &mut Lines<'_>) {
        let first = match self.start() {
            GameStart::Initial => MoveNumber::after(0),
            GameStart::SetUp => MoveNumber::next_in(&self.start_position().unwrap_or_default()),
            GameStart::Unknown => MoveNumber::after(begins_with_black(self.tag("FEN")).into()),
        };
        let commands = self.commands().peekable();
        let mut moves = MoveWriter { lines, first, ply: 0, needs_number: true, commands };
        if let Some(board) = self.start_board() {
            let (mut board, mut san) = (CodedBoard::from(board), Vec::new());
            let mut codes = self.codes().iter().peekable();
            while let Some(code) = codes.next() {
                san.clear();
                // What is kept was played once; damage ends the game here.
                let Some(()) = board.play_code_to_san(*code, &mut san) else { break };
                let is_mate = codes.peek().is_none() && board.board().is_mate();
                if let Some(sign) = san.last_mut().filter(|_| is_mate) {
                    *sign = b'#';
                }
                moves.add(&san);
            }
        }
        moves.needs_number = true;
        self.rest_words().for_each(|word| moves.add(word));
    }
}

/// Writes the moves of a game, with their numbers and comments.
struct MoveWriter<'l, 'o, C: Iterator> {
    lines: &'l mut Lines<'o>,
    first: MoveNumber,
    ply: usize,
    needs_number: bool,
    commands: Peekable<C>,
}

impl<C: Iterator<Item = (usize, Commands)>> MoveWriter<'_, '_, C> {
    fn add(&mut self, word: &[u8]) {
        let number = self.first.later(self.ply);
        // A piece apart from its square is a move only after a number, and a figurine that is apart
        // from everything would take what follows for its square.
        if self.needs_number || number.turn().is_white() || word.contains(&b' ') {
            self.lines.add(number.to_string().as_bytes());
        }
        self.lines.add(word);
        self.ply += 1;
        let is_told = self.commands.peek().is_some_and(|(ply, _)| *ply == self.ply);
        self.needs_number = is_told || !word.is_ascii();
        if is_told && let Some((_, commands)) = self.commands.next() {
            self.lines.add(commands.to_comment().as_bytes());
        }
    }
}

/// Words on lines.
struct Lines<'a> {
    out: &'a mut Vec<u8>,
    /// The characters of the line so far.
    width: usize,
}

impl Lines<'_> {
    fn add(&mut self, word: &[u8]) {
        let width = if word.is_ascii() { word.len() } else { decode_text(word).chars().count() };
        // At the start of a line, others might begin a tag, hide the line, or be skipped; and a
        // piece apart from its square is one only on the line of its number.
        let may_begin = word == b"*"
            || word.starts_with(b"{")
            || word.first().is_some_and(u8::is_ascii_alphanumeric) && !word.contains(&b' ');
        if self.width > 0 && may_begin && self.width + 1 + width > WIDTH {
            self.out.push(b'\n');
            self.width = 0;
        } else if self.width > 0 {
            self.out.push(b' ');
            self.width += 1;
        }
        self.out.extend_from_slice(word);
        self.width += width;
    }
}
