//! Decompression and compression, each by the crate for its format.

use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroUsize;

use flate2::Crc;
use flate2::bufread::{DeflateDecoder, GzDecoder};
use liblzma::stream::{CONCATENATED, Stream};

use super::frame_encoder::{FrameEncoder, Frames, one_frame};
use super::{compression::Compression, text::Watched};

/// The memory of an xz decoder, nearly all of which is the dictionary that the file asks for:
/// twice that of `xz -9`. The decoder of zstd has a limit of its own, 128 MiB.
const XZ_MEMORY: u64 = (128 << 20) + (1 << 20);

/// Decompresses `input`. Several compressed files, one after the other, are read as one.
///
/// # Errors
///
/// If there is no memory for the decoder.
pub(super) fn decode(
    compression: Compression,
    input: impl BufRead + 'static,
) -> io::Result<Box<dyn Read>> {
    Ok(match compression {
        Compression::Plain => Box::new(input),
        Compression::Gzip => Box::new(GzipMembers::new(input)),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(input)),
        Compression::Xz => {
            let decoder = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED)?;
            let decoder = liblzma::bufread::XzDecoder::new_stream(input, decoder);
            Box::new(Watched::new(decoder, |_, result| result.map_err(of_xz)))
        }
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(input)?),
    })
}

/// Decompresses frames of a compression of which some are told apart. The decoder may change
/// threads.
pub(super) fn decode_frames(
    compression: Compression,
    input: impl BufRead + Send + 'static,
) -> io::Result<Box<dyn Read + Send>> {
    match compression {
        Compression::Gzip => Ok(Box::new(GzipMembers::new(input))),
        Compression::Zstd => Ok(Box::new(zstd::Decoder::with_buffer(input)?)),
        other => Err(io::Error::new(io::ErrorKind::Unsupported, other.name())),
    }
}

/// The members of a gzip file, one after the other. Zeros after a member are padding, as they
/// are for `gzip`: tapes and some servers fill up with them.
struct GzipMembers<R> {
    /// The member that is being read; `None` at the end.
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    fn new(input: R) -> Self {
        Self { decoder: Some(GzDecoder::new(input)) }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let has_more = skip_zeros(decoder.get_mut())?;
            let input = self.decoder.take().map(GzDecoder::into_inner);
            self.decoder = input.filter(|_| has_more).map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// Skips zeros, and returns whether anything follows.
fn skip_zeros(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        match bytes.iter().position(|byte| *byte != 0) {
            Some(zeros) => {
                input.consume(zeros);
                return Ok(true);
            }
            None => {
                let zeros = bytes.len();
                input.consume(zeros);
            }
        }
    }
}

/// An error of xz, which says which memory is limited.
fn of_xz(error: io::Error) -> io::Error {
    match error.get_ref().and_then(|cause| cause.downcast_ref()) {
        Some(liblzma::stream::Error::MemLimit) => {
            io::Error::other("it needs a dictionary of more than 128 MiB")
        }
        _ => error,
    }
}

/// How an entry of a zip archive is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryCompression {
    Stored,
    Deflated,
}

/// Decompresses an entry of a zip archive, and checks its checksum.
pub(super) fn decode_entry(
    compression: EntryCompression,
    expected: u32,
    input: impl BufRead + 'static,
) -> Box<dyn Read> {
    let mut crc = Crc::new();
    let check = move |buffer: &mut [u8], result: io::Result<usize>| {
        let count = result?;
        crc.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && crc.sum() != expected {
            let what = "the checksum of the entry does not match";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(count)
    };
    match compression {
        EntryCompression::Stored => Box::new(Watched::new(input, check)),
        EntryCompression::Deflated => Box::new(Watched::new(DeflateDecoder::new(input), check)),
    }
}

/// Compresses what is written to it. The stream is complete only after
/// [`finish`](Encoder::finish).
pub struct Encoder<W: Write>(Kind<W>);

enum Kind<W: Write> {
    Plain(W),
    Gzip(flate2::write::GzEncoder<W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(liblzma::write::XzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
    Frames(FrameEncoder<W>),
}

fn zstd_level(level: Option<u32>) -> i32 {
    level.and_then(|level| i32::try_from(level).ok()).unwrap_or(3)
}

impl<W: Write> Encoder<W> {
    /// Compresses into `out`. The level must be one of [`Compression::levels`]; without one,
    /// the default of the program of that name is taken.
    ///
    /// # Errors
    ///
    /// If there is no memory for the encoder.
    pub fn new(compression: Compression, level: Option<u32>, out: W) -> io::Result<Self> {
        Ok(Self(match compression {
            Compression::Plain => Kind::Plain(out),
            Compression::Gzip => {
                let level = flate2::Compression::new(level.unwrap_or(6));
                Kind::Gzip(flate2::write::GzEncoder::new(out, level))
            }
            Compression::Bzip2 => {
                let level = bzip2::Compression::new(level.unwrap_or(9));
                Kind::Bzip2(bzip2::write::BzEncoder::new(out, level))
            }
            Compression::Xz => Kind::Xz(liblzma::write::XzEncoder::new(out, level.unwrap_or(6))),
            Compression::Zstd => Kind::Zstd(one_frame(zstd_level(level), out)?),
        }))
    }

    /// Compresses as [`new`](Self::new) does, but an output of zstd consists of frames that can be
    /// unpacked side by side, as those of `pzstd` can. They are compressed on up to this number of
    /// threads, on which no byte depends.
    ///
    /// # Errors
    ///
    /// If there is no memory for the encoder.
    pub fn framed(
        compression: Compression,
        level: Option<u32>,
        frames: Frames,
        threads: NonZeroUsize,
        out: W,
    ) -> io::Result<Self> {
        if compression != Compression::Zstd || frames == Frames::Never {
            return Self::new(compression, level, out);
        }
        Ok(Self(Kind::Frames(FrameEncoder::new(zstd_level(level), frames, threads, out))))
    }

    /// Writes what is left, and returns what `new` was given.
    ///
    /// # Errors
    ///
    /// What the writer returns.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self.0 {
            Kind::Plain(out) => out,
            Kind::Gzip(encoder) => encoder.finish()?,
            Kind::Bzip2(encoder) => encoder.finish()?,
            Kind::Xz(encoder) => encoder.finish()?,
            Kind::Zstd(encoder) => encoder.finish()?,
            Kind::Frames(encoder) => encoder.finish()?,
        };
        out.flush()?;
        Ok(out)
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Kind::Plain(out) => out,
            Kind::Gzip(encoder) => encoder,
            Kind::Bzip2(encoder) => encoder,
            Kind::Xz(encoder) => encoder,
            Kind::Zstd(encoder) => encoder,
            Kind::Frames(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_compression_is_read_back() {
        let bytes = b"[White \"x\"]\n\n1. e4 c5 *\n".repeat(1000);
        for (name, level) in [
            ("g.pgn", None),
            ("g.pgn.gz", None),
            ("g.PGN.GZ", Some(1)),
            ("g.bz2", Some(9)),
            ("g.xz", Some(0)),
            ("g.zst", None),
            ("g.zst", Some(9)),
        ] {
            let compression = Compression::of_name(name);
            let mut encoder = Encoder::new(compression, level, Vec::new()).unwrap();
            encoder.write_all(&bytes).unwrap();
            let compressed = encoder.finish().unwrap();
            assert_eq!(Compression::of_magic(&compressed[..6]), compression, "{name}");
            let mut read = Vec::new();
            let input = io::Cursor::new(compressed);
            decode(compression, input).unwrap().read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{name}");
        }
    }
}
