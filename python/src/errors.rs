//! Errors of the library as exceptions.

use eco::{
    chess::FenFault,
    classify::{GameError, QuestionFault},
    master::LineError,
    pgn::{
        TypedError,
        source::{SourceError, SourceFault},
    },
    select::{ConditionFault, ImpossibleSelection, UnknownPlayer},
    store::StoreError,
};
use std::ffi::CString;

use pyo3::{
    exceptions::{PyOSError, PyUserWarning},
    import_exception,
    prelude::*,
};

import_exception!(eco_openings.errors, ArgumentError);
import_exception!(eco_openings.errors, CatalogueError);
import_exception!(eco_openings.errors, DatabaseError);
import_exception!(eco_openings.errors, FenError);
import_exception!(eco_openings.errors, FieldError);
import_exception!(eco_openings.errors, MoveError);
import_exception!(eco_openings.errors, PgnError);
import_exception!(eco_openings.errors, SelectionError);

/// Says something as a `UserWarning`.
pub(crate) fn warn(py: Python<'_>, note: &str) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(note)?, 1)
}

/// A file that is not there is what it is for `open`; whatever else is wrong is a `PgnError`.
pub(crate) fn source_error(error: &SourceError) -> PyErr {
    let file = error.name.clone();
    match &error.fault {
        SourceFault::Open(io) if io.raw_os_error().is_some() => {
            os_error(io.raw_os_error(), io, file)
        }
        SourceFault::Broken { offset, .. } => {
            PgnError::new_err((error.to_string(), file, Some(*offset)))
        }
        _ => PgnError::new_err((error.to_string(), file)),
    }
}

/// `FileNotFoundError` and its kin, which Python chooses by the number.
pub(crate) fn os_error(number: Option<i32>, error: &std::io::Error, file: String) -> PyErr {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    // Some errors keep their kind, but not their number.
    let number = number.or(match error.kind() {
        std::io::ErrorKind::NotFound => Some(2),
        std::io::ErrorKind::PermissionDenied => Some(13),
        _ => None,
    });
    PyOSError::new_err((number, text, file))
}

/// A database that is not there is what it is for `open`; whatever else is wrong is a
/// `DatabaseError`.
pub(crate) fn store_error(error: &StoreError, file: &str) -> PyErr {
    if let StoreError::Inaccessible { source, .. } = error
        && let Some(io) = source.downcast_ref::<std::io::Error>()
    {
        return os_error(io.raw_os_error(), io, file.to_owned());
    }
    DatabaseError::new_err((error.to_string(), file.to_owned()))
}

pub(crate) fn fen_error(fault: &FenFault) -> PyErr {
    FenError::new_err((fault.to_string(), fault.field.number(), fault.column))
}

pub(crate) fn question_error(fault: &QuestionFault) -> PyErr {
    match fault {
        QuestionFault::Fen(fault) => fen_error(fault),
        QuestionFault::Moves { fault, .. } => typed_error(fault),
        other => MoveError::new_err(other.to_string()),
    }
}

/// What is wrong with moves as people type them.
pub(crate) fn typed_error(error: &TypedError) -> PyErr {
    let at_move = match error {
        TypedError::Move { number, word, .. } => Some(format!("{number} {word}")),
        _ => None,
    };
    MoveError::new_err((error.to_string(), at_move))
}

/// The move that is at fault, as it is written: `2. Ke3`.
pub(crate) fn line_move(error: &LineError) -> Option<String> {
    match error {
        LineError::Move { number, word, .. } => Some(format!("{number} {word}")),
        _ => None,
    }
}

/// What is wrong with one game of an input.
pub(crate) fn game_error(error: &GameError, file: &str, game: u64) -> PyErr {
    let at_move = match error {
        GameError::Move { number, word, .. } => Some(format!("{number} {word}")),
        _ => None,
    };
    let message = format!("{file}: game {game}, {error}");
    PgnError::new_err((message, file.to_owned(), None::<u64>, game, at_move))
}

/// What is wrong with a condition, by the name that it has in Python.
pub(crate) fn condition_error(fault: &ConditionFault) -> PyErr {
    bad_condition(&fault.name.replace('-', "_"), &fault.reason)
}

pub(crate) fn bad_condition(name: &str, reason: &str) -> PyErr {
    SelectionError::new_err((format!("{name}: {reason}"), name.to_owned()))
}

/// A selection that no game can pass.
pub(crate) fn impossible_selection(error: &ImpossibleSelection) -> PyErr {
    let name = match error {
        ImpossibleSelection::Name(_) => "opening",
        ImpossibleSelection::Dates { .. } => "since",
        _ => "eco",
    };
    misspelled(error.to_string(), name, Vec::new())
}

/// Players whom no game has.
pub(crate) fn unknown_people(missing: &[UnknownPlayer]) -> PyErr {
    let texts: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let nearest = missing.iter().flat_map(|player| player.nearest.clone());
    misspelled(texts.join("; "), "player", nearest.collect())
}

/// A value that no game has. The message has the nearest ones already.
fn misspelled(message: String, name: &str, nearest: Vec<String>) -> PyErr {
    SelectionError::new_err((message, name.to_owned(), Vec::<String>::new(), nearest))
}

/// A condition that is unknown, with those there are.
pub(crate) fn unknown_condition(message: String, name: &str, known: Vec<String>) -> PyErr {
    SelectionError::new_err((message, name.to_owned(), known))
}

/// A field that is unknown, but may be the name of a tag.
pub(crate) fn unknown_tag(message: String, name: &str, tag: String) -> PyErr {
    let message = format!("{message}; did you mean {tag}?");
    FieldError::new_err((message, name.to_owned(), Vec::<String>::new(), vec![tag]))
}

/// A name that is unknown, with those there are.
pub(crate) fn unknown_name(message: String, name: &str, known: Vec<String>) -> PyErr {
    FieldError::new_err((message, name.to_owned(), known))
}
