//! A stream of PGN, read block by block.

use std::io::{self, Read};

use super::{
    block::{Block, BlockOptions},
    push_reader::{PushReader, StreamEnd},
};

/// Reads a stream block by block. [`Chunks`](super::Chunks) do the same on several threads.
///
/// The iterator returns an error at most once, as its last item. Before the error come all bytes
/// that were read. The game in which the error occurred is left out, unless it has its result.
#[derive(Debug)]
pub struct Blocks<R> {
    reader: R,
    parts: PushReader,
    end: Option<io::Result<()>>,
}

impl<R: Read> Blocks<R> {
    /// The blocks of what `reader` returns. The reader needs no buffer of its own.
    pub fn new(reader: R, options: BlockOptions) -> Self {
        Self { reader, parts: PushReader::new(options), end: None }
    }

    /// Reads until the next block can be tried, or the stream ends.
    fn fill(&mut self) {
        let missing = self.parts.missing();
        self.parts.buffer.reserve(missing);
        let mut part = (&mut self.reader).take(missing as u64);
        // Bytes before an error stay in the buffer, as `read_to_end` promises.
        self.end = match part.read_to_end(&mut self.parts.buffer) {
            Ok(count) if count < missing => Some(Ok(())),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
    }

    fn next_block(&mut self) -> Block {
        loop {
            if self.parts.missing() > 0 {
                self.fill();
            }
            match &self.end {
                Some(Ok(())) => return self.parts.last_block(StreamEnd::Complete),
                Some(Err(_)) => return self.parts.last_block(StreamEnd::Failed),
                None => {}
            }
            if let Some(block) = self.parts.next_block() {
                return block;
            }
        }
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = io::Result<Block>;

    fn next(&mut self) -> Option<io::Result<Block>> {
        match &mut self.end {
            None => Some(Ok(self.next_block())),
            Some(end) => {
                let error = std::mem::replace(end, Ok(())).err();
                error.map(Err)
            }
        }
    }
}
