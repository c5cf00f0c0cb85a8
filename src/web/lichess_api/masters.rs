//! `/masters`: games over the board.

use super::{
    filters::{check_variant, limit, years},
    reply::{Database, Reply, Writer},
};
use crate::{
    collection::PositionQuery,
    web::{
        answer::Answer,
        asked_line::{AskedLine, key_of},
        fault::Fault,
        opened::Opened,
        parameters::Parameters,
    },
};

const MOVES: usize = 12;
const TOP_GAMES: usize = 15;

/// What masters played in a position.
pub(in crate::web) fn masters(
    parameters: &Parameters,
    opened: &Opened,
    collections: &[&str],
) -> Result<Answer, Fault> {
    check_variant(parameters)?;
    let line = AskedLine::read(parameters)?;
    let mut query = PositionQuery::default();
    [query.selection.since, query.selection.until] = years(parameters)?;
    query.top_games = limit(parameters, "topGames", TOP_GAMES)?;
    let moves = parameters.whole("moves")?.unwrap_or(MOVES);
    let stats = opened.explorer(collections)?.query(&key_of(line.end()), &query)?;
    let writer = Writer { database: Database::Masters, line: &line, catalogue: opened.catalogue() };
    Ok(Answer::json(&Reply {
        score: stats.score.into(),
        moves: writer.moves(&stats.moves, moves),
        recent_games: None,
        top_games: Some(writer.games(&stats.top_games)),
        opening: writer.opening(),
        queue_position: None,
        history: None,
    }))
}
