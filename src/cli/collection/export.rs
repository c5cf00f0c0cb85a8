//! `eco collection export`.

use std::{
    io::{self, ErrorKind},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use clap::Args;
use eco::{
    collection::KeptGame,
    pipeline,
    store::{Database, Explorer, StoreError},
};

use crate::cli::{
    args::{DatabaseArgs, Packing, RunArgs},
    completion,
    games::options,
    masters::own_catalogue,
    outcome::{Failure, Outcome, say},
    pgn_output::PgnOutput,
    replace::{Inputs, cannot_write},
    selection::{SelectionArgs, check_kept_openings, check_kept_people},
};

const HELP: &str = "\
Examples:
  eco collection export games --db games.db -o games-again.pgn
  eco collection export games --db games.db --player 'Fischer, Robert James' > fischer.pgn

A game has all its tags, those of the Seven Tag Roster first, and all moves of its main line in
standard algebraic notation. Comments, variations and glyphs are not kept. Games are in the order of
their moves, within each part of the collection.

--eco and --opening are about the opening that a game had when it was added. A file whose name ends
in .gz, .bz2, .xz or .zst is compressed.";

/// Write the games of a collection as PGN.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("game", |game| game.hide(true)))]
pub(super) struct ExportArgs {
    /// The collection
    #[arg(value_name = "NAME", add = completion::collections())]
    name: String,

    #[command(flatten)]
    database: DatabaseArgs,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The number of games that a worker writes at a time.
const GAMES_AT_A_TIME: usize = 256;

/// Why an export ends early.
enum ExportError {
    Read(StoreError),
    Write(io::Error),
}

impl From<StoreError> for ExportError {
    fn from(error: StoreError) -> Self {
        Self::Read(error)
    }
}

pub(super) fn run(args: &ExportArgs) -> Result<Outcome, Failure> {
    let selection = args.selection.selection_of_kept()?;
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let database = Database::open(&args.database.db)?;
    let info = database.collection(&args.name)?;
    check_kept_openings(&selection, own_catalogue(&database)?.as_ref())?;
    let explorer = Explorer::open(&args.database.db, std::slice::from_ref(&args.name))?;
    check_kept_people(&explorer, &args.selection.conditions.people())?;
    let mut out = PgnOutput::open(path, Packing::new(None, None), &Inputs::none())?;
    let mut count = 0;
    let written = pipeline::run(
        &options(&args.run).workers,
        |push| {
            let mut games = Vec::new();
            let mut pushed = Ok(());
            database.kept_games(&info, &mut |game| {
                games.push(game);
                if games.len() == GAMES_AT_A_TIME {
                    pushed = push(std::mem::take(&mut games));
                }
                if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            pushed?;
            push(games)
        },
        |games: Vec<KeptGame>| {
            let selected = games.iter().filter(|game| game.is_selected(&selection));
            selected.map(KeptGame::to_pgn).collect::<Vec<_>>()
        },
        |games: Vec<Vec<u8>>| {
            games.iter().try_for_each(|game| {
                if count > 0 {
                    out.write(b"\n").map_err(ExportError::Write)?;
                }
                count += 1;
                out.write(game).map_err(ExportError::Write)
            })
        },
    );
    let finished = written.and_then(|()| out.finish().map_err(ExportError::Write));
    let name = path.map_or("standard output".into(), |path| path.display().to_string());
    match finished {
        Err(ExportError::Read(error)) => return Err(error.into()),
        // The reader has seen enough.
        Err(ExportError::Write(error))
            if error.kind() == ErrorKind::BrokenPipe && path.is_none() => {}
        Err(ExportError::Write(error)) => return Err(cannot_write(&name, &error)),
        Ok(()) if !args.run.quiet => {
            say(&format_args!("{count} of {} games are written", info.games));
        }
        Ok(()) => {}
    }
    Ok(Outcome::Done)
}
