//! Tables for a terminal.
//!
//! Rows are written one by one, so the widths are set beforehand: columns of a fixed width get it,
//! the others share what is left of the line. Text that is too long ends in `…`; a line of moves
//! begins with it.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Cell, Column, Rows, Width};

/// A table for a terminal.
#[derive(Debug, Clone)]
pub(crate) struct TableRows {
    widths: Vec<usize>,
}

const GAP: &str = "  ";

/// No column of text is narrower.
const MIN_TEXT_WIDTH: usize = 10;

impl TableRows {
    /// A table of these columns, `width` characters wide if they fit.
    #[must_use]
    pub(crate) fn new(columns: &[Column], width: usize) -> Self {
        let fixed = |column: &Column| match column.width {
            Width::Number(n) | Width::Fixed(n) => n,
            Width::Share(_) | Width::LineShare(_) => 0,
        };
        let weight = |column: &Column| match column.width {
            Width::Share(weight) | Width::LineShare(weight) => weight,
            Width::Number(_) | Width::Fixed(_) => 0,
        };
        let gaps = GAP.len() * columns.len().saturating_sub(1);
        let room = width.saturating_sub(columns.iter().map(fixed).sum::<usize>() + gaps);
        let weights = columns.iter().map(weight).sum::<usize>().max(1);
        let widths = columns.iter().map(|column| match weight(column) {
            0 => fixed(column),
            weight => (room * weight / weights).max(MIN_TEXT_WIDTH),
        });
        Self { widths: widths.collect() }
    }

    fn write<'v>(&self, cells: impl Iterator<Item = (Width, Cow<'v, str>)>, out: &mut Vec<u8>) {
        let mut line = String::new();
        for (index, ((layout, cell), width)) in cells.zip(&self.widths).enumerate() {
            if index > 0 {
                line.push_str(GAP);
            }
            let cell = match layout {
                Width::LineShare(_) => fit_line(&cell, *width),
                _ => fit(&cell, *width),
            };
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            match layout {
                Width::Number(_) => line.extend([padding, cell]),
                _ => line.extend([cell, padding]),
            }
        }
        out.extend_from_slice(line.trim_end().as_bytes());
        out.push(b'\n');
    }
}

/// The text, cut to a width; its end is cut off.
fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(1);
    let mut cut: String = text
        .chars()
        .take_while(|c| {
            let wide = c.width().unwrap_or(0);
            let fits = wide <= room;
            room = room.saturating_sub(wide);
            fits
        })
        .collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// A line of moves, cut to a width; its beginning is cut off.
fn fit_line(moves: &str, width: usize) -> String {
    if moves.width() <= width {
        return moves.to_owned();
    }
    let room = width.saturating_sub(1);
    let mut cut = moves;
    while cut.width() > room {
        let next = cut.find(' ').map(|blank| &cut[blank + 1..]);
        cut = next.unwrap_or_default();
    }
    format!("…{cut}")
}

impl Rows for TableRows {
    fn write_header(&self, columns: &[Column], out: &mut Vec<u8>) {
        self.write(columns.iter().map(|column| (column.width, column.name.into())), out);
    }

    fn write_row<'r>(&self, cells: impl Iterator<Item = Cell<'r>> + Clone, out: &mut Vec<u8>) {
        let texts = cells.map(|Cell { column, value }| {
            (column.width, value.to_text(column.absent).into_owned().into())
        });
        self.write(texts, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Field;

    #[test]
    fn long_text_is_cut_at_the_width_of_the_terminal() {
        assert_eq!(fit("Sicilian Defense", 20), "Sicilian Defense");
        assert_eq!(fit("Sicilian Defense", 10), "Sicilian…");
        assert_eq!(fit("国国国国", 5), "国国…");
    }

    #[test]
    fn lines_of_moves_keep_their_end() {
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 15), "1. e4 c5 2. Nf3");
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 14), "…e4 c5 2. Nf3");
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 10), "…c5 2. Nf3");
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 9), "…2. Nf3");
        assert_eq!(fit_line("1.e4,c5,2.Nf3", 5), "…");
    }

    #[test]
    fn a_table_is_as_wide_as_the_terminal_if_it_fits() {
        for width in [80, 100, 200] {
            let columns = Field::columns(Field::FOR_TABLES).columns();
            let table = TableRows::new(&columns, width);
            let total: usize = table.widths.iter().sum::<usize>() + GAP.len() * 5;
            assert!(total <= width && total + 4 > width, "{total} of {width}");
        }
    }
}
