//! Which values of a column are missing.

use arrow_array::builder::NullBufferBuilder;
use arrow_buffer::NullBuffer;

/// Says of each value whether it is there.
///
/// Values and gaps come in runs, which are counted and written at once: most columns have a single
/// one.
pub(super) struct Nulls {
    ended: NullBufferBuilder,
    /// Whether the values of the run that goes on are there, and how many they are.
    has_value: bool,
    run: usize,
}

impl Nulls {
    /// For about this number of values.
    pub(super) fn new(count: usize) -> Self {
        Self { ended: NullBufferBuilder::new(count), has_value: true, run: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, has_value: bool) {
        if has_value != self.has_value {
            self.end_run();
            self.has_value = has_value;
        }
        self.run += 1;
    }

    /// The bits of the values; `None` if none is missing. Others may follow, for another column.
    pub(super) fn finish(&mut self) -> Option<NullBuffer> {
        self.end_run();
        self.ended.finish()
    }

    fn end_run(&mut self) {
        match std::mem::take(&mut self.run) {
            // Nulls begin to be kept with the first, even if there are none.
            0 => {}
            count if self.has_value => self.ended.append_n_non_nulls(count),
            count => self.ended.append_n_nulls(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_their_values_and_the_next_column_begins_anew() {
        let mut nulls = Nulls::new(0);
        for values in [&[true, true, false, true, false, false][..], &[true; 3], &[false; 70], &[]]
        {
            values.iter().for_each(|has_value| nulls.push(*has_value));
            let found = nulls.finish();
            let bits: Vec<bool> = match &found {
                Some(bits) => bits.iter().collect(),
                None => vec![true; values.len()],
            };
            assert_eq!(bits, values);
            assert_eq!(found.is_some(), values.contains(&false));
        }
    }
}
