//! A site: a file, and the answers to requests about what is in it. No sockets.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use super::{
    answer::{Answer, Fault},
    database::OpenDatabase,
    request::{Parameters, Request, Roles},
    routes,
    training::{self, Trainer},
};
use crate::{collection::Cancellation, store::StoreError, training::Moment};

/// Collections of games, and the answers to requests about them.
///
/// A file that is replaced or changed is opened again. While it cannot be read, answers say so.
pub struct Site {
    path: PathBuf,
    roles: Roles,
    trainer: Option<Trainer>,
    /// What was opened, and the file as it was then.
    opened: Mutex<(Stamp, Arc<OpenDatabase>)>,
}

/// What distinguishes two states of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// The number of the file, where files have numbers.
    number: u64,
}

impl Stamp {
    fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(metadata) => Self {
                length: metadata.len(),
                modified: metadata.modified().ok(),
                number: file_number(&metadata),
            },
            Err(_) => Self { length: 0, modified: None, number: 0 },
        }
    }
}

impl Site {
    /// A position database.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, has neither games nor repertoires, or does not have the collections.
    pub fn open(path: &Path, roles: Roles) -> Result<Self, SiteError> {
        let stamp = Stamp::of(path);
        let database = OpenDatabase::open(path)?;
        if !database.has_something() {
            return Err(SiteError::Empty(path.to_owned()));
        }
        for name in [&roles.masters, &roles.lichess].into_iter().flatten() {
            database.explorer(&[name]).map_err(|fault| SiteError::Collection(fault.text))?;
        }
        let opened = Mutex::new((stamp, Arc::new(database)));
        Ok(Self { path: path.to_owned(), roles, trainer: None, opened })
    }

    /// The same site with training of a repertoire, whose answers are written. `now` returns the
    /// time.
    ///
    /// # Errors
    ///
    /// If there is no such repertoire, or the file cannot be written.
    pub fn with_training(
        mut self,
        repertoire: &str,
        now: fn() -> Moment,
    ) -> Result<Self, SiteError> {
        self.trainer = Some(Trainer::new(&self.path, repertoire, now)?);
        Ok(self)
    }

    /// The answer to a request for a path with a query, such as `/masters` and `play=e2e4`. It may
    /// take long, and ends early when it is cancelled. Only a session of training reads the body.
    #[must_use]
    pub fn answer(
        &self,
        path: &str,
        query: &str,
        body: &[u8],
        cancellation: &Cancellation,
    ) -> Answer {
        if let Some(file) = routes::file(path) {
            return file.clone();
        }
        let answer = match self.trainer_at(path) {
            Some(trainer) => trainer.answer(body),
            None => self.answer_from_file(path, query, cancellation),
        };
        answer.unwrap_or_else(Answer::from)
    }

    fn answer_from_file(
        &self,
        path: &str,
        query: &str,
        cancellation: &Cancellation,
    ) -> Result<Answer, Fault> {
        let (respond, id) = routes::route(path)?;
        let database = &*self.current()?;
        let key = cache_key(path, query);
        // Another request for it may have been answered since this one came.
        if let Some(answer) = database.kept_answer(&key) {
            return Ok(answer);
        }
        let (parameters, roles) = (Parameters::read(query), &self.roles);
        let trained = self.trainer.as_ref().map(Trainer::repertoire);
        let answer = respond(&Request { parameters, id, database, roles, trained, cancellation })?;
        database.keep_answer(key, answer.clone());
        Ok(answer)
    }

    /// An answer that needs no work: one that was given before, or a file of the page.
    pub(super) fn at_hand(&self, path: &str, query: &str) -> Option<Answer> {
        let kept = || self.opened(&Stamp::of(&self.path))?.kept_answer(&cache_key(path, query));
        routes::file(path).cloned().or_else(kept)
    }

    /// What trains, if a repertoire is trained at this path.
    pub(super) fn trainer_at(&self, path: &str) -> Option<&Trainer> {
        self.trainer.as_ref().filter(|_| path == training::PATH)
    }

    fn lock(&self) -> MutexGuard<'_, (Stamp, Arc<OpenDatabase>)> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was opened, if the file is as it was then.
    fn opened(&self, stamp: &Stamp) -> Option<Arc<OpenDatabase>> {
        let opened = self.lock();
        (opened.0 == *stamp).then(|| Arc::clone(&opened.1))
    }

    /// What is in the file, which is opened again if it has changed.
    fn current(&self) -> Result<Arc<OpenDatabase>, Fault> {
        let stamp = Stamp::of(&self.path);
        if let Some(database) = self.opened(&stamp) {
            return Ok(database);
        }
        let database = Arc::new(OpenDatabase::open(&self.path)?);
        *self.lock() = (stamp, Arc::clone(&database));
        Ok(database)
    }
}

fn cache_key(path: &str, query: &str) -> String {
    format!("{path}?{query}")
}

#[cfg(unix)]
fn file_number(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn file_number(_: &Metadata) -> u64 {
    0
}

/// A site could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It has neither a game nor a repertoire.
    #[error("{}: has no games to serve", .0.display())]
    Empty(PathBuf),
    /// It has no collection of a name.
    #[error("{0}")]
    Collection(String),
}
