//! A stream of PGN, cut into blocks of whole games by the threads that work on them.
//!
//! Who reads the stream makes [`Pieces`] of it, without a look at most of them. A [`Piece`] becomes a
//! [`Block`] on the thread that has it, in three steps:
//!
//! 1. It is split from the first line on at which a game is likely to begin, as if the stream began
//!    there.
//! 2. The piece before hands on what it knows: the state of its splitter, and the bytes of its last
//!    game, which goes on here. That splitter goes on over this piece up to the likely line and past it.
//!    If it then is in the very state of the one that began there, and took the line for the start of a
//!    game as well, what that one found is right, because the same state finds the same in the same
//!    bytes. Otherwise the piece is split again, in the state that was handed on.
//! 3. What is known now goes to the piece behind.
//!
//! So the guess decides only how long the pieces behind wait, never what a game is. That it is
//! right with usual files has one reason: a tag that begins a game leaves nothing of the state before.
//! Files without tags, or with none written in the usual way, are split one piece after the other.

use std::{
    io::{self, Read},
    mem,
    ops::Range,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};

use memchr::memchr_iter;

use super::{
    Block, BlockOptions, begins_line_behind,
    blocks::{is_broken, is_text},
    buffers::{Buffer, Buffers},
    split::{More, Splitter},
    starts::Starts,
    tags::UsualTag,
};

/// The room in front of a piece for the game that began before it. A longer one is put together
/// elsewhere.
const HEADROOM: usize = 16 * 1024;

/// Reads a stream piece by piece.
///
/// What holds for [`Blocks`](super::Blocks) holds for the blocks that the pieces become: one after the
/// other they are the stream, byte for byte, and their games are the same. Only where one block ends
/// and the next begins is something else.
///
/// ```
/// use eco::pgn::{BlockOptions, Pieces};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 c5 *\n";
/// let mut count = 0;
/// for piece in Pieces::new(&pgn[..], BlockOptions::default()) {
///     count += piece?.into_block().game_count();
/// }
/// assert_eq!(count, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Pieces<R> {
    reader: R,
    options: BlockOptions,
    buffers: Buffers,
    carried: Carried,
    end: Option<io::Result<()>>,
    has_text: bool,
}

/// What the next piece needs of those before it.
#[derive(Debug)]
enum Carried {
    /// No game has begun yet: text is taken in at once, so that at the end it is known whether there
    /// was a game at all.
    Here(Carry),
    /// The piece before sends it.
    Coming(Receiver<Carry>),
}

impl<R: Read> Pieces<R> {
    /// Pieces of what `reader` gives, of [`BlockOptions::block_size`] bytes. It needs no buffering of
    /// its own.
    pub fn new(reader: R, options: BlockOptions) -> Self {
        Self::in_buffers(reader, options, &Buffers::default())
    }

    /// The same in the buffers of streams before it.
    pub fn in_buffers(reader: R, options: BlockOptions, buffers: &Buffers) -> Self {
        Self {
            reader,
            options,
            buffers: buffers.clone(),
            carried: Carried::Here(Carry::new()),
            end: None,
            has_text: false,
        }
    }

    /// Whether there was something but blanks in the pieces so far, and yet no game.
    #[must_use]
    pub fn has_only_text(&self) -> bool {
        self.has_text && matches!(self.carried, Carried::Here(_))
    }

    fn read(&mut self) -> Raw {
        let mut buffer = self.buffers.take(HEADROOM + self.options.block_size.max(1));
        let mut end = HEADROOM;
        while end < buffer.len() && self.end.is_none() {
            match self.reader.read(&mut buffer[end..]) {
                Ok(0) => self.end = Some(Ok(())),
                Ok(count) => end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.end = Some(Err(error)),
            }
        }
        let follows = match self.end {
            None => Follows::Piece,
            Some(Ok(())) => Follows::Nothing,
            Some(Err(_)) => Follows::Error,
        };
        Raw { buffer, end, follows, max_game: self.options.max_game }
    }

    fn next_piece(&mut self) -> Piece {
        let raw = self.read();
        let (after, coming) = sync_channel(1);
        let carried = mem::replace(&mut self.carried, Carried::Coming(coming));
        match carried {
            Carried::Coming(before) => Piece(Stage::Raw { raw, before, after }),
            Carried::Here(carry) => {
                let (block, carry) = carry.take(raw, None);
                self.has_text = self.has_text || block.bytes().iter().any(|b| is_text(*b));
                if carry.has_met_games() {
                    // There is room for one.
                    let _ = after.send(carry);
                } else {
                    self.carried = Carried::Here(carry);
                }
                Piece(Stage::Block(block))
            }
        }
    }
}

/// As with [`Blocks`](super::Blocks), an error comes at most once, as the last item.
impl<R: Read> Iterator for Pieces<R> {
    type Item = io::Result<Piece>;

    fn next(&mut self) -> Option<io::Result<Piece>> {
        match &mut self.end {
            None => Some(Ok(self.next_piece())),
            Some(end) => mem::replace(end, Ok(())).err().map(Err),
        }
    }
}

/// A piece of a stream that is to become a block.
#[derive(Debug)]
pub struct Piece(Stage);

#[derive(Debug)]
enum Stage {
    Block(Block),
    Raw { raw: Raw, before: Receiver<Carry>, after: SyncSender<Carry> },
}

impl Piece {
    /// The block of the games that end in this piece, on whatever thread.
    ///
    /// Waits for the piece before to become a block, so pieces must be begun in their order, as
    /// [`pipeline::run`](crate::pipeline::run) does. If one before is dropped instead, the block is
    /// empty.
    #[must_use]
    pub fn into_block(self) -> Block {
        match self.0 {
            Stage::Block(block) => block,
            Stage::Raw { raw, before, after } => {
                let guess = Guess::new(raw.bytes(), raw.more());
                let Ok(carry) = before.recv() else { return Block::default() };
                let (block, carry) = carry.take(raw, guess);
                // Nobody waits for the last one.
                let _ = after.send(carry);
                block
            }
        }
    }
}

/// What comes behind a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    Piece,
    Nothing,
    Error,
}

/// Bytes as they were read.
#[derive(Debug)]
struct Raw {
    /// The bytes begin behind its [`HEADROOM`].
    buffer: Buffer,
    /// Where they end.
    end: usize,
    follows: Follows,
    max_game: usize,
}

impl Raw {
    fn bytes(&self) -> &[u8] {
        &self.buffer[HEADROOM..self.end]
    }

    fn more(&self) -> More {
        if self.follows == Follows::Piece { More::Yes } else { More::No }
    }

    /// The bytes with others before them, and where in the buffer they all are.
    fn behind(mut self, mut before: Vec<u8>) -> (Buffer, Range<usize>) {
        if before.len() <= HEADROOM {
            let start = HEADROOM - before.len();
            self.buffer[start..HEADROOM].copy_from_slice(&before);
            return (self.buffer, start..self.end);
        }
        // It grows like any vector, so a game over many pieces is not copied anew for each.
        let home = self.buffer.home();
        home.extend(&mut before, self.bytes());
        let all = 0..before.len();
        (home.own(before), all)
    }
}

/// What splitting a piece finds if a game begins at a certain line of it.
#[derive(Debug)]
struct Guess {
    /// The line, with its line end.
    line: Range<usize>,
    /// The state of the splitter behind the line.
    state: Splitter,
    /// Where games begin: first that of the line.
    starts: Starts,
    /// The state at the end, and where that is.
    splitter: Splitter,
    scanned: usize,
}

impl Guess {
    fn new(bytes: &[u8], more: More) -> Option<Self> {
        let line = likely_start(bytes)?;
        let (mut splitter, mut starts) = (Splitter::new(), Starts::for_bytes(bytes.len()));
        splitter.scan(&bytes[..line.end], line.start, More::Yes, &mut starts);
        if !starts.all().eq([line.start]) {
            return None;
        }
        let state = splitter.clone();
        let scanned = splitter.scan(bytes, line.end, more, &mut starts);
        Some(Self { line, state, starts, splitter, scanned })
    }
}

/// The first tag line below a line that is none.
fn likely_start(bytes: &[u8]) -> Option<Range<usize>> {
    // Of the first line the start may be missing.
    let mut is_below_tag = true;
    memchr_iter(b'\n', bytes).find_map(|line_end| {
        let line = &bytes[line_end + 1..];
        let is_tag = line.first() == Some(&b'[');
        let usual = if is_tag && !is_below_tag { UsualTag::read(line) } else { None };
        is_below_tag = is_tag;
        usual.map(|usual| line_end + 1..line_end + 1 + usual.line())
    })
}

/// What is known of a stream up to the end of a piece.
#[derive(Debug)]
struct Carry {
    splitter: Splitter,
    /// The bytes that are in no block yet.
    bytes: Vec<u8>,
    /// Whether a game begins at the first of them.
    begins_game: bool,
    /// How many of them the splitter is done with.
    scanned: usize,
    /// How many games have begun in blocks.
    games: u64,
    /// Whether they begin a line, but for blanks.
    begins_line: bool,
}

impl Carry {
    fn new() -> Self {
        let splitter = Splitter::new();
        let bytes = Vec::new();
        Self { splitter, bytes, begins_game: false, scanned: 0, games: 0, begins_line: true }
    }

    fn has_met_games(&self) -> bool {
        self.games > 0 || self.begins_game
    }

    /// Makes a block of a piece and what is before it, up to where its last game begins.
    fn take(mut self, raw: Raw, guess: Option<Guess>) -> (Block, Self) {
        let (more, follows, max_game) = (raw.more(), raw.follows, raw.max_game);
        let before = self.bytes.len();
        let (buffer, within) = raw.behind(mem::take(&mut self.bytes));
        let bytes = &buffer[within.clone()];
        let mut starts = self.split(bytes, before, more, guess);

        let end = bytes.len();
        let at = if follows == Follows::Piece { self.cut(&starts, max_game) } else { end };
        let broken = starts.last().filter(|start| {
            follows == Follows::Error && is_broken(&self.splitter, *start, end, max_game)
        });
        if let Some(start) = broken {
            starts.pop_from(start);
        }
        self.begins_game = starts.pop_from(at).is_some();
        self.scanned = self.scanned.max(at) - at;
        let games_before = self.games;
        self.games += starts.len() as u64;
        if at == 0 {
            self.bytes = buffer.into_vec(within);
            return (Block::default(), self);
        }
        let begins_line = self.begins_line;
        self.begins_line = begins_line_behind(&bytes[..at], begins_line);
        self.bytes = bytes[at..].to_vec();
        let within = within.start..within.start + at;
        let games_end = broken.unwrap_or(at);
        let block =
            Block { buffer, within, starts, games_end, games_before, max_game, begins_line };
        (block, self)
    }

    /// Up to where a block can be made, where more bytes follow.
    fn cut(&self, starts: &Starts, max_game: usize) -> usize {
        match starts.last() {
            Some(start) if start > 0 => start,
            Some(_) if self.scanned <= max_game => 0,
            // The middle of a long game, or text before the first one.
            Some(_) | None => self.scanned,
        }
    }

    /// Where games begin in `bytes`, of which so many were known before.
    fn split(&mut self, bytes: &[u8], before: usize, more: More, guess: Option<Guess>) -> Starts {
        let mut starts = Starts::default();
        if self.begins_game {
            starts.push_begun();
        }
        if let Some(Guess { line, state, starts: found, splitter, scanned }) = guess {
            let line = before + line.start..before + line.end;
            self.scanned =
                self.splitter.scan(&bytes[..line.end], self.scanned, More::Yes, &mut starts);
            let begins_there = starts.last() == Some(line.start);
            if begins_there && self.scanned == line.end && self.splitter == state {
                // What was found has it as well, with all its tags.
                starts.pop_from(line.start);
                starts.append(&found, before);
                (self.splitter, self.scanned) = (splitter, before + scanned);
                return starts;
            }
        }
        self.scanned = self.splitter.scan(bytes, self.scanned, more, &mut starts);
        starts
    }
}

#[cfg(test)]
mod tests;
