//! `/eco/position`: a position, and what was played there.

use serde::Serialize;

use super::objects::{GameObject, NamedObject, OpeningObject, PlayedObject, ScoreObject, san_of};
use crate::{
    catalogue::Catalogue,
    chess::{Chess, Position, UciMove, end_name},
    collection::{MonthStats, MoveStats, PositionStats},
    stats::performance,
    store::Explorer,
    web::{
        answer::Answer,
        asked_line::{AskedLine, fen_of, key_of},
        fault::Fault,
        opened::Opened,
        parameters::Parameters,
        selection::{SELECTION, read_query},
    },
};

/// The names of the parameters of a position.
pub(super) const POSITION: [&str; 2] = ["fen", "play"];
const SHOWN: [&str; 5] = ["collection", "moves", "topGames", "recentGames", "history"];

/// No position has more legal moves.
const MAX_MOVES: usize = 218;
const MAX_GAMES: usize = 15;
const GAMES: usize = 8;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    fen: String,
    turn: String,
    check: bool,
    end: Option<&'static str>,
    play: Vec<PlayedObject<'a>>,
    opening: Option<NamedObject<'a>>,
    path: Vec<NamedObject<'a>>,
    legal: Vec<LegalObject<'a>>,
    #[serde(flatten)]
    score: ScoreObject,
    ended: ScoreObject,
    moves: Vec<MoveObject<'a>>,
    top_games: Vec<GameObject<'a>>,
    recent_games: Vec<GameObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<MonthObject>>,
}

#[derive(Serialize)]
struct LegalObject<'a> {
    uci: String,
    san: String,
    opening: Option<OpeningObject<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveObject<'a> {
    uci: String,
    san: String,
    #[serde(flatten)]
    score: ScoreObject,
    average_rating: Option<u64>,
    average_opponent_rating: Option<u64>,
    performance: Option<u64>,
    first: Option<String>,
    last: Option<String>,
    reached: ScoreObject,
    opening: Option<OpeningObject<'a>>,
    game: Option<GameObject<'a>>,
}

#[derive(Serialize)]
struct MonthObject {
    month: String,
    #[serde(flatten)]
    score: ScoreObject,
}

/// What was played in a position.
pub(in crate::web) fn position(parameters: &Parameters, opened: &Opened) -> Result<Answer, Fault> {
    parameters.check_names(&[&POSITION, &SELECTION, &SHOWN])?;
    let line = AskedLine::read(parameters)?;
    let mut query = read_query(parameters)?;
    query.top_games = parameters.number("topGames", 0..=MAX_GAMES, GAMES)?;
    query.recent_games = parameters.number("recentGames", 0..=MAX_GAMES, GAMES)?;
    query.history = parameters.is_set("history");
    query.reached = true;
    let moves = parameters.number("moves", 0..=MAX_MOVES, MAX_MOVES)?;
    let names: Vec<&str> = parameters.all("collection").collect();
    opened.check_openings(&query.selection)?;
    let explorer = opened.explorer(&names)?;
    let stats = explorer.query(&key_of(line.end()), &query)?;
    if stats.score.games() + stats.ended.games() == 0 {
        check_players(parameters, &explorer)?;
    }
    let mut reply = reply(&line, opened.catalogue(), &stats, moves);
    reply.history = query.history.then(|| stats.history.iter().map(month_object).collect());
    Ok(Answer::json(&reply))
}

/// Checks that a game has each player who is asked for. It is asked only where no game was found,
/// since all names are compared.
fn check_players(parameters: &Parameters, explorer: &Explorer) -> Result<(), Fault> {
    for name in ["player", "opponent"] {
        for player in parameters.all(name) {
            if let Some(unknown) = explorer.unknown_player(player)? {
                return Err(Fault::bad_request(unknown));
            }
        }
    }
    Ok(())
}

fn reply<'a>(
    line: &'a AskedLine,
    catalogue: &'a Catalogue,
    stats: &'a PositionStats,
    moves: usize,
) -> Reply<'a> {
    let end = line.end();
    let path = NamedObject::all(&line.names(catalogue));
    let move_object = |stats| move_object(end, catalogue, stats);
    Reply {
        fen: fen_of(end),
        turn: end.turn().to_string(),
        check: end.is_check(),
        end: end_name(end),
        play: PlayedObject::all(line.moves()),
        opening: path.last().copied(),
        path,
        legal: legal(end, catalogue),
        score: stats.score.into(),
        ended: stats.ended.into(),
        moves: stats.moves.iter().take(moves).filter_map(move_object).collect(),
        top_games: GameObject::all(&stats.top_games, end),
        recent_games: GameObject::all(&stats.recent_games, end),
        history: None,
    }
}

fn legal<'c>(position: &Chess, catalogue: &'c Catalogue) -> Vec<LegalObject<'c>> {
    let mut moves: Vec<UciMove> =
        position.legal_moves().into_iter().map(UciMove::from_move).collect();
    moves.sort_by_cached_key(UciMove::to_string);
    let object = |uci: UciMove| {
        let (san, after) = san_of(position, uci)?;
        Some(LegalObject { uci: uci.to_string(), san, opening: opening_of(&after, catalogue) })
    };
    moves.into_iter().filter_map(object).collect()
}

fn opening_of<'c>(position: &Chess, catalogue: &'c Catalogue) -> Option<OpeningObject<'c>> {
    catalogue.get(&key_of(position)).map(OpeningObject::from)
}

fn move_object<'a>(
    position: &Chess,
    catalogue: &'a Catalogue,
    stats: &'a MoveStats,
) -> Option<MoveObject<'a>> {
    let (san, after) = san_of(position, stats.uci)?;
    let opponents = stats.opponent_rating;
    Some(MoveObject {
        uci: stats.uci.to_string(),
        san,
        score: stats.score.into(),
        average_rating: stats.rating.mean(),
        average_opponent_rating: opponents.mean(),
        performance: performance(stats.half_points, opponents.games, opponents.sum),
        first: stats.dates.map(|(first, _)| first.to_string()),
        last: stats.dates.map(|(_, last)| last.to_string()),
        reached: stats.reached.unwrap_or(stats.score).into(),
        opening: opening_of(&after, catalogue),
        game: stats.only_game.as_ref().map(|game| GameObject::new(game, position)),
    })
}

fn month_object(stats: &MonthStats) -> MonthObject {
    let month = format!("{:04}-{:02}", stats.month.year, stats.month.month);
    MonthObject { month, score: stats.score.into() }
}
