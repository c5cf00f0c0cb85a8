//! Why a game has its name: `classify --explain`.

use std::borrow::Cow;

use serde::Serialize;

use super::lookup::{StepObject, move_to, moves_of, trail_line};
use super::{GameRow, json::to_json, value::sanitize};
use crate::catalogue::{Catalogue, Line};
use crate::classify::{NamedAt, PlayedMove, Trace};
use crate::opening::EcoCode;

fn push_line(text: &mut String, indent: usize, line: &str) {
    text.push_str(&" ".repeat(indent));
    text.push_str(&sanitize(line.as_bytes()));
    text.push('\n');
}

/// Why a game has its name, for people: a paragraph.
pub fn explanation_text(catalogue: &Catalogue, row: &GameRow<'_>, trace: &Trace<'_>) -> String {
    let mut text = String::new();
    let header = &row.game.header;
    let tag = |value| tag(value).unwrap_or("?".into());
    let (white, black) = (tag(&header.white), tag(&header.black));
    let (result, date) = (tag(&header.result), tag(&header.date));
    push_line(&mut text, 0, &format!("game {}: {white} - {black}, {result}, {date}", row.number));
    match row.game.verdict.named {
        Some(named) => write_named(catalogue, named, trace, &mut text),
        None => push_line(&mut text, 2, "no named position on its way"),
    }
    if let Some(error) = &row.game.verdict.error {
        push_line(&mut text, 2, &format!("error: {error}"));
    }
    text + "\n"
}

/// The same for programs: one JSON object on a line.
pub fn explanation_json(catalogue: &Catalogue, row: &GameRow<'_>, trace: &Trace<'_>) -> String {
    to_json(&ExplanationObject::new(catalogue, row, trace)) + "\n"
}

fn tag<'a>(value: &'a Option<Cow<'_, [u8]>>) -> Option<Cow<'a, str>> {
    value.as_deref().map(sanitize)
}

fn write_named(catalogue: &Catalogue, named: NamedAt<'_>, trace: &Trace<'_>, text: &mut String) {
    push_line(text, 2, &named.opening().to_string());
    let moves = PlayedMove::all_in_language(&trace.moves, catalogue.language());
    let after =
        move_to(named, &moves).map_or_else(|| "at the start".to_owned(), |m| format!("after {m}"));
    let how = how_reached(catalogue, named, trace);
    push_line(text, 4, &format!("{after}, ply {}, {how}", named.ply()));
    push_line(text, 4, &source_of(catalogue, named));
    push_line(text, 4, &format!("position {}", named.key()));
    push_line(text, 2, "named on the way:");
    for named in &trace.trail {
        push_line(text, 4, &trail_line(*named, &moves));
    }
    let letters = |m: &PlayedMove| catalogue.language().translated(&m.to_string());
    let left = trace.left_with().map_or_else(
        || "never left the named positions".to_owned(),
        |m| {
            format!(
                "left the named positions for good with {}, ply {}",
                letters(m),
                named.ply() + 1
            )
        },
    );
    push_line(text, 2, &left);
    push_line(text, 2, &format!("on known ways, by any move order, until ply {}", trace.book.exit));
    push_line(text, 2, &by_moves(catalogue, named, trace));
}

fn how_reached(catalogue: &Catalogue, named: NamedAt<'_>, trace: &Trace<'_>) -> String {
    match followed(catalogue, named, trace) {
        None => "by transposition".to_owned(),
        Some(line) if std::ptr::eq(line, named.line()) => "by the moves of this line".to_owned(),
        Some(line) => {
            let master = &catalogue.masters()[line.master];
            format!("by the moves of a line of {master}: {}", moves_of(catalogue, line))
        }
    }
}

/// The line whose moves the game followed to the position, if any.
fn followed<'c>(
    catalogue: &'c Catalogue,
    named: NamedAt<'c>,
    trace: &Trace<'_>,
) -> Option<&'c Line> {
    let played: Vec<&str> = trace.moves[..named.ply()].iter().map(|m| m.san.as_str()).collect();
    let is_followed = |line: &&Line| {
        let moves = catalogue.movetext(line).unwrap_or_default();
        moves.split(' ').filter(|word| !word.ends_with('.')).eq(played.iter().copied())
    };
    let mut lines = std::iter::once(named.line()).chain(catalogue.lines_of(named.position()));
    lines.find(is_followed).filter(|_| !named.is_transposed() && named.ply() > 0)
}

/// The name by move order alone.
fn by_moves(catalogue: &Catalogue, named: NamedAt<'_>, trace: &Trace<'_>) -> String {
    match trace.book.by_moves {
        None => "by its move order alone it would have no name".to_owned(),
        Some(by_moves) if by_moves.line().position == named.position() => {
            "by its move order alone it has the same name".to_owned()
        }
        Some(by_moves) => {
            let line = moves_of(catalogue, by_moves.line());
            format!("by its move order alone it would be {} ({line})", by_moves.opening())
        }
    }
}

/// The master, the place and the line that gave the name.
fn source_of(catalogue: &Catalogue, named: NamedAt<'_>) -> String {
    let line = named.line();
    format!("{}, {}: {}", named.master(), line.location, moves_of(catalogue, line))
}

#[derive(Serialize)]
struct ExplanationObject<'a> {
    source: &'a str,
    game: u64,
    white: Option<Cow<'a, str>>,
    black: Option<Cow<'a, str>>,
    result: Option<Cow<'a, str>>,
    date: Option<Cow<'a, str>>,
    eco: Option<&'a str>,
    opening: Option<&'a str>,
    ply: Option<usize>,
    transposed: Option<bool>,
    key: Option<String>,
    master: Option<&'a str>,
    master_version: Option<&'a str>,
    place: Option<String>,
    line: Option<String>,
    trail: Vec<StepObject<'a>>,
    left_with: Option<LeftObject>,
    book_exit: usize,
    by_move_order: Option<MoveOrderObject<'a>>,
    error: Option<String>,
}

/// The move with which the game left the named positions for good.
#[derive(Serialize)]
struct LeftObject {
    ply: Option<usize>,
    #[serde(rename = "move")]
    played: String,
}

/// The longest line that the game begins with.
#[derive(Serialize)]
struct MoveOrderObject<'a> {
    #[serde(flatten)]
    step: StepObject<'a>,
    line: Option<String>,
}

impl<'a> ExplanationObject<'a> {
    fn new(catalogue: &'a Catalogue, row: &'a GameRow<'_>, trace: &'a Trace<'_>) -> Self {
        let header = &row.game.header;
        let named = row.game.verdict.named;
        let left = trace.left_with();
        let by_moves = trace.book.by_moves;
        Self {
            source: row.source,
            game: row.number,
            white: tag(&header.white),
            black: tag(&header.black),
            result: tag(&header.result),
            date: tag(&header.date),
            eco: named.and_then(|named| named.opening().eco()).map(EcoCode::as_str),
            opening: named.map(|named| named.opening().name()),
            ply: named.map(|named| named.ply()),
            transposed: named.map(|named| named.is_transposed()),
            key: named.map(|named| named.key().to_string()),
            master: named.map(|named| named.master().name.as_str()),
            master_version: named.map(|named| named.master().version.as_str()),
            place: named.map(|named| named.line().location.to_string()),
            line: named.and_then(|named| catalogue.movetext(named.line())),
            trail: trace.trail.iter().map(|named| StepObject::new(*named, &trace.moves)).collect(),
            left_with: left.map(|played| LeftObject {
                ply: named.map(|named| named.ply() + 1),
                played: played.to_string(),
            }),
            book_exit: trace.book.exit,
            by_move_order: by_moves.map(|named| MoveOrderObject {
                step: StepObject::new(named, &trace.moves),
                line: catalogue.movetext(named.line()),
            }),
            error: row.game.verdict.error.as_ref().map(ToString::to_string),
        }
    }
}
