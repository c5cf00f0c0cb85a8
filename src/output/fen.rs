//! The JSON of `fen check`.

use std::borrow::Cow;

use serde::Serialize;

use super::{json::to_json, sanitize::sanitize};
use crate::chess::{FaultClass, FenFault, FenReading, Forgiven};

#[derive(Serialize)]
struct ReadingObject<'a> {
    line: Option<u64>,
    input: Cow<'a, str>,
    class: &'static str,
    fen: Option<String>,
    repaired: Option<String>,
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
/// from a file.
#[must_use]
pub fn fen_reading_json(text: &[u8], line: Option<u64>, reading: &FenReading) -> String {
    to_json(&ReadingObject {
        line,
        input: sanitize(text),
        class: reading.class().map_or("ok", FaultClass::name),
        fen: reading.fen().map(ToString::to_string),
        repaired: reading.repaired().map(ToString::to_string),
        faults: reading.faults().iter().map(FaultObject::new).collect(),
        more_faults: reading.omitted(),
        forgiven: reading.forgiven().iter().copied().map(Forgiven::code).collect(),
    })
}

impl<'a> FaultObject<'a> {
    fn new(fault: &'a FenFault) -> Self {
        Self {
            class: fault.class().name(),
            kind: fault.kind().code(),
            field: fault.field().number(),
            name: fault.field().name(),
            column: fault.column(),
            found: fault.found(),
            expected: fault.expected(),
        }
    }
}
