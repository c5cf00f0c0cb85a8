//! Any bytes as the address of a request to the explorer over HTTP. The first byte chooses the
//! route; the rest are its parameters, as they would stand in the address.

use std::sync::LazyLock;

use eco::{
    collection::Cancellation,
    pipeline::Options,
    select::Selection,
    store::{CollectionBuild, CollectionSettings},
    web::{Roles, Site},
};

use super::scratch;

const ROUTES: [&str; 14] = [
    "/masters",
    "/lichess",
    "/lichess/history",
    "/player",
    "/eco/position",
    "/eco/line",
    "/eco/players",
    "/eco/openings",
    "/eco/repertoires",
    "/eco/gaps",
    "/eco/report",
    "/eco/collections",
    "/eco/game/00000000000",
    "",
];

/// A few games in a database of this process.
static SITE: LazyLock<Site> = LazyLock::new(|| {
    let (path, options) = (scratch("web").join("games.db"), Options::default());
    let settings = CollectionSettings::default();
    let mut build = CollectionBuild::begin(&path, "games", &settings, &options.workers)
        .expect("the file is new");
    let games = include_bytes!("../../../data/games/famous.pgn");
    build.add_pgn(&games[..], &Selection::default(), &options).expect("the games can be read");
    build.finish().expect("the file can be written");
    Site::open(&path, Roles::default(), eco::catalogue::Catalogue::builtin())
        .expect("it was just written")
});

pub fn check_bytes(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let query = String::from_utf8_lossy(rest);
    let route = ROUTES[usize::from(*first) % ROUTES.len()];
    let target = if route.is_empty() { query.into_owned() } else { format!("{route}?{query}") };
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let ask = || SITE.answer(path, query, &[], &Cancellation::default());
    let answer = ask();
    let text = str::from_utf8(&answer.body);
    match answer.status {
        200 if answer.content_type.contains("json") => {
            let text = text.expect("JSON is text");
            assert!(text.starts_with('{') && text.trim_end().ends_with('}'), "{target}: {text}");
            assert_eq!(text.trim_end().lines().count(), 1, "{target}: {text}");
            assert_eq!(ask(), answer, "the same question has the same answer");
        }
        200 => (),
        400 | 404 => assert!(text.is_ok_and(|text| text.lines().count() <= 1), "{target}"),
        other => panic!("{target}: status {other}: {text:?}"),
    }
}
