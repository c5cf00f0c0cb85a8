//! The rows of `stats`.

use super::column::{Audience, Column};
use super::{ColumnSet, ColumnType, ColumnValue, RowColumns, Value, Width};
use crate::pgn::GameDate;
use crate::stats::{
    Certainty, Finding, GroupBy, GroupValue, Number, RowKind, StatsRow, Subject, Unit,
};

/// What returns the value of a column: one of the [numbers](Number::all), or what else rows have.
#[derive(Debug, Clone, Copy)]
pub enum StatsValue {
    /// A number.
    Number(Number),
    /// Another value.
    Other(for<'r> fn(&'r StatsRow) -> Value<'r>),
}

/// A name keeps this width in a table as long as other columns can be left out.
const NAME_WIDTH: usize = 24;

/// The most that a player or an event takes of a table.
const TEXT_WIDTH: usize = 28;

type RowValue = for<'r> fn(&'r StatsRow) -> Value<'r>;

/// Stands for what games do not say, in tables.
const UNKNOWN: &str = "unknown";

impl ColumnValue<StatsRow> for StatsValue {
    fn value<'r>(&'r self, row: &'r StatsRow) -> Value<'r> {
        match self {
            Self::Number(number) => number_value(number.unit, row.number(*number)),
            Self::Other(value) => value(row),
        }
    }
}

/// The columns of rows that are grouped in this way. Of players, games are won, drawn and lost; of
/// an archive, White wins or Black.
///
/// People get the groups in one column, how the games ended, their score, and what it is beyond
/// expectation with a word for how sure that is; programs get a column for each field, and every
/// [number](Number::all).
pub fn stats_columns(by: &[GroupBy], subject: Subject) -> ColumnSet<StatsValue> {
    let mut columns = ColumnSet::new();
    for (place, field) in by.iter().enumerate() {
        let machine: RowValue = if place == 0 { |row| value(row, 0) } else { |row| value(row, 1) };
        let column = Column { kind: kind(field), ..Column::new(field.column(), width(field)) };
        columns = columns.with_column(column, Some(Audience::Machine), StatsValue::Other(machine));
    }
    let name = StatsValue::Other(|row| Value::text(row.name.as_deref().unwrap_or_default()));
    if let Some(field) = by.last() {
        let is_name = matches!(field, GroupBy::Family | GroupBy::Variation | GroupBy::Opening);
        let name = if is_name { "opening".into() } else { field.column() };
        let column = Column::new(name, width(field));
        let value = StatsValue::Other(|row| Value::text(label(row)));
        columns = columns.with_column(column, Some(Audience::Human), value);
    }
    if by.contains(&GroupBy::Eco) && !by.contains(&GroupBy::Opening) {
        columns = columns.with("opening", Width::LongName(NAME_WIDTH), name);
    }
    if by.iter().any(GroupBy::is_opening) {
        columns =
            columns.opening_en(StatsValue::Other(|row| Value::optional(row.english.as_ref())));
    }
    for number in Number::all() {
        let is_shown = SHOWN.contains(&number.name(Subject::Players));
        let audience = (!is_shown).then_some(Audience::Machine);
        let column = number_column(number, subject);
        columns = columns.with_column(column, audience, StatsValue::Number(number));
    }
    columns
        .for_humans("diff", Width::AtMost(13), StatsValue::Other(difference))
        .for_machines(
            "certainty",
            ColumnType::Name,
            StatsValue::Other(|row| Value::optional(row.certainty.map(Certainty::name))),
        )
        .for_machines(
            "row",
            ColumnType::Name,
            StatsValue::Other(|row| Value::Text(row.kind.name().into())),
        )
}

/// The numbers that people get.
const SHOWN: [&str; 5] = ["games", "won", "drawn", "lost", "score"];

/// The difference in percent with a sign, and how sure it is.
fn difference(row: &StatsRow) -> Value<'_> {
    let found = row.figures.difference.zip(row.certainty);
    Value::optional(found.map(|(difference, certainty)| {
        // What is rounded to 0 is not below it.
        let points = (1000.0 * difference.value).round() / 10.0 + 0.0;
        format!("{points:+5.1} {}", certainty.name())
    }))
}

type FindingValue = for<'r> fn(&'r Finding) -> Value<'r>;

/// The columns of findings, in games of chosen players or of an archive.
pub fn finding_columns(by: &[GroupBy], subject: Subject) -> RowColumns<Finding> {
    let mut columns =
        RowColumns::<Finding>::new().with_name("question", 12, |row| Value::text(&row.question));
    if subject == Subject::Players {
        columns = columns.with_name("color", 5, |row| Value::optional(row.side.as_ref()));
    }
    columns = columns.with("value", Width::LongName(NAME_WIDTH), |row| Value::text(&row.value));
    if by.contains(&GroupBy::Eco) {
        let width = Width::LongName(NAME_WIDTH);
        columns = columns.with("opening", width, |row| Value::optional(row.name.as_ref()));
    }
    let columns = columns
        .opening_en(|row| Value::optional(row.english.as_ref()))
        .with("line", Width::LineShare(2), |row| {
            row.lines.first().map_or(Value::None, |line| Value::text(&line.moves))
        })
        .for_machines("line_games", ColumnType::UInt64, |row| {
            row.lines.first().map_or(Value::None, |line| line.games.into())
        })
        .with("games", Width::Number, |row| row.difference.games.into());
    let share = |columns: RowColumns<_>, (name, rank, value): (_, _, FindingValue)| {
        let kind = ColumnType::Float64;
        let column = Column { kind, rank, ..Column::new(name, Width::Score) };
        columns.with_column(column, None, value)
    };
    let shares: [(&str, usize, FindingValue); 7] = [
        ("score", 3, |row| Value::score(Some(row.difference.score))),
        ("expected", 3, |row| Value::score(Some(row.difference.expected))),
        ("diff", 0, |row| Value::score(Some(row.difference.value))),
        ("diff_low", 4, |row| Value::score(Some(row.difference.interval.low))),
        ("diff_high", 4, |row| Value::score(Some(row.difference.interval.high))),
        ("diff_ratings", 2, |row| Value::score(Some(row.against_ratings))),
        ("estimate", 1, |row| Value::score(Some(row.estimate))),
    ];
    let columns = shares.into_iter().fold(columns, share);
    columns.with("q", Width::Score, |row| Value::Decimal { value: row.q, places: 3 })
}

/// How the values of a field are laid out.
fn width(field: &GroupBy) -> Width {
    match field {
        GroupBy::Family | GroupBy::Variation | GroupBy::Opening => Width::LongName(NAME_WIDTH),
        GroupBy::FirstMoves(_) => Width::LineShare(1),
        _ => Width::AtMost(TEXT_WIDTH),
    }
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

fn number_column(number: Number, subject: Subject) -> Column {
    let (width, kind) = match number.unit {
        Unit::Count => (Width::Number, ColumnType::UInt64),
        Unit::Rating => (Width::Number, ColumnType::UInt16),
        Unit::Share | Unit::Limit => (Width::Score, ColumnType::Float64),
        Unit::Decimal => (Width::Number, ColumnType::Float64),
        Unit::FirstDate | Unit::LastDate => (Width::AtMost(10), ColumnType::Date),
    };
    Column { kind, rank: number.rank, ..Column::new(number.name(subject), width) }
}

fn number_value(unit: Unit, number: Option<f64>) -> Value<'static> {
    let Some(number) = number else { return Value::None };
    match unit {
        Unit::Count | Unit::Rating => Value::Number(number as u64),
        Unit::Share | Unit::Limit => Value::score(Some(number)),
        Unit::Decimal => Value::Decimal { value: number, places: 1 },
        Unit::FirstDate | Unit::LastDate => Value::optional(GameDate::from_number(number as u32)),
    }
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

/// The name of an opening with a short family: `Sicilian: Najdorf Variation`.
fn without_suffix(name: String) -> String {
    let Some((family, rest)) = name.split_once(": ") else { return name };
    let suffixes = [" Opening", " Defense", " Game"].into_iter();
    let short = suffixes.fold(family, |short, suffix| short.strip_suffix(suffix).unwrap_or(short));
    format!("{short}: {rest}")
}

/// The group for people: what it is within is above it.
fn label(row: &StatsRow) -> String {
    let value = || match &row.values[row.level - 1] {
        GroupValue::None => UNKNOWN.to_owned(),
        value => without_suffix(value.to_text()),
    };
    let indent = |depth: usize| " ".repeat(depth);
    match row.kind {
        RowKind::All => "all games".to_owned(),
        RowKind::Others if row.level + 1 < row.values.len() => "others".to_owned(),
        RowKind::Others => indent(1) + "others",
        RowKind::Total => match &*value() {
            "white" => "as White".to_owned(),
            "black" => "as Black".to_owned(),
            value => value.to_owned(),
        },
        RowKind::Group => indent(1) + &value(),
    }
}
