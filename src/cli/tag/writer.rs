//! Where tagged games go: a thread that packs and writes, beside the classifying.

use std::{
    fs::File,
    io::{self, BufWriter, ErrorKind, IoSlice, Stdout, Write},
    ops::ControlFlow,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use eco::{
    pgn::{Compression, Encoder},
    tag::TaggedBlock,
};

/// Games are gathered to so many bytes before they are packed.
const BUFFER_SIZE: usize = 256 * 1024;

/// So many blocks wait to be written.
const WAITING: usize = 4;

/// What is written next.
enum Next {
    Games(TaggedBlock),
    /// A line end, unless a line has just ended.
    LineEnd,
}

/// The end of the way.
pub(super) enum Sink {
    File(File),
    Stdout(Stdout),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write_vectored(pieces),
            Self::Stdout(stdout) => stdout.write_vectored(pieces),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// How games get to the sink.
enum Way {
    /// As they are: the operating system takes every piece from where it is, which saves a copy of all.
    Straight(Sink),
    /// Packed, which is better done with more than a piece at a time.
    Packed(Box<BufWriter<Encoder<Sink>>>),
}

impl Way {
    fn new(sink: Sink, compression: Compression, level: Option<u32>) -> io::Result<Self> {
        if compression == Compression::Plain {
            return Ok(Self::Straight(sink));
        }
        let encoder = Encoder::new(compression, level, sink)?;
        Ok(Self::Packed(Box::new(BufWriter::with_capacity(BUFFER_SIZE, encoder))))
    }

    fn write<'p>(&mut self, mut pieces: impl Iterator<Item = &'p [u8]>) -> io::Result<()> {
        match self {
            Self::Straight(sink) => {
                write_all(sink, &mut pieces.map(IoSlice::new).collect::<Vec<_>>())
            }
            Self::Packed(out) => pieces.try_for_each(|piece| out.write_all(piece)),
        }
    }

    fn finish(self) -> io::Result<Sink> {
        match self {
            Self::Straight(mut sink) => sink.flush().map(|()| sink),
            Self::Packed(out) => out.into_inner()?.finish(),
        }
    }
}

/// Writes pieces, none of which is empty.
fn write_all(sink: &mut impl Write, mut pieces: &mut [IoSlice<'_>]) -> io::Result<()> {
    while !pieces.is_empty() {
        match sink.write_vectored(pieces) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut pieces, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes blocks in the order in which they are sent.
pub(super) struct Writer {
    waiting: SyncSender<Next>,
    thread: JoinHandle<io::Result<Sink>>,
}

impl Writer {
    pub(super) fn new(
        sink: Sink,
        compression: Compression,
        level: Option<u32>,
    ) -> io::Result<Self> {
        let mut way = Way::new(sink, compression, level)?;
        let (waiting, received) = sync_channel(WAITING);
        let thread = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let mut last = b'\n';
            for next in received {
                match next {
                    Next::Games(games) => {
                        let pieces = games.chunks().inspect(|piece| {
                            last = piece.last().copied().unwrap_or(last);
                        });
                        way.write(pieces)?;
                    }
                    Next::LineEnd if last == b'\n' => {}
                    Next::LineEnd => {
                        way.write([&b"\n"[..]].into_iter())?;
                        last = b'\n';
                    }
                }
            }
            way.finish()
        })?;
        Ok(Self { waiting, thread })
    }

    /// Sends a block; breaks when nothing can be written any more.
    pub(super) fn send(&self, games: TaggedBlock) -> ControlFlow<()> {
        self.wait(Next::Games(games))
    }

    /// Ends the line, so that another file can follow.
    pub(super) fn end_line(&self) -> ControlFlow<()> {
        self.wait(Next::LineEnd)
    }

    fn wait(&self, next: Next) -> ControlFlow<()> {
        match self.waiting.send(next) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Waits until everything is written.
    pub(super) fn finish(self) -> io::Result<Sink> {
        drop(self.waiting);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the writer broke down")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes at once, and is interrupted every other time.
    struct Slow {
        most: usize,
        taken: Vec<u8>,
        is_interrupted: bool,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.write_vectored(&[IoSlice::new(bytes)])
        }

        fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let bytes = pieces.iter().flat_map(|piece| piece.iter()).copied();
            let before = self.taken.len();
            self.taken.extend(bytes.take(self.most));
            Ok(self.taken.len() - before)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn pieces_are_written_whole_however_few_bytes_are_taken_at_once() {
        let pieces = ["[ECO", " \"B20\"]\n", "\n", "1. e4 c5", " *"].map(str::as_bytes);
        let written = |most| {
            let mut slow = Slow { most, taken: Vec::new(), is_interrupted: false };
            let written = write_all(&mut slow, &mut pieces.map(IoSlice::new));
            (written.map_err(|error| error.kind()), slow.taken)
        };
        for most in 1..30 {
            assert_eq!(written(most), (Ok(()), pieces.concat()), "{most} bytes at once");
        }
        assert_eq!(written(0), (Err(ErrorKind::WriteZero), Vec::new()));
    }
}
