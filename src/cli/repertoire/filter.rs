//! `eco repertoire filter`.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use eco::{
    classify::Classifier,
    pgn::{
        Block,
        source::{LineEnds, Source},
    },
    pipeline::{self, Options},
    repertoire::{BookPath, Follower},
    select::Selector,
};

use super::{
    args::{BreadthArgs, OneRepertoireArgs},
    game_filter::games_of,
    open_repertoire::OpenRepertoire,
};
use crate::cli::{
    args::{InputArgs, Packing, RunArgs},
    games::{FedChunk, feed_with_line_ends, find_sources, options, total_size},
    outcome::{Failure, Outcome, say},
    pgn_output::PgnOutput,
    progress::{Progress, Results},
    replace::{Inputs, cannot_write},
    selection::{ConditionArgs, SelectedGames},
};

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
    repertoire: OneRepertoireArgs,

    #[command(flatten)]
    breadth: BreadthArgs,

    #[command(flatten)]
    input: InputArgs,

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
    let (opened, inputs) = OpenRepertoire::open_with_inputs(
        &args.repertoire,
        &args.breadth,
        &args.input,
        "repertoire filter",
    )?;
    let (sources, errors) = find_sources(&inputs)?;
    let path = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    let read = Inputs::of(&sources);
    let name = path.map_or("standard output".to_owned(), |path| path.display().to_string());
    let mut out = Output::open(path, &read)?;
    let results = if path.is_some() { Results::Elsewhere } else { Results::Stdout };
    let progress = Progress::new(total_size(&sources), results, &args.run);
    errors.iter().for_each(|error| progress.complain(error));
    let selection = games_of(&args.choice, &opened.info)?;
    let classifier = Classifier::new(opened.catalogue());
    let follower = Follower::new(&opened.book, Selector::new(selection.clone(), classifier));
    let selected = SelectedGames::new(selection, args.choice.people(), classifier)?;
    selected.find_several(&sources, &options(&args.run))?;
    let filter = Filter { follower, selected, min_ply: args.min_ply };
    let (counts, written) = filter.games(&sources, &options(&args.run), &mut out, &progress);
    progress.finish(counts.games);
    if written.is_ok() {
        filter.selected.check_people()?;
    }
    let written = written.and_then(|()| out.finish());
    match written {
        // The reader has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && path.is_none() => {
            return Ok(Outcome::Done);
        }
        written => written.map_err(|error| cannot_write(&name, &error))?,
    }
    if !args.run.quiet {
        let Counts { games, kept } = counts;
        say(&format_args!("{kept} of {games} games are in the book for {} plies", args.min_ply));
    }
    Ok(if progress.complaints() > 0 { Outcome::Incomplete } else { Outcome::Done })
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

struct Filter<'b> {
    follower: Follower<'b>,
    /// The people who were asked for.
    selected: SelectedGames<'b>,
    min_ply: usize,
}

impl Filter<'_> {
    fn games(
        &self,
        sources: &[Source],
        options: &Options,
        out: &mut Output,
        progress: &Progress,
    ) -> (Counts, io::Result<()>) {
        let mut counts = Counts::default();
        let written = pipeline::run(
            &options.workers,
            |push| feed_with_line_ends(sources, options.blocks, push, progress),
            |(source, line_ends, chunk): FedChunk| {
                self.block(&source, line_ends, &chunk.into_block())
            },
            |kept: Kept| {
                counts.games += kept.counts.games;
                counts.kept += kept.counts.kept;
                kept.cut.iter().for_each(|message| progress.complain(message));
                progress.update(counts.games);
                out.write(&kept)
            },
        );
        (counts, written)
    }

    fn block(&self, source: &str, line_ends: LineEnds, block: &Block) -> Kept {
        let mut kept = Kept::default();
        self.selected.meet_people(block);
        for game in block.games() {
            kept.counts.games += 1;
            let path = self.follower.follow(&game).path;
            let follows = |path: &BookPath| path.ply >= self.min_ply;
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
}

/// Ends an unfinished line.
fn end_line(bytes: &mut Vec<u8>) {
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
}

/// The output of the selected games.
struct Output {
    out: PgnOutput,
    /// Whether something stands on the last line.
    has_open_line: bool,
}

impl Output {
    fn open(path: Option<&Path>, read: &Inputs) -> Result<Self, Failure> {
        Ok(Self {
            out: PgnOutput::open(path, Packing::new(None, None), read)?,
            has_open_line: false,
        })
    }

    fn write(&mut self, kept: &Kept) -> io::Result<()> {
        if kept.bytes.is_empty() {
            return Ok(());
        }
        if self.has_open_line {
            self.out.write(b"\n")?;
        }
        self.has_open_line = !kept.ends_line;
        self.out.write(&kept.bytes)
    }

    fn finish(self) -> io::Result<()> {
        self.out.finish()
    }
}
