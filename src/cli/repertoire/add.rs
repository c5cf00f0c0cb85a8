//! `eco repertoire add`.

use std::{
    fmt::{self, Display},
    path::PathBuf,
};

use clap::Args;
use eco::{
    chess::Color,
    output::sanitize,
    pipeline::Workers,
    repertoire::{Book, BookRule, Chapter},
    store::{Database, RepertoireSettings},
};

use super::{
    args::NewRepertoireArgs,
    import::{self, Imported, InputKind},
};
use crate::cli::{
    args::{InputArgs, RunArgs},
    games::{feed_all, find_sources, inputs, options, total_size},
    outcome::{Failure, Outcome, complain},
    output::print,
    progress::{Progress, Results},
};

const HELP: &str = "\
Examples:
  eco repertoire add mine --db chess.db --color white my-white-lines.pgn
  eco repertoire add mine --db chess.db study.pgn
  eco repertoire add mine --db chess.db --format polyglot book.bin

Each game of a file is a chapter: its main line and all its variations become prepared moves, with
their comments and glyphs. Chapters and transpositions are merged by position. Main lines come
first, and moves that were added earlier stay ahead of later ones. Adding a file again changes
nothing.

Own moves are the repertoire, the opponent's moves are what it answers. The prepared moves of a
repertoire are its book; games added by `build` show how often they were played and how they scored.

Exit codes: 0 success; 1 success, but something could not be read; 2 failure.";

/// The number of faults that are shown; the others are only counted.
const FAULTS_SHOWN: usize = 20;

/// Add prepared lines to a repertoire: PGN with variations and comments.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct AddArgs {
    #[command(flatten)]
    repertoire: NewRepertoireArgs,

    #[command(flatten)]
    input: InputArgs,

    /// Input format; all but pgn are read from one file, as `export` writes it
    #[arg(long, value_enum, default_value = "pgn")]
    format: InputKind,

    #[command(flatten)]
    run: RunArgs,
}

/// The limit of positions. Input with more is games, not prepared lines, and would take all memory.
const MAX_POSITIONS: usize = 2_000_000;

/// The counts and faults of all chapters.
#[derive(Default)]
struct Read {
    chapters: u64,
    moves: usize,
    faults: Vec<String>,
    omitted: usize,
}

impl Read {
    fn count(&mut self, source: &str, chapter: &Chapter) {
        self.chapters += 1;
        self.moves += chapter.new_moves;
        let room = FAULTS_SHOWN.saturating_sub(self.faults.len());
        self.omitted += chapter.omitted + chapter.faults.len().saturating_sub(room);
        let faults = chapter.faults.iter().take(room).map(|fault| format!("{source}: {fault}"));
        self.faults.extend(faults);
    }
}

/// The limit of the input in MiB, decompressed. Comments are held in memory too.
const MAX_MIB: usize = 128;

/// What the input has too much of.
enum TooMuch {
    Positions,
    Bytes,
}

impl Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positions => write!(f, "{MAX_POSITIONS} positions"),
            Self::Bytes => write!(f, "{MAX_MIB} MiB of PGN"),
        }
    }
}

pub(super) fn run(args: &AddArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.input.inputs, "repertoire add")?;
    let color = args.repertoire.color.map(Color::from);
    let settings = RepertoireSettings { color, ..RepertoireSettings::default() };
    let options = options(&args.run);
    Database::check_settings(&args.repertoire.db, &args.repertoire.name, &settings)?;
    if args.format != InputKind::Pgn {
        return add_other(args, &inputs, &settings);
    }
    let (sources, errors) = find_sources(&inputs)?;
    let progress = Progress::new(total_size(&sources), Results::Elsewhere, &args.run);
    errors.iter().for_each(|error| progress.complain(error));
    // The side does not matter for reading.
    let mut book = Book::new(color.unwrap_or(Color::White), BookRule::default());
    let (mut read, mut bytes) = (Read::default(), 0);
    let fed = feed_all(
        &sources,
        options.blocks,
        &mut |(source, chunk)| {
            let block = chunk.into_block();
            bytes += block.bytes().len();
            if bytes > MAX_MIB << 20 {
                return Err(TooMuch::Bytes);
            }
            block.games().for_each(|game| read.count(&source, &book.add_chapter(&game)));
            progress.update(read.chapters);
            if book.len() > MAX_POSITIONS { Err(TooMuch::Positions) } else { Ok(()) }
        },
        &progress,
    );
    progress.finish(read.chapters);
    read.faults.iter().for_each(|fault| progress.complain(fault));
    if read.omitted > 0 {
        progress.complain(&format_args!("... and {} more of this kind", read.omitted));
    }
    if let Err(limit) = fed {
        let hint = "these are games; count them with `eco repertoire build`";
        return Err(Failure(format!("more than {limit}; nothing was written: {hint}")));
    }
    if is_blank(&book) {
        let what = "no move and no comment could be read; nothing was written";
        return Err(Failure(what.to_owned()));
    }
    let counts = Database::prepare(
        &args.repertoire.db,
        &args.repertoire.name,
        &settings,
        &book,
        &options.workers,
    )?;
    if !args.run.quiet {
        let name = sanitize(args.repertoire.name.as_bytes());
        let (file, chapters, moves) = (args.repertoire.db.display(), read.chapters, read.moves);
        let has = counts.prepared_moves;
        let of = if chapters == 1 { "1 chapter".into() } else { format!("{chapters} chapters") };
        let text = format!("{file}: {name}: {moves} moves of {of}; it has {has} now\n");
        print(text.as_bytes())?;
    }
    Ok(if progress.complaints() > 0 { Outcome::Incomplete } else { Outcome::Done })
}

/// Whether there is nothing to add.
fn is_blank(book: &Book) -> bool {
    book.ids()
        .map(|id| book.node(id))
        .all(|node| node.notes().is_empty() && node.edges().is_empty())
}

/// Adds moves from a file in another format than PGN.
fn add_other(
    args: &AddArgs,
    inputs: &[PathBuf],
    settings: &RepertoireSettings,
) -> Result<Outcome, Failure> {
    let color = match settings.color {
        Some(color) => color,
        None => Database::open(&args.repertoire.db)?.repertoire(&args.repertoire.name)?.color,
    };
    let Imported { book, faults } = import::read(inputs, args.format, color)?;
    faults.iter().take(FAULTS_SHOWN).for_each(|fault| complain(fault));
    if faults.len() > FAULTS_SHOWN {
        complain(&format_args!("... and {} more of this kind", faults.len() - FAULTS_SHOWN));
    }
    let workers = Workers::default();
    let counts =
        Database::prepare(&args.repertoire.db, &args.repertoire.name, settings, &book, &workers)?;
    if !args.run.quiet {
        let moves: usize = book.ids().map(|id| book.moves(id).len()).sum();
        let (name, has) = (sanitize(args.repertoire.name.as_bytes()), counts.prepared_moves);
        let text =
            format!("{}: {name}: {moves} moves; it has {has} now\n", args.repertoire.db.display());
        print(text.as_bytes())?;
    }
    Ok(if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete })
}
