//! The terminal of a session: lines that wait until they have been read, and boards.

use std::io::{IsTerminal, StdinLock, Write, stdin, stdout};
use std::ops::ControlFlow;

use eco::chess::{Chess, Color, EnPassantMode, Fen, Move};
use eco::diagram::{Diagram, Mark};
use eco::output::sanitize;

use super::answer::{is_stop, read_line};
use crate::cli::outcome::{Failure, Interruption};
use crate::cli::{color::board_style, terminal};

/// Where the learner reads and types. A program that writes the answers reads everything.
pub(super) struct Terminal {
    input: StdinLock<'static>,
    /// The columns and lines, if it is a terminal.
    size: Option<[usize; 2]>,
    /// The lines that were printed since the learner typed something.
    unread: usize,
}

impl Terminal {
    pub(super) fn new() -> Self {
        let input = stdin().lock();
        let size = input.is_terminal().then(terminal::terminal_size);
        Self { input, size, unread: 0 }
    }

    /// A text in lines that begin with `indent`, and on a terminal break between words.
    pub(super) fn lines_of(&self, text: &str, indent: &str) -> Vec<String> {
        let lines = match self.size {
            Some([width, _]) => terminal::lines_of(text, width.saturating_sub(indent.len())),
            None => vec![text.to_owned()],
        };
        lines.into_iter().map(|line| format!("{indent}{line}")).collect()
    }

    /// Prints lines, and before them waits if they would push off the terminal what has not been
    /// read. The last line is for what is typed.
    pub(super) fn show(&mut self, lines: &str) -> Result<ControlFlow<()>, Interruption> {
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
    pub(super) fn wait(&mut self) -> Result<ControlFlow<()>, Interruption> {
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
    pub(super) fn prompt(&mut self, text: &str) -> Result<Option<String>, Interruption> {
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
pub(super) fn board(position: &Chess, last: Option<Move>, bottom: Color) -> String {
    let mut diagram = Diagram::new(Fen::from_position(position, EnPassantMode::Legal));
    diagram.bottom = bottom;
    let squares = last.into_iter().flat_map(|m| m.from().into_iter().chain([m.to()]));
    diagram.marks.extend(squares.map(|square| Mark { square, paint: None }));
    diagram.to_text(board_style())
}
