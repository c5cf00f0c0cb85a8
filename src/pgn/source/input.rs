//! What a user names as input.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

#[cfg(feature = "codecs")]
use super::part::Part;

/// One file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, `-` on a command line.
    Stdin,
    /// A part of a file.
    #[cfg(feature = "codecs")]
    Part(PathBuf, Part),
}

impl Source {
    /// The name of the source in reports and errors. Two sources never share one: a byte that is
    /// not UTF-8 is U+FFFD and two hexadecimal digits.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => name_of(path),
            Self::Stdin => "-".to_owned(),
            #[cfg(feature = "codecs")]
            Self::Part(path, _) => name_of(path),
        }
    }

    /// Its size in bytes as it is stored, if that is known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::File(path) => {
                std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|m| m.len())
            }
            Self::Stdin => None,
            #[cfg(feature = "codecs")]
            Self::Part(_, part) => Some(part.length),
        }
    }
}

fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            write!(name, "{}{byte:02x}", char::REPLACEMENT_CHARACTER)
                .expect("a string takes every text");
        }
    }
    name
}

#[cfg(all(test, unix))]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;

    #[test]
    fn names_that_differ_in_bad_bytes_only_differ() {
        for (bytes, name) in [
            (&b"d/g.pgn"[..], "d/g.pgn"),
            ("M\u{fc}ller.pgn".as_bytes(), "M\u{fc}ller.pgn"),
            (b"M\xfcller.pgn", "M\u{fffd}fcller.pgn"),
            (b"M\xf6ller.pgn", "M\u{fffd}f6ller.pgn"),
            (b"\xe2\x82.pgn", "\u{fffd}e2\u{fffd}82.pgn"),
        ] {
            assert_eq!(Source::File(OsStr::from_bytes(bytes).into()).name(), name);
        }
    }
}
