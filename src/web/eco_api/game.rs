//! `/eco/game/{id}` and `/eco/pgn/{id}`: a game with all its moves.

use std::borrow::Cow;

use serde::Serialize;

use super::objects::{NamedObject, PlayedObject, PlayerObject};
use crate::{
    chess::{Chess, Color},
    collection::GameId,
    pgn::decode_text,
    select::Speed,
    web::{
        answer::Answer,
        asked_line::fen_of,
        fault::Fault,
        kept_line::{kept_line, why_cut},
        opened::Opened,
    },
};

#[derive(Serialize)]
struct Reply<'a> {
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

fn read_id(text: &str) -> Result<GameId, Fault> {
    text.parse().map_err(Fault::not_found)
}

fn unknown(id: GameId) -> Fault {
    Fault::not_found(format_args!("no game {id}"))
}

/// A game with all its moves.
pub(in crate::web) fn game(id: &str, opened: &Opened) -> Result<Answer, Fault> {
    let id = read_id(id)?;
    let (collection, game) = opened.game(id)?.ok_or_else(|| unknown(id))?;
    let line = kept_line(&game);
    let tags: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        game.tags().map(|(name, value)| (decode_text(name), decode_text(value))).collect();
    let info = game.info();
    let [white, black] = [Color::White, Color::Black].map(|color| info.rating(color));
    let text = |name| game.tag(name).map(decode_text).unwrap_or_default();
    let (names, event) = ([text("White"), text("Black")], text("Event"));
    let path = line.as_ref().map(|line| NamedObject::all(&line.names(opened.catalogue())));
    let path = path.unwrap_or_default();
    let start = line.as_ref().map_or_else(Chess::default, |line| line.start().clone());
    Ok(Answer::json(&Reply {
        id: id.to_string(),
        collection: &collection,
        tags: &tags,
        white: PlayerObject { name: &names[0], rating: white },
        black: PlayerObject { name: &names[1], rating: black },
        result: game.result().as_str(),
        date: info.date().map(|date| date.to_string()),
        speed: info.speed().map(Speed::name),
        rated: info.is_rated(),
        event: Some(&*event).filter(|event| !event.is_empty()),
        link: info.link(),
        start: fen_of(&start),
        moves: line.as_ref().map(|line| PlayedObject::all(line.moves())).unwrap_or_default(),
        opening: path.last().copied(),
        path,
        error: why_cut(&game, line.as_ref()),
    }))
}

/// A game as PGN, with all its tags.
pub(in crate::web) fn pgn(id: &str, opened: &Opened) -> Result<Answer, Fault> {
    let id = read_id(id)?;
    let (_, game) = opened.game(id)?.ok_or_else(|| unknown(id))?;
    Ok(Answer::pgn(game.to_pgn()))
}
