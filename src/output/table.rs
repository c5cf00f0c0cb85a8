//! Tables for a terminal.
//!
//! Columns are as wide as their contents. The first rows are held back to find out how wide that
//! is; the rows after them keep the widths. Where the table does not fit:
//!
//! 1. Columns of text get a share of the width each, and what one does not need the others get.
//! 2. Columns are left out, by their rank or else from the right, until the others have room for a
//!    few characters.
//!
//! Text that is too long ends in `…`. The name of an opening loses its family, or its middle, since
//! names differ in their last part. A line of moves loses its beginning, a FEN its end.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Width, column::Column};

/// How a table is written.
#[derive(Debug, Clone, Copy)]
pub struct TableOptions {
    /// The number of characters in a line, if the columns fit.
    pub width: usize,
    /// Whether names stand above the columns.
    pub has_header: bool,
    /// Whether the header is set off by escape sequences.
    pub is_colored: bool,
}

/// A table for a terminal, for the rows of a [`Layout`](super::Layout).
///
/// ```
/// use eco::output::{Field, Format, TableOptions};
///
/// let layout = Format::Table.layout(Field::columns(&[Field::Game, Field::Opening]));
/// let options = TableOptions { width: 30, has_header: true, is_colored: false };
/// let mut table = layout.table(options).unwrap();
/// let mut out = Vec::new();
/// table.push(b"1\tSicilian Defense: Najdorf Variation, English Attack\n", &mut out);
/// table.push(b"2\tBenoni Defense\n", &mut out);
/// table.finish(&mut out);
/// let lines = ["game  opening", "   1  Sicilian…English Attack", "   2  Benoni Defense", ""];
/// assert_eq!(String::from_utf8(out).unwrap(), lines.join("\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    options: TableOptions,
    /// Rows whose columns have no width yet.
    held: Vec<u8>,
    held_rows: usize,
    /// The widths of the columns; `None` for those that do not fit.
    widths: Option<Vec<Option<usize>>>,
}

/// The number of rows that decide about the widths.
const SAMPLE: usize = 1000;

/// How many digits numbers may grow by after the sample, if they have four there: those of games
/// count up to 99,999,999 before a line is too long.
const GROWTH: usize = 4;

/// The width of a whole date.
const DATE_WIDTH: usize = 10;

const GAP: &str = "  ";

/// No column of text is made narrower.
const MIN_TEXT_WIDTH: usize = 10;

/// What is left of the beginning of a name is not shorter.
const MIN_PART_WIDTH: usize = 4;

const BOLD: &str = "\u{1b}[1m";
const RESET: &str = "\u{1b}[0m";

impl Table {
    /// A table of these columns.
    pub(super) fn new(columns: Vec<Column>, options: TableOptions) -> Self {
        Self { columns, options, held: Vec::new(), held_rows: 0, widths: None }
    }

    /// Takes rows of tab-separated values, as a [`Layout`](super::Layout) writes them, and appends
    /// what can be written of the table to `out`.
    pub fn push(&mut self, rows: &[u8], out: &mut Vec<u8>) {
        if self.widths.is_some() {
            self.write_rows(rows, out);
            return;
        }
        self.held.extend_from_slice(rows);
        self.held_rows += rows.iter().filter(|byte| **byte == b'\n').count();
        if self.held_rows >= SAMPLE {
            self.release(out);
        }
    }

    /// Appends the rows that are held back to `out`.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.widths.is_none() {
            self.release(out);
        }
    }

    /// The names of the columns that did not fit; none before the first row has been written.
    pub fn left_out(&self) -> Vec<&str> {
        let widths = self.columns.iter().zip(self.widths.iter().flatten());
        widths.filter(|(_, width)| width.is_none()).map(|(column, _)| &*column.name).collect()
    }

    /// Decides about the widths, and writes the header and the rows that were held back.
    fn release(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        let widths = widths(&self.columns, &self.contents(&held), self.options.width);
        self.widths = Some(widths);
        if self.options.has_header {
            let names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
            let line = self.line(&names);
            match self.options.is_colored {
                true => out.extend_from_slice(format!("{BOLD}{line}{RESET}\n").as_bytes()),
                false => out.extend_from_slice(format!("{line}\n").as_bytes()),
            }
        }
        self.write_rows(&held, out);
    }

    /// The width of the widest cell of each column.
    fn contents(&self, rows: &[u8]) -> Vec<usize> {
        let names = self.columns.iter().map(|column| column.name.width());
        let mut contents: Vec<usize> =
            if self.options.has_header { names.collect() } else { vec![0; self.columns.len()] };
        for row in lines(rows) {
            for (width, cell) in contents.iter_mut().zip(row.split('\t')) {
                *width = (*width).max(cell.width());
            }
        }
        if self.held_rows >= SAMPLE {
            let numbers = self.columns.iter().zip(&mut contents);
            let numbers = numbers.filter(|(column, _)| matches!(column.width, Width::Number));
            let grown = numbers.filter(|(_, width)| **width >= GROWTH);
            grown.for_each(|(_, width)| *width += GROWTH);
        }
        contents
    }

    fn write_rows(&self, rows: &[u8], out: &mut Vec<u8>) {
        for row in lines(rows) {
            let cells: Vec<&str> = row.split('\t').collect();
            out.extend_from_slice(self.line(&cells).as_bytes());
            out.push(b'\n');
        }
    }

    fn line(&self, cells: &[&str]) -> String {
        let mut line = String::new();
        let widths = self.widths.iter().flatten();
        let cells = self.columns.iter().zip(cells).zip(widths);
        let shown = cells.filter_map(|((column, cell), width)| Some((column, *cell, (*width)?)));
        for (index, (column, cell, width)) in shown.enumerate() {
            if index > 0 {
                line.push_str(GAP);
            }
            let cell = match column.width {
                Width::Number | Width::Percent | Width::Score => cell.to_owned(),
                Width::Date | Width::AtMost(_) | Width::Share(_) => fit(cell, width),
                Width::NameShare(_) | Width::LongName(_) => fit_name(cell, width),
                Width::PathShare(_) => fit_end(cell, width),
                Width::LineShare(_) => fit_line(cell, width),
            };
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            match column.width {
                Width::Number | Width::Percent | Width::Score => line.extend([padding, cell]),
                _ => line.extend([cell, padding]),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// The rows, which are UTF-8.
fn lines(rows: &[u8]) -> impl Iterator<Item = &str> {
    rows.split_inclusive(|byte| *byte == b'\n').filter_map(|row| {
        let row = std::str::from_utf8(row).ok()?;
        Some(row.strip_suffix('\n').unwrap_or(row))
    })
}

/// The widths of the columns that fit into a line, by the widths of their contents; `None` for
/// those that are left out.
fn widths(columns: &[Column], contents: &[usize], width: usize) -> Vec<Option<usize>> {
    let wanted = |at: usize| match columns[at].width {
        Width::AtMost(most) => most.min(contents[at]),
        Width::Date => DATE_WIDTH.min(contents[at]),
        _ => contents[at],
    };
    let least = |at: usize| least(&columns[at], wanted(at));
    let gaps = |count: usize| GAP.len() * count.saturating_sub(1);
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    while shown.len() > 1
        && shown.iter().map(|at| least(*at)).sum::<usize>() + gaps(shown.len()) > width
    {
        leave_out(columns, &mut shown);
    }
    let room = width.saturating_sub(gaps(shown.len()));
    let mut widths: Vec<usize> = (0..columns.len()).map(wanted).collect();
    share(columns, &shown, &mut widths, room);
    widths.into_iter().enumerate().map(|(at, width)| shown.contains(&at).then_some(width)).collect()
}

/// Leaves out the columns of the greatest rank; the last column if none has a rank.
fn leave_out(columns: &[Column], shown: &mut Vec<usize>) {
    match shown.iter().map(|at| columns[*at].rank).max() {
        None | Some(0) => drop(shown.pop()),
        Some(greatest) => shown.retain(|at| columns[*at].rank < greatest),
    }
}

/// The width that a column keeps.
fn least(column: &Column, wanted: usize) -> usize {
    match column.width {
        Width::LongName(least) => least.min(wanted),
        _ if weight(column) == 0 => wanted,
        _ => MIN_TEXT_WIDTH.min(wanted),
    }
}

/// The weight of a column of text where widths are shared; 0 of any other.
fn weight(column: &Column) -> usize {
    match column.width {
        Width::Number | Width::Percent | Width::Score | Width::Date | Width::AtMost(_) => 0,
        Width::LongName(_) => 1,
        Width::Share(weight)
        | Width::NameShare(weight)
        | Width::PathShare(weight)
        | Width::LineShare(weight) => weight,
    }
}

/// Cuts the widths of columns of text, so that all columns fit into `room` characters. What a
/// column does not need of its share, the others get.
fn share(columns: &[Column], shown: &[usize], wanted: &mut [usize], room: usize) {
    // The columns whose width is still open.
    let (mut open, fixed): (Vec<usize>, Vec<usize>) =
        shown.iter().partition(|at| weight(&columns[**at]) > 0);
    let mut left = fixed.iter().fold(room, |left, at| left.saturating_sub(wanted[*at]));
    while !open.is_empty() {
        let weights: usize = open.iter().map(|at| weight(&columns[*at])).sum();
        let share = |at: usize| left * weight(&columns[at]) / weights;
        let least = |at: usize| least(&columns[at], wanted[at]);
        // Those that get more than their share, for a text must be readable; or else those that
        // need less; or else all that are left.
        let settled: Vec<(usize, usize)> = if open.iter().any(|at| share(*at) < least(*at)) {
            let small = open.extract_if(.., |at| share(*at) < least(*at));
            small.map(|at| (at, least(at))).collect()
        } else if open.iter().any(|at| wanted[*at] <= share(*at)) {
            open.extract_if(.., |at| wanted[*at] <= share(*at)).map(|at| (at, wanted[at])).collect()
        } else {
            open.drain(..).map(|at| (at, share(at))).collect()
        };
        for (at, width) in settled {
            wanted[at] = width;
            left = left.saturating_sub(width);
        }
    }
}

/// The text, cut to a width; its end is cut off.
pub(super) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    format!("{}…", beginning(text, width.saturating_sub(1)).trim_end())
}

/// The text, cut to a width; its beginning is cut off.
fn fit_end(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut ends = text.char_indices().map(|(at, _)| &text[at..]);
    format!("…{}", ends.find(|end| end.width() < width).unwrap_or_default())
}

/// As much of the beginning of a text as fits into a width.
fn beginning(text: &str, width: usize) -> &str {
    let mut room = width;
    let end = text.char_indices().find_map(|(at, c)| {
        let wide = c.width().unwrap_or(0);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        (!fits).then_some(at)
    });
    &text[..end.unwrap_or(text.len())]
}

/// The name of an opening, cut to a width: what follows the family, if that fits, or else the
/// beginning and the last part.
pub(super) fn fit_name(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    if let Some((_, variation)) = name.split_once(": ")
        && !variation.is_empty()
        && variation.width() < width
    {
        // The beginning of the family, if there is room for some letters of it.
        let room = width - 1 - variation.width();
        let family = if room >= MIN_TEXT_WIDTH { beginning(name, room).trim_end() } else { "" };
        return format!("{family}…{variation}");
    }
    let last = name.rsplit(", ").next().unwrap_or(name);
    let last =
        if last.len() == name.len() { name.rsplit(": ").next().unwrap_or(name) } else { last };
    match (width.saturating_sub(1)).checked_sub(last.width()) {
        Some(room) if last.len() < name.len() => {
            let first = beginning(name, room);
            // Whole words, or some letters of the first.
            let first = first.rsplit_once([' ', ':']).map_or(first, |(words, _)| words);
            let first = first.trim_end_matches([' ', ',', ':']);
            format!("{}…{last}", if first.width() < MIN_PART_WIDTH { "" } else { first })
        }
        _ => fit(name, width),
    }
}

/// A line of moves, cut to a width; its beginning is cut off. Of a FEN in its place, the end is:
/// positions differ in their placement.
fn fit_line(moves: &str, width: usize) -> String {
    let is_fen = moves.split_once(' ').is_some_and(|(first, _)| first.contains('/'));
    if moves.width() <= width || is_fen {
        return fit(moves, width);
    }
    let mut ends = moves.match_indices(' ').map(|(blank, _)| &moves[blank + 1..]);
    format!("…{}", ends.find(|end| end.width() < width).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::output::Field;

    fn written(columns: &[Column], width: usize, rows: &[u8]) -> String {
        let options = TableOptions { width, has_header: true, is_colored: false };
        let (mut table, mut out) = (Table::new(columns.to_vec(), options), Vec::new());
        rows.split_inclusive(|byte| *byte == b'\n').for_each(|row| table.push(row, &mut out));
        table.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn long_text_is_cut_at_its_width() {
        assert_eq!(fit("Sicilian Defense", 20), "Sicilian Defense");
        assert_eq!(fit("Sicilian Defense", 10), "Sicilian…");
        assert_eq!(fit("国国国国", 5), "国国…");
        assert_eq!(fit_end("games/2024/club.pgn", 19), "games/2024/club.pgn");
        assert_eq!(fit_end("games/2024/club.pgn", 12), "…24/club.pgn");
        assert_eq!(fit_end("国国国国", 5), "…国国");
    }

    #[test]
    fn names_keep_their_last_part() {
        let name = "Sicilian Defense: Najdorf Variation, English Attack";
        for (width, cut) in [
            (51, name),
            (50, "Sicilian Defense…Najdorf Variation, English Attack"),
            (34, "…Najdorf Variation, English Attack"),
            (33, "Sicilian Defense…English Attack"),
            (25, "Sicilian…English Attack"),
            (15, "…English Attack"),
            (10, "Sicilian…"),
        ] {
            assert_eq!(fit_name(name, width), cut, "{width}");
        }
        assert_eq!(
            fit_name("Queen's Gambit Declined: Exchange Variation", 20),
            "…Exchange Variation"
        );
        assert_eq!(fit_name("Hyperaccelerated", 10), "Hyperacce…");
    }

    #[test]
    fn lines_of_moves_keep_their_end() {
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 15), "1. e4 c5 2. Nf3");
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 14), "…e4 c5 2. Nf3");
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 10), "…c5 2. Nf3");
        assert_eq!(fit_line("1. e4 c5 2. Nf3", 9), "…2. Nf3");
        assert_eq!(fit_line("1.e4,c5,2.Nf3", 5), "…");
        assert_eq!(fit_line("4k3/8/8/8/8/8/8/4K3 w - - 2 2", 10), "4k3/8/8/8…");
    }

    #[test]
    fn columns_are_as_wide_as_their_contents_if_they_fit() {
        let columns = Field::columns(Field::FOR_TABLES).columns();
        let rows = b"1\tByrne\tFischer\t0-1\tD92\tGr\xc3\xbcnfeld Defense\n";
        let expected = "game  white  black    result  eco  opening\n   \
                        1  Byrne  Fischer  0-1     D92  Grünfeld Defense\n";
        assert_eq!(written(&columns, 80, rows), expected);
        assert_eq!(written(&columns, 200, rows), expected);
    }

    #[test]
    fn columns_that_do_not_fit_are_left_out_from_the_right() {
        let columns = Field::columns(Field::ALL).columns();
        let options = TableOptions { width: 60, has_header: true, is_colored: false };
        let (mut table, mut out) = (Table::new(columns, options), Vec::new());
        table.finish(&mut out);
        let header = String::from_utf8(out).unwrap();
        let shown = header.split_whitespace().count();
        assert!(header.width() <= 61 && header.starts_with("source  game"), "{header}");
        assert_eq!(table.left_out().len(), Field::ALL.len() - shown);
        assert_eq!(table.left_out().last(), Some(&"offset"));
    }

    #[test]
    fn columns_of_the_greatest_rank_are_left_out_together() {
        let ranked = |name: &'static str, rank| Column { rank, ..Column::new(name, Width::Number) };
        let columns = [ranked("a", 0), ranked("b", 2), ranked("c", 0), ranked("d", 1)];
        let columns = [&columns[..], &[ranked("e", 2)]].concat();
        for (width, header) in [
            (13, "a  b  c  d  e\n"),
            (12, "a  c  d\n"),
            (7, "a  c  d\n"),
            (6, "a  c\n"),
            (3, "a\n"),
        ] {
            assert_eq!(written(&columns, width, b""), header, "{width}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_width_beside_a_line() {
        let column = |name: &'static str, width| Column::new(name, width);
        let columns = [column("opening", Width::LongName(24)), column("line", Width::LineShare(2))];
        let rows =
            b"Queen's Gambit Declined: Exchange\t1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5\n";
        let expected = "opening                   line\n\
                        Queen's Gambit…Exchange   …Nf6 4. cxd5 exd5\n";
        assert_eq!(written(&columns, 44, rows), expected);
    }

    #[test]
    fn numbers_that_grow_after_the_sample_make_no_line_too_long() {
        let columns = [
            Column::new("game", Width::Number),
            Column::new("ply", Width::Number),
            Column::new("opening", Width::Share(1)),
        ];
        let row = |game: usize| format!("{game}\t12\t{}\n", "x".repeat(60));
        let rows: String = (1..=SAMPLE).chain([9_999, 10_000, 99_999_999]).map(row).collect();
        for width in [40, 80] {
            let table = written(&columns, width, rows.as_bytes());
            let widths = table.lines().map(UnicodeWidthStr::width);
            assert!(widths.max().unwrap() <= width, "{width}");
            assert!(
                table.lines().next_back().unwrap().starts_with("99999999   12  xxx"),
                "{table}"
            );
        }
    }

    #[test]
    fn rows_after_the_sample_keep_its_widths() {
        let columns = Field::columns(&[Field::White, Field::Eco]).columns();
        let mut rows = b"Short\tB20\n".repeat(SAMPLE);
        rows.extend_from_slice(b"Nepomniachtchi\tC42\n");
        assert!(
            written(&columns, 80, &rows).ends_with("\nNepo…\tC42\n".replace('\t', "  ").as_str())
        );
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked_for(
            cells in prop::collection::vec(prop::collection::vec("[a-z :,国]{0,60}", 4), 0..8),
            width in 60_usize..200,
        ) {
            let fields = [Field::White, Field::Result, Field::Opening, Field::Error];
            let columns = Field::columns(&fields).columns();
            let rows: String = cells.iter().map(|row| row.join("\t") + "\n").collect();
            let table = written(&columns, width, rows.as_bytes());
            prop_assert_eq!(table.lines().count(), 1 + cells.len());
            prop_assert!(table.lines().all(|line| line.width() <= width), "{}", table);
        }
    }
}
