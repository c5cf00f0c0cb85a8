//! Plays main lines as a collection keeps them.

use crate::{
    chess::{CodedBoard, PackedSan},
    classify::FollowedWalk,
    collection::segment::hash_position,
    pgn::{MainLine, MoveBuffer, Token},
    select::Content,
    simd::{self, Kernel, Simd},
};

/// Plays main lines, in memory that serves one after the other.
#[derive(Debug, Default)]
pub(super) struct MainLineReader {
    /// The codes of the moves that could be played.
    pub(super) codes: Vec<u8>,
    /// The hashes of the first positions, that before the first move among them.
    pub(super) hashes: Vec<u64>,
    /// What the moves contribute to the identity of the game.
    pub(super) content: Content,
}

/// What is left of a main line besides the moves that could be played.
#[derive(Default)]
pub(super) struct Rest<'a> {
    /// The other words, with a line end after each.
    pub(super) words: Vec<u8>,
    /// Their number.
    pub(super) count: usize,
    /// The result that ends the line.
    pub(super) end: Option<&'a [u8]>,
}

/// Where a main line begins.
pub(super) struct Start<'c> {
    /// The board; `None` if no move can be played.
    pub(super) board: Option<CodedBoard>,
    /// The walk that finds the opening, if it is not known otherwise.
    pub(super) walk: Option<FollowedWalk<'c>>,
    /// The number of positions to hash.
    pub(super) hashed: usize,
}

impl MainLineReader {
    /// Plays a main line as far as that can be done, and reads its other words.
    pub(super) fn read<'a>(&mut self, mut line: MainLine<'a>, start: &mut Start<'_>) -> Rest<'a> {
        self.codes.clear();
        self.hashes.clear();
        if let Some(board) = &start.board {
            self.hash(board, start.hashed);
        }
        let mut rest = Rest::default();
        loop {
            simd::run(PlayAhead { reader: self, line: &mut line, start });
            match line.next() {
                Some(Token::Move(word)) => {
                    self.content.add_move(word);
                    if !self.play(word, start) {
                        start.board = None;
                        rest.add(word);
                    }
                }
                Some(Token::Result(result)) => rest.end = Some(result),
                Some(Token::OpenComment | Token::OpenVariation) => {}
                None => return rest,
            }
        }
    }

    /// Plays a move, if that can be done.
    fn play(&mut self, word: &[u8], start: &mut Start<'_>) -> bool {
        let Start { board: Some(board), walk, hashed } = start else { return false };
        let Ok(Some(code)) = board.play_to_code(word) else { return false };
        self.codes.push(code);
        self.hash(board, *hashed);
        if let Some(walk) = walk {
            walk.follow(PackedSan::new(word), board.board());
        }
        true
    }

    #[inline(always)]
    fn hash(&mut self, board: &CodedBoard, hashed: usize) {
        if self.hashes.len() < hashed {
            self.hashes.push(hash_position(&board.board().key()));
        }
    }
}

/// Plays moves that are written as programs write them, several at a time. It is a fast form of
/// [`play`](MainLineReader::play): what it leaves is the next token of the line.
struct PlayAhead<'p, 'a, 'c> {
    reader: &'p mut MainLineReader,
    line: &'p mut MainLine<'a>,
    start: &'p mut Start<'c>,
}

impl Kernel for PlayAhead<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { reader, line, start } = self;
        let Start { board: Some(board), walk, hashed } = start else { return };
        let mut buffer = MoveBuffer::new();
        loop {
            let (ahead, taken) = line.peek_moves(simd, &mut buffer, MoveBuffer::CAPACITY);
            let mut played = 0;
            for san in ahead {
                let Some(code) = board.play_packed_to_code(*san) else { break };
                reader.codes.push(code);
                reader.content.add_packed_move(*san);
                reader.hash(board, *hashed);
                if let Some(walk) = walk {
                    walk.follow(*san, board.board());
                }
                played += 1;
            }
            if played > 0 && played == ahead.len() {
                *line = line.after(taken);
                continue;
            }
            let (_, taken) = line.peek_again(simd, &mut buffer, played);
            *line = line.after(taken);
            return;
        }
    }
}

impl Rest<'_> {
    /// Adds a word that is not played. A piece may stand apart from its square, on another line.
    fn add(&mut self, word: &[u8]) {
        let parts = word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty());
        for (n, part) in parts.enumerate() {
            if n > 0 {
                self.words.push(b' ');
            }
            self.words.extend_from_slice(part);
        }
        self.words.push(b'\n');
        self.count += 1;
    }
}
