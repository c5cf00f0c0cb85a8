//! Writing tagged games: a thread that compresses and writes while others classify.

use std::{
    io::{self, BufWriter, ErrorKind, IoSlice, Write},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use eco::{
    pgn::{Compression, Encoder, source::LineEnds},
    tag::TaggedBlock,
};

use crate::cli::args::Packing;

/// The number of bytes that are gathered before they are compressed.
const BUFFER_SIZE: usize = 256 * 1024;

/// The number of blocks that may wait to be written.
const QUEUE_LENGTH: usize = 4;

/// Standard output, or a file.
pub(super) type Destination = Box<dyn Write + Send>;

/// How games get to their destination.
enum Output {
    /// As they are. The operating system takes each chunk from where it is, which saves a copy.
    Plain(Destination),
    /// Compressed, which works best with much at a time.
    Compressed(Box<BufWriter<Encoder<Destination>>>),
}

impl Output {
    fn new(
        destination: Destination,
        compression: Compression,
        packing: Packing,
    ) -> io::Result<Self> {
        if compression == Compression::Plain {
            return Ok(Self::Plain(destination));
        }
        let encoder = packing.encoder(compression, destination)?;
        Ok(Self::Compressed(Box::new(BufWriter::with_capacity(BUFFER_SIZE, encoder))))
    }

    fn write<'c>(&mut self, mut chunks: impl Iterator<Item = &'c [u8]>) -> io::Result<()> {
        match self {
            Self::Plain(out) => write_all(out, &mut chunks.map(IoSlice::new).collect::<Vec<_>>()),
            Self::Compressed(out) => chunks.try_for_each(|chunk| out.write_all(chunk)),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            Self::Compressed(out) => out.into_inner()?.finish().map(drop),
        }
    }
}

/// Writes chunks, none of which is empty.
fn write_all(out: &mut impl Write, mut chunks: &mut [IoSlice<'_>]) -> io::Result<()> {
    while !chunks.is_empty() {
        match out.write_vectored(chunks) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut chunks, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// An item for the writing thread.
enum Item {
    Games(Box<TaggedBlock>, LineEnds),
    /// A line end, unless a line has just ended.
    LineEnd,
}

/// Writes blocks in the order in which they are sent.
pub(super) struct Writer {
    /// `None` once the writing thread has ended, and its error was returned.
    running: Option<Running>,
}

struct Running {
    queue: SyncSender<Item>,
    thread: JoinHandle<io::Result<()>>,
}

impl Writer {
    pub(super) fn new(
        destination: Destination,
        compression: Compression,
        packing: Packing,
    ) -> io::Result<Self> {
        let output = Output::new(destination, compression, packing)?;
        let (queue, items) = sync_channel(QUEUE_LENGTH);
        let thread = thread::Builder::new().name("writer".to_owned());
        let thread = thread.spawn(move || write_items(items, output))?;
        Ok(Self { running: Some(Running { queue, thread }) })
    }

    /// Sends a block.
    ///
    /// # Errors
    ///
    /// If a block before it could not be written.
    pub(super) fn send(&mut self, games: TaggedBlock, line_ends: LineEnds) -> io::Result<()> {
        self.push(Item::Games(Box::new(games), line_ends))
    }

    /// Ends the line, so that another file can follow.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        self.push(Item::LineEnd)
    }

    fn push(&mut self, item: Item) -> io::Result<()> {
        let has_ended =
            self.running.as_ref().is_none_or(|running| running.queue.send(item).is_err());
        if has_ended { self.end().and(Err(ErrorKind::BrokenPipe.into())) } else { Ok(()) }
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    ///
    /// If something could not be written, unless an error was returned before.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        let Some(Running { queue, thread }) = self.running.take() else { return Ok(()) };
        drop(queue);
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked")))
    }
}

fn write_items(items: Receiver<Item>, mut output: Output) -> io::Result<()> {
    let mut last = b'\n';
    for item in items {
        match item {
            Item::Games(games, line_ends) if line_ends != LineEnds::LineFeed => {
                let mut bytes = games.chunks().collect::<Vec<_>>().concat();
                last = bytes.last().copied().unwrap_or(last);
                line_ends.restore(&mut bytes);
                output.write([&bytes[..]].into_iter().filter(|bytes| !bytes.is_empty()))?;
            }
            Item::Games(games, _) => {
                let chunks = games.chunks();
                output
                    .write(chunks.inspect(|chunk| last = chunk.last().copied().unwrap_or(last)))?;
            }
            Item::LineEnd if last == b'\n' => {}
            Item::LineEnd => {
                output.write([&b"\n"[..]].into_iter())?;
                last = b'\n';
            }
        }
    }
    output.finish()
}
#[cfg(test)]
mod tests {
    use super::*;

    /// Takes at most this number of bytes at once, and is interrupted every other time.
    struct Slow {
        most: usize,
        taken: Vec<u8>,
        is_interrupted: bool,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.write_vectored(&[IoSlice::new(bytes)])
        }

        fn write_vectored(&mut self, chunks: &[IoSlice<'_>]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let bytes = chunks.iter().flat_map(|chunk| chunk.iter()).copied();
            let before = self.taken.len();
            self.taken.extend(bytes.take(self.most));
            Ok(self.taken.len() - before)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn chunks_are_written_whole_however_few_bytes_are_taken_at_once() {
        let chunks = ["[ECO", " \"B20\"]\n", "\n", "1. e4 c5", " *"].map(str::as_bytes);
        let written = |most| {
            let mut slow = Slow { most, taken: Vec::new(), is_interrupted: false };
            let written = write_all(&mut slow, &mut chunks.map(IoSlice::new));
            (written.map_err(|error| error.kind()), slow.taken)
        };
        for most in 1..30 {
            assert_eq!(written(most), (Ok(()), chunks.concat()), "{most} bytes at once");
        }
        assert_eq!(written(0), (Err(ErrorKind::WriteZero), Vec::new()));
    }
}
