//! What is known of one position: `lookup`.

use serde_json::{Value as Json, json};

use super::sanitize;
use crate::{
    catalogue::{Catalogue, Line},
    classify::{Lookup, NamedAt, Question},
};

/// An answer for people, in lines of text.
#[must_use]
pub fn lookup_text(catalogue: &Catalogue, question: &Question, answer: &Lookup<'_>) -> String {
    let mut lines = Vec::new();
    match answer.named {
        Some(named) => {
            lines.push(name(named.line()));
            lines.push(format!("  {}", reached(question, named)));
            lines.push(format!("  {}", source(catalogue, named.line())));
        }
        None => lines.push("no name for this position".to_owned()),
    }
    lines.push(format!("  {}", answer.key));
    for (key, line) in &answer.with_en_passant {
        lines.push(format!("  with the en passant square it is {}: {key}", name(line)));
    }
    if answer.named.is_none()
        && let Some(before) = answer.trail.last()
    {
        let step = step(question, *before);
        lines.push(format!("nearest named position before, {step}: {}", name(before.line())));
    }
    section(
        &mut lines,
        "named on the way",
        answer
            .trail
            .iter()
            .map(|named| format!("{:<12} {}", step(question, *named), name(named.line()))),
    );
    let others = answer.others.iter();
    section(
        &mut lines,
        "called elsewhere",
        others
            .map(|line| format!("{} ({})", name(line), source(catalogue, line)))
            .chain(aliases(answer)),
    );
    let title = match answer.named {
        Some(_) => "named next",
        None => "not this position, but named one move on",
    };
    section(
        &mut lines,
        title,
        answer
            .next
            .iter()
            .map(|next| format!("{:<12} {}", next.played.to_string(), name(next.line))),
    );
    let lines = lines.iter().map(|line| format!("{}\n", sanitize(line.as_bytes())));
    lines.collect()
}

fn section(lines: &mut Vec<String>, title: &str, items: impl Iterator<Item = String>) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        lines.push(format!("{title}:"));
        lines.extend(items.map(|item| format!("  {item}")));
    }
}

fn name(line: &Line) -> String {
    format!("{} {}", line.opening.eco(), line.opening.name())
}

fn source(catalogue: &Catalogue, line: &Line) -> String {
    let master = &catalogue.masters()[line.master];
    let moves = catalogue.movetext(line).unwrap_or_else(|| "by position alone".to_owned());
    format!("{master}: {moves}")
}

fn aliases(answer: &Lookup<'_>) -> Vec<String> {
    let line = answer.named.map(|named| named.line());
    let lines = line.into_iter().chain(answer.others.iter().copied());
    lines
        .flat_map(|line| &line.aliases)
        .map(|alias| {
            let eco = alias.eco.map(|eco| format!("{eco} ")).unwrap_or_default();
            format!("{eco}{} ({})", alias.name, alias.source)
        })
        .collect()
}

fn reached(question: &Question, named: NamedAt<'_>) -> String {
    match (named.ply(), named.is_transposed()) {
        (0, _) => "this position".to_owned(),
        (ply, true) => format!("after {}, ply {ply}, by transposition", step(question, named)),
        (ply, false) => format!("after {}, ply {ply}", step(question, named)),
    }
}

fn step(question: &Question, named: NamedAt<'_>) -> String {
    let played = named.ply().checked_sub(1).and_then(|ply| question.moves().get(ply));
    played.map_or_else(|| "start".to_owned(), ToString::to_string)
}

/// An answer for programs: one object.
#[must_use]
pub fn lookup_json(
    catalogue: &Catalogue,
    input: &str,
    question: &Question,
    answer: &Lookup<'_>,
) -> Json {
    let named = answer.named;
    let on_way = |named: &NamedAt<'_>| {
        json!({
            "ply": named.ply(),
            "move": (named.ply() > 0).then(|| step(question, *named)),
            "eco": named.opening().eco().as_str(),
            "opening": named.opening().name(),
        })
    };
    let other = |line: &&Line| {
        json!({
            "eco": line.opening.eco().as_str(),
            "opening": line.opening.name(),
            "master": catalogue.masters()[line.master].name,
            "master_version": catalogue.masters()[line.master].version,
            "line": catalogue.movetext(line),
        })
    };
    let alias = |line: &Line| {
        let told = line.aliases.iter().map(|alias| {
            json!({
                "eco": alias.eco.map(|eco| eco.to_string()),
                "opening": alias.name,
                "source": alias.source,
            })
        });
        told.collect::<Vec<_>>()
    };
    json!({
        "input": input,
        "key": answer.key.to_string(),
        "eco": named.map(|n| n.opening().eco().to_string()),
        "opening": named.map(|n| n.opening().name()),
        "ply": named.map(|n| n.ply()),
        "transposed": named.map(|n| n.is_transposed()),
        "master": named.map(|n| &n.master().name),
        "master_version": named.map(|n| &n.master().version),
        "line": named.and_then(|n| catalogue.movetext(n.line())),
        "trail": answer.trail.iter().map(on_way).collect::<Vec<_>>(),
        "others": answer.others.iter().map(other).collect::<Vec<_>>(),
        "aliases": named.as_ref().map(NamedAt::line).into_iter().chain(answer.others.iter().copied())
            .flat_map(alias).collect::<Vec<_>>(),
        "next": answer.next.iter().map(|next| json!({
            "move": next.played.san,
            "eco": next.line.opening.eco().as_str(),
            "opening": next.line.opening.name(),
        })).collect::<Vec<_>>(),
        "nearest": named.is_none().then(|| answer.trail.last().map(on_way)),
        "with_en_passant": answer.with_en_passant.iter().map(|(key, line)| json!({
            "key": key.to_string(),
            "eco": line.opening.eco().as_str(),
            "opening": line.opening.name(),
        })).collect::<Vec<_>>(),
        "error": null,
    })
}
