//! A diagram as SVG.
//!
//! The file needs nothing else: pieces are paths and colours are attributes. Only letters need a
//! font, and any will do. Text is escaped, and characters that XML cannot hold are dropped. Lengths
//! are pixels at the size of the theme, so that edges of squares fall between pixels; an SVG can
//! still be shown at any size.

use super::caption::{is_cut, wrap_caption};
use super::theme::{Paint, Theme};
use super::{Arrow, Coordinates, Diagram, pieces::shape};
use crate::chess::{Color, Piece, Role, Square};

/// On squares of fewer pixels, pieces have no inner lines: thinner than a pixel, they would only
/// make the piece grey.
const MIN_DETAILED: u32 = 24;

const INK: Paint = Paint([0x22, 0x1d, 0x19]);
const PAPER: Paint = Paint([0xff, 0xfd, 0xf7]);
const COAL: Paint = Paint([0x33, 0x2d, 0x29]);
const CHALK: Paint = Paint([0xf4, 0xec, 0xdf]);
const GREY: Paint = Paint([0x5c, 0x54, 0x4c]);

const FONTS: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// Sizes and positions, in pixels.
pub(super) struct Layout {
    square: f64,
    /// The space left of, right of and below the board.
    margin: f64,
    /// The space above the board.
    top: f64,
    letter: f64,
    caption: f64,
}

/// The parts of a drawing, from the bottom to the top. In this order, between the first and the
/// last line, they are the SVG file.
pub(super) struct Layers {
    /// The first line.
    pub(super) open: String,
    /// Title and description.
    about: String,
    /// The definitions of the pieces.
    definitions: String,
    /// Background, squares, marks, coordinates and the mark of the side to move.
    pub(super) ground: String,
    /// The pieces, by their definitions.
    pieces: String,
    /// Circles, arrows and the caption; empty if there are none.
    pub(super) top: String,
}

/// The last line of every drawing.
pub(super) const CLOSE: &str = "</svg>\n";

impl Layout {
    pub(super) fn of(diagram: &Diagram, theme: &Theme) -> Self {
        let square = f64::from(theme.square);
        // Letters below eight pixels are unreadable.
        let letter = (square * 0.26).max(8.0).round();
        let rim = (square * 0.08).max(2.0).round();
        let (margin, top) = match diagram.coordinates {
            Coordinates::Shown => ((letter * 1.5).round(), (letter * 0.6).round()),
            Coordinates::Hidden if diagram.shows_mover() => ((letter * 1.1).round(), rim),
            Coordinates::Hidden => (rim, rim),
        };
        Self { square, margin, top, letter, caption: (square * 0.3).max(9.0).round() }
    }

    fn board(&self) -> f64 {
        8.0 * self.square
    }

    fn width(&self) -> f64 {
        self.board() + 2.0 * self.margin
    }

    /// The width of a line of the caption, in sizes of its letters.
    fn ems(&self) -> f64 {
        self.width() / self.caption - 0.5
    }

    fn bottom(&self) -> f64 {
        self.top + self.board()
    }
}

impl Diagram {
    /// The diagram as a whole SVG file.
    pub fn to_svg(&self, theme: &Theme) -> String {
        let Layers { open, about, definitions, ground, pieces, top } = self.layers(theme);
        [&open, &about, &definitions, &ground, &pieces, &top, CLOSE].concat()
    }

    /// Whether the caption is longer than what is drawn of it.
    pub fn is_caption_cut(&self, theme: &Theme) -> bool {
        is_cut(&self.caption, Layout::of(self, theme).ems())
    }

    pub(super) fn layers(&self, theme: &Theme) -> Layers {
        let layout = Layout::of(self, theme);
        let caption = wrap_caption(&self.caption, layout.ems());
        let below = if caption.is_empty() {
            0.0
        } else {
            layout.caption * (0.5 + 1.3 * caption.len() as f64)
        };
        let (width, height) = (layout.width(), (layout.bottom() + layout.margin + below).round());
        let open = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
        );
        let about = format!(
            "<title>{}</title>\n<desc>{}</desc>\n",
            escaped(if self.caption.is_empty() { "Chess diagram" } else { &self.caption }),
            self.fen,
        );
        let mut definitions = String::new();
        self.write_definitions(theme.square, &mut definitions);
        let mut ground = String::new();
        if let Some(background) = theme.background {
            ground += &format!("<path fill=\"{background}\" d=\"M0 0H{width}V{height}H0Z\"/>\n");
        }
        self.write_squares(theme, &layout, &mut ground);
        if self.coordinates == Coordinates::Shown {
            self.write_coordinates(theme, &layout, &mut ground);
        }
        if self.shows_mover() {
            self.write_mover(theme, &layout, &mut ground);
        }
        let mut pieces = String::new();
        self.write_pieces(&layout, &mut pieces);
        let mut top = String::new();
        self.write_circles(theme, &layout, &mut top);
        self.write_arrows(theme, &layout, &mut top);
        write_caption(&caption, theme, &layout, &mut top);
        Layers { open, about, definitions, ground, pieces, top }
    }

    /// The pieces on the board, each with the pixels left of and above its square.
    pub(super) fn placed_pieces(&self, layout: &Layout) -> impl Iterator<Item = (Piece, f64, f64)> {
        let squares = (0..64).map(|cell| self.square_at(cell / 8, cell % 8));
        squares.filter_map(|square| {
            let (x, y) = self.corner(layout, square);
            Some((self.fen.piece_at(square)?, x, y))
        })
    }

    /// Draws each kind of piece that is on the board, once.
    fn write_definitions(&self, square: u32, svg: &mut String) {
        *svg += "<defs>\n";
        for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))) {
            if Square::ALL.iter().any(|at| self.fen.piece_at(*at) == Some(piece)) {
                write_definition(piece, square, svg);
            }
        }
        *svg += "</defs>\n";
    }

    fn write_squares(&self, theme: &Theme, layout: &Layout, svg: &mut String) {
        let Layout { square, margin, top, .. } = layout;
        let board = layout.board();
        *svg += &format!(
            "<path fill=\"{}\" d=\"M{margin} {top}h{board}v{board}h-{board}z\"/>\n<path fill=\"{}\" d=\"",
            theme.light, theme.dark
        );
        for row in 0..8 {
            for column in (0..8).filter(|column| (row + column) % 2 == 1) {
                let (x, y) = (margin + column as f64 * square, top + row as f64 * square);
                *svg += &format!("M{x} {y}h{square}v{square}h-{square}z");
            }
        }
        *svg += "\"/>\n";
        for mark in self.marks_and_check(theme) {
            let (x, y) = self.corner(layout, mark.square);
            let paint = mark.paint.unwrap_or(theme.mark);
            *svg += &format!(
                "<path fill=\"{paint}\" fill-opacity=\".72\" d=\"M{x} {y}h{square}v{square}h-{square}z\"/>\n"
            );
        }
        let line = (square / 32.0).max(1.0).round();
        let (x, y, side) = (margin - line / 2.0, top - line / 2.0, board + line);
        *svg += &format!(
            "<path fill=\"none\" stroke=\"{INK}\" stroke-width=\"{line}\" d=\"M{x} {y}h{side}v{side}h-{side}z\"/>\n"
        );
    }

    /// The upper left corner of a square.
    fn corner(&self, layout: &Layout, square: Square) -> (f64, f64) {
        let (column, row) = self.cell_of(square);
        (layout.margin + column as f64 * layout.square, layout.top + row as f64 * layout.square)
    }

    fn centre(&self, layout: &Layout, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(layout, square);
        (x + layout.square / 2.0, y + layout.square / 2.0)
    }

    /// Letters and digits.
    fn write_coordinates(&self, theme: &Theme, layout: &Layout, svg: &mut String) {
        let Layout { square, margin, letter, .. } = layout;
        *svg += &format!(
            "<g fill=\"{}\" font-family=\"{FONTS}\" font-size=\"{letter}\" text-anchor=\"middle\">\n",
            theme.text.unwrap_or(GREY)
        );
        for index in 0..8 {
            let (x, y) = self.centre(layout, self.square_at(7, index));
            let file = self.square_at(7, index).file().char();
            let below = y + square / 2.0 + letter * 1.08;
            *svg += &format!("<text x=\"{x}\" y=\"{}\">{file}</text>\n", rounded(below));
            let (_, y) = self.centre(layout, self.square_at(index, 0));
            let rank = self.square_at(index, 0).rank().char();
            let (x, y) = (rounded(margin * 0.48), rounded(y + letter * 0.36));
            *svg += &format!("<text x=\"{x}\" y=\"{y}\">{rank}</text>\n");
        }
        *svg += "</g>\n";
    }

    /// A disc beside the board for the side to move. Its rim has the colour of text, which can be
    /// seen on the background; the disc of one side may not.
    fn write_mover(&self, theme: &Theme, layout: &Layout, svg: &mut String) {
        let Layout { square, margin, letter, .. } = layout;
        let turn = self.fen.turn();
        let row = if turn == self.bottom { 7.5 } else { 0.5 };
        let (x, y) = (layout.width() - margin * 0.5, layout.top + row * square);
        let (radius, line) = (rounded(letter * 0.36), rounded((letter * 0.1).max(0.8)));
        *svg += &format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{line}\"/>\n",
            turn.fold_wb(PAPER, COAL),
            theme.text.unwrap_or(INK)
        );
    }

    fn write_pieces(&self, layout: &Layout, svg: &mut String) {
        let scale = layout.square / 100.0;
        for (piece, x, y) in self.placed_pieces(layout) {
            *svg += &format!(
                "<use xlink:href=\"#{}\" transform=\"translate({x} {y}) scale({scale})\"/>\n",
                id(piece)
            );
        }
    }

    /// A ring around each square that has one.
    fn write_circles(&self, theme: &Theme, layout: &Layout, svg: &mut String) {
        for circle in &self.circles {
            let (x, y) = self.centre(layout, circle.square);
            let paint = circle.paint.unwrap_or(theme.arrow);
            let (radius, line) = (rounded(layout.square * 0.45), rounded(layout.square * 0.07));
            *svg += &format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{paint}\" \
                 stroke-opacity=\".85\" stroke-width=\"{line}\"/>\n"
            );
        }
    }

    fn write_arrows(&self, theme: &Theme, layout: &Layout, svg: &mut String) {
        for arrow in &self.arrows {
            let paint = arrow.paint.unwrap_or(theme.arrow);
            *svg += &format!(
                "<path fill=\"{paint}\" fill-opacity=\".8\" d=\"{}\"/>\n",
                self.arrow_path(layout, arrow)
            );
        }
    }

    /// An arrow from near the middle of one square to the middle of another.
    fn arrow_path(&self, layout: &Layout, arrow: &Arrow) -> String {
        let square = layout.square;
        let ((x, y), (tip_x, tip_y)) =
            (self.centre(layout, arrow.from), self.centre(layout, arrow.to));
        let length = (tip_x - x).hypot(tip_y - y);
        let (along_x, along_y) = ((tip_x - x) / length, (tip_y - y) / length);
        // A point by its distances along the arrow and to its side.
        let point = |along: f64, side: f64| {
            let px = x + along_x * along - along_y * side;
            let py = y + along_y * along + along_x * side;
            format!("{} {}", rounded(px), rounded(py))
        };
        let (half, head, start) = (square * 0.08, square * 0.22, square * 0.22);
        let (neck, tip) = (length - square * 0.34, length + square * 0.06);
        let points = [
            point(start, -half),
            point(neck, -half),
            point(neck, -head),
            point(tip, 0.0),
            point(neck, head),
            point(neck, half),
            point(start, half),
        ];
        format!("M{}Z", points.join("L"))
    }
}

fn id(piece: Piece) -> String {
    format!("{}{}", piece.color.char(), piece.role.upper_char())
}

fn write_definition(piece: Piece, square: u32, svg: &mut String) {
    let is_detailed = square >= MIN_DETAILED;
    let outline = if is_detailed { 4.6 } else { 5.4 };
    let shape = shape(piece.role);
    let (fill, line) = piece.color.fold_wb((PAPER, INK), (COAL, CHALK));
    *svg += &format!(
        "<g id=\"{}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"{outline}\" stroke-linejoin=\"round\">\n",
        id(piece)
    );
    for outline in shape.outlines {
        *svg += &format!("<path d=\"{outline}\"/>\n");
    }
    if !shape.lines.is_empty() && is_detailed {
        let lines = shape.lines;
        *svg += &format!(
            "<path fill=\"none\" stroke=\"{line}\" stroke-width=\"3.6\" stroke-linecap=\"round\" d=\"{lines}\"/>\n"
        );
    }
    if !shape.dots.is_empty() {
        *svg += &format!("<path fill=\"{line}\" stroke=\"none\" d=\"{}\"/>\n", shape.dots);
    }
    *svg += "</g>\n";
}

/// A piece alone, as the SVG file of one square.
#[cfg(feature = "png")]
pub(super) fn piece_svg(piece: Piece, square: u32) -> String {
    let mut definition = String::new();
    write_definition(piece, square, &mut definition);
    let scale = f64::from(square) / 100.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{square}\" height=\"{square}\" \
         viewBox=\"0 0 {square} {square}\">\n<g transform=\"scale({scale})\">\n{definition}</g>\n{CLOSE}"
    )
}

fn write_caption(lines: &[String], theme: &Theme, layout: &Layout, svg: &mut String) {
    if lines.is_empty() {
        return;
    }
    let (size, x) = (layout.caption, layout.width() / 2.0);
    *svg += &format!(
        "<g fill=\"{}\" font-family=\"{FONTS}\" font-size=\"{size}\" text-anchor=\"middle\">\n",
        theme.text.unwrap_or(INK)
    );
    for (index, line) in lines.iter().enumerate() {
        let y = rounded(layout.bottom() + layout.margin + size * (1.05 + 1.3 * index as f64));
        *svg += &format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(line));
    }
    *svg += "</g>\n";
}

/// Rounds to a hundredth, so that every machine prints the same digits.
fn rounded(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}

/// The characters of a text that XML 1.0 can hold, escaped.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' | '\t' => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    safe
}
