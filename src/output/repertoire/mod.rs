//! Rows, texts and flash cards about repertoires.

mod anki;
mod book_moves;
mod check;
mod contents;
mod costs;
mod differences;
mod findings;
mod gaps;
mod moves;
mod notes;
mod novelties;
mod opening;
mod position_moves;

pub use anki::{Cards, Picture, write_cards};
pub use book_moves::write_book_moves;
pub use check::CheckRow;
pub use contents::{ContentsOptions, contents};
pub use costs::CostRow;
pub use differences::DifferenceRow;
pub use findings::FindingRow;
pub use gaps::GapRow;
pub use moves::MoveRow;
pub use notes::notes_lines;
pub use novelties::NoveltyRow;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Audience, Cell, ColumnSet, Row, Rows, TableRows, Value};

    /// A row of a table on a terminal, all its cells full.
    fn full_row<F>(columns: ColumnSet<F>) -> String {
        let columns = columns.select(Audience::Human).columns();
        let text = "x".repeat(90);
        let cell = |column| Cell { column, value: Value::Text(text.as_str().into()) };
        let cells: Vec<Cell<'_>> = columns.iter().map(cell).collect();
        let mut out = Vec::new();
        TableRows::new(&columns, 80).write_row(cells.into_iter(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_table_fits_on_a_terminal() {
        for row in [
            full_row(CheckRow::columns()),
            full_row(CostRow::columns()),
            full_row(FindingRow::columns()),
            full_row(GapRow::columns()),
            full_row(MoveRow::columns()),
            full_row(NoveltyRow::columns()),
        ] {
            assert!(row.trim_end().chars().count() <= 80, "{row}");
        }
    }
}
