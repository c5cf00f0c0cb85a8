//! What is answered from: collections, openings and repertoires, as they were when opened.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::fault::Fault;
use crate::{
    catalogue::Catalogue,
    collection::{Cancellation, GameId, KeptGame},
    repertoire::Book,
    select::Selection,
    store::{CollectionInfo, Database, Explorer, RepertoireInfo, StoreError},
};

/// Several collections may be asked together. No more combinations than this are kept open.
const MAX_EXPLORERS: usize = 16;

/// Collections, openings and repertoires that are open, for the questions of one request.
#[derive(Clone)]
pub(super) struct Opened {
    file: Arc<OpenedFile>,
    /// What ends the questions.
    cancellation: Cancellation,
}

/// What all requests share.
struct OpenedFile {
    path: PathBuf,
    /// What looks in all collections.
    explorer: Arc<Explorer>,
    collections: Vec<CollectionInfo>,
    /// What looks in some collections, by their names in order.
    explorers: Mutex<HashMap<Vec<String>, Arc<Explorer>>>,
    /// The openings of the file; `None` for those that are built in.
    catalogue: Option<Catalogue>,
    repertoires: Vec<RepertoireInfo>,
    /// Those that somebody has asked for.
    books: Mutex<HashMap<String, Arc<Book>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Maps are whole whatever happens to those who use them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Opened {
    /// A position database.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Database::open(path)?;
        let catalogue = database.has_masters()?.then(|| database.catalogue()).transpose()?;
        let explorer = Arc::new(Explorer::open(path, &[])?);
        let file = OpenedFile {
            path: path.to_owned(),
            collections: explorer.collections()?,
            explorer,
            explorers: Mutex::default(),
            catalogue,
            repertoires: database.repertoires()?,
            books: Mutex::default(),
        };
        Ok(Self { file: Arc::new(file), cancellation: Cancellation::default() })
    }

    /// The same for a request whose questions may be cancelled.
    pub(super) fn until(&self, cancellation: &Cancellation) -> Self {
        Self { file: Arc::clone(&self.file), cancellation: cancellation.clone() }
    }

    /// Whether there is a game or a repertoire.
    pub(super) fn has_something(&self) -> bool {
        !self.file.repertoires.is_empty() || self.file.collections.iter().any(|info| info.games > 0)
    }

    /// The openings.
    pub(super) fn catalogue(&self) -> &Catalogue {
        self.file.catalogue.as_ref().unwrap_or_else(|| Catalogue::builtin())
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

    /// The collections.
    pub(super) fn collections(&self) -> &[CollectionInfo] {
        &self.file.collections
    }

    /// The repertoires.
    pub(super) fn repertoires(&self) -> &[RepertoireInfo] {
        &self.file.repertoires
    }

    /// Whether there is a repertoire of this name.
    pub(super) fn has_repertoire(&self, name: &str) -> bool {
        self.file.repertoires.iter().any(|info| info.name == name)
    }

    /// What looks in these collections; no names are all of them.
    pub(super) fn explorer(&self, names: &[&str]) -> Result<Explorer, Fault> {
        Ok(self.kept_explorer(names)?.until(&self.cancellation))
    }

    fn kept_explorer(&self, names: &[&str]) -> Result<Arc<Explorer>, Fault> {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names.dedup();
        let is_known = |name: &String| self.file.collections.iter().any(|info| info.name == *name);
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            return Err(self.no_such_collection(name));
        }
        if names.is_empty() || names.len() == self.file.collections.len() {
            return Ok(Arc::clone(&self.file.explorer));
        }
        if let Some(explorer) = locked(&self.file.explorers).get(&names) {
            return Ok(Arc::clone(explorer));
        }
        let explorer = Arc::new(self.file.explorer.only(&names)?);
        let mut explorers = locked(&self.file.explorers);
        if explorers.len() >= MAX_EXPLORERS {
            explorers.clear();
        }
        explorers.insert(names, Arc::clone(&explorer));
        Ok(explorer)
    }

    fn no_such_collection(&self, name: &str) -> Fault {
        let names: Vec<&str> =
            self.file.collections.iter().map(|info| info.name.as_str()).collect();
        let there_is = match names.is_empty() {
            true => "there is none; `eco index` makes one".to_owned(),
            false => format!("there is {}", names.join(", ")),
        };
        Fault::not_found(format_args!("no collection {name:?}; {there_is}"))
    }

    /// A game, and the collection it is in.
    pub(super) fn game(&self, id: GameId) -> Result<Option<(String, KeptGame)>, Fault> {
        for info in &self.file.collections {
            if let Some(game) = self.explorer(&[&info.name])?.game(id)? {
                return Ok(Some((info.name.clone(), game)));
            }
        }
        Ok(None)
    }

    /// A repertoire as a book.
    pub(super) fn book(&self, info: &RepertoireInfo) -> Result<Arc<Book>, Fault> {
        if let Some(book) = locked(&self.file.books).get(&info.name) {
            return Ok(Arc::clone(book));
        }
        let book = Arc::new(Database::open(&self.file.path)?.book_by(&info.name, info.rule)?);
        locked(&self.file.books).insert(info.name.clone(), Arc::clone(&book));
        Ok(book)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::unavailable(error)
    }
}
