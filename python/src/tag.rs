//! `tag`: openings written into games.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use eco::quoted::Quoted;
use eco::{
    classify::Classifier,
    executor::Executor,
    pgn::{Compression, Encoder},
    pipeline::Options,
    replace::{ReplaceError, Replacement},
    tag::{Changes, ExtendedTag, Names, Policy, TagOptions, Tagger, Unknown},
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBool, PyBytes, PyString},
};

use crate::{
    arguments::{self, options},
    catalogue::Catalogue,
    errors::{ArgumentError, os_error, unknown_name},
    input::{Fed, Inputs, LastGames, is_openable},
    interrupt::{self, Wanted},
    paths,
    selection::{Conditions, SelectedGames},
    shutdown,
};

/// What `tag` did. Each game is counted once in changed, correct, no_opening, excluded, no_tags and
/// damaged.
#[pyclass(frozen, get_all, eq, module = "eco_openings")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tagged {
    /// All games.
    games: u64,
    /// Those that were changed.
    changed: u64,
    /// Those whose tags were right.
    correct: u64,
    /// Those without an opening.
    no_opening: u64,
    /// Those that `only` leaves alone.
    excluded: u64,
    /// Those without tags, which cannot get any.
    no_tags: u64,
    /// Those whose tags are damaged.
    damaged: u64,
    /// Those with an error in their moves.
    errors: u64,
}

#[pymethods]
impl Tagged {
    fn __repr__(&self) -> String {
        let Self { games, changed, correct, no_opening, excluded, no_tags, damaged, errors } = self;
        format!(
            "Tagged(games={games}, changed={changed}, correct={correct}, no_opening={no_opening}, \
             excluded={excluded}, no_tags={no_tags}, damaged={damaged}, errors={errors})"
        )
    }
}

/// Writes the opening into the tags of every game, and changes nothing else: what `eco tag` does.
///
/// `output` is a path, whose name says how it is compressed (.gz, .bz2, .xz, .zst) and which is
/// replaced only once all is written, or an object with `write`. No input, position database or
/// write-protected file is replaced (ArgumentError, PermissionError); a pipe or a device is written
/// to. `names` is "full" or "split" (over
/// Opening, Variation and SubVariation); `only` is "all", "missing" or "changed". `add` has one or
/// several of "source", "move-order" and "code:TAG", more tags that are written. strip=True, or
/// "all", removes the tags and sets none; "unknown" removes those of games without an opening.
/// Games that `select` leaves out are copied. The rest is as for `classify`.
///
/// >>> import eco_openings as eco, io
/// >>> output = io.BytesIO()
/// >>> eco.tag(b'[White "A"]\n\n1. e4 c5 *\n', output).changed
/// 1
/// >>> print(output.getvalue().decode())
/// [White "A"]
/// [ECO "B20"]
/// [Opening "Sicilian Defense"]
/// <BLANKLINE>
/// 1. e4 c5 *
/// <BLANKLINE>
#[pyfunction]
#[pyo3(signature = (
    games, output, *, names = None, only = None, strip = None, add = None, select = None,
    catalogue = None, threads = None,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn tag(
    py: Python<'_>,
    games: &Bound<'_, PyAny>,
    output: &Bound<'_, PyAny>,
    names: Option<&str>,
    only: Option<&str>,
    strip: Option<&Bound<'_, PyAny>>,
    add: Option<&Bound<'_, PyAny>>,
    select: Option<&Bound<'_, PyAny>>,
    catalogue: Option<&Bound<'_, PyAny>>,
    threads: Option<isize>,
) -> PyResult<Tagged> {
    let mut tags = TagOptions::default();
    let strip = strip.map(read_strip).transpose()?.flatten();
    if strip == Some(Policy::Strip) && (names.is_some() || only.is_some() || add.is_some()) {
        let text = "strip sets no tags; add, names and only go with strip='unknown'";
        return Err(ArgumentError::new_err(text));
    }
    let only = only.map(|only| choose("only", only, &POLICIES)).transpose()?;
    tags.policy =
        if strip == Some(Policy::Strip) { Policy::Strip } else { only.unwrap_or_default() };
    tags.unknown = if strip.is_some() { Unknown::Clear } else { Unknown::Keep };
    tags.names = names.map(|names| choose("names", names, &NAMES)).transpose()?.unwrap_or_default();
    read_added(add, &mut tags)?;
    let inputs = Inputs::new(games)?;
    inputs.check_pgn()?;
    let run = Run {
        inputs,
        catalogue: Catalogue::of_argument(catalogue)?,
        conditions: Conditions::read(select)?,
        options: options(threads.map(arguments::threads).transpose()?),
        tags,
        last_games: LastGames::default(),
    };
    let output = if paths::is_path(output)? { paths::output(output)? } else { output.clone() };
    let tagged = if output.hasattr("write")? {
        let output = PythonWriter(output.unbind());
        interrupt::run(py, |wanted| run.write(&mut &output, wanted))
    } else if is_openable(&output)? {
        let file = output.call_method0("open")?;
        let output = PythonWriter(file.clone().unbind());
        let tagged = interrupt::run(py, |wanted| run.write(&mut &output, wanted));
        let is_unwanted = tagged.is_err() && file.hasattr("discard")?;
        file.call_method0(if is_unwanted { "discard" } else { "close" })?;
        tagged
    } else {
        let path: PathBuf = output.extract()?;
        interrupt::run(py, |wanted| run.write_file(&path, wanted))
    };
    tagged.inspect_err(|error| run.last_games.locate(py, error))
}

const POLICIES: [(&str, Policy); 3] =
    [("all", Policy::All), ("missing", Policy::Missing), ("changed", Policy::Changed)];

const NAMES: [(&str, Names); 2] = [("full", Names::Full), ("split", Names::Split)];

/// Whose tags are removed: with `Policy::Strip` those of all games, with another policy those of
/// games without an opening.
fn read_strip(strip: &Bound<'_, PyAny>) -> PyResult<Option<Policy>> {
    if let Ok(is_set) = strip.cast::<PyBool>() {
        return Ok(is_set.is_true().then_some(Policy::Strip));
    }
    let which: String = strip.extract()?;
    choose("strip", &which, &[("all", Policy::Strip), ("unknown", Policy::All)]).map(Some)
}

/// What tags say besides the opening.
fn read_added(add: Option<&Bound<'_, PyAny>>, tags: &mut TagOptions) -> PyResult<()> {
    let Some(add) = add else { return Ok(()) };
    let words: Vec<String> = match add.cast::<PyString>() {
        Ok(list) => list.to_str()?.split(',').map(str::to_owned).collect(),
        Err(_) => arguments::texts(add)?,
    };
    for word in words {
        match (&*word, word.strip_prefix("code:")) {
            ("source", _) => tags.with_mark = true,
            ("move-order", _) => tags.with_move_order = true,
            (_, Some(tag)) => {
                let tag = tag.parse::<ExtendedTag>();
                tags.extended =
                    Some(tag.map_err(|error| ArgumentError::new_err(error.to_string()))?);
            }
            _ => {
                let known = ["source", "move-order", "code:TAG"].map(str::to_owned).to_vec();
                let text = format!("add has source, move-order or code:TAG, not '{word}'");
                return Err(unknown_name(text, &word, known));
            }
        }
    }
    Ok(())
}

/// One of several choices, by its name.
pub(crate) fn choose<T: Clone>(what: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, choice)| choice.clone()).ok_or_else(|| {
        let known: Vec<String> = choices.iter().map(|(name, _)| (*name).to_owned()).collect();
        unknown_name(
            format!("{what} is one of {}, not {}", known.join(", "), Quoted(name)),
            name,
            known,
        )
    })
}

/// A run over all games.
struct Run {
    inputs: Inputs,
    catalogue: Catalogue,
    conditions: Conditions,
    options: Options,
    tags: TagOptions,
    last_games: LastGames,
}

impl Run {
    /// The file is the old one until the new one is complete.
    fn write_file(&self, path: &Path, wanted: &Wanted) -> PyResult<Tagged> {
        let name = path.display().to_string();
        let failed = |error: io::Error| os_error(error.raw_os_error(), &error, name.clone());
        let replacement = Replacement::new(path, &self.inputs.files());
        let replacement = replacement.map_err(|error| match error {
            ReplaceError::Io { error, .. } => failed(error),
            refused => ArgumentError::new_err(refused.to_string()),
        })?;
        let file = BufWriter::new(replacement.file().map_err(failed)?);
        let mut encoder = Encoder::new(Compression::of_name(path), None, file).map_err(failed)?;
        let tagged = self.write(&mut encoder, wanted)?;
        encoder.finish().and_then(|mut file| file.flush()).map_err(failed)?;
        replacement.commit().map_err(failed)?;
        Ok(tagged)
    }

    fn write(&self, output: &mut impl Output, wanted: &Wanted) -> PyResult<Tagged> {
        let classifier = Classifier::new(self.catalogue.openings());
        let tagger = Tagger::new(classifier, self.tags.clone());
        let selected = SelectedGames::new(&self.conditions, &self.inputs, classifier)?;
        let mut total = Changes::default();
        self.options.workers.run(
            |push| self.inputs.feed(self.options.blocks, &Default::default(), None, push, &Err),
            |fed: Fed| {
                let mut changes = Changes::default();
                let (block, _) = fed.games.into_block();
                self.last_games.note(&fed.source, &block);
                let mut selection = selected.in_block();
                let is_selected = |game: &eco::pgn::Game<'_>| {
                    selection.as_mut().is_none_or(|selection| selection.select(game))
                };
                let tagged =
                    tagger.tag_selected(block, is_selected, |_, plan| changes.add_totals(plan));
                let mut bytes = tagged.to_vec();
                fed.line_ends.restore(&mut bytes);
                (bytes, changes)
            },
            |(bytes, changes)| {
                total.merge(changes);
                output.put(&bytes)?;
                wanted.check()
            },
        )?;
        selected.check_people()?;
        let Changes { games, changed, correct, no_opening, .. } = total;
        let Changes { excluded, no_tags, damaged, errors, .. } = total;
        Ok(Tagged { games, changed, correct, no_opening, excluded, no_tags, damaged, errors })
    }
}

/// What takes tagged games.
trait Output {
    fn put(&mut self, bytes: &[u8]) -> PyResult<()>;
}

impl<W: Write> Output for Encoder<W> {
    fn put(&mut self, bytes: &[u8]) -> PyResult<()> {
        Ok(self.write_all(bytes)?)
    }
}

/// An object with `write`.
struct PythonWriter(Py<PyAny>);

impl Output for &PythonWriter {
    fn put(&mut self, bytes: &[u8]) -> PyResult<()> {
        let written = shutdown::attach(|py| {
            self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),)).map(drop)
        });
        written.unwrap_or_else(|| Err(PyValueError::new_err("the interpreter ends")))
    }
}
