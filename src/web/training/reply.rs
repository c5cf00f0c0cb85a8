//! What the page is told of a session, as JSON.

use serde::Serialize;

use crate::{
    chess::{Chess, UciMove, play_as_san},
    repertoire::Book,
    training::{
        AnswerKind, Card, Deck, Lesson, Moment, PlayedThere, Progress, Question, Reason,
        SessionCounts,
    },
    web::asked_line::fen_of,
};

#[derive(Serialize)]
pub(super) struct Reply<'a> {
    pub(super) repertoire: &'a str,
    pub(super) color: String,
    pub(super) counts: CountsObject,
    pub(super) score: ScoreObject,
    /// What the last answer was worth; absent at the beginning.
    pub(super) answered: Option<AnsweredObject>,
    /// The next question; absent at the end.
    pub(super) question: Option<QuestionObject>,
    /// What comes after the end.
    pub(super) outlook: Option<OutlookObject>,
}

#[derive(Serialize)]
pub(super) struct CountsObject {
    departures: usize,
    due: usize,
    new: usize,
}

impl From<SessionCounts> for CountsObject {
    fn from(counts: SessionCounts) -> Self {
        Self { departures: counts.departures, due: counts.due, new: counts.new }
    }
}

/// The answers of a session.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct ScoreObject {
    pub(super) answers: u32,
    pub(super) right: u32,
}

#[derive(Serialize)]
pub(super) struct QuestionObject {
    question: u64,
    reason: &'static str,
    /// The games that left the book there.
    games: Option<u32>,
    /// The move that was learned, and that the book no longer has.
    old: Option<String>,
    left: usize,
    #[serde(rename = "goesOn")]
    goes_on: bool,
    /// The position that the line begins with, and its moves.
    start: String,
    moves: Vec<String>,
}

impl QuestionObject {
    /// A question as it is asked; `None` if its line cannot be played.
    pub(super) fn new(number: u64, question: &Question, deck: &Deck) -> Option<Self> {
        let (position, _) = deck.play(&question.line)?;
        let (reason, games, old) = match question.reason {
            Reason::Departures(games) => ("departures", Some(games), None),
            Reason::Due => ("due", None, None),
            Reason::Changed(uci) => ("changed", None, Some(san(&position, uci))),
            Reason::New => ("new", None, None),
            Reason::Missed => ("missed", None, None),
            Reason::OnTheWay => ("on the way", None, None),
        };
        Some(Self {
            question: number,
            reason,
            games,
            old,
            left: question.left,
            goes_on: question.goes_on,
            start: start(deck.book(), question)?,
            moves: question.line.moves.iter().map(ToString::to_string).collect(),
        })
    }
}

fn start(book: &Book, question: &Question) -> Option<String> {
    book.position(question.line.root).map(|position| fen_of(&position))
}

/// A move of a position as SAN.
fn san(position: &Chess, uci: UciMove) -> String {
    let m = uci.to_move(position);
    m.map_or_else(|| uci.to_string(), |m| play_as_san(&mut position.clone(), m).to_string())
}

#[derive(Serialize)]
pub(super) struct AnsweredObject {
    kind: &'static str,
    right: bool,
    given: Option<MoveObject>,
    /// The number of the move, `4.` or `4...`.
    number: String,
    book: Vec<MoveObject>,
    comments: Vec<String>,
    played: Vec<PlayedObject>,
    /// The days until it is asked again.
    days: u32,
}

#[derive(Serialize)]
struct MoveObject {
    uci: String,
    san: String,
}

#[derive(Serialize)]
struct PlayedObject {
    san: String,
    games: u32,
    score: Option<f64>,
    #[serde(rename = "inBook")]
    in_book: bool,
}

impl From<PlayedThere> for PlayedObject {
    fn from(played: PlayedThere) -> Self {
        let PlayedThere { san, games, score, is_in_book, .. } = played;
        Self { san, games, score, in_book: is_in_book }
    }
}

impl AnsweredObject {
    pub(super) fn new(
        kind: AnswerKind,
        given: Option<UciMove>,
        question: &Question,
        deck: &Deck,
        card: &Card,
    ) -> Option<Self> {
        let (position, _) = deck.play(&question.line)?;
        let lesson = Lesson::of(deck, question.id);
        let object = |uci: UciMove| MoveObject { uci: uci.to_string(), san: san(&position, uci) };
        Some(Self {
            kind: match kind {
                AnswerKind::Main => "main",
                AnswerKind::Alternative => "alternative",
                AnswerKind::Transposition => "transposition",
                AnswerKind::Wrong => "wrong",
                AnswerKind::Shown => "shown",
            },
            right: kind.is_right(),
            given: given.map(object),
            number: lesson.number.map(|number| number.to_string()).unwrap_or_default(),
            book: deck.answers(question.id).into_iter().map(object).collect(),
            comments: lesson.comments,
            played: lesson.played.into_iter().map(PlayedObject::from).collect(),
            days: card.due.days_since(card.reviewed),
        })
    }
}

/// What is left when a session ends.
#[derive(Serialize)]
pub(super) struct OutlookObject {
    due: usize,
    new: usize,
    /// The days until the next position is due.
    days: Option<u32>,
}

impl OutlookObject {
    pub(super) fn new(progress: &Progress, now: Moment) -> Self {
        let days = progress.next_due.map(|due| due.days_since(now));
        Self { due: progress.due, new: progress.new, days }
    }
}
