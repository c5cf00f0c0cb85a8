//! The cards of an earlier export, read from its package: a book does not know what it was.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use zip::{ZipArchive, result::ZipError};

use super::{
    collection::read_notes,
    entries::{COLLECTION, MEDIA},
    note::Note,
};

/// More bytes than this are not read of a collection, nor of a picture. A thousand cards take one
/// megabyte.
const MOST_COLLECTION: u64 = 256 << 20;
const MOST_PICTURE: u64 = 1 << 20;

/// The cards of an earlier export.
pub struct FormerCards {
    notes: Vec<Note>,
    archive: ZipArchive<BufReader<File>>,
    /// The names that pictures have in the archive.
    pictures: BTreeMap<String, String>,
}

/// Why the cards of an earlier export cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FormerCardsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else, or a package that Anki wrote.
    #[error("is no package of cards that eco has written; name the file of an earlier export")]
    OtherFile,
    /// Its collection cannot be read.
    #[error("its collection cannot be read: {0}")]
    Collection(String),
}

impl FormerCards {
    /// Reads the cards of a package.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no package that [`write_package`](super::write_package)
    /// wrote.
    pub fn open(path: &Path) -> Result<Self, FormerCardsError> {
        let file = File::open(path)?;
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(other_file)?;
        let notes = {
            let collection = archive.by_name(COLLECTION).map_err(other_file)?;
            let size = collection.size();
            if size > MOST_COLLECTION {
                let what = format!("it has more than {} MiB", MOST_COLLECTION >> 20);
                return Err(FormerCardsError::Collection(what));
            }
            read_notes(collection, size as usize)
                .map_err(|error| FormerCardsError::Collection(error.to_string()))?
        };
        if notes.is_empty() {
            return Err(FormerCardsError::OtherFile);
        }
        let pictures = picture_entries(&mut archive)?;
        Ok(Self { notes, archive, pictures })
    }

    /// The notes, in their order.
    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// A picture of the package, if it has that.
    pub(super) fn picture(&mut self, name: &str) -> Option<String> {
        let entry = self.archive.by_name(self.pictures.get(name)?).ok()?;
        let mut svg = String::new();
        entry.take(MOST_PICTURE).read_to_string(&mut svg).ok()?;
        Some(svg)
    }
}

fn other_file(error: ZipError) -> FormerCardsError {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.into(),
        _ => FormerCardsError::OtherFile,
    }
}

/// The entries of pictures, by the names that cards have for them.
fn picture_entries(
    archive: &mut ZipArchive<BufReader<File>>,
) -> Result<BTreeMap<String, String>, FormerCardsError> {
    let Ok(media) = archive.by_name(MEDIA) else { return Ok(BTreeMap::new()) };
    let entries: BTreeMap<String, String> =
        serde_json::from_reader(media.take(MOST_COLLECTION)).unwrap_or_default();
    Ok(entries.into_iter().map(|(entry, name)| (name, entry)).collect())
}
