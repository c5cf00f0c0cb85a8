//! `--reference` and `--collection`: the games of a database or of PGN files, to compare with.

use std::path::{Path, PathBuf};
use std::{collections::HashSet, sync::Mutex};

use clap::Args;
use eco::collection::{KeptGame, KeptGameReader};
use eco::pgn::Game;
use eco::repertoire::{Book, MoveCounts};
use eco::store::{Database, Kind, RepertoireInfo};
use eco::{catalogue::Catalogue, classify::Classifier, select::Selection};

use super::games::{GameBlock, GameInputs};
use super::outcome::{Failure, refuse, say};
use super::selection::{SelectedGames, SelectionArgs};
use super::{args::RunArgs, completion, progress::Results, replace::is_database, run::GamesRun};

/// The games to compare with.
#[derive(Debug, Args)]
pub(super) struct ReferenceArgs {
    /// Games to compare with: PGN files or folders, plain or compressed, or a position database, of
    /// which FILE:NAME is one repertoire or collection [default: all repertoires, or else all
    /// collections]
    #[arg(long, value_name = "FILE[:NAME]")]
    pub(super) reference: Option<PathBuf>,

    /// Compare with this collection of the reference, or of --db without --reference; may be
    /// repeated
    #[arg(long, value_name = "NAME", add = completion::collections())]
    pub(super) collection: Vec<String>,
}

/// Games to compare with.
pub(super) struct Reference<'c> {
    path: PathBuf,
    games: GameInputs,
    /// Games are compared up to this ply.
    pub(super) max_ply: usize,
    /// All games are read up to the same ply, whatever they are kept in.
    depth: usize,
    selected: SelectedGames<'c>,
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
        let (path, name) = file_and_name(path);
        let mut collections = args.collection.clone();
        if !is_database(path) {
            if name.is_none() && collections.is_empty() {
                let games = GameInputs::find(&[path.to_owned()], &[])?;
                games.check_all_there()?;
                return Self::new(path, games, max_ply).map(Some);
            }
            let file = path.display();
            return refuse(format!("{file}: is no position database, and has no names"));
        }
        let database = Database::open(path)?;
        let mut repertoires = database.repertoires()?;
        repertoires.retain(|info| name.is_none_or(|name| info.name == name));
        if repertoires.is_empty() {
            collections.extend(name.map(str::to_owned));
        }
        if collections.is_empty() && !repertoires.is_empty() {
            return Ok(Some(Self::of_repertoires(path, database, repertoires, max_ply)?));
        }
        if collections.is_empty() && database.collections()?.is_empty() {
            let name = path.display();
            return refuse(format!("{name}: has no repertoires and no collections"));
        }
        let games = GameInputs::find(&[path.to_owned()], &collections)?;
        Self::new(path, games, max_ply).map(Some)
    }

    /// The collections of the database of a command where no games are named, if it has any; says
    /// so, unless it is to be quiet.
    pub(super) fn of_collections(
        db: &Path,
        max_ply: usize,
        run: &RunArgs,
    ) -> Result<Option<Self>, Failure> {
        let is_there = is_database(db);
        let names = is_there.then(|| Database::open(db)?.names(Kind::Collection)).transpose()?;
        let Some(names) = names.filter(|names| !names.is_empty()) else { return Ok(None) };
        if !run.quiet {
            let (db, names) = (db.display(), names.join(", "));
            say(&format_args!("no --reference: compared with the collections of {db}: {names}"));
        }
        Self::new(db, GameInputs::find(&[db.to_owned()], &[])?, max_ply).map(Some)
    }

    /// The games of one repertoire.
    pub(super) fn of_repertoire(path: &Path, name: &str, max_ply: usize) -> Result<Self, Failure> {
        let database = Database::open(path)?;
        let repertoire = database.repertoire(name)?;
        Self::of_repertoires(path, database, vec![repertoire], max_ply)
    }

    fn of_repertoires(
        path: &Path,
        database: Database,
        repertoires: Vec<RepertoireInfo>,
        depth: usize,
    ) -> Result<Self, Failure> {
        let kept = repertoires.iter().map(|info| info.max_ply as usize).min();
        let games = GameInputs::of_repertoires(path, database, repertoires)?;
        let reference = Self::new(path, games, depth)?;
        Ok(Self { max_ply: kept.map_or(depth, |kept| depth.min(kept)), ..reference })
    }

    fn new(path: &Path, games: GameInputs, depth: usize) -> Result<Self, Failure> {
        let everything = Classifier::new(Catalogue::builtin());
        let selected = SelectedGames::new(Selection::default(), Vec::new(), everything)?;
        Ok(Self { path: path.to_owned(), games, max_ply: depth, depth, selected })
    }

    /// Limits the games to those that are selected. Somebody who was asked for has to be in one.
    pub(super) fn select(
        &mut self,
        args: &SelectionArgs,
        selection: Selection,
        classifier: Classifier<'c>,
    ) -> Result<(), Failure> {
        if self.games.have_stored() {
            args.selection_of_kept()?;
        }
        self.selected = SelectedGames::new(selection, args.conditions.people(), classifier)?;
        Ok(())
    }

    /// How often the games played the moves of a book, and the number of errors that were reported.
    pub(super) fn counts(
        self,
        args: &RunArgs,
        book: &Book,
    ) -> Result<(MoveCounts, usize), Failure> {
        let mut counts = MoveCounts::default();
        let merge = |part: MoveCounts| counts.merge(&part);
        let complaints = self.each(args, |games| MoveCounts::of(book, &games), merge)?;
        Ok((counts, complaints))
    }

    /// Calls `work` with all games, on all threads, and `sink` with the results, in order. Returns
    /// the number of errors that were reported. Having no games at all is a failure.
    pub(super) fn each<T: Send>(
        self,
        args: &RunArgs,
        work: impl Fn(Vec<KeptGame>) -> T + Sync,
        mut sink: impl FnMut(T),
    ) -> Result<usize, Failure> {
        let Self { path, games, depth, selected, .. } = self;
        let run = GamesRun::new(games, selected, Results::Elsewhere, args).of_selected();
        let (selected, mut count) = (&run.selected, 0);
        let reader = KeptGameReader::new(Selection::default());
        // Files may contain a game twice; whichever worker sees it first counts it.
        let seen = Mutex::new(HashSet::new());
        let read = run.each(
            |block| {
                let games = played_games(&block, selected, &reader, depth).into_iter();
                let mut games: Vec<KeptGame> = games.map(|(_, game)| game).collect();
                if let Ok(mut seen) = seen.lock() {
                    games.retain(|game| seen.insert(game.fingerprint()));
                }
                (games.len() as u64, work(games))
            },
            |(games, done): (u64, T)| {
                count += games;
                run.progress.update(count);
                sink(done);
                Ok::<(), Failure>(())
            },
        );
        run.end(count, read)?;
        if count == 0 {
            return refuse(format!("{}: no games to compare with", path.display()));
        }
        Ok(run.progress.complaints())
    }
}

/// A file, and the name of what it has, if `:NAME` follows and is no part of the name of a file.
fn file_and_name(path: &Path) -> (&Path, Option<&str>) {
    let split = path.to_str().filter(|_| !path.exists()).and_then(|text| text.rsplit_once(':'));
    match split {
        Some((file, name)) if !name.is_empty() && Path::new(file).exists() => {
            (Path::new(file), Some(name))
        }
        _ => (path, None),
    }
}

/// The selected games of a block that have moves, up to a ply, with their numbers.
pub(super) fn played_games(
    GameBlock { block, .. }: &GameBlock<'_>,
    selected: &SelectedGames<'_>,
    reader: &KeptGameReader<'_>,
    depth: usize,
) -> Vec<(u64, KeptGame)> {
    let mut selected = selected.in_block(block);
    let selected = block
        .games()
        .filter(|game| selected.as_mut().is_none_or(|selected| selected.select(game).is_some()));
    let mut reader = reader.clone();
    let read = |game: Game<'_>| {
        let kept = reader.read(&game)?.cut_at(depth);
        (kept.plies() > 0).then_some((game.number(), kept))
    };
    selected.filter_map(read).collect()
}
