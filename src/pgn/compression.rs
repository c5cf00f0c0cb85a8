//! How a file is compressed, detected from its first bytes or from its name.

use std::{fs::File, io, io::Read, ops::RangeInclusive, path::Path};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
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

/// The number of bytes that [`Compression::of_magic`] looks at.
pub(super) const MAGIC_LENGTH: u64 = 6;

impl Compression {
    /// Detects the compression from the first [`MAGIC_LENGTH`] bytes of a file.
    pub(super) fn of_magic(magic: &[u8]) -> Self {
        match magic {
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'B', b'Z', b'h', ..] => Self::Bzip2,
            b"\xfd7zXZ\0" => Self::Xz,
            _ => Self::Plain,
        }
    }

    /// Detects the compression of a file from its content.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or read.
    pub fn of_file(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut magic = Vec::new();
        File::open(path)?.take(MAGIC_LENGTH).read_to_end(&mut magic)?;
        Ok(Self::of_magic(&magic))
    }

    /// The compression that the extension of a file's name stands for: `.gz`, `.bz2`, `.xz` or
    /// `.zst`. Any other name is [`Compression::Plain`].
    #[must_use]
    pub fn of_name(path: impl AsRef<Path>) -> Self {
        let extension = path.as_ref().extension().unwrap_or_default();
        match extension.to_string_lossy().to_lowercase().as_str() {
            "gz" => Self::Gzip,
            "bz2" => Self::Bzip2,
            "xz" => Self::Xz,
            "zst" => Self::Zstd,
            _ => Self::Plain,
        }
    }

    /// The levels that can be asked for; `None` for [`Compression::Plain`].
    #[must_use]
    pub fn levels(self) -> Option<RangeInclusive<u32>> {
        match self {
            Self::Plain => None,
            // A higher level of xz takes hundreds of MiB of memory.
            Self::Xz => Some(0..=6),
            Self::Gzip | Self::Bzip2 | Self::Zstd => Some(1..=9),
        }
    }

    /// The name of the program that compresses so: `gzip`, `bzip2`, `xz`, `zstd`; or `plain`.
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
}
