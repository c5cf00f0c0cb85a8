//! The notes about a position and its moves, on one line each.

use super::position_moves::{PositionMove, position_moves};
use crate::{
    output::sanitize,
    pgn::nag_glyph,
    repertoire::{Book, NodeId, Note},
};

/// The glyphs and comments of notes, on one line.
pub(super) fn notes_text(notes: &[Note]) -> String {
    let mut parts = Vec::new();
    for note in notes {
        parts.extend(note.nags.iter().map(|nag| nag_glyph(*nag).into_owned()));
        parts.extend((!note.comment.is_empty()).then(|| note.comment.clone()));
    }
    parts.join(" ")
}

/// The notes about a position, and then those about its moves, one line each.
#[must_use]
pub fn notes_lines(book: &Book, id: NodeId) -> Vec<String> {
    let of_position = book.node(id).notes.iter().map(|note| line("", note));
    let moves = position_moves(book, id);
    let of_moves = moves.iter().flat_map(|PositionMove { edge, san, .. }| {
        let notes = edge.prepared.iter().flat_map(|prepared| &prepared.notes);
        notes.map(move |note| line(&format!("{san}: "), note))
    });
    of_position.chain(of_moves).collect()
}

fn line(prefix: &str, note: &Note) -> String {
    let text = notes_text(std::slice::from_ref(note));
    sanitize(format!("{prefix}{text} ({})", note.source).as_bytes()).into_owned()
}
