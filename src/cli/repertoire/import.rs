//! `eco repertoire add --format`: moves from other files than PGN.

use std::path::PathBuf;

use clap::ValueEnum;
use eco::{
    chess::{Chess, Color},
    repertoire::{Book, MovesOf, PolyglotBook, PolyglotReading, read_epd, read_json},
};

use crate::cli::{input::read_whole, outcome::Failure};

/// The format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum InputKind {
    /// Games with variations
    Pgn,
    /// A Polyglot opening book, .bin
    Polyglot,
    /// Positions with own moves as bm
    Epd,
    /// JSON as `export` writes it
    Json,
}

/// The moves that were read, and the faults of what could not be.
pub(super) struct Imported {
    pub(super) book: Book,
    pub(super) faults: Vec<String>,
}

/// Reads one file, as moves for a side.
pub(super) fn read(inputs: &[PathBuf], kind: InputKind, color: Color) -> Result<Imported, Failure> {
    let [path] = inputs else {
        return Err(Failure("polyglot, epd and json are read from one file".to_owned()));
    };
    let bytes = read_whole(path)?;
    let name = path.display();
    let place = |fault: &dyn std::fmt::Display| Failure(format!("{name}: {fault}"));
    let (book, faults) = match kind {
        InputKind::Epd => {
            let reading = read_epd(&bytes, color);
            (reading.book, reading.faults.iter().map(ToString::to_string).collect())
        }
        InputKind::Json => (read_json(&bytes).map_err(|fault| place(&fault))?, Vec::new()),
        _ => {
            read_polyglot(&PolyglotBook::from_bytes(&bytes).map_err(|fault| place(&fault))?, color)
        }
    };
    if book.color() != color {
        return Err(place(&format_args!("is for {}", book.color())));
    }
    if !book.has_prepared() {
        return Err(place(&"no move is prepared in it; nothing was written"));
    }
    let faults = faults.into_iter().map(|fault| format!("{name}: {fault}")).collect();
    Ok(Imported { book, faults })
}

/// The moves that can be reached from the initial position. A file in which the opponent has no
/// move is read as one that has own moves only.
fn read_polyglot(file: &PolyglotBook, color: Color) -> (Book, Vec<String>) {
    let read = |has| file.to_book(color, has, &[Chess::default()]);
    let mut reading = read(MovesOf::Both);
    let book = &reading.book;
    if book.ids().all(|id| book.is_own_turn(id) || book.moves(id).is_empty()) {
        reading = read(MovesOf::Own);
    }
    let PolyglotReading { book, illegal, unreached, .. } = reading;
    let faults = [
        (illegal, "are no legal moves"),
        (unreached, "are of positions that the initial position does not lead to"),
    ];
    let found = faults.into_iter().filter(|(count, _)| *count > 0);
    (book, found.map(|(count, what)| format!("{count} entries {what}")).collect())
}
