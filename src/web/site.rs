//! What answers requests: paths, and what is behind them. No sockets.

use std::{
    fs::Metadata,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use super::{
    answer::Answer, cache::Cache, eco_api, fault::Fault, lichess_api, opened::Opened, page,
    parameters::Parameters, roles::Roles, training::Trainer,
};
use crate::{collection::Cancellation, store::StoreError, training::Moment};

/// Collections of games, and the answers to requests about them.
///
/// A file that is replaced or changed is opened again. While it cannot be read, answers say so.
pub struct Site {
    path: PathBuf,
    roles: Roles,
    trainer: Option<Trainer>,
    state: Mutex<State>,
}

/// What is known as long as the file does not change.
struct State {
    opened: Option<(Stamp, Opened)>,
    cache: Cache,
}

/// What tells two states of a file apart.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// The number of the file, where files have numbers.
    number: u64,
}

/// The bytes of answers that are kept.
const CACHE: usize = 16 << 20;

/// A request, apart from what only the server needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) path: &'a str,
    pub(super) query: &'a str,
    /// What ends the search for an answer that nobody waits for.
    pub(super) cancellation: Option<&'a Cancellation>,
}

impl Site {
    /// A position database.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, has neither games nor repertoires, or does not have the collections.
    pub fn open(path: &Path, roles: Roles) -> Result<Self, SiteError> {
        let site = Self {
            path: path.to_owned(),
            roles,
            trainer: None,
            state: Mutex::new(State { opened: None, cache: Cache::new(CACHE) }),
        };
        let stamp = site.stamp();
        let opened = Opened::open(path)?;
        if !opened.has_something() {
            return Err(SiteError::Empty(path.to_owned()));
        }
        site.check_roles(&opened)?;
        site.lock().opened = Some((stamp, opened));
        Ok(site)
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

    /// The answer to a body that was sent to be trained, as a server would send it: the status of
    /// HTTP, the type of the content, and the content. `None` if nothing is trained.
    #[must_use]
    pub fn post(&self, body: &[u8]) -> Option<(u16, &'static str, Arc<[u8]>)> {
        let answer = self.trainer.as_ref()?.answer(body);
        Some((answer.status, answer.content_type, answer.body))
    }

    /// What trains, if a repertoire is trained.
    pub(super) fn trainer(&self) -> Option<&Trainer> {
        self.trainer.as_ref()
    }

    fn check_roles(&self, opened: &Opened) -> Result<(), SiteError> {
        for name in [&self.roles.masters, &self.roles.lichess].into_iter().flatten() {
            opened.explorer(&[name]).map_err(|fault| SiteError::Collection(fault.text))?;
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stamp(&self) -> Stamp {
        match std::fs::metadata(&self.path) {
            Ok(metadata) => Stamp {
                length: metadata.len(),
                modified: metadata.modified().ok(),
                number: file_number(&metadata),
            },
            Err(_) => Stamp { length: 0, modified: None, number: 0 },
        }
    }

    /// What the file has, opened again if it has changed. All that is known of the file as it was
    /// is forgotten then.
    fn opened(&self) -> Result<Opened, Fault> {
        let stamp = self.stamp();
        if let Some((known, opened)) = &self.lock().opened
            && *known == stamp
        {
            return Ok(opened.clone());
        }
        let opened = Opened::open(&self.path)?;
        let mut state = self.lock();
        state.cache.clear();
        state.opened = Some((stamp, opened.clone()));
        Ok(opened)
    }

    /// The answer to a request for a path with its query, `/masters?play=e2e4`, as a server would
    /// send it: the status of HTTP, the type of the content, and the content.
    #[must_use]
    pub fn get(&self, target: &str) -> (u16, &'static str, Arc<[u8]>) {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let answer = self.answer(Asked { path, query, cancellation: None });
        (answer.status, answer.content_type, Arc::clone(&answer.body))
    }

    /// An answer that needs no work: one that was given before, or a file of the page.
    pub(super) fn at_hand(&self, asked: Asked<'_>) -> Option<Arc<Answer>> {
        if let Some(answer) = page::file(asked.path) {
            return Some(Arc::new(answer));
        }
        let stamp = self.stamp();
        let mut state = self.lock();
        let is_current = state.opened.as_ref().is_some_and(|(known, _)| *known == stamp);
        if is_current { state.cache.get(&cache_key(asked)) } else { None }
    }

    /// The answer to a request. It may take long.
    pub(super) fn answer(&self, asked: Asked<'_>) -> Arc<Answer> {
        if let Some(answer) = self.at_hand(asked) {
            return answer;
        }
        let stamp = self.stamp();
        let answer = Arc::new(self.route(asked).unwrap_or_else(Answer::from));
        let mut state = self.lock();
        // An answer from the file as it was before is not kept for the file as it is now.
        let is_current = state.opened.as_ref().is_some_and(|(known, _)| *known == stamp);
        if answer.status == 200 && is_current {
            state.cache.insert(cache_key(asked), Arc::clone(&answer));
        }
        answer
    }

    fn route(&self, asked: Asked<'_>) -> Result<Answer, Fault> {
        let parameters = Parameters::read(asked.query);
        let route = Route::of(asked.path).ok_or_else(|| no_route(asked.path))?;
        let opened = self.opened()?.until(asked.cancellation.unwrap_or(&Cancellation::default()));
        let parameters = &parameters;
        let masters = self.roles.masters.as_deref().into_iter().collect::<Vec<_>>();
        let lichess = self.roles.lichess.as_deref().into_iter().collect::<Vec<_>>();
        match route {
            Route::Masters => lichess_api::masters(parameters, &opened, &masters),
            Route::MastersPgn(id) => lichess_api::masters_pgn(id, &opened),
            Route::Lichess => lichess_api::lichess(parameters, &opened, &lichess),
            Route::History => lichess_api::history(parameters, &opened, &lichess),
            Route::Player => lichess_api::player(parameters, &opened),
            Route::Collections => {
                let trained = self.trainer.as_ref().map(Trainer::repertoire);
                eco_api::collections(&opened, &self.roles, trained)
            }
            Route::Position => eco_api::position(parameters, &opened),
            Route::Game(id) => eco_api::game(id, &opened),
            Route::Pgn(id) => eco_api::pgn(id, &opened),
            Route::Line => eco_api::line(parameters, &opened),
            Route::Players => eco_api::players(parameters, &opened),
            Route::Openings => eco_api::openings(parameters, &opened),
            Route::Repertoires => eco_api::repertoires(parameters, &opened),
        }
    }
}

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route<'a> {
    Masters,
    MastersPgn(&'a str),
    Lichess,
    History,
    Player,
    Collections,
    Position,
    Game(&'a str),
    Pgn(&'a str),
    Line,
    Players,
    Openings,
    Repertoires,
}

impl<'a> Route<'a> {
    /// What a path leads to; `None` if it leads nowhere.
    fn of(path: &'a str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_prefix('/').unwrap_or_default().split('/').collect();
        Some(match parts[..] {
            ["masters" | "master"] => Self::Masters,
            ["masters" | "master", "pgn", id] => Self::MastersPgn(id),
            ["lichess"] => Self::Lichess,
            ["lichess", "history"] => Self::History,
            ["player" | "personal"] => Self::Player,
            ["eco", "collections"] => Self::Collections,
            ["eco", "position"] => Self::Position,
            ["eco", "game", id] => Self::Game(id),
            ["eco", "pgn", id] => Self::Pgn(id),
            ["eco", "line"] => Self::Line,
            ["eco", "players"] => Self::Players,
            ["eco", "openings"] => Self::Openings,
            ["eco", "repertoires"] => Self::Repertoires,
            _ => return None,
        })
    }

    /// Whether games are counted in a position.
    fn counts_games(self) -> bool {
        match self {
            Self::Masters | Self::Lichess | Self::History | Self::Player => true,
            Self::Position | Self::Repertoires => true,
            Self::MastersPgn(_) | Self::Game(_) | Self::Pgn(_) => false,
            Self::Collections | Self::Line | Self::Players | Self::Openings => false,
        }
    }
}

/// Parameters of a position that leave the games that count as they are. Without any other, all
/// games count, which is soon done.
const UNFILTERED: [&str; 11] = [
    "fen",
    "play",
    "variant",
    "source",
    "collection",
    "name",
    "min-games",
    "moves",
    "topGames",
    "recentGames",
    "history",
];

/// Whether games are searched for those that fit, which may take long.
pub(super) fn is_search(path: &str, query: &str) -> bool {
    let parameters = Parameters::read(query);
    Route::of(path).is_some_and(Route::counts_games)
        && parameters.pairs().any(|(name, _)| !UNFILTERED.contains(&name))
}

fn no_route(path: &str) -> Fault {
    Fault::not_found(format_args!(
        "nothing at {path:?}; there is /, /masters, /lichess, /player, and more under /eco/"
    ))
}

fn cache_key(asked: Asked<'_>) -> String {
    format!("{}?{}", asked.path, asked.query)
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
