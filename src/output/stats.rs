//! The rows of `stats`, and of `classify --summary`: games by code and by family, the most frequent
//! first.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    ColumnSet, ColumnType, Row, Value, Width,
    column::{Audience, Column},
};
use crate::stats::{
    Difference, Figures, Finding, GroupBy, GroupValue, RowKind, StatsRow, Subject, Summary,
};

type ValueOf<R> = for<'r> fn(&'r R) -> Value<'r>;

type Columns<R> = ColumnSet<ValueOf<R>>;

/// A name keeps this width in a table as long as other columns can be left out.
const NAME_WIDTH: usize = 24;

/// The most that a player or an event takes of a table.
const TEXT_WIDTH: usize = 28;

/// Stands for what games do not say, in tables.
const UNKNOWN: &str = "unknown";

/// What a table of rows leaves out first where it has not room for all. Games, score and what lies
/// between it and expectation are what people look for.
const LEFT_OUT_OF_ROWS: [&[&str]; 9] = [
    &["first", "last"],
    &["plies", "exit"],
    &["per_1000"],
    &["performance"],
    &["rated", "expected"],
    &["white", "won", "draws", "drawn", "black", "lost"],
    &["low", "high"],
    &["diff_low", "diff_high"],
    &["diff"],
];

/// What a table of findings, which are about the difference, leaves out first.
const LEFT_OUT_OF_FINDINGS: [&[&str]; 8] = [
    &["first", "last"],
    &["plies", "exit"],
    &["white", "won", "draws", "drawn", "black", "lost"],
    &["low", "high"],
    &["games", "score"],
    &["diff_low", "diff_high"],
    &["expected"],
    &["rated"],
];

/// Rows with the numbers of games.
trait HasFigures {
    fn figures(&self) -> &Figures;

    /// Their score against what was expected.
    fn difference(&self) -> Option<&Difference> {
        self.figures().difference.as_ref()
    }

    fn has_intervals(&self) -> bool {
        true
    }
}

impl HasFigures for StatsRow {
    fn figures(&self) -> &Figures {
        &self.figures
    }

    fn has_intervals(&self) -> bool {
        self.has_intervals
    }
}

impl HasFigures for Finding {
    fn figures(&self) -> &Figures {
        &self.figures
    }

    fn difference(&self) -> Option<&Difference> {
        Some(&self.difference)
    }
}

/// The columns of rows that are grouped in this way. Of players, games are won, drawn and lost; of
/// an archive, White wins or Black.
#[must_use]
pub fn stats_columns(
    by: &[GroupBy],
    subject: Subject,
) -> ColumnSet<for<'r> fn(&'r StatsRow) -> Value<'r>> {
    let mut columns = Columns::<StatsRow>::new();
    for (place, field) in by.iter().enumerate() {
        let (machine, human): (ValueOf<StatsRow>, ValueOf<StatsRow>) = match place {
            0 => (|row| value(row, 0), |row| label(row, 0)),
            _ => (|row| value(row, 1), |row| label(row, 1)),
        };
        columns = with_value(columns, field, Some(Audience::Machine), machine);
        columns = with_value(columns, field, Some(Audience::Human), human);
        if *field == GroupBy::Eco && !by.contains(&GroupBy::Opening) {
            columns = columns.with("opening", Width::LongName(NAME_WIDTH), |row| {
                Value::text(row.name.as_deref().unwrap_or_default())
            });
        }
    }
    let columns = with_scores(columns, subject);
    let columns = with_difference(columns)
        .with("performance", Width::Number, |row| row.figures.performance.into())
        .of(ColumnType::UInt16);
    with_lengths(with_tenths(columns, [("per_1000", |row| tenths(Some(row.per_1000)))]))
        .for_machines("row", ColumnType::Name, |row| Value::Text(row.kind.name().into()))
        .leaving_out_first(&LEFT_OUT_OF_ROWS)
}

/// The columns of findings among the openings of this field.
#[must_use]
pub fn finding_columns(
    field: &GroupBy,
    subject: Subject,
) -> ColumnSet<for<'r> fn(&'r Finding) -> Value<'r>> {
    let mut columns = Columns::<Finding>::new();
    if subject == Subject::Players {
        columns = columns
            .with("color", Width::AtMost(5), |row| Value::optional(row.side.as_ref()))
            .of(ColumnType::Name);
    }
    columns = with_value(columns, field, None, |row| Value::text(&row.opening));
    if *field == GroupBy::Eco {
        columns =
            columns.with("opening", Width::LongName(NAME_WIDTH), |row| Value::text(&row.name));
    }
    columns = columns
        .with("line", Width::LineShare(2), |row| {
            row.lines.first().map_or(Value::None, |line| Value::text(&line.moves))
        })
        .for_machines("line_games", ColumnType::UInt64, |row| {
            row.lines.first().map(|line| line.games).into()
        });
    let columns = with_tenths(columns, [("estimate", |row| percent(Some(row.estimate)))]);
    let columns = with_difference(columns);
    with_lengths(with_scores(columns, subject)).leaving_out_first(&LEFT_OUT_OF_FINDINGS)
}

fn with_value<R>(
    columns: Columns<R>,
    field: &GroupBy,
    audience: Option<Audience>,
    value: ValueOf<R>,
) -> Columns<R> {
    let (width, kind) = match field {
        GroupBy::Family | GroupBy::Variation | GroupBy::Opening => {
            (Width::LongName(NAME_WIDTH), ColumnType::Name)
        }
        GroupBy::FirstMoves(_) => (Width::LineShare(1), ColumnType::Text),
        GroupBy::Year | GroupBy::Hour => (Width::AtMost(TEXT_WIDTH), ColumnType::UInt16),
        GroupBy::Player
        | GroupBy::Opponent
        | GroupBy::Month
        | GroupBy::Event
        | GroupBy::Termination
        | GroupBy::Tag(_) => (Width::AtMost(TEXT_WIDTH), ColumnType::Text),
        _ => (Width::AtMost(TEXT_WIDTH), ColumnType::Name),
    };
    columns.with_column(Column { kind, ..Column::new(field.column(), width) }, audience, value)
}

/// Adds columns of numbers with one decimal.
fn with_tenths<R, const N: usize>(
    columns: Columns<R>,
    added: [(&'static str, ValueOf<R>); N],
) -> Columns<R> {
    added.into_iter().fold(columns, |columns, (name, value)| {
        columns.with(name, Width::Number, value).of(ColumnType::Float64)
    })
}

fn with_scores<R: HasFigures>(columns: Columns<R>, subject: Subject) -> Columns<R> {
    let [won, drawn, lost] = match subject {
        Subject::Archive => ["white", "draws", "black"],
        Subject::Players => ["won", "drawn", "lost"],
    };
    let columns = columns
        .with("games", Width::Number, |row| row.figures().games.into())
        .with(won, Width::Number, |row| row.figures().won.into())
        .with(drawn, Width::Number, |row| row.figures().drawn.into())
        .with(lost, Width::Number, |row| row.figures().lost.into());
    with_tenths(
        columns,
        [
            ("score", |row| percent(row.figures().score)),
            ("low", |row| limit(row, row.figures().interval.map(|interval| interval.low))),
            ("high", |row| limit(row, row.figures().interval.map(|interval| interval.high))),
        ],
    )
}

/// Adds columns of what ratings predict, and the difference from it.
fn with_difference<R: HasFigures>(columns: Columns<R>) -> Columns<R> {
    let columns = columns.with("rated", Width::Number, |row| row.figures().rated().into());
    with_tenths(
        columns,
        [
            ("expected", |row| percent(row.difference().map(|found| found.expected))),
            ("diff", |row| percent(row.difference().map(|found| found.value))),
            ("diff_low", |row| limit(row, row.difference().map(|found| found.interval.low))),
            ("diff_high", |row| limit(row, row.difference().map(|found| found.interval.high))),
        ],
    )
}

fn with_lengths<R: HasFigures>(columns: Columns<R>) -> Columns<R> {
    let columns = with_tenths(
        columns,
        [("plies", |row| tenths(row.figures().plies)), ("exit", |row| tenths(row.figures().exit))],
    );
    columns
        .with("first", Width::AtMost(10), |row| Value::optional(row.figures().first.as_ref()))
        .of(ColumnType::Date)
        .with("last", Width::AtMost(10), |row| Value::optional(row.figures().last.as_ref()))
        .of(ColumnType::Date)
}

fn percent(share: Option<f64>) -> Value<'static> {
    tenths(share.map(|share| 100.0 * share))
}

/// A limit of an interval, where intervals mean something.
fn limit(row: &impl HasFigures, limit: Option<f64>) -> Value<'static> {
    percent(limit.filter(|_| row.has_intervals()))
}

fn tenths(number: Option<f64>) -> Value<'static> {
    number.map_or(Value::None, |value| Value::Decimal { value, places: 1 })
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
            .with("percent", Width::Number, |row| percent(Some(row.share)))
            .of(ColumnType::Float64)
    }
}

/// The most frequent first; equals in the order of their names.
fn by_frequency<K>(counts: &BTreeMap<K, u64>) -> Vec<(&K, u64)> {
    let mut sorted: Vec<(&K, u64)> = counts.iter().map(|(key, count)| (key, *count)).collect();
    sorted.sort_by_key(|(_, count)| Reverse(*count));
    sorted
}
