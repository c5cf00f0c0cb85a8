//! `/player`: the games of somebody.
//!
//! The reference indexes a player's games when somebody asks, and sends lines until that is done.
//! Here everything is indexed: the answer is one line.

use super::{
    filters::{check_variant, limit, modes, months, speeds},
    reply::{self, Database, Reply, Writer},
};
use crate::{
    collection::{PositionQuery, PositionStats},
    select::Player,
    web::{
        answer::Answer,
        asked_line::{AskedLine, key_of},
        fault::Fault,
        opened::Opened,
        parameters::Parameters,
        selection::read_color,
    },
};

const RECENT_GAMES: usize = 8;

/// What somebody played in a position, in all collections.
pub(in crate::web) fn player(parameters: &Parameters, opened: &Opened) -> Result<Answer, Fault> {
    check_variant(parameters)?;
    let line = AskedLine::read(parameters)?;
    let missing = |name: &str| Fault::parameter(name, "expected, but not there");
    let player = Player::new(parameters.get("player").unwrap_or_default());
    if player.is_nobody() {
        return Err(missing("player"));
    }
    let (speeds, modes) = (speeds(parameters)?, modes(parameters)?);
    let takes_nothing = speeds.is_nothing() || modes.is_nothing();
    let mut query = PositionQuery::default();
    query.selection.players = vec![player];
    query.selection.color = Some(read_color(parameters)?.ok_or_else(|| missing("color"))?);
    query.selection.speeds = speeds.into_items();
    query.selection.rated = modes.into_items().first().copied();
    [query.selection.since, query.selection.until] = months(parameters)?;
    query.recent_games = limit(parameters, "recentGames", RECENT_GAMES)?;
    query.history = parameters.is_set("history");
    let moves = parameters.whole("moves")?.unwrap_or(usize::MAX);
    let stats = if takes_nothing {
        PositionStats::default()
    } else {
        opened.explorer(&[])?.query(&key_of(line.end()), &query)?
    };
    let writer = Writer { database: Database::Player, line: &line, catalogue: opened.catalogue() };
    let is_end_asked = query.selection.until.is_some();
    Ok(Answer::json_line(&Reply {
        score: stats.score.into(),
        moves: writer.moves(&stats.moves, moves),
        recent_games: Some(writer.games(&stats.recent_games)),
        top_games: None,
        opening: writer.opening(),
        queue_position: Some(0),
        history: query.history.then(|| reply::history(&stats.history, None, is_end_asked)),
    }))
}
