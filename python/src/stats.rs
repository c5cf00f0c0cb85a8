//! `stats`: what was played and how it scored.

use std::mem;

use eco::{
    catalogue::Catalogue as Openings,
    chess::Color,
    classify::Classifier,
    executor::{Executor, Feed},
    output::{
        columns::{BatchLayout, origin},
        finding_columns, stats_columns,
    },
    pgn::Block,
    pipeline::{Counters, Options},
    select::{GameInfo, Selection},
    stats::{
        Counted, Counter, GroupBy, Grouping, Number, ParseGroupByError, Perspective, RowOptions,
        ScoredGame, SortBy, Subject, Totals, is_question,
    },
};
use pyo3::{prelude::*, types::PyString};

use crate::{
    arguments::{self, limit as read_limit, options, whole},
    catalogue::Catalogue,
    errors::{ArgumentError, unknown_name},
    input::{Fed, Inputs, LastGames},
    interrupt::{self, Wanted},
    selection::{Conditions, SelectedGames},
    table::Table,
};

/// A worker whose counts have more groups adds them to the total and begins again. This bounds the
/// memory of many workers.
const MAX_GROUPS: usize = 1 << 16;

/// What was played and how it scored: the rows of `eco stats`, as a Table.
///
/// `by` has one field or two, of which the second divides the groups of the first; without it games
/// are grouped by variation, and the colours of a chosen player are apart. `limit` keeps that many
/// groups, or that many within each group, and leaves out the others, as `min_games` leaves out
/// groups with fewer games. With totals=True rows count all games, and those of groups that are
/// left out; the column `row` tells them apart. `sort` is a column.
/// The other arguments are those of `classify`.
///
/// strengths=True and weaknesses=True give the openings, speeds, hours and others that score better
/// or worse than all games, beyond chance, as the options of `eco stats` do; `by` then says what is
/// asked.
///
/// >>> import eco_openings as eco
/// >>> pgn = b'[White "A"]\n[Result "1-0"]\n\n1. e4 c5 1-0\n\n'
/// >>> pgn += b'[White "B"]\n[Result "1/2-1/2"]\n\n1. e4 c5 1/2-1/2\n'
/// >>> row = eco.stats(pgn, by="family").rows()[0]
/// >>> row["family"], row["games"], row["score"]
/// ('Sicilian Defense', 2, 75.0)
#[pyfunction]
#[pyo3(signature = (
    games, *, by = None, select = None, collection = None, limit = None, totals = false,
    sort = None, min_games = 1, strengths = false, weaknesses = false, catalogue = None,
    threads = None,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn stats(
    py: Python<'_>,
    games: &Bound<'_, PyAny>,
    by: Option<&Bound<'_, PyAny>>,
    select: Option<&Bound<'_, PyAny>>,
    collection: Option<&Bound<'_, PyAny>>,
    limit: Option<isize>,
    totals: bool,
    sort: Option<&str>,
    min_games: isize,
    strengths: bool,
    weaknesses: bool,
    catalogue: Option<&Bound<'_, PyAny>>,
    threads: Option<isize>,
) -> PyResult<Table> {
    let limit = read_limit(limit)?;
    let min_games = whole("min_games", Some(min_games))?.unwrap_or_default() as u64;
    let mut conditions = Conditions::read(select)?;
    let by = match by {
        Some(by) => read_by(by)?,
        None if strengths || weaknesses => Vec::new(),
        None => default_by(&conditions.selection),
    };
    let grouped: &[GroupBy] = if strengths || weaknesses { &[] } else { &by };
    let subject = subject(&conditions.selection, grouped);
    let mut rows = RowOptions::default();
    (rows.top, rows.min_games, rows.subject) = (Some(limit), min_games, subject);
    rows.totals = if totals { Totals::Shown } else { Totals::Hidden };
    rows.sort = sort.map(|column| read_sort(column, &by)).transpose()?;
    let listing = match (strengths, weaknesses) {
        (false, false) => Listing::Rows(rows),
        _ if sort.is_some() || totals || min_games != 1 || strengths == weaknesses => {
            let text = "strengths and weaknesses go neither together nor with sort, totals or \
                        min_games";
            return Err(ArgumentError::new_err(text));
        }
        _ => Listing::findings(
            &by,
            if strengths { Tendency::Strengths } else { Tendency::Weaknesses },
            // Findings of one colour are found among those of both.
            if subject == Subject::Players { conditions.selection.color.take() } else { None },
            limit,
            subject,
        )?,
    };
    let run = Count {
        inputs: Inputs::new(games)?.with_collections(collection)?,
        catalogue: Catalogue::of_argument(catalogue)?,
        options: options(threads.map(arguments::threads).transpose()?),
        conditions,
        last_games: LastGames::default(),
    };
    let empty = listing.counter(run.catalogue.openings(), &by, subject);
    let counter = interrupt::run(py, |wanted| run.count(&empty, wanted));
    let counter = counter.inspect_err(|error| run.last_games.locate(py, error))?;
    let openings = run.catalogue.openings();
    Ok(listing.table(counter.finish(openings), openings, &by, subject))
}

/// What is wanted of what is counted.
enum Listing {
    Rows(RowOptions),
    /// The colour of those that are listed, and the most of them.
    Findings(Tendency, Option<Color>, usize),
}

/// Which findings are wanted.
enum Tendency {
    Strengths,
    Weaknesses,
}

impl Listing {
    fn findings(
        by: &[GroupBy],
        tendency: Tendency,
        color: Option<Color>,
        limit: usize,
        subject: Subject,
    ) -> PyResult<Self> {
        match by.iter().find(|field| !is_question(field, subject)) {
            None => Ok(Self::Findings(tendency, color, limit)),
            Some(field) => {
                let text = format!("{field} is no strength or weakness of these games");
                Err(ArgumentError::new_err(text))
            }
        }
    }

    /// What counts the games.
    fn counter(&self, openings: &Openings, by: &[GroupBy], subject: Subject) -> Counter {
        match self {
            Self::Rows(_) => Counter::new(openings, &[Grouping::new(by.to_vec())]).with_comments(),
            Self::Findings(..) => Counter::for_findings(openings, subject, by),
        }
    }

    fn table(
        &self,
        counted: Counted,
        openings: &Openings,
        by: &[GroupBy],
        subject: Subject,
    ) -> Table {
        match self {
            Self::Rows(options) => {
                let breakdown = &counted.breakdowns[0];
                let columns = stats_columns(&breakdown.by, subject);
                let layout = BatchLayout::new(columns).with_metadata(origin([openings]));
                let mut rows = layout.builder(0);
                breakdown.rows(options).iter().for_each(|row| layout.write(row, &mut rows));
                Table::new(layout.schema(), vec![rows.finish()])
            }
            Self::Findings(tendency, color, limit) => {
                let mut findings = counted.findings.unwrap_or_default();
                if let Some(color) = color {
                    findings = findings.with_color(*color);
                }
                let found = match tendency {
                    Tendency::Strengths => &findings.strengths,
                    Tendency::Weaknesses => &findings.weaknesses,
                };
                let columns = finding_columns(by, subject);
                let layout = BatchLayout::new(columns).with_metadata(origin([openings]));
                let mut rows = layout.builder(0);
                let shown = found.iter().take(*limit);
                shown.for_each(|finding| layout.write(finding, &mut rows));
                Table::new(layout.schema(), vec![rows.finish()])
            }
        }
    }
}

/// The games that are counted.
struct Count {
    inputs: Inputs,
    catalogue: Catalogue,
    options: Options,
    conditions: Conditions,
    last_games: LastGames,
}

impl Count {
    fn count(&self, empty: &Counter, wanted: &Wanted) -> PyResult<Counter> {
        let openings: &Openings = self.catalogue.openings();
        let classifier = Classifier::new(openings);
        let selected = SelectedGames::new(&self.conditions, &self.inputs, classifier)?;
        let counters = Counters::new(|| empty.clone());
        let mut total = empty.clone();
        let count = |fed: Fed| {
            counters.with(|part: &mut Counter| {
                let source = fed.source;
                let (block, _) = fed.games.into_block();
                self.last_games.note(&source, &block);
                count_block(classifier, &selected, part, &source, &block);
                let is_full = part.group_count() > MAX_GROUPS;
                is_full.then(|| mem::replace(part, empty.clone()))
            })
        };
        let add = |full: Option<Counter>| {
            full.into_iter().for_each(|part| total.merge(part));
            wanted.check()
        };
        let read = &Default::default();
        let feed = |push: &mut Feed<'_, Fed, PyErr>| {
            self.inputs.feed(self.options.blocks, read, Some(&selected), push, &Err)
        };
        self.options.workers.run(feed, count, add)?;
        selected.check_people()?;
        counters.into_inner().into_iter().for_each(|part| total.merge(part));
        Ok(total)
    }
}

fn count_block<'c>(
    classifier: Classifier<'c>,
    selected: &SelectedGames<'c>,
    counter: &mut Counter,
    source: &str,
    block: &Block,
) {
    let mut selection = selected.in_block();
    for game in block.games() {
        let (mut known, mut sides) = (None, Vec::new());
        if let Some(selection) = &mut selection {
            let named = || known.insert(ScoredGame::read(&classifier, &game)).named();
            let Some(found) = selection.select_named(&game, named) else { continue };
            sides = found.sides().collect();
        }
        let scored = known.unwrap_or_else(|| ScoredGame::read(&classifier, &game));
        let info = counter.needs_more_tags().then(|| GameInfo::read(&game));
        counter.add(&scored, info.as_ref(), source, Perspective::of(&sides));
    }
}

/// The fields that games are grouped by.
fn read_by(by: &Bound<'_, PyAny>) -> PyResult<Vec<GroupBy>> {
    let names: Vec<String> = match by.cast::<PyString>() {
        Ok(list) => list.to_str()?.split(',').map(|name| name.trim().to_owned()).collect(),
        Err(_) => arguments::texts(by)?,
    };
    let fields = names.iter().map(|name| {
        // As everywhere in Python, words may be joined by underscores; tags have their own names.
        let is_tag = name.starts_with("tag:");
        let name = if is_tag { name.clone() } else { name.replace('_', "-") };
        name.parse().map_err(|error: ParseGroupByError| {
            let known = ParseGroupByError::known().into_iter().map(str::to_owned).collect();
            unknown_name(error.to_string(), &name, known)
        })
    });
    let fields: Vec<GroupBy> = fields.collect::<PyResult<_>>()?;
    match &fields[..] {
        [] => Err(ArgumentError::new_err("by names one field or two")),
        [first, second] if first == second => {
            Err(ArgumentError::new_err(format!("{first} is named twice")))
        }
        [_] | [_, _] => Ok(fields),
        _ => Err(ArgumentError::new_err("at most two fields can be nested")),
    }
}

/// What games are grouped by where nothing else is asked for. A player is another one as White
/// than as Black.
fn default_by(selection: &Selection) -> Vec<GroupBy> {
    match asks_for_somebody(selection) && selection.color.is_none() {
        true => vec![GroupBy::Color, GroupBy::Variation],
        false => vec![GroupBy::Variation],
    }
}

fn read_sort(column: &str, by: &[GroupBy]) -> PyResult<SortBy> {
    match column.parse::<Number>() {
        Ok(number) => Ok(SortBy::Number(number)),
        Err(_) if by.iter().any(|field| field.column() == column) => Ok(SortBy::Value),
        Err(error) => {
            let fields = by.iter().map(|field| field.column().to_string());
            let numbers = Number::names().map(str::to_owned);
            Err(unknown_name(error.to_string(), column, fields.chain(numbers).collect()))
        }
    }
}

/// Whether the games are those of players: if players or their opponents were asked for, and in
/// groups of a side.
fn subject(selection: &Selection, by: &[GroupBy]) -> Subject {
    match asks_for_somebody(selection) || by.iter().any(GroupBy::is_of_a_side) {
        true => Subject::Players,
        false => Subject::Archive,
    }
}

fn asks_for_somebody(selection: &Selection) -> bool {
    !(selection.players.is_empty() && selection.opponents.is_empty())
}
