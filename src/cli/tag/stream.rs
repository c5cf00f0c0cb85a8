//! Tagging one stream on all threads.

use std::{fmt::Display, io::Read, path::Path, sync::Arc};

use eco::{
    output::sanitize,
    pgn::{
        Block, Buffers, Chunk, Game,
        source::{Source, Stream},
    },
    pipeline::{self, Options},
    tag::{Changes, Plan, TaggedBlock, Tagger},
};

use super::report::{GameRows, Report};
use crate::cli::{
    games::{Ending, feed},
    row_layout::{RowBuffer, Rows},
    selection::SelectedGames,
};

/// What the report needs to know of each game.
enum Detail {
    Totals,
    Kinds,
    Rows(GameRows),
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
    tagger: Tagger<'c>,
    selected: SelectedGames<'c>,
    options: Options,
    detail: Detail,
}

/// A file is not what tagging would make of it.
struct Differs;

impl<'c> StreamTagger<'c> {
    pub(super) fn new(
        tagger: Tagger<'c>,
        selected: SelectedGames<'c>,
        options: Options,
        report: Option<&Report>,
    ) -> Self {
        let detail = match report.map(Report::game_rows) {
            None => Detail::Totals,
            Some(None) => Detail::Kinds,
            Some(Some(rows)) => Detail::Rows(rows),
        };
        Self { tagger, selected, options, detail }
    }

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
        pipeline::run(
            &self.options.workers,
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
            Detail::Rows(layout) => layout.buffer(),
            Detail::Totals | Detail::Kinds => RowBuffer::default(),
        };
        let (mut changes, mut rows) = (Changes::default(), rows);
        let each = |game: &Game<'_>, plan: &Plan<'_, '_>| match &self.detail {
            Detail::Totals => changes.add_totals(plan),
            Detail::Kinds => changes.add(source, game, plan),
            Detail::Rows(layout) => {
                changes.add_totals(plan);
                layout.write(source, game, plan, &mut rows);
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

    /// Which games are tagged.
    pub(super) fn selected(&self) -> &SelectedGames<'c> {
        &self.selected
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
