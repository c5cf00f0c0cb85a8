//! What is answered from: collections, openings and repertoires, as they were when opened.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::fault::Fault;
use crate::{
    catalogue::Catalogue,
    collection::{GameId, KeptGame},
    repertoire::Book,
    select::Selection,
    store::{CollectionInfo, Database, Explorer, RepertoireInfo, StoreError},
};

/// Several collections may be asked together. No more combinations than this are kept open.
const MAX_EXPLORERS: usize = 16;

/// Collections, openings and repertoires that are open.
pub(super) struct Opened {
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
        Ok(Self {
            path: path.to_owned(),
            collections: explorer.collections()?,
            explorer,
            explorers: Mutex::default(),
            catalogue,
            repertoires: database.repertoires()?,
            books: Mutex::default(),
        })
    }

    /// Whether there is a game or a repertoire.
    pub(super) fn has_something(&self) -> bool {
        !self.repertoires.is_empty() || self.collections.iter().any(|info| info.games > 0)
    }

    /// The openings.
    pub(super) fn catalogue(&self) -> &Catalogue {
        self.catalogue.as_ref().unwrap_or_else(|| Catalogue::builtin())
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
        &self.collections
    }

    /// The repertoires.
    pub(super) fn repertoires(&self) -> &[RepertoireInfo] {
        &self.repertoires
    }

    /// Whether there is a repertoire of this name.
    pub(super) fn has_repertoire(&self, name: &str) -> bool {
        self.repertoires.iter().any(|info| info.name == name)
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
        if let Some(explorer) = locked(&self.explorers).get(&names) {
            return Ok(Arc::clone(explorer));
        }
        let explorer = Arc::new(self.explorer.only(&names)?);
        let mut explorers = locked(&self.explorers);
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
        Fault::not_found(format_args!("no collection {name:?}; {there_is}"))
    }

    /// A game, and the collection it is in.
    pub(super) fn game(&self, id: GameId) -> Result<Option<(String, KeptGame)>, Fault> {
        for info in &self.collections {
            if let Some(game) = self.explorer(&[&info.name])?.game(id)? {
                return Ok(Some((info.name.clone(), game)));
            }
        }
        Ok(None)
    }

    /// A repertoire as a book.
    pub(super) fn book(&self, info: &RepertoireInfo) -> Result<Arc<Book>, Fault> {
        if let Some(book) = locked(&self.books).get(&info.name) {
            return Ok(Arc::clone(book));
        }
        let book = Arc::new(Database::open(&self.path)?.book_by(&info.name, info.rule)?);
        locked(&self.books).insert(info.name.clone(), Arc::clone(&book));
        Ok(book)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::unavailable(error)
    }
}
