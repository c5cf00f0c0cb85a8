//! Drawing a position: as text for a terminal, as SVG, as LaTeX source, and, with the features
//! `png` and `pdf`, as PNG and as PDF.

mod caption;
mod latex;
#[cfg(feature = "pdf")]
mod pdf;
mod pieces;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;
mod theme;

use std::str::FromStr;

use theme::lettered;

use crate::chess::{Color, Fen, File, Rank, Square};
use crate::quoted::Quoted;
#[cfg(feature = "png")]
pub use png::{DrawFault, MAX_PIXELS, Renderer};
pub use text::TextStyle;
pub use theme::{Paint, ParsePaintError, ParseThemeError, Preset, Theme};

/// A position and what is drawn with it, independent of the output format.
///
/// ```
/// use eco::{chess::Fen, diagram::{Diagram, TextStyle}};
///
/// let fen: Fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let mut diagram = Diagram::new(fen);
/// diagram.marks.push("e4".parse().unwrap());
/// let text = diagram.to_text(TextStyle::Ascii);
/// assert_eq!(text.lines().nth(5).unwrap(), "4 | . . . .[.]. . . |");
/// assert!(diagram.to_svg(&Default::default()).starts_with("<svg "));
/// # Ok::<(), eco::chess::FenFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// The position; it may be impossible.
    pub fen: Fen,
    /// The side at the bottom.
    pub bottom: Color,
    /// Whether letters and digits stand around the board.
    pub coordinates: Coordinates,
    /// Highlighted squares.
    pub marks: Vec<Mark>,
    /// Squares with a ring around them. Text does not show them.
    pub circles: Vec<Mark>,
    /// Whether the square of a king in check is coloured. Text does not show it.
    pub check: bool,
    /// Whether a disc beside the board shows the side to move; `None` for where coordinates are
    /// shown. Text always says it.
    pub mover: Option<bool>,
    /// Arrows from square to square. Text does not show them.
    pub arrows: Vec<Arrow>,
    /// The text below the board. It may have several lines, of which four are drawn. Text output
    /// does not show it.
    pub caption: String,
}

/// Whether letters and digits stand around the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// Letters and digits are drawn.
    Shown,
    /// They are not drawn.
    Hidden,
}

impl Diagram {
    /// A diagram from White's side, with coordinates and nothing else.
    pub fn new(fen: Fen) -> Self {
        Self {
            fen,
            bottom: Color::White,
            coordinates: Coordinates::Shown,
            marks: Vec::new(),
            circles: Vec::new(),
            check: false,
            mover: None,
            arrows: Vec::new(),
            caption: String::new(),
        }
    }

    /// The square in a row and column of the drawing, both counted from 0 at the top left.
    fn square_at(&self, row: usize, column: usize) -> Square {
        let (rank, file) = match self.bottom {
            Color::White => (7 - row, column),
            Color::Black => (row, 7 - column),
        };
        Square::from_coords(File::ALL[file], Rank::ALL[rank])
    }

    /// Column and row of a square in the drawing, both counted from 0 at the top left.
    fn cell_of(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        match self.bottom {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    fn shows_mover(&self) -> bool {
        self.mover.unwrap_or(self.coordinates == Coordinates::Shown)
    }

    /// The marks, and that of a king in check.
    fn marks_and_check(&self, theme: &Theme) -> impl Iterator<Item = Mark> {
        let check = self.check.then(|| self.fen.checked_king()).flatten();
        let check = check.map(|square| Mark { square, paint: Some(theme.check) });
        self.marks.iter().copied().chain(check)
    }

    fn mark_on(&self, square: Square) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.square == square)
    }
}

/// A highlighted square, in a colour of its own or in that of the theme: `e4`, `e4=#cc3333` or
/// `Re4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The square.
    pub square: Square,
    /// Its colour.
    pub paint: Option<Paint>,
}

/// An arrow, in a colour of its own or in that of the theme: `e2e4`, `e2-e4`, `e2e4=#cc3333` or
/// `Re2e4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The square it begins on.
    pub from: Square,
    /// The square it points to.
    pub to: Square,
    /// Its colour.
    pub paint: Option<Paint>,
}

/// A mark or an arrow that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {}, expected {expected}", Quoted(.text))]
pub struct ParseMarkError {
    text: String,
    expected: &'static str,
}

/// The squares, and the colour before or after them if there is one.
fn split_paint(text: &str) -> Option<(&str, Option<Paint>)> {
    lettered(text).or_else(|| match text.split_once('=') {
        Some((squares, paint)) => Some((squares, Some(paint.parse().ok()?))),
        None => Some((text, None)),
    })
}

impl FromStr for Mark {
    type Err = ParseMarkError;

    fn from_str(text: &str) -> Result<Self, ParseMarkError> {
        let mark = split_paint(text)
            .and_then(|(square, paint)| Some(Self { square: square.parse().ok()?, paint }));
        let expected = "a square such as e4, or e4=#cc3333";
        mark.ok_or_else(|| ParseMarkError { text: text.to_owned(), expected })
    }
}

impl FromStr for Arrow {
    type Err = ParseMarkError;

    fn from_str(text: &str) -> Result<Self, ParseMarkError> {
        let arrow = split_paint(text).and_then(|(squares, paint)| {
            let (from, to) = squares.split_at_checked(2)?;
            let to = to.strip_prefix('-').unwrap_or(to);
            let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
            (from != to).then_some(Self { from, to, paint })
        });
        let expected = "two squares such as e2e4, or e2e4=#cc3333";
        arrow.ok_or_else(|| ParseMarkError { text: text.to_owned(), expected })
    }
}

/// The arrows and the squares in a comment. What cannot be read is left out.
///
/// ```
/// use eco::diagram::drawn_annotations;
///
/// let (arrows, marks) = drawn_annotations("best [%cal Ge2e4,Rd8h4][%csl Yf7]");
/// assert_eq!(arrows, ["Ge2e4".parse().unwrap(), "Rd8h4".parse().unwrap()]);
/// assert_eq!(marks, ["Yf7".parse().unwrap()]);
/// ```
pub fn drawn_annotations(comment: &str) -> (Vec<Arrow>, Vec<Mark>) {
    (
        listed(comment, "[%cal ").filter_map(|item| item.parse().ok()).collect(),
        listed(comment, "[%csl ").filter_map(|item| item.parse().ok()).collect(),
    )
}

/// The arrows and the squares in a comment, as they are written there: `Ge2e4`, `Yf7`.
pub(crate) fn drawn_words(comment: &str) -> impl Iterator<Item = &str> {
    let arrows = listed(comment, "[%cal ").filter(|item| item.parse::<Arrow>().is_ok());
    arrows.chain(listed(comment, "[%csl ").filter(|item| item.parse::<Mark>().is_ok()))
}

/// The items of all lists of a kind in a comment.
fn listed<'a>(comment: &'a str, kind: &'a str) -> impl Iterator<Item = &'a str> {
    let lists = comment.split(kind).skip(1).map(|rest| rest.split(']').next().unwrap_or_default());
    lists.flat_map(|list| list.split(',').map(str::trim))
}
