//! The JSON of `fen check` and `fen move`.

use std::borrow::Cow;

use serde::Serialize;

use super::{json::to_json, value::sanitize};
use crate::chess::{
    Chess, EnPassantMode, FaultClass, Fen, FenFault, FenReading, Forgiven, Move, Position,
    PositionKey, SanPlus, UciMove, end_name, long_algebraic,
};

#[derive(Serialize)]
struct ReadingObject<'a> {
    line: Option<u64>,
    input: Cow<'a, str>,
    class: &'static str,
    fen: Option<String>,
    repaired: Option<String>,
    check: Option<bool>,
    end: Option<&'static str>,
    faults: Vec<FaultObject<'a>>,
    more_faults: usize,
    forgiven: Vec<&'static str>,
}

#[derive(Serialize)]
struct FaultObject<'a> {
    class: &'static str,
    kind: &'static str,
    field: usize,
    name: &'static str,
    column: usize,
    found: &'a str,
    expected: &'a str,
}

/// A JSON object about a text that was read as a FEN, and about the line that it is from if it is
/// from a file. `check` is null if the position cannot be played, and `end` if the game can go on.
pub fn fen_reading_json(text: &[u8], line: Option<u64>, reading: &FenReading) -> String {
    let position = reading.to_position();
    to_json(&ReadingObject {
        line,
        input: sanitize(text),
        class: reading.class().map_or("ok", FaultClass::name),
        fen: reading.fen().map(ToString::to_string),
        repaired: reading.repaired().map(ToString::to_string),
        check: position.as_ref().map(Position::is_check),
        end: position.as_ref().and_then(end_name),
        faults: reading.faults.iter().map(FaultObject::new).collect(),
        more_faults: reading.omitted,
        forgiven: reading.forgiven.iter().copied().map(Forgiven::code).collect(),
    })
}

impl<'a> FaultObject<'a> {
    fn new(fault: &'a FenFault) -> Self {
        Self {
            class: fault.class().name(),
            kind: fault.kind.name(),
            field: fault.field.number(),
            name: fault.field.name(),
            column: fault.column,
            found: &fault.found,
            expected: &fault.expected,
        }
    }
}

/// A position after a move, or what is wrong with a line.
#[derive(Default, Serialize)]
struct MoveObject {
    line: Option<u64>,
    ply: Option<usize>,
    san: Option<String>,
    uci: Option<String>,
    lan: Option<String>,
    fen: Option<String>,
    key: Option<String>,
    error: Option<String>,
}

/// A JSON object about a position after some moves, of which the last is given with the position
/// before it, and about the line that they are from if it is from a file. `mode` decides which en
/// passant squares the FEN has.
pub fn fen_move_json(
    line: Option<u64>,
    ply: usize,
    last: Option<(&Chess, Move)>,
    position: &Chess,
    mode: EnPassantMode,
) -> String {
    let san = |(before, m): (&Chess, Move)| SanPlus::from_move(before.clone(), m).to_string();
    to_json(&MoveObject {
        line,
        ply: Some(ply),
        san: last.map(san),
        uci: last.map(|(_, m)| UciMove::from_move(m).to_string()),
        lan: last.map(|(before, m)| long_algebraic(before, m)),
        fen: Some(Fen::from_position(position, mode).to_string()),
        key: Some(PositionKey::from(position).to_string()),
        error: None,
    })
}

/// A JSON object about a line whose moves cannot be played.
pub fn fen_move_fault_json(line: Option<u64>, error: &str) -> String {
    to_json(&MoveObject { line, error: Some(error.to_owned()), ..MoveObject::default() })
}
