//! Tagging one stream on all threads, and the report of what was changed.

use std::{fmt::Display, io::Read, path::Path, sync::Arc};

use eco::output::{ChangeRow, GameChangeRow, Value, sanitize};
use eco::pgn::source::{Source, Stream};
use eco::pgn::{Block, Buffers, Chunk, Game};
use eco::tag::{Changes, Plan, TaggedBlock, Tagger};
use eco::{executor::Executor, pipeline::Options};

use super::args::{ReportBy, TagArgs};
use crate::cli::games::{Ending, feed};
use crate::cli::outcome::{Failure, Interruption};
use crate::cli::row_writer::{RowBuffer, RowLayout, RowWriter, Rows};
use crate::cli::rows::{RowArgs, format_for_stdout};
use crate::cli::selection::SelectedGames;
use crate::cli::{args::Format, progress::Progress, replace::Inputs};

/// What the report needs to know of each game, and the layout of its rows.
pub(super) enum Detail {
    Totals,
    Kinds(RowLayout<for<'r> fn(&'r ChangeRow) -> Value<'r>>),
    Rows(RowLayout<for<'r> fn(&'r GameChangeRow<'_>) -> Value<'r>>),
}

/// A block of tagged games.
pub(super) struct TaggedGames {
    pub(super) games: TaggedBlock,
    pub(super) changes: Changes,
    /// The number of games that are not selected.
    pub(super) copied: u64,
    /// The rows of the report about these games.
    pub(super) rows: Rows,
}

/// Tags streams.
pub(super) struct StreamTagger<'c> {
    pub(super) tagger: Tagger<'c>,
    /// Which games are tagged.
    pub(super) selected: SelectedGames<'c>,
    pub(super) options: Options,
    pub(super) detail: Detail,
}

/// A file is not what tagging would make of it.
struct Differs;

impl StreamTagger<'_> {
    /// Tags a stream. `sink` gets its games block by block, in order; `complain` gets what is wrong
    /// with the stream.
    pub(super) fn run<E>(
        &self,
        stream: Stream<'_>,
        complain: &dyn Fn(&dyn Display),
        sink: impl FnMut(TaggedGames) -> Result<(), E>,
    ) -> Result<Ending, E> {
        let source = sanitize(stream.position.name().as_bytes()).into_owned();
        let mut ending = Ending::Broken;
        self.options.workers.run(
            |push| {
                let buffers = Buffers::default();
                ending = feed(stream, self.options.blocks, &buffers, complain, push)?;
                Ok(())
            },
            |chunk: Chunk| self.tag(&source, chunk.into_block()),
            sink,
        )?;
        Ok(ending)
    }

    fn tag(&self, source: &str, block: Block) -> TaggedGames {
        let rows = match &self.detail {
            Detail::Rows(layout) => layout.buffer(0),
            Detail::Totals | Detail::Kinds(_) => RowBuffer::default(),
        };
        let (mut changes, mut rows) = (Changes::default(), rows);
        let each = |game: &Game<'_>, plan: &Plan<'_, '_>| match &self.detail {
            Detail::Totals => changes.add_totals(plan),
            Detail::Kinds(_) => changes.add(source, game, plan),
            Detail::Rows(layout) => {
                changes.add_totals(plan);
                if let Some(row) = GameChangeRow::new(source, game, plan) {
                    layout.write(&row, &mut rows);
                }
            }
        };
        let mut copied = 0;
        let games = match self.selected_in(&block) {
            None => self.tagger.tag_block(block, each),
            Some(selected) => {
                copied = selected.iter().filter(|is_selected| !**is_selected).count() as u64;
                let mut selected = selected.into_iter();
                self.tagger.tag_selected(block, |_| selected.next().unwrap_or(false), each)
            }
        };
        TaggedGames { games, changes, copied, rows: rows.finish() }
    }

    /// Which games of a block are selected; `None` if all are.
    fn selected_in(&self, block: &Block) -> Option<Vec<bool>> {
        let mut selected = self.selected.in_block(block)?;
        Some(block.games().map(|game| selected.select(&game).is_some()).collect())
    }

    /// Whether tagging a source would change nothing. It is read up to the first change.
    pub(super) fn is_tagged(&self, source: &Source) -> bool {
        let Ok(mut streams) = source.open(&Arc::default()) else { return false };
        let mut has_streams = false;
        while let Some(stream) = streams.next_stream() {
            has_streams = true;
            let ending = self.run(stream, &|_| {}, |tagged| match tagged.changes.changed {
                0 => Ok(()),
                _ => Err(Differs),
            });
            if !matches!(ending, Ok(Ending::Whole)) {
                return false;
            }
        }
        has_streams
    }

    /// Whether the file at `path` is what tagging the source would write there.
    pub(super) fn is_tagged_in(&self, source: &Source, path: &Path) -> bool {
        let written = Source::File(path.to_owned());
        let (Ok(mut written), Ok(mut streams)) =
            (written.open(&Arc::default()), source.open(&Arc::default()))
        else {
            return false;
        };
        let (Some(mut written), Some(stream)) = (written.next_stream(), streams.next_stream())
        else {
            return false;
        };
        let ending = self.run(stream, &|_| {}, |tagged| {
            begins_with(&mut written.reader, &tagged.games).then_some(()).ok_or(Differs)
        });
        matches!(ending, Ok(Ending::Whole)) && matches!(written.reader.read(&mut [0]), Ok(0))
    }
}

fn begins_with(reader: &mut dyn Read, games: &TaggedBlock) -> bool {
    games.chunks().all(|chunk| {
        let mut read = vec![0; chunk.len()];
        reader.read_exact(&mut read).is_ok() && read == chunk
    })
}

/// A report while it is written: none if it was not asked for, nobody reads it any more, or it
/// could not be written.
pub(super) struct Report(Option<RowWriter>);

impl Report {
    /// Opens the report, if one was asked for, and writes its header.
    pub(super) fn open(args: &TagArgs, read: &Inputs) -> Result<(Self, Detail), Failure> {
        if args.report.is_none() && !args.dry_run {
            return Ok((Self(None), Detail::Totals));
        }
        let rows = RowArgs::of_report(args.report.clone());
        let format = format(rows.output());
        let (writer, detail) = match args.by {
            ReportBy::Change => {
                let layout = RowLayout::new(format, ChangeRow::columns(), []);
                (rows.open(&layout, read), Detail::Kinds(layout))
            }
            ReportBy::Game => {
                let layout = RowLayout::new(format, GameChangeRow::columns(), []);
                (rows.open(&layout, read), Detail::Rows(layout))
            }
        };
        Ok((Self(with_reader(writer)?), detail))
    }

    /// Writes rows. If nobody reads the report any more, the games are written all the same.
    pub(super) fn write(&mut self, rows: &Rows, progress: &Progress) -> Result<(), Failure> {
        let Some(mut writer) = self.0.take() else { return Ok(()) };
        self.0 = with_reader(writer.write(rows, progress).map(|()| writer))?;
        Ok(())
    }

    /// Writes the rows that are known only at the end, and puts the file in its place.
    pub(super) fn finish(mut self, changes: &Changes, detail: &Detail) -> Result<(), Failure> {
        if let Detail::Kinds(layout) = detail {
            self.write(&layout.rows(ChangeRow::all(changes)), &Progress::hidden())?;
        }
        with_reader(self.0.map_or(Ok(()), RowWriter::finish)).map(drop)
    }
}

/// What was written, if somebody still reads it.
fn with_reader<T>(written: Result<T, Interruption>) -> Result<Option<T>, Failure> {
    match written {
        Ok(written) => Ok(Some(written)),
        Err(error) => error.outcome().map(|_| None),
    }
}

/// The format of the report: by its name, and tsv in a file without an ending.
fn format(path: Option<&Path>) -> Format {
    match path.map(Format::by_name) {
        Some(None | Some(Format::Table)) => Format::Tsv,
        Some(Some(format)) => format,
        None => format_for_stdout(),
    }
}
