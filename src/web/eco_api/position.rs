//! `/eco/position`: a position, and what was played there.

use serde::Serialize;

use crate::chess::{self, Chess, Color, Move, Position, UciMove};
use crate::classify::{self, NamedAt, Question};
use crate::collection::{FoundGame, MonthStats, Score};
use crate::output::{Scores, in_percent};
use crate::select::{Player, Speed};
use crate::web::answer::{Answer, Fault};
use crate::web::line::{
    CountedMove, CountedPosition, MonthObject, OpeningObject, PlayedMove, PlayerObject, fen_of,
    line_of, names,
};
use crate::web::request::{self, Parameters, Request, SELECTION};
use crate::{catalogue::Catalogue, store};

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
    score: Score,
    ended: Score,
    moves: Vec<MoveObject<'a>>,
    top_games: Vec<GameObject<'a>>,
    recent_games: Vec<GameObject<'a>>,
    /// What the words of openings were taken for, as sentences.
    notes: Vec<String>,
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
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    score: Option<f64>,
    rating: Option<u64>,
    opponents: Option<u64>,
    performance: Option<u64>,
    first: Option<String>,
    last: Option<String>,
    reached: Score,
    opening: Option<OpeningObject<'a>>,
    game: Option<GameObject<'a>>,
}

/// The name of a position on a line.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct NamedObject<'c> {
    #[serde(flatten)]
    opening: OpeningObject<'c>,
    ply: usize,
}

impl<'c> NamedObject<'c> {
    pub(super) fn all(line: &Question, catalogue: &'c Catalogue) -> Vec<Self> {
        let object =
            |named: NamedAt<'c>| Self { opening: named.opening().into(), ply: named.ply() };
        names(line, catalogue).into_iter().map(object).collect()
    }
}

/// A move of a line, with the position after it.
#[derive(Debug, Serialize)]
pub(super) struct PlayedObject<'a> {
    uci: String,
    san: &'a str,
    fen: String,
}

impl<'a> PlayedObject<'a> {
    pub(super) fn all(line: &'a Question) -> Vec<Self> {
        let steps = line.steps().zip(line.moves());
        let object = |((_, m, after), played): ((_, Move, &Chess), &'a classify::PlayedMove)| {
            Self { uci: UciMove::from_move(m).to_string(), san: &played.san, fen: fen_of(after) }
        };
        steps.map(object).collect()
    }
}

/// A game in a list, with the move that was played in the position.
#[derive(Debug, Serialize)]
struct GameObject<'a> {
    id: String,
    collection: &'a str,
    uci: String,
    san: String,
    white: PlayerObject<'a>,
    black: PlayerObject<'a>,
    result: &'static str,
    date: Option<String>,
    speed: Option<&'static str>,
    rated: Option<bool>,
    event: Option<&'a str>,
    link: Option<&'a str>,
}

impl<'a> GameObject<'a> {
    fn new(game: &'a FoundGame, position: &Chess) -> Self {
        let played = PlayedMove::from_uci(position, game.uci);
        Self {
            id: game.id.to_string(),
            collection: &game.collection,
            uci: game.uci.to_string(),
            san: played.map(|played| played.san).unwrap_or_default(),
            white: PlayerObject::of(game, Color::White),
            black: PlayerObject::of(game, Color::Black),
            result: game.result.as_str(),
            date: game.date.map(|date| date.to_string()),
            speed: game.speed.map(Speed::name),
            rated: game.rated,
            event: Some(game.event.as_str()).filter(|event| !event.is_empty()),
            link: game.link.as_deref(),
        }
    }

    fn all(games: &'a [FoundGame], position: &Chess) -> Vec<Self> {
        games.iter().map(|game| Self::new(game, position)).collect()
    }
}

/// What was played in a position.
pub(in crate::web) fn position(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    parameters.check_names(&[&POSITION, &SELECTION, &SHOWN])?;
    let line = line_of(parameters)?;
    let mut query = request::read_query(parameters)?;
    query.top_games = parameters.number("topGames", 0..=MAX_GAMES, GAMES)?;
    query.recent_games = parameters.number("recentGames", 0..=MAX_GAMES, GAMES)?;
    query.history = parameters.is_set("history");
    query.reached = true;
    let moves = parameters.number("moves", 0..=MAX_MOVES, MAX_MOVES)?;
    let notes = request.database.understand_openings(&mut query.selection)?;
    let explorer = request.named_explorer()?;
    let stats = explorer.query(&line.end().into(), &query)?;
    check_players(parameters, &explorer, stats.score.games() + stats.ended.games())?;
    let catalogue = request.catalogue;
    let mut reply =
        Reply { notes, ..reply(CountedPosition { line: &line, catalogue, stats: &stats }, moves) };
    let month = |counted: &MonthStats| MonthObject {
        month: counted.month.to_string(),
        score: counted.score,
    };
    reply.history = query.history.then(|| stats.history.iter().map(month).collect());
    Ok(Answer::json(&reply))
}

/// Checks that a game has each player who is asked for. Where games were found, only a surname may
/// be that of several: all names are compared.
pub(super) fn check_players(
    parameters: &Parameters,
    explorer: &store::Explorer,
    games: u64,
) -> Result<(), Fault> {
    for name in ["player", "against"] {
        let asked = parameters.all(name);
        for player in asked.filter(|name| games == 0 || Player::asked(name).is_surname()) {
            if let Some(unknown) = explorer.unknown_player(player)? {
                return Err(Fault::bad_request(unknown));
            }
        }
    }
    Ok(())
}

fn reply(counted: CountedPosition<'_>, moves: usize) -> Reply<'_> {
    let CountedPosition { line, catalogue, stats } = counted;
    let end = line.end();
    let path = NamedObject::all(line, catalogue);
    Reply {
        fen: fen_of(end),
        turn: end.turn().to_string(),
        check: end.is_check(),
        end: chess::end_name(end),
        play: PlayedObject::all(line),
        opening: path.last().copied(),
        path,
        legal: legal(end, catalogue),
        score: stats.score,
        ended: stats.ended,
        moves: counted.moves(moves).map(|counted| move_object(counted, end)).collect(),
        top_games: GameObject::all(&stats.top_games, end),
        recent_games: GameObject::all(&stats.recent_games, end),
        notes: Vec::new(),
        history: None,
    }
}

/// The legal moves in the order of their texts.
fn legal<'c>(position: &Chess, catalogue: &'c Catalogue) -> Vec<LegalObject<'c>> {
    let object = |m| {
        let played = PlayedMove::new(position, m);
        let opening = OpeningObject::of(&played.after, catalogue);
        LegalObject { uci: played.uci().to_string(), san: played.san, opening }
    };
    let mut moves: Vec<_> = position.legal_moves().into_iter().map(object).collect();
    moves.sort_unstable_by(|a, b| a.uci.cmp(&b.uci));
    moves
}

fn move_object<'a>(counted: CountedMove<'a>, position: &Chess) -> MoveObject<'a> {
    let CountedMove { played, stats, opening } = counted;
    let Scores { games, results, score, rating, opponents, performance, first, last } =
        (stats, position.turn()).into();
    let [white, draws, black] = results;
    MoveObject {
        uci: stats.uci.to_string(),
        san: played.san,
        games,
        white,
        draws,
        black,
        score: score.map(in_percent),
        rating,
        opponents,
        performance,
        first: first.map(|date| date.to_string()),
        last: last.map(|date| date.to_string()),
        reached: stats.reached.unwrap_or(stats.score),
        opening,
        game: stats.only_game.as_ref().map(|game| GameObject::new(game, position)),
    }
}
