//! One file for each opening, player or year.
//!
//! Games are held in memory up to a limit. Beyond it, what each file has got is written to its end,
//! one file after the other, so that one is open at a time, however many there are. The folder
//! takes its name when all are complete.
//!
//! Files have names that are made of names in games. Those may be anything: paths, devices of
//! Windows, control characters, a megabyte. What is left here is ASCII that means itself
//! everywhere; and names that differ only in case, which are one file on many systems, get numbers.

use std::{collections::HashMap, io, io::Write, path::Path};

use deunicode::deunicode;
use eco::new_file::NewFolder;
use eco::pgn::{Compression, Encoder};

use super::kept::{GameId, Joint, Key, Origin};
use crate::cli::outcome::{Failure, Interruption};
use crate::cli::replace::{Inputs, cannot_write};
use crate::cli::{interrupt::remove_files_on_signals, output::Output};

/// The number of bytes that are held before they are written.
const MAX_HELD: usize = 32 << 20;

/// Where games go: to one output, or to the files of a folder.
pub(super) struct Target {
    place: Place,
    names: FileNames,
    /// The files, by the identity of their key.
    by_key: HashMap<String, usize>,
    /// The files, or the one output.
    files: Vec<File>,
    /// The number of bytes that are held, and how many that may be.
    held: usize,
    max_held: usize,
}

enum Place {
    One(Box<Output>),
    Folder { folder: NewFolder, name: String, packing: FilePacking },
}

/// What the names of files in a folder end with, and how those are compressed.
struct FilePacking {
    extension: String,
    compression: Compression,
    level: Option<u32>,
}

/// Games that come together in one output.
#[derive(Default)]
struct File {
    /// Empty for the one output.
    name: String,
    joint: Joint,
    /// What is still to be written.
    bytes: Vec<u8>,
}

impl File {
    /// Adds a game, and before it what keeps it apart from the last one.
    fn add(&mut self, origin: &Origin, number: u64, game: &[u8]) {
        let id: GameId = (origin.stream, number);
        let between = self.joint.before(id, game);
        self.joint.after(id, game);
        self.push(origin, &between);
        self.push(origin, game);
    }

    /// Adds more of the game that was added last.
    fn add_more(&mut self, origin: &Origin, bytes: &[u8]) {
        self.joint.after_more(bytes);
        self.push(origin, bytes);
    }

    /// Adds text that stands before all games of a stream.
    fn add_text(&mut self, origin: &Origin, text: &[u8]) {
        let between = self.joint.before((origin.stream, 0), text);
        self.joint.after_text(origin.stream, &between, text);
        self.push(origin, &between);
        self.push(origin, text);
    }

    fn push(&mut self, origin: &Origin, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        origin.line_ends.restore(&mut self.bytes[start..]);
    }
}

impl Target {
    /// One output.
    pub(super) fn one(output: Output) -> Self {
        Self::at(Place::One(Box::new(output)), vec![File::default()])
    }

    /// Files in a folder, which must be new or empty.
    pub(super) fn folder(
        folder: &Path,
        extension: &str,
        level: Option<u32>,
        read: &Inputs,
    ) -> Result<Self, Failure> {
        read.check(folder)?;
        remove_files_on_signals();
        let name = folder.display().to_string();
        let folder = NewFolder::beside(folder).map_err(|error| match error.kind() {
            io::ErrorKind::DirectoryNotEmpty => {
                Failure(format!("{name}: is not empty; name a new folder"))
            }
            _ => cannot_write(&name, &error),
        })?;
        let compression = Compression::of_name(format!("x.{extension}"));
        let packing = FilePacking { extension: extension.to_owned(), compression, level };
        Ok(Self::at(Place::Folder { folder, name, packing }, Vec::new()))
    }

    fn at(place: Place, files: Vec<File>) -> Self {
        let (names, by_key) = (FileNames::default(), HashMap::new());
        Self { place, names, by_key, files, held: 0, max_held: MAX_HELD }
    }

    /// Adds a game to the files of its keys, and returns which those are.
    pub(super) fn add(
        &mut self,
        origin: &Origin,
        keys: &[Key],
        number: u64,
        game: &[u8],
    ) -> Result<Vec<usize>, Interruption> {
        let files: Vec<usize> = match &self.place {
            Place::One(_) => vec![0],
            Place::Folder { .. } => keys.iter().map(|key| self.file(key)).collect(),
        };
        self.change(&files, |file| file.add(origin, number, game))?;
        Ok(files)
    }

    /// Adds text that stands before all games of a stream. Of several files it belongs to none.
    pub(super) fn add_text(&mut self, origin: &Origin, text: &[u8]) -> Result<(), Interruption> {
        match self.place {
            Place::One(_) => self.change(&[0], |file| file.add_text(origin, text)),
            Place::Folder { .. } => Ok(()),
        }
    }

    /// Adds more of the game that went to these files.
    pub(super) fn add_more(
        &mut self,
        origin: &Origin,
        files: &[usize],
        bytes: &[u8],
    ) -> Result<(), Interruption> {
        self.change(files, |file| file.add_more(origin, bytes))
    }

    /// Ends a block: what is for one output is on its way at once.
    pub(super) fn end_block(&mut self) -> Result<(), Interruption> {
        if matches!(self.place, Place::One(_)) { self.write() } else { Ok(()) }
    }

    /// Writes what is left, and puts files in their places. Returns their number if there are
    /// several.
    pub(super) fn finish(mut self) -> Result<Option<usize>, Interruption> {
        self.write()?;
        match self.place {
            Place::One(output) => output.finish().map(|()| None),
            Place::Folder { folder, name, .. } => {
                folder.place().map_err(|error| cannot_write(&name, &error))?;
                Ok(Some(self.files.len()))
            }
        }
    }

    fn file(&mut self, key: &Key) -> usize {
        if let Some(file) = self.by_key.get(&key.identity) {
            return *file;
        }
        let name = self.names.take(&key.name);
        self.files.push(File { name, ..File::default() });
        self.by_key.insert(key.identity.clone(), self.files.len() - 1);
        self.files.len() - 1
    }

    /// Adds to files. If too much is held then, it is written.
    fn change(&mut self, files: &[usize], change: impl Fn(&mut File)) -> Result<(), Interruption> {
        for file in files {
            let file = &mut self.files[*file];
            let before = file.bytes.len();
            change(file);
            self.held += file.bytes.len() - before;
            if self.held > self.max_held {
                self.write()?;
            }
        }
        Ok(())
    }

    /// Writes all that is held.
    fn write(&mut self) -> Result<(), Interruption> {
        for file in self.files.iter_mut().filter(|file| !file.bytes.is_empty()) {
            match &mut self.place {
                Place::One(output) => {
                    output.put(&file.bytes)?;
                    file.bytes.clear();
                }
                Place::Folder { folder, name, packing } => {
                    let written = packing.append(folder, file);
                    written.map_err(|error| cannot_write(name, &error))?;
                }
            }
        }
        self.held = 0;
        Ok(())
    }
}

impl FilePacking {
    fn append(&self, folder: &NewFolder, file: &mut File) -> io::Result<()> {
        let out = folder.append(&format!("{}.{}", file.name, self.extension))?;
        // What is compressed chunk by chunk is read as one.
        let mut encoder = Encoder::new(self.compression, self.level, out)?;
        encoder.write_all(&std::mem::take(&mut file.bytes))?;
        encoder.finish()?.flush()
    }
}

/// The longest name, without number and extension.
const MAX_LENGTH: usize = 80;

/// Names that are devices on Windows, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The names that are taken, in lower case, each with the number that is tried next for it.
#[derive(Debug, Default)]
struct FileNames(HashMap<String, u64>);

impl FileNames {
    /// A name for a file that no other file has. It depends on the names that were taken before.
    fn take(&mut self, text: &str) -> String {
        let name = safe_name(text);
        let lower = name.to_lowercase();
        let Some(first) = self.0.get(&lower).copied() else {
            self.0.insert(lower, 2);
            return name;
        };
        let is_taken = |number: &u64| self.0.contains_key(&format!("{lower} ({number})"));
        let number = (first..).find(|number| !is_taken(number)).expect("there are more numbers");
        self.0.insert(format!("{lower} ({number})"), 2);
        self.0.insert(lower, number + 1);
        format!("{name} ({number})")
    }
}

/// A name of letters, digits and a few signs.
fn safe_name(text: &str) -> String {
    let text: String = text.chars().take(4 * MAX_LENGTH).collect();
    let is_kept = |c: char| c.is_ascii_alphanumeric() || " ,'()-_".contains(c);
    let plain = deunicode(&text);
    let name: String = plain.chars().map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name: String = name.trim().chars().take(MAX_LENGTH).collect();
    let name = name.trim_end().trim_start_matches(['-', ' ']);
    if !name.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return "unknown".to_owned();
    }
    let lower = name.to_lowercase();
    let numbered = lower.strip_prefix("com").or_else(|| lower.strip_prefix("lpt"));
    let is_port = numbered.is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    if is_port || DEVICES.contains(&&*lower) { format!("{name}_") } else { name.to_owned() }
}

/// Reads what the names of files end with.
pub(super) fn parse_extension(text: &str) -> Result<String, &'static str> {
    let text = text.trim_start_matches('.');
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.';
    let is_name = !text.is_empty() && !text.ends_with('.') && text.bytes().all(is_plain);
    match is_name && text.len() <= 20 {
        true => Ok(text.to_owned()),
        false => Err("expected letters, such as pgn or pgn.zst"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use eco::pgn::source::LineEnds;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_ends_of_many_files_are_not_held_without_limit() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let inputs = Inputs::of(&[]);
        let mut target = Target::folder(&folder, "pgn", None, &inputs).unwrap();
        target.max_held = 1 << 16;
        let origin = Origin { stream: 1, line_ends: LineEnds::default() };
        let game = format!("[Event \"open\"]\n\n1. e4 {{{}}} e5\n", "x".repeat(1000));
        let key = |n: u64| [Key { identity: n.to_string(), name: n.to_string() }];
        for n in 0..300 {
            target.add(&origin, &key(n), 2 * n + 1, game.as_bytes()).ok().unwrap();
            assert!(target.held <= target.max_held, "{} after {n}", target.held);
        }
        target.add(&origin, &key(0), 1000, b"1. d4 *\n").ok().unwrap();
        assert_eq!(target.finish().ok(), Some(Some(300)));
        let text = std::fs::read_to_string(folder.join("0.pgn")).unwrap();
        assert_eq!(text, format!("{game}*\n\n1. d4 *\n"));
    }

    #[test]
    fn hostile_names_are_made_harmless() {
        for (text, name) in [
            ("B90", "B90"),
            ("Sicilian Defense", "Sicilian Defense"),
            ("Carlsen, Magnus", "Carlsen, Magnus"),
            ("Grünfeld Defense", "Grunfeld Defense"),
            ("../../etc/passwd", "______etc_passwd"),
            ("..", "unknown"),
            ("", "unknown"),
            ("a\0b\n", "a_b_"),
            ("-rf", "rf"),
            ("CON", "CON_"),
            ("com1", "com1_"),
            ("Lpt9", "Lpt9_"),
            ("Company", "Company"),
            ("a.", "a_"),
            (" a ", "a"),
            ("C:\\x", "C__x"),
            ("\u{202e}gnp", "gnp"),
        ] {
            assert_eq!(safe_name(text), name, "for {text:?}");
        }
        assert_eq!(safe_name(&"x".repeat(1 << 20)).len(), MAX_LENGTH);
    }

    #[test]
    fn names_that_are_one_file_on_some_system_get_numbers() {
        let mut names = FileNames::default();
        let taken = ["Tal", "TAL", "tal", "Tal (2)", "Carl", "unknown", "?"].map(|n| names.take(n));
        let expected =
            ["Tal", "TAL (2)", "tal (3)", "Tal (2) (2)", "Carl", "unknown", "unknown (2)"];
        assert_eq!(taken, expected);
        // A hundred thousand names that clash take no time.
        let clashing = (0..100_000).map(|_| names.take("?")).last();
        assert_eq!(clashing.as_deref(), Some("unknown (100002)"));
    }

    proptest! {
        #[test]
        fn every_text_has_a_name_of_its_own(texts in prop::collection::vec(any::<String>(), 1..20)) {
            let mut names = FileNames::default();
            let mut seen = HashSet::new();
            for text in &texts {
                let name = names.take(text);
                prop_assert!(seen.insert(name.to_lowercase()), "{:?} twice", name);
                prop_assert!(name.len() < 100 && !name.contains(['/', '\\', '.', '\0', ':']));
                prop_assert!(name.trim() == name && !name.starts_with('-'));
            }
        }
    }
}
