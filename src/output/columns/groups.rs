//! Batches of any size as groups of rows with bounded size.

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, types::Int32Type};

/// A group has no more rows than a format wants, and not much more than this number of bytes, so
/// that long texts do not add up. Some groups are encoded while the next is gathered.
const MAX_BYTES: usize = 16 << 20;

/// Batches that do not fill a group yet.
#[derive(Debug)]
pub(super) struct Groups {
    max_rows: usize,
    max_bytes: usize,
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
        Self { max_rows, max_bytes: MAX_BYTES, pending: Group::default() }
    }

    /// Adds a batch, and returns the groups that are full with it.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Vec<Group> {
        let mut full = Vec::new();
        let mut start = 0;
        while start < batch.num_rows() {
            let count = (batch.num_rows() - start).min(self.max_rows - self.pending.rows);
            let is_whole = count == batch.num_rows();
            self.pending.push(if is_whole { batch.clone() } else { batch.slice(start, count) });
            start += count;
            if self.pending.rows == self.max_rows || self.pending.bytes >= self.max_bytes {
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
        self.bytes += batch.columns().iter().map(byte_count).sum::<usize>();
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

/// About the number of bytes that an array takes in memory, without the names of a dictionary: they
/// are few, and arrays of many batches may share them.
fn byte_count(array: &ArrayRef) -> usize {
    match array.as_dictionary_opt::<Int32Type>() {
        Some(names) => names.keys().get_array_memory_size(),
        None => array.get_array_memory_size(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::StringArray;

    use super::*;

    /// A batch of texts that are as long.
    fn batch(lengths: &[usize]) -> RecordBatch {
        let texts = lengths.iter().map(|length| "x".repeat(*length));
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
        RecordBatch::try_from_iter([("text", texts)]).unwrap()
    }

    #[test]
    fn a_group_has_as_many_rows_as_it_may_and_long_texts_end_it() {
        let mut groups = Groups { max_bytes: 100_000, ..Groups::of_rows(10) };
        let mut rows = Vec::new();
        // What is measured is the memory of a batch, which has some bytes besides its text.
        for lengths in [&[1; 3][..], &[1; 25], &[], &[120_000], &[1; 4], &[60_000], &[60_000], &[1]]
        {
            rows.extend(groups.push(&batch(lengths)).into_iter().map(|group| group.rows));
        }
        let last = groups.finish().unwrap();
        assert_eq!((rows, last.rows), (vec![10, 10, 9, 6], 1));
        assert_eq!(last.into_columns().len(), 1);
        assert!(groups.finish().is_none());
    }
}
