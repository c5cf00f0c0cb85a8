//! Lists of positions: one EPD, or FEN with operations, a line.
//!
//! ```text
//! rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - eco "B20"; v0 "Sicilian Defense";
//! ```
//!
//! `eco` is the code, if there is one. `v0`, `v1` and `v2` are the parts of the name, or `id` is
//! all of it. `c0` may hold the moves from the initial position. It is read as moves only if they
//! lead to the position. Blank lines and lines that begin with `#` are skipped.

use std::io::{self, Write};

use super::MasterLine;
use super::reading::{Collector, LineReason, numbered_lines};
use crate::chess::epd::{EpdFault, Operation};
use crate::chess::{Board, Chess, Epd, PositionKey};
use crate::opening::Opening;
use crate::pgn::{MainLine, Token};

const EXPECTED: &str = "a position with v0 \"name\"; and perhaps eco \"B20\";";

/// Whether a line begins with the placement of a FEN.
pub(super) fn is_position(line: &str) -> bool {
    let placement = line.split_whitespace().next().unwrap_or_default();
    placement.matches('/').count() == 7
}

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    for (number, line) in numbered_lines(bytes) {
        let line = line.trim();
        if !line.is_empty() {
            collector.add(number, read_line(line));
        }
    }
}

fn read_line(line: &str) -> Result<MasterLine, LineReason> {
    let epd: Epd = line.parse().map_err(|fault| match fault {
        EpdFault::Fen(fault) => LineReason::Fen(fault),
        other => LineReason::Epd(other),
    })?;
    let text = |opcode| epd.operation(opcode).map(|o| o.text().trim().to_owned());
    let [family, variation, subvariation] = ["v0", "v1", "v2"].map(|v| text(v).unwrap_or_default());
    let name = match Opening::full_name(&family, &variation, &subvariation) {
        name if name.is_empty() => {
            text("id").ok_or(LineReason::Missing { what: "v0", expected: EXPECTED })?
        }
        name => name,
    };
    let key = PositionKey::from(&epd.fen().to_position()?);
    let opening = MasterLine::named(&text("eco").unwrap_or_default(), &name)?;
    let movetext = text("c0").filter(|moves| leads_to(moves, &key));
    Ok(MasterLine { movetext, key: Some(key), ..opening })
}

/// Whether the movetext has at least one move and leads to a position.
fn leads_to(movetext: &str, key: &PositionKey) -> bool {
    let start = Board::from_position(&Chess::default());
    let mut board = start;
    for token in MainLine::from_movetext(movetext.as_bytes()) {
        match token {
            Token::Move(word) if board.play(word).is_ok() => {}
            _ => return false,
        }
    }
    board != start && board.key() == *key
}

/// Writes an EPD for each line, its moves in `c0`.
pub(super) fn write(lines: &[&MasterLine], out: &mut dyn Write) -> io::Result<()> {
    for line in lines {
        let Some(key) = &line.key else { continue };
        write!(out, "{key}")?;
        let named = line.opening().operations();
        let moves = line.movetext.iter().map(|moves| Operation::quoted("c0", moves));
        for operation in named.into_iter().map(Ok).chain(moves) {
            write!(out, " {}", operation.map_err(io::Error::other)?)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
