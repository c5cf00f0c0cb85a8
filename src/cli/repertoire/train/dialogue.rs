//! A session on the terminal, or with a program that writes the answers.

use std::{
    io::{BufRead, IsTerminal, Write, stdin, stdout},
    path::Path,
};

use eco::{
    chess::{Chess, Language, Position, UciMove},
    output::sanitize,
    store::{Database, RepertoireInfo, TrainingLog},
    training::{Deck, Lesson, Moment, Progress, Question, Session, SessionCounts},
};

use super::{
    answer::{HINT, Typed, read, read_line},
    board::board,
    clock::Clock,
    interrupt::LastWord,
    remarks::{in_days, remarks, verdict, why},
};
use crate::cli::outcome::{Failure, Interruption, Outcome};

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
        Self { session, log, info, language, clock, score }
    }

    /// Asks until everything was answered right, or the learner stops.
    pub(super) fn run(mut self) -> Result<Outcome, Interruption> {
        let mut out = stdout();
        let counts = self.session.counts();
        writeln!(out, "{}", self.heading(counts))?;
        let mut input = stdin().lock();
        while let Some(question) = self.session.question().cloned() {
            if let Next::Stop = self.ask(&question, &mut input, &mut out)? {
                break;
            }
        }
        let score = *self.score.lock();
        if score.answers > 0 {
            writeln!(out, "\n{}", score.text())?;
        }
        let deck = self.session.deck();
        writeln!(
            out,
            "{}",
            outlook(self.log.database(), deck, &self.info.name, self.clock.now())?
        )?;
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
        let (position, last) = deck.play(&question.line).ok_or_else(impossible)?;
        let line = question.line.movetext(deck.book()).unwrap_or_default();
        let is_start = position == Chess::default();
        let line = match line.as_str() {
            "" if is_start => "the first move",
            "" => "where a chapter begins",
            line => line,
        };
        let goes_on = if question.goes_on { "… " } else { "" };
        let reason = why(question.reason, &position);
        writeln!(out, "\n{goes_on}{line}  ({reason}; {} left)\n", question.left)?;
        write!(out, "{}", board(&position, last, self.info.color))?;
        loop {
            let Some(line) = prompt("Your move (?, help, q): ", input, out)? else {
                return Ok(Next::Stop);
            };
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
        writeln!(out, "{}", verdict(answer.kind, given, &lesson, position))?;
        for line in remarks(&lesson) {
            writeln!(out, "  {line}")?;
        }
        match answer.kind.is_right() {
            true => writeln!(out, "  Asked again {}", in_days(card.due, now))?,
            false => {
                write!(out, "{}", self.solution(question, position))?;
                writeln!(out, "  Asked once more at the end")?;
                return go_on(input, out);
            }
        }
        Ok(Next::Question)
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

/// Lets a correction stand until it has been read: the next board would push it off a small
/// terminal. A program that writes the answers has no need of it.
fn go_on(input: &mut impl BufRead, out: &mut impl Write) -> Result<Next, Interruption> {
    if !stdin().is_terminal() {
        return Ok(Next::Question);
    }
    let line = prompt("Enter to go on, q to stop: ", input, out)?;
    Ok(match line.as_deref() {
        None | Some("q" | "quit" | "exit") => Next::Stop,
        Some(_) => Next::Question,
    })
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

fn impossible() -> Failure {
    Failure("the repertoire has a line that cannot be played".to_owned())
}
