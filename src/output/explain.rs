//! Why a game is called as it is: `classify --explain`.

use serde_json::{Value as Json, json};

use super::{Record, sanitize};
use crate::{
    catalogue::{Catalogue, Line},
    classify::{NamedAt, Trace},
};

/// How explanations are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExplanationFormat {
    /// A paragraph for people.
    Text,
    /// One JSON object a game.
    Json,
}

/// Writes why one game is called as it is.
pub fn write_explanation(
    catalogue: &Catalogue,
    record: &Record<'_>,
    trace: &Trace<'_>,
    format: ExplanationFormat,
    out: &mut Vec<u8>,
) {
    match format {
        ExplanationFormat::Text => {
            let mut text = String::new();
            write_text(catalogue, record, trace, &mut text);
            out.extend_from_slice(text.as_bytes());
        }
        ExplanationFormat::Json => {
            out.extend_from_slice(to_json(catalogue, record, trace).to_string().as_bytes());
            out.push(b'\n');
        }
    }
}

fn push_line(text: &mut String, indent: usize, line: &str) {
    text.push_str(&" ".repeat(indent));
    text.push_str(&sanitize(line.as_bytes()));
    text.push('\n');
}

fn write_text(catalogue: &Catalogue, record: &Record<'_>, trace: &Trace<'_>, text: &mut String) {
    let header = &record.game.header;
    let tag = |value: &Option<std::borrow::Cow<'_, [u8]>>| {
        value.as_deref().map_or_else(|| "?".to_owned(), |bytes| sanitize(bytes).into_owned())
    };
    let (white, black) = (tag(&header.white), tag(&header.black));
    let (result, date) = (tag(&header.result), tag(&header.date));
    push_line(text, 0, &format!("game {}: {white} - {black}, {result}, {date}", record.number));
    match record.game.verdict.named {
        Some(named) => write_named(catalogue, named, trace, text),
        None => push_line(text, 2, "no named position on its way"),
    }
    if let Some(error) = &record.game.verdict.error {
        push_line(text, 2, &format!("error: {error}"));
    }
    text.push('\n');
}

fn write_named(catalogue: &Catalogue, named: NamedAt<'_>, trace: &Trace<'_>, text: &mut String) {
    push_line(text, 2, &name_of(named));
    let how = match followed(catalogue, named, trace) {
        None => "by transposition".to_owned(),
        Some(line) if std::ptr::eq(line, named.line()) => "by the moves of this line".to_owned(),
        Some(line) => {
            let master = &catalogue.masters()[line.master];
            format!("by the moves of a line of {master}: {}", moves_of(catalogue, line))
        }
    };
    let after =
        move_to(named, trace).map_or_else(|| "at the start".to_owned(), |m| format!("after {m}"));
    push_line(text, 4, &format!("{after}, ply {}, {how}", named.ply()));
    push_line(text, 4, &source_of(catalogue, named));
    push_line(text, 4, &format!("position {}", named.key()));
    push_line(text, 2, "named on the way:");
    for named in &trace.trail {
        push_line(text, 4, &format!("{:<12} {}", step_to(*named, trace), name_of(*named)));
    }
    let left = trace.left_with().map_or_else(
        || "never left the named positions".to_owned(),
        |m| format!("left the named positions for good with {m}, ply {}", named.ply() + 1),
    );
    push_line(text, 2, &left);
    push_line(text, 2, &format!("on known ways, by any move order, until ply {}", trace.book_exit));
    push_line(text, 2, &by_moves(catalogue, named, trace));
}

/// The line whose moves brought the game to the position, if any.
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

fn moves_of(catalogue: &Catalogue, line: &Line) -> String {
    catalogue.movetext(line).unwrap_or_else(|| "by position alone".to_owned())
}

/// Which name another order of the same moves would have kept.
fn by_moves(catalogue: &Catalogue, named: NamedAt<'_>, trace: &Trace<'_>) -> String {
    match trace.by_moves {
        None => "by its move order alone it would have no name".to_owned(),
        Some(by_moves) if by_moves.line().position == named.position() => {
            "by its move order alone it has the same name".to_owned()
        }
        Some(by_moves) => {
            let line = catalogue.movetext(by_moves.line()).unwrap_or_default();
            format!("by its move order alone it would be {} ({line})", name_of(by_moves))
        }
    }
}

fn name_of(named: NamedAt<'_>) -> String {
    format!("{} {}", named.opening().eco(), named.opening().name())
}

/// Master, place and line that gave the name.
fn source_of(catalogue: &Catalogue, named: NamedAt<'_>) -> String {
    let line = named.line();
    format!("{}, {}: {}", named.master(), line.location, moves_of(catalogue, line))
}

fn move_to(named: NamedAt<'_>, trace: &Trace<'_>) -> Option<String> {
    let played = trace.moves.get(named.ply().checked_sub(1)?)?;
    Some(played.to_string())
}

fn step_to(named: NamedAt<'_>, trace: &Trace<'_>) -> String {
    move_to(named, trace).unwrap_or_else(|| "start".to_owned())
}

fn to_json(catalogue: &Catalogue, record: &Record<'_>, trace: &Trace<'_>) -> Json {
    let header = &record.game.header;
    let tag = |value: &Option<std::borrow::Cow<'_, [u8]>>| {
        value.as_deref().map(|bytes| sanitize(bytes).into_owned())
    };
    let named = record.game.verdict.named;
    let told = |named: NamedAt<'_>| {
        json!({
            "ply": named.ply(),
            "move": move_to(named, trace),
            "eco": named.opening().eco().as_str(),
            "opening": named.opening().name(),
        })
    };
    json!({
        "source": record.source,
        "game": record.number,
        "white": tag(&header.white),
        "black": tag(&header.black),
        "result": tag(&header.result),
        "date": tag(&header.date),
        "eco": named.map(|n| n.opening().eco().to_string()),
        "opening": named.map(|n| n.opening().name()),
        "ply": named.map(|n| n.ply()),
        "transposed": named.map(|n| n.is_transposed()),
        "key": named.map(|n| n.key().to_string()),
        "master": named.map(|n| &n.master().name),
        "master_version": named.map(|n| &n.master().version),
        "place": named.map(|n| n.line().location.to_string()),
        "line": named.and_then(|n| catalogue.movetext(n.line())),
        "trail": trace.trail.iter().map(|named| told(*named)).collect::<Vec<_>>(),
        "left_with": trace.left_with().map(|played| json!({
            "ply": named.map(|n| n.ply() + 1),
            "move": played.to_string(),
        })),
        "book_exit": trace.book_exit,
        "by_move_order": trace.by_moves.map(|named| {
            let mut told = told(named);
            told["line"] = json!(catalogue.movetext(named.line()));
            told
        }),
        "error": record.game.verdict.error.as_ref().map(ToString::to_string),
    })
}
