//! Which sources a user means by files, folders and `-`.

use std::path::{Path, PathBuf};

use super::{
    error::{SourceError, SourceFault},
    input::Source,
};

/// Turns files, folders and `-` into sources. A folder stands for the PGN files in it and in the
/// folders below it, in the order of their names. What cannot be listed is returned as an error.
#[must_use]
pub fn find_sources<P: AsRef<Path>>(inputs: &[P]) -> (Vec<Source>, Vec<SourceError>) {
    let mut found = Found::default();
    for input in inputs.iter().map(AsRef::as_ref) {
        if input.as_os_str() == "-" {
            found.sources.push(Source::Stdin);
        } else if input.is_dir() {
            found.add_folder(input);
        } else {
            found.sources.push(Source::File(PathBuf::from(input)));
        }
    }
    (found.sources, found.errors)
}

#[derive(Default)]
struct Found {
    sources: Vec<Source>,
    errors: Vec<SourceError>,
}

impl Found {
    fn add_error(&mut self, path: &Path, fault: SourceFault) {
        self.errors.push(SourceError::new(path.display().to_string(), fault));
    }

    #[cfg(feature = "codecs")]
    fn add_folder(&mut self, folder: &Path) {
        let before = self.sources.len() + self.errors.len();
        for entry in walkdir::WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            self.add_entry(folder, entry);
        }
        if self.sources.len() + self.errors.len() == before {
            self.add_error(folder, SourceFault::EmptyFolder);
        }
    }

    #[cfg(feature = "codecs")]
    fn add_entry(&mut self, folder: &Path, entry: walkdir::Result<walkdir::DirEntry>) {
        use super::file_name::is_input;
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_input(entry.path()) => {
                self.sources.push(Source::File(entry.into_path()));
            }
            Ok(_) => {}
            // A dangling link whose name would not have been read.
            Err(error) if error.path().is_some_and(|path| path.is_symlink() && !is_input(path)) => {
            }
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                self.add_error(&path, SourceFault::Open(error.into()));
            }
        }
    }

    #[cfg(not(feature = "codecs"))]
    fn add_folder(&mut self, folder: &Path) {
        let error = crate::pgn::codecs::without_codecs("folders");
        self.add_error(folder, SourceFault::Open(error));
    }
}
