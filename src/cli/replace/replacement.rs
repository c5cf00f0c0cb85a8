//! New files that take their place when they are complete. Every output of the program that has a
//! name is one.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use eco::{
    new_file::{Access, NewFile, folder_of},
    replace::{self, Inputs},
};

use super::original::{Original, Refusal};
use crate::cli::{interrupt::remove_files_on_signals, outcome::Failure};

/// A file that replaces another on [`commit`](Self::commit). Without that it is removed.
pub(in crate::cli) enum Replacement {
    /// An output that was named.
    Output(replace::Replacement),
    /// What takes the place of a file that is changed in place, and where that is.
    InPlace(NewFile, PathBuf),
}

impl Replacement {
    /// A new file for that target, or the target itself if it is a pipe or a device. An existing
    /// target must be writable, and neither one of the inputs nor a database.
    pub(in crate::cli) fn new(target: &Path, inputs: &Inputs) -> Result<Self, Failure> {
        remove_files_on_signals();
        Ok(Self::Output(replace::Replacement::new(target, inputs)?))
    }

    /// A new file to replace another. Only its owner may read it until it is in its place.
    pub(in crate::cli) fn of(original: &Original) -> Result<Self, Refusal> {
        let target = original.path.clone();
        remove_files_on_signals();
        let file = NewFile::beside(&target, Access::Private).map_err(Refusal::Folder)?;
        original.give_owner_to(file.file())?;
        Ok(Self::InPlace(file, target))
    }

    /// The file, for writing.
    pub(in crate::cli) fn file(&self) -> io::Result<File> {
        match self {
            Self::Output(output) => output.file(),
            Self::InPlace(file, _) => file.file().try_clone(),
        }
    }

    /// Puts the file in its place. It is not synced to the disk: such an output can be made again.
    pub(in crate::cli) fn commit(self) -> io::Result<()> {
        match self {
            Self::Output(output) => output.commit(),
            Self::InPlace(file, _) => file.replace(),
        }
    }

    /// Puts the file in the place of a file that is changed in place, synced to the disk before
    /// that, since it is the only copy.
    ///
    /// Another program may change the original as long as the sync takes, so the original is looked
    /// at again right before it is replaced. What a program writes that has it open is found after
    /// that, and the original takes its name again.
    pub(in crate::cli) fn commit_over(self, original: &Original) -> Result<(), Refusal> {
        self.commit_synced(original, sync_folder)
    }

    fn commit_synced(
        self,
        original: &Original,
        sync_folder: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), Refusal> {
        let (temporary, target) = match self {
            Self::InPlace(temporary, target) => (temporary, target),
            Self::Output(output) => return output.commit().map_err(Refusal::Unwritten),
        };
        let file = temporary.file();
        original.give_to(file).and_then(|()| file.sync_all()).map_err(Refusal::Unwritten)?;
        original.check()?;
        temporary.replace().map_err(Refusal::Unwritten)?;
        let synced = sync_folder(folder_of(&target)).map_err(Refusal::Unsynced);
        if original.was_written()? {
            let restored = NewFile::beside(&target, Access::Private)?;
            original.give_owner_to(restored.file())?;
            original.copy_to(restored.file())?;
            restored.replace()?;
            return Err(Refusal::Changed);
        }
        synced
    }
}

/// Says that an output could not be written.
pub(in crate::cli) fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure(format!("{name}: cannot be written: {error}"))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, OpenOptions},
        io::Write,
    };

    use super::*;

    fn begun(path: &Path) -> (Original, Replacement) {
        fs::write(path, "1. e4 *\n").unwrap();
        let original = Original::open(path).unwrap();
        let replacement = Replacement::of(&original).unwrap();
        replacement.file().unwrap().write_all(b"tagged\n").unwrap();
        (original, replacement)
    }

    #[test]
    fn what_is_appended_before_the_rename_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        original.check().unwrap();
        // While the new file is synced.
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        other.write_all(b"1. d4 *\n").unwrap();
        let refusal = replacement.commit_over(&original).unwrap_err();
        assert!(matches!(refusal, Refusal::Changed), "{refusal}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 *\n1. d4 *\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "litter");
    }

    #[test]
    fn what_is_appended_during_the_rename_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        let append = |_: &Path| other.write_all(b"1. d4 *\n");
        let refusal = replacement.commit_synced(&original, append).unwrap_err();
        assert!(matches!(refusal, Refusal::Changed), "{refusal}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 *\n1. d4 *\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "litter");
    }

    #[test]
    fn a_file_that_is_written_with_its_old_time_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        let mut other = OpenOptions::new().write(true).open(&path).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        other.write_all(b"1. d4 *\n").unwrap();
        other.set_modified(modified).unwrap();
        let changed = replacement.commit_over(&original).unwrap_err();
        assert!(!cfg!(unix) || matches!(changed, Refusal::Changed), "{changed}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. d4 *\n");
    }

    #[test]
    fn a_file_that_was_replaced_is_not_said_to_be_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (original, replacement) = begun(&path);
        let failing = |_: &Path| Err(io::Error::other("disk on fire"));
        let refusal = replacement.commit_synced(&original, failing).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "tagged\n");
        let text = refusal.to_string();
        assert!(text.contains("is written") && !text.contains("as it was"), "{text}");
    }
}
