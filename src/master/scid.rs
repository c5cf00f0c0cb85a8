//! Scid's `.eco` files: a code with Scid's suffix, a name in quotes, moves up to a `*`.
//!
//! ```text
//! # comments go to the end of the line
//! A00a "Start position"  *
//! B90a1 "Sicilian: Najdorf"  1.e4 c5 2.Nf3 d6 3.d4 cxd4
//!   4.Nxd4 Nf6 5.Nc3 a6 *
//! ```
//!
//! An opening begins on a line of its own, or after the `*` of the one before. Its moves may
//! continue over several lines. An opening without moves is the initial position.

use std::io::{self, Write};

use super::MasterLine;
use super::reading::{Collector, LineReason, numbered_lines, starts_with_code};
use crate::chess::{Chess, PositionKey};

const EXPECTED: &str = "a code, a name in quotes, and moves that end in *";

/// Whether a line begins an opening in this format.
pub(super) fn is_entry(line: &str) -> bool {
    starts_with_code(line)
        && line
            .split_once(char::is_whitespace)
            .is_some_and(|(_, name)| name.trim().starts_with('"'))
}

/// An opening whose `*` has not been read yet.
struct Open {
    line: u32,
    text: String,
    /// The length of the beginning that has no `*` outside of quotes.
    scanned: usize,
    is_quoted: bool,
}

impl Open {
    fn new(line: u32, text: &str) -> Self {
        Self { line, text: text.to_owned(), scanned: 0, is_quoted: false }
    }

    /// The offset of the `*` that ends the opening.
    fn star(&mut self) -> Option<usize> {
        for (at, c) in self.text[self.scanned..].char_indices() {
            self.is_quoted ^= c == '"';
            if c == '*' && !self.is_quoted {
                return Some(self.scanned + at);
            }
        }
        self.scanned = self.text.len();
        None
    }
}

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    let mut open: Option<Open> = None;
    for (number, line) in numbered_lines(bytes) {
        let line = without_comment(&line).trim();
        if line.is_empty() {
            continue;
        }
        match &mut open {
            Some(before) if !is_entry(line) => {
                before.text.push(' ');
                before.text.push_str(line);
            }
            _ => {
                close(open.as_ref(), collector);
                open = Some(Open::new(number, line));
            }
        }
        while let Some((star, whole)) = open.as_mut().and_then(|open| Some((open.star()?, open))) {
            collector.add(whole.line, read_entry(&whole.text[..star]));
            let rest = whole.text[star + 1..].trim().to_owned();
            open = (!rest.is_empty()).then(|| Open::new(number, &rest));
        }
    }
    close(open.as_ref(), collector);
}

/// An opening that is still open where another begins, or where the file ends, lacks its `*`.
fn close(open: Option<&Open>, collector: &mut Collector) {
    if let Some(open) = open {
        collector.add(open.line, Err(LineReason::Form(EXPECTED)));
    }
}

/// The line up to a `#` that is neither in quotes nor the mate sign of a move.
fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        is_quoted ^= c == '"';
        if c == '#' && !is_quoted && before.is_whitespace() {
            return &line[..at];
        }
        before = c;
    }
    line
}

fn read_entry(text: &str) -> Result<MasterLine, LineReason> {
    let form = LineReason::Form(EXPECTED);
    let Some((head, rest)) = text.split_once('"') else { return Err(form) };
    let Some((name, moves)) = rest.split_once('"') else { return Err(form) };
    if head.trim().is_empty() {
        return Err(form);
    }
    let opening = MasterLine::named(head.trim(), name)?;
    Ok(match moves.trim() {
        "" => MasterLine { key: Some(initial_key()), ..opening },
        moves => MasterLine { movetext: Some(moves.to_owned()), ..opening },
    })
}

fn initial_key() -> PositionKey {
    PositionKey::from(&Chess::default())
}

/// Writes the lines. Returns those that the format cannot express, which are left out: openings
/// without a code, positions without moves, and names that contain a quote.
pub(super) fn write<'l>(
    lines: &[&'l MasterLine],
    out: &mut dyn Write,
) -> io::Result<Vec<&'l MasterLine>> {
    let mut left_out = Vec::new();
    for &line in lines {
        let moves = match &line.movetext {
            Some(moves) => format!("{} ", moves.replace(". ", ".")),
            None if line.key == Some(initial_key()) => String::new(),
            None => {
                left_out.push(line);
                continue;
            }
        };
        match line.eco {
            Some(eco) if !line.name.contains('"') => {
                writeln!(out, "{eco} \"{}\"  {moves}*", line.name)?;
            }
            _ => left_out.push(line),
        }
    }
    Ok(left_out)
}
