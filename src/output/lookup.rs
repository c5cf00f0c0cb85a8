//! The opening data of one position: `lookup`, as text, as an object and as a row.

use serde::Serialize;

use super::value::{code, english_name, name, sanitize};
use super::{ColumnSet, ColumnType, Value, Width, json::to_json};
use crate::catalogue::{Catalogue, Line};
use crate::classify::{Continuation, Lookup, NamedAt, PlayedMove, Question};
use crate::master::Alias;
use crate::opening::{EcoCode, Opening};

/// An answer for people, as lines of text.
pub fn lookup_text(catalogue: &Catalogue, question: &Question, answer: &Lookup<'_>) -> String {
    let mut lines = Vec::new();
    let moves = PlayedMove::all_in_language(question.moves(), catalogue.language());
    position(catalogue, &moves, answer, &mut lines);
    let trail = answer.trail.iter().map(|named| trail_line(*named, &moves));
    section(&mut lines, "named on the way", trail);
    let others = answer.others.iter();
    let others = others.map(|line| format!("{} ({})", line.opening, source(catalogue, line)));
    section(&mut lines, "called elsewhere", others.chain(aliases(answer).map(alias_text)));
    let title = match answer.named {
        Some(_) => "named next",
        None => "not this position, but named one move on",
    };
    let next = answer.next.iter();
    let played =
        |next: &Continuation<'_>| catalogue.language().translated(&next.played.to_string());
    let next = next.map(|next| format!("{:<12} {}", played(next), next.line.opening));
    section(&mut lines, title, next);
    lines.iter().map(|line| format!("{}\n", sanitize(line.as_bytes()))).collect()
}

/// The name of the position itself, or else of the nearest position before it.
fn position(
    catalogue: &Catalogue,
    moves: &[PlayedMove],
    answer: &Lookup<'_>,
    lines: &mut Vec<String>,
) {
    match answer.named {
        Some(named) => {
            lines.push(named.opening().to_string());
            lines.push(format!("  {}", reached(moves, named)));
            lines.push(format!("  {}", source(catalogue, named.line())));
        }
        None => lines.push("no name for this position".to_owned()),
    }
    lines.push(format!("  {}", answer.key));
    for (key, line) in &answer.with_en_passant {
        lines.push(format!("  with the en passant square it is {}: {key}", line.opening));
    }
    if answer.named.is_none()
        && let Some(before) = answer.trail.last()
    {
        let step = step_to(*before, moves);
        lines.push(format!("nearest named position before, {step}: {}", before.opening()));
    }
}

fn section(lines: &mut Vec<String>, title: &str, items: impl Iterator<Item = String>) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        lines.push(format!("{title}:"));
        lines.extend(items.map(|item| format!("  {item}")));
    }
}

fn source(catalogue: &Catalogue, line: &Line) -> String {
    let master = &catalogue.masters()[line.master];
    format!("{master}: {}", moves_of(catalogue, line))
}

/// The moves of a line, or that it has none.
pub(super) fn moves_of(catalogue: &Catalogue, line: &Line) -> String {
    let moves = catalogue.movetext(line).map(|moves| catalogue.language().translated(&moves));
    moves.unwrap_or_else(|| "by position alone".to_owned())
}

/// The names of the position elsewhere, as its lines have them.
fn aliases<'l>(answer: &Lookup<'l>) -> impl Iterator<Item = &'l Alias> {
    let line = answer.named.map(|named| named.line());
    line.into_iter().chain(answer.others.iter().copied()).flat_map(|line| &line.aliases)
}

fn alias_text(alias: &Alias) -> String {
    let eco = alias.eco.map(|eco| format!("{eco} ")).unwrap_or_default();
    format!("{eco}{} ({})", alias.name, alias.source)
}

fn reached(moves: &[PlayedMove], named: NamedAt<'_>) -> String {
    if named.ply() == 0 {
        return "this position".to_owned();
    }
    let how = if named.is_transposed() { ", by transposition" } else { "" };
    format!("after {}, ply {}{how}", step_to(named, moves), named.ply())
}

/// The move of these that leads to a position; `None` at the start.
pub(super) fn move_to(named: NamedAt<'_>, moves: &[PlayedMove]) -> Option<String> {
    Some(moves.get(named.ply().checked_sub(1)?)?.to_string())
}

fn step_to(named: NamedAt<'_>, moves: &[PlayedMove]) -> String {
    move_to(named, moves).unwrap_or_else(|| "start".to_owned())
}

/// A position that is passed, with the move that leads there.
pub(super) fn trail_line(named: NamedAt<'_>, moves: &[PlayedMove]) -> String {
    format!("{:<12} {}", step_to(named, moves), named.opening())
}

#[derive(Serialize)]
struct AnswerObject<'a> {
    input: &'a str,
    key: String,
    #[serde(flatten)]
    opening: OpeningObject<'a>,
    ply: Option<usize>,
    transposed: Option<bool>,
    master: Option<&'a str>,
    master_version: Option<&'a str>,
    line: Option<String>,
    trail: Vec<StepObject<'a>>,
    others: Vec<LineObject<'a>>,
    aliases: Vec<AliasObject<'a>>,
    next: Vec<NextObject<'a>>,
    nearest: Option<StepObject<'a>>,
    with_en_passant: Vec<EnPassantObject<'a>>,
    /// What was forgiven, chosen or corrected, as sentences.
    notes: &'a [String],
    /// Always null: what cannot be read has no other members.
    error: Option<()>,
}

#[derive(Serialize)]
struct LineObject<'a> {
    #[serde(flatten)]
    opening: OpeningObject<'a>,
    master: &'a str,
    master_version: &'a str,
    line: Option<String>,
}

#[derive(Serialize)]
struct AliasObject<'a> {
    #[serde(flatten)]
    opening: OpeningObject<'a>,
    source: &'a str,
}

#[derive(Serialize)]
struct NextObject<'a> {
    #[serde(rename = "move")]
    san: &'a str,
    #[serde(flatten)]
    opening: OpeningObject<'a>,
}

#[derive(Serialize)]
struct EnPassantObject<'a> {
    key: String,
    #[serde(flatten)]
    opening: OpeningObject<'a>,
}

/// The code and the name of an opening, or that there is none.
#[derive(Default, Serialize)]
struct OpeningObject<'a> {
    eco: Option<&'a str>,
    opening: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_en: Option<&'a str>,
}

impl<'a> From<&'a Opening> for OpeningObject<'a> {
    fn from(opening: &'a Opening) -> Self {
        let eco = opening.eco().map(EcoCode::as_str);
        Self { eco, opening: Some(opening.name()), opening_en: opening.original_name() }
    }
}

/// An answer for programs: one JSON object.
pub fn lookup_json<'c>(
    catalogue: &'c Catalogue,
    input: &str,
    question: &Question,
    answer: &Lookup<'c>,
) -> String {
    let named = answer.named;
    let step = |named: &NamedAt<'c>| StepObject::new(*named, question.moves());
    let other = |line: &&'c Line| {
        let master = &catalogue.masters()[line.master];
        LineObject {
            opening: (&line.opening).into(),
            master: &master.name,
            master_version: &master.version,
            line: catalogue.movetext(line),
        }
    };
    let alias = |alias: &'c Alias| {
        let eco = alias.eco.as_ref().map(EcoCode::as_str);
        let opening = OpeningObject { eco, opening: Some(&alias.name), opening_en: None };
        AliasObject { opening, source: &alias.source }
    };
    let next = answer
        .next
        .iter()
        .map(|next| NextObject { san: &next.played.san, opening: (&next.line.opening).into() });
    let with_en_passant = answer.with_en_passant.iter().map(|(key, line)| EnPassantObject {
        key: key.to_string(),
        opening: (&line.opening).into(),
    });
    to_json(&AnswerObject {
        input,
        key: answer.key.to_string(),
        opening: named.map(|named| named.opening().into()).unwrap_or_default(),
        ply: named.map(|named| named.ply()),
        transposed: named.map(|named| named.is_transposed()),
        master: named.map(|named| named.master().name.as_str()),
        master_version: named.map(|named| named.master().version.as_str()),
        line: named.and_then(|named| catalogue.movetext(named.line())),
        trail: answer.trail.iter().map(step).collect(),
        others: answer.others.iter().map(other).collect(),
        aliases: aliases(answer).map(alias).collect(),
        next: next.collect(),
        nearest: answer.trail.last().filter(|_| named.is_none()).map(step),
        with_en_passant: with_en_passant.collect(),
        notes: question.notes(),
        error: None,
    })
}

/// A named position that a game or a question passes.
#[derive(Serialize)]
pub(super) struct StepObject<'a> {
    ply: usize,
    #[serde(rename = "move")]
    played: Option<String>,
    #[serde(flatten)]
    opening: OpeningObject<'a>,
}

impl<'a> StepObject<'a> {
    /// The position, to which these moves lead.
    pub(super) fn new(named: NamedAt<'a>, moves: &[PlayedMove]) -> Self {
        Self { ply: named.ply(), played: move_to(named, moves), opening: named.opening().into() }
    }
}

/// The row of a question.
#[derive(Debug, Clone, Copy)]
pub struct LookupRow<'a> {
    /// The question, as it was typed.
    pub input: &'a str,
    /// The answer, and the catalogue that gave it, or why there is none.
    pub answer: Result<(&'a Catalogue, &'a Lookup<'a>), &'a str>,
}

type LookupColumns = ColumnSet<for<'r> fn(&'r LookupRow<'_>) -> Value<'r>>;

impl<'a> LookupRow<'a> {
    fn lookup(&self) -> Option<&'a Lookup<'a>> {
        self.answer.ok().map(|(_, answer)| answer)
    }

    fn named(&self) -> Option<&'a NamedAt<'a>> {
        self.lookup()?.named.as_ref()
    }

    fn opening(&self) -> Option<&'a Opening> {
        self.named().map(NamedAt::opening)
    }

    /// The moves of the line that gives the name.
    fn line(&self) -> Option<String> {
        let (catalogue, answer) = self.answer.ok()?;
        catalogue.movetext(answer.named?.line())
    }

    /// A text for each of the things that an answer has.
    fn list<T>(&self, things: impl Fn(&'a Lookup<'a>) -> T) -> Value<'static>
    where
        T: IntoIterator<Item = String>,
    {
        self.lookup().map_or(Value::None, |answer| Value::list(things(answer), "; "))
    }

    /// The columns.
    pub fn columns() -> LookupColumns {
        LookupColumns::new()
            .with("input", Width::Share(4), |row| Value::text(row.input))
            .with("key", Width::Share(4), |row| Value::optional(row.lookup().map(|a| a.key)))
            .with_name("eco", 5, |row| code(row.opening()))
            .with("opening", Width::NameShare(5), |row| name(row.opening()))
            .opening_en(|row| english_name(row.opening()))
            .with_small("ply", |row| row.named().map(NamedAt::ply).into())
            .with("transposed", Width::AtMost(10), |row| {
                row.named().map(NamedAt::is_transposed).into()
            })
            .of(ColumnType::Bool)
            .with("master", Width::Share(1), |row| {
                row.named().map_or(Value::None, |named| Value::text(&named.master().name))
            })
            .of(ColumnType::Name)
            .with("master_version", Width::Share(1), |row| {
                row.named().map_or(Value::None, |named| Value::text(&named.master().version))
            })
            .of(ColumnType::Name)
            .with("line", Width::LineShare(3), |row| Value::optional(row.line()))
            .with_list("trail", 3, |row| {
                row.list(|answer| answer.trail.iter().map(|named| named.opening().to_string()))
            })
            .with_list("others", 3, |row| {
                row.list(|answer| answer.others.iter().map(|line: &&Line| line.opening.to_string()))
            })
            .with_list("aliases", 3, |row| row.list(|answer| aliases(answer).map(alias_text)))
            .with_list("next", 3, |row| {
                row.list(|answer| answer.next.iter().map(|next| next.played.san.to_string()))
            })
            .with_list("next_openings", 3, |row| {
                row.list(|answer| {
                    answer.next.iter().map(|next: &Continuation<'_>| next.line.opening.to_string())
                })
            })
            .with("error", Width::Share(2), |row| row.answer.err().map_or(Value::None, Value::text))
    }
}
