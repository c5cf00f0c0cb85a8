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

use std::io::{BufWriter, Write};
use std::{fs, path::Path, sync::atomic::Ordering};

use eco::classify::Classifier;
use eco::pgn::source::{LineEnds, Source, Stream, Streams};
use eco::quoted::{counted, counts};
use eco::tag::{Changes, TaggedBlock, Tagger};

pub(super) use self::args::TagArgs;
use self::args::is_dash;
use self::stream::{Report, StreamTagger};
use self::targets::{Target, Task, check_levels, plan};
use super::games::{Ending, GameInputs, inputs, options, with_advice};
use super::outcome::{Failure, Interruption, Outcome, refuse, say};
use super::progress::{Progress, Results};
use super::replace::{Inputs, Original, Refusal, cannot_write};
use super::{args::Packing, output::Output, selection::SelectedGames};

/// Runs `eco tag`.
pub(super) fn run(args: &TagArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.inputs, "tag")?;
    let selection = args.selection.selection()?;
    let (tasks, missing) = plan(args, &inputs)?;
    check_levels(args, &tasks)?;
    let classifier = Classifier::new(args.naming.catalogue()?);
    let path = args.output.as_deref().filter(|path| !is_dash(path));
    let is_shared = tasks.iter().any(|task| task.target == Target::Shared);
    let is_to_stdout = is_shared && path.is_none();
    if is_to_stdout && args.report.as_deref().is_some_and(is_dash) {
        return refuse("games and report cannot both go to standard output");
    }
    let sources: Vec<Source> = tasks.iter().map(|task| task.source.clone()).collect();
    let read = Inputs::of(&sources);
    let selected = SelectedGames::new(selection, args.selection.conditions.people(), classifier)?;
    let (report, detail) = Report::open(args, &read)?;
    let tagger = Tagger::new(classifier, args.options()?);
    let results = if is_to_stdout { Results::Stdout } else { Results::Elsewhere };
    let inputs = GameInputs::of_pgn(sources, Vec::new());
    let mut run = Run {
        tagger: StreamTagger { tagger, selected, options: options(&args.run), detail },
        progress: Progress::new(inputs.size(), results, &args.run),
        report,
        read,
        changes: Changes::default(),
        copied: 0,
        files: FileCounts::default(),
        packing: args.packing.for_run(&args.run),
        is_resumed: args.resume,
    };
    missing.iter().for_each(|error| run.progress.complain(error));
    inputs.find_people(&run.tagger.selected, &options(&args.run))?;
    let done = if is_shared {
        run.tag_into(Output::for_games(path, run.packing, &run.read)?, &tasks)
    } else {
        tasks.iter().try_for_each(|task| run.tag_apart(task))
    };
    run.finish(done, args.run.quiet)
}

/// A run over all sources.
struct Run<'c> {
    tagger: StreamTagger<'c>,
    progress: Progress,
    report: Report,
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
    fn finish(self, done: Result<(), Failure>, is_quiet: bool) -> Result<Outcome, Failure> {
        let Self { tagger, progress, report, changes, copied, files, .. } = self;
        let complaints = progress.complaints();
        let games = changes.games + copied;
        progress.finish(games);
        if !is_quiet && done.is_ok() && (games > 0 || complaints == 0) {
            say(&summary(&changes, copied, &files));
        }
        let reported = report.finish(&changes, &tagger.detail);
        done.and(reported)?;
        if !is_quiet {
            tagger.selected.say_spellings();
        }
        Ok(if complaints > 0 { Outcome::Incomplete } else { Outcome::Done })
    }

    /// Opens a source, or complains.
    fn open(&self, source: &Source) -> Option<Streams> {
        let opened = source.open(&self.progress.position);
        let complain = |error: &_| self.progress.complain(&with_advice(source, error));
        opened.inspect_err(complain).ok()
    }

    /// Tags all sources into one output.
    fn tag_into(&mut self, mut output: Output, tasks: &[Task]) -> Result<(), Failure> {
        let tagged = self.tag_all(&mut output, tasks).and_then(|has_input| {
            if tasks.iter().any(|task| task.source == Source::Stdin) {
                self.tagger.selected.check_people()?;
            }
            // Without input the old file stays.
            if has_input { output.finish() } else { Ok(()) }
        });
        tagged.or_else(|error| error.outcome().map(drop))
    }

    /// Returns whether anything could be read.
    fn tag_all(&mut self, output: &mut Output, tasks: &[Task]) -> Result<bool, Interruption> {
        let complaints = self.progress.complaints();
        let (mut has_begun, mut ends_line) = (false, true);
        for Task { source, .. } in tasks {
            let Some(mut streams) = self.open(source) else { continue };
            while let Some(stream) = streams.next_stream() {
                has_begun = true;
                if !ends_line {
                    output.put(b"\n")?;
                    ends_line = true;
                }
                let end = if stream.line_ends == LineEnds::LineFeed { b'\n' } else { b'\r' };
                self.write(stream, |games| {
                    ends_line = games.last().map_or(ends_line, |last| *last == end);
                    output.put(games)
                })?;
            }
        }
        Ok(has_begun || self.progress.complaints() == complaints)
    }

    /// Tags one source into a file of its own, in place, or for the report only.
    fn tag_apart(&mut self, task: &Task) -> Result<(), Failure> {
        let Task { source, target } = task;
        match target {
            Target::Nowhere | Target::Shared => self.tag_to_nowhere(source)?,
            Target::File(path) => self.tag_to_file(source, path)?,
            Target::InPlace(path) => match self.tag_in_place(source, path) {
                Err(Refusal::Run(failure)) => return Err(failure),
                Err(refusal) => self.complain_of(path, &refusal),
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
        let folder = path.parent().unwrap_or(path);
        let name = path.display().to_string();
        fs::create_dir_all(folder).map_err(|error| cannot_write(&name, &error))?;
        let mut output = Output::compressed(path, self.packing, &self.read)?;
        let written = self.write(stream, |games| output.put(games));
        written.and_then(|_| output.finish()).or_else(|error| error.outcome().map(drop))
    }

    fn tag_in_place(&mut self, source: &Source, path: &Path) -> Result<(), Refusal> {
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
        let file = BufWriter::new(new.file());
        let mut out = self.packing.encoder(compression, file).map_err(Refusal::Unwritten)?;
        let ending = self.write(stream, |games| Ok(out.write_all(games)?));
        let ended = ending.and_then(|ending| Ok(out.finish()?.flush().map(|()| ending)?));
        let ending = ended.map_err(written)?;
        drop(streams);
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

    /// Tags a stream, and hands its games on as they were broken into lines.
    fn write(
        &mut self,
        stream: Stream<'_>,
        mut write: impl FnMut(&[u8]) -> Result<(), Interruption>,
    ) -> Result<Ending, Interruption> {
        let line_ends = stream.line_ends;
        self.tag(stream, |games: TaggedBlock| {
            let mut bytes = games.to_vec();
            line_ends.restore(&mut bytes);
            write(&bytes)
        })
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
            report.write(&tagged.rows, progress)?;
            write(tagged.games)
        })
    }

    /// Passes a source that is tagged already.
    fn skip(&mut self, source: &Source) {
        let size = source.size().unwrap_or_default();
        self.progress.position.fetch_add(size, Ordering::Relaxed);
        self.files.tagged_before += 1;
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
    let others = [
        (changes.correct, "already correct"),
        (changes.no_opening, "without an opening"),
        (copied, "not selected"),
        (changes.excluded, "excluded by --only"),
        (changes.no_tags, "skipped for lack of tags and result"),
        (changes.damaged, "skipped for damaged tags"),
    ];
    text += &counts(", ", others);
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
