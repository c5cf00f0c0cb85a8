//! The games that a command reads.
//!
//! An input is PGN, or a position database, which stands for the games that it keeps. Workers get
//! both as blocks of PGN: stored games are written as PGN by them. So whatever a command does with
//! games, it does with those of a database.

use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};
use std::sync::{Arc, atomic::AtomicU64, atomic::Ordering};
use std::{fmt::Display, ops::ControlFlow, rc::Rc, slice};

use eco::executor::{Executor, Feed};
use eco::new_file::{FileKind, kind_of};
use eco::output::{ColumnSet, sanitize};
use eco::pgn::source::{LineEnds, Source, SourceError, SourceFault, Stream};
use eco::pgn::{Block, BlockOptions, Buffers, Chunk, source};
use eco::pipeline::{Options, Workers};
use eco::select::Selection;
use eco::store::{CollectionInfo, Database, RepertoireInfo, UnreadGames};

use super::args::{GamesArgs, RunArgs};
use super::outcome::{Failure, complain, refuse, say};
use super::repeats::{Repeats, Turn};
use super::replace::{Inputs, is_database};
use super::selection::SelectedGames;

/// The maximum of `--block-size`: the memory of a block is allocated at once.
const MAX_BLOCK_SIZE: usize = 1 << 28;

/// The inputs that were named, or else standard input, unless that is a terminal.
pub(super) fn inputs(inputs: &[PathBuf], command: &str) -> Result<Vec<PathBuf>, Failure> {
    if !inputs.is_empty() {
        return Ok(inputs.to_vec());
    }
    if stdin().is_terminal() {
        let hint = "no input; name files or folders, or pipe PGN in";
        return refuse(format!("{hint} (eco {command} --help)"));
    }
    Ok(vec![PathBuf::from("-")])
}

/// The inputs that were named, or else standard input, or the database.
///
/// # Errors
///
/// If there is none; if inputs and a database are named, of which only one is read.
pub(super) fn games_of(args: &GamesArgs, command: &str) -> Result<Vec<PathBuf>, Failure> {
    if args.database.is_named() && !args.input.inputs.is_empty() {
        let hint = "is read where no INPUT is named; --catalogue FILE says whose names";
        return refuse(format!("--db {}: {hint}", args.database.db.display()));
    }
    inputs_or(&args.input.inputs, &args.database.db, command)
}

/// As [`inputs`], where the database takes the place of a terminal.
pub(super) fn inputs_or(
    given: &[PathBuf],
    db: &Path,
    command: &str,
) -> Result<Vec<PathBuf>, Failure> {
    if given.is_empty() && !is_piped() && db.exists() {
        return Ok(vec![db.to_owned()]);
    }
    inputs(given, command)
}

/// Whether standard input may have games: it is no terminal and no other device.
fn is_piped() -> bool {
    kind_of(&stdin()).is_ok_and(|kind| !matches!(kind, FileKind::Device | FileKind::Nowhere))
}

/// How the pipeline runs.
pub(super) fn options(args: &RunArgs) -> Options {
    let mut options = Options::default();
    if let Some(threads) = args.threads {
        options.workers = Workers::new(threads);
    }
    if let Some(bytes) = args.block_size {
        options.blocks.block_size = bytes.get().min(MAX_BLOCK_SIZE);
    }
    options
}

/// Games from one place.
enum Games {
    Pgn(Source),
    Stored { path: PathBuf, name: String, database: Rc<Database>, kept: CollectionInfo },
}

impl Games {
    /// The file and, in a database, the collection or repertoire.
    fn name(&self) -> String {
        match self {
            Self::Pgn(source) => source.name().to_string(),
            Self::Stored { path, name, .. } => format!("{}/{name}", path.display()),
        }
    }
}

/// The games that were named, in order.
#[derive(Default)]
pub(super) struct GameInputs {
    games: Vec<Games>,
    /// What cannot be found.
    pub(super) missing: Vec<SourceError>,
}

/// Whether a word is rather a move than the name of a file: `2.c3`, `Nf3`, `O-O`.
fn is_move(path: &Path) -> bool {
    let Some(text) = path.to_str() else { return false };
    let word = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let is_written = |c| "KQRBNOabcdefgh12345678x+#=-".contains(c);
    (word.as_bytes().windows(2).any(is_square) || word.starts_with("O-O"))
        && word.chars().all(is_written)
}

impl GameInputs {
    /// The games of files, folders, standard input and position databases; of those all
    /// collections, or those of these names.
    ///
    /// # Errors
    ///
    /// If a database cannot be read, or has no such collection, or none at all; if standard output
    /// goes to one of the inputs.
    pub(super) fn find(paths: &[PathBuf], collections: &[String]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            if path != Path::new("-") && is_database(path) {
                found.add_collections(path, collections)?;
            } else if is_move(path) && !path.exists() {
                let hint = "moves of one position go in quotes, or have commas: 1.e4,c5,Nf3";
                return refuse(format!("{}: no such file; {hint}", path.display()));
            } else {
                let (sources, missing) = source::find_sources(slice::from_ref(path));
                found.games.extend(sources.into_iter().map(Games::Pgn));
                found.missing.extend(missing);
            }
        }
        if !collections.is_empty() && !found.have_stored() {
            return refuse("--collection goes with a position database: name it as an input");
        }
        found.files().check_stdout()?;
        Ok(found)
    }

    /// As [`find`](Self::find), or the part of the one file that is named.
    ///
    /// # Errors
    ///
    /// As `find`; if there is a part, and not one file of PGN.
    pub(super) fn of(paths: &[PathBuf], args: &GamesArgs) -> Result<Self, Failure> {
        let mut found = Self::find(paths, &args.collections.collection)?;
        let Some(range) = args.range else { return Ok(found) };
        match (paths, &mut *found.games) {
            ([input], [Games::Pgn(source @ Source::File(_))]) if !input.is_dir() => {
                *source = Source::Part(input.clone(), range);
                Ok(found)
            }
            _ => refuse("--range reads a part of one file; name it"),
        }
    }

    /// PGN alone.
    pub(super) fn of_pgn(sources: Vec<Source>, missing: Vec<SourceError>) -> Self {
        Self { games: sources.into_iter().map(Games::Pgn).collect(), missing }
    }

    /// The games of repertoires.
    pub(super) fn of_repertoires(
        path: &Path,
        database: Database,
        repertoires: Vec<RepertoireInfo>,
    ) -> Result<Self, Failure> {
        let mut kept = Vec::new();
        for info in repertoires {
            kept.extend(database.games_of(&info)?.map(|games| (info.name, games)));
        }
        let mut found = Self::default();
        found.add(path, database, kept);
        Ok(found)
    }

    fn add(&mut self, path: &Path, database: Database, kept: Vec<(String, CollectionInfo)>) {
        let database = Rc::new(database);
        self.games.extend(kept.into_iter().map(|(name, kept)| {
            let database = Rc::clone(&database);
            Games::Stored { path: path.to_owned(), name, database, kept }
        }));
    }

    fn add_collections(&mut self, path: &Path, names: &[String]) -> Result<(), Failure> {
        let database = Database::open(path)?;
        let collections = database.collections_of(names)?;
        if collections.is_empty() {
            return Err(without_collections(path));
        }
        let collections = collections.into_iter().map(|info| (info.name.clone(), info));
        self.add(path, database, collections.collect());
        Ok(())
    }

    /// Whether games of a database are among them.
    pub(super) fn have_stored(&self) -> bool {
        self.games.iter().any(|games| matches!(games, Games::Stored { .. }))
    }

    /// The collections that are all of the inputs; `None` if there are others.
    pub(super) fn collections(&self) -> Option<Vec<(&Database, &CollectionInfo)>> {
        let mut collections = Vec::new();
        for games in &self.games {
            let Games::Stored { database, kept, .. } = games else { return None };
            collections.push((&**database, kept));
        }
        Some(collections).filter(|_| self.missing.is_empty())
    }

    /// Whether standard input is among them, which can be read only once.
    pub(super) fn have_stdin(&self) -> bool {
        self.games.iter().any(|games| matches!(games, Games::Pgn(Source::Stdin)))
    }

    /// The files that are read, for the gate before outputs.
    pub(super) fn files(&self) -> Inputs {
        let mut files = Inputs::of(self.games.iter().filter_map(|games| match games {
            Games::Pgn(source) => Some(source),
            Games::Stored { .. } => None,
        }));
        for games in &self.games {
            if let Games::Stored { path, .. } = games {
                files.add(path);
            }
        }
        files
    }

    /// Refuses to begin with a database if it is an input.
    pub(super) fn check_output(&self, db: &Path) -> Result<(), Failure> {
        if self.files().contains(db) {
            let name = db.display();
            return refuse(format!("{name} is an input too; nothing was written"));
        }
        Ok(())
    }

    /// Whether none of the inputs is there, which is reported: then nothing is written.
    pub(super) fn are_absent(&self) -> bool {
        let absent = self.absent();
        let are_all =
            !absent.is_empty() && self.missing.is_empty() && absent.len() == self.games.len();
        if are_all {
            for name in absent {
                complain(&format_args!("{name}: no such file; nothing was written"));
            }
        }
        are_all
    }

    /// Refuses to begin unless all of them are there.
    pub(super) fn check_all_there(&self) -> Result<(), Failure> {
        let missing = self.missing.first().map(SourceError::to_string);
        let absent = || self.absent().first().map(|name| format!("{name}: no such file"));
        missing.or_else(absent).map_or(Ok(()), refuse)
    }

    /// The names of files that are not there.
    fn absent(&self) -> Vec<String> {
        let is_absent = |games: &&Games| match games {
            Games::Pgn(Source::File(path) | Source::Part(path, _)) => !path.exists(),
            Games::Pgn(Source::Stdin) | Games::Stored { .. } => false,
        };
        self.games.iter().filter(is_absent).map(Games::name).collect()
    }

    /// Whether rows about games say which source a game is from to everyone. Programs always read
    /// it.
    pub(super) fn shows_source(&self) -> bool {
        self.games.len() > 1
    }

    /// Columns of rows about these games.
    pub(super) fn columns_of<F>(&self, columns: ColumnSet<F>) -> ColumnSet<F> {
        if self.shows_source() { columns.for_everyone("source") } else { columns }
    }

    /// The number of bytes to read, if every input has a known size.
    pub(super) fn size(&self) -> Option<u64> {
        let size = |games: &Games| match games {
            Games::Pgn(source) => source.size(),
            Games::Stored { .. } => None,
        };
        self.games.iter().map(size).sum()
    }

    /// Pushes all games, except those of collections that are not selected, as far as their indexes
    /// say so.
    pub(super) fn feed<'r, E: From<Failure>>(
        &self,
        blocks: BlockOptions,
        monitor: &Monitor<'_>,
        selection: &Selection,
        repeats: Option<&'r Repeats>,
        push: &mut Feed<'_, Batch<'r>, E>,
    ) -> Result<(), E> {
        let buffers = Buffers::default();
        for games in &self.games {
            match games {
                Games::Pgn(source) => {
                    let push = &mut |(source, line_ends, chunk)| {
                        let turn = repeats.map(Repeats::turn);
                        push(Batch { source, line_ends, turn, games: UnreadGames::Pgn(chunk) })
                    };
                    feed_source(source, blocks, &buffers, monitor, push)?;
                }
                Games::Stored { database, kept, .. } => {
                    let source: Arc<str> = sanitize(games.name().as_bytes()).into();
                    let push = &mut |games| {
                        let (source, turn) = (Arc::clone(&source), repeats.map(Repeats::turn));
                        let games = UnreadGames::Stored(games);
                        let line_ends = LineEnds::LineFeed;
                        let pushed = push(Batch { source, line_ends, turn, games });
                        pushed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
                    };
                    let damaged = &mut |error| {
                        (monitor.complain)(&Failure::from(error).0);
                        ControlFlow::Continue(())
                    };
                    let fed = database.feed_games(kept, selection, push, damaged);
                    match fed.map_err(Failure::from)? {
                        ControlFlow::Continue(games) => {
                            monitor.passed_over.fetch_add(games, Ordering::Relaxed);
                        }
                        ControlFlow::Break(ended) => return Err(ended),
                    }
                }
            }
        }
        Ok(())
    }

    /// Looks for the people who were asked for before anything is written, where something is
    /// written although one of them is missing. They are not looked for where standard input is
    /// read.
    ///
    /// # Errors
    ///
    /// If one of them is in no game.
    pub(super) fn find_people(
        &self,
        selected: &SelectedGames<'_>,
        options: &Options,
    ) -> Result<(), Failure> {
        if selected.people.are_nobody() || self.have_stdin() {
            return Ok(());
        }
        if self.meet_people(selected)? {
            return selected.check_people();
        }
        // What cannot be read is reported when it is read again.
        let (all, passed_over) = (Selection::default(), AtomicU64::new(0));
        let (position, complain) = (&Arc::default(), &|_: &dyn Display| {});
        let monitor = Monitor { position, passed_over: &passed_over, complain };
        let looked = options.workers.run(
            |push| self.feed(options.blocks, &monitor, &all, None, push),
            |batch: Batch<'_>| selected.find_people(&batch.into_block().block),
            // Once all are found, the search ends without a failure.
            |()| if selected.people.are_found() { Err(None) } else { Ok(()) },
        );
        match looked {
            Err(None) => Ok(()),
            Err(Some(failure)) => Err(failure),
            Ok(()) => selected.check_people(),
        }
    }

    /// Looks for the people who were asked for in the indexes of collections, if nothing else is
    /// read; returns whether that is so. Then the indexes say which games are to be read as well.
    pub(super) fn meet_people(&self, selected: &SelectedGames<'_>) -> Result<bool, Failure> {
        let Some(collections) = self.collections() else { return Ok(false) };
        if let Some(people) = selected.take_people_to_meet() {
            let mut collections = collections.into_iter();
            collections.try_for_each(|(database, kept)| database.meet_players(kept, people))?;
        }
        Ok(true)
    }

    /// As [`find_people`](Self::find_people), where a game is written only if one of the people is
    /// in it: one who is missing alone is found out at the end, before anything is written.
    pub(super) fn find_several(
        &self,
        selected: &SelectedGames<'_>,
        options: &Options,
    ) -> Result<(), Failure> {
        if selected.people.are_several() { self.find_people(selected, options) } else { Ok(()) }
    }

    /// Says what games of a database lack that are written as PGN.
    pub(super) fn say_what_is_kept(&self) {
        if self.have_stored() {
            say(
                &"a collection keeps tags, main lines, and evaluations and clocks of openings: its \
                 games are written without other comments, variations and glyphs",
            );
        }
    }
}

/// The failure of a command that asks for the collections of a database without any.
pub(super) fn without_collections(db: &Path) -> Failure {
    let db = db.display();
    Failure(format!("{db}: has no collection of games; `eco index GAMES.pgn --db {db}` makes one"))
}

/// Games on their way to a worker.
pub(super) struct Batch<'r> {
    source: Arc<str>,
    line_ends: LineEnds,
    turn: Option<Turn<'r>>,
    games: UnreadGames,
}

/// A block of games, and where it is from.
pub(super) struct GameBlock<'r> {
    /// The name of the stream. Every stream has an `Arc` of its own.
    pub(super) source: Arc<str>,
    pub(super) line_ends: LineEnds,
    /// When it is decided which of the games came before, where duplicates do not count.
    pub(super) turn: Option<Turn<'r>>,
    pub(super) block: Block,
    /// Where the block is in its stream; `None` for games of a database, which have no place there.
    pub(super) offset: Option<u64>,
}

impl<'r> Batch<'r> {
    pub(super) fn into_block(self) -> GameBlock<'r> {
        let Self { source, line_ends, turn, games } = self;
        let (block, offset) = games.into_block();
        GameBlock { source, line_ends, turn, block, offset }
    }
}

/// What becomes of the bytes that are read, and of what is wrong with them.
pub(super) struct Monitor<'h> {
    /// The counter of bytes.
    pub(super) position: &'h Arc<AtomicU64>,
    /// The counter of games that an index says are not selected.
    pub(super) passed_over: &'h AtomicU64,
    pub(super) complain: &'h dyn Fn(&dyn Display),
}

/// Whether a stream was read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    Broken,
}

/// Passes on the chunks of a stream, and reports what is wrong with it.
pub(super) fn feed<E>(
    stream: Stream<'_>,
    options: BlockOptions,
    buffers: &Buffers,
    complain: &dyn Fn(&dyn Display),
    mut push: impl FnMut(Chunk) -> Result<(), E>,
) -> Result<Ending, E> {
    let (mut chunks, position) = stream.into_chunks(options, buffers);
    let mut ending = Ending::Whole;
    for chunk in &mut chunks {
        match chunk {
            Ok(chunk) => push(chunk)?,
            Err(error) => {
                ending = Ending::Broken;
                complain(&position.broken(error));
            }
        }
    }
    if chunks.has_only_text() && ending == Ending::Whole {
        complain(&SourceError::new(position.name(), SourceFault::NoGame));
    }
    Ok(ending)
}

/// Passes on the chunks of all streams of a source, with their names and how their lines end.
fn feed_source<E>(
    source: &Source,
    options: BlockOptions,
    buffers: &Buffers,
    monitor: &Monitor<'_>,
    push: &mut Feed<'_, (Arc<str>, LineEnds, Chunk), E>,
) -> Result<(), E> {
    let mut streams = match source.open(monitor.position) {
        Ok(streams) => streams,
        Err(error) => {
            (monitor.complain)(&with_advice(source, &error));
            return Ok(());
        }
    };
    while let Some(stream) = streams.next_stream() {
        let name: Arc<str> = sanitize(stream.position.name().as_bytes()).into();
        let line_ends = stream.line_ends;
        let push = |chunk| push((Arc::clone(&name), line_ends, chunk));
        feed(stream, options, buffers, monitor.complain, push)?;
    }
    Ok(())
}

/// The sources of PGN that the inputs stand for, and what cannot be found, for commands that read
/// nothing else.
///
/// # Errors
///
/// If standard output goes to one of the sources.
pub(super) fn find_sources(inputs: &[PathBuf]) -> Result<(Vec<Source>, Vec<SourceError>), Failure> {
    let (sources, errors) = source::find_sources(inputs);
    Inputs::of(&sources).check_stdout()?;
    Ok((sources, errors))
}

/// An error about a source, and what to do about it.
pub(super) fn with_advice(source: &Source, error: &SourceError) -> String {
    match (&error.fault, source) {
        (SourceFault::Database, Source::File(_)) => {
            format!("{error}; `eco filter` writes the games of a database as PGN")
        }
        (SourceFault::Database, _) => {
            format!("{error}; a position database is read as a file: name it")
        }
        _ => error.to_string(),
    }
}
