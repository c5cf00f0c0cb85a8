//! The position of a question on the terminal.

use std::io::{IsTerminal, stdout};

use eco::{
    chess::{Chess, Color, EnPassantMode, Fen, Move},
    diagram::{Diagram, Mark, TextStyle},
};

use crate::cli::color::is_colored;

/// The position, seen from a side, with the squares of the last move marked.
pub(super) fn board(position: &Chess, last: Option<Move>, bottom: Color) -> String {
    let mut diagram = Diagram::new(Fen::from_position(position, EnPassantMode::Legal));
    diagram.bottom = bottom;
    let squares = last.into_iter().flat_map(|m| m.from().into_iter().chain([m.to()]));
    diagram.marks.extend(squares.map(|square| Mark { square, paint: None }));
    diagram.to_text(style())
}

/// Colours on a terminal that wants them, letters elsewhere.
fn style() -> TextStyle {
    let out = stdout();
    match out.is_terminal() && is_colored(&out) {
        true => TextStyle::Coloured,
        false => TextStyle::Ascii,
    }
}
