//! Rows, texts and flash cards about repertoires.

mod anki;
mod check;
mod contents;
mod export;
mod findings;
mod moves;
mod prospects;
mod week;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "training")]
mod trained;

#[cfg(all(feature = "codecs", feature = "sqlite"))]
pub use anki::{FormerCards, FormerCardsError, Package, write_package};
pub use anki::{count_cards, write_cards};
pub use check::{CheckRow, CostRow};
pub use contents::{ContentsOptions, ContentsOrder, ContentsRow};
pub use contents::{contents, contents_text, whole_contents};
pub use export::write_book_moves;
pub use findings::{DifferenceRow, FindingRow, GapRow, NoveltyRow, differences_text};
pub use moves::{MoveRow, notes_lines};
pub use prospects::{ProspectRow, ProspectSection, ProspectTable};
#[cfg(feature = "sqlite")]
pub use sqlite::to_sqlite;
#[cfg(feature = "training")]
pub use trained::TrainedRow;
pub use week::{WeekKind, WeekOf, WeekRow};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{
        ColumnSet, Table, TableOptions, Width,
        column::{Audience, Column},
    };

    /// A row of a table on a terminal, with long texts and numbers of four digits.
    fn full_row<F>(columns: ColumnSet<F>) -> String {
        let columns = columns.select(Audience::Human).columns();
        let cell = |column: &Column| match column.width {
            Width::Number | Width::Score => "1234".to_owned(),
            Width::Percent => "100.0%".to_owned(),
            _ => "x".repeat(90),
        };
        let row = columns.iter().map(cell).collect::<Vec<_>>().join("\t") + "\n";
        let options = TableOptions { width: 80, has_header: false, is_colored: false };
        let (mut table, mut out) = (Table::new(columns, options), Vec::new());
        table.push(row.as_bytes(), &mut out);
        table.finish(&mut out);
        assert!(table.left_out().is_empty(), "{row}");
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_table_fits_on_a_terminal() {
        use ProspectSection::{Chances, Games, NewMoves, Paths};
        for row in [
            full_row(Paths.columns()),
            full_row(Chances.columns()),
            full_row(NewMoves.columns()),
            full_row(ProspectRow::columns()),
            full_row(CheckRow::columns()),
            full_row(CostRow::columns()),
            full_row(FindingRow::columns()),
            full_row(GapRow::columns()),
            full_row(MoveRow::columns()),
            full_row(NoveltyRow::columns()),
            full_row(TrainedRow::columns()),
        ] {
            assert!(row.trim_end().chars().count() <= 80, "{row}");
        }
        // Links, which come last, are left out there.
        assert_eq!(Games.columns().columns().pop().unwrap().name, "link");
    }
}
