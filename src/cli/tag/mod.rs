//! `eco tag`: writes the opening into the tags of games.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! args · targets · stream │ mod
//! ```

mod args;
mod stream;
mod targets;

use std::{fs, fs::File, io::ErrorKind, path::Path, sync::atomic::Ordering};

use eco::pgn::source::{Source, Stream, Streams};
use eco::quoted::counted;
use eco::tag::{Changes, TaggedBlock, Tagger};
use eco::{classify::Classifier, pgn::Compression};

pub(super) use self::args::TagArgs;
use self::args::is_dash;
use self::stream::{Report, StreamTagger};
use self::targets::{Target, Task, Writer, check_levels, plan};
use super::games::{Ending, GameInputs, inputs, options, with_advice};
use super::outcome::{Failure, Interruption, Outcome, say};
use super::progress::{Progress, Results};
use super::replace::{Inputs, Original, Refusal, Replacement, cannot_write, replacement};
use super::selection::SelectedGames;
use super::{args::Packing, terminal::standard_output};

/// Runs `eco tag`.
pub(super) fn run(args: &TagArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.inputs, "tag")?;
    let selection = args.selection.selection()?;
    let (tasks, missing) = plan(args, &inputs)?;
    check_levels(args, &tasks)?;
    let classifier = Classifier::new(args.naming.catalogue()?);
    let is_to_stdout = args.output.as_deref().is_none_or(is_dash)
        && tasks.iter().any(|task| task.target == Target::Shared);
    if is_to_stdout && args.report.as_deref().is_some_and(is_dash) {
        return Err(Failure("games and report cannot both go to standard output".to_owned()));
    }
    let sources: Vec<Source> = tasks.iter().map(|task| task.source.clone()).collect();
    let read = Inputs::of(&sources);
    let selected = SelectedGames::new(selection, args.selection.conditions.people(), classifier)?;
    let report = Report::open(args, &read)?;
    let tagger = Tagger::new(classifier, args.options()?);
    let results = if is_to_stdout { Results::Stdout } else { Results::Elsewhere };
    let inputs = GameInputs::of_pgn(sources, Vec::new());
    let mut run = Run {
        tagger: StreamTagger::new(tagger, selected, options(&args.run), report.as_ref()),
        progress: Progress::new(inputs.size(), results, &args.run),
        report,
        read,
        changes: Changes::default(),
        copied: 0,
        files: FileCounts::default(),
        packing: args.packing.packing(&args.run),
        is_resumed: args.resume,
    };
    missing.iter().for_each(|error| run.progress.complain(error));
    inputs.find_people(run.tagger.selected(), &options(&args.run))?;
    let done = match Shared::open(args, &tasks, &run.read)? {
        Some(shared) => run.tag_into(shared, &tasks),
        None => tasks.iter().try_for_each(|task| run.tag_apart(task)),
    };
    run.finish(done, args.run.quiet)
}

/// The one output of all inputs.
struct Shared {
    name: String,
    writer: Writer,
    /// The file, unless it is standard output.
    replacement: Option<Replacement>,
}

impl Shared {
    /// Opens the output, if a task writes to it.
    fn open(args: &TagArgs, tasks: &[Task], read: &Inputs) -> Result<Option<Self>, Failure> {
        if !tasks.iter().any(|task| task.target == Target::Shared) {
            return Ok(None);
        }
        let packing = args.packing.packing(&args.run);
        let Some(path) = args.output.as_deref().filter(|path| !is_dash(path)) else {
            read.check_stdout()?;
            let name = "standard output".to_owned();
            let writer = Writer::new(standard_output(), Compression::Plain, packing)
                .map_err(|error| cannot_write(&name, &error))?;
            return Ok(Some(Self { name, writer, replacement: None }));
        };
        let name = path.display().to_string();
        let written = |error| cannot_write(&name, &error);
        let replacement = replacement(path, read)?;
        let file = Box::new(replacement.file().map_err(written)?);
        let compression = Compression::of_name(path);
        let writer = Writer::new(file, compression, packing).map_err(written)?;
        Ok(Some(Self { name, writer, replacement: Some(replacement) }))
    }
}

/// Whether a run into one output could read anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    Read,
    AllMissing,
}

/// A run over all sources.
struct Run<'c> {
    tagger: StreamTagger<'c>,
    progress: Progress,
    report: Option<Report>,
    read: Inputs,
    changes: Changes,
    /// The number of games that are not selected.
    copied: u64,
    files: FileCounts,
    packing: Packing,
    /// Files that are tagged already are skipped.
    is_resumed: bool,
}

impl Run<'_> {
    /// Reports what was done, also if something failed after that.
    fn finish(mut self, done: Result<(), Failure>, is_quiet: bool) -> Result<Outcome, Failure> {
        let Self { progress, changes, copied, files, .. } = &self;
        let complaints = progress.complaints();
        let games = changes.games + copied;
        progress.finish(games);
        if !is_quiet && done.is_ok() && (games > 0 || complaints == 0) {
            say(&summary(changes, *copied, files));
        }
        let reported = self.report.take().map_or(Ok(()), |report| report.finish(&self.changes));
        done.and(reported)?;
        if !is_quiet {
            self.tagger.selected().say_spellings();
        }
        Ok(if complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
    }

    /// Opens a source, or complains.
    fn open(&self, source: &Source) -> Option<Streams> {
        let opened = source.open(self.progress.position());
        let complain = |error: &_| self.progress.complain(&with_advice(source, error));
        opened.inspect_err(complain).ok()
    }

    /// Tags all sources into one output.
    fn tag_into(&mut self, shared: Shared, tasks: &[Task]) -> Result<(), Failure> {
        let Shared { name, mut writer, replacement } = shared;
        let tagged = self.tag_all(&mut writer, tasks);
        let tagged = tagged.and_then(|input| {
            if reads_stdin(tasks) {
                self.tagger.selected().check_people()?;
            }
            Ok(input)
        });
        let finished = writer.finish().map_err(Interruption::Output);
        let input = match tagged.and_then(|input| finished.map(|()| input)) {
            Ok(input) => input,
            // The reader has seen enough.
            Err(Interruption::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
                return Ok(());
            }
            Err(Interruption::Output(error)) => return Err(cannot_write(&name, &error)),
            Err(Interruption::Failure(failure)) => return Err(failure),
        };
        match replacement {
            Some(replacement) if input == Input::Read => {
                replacement.commit().map_err(|error| cannot_write(&name, &error))
            }
            // Where nothing could be read, the old file stays.
            Some(_) | None => Ok(()),
        }
    }

    fn tag_all(&mut self, writer: &mut Writer, tasks: &[Task]) -> Result<Input, Interruption> {
        let complaints = self.progress.complaints();
        let mut has_begun = false;
        for Task { source, .. } in tasks {
            let Some(mut streams) = self.open(source) else { continue };
            while let Some(stream) = streams.next_stream() {
                has_begun = true;
                writer.end_line()?;
                let line_ends = stream.line_ends;
                self.tag::<Interruption>(stream, |games| Ok(writer.send(games, line_ends)?))?;
            }
        }
        let has_failed = self.progress.complaints() > complaints;
        Ok(if has_failed && !has_begun { Input::AllMissing } else { Input::Read })
    }

    /// Tags one source into a file of its own, in place, or for the report only.
    fn tag_apart(&mut self, task: &Task) -> Result<(), Failure> {
        let Task { source, target } = task;
        match target {
            Target::Nowhere | Target::Shared => self.tag_to_nowhere(source)?,
            Target::File(path) => self.tag_to_file(source, path)?,
            Target::InPlace(path) => match self.tag_in_place(source, path) {
                Err(InPlaceError::Refused(refusal)) => self.complain_of(path, &refusal),
                Err(InPlaceError::Failed(failure)) => return Err(failure),
                Ok(()) => {}
            },
            Target::InPlaceDryRun(path) => match Original::open(path) {
                Ok(_) => self.tag_to_nowhere(source)?,
                Err(refusal) => self.complain_of(path, &refusal),
            },
        }
        Ok(())
    }

    fn complain_of(&self, path: &Path, refusal: &Refusal) {
        self.progress.complain(&format_args!("{}: {refusal}", path.display()));
    }

    fn tag_to_nowhere(&mut self, source: &Source) -> Result<(), Failure> {
        let Some(mut streams) = self.open(source) else { return Ok(()) };
        while let Some(stream) = streams.next_stream() {
            self.tag::<Failure>(stream, |_| Ok(()))?;
        }
        Ok(())
    }

    fn tag_to_file(&mut self, source: &Source, path: &Path) -> Result<(), Failure> {
        if self.is_resumed && self.tagger.is_tagged_in(source, path) {
            self.skip(source);
            return Ok(());
        }
        let Some(mut streams) = self.open(source) else { return Ok(()) };
        let Some(stream) = streams.next_stream() else { return Ok(()) };
        if stream.compression.is_none() {
            let hint = "a zip archive has no file to be written to; unpack it, or use -o";
            self.progress.complain(&format_args!("{}: {hint}", source.name()));
            return Ok(());
        }
        self.write_file(stream, path).map_err(|interruption| match interruption {
            Interruption::Output(error) => cannot_write(&path.display().to_string(), &error),
            Interruption::Failure(failure) => failure,
        })
    }

    fn write_file(&mut self, stream: Stream<'_>, path: &Path) -> Result<(), Interruption> {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let replacement = replacement(path, &self.read)?;
        self.write(stream, replacement.file()?, Compression::of_name(path))?;
        Ok(replacement.commit()?)
    }

    fn tag_in_place(&mut self, source: &Source, path: &Path) -> Result<(), InPlaceError> {
        let original = Original::open(path)?;
        if self.is_resumed && self.tagger.is_tagged(source) {
            self.skip(source);
            return Ok(());
        }
        let Some(mut streams) = self.open(source) else { return Ok(()) };
        let Some(stream) = streams.next_stream() else { return Ok(()) };
        let compression = stream.compression.ok_or(Refusal::Archive)?;
        let new = original.replacement()?;
        let written = |interruption| match interruption {
            Interruption::Output(error) => {
                Failure(format!("{}: cannot be written: {error}; it is as it was", source.name()))
            }
            Interruption::Failure(failure) => failure,
        };
        let before = self.changes.changed;
        let file = new.file().try_clone().map_err(Refusal::Unwritten)?;
        let ending = self.write(stream, file, compression).map_err(written)?;
        if ending == Ending::Broken {
            self.files.broken += 1;
        } else if self.changes.changed == before {
            self.files.unchanged += 1;
        } else {
            original.check()?;
            original.replace_by(new)?;
            self.files.changed += 1;
        }
        Ok(())
    }

    /// Writes a stream, tagged, to a file that is to replace another.
    fn write(
        &mut self,
        stream: Stream<'_>,
        file: File,
        compression: Compression,
    ) -> Result<Ending, Interruption> {
        let mut writer = Writer::new(Box::new(file), compression, self.packing)?;
        let line_ends = stream.line_ends;
        let ending =
            self.tag::<Interruption>(stream, |games| Ok(writer.send(games, line_ends)?))?;
        writer.finish()?;
        Ok(ending)
    }

    /// Tags a stream, counts and reports. `write` gets its games in order.
    fn tag<E: From<Failure>>(
        &mut self,
        stream: Stream<'_>,
        mut write: impl FnMut(TaggedBlock) -> Result<(), E>,
    ) -> Result<Ending, E> {
        let Self { tagger, progress, report, changes, copied, .. } = self;
        tagger.run(stream, &|error| progress.complain(error), |tagged| {
            changes.merge(tagged.changes);
            *copied += tagged.copied;
            progress.update(changes.games + *copied);
            if let Some(report) = report {
                report.write(&tagged.rows, progress)?;
            }
            write(tagged.games)
        })
    }

    /// Passes a source that is tagged already.
    fn skip(&mut self, source: &Source) {
        let size = source.size().unwrap_or_default();
        self.progress.position().fetch_add(size, Ordering::Relaxed);
        self.files.tagged_before += 1;
    }
}

fn reads_stdin(tasks: &[Task]) -> bool {
    tasks.iter().any(|task| task.source == Source::Stdin)
}

/// Why a file was not changed in place.
enum InPlaceError {
    /// This file cannot be; others may.
    Refused(Refusal),
    /// The run cannot go on.
    Failed(Failure),
}

impl From<Refusal> for InPlaceError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Failure> for InPlaceError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// What became of files that are changed in place or have an output of their own.
#[derive(Debug, Default)]
struct FileCounts {
    changed: u64,
    unchanged: u64,
    broken: u64,
    tagged_before: u64,
}

/// What was done, in one line.
fn summary(changes: &Changes, copied: u64, files: &FileCounts) -> String {
    let games = changes.games + copied;
    let mut text = format!("{}: {} changed", counted(games, "game"), changes.changed);
    for (count, what) in [
        (changes.correct, "already correct"),
        (changes.no_opening, "without an opening"),
        (copied, "not selected"),
        (changes.excluded, "excluded by --only"),
        (changes.no_tags, "skipped for lack of tags and result"),
        (changes.damaged, "skipped for damaged tags"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    for (count, what) in [
        (files.changed, "changed"),
        (files.unchanged, "with nothing to change"),
        (files.broken, "skipped, not read to the end"),
        (files.tagged_before, "already tagged"),
    ] {
        if count > 0 {
            text += &format!("; {} {what}", counted(count, "file"));
        }
    }
    text
}
