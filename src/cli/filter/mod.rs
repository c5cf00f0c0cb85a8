//! `eco filter`: the selected games, byte for byte.

mod follows;
mod kept;
mod split;

use std::path::{Path, PathBuf};
use std::{collections::HashSet, sync::Arc};

use clap::Args;
use eco::quoted::counted;
use eco::{classify::Classifier, pgn::Compression};

use self::follows::FollowsArgs;
use self::kept::{Keeper, Kept, Origin, SPLITS, SplitBy};
use self::split::{Target, parse_extension};
use super::args::{GamesArgs, Packing, RunArgs};
use super::games::{GameInputs, games_of, inputs_or, options};
use super::outcome::{Failure, Interruption, Outcome, say};
use super::output::{Output, check_name, check_packing, refuse_nested};
use super::selection::{SelectedGames, SelectionArgs};
use super::{completion::one_of, progress::Results, repeats::UniqueArgs, run::GamesRun};

const HELP: &str = "\
Examples:
  eco filter games.pgn --player 'Byrne, Donald' --result win
  eco filter lichess_db.pgn.zst --eco B90-B99 --rating 2000.. -o najdorf.pgn.zst
  eco filter ~/chess --opening 'kings indian' --since 1950 --until 1956-06
  eco filter games.pgn --by eco:1 -O volumes
  eco filter ~/chess --unique -o all.pgn
  eco filter games.pgn --follows mine:8 --db chess.db

Games are copied byte for byte, in order, with the text and the blank lines after them. Text before
the first game of an input (a byte order mark, a comment) belongs to that game, and is left out if
it is longer than 4 MiB. Without a condition, the output is the whole input.

If two games become neighbours, a missing line end is added between them; if the first lacks its
result or the end of a comment, so that both would be read as one game, a line with * or } * is
added as well. Nothing else is added or changed.

An output file is compressed as its name says (.gz, .bz2, .xz, .zst), and appears only when it is
complete. So does the folder of --by, which must be new or empty. For --by, eco is the code of the
opening, eco:1 its first letter, family the name before the colon, player both players (with
--player, that player) and year the year of the date. Games without one go to `unknown`. Names are
made of letters and digits that every system accepts; if two are the same, one gets a number.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Write the selected games, and change nothing in them.
///
/// Inputs are as for `eco classify`. A selection by tags plays no moves; --eco and --opening
/// classify the games that pass the other conditions, as `eco classify` does.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct FilterArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    // An argument that is required is not missed where it cannot be given: so all are named.
    #[arg(conflicts_with_all = ["by", "output_folder", "format"])]
    output: Option<PathBuf>,

    /// Write to several files: eco, eco:1, eco:2, family, player or year
    #[arg(long, value_name = "KEY", requires = "output_folder", value_parser = one_of(SPLITS))]
    #[arg(hide_possible_values = true)]
    by: Option<SplitBy>,

    /// The folder for them; it must be new or empty
    #[arg(long, short = 'O', value_name = "FOLDER", requires = "by")]
    output_folder: Option<PathBuf>,

    /// Ending of the names of those files; pgn.zst and the like are compressed
    #[arg(long, short, value_name = "FORMAT", default_value = "pgn", requires = "by")]
    #[arg(value_parser = parse_extension)]
    format: String,

    #[command(flatten)]
    packing: Packing,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    follows: FollowsArgs,

    #[command(flatten)]
    repeats: UniqueArgs,
}

/// Writes the selected games.
pub(super) fn run(args: &FilterArgs) -> Result<Outcome, Failure> {
    // With a book to follow, the database is beside the inputs, and not in their place.
    let paths = match args.follows.is_asked_for() {
        true => inputs_or(&args.games.input.inputs, &args.games.database.db, "filter")?,
        false => games_of(&args.games, "filter")?,
    };
    let selection = args.selection.selection()?;
    let path = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    check_outputs(args, path)?;
    let book = args.follows.open(&args.games.database.db, &selection.players)?;
    let catalogue = args.games.database.naming.catalogue()?;
    let classifier = Classifier::new(catalogue);
    let inputs = GameInputs::of(&paths, &args.games)?;
    if let Some(folder) = &args.output_folder {
        refuse_nested(folder, &paths)?;
    }
    let is_unique = args.repeats.unique;
    let takes_all = selection.is_everything() && args.by.is_none() && !is_unique && book.is_none();
    let selected = SelectedGames::new(selection, args.selection.conditions.people(), classifier)?;
    let is_to_file = path.is_some() || args.output_folder.is_some();
    let results = if is_to_file { Results::Elsewhere } else { Results::Stdout };
    inputs.find_several(&selected, &options(&args.run))?;
    let files = inputs.files();
    let target = match &args.output_folder {
        Some(folder) => Target::folder(folder, &args.format, args.packing.level, &files)?,
        None => Target::one(Output::for_games(path, args.packing.for_run(&args.run), &files)?),
    };
    let mut copy = Copy {
        target,
        games: 0,
        kept: 0,
        stream: None,
        preamble: Some(Vec::new()),
        takes_all,
        has_game: false,
        files: Vec::new(),
    };
    let run = GamesRun::new(inputs, selected, results, &args.run).of_selected();
    let follower = book.as_ref().map(|book| (book.follower(classifier), book.ply));
    let keeper = Keeper { classifier, follower, split: args.by, is_unique };
    let copied = copy_games(&keeper, &run, &mut copy);
    let Copy { target, games, kept, .. } = copy;
    let games = run.with_passed_over(games);
    let is_unread = is_to_file && run.is_unread(games);
    let written = run.end(games, copied).and_then(|()| match is_unread {
        true => Ok(None),
        false => target.finish(),
    });
    let is_quiet = args.run.quiet || run.is_unread(games);
    if let (Ok(files), false) = (&written, is_quiet) {
        let files = files.map(|files| format!(" in {}", counted(files, "file")));
        let (games, files) = (counted(games, "game"), files.unwrap_or_default());
        let are = if kept == 1 { "is" } else { "are" };
        say(&format_args!("{kept} of {games} {are} selected{files}"));
        run.inputs.say_what_is_kept();
    }
    run.outcome(written.map(drop))
}

/// Checks that the names of outputs promise what can be written.
fn check_outputs(args: &FilterArgs, path: Option<&Path>) -> Result<(), Failure> {
    let name = match (path, args.by) {
        (Some(path), _) => path.to_owned(),
        (None, Some(_)) => format!("x.{}", args.format).into(),
        (None, None) => "x".into(),
    };
    check_name(&name)?;
    check_packing(Compression::of_name(&name), args.packing)
}

/// The longest text before the first game of a stream that is held until that game is known.
const MAX_TEXT: usize = 4 << 20;

/// The games of all streams, as they are copied one after the other.
struct Copy {
    target: Target,
    games: u64,
    kept: u64,
    /// The stream that was copied last, and its name.
    stream: Option<(Arc<str>, Origin)>,
    /// What stands before the first game of the stream, and goes with it; `None` if it was too
    /// long for that.
    preamble: Option<Vec<u8>>,
    /// Whether all games are written: then so is a longer text, and one that no game follows.
    takes_all: bool,
    /// Whether the stream has had a game.
    has_game: bool,
    /// The files that its last game went to.
    files: Vec<usize>,
}

impl Copy {
    /// Copies what was kept of the next block.
    fn block(&mut self, kept: &Kept) -> Result<(), Interruption> {
        let origin = &match &self.stream {
            Some((name, origin)) if Arc::ptr_eq(name, &kept.source) => *origin,
            last => {
                let stream = last.as_ref().map_or(1, |(_, last)| last.stream + 1);
                let origin = Origin { stream, line_ends: kept.line_ends };
                self.end_stream()?;
                self.stream = Some((Arc::clone(&kept.source), origin));
                (self.has_game, self.files) = (false, Vec::new());
                origin
            }
        };
        let before = &kept.bytes[..kept.before];
        match self.has_game {
            true => self.target.add_more(origin, &self.files, before)?,
            false => self.add_text(origin, before)?,
        }
        for game in &kept.games {
            let bytes = &kept.bytes[game.range.clone()];
            self.files = match &self.preamble {
                Some(text) if game.number == 1 && !text.is_empty() => {
                    let bytes = [text, bytes].concat();
                    self.target.add(origin, &game.keys, game.number, &bytes)?
                }
                _ => self.target.add(origin, &game.keys, game.number, bytes)?,
            };
        }
        if let Some(last) = kept.last {
            self.has_game = true;
            self.preamble = Some(Vec::new());
            if kept.games.last().is_none_or(|game| game.number != last) {
                self.files.clear();
            }
        }
        self.games += kept.read;
        self.kept += kept.games.len() as u64;
        self.target.end_block()
    }

    /// Adds text before the first game of the stream.
    fn add_text(&mut self, origin: &Origin, text: &[u8]) -> Result<(), Interruption> {
        match &mut self.preamble {
            Some(held) => {
                held.extend_from_slice(text);
                if held.len() > MAX_TEXT {
                    if self.takes_all {
                        self.target.add_text(origin, held)?;
                    }
                    self.preamble = None;
                }
                Ok(())
            }
            None if self.takes_all => self.target.add_more(origin, &[0], text),
            None => Ok(()),
        }
    }

    /// Adds the text of a stream that had no game.
    fn end_stream(&mut self) -> Result<(), Interruption> {
        match (self.preamble.replace(Vec::new()), &self.stream) {
            (Some(text), Some((_, origin))) if self.takes_all && !text.is_empty() => {
                self.target.add_text(origin, &text)
            }
            _ => Ok(()),
        }
    }
}

fn copy_games(
    keeper: &Keeper<'_>,
    run: &GamesRun<'_>,
    copy: &mut Copy,
) -> Result<(), Interruption> {
    let (selected, mut seen) = (&run.selected, HashSet::new());
    run.each(
        |block| keeper.block(&block, selected),
        |mut kept: Kept| {
            // Results come in the order of the input.
            kept.games.retain(|game| game.fingerprint.is_none_or(|game| seen.insert(game)));
            copy.block(&kept)?;
            run.progress.update(copy.games);
            Ok::<(), Interruption>(())
        },
    )?;
    copy.end_stream()?;
    copy.target.end_block()
}
