//! A session on the terminal, or with a program that writes the answers.

use std::io::{Write, stdout};
use std::sync::{Arc, Mutex};
use std::{ops::ControlFlow, path::Path, thread};

use eco::chess::{Chess, Language, Position, UciMove};
use eco::executor::lock;
use eco::output::sanitize;
use eco::pgn::GameDate;
use eco::quoted::counted;
use eco::store::{Database, TrainingLog};
use eco::training::{
    Lesson, Moment, Outlook, Pause, Question, Session, SessionCounts, SessionScore,
};
use tokio::{runtime, signal};

use super::answer::{
    HINT, Typed, in_days, lesson_of, outlook_text, read, remarks, taken_back, verdict, why,
};
use super::screen::{Terminal, board};
use crate::cli::clock;
use crate::cli::outcome::{Failure, Interruption, Outcome};

/// The clock of the computer, or one that stands at the beginning of a day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock(pub(super) Option<GameDate>);

impl Clock {
    pub(super) fn now(self) -> Moment {
        self.0.map_or_else(|| Moment::from_seconds(clock::now()), Moment::start_of)
    }
}

/// A session and who talks with it.
pub(super) struct Dialogue {
    session: Session,
    log: TrainingLog,
    language: Language,
    clock: Clock,
    /// Ctrl-C waits while it is locked, so that it never ends the session in the middle of an
    /// answer that is being kept.
    score: Arc<Mutex<SessionScore>>,
    terminal: Terminal,
}

impl Dialogue {
    pub(super) fn new(
        session: Session,
        log: TrainingLog,
        language: Language,
        clock: Clock,
        path: &Path,
    ) -> Self {
        let (decks, names) = (session.decks().to_vec(), log.repertoires().to_vec());
        let (score, path) = (Arc::new(Mutex::new(session.score())), path.to_owned());
        end_on_interrupt(Arc::clone(&score), move |score| {
            let database = Database::open(&path);
            let next = database.and_then(|open| open.training_outlook(&decks, &names, clock.now()));
            // An output that is closed is no fault at the end.
            let next = next.map(outlook_text).unwrap_or_default();
            _ = writeln!(stdout(), "\n\n{}{next}", score_text(score));
        });
        Self { session, log, language, clock, score, terminal: Terminal::new() }
    }

    /// Asks until everything was answered right, or the learner stops.
    pub(super) fn run(mut self) -> Result<Outcome, Interruption> {
        let counts = self.session.counts();
        let next = outlook_text(self.outlook()?);
        // The terminal is empty, so nothing waits for Enter.
        for text in [self.heading(counts), next] {
            let lines = self.terminal.lines_of(&text, "").join("\n");
            _ = self.terminal.show(&format!("{lines}\n"))?;
        }
        let mut has_asked = false;
        while let Some(question) = self.session.question().cloned() {
            has_asked = true;
            if self.ask(&question)?.is_break() {
                break;
            }
        }
        if !has_asked && counts.later > 0 {
            let done = "All of today is done; --new and --due set how many positions a day has\n";
            _ = self.terminal.show(done)?;
        }
        if has_asked {
            let score = score_text(self.session.score());
            let gap = if score.is_empty() { "" } else { "\n" };
            let next = outlook_text(self.outlook()?);
            _ = self.terminal.show(&format!("{gap}{score}{next}\n"))?;
        }
        Ok(Outcome::Done)
    }

    fn heading(&self, counts: SessionCounts) -> String {
        let SessionCounts { departures, due, new, .. } = counts;
        let left = match departures {
            0 => String::new(),
            n => format!("{n} where games left the book, "),
        };
        let sides = self.log.repertoires().iter().zip(self.session.decks()).map(|(name, deck)| {
            let side = deck.book().color().fold_wb("White", "Black");
            format!("{} as {side}", sanitize(name.as_bytes()))
        });
        let sides: Vec<String> = sides.collect();
        format!("Training {}: {left}{due} due, {new} new", sides.join(", "))
    }

    /// What comes next, as the file has it now.
    fn outlook(&self) -> Result<Outlook, Failure> {
        let (decks, names) = (self.session.decks(), self.log.repertoires());
        Ok(self.log.database().training_outlook(decks, names, self.clock.now())?)
    }

    /// Asks a question until it is answered; what is new is shown before.
    fn ask(&mut self, question: &Question) -> Result<ControlFlow<()>, Interruption> {
        let deck = self.session.deck(question.deck);
        let (position, last) = deck
            .play(&question.line)
            .ok_or_else(|| Failure("the repertoire has a line that cannot be played".to_owned()))?;
        let key = deck.book().node(question.id).key;
        let name = match self.log.repertoires() {
            [_] => String::new(),
            names => format!("{}: ", sanitize(names[question.deck].as_bytes())),
        };
        let line =
            self.language.translated(&question.line.movetext(deck.book()).unwrap_or_default());
        let line = match line.as_str() {
            "" if position == Chess::default() => "the first move",
            "" => "where a chapter begins",
            line => line,
        };
        let goes_on = if question.goes_on { "… " } else { "" };
        let reason = why(question.reason, &position, self.language);
        let heading = format!("{name}{goes_on}{line}  ({reason}; {} to go)", question.left);
        let mut heading = self.terminal.lines_of(&heading, "").join("\n");
        let board = board(&position, last, deck.book().color());
        if question.is_new {
            if self.show(question, &position, &heading)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            "And from memory".clone_into(&mut heading);
        }
        if self.terminal.show(&format!("\n{heading}\n\n{board}"))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        while let Some(line) = self.terminal.prompt("Your move (?, help, q): ")? {
            match read(&line, &position, self.language) {
                Typed::Stop => break,
                Typed::Help => self.say(HINT)?,
                Typed::Unclear(why) => self.say(&sanitize(why.as_bytes()))?,
                Typed::Show => return self.answer(question, &position, None),
                Typed::Move(uci) => return self.answer(question, &position, Some(uci)),
                Typed::TakeBack if !self.take_back()? => self.say("There is no answer of today")?,
                Typed::TakeBack => return Ok(ControlFlow::Continue(())),
                Typed::Suspend => {
                    let said = "Suspended: this position is not asked until --resume";
                    return self.pause(question, Pause::suspended(key), said);
                }
                Typed::Bury => {
                    let said = "Buried: this position and what follows are not asked today";
                    return self.pause(question, Pause::buried(key, self.clock.now()), said);
                }
            }
        }
        Ok(ControlFlow::Break(()))
    }

    fn say(&self, text: &str) -> Result<(), Interruption> {
        Ok(self
            .terminal
            .lines_of(text, "")
            .iter()
            .try_for_each(|line| writeln!(stdout(), "{line}"))?)
    }

    /// Shows the answer of a position that is new, and waits until it has been read.
    fn show(
        &mut self,
        question: &Question,
        position: &Chess,
        heading: &str,
    ) -> Result<ControlFlow<()>, Interruption> {
        let lesson = Lesson::of(self.session.deck(question.deck), question.id);
        let lesson = lesson.in_language(self.language);
        let mut said = vec![format!("\n{heading}\n{}", self.solution(question, position))];
        said.extend(self.terminal.lines_of(&lesson_of(&lesson), ""));
        for remark in remarks(&lesson, None) {
            said.extend(self.terminal.lines_of(&remark, "  "));
        }
        for lines in said {
            if self.terminal.show(&format!("{lines}\n"))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.terminal.wait()
    }

    /// Takes back the last answer, and asks it next. Returns whether there is one.
    fn take_back(&mut self) -> Result<bool, Interruption> {
        let (taken, is_asked) = {
            let mut score = lock(&self.score);
            let taken = self.log.take_back(self.clock.now()).map_err(Failure::from)?;
            let Some(taken) = taken else { return Ok(false) };
            let card = taken.card.as_ref();
            let is_asked = self.session.ask_again(taken.deck, &taken.review, card);
            *score = self.session.score();
            (taken, is_asked)
        };
        let deck = self.session.deck(taken.deck);
        let text = taken_back(&taken.review, deck, self.language);
        self.say(&if is_asked { text } else { text + ", which this session does not ask" })?;
        Ok(true)
    }

    fn pause(
        &mut self,
        question: &Question,
        pause: Pause,
        said: &str,
    ) -> Result<ControlFlow<()>, Interruption> {
        self.log.pause(question.deck, pause, self.clock.now()).map_err(Failure::from)?;
        self.session.pause(pause);
        self.say(said)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Keeps an answer, and says what it was worth.
    fn answer(
        &mut self,
        question: &Question,
        position: &Chess,
        given: Option<UciMove>,
    ) -> Result<ControlFlow<()>, Interruption> {
        let now = self.clock.now();
        let Some(answer) = self.session.judge(given, now) else {
            return Ok(ControlFlow::Break(()));
        };
        let is_right = answer.kind.is_right();
        let card = {
            let mut score = lock(&self.score);
            let card = self.log.record(question.deck, &answer.review).map_err(Failure::from)?;
            self.session.take(&answer);
            *score = self.session.score();
            card
        };
        let lesson = Lesson::of(self.session.deck(question.deck), question.id);
        let lesson = lesson.in_language(self.language);
        let mut said = self
            .terminal
            .lines_of(&verdict(answer.kind, given, &lesson, (position, self.language)), "");
        if !question.is_new || !is_right {
            for remark in remarks(&lesson, given) {
                said.extend(self.terminal.lines_of(&remark, "  "));
            }
        }
        said.push(match is_right {
            true if question.is_new => "  Asked once more at the end".to_owned(),
            true => format!("  Asked again {}", in_days(card.due.days_since(now))),
            false => self.solution(question, position) + "  Asked once more at the end",
        });
        for lines in said {
            if self.terminal.show(&format!("{lines}\n"))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if is_right { Ok(ControlFlow::Continue(())) } else { self.terminal.wait() }
    }

    /// The position after the main move of the book.
    fn solution(&self, question: &Question, position: &Chess) -> String {
        let deck = self.session.deck(question.deck);
        let answers = deck.answers(question.id);
        let Some(m) = answers.first().and_then(|uci| uci.to_move(position)) else {
            return String::new();
        };
        let mut after = position.clone();
        after.play_unchecked(m);
        format!("\n{}", board(&after, Some(m), deck.book().color()))
    }
}

/// A line on the answers so far, if there are any.
fn score_text(SessionScore { answers, right, .. }: SessionScore) -> String {
    if answers == 0 {
        return String::new();
    }
    format!("{right} of {} right; all are kept\n", counted(answers, "answer"))
}

/// From now on Ctrl-C calls `say` with the score at that time, and ends the process with success.
/// Where signals cannot be had, Ctrl-C ends it as it ends every program.
fn end_on_interrupt(
    score: Arc<Mutex<SessionScore>>,
    say: impl FnOnce(SessionScore) + Send + 'static,
) {
    thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        if runtime.block_on(signal::ctrl_c()).is_ok() {
            let score = lock(&score);
            say(*score);
            std::process::exit(0);
        }
    });
}
