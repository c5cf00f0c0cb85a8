//! Compression into frames that can be told apart and unpacked side by side.
//!
//! The layout is that of `pzstd`: before each frame of zstd stands a skippable frame of 12 bytes
//! with its length. `zstd` and `pzstd` read it, and so does this crate.

use std::thread::{self, JoinHandle};
use std::{collections::VecDeque, io, io::Write, mem, num::NonZeroUsize};

use zstd::{bulk::Compressor, stream::raw::CParameter};

/// When an output consists of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Frames {
    /// If it is longer than 64 MiB before it is compressed.
    #[default]
    Long,
    /// Always.
    Always,
    /// Never: the output is one frame.
    Never,
}

/// The unpacked bytes of a frame, as with `pzstd` and its default level.
const FRAME: usize = 8 << 20;

/// Outputs that are not longer than this number of frames are one frame, unless frames are wanted.
const MAX_HELD: usize = 8;

/// More threads would take more memory than reading does.
const MAX_THREADS: usize = 4;

/// Compresses what is written to it, frame by frame, on several threads.
pub(super) struct FrameEncoder<W: Write> {
    out: W,
    level: i32,
    /// The frame that is being filled.
    frame: Vec<u8>,
    /// Whole frames, until it is known that the output is long; `None` from then on.
    held: Option<Vec<Vec<u8>>>,
    threads: usize,
    pending: VecDeque<JoinHandle<io::Result<Vec<u8>>>>,
}

/// Compresses into a single frame.
pub(super) fn one_frame<W: Write>(level: i32, out: W) -> io::Result<zstd::Encoder<'static, W>> {
    let mut encoder = zstd::Encoder::new(out, level)?;
    encoder.include_checksum(true)?;
    // The output is the same for any number above zero. The memory that each takes grows with the
    // level.
    encoder.multithread(if level <= 5 { 2 } else { 1 })?;
    Ok(encoder)
}

impl<W: Write> FrameEncoder<W> {
    pub(super) fn new(level: i32, frames: Frames, threads: NonZeroUsize, out: W) -> Self {
        Self {
            out,
            level,
            frame: Vec::new(),
            held: (frames == Frames::Long).then(Vec::new),
            threads: threads.get().min(MAX_THREADS),
            pending: VecDeque::new(),
        }
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let last = mem::take(&mut self.frame);
        if let Some(held) = self.held.take() {
            // The whole output is too short for frames.
            let mut encoder = one_frame(self.level, self.out)?;
            held.iter().chain([&last]).try_for_each(|part| encoder.write_all(part))?;
            return encoder.finish();
        }
        if !last.is_empty() {
            self.compress(last)?;
        }
        while !self.pending.is_empty() {
            self.write_next()?;
        }
        Ok(self.out)
    }

    /// Ends the frame, because there is more.
    fn end_frame(&mut self) -> io::Result<()> {
        let frame = mem::take(&mut self.frame);
        match &mut self.held {
            None => self.compress(frame),
            Some(held) => {
                held.push(frame);
                if held.len() < MAX_HELD {
                    return Ok(());
                }
                let held = self.held.take().unwrap_or_default();
                held.into_iter().try_for_each(|frame| self.compress(frame))
            }
        }
    }

    fn compress(&mut self, frame: Vec<u8>) -> io::Result<()> {
        while self.pending.len() >= self.threads {
            self.write_next()?;
        }
        let level = self.level;
        let thread = thread::Builder::new().name("frame".to_owned());
        self.pending.push_back(thread.spawn(move || compress(level, &frame))?);
        Ok(())
    }

    fn write_next(&mut self) -> io::Result<()> {
        let Some(thread) = self.pending.pop_front() else { return Ok(()) };
        let lost = |_| Err(io::Error::other("a thread that compresses panicked"));
        let frame = thread.join().unwrap_or_else(lost)?;
        let length = u32::try_from(frame.len()).map_err(io::Error::other)?;
        self.out.write_all(&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0])?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&frame)
    }
}

fn compress(level: i32, frame: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(level)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(frame)
}

impl<W: Write> Write for FrameEncoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A frame ends only when there is more, so none is empty.
        if self.frame.len() == FRAME && !bytes.is_empty() {
            self.end_frame()?;
        }
        let taken = bytes.len().min(FRAME - self.frame.len());
        if self.frame.is_empty() {
            self.frame.reserve_exact(FRAME);
        }
        self.frame.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Compression, Encoder, parts};

    /// Text that is not packed into nothing.
    fn text(length: usize) -> Vec<u8> {
        let mut seed = 1_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b"1. e4Nf3 "[(seed >> 24) as usize % 9]
        };
        let line: Vec<u8> = (0..5000).map(|_| next()).collect();
        line.iter().copied().cycle().take(length).collect()
    }

    fn packed(text: &[u8], frames: Frames, threads: usize) -> Vec<u8> {
        let threads = NonZeroUsize::new(threads).unwrap();
        let mut encoder =
            Encoder::framed(Compression::Zstd, Some(1), frames, threads, Vec::new()).unwrap();
        text.chunks(1_000_003).for_each(|part| encoder.write_all(part).unwrap());
        encoder.finish().unwrap()
    }

    fn frame_count(file: &Vec<u8>) -> usize {
        let (size, listing) = (parts::PartSize::Bytes(1), parts::Listing::Blocks);
        parts::split(file, file.len() as u64, size, listing).unwrap().parts.len()
    }

    #[test]
    fn long_outputs_are_frames_that_do_not_depend_on_the_threads() {
        let long = text(MAX_HELD * FRAME + FRAME);
        for (length, frames, count) in [
            (0, Frames::Long, 1),
            (MAX_HELD * FRAME, Frames::Long, 1),
            (MAX_HELD * FRAME + 1, Frames::Long, MAX_HELD + 1),
            (long.len(), Frames::Long, MAX_HELD + 1),
            (long.len(), Frames::Never, 1),
            (FRAME, Frames::Always, 1),
            (FRAME + 1, Frames::Always, 2),
        ] {
            let file = packed(&long[..length], frames, 1);
            assert_eq!(frame_count(&file), count, "{length} bytes, {frames:?}");
            assert!(packed(&long[..length], frames, 3) == file, "{length} bytes, {frames:?}");
            assert!(zstd::decode_all(&file[..]).unwrap() == long[..length]);
            let has_header = file.starts_with(&[0x50, 0x2a, 0x4d, 0x18]);
            assert_eq!(has_header, count > 1 || frames == Frames::Always, "{length} bytes");
        }
        let mut plain = Encoder::new(Compression::Zstd, Some(1), Vec::new()).unwrap();
        plain.write_all(&long[..FRAME]).unwrap();
        assert!(packed(&long[..FRAME], Frames::Long, 2) == plain.finish().unwrap());
    }
}
