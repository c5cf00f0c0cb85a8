//! Runs whose work is rows.

use std::marker::PhantomData;

use eco::{
    output::columns::{EncodeTask, EncodedPart},
    pipeline::{Feed, Gather, Workers, run_gathered},
};

use super::{outcome::Interruption, progress::Progress, row_layout::Rows, row_writer::RowWriter};

/// Runs `work` on what `feed` pushes, and writes the rows that it returns, in order. Typed columns
/// are encoded on the same threads. `count` is given what `work` returns besides, before its rows
/// are written.
pub(super) fn run_rows<T: Send, S: Send>(
    workers: &Workers,
    feed: impl FnOnce(&mut Feed<'_, T, Interruption>) -> Result<(), Interruption>,
    work: impl Fn(T) -> (S, Rows) + Sync,
    count: impl FnMut(S),
    writer: &mut RowWriter,
    progress: &Progress,
) -> Result<(), Interruption> {
    let mut rows = RowGather { count, writer, progress, counted: PhantomData };
    run_gathered(workers, feed, work, &mut rows)
}

/// Rows on their way to the writer.
struct RowGather<'r, S, C> {
    count: C,
    writer: &'r mut RowWriter,
    progress: &'r Progress,
    counted: PhantomData<fn(S)>,
}

impl<S, C: FnMut(S)> Gather for RowGather<'_, S, C> {
    type Result = (S, Rows);
    type Task = EncodeTask;
    type Done = EncodedPart;
    type Error = Interruption;

    fn gather(
        &mut self,
        (counted, rows): (S, Rows),
        tasks: &mut Vec<EncodeTask>,
    ) -> Result<(), Interruption> {
        (self.count)(counted);
        self.writer.gather(&rows, tasks, self.progress)
    }

    fn gather_rest(&mut self, tasks: &mut Vec<EncodeTask>) -> Result<(), Interruption> {
        self.writer.gather_rest(tasks)
    }

    fn perform(task: EncodeTask) -> EncodedPart {
        task.run()
    }

    fn take(&mut self, done: EncodedPart) -> Result<(), Interruption> {
        self.writer.append(done, self.progress)
    }
}
