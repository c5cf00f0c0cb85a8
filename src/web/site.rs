//! A site: a file, and the answers to requests about what is in it. No sockets.
//!
//! A row of [`ROUTES`] answers a path; the site keeps what was answered, and opens the file again
//! when it has changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::{fs, time::SystemTime};

use super::answer::{Answer, Fault, HTML, TEXT};
use super::request::{LANG, Parameters, Request, Roles};
use super::{database::OpenDatabase, eco_api, editing, lichess_api, training, training::Trainer};
use crate::new_file::{FileId, identity};
use crate::packed::{Packed, packed};
use crate::{catalogue::Catalogue, collection::Cancellation, store::StoreError, training::Moment};
use crate::{chess::Language, executor::lock, quoted::Quoted, report};

/// Collections of games, and the answers to requests about them.
///
/// A file that is replaced or changed is opened again. While it cannot be read, answers say so.
pub struct Site {
    path: PathBuf,
    roles: Roles,
    /// What names openings.
    catalogue: &'static Catalogue,
    /// The language of answers under `/eco/`, where a request names none.
    language: Language,
    /// The catalogue in the languages that were asked for.
    translated: Mutex<Vec<&'static Catalogue>>,
    trainer: Option<Trainer>,
    /// What was opened, and the file as it was then.
    opened: Mutex<(Stamp, Arc<OpenDatabase>)>,
}

/// What distinguishes two states of a file: which file it is, its length and its time.
type Stamp = Option<(FileId, u64, Option<SystemTime>)>;

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((identity(path).ok()?, metadata.len(), metadata.modified().ok()))
}

impl Site {
    /// A position database.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, has neither games nor repertoires, or does not have the collections.
    pub fn open(
        path: &Path,
        roles: Roles,
        catalogue: &'static Catalogue,
    ) -> Result<Self, SiteError> {
        let stamp = stamp(path);
        let database = OpenDatabase::open(path, catalogue)?;
        if !database.has_something() {
            return Err(SiteError::Empty(path.to_owned()));
        }
        for name in [&roles.masters, &roles.lichess].into_iter().flatten() {
            database.explorer(&[name]).map_err(|fault| SiteError::Collection(fault.text))?;
        }
        let opened = Mutex::new((stamp, Arc::new(database)));
        let (language, translated) = (Language::English, Mutex::default());
        let path = path.to_owned();
        Ok(Self { path, roles, catalogue, language, translated, trainer: None, opened })
    }

    /// The site with names of openings in this language, where a request asks for none. lichess's
    /// API has English ones.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The catalogue in the language of a request. A list is what a browser prefers, and so is any
    /// language of pasted moves: what is unknown there is skipped.
    fn catalogue_for(
        &self,
        path: &str,
        parameters: &Parameters,
    ) -> Result<&'static Catalogue, Fault> {
        let read = |code: &str| code.parse().map_err(|error| Fault::parameter(LANG, error));
        let asked = parameters.list(LANG).unwrap_or_default();
        let language = match (&asked[..], path.starts_with(OWN)) {
            ([], true) => self.language,
            ([], false) => Language::English,
            ([code], _) if path != PASTED => read(code)?,
            (codes, _) => codes.iter().find_map(|code| read(code).ok()).unwrap_or(self.language),
        };
        if language == Language::English {
            return Ok(self.catalogue);
        }
        let mut translated = lock(&self.translated);
        let found = translated.iter().find(|catalogue| catalogue.language() == language);
        if let Some(catalogue) = found {
            return Ok(catalogue);
        }
        // Each language once, as long as the program runs.
        let catalogue: &'static _ = Box::leak(Box::new(self.catalogue.in_language(language)));
        translated.push(catalogue);
        Ok(catalogue)
    }

    /// The site with training and editing of repertoires, which are written. `now` returns the
    /// time.
    ///
    /// # Errors
    ///
    /// If there is no such repertoire, or the file cannot be written.
    pub fn with_training(
        mut self,
        repertoires: &[String],
        now: fn() -> Moment,
    ) -> Result<Self, SiteError> {
        self.trainer = Some(Trainer::new(&self.path, repertoires, now)?);
        Ok(self)
    }

    /// The answer to a request for a path with a query, such as `/masters` and `play=e2e4`. It may
    /// take long, and ends early when it is cancelled. Only training and editing read the body.
    pub fn answer(
        &self,
        path: &str,
        query: &str,
        body: &[u8],
        cancellation: &Cancellation,
    ) -> Answer {
        if let Some(file) = file(path) {
            return file.clone();
        }
        let answer = match &self.trainer {
            Some(trainer) if path == training::PATH => trainer.answer(body),
            Some(trainer) if path == editing::PATH => trainer.edit(body),
            _ => self.answer_from_file(path, query, cancellation),
        };
        answer.unwrap_or_else(Answer::from)
    }

    fn answer_from_file(
        &self,
        path: &str,
        query: &str,
        cancellation: &Cancellation,
    ) -> Result<Answer, Fault> {
        let (_, respond, id) = route(path).ok_or_else(|| {
            Fault::not_found(format_args!(
                "nothing at {}; there is /, /masters, /lichess, /player, and more under /eco/",
                Quoted(path)
            ))
        })?;
        let database = &*self.current()?;
        let key = cache_key(path, query);
        // Another request for it may have been answered since this one came.
        if let Some(answer) = database.kept_answer(&key) {
            return Ok(answer);
        }
        let (parameters, roles) = (Parameters::read(query), &self.roles);
        let catalogue = self.catalogue_for(path, &parameters)?;
        let trained = self.trainer.as_ref().map_or(&[][..], |trainer| &trainer.repertoires);
        let request = Request { parameters, id, database, catalogue, roles, trained, cancellation };
        let answer = respond(&request)?;
        database.keep_answer(key, answer.clone());
        Ok(answer)
    }

    /// An answer that needs no work: one that was given before, or a file of the page.
    pub(super) fn at_hand(&self, path: &str, query: &str) -> Option<Answer> {
        let kept = || self.opened(&stamp(&self.path))?.kept_answer(&cache_key(path, query));
        file(path).cloned().or_else(kept)
    }

    /// Whether something is written at a path.
    pub(super) fn writes_at(&self, path: &str) -> bool {
        self.trainer.is_some() && [training::PATH, editing::PATH].contains(&path)
    }

    /// What was opened, if the file is as it was then.
    fn opened(&self, stamp: &Stamp) -> Option<Arc<OpenDatabase>> {
        let opened = lock(&self.opened);
        (opened.0 == *stamp).then(|| Arc::clone(&opened.1))
    }

    /// What is in the file, which is opened again if it has changed.
    fn current(&self) -> Result<Arc<OpenDatabase>, Fault> {
        let stamp = stamp(&self.path);
        if let Some(database) = self.opened(&stamp) {
            return Ok(database);
        }
        let database = Arc::new(OpenDatabase::open(&self.path, self.catalogue)?);
        *lock(&self.opened) = (stamp, Arc::clone(&database));
        Ok(database)
    }
}

fn cache_key(path: &str, query: &str) -> String {
    format!("{path}?{query}")
}

/// The most bytes of a body: a long line with a comment.
pub(super) const MAX_BODY: usize = 16 << 10;

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

/// What must be done for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Something is looked up, which is soon done.
    Lookup,
    /// Games are searched for those that fit, which may take long.
    Search,
    /// A body is read, and an answer of training or a change of the repertoire written.
    Writing,
}

/// The path that reads what somebody pasted.
const PASTED: &str = "/eco/line";

/// The path of a page that counts games, however few conditions they have.
const REPORT: &str = "/eco/report";

/// Where the paths of eco's own API begin.
const OWN: &str = "/eco/";

type Respond = fn(&Request<'_>) -> Result<Answer, Fault>;

/// Paths, the work for an answer whose parameters filter games, and what answers. Where a path ends
/// with a slash, the identity of a game follows.
const ROUTES: [(&str, Work, Respond); 18] = [
    ("/masters", Work::Search, lichess_api::masters),
    ("/master", Work::Search, lichess_api::masters),
    ("/masters/pgn/", Work::Lookup, lichess_api::masters_pgn),
    ("/master/pgn/", Work::Lookup, lichess_api::masters_pgn),
    ("/lichess", Work::Search, lichess_api::lichess),
    ("/lichess/history", Work::Search, lichess_api::history),
    ("/player", Work::Search, lichess_api::player),
    ("/personal", Work::Search, lichess_api::player),
    ("/eco/collections", Work::Lookup, eco_api::collections),
    ("/eco/position", Work::Search, eco_api::position),
    ("/eco/game/", Work::Lookup, eco_api::game),
    ("/eco/pgn/", Work::Lookup, eco_api::pgn),
    (PASTED, Work::Lookup, eco_api::line),
    ("/eco/players", Work::Lookup, eco_api::players),
    ("/eco/openings", Work::Lookup, eco_api::openings),
    ("/eco/repertoires", Work::Search, eco_api::repertoires),
    ("/eco/gaps", Work::Search, eco_api::gaps),
    (REPORT, Work::Search, eco_api::report),
];

/// The route of a path, and the identity of a game at its end.
fn route(path: &str) -> Option<(Work, Respond, &str)> {
    ROUTES.iter().find_map(|(start, work, respond)| {
        let id = path.strip_prefix(start)?;
        let is_whole = if start.ends_with('/') { !id.contains('/') } else { id.is_empty() };
        is_whole.then_some((*work, *respond, id))
    })
}

/// Parameters of a position that leave the games that count as they are. Without any other, all
/// games count, which is soon done.
const UNFILTERED: [&str; 12] = [
    LANG,
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

/// What must be done for the answer to a request without a body.
pub(super) fn work(path: &str, query: &str) -> Work {
    let is_filtered =
        || Parameters::read(query).pairs().any(|(name, _)| !UNFILTERED.contains(&name));
    route(path).filter(|_| path == REPORT || is_filtered()).map_or(Work::Lookup, |(work, ..)| work)
}

const SVG: &str = "image/svg+xml";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

static PAGE_SCRIPT: Packed = packed!("page.js");

/// The files of the page, which are made from `web/`, and those of reports.
static PAGE: LazyLock<[(&str, Answer); 8]> = LazyLock::new(|| {
    [
        ("/", Answer::file(HTML, include_str!("page/index.html"))),
        ("/page.js", Answer::file(SCRIPT, PAGE_SCRIPT.text())),
        ("/page.css", Answer::file(STYLE, include_str!("page/page.css"))),
        ("/report.js", Answer::file(SCRIPT, report::SCRIPT)),
        ("/report.css", Answer::file(STYLE, report::STYLE)),
        ("/icon.svg", Answer::file(SVG, include_str!("page/icon.svg"))),
        ("/pieces.svg", Answer::file(SVG, include_str!("page/pieces.svg"))),
        ("/third-party.txt", Answer::file(TEXT, include_str!("page/third-party.txt"))),
    ]
});

/// A file of the page.
pub(super) fn file(path: &str) -> Option<&'static Answer> {
    PAGE.iter().find(|(name, _)| *name == path).map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/page");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        let served = PAGE.iter().map(|(path, _)| path.trim_start_matches('/'));
        let served = served.filter(|name| !name.starts_with("report."));
        let mut served: Vec<&str> =
            served.map(|name| if name.is_empty() { "index.html" } else { name }).collect();
        served.sort_unstable();
        assert_eq!(served, names);
    }

    #[test]
    fn the_page_asks_for_nothing_that_is_not_served() {
        let index = str::from_utf8(&PAGE[0].1.body).unwrap();
        let quoted = index.split("=\"/").skip(1).filter_map(|rest| rest.split('"').next());
        let mut found = 0;
        for path in quoted {
            let path = format!("/{path}");
            assert!(file(&path).is_some() || route(&path).is_some(), "{path} is not served");
            found += 1;
        }
        assert!(found >= 3, "the page loads its style, its script and its icon");
    }
}
