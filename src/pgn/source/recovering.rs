//! A decoder that gives every byte before the damage.
//!
//! Decoders drop what they have decompressed in the call in which they find the stream damaged. So
//! a damaged file is decompressed a second time, from the byte where the first time ended one byte
//! at a time. An input that cannot be opened again is decompressed in small steps from the
//! beginning, so that no more than one step is lost.

use std::io::{self, Read};

/// Opens the input again, from its beginning.
type Reopen = Box<dyn Fn() -> io::Result<Box<dyn Read>>>;

/// The number of bytes requested at once from an input that cannot be opened again.
const SMALL_STEP: usize = 4 * 1024;

/// The number of bytes before the damage that are decompressed one at a time.
const LAST_BYTES: u64 = 64 * 1024;

pub(super) struct RecoveringReader {
    reader: Box<dyn Read>,
    /// The number of bytes that were read.
    delivered: u64,
    reopen: Option<Reopen>,
    /// The most bytes that are asked for at once.
    step: usize,
}

impl RecoveringReader {
    /// Reads an input that can be opened again.
    pub(super) fn reopening(reader: Box<dyn Read>, reopen: Reopen) -> Self {
        Self { reader, delivered: 0, reopen: Some(reopen), step: usize::MAX }
    }

    /// Reads an input that cannot be opened again.
    pub(super) fn stepping(reader: Box<dyn Read>) -> Self {
        Self { reader, delivered: 0, reopen: None, step: SMALL_STEP }
    }

    fn begin_again(&mut self, reopen: &Reopen) -> io::Result<()> {
        self.reader = reopen()?;
        self.step = 1;
        // What comes right before the damage is read in small steps now too: where a checksum is
        // wrong, a decoder drops all that it is asked for together with the end of the frame.
        let last = self.delivered.min(LAST_BYTES);
        let reader = &mut self.reader;
        io::copy(&mut reader.take(self.delivered - last), &mut io::sink())?;
        (0..last).try_for_each(|_| reader.read_exact(&mut [0]))
    }
}

impl Read for RecoveringReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(self.step);
        match self.reader.read(&mut buffer[..len]) {
            Ok(count) => {
                self.delivered += count as u64;
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => match self.reopen.take() {
                Some(reopen) => {
                    self.begin_again(&reopen)?;
                    self.read(buffer)
                }
                None => Err(error),
            },
        }
    }
}
