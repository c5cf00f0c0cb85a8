//! The rows of `repertoire gaps`.

use crate::{
    catalogue::Catalogue,
    classify::Classifier,
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name},
    },
    repertoire::{Book, Gap},
};

/// The row of a gap.
#[derive(Debug, Clone, Copy)]
pub struct GapRow<'a> {
    book: &'a Book,
    gap: &'a Gap,
    opening: Option<&'a Opening>,
}

type GapColumns = ColumnSet<for<'r> fn(&'r GapRow<'_>) -> Value<'r>>;

impl<'a> GapRow<'a> {
    /// The rows of gaps of a book, with the openings of their lines.
    #[must_use]
    pub fn all(
        book: &'a Book,
        catalogue: &'a Catalogue,
        gaps: impl IntoIterator<Item = &'a Gap>,
    ) -> Vec<Self> {
        let classifier = Classifier::new(catalogue);
        let row = |gap: &'a Gap| Self { book, gap, opening: gap.line.opening(book, classifier) };
        gaps.into_iter().map(row).collect()
    }
}

impl Row for GapRow<'_> {
    type Columns = GapColumns;

    fn columns() -> GapColumns {
        GapColumns::new()
            .with("line", Width::LineShare(4), |row| {
                Value::optional_text(row.gap.line.position_text(row.book))
            })
            .for_machines("move", |row| Value::optional(row.gap.line.last_move(row.book)))
            .for_machines("probability", |row| Value::Decimal {
                value: row.gap.probability,
                places: 6,
            })
            .of(ColumnType::Float64)
            .with("one_in", Width::Number, |row| Value::Decimal {
                value: row.gap.one_in(),
                places: 0,
            })
            .of(ColumnType::Float64)
            .with("games", Width::Number, |row| row.gap.tally.games.into())
            .with("score", Width::Percent, |row| Value::share(row.gap.tally.score()))
            .for_machines("eco", |row| code(row.opening))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .for_machines("key", |row| Value::Display(&row.gap.key))
    }
}
