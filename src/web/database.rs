//! A position database that is open: what requests are answered from, as it was when it was opened.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::answer::{Answer, Fault};
use crate::collection::segment::Cache;
use crate::store::{CollectionInfo, Database, Explorer, RepertoireInfo, StoreError};
use crate::{catalogue::Catalogue, executor::lock, repertoire::Book, select::Selection};

/// The bytes of answers that are kept.
const CACHE: usize = 16 << 20;

/// The collections, openings and repertoires of a file, and the answers that were given from them.
pub(super) struct OpenDatabase {
    path: PathBuf,
    /// What looks in all collections.
    explorer: Explorer,
    pub(super) collections: Vec<CollectionInfo>,
    pub(super) catalogue: &'static Catalogue,
    pub(super) repertoires: Vec<RepertoireInfo>,
    /// Those that were asked for.
    books: Mutex<HashMap<String, Arc<Book>>>,
    answers: Cache<String>,
}

impl OpenDatabase {
    /// Opens a file, whose openings a catalogue names.
    pub(super) fn open(path: &Path, catalogue: &'static Catalogue) -> Result<Self, StoreError> {
        let database = Database::open(path)?;
        let explorer = Explorer::open(path, &[])?;
        Ok(Self {
            path: path.to_owned(),
            collections: explorer.collections()?,
            explorer,
            catalogue,
            repertoires: database.repertoires()?,
            books: Mutex::default(),
            answers: Cache::new(CACHE),
        })
    }

    /// Whether there is a game or a repertoire.
    pub(super) fn has_something(&self) -> bool {
        !self.repertoires.is_empty() || self.collections.iter().any(|info| info.games > 0)
    }

    /// Finds out what the openings that are asked for mean, and that there are some; returns which
    /// slips were corrected. Games may have been named by the openings that are built in before the
    /// file had its own.
    pub(super) fn understand_openings(
        &self,
        selection: &mut Selection,
    ) -> Result<Vec<String>, Fault> {
        let catalogues = [self.catalogue, Catalogue::builtin()];
        selection.understand_openings(&catalogues).map_err(Fault::bad_request)
    }

    /// What looks in these collections; no names are all of them.
    pub(super) fn explorer(&self, names: &[&str]) -> Result<Explorer, Fault> {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names.dedup();
        let is_known = |name: &String| self.collections.iter().any(|info| info.name == *name);
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            return Err(self.no_such_collection(name));
        }
        Ok(self.explorer.only(&names))
    }

    fn no_such_collection(&self, name: &str) -> Fault {
        let names: Vec<&str> = self.collections.iter().map(|info| info.name.as_str()).collect();
        let there_is = match names.is_empty() {
            true => "there is none; `eco index` makes one".to_owned(),
            false => format!("there is {}", names.join(", ")),
        };
        Fault::not_found(format_args!("no collection '{name}'; {there_is}"))
    }

    /// A repertoire as a book.
    pub(super) fn book(&self, info: &RepertoireInfo) -> Result<Arc<Book>, Fault> {
        if let Some(book) = lock(&self.books).get(&info.name) {
            return Ok(Arc::clone(book));
        }
        let book = Arc::new(Database::open(&self.path)?.book_by(&info.name, info.rule)?);
        lock(&self.books).insert(info.name.clone(), Arc::clone(&book));
        Ok(book)
    }

    /// The answer that a request was given before.
    pub(super) fn kept_answer(&self, request: &str) -> Option<Answer> {
        self.answers.get(request).map(Arc::unwrap_or_clone)
    }

    pub(super) fn keep_answer(&self, request: String, answer: Answer) {
        let bytes = request.len() + answer.body.len() + OVERHEAD;
        self.answers.put(request, Arc::new(answer), bytes);
    }
}

/// What an answer takes besides its body and its request: the entry, the answer and its headers.
const OVERHEAD: usize = 256;
