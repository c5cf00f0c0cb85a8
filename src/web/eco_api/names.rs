//! `/eco/players` and `/eco/openings`: names, for suggestions.

use serde::Serialize;

use crate::{
    catalogue::Query,
    chess::UciMove,
    web::{answer::Answer, fault::Fault, opened::Opened, parameters::Parameters},
};

const MAX_NAMES: usize = 50;
const NAMES: usize = 10;

#[derive(Serialize)]
struct PlayersReply {
    players: Vec<PlayerObject>,
}

#[derive(Serialize)]
struct PlayerObject {
    name: String,
    games: u64,
}

#[derive(Serialize)]
struct OpeningsReply<'c> {
    openings: Vec<OpeningObject<'c>>,
}

#[derive(Serialize)]
struct OpeningObject<'c> {
    eco: &'c str,
    name: &'c str,
    /// The moves to it; `None` if the catalogue has only the position.
    play: Option<String>,
}

fn limit(parameters: &Parameters) -> Result<usize, Fault> {
    parameters.number("limit", 1..=MAX_NAMES, NAMES)
}

/// Players whose names have these letters.
pub(in crate::web) fn players(parameters: &Parameters, opened: &Opened) -> Result<Answer, Fault> {
    parameters.check_names(&[&["name", "limit", "collection"]])?;
    let part = parameters.get("name").unwrap_or_default();
    let names: Vec<&str> = parameters.all("collection").collect();
    let players = opened.explorer(&names)?.players(part, limit(parameters)?)?;
    let players = players.into_iter().map(|(name, games)| PlayerObject { name, games });
    Ok(Answer::json(&PlayersReply { players: players.collect() }))
}

/// Openings by code or words.
pub(in crate::web) fn openings(parameters: &Parameters, opened: &Opened) -> Result<Answer, Fault> {
    parameters.check_names(&[&["search", "limit"]])?;
    let (catalogue, limit) = (opened.catalogue(), limit(parameters)?);
    let lines = catalogue.search(&Query::new(parameters.get("search").unwrap_or_default()));
    let openings = lines.into_iter().take(limit).map(|line| {
        let moves = catalogue.moves(line);
        let uci = |m| UciMove::from_move(m).to_string();
        OpeningObject {
            eco: line.opening.code(),
            name: line.opening.name(),
            play: moves.map(|moves| moves.into_iter().map(uci).collect::<Vec<_>>().join(",")),
        }
    });
    Ok(Answer::json(&OpeningsReply { openings: openings.collect() }))
}
