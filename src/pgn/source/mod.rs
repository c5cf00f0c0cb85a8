//! Where PGN comes from: files, folders and standard input, plain or compressed.
//!
//! The compression is detected from the first bytes, not from the name. A damaged stream gives
//! every byte before the damage and then an error, to which [`StreamPosition::broken`] adds the
//! name of the file and the offset. What is not PGN is refused by its first bytes; see `beginning`.
//!
//! Without the feature `codecs`, plain files and standard input are read. Folders, zip archives and
//! compressed files are errors then, which say so.

#[cfg(feature = "codecs")]
mod archive;
pub(in crate::pgn) mod beginning;
pub(in crate::pgn) mod readers;
pub(in crate::pgn) mod shared_file;
pub(in crate::pgn) mod stream;
mod streams;

use std::path::{Path, PathBuf};
use std::{fmt::Write, io};

pub use self::readers::{ReadAt, StreamPosition};
pub use self::{beginning::LineEnds, beginning::check_beginning, stream::Stream, streams::Streams};
use super::Compression;

/// One file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, `-` on a command line.
    Stdin,
    /// A part of a file.
    Part(PathBuf, Part),
}

impl Source {
    /// The name of the source in reports and errors. Two sources never share one: a byte that is
    /// not UTF-8 is U+FFFD and two hexadecimal digits.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) | Self::Part(path, _) => name_of(path),
            Self::Stdin => "-".to_owned(),
        }
    }

    /// Its size in bytes as it is stored, if that is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::File(path) => {
                std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|m| m.len())
            }
            Self::Stdin => None,
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

/// A part of a file: a range of its bytes as they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// Where it begins.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
}

impl Part {
    /// Where it ends.
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// Turns files, folders and `-` into sources. A folder stands for the PGN files in it and in the
/// folders below it, in the order of their names. What cannot be listed is returned as an error.
pub fn find_sources<P: AsRef<Path>>(inputs: &[P]) -> (Vec<Source>, Vec<SourceError>) {
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for input in inputs.iter().map(AsRef::as_ref) {
        let found = match input.as_os_str().as_encoded_bytes() {
            b"-" => vec![Ok(Source::Stdin)],
            _ if input.is_dir() => in_folder(input),
            _ => vec![Ok(Source::File(input.to_owned()))],
        };
        for source in found {
            match source {
                Ok(source) => sources.push(source),
                Err(error) => errors.push(error),
            }
        }
    }
    (sources, errors)
}

/// The files in a folder that are to be read, and what cannot be listed.
#[cfg(feature = "codecs")]
fn in_folder(folder: &Path) -> Vec<Result<Source, SourceError>> {
    let fault = |path: &Path, fault| Err(SourceError::new(path.display().to_string(), fault));
    let entries = walkdir::WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let source = |entry: walkdir::Result<walkdir::DirEntry>| match entry {
        Ok(entry) => {
            let is_read = entry.file_type().is_file() && is_input(entry.path());
            is_read.then(|| Ok(Source::File(entry.into_path())))
        }
        // A dangling link whose name would not have been read.
        Err(error) if error.path().is_some_and(|path| path.is_symlink() && !is_input(path)) => None,
        Err(error) => {
            let path = error.path().unwrap_or(folder).to_owned();
            Some(fault(&path, SourceFault::Open(error.into())))
        }
    };
    let found: Vec<_> = entries.into_iter().filter_map(source).collect();
    if found.is_empty() { vec![fault(folder, SourceFault::EmptyFolder)] } else { found }
}

#[cfg(not(feature = "codecs"))]
fn in_folder(folder: &Path) -> Vec<Result<Source, SourceError>> {
    let fault = SourceFault::Open(crate::pgn::codecs::without_codecs("folders"));
    vec![Err(SourceError::new(folder.display().to_string(), fault))]
}

/// Whether a file in a folder is to be read: PGN, compressed PGN, or a zip archive.
fn is_input(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    endings().any(|ending| name.ends_with(&ending))
}

/// The endings of the files in a folder that are read: `.pgn`, `.pgn.gz` and so on, and `.zip`.
pub fn endings() -> impl Iterator<Item = String> {
    let packed = Compression::extensions().map(|extension| format!(".pgn.{extension}"));
    [".pgn".to_owned()].into_iter().chain(packed).chain([".zip".to_owned()])
}

/// What the names of these files look like.
fn patterns() -> String {
    let mut patterns: Vec<String> = endings().map(|ending| format!("*{ending}")).collect();
    let last = patterns.pop().unwrap_or_default();
    format!("{} or {last}", patterns.join(", "))
}

/// Whether an entry of an archive is PGN, and not one of those that macOS adds.
fn is_pgn_entry(name: &str) -> bool {
    file_of(name).to_lowercase().ends_with(".pgn") && !is_litter(name)
}

/// Whether an entry of an archive is itself compressed.
fn is_compressed_entry(name: &str) -> bool {
    is_input(Path::new(name)) && !is_pgn_entry(name)
}

/// Whether an entry of an archive is one of those that macOS adds.
fn is_litter(name: &str) -> bool {
    name.starts_with("__MACOSX/") || file_of(name).starts_with("._")
}

fn file_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// An input could not be found, opened, or read to its end. Prints as `games.pgn: ` and the fault.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {fault}")]
pub struct SourceError {
    /// The name of the input, as [`Source::name`] gives it.
    pub name: String,
    #[source]
    /// What is wrong with the input.
    pub fault: SourceFault,
}

/// What is wrong with an input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceFault {
    /// It does not exist, or it cannot be opened.
    #[error("{0}")]
    Open(#[from] io::Error),
    /// A folder without games.
    #[error("no {} file in this folder", patterns())]
    EmptyFolder,
    /// An SQLite file, such as a position database.
    #[error("this is an SQLite file, not PGN")]
    Database,
    /// A format that is not read.
    #[error("{0}")]
    Unsupported(&'static str),
    /// A file of another kind: a NUL byte comes before its first tag pair.
    #[error("not PGN: it has a NUL byte at byte {offset}, before any tag")]
    Binary {
        /// Where the byte is in the input, unpacked.
        offset: u64,
    },
    /// The data end too early or are damaged.
    #[error("cannot be read beyond byte {offset}: {error}; the games before that are done")]
    Broken {
        /// The number of good bytes before the damage, counted in the file as it is stored: of a
        /// compressed file, in compressed bytes.
        offset: u64,
        /// The error of the decoder or of the operating system.
        #[source]
        error: io::Error,
    },
    /// It is not empty, but there is no game in it.
    #[error("no game in it; is it a PGN file?")]
    NoGame,
}

impl SourceError {
    /// An error about the input of that name.
    pub fn new(name: impl Into<String>, fault: SourceFault) -> Self {
        Self { name: name.into(), fault }
    }
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
