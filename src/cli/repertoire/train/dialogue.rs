//! A session on the terminal, or with a program that writes the answers.

use std::{
    io::{BufRead, IsTerminal, Write, stdin, stdout},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use eco::{
    chess::{Chess, Color, EnPassantMode, Fen, Language, Move, Position, UciMove},
    diagram::{Diagram, Mark, TextStyle},
    output::sanitize,
    pgn::GameDate,
    store::{Database, RepertoireInfo, TrainingLog},
    training::{Deck, Lesson, Moment, Progress, Question, Session, SessionCounts},
};
use tokio::{runtime, signal};

use super::answer::{HINT, Typed, in_days, is_stop, read, read_line, remarks, verdict, why};
use crate::cli::{
    color::is_colored,
    outcome::{Failure, Interruption, Outcome},
    output::{lines_of, terminal_size},
};

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

/// A session and who talks with it.
pub(super) struct Dialogue<'d> {
    session: Session,
    log: TrainingLog,
    info: &'d RepertoireInfo,
    language: Language,
    clock: Clock,
    score: LastWord<Score>,
    screen: Screen,
}

/// What of the terminal has not been read yet. A program that writes the answers reads everything.
struct Screen {
    /// The columns and lines of a terminal.
    size: Option<[usize; 2]>,
    /// The lines that were printed since the learner typed something.
    unread: usize,
}

/// How the session goes on after a question.
enum Next {
    Question,
    Stop,
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
        let score = LastWord::on_interrupt(Score::default(), move |score: &Score| {
            let database = Database::open(&path).map_err(Failure::from);
            let next = database.and_then(|open| outlook(&open, &deck, &name, clock.now()));
            let score = if score.answers > 0 { score.text() + "\n" } else { String::new() };
            // Whoever has closed the output does not read it.
            _ = writeln!(stdout(), "\n\n{score}{}", next.unwrap_or_default());
        });
        let size = stdin().is_terminal().then(terminal_size);
        let screen = Screen { size, unread: 0 };
        Self { session, log, info, language, clock, score, screen }
    }

    /// Asks until everything was answered right, or the learner stops.
    pub(super) fn run(mut self) -> Result<Outcome, Interruption> {
        let mut out = stdout();
        let counts = self.session.counts();
        let mut input = stdin().lock();
        self.show(&format!("{}\n", self.heading(counts)), &mut input, &mut out)?;
        while let Some(question) = self.session.question().cloned() {
            if let Next::Stop = self.ask(&question, &mut input, &mut out)? {
                break;
            }
        }
        let score = *self.score.lock();
        let score = if score.answers > 0 { format!("\n{}\n", score.text()) } else { String::new() };
        let deck = self.session.deck();
        let next = outlook(self.log.database(), deck, &self.info.name, self.clock.now())?;
        self.show(&format!("{score}{next}\n"), &mut input, &mut out)?;
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
    fn ask(
        &mut self,
        question: &Question,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Next, Interruption> {
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
        let heading = format!("{goes_on}{line}  ({reason}; {} left)", question.left);
        let heading = self.screen.lines_of(&heading, "").join("\n");
        let board = board(&position, last, self.info.color);
        if let Next::Stop = self.show(&format!("\n{heading}\n\n{board}"), input, out)? {
            return Ok(Next::Stop);
        }
        loop {
            let Some(line) = prompt("Your move (?, help, q): ", input, out)? else {
                return Ok(Next::Stop);
            };
            self.screen.unread = 0;
            match read(&line, &position, self.language) {
                Typed::Stop => return Ok(Next::Stop),
                Typed::Help => writeln!(out, "{HINT}")?,
                Typed::Unclear(why) => writeln!(out, "{}", sanitize(why.as_bytes()))?,
                Typed::Show => return self.answer(question, &position, None, (input, out)),
                Typed::Move(uci) => {
                    return self.answer(question, &position, Some(uci), (input, out));
                }
            }
        }
    }

    /// Takes an answer, keeps it, and says what it was worth.
    fn answer(
        &mut self,
        question: &Question,
        position: &Chess,
        given: Option<UciMove>,
        (input, out): (&mut impl BufRead, &mut impl Write),
    ) -> Result<Next, Interruption> {
        let now = self.clock.now();
        let Some(answer) = self.session.answer(given, now) else { return Ok(Next::Stop) };
        let card = {
            let mut score = self.score.lock();
            let card = self.log.record(&answer.review).map_err(Failure::from)?;
            score.answers += 1;
            score.right += usize::from(answer.kind.is_right());
            card
        };
        let lesson = Lesson::of(self.session.deck(), question.id);
        let is_right = answer.kind.is_right();
        let mut said = self.screen.lines_of(&verdict(answer.kind, given, &lesson, position), "");
        for remark in remarks(&lesson) {
            said.extend(self.screen.lines_of(&remark, "  "));
        }
        said.push(match is_right {
            true => format!("  Asked again {}", in_days(card.due, now)),
            false => self.solution(question, position) + "  Asked once more at the end",
        });
        for lines in said {
            if let Next::Stop = self.show(&format!("{lines}\n"), input, out)? {
                return Ok(Next::Stop);
            }
        }
        if is_right { Ok(Next::Question) } else { self.go_on(input, out) }
    }

    /// Prints lines, and before them waits for Enter if they would push off the terminal what has
    /// not been read.
    fn show(
        &mut self,
        lines: &str,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Next, Interruption> {
        if self.screen.is_full(lines)
            && let Next::Stop = self.go_on(input, out)?
        {
            return Ok(Next::Stop);
        }
        self.screen.unread += lines.lines().count();
        write!(out, "{lines}")?;
        Ok(Next::Question)
    }

    /// Lets what was said stand until it has been read. A program that writes the answers has no
    /// need of it.
    fn go_on(
        &mut self,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> Result<Next, Interruption> {
        self.screen.unread = 0;
        if self.screen.size.is_none() {
            return Ok(Next::Question);
        }
        let line = prompt("Enter to go on, q to stop: ", input, out)?;
        let goes_on = line.is_some_and(|line| !is_stop(&line));
        Ok(if goes_on { Next::Question } else { Next::Stop })
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

/// Asks for a line and reads it; `None` at the end of the input.
fn prompt(
    text: &str,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<Option<String>, Interruption> {
    write!(out, "{text}")?;
    out.flush()?;
    let line = read_line(input).map_err(Failure::from)?;
    match &line {
        None => writeln!(out)?,
        Some(line) if !stdin().is_terminal() => writeln!(out, "{}", sanitize(line.as_bytes()))?,
        Some(_) => {}
    }
    Ok(line)
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

impl Score {
    fn text(self) -> String {
        let Self { answers, right } = self;
        format!("{right} of {answers} answers right; all are kept")
    }
}

impl Screen {
    /// A text in lines that begin with `indent`, and on a terminal break between words.
    fn lines_of(&self, text: &str, indent: &str) -> Vec<String> {
        let lines = match self.size {
            Some([width, _]) => lines_of(text, width.saturating_sub(indent.len())),
            None => vec![text.to_owned()],
        };
        lines.into_iter().map(|line| format!("{indent}{line}")).collect()
    }

    /// Whether lines would push off the terminal what has not been read. The last line is for what
    /// is typed.
    fn is_full(&self, lines: &str) -> bool {
        let is_over = |[_, height]: [usize; 2]| self.unread + lines.lines().count() >= height;
        self.unread > 0 && self.size.is_some_and(is_over)
    }
}

/// The position, seen from a side, with the squares of the last move marked.
fn board(position: &Chess, last: Option<Move>, bottom: Color) -> String {
    let mut diagram = Diagram::new(Fen::from_position(position, EnPassantMode::Legal));
    diagram.bottom = bottom;
    let squares = last.into_iter().flat_map(|m| m.from().into_iter().chain([m.to()]));
    diagram.marks.extend(squares.map(|square| Mark { square, paint: None }));
    let out = stdout();
    let is_colored = out.is_terminal() && is_colored(&out);
    diagram.to_text(if is_colored { TextStyle::Coloured } else { TextStyle::Ascii })
}

/// What a session has to say at its end. Ctrl-C waits while it is locked, so that it never ends the
/// session in the middle of an answer that is being kept.
struct LastWord<T>(Arc<Mutex<T>>);

impl<T: Send + 'static> LastWord<T> {
    /// From now on Ctrl-C calls `say` with the state at that time, and ends the process with
    /// success. Where signals cannot be had, Ctrl-C ends it as it ends every program.
    fn on_interrupt(initial: T, say: impl FnOnce(&T) + Send + 'static) -> Self {
        let state = Arc::new(Mutex::new(initial));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            if runtime.block_on(signal::ctrl_c()).is_ok() {
                let state = shared.lock().unwrap_or_else(PoisonError::into_inner);
                say(&state);
                std::process::exit(0);
            }
        });
        Self(state)
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
