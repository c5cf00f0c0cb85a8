//! A position database that is open: what requests are answered from, as it was when it was opened.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{collections::HashMap, mem};

use super::answer::{Answer, Fault};
use crate::store::{CollectionInfo, Database, Explorer, RepertoireInfo, StoreError};
use crate::{catalogue::Catalogue, executor::lock, repertoire::Book, select::Selection};

/// Several collections may be asked together. No more combinations than this are kept open.
const MAX_EXPLORERS: usize = 16;

/// The bytes of answers that are kept.
const CACHE: usize = 16 << 20;

/// The collections, openings and repertoires of a file, and the answers that were given from them.
pub(super) struct OpenDatabase {
    path: PathBuf,
    /// What looks in all collections.
    explorer: Arc<Explorer>,
    pub(super) collections: Vec<CollectionInfo>,
    /// What looks in some collections, by their names in order.
    explorers: Mutex<HashMap<Vec<String>, Arc<Explorer>>>,
    catalogue: &'static Catalogue,
    pub(super) repertoires: Vec<RepertoireInfo>,
    /// Those that were asked for.
    books: Mutex<HashMap<String, Arc<Book>>>,
    answers: Mutex<Cache>,
}

impl OpenDatabase {
    /// Opens a file, whose openings a catalogue names.
    pub(super) fn open(path: &Path, catalogue: &'static Catalogue) -> Result<Self, StoreError> {
        let database = Database::open(path)?;
        let explorer = Arc::new(Explorer::open(path, &[])?);
        Ok(Self {
            path: path.to_owned(),
            collections: explorer.collections()?,
            explorer,
            explorers: Mutex::default(),
            catalogue,
            repertoires: database.repertoires()?,
            books: Mutex::default(),
            answers: Mutex::new(Cache::new(CACHE)),
        })
    }

    /// Whether there is a game or a repertoire.
    pub(super) fn has_something(&self) -> bool {
        !self.repertoires.is_empty() || self.collections.iter().any(|info| info.games > 0)
    }

    pub(super) fn catalogue(&self) -> &'static Catalogue {
        self.catalogue
    }

    /// Checks that there is an opening that is asked for. Games may have been named by the openings
    /// that are built in before the file had its own.
    pub(super) fn check_openings(&self, selection: &Selection) -> Result<(), Fault> {
        if !selection.asks_for_opening() {
            return Ok(());
        }
        let catalogues = [self.catalogue(), Catalogue::builtin()];
        selection.check_openings(&catalogues).map_err(Fault::bad_request)
    }

    /// What looks in these collections; no names are all of them.
    pub(super) fn explorer(&self, names: &[&str]) -> Result<Arc<Explorer>, Fault> {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names.dedup();
        let is_known = |name: &String| self.collections.iter().any(|info| info.name == *name);
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            return Err(self.no_such_collection(name));
        }
        if names.is_empty() || names.len() == self.collections.len() {
            return Ok(Arc::clone(&self.explorer));
        }
        if let Some(explorer) = lock(&self.explorers).get(&names) {
            return Ok(Arc::clone(explorer));
        }
        let explorer = Arc::new(self.explorer.only(&names)?);
        let mut explorers = lock(&self.explorers);
        if explorers.len() >= MAX_EXPLORERS {
            explorers.clear();
        }
        explorers.insert(names, Arc::clone(&explorer));
        Ok(explorer)
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
        lock(&self.answers).get(request)
    }

    pub(super) fn keep_answer(&self, request: String, answer: Answer) {
        lock(&self.answers).insert(request, answer);
    }
}

/// Answers by their requests. It holds as many bytes as it may, and forgets first what was not
/// asked for in a long time.
///
/// There are two generations. What is asked for is put into the young one; when that is full, it
/// becomes the old one, and what only the old one had is forgotten.
struct Cache {
    young: HashMap<String, Answer>,
    old: HashMap<String, Answer>,
    /// The bytes of the young generation.
    bytes: usize,
    /// The most bytes of a generation.
    most: usize,
}

/// What an answer takes besides its body and its request: the entry, the answer and its headers.
const OVERHEAD: usize = 256;

impl Cache {
    fn new(bytes: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), bytes: 0, most: bytes / 2 }
    }

    fn get(&mut self, request: &str) -> Option<Answer> {
        if let Some(answer) = self.young.get(request) {
            return Some(answer.clone());
        }
        let (request, answer) = self.old.remove_entry(request)?;
        self.insert(request, answer.clone());
        Some(answer)
    }

    /// Keeps an answer, if it is not larger than everything that can be kept.
    fn insert(&mut self, request: String, answer: Answer) {
        let bytes = request.len() + answer.body.len() + OVERHEAD;
        if bytes > self.most {
            return;
        }
        if self.bytes + bytes > self.most {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        // Two threads may have found the same answer.
        if self.young.insert(request, answer).is_none() {
            self.bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(length: usize) -> Answer {
        Answer::pgn(vec![b'x'; length])
    }

    #[test]
    fn answers_take_no_more_bytes_than_they_may() {
        let mut cache = Cache::new(100_000);
        for number in 0..10_000_usize {
            cache.insert(number.to_string(), answer(number % 500));
            cache.get("0");
            let held = cache.young.iter().chain(&cache.old);
            let held: usize =
                held.map(|(request, a)| request.len() + a.body.len() + OVERHEAD).sum();
            assert!(held <= 100_000, "{held} bytes after {number}");
        }
        assert!(cache.get("0").is_some(), "what is asked for is not forgotten");
        assert!(cache.get("1").is_none() && cache.get("9999").is_some());
        cache.insert("large".to_owned(), answer(50_000));
        assert!(cache.get("large").is_none() && cache.get("9999").is_some());
    }
}
