//! How a file is compressed, detected from its first bytes or from its name.

use std::path::{Path, PathBuf};
use std::{fs::File, io, io::Read, ops::RangeInclusive};

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

/// Each compression with the name of its program and the extension of its files.
const PACKED: [(Compression, &str, &str); 4] = [
    (Compression::Gzip, "gzip", "gz"),
    (Compression::Bzip2, "bzip2", "bz2"),
    (Compression::Xz, "xz", "xz"),
    (Compression::Zstd, "zstd", "zst"),
];

/// Whether the first bytes of a file are those of a zip archive.
pub(super) fn is_zip(magic: &[u8]) -> bool {
    magic.starts_with(b"PK\x03\x04")
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
    pub fn of_name(path: impl AsRef<Path>) -> Self {
        let extension = path.as_ref().extension().unwrap_or_default();
        let named = PACKED.into_iter().find(|(_, _, end)| extension.eq_ignore_ascii_case(end));
        named.map_or(Self::Plain, |(compression, ..)| compression)
    }

    /// The name of a file without the extension that stands for its compression.
    pub fn unpacked_name(path: &Path) -> PathBuf {
        match Self::of_name(path) {
            Self::Plain => path.to_owned(),
            _ => path.with_extension(""),
        }
    }

    /// The extensions that stand for a compression.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        PACKED.into_iter().map(|(_, _, extension)| extension)
    }

    /// The levels that can be asked for; `None` for [`Compression::Plain`].
    pub fn levels(self) -> Option<RangeInclusive<u32>> {
        match self {
            Self::Plain => None,
            // A higher level of xz takes hundreds of MiB of memory.
            Self::Xz => Some(0..=6),
            Self::Gzip | Self::Bzip2 | Self::Zstd => Some(1..=9),
        }
    }

    /// The name of the program that compresses so: `gzip`, `bzip2`, `xz`, `zstd`; or `plain`.
    pub fn name(self) -> &'static str {
        let packed = PACKED.into_iter().find(|(compression, ..)| *compression == self);
        packed.map_or("plain", |(_, name, _)| name)
    }
}
