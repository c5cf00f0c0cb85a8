//! A diagram for the terminal.

use super::{Coordinates, Diagram};
use crate::chess::{Piece, Role, Square};

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextStyle {
    /// Letters and dots; marked squares in brackets.
    Ascii,
    /// Figurines.
    Unicode,
    /// Figurines on coloured squares, with ANSI escape sequences.
    Coloured,
}

/// The colours of squares and marks: red, green, blue.
const LIGHT: [u8; 3] = [222, 206, 178];
const DARK: [u8; 3] = [160, 130, 100];
const MARKED: [u8; 3] = [130, 170, 90];

impl Diagram {
    /// The diagram as lines of text, with the side to move below.
    pub fn to_text(&self, style: TextStyle) -> String {
        let is_shown = self.coordinates == Coordinates::Shown;
        let mut text = String::new();
        let edge = match style {
            TextStyle::Coloured => None,
            _ => Some("+-----------------+"),
        };
        let margin = if is_shown { "  " } else { "" };
        let mut line = |parts: &[&str]| {
            text.extend(parts.iter().copied());
            text.push('\n');
        };
        if let Some(edge) = edge {
            line(&[margin, edge]);
        }
        for row in 0..8 {
            let rank = is_shown.then(|| format!("{} ", self.square_at(row, 0).rank().char()));
            let squares: Vec<Square> = (0..8).map(|column| self.square_at(row, column)).collect();
            let squares = match style {
                TextStyle::Coloured => self.coloured_row(&squares),
                _ => self.plain_row(&squares, style),
            };
            line(&[&rank.unwrap_or_default(), &squares]);
        }
        if let Some(edge) = edge {
            line(&[margin, edge]);
        }
        if is_shown {
            let files = (0..8).map(|column| self.square_at(7, column).file().char());
            let files: Vec<String> = files.map(String::from).collect();
            match style {
                TextStyle::Coloured => line(&["   ", &files.join("  ")]),
                _ => line(&["    ", &files.join(" ")]),
            }
        }
        line(&[margin, self.fen.turn().fold_wb("White", "Black"), " to move"]);
        text
    }

    fn plain_row(&self, squares: &[Square], style: TextStyle) -> String {
        let mut row = String::from("|");
        let mut is_marked = false;
        for square in squares {
            let was_marked = std::mem::replace(&mut is_marked, self.mark_on(*square).is_some());
            row.push(match (was_marked, is_marked) {
                (false, false) => ' ',
                (false, true) => '[',
                (true, false) => ']',
                (true, true) => '|',
            });
            row.push(match (self.fen.piece_at(*square), style) {
                (None, TextStyle::Ascii) => '.',
                (None, _) => '·',
                (Some(piece), TextStyle::Ascii) => piece.char(),
                (Some(piece), _) => figurine(piece),
            });
        }
        row.push(if is_marked { ']' } else { ' ' });
        row.push('|');
        row
    }

    fn coloured_row(&self, squares: &[Square]) -> String {
        let mut row = String::new();
        for square in squares {
            let ground = match self.mark_on(*square) {
                Some(_) => MARKED,
                None if square.is_light() => LIGHT,
                None => DARK,
            };
            // As in print: black ink, outlines for White and filled figurines for Black. No ground
            // lets one see both white and black ink.
            let piece = self.fen.piece_at(*square).map_or(' ', figurine);
            let [red, green, blue] = ground;
            row += &format!("\x1b[48;2;{red};{green};{blue}m\x1b[38;2;0;0;0m {piece} ");
        }
        row + "\x1b[0m"
    }
}

fn figurine(piece: Piece) -> char {
    let (white, black) = match piece.role {
        Role::King => ('♔', '♚'),
        Role::Queen => ('♕', '♛'),
        Role::Rook => ('♖', '♜'),
        Role::Bishop => ('♗', '♝'),
        Role::Knight => ('♘', '♞'),
        Role::Pawn => ('♙', '♟'),
    };
    piece.color.fold_wb(white, black)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.1, from 0 for black to 1 for white.
    fn luminance(color: [u8; 3]) -> f64 {
        let linear = color.map(|channel| match f64::from(channel) / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            high => ((high + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn pieces_can_be_told_from_every_ground() {
        for ground in [LIGHT, DARK, MARKED] {
            let contrast = (luminance(ground) + 0.05) / 0.05;
            assert!(contrast >= 4.5, "{contrast} on {ground:?}");
        }
    }
}
