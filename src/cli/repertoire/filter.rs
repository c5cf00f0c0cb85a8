//! `eco repertoire filter`.

use std::path::PathBuf;

use clap::Args;
use eco::repertoire::{BookPath, Follower};
use eco::{classify::Classifier, select::Selector};

use super::{args::BookArgs, open_repertoire::OpenRepertoire};
use crate::cli::args::{CollectionArgs, InputArgs, Packing, RunArgs};
use crate::cli::games::{GameBlock, GameInputs};
use crate::cli::outcome::{Failure, Interruption, Outcome, say};
use crate::cli::selection::{ConditionArgs, SelectedGames};
use crate::cli::{output::Output, progress::Results, run::GamesRun};

const HELP: &str = "\
Examples:
  eco repertoire filter mine --db chess.db --min-ply 8 games.pgn
  eco repertoire filter mine --db chess.db --min-ply 8 games.pgn -o followed.pgn.zst

A game is in the book as long as its position is, whatever the move order; --min-ply 0 selects every
game that starts in the book. Games are copied byte for byte, in order; a newline is added only
where a file does not end with one. The output file is compressed according to its extension
(.gz, .bz2, .xz, .zst), and appears under its name only when it is complete.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Write the games that follow the repertoire up to a given ply.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct FilterArgs {
    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    collections: CollectionArgs,

    /// The ply up to which games must be in the book
    #[arg(long, value_name = "N")]
    min_ply: usize,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    choice: ConditionArgs,

    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &FilterArgs) -> Result<Outcome, Failure> {
    let (opened, paths) =
        OpenRepertoire::open_with_inputs(&args.book, &args.input, "repertoire filter")?;
    let inputs = GameInputs::find(&paths, &args.collections.collection)?;
    let path = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    let mut out = Output::for_games(path, Packing::new(None, None), &inputs.files())?;
    let results = if path.is_some() { Results::Elsewhere } else { Results::Stdout };
    let selection = args.choice.selection_of(&opened.info)?;
    let classifier = Classifier::new(opened.catalogue);
    let follower = Follower::new(&opened.book, Selector::new(selection.clone(), classifier));
    let selected = SelectedGames::new(selection, args.choice.people(), classifier)?;
    let run = GamesRun::new(inputs, selected, results, &args.run);
    run.inputs.find_several(&run.selected, &run.options)?;
    let mut counts = Counts::default();
    let written = filter(&run, &follower, args.min_ply, &mut out, &mut counts);
    let written = run.end(counts.games, written).and_then(|()| out.finish());
    if !args.run.quiet && written.is_ok() {
        let Counts { games, kept } = counts;
        say(&format_args!("{kept} of {games} games are in the book for {} plies", args.min_ply));
        run.inputs.say_what_is_kept();
    }
    run.outcome(written)
}

/// The number of games read, and of games written.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    games: u64,
    kept: u64,
}

/// The result for a block of games.
#[derive(Default)]
struct Kept {
    counts: Counts,
    /// The games, as they stand in the file.
    bytes: Vec<u8>,
    /// Whether the last of them ends with its line.
    ends_line: bool,
    /// Messages about games that are too long to be copied.
    cut: Vec<String>,
}

fn filter(
    run: &GamesRun<'_>,
    follower: &Follower<'_>,
    min_ply: usize,
    out: &mut Output,
    counts: &mut Counts,
) -> Result<(), Interruption> {
    let (selected, mut has_open_line) = (&run.selected, false);
    run.each(
        |block| {
            selected.meet_people(&block.block);
            kept(&block, follower, min_ply)
        },
        |kept: Kept| {
            counts.games += kept.counts.games;
            counts.kept += kept.counts.kept;
            kept.cut.iter().for_each(|message| run.progress.complain(message));
            run.progress.update(counts.games);
            if kept.bytes.is_empty() {
                return Ok(());
            }
            if std::mem::replace(&mut has_open_line, !kept.ends_line) {
                out.put(b"\n")?;
            }
            out.put(&kept.bytes)
        },
    )
}

/// What is kept of a block.
fn kept(block: &GameBlock<'_>, follower: &Follower<'_>, min_ply: usize) -> Kept {
    let GameBlock { source, line_ends, block, .. } = block;
    let mut kept = Kept::default();
    for game in block.games() {
        kept.counts.games += 1;
        let path = follower.follow(&game).path;
        let follows = |path: &BookPath| path.ply >= min_ply;
        if !path.as_ref().is_ok_and(follows) {
            continue;
        }
        if game.is_cut() {
            let bytes = game.bytes().len();
            let message = format!("longer than {bytes} bytes, and left out");
            kept.cut.push(format!("{source}: game {}: {message}", game.number()));
            continue;
        }
        kept.counts.kept += 1;
        end_line(&mut kept.bytes);
        kept.bytes.extend_from_slice(game.bytes());
    }
    kept.ends_line = kept.bytes.last() == Some(&b'\n');
    line_ends.restore(&mut kept.bytes);
    kept
}

/// Ends an unfinished line.
fn end_line(bytes: &mut Vec<u8>) {
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
}
