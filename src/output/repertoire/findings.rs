//! The rows of `repertoire lint`.

use crate::{
    catalogue::Catalogue,
    classify::Classifier,
    opening::Opening,
    output::{
        ColumnSet, ColumnType, Row, Value, Width,
        opening::{code, name},
    },
    repertoire::{Book, BookLine, Finding, ShortestLines},
};

/// The row of a finding.
#[derive(Debug, Clone)]
pub struct FindingRow<'a> {
    book: &'a Book,
    finding: &'a Finding,
    /// The line to the position.
    line: Option<BookLine>,
    opening: Option<&'a Opening>,
}

type FindingColumns = ColumnSet<for<'r> fn(&'r FindingRow<'_>) -> Value<'r>>;

impl<'a> FindingRow<'a> {
    /// The rows of findings in a book, with the lines to their positions.
    #[must_use]
    pub fn all(book: &'a Book, catalogue: &'a Catalogue, findings: &'a [Finding]) -> Vec<Self> {
        let (lines, classifier) = (ShortestLines::of(book), Classifier::new(catalogue));
        let row = |finding: &'a Finding| {
            let line = lines.book_line(finding.position);
            let opening = line.as_ref().and_then(|line| line.opening(book, classifier));
            Self { book, finding, line, opening }
        };
        findings.iter().map(row).collect()
    }
}

impl Row for FindingRow<'_> {
    type Columns = FindingColumns;

    fn columns() -> FindingColumns {
        FindingColumns::new()
            .with("kind", Width::AtMost(13), |row| Value::text(row.finding.kind.as_str()))
            .of(ColumnType::Name)
            .with("line", Width::LineShare(9), |row| {
                Value::optional_text(
                    row.line.as_ref().and_then(|line| line.position_text(row.book)),
                )
            })
            .with("moves", Width::Share(3), |row| Value::list(&row.finding.moves, ", "))
            .of(ColumnType::List)
            .with("detail", Width::Share(7), |row| Value::text(&row.finding.detail))
            .with("games", Width::Number, |row| {
                u64::from(row.book.node(row.finding.position).tally().games).into()
            })
            .for_machines("eco", |row| code(row.opening))
            .of(ColumnType::Name)
            .for_machines("opening", |row| name(row.opening))
            .of(ColumnType::Name)
            .for_machines("key", |row| Value::Display(&row.book.node(row.finding.position).key))
    }
}
