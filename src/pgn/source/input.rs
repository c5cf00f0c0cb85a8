//! What a user names as input.

use std::path::PathBuf;

/// One file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input, `-` on a command line.
    Stdin,
}

impl Source {
    /// The name of the source in reports and errors.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "-".to_owned(),
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
        }
    }
}
