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
    joint::{GameId, Joint},
    kept::{Key, Origin},
};
use crate::cli::{
    interrupt::remove_files_on_signals,
    outcome::Failure,
    replace::{Inputs, cannot_write},
};

/// The number of bytes that are held before they are written.
const MAX_HELD: usize = 32 << 20;

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
    /// The number of bytes that are held to be written.
    held: usize,
    /// The number of bytes that the joints hold.
    held_by_joints: usize,
    /// How many both may be.
    max_held: usize,
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
        remove_files_on_signals();
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
            held_by_joints: 0,
            max_held: MAX_HELD,
        })
    }

    /// Adds a game to the file of a key, and returns which file that is.
    pub(super) fn add(
        &mut self,
        key: &Key,
        origin: &Origin,
        number: u64,
        game: &[u8],
    ) -> io::Result<usize> {
        let file = self.file(key);
        let id: GameId = (origin.stream, number);
        let between = self.files[file].joint.before(id, game);
        self.note(file, |joint| joint.after(id, game));
        self.hold(file, origin, &between)?;
        self.hold(file, origin, game)?;
        Ok(file)
    }

    /// Adds more of the game that a file has got last.
    pub(super) fn add_more(
        &mut self,
        file: usize,
        origin: &Origin,
        bytes: &[u8],
    ) -> io::Result<()> {
        self.note(file, |joint| joint.after_more(bytes));
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

    /// Changes what is known of the end of a file.
    fn note(&mut self, file: usize, change: impl FnOnce(&mut Joint)) {
        let joint = &mut self.files[file].joint;
        self.held_by_joints -= joint.held();
        change(joint);
        self.held_by_joints += joint.held();
    }

    fn hold(&mut self, file: usize, origin: &Origin, bytes: &[u8]) -> io::Result<()> {
        let held = &mut self.files[file].held;
        let start = held.len();
        held.extend_from_slice(bytes);
        origin.line_ends.restore(&mut held[start..]);
        self.held += bytes.len();
        if self.held + self.held_by_joints <= self.max_held {
            return Ok(());
        }
        if self.held_by_joints > self.max_held / 2 {
            (0..self.files.len()).for_each(|file| self.note(file, Joint::shorten));
        }
        self.write()
    }

    /// Writes all that is held.
    fn write(&mut self) -> io::Result<()> {
        self.held = 0;
        for file in self.files.iter_mut().filter(|file| !file.held.is_empty()) {
            let out = self.folder.append(&file.name)?;
            // What is compressed chunk by chunk is read as one.
            let mut encoder = Encoder::new(self.compression, self.level, out)?;
            encoder.write_all(&std::mem::take(&mut file.held))?;
            encoder.finish()?.flush()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use eco::pgn::source::LineEnds;

    use super::*;

    #[test]
    fn the_ends_of_many_files_are_not_held_without_limit() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let inputs = Inputs::of(&[]);
        let mut split = Split::begin(&folder, "pgn", None, &inputs).ok().unwrap();
        split.max_held = 1 << 16;
        let origin = Origin { stream: 1, line_ends: LineEnds::default() };
        let game = format!("[Event \"open\"]\n\n1. e4 {{{}}} e5\n", "x".repeat(1000));
        let key = |n: u64| Key { identity: n.to_string(), name: n.to_string() };
        for n in 0..300 {
            split.add(&key(n), &origin, 2 * n + 1, game.as_bytes()).unwrap();
            let held = split.held + split.held_by_joints;
            assert!(held <= split.max_held, "{held} after {n}");
        }
        split.add(&key(0), &origin, 1000, b"1. d4 *\n").unwrap();
        assert_eq!(split.finish().unwrap(), 300);
        let text = std::fs::read_to_string(folder.join("0.pgn")).unwrap();
        assert_eq!(text, format!("{game}*\n\n1. d4 *\n"));
    }
}
