//! `/eco/train`: a session of training over HTTP.
//!
//! There is one session at a time, which lives here; what was answered is in the file at once. Who
//! may send something is decided before.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fault};
use super::line::fen_of;
use crate::chess::{PositionKey, UciMove};
use crate::executor::lock;
use crate::store::{StoreError, TrainingLog};
use crate::training::{
    AnswerKind, Deck, KnownMistake, Lesson, Mode, Moment, Outlook, Pause, PlayedThere, Question,
    Reason, Session, SessionCounts, SessionOptions, SessionScore,
};
use crate::{classify::Question as AskedPosition, output::in_percent, repertoire::NodeId};

pub(super) const PATH: &str = "/eco/train";

/// What the page sends: the body of a request.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Message {
    /// A new session takes the place of the one that there is.
    Begin(BeginMessage),
    /// The answer to a question.
    Answer {
        /// The number of the question.
        question: u64,
        /// The move in UCI notation; `None` to be shown the answer.
        uci: Option<String>,
    },
    /// The last answer of today is taken back.
    Undo {},
    /// The position of a question is asked no more.
    Suspend {
        /// The number of the question.
        question: u64,
    },
    /// The position of a question and what follows are not asked today.
    Bury {
        /// The number of the question.
        question: u64,
    },
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginMessage {
    /// The number of positions that may be new in a day.
    new: usize,
    /// The number of positions that may be asked again in a day.
    due: Option<usize>,
    /// Whether lines are played from their start.
    line: bool,
    /// A position, as people type it, whose continuations are asked.
    #[serde(default)]
    from: String,
    /// A part of the names of the chapters that are asked.
    #[serde(default)]
    chapter: String,
    /// Whether what was suspended or buried is asked again.
    #[serde(default)]
    resume: bool,
}

/// Trains repertoires of a position database.
pub(super) struct Trainer {
    pub(super) path: PathBuf,
    pub(super) repertoires: Vec<String>,
    /// What the time is.
    pub(super) now: fn() -> Moment,
    running: Mutex<Option<RunningSession>>,
}

/// A session that has begun.
struct RunningSession {
    log: TrainingLog,
    session: Session,
    /// The number of the open question. It goes on from session to session, so that an old
    /// page cannot answer a question that it did not show.
    number: u64,
}

impl Trainer {
    /// Trains repertoires of a file.
    ///
    /// # Errors
    ///
    /// If there is no such file or repertoire, or the file cannot be written.
    pub(super) fn new(
        path: &Path,
        repertoires: &[String],
        now: fn() -> Moment,
    ) -> Result<Self, StoreError> {
        TrainingLog::open(path, repertoires)?;
        let (path, repertoires) = (path.to_owned(), repertoires.to_vec());
        Ok(Self { path, repertoires, now, running: Mutex::new(None) })
    }

    /// The answer to a request with this body.
    pub(super) fn answer(&self, body: &[u8]) -> Result<Answer, Fault> {
        // What a request has begun and not ended is not in the file, and is asked again.
        let mut running = lock(&self.running);
        let (now, message) = ((self.now)(), serde_json::from_slice(body));
        match message.map_err(Fault::bad_request)? {
            Message::Begin(message) => {
                let number = running.as_ref().map_or(1, |running| running.number + 1);
                running.insert(self.begin(&message, number)?).reply(None, now)
            }
            Message::Answer { question, uci } => {
                let read = |text: String| {
                    text.parse::<UciMove>().map_err(|error| Fault::parameter("uci", error))
                };
                let uci = uci.map(read).transpose()?;
                asked(running.as_mut(), question)?.take(uci, now)
            }
            Message::Undo {} => running.as_mut().ok_or_else(outdated)?.take_back(now),
            Message::Suspend { question } => {
                asked(running.as_mut(), question)?.pause(Pause::suspended, now)
            }
            Message::Bury { question } => {
                asked(running.as_mut(), question)?.pause(|key| Pause::buried(key, now), now)
            }
        }
    }

    /// A session of the positions that follow one, and that chapters of a name have.
    fn begin(&self, message: &BeginMessage, number: u64) -> Result<RunningSession, Fault> {
        let read = || message.from.parse::<AskedPosition>();
        let from = (!message.from.trim().is_empty()).then(read).transpose();
        let from = from.map_err(|fault| Fault::parameter("from", fault))?;
        let (mut log, now) = (TrainingLog::open(&self.path, &self.repertoires)?, (self.now)());
        let options = SessionOptions {
            mode: if message.line { Mode::Line } else { Mode::Single },
            new: message.new,
            due: message.due.unwrap_or(SessionOptions::DUE),
            seed: now.seconds().cast_unsigned(),
            ..SessionOptions::default()
        };
        let mut decks = Vec::new();
        for (number, name) in self.repertoires.iter().enumerate() {
            let mut deck = log.deck(number, now)?;
            if let Some(from) = &from {
                let following = deck.following(&from.key());
                deck = deck.limited_to(&following);
            }
            if !message.chapter.is_empty() {
                let names = std::slice::from_ref(&message.chapter);
                deck = deck.limited_to(&log.database().chapter_positions(name, names)?);
            }
            if message.resume {
                log.resume(number, &deck)?;
            }
            decks.push(deck.with_pauses(&log.database().training_pauses(name)?, now));
        }
        Ok(RunningSession { log, session: Session::new(decks, options, now), number })
    }
}

/// The session, if a question of this number is open.
fn asked(
    running: Option<&mut RunningSession>,
    question: u64,
) -> Result<&mut RunningSession, Fault> {
    running.filter(|running| running.number == question).ok_or_else(outdated)
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
        let deck = self.session.deck(question.deck);
        let (position, _) = deck.play(&question.line).ok_or_else(impossible)?;
        if uci.is_some_and(|uci| uci.to_move(&position).is_none()) {
            return Err(Fault::parameter("uci", "the move is not legal here"));
        }
        // Nothing of it counts if it cannot be kept.
        let answer = self.session.judge(uci, now).ok_or_else(outdated)?;
        let card = self.log.record(question.deck, &answer.review)?;
        self.session.take(&answer);
        self.number += 1;
        let deck = self.session.deck(question.deck);
        let mut lesson = Lesson::of(deck, question.id);
        let mistakes = std::mem::take(&mut lesson.mistakes);
        let answered = AnsweredObject {
            kind: answer.kind,
            right: answer.kind.is_right(),
            given: uci
                .map(|uci| MoveObject { uci: uci.to_string(), san: san(deck, question.id, uci) }),
            mistake: mistakes.into_iter().find(|mistake| Some(mistake.uci) == uci),
            lesson: LessonObject::new(lesson, question.id, deck),
            days: card.due.days_since(card.reviewed),
        };
        self.reply(Some(answered), now)
    }

    /// Takes back the last answer of today, and asks for it next.
    fn take_back(&mut self, now: Moment) -> Result<Answer, Fault> {
        let nothing = || Fault::conflict("there is no answer of today");
        let taken = self.log.take_back(now)?.ok_or_else(nothing)?;
        self.session.ask_again(taken.deck, &taken.review, taken.card.as_ref());
        self.number += 1;
        self.reply(None, now)
    }

    /// Asks for the position of the open question no more.
    fn pause(
        &mut self,
        pause: impl Fn(PositionKey) -> Pause,
        now: Moment,
    ) -> Result<Answer, Fault> {
        let question = self.session.question().cloned().ok_or_else(outdated)?;
        let deck = self.session.deck(question.deck);
        let pause = pause(deck.book().node(question.id).key);
        self.log.pause(question.deck, pause, now)?;
        self.session.pause(pause);
        self.number += 1;
        self.reply(None, now)
    }

    fn reply(&mut self, answered: Option<AnsweredObject>, now: Moment) -> Result<Answer, Fault> {
        let question = self.session.question().cloned();
        let object = |question: &Question| {
            let name = &self.log.repertoires()[question.deck];
            let deck = self.session.deck(question.deck);
            QuestionObject::new(self.number, name, question, deck).ok_or_else(impossible)
        };
        let is_between = answered.is_some() && question.is_some();
        let (decks, names) = (self.session.decks(), self.log.repertoires());
        let outlook = || self.log.database().training_outlook(decks, names, now);
        Ok(Answer::json_once(&SessionObject {
            repertoire: names.join(" and "),
            counts: self.session.counts(),
            score: self.session.score(),
            answered,
            question: question.as_ref().map(object).transpose()?,
            outlook: (!is_between).then(outlook).transpose()?,
        }))
    }
}

#[derive(Serialize)]
struct SessionObject {
    repertoire: String,
    counts: SessionCounts,
    score: SessionScore,
    /// What the last answer was worth; absent at the beginning.
    answered: Option<AnsweredObject>,
    /// The next question; absent at the end.
    question: Option<QuestionObject>,
    /// What comes, at the beginning and after the end.
    outlook: Option<Outlook>,
}

#[derive(Serialize)]
struct QuestionObject {
    question: u64,
    repertoire: String,
    color: String,
    reason: &'static str,
    /// The games that left the book there.
    games: Option<u32>,
    /// The move that was learned, and that the book no longer has.
    old: Option<String>,
    left: usize,
    /// What is to be learned before it is asked, if it is new.
    lesson: Option<LessonObject>,
    #[serde(rename = "goesOn")]
    goes_on: bool,
    /// The position that the line begins with, and its moves.
    start: String,
    moves: Vec<String>,
}

impl QuestionObject {
    /// A question as it is asked; `None` if its line cannot be played.
    fn new(number: u64, name: &str, question: &Question, deck: &Deck) -> Option<Self> {
        deck.play(&question.line)?;
        let (reason, games, old) = match question.reason {
            Reason::Departures(games) => ("departures", Some(games), None),
            Reason::Due => ("due", None, None),
            Reason::Changed(uci) => ("changed", None, Some(san(deck, question.id, uci))),
            Reason::New => ("new", None, None),
            Reason::Missed => ("missed", None, None),
            Reason::Learned => ("learned", None, None),
            Reason::OnTheWay => ("on the way", None, None),
        };
        let lesson = || LessonObject::new(Lesson::of(deck, question.id), question.id, deck);
        Some(Self {
            question: number,
            repertoire: name.to_owned(),
            color: deck.book().color().to_string(),
            lesson: question.is_new.then(lesson),
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
fn san(deck: &Deck, id: NodeId, uci: UciMove) -> String {
    deck.book().node(id).san([uci]).concat()
}

#[derive(Serialize)]
struct AnsweredObject {
    kind: AnswerKind,
    right: bool,
    given: Option<MoveObject>,
    /// What the book says of the move that was given, if it is a mistake.
    mistake: Option<KnownMistake>,
    #[serde(flatten)]
    lesson: LessonObject,
    /// The days until it is asked again.
    days: u32,
}

/// What the book and the games have in a position.
#[derive(Serialize)]
struct LessonObject {
    /// The number of the move, `4.` or `4...`.
    number: String,
    book: Vec<MoveObject>,
    comments: Vec<String>,
    played: Vec<PlayedThere>,
}

impl LessonObject {
    fn new(mut lesson: Lesson, id: NodeId, deck: &Deck) -> Self {
        lesson.played.iter_mut().for_each(|played| played.score = played.score.map(in_percent));
        let moves = deck.answers(id).into_iter().zip(lesson.book);
        Self {
            number: lesson.number.map(|number| number.to_string()).unwrap_or_default(),
            book: moves.map(|(uci, san)| MoveObject { uci: uci.to_string(), san }).collect(),
            comments: lesson.comments,
            played: lesson.played,
        }
    }
}

#[derive(Serialize)]
struct MoveObject {
    uci: String,
    san: String,
}
