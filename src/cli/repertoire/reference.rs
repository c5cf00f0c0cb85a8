//! `--reference`: the games of a database or of PGN files, to compare with.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use clap::Args;
use eco::{
    pgn::{Chunk, source::Source},
    pipeline::{self, Feed, Options},
    repertoire::{GameReader, PlayedGame},
    select::Selection,
    store::{Database, StoreError},
};

use crate::cli::{
    args::RunArgs,
    games::{feed_all, find_sources, total_size},
    outcome::Failure,
    progress::{Progress, Results},
    replace::is_database,
};

/// The number of stored games that a worker takes at a time.
const GAMES_AT_A_TIME: usize = 2048;

/// The games to compare with.
#[derive(Debug, Args)]
pub(super) struct ReferenceArgs {
    /// Games to compare with: PGN files or folders, plain or compressed, or a position database
    /// with repertoires
    #[arg(long, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,

    /// Only the games of this repertoire, if the reference is a position database [default: of all]
    #[arg(long, value_name = "NAME", requires = "reference")]
    pub(super) reference_name: Option<String>,
}

/// Games to compare with.
pub(super) struct Reference {
    name: String,
    games: Games,
    /// Games are compared up to this ply.
    pub(super) max_ply: usize,
    /// All games are read up to the same ply, whatever they are kept in.
    depth: usize,
}

enum Games {
    Stored { database: Database, names: Vec<String> },
    Pgn(Vec<Source>),
}

/// The games that a worker takes at a time.
enum Batch {
    Games(Vec<PlayedGame>),
    Chunk(Chunk),
}

impl Reference {
    /// Finds the games, which are read up to a ply.
    pub(super) fn open(args: &ReferenceArgs, max_ply: usize) -> Result<Option<Self>, Failure> {
        let Some(path) = &args.reference else { return Ok(None) };
        let name = path.display().to_string();
        if !is_database(path) {
            if args.reference_name.is_some() {
                let hint = "--reference-name goes with a position database";
                return Err(Failure(format!("{name}: {hint}")));
            }
            let (sources, errors) = find_sources(std::slice::from_ref(path))?;
            let is_missing = |source: &Source| match source {
                Source::File(path) | Source::Part(path, _) => !path.exists(),
                Source::Stdin => false,
            };
            if let Some(error) = errors.first() {
                return Err(Failure(error.to_string()));
            }
            if sources.iter().any(is_missing) {
                return Err(Failure(format!("{name}: no such file")));
            }
            return Ok(Some(Self { games: Games::Pgn(sources), max_ply, depth: max_ply, name }));
        }
        let database = Database::open(path)?;
        let infos = match &args.reference_name {
            Some(name) => vec![database.repertoire(name)?],
            None => database.repertoires()?,
        };
        if infos.is_empty() {
            return Err(Failure(format!("{name}: has no repertoires")));
        }
        let stored = infos.iter().map(|info| info.max_ply as usize).min().unwrap_or(0);
        let names = infos.into_iter().map(|info| info.name).collect();
        let games = Games::Stored { database, names };
        Ok(Some(Self { games, max_ply: stored.min(max_ply), depth: max_ply, name }))
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
            Games::Stored { .. } => None,
        };
        let progress = Progress::new(size, Results::Elsewhere, args);
        let mut count = 0;
        let max_ply = self.depth;
        // Files may contain a game twice; whichever worker sees it first counts it.
        let seen = Mutex::new(HashSet::new());
        let read = pipeline::run(
            &options.workers,
            |push| self.feed(options, push, &progress),
            |batch: Batch| {
                let mut games = read_batch(batch, max_ply);
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
        if count == 0 {
            return Err(Failure(format!("{}: no games to compare with", self.name)));
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
            Games::Stored { database, names } => feed_stored(database, names, self.depth, push),
            Games::Pgn(sources) => {
                let push = &mut |(_, chunk): (Arc<str>, Chunk)| push(Batch::Chunk(chunk));
                feed_all(sources, options.blocks, push, progress)
            }
        }
    }
}

fn read_batch(batch: Batch, max_ply: usize) -> Vec<PlayedGame> {
    match batch {
        Batch::Games(games) => games,
        Batch::Chunk(chunk) => {
            let mut reader = GameReader::new(Selection::default(), max_ply);
            chunk.into_block().games().for_each(|game| reader.read(&game));
            reader.into_batch().games
        }
    }
}

/// Feeds the games of repertoires.
fn feed_stored(
    database: &Database,
    names: &[String],
    max_ply: usize,
    push: &mut Feed<'_, Batch, StoreError>,
) -> Result<(), StoreError> {
    let mut games = Vec::new();
    for name in names {
        let mut fed = Ok(());
        database.games(name, max_ply, &mut |game| {
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
