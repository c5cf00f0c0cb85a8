//! The session, and what it makes of a request.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    asked::{Asked, read_move},
    reply::{AnsweredObject, OutlookObject, QuestionObject, Reply, ScoreObject},
};
use crate::{
    chess::UciMove,
    store::{RepertoireInfo, StoreError, TrainingLog},
    training::{Mode, Moment, Progress, Session, SessionOptions},
    web::{answer::Answer, fault::Fault},
};

/// Trains a repertoire of a position database.
pub(in crate::web) struct Trainer {
    path: PathBuf,
    repertoire: String,
    /// What the time is.
    now: fn() -> Moment,
    running: Mutex<Option<Running>>,
}

/// A session that has begun.
struct Running {
    log: TrainingLog,
    info: RepertoireInfo,
    session: Session,
    score: ScoreObject,
    /// The number of the open question. It goes on from session to session, so that an old page
    /// does not answer what it has not asked.
    number: u64,
}

impl Trainer {
    /// Trains a repertoire of a file.
    ///
    /// # Errors
    ///
    /// If there is no such file or repertoire, or the file cannot be written.
    pub(in crate::web) fn new(
        path: &Path,
        repertoire: &str,
        now: fn() -> Moment,
    ) -> Result<Self, StoreError> {
        TrainingLog::open(path, repertoire)?;
        let repertoire = repertoire.to_owned();
        Ok(Self { path: path.to_owned(), repertoire, now, running: Mutex::new(None) })
    }

    /// The repertoire.
    pub(in crate::web) fn repertoire(&self) -> &str {
        &self.repertoire
    }

    /// The answer to a request with this body.
    pub(in crate::web) fn answer(&self, body: &[u8]) -> Answer {
        self.respond(body).unwrap_or_else(Answer::from)
    }

    fn respond(&self, body: &[u8]) -> Result<Answer, Fault> {
        let mut running = self.lock();
        match Asked::read(body)? {
            Asked::Begin { new, line } => {
                let number = running.as_ref().map_or(1, |running| running.number + 1);
                let mode = if line { Mode::Line } else { Mode::Single };
                let begun = running.insert(self.begin(mode, new, number)?);
                begun.reply(None, (self.now)())
            }
            Asked::Answer { question, uci } => {
                let uci = uci.as_deref().map(read_move).transpose()?;
                let running = running.as_mut().filter(|running| running.number == question);
                running.ok_or_else(outdated)?.take(uci, (self.now)())
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        // What a request has begun and not ended is not in the file, and is asked again.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, mode: Mode, new: usize, number: u64) -> Result<Running, Fault> {
        let log = TrainingLog::open(&self.path, &self.repertoire)?;
        let info = log.database().repertoire(&self.repertoire)?;
        let now = (self.now)();
        let seed = now.seconds().cast_unsigned();
        let options = SessionOptions { mode, new, until: None, seed };
        let session = Session::new(log.deck()?, options, now);
        Ok(Running { log, info, session, score: ScoreObject::default(), number })
    }
}

fn outdated() -> Fault {
    let text = "this question is no longer open; begin a session".to_owned();
    Fault { status: 409, text }
}

fn impossible() -> Fault {
    Fault::unavailable("the repertoire has a line that cannot be played")
}

impl Running {
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
                let progress = Progress::of(&deck, &[], now);
                Some(OutlookObject::new(&progress, now))
            }
        };
        Ok(Answer::json_once(&Reply {
            repertoire: &self.info.name,
            color: self.info.color.to_string(),
            counts: self.session.counts().into(),
            score: self.score,
            answered,
            question: question.as_ref().map(object).transpose()?,
            outlook,
        }))
    }
}
