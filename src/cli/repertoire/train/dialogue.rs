//! A session on the terminal, or with a program that writes the answers.

use std::io::{IsTerminal, StdinLock, Write, stdin, stdout};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{ops::ControlFlow, path::Path, thread};

use eco::chess::{Chess, Color, EnPassantMode, Fen, Language, Move, Position, UciMove};
use eco::diagram::{Diagram, Mark, TextStyle};
use eco::quoted::counted;
use eco::store::{Database, RepertoireInfo, TrainingLog};
use eco::training::{Deck, Lesson, Moment, Progress, Question, Session, SessionCounts};
use eco::{output::sanitize, pgn::GameDate};
use tokio::{runtime, signal};

use super::answer::{HINT, Typed, in_days, is_stop, read, read_line, remarks, verdict, why};
use crate::cli::outcome::{Failure, Interruption, Outcome};
use crate::cli::{color, terminal};

/// The clock of the computer, or one that stands still.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    fixed: Option<Moment>,
}

impl Clock {
    /// The clock of the computer, or one that stands at the beginning of a day.
    pub(super) fn new(day: Option<GameDate>) -> Self {
        Self { fixed: day.map(Moment::start_of) }
    }

    pub(super) fn now(self) -> Moment {
        self.fixed.unwrap_or_else(|| {
            // A clock before 1970 is wrong; no card is older.
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Moment::from_seconds(since.as_secs().cast_signed())
        })
    }
}

/// The answers of a session so far.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    answers: usize,
    right: usize,
}

impl Score {
    fn text(self) -> String {
        let Self { answers, right } = self;
        format!("{right} of {} right; all are kept", counted(answers, "answer"))
    }
}

/// A session and who talks with it.
pub(super) struct Dialogue<'d> {
    session: Session,
    log: TrainingLog,
    info: &'d RepertoireInfo,
    language: Language,
    clock: Clock,
    /// Ctrl-C waits while it is locked, so that it never ends the session in the middle of an
    /// answer that is being kept.
    score: Arc<Mutex<Score>>,
    terminal: Terminal,
}

impl<'d> Dialogue<'d> {
    pub(super) fn new(
        session: Session,
        log: TrainingLog,
        info: &'d RepertoireInfo,
        language: Language,
        clock: Clock,
        path: &Path,
    ) -> Self {
        let (deck, name, path) = (session.deck().clone(), info.name.clone(), path.to_owned());
        let score = Arc::new(Mutex::new(Score::default()));
        end_on_interrupt(Arc::clone(&score), move |score| {
            let database = Database::open(&path).map_err(Failure::from);
            let next = database.and_then(|open| outlook(&open, &deck, &name, clock.now()));
            let score = if score.answers > 0 { score.text() + "\n" } else { String::new() };
            // An output that is closed is no fault at the end.
            _ = writeln!(stdout(), "\n\n{score}{}", next.unwrap_or_default());
        });
        Self { session, log, info, language, clock, score, terminal: Terminal::new() }
    }

    /// Asks until everything was answered right, or the learner stops.
    pub(super) fn run(mut self) -> Result<Outcome, Interruption> {
        let heading = self.heading(self.session.counts());
        // The terminal is empty, so nothing waits for Enter.
        _ = self.terminal.show(&format!("{heading}\n"))?;
        while let Some(question) = self.session.question().cloned() {
            if self.ask(&question)?.is_break() {
                break;
            }
        }
        let score = *lock(&self.score);
        let score = if score.answers > 0 { format!("\n{}\n", score.text()) } else { String::new() };
        let deck = self.session.deck();
        let next = outlook(self.log.database(), deck, &self.info.name, self.clock.now())?;
        _ = self.terminal.show(&format!("{score}{next}\n"))?;
        Ok(Outcome::Done)
    }

    fn heading(&self, counts: SessionCounts) -> String {
        let SessionCounts { departures, due, new, .. } = counts;
        let left = match departures {
            0 => String::new(),
            n => format!("{n} where games left the book, "),
        };
        let name = sanitize(self.info.name.as_bytes());
        let side = if self.info.color.is_white() { "White" } else { "Black" };
        format!("Training {name} as {side}: {left}{due} due, {new} new")
    }

    /// Asks a question until it is answered.
    fn ask(&mut self, question: &Question) -> Result<ControlFlow<()>, Interruption> {
        let deck = self.session.deck();
        let (position, last) = deck
            .play(&question.line)
            .ok_or_else(|| Failure("the repertoire has a line that cannot be played".to_owned()))?;
        let line = question.line.movetext(deck.book()).unwrap_or_default();
        let is_start = position == Chess::default();
        let line = match line.as_str() {
            "" if is_start => "the first move",
            "" => "where a chapter begins",
            line => line,
        };
        let goes_on = if question.goes_on { "… " } else { "" };
        let reason = why(question.reason, &position);
        let heading = format!("{goes_on}{line}  ({reason}; {} to go)", question.left);
        let heading = self.terminal.lines_of(&heading, "").join("\n");
        let board = board(&position, last, self.info.color);
        if self.terminal.show(&format!("\n{heading}\n\n{board}"))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        while let Some(line) = self.terminal.prompt("Your move (?, help, q): ")? {
            match read(&line, &position, self.language) {
                Typed::Stop => break,
                Typed::Help => writeln!(stdout(), "{HINT}")?,
                Typed::Unclear(why) => writeln!(stdout(), "{}", sanitize(why.as_bytes()))?,
                Typed::Show => return self.answer(question, &position, None),
                Typed::Move(uci) => return self.answer(question, &position, Some(uci)),
            }
        }
        Ok(ControlFlow::Break(()))
    }

    /// Keeps an answer, and says what it was worth.
    fn answer(
        &mut self,
        question: &Question,
        position: &Chess,
        given: Option<UciMove>,
    ) -> Result<ControlFlow<()>, Interruption> {
        let now = self.clock.now();
        let Some(answer) = self.session.answer(given, now) else {
            return Ok(ControlFlow::Break(()));
        };
        let is_right = answer.kind.is_right();
        let card = {
            let mut score = lock(&self.score);
            let card = self.log.record(&answer.review).map_err(Failure::from)?;
            score.answers += 1;
            score.right += usize::from(is_right);
            card
        };
        let lesson = Lesson::of(self.session.deck(), question.id);
        let mut said = self.terminal.lines_of(&verdict(answer.kind, given, &lesson, position), "");
        for remark in remarks(&lesson, given) {
            said.extend(self.terminal.lines_of(&remark, "  "));
        }
        said.push(match is_right {
            true => format!("  Asked again {}", in_days(card.due, now)),
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
        let answers = self.session.deck().answers(question.id);
        let Some(m) = answers.first().and_then(|uci| uci.to_move(position)) else {
            return String::new();
        };
        let mut after = position.clone();
        after.play_unchecked(m);
        format!("\n{}", board(&after, Some(m), self.info.color))
    }
}

/// What comes next, as the file has it now.
fn outlook(database: &Database, deck: &Deck, name: &str, now: Moment) -> Result<String, Failure> {
    let deck = deck.with_cards(database.training_cards(name)?);
    let Progress { due, new, next_due, .. } = Progress::of(&deck, &[], now);
    let next = match (due, next_due) {
        (0, None) => "Nothing is due".to_owned(),
        (0, Some(next)) => {
            format!("Nothing is due; the next position is due {}", in_days(next, now))
        }
        (due, _) => format!("{due} due"),
    };
    let more = match new {
        0 => String::new(),
        new => format!("; {new} new: --new N asks N of them"),
    };
    Ok(next + &more)
}

/// Where the learner reads and types. A program that writes the answers reads everything.
struct Terminal {
    input: StdinLock<'static>,
    /// The columns and lines, if it is a terminal.
    size: Option<[usize; 2]>,
    /// The lines that were printed since the learner typed something.
    unread: usize,
}

impl Terminal {
    fn new() -> Self {
        let input = stdin().lock();
        let size = input.is_terminal().then(terminal::terminal_size);
        Self { input, size, unread: 0 }
    }

    /// A text in lines that begin with `indent`, and on a terminal break between words.
    fn lines_of(&self, text: &str, indent: &str) -> Vec<String> {
        let lines = match self.size {
            Some([width, _]) => terminal::lines_of(text, width.saturating_sub(indent.len())),
            None => vec![text.to_owned()],
        };
        lines.into_iter().map(|line| format!("{indent}{line}")).collect()
    }

    /// Prints lines, and before them waits if they would push off the terminal what has not been
    /// read. The last line is for what is typed.
    fn show(&mut self, lines: &str) -> Result<ControlFlow<()>, Interruption> {
        let count = lines.lines().count();
        let is_full = self.size.is_some_and(|[_, height]| self.unread + count >= height);
        if self.unread > 0 && is_full && self.wait()?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        self.unread += count;
        write!(stdout(), "{lines}")?;
        Ok(ControlFlow::Continue(()))
    }

    /// Waits for Enter, so that what was said stands until it has been read.
    fn wait(&mut self) -> Result<ControlFlow<()>, Interruption> {
        self.unread = 0;
        if self.size.is_none() {
            return Ok(ControlFlow::Continue(()));
        }
        while let Some(line) = self.prompt("Enter to go on, q to stop: ")? {
            match &*line {
                "" => return Ok(ControlFlow::Continue(())),
                line if is_stop(line) => break,
                // It was meant for another question: what is shown must not go by it.
                _ => {}
            }
        }
        Ok(ControlFlow::Break(()))
    }

    /// Asks for a line and reads it; `None` at the end of the input.
    fn prompt(&mut self, text: &str) -> Result<Option<String>, Interruption> {
        let mut out = stdout();
        write!(out, "{text}")?;
        out.flush()?;
        let line = read_line(&mut self.input).map_err(Failure::from)?;
        match &line {
            None => writeln!(out)?,
            Some(_) if self.size.is_some() => self.unread = 0,
            Some(line) => writeln!(out, "{}", sanitize(line.as_bytes()))?,
        }
        Ok(line)
    }
}

/// The position, seen from a side, with the squares of the last move marked.
fn board(position: &Chess, last: Option<Move>, bottom: Color) -> String {
    let mut diagram = Diagram::new(Fen::from_position(position, EnPassantMode::Legal));
    diagram.bottom = bottom;
    let squares = last.into_iter().flat_map(|m| m.from().into_iter().chain([m.to()]));
    diagram.marks.extend(squares.map(|square| Mark { square, paint: None }));
    let out = stdout();
    let is_colored = out.is_terminal() && color::is_colored(&out);
    diagram.to_text(if is_colored { TextStyle::Coloured } else { TextStyle::Ascii })
}

/// From now on Ctrl-C calls `say` with the score at that time, and ends the process with success.
/// Where signals cannot be had, Ctrl-C ends it as it ends every program.
fn end_on_interrupt(score: Arc<Mutex<Score>>, say: impl FnOnce(Score) + Send + 'static) {
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

fn lock(score: &Mutex<Score>) -> MutexGuard<'_, Score> {
    score.lock().unwrap_or_else(PoisonError::into_inner)
}
