//! What `fen check` says, as JSON.

use serde_json::{Value, json};

use super::sanitize;
use crate::chess::{FaultClass, FenFault, FenReading, Forgiven};

/// What is said of one text that is meant as a FEN, and of the line it stands in if it is from a
/// file.
#[must_use]
pub fn reading_json(text: &[u8], line: Option<u64>, reading: &FenReading) -> Value {
    json!({
        "line": line,
        "input": sanitize(text),
        "class": reading.class().map_or("ok", FaultClass::name),
        "fen": reading.fen().map(ToString::to_string),
        "repaired": reading.repaired().map(ToString::to_string),
        "faults": reading.faults().iter().map(fault_json).collect::<Vec<_>>(),
        "more_faults": reading.omitted(),
        "forgiven": reading.forgiven().iter().copied().map(Forgiven::code).collect::<Vec<_>>(),
    })
}

fn fault_json(fault: &FenFault) -> Value {
    json!({
        "class": fault.class().name(),
        "kind": fault.kind().code(),
        "field": fault.field().number(),
        "name": fault.field().name(),
        "column": fault.column(),
        "found": fault.found(),
        "expected": fault.expected(),
    })
}
