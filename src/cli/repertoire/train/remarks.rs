//! What is said of a position: why it is asked, whether the answer was right, and what the book and
//! the games have there.

use eco::{
    chess::{Chess, SanPlus, UciMove},
    output::{percent, sanitize},
    training::{AnswerKind, Lesson, Moment, Reason},
};

/// Why a position is asked.
pub(super) fn why(reason: Reason, position: &Chess) -> String {
    match reason {
        Reason::Departures(1) => "a game left the book here".to_owned(),
        Reason::Departures(games) => format!("{games} games left the book here"),
        Reason::Due => "due".to_owned(),
        Reason::Changed(uci) => {
            format!("the book has changed: it no longer has {}", san(uci, position))
        }
        Reason::New => "new".to_owned(),
        Reason::Missed => "once more".to_owned(),
        Reason::OnTheWay => "on the way".to_owned(),
    }
}

/// A move of a position as SAN.
fn san(uci: UciMove, position: &Chess) -> String {
    let m = uci.to_move(position);
    m.map_or_else(|| uci.to_string(), |m| SanPlus::from_move(position.clone(), m).to_string())
}

/// The most moves of the book that are named beside the main one.
const MAX_OTHERS: usize = 5;

/// Whether an answer was right, and what the book has.
pub(super) fn verdict(
    kind: AnswerKind,
    given: Option<UciMove>,
    lesson: &Lesson,
    position: &Chess,
) -> String {
    let numbered = |san: &str| match lesson.number {
        Some(number) => format!("{number} {san}"),
        None => san.to_owned(),
    };
    let given = given.map(|uci| numbered(&san(uci, position))).unwrap_or_default();
    let Some((main, others)) = lesson.book.split_first() else { return given };
    let also = match others {
        [] => String::new(),
        others if others.len() > MAX_OTHERS => {
            let shown = others[..MAX_OTHERS].join(", ");
            format!(", also {shown} and {} more", others.len() - MAX_OTHERS)
        }
        others => format!(", also {}", others.join(", ")),
    };
    let main = numbered(main);
    match kind {
        AnswerKind::Main => format!("Right: {given}{also}"),
        AnswerKind::Alternative => format!("Right: {given}; the main move is {main}"),
        AnswerKind::Transposition => {
            format!("Right: {given} leads to another line of the book; here it has {main}{also}")
        }
        AnswerKind::Wrong => format!("Wrong: {given}; the book has {main}{also}"),
        AnswerKind::Shown => format!("The book has {main}{also}"),
    }
}

/// What the book remarks, and how games went, one line each.
pub(super) fn remarks(lesson: &Lesson) -> Vec<String> {
    let comments = lesson.comments.iter().map(|text| sanitize(text.as_bytes()).into_owned());
    let mut lines: Vec<String> = comments.collect();
    let played = lesson.played.iter().map(|played| {
        let score = played.score.map(|score| format!(", {}", percent(score))).unwrap_or_default();
        let games = if played.games == 1 { "game" } else { "games" };
        let out = if played.is_in_book { "" } else { ", not in the book" };
        format!("{} ({} {games}{score}{out})", played.san, played.games)
    });
    let played: Vec<String> = played.collect();
    lines.extend((!played.is_empty()).then(|| format!("Played: {}", played.join(", "))));
    lines
}

/// When something is due, seen from now.
pub(super) fn in_days(due: Moment, now: Moment) -> String {
    match due.days_since(now) {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}
