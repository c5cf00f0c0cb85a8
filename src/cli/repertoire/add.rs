//! `eco repertoire add`.

use std::{cell::RefCell, fmt::Display, path::PathBuf};

use clap::{Args, ValueEnum};
use eco::chess::{Chess, Color};
use eco::output::sanitize;
use eco::quoted::counted;
use eco::repertoire::{
    Book, BookRule, Chapter, ChapterFault, ChapterFaultKind, MovesOf, PolyglotBook,
    PolyglotReading, Preparation, PreparationChange, read_epd, read_json,
};
use eco::store::{Database, RepertoireSettings};

use super::args::NewRepertoireArgs;
use super::edit::preview;
use super::sources::{Renewal, Sources};
use crate::cli::games::{self, GameBlock, GameInputs, Monitor, options};
use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::progress::Progress;
use crate::cli::{args, completion, input, masters, output, progress};

const HELP: &str = "\
Examples:
  eco repertoire add mine --db chess.db --color white my-white-lines.pgn
  eco repertoire add mine --db chess.db study.pgn --dry-run
  eco repertoire add mine --db chess.db --format polyglot book.bin
  eco repertoire add mine --db chess.db --repertoire club

Each game of a file is a chapter: its main line and all its variations become prepared moves, with
their comments and glyphs. Chapters and transpositions are merged by position; where several have a
position, the main move of the first chapter comes first. A line with a null move (--), such as a
threat, is kept as a comment from that move on; a variation in place of the null move is read.

A source is the study of a chapter, by its address or name (ChapterURL, StudyName), or else the
file, by its name; of two files of one name that are added together, by the folder too. --source
gives it another name: one that ends the path of a file, such as black/study.pgn, is known again. A
file with less than half of the moves that came from one of its name is refused, since it may be
another one: --existing replace and --source say which. Adding a source again replaces
what came from it: moves, comments, glyphs, their order, and chapters that are gone. Other sources
stay. A study is not replaced by what may be a part of it: all chapters of the input are known and
others are not in it, or none is known. --existing part then replaces only the chapters of the
input, replace removes the others, and merge keeps what is there and adds what is new after it. Of a
chapter that the input has twice, as its address says, the last text counts. --dry-run writes
nothing, and lists what would go (only in the first) and come (only in the second) as `eco db diff`
does: moves, comments, glyphs, and first choices. Standard input without a study and without
--source is merged.

--repertoire adds another repertoire of the database, which stays as it is. The moves of NAME come
first, so its first choices stay; games that both have are counted once.

JSON with counts of games is refused, since counts come from games only: `build` counts games, and
--repertoire adds a repertoire. --only prepared adds its moves alone.

Own moves are the repertoire, the opponent's moves are what it answers. The prepared moves of a
repertoire are its book; games added by `build` show how often they were played and how they scored.

Of a file with a move that cannot be played, a comment that is never closed, or another fault
nothing is added; the other files are. --lenient adds what can be read of it: each line up to its
fault. Chapters of other variants are left out in any case.

Exit codes: 0 success; 1 success, but something could not be read; 2 failure.";

/// Add prepared lines to a repertoire: PGN with variations and comments.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct AddArgs {
    #[command(flatten)]
    target: NewRepertoireArgs,

    #[command(flatten)]
    input: args::InputArgs,

    /// Input format; all but pgn are read from one file, as `export` writes it
    #[arg(long, value_enum, default_value = "pgn")]
    format: InputKind,

    /// Name of the source [default: the study of a chapter, or else the name of the file]
    #[arg(long, value_name = "SOURCE", value_parser = args::parse_name)]
    source: Option<String>,

    /// What becomes of what came from the source before [default: it is replaced, if the input does
    /// not look like a part of it]
    #[arg(long, value_parser = completion::one_of(EXISTING), value_name = "WHAT")]
    existing: Option<Renewal>,

    /// Of JSON with counts of games, add what is prepared alone
    #[arg(long, value_enum, value_name = "WHAT")]
    only: Option<Only>,

    /// Add all of another repertoire of the database: games, players, prepared moves and notes
    #[arg(long, value_name = "NAME", add = completion::repertoires())]
    #[arg(conflicts_with_all = ["inputs", "color", "format", "source", "existing", "only"])]
    #[arg(conflicts_with = "dry_run")]
    repertoire: Option<String>,

    /// Add what can be read of a file with faults
    #[arg(long)]
    lenient: bool,

    /// Write nothing; list the moves, comments and glyphs that would go and come
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    run: args::RunArgs,
}

const EXISTING: &[completion::Choice<Renewal>] = &[
    ("merge", "It stays, and what is new is added after it", Renewal::Merge),
    ("part", "The chapters of the input are replaced, the others stay", Renewal::Part),
    ("replace", "All of it is replaced, whatever the input lacks", Renewal::Replace),
];

/// What is added of a document that has more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    /// Prepared moves, without counts of games
    Prepared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InputKind {
    /// Games with variations
    Pgn,
    /// A Polyglot opening book, .bin
    Polyglot,
    /// Positions with own moves as bm
    Epd,
    /// JSON as `export` writes it
    Json,
}

/// The limit of positions. Input with more is games, not prepared lines, and would take all memory.
const MAX_POSITIONS: usize = 2_000_000;

/// The sources that were read, and the counts and faults of their chapters.
struct ReadChapters<'a> {
    args: &'a AddArgs,
    sources: Sources,
    /// The file that is being read, and its chapters: with a fault it adds none.
    file: String,
    pending: Vec<(Chapter, Book)>,
    /// The files that added none.
    refused: Vec<String>,
    chapters: u64,
    positions: usize,
    null_lines: usize,
    faults: Vec<String>,
    omitted: usize,
}

impl<'a> ReadChapters<'a> {
    fn new(args: &'a AddArgs) -> Self {
        Self {
            args,
            sources: Sources::new(args.existing.unwrap_or(Renewal::Whole)),
            file: String::new(),
            pending: Vec::new(),
            refused: Vec::new(),
            chapters: 0,
            positions: 0,
            null_lines: 0,
            faults: Vec::new(),
            omitted: 0,
        }
    }

    /// Takes a chapter. `failed` has the files that could not be read to their end.
    fn add(&mut self, file: &str, (chapter, book): (Chapter, Book), failed: &[String]) {
        if self.file != file {
            self.end_file(failed);
            file.clone_into(&mut self.file);
        }
        self.chapters += 1;
        self.positions += book.len();
        let room = masters::SHOWN.saturating_sub(self.faults.len());
        self.omitted += chapter.omitted + chapter.faults.len().saturating_sub(room);
        let faults = chapter.faults.iter().take(room).map(|fault| format!("{file}: {fault}"));
        self.faults.extend(faults);
        self.pending.push((chapter, book));
    }

    /// Adds the chapters of a file, if nothing is wrong with it.
    fn end_file(&mut self, failed: &[String]) {
        let file = std::mem::take(&mut self.file);
        let chapters = std::mem::take(&mut self.pending);
        let is_fault = |fault: &ChapterFault| matches!(fault.kind, ChapterFaultKind::Game(_));
        let is_faulty = chapters.iter().any(|(chapter, _)| chapter.faults.iter().any(is_fault))
            || failed.iter().any(|error| error.starts_with(&format!("{file}: ")));
        if is_faulty && !self.args.lenient {
            return self.refused.push(file);
        }
        for (chapter, book) in chapters {
            self.null_lines += chapter.null_lines;
            self.sources.add(self.args.source.as_deref(), &file, chapter, book);
        }
    }
}

/// The limit of the input in MiB, decompressed. Comments are held in memory too.
const MAX_MIB: usize = 128;

pub(super) fn run(args: &AddArgs) -> Result<Outcome, Failure> {
    if let Some(other) = &args.repertoire {
        return add_repertoire(args, other);
    }
    let inputs = games::inputs(&args.input.inputs, "repertoire add")?;
    let color = args.target.color;
    let settings = RepertoireSettings { color, ..RepertoireSettings::default() };
    Database::check_settings(&args.target.database.db, &args.target.name, &settings)?;
    if args.only.is_some() && args.format != InputKind::Json {
        return Err(Failure("--only is for json".to_owned()));
    }
    if args.format != InputKind::Pgn {
        return add_other(args, &inputs, &settings);
    }
    let Some((read, complaints)) = read_pgn(args, &inputs, color.unwrap_or(Color::White))? else {
        return Ok(Outcome::Incomplete);
    };
    let (chapters, null_lines) = (read.sources.chapters(), read.null_lines);
    if null_lines > 0 && !args.run.quiet {
        say(&format_args!("{} with null moves kept as comments", counted(null_lines, "line")));
    }
    let of = counted(chapters, "chapter");
    write(args, &settings, read.sources, Some(&of))?;
    Ok(if complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
}

fn too_many(limit: &dyn Display) -> Failure {
    let hint = "these are games; count them with `eco repertoire build`";
    Failure(format!("more than {limit}; nothing was written: {hint}"))
}

/// Reads chapters, with the number of what was complained of; `None` if no file can be read.
fn read_pgn<'a>(
    args: &'a AddArgs,
    inputs: &[PathBuf],
    color: Color,
) -> Result<Option<(ReadChapters<'a>, usize)>, Failure> {
    let options = games::options(&args.run);
    let (sources, errors) = games::find_sources(inputs)?;
    let inputs = GameInputs::of_pgn(sources, errors);
    let progress = Progress::new(inputs.size(), progress::Results::Elsewhere, &args.run);
    inputs.missing.iter().for_each(|error| progress.complain(error));
    let (mut read, mut bytes) = (ReadChapters::new(args), 0);
    let failed = RefCell::new(Vec::new());
    let complain = |error: &dyn Display| {
        progress.complain(error);
        failed.borrow_mut().push(error.to_string());
    };
    let monitor = Monitor { position: progress.position(), complain: &complain };
    let fed = inputs.feed(options.blocks, &monitor, None, &mut |batch| {
        let GameBlock { source, block, .. } = batch.into_block();
        bytes += block.bytes().len();
        if bytes > MAX_MIB << 20 {
            return Err(too_many(&format_args!("{MAX_MIB} MiB of PGN")));
        }
        for game in block.games() {
            // The side does not matter for reading.
            let mut book = Book::new(color, BookRule::default());
            let chapter = book.add_chapter(&game);
            read.add(&source, (chapter, book), &failed.borrow());
        }
        progress.update(read.chapters);
        match read.positions > MAX_POSITIONS {
            true => Err(too_many(&format_args!("{MAX_POSITIONS} positions"))),
            false => Ok(()),
        }
    });
    progress.finish(read.chapters);
    read.faults.iter().for_each(|fault| progress.complain(fault));
    if read.omitted > 0 {
        progress.complain(&format_args!("... and {} more of this kind", read.omitted));
    }
    fed?;
    read.end_file(&failed.borrow());
    if read.sources.are_blank() {
        let what = match read.refused.is_empty() {
            true => "no move and no comment could be read; nothing was written",
            false => "nothing was written (--lenient adds what can be read)",
        };
        if inputs.missing.is_empty() && failed.borrow().is_empty() {
            return Err(Failure(what.to_owned()));
        }
        progress.complain(&what);
        return Ok(None);
    }
    for file in &read.refused {
        let hint = "--lenient adds what can be read";
        progress.complain(&format_args!("{file}: has faults, and nothing of it is added ({hint})"));
    }
    let complaints = progress.complaints();
    Ok(Some((read, complaints)))
}

/// Writes sources, or lists what they would change.
fn write(
    args: &AddArgs,
    settings: &RepertoireSettings,
    mut sources: Sources,
    chapters: Option<&str>,
) -> Result<(), Failure> {
    let (path, name) = (&args.target.database.db, &args.target.name);
    if args.dry_run {
        return preview(
            &args.target.database,
            name,
            settings.color,
            args.run.quiet,
            |preparation| {
                sources.name_files(preparation);
                sources.write(preparation)
            },
        );
    }
    args.target.database.to_extend()?;
    let merges = args.existing == Some(Renewal::Merge);
    if !args.run.quiet && !sources.repeated().is_empty() {
        let names = sources.repeated().join(", ");
        let counts = if merges { "both texts count" } else { "the last text counts" };
        say(&format_args!("more than once in the input, and {counts}: {names}"));
    }
    let (moves, mut known, mut is_old) = (sources.moves(), None, false);
    let change = |preparation: &mut Preparation| {
        sources.name_files(preparation);
        let names = sources.known(preparation);
        is_old = preparation.source("").is_some();
        let before = (!names.is_empty()).then(|| preparation.clone());
        sources.write(preparation)?;
        known = before.map(|before| (names, PreparationChange::between(&before, preparation)));
        Ok::<(), Failure>(())
    };
    let counts = Database::change_preparation(path, name, settings, change)?;
    if args.run.quiet {
        return Ok(());
    }
    let of = chapters.map(|chapters| format!(" of {chapters}")).unwrap_or_default();
    let (shown, has) = (sanitize(name.as_bytes()), counts.prepared_moves);
    let mut text =
        format!("{}: {shown}: {}{of}; it has {has} now", path.display(), counted(moves, "move"));
    if let Some((names, change)) = known {
        let joins = if merges { "beside" } else { "in place of" };
        text += &format!(", {joins} the earlier {}: {}", names.join(", "), change_text(&change));
    }
    output::print(format!("{text}\n").as_bytes())?;
    if is_old && !merges {
        let remedy = format!("`eco repertoire edit {shown} --cut --source ''` removes it");
        say(&format_args!("what was added before sources were known stays: {remedy}"));
    }
    Ok(())
}

/// What went and came, in words.
fn change_text(change: &PreparationChange) -> String {
    let gone = counted(change.moves_gone, "move");
    let mut text = format!("{gone} gone, {} new", change.moves_come);
    for (chapters, what) in [(&change.chapters_gone, "gone"), (&change.chapters_come, "new")] {
        if chapters.is_empty() {
            continue;
        }
        let names: Vec<&str> = chapters.iter().map(|chapter| chapter.name.as_str()).collect();
        let noun = if names.len() == 1 { "chapter" } else { "chapters" };
        text += &format!("; {what} {noun}: {}", sanitize(names.join(", ").as_bytes()));
    }
    text
}

/// Adds the games and what is prepared of another repertoire.
fn add_repertoire(args: &AddArgs, other: &str) -> Result<Outcome, Failure> {
    let (path, name) = (&args.target.database.db, &args.target.name);
    let counts = Database::merge_repertoires(path, name, other, &options(&args.run).workers)?;
    if !args.run.quiet {
        let (games, moves) = (counted(counts.games, "game"), counts.prepared_moves);
        let (path, moves) = (path.display(), counted(moves, "prepared move"));
        let text = format!("{path}: {name}: it has {games} and {moves} now\n");
        output::print(text.as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// Adds moves from a file in another format than PGN.
fn add_other(
    args: &AddArgs,
    inputs: &[PathBuf],
    settings: &RepertoireSettings,
) -> Result<Outcome, Failure> {
    let color = match settings.color {
        Some(color) => color,
        None => Database::open(&args.target.database.db)?.repertoire(&args.target.name)?.color,
    };
    let (book, faults) = read_other(inputs, args.format, color)?;
    let is_refused = args.format == InputKind::Epd && !args.lenient && !faults.is_empty();
    if book.has_counts() && args.only.is_none() {
        let hint = "`eco repertoire build` counts games, --repertoire adds a repertoire of this \
                    database, and --only prepared adds the moves of this file without counts";
        return Err(Failure(format!("{}: has counts of games: {hint}", inputs[0].display())));
    }
    masters::report_first(&faults, "fault");
    if is_refused {
        return Err(Failure("nothing was written (--lenient adds what can be read)".to_owned()));
    }
    let mut sources = Sources::new(args.existing.unwrap_or(Renewal::Whole));
    sources.add_book(args.source.as_deref(), &inputs[0].display().to_string(), book);
    write(args, settings, sources, None)?;
    Ok(if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete })
}

/// Reads one file, as moves for a side, and the faults of what cannot be read.
fn read_other(
    inputs: &[PathBuf],
    kind: InputKind,
    color: Color,
) -> Result<(Book, Vec<String>), Failure> {
    let [path] = inputs else {
        return Err(Failure("polyglot, epd and json are read from one file".to_owned()));
    };
    let bytes = input::read_whole(path)?;
    let name = path.display();
    let place = |fault: &dyn Display| Failure(format!("{name}: {fault}"));
    let (book, faults) = match kind {
        InputKind::Epd => {
            let reading = read_epd(&bytes, color);
            (reading.book, reading.faults.iter().map(ToString::to_string).collect())
        }
        InputKind::Json => (read_json(&bytes).map_err(|fault| place(&fault))?, Vec::new()),
        _ => {
            let file = PolyglotBook::from_bytes(&bytes).map_err(|fault| place(&fault))?;
            read_polyglot(&file, color)
        }
    };
    if book.color() != color {
        return Err(place(&format_args!("is for {}", book.color())));
    }
    if !book.has_prepared() {
        return Err(place(&"no move is prepared in it; nothing was written"));
    }
    let faults = faults.into_iter().map(|fault| format!("{name}: {fault}")).collect();
    Ok((book, faults))
}

/// The moves that can be reached from the initial position. A file in which the opponent has no
/// move is read as one that has own moves only.
fn read_polyglot(file: &PolyglotBook, color: Color) -> (Book, Vec<String>) {
    let read = |has| file.to_book(color, has, &[Chess::default()]);
    let mut reading = read(MovesOf::Both);
    let book = &reading.book;
    if book.ids().all(|id| book.is_own_turn(id) || book.moves(id).is_empty()) {
        reading = read(MovesOf::Own);
    }
    let PolyglotReading { book, illegal, unreached, .. } = reading;
    let faults = [
        (illegal, "are no legal moves"),
        (unreached, "are of positions that the initial position does not lead to"),
    ];
    let found = faults.into_iter().filter(|(count, _)| *count > 0);
    (book, found.map(|(count, what)| format!("{count} entries {what}")).collect())
}
