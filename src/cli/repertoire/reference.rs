//! `--reference` and `--collection`: the games of a database or of PGN files, to compare with.

use std::{
    collections::{BTreeSet, HashSet},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use clap::Args;
use eco::{
    classify::Classifier,
    pgn::{Chunk, source::Source},
    pipeline::{self, Feed, Options},
    repertoire::{GameReader, PlayedGame},
    select::{Selection, Selector},
    store::{Database, Explorer, StoreError},
};

use crate::cli::{
    args::RunArgs,
    completion,
    games::{feed_all, find_sources, total_size},
    outcome::Failure,
    progress::{Progress, Results},
    replace::is_database,
    selection::{SelectedGames, SelectionArgs, check_kept_people, check_named_people},
};

/// The number of stored games that a worker takes at a time.
const GAMES_AT_A_TIME: usize = 2048;

/// The games to compare with.
#[derive(Debug, Args)]
pub(super) struct ReferenceArgs {
    /// Games to compare with: PGN files or folders, plain or compressed, or a position database
    /// with repertoires or collections
    #[arg(long, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,

    /// Only the games of this repertoire, if the reference is a position database [default: of all]
    #[arg(long, value_name = "NAME", requires = "reference")]
    pub(super) reference_name: Option<String>,

    /// Compare with this collection of the reference, or of --db without --reference; may be
    /// repeated
    #[arg(long, value_name = "NAME", conflicts_with = "reference_name",
        add = completion::collections())]
    pub(super) collection: Vec<String>,
}

/// Games to compare with.
pub(super) struct Reference<'c> {
    path: PathBuf,
    games: Games,
    /// Games are compared up to this ply.
    pub(super) max_ply: usize,
    /// All games are read up to the same ply, whatever they are kept in.
    depth: usize,
    selection: Selection,
    /// What selects games of PGN, and who was asked for.
    selected: Option<(Selector<'c>, SelectedGames<'c>)>,
}

enum Games {
    Repertoires { database: Database, names: Vec<String> },
    Collections { database: Database, names: Vec<String> },
    Pgn(Vec<Source>),
}

/// The games that a worker takes at a time.
enum Batch {
    Games(Vec<PlayedGame>),
    Chunk(Chunk),
}

impl<'c> Reference<'c> {
    /// Finds the games, which are read up to a ply. Collections without a reference are those of
    /// the database `own`.
    pub(super) fn open(
        args: &ReferenceArgs,
        own: Option<&Path>,
        max_ply: usize,
    ) -> Result<Option<Self>, Failure> {
        let own = own.filter(|_| !args.collection.is_empty());
        let Some(path) = args.reference.as_deref().or(own) else { return Ok(None) };
        if !is_database(path) {
            let fault = if args.reference_name.is_some() {
                "--reference-name goes with a position database"
            } else if !args.collection.is_empty() {
                "--collection goes with a position database"
            } else {
                return Self::new(path, Games::Pgn(pgn_sources(path)?), max_ply).map(Some);
            };
            return Err(Failure(format!("{}: {fault}", path.display())));
        }
        let database = Database::open(path)?;
        let games = if args.collection.is_empty() {
            let infos = match &args.reference_name {
                Some(name) => vec![database.repertoire(name)?],
                None => database.repertoires()?,
            };
            let names = infos.into_iter().map(|info| info.name).collect();
            Games::repertoires(path, database, names)?
        } else {
            let infos = args.collection.iter().map(|name| database.collection(name));
            let infos = infos.collect::<Result<Vec<_>, StoreError>>()?;
            Games::Collections { database, names: infos.into_iter().map(|i| i.name).collect() }
        };
        Self::new(path, games, max_ply).map(Some)
    }

    /// The games of one repertoire.
    pub(super) fn of_repertoire(path: &Path, name: &str, max_ply: usize) -> Result<Self, Failure> {
        let games = Games::repertoires(path, Database::open(path)?, vec![name.to_owned()])?;
        Self::new(path, games, max_ply)
    }

    fn new(path: &Path, games: Games, depth: usize) -> Result<Self, Failure> {
        let stored = match &games {
            Games::Repertoires { database, names } => {
                let depths = names.iter().map(|name| Ok(database.repertoire(name)?.max_ply));
                depths.collect::<Result<Vec<u32>, StoreError>>()?.into_iter().min()
            }
            Games::Collections { .. } | Games::Pgn(_) => None,
        };
        let max_ply = stored.map_or(depth, |stored| depth.min(stored as usize));
        let (path, selection) = (path.to_owned(), Selection::default());
        Ok(Self { path, games, max_ply, depth, selection, selected: None })
    }

    /// Limits the games to those that are selected. Somebody who was asked for has to be in one.
    pub(super) fn select(
        &mut self,
        args: &SelectionArgs,
        selection: Selection,
        classifier: Classifier<'c>,
    ) -> Result<(), Failure> {
        let people = args.conditions.people();
        match &self.games {
            Games::Pgn(_) => {}
            Games::Repertoires { database, names } => {
                args.selection_of_kept()?;
                if !people.is_empty() {
                    check_named_people(&players(database, names)?, &people)?;
                }
            }
            Games::Collections { names, .. } => {
                args.selection_of_kept()?;
                check_kept_people(&Explorer::open(&self.path, names)?, &people)?;
            }
        }
        self.selection.clone_from(&selection);
        let selector = Selector::new(selection.clone(), classifier);
        let selected = SelectedGames::new(selection, people, classifier)?;
        self.selected = Some((selector, selected));
        Ok(())
    }

    /// Calls `work` with all games, on all threads, and `sink` with the results, in order. Returns
    /// the number of errors that were reported. Having no games at all is a failure.
    pub(super) fn each<T: Send>(
        &self,
        options: &Options,
        args: &RunArgs,
        work: impl Fn(Vec<PlayedGame>) -> T + Sync,
        mut sink: impl FnMut(T),
    ) -> Result<usize, Failure> {
        let size = match &self.games {
            Games::Pgn(sources) => total_size(sources),
            Games::Repertoires { .. } | Games::Collections { .. } => None,
        };
        let progress = Progress::new(size, Results::Elsewhere, args);
        let mut count = 0;
        let (depth, selected) = (self.depth, self.selected.as_ref());
        // Files may contain a game twice; whichever worker sees it first counts it.
        let seen = Mutex::new(HashSet::new());
        let read = pipeline::run(
            &options.workers,
            |push| self.feed(options, push, &progress),
            |batch: Batch| {
                let mut games = read_batch(batch, depth, selected);
                if let Ok(mut seen) = seen.lock() {
                    games.retain(|game| seen.insert(game.fingerprint));
                }
                (games.len() as u64, work(games))
            },
            |(games, done): (u64, T)| {
                count += games;
                progress.update(count);
                sink(done);
                Ok(())
            },
        );
        progress.finish(count);
        read?;
        if let (Games::Pgn(_), Some((_, selected))) = (&self.games, selected) {
            selected.check_people()?;
        }
        if count == 0 {
            return Err(Failure(format!("{}: no games to compare with", self.path.display())));
        }
        Ok(progress.complaints())
    }

    fn feed(
        &self,
        options: &Options,
        push: &mut Feed<'_, Batch, StoreError>,
        progress: &Progress,
    ) -> Result<(), StoreError> {
        match &self.games {
            Games::Repertoires { database, names } => {
                self.feed_stored(names, push, &mut |name, visit| {
                    database.games(name, self.depth, &self.selection, visit)
                })
            }
            Games::Collections { database, names } => {
                self.feed_stored(names, push, &mut |name, visit| {
                    database.games_of_collection(name, self.depth, &self.selection, visit)
                })
            }
            Games::Pgn(sources) => {
                let push = &mut |(_, chunk): (Arc<str>, Chunk)| push(Batch::Chunk(chunk));
                feed_all(sources, options.blocks, push, progress)
            }
        }
    }

    /// Feeds the games of repertoires or collections; `read` reads those of one.
    fn feed_stored(
        &self,
        names: &[String],
        push: &mut Feed<'_, Batch, StoreError>,
        read: &mut ReadGames<'_>,
    ) -> Result<(), StoreError> {
        let mut games = Vec::new();
        for name in names {
            let mut fed = Ok(());
            read(name, &mut |game| {
                games.push(game);
                if games.len() >= GAMES_AT_A_TIME {
                    fed = push(Batch::Games(std::mem::take(&mut games)));
                }
                if fed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            fed?;
        }
        push(Batch::Games(games))
    }
}

/// The names of all who played in the games of repertoires.
fn players(database: &Database, names: &[String]) -> Result<BTreeSet<String>, StoreError> {
    let mut players = BTreeSet::new();
    for name in names {
        database.games(name, 0, &Selection::default(), &mut |game| {
            players.extend([game.white, game.black].into_iter().filter(|name| !name.is_empty()));
            ControlFlow::Continue(())
        })?;
    }
    Ok(players)
}

fn read_batch(
    batch: Batch,
    depth: usize,
    selected: Option<&(Selector<'_>, SelectedGames<'_>)>,
) -> Vec<PlayedGame> {
    let block = match batch {
        Batch::Games(games) => return games,
        Batch::Chunk(chunk) => chunk.into_block(),
    };
    let mut reader = match selected {
        None => GameReader::new(Selection::default(), depth),
        Some((selector, selected)) => {
            selected.meet_people(&block);
            GameReader::new(selector.clone(), depth)
        }
    };
    block.games().for_each(|game| reader.read(&game));
    reader.into_batch().games
}

/// Reads the games of a repertoire or a collection of this name.
type ReadGames<'r> =
    dyn FnMut(&str, &mut dyn FnMut(PlayedGame) -> ControlFlow<()>) -> Result<(), StoreError> + 'r;

impl Games {
    /// The games of these repertoires. A database without any may have collections.
    fn repertoires(path: &Path, database: Database, names: Vec<String>) -> Result<Self, Failure> {
        if !names.is_empty() {
            return Ok(Self::Repertoires { database, names });
        }
        let names: Vec<String> =
            database.collections()?.into_iter().map(|info| info.name).collect();
        if names.is_empty() {
            let name = path.display();
            return Err(Failure(format!("{name}: has no repertoires and no collections")));
        }
        Ok(Self::Collections { database, names })
    }
}

/// The PGN files of a path, which must be there.
fn pgn_sources(path: &Path) -> Result<Vec<Source>, Failure> {
    let name = path.display();
    let (sources, errors) = find_sources(&[path.to_owned()])?;
    let is_missing = |source: &Source| match source {
        Source::File(path) | Source::Part(path, _) => !path.exists(),
        Source::Stdin => false,
    };
    match errors.first() {
        Some(error) => Err(Failure(error.to_string())),
        None if sources.iter().any(is_missing) => Err(Failure(format!("{name}: no such file"))),
        None => Ok(sources),
    }
}
