//! Where tagged games go: a thread that packs and writes, beside the classifying.

use std::{
    fs::File,
    io::{self, BufWriter, Stdout, Write},
    ops::ControlFlow,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{self, JoinHandle},
};

use eco::{
    pgn::{Block, Encoder, Packing},
    tag::Edits,
};

/// Games are gathered to so many bytes before the operating system is asked to write them.
const BUFFER_SIZE: usize = 256 * 1024;

/// So many blocks wait to be written.
const WAITING: usize = 4;

/// A block, and the edits that are to be made in it.
pub(super) struct Edited {
    pub(super) block: Block,
    pub(super) edits: Edits,
}

impl Edited {
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.edits.pieces(self.block.bytes())
    }
}

/// What is written next.
enum Next {
    Games(Edited),
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

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// Writes blocks in the order in which they are sent.
pub(super) struct Writer {
    waiting: SyncSender<Next>,
    thread: JoinHandle<io::Result<Sink>>,
}

impl Writer {
    pub(super) fn new(sink: Sink, packing: Packing, level: Option<u32>) -> io::Result<Self> {
        let encoder = Encoder::new(packing, level, sink)?;
        let mut out = BufWriter::with_capacity(BUFFER_SIZE, encoder);
        let (waiting, received) = sync_channel(WAITING);
        let thread = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let mut last = b'\n';
            for next in received {
                match next {
                    Next::Games(games) => {
                        for piece in games.pieces() {
                            out.write_all(piece)?;
                            last = piece.last().copied().unwrap_or(last);
                        }
                    }
                    Next::LineEnd if last == b'\n' => {}
                    Next::LineEnd => {
                        out.write_all(b"\n")?;
                        last = b'\n';
                    }
                }
            }
            out.into_inner()?.finish()
        })?;
        Ok(Self { waiting, thread })
    }

    /// Sends a block; breaks when nothing can be written any more.
    pub(super) fn send(&self, games: Edited) -> ControlFlow<()> {
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
