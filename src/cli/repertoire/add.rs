//! `eco repertoire add`.

use std::{fmt::Display, path::PathBuf, sync::Arc};

use clap::{Args, ValueEnum};
use eco::chess::{Chess, Color};
use eco::classify::Classifier;
use eco::pgn::nag_glyph;
use eco::quoted::counted;
use eco::repertoire::{
    Book, BookLine, BookRule, Chapter, ChapterFault, ChapterFaultKind, Edit, EditConflict,
    EditKind, MovesOf, PolyglotBook, PolyglotReading, Preparation, PreparationChange, read_epd,
    read_json,
};
use eco::store::{Database, RepertoireSettings};
use eco::{catalogue::Catalogue, output::sanitize, select::Selection};

use super::sources::{Renewal, Sources};
use super::{args::NewRepertoireArgs, edit::list_changes};
use crate::cli::games::{self, GameBlock, GameInputs, options};
use crate::cli::outcome::{Failure, Outcome, confirm, refuse, say};
use crate::cli::progress::{Progress, Results};
use crate::cli::selection::SelectedGames;
use crate::cli::{args, clock, completion, input, masters, output, run::GamesRun};

const HELP: &str = "\
Examples:
  eco repertoire add mine --db chess.db --color white my-white-lines.pgn
  eco repertoire add mine --db chess.db study.pgn --dry-run
  eco repertoire add mine --db chess.db --format polyglot book.bin
  eco repertoire add mine --db chess.db --repertoire club

Each game of a file is a chapter: its main line and all its variations become prepared moves, with
their comments and glyphs. Chapters and transpositions are merged by position; in a position of
several chapters, the main move of the first comes first. A line with a null move (--), such as a
threat, becomes a comment from that move on; a variation in place of the null move is read.

A source is the study of a chapter, by its address or name (ChapterURL, StudyName), or its course,
or else the file, by its name. If two files of one name are added together, the folder is part of
the name. --source gives another name; one that ends the path of a file, such as black/study.pgn, is
recognized later. A file with less than half of the moves that came from a file of its name is
refused, since it may be another one: --existing replace or --source says which. Adding a source
again replaces what came from it: moves, comments, glyphs, their order, and chapters. Other sources
stay. Input that may be only a part of a study does not replace it: its chapters are all known but
others are missing, or none is known. --existing part then replaces only the chapters of the input,
replace removes the others, and merge keeps what is there and adds what is new after it. If the
input has a chapter twice, by its address, the last text counts. --dry-run writes nothing, and lists
the moves, comments, glyphs and first choices that would be removed (only in the first) and added
(only in the second), as `eco db diff` does. Standard input without a study and without --source is
merged.

A course has the tags of games: Event names it, White and Black a chapter and a line, such as
3...Bf5 and Main line #4. Games of an event are taken for one if a name of theirs has moves; or a
number or a word such as Main line, and the game has neither result nor date nor ratings.

Lines of the other side are added after a question; where nobody can answer, --yes is needed. What
they are for is said by Orientation tags, or else by positions in which one side has several moves
and the other side one.

--repertoire adds another repertoire of the database, which stays as it is. The moves of NAME come
first, so its first choices stay; games that both have are counted once.

Own moves marked with ? or ?? are mistakes, with --mine no-dubious also those marked with ?!. They
and what follows are kept and shown, and never book moves.

JSON with counts of games is refused, since counts come from games only: `build` counts games, and
--repertoire adds a repertoire. --only prepared adds its moves alone.

Own moves are the repertoire; the opponent's moves are those that it answers. The prepared moves of
a repertoire are its book; games added by `build` show how often they were played and how they
scored.

If a file has a fault, such as a move that cannot be played or an open comment, nothing of it is
added; other files are. --lenient adds what can be read: each line up to its fault. Chapters of
other variants are always left out.

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

    /// What happens to earlier lines of the source [default: they are replaced, unless the input
    /// looks like a part of the source]
    #[arg(long, value_enum, value_name = "WHAT")]
    existing: Option<Renewal>,

    /// Add only the prepared moves of JSON with counts of games
    #[arg(long, value_parser = ["prepared"], value_name = "WHAT")]
    only: Option<String>,

    /// Add all of another repertoire of the database: games, players, prepared moves and notes
    #[arg(long, value_name = "NAME", add = completion::repertoires())]
    #[arg(conflicts_with_all = ["inputs", "color", "format", "source", "existing", "only"])]
    #[arg(conflicts_with = "dry_run")]
    repertoire: Option<String>,

    /// Add the readable lines of files with faults
    #[arg(long)]
    lenient: bool,

    #[command(flatten)]
    breadth: args::BreadthArgs,

    /// Write nothing; list the moves, comments and glyphs that would be removed and added
    #[arg(long)]
    dry_run: bool,

    /// Add lines of the other side without asking
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    run: args::RunArgs,
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

impl AddArgs {
    /// No sources yet.
    fn sources(&self) -> Sources {
        Sources::new(self.existing.unwrap_or(Renewal::Whole))
    }
}

/// The limit of positions. Input with more is games, not prepared lines, and would take all memory.
const MAX_POSITIONS: usize = 2_000_000;

/// The limit of the input in MiB, decompressed. Comments are held in memory too.
const MAX_MIB: usize = 128;

pub(super) fn run(args: &AddArgs) -> Result<Outcome, Failure> {
    if let Some(other) = &args.repertoire {
        return add_repertoire(args, other);
    }
    let inputs = games::inputs(&args.input.inputs, "repertoire add")?;
    let color = args.target.color;
    let rule = args.breadth.asked(args.target.rule()?);
    let settings = RepertoireSettings { color, rule, ..RepertoireSettings::default() };
    Database::check_settings(&args.target.database.db, &args.target.name, &settings)?;
    if args.only.is_some() && args.format != InputKind::Json {
        return refuse("--only is for json");
    }
    if args.format != InputKind::Pgn {
        return add_other(args, &inputs, &settings);
    }
    let (sources, outcome) = read_pgn(args, &inputs, color.unwrap_or(Color::White))?;
    let Some(sources) = sources else { return Ok(outcome) };
    check_side(args, &settings, &sources)?;
    if sources.null_lines > 0 && !args.run.quiet {
        let lines = counted(sources.null_lines, "line");
        say(&format_args!("{lines} with null moves kept as comments"));
    }
    let of = counted(sources.chapters(), "chapter");
    write(args, &settings, sources, Some(&of))?;
    Ok(outcome)
}

/// Asks whether lines of the other side are meant.
fn check_side(
    args: &AddArgs,
    settings: &RepertoireSettings,
    sources: &Sources,
) -> Result<(), Failure> {
    let (side, name) = (side(args, settings)?, sanitize(args.target.name.as_bytes()));
    let Some(seen) = sources.contradiction(side).filter(|_| !args.yes) else { return Ok(()) };
    let seen = format!("{name} is for {side}, and {seen}");
    if args.dry_run {
        say(&seen);
        return Ok(());
    }
    let hint = format!("--yes adds it, and another NAME with --color {} keeps it apart", !side);
    let unasked = format_args!("{seen}; nothing was written: {hint}");
    confirm(&format_args!("{seen}. Add it?"), "nothing was written", &unasked)
}

/// The side of the repertoire, new or known.
fn side(args: &AddArgs, settings: &RepertoireSettings) -> Result<Color, Failure> {
    match settings.color {
        Some(color) => Ok(color),
        None => Ok(Database::open(&args.target.database.db)?.repertoire(&args.target.name)?.color),
    }
}

fn too_many(limit: &dyn Display) -> Failure {
    let hint = "these are games; count them with `eco repertoire build`";
    Failure(format!("more than {limit}; nothing was written: {hint}"))
}

/// The chapters of a file. With a fault it adds none.
struct FileChapters {
    file: Arc<str>,
    chapters: Vec<(Chapter, Book)>,
    /// Whether the file was read to its end.
    is_whole: bool,
}

impl FileChapters {
    fn are_faultless(&self) -> bool {
        let is_fault = |fault: &ChapterFault| matches!(fault.kind, ChapterFaultKind::Game(_));
        let mut faults = self.chapters.iter().flat_map(|(chapter, _)| &chapter.faults);
        self.is_whole && !faults.any(is_fault)
    }
}

/// Reads all files, reports what is wrong with them, and returns whether all could be read.
fn read_files(run: &GamesRun<'_>, color: Color) -> Result<(Vec<FileChapters>, bool), Failure> {
    let mut files: Vec<FileChapters> = Vec::new();
    let (mut count, mut bytes, mut positions) = (0, 0, 0);
    let read = run.each(
        |GameBlock { source, block, .. }| {
            let chapter = |game| {
                // The side does not matter for reading.
                let mut book = Book::new(color, BookRule::default());
                (book.add_chapter(&game), book)
            };
            (source, block.bytes().len(), block.games().map(chapter).collect())
        },
        |(file, length, chapters): (Arc<str>, usize, Vec<(Chapter, Book)>)| {
            bytes += length;
            count += chapters.len() as u64;
            positions += chapters.iter().map(|(_, book)| book.len()).sum::<usize>();
            match files.last_mut() {
                Some(last) if last.file == file => last.chapters.extend(chapters),
                _ => files.push(FileChapters { file, chapters, is_whole: true }),
            }
            run.progress.update(count);
            match () {
                () if bytes > MAX_MIB << 20 => Err(too_many(&format_args!("{MAX_MIB} MiB of PGN"))),
                () if positions > MAX_POSITIONS => {
                    Err(too_many(&format_args!("{MAX_POSITIONS} positions")))
                }
                () => Ok(()),
            }
        },
    );
    run.progress.finish(count);
    for read in &mut files {
        read.is_whole = !run.progress.has_complaint_of(&read.file);
        Chapter::join_courses(&mut read.chapters);
    }
    let are_read = run.progress.complaints() == 0;
    report_faults(&files, &run.progress);
    read.map(|()| (files, are_read))
}

/// Reads chapters; `None` if no file can be read. With how the reading ended.
fn read_pgn(
    args: &AddArgs,
    inputs: &[PathBuf],
    color: Color,
) -> Result<(Option<Sources>, Outcome), Failure> {
    let (sources, errors) = games::find_sources(inputs)?;
    let everything = Classifier::new(Catalogue::builtin());
    let selected = SelectedGames::new(Selection::default(), Vec::new(), everything)?;
    let inputs = GameInputs::of_pgn(sources, errors);
    let run = GamesRun::new(inputs, selected, Results::Elsewhere, &args.run);
    let (files, are_read) = read_files(&run, color)?;
    let (mut sources, mut refused) = (args.sources(), Vec::new());
    for read in files {
        let is_added = args.lenient || read.are_faultless();
        let FileChapters { file, chapters, .. } = read;
        if !is_added {
            refused.push(file);
            continue;
        }
        for (chapter, book) in chapters {
            sources.add(args.source.as_deref(), &file, chapter, book);
        }
    }
    if sources.are_blank() {
        let what = match refused.is_empty() {
            true => "no move and no comment could be read; nothing was written",
            false => "nothing was written (--lenient adds what can be read)",
        };
        if are_read {
            return refuse(what);
        }
        run.progress.complain(&what);
        return Ok((None, Outcome::Incomplete));
    }
    for file in &refused {
        let hint = "--lenient adds what can be read";
        let what = format_args!("{file}: has faults, and nothing of it is added ({hint})");
        run.progress.complain(&what);
    }
    Ok((Some(sources), run.outcome(Ok(()))?))
}

/// Reports the first faults of chapters, and the number of the others.
fn report_faults(files: &[FileChapters], progress: &Progress) {
    let (mut shown, mut others) = (0, 0);
    for FileChapters { file, chapters, .. } in files {
        for (chapter, _) in chapters {
            let room = masters::SHOWN - shown;
            let faults = chapter.faults.iter().take(room);
            shown += faults.len();
            others += chapter.omitted + chapter.faults.len() - faults.len();
            faults.for_each(|fault| progress.complain(&format_args!("{file}: {fault}")));
        }
    }
    if others > 0 {
        progress.complain(&format_args!("... and {others} more of this kind"));
    }
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
        let database = path.exists().then(|| Database::open(path)).transpose()?;
        let (mut color, mut preparation) = (settings.color, Preparation::default());
        if let Some(database) = database
            && let Ok(info) = database.repertoire(name)
        {
            (color, preparation) = (Some(info.color), database.preparation(name)?);
        }
        sources.name_files(&preparation);
        let old = preparation.clone();
        sources.write(&mut preparation)?;
        conflicts_of(&old, &mut preparation).iter().for_each(|conflict| say(conflict));
        let books = [&old, &preparation].map(|all| all.to_book(color.unwrap_or(Color::White)));
        return list_changes(books.each_ref(), &args.target.database.naming, args.run.quiet);
    }
    args.target.database.to_extend()?;
    let merges = args.existing == Some(Renewal::Merge);
    if !args.run.quiet && !sources.repeated.is_empty() {
        let names = sources.repeated.join(", ");
        let counts = if merges { "both texts count" } else { "the last text counts" };
        say(&format_args!("more than once in the input, and {counts}: {names}"));
    }
    let (moves, mut known, mut is_old) = (sources.moves(), None, false);
    let mut conflicts = Vec::new();
    let change = |preparation: &mut Preparation| {
        sources.name_files(preparation);
        let names = sources.known(preparation);
        is_old = preparation.source("").is_some();
        let what = format!("{} added: {}", sources.names().join(", "), counted(moves, "move"));
        let old = preparation.clone();
        sources.write(preparation)?;
        conflicts = conflicts_of(&old, preparation);
        known = (!names.is_empty()).then(|| {
            let books = [&old, preparation].map(|all| all.to_book(Color::White));
            (names, PreparationChange::between(&old, preparation, books.each_ref()))
        });
        Ok::<_, Failure>(what)
    };
    let counts = Database::change_preparation(path, name, settings, clock::now(), change)?;
    conflicts.iter().for_each(|conflict| say(conflict));
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

/// Does the edits of moves again, and says which no longer fit what was added.
fn conflicts_of(old: &Preparation, preparation: &mut Preparation) -> Vec<String> {
    let conflicts = preparation.edit_again();
    if conflicts.is_empty() {
        return Vec::new();
    }
    let old = old.to_book(Color::White);
    let conflicts = conflicts.into_iter().map(|EditConflict { edit, now, .. }| {
        let (line, what) = (line_of(&old, &edit), edit_words(&edit.kind));
        match now {
            None => format!("{line}: no longer prepared, so your edit is given up ({what})"),
            Some(_) if edit.kind == EditKind::Cut => {
                format!("{line}: removed again, with what only it leads to ({what})")
            }
            Some(now) if now.is_empty() => {
                format!("{line}: your edit stays ({what}); the input has nothing there now")
            }
            Some(now) => {
                format!("{line}: your edit stays ({what}); the input has '{now}' there now")
            }
        }
    });
    conflicts.collect()
}

/// The line that an edit is about, as movetext, or its move and position if the book does not reach
/// it.
fn line_of(book: &Book, edit: &Edit) -> String {
    let line = || BookLine::with_move(book, &edit.key, edit.uci)?.movetext(book);
    line().unwrap_or_else(|| format!("{} in {}", edit.uci, edit.key))
}

/// An edit in the words of `eco repertoire edit`.
fn edit_words(kind: &EditKind) -> String {
    match kind {
        EditKind::Cut => "--cut".to_owned(),
        EditKind::Main => "--main".to_owned(),
        EditKind::Comment(text) => format!("--comment '{text}'"),
        EditKind::Glyph(nag) => format!("--glyph {}", nag_glyph(*nag)),
        EditKind::NoGlyphs => "--glyph none".to_owned(),
    }
}

/// What went and came, in words.
fn change_text(change: &PreparationChange) -> String {
    let gone = counted(change.moves_gone, "move");
    let mut text = format!("{gone} gone, {} new", change.moves_come);
    for (chapters, what) in [(&change.chapters_gone, "gone"), (&change.chapters_come, "new")] {
        if chapters.is_empty() {
            continue;
        }
        let noun = if chapters.len() == 1 { "chapter" } else { "chapters" };
        text += &format!("; {what} {noun}: {}", sanitize(chapters.join(", ").as_bytes()));
    }
    text
}

/// Adds the games and what is prepared of another repertoire.
fn add_repertoire(args: &AddArgs, other: &str) -> Result<Outcome, Failure> {
    let (path, name) = (&args.target.database.db, &args.target.name);
    let workers = options(&args.run).workers;
    let counts = Database::merge_repertoires(path, name, other, clock::now(), &workers)?;
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
    let color = side(args, settings)?;
    let (book, faults) = read_other(inputs, args.format, color)?;
    let is_refused = args.format == InputKind::Epd && !args.lenient && !faults.is_empty();
    if book.has_counts() && args.only.is_none() {
        let hint = "`eco repertoire build` counts games, --repertoire adds a repertoire of this \
                    database, and --only prepared adds the moves of this file without counts";
        return refuse(format!("{}: has counts of games: {hint}", inputs[0].display()));
    }
    masters::report_first(&faults, "fault");
    if is_refused {
        return refuse("nothing was written (--lenient adds what can be read)");
    }
    let mut sources = args.sources();
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
        return refuse("polyglot, epd and json are read from one file");
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
