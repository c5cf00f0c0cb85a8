//! The rows of `stats`, and of `classify --summary`: games by code and by family, the most frequent
//! first.

use std::{cmp::Reverse, collections::BTreeMap};

use super::column::{Audience, Column};
use super::{ColumnSet, ColumnType, ColumnValue, Row, Value, Width};
use crate::pgn::GameDate;
use crate::stats::{
    Finding, GroupBy, GroupValue, Number, RowKind, StatsRow, Subject, Summary, Unit,
};

type Columns<R> = ColumnSet<StatsValue<R>>;

/// What returns the value of a column: one of the [numbers](Number::all), or what else rows have.
#[derive(Debug, Clone, Copy)]
pub enum StatsValue<R> {
    /// A number.
    Number(Number),
    /// Another value.
    Other(for<'r> fn(&'r R) -> Value<'r>),
}

/// A name keeps this width in a table as long as other columns can be left out.
const NAME_WIDTH: usize = 24;

/// The most that a player or an event takes of a table.
const TEXT_WIDTH: usize = 28;

type RowValue = for<'r> fn(&'r StatsRow) -> Value<'r>;

/// Stands for what games do not say, in tables.
const UNKNOWN: &str = "unknown";

/// Rows with the numbers of games.
trait HasNumbers {
    fn number(&self, number: Number) -> Option<f64>;
}

impl HasNumbers for StatsRow {
    fn number(&self, number: Number) -> Option<f64> {
        self.number(number)
    }
}

impl HasNumbers for Finding {
    fn number(&self, number: Number) -> Option<f64> {
        number.of(&self.figures)
    }
}

impl<R: HasNumbers> ColumnValue<R> for StatsValue<R> {
    fn value<'r>(&'r self, row: &'r R) -> Value<'r> {
        match self {
            Self::Number(number) => number_value(number.unit, row.number(*number)),
            Self::Other(value) => value(row),
        }
    }
}

/// The columns of rows that are grouped in this way. Of players, games are won, drawn and lost; of
/// an archive, White wins or Black.
#[must_use]
pub fn stats_columns(by: &[GroupBy], subject: Subject) -> ColumnSet<StatsValue<StatsRow>> {
    let mut columns = Columns::new();
    for (place, field) in by.iter().enumerate() {
        let (machine, human): (RowValue, RowValue) = match place {
            0 => (|row| value(row, 0), |row| label(row, 0)),
            _ => (|row| value(row, 1), |row| label(row, 1)),
        };
        columns = with_value(columns, field, Some(Audience::Machine), machine);
        columns = with_value(columns, field, Some(Audience::Human), human);
        if *field == GroupBy::Eco && !by.contains(&GroupBy::Opening) {
            columns = columns.with(
                "opening",
                Width::LongName(NAME_WIDTH),
                StatsValue::Other(|row| Value::text(row.name.as_deref().unwrap_or_default())),
            );
        }
    }
    Number::all()
        .fold(columns, |columns, number| with_number(columns, number, subject, number.rank))
        .for_machines(
            "row",
            ColumnType::Name,
            StatsValue::Other(|row| Value::Text(row.kind.name().into())),
        )
}

/// The columns of findings among the openings of this field.
#[must_use]
pub fn finding_columns(field: &GroupBy, subject: Subject) -> ColumnSet<StatsValue<Finding>> {
    use StatsValue::Other;
    let mut columns = Columns::<Finding>::new();
    if subject == Subject::Players {
        let side = Other(|row: &Finding| Value::optional(row.side.as_ref()));
        columns = columns.with("color", Width::AtMost(5), side).of(ColumnType::Name);
    }
    columns = with_value(columns, field, None, |row| Value::text(&row.opening));
    if *field == GroupBy::Eco {
        let name = Other(|row: &Finding| Value::text(&row.name));
        columns = columns.with("opening", Width::LongName(NAME_WIDTH), name);
    }
    let columns = columns
        .with(
            "line",
            Width::LineShare(2),
            Other(|row| row.lines.first().map_or(Value::None, |line| Value::text(&line.moves))),
        )
        .for_machines(
            "line_games",
            ColumnType::UInt64,
            Other(|row| row.lines.first().map_or(Value::None, |line| line.games.into())),
        )
        .with("estimate", Width::Number, Other(|row| percent(row.estimate)))
        .of(ColumnType::Float64);
    Number::of_findings()
        .fold(columns, |columns, (number, rank)| with_number(columns, number, subject, rank))
}

fn with_value<R>(
    columns: Columns<R>,
    field: &GroupBy,
    audience: Option<Audience>,
    value: for<'r> fn(&'r R) -> Value<'r>,
) -> Columns<R> {
    let width = match field {
        GroupBy::Family | GroupBy::Variation | GroupBy::Opening => Width::LongName(NAME_WIDTH),
        GroupBy::FirstMoves(_) => Width::LineShare(1),
        _ => Width::AtMost(TEXT_WIDTH),
    };
    let column = Column { kind: kind(field), ..Column::new(field.column(), width) };
    columns.with_column(column, audience, StatsValue::Other(value))
}

/// The type of the values of a field.
fn kind(field: &GroupBy) -> ColumnType {
    match field {
        GroupBy::Year | GroupBy::Hour => ColumnType::UInt16,
        GroupBy::Month => ColumnType::Text,
        text if text.is_text() => ColumnType::Text,
        _ => ColumnType::Name,
    }
}

fn with_number<R>(
    columns: Columns<R>,
    number: Number,
    subject: Subject,
    rank: usize,
) -> Columns<R> {
    let (width, kind) = match number.unit {
        Unit::Count => (Width::Number, ColumnType::UInt64),
        Unit::Rating => (Width::Number, ColumnType::UInt16),
        Unit::Share | Unit::Limit | Unit::Decimal => (Width::Number, ColumnType::Float64),
        Unit::FirstDate | Unit::LastDate => (Width::AtMost(10), ColumnType::Date),
    };
    let column = Column { kind, rank, ..Column::new(number.name(subject), width) };
    columns.with_column(column, None, StatsValue::Number(number))
}

fn number_value(unit: Unit, number: Option<f64>) -> Value<'static> {
    let Some(number) = number else { return Value::None };
    match unit {
        Unit::Count | Unit::Rating => Value::Number(number as u64),
        Unit::Share | Unit::Limit => percent(number),
        Unit::Decimal => Value::Decimal { value: number, places: 1 },
        Unit::FirstDate | Unit::LastDate => Value::optional(GameDate::from_number(number as u32)),
    }
}

fn percent(share: f64) -> Value<'static> {
    Value::Decimal { value: 100.0 * share, places: 1 }
}

fn value(row: &StatsRow, place: usize) -> Value<'_> {
    match &row.values[place] {
        GroupValue::Number(number) => match u64::try_from(*number) {
            Ok(number) => Value::Number(number),
            Err(_) => Value::text(number.to_string()),
        },
        GroupValue::Text { text, .. } => Value::text(text),
        GroupValue::None => Value::None,
    }
}

/// The value for people: all and others by name, and the value of a total only once.
fn label(row: &StatsRow, place: usize) -> Value<'_> {
    let is_last = place + 1 == row.level;
    match row.kind {
        RowKind::All | RowKind::Others if place == row.level => Value::Text(row.kind.name().into()),
        RowKind::Total | RowKind::Group if is_last && row.values[place] == GroupValue::None => {
            Value::Text(UNKNOWN.into())
        }
        RowKind::Total | RowKind::Group if is_last => value(row, place),
        _ => Value::None,
    }
}

/// A number of games that have something in common.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    /// `all`, `eco` or `family`.
    by: &'static str,
    value: String,
    games: u64,
    /// The share of all games, from 0 to 1.
    share: f64,
}

impl SummaryRow {
    /// A row for all games, for those without an opening, by transposition and with an error, and
    /// for each code and family.
    #[must_use]
    pub fn all(summary: &Summary) -> Vec<Self> {
        let row = |by, value: String, games: u64| {
            let share = games as f64 / summary.games.max(1) as f64;
            Self { by, value, games, share }
        };
        let totals = [
            ("games", summary.games),
            ("without opening", summary.games - summary.named),
            ("transposed", summary.transposed),
            ("with error", summary.errors),
        ];
        let totals = totals.into_iter().map(|(value, games)| row("all", value.to_owned(), games));
        let codes = by_frequency(&summary.by_eco).into_iter();
        let codes = codes.map(|(eco, games)| row("eco", eco.to_string(), games));
        let families = by_frequency(&summary.by_family).into_iter();
        let families = families.map(|(family, games)| row("family", family.clone(), games));
        totals.chain(codes).chain(families).collect()
    }
}

impl Row for SummaryRow {
    type Columns = ColumnSet<for<'r> fn(&'r SummaryRow) -> Value<'r>>;

    fn columns() -> Self::Columns {
        Self::Columns::new()
            .with("by", Width::AtMost(6), |row| Value::Text(row.by.into()))
            .of(ColumnType::Name)
            .with("value", Width::NameShare(1), |row| Value::Text(row.value.as_str().into()))
            .with("games", Width::Number, |row| row.games.into())
            .with("percent", Width::Number, |row| percent(row.share))
            .of(ColumnType::Float64)
    }
}

/// The most frequent first; equals in the order of their names.
fn by_frequency<K>(counts: &BTreeMap<K, u64>) -> Vec<(&K, u64)> {
    let mut sorted: Vec<(&K, u64)> = counts.iter().map(|(key, count)| (key, *count)).collect();
    sorted.sort_by_key(|(_, count)| Reverse(*count));
    sorted
}
