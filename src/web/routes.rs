//! The routes: from a path to what answers it.

use std::sync::LazyLock;

use super::{
    answer::{Answer, Fault, TEXT},
    eco_api, lichess_api,
    request::{Parameters, Request},
};

/// What must be done for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Something is looked up, which is soon done.
    Lookup,
    /// Games are searched for those that fit, which may take long.
    Search,
    /// A body is read, and an answer of a session of training kept.
    Training,
}

type Respond = fn(&Request<'_>) -> Result<Answer, Fault>;

/// Paths, the work for an answer whose parameters filter games, and what answers. Where a path ends
/// with a slash, the identity of a game follows.
const ROUTES: [(&str, Work, Respond); 16] = [
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
    ("/eco/line", Work::Lookup, eco_api::line),
    ("/eco/players", Work::Lookup, eco_api::players),
    ("/eco/openings", Work::Lookup, eco_api::openings),
    ("/eco/repertoires", Work::Search, eco_api::repertoires),
];

/// The route of a path, and the identity of a game at its end.
fn find(path: &str) -> Option<(Work, Respond, &str)> {
    ROUTES.iter().find_map(|(start, work, respond)| {
        let id = path.strip_prefix(start)?;
        let is_whole = if start.ends_with('/') { !id.contains('/') } else { id.is_empty() };
        is_whole.then_some((*work, *respond, id))
    })
}

/// What answers a path, and the identity of a game at its end.
pub(super) fn route(path: &str) -> Result<(Respond, &str), Fault> {
    let (_, respond, id) = find(path).ok_or_else(|| {
        Fault::not_found(format_args!(
            "nothing at {path:?}; there is /, /masters, /lichess, /player, and more under /eco/"
        ))
    })?;
    Ok((respond, id))
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

/// What must be done for the answer to a request without a body.
pub(super) fn work(path: &str, query: &str) -> Work {
    let is_filtered =
        || Parameters::read(query).pairs().any(|(name, _)| !UNFILTERED.contains(&name));
    find(path).filter(|_| is_filtered()).map_or(Work::Lookup, |(work, ..)| work)
}

const SVG: &str = "image/svg+xml";

/// The files of the page, which are made from `web/`.
static PAGE: LazyLock<[(&str, Answer); 6]> = LazyLock::new(|| {
    [
        ("/", Answer::file("text/html; charset=utf-8", include_str!("page/index.html"))),
        ("/page.js", Answer::file("text/javascript; charset=utf-8", include_str!("page/page.js"))),
        ("/page.css", Answer::file("text/css; charset=utf-8", include_str!("page/page.css"))),
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
            assert!(file(&format!("/{path}")).is_some(), "/{path} is not served");
            found += 1;
        }
        assert!(found >= 3, "the page loads its style, its script and its icon");
    }
}
