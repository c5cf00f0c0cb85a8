//! The ECOMast text that `pgn2eco` reads: a header line with code and name, then movetext, then a
//! blank line.
//!
//! ```text
//! A22    English: Bellon Gambit
//! 1.c4 e5 2.Nc3 Nf6 3.Nf3 e4 4.Ng5 b5 1/2
//! ```
//!
//! Forgiven: movetext over several lines, no blank line, no result. Names are kept as they are,
//! parts in parentheses among them. The format is only read.

use super::MasterLine;
use super::reading::{Collector, LineReason, numbered_lines, starts_with_code};

const EXPECTED: &str = "a line with code and name, then a line with moves";

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    let mut open: Option<(u32, String, String)> = None;
    for (number, line) in numbered_lines(bytes) {
        let line = line.trim();
        if line.is_empty() {
            close(open.take(), collector);
        } else if starts_with_code(line) {
            close(open.take(), collector);
            open = Some((number, line.to_owned(), String::new()));
        } else if let Some((_, _, moves)) = &mut open {
            moves.push_str(line);
            moves.push(' ');
        } else {
            collector.add(number, Err(LineReason::Form(EXPECTED)));
        }
    }
    close(open, collector);
}

fn close(open: Option<(u32, String, String)>, collector: &mut Collector) {
    if let Some((number, header, moves)) = open {
        collector.add(number, read_entry(&header, moves.trim()));
    }
}

fn read_entry(header: &str, moves: &str) -> Result<MasterLine, LineReason> {
    let missing = |what| Err(LineReason::Missing { what, expected: EXPECTED });
    let (eco, name) = header.split_once(char::is_whitespace).unwrap_or((header, ""));
    if name.trim().is_empty() {
        return missing("name");
    }
    if moves.is_empty() {
        return missing("moves");
    }
    Ok(MasterLine { movetext: Some(moves.to_owned()), ..MasterLine::named(eco, name)? })
}
