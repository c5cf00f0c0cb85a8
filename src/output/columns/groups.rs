//! Batches of any size as groups of rows with bounded size.

use arrow_array::{ArrayRef, RecordBatch};

/// A group has no more rows than a format wants, and not much more than this number of bytes, so
/// that long texts do not add up.
const MAX_BYTES: usize = 32 << 20;

/// Batches that do not fill a group yet.
#[derive(Debug)]
pub(super) struct Groups {
    max_rows: usize,
    pending: Group,
}

/// Rows that are encoded together.
#[derive(Debug, Default)]
pub(super) struct Group {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Groups {
    /// Groups with this number of rows.
    pub(super) fn of_rows(max_rows: usize) -> Self {
        Self { max_rows, pending: Group::default() }
    }

    /// Adds a batch, and returns the groups that are full with it.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Vec<Group> {
        let mut full = Vec::new();
        let mut start = 0;
        while start < batch.num_rows() {
            let count = (batch.num_rows() - start).min(self.max_rows - self.pending.rows);
            self.pending.push(batch.slice(start, count));
            start += count;
            if self.pending.rows == self.max_rows || self.pending.bytes >= MAX_BYTES {
                full.push(std::mem::take(&mut self.pending));
            }
        }
        full
    }

    /// The last rows, if there are any.
    pub(super) fn finish(&mut self) -> Option<Group> {
        let last = std::mem::take(&mut self.pending);
        (last.rows > 0).then_some(last)
    }
}

impl Group {
    fn push(&mut self, batch: RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
    }

    /// The arrays of each column.
    pub(super) fn into_columns(self) -> Vec<Vec<ArrayRef>> {
        let count = self.batches.first().map_or(0, RecordBatch::num_columns);
        (0..count)
            .map(|at| self.batches.iter().map(|batch| batch.column(at).clone()).collect())
            .collect()
    }
}
