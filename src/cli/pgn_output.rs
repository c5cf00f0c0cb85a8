//! Where games are written: standard output, or a file that is compressed as its name says.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use eco::pgn::{Compression, Encoder};

use super::{
    args::{Packing, PackingArgs},
    outcome::Failure,
    output::standard_output,
    replace::{Inputs, Replacement},
};

/// Where games are written.
pub(super) enum PgnOutput {
    /// Standard output.
    Stdout(Box<dyn Write + Send>),
    /// A file, which appears under its name only when it is complete.
    File(Replacement, Box<Encoder<BufWriter<File>>>),
}

impl PgnOutput {
    /// Opens a file, or standard output.
    pub(super) fn open(
        path: Option<&Path>,
        packing: Packing,
        read: &Inputs,
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            read.check_stdout()?;
            return Ok(Self::Stdout(standard_output()));
        };
        let replacement = Replacement::new(path, read)?;
        check_name(path)?;
        let file = BufWriter::new(replacement.file()?);
        let encoder = packing.encoder(Compression::of_name(path), file)?;
        Ok(Self::File(replacement, Box::new(encoder)))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.write_all(bytes),
            Self::File(_, encoder) => encoder.write_all(bytes),
        }
    }

    /// Ends the output, and puts a file in its place.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Stdout(mut stdout) => stdout.flush(),
            Self::File(replacement, encoder) => {
                encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
                replacement.commit()
            }
        }
    }
}

/// Refuses a name that promises something else than games, or a compression which cannot be
/// written.
pub(super) fn check_name(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_other = [
        "tsv", "tab", "csv", "json", "jsonl", "ndjson", "arrow", "arrows", "parquet", "xlsx",
        "xls", "ods", "html", "htm", "pdf", "md",
    ];
    if is_other.contains(&&*ending) {
        let known =
            "name a file in .pgn, or .pgn.gz, .bz2, .xz or .zst; `eco classify` writes rows";
        let path = path.display();
        return Err(Failure(format!("{path}: games are not written to .{ending}; {known}")));
    }
    if ["zip", "7z", "rar", "lz4", "lzma", "br", "tar", "tgz", "z"].contains(&&*ending) {
        let known = ".gz, .bz2, .xz and .zst are";
        return Err(Failure(format!("{}: .{ending} is not written; {known}", path.display())));
    }
    Ok(())
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
            return Err(Failure(format!("{folder} is within {input}, which is an input")));
        }
    }
    Ok(())
}

/// Checks that a file with this compression can have the level.
fn check_level(compression: Compression, level: u32) -> Result<(), Failure> {
    let Some(levels) = compression.levels() else {
        return Err(Failure(format!("--level {level}: a file that is not compressed has none")));
    };
    if levels.contains(&level) {
        return Ok(());
    }
    let (name, first, last) = (compression.name(), levels.start(), levels.end());
    Err(Failure(format!("--level {level}: {name} has levels {first} to {last}")))
}

/// Checks that a file with this compression can be written so.
pub(super) fn check_packing(
    compression: Compression,
    packing: &PackingArgs,
) -> Result<(), Failure> {
    if packing.wants_frames() && compression != Compression::Zstd {
        return Err(Failure("--frames: only .zst files are written as frames".to_owned()));
    }
    packing.level.map_or(Ok(()), |level| check_level(compression, level))
}
