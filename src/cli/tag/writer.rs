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
    last: Option<u8>,
}

impl Writer {
    pub(super) fn new(sink: Sink, packing: Packing, level: Option<u32>) -> io::Result<Self> {
        let encoder = Encoder::new(packing, level, sink)?;
        let mut out = BufWriter::with_capacity(BUFFER_SIZE, encoder);
        let (waiting, received) = sync_channel(WAITING);
        let thread = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            for next in received {
                match next {
                    Next::Games(games) => {
                        games.pieces().try_for_each(|piece| out.write_all(piece))?;
                    }
                    Next::LineEnd => out.write_all(b"\n")?,
                }
            }
            out.into_inner()?.finish()
        })?;
        Ok(Self { waiting, thread, last: None })
    }

    /// Sends a block; breaks when nothing can be written any more.
    pub(super) fn send(&mut self, games: Edited) -> ControlFlow<()> {
        let last = games.pieces().last().and_then(<[u8]>::last);
        self.last = last.copied().or(self.last);
        self.wait(Next::Games(games))
    }

    fn wait(&mut self, next: Next) -> ControlFlow<()> {
        match self.waiting.send(next) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Ends the line, so that another file can follow.
    pub(super) fn end_line(&mut self) -> ControlFlow<()> {
        match self.last {
            None | Some(b'\n') => ControlFlow::Continue(()),
            Some(_) => {
                self.last = Some(b'\n');
                self.wait(Next::LineEnd)
            }
        }
    }

    /// Waits until everything is written.
    pub(super) fn finish(self) -> io::Result<Sink> {
        drop(self.waiting);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the writer broke down")))
    }
}
