//! `select=`: conditions by their names, as the options of the command line have them, and the games
//! that they select.

use eco::quoted::Quoted;
use eco::{
    catalogue::Catalogue as Openings,
    classify::{Classifier, NamedAt},
    pgn::{Block, Game},
    select::{BlockPeople, GameInfo, Match, People, Selection, Selector},
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{
        PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyList, PyMapping, PySlice, PyString,
        PyTuple,
    },
};

use crate::{
    errors::{
        bad_condition, condition_error, impossible_selection, unknown_condition, unknown_people,
        warn,
    },
    input::Inputs,
};

/// The conditions that have one value.
const SINGLE: [&str; 9] = [
    "color",
    "since",
    "until",
    "rating",
    "rating-of",
    "rated",
    "from-position",
    "min-plies",
    "lasting",
];

/// What games have to fulfil.
#[derive(Clone, Default)]
pub(crate) struct Conditions {
    pub(crate) selection: Selection,
    /// The names that were given, each of which somebody in the games should have.
    pub(crate) people: Vec<String>,
    /// Whether games that begin in another position are asked for, also where the selection has no
    /// position.
    pub(crate) from_position: bool,
}

impl Conditions {
    /// Reads a mapping of conditions. A list has several values; `True` sets a flag; a pair is a
    /// range.
    pub(crate) fn read(select: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(select) = select else { return Ok(Self::default()) };
        let Ok(mapping) = select.cast::<PyMapping>() else {
            return Err(PyTypeError::new_err(
                "select is a dict, such as {'player': 'Tal, Mihail'}",
            ));
        };
        let mut conditions = Vec::new();
        for item in mapping.items()?.iter() {
            let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
            let name = known(&name)?;
            for value in Condition(&name).values(&value)? {
                conditions.push((name.clone(), value));
            }
        }
        let pairs = conditions.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let selection =
            Selection::from_conditions(pairs).map_err(|fault| condition_error(&fault))?;
        let begins = |(name, value): &(String, String)| {
            name == "from-position" && ["1", "true", "yes"].contains(&&**value)
        };
        let from_position = conditions.iter().any(begins);
        let is_person = |name: &str| ["player", "against"].contains(&name);
        let people =
            conditions.into_iter().filter(|(name, value)| is_person(name) && !value.is_empty());
        Ok(Self { selection, people: people.map(|(_, value)| value).collect(), from_position })
    }

    /// The same, for games of collections, which have no numbers.
    pub(crate) fn read_of_kept(select: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let conditions = Self::read(select)?;
        let Selection { games, not, .. } = &conditions.selection;
        if !games.is_empty() || not.iter().any(|not| !not.games.is_empty()) {
            let hint = "`classify` selects games of a file by them";
            let reason = format!("the games of a collection have no numbers; {hint}");
            return Err(bad_condition("game", &reason));
        }
        Ok(conditions)
    }

    /// Finds out what the openings that are asked for mean, of which a UserWarning says what slips
    /// were taken for, and that one of the catalogues has them.
    pub(crate) fn understand_openings(&mut self, catalogues: &[&Openings]) -> PyResult<()> {
        let corrected = self.selection.understand_openings(catalogues);
        let corrected = corrected.map_err(|error| impossible_selection(&error))?;
        Python::attach(|py| corrected.iter().try_for_each(|correction| warn(py, correction)))
    }
}

/// The games of a run that are selected, and the people in them. Workers share it.
pub(crate) struct SelectedGames<'c> {
    /// `None` for all games.
    selector: Option<Selector<'c>>,
    pub(crate) people: People,
}

impl<'c> SelectedGames<'c> {
    pub(crate) fn new(
        conditions: &Conditions,
        inputs: &Inputs,
        classifier: Classifier<'c>,
    ) -> PyResult<Self> {
        let mut conditions = conditions.clone();
        conditions.understand_openings(&[classifier.catalogue()])?;
        let Conditions { selection, people, .. } = &conditions;
        // Who is not in a part of a file may be in another one.
        let people = if inputs.have_parts() { Vec::new() } else { people.clone() };
        let selector =
            (!selection.is_everything()).then(|| Selector::new(selection.clone(), classifier));
        Ok(Self { selector, people: People::new(people) })
    }

    /// What selects the games of a block; `None` if all games are selected.
    pub(crate) fn in_block<'g>(&self) -> Option<BlockSelection<'_, 'c, 'g>> {
        let selector = self.selector.as_ref()?;
        Some(BlockSelection { selector, people: self.people.in_block(), info: GameInfo::default() })
    }

    /// Which games are selected.
    pub(crate) fn selection(&self) -> Selection {
        self.selector.as_ref().map(|selector| selector.selection().clone()).unwrap_or_default()
    }

    /// Looks for the people in a block, whose games something else selects.
    pub(crate) fn meet_people(&self, block: &Block) {
        if let Some(mut selection) = self.in_block() {
            block.games().for_each(|game| selection.meet(&game));
        }
    }

    /// Checks that the people who were asked for are found, once all games are read.
    pub(crate) fn check_people(&self) -> PyResult<()> {
        let missing = self.people.missing();
        if missing.is_empty() { Ok(()) } else { Err(unknown_people(&missing)) }
    }
}

/// Selects games of a block.
pub(crate) struct BlockSelection<'s, 'c, 'g> {
    selector: &'s Selector<'c>,
    people: BlockPeople<'s>,
    info: GameInfo<'g>,
}

impl<'c, 'g> BlockSelection<'_, 'c, 'g> {
    /// How a game is selected, if it is. `named` names it, where that decides.
    pub(crate) fn select_named(
        &mut self,
        game: &Game<'g>,
        named: impl FnOnce() -> Option<NamedAt<'c>>,
    ) -> Option<Match> {
        self.meet(game);
        self.selector.select_named(&self.info, named)
    }

    fn meet(&mut self, game: &Game<'g>) {
        self.info.read_next(game);
        self.people.meet(&self.info);
    }

    /// Whether a game, of whose block nothing is remembered, is selected.
    pub(crate) fn select(&mut self, game: &Game<'_>) -> bool {
        let info = GameInfo::read(game);
        self.people.meet(&info);
        self.selector.select(&info).is_some()
    }
}

/// The name of a condition as the library has it.
fn known(name: &str) -> PyResult<String> {
    let hyphenated = name.replace('_', "-");
    if Selection::CONDITIONS.contains(&hyphenated.as_str()) {
        return Ok(hyphenated);
    }
    let known: Vec<String> = Selection::CONDITIONS.iter().map(|n| n.replace('-', "_")).collect();
    let message = format!("no condition {}; there are {}", Quoted(name), known.join(", "));
    Err(unknown_condition(message, name, known))
}

/// A condition, by the name that the library has.
struct Condition<'a>(&'a str);

impl Condition<'_> {
    fn bad(&self, reason: &str) -> PyErr {
        bad_condition(&self.0.replace('-', "_"), reason)
    }

    /// It is of a type that no condition has, or not this one.
    fn mistyped(&self, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
        let found = value.repr().map_or_else(|_| "that".to_owned(), |text| text.to_string());
        let name = self.0.replace('-', "_");
        PyTypeError::new_err(format!("{name}: expected {expected}, not {found}"))
    }

    /// The values as texts; none for `None`.
    fn values(&self, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        if value.is_none() {
            return Ok(Vec::new());
        }
        if self.0 == "rating"
            && let Some(range) = pair(value)?
        {
            return Ok(vec![self.range("..", &range)?]);
        }
        // A list of games is several games.
        if self.0 == "game"
            && value.is_instance_of::<PyTuple>()
            && let Some(range) = pair(value)?
        {
            return Ok(vec![self.range("-", &range)?]);
        }
        if value.is_instance_of::<PySlice>() {
            return Err(self.mistyped("a pair, such as (7, 12) or (7, None)", value));
        }
        if let Ok(tags) = value.cast::<PyDict>() {
            return if self.0 == "not" { excluded(tags) } else { self.tags(tags) };
        }
        if is_bytes(value) || is_text(value) {
            return Ok(vec![self.text(value)?]);
        }
        let Ok(items) = value.try_iter() else { return Ok(vec![self.text(value)?]) };
        let texts = items.map(|item| self.text(&item?)).collect::<PyResult<Vec<String>>>()?;
        if SINGLE.contains(&self.0) && texts.len() > 1 {
            return Err(self.bad(match self.0 {
                "rating" => "expected a pair, such as (2000, 2200) or (2000, None)",
                _ => "expected one value, not several",
            }));
        }
        Ok(texts)
    }

    /// One value as a text: a text, a number, a date, or whether a flag is set.
    fn text(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        let is_flag = ["rated", "from-position"].contains(&self.0);
        if let Ok(is_set) = value.cast::<PyBool>() {
            return match is_flag {
                true => Ok(is_set.is_true().to_string()),
                false => Err(self.mistyped("a text or a number", value)),
            };
        }
        if value.is_instance_of::<PyString>() {
            return value.extract();
        }
        if value.is_none() || is_bytes(value) {
            return Err(self.mistyped("a text (str)", value));
        }
        if value.is_instance_of::<PyFloat>() {
            return Err(self.mistyped("a whole number (int)", value));
        }
        let is_date = ["since", "until"].contains(&self.0);
        let text = match value.getattr_opt("isoformat")? {
            Some(isoformat) if is_date => isoformat.call0()?.to_string(),
            _ => value.str()?.to_string(),
        };
        // Of a moment, the day counts.
        Ok(match text.split_once('T') {
            Some((day, _)) if is_date && !day.is_empty() => day.to_owned(),
            _ => text,
        })
    }

    /// A range as the command line has it. An end that is `None` is open.
    fn range(&self, between: &str, ends: &[Bound<'_, PyAny>; 2]) -> PyResult<String> {
        let end = |end: &Bound<'_, PyAny>| match end.is_none() {
            true => Ok(String::new()),
            false => self.text(end),
        };
        Ok(format!("{}{between}{}", end(&ends[0])?, end(&ends[1])?))
    }

    /// Tags and their values, of which a list has several. `None` is a tag that is missing.
    fn tags(&self, tags: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
        if self.0 != "tag" {
            return Err(self.mistyped("a text or several", tags));
        }
        let mut texts = Vec::new();
        for (tag, value) in tags {
            let tag = self.text(&tag)?;
            let mut add = |value: &Bound<'_, PyAny>| -> PyResult<()> {
                let value = if value.is_none() { String::new() } else { self.text(value)? };
                texts.push(format!("{tag}={value}"));
                Ok(())
            };
            match value.try_iter() {
                Ok(values) if !(is_text(&value) || is_bytes(&value)) => {
                    let values = values.collect::<PyResult<Vec<_>>>()?;
                    if values.is_empty() {
                        return Err(self.bad(&format!("no value for {tag}")));
                    }
                    values.iter().try_for_each(add)?;
                }
                _ => add(&value)?,
            }
        }
        Ok(texts)
    }
}

/// Conditions that leave games out, with values as those that select them have.
fn excluded(conditions: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    let mut texts = Vec::new();
    for (name, value) in conditions {
        let name = known(&name.extract::<String>()?)?;
        let values = Condition(&name).values(&value)?;
        texts.extend(values.into_iter().map(|value| format!("{name}={value}")));
    }
    Ok(texts)
}

fn is_text(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyString>()
}

fn is_bytes(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>()
}

/// The two numbers of a tuple or a list that may be the ends of a range.
fn pair<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
    if !(value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>()) {
        return Ok(None);
    }
    let [start, end] = &value.try_iter()?.collect::<PyResult<Vec<_>>>()?[..] else {
        return Ok(None);
    };
    Ok(Some([start.clone(), end.clone()]))
}
