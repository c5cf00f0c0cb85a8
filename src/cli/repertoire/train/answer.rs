//! What a learner types, and what is said of it: why a position is asked, whether the answer was
//! right, and what the book and the games have there.

use std::io::{self, BufRead, Read};

use eco::chess::{Chess, Language, SanPlus, UciMove};
use eco::output::{percent, sanitize};
use eco::pgn::{TypedError, play_typed};
use eco::quoted::{counted, counts};
use eco::training::{AnswerKind, Deck, Lesson, Outlook, Reason, Review};

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A move that can be played.
    Move(UciMove),
    /// The answer is to be shown.
    Show,
    /// What may be typed is to be listed.
    Help,
    /// The last answer is to be taken back.
    TakeBack,
    /// The position is not to be asked any more.
    Suspend,
    /// The position and what follows are not to be asked today.
    Bury,
    /// The session is to end.
    Stop,
    /// Nothing that can be taken, and why.
    Unclear(String),
}

/// No answer is longer, in bytes.
const MAX_ANSWER: u64 = 1000;

/// What may be typed.
pub(super) const HINT: &str = "type a move, ? to be shown the answer, u to take back the last \
     answer, s to suspend this position, b to bury it and what follows until tomorrow, help for \
     these words, or q to stop";

/// Whether a line ends the session.
pub(super) fn is_stop(line: &str) -> bool {
    matches!(line, "q" | "quit" | "exit")
}

/// A line of the input without its end; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.take(MAX_ANSWER).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
}

/// What a line means in a position.
pub(super) fn read(line: &str, position: &Chess, language: Language) -> Typed {
    match line {
        "" => return Typed::Unclear(HINT.to_owned()),
        "?" => return Typed::Show,
        "help" | "h" => return Typed::Help,
        "u" | "undo" => return Typed::TakeBack,
        "s" | "suspend" => return Typed::Suspend,
        "b" | "bury" => return Typed::Bury,
        line if is_stop(line) => return Typed::Stop,
        _ => {}
    }
    let mut moves = Vec::new();
    match play_typed(position.clone(), line, language, |m, _| moves.push(UciMove::from_move(m))) {
        // There is hardly more than one word, so its column says nothing.
        Err(TypedError::Move { word, fault, .. }) => Typed::Unclear(format!("{word}: {fault}")),
        Err(error) => Typed::Unclear(error.to_string()),
        Ok(_) => match moves[..] {
            [uci] => Typed::Move(uci),
            [] => Typed::Unclear(HINT.to_owned()),
            _ => Typed::Unclear(format!("these are {} moves; type one", moves.len())),
        },
    }
}

/// Why a position is asked.
pub(super) fn why(reason: Reason, position: &Chess, language: Language) -> String {
    match reason {
        Reason::Departures(1) => "a game left the book here".to_owned(),
        Reason::Departures(games) => format!("{} left the book here", counted(games, "game")),
        Reason::Due => "due".to_owned(),
        Reason::Changed(uci) => {
            format!("the book has changed: it no longer has {}", san(uci, position, language))
        }
        Reason::New => "new".to_owned(),
        Reason::Missed | Reason::Learned => "once more".to_owned(),
        Reason::OnTheWay => "on the way".to_owned(),
    }
}

/// A move of a position as SAN, with the piece letters of a language.
fn san(uci: UciMove, position: &Chess, language: Language) -> String {
    let san = |m| language.translated(&SanPlus::from_move(position.clone(), m).to_string());
    uci.to_move(position).map_or_else(|| uci.to_string(), san)
}

/// The most moves of the book that are named beside the main one.
const MAX_OTHERS: usize = 5;

/// The main move of the book, and its others: `, also Nf3`.
fn main_and_others(lesson: &Lesson) -> (&str, String) {
    let Some((main, others)) = lesson.book.split_first() else { return ("", String::new()) };
    let also = match others {
        [] => String::new(),
        others if others.len() > MAX_OTHERS => {
            let shown = others[..MAX_OTHERS].join(", ");
            format!(", also {shown} and {} more", others.len() - MAX_OTHERS)
        }
        others => format!(", also {}", others.join(", ")),
    };
    (main, also)
}

/// Whether an answer was right, and what the book has.
pub(super) fn verdict(
    kind: AnswerKind,
    given: Option<UciMove>,
    lesson: &Lesson,
    (position, language): (&Chess, Language),
) -> String {
    let numbered = |san: &str| match lesson.number {
        Some(number) => format!("{number} {san}"),
        None => san.to_owned(),
    };
    let given = given.map(|uci| numbered(&san(uci, position, language))).unwrap_or_default();
    let (main, also) = main_and_others(lesson);
    let main = numbered(main);
    match kind {
        AnswerKind::Main => format!("Right: {given}{also}"),
        AnswerKind::Alternative => format!("Right: {given}; the main move is {main}"),
        AnswerKind::Transposition => {
            format!("Right: {given} leads to another line of the book; here it has {main}{also}")
        }
        AnswerKind::Mistake => {
            format!("Wrong: {given} is a known mistake; the book has {main}{also}")
        }
        AnswerKind::Wrong => format!("Wrong: {given}; the book has {main}{also}"),
        AnswerKind::Shown => format!("The book has {main}{also}"),
    }
}

/// What the book remarks of a mistake that was given and of the main move, and how games went, one
/// line each.
pub(super) fn remarks(lesson: &Lesson, given: Option<UciMove>) -> Vec<String> {
    let mistake = lesson.mistakes.iter().find(|mistake| Some(mistake.uci) == given);
    let of_mistake = mistake.into_iter().flat_map(|mistake| {
        let refutation = Some(&mistake.refutation).filter(|moves| !moves.is_empty());
        mistake.comments.iter().chain(refutation)
    });
    let comments = of_mistake.chain(&lesson.comments);
    let mut lines: Vec<String> =
        comments.map(|text| sanitize(text.as_bytes()).into_owned()).collect();
    let played = lesson.played.iter().map(|played| {
        let score = played.score.map(|score| format!(", {}", percent(score))).unwrap_or_default();
        let out = if played.is_in_book { "" } else { ", not in the book" };
        format!("{} ({}{score}{out})", played.san, counted(played.games, "game"))
    });
    let played: Vec<String> = played.collect();
    lines.extend((!played.is_empty()).then(|| format!("Played: {}", played.join(", "))));
    lines
}

/// What is to be learned: the moves of the book.
pub(super) fn lesson_of(lesson: &Lesson) -> String {
    let number = lesson.number.map(|number| format!("{number} ")).unwrap_or_default();
    let (main, also) = main_and_others(lesson);
    format!("Learn: {number}{main}{also}")
}

/// An answer that was taken back.
pub(super) fn taken_back(review: &Review, deck: &Deck, language: Language) -> String {
    let node = deck.book().find(&review.key);
    let after = node.and_then(|id| deck.movetext(id)).filter(|line| !line.is_empty());
    let after =
        after.map(|line| format!(" after {}", language.translated(&line))).unwrap_or_default();
    let given = review.given.zip(review.key.to_position().ok());
    let given =
        given.map_or_else(|| "?".to_owned(), |(uci, position)| san(uci, &position, language));
    format!("Taken back: {given}{after}")
}

/// What comes next.
pub(super) fn outlook_text(outlook: Outlook) -> String {
    let Outlook { due, tomorrow, week, days, new, suspended, buried, .. } = outlook;
    let next = match (due, week, days) {
        (0, 0, None) => "Nothing is due".to_owned(),
        (0, 0, Some(days)) => format!("Nothing is due; the next position is due {}", in_days(days)),
        _ => format!("Due: {due} now, {tomorrow} tomorrow, {week} within a week"),
    };
    next + &counts("; ", [(new, "new"), (suspended, "suspended"), (buried, "buried")])
}

/// The days until something is due.
pub(super) fn in_days(days: u32) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_people_type_moves() {
        let start = Chess::default();
        let uci = |text: &str| Typed::Move(text.parse().unwrap());
        for (line, language, expected) in [
            ("Nf3", "en", uci("g1f3")),
            ("1. Ng1-f3!", "en", uci("g1f3")),
            ("g1f3", "en", uci("g1f3")),
            ("Sf3", "de", uci("g1f3")),
            ("?", "en", Typed::Show),
            ("q", "en", Typed::Stop),
            ("help", "en", Typed::Help),
            ("", "en", Typed::Unclear(HINT.to_owned())),
            ("1.", "en", Typed::Unclear(HINT.to_owned())),
            ("e4 e5", "en", Typed::Unclear("these are 2 moves; type one".to_owned())),
        ] {
            assert_eq!(read(line, &start, language.parse().unwrap()), expected, "{line:?}");
        }
        let Typed::Unclear(why) = read("Bc4", &start, Language::English) else { panic!() };
        assert!(why.contains("the white pawn on e2 is in the way"), "{why}");
    }

    #[test]
    fn lines_end_however_they_do() {
        let mut input = &b"e4\r\nd4\n\xff\nc4"[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["e4", "d4", "\u{fffd}", "c4"]);
        let mut endless = io::repeat(b'x').take(10_000_000);
        let mut endless = io::BufReader::new(&mut endless);
        let long = read_line(&mut endless).unwrap().unwrap();
        assert_eq!(long.len() as u64, MAX_ANSWER);
    }
}
