//! `stats`: what was played and how it scored.

use std::mem;

use eco::{
    catalogue::Catalogue as Openings,
    classify::Classifier,
    output::{columns::BatchLayout, stats_columns},
    pipeline::{self, Counters, Options},
    select::{GameInfo, Selection, Selector},
    stats::{
        Counter, GroupBy, Grouping, Number, Perspective, RowOptions, ScoredGame, SortBy, Subject,
    },
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyString};

use crate::{
    catalogue::Catalogue,
    classify::options,
    errors::{FieldError, unknown_name},
    input::{Fed, Inputs},
    interrupt::{self, Wanted},
    selection::read_selection,
    table::Table,
};

/// A worker whose counts have more groups adds them to the total and begins again. This bounds the
/// memory of many workers.
const MAX_GROUPS: usize = 1 << 16;

/// What was played and how it scored: the rows of `eco stats`, as a Table.
///
/// `by` has one field or two, of which the second divides the groups of the first. `top` shows
/// that many groups and adds up the others, as it does those with fewer than `min_games`; `sort`
/// is a column. The rest is as for `classify`.
///
/// >>> import eco_openings as eco
/// >>> pgn = b'[White "A"]\n[Result "1-0"]\n\n1. e4 c5 1-0\n\n[White "B"]\n[Result "1/2-1/2"]\n\n1. e4 c5 1/2-1/2\n'
/// >>> row = eco.stats(pgn, by="family").rows()[1]
/// >>> row["family"], row["games"], row["score"]
/// ('Sicilian Defense', 2, 75.0)
#[pyfunction]
#[pyo3(signature = (
    games, *, by = None, select = None, top = None, sort = None, min_games = 1, db = None,
    threads = None,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn stats(
    py: Python<'_>,
    games: &Bound<'_, PyAny>,
    by: Option<&Bound<'_, PyAny>>,
    select: Option<&Bound<'_, PyAny>>,
    top: Option<usize>,
    sort: Option<&str>,
    min_games: u64,
    db: Option<&Bound<'_, PyAny>>,
    threads: Option<usize>,
) -> PyResult<Table> {
    let by = read_by(by)?;
    let selection = read_selection(select)?;
    let subject = subject(&selection, &by);
    let mut rows = RowOptions::default();
    (rows.top, rows.min_games) = (top, min_games);
    rows.sort = sort.map(|column| read_sort(column, &by)).transpose()?;
    let run = Count {
        inputs: Inputs::new(games)?,
        catalogue: Catalogue::of_argument(db)?,
        options: options(threads)?,
        selection,
    };
    let counter = interrupt::run(py, |wanted| run.count(&by, wanted))?;
    let layout = BatchLayout::new(stats_columns(&by, subject));
    let mut builder = layout.builder();
    let counted = counter.finish();
    let breakdown = &counted.breakdowns[0];
    breakdown.rows(&rows).iter().for_each(|row| layout.write(row, &mut builder));
    Ok(Table::new(layout.schema(), vec![builder.finish()]))
}

/// The games that are counted.
struct Count {
    inputs: Inputs,
    catalogue: Catalogue,
    options: Options,
    selection: Selection,
}

impl Count {
    fn count(&self, by: &[GroupBy], wanted: &Wanted) -> PyResult<Counter> {
        let openings: &Openings = self.catalogue.openings();
        let classifier = Classifier::new(openings);
        let is_everything = self.selection.is_everything();
        let selector = (!is_everything).then(|| Selector::new(self.selection.clone(), classifier));
        let empty = Counter::new(openings, &[Grouping::new(by.to_vec())]);
        let counters = Counters::new(|| empty.empty());
        let mut total = empty.empty();
        let count = |fed| {
            counters.with(|part: &mut Counter| {
                count_chunk(classifier, selector.as_ref(), part, fed);
                let is_full = part.group_count() > MAX_GROUPS;
                is_full.then(|| mem::replace(part, empty.empty()))
            })
        };
        let add = |full: Option<Counter>| {
            full.into_iter().for_each(|part| total.merge(part));
            wanted.check()
        };
        let read = &Default::default();
        let feed = |push: &mut pipeline::Feed<'_, Fed, PyErr>| {
            self.inputs.feed(self.options.blocks, read, push, &Err)
        };
        pipeline::run(&self.options.workers, feed, count, add)?;
        counters.into_inner().into_iter().for_each(|part| total.merge(part));
        Ok(total)
    }
}

fn count_chunk<'c>(
    classifier: Classifier<'c>,
    selector: Option<&Selector<'c>>,
    counter: &mut Counter,
    fed: Fed,
) {
    let block = fed.chunk.into_block();
    let mut info = GameInfo::default();
    for game in block.games() {
        let (mut known, mut sides) = (None, Vec::new());
        if let Some(selector) = selector {
            info.read_next(&game);
            let named = || known.insert(ScoredGame::read(&classifier, &game)).named();
            let Some(found) = selector.select_named(&info, named) else { continue };
            sides = found.sides().collect();
        }
        let scored = known.unwrap_or_else(|| ScoredGame::read(&classifier, &game));
        let info = counter.needs_more_tags().then(|| GameInfo::read(&game));
        counter.add(&scored, info.as_ref(), &fed.source, Perspective::of(&sides));
    }
}

/// The fields that games are grouped by.
fn read_by(by: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<GroupBy>> {
    let names: Vec<String> = match by {
        None => vec!["eco".to_owned()],
        Some(by) => match by.cast::<PyString>() {
            Ok(list) => list.to_str()?.split(',').map(|name| name.trim().to_owned()).collect(),
            Err(_) => by.extract()?,
        },
    };
    let fields = names.iter().map(|name| {
        // As everywhere in Python, words may be joined by underscores.
        let name = name.replace('_', "-");
        name.parse().map_err(|error: eco::stats::ParseGroupByError| {
            FieldError::new_err((error.to_string(), name.clone()))
        })
    });
    let fields: Vec<GroupBy> = fields.collect::<PyResult<_>>()?;
    match &fields[..] {
        [] => Err(PyValueError::new_err("by names one field or two")),
        [first, second] if first == second => {
            Err(PyValueError::new_err(format!("{first} is named twice")))
        }
        [_] | [_, _] => Ok(fields),
        _ => Err(PyValueError::new_err("at most two fields can be nested")),
    }
}

fn read_sort(column: &str, by: &[GroupBy]) -> PyResult<SortBy> {
    match column.parse::<Number>() {
        Ok(number) => Ok(SortBy::Number(number)),
        Err(_) if by.iter().any(|field| field.column() == column) => Ok(SortBy::Value),
        Err(error) => {
            let known = by.iter().map(|field| field.column().to_string()).collect();
            Err(unknown_name(error.to_string(), column, known))
        }
    }
}

/// Whether the games are those of players: if players or their opponents were asked for, and in
/// groups of a side.
fn subject(selection: &Selection, by: &[GroupBy]) -> Subject {
    let asks_for_somebody = !(selection.players.is_empty() && selection.opponents.is_empty());
    match asks_for_somebody || by.iter().any(GroupBy::is_of_a_side) {
        true => Subject::Players,
        false => Subject::Archive,
    }
}
