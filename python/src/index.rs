//! `index`: games kept in a position database.

use std::path::Path;

use eco::{
    classify::Classifier,
    collection::KeptGameReader,
    executor::Executor,
    pipeline::Options,
    select::SameGame,
    store::{
        CollectionBuild, CollectionInfo, CollectionReport, CollectionSettings, Database, StoreError,
    },
};
use pyo3::prelude::*;

use crate::{
    arguments::{self, options, whole},
    catalogue::Catalogue,
    errors::{ArgumentError, store_error},
    input::{Fed, Inputs, LastGames},
    interrupt::{self, Wanted},
    paths,
    selection::{Conditions, SelectedGames},
    tag::choose,
};

/// What `index` did.
#[pyclass(frozen, get_all, eq, module = "eco_openings")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Indexed {
    /// All games, also those that `select` leaves out.
    games: u64,
    /// Those that were added.
    added: u64,
    /// Those that the collection had already.
    known: u64,
    /// Of those added, the games without a result, which are not counted in positions.
    without_result: u64,
    /// Of those added, the games of other variants, which are not counted either.
    other_variants: u64,
    /// Of those added, the games that begin in another position.
    from_position: u64,
    /// Of those added, the games that are counted up to an error in their moves.
    cut_short: u64,
    /// The ply up to which positions of the collection are found.
    depth: u32,
}

#[pymethods]
impl Indexed {
    fn __repr__(&self) -> String {
        let Self { games, added, known, without_result, other_variants, .. } = self;
        let Self { from_position, cut_short, depth, .. } = self;
        format!(
            "Indexed(games={games}, added={added}, known={known}, \
             without_result={without_result}, other_variants={other_variants}, \
             from_position={from_position}, cut_short={cut_short}, depth={depth})"
        )
    }
}

/// Keeps games in a collection of a position database, to see what was played in any position: what
/// `eco index` does.
///
/// `db` is the file, which is made if it is not there. A run that is interrupted, fails, or reads no
/// game changes nothing.
/// `name` is the collection, which is made or extended. `depth` is the ply up to which positions
/// are found, 50 for a new collection; `same_game` is "strict" or "moves", as `--same-game` is.
/// Whole databases are joined without reading their games again, unless games are selected,
/// `catalogue` is given, or the depths differ. The rest is as for `classify`.
///
/// Raises DatabaseError if `db` is no position database, is in use, or has the collection with
/// another depth; ArgumentError if `db` is also an input.
///
/// >>> import eco_openings as eco, tempfile
/// >>> db = tempfile.mkdtemp() + "/games.db"
/// >>> eco.index(b'1. e4 c5 1-0\n\n1. d4 d5 1/2-1/2\n', db).added
/// 2
/// >>> eco.Explorer(db).query("1. e4").moves.rows()[0]["move"]
/// 'c5'
#[pyfunction]
#[pyo3(signature = (
    games, db, *, name = "games", depth = None, same_game = None, select = None, collection = None,
    catalogue = None, threads = None,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn index(
    py: Python<'_>,
    games: &Bound<'_, PyAny>,
    db: &Bound<'_, PyAny>,
    name: &str,
    depth: Option<isize>,
    same_game: Option<&str>,
    select: Option<&Bound<'_, PyAny>>,
    collection: Option<&Bound<'_, PyAny>>,
    catalogue: Option<&Bound<'_, PyAny>>,
    threads: Option<isize>,
) -> PyResult<Indexed> {
    let db = paths::written(db)?;
    let depth = whole("depth", depth)?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
    if depth.is_some_and(|depth| !DEPTHS.contains(&depth)) {
        let text = format!("depth is a ply from {} to {}", DEPTHS.start(), DEPTHS.end());
        return Err(ArgumentError::new_err(text));
    }
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err(ArgumentError::new_err("name: expected a name without control characters"));
    }
    let rules: Vec<_> = SameGame::ALL.iter().map(|rule| (rule.name(), *rule)).collect();
    let same_game = same_game.map(|rule| choose("same_game", rule, &rules)).transpose()?;
    let inputs = Inputs::new(games)?.with_collections(collection)?;
    let run = Run {
        has_given_names: catalogue.is_some(),
        catalogue: Catalogue::of_argument(catalogue)?,
        conditions: Conditions::read(select)?,
        options: options(threads.map(arguments::threads).transpose()?),
        settings: CollectionSettings { max_ply: depth, same_game },
        inputs,
        last_games: LastGames::default(),
    };
    if run.inputs.files().contains(&db) {
        let text = format!("{} is an input too; nothing was written", db.display());
        return Err(ArgumentError::new_err(text));
    }
    let indexed = interrupt::run(py, |wanted| run.index(&db, name, wanted));
    indexed.inspect_err(|error| run.last_games.locate(py, error))
}

/// The plies up to which positions can be found.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=1000;

/// A run over all games.
struct Run {
    inputs: Inputs,
    catalogue: Catalogue,
    /// Whether openings are named by another catalogue than games have been.
    has_given_names: bool,
    conditions: Conditions,
    options: Options,
    settings: CollectionSettings,
    last_games: LastGames,
}

impl Run {
    fn index(&self, db: &Path, name: &str, wanted: &Wanted) -> PyResult<Indexed> {
        let failed = |error| store_error(&error, &db.display().to_string());
        let workers = &self.options.workers;
        let mut build =
            CollectionBuild::begin(db, name, &self.settings, workers).map_err(failed)?;
        let depth = build.info().max_ply;
        let games = match self.whole_collections(depth)? {
            Some(collections) => {
                let collections: Vec<_> = collections.iter().map(|(db, info)| (db, info)).collect();
                build.join(&collections).map_err(failed)?;
                build.report().added + build.report().known
            }
            None => self.read(&mut build, wanted, &failed)?,
        };
        wanted.check()?;
        let report = if games == 0 { *build.report() } else { build.finish().map_err(failed)? };
        let CollectionReport { added, known, without_result, .. } = report;
        let CollectionReport { other_variants, from_position, cut_short, .. } = report;
        Ok(Indexed {
            games,
            added,
            known,
            without_result,
            other_variants,
            from_position,
            cut_short,
            depth,
        })
    }

    /// The collections that are all of the inputs, if they can be joined as they are.
    fn whole_collections(&self, depth: u32) -> PyResult<Option<Vec<(Database, CollectionInfo)>>> {
        if self.has_given_names || !self.conditions.selection.is_everything() {
            return Ok(None);
        }
        let collections = self.inputs.collections()?;
        let have_depth =
            |found: &Vec<(_, CollectionInfo)>| found.iter().all(|(_, info)| info.max_ply == depth);
        Ok(collections.filter(have_depth))
    }

    /// Reads the games and adds those that are selected. Returns the number of all.
    fn read(
        &self,
        build: &mut CollectionBuild,
        wanted: &Wanted,
        failed: &dyn Fn(StoreError) -> PyErr,
    ) -> PyResult<u64> {
        let classifier = Classifier::new(self.catalogue.openings());
        let selected = SelectedGames::new(&self.conditions, &self.inputs, classifier)?;
        let reader = KeptGameReader::with_classifier(selected.selection(), classifier);
        let mut games = 0;
        self.options.workers.run(
            |push| self.inputs.feed(self.options.blocks, &Default::default(), None, push, &Err),
            |fed: Fed| {
                let (block, _) = fed.games.into_block();
                self.last_games.note(&fed.source, &block);
                selected.meet_people(&block);
                let mut reader = reader.clone();
                block.games().map(|game| reader.read(&game)).collect::<Vec<_>>()
            },
            |read: Vec<_>| {
                games += read.len() as u64;
                build.add(read.into_iter().flatten()).map_err(failed)?;
                wanted.check()
            },
        )?;
        selected.check_people()?;
        Ok(games)
    }
}
