//! `/eco/train`: a session of training over HTTP.
//!
//! There is one session at a time, which lives here; what was answered is in the file at once. Who
//! may send something is decided before.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fault};
use super::editing::Editor;
use super::line::{PlayedMove, fen_of};
use crate::chess::{Chess, UciMove};
use crate::executor::lock;
use crate::output::in_percent;
use crate::store::{RepertoireInfo, StoreError, TrainingLog};
use crate::training::{
    AnswerKind, Card, Deck, KnownMistake, Lesson, Mode, Moment, PlayedThere, Progress, Question,
    Reason, Session, SessionCounts, SessionOptions,
};

pub(super) const PATH: &str = "/eco/train";

/// What the page sends: the body of a request.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Message {
    /// A new session takes the place of the one that there is.
    Begin {
        /// The number of positions that may be new.
        new: usize,
        /// Whether lines are played from their start.
        line: bool,
    },
    /// The answer to a question.
    Answer {
        /// The number of the question.
        question: u64,
        /// The move in UCI notation; `None` to be shown the answer.
        uci: Option<String>,
    },
}

/// Trains a repertoire of a position database.
pub(super) struct Trainer {
    path: PathBuf,
    pub(super) repertoire: String,
    /// What the time is.
    now: fn() -> Moment,
    running: Mutex<Option<RunningSession>>,
}

/// A session that has begun.
struct RunningSession {
    log: TrainingLog,
    info: RepertoireInfo,
    session: Session,
    score: ScoreObject,
    /// The number of the open question. It goes on from session to session, so that an old
    /// page cannot answer a question that it did not show.
    number: u64,
}

impl Trainer {
    /// Trains a repertoire of a file.
    ///
    /// # Errors
    ///
    /// If there is no such file or repertoire, or the file cannot be written.
    pub(super) fn new(
        path: &Path,
        repertoire: &str,
        now: fn() -> Moment,
    ) -> Result<Self, StoreError> {
        TrainingLog::open(path, repertoire)?;
        let repertoire = repertoire.to_owned();
        Ok(Self { path: path.to_owned(), repertoire, now, running: Mutex::new(None) })
    }

    /// What edits the repertoire.
    pub(super) fn editor(&self) -> Editor<'_> {
        Editor { path: &self.path, repertoire: &self.repertoire, now: (self.now)() }
    }

    /// The answer to a request with this body.
    pub(super) fn answer(&self, body: &[u8]) -> Result<Answer, Fault> {
        // What a request has begun and not ended is not in the file, and is asked again.
        let mut running = lock(&self.running);
        let message = serde_json::from_slice(body).map_err(Fault::bad_request)?;
        match message {
            Message::Begin { new, line } => {
                let number = running.as_ref().map_or(1, |running| running.number + 1);
                let mode = if line { Mode::Line } else { Mode::Single };
                let begun = running.insert(self.begin(mode, new, number)?);
                begun.reply(None, (self.now)())
            }
            Message::Answer { question, uci } => {
                let read = |text: String| {
                    text.parse::<UciMove>().map_err(|error| Fault::parameter("uci", error))
                };
                let uci = uci.map(read).transpose()?;
                let running = running.as_mut().filter(|running| running.number == question);
                running.ok_or_else(outdated)?.take(uci, (self.now)())
            }
        }
    }

    fn begin(&self, mode: Mode, new: usize, number: u64) -> Result<RunningSession, Fault> {
        let log = TrainingLog::open(&self.path, &self.repertoire)?;
        let info = log.database().repertoire(&self.repertoire)?;
        let now = (self.now)();
        let seed = now.seconds().cast_unsigned();
        let options = SessionOptions { mode, new, seed, ..SessionOptions::default() };
        let session = Session::new(log.deck()?, options, now);
        Ok(RunningSession { log, info, session, score: ScoreObject::default(), number })
    }
}

fn outdated() -> Fault {
    Fault::conflict("this question is no longer open; begin a session")
}

fn impossible() -> Fault {
    Fault::unavailable("the repertoire has a line that cannot be played")
}

impl RunningSession {
    /// Takes an answer and keeps it.
    fn take(&mut self, uci: Option<UciMove>, now: Moment) -> Result<Answer, Fault> {
        let question = self.session.question().cloned().ok_or_else(outdated)?;
        let (position, _) = self.session.deck().play(&question.line).ok_or_else(impossible)?;
        if uci.is_some_and(|uci| uci.to_move(&position).is_none()) {
            return Err(Fault::parameter("uci", "the move is not legal here"));
        }
        // Nothing of it counts if it cannot be kept.
        let mut session = self.session.clone();
        let answer = session.answer(uci, now).ok_or_else(outdated)?;
        let card = self.log.record(&answer.review)?;
        self.session = session;
        self.number += 1;
        self.score.answers += 1;
        self.score.right += u32::from(answer.kind.is_right());
        let deck = self.session.deck();
        let answered = AnsweredObject::new(answer.kind, uci, &question, deck, &card);
        self.reply(Some(answered.ok_or_else(impossible)?), now)
    }

    fn reply(&mut self, answered: Option<AnsweredObject>, now: Moment) -> Result<Answer, Fault> {
        let question = self.session.question().cloned();
        let object = |question| {
            QuestionObject::new(self.number, question, self.session.deck()).ok_or_else(impossible)
        };
        let outlook = match question {
            Some(_) => None,
            None => {
                let cards = self.log.database().training_cards(&self.info.name)?;
                let deck = self.session.deck().with_cards(cards);
                let Progress { due, new, next_due, .. } = Progress::of(&deck, &[], now);
                let days = next_due.map(|due| due.days_since(now));
                Some(OutlookObject { due, new, days })
            }
        };
        Ok(Answer::json_once(&SessionObject {
            repertoire: &self.info.name,
            color: self.info.color.to_string(),
            counts: self.session.counts(),
            score: self.score,
            answered,
            question: question.as_ref().map(object).transpose()?,
            outlook,
        }))
    }
}

#[derive(Serialize)]
struct SessionObject<'a> {
    repertoire: &'a str,
    color: String,
    counts: SessionCounts,
    score: ScoreObject,
    /// What the last answer was worth; absent at the beginning.
    answered: Option<AnsweredObject>,
    /// The next question; absent at the end.
    question: Option<QuestionObject>,
    /// What comes after the end.
    outlook: Option<OutlookObject>,
}

/// The answers of a session.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct ScoreObject {
    answers: u32,
    right: u32,
}

#[derive(Serialize)]
struct QuestionObject {
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
    fn new(number: u64, question: &Question, deck: &Deck) -> Option<Self> {
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
            start: fen_of(&deck.book().position(question.line.root)?),
            moves: question.line.moves.iter().map(ToString::to_string).collect(),
        })
    }
}

/// A move of a position as SAN.
fn san(position: &Chess, uci: UciMove) -> String {
    PlayedMove::from_uci(position, uci).map_or_else(|| uci.to_string(), |played| played.san)
}

#[derive(Serialize)]
struct AnsweredObject {
    kind: AnswerKind,
    right: bool,
    given: Option<MoveObject>,
    /// The number of the move, `4.` or `4...`.
    number: String,
    book: Vec<MoveObject>,
    /// What the book says of the move that was given, if it is a mistake.
    mistake: Option<MistakeObject>,
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
struct MistakeObject {
    comments: Vec<String>,
    refutation: String,
}

impl From<KnownMistake> for MistakeObject {
    fn from(mistake: KnownMistake) -> Self {
        Self { comments: mistake.comments, refutation: mistake.refutation }
    }
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
        Self { san, games, score: score.map(in_percent), in_book: is_in_book }
    }
}

impl AnsweredObject {
    fn new(
        kind: AnswerKind,
        given: Option<UciMove>,
        question: &Question,
        deck: &Deck,
        card: &Card,
    ) -> Option<Self> {
        let (position, _) = deck.play(&question.line)?;
        let lesson = Lesson::of(deck, question.id);
        let object = |uci: UciMove| MoveObject { uci: uci.to_string(), san: san(&position, uci) };
        let mistake = lesson.mistakes.into_iter().find(|mistake| Some(mistake.uci) == given);
        Some(Self {
            kind,
            right: kind.is_right(),
            given: given.map(object),
            number: lesson.number.map(|number| number.to_string()).unwrap_or_default(),
            book: deck.answers(question.id).into_iter().map(object).collect(),
            mistake: mistake.map(MistakeObject::from),
            comments: lesson.comments,
            played: lesson.played.into_iter().map(PlayedObject::from).collect(),
            days: card.due.days_since(card.reviewed),
        })
    }
}

/// What is left when a session ends.
#[derive(Serialize)]
struct OutlookObject {
    due: usize,
    new: usize,
    /// The days until the next position is due.
    days: Option<u32>,
}
