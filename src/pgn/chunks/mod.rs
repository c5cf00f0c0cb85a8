//! A stream of PGN, cut into blocks of whole games by the threads that work on them.
//!
//! The thread that reads the stream cuts it into [`Chunks`], without looking at most of them; those
//! of a plain file are read later, by the threads that work on them (`plain_file.rs`). A [`Chunk`]
//! becomes a [`Block`] on the thread that works on it, in three steps:
//!
//! 1. The chunk is split on speculation, from the first line at which a game is likely to begin, as
//!    if the stream began there.
//! 2. The chunk before hands over what it knows: the state of its splitter, and the bytes of its
//!    last game, which goes on here. That splitter goes on over this chunk, up to the likely line
//!    and past it. If it is then in the same state as the speculative one was there, and took the
//!    line for the start of a game as well, the speculative result is right, because the same state
//!    finds the same in the same bytes. Otherwise the chunk is split again, from the state that was
//!    handed over.
//! 3. What is known now goes to the next chunk.
//!
//! So speculation decides only how long the next chunks wait, never what a game is. It succeeds
//! with ordinary files for one reason: a tag that begins a game leaves nothing of the state before.
//! Files without tags, or with none in export format, are split one chunk after the other.
//!
//! No chunk can wait for ever: see `link.rs`.

mod carry;
mod link;
mod plain_file;
mod unpacker;

use std::{collections::VecDeque, io, io::Read, mem, sync::Arc};

pub use self::carry::PushReader;
use self::carry::{Carry, Follows, Raw, read_chunk};
use self::link::{Link, LinkHandle, Pending};
use self::plain_file::PlainChunks;
use self::unpacker::{Shared, Unpacker};
use super::compression::Compression;
use super::game::{Block, BlockOptions};
use super::{buffers::Buffers, source::shared_file::SharedFile, text::is_text};

/// Reads a stream chunk by chunk.
///
/// The blocks of the chunks, one after the other, are the stream, byte for byte.
///
/// The iterator returns an error at most once, as its last item. Before the error come all bytes
/// that were read. The game in which the error occurred is left out, unless it has its result.
/// Chunks of a plain file ([`Stream::into_chunks`](super::source::Stream::into_chunks)) are read
/// when they become blocks. Before it ends, the iterator reads those that nobody has begun, and
/// waits until those that other threads have begun are split. What is dropped unread has no error.
///
/// ```
/// use eco::pgn::{BlockOptions, Chunks};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 c5 *\n";
/// let mut count = 0;
/// for chunk in Chunks::new(&pgn[..], BlockOptions::default()) {
///     count += chunk?.into_block().game_count();
/// }
/// assert_eq!(count, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Chunks<R> {
    input: Input<R>,
    options: BlockOptions,
    buffers: Buffers,
    before: Before,
    /// The links of chunks of a file that may still be unread, in their order.
    unread: VecDeque<Arc<Link>>,
    end: Option<io::Result<()>>,
    has_text: bool,
}

/// Where the bytes come from.
enum Input<R> {
    Stream(R),
    Plain(PlainChunks),
    Frames(Unpacker),
}

/// Where the next chunk finds what it needs of those before it.
enum Before {
    /// Here, since no game has begun yet. Chunks are split at once until one has, so that it is
    /// known at the end whether there was a game at all.
    NoGame(Carry),
    /// In the link of the last chunk.
    Link(Arc<Link>),
}

impl<R: Read> Chunks<R> {
    /// Chunks of [`BlockOptions::block_size`] bytes of what `reader` returns. The reader needs no
    /// buffer of its own.
    pub fn new(reader: R, options: BlockOptions) -> Self {
        Self::in_buffers(reader, options, &Buffers::default())
    }

    /// As [`new`](Self::new), in the buffers of earlier streams.
    pub fn in_buffers(reader: R, options: BlockOptions, buffers: &Buffers) -> Self {
        Self::of_input(Input::Stream(reader), options, buffers)
    }

    /// The chunks of a file that the threads that work on them read, or whose frames they unpack.
    /// Of a plain one, this number of bytes counts as read.
    pub(super) fn of_file(
        file: SharedFile,
        peeked: u64,
        options: BlockOptions,
        buffers: &Buffers,
    ) -> Self {
        let input = match file.compression {
            Compression::Plain => Input::Plain(PlainChunks::new(file, peeked, options, buffers)),
            _ => Input::Frames(Unpacker::new(file, buffers, options.block_size)),
        };
        Self::of_input(input, options, buffers)
    }

    /// The chunks of the rest of a stream, from this offset on.
    pub(super) fn starting_at(mut self, offset: u64) -> Self {
        self.before = Before::NoGame(Carry::new(offset));
        self
    }

    fn of_input(input: Input<R>, options: BlockOptions, buffers: &Buffers) -> Self {
        Self {
            input,
            options,
            buffers: buffers.clone(),
            before: Before::NoGame(Carry::new(0)),
            unread: VecDeque::new(),
            end: None,
            has_text: false,
        }
    }

    /// The blocks of the stream, made on this thread.
    pub fn blocks(self) -> impl Iterator<Item = io::Result<Block>> {
        self.map(|chunk| chunk.map(Chunk::into_block))
    }

    /// Whether the chunks so far hold something other than blanks, but no game, not even one that
    /// is left out because the stream broke off in it.
    pub fn has_only_text(&self) -> bool {
        self.has_text && matches!(self.before, Before::NoGame(_))
    }

    /// The next chunk, read unless that is for the thread that works on it.
    fn next_pending(&mut self) -> Pending {
        match &mut self.input {
            Input::Plain(chunks) if chunks.is_next_whole() => Pending::Unread(chunks.next()),
            _ => Pending::Ready(self.read()),
        }
    }

    fn read(&mut self) -> Raw {
        let (buffer, end, stream_end) = match &mut self.input {
            Input::Stream(reader) => read_chunk(&self.buffers, self.options, reader),
            Input::Plain(chunks) => return chunks.next().read(),
            Input::Frames(unpacker) => unpacker.read(self.options),
        };
        let follows = Follows::at(stream_end.as_ref());
        self.end = stream_end;
        Raw { buffer, end, follows, max_game: self.options.max_game }
    }

    fn next_chunk(&mut self) -> Chunk {
        let chunk = self.next_pending();
        let link = match mem::replace(&mut self.before, Before::NoGame(Carry::new(0))) {
            Before::Link(before) => {
                let is_unread = matches!(chunk, Pending::Unread(_));
                let link = Link::waiting(chunk, before);
                if is_unread {
                    while self.unread.pop_front_if(|link| link.is_read()).is_some() {}
                    self.unread.push_back(Arc::clone(&link));
                }
                self.before = Before::Link(Arc::clone(&link));
                link
            }
            Before::NoGame(mut carry) => {
                let block = carry.take(chunk.read(), None);
                self.has_text = self.has_text || block.bytes().iter().any(|b| is_text(*b));
                self.before = match carry.has_met_games() {
                    true => Before::Link(Link::done(None, Some(carry))),
                    false => Before::NoGame(carry),
                };
                Link::done(Some(block), None)
            }
        };
        let unpacker = match &self.input {
            Input::Stream(_) | Input::Plain(_) => None,
            Input::Frames(unpacker) => Some(Arc::clone(&unpacker.shared)),
        };
        Chunk { link: LinkHandle(link), unpacker }
    }

    /// Whether no chunk follows.
    fn is_at_end(&self) -> bool {
        let is_file_at_end = match &self.input {
            Input::Plain(chunks) => chunks.has_end(),
            _ => false,
        };
        self.end.is_some() || is_file_at_end
    }

    /// How the stream ends. It says so once.
    fn take_end(&mut self) -> io::Result<()> {
        let end = self.end.replace(Ok(())).unwrap_or(Ok(()));
        let Input::Plain(chunks) = &self.input else { return end };
        self.unread.drain(..).for_each(|link| link.read());
        chunks.take_end()
    }
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<io::Result<Chunk>> {
        if self.is_at_end() { self.take_end().err().map(Err) } else { Some(Ok(self.next_chunk())) }
    }
}

/// A chunk of a stream that is to become a block.
pub struct Chunk {
    link: LinkHandle,
    /// What else there is to unpack.
    unpacker: Option<Arc<Shared>>,
}

impl Chunk {
    /// The block of the games that end in this chunk.
    ///
    /// Chunks may become blocks on any thread and in any order. It is fastest in their own order,
    /// since a block depends on the chunks before it: this function waits for those that other
    /// threads work on, and reads and splits those that no thread has begun. If a chunk before is
    /// dropped instead, the block is empty.
    pub fn into_block(self) -> Block {
        if let Some(unpacker) = &self.unpacker {
            unpacker.help();
        }
        self.link.into_block()
    }
}

#[cfg(test)]
#[cfg(feature = "codecs")]
mod frames_tests;
#[cfg(test)]
mod plain_file_tests;
#[cfg(test)]
mod tests;
