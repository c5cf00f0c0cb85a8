//! One file for each opening, player or year.
//!
//! Games are held in memory up to a limit. Beyond it, what each file has got is written to its end,
//! one file after the other, so that one is open at a time, however many there are. The folder
//! takes its name when all are complete.

use std::{
    collections::HashMap,
    io::{self, Write},
    path::Path,
};

use eco::{
    new_file::NewFolder,
    pgn::{Compression, Encoder},
};

use super::{
    file_names::FileNames,
    joint::Joint,
    kept::{Key, Origin},
};
use crate::cli::{
    outcome::Failure,
    replace::{Inputs, cannot_write},
};

/// The number of bytes that are held before they are written.
const HELD: usize = 32 << 20;

/// The files of a folder.
pub(super) struct Split {
    folder: NewFolder,
    extension: String,
    compression: Compression,
    level: Option<u32>,
    names: FileNames,
    /// The files, by the identity of their key.
    by_key: HashMap<String, usize>,
    files: Vec<SplitFile>,
    /// The number of bytes that are held.
    held: usize,
}

struct SplitFile {
    name: String,
    joint: Joint,
    held: Vec<u8>,
}

impl Split {
    /// Files in a folder, which must be new or empty.
    pub(super) fn begin(
        folder: &Path,
        extension: &str,
        level: Option<u32>,
        read: &Inputs,
    ) -> Result<Self, Failure> {
        read.check(folder)?;
        let new = NewFolder::beside(folder).map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty => {
                let hint = "is not empty; name a new folder";
                Failure(format!("{}: {hint}", folder.display()))
            }
            _ => cannot_write(&folder.display().to_string(), &error),
        })?;
        Ok(Self {
            folder: new,
            compression: Compression::of_name(format!("x.{extension}")),
            extension: extension.to_owned(),
            level,
            names: FileNames::default(),
            by_key: HashMap::new(),
            files: Vec::new(),
            held: 0,
        })
    }

    /// Adds a game to the file of a key, and returns which file that is.
    pub(super) fn add(
        &mut self,
        key: &Key,
        origin: &Origin,
        number: u64,
        piece: &[u8],
    ) -> io::Result<usize> {
        let file = self.file(key);
        let game = (origin.stream, number);
        let between = self.files[file].joint.before(game, piece);
        self.files[file].joint.after(game, piece);
        self.hold(file, origin, &between)?;
        self.hold(file, origin, piece)?;
        Ok(file)
    }

    /// Adds more of the game that a file has got last.
    pub(super) fn add_more(
        &mut self,
        file: usize,
        origin: &Origin,
        bytes: &[u8],
    ) -> io::Result<()> {
        self.files[file].joint.after_more(bytes);
        self.hold(file, origin, bytes)
    }

    /// Writes what is left, and puts the folder in its place. Returns the number of files.
    pub(super) fn finish(mut self) -> io::Result<usize> {
        self.write()?;
        let files = self.files.len();
        self.folder.place()?;
        Ok(files)
    }

    fn file(&mut self, key: &Key) -> usize {
        if let Some(file) = self.by_key.get(&key.identity) {
            return *file;
        }
        let name = format!("{}.{}", self.names.take(&key.name), self.extension);
        self.files.push(SplitFile { name, joint: Joint::default(), held: Vec::new() });
        self.by_key.insert(key.identity.clone(), self.files.len() - 1);
        self.files.len() - 1
    }

    fn hold(&mut self, file: usize, origin: &Origin, bytes: &[u8]) -> io::Result<()> {
        let held = &mut self.files[file].held;
        let start = held.len();
        held.extend_from_slice(bytes);
        origin.line_ends.restore(&mut held[start..]);
        self.held += bytes.len();
        if self.held > HELD { self.write() } else { Ok(()) }
    }

    /// Writes all that is held.
    fn write(&mut self) -> io::Result<()> {
        self.held = 0;
        for file in self.files.iter_mut().filter(|file| !file.held.is_empty()) {
            let out = self.folder.append(&file.name)?;
            // What is compressed piece by piece is read as one.
            let mut encoder = Encoder::new(self.compression, self.level, out)?;
            encoder.write_all(&std::mem::take(&mut file.held))?;
            encoder.finish()?.flush()?;
        }
        Ok(())
    }
}
