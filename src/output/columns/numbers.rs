//! Numbers and answers, collected to Arrow arrays.

use arrow_array::{ArrowPrimitiveType, BooleanArray, PrimitiveArray};

use super::nulls::Nulls;

/// Numbers, or what is stored as such.
pub(super) struct NumberBuilder<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: Nulls,
}

/// Answers: yes or no.
pub(super) struct BoolBuilder {
    values: Vec<bool>,
    nulls: Nulls,
}

impl<T: ArrowPrimitiveType> NumberBuilder<T> {
    /// For about this number of values.
    pub(super) fn new(count: usize) -> Self {
        Self { values: Vec::with_capacity(count), nulls: Nulls::new(count) }
    }

    #[inline]
    pub(super) fn push(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.nulls.push(value.is_some());
    }

    /// The values, and an empty builder.
    pub(super) fn finish(&mut self) -> PrimitiveArray<T> {
        PrimitiveArray::new(std::mem::take(&mut self.values).into(), self.nulls.finish())
    }
}

impl BoolBuilder {
    /// For about this number of values.
    pub(super) fn new(count: usize) -> Self {
        Self { values: Vec::with_capacity(count), nulls: Nulls::new(count) }
    }

    #[inline]
    pub(super) fn push(&mut self, value: Option<bool>) {
        self.values.push(value.unwrap_or_default());
        self.nulls.push(value.is_some());
    }

    /// The values, and an empty builder.
    pub(super) fn finish(&mut self) -> BooleanArray {
        BooleanArray::new(std::mem::take(&mut self.values).into(), self.nulls.finish())
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::UInt16Type;

    use super::*;

    #[test]
    fn values_and_gaps_are_kept_and_a_builder_can_be_used_again() {
        let (mut numbers, mut answers) = (NumberBuilder::<UInt16Type>::new(0), BoolBuilder::new(0));
        for values in [&[Some(7), None, Some(0)][..], &[Some(1)], &[]] {
            values.iter().for_each(|value| numbers.push(*value));
            assert_eq!(numbers.finish().iter().collect::<Vec<_>>(), values);
            let values: Vec<_> = values.iter().map(|value| value.map(|n| n > 0)).collect();
            values.iter().for_each(|value| answers.push(*value));
            assert_eq!(answers.finish().iter().collect::<Vec<_>>(), values);
        }
    }
}
