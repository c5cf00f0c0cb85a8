//! `eco tag`.

mod args;
mod report;
mod target;
mod writer;

use std::{
    fmt::Display,
    fs::{self, File, FileTimes},
    io::{self, Read, stdout},
    ops::ControlFlow,
    path::Path,
    sync::Arc,
};

use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    master::Master,
    output::{Rows, sanitize, write_game_change},
    pgn::{
        Block, Buffers, Compression, Piece,
        source::{Source, Stream},
    },
    pipeline::{self, Options},
    tag::{Changes, Names, Policy, TaggedBlock, Tagger, Unknown},
};

pub(crate) use self::args::TagArgs;
use self::{
    report::{Report, cannot_write},
    target::{Target, Task, is_dash, plan},
    writer::{Sink, Writer},
};
use super::{
    games::{Ending, feed, inputs, options, total_size},
    masters::own_catalogue_at,
    outcome::{Failure, Outcome, say},
    progress::{Progress, Shows},
    replace::{Original, Refusal, Replacement},
};

pub(super) fn run(args: &TagArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.inputs, "tag")?;
    let (tasks, missing) = plan(args, &inputs)?;
    check_levels(args, &tasks)?;
    let stored = catalogue(args)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let is_to_stdout = args.output.as_deref().is_none_or(is_dash)
        && tasks.iter().any(|task| task.target == Target::Shared);
    if is_to_stdout && args.report.as_deref().is_some_and(is_dash) {
        return Err(Failure("games and report cannot both go to standard output".to_owned()));
    }
    let report = Report::open(args)?;
    let sources: Vec<Source> = tasks.iter().map(|task| task.source.clone()).collect();
    let shows = if is_to_stdout { Shows::Rows } else { Shows::OnlyTheEnd };
    let mut run = Run {
        tagger: Tagger::new(Classifier::new(catalogue), tagging(args)),
        options: options(&args.run),
        level: args.level,
        is_resumed: args.resume,
        is_in_place: args.in_place,
        progress: Progress::new(total_size(&sources), shows, args.run.quiet),
        game_rows: report.as_ref().and_then(Report::game_rows),
        report,
        changes: Changes::default(),
        files: Files::default(),
    };
    missing.iter().for_each(|error| run.progress.complain(error));
    let done = match Shared::open(args, &tasks)? {
        Some(shared) => run.tag_into(shared, &tasks),
        None => tasks.iter().try_for_each(|task| run.tag_apart(task)),
    };
    run.progress.finish(run.changes.games);
    if !args.run.quiet && done.is_ok() {
        run.tell_counts();
    }
    // What was done before something failed is reported, too.
    let reported = run.report.take().map_or(Ok(()), |report| report.finish(&run.changes));
    done.and(reported)?;
    Ok(if run.progress.complaints() > 0 { Outcome::Incomplete } else { Outcome::Done })
}

/// The catalogue of the database, or with fingerprints for marks; `None` for the built-in one as it
/// is.
fn catalogue(args: &TagArgs) -> Result<Option<Catalogue>, Failure> {
    if let Some(path) = &args.db {
        return Ok(own_catalogue_at(Some(path))?);
    }
    let marked = || Catalogue::from_masters([Master::builtin_with_fingerprint()]).0;
    Ok(args.mark.then(marked))
}

fn tagging(args: &TagArgs) -> eco::tag::Options {
    eco::tag::Options {
        policy: if args.strip { Policy::Strip } else { args.only.into() },
        names: Names::from(args.names),
        unknown: if args.clear_unknown { Unknown::Clear } else { Unknown::Keep },
        extended: args.extended_tag.clone(),
        with_move_order: args.move_order,
        with_mark: args.mark,
    }
}

/// That the level can be asked for of every file that is to be written, before any is.
fn check_levels(args: &TagArgs, tasks: &[Task]) -> Result<(), Failure> {
    if args.level.is_none() {
        return Ok(());
    }
    let shared = args.output.as_deref().filter(|path| !is_dash(path));
    tasks.iter().try_for_each(|task| match &task.target {
        Target::Nowhere => Ok(()),
        Target::Shared => {
            check_level(shared.map_or(Compression::Plain, Compression::of_name), args.level)
        }
        Target::File(path) => check_level(Compression::of_name(path), args.level),
        Target::InPlace(path) => {
            let accessed = fs::metadata(path).and_then(|metadata| metadata.accessed());
            let compression = Compression::of_file(path);
            // To look at a file is not to use it. One that cannot be read is told of in its turn.
            if let (Ok(accessed), Ok(file)) = (accessed, File::open(path)) {
                let _ = file.set_times(FileTimes::new().set_accessed(accessed));
            }
            compression.map_or(Ok(()), |compression| check_level(compression, args.level))
        }
    })
}

/// That a level can be asked for.
fn check_level(compression: Compression, level: Option<u32>) -> Result<(), Failure> {
    let Some(level) = level else { return Ok(()) };
    let Some(levels) = compression.levels() else {
        return Err(Failure(format!("--level {level}: a file that is not compressed has none")));
    };
    if levels.contains(&level) {
        return Ok(());
    }
    let (name, first, last) = (compression.name(), levels.start(), levels.end());
    Err(Failure(format!("--level {level}: {name} has levels {first} to {last}")))
}

/// The one output of all inputs.
struct Shared {
    name: String,
    writer: Writer,
    /// The file, unless it is standard output.
    replacement: Option<Replacement>,
}

impl Shared {
    fn open(args: &TagArgs, tasks: &[Task]) -> Result<Option<Self>, Failure> {
        if !tasks.iter().any(|task| task.target == Target::Shared) {
            return Ok(None);
        }
        let path = args.output.as_deref().filter(|path| !is_dash(path));
        let name = path.map_or("standard output".to_owned(), |path| path.display().to_string());
        let compression = path.map_or(Compression::Plain, Compression::of_name);
        let open = || -> io::Result<Self> {
            let (sink, replacement) = match path {
                None => (Sink::Stdout(stdout()), None),
                Some(path) => {
                    let replacement = Replacement::new(path)?;
                    (Sink::File(replacement.file()?), Some(replacement))
                }
            };
            let writer = Writer::new(sink, compression, args.level)?;
            Ok(Self { name: name.clone(), writer, replacement })
        };
        open().map(Some).map_err(|error| cannot_write(&name, &error))
    }
}

/// What a worker has made of a block.
struct Tagged {
    games: TaggedBlock,
    changes: Changes,
    rows: Vec<u8>,
}

/// What is kept of each game for the report.
#[derive(Clone, Copy)]
enum Detail<'r> {
    Totals,
    Kinds,
    Games(&'r dyn Rows),
}

/// How many files became what.
#[derive(Default)]
struct Files {
    changed: u64,
    unchanged: u64,
    broken: u64,
    done_before: u64,
}

/// A run over all sources.
struct Run<'c> {
    tagger: Tagger<'c>,
    options: Options,
    level: Option<u32>,
    is_resumed: bool,
    is_in_place: bool,
    progress: Progress,
    report: Option<Report>,
    /// The layout of the report, if it is by game.
    game_rows: Option<Box<dyn Rows>>,
    changes: Changes,
    files: Files,
}

impl Run<'_> {
    /// Tags all sources into one output.
    fn tag_into(&mut self, shared: Shared, tasks: &[Task]) -> Result<(), Failure> {
        let Shared { name, writer, replacement } = shared;
        let complaints = self.progress.complaints();
        let (mut is_begun, mut is_stopped) = (false, false);
        for Task { source, .. } in tasks {
            let mut step = ControlFlow::Continue(());
            let opened = source.each_stream(&Arc::clone(self.progress.position()), &mut |stream| {
                is_begun = true;
                step = writer.end_line();
                step?;
                step = self.tag(stream, &mut |games| writer.send(games)).map_continue(drop);
                step
            });
            if let Err(error) = opened {
                self.progress.complain(&error);
            }
            is_stopped = step.is_break();
            if is_stopped {
                break;
            }
        }
        match writer.finish() {
            // The reader has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(cannot_write(&name, &error)),
            Ok(sink) => drop(sink),
        }
        let is_empty_handed = !is_begun && self.progress.complaints() > complaints;
        match replacement {
            // There was nothing to be read, or the report could not be written: what was there stays.
            Some(_) if is_empty_handed || is_stopped => Ok(()),
            Some(replacement) => {
                replacement.commit(None).map_err(|error| cannot_write(&name, &error))
            }
            None => Ok(()),
        }
    }

    /// Tags one source where it is, into a file of its own, or for the report.
    fn tag_apart(&mut self, task: &Task) -> Result<(), Failure> {
        match &task.target {
            Target::Nowhere if self.is_in_place => match &task.source {
                // What would be refused is told.
                Source::File(path) => match Original::open(path) {
                    Ok(_) => self.tag_to_nowhere(&task.source),
                    Err(refusal) => {
                        self.progress.complain(&format_args!("{}: {refusal}", path.display()));
                        Ok(())
                    }
                },
                Source::Stdin => self.tag_to_nowhere(&task.source),
            },
            Target::Nowhere | Target::Shared => self.tag_to_nowhere(&task.source),
            Target::File(path) => self.tag_to_file(&task.source, path),
            Target::InPlace(path) => match self.tag_in_place(&task.source, path) {
                Ok(()) => Ok(()),
                Err(Trouble::Refused(refusal)) => {
                    let name = path.display();
                    self.progress.complain(&format_args!("{name}: {refusal}"));
                    Ok(())
                }
                Err(Trouble::Failed(failure)) => Err(failure),
            },
        }
    }

    fn tag_to_nowhere(&mut self, source: &Source) -> Result<(), Failure> {
        let opened = source.each_stream(&Arc::clone(self.progress.position()), &mut |stream| {
            self.tag(stream, &mut |_| ControlFlow::Continue(())).map_continue(drop)
        });
        opened.unwrap_or_else(|error| self.progress.complain(&error));
        Ok(())
    }

    fn tag_to_file(&mut self, source: &Source, path: &Path) -> Result<(), Failure> {
        let name = path.display().to_string();
        let compression = Compression::of_name(path);
        if self.is_resumed && self.is_written(source, path) {
            self.skip(source);
            return Ok(());
        }
        let written = |error: io::Error| cannot_write(&name, &error);
        let mut failure = Ok(());
        let opened = source.each_stream(&Arc::clone(self.progress.position()), &mut |stream| {
            if stream.compression.is_none() {
                let hint = "a zip archive has no file to be written to; unpack it, or use -o";
                self.progress.complain(&format_args!("{}: {hint}", source.name()));
                return ControlFlow::Break(());
            }
            failure = fs::create_dir_all(path.parent().unwrap_or(path))
                .and_then(|()| Replacement::new(path))
                .map_err(written)
                .and_then(|replacement| {
                    match self.write(stream, &replacement, compression).map_err(written)? {
                        ControlFlow::Continue(_) => replacement.commit(None).map_err(written),
                        ControlFlow::Break(()) => Ok(()),
                    }
                });
            ControlFlow::Continue(())
        });
        opened.unwrap_or_else(|error| self.progress.complain(&error));
        failure
    }

    fn tag_in_place(&mut self, source: &Source, path: &Path) -> Result<(), Trouble> {
        let original = Original::open(path)?;
        if self.is_resumed && self.is_done(source) {
            self.skip(source);
            return Ok(());
        }
        let before = self.changes.changed;
        let mut result = Ok(());
        let opened = source.each_stream(&Arc::clone(self.progress.position()), &mut |stream| {
            result = self.replace(stream, &original, before);
            // An archive has more streams, and all would be refused.
            ControlFlow::Break(())
        });
        opened.unwrap_or_else(|error| self.progress.complain(&error));
        result
    }

    fn replace(
        &mut self,
        stream: Stream<'_>,
        original: &Original,
        before: u64,
    ) -> Result<(), Trouble> {
        let name = stream.position.name().to_owned();
        let compression = stream.compression.ok_or(Refusal::Archive)?;
        let written = |error: io::Error| {
            Failure(format!("{name}: cannot be written: {error}; it is as it was"))
        };
        let replacement = Replacement::of(original)?;
        let ending = self.write(stream, &replacement, compression).map_err(written)?;
        if ending != ControlFlow::Continue(Ending::Whole) {
            self.files.broken += 1;
            return Ok(());
        }
        if self.changes.changed == before {
            self.files.unchanged += 1;
            return Ok(());
        }
        original.check()?;
        replacement.commit(Some(original)).map_err(written)?;
        self.files.changed += 1;
        Ok(())
    }

    /// Writes a stream, tagged, to a file that is to take the place of another.
    fn write(
        &mut self,
        stream: Stream<'_>,
        replacement: &Replacement,
        compression: Compression,
    ) -> io::Result<ControlFlow<(), Ending>> {
        let writer = Writer::new(Sink::File(replacement.file()?), compression, self.level)?;
        let ending = self.tag(stream, &mut |games| writer.send(games));
        writer.finish()?;
        Ok(ending)
    }

    /// Tags a stream, counts and reports. `write` is given its games in order.
    fn tag(
        &mut self,
        stream: Stream<'_>,
        write: &mut dyn FnMut(TaggedBlock) -> ControlFlow<()>,
    ) -> ControlFlow<(), Ending> {
        let (changes, progress) = (&mut self.changes, &self.progress);
        let report = &mut self.report;
        let detail = match (report.is_some(), &self.game_rows) {
            (false, _) => Detail::Totals,
            (true, None) => Detail::Kinds,
            (true, Some(rows)) => Detail::Games(&**rows),
        };
        let job = Job { tagger: &self.tagger, options: &self.options, detail };
        job.run(stream, &|error| progress.complain(error), &mut |tagged| {
            changes.merge(tagged.changes);
            progress.update(changes.games);
            match report.as_mut().map(|report| report.write(&tagged.rows)) {
                Some(ControlFlow::Break(())) => ControlFlow::Break(()),
                None | Some(ControlFlow::Continue(())) => write(tagged.games),
            }
        })
    }

    /// Whether tagging a source would change nothing; it is read as far as it takes to tell.
    fn is_done(&self, source: &Source) -> bool {
        let job = Job { tagger: &self.tagger, options: &self.options, detail: Detail::Totals };
        let mut is_done = false;
        let opened = source.each_stream(&Arc::default(), &mut |stream| {
            let ending = job.run(stream, &|_| {}, &mut |tagged| match tagged.changes.changed {
                0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            });
            is_done = ending == ControlFlow::Continue(Ending::Whole);
            ControlFlow::Continue(())
        });
        opened.is_ok() && is_done
    }

    /// Whether a file says what the source would say, tagged.
    fn is_written(&self, source: &Source, path: &Path) -> bool {
        let job = Job { tagger: &self.tagger, options: &self.options, detail: Detail::Totals };
        let mut is_written = false;
        let written = Source::File(path.to_owned());
        let compared = written.each_stream(&Arc::default(), &mut |mut written| {
            let opened = source.each_stream(&Arc::default(), &mut |stream| {
                let ending = job.run(stream, &|_| {}, &mut |tagged| match begins_with(
                    &mut written.reader,
                    &tagged.games,
                ) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                });
                is_written = ending == ControlFlow::Continue(Ending::Whole)
                    && matches!(written.reader.read(&mut [0]), Ok(0));
                ControlFlow::Break(())
            });
            is_written &= opened.is_ok();
            ControlFlow::Break(())
        });
        compared.is_ok() && is_written
    }

    fn skip(&mut self, source: &Source) {
        let size = source.size().unwrap_or_default();
        self.progress.position().fetch_add(size, std::sync::atomic::Ordering::Relaxed);
        self.files.done_before += 1;
    }

    /// Says what was done.
    fn tell_counts(&self) {
        if self.changes.games == 0 && self.progress.complaints() > 0 {
            return;
        }
        let Changes { games, changed, correct, no_opening, excluded, no_tags, damaged, .. } =
            &self.changes;
        let mut text = format!("{games} games: {changed} changed");
        for (count, what) in [
            (correct, "right already"),
            (no_opening, "without opening"),
            (excluded, "left by --only"),
            (no_tags, "left, without tags and result"),
            (damaged, "left, with tags in doubt"),
        ] {
            if *count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        let Files { changed, unchanged, broken, done_before } = self.files;
        for (count, what) in [
            (changed, "changed"),
            (unchanged, "with nothing to change"),
            (broken, "left, not read to the end"),
            (done_before, "done before"),
        ] {
            if count > 0 {
                let files = if count == 1 { "file" } else { "files" };
                text += &format!("; {count} {files} {what}");
            }
        }
        say(&text);
    }
}

/// Why a file is not changed in place.
enum Trouble {
    /// This one; others may be.
    Refused(Refusal),
    /// And there is no use in going on.
    Failed(Failure),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The sink has had enough.
struct Stopped;

/// Tagging one stream, on all threads.
struct Job<'j, 'c> {
    tagger: &'j Tagger<'c>,
    options: &'j Options,
    detail: Detail<'j>,
}

impl Job<'_, '_> {
    fn run(
        &self,
        stream: Stream<'_>,
        complain: &dyn Fn(&dyn Display),
        sink: &mut dyn FnMut(Tagged) -> ControlFlow<()>,
    ) -> ControlFlow<(), Ending> {
        let name = sanitize(stream.position.name().as_bytes()).into_owned();
        let mut ending = Ending::Broken;
        let done = pipeline::run(
            &self.options.workers,
            |push| {
                let blocks = self.options.blocks;
                ending = feed(stream, blocks, &Buffers::default(), complain, push)?;
                Ok(())
            },
            |piece: Piece| self.work(&name, piece.into_block()),
            |tagged| match sink(tagged) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(Stopped),
            },
        );
        match done {
            Ok(()) => ControlFlow::Continue(ending),
            Err(Stopped) => ControlFlow::Break(()),
        }
    }

    fn work(&self, source: &str, block: Block) -> Tagged {
        let (mut changes, mut rows) = (Changes::default(), Vec::new());
        let games = self.tagger.tag_block(block, |game, plan| match self.detail {
            Detail::Totals => changes.add_totals(plan),
            Detail::Kinds => changes.add(source, game, plan),
            Detail::Games(layout) => {
                changes.add_totals(plan);
                write_game_change(source, game, plan, layout, &mut rows);
            }
        });
        Tagged { games, changes, rows }
    }
}

fn begins_with(reader: &mut dyn Read, games: &TaggedBlock) -> bool {
    games.chunks().all(|piece| {
        let mut read = vec![0; piece.len()];
        reader.read_exact(&mut read).is_ok() && read == piece
    })
}
