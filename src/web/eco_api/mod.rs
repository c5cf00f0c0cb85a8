//! Eco's own API, which `docs/serve.md` describes.
//!
//! Here are the routes that need no position: what there is, names for suggestions, and games.
//!
//! ```text
//! position │ pasted · repertoires │ gaps · report · collections, names and games
//! ```

mod gaps;
mod pasted;
mod position;
mod repertoires;
mod report;

use std::{borrow::Cow, collections::BTreeMap};

use serde::Serialize;

use self::position::{NamedObject, PlayedObject};
pub(super) use self::{gaps::gaps, pasted::line, position::position, repertoires::repertoires};
use super::answer::{Answer, Fault};
use super::line::{OpeningObject, PlayerObject, fen_of, line_of_game, why_cut};
use super::request::Request;
use crate::catalogue::{Branch, Catalogue, FoundBy, Line, Query};
use crate::chess::{Chess, Color, UciMove};
use crate::collection::{GameId, KeptGame};
use crate::{classify::find_openings, pgn::decode_text, quoted::Quoted, select::Speed};
pub(super) use report::report;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CollectionsReply<'a> {
    version: &'static str,
    /// The language of names, where a request names none.
    lang: &'static str,
    collections: Vec<CollectionObject<'a>>,
    masters: Option<&'a str>,
    lichess: Option<&'a str>,
    repertoires: Vec<RepertoireObject<'a>>,
    /// The repertoires that can be trained, as one name.
    training: Option<String>,
    /// The repertoires that can be edited.
    editing: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CollectionObject<'a> {
    name: &'a str,
    games: u64,
    counted: u64,
    depth: u32,
    since: Option<String>,
    until: Option<String>,
}

#[derive(Serialize)]
struct RepertoireObject<'a> {
    name: &'a str,
    color: String,
}

/// The collections and repertoires, and what the routes of lichess's API answer from.
pub(super) fn collections(request: &Request<'_>) -> Result<Answer, Fault> {
    let collections = request.database.collections.iter().map(|info| CollectionObject {
        name: &info.name,
        games: info.games,
        counted: info.counted_games,
        depth: info.max_ply,
        since: info.dates.map(|(since, _)| since.to_string()),
        until: info.dates.map(|(_, until)| until.to_string()),
    });
    let repertoires = request.database.repertoires.iter();
    let repertoires = repertoires
        .map(|info| RepertoireObject { name: &info.name, color: info.color.to_string() });
    Ok(Answer::json(&CollectionsReply {
        version: env!("CARGO_PKG_VERSION"),
        lang: request.catalogue.language().code(),
        collections: collections.collect(),
        masters: request.roles.masters.as_deref(),
        lichess: request.roles.lichess.as_deref(),
        repertoires: repertoires.collect(),
        training: (!request.trained.is_empty()).then(|| request.trained.join(" and ")),
        editing: request.trained,
    }))
}

const MAX_NAMES: usize = 50;
const NAMES: usize = 10;

fn names_limit(request: &Request<'_>) -> Result<usize, Fault> {
    request.parameters.number("limit", 1..=MAX_NAMES, NAMES)
}

#[derive(Serialize)]
struct PlayerNameObject {
    name: String,
    games: u64,
}

/// Players whose names have these letters.
pub(super) fn players(request: &Request<'_>) -> Result<Answer, Fault> {
    request.parameters.check_names(&[&["name", "limit", "collection"]])?;
    let part = request.parameters.get("name").unwrap_or_default();
    let players = request.named_explorer()?.players(part, names_limit(request)?)?;
    let object = |(name, games)| PlayerNameObject { name, games };
    let players: Vec<_> = players.into_iter().map(object).collect();
    Ok(Answer::json(&BTreeMap::from([("players", players)])))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpeningLineObject<'c> {
    #[serde(flatten)]
    opening: OpeningObject<'c>,
    /// The moves to it; `None` if the catalogue has only the position.
    play: Option<String>,
    /// What it was found by, if that is not its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<String>,
}

/// A part of the tree of openings.
#[derive(Serialize)]
struct BranchObject<'b> {
    eco: &'b str,
    name: &'b str,
    #[serde(rename = "nameEn", skip_serializing_if = "Option::is_none")]
    english: Option<&'b str>,
    /// The last part of the name.
    part: &'b str,
    /// The moves of its shortest line.
    play: Option<String>,
    lines: usize,
    games: u64,
    /// The number of branches that it has below it.
    below: usize,
}

impl<'b> BranchObject<'b> {
    fn new(catalogue: &Catalogue, branch: &'b Branch<'_>) -> Self {
        Self {
            eco: branch.line.opening.code(),
            name: &branch.name,
            english: branch.english.as_deref(),
            part: &branch.part,
            play: play_of(catalogue, branch.line),
            lines: branch.lines,
            games: branch.games,
            below: branch.below.len(),
        }
    }
}

/// The moves of a line, in UCI.
fn play_of(catalogue: &Catalogue, line: &Line) -> Option<String> {
    let uci = |m| UciMove::from_move(m).to_string();
    let moves = catalogue.moves(line)?;
    Some(moves.into_iter().map(uci).collect::<Vec<_>>().join(","))
}

/// The openings below a name: the families, if it is empty.
fn openings_below(request: &Request<'_>, name: &str) -> Result<Answer, Fault> {
    let catalogue = request.catalogue;
    let families = catalogue.branches(catalogue.lines(), DEEPEST);
    let found = families.iter().flat_map(Branch::all).find(|branch| branch.name == name);
    let branches = match found {
        Some(branch) => &branch.below,
        None if name.is_empty() => &families,
        None => return Err(Fault::not_found(format_args!("no opening {}", Quoted(name)))),
    };
    let branches = branches.iter().map(|branch| BranchObject::new(catalogue, branch));
    let branches: Vec<_> = branches.collect();
    Ok(Answer::json(&BTreeMap::from([("openings", branches)])))
}

/// The depth of the tree of openings.
const DEEPEST: usize = 3;

/// Openings by code, words or moves, or those below another one.
pub(super) fn openings(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    parameters.check_names(&[&["search", "limit", "below"]])?;
    let Some(search) = parameters.get("search") else {
        return openings_below(request, parameters.get("below").unwrap_or_default());
    };
    let (catalogue, limit) = (request.catalogue, names_limit(request)?);
    let query = Query::new(search);
    let (lines, query) = find_openings(catalogue, &query);
    let object = |line: &'static Line| {
        let found_by = query.found_by(&line.opening).filter(|by| **by != FoundBy::Name);
        OpeningLineObject {
            opening: (&line.opening).into(),
            play: play_of(catalogue, line),
            found_by: found_by.map(FoundBy::to_string),
        }
    };
    let openings: Vec<_> = lines.into_iter().take(limit).map(object).collect();
    Ok(Answer::json(&BTreeMap::from([("openings", openings)])))
}

#[derive(Serialize)]
struct GameReply<'a> {
    id: String,
    collection: &'a str,
    tags: &'a [(Cow<'a, str>, Cow<'a, str>)],
    white: PlayerObject<'a>,
    black: PlayerObject<'a>,
    result: &'static str,
    date: Option<String>,
    speed: Option<&'static str>,
    rated: Option<bool>,
    event: Option<&'a str>,
    link: Option<Cow<'a, str>>,
    start: String,
    moves: Vec<PlayedObject<'a>>,
    path: Vec<NamedObject<'a>>,
    opening: Option<NamedObject<'a>>,
    error: Option<String>,
}

/// The game that the path names, and the collection it is in.
fn asked_game<'a>(request: &'a Request<'_>) -> Result<(GameId, &'a str, KeptGame), Fault> {
    let id = request.id.parse().map_err(Fault::not_found)?;
    let found = request.game(id)?;
    let (collection, game) = found.ok_or_else(|| Fault::not_found(format_args!("no game {id}")))?;
    Ok((id, collection, game))
}

/// A game with all its moves.
pub(super) fn game(request: &Request<'_>) -> Result<Answer, Fault> {
    let (id, collection, game) = asked_game(request)?;
    let line = line_of_game(&game);
    let tags: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        game.tags().map(|(name, value)| (decode_text(name), decode_text(value))).collect();
    let info = game.info();
    let text = |name| game.tag(name).map(decode_text).unwrap_or_default();
    let (white, black, event) = (text("White"), text("Black"), text("Event"));
    let path = line.as_ref().map(|line| NamedObject::all(line, request.catalogue));
    let path = path.unwrap_or_default();
    let start = line.as_ref().map_or_else(Chess::default, |line| line.start().clone());
    Ok(Answer::json(&GameReply {
        id: id.to_string(),
        collection,
        tags: &tags,
        white: PlayerObject { name: &white, rating: info.rating(Color::White) },
        black: PlayerObject { name: &black, rating: info.rating(Color::Black) },
        result: game.result().as_str(),
        date: info.date().map(|date| date.to_string()),
        speed: info.speed().map(Speed::name),
        rated: info.is_rated(),
        event: Some(&*event).filter(|event| !event.is_empty()),
        link: info.link(),
        start: fen_of(&start),
        moves: line.as_ref().map(PlayedObject::all).unwrap_or_default(),
        opening: path.last().copied(),
        path,
        error: why_cut(&game, line.as_ref()),
    }))
}

/// A game as PGN, with all its tags.
pub(super) fn pgn(request: &Request<'_>) -> Result<Answer, Fault> {
    Ok(Answer::pgn(asked_game(request)?.2.to_pgn()))
}
