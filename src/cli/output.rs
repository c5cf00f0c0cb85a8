//! Where results go: standard output, or a file, which appears under its name only when it is
//! complete and is compressed as its name says.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{fs, fs::File};

use eco::pgn::{Compression, Encoder};

use super::outcome::{Failure, Interruption, refuse};
use super::replace::{Inputs, Replacement, cannot_write, is_database, replacement};
use super::{args::Packing, terminal::standard_output};

/// Writes to standard output. A closed pipe is not an error.
pub(super) fn print(bytes: &[u8]) -> Result<(), Failure> {
    stream_to(None, &Inputs::none(), |out| out.write_all(bytes))
}

/// Writes a file, which appears under its name only when it is complete. Links are followed, an
/// existing file keeps its permissions, and anything but a regular file, such as a pipe, is written
/// to directly.
///
/// A database is never overwritten.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    stream_to(Some(path), &Inputs::none(), |out| out.write_all(bytes))
}

/// Like [`write_file`], or [`print`] if no file is named, for contents that are not held in memory:
/// `write` writes all of them. No input is overwritten either.
pub(super) fn stream_to(
    path: Option<&Path>,
    inputs: &Inputs,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut output = Output::open(path, inputs)?;
    let written = match &mut output {
        Output::Stdout(out) => write(out),
        Output::File { out, .. } => write(out),
    };
    let written = written.map_err(|error| output.interruption(error));
    written.and_then(|()| output.finish()).or_else(|error| error.outcome().map(drop))
}

/// Where bytes go while they are made.
pub(super) enum Output {
    Stdout(Box<dyn Write + Send>),
    File { name: String, replacement: Replacement, out: Box<Encoder<BufWriter<File>>> },
}

impl Output {
    /// A file to write to, whatever its name, or standard output. Rules as in [`write_file`].
    pub(super) fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self::Stdout(Box::new(BufWriter::new(standard_output()))));
        };
        Self::of(path, replacement(path, inputs)?, Compression::Plain, Packing::default())
    }

    /// A file for games, whatever its name, which says how it is compressed.
    pub(super) fn compressed(
        path: &Path,
        packing: Packing,
        inputs: &Inputs,
    ) -> Result<Self, Failure> {
        Self::of(path, replacement(path, inputs)?, Compression::of_name(path), packing)
    }

    /// Opens a file, or standard output, for games.
    pub(super) fn for_games(
        path: Option<&Path>,
        packing: Packing,
        inputs: &Inputs,
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            inputs.check_stdout()?;
            return Ok(Self::Stdout(standard_output()));
        };
        // An input or a database with such a name has its own error.
        let replacement = replacement(path, inputs)?;
        check_name(path)?;
        Self::of(path, replacement, Compression::of_name(path), packing)
    }

    fn of(
        path: &Path,
        replacement: Replacement,
        compression: Compression,
        packing: Packing,
    ) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let open = || packing.encoder(compression, BufWriter::new(replacement.file()?));
        let out = Box::new(open().map_err(|error| cannot_write(&name, &error))?);
        Ok(Self::File { name, replacement, out })
    }

    /// Writes bytes; what goes to standard output is on its way at once.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), Interruption> {
        let written = match self {
            Self::Stdout(out) => out.write_all(bytes).and_then(|()| out.flush()),
            Self::File { out, .. } => out.write_all(bytes),
        };
        written.map_err(|error| self.interruption(error))
    }

    /// Ends the output, and puts a file in its place.
    pub(super) fn finish(self) -> Result<(), Interruption> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File { name, replacement, out } => {
                let end = || {
                    out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
                    replacement.commit()
                };
                end().map_err(|error| cannot_write(&name, &error).into())
            }
        }
    }

    fn interruption(&self, error: io::Error) -> Interruption {
        match self {
            // The reader of a pipe with a name has seen enough, too.
            Self::File { name, .. } if error.kind() != io::ErrorKind::BrokenPipe => {
                cannot_write(name, &error).into()
            }
            Self::Stdout(_) | Self::File { .. } => error.into(),
        }
    }
}

/// What a name ends in before the ending of a compression, in lower case.
pub(super) fn ending_of_games(path: &Path) -> String {
    let name = Compression::unpacked_name(path);
    name.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Refuses a name that promises something else than games, or a compression which cannot be
/// written.
pub(super) fn check_name(path: &Path) -> Result<(), Failure> {
    check_compression(path)?;
    let ending = ending_of_games(path);
    // A database has its own error.
    if !["", "pgn", "txt"].contains(&&*ending) && !is_database(path) {
        let packed = listed("or");
        let known = format!("name a file in .pgn, or .pgn{packed}; `eco classify` writes rows");
        let path = path.display();
        return refuse(format!("{path}: games are not written to .{ending}; {known}"));
    }
    Ok(())
}

/// Refuses a name that promises a compression which cannot be written.
pub(super) fn check_compression(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["zip", "7z", "rar", "lz4", "lzma", "br", "tar", "tgz", "z"].contains(&&*ending) {
        let (path, known) = (path.display(), listed("and"));
        return refuse(format!("{path}: .{ending} is not written; {known} are"));
    }
    Ok(())
}

/// The endings of compressed files.
fn listed(conjunction: &str) -> String {
    let mut endings: Vec<String> = Compression::extensions().map(|end| format!(".{end}")).collect();
    let last = endings.pop().unwrap_or_default();
    format!("{} {conjunction} {last}", endings.join(", "))
}

/// Checks that the output folder is not within an input: the next run would read its own output.
pub(super) fn refuse_nested(folder: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let there = |path: &Path| match path.as_os_str().is_empty() {
        true => fs::canonicalize("."),
        false => fs::canonicalize(path),
    };
    // The folder itself may be new.
    let Some(existing) = folder.ancestors().find_map(|folder| there(folder).ok()) else {
        return Ok(());
    };
    for input in inputs.iter().filter(|input| input.is_dir()) {
        if there(input).is_ok_and(|input| existing.starts_with(input)) {
            let (folder, input) = (folder.display(), input.display());
            return refuse(format!("{folder} is within {input}, which is an input"));
        }
    }
    Ok(())
}

/// Checks that a file with this compression can be written so.
pub(super) fn check_packing(compression: Compression, packing: Packing) -> Result<(), Failure> {
    if packing.wants_frames() && compression != Compression::Zstd {
        return refuse("--frames: only .zst files are written as frames");
    }
    let Some(level) = packing.level else { return Ok(()) };
    match compression.levels() {
        None => refuse(format!("--level {level}: a file that is not compressed has none")),
        Some(levels) if levels.contains(&level) => Ok(()),
        Some(levels) => {
            let (name, first, last) = (compression.name(), levels.start(), levels.end());
            refuse(format!("--level {level}: {name} has levels {first} to {last}"))
        }
    }
}
