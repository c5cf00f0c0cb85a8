//! A package of cards, `.apkg`: a zip archive with a collection and its pictures. The door to `zip`
//! for it, with the reading of earlier packages.
//!
//! Anki takes an import for an update of a note if it knows the note's identity, and the note comes
//! with a later time than it has. So an identity follows from the position, and all notes have the
//! time of the database, which is handed in. What Anki has learned of a card is never touched.
//!
//! The archive is written front to back. Its entries have no time of their own: the same cards give
//! the same bytes.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufReader, Read, Write};
use std::{fs::File, path::Path};

use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, result::ZipError};

use super::collection::{CHANGED, Collection, Decks, Note, STALE, read_notes};
use super::faces::Faces;
use crate::output::sanitize;
use crate::repertoire::{Extract, Preparation};

/// The collection, in the format that every version of Anki since 2.0 reads.
const COLLECTION: &str = "collection.anki2";

/// Which entry is which picture, as JSON.
const MEDIA: &str = "media";

/// The options of a package.
pub struct Package<'c> {
    /// The deck above those of the chapters.
    pub deck: &'c str,
    /// The name by which Anki knows cards again, beside their positions. Without it, two
    /// repertoires that have a position share its card.
    pub identity: Option<&'c str>,
    /// The chapters, each of which has a deck.
    pub preparation: &'c Preparation,
    /// When the repertoire was last changed, in seconds since 1970.
    pub modified: i64,
    /// The most cards that are written: those of the positions nearest to the start.
    pub limit: usize,
}

impl Package<'_> {
    fn guid(&self, hash: u64) -> String {
        match self.identity {
            None => format!("eco:{hash:016x}"),
            Some(name) => format!("eco:{}:{hash:016x}", sanitize(name.as_bytes())),
        }
    }
}

/// Writes a package with a card for each position of the extract in which its own side is to move
/// and has a move. Cards of `former` that have no such position any more come after them, with the
/// tag `eco::stale`; those with other moves have `eco::changed`.
///
/// # Errors
///
/// Those of `out`.
pub fn write_package(
    extract: &Extract<'_>,
    package: &Package<'_>,
    former: Option<&mut FormerCards>,
    out: &mut impl Write,
) -> io::Result<()> {
    let decks = Decks::new(package.deck, package.preparation);
    let mut collection = Collection::new(&decks, package.modified).map_err(io::Error::other)?;
    let mut archive = Archive::new(out);
    let notes = former.as_ref().map_or_else(Vec::new, |former| former.notes.clone());
    let mut left: HashMap<&str, &Note> =
        notes.iter().map(|note| (note.guid.as_str(), note)).collect();
    for faces in Faces::all(extract).take(package.limit) {
        // Only a damaged file has a position that is impossible.
        let Some(hash) = faces.hash() else { continue };
        let (mut note, pictures) = Note::of(&faces, package.guid(hash));
        if left.remove(note.guid.as_str()).is_some_and(|before| !note.has_moves_of(before)) {
            note.age(CHANGED);
        }
        collection.add(&note, decks.of(faces.key())).map_err(io::Error::other)?;
        pictures.iter().try_for_each(|(name, svg)| archive.add_picture(name, svg))?;
    }
    if let Some(former) = former {
        for note in notes.iter().filter(|note| left.contains_key(note.guid.as_str())) {
            let mut stale = note.clone();
            stale.age(STALE);
            collection.add(&stale, decks.root()).map_err(io::Error::other)?;
            for name in stale.picture_names() {
                // A picture that the earlier package lacks, Anki may have.
                former.picture(name).map_or(Ok(()), |svg| archive.add_picture(name, &svg))?;
            }
        }
    }
    archive.finish(collection)
}

/// The archive that is being written.
struct Archive<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
    /// The entries of pictures, by their names.
    pictures: BTreeMap<String, usize>,
}

impl<W: Write> Archive<W> {
    fn new(out: W) -> Self {
        Self { zip: ZipWriter::new_stream(out), pictures: BTreeMap::new() }
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        self.zip.start_file(name, options)?;
        self.zip.write_all(bytes)
    }

    /// Adds a picture, unless it is there.
    fn add_picture(&mut self, name: &str, svg: &str) -> io::Result<()> {
        if self.pictures.contains_key(name) {
            return Ok(());
        }
        let entry = self.pictures.len();
        self.pictures.insert(name.to_owned(), entry);
        self.add(&entry.to_string(), svg.as_bytes())
    }

    fn finish(mut self, collection: Collection) -> io::Result<()> {
        let names: serde_json::Map<_, _> =
            self.pictures.iter().map(|(name, at)| (at.to_string(), name.as_str().into())).collect();
        self.add(MEDIA, serde_json::Value::Object(names).to_string().as_bytes())?;
        self.add(COLLECTION, &collection.into_bytes().map_err(io::Error::other)?)?;
        self.zip.finish()?;
        Ok(())
    }
}

// The cards of an earlier export, read from its package: a book does not know what it was.

/// More bytes than this are not read of a collection, nor of a picture. A thousand cards take one
/// megabyte.
const MOST_COLLECTION: u64 = 256 << 20;
const MOST_PICTURE: u64 = 1 << 20;

/// The cards of an earlier export.
pub struct FormerCards {
    notes: Vec<Note>,
    archive: ZipArchive<BufReader<File>>,
    /// The entries of pictures, by the names that cards have for them.
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
    /// If the file cannot be read, or is no package that [`write_package`](write_package)
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
        let entries: BTreeMap<String, String> = match archive.by_name(MEDIA) {
            Ok(media) => serde_json::from_reader(media.take(MOST_COLLECTION)).unwrap_or_default(),
            Err(_) => BTreeMap::new(),
        };
        let pictures = entries.into_iter().map(|(entry, name)| (name, entry)).collect();
        Ok(Self { notes, archive, pictures })
    }

    /// A picture of the package, if it has that.
    fn picture(&mut self, name: &str) -> Option<String> {
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
