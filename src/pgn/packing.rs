//! Compressed files: told by their first bytes or by their name, unpacked and packed.

use std::{
    io::{self, BufRead, Read, Write},
    ops::RangeInclusive,
    path::Path,
};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip.
    Gzip,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// zstd.
    Zstd,
}

/// Zstd packs in jobs that may run beside each other. Their number does not change what comes out, as
/// long as there is one. Each takes memory that grows with the level.
fn zstd_workers(level: i32) -> u32 {
    if level <= 5 { 2 } else { 1 }
}

impl Packing {
    /// What the first six bytes of a file say.
    pub(super) fn of_magic(magic: &[u8]) -> Self {
        match magic {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'B', b'Z', b'h', ..] => Self::Bzip2,
            b"\xfd7zXZ\0" => Self::Xz,
            _ => Self::Plain,
        }
    }

    /// What the first bytes of a file say.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut magic = Vec::new();
        std::fs::File::open(path)?.take(6).read_to_end(&mut magic)?;
        Ok(Self::of_magic(&magic))
    }

    /// What the end of a file's name says: `.gz`, `.bz2`, `.xz`, `.zst`.
    #[must_use]
    pub fn of_name(path: &Path) -> Self {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "gz" => Self::Gzip,
            "bz2" => Self::Bzip2,
            "xz" => Self::Xz,
            "zst" => Self::Zstd,
            _ => Self::Plain,
        }
    }

    /// The levels that can be asked for; `None` if there are none.
    #[must_use]
    pub fn levels(self) -> Option<RangeInclusive<u32>> {
        match self {
            Self::Plain => None,
            Self::Gzip | Self::Bzip2 => Some(1..=9),
            // Beyond that memory is counted in hundreds of MiB.
            Self::Xz => Some(0..=6),
            Self::Zstd => Some(1..=9),
        }
    }

    /// What the program is called that packs so.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }

    /// Unpacks `input`; several files packed one after the other are one.
    pub(super) fn decoder(self, input: impl BufRead + 'static) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::Plain => Box::new(input),
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(input)),
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(input)),
            Self::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(input)),
            Self::Zstd => Box::new(zstd::Decoder::with_buffer(input)?),
        })
    }
}

/// Packs what is written to it. It must be finished.
pub struct Encoder<W: Write>(Kind<W>);

enum Kind<W: Write> {
    Plain(W),
    Gzip(flate2::write::GzEncoder<W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(liblzma::write::XzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Encoder<W> {
    /// Packs into `out`; without a level as the programs of that name do. The level must be one of
    /// [`Packing::levels`].
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn new(packing: Packing, level: Option<u32>, out: W) -> io::Result<Self> {
        Ok(Self(match packing {
            Packing::Plain => Kind::Plain(out),
            Packing::Gzip => {
                let level = flate2::Compression::new(level.unwrap_or(6));
                Kind::Gzip(flate2::write::GzEncoder::new(out, level))
            }
            Packing::Bzip2 => {
                let level = bzip2::Compression::new(level.unwrap_or(9));
                Kind::Bzip2(bzip2::write::BzEncoder::new(out, level))
            }
            Packing::Xz => Kind::Xz(liblzma::write::XzEncoder::new(out, level.unwrap_or(6))),
            Packing::Zstd => {
                let level = level.and_then(|level| i32::try_from(level).ok()).unwrap_or(3);
                let mut encoder = zstd::Encoder::new(out, level)?;
                encoder.include_checksum(true)?;
                encoder.multithread(zstd_workers(level))?;
                Kind::Zstd(encoder)
            }
        }))
    }

    /// Writes what is left, and gives back where it went.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self.0 {
            Kind::Plain(out) => out,
            Kind::Gzip(encoder) => encoder.finish()?,
            Kind::Bzip2(encoder) => encoder.finish()?,
            Kind::Xz(encoder) => encoder.finish()?,
            Kind::Zstd(encoder) => encoder.finish()?,
        };
        out.flush()?;
        Ok(out)
    }

    fn out(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Kind::Plain(out) => out,
            Kind::Gzip(encoder) => encoder,
            Kind::Bzip2(encoder) => encoder,
            Kind::Xz(encoder) => encoder,
            Kind::Zstd(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
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
            let packing = Packing::of_name(Path::new(name));
            let mut encoder = Encoder::new(packing, level, Vec::new()).unwrap();
            encoder.write_all(&bytes).unwrap();
            let packed = encoder.finish().unwrap();
            assert_eq!(Packing::of_magic(&packed[..6]), packing, "{name}");
            let mut unpacked = Vec::new();
            packing.decoder(io::Cursor::new(packed)).unwrap().read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == bytes, "{name}");
        }
    }
}
