//! Arrays of names that share a dictionary, as those of a [list](super::super::name_list) do: their
//! names have numbers already, so none is hashed or compared.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, StringArray, cast::AsArray, types::Int32Type,
};

use super::super::{nulls::Nulls, texts::TextBuilder};

/// The arrays as one; `None` if they have several dictionaries.
pub(super) fn join_names(arrays: &[ArrayRef]) -> Option<DictionaryArray<Int32Type>> {
    let arrays: Option<Vec<&DictionaryArray<Int32Type>>> =
        arrays.iter().map(|array| array.as_dictionary_opt()).collect();
    let arrays = arrays?;
    let (first, others) = arrays.split_first()?;
    let is_shared = others.iter().all(|array| Arc::ptr_eq(array.values(), first.values()));
    let names: &StringArray = first.values().as_string_opt().filter(|_| is_shared)?;
    let rows = arrays.iter().map(Array::len).sum();
    let mut joined = Joined::new(names, rows);
    arrays.iter().for_each(|array| joined.extend(array.keys()));
    Some(joined.finish(names))
}

/// The names that rows have, in order of appearance.
struct Joined {
    /// The new number of each name of the dictionary; [`UNSEEN`] for those that no row had yet.
    numbers: Vec<i32>,
    /// The old number of each new one.
    seen: Vec<usize>,
    rows: Vec<i32>,
    nulls: Nulls,
}

const UNSEEN: i32 = -1;

impl Joined {
    fn new(names: &StringArray, rows: usize) -> Self {
        let numbers = vec![UNSEEN; names.len()];
        Self { numbers, seen: Vec::new(), rows: Vec::with_capacity(rows), nulls: Nulls::new(rows) }
    }

    fn extend(&mut self, rows: &Int32Array) {
        let Self { numbers, seen, .. } = self;
        let mut renumber = |name: i32| {
            let number = &mut numbers[name as usize];
            if *number == UNSEEN {
                *number = seen.len() as i32;
                seen.push(name as usize);
            }
            *number
        };
        match rows.nulls() {
            None => {
                self.rows.extend(rows.values().iter().map(|name| renumber(*name)));
                self.nulls.push_run(true, rows.len());
            }
            Some(_) => {
                for name in rows {
                    self.rows.push(name.map_or(0, &mut renumber));
                    self.nulls.push(name.is_some());
                }
            }
        }
    }

    fn finish(mut self, names: &StringArray) -> DictionaryArray<Int32Type> {
        let mut texts = TextBuilder::new(self.seen.len(), 0);
        self.seen.iter().for_each(|name| texts.push_text(names.value(*name).as_bytes()));
        let rows = Int32Array::new(self.rows.into(), self.nulls.finish());
        DictionaryArray::new(rows, Arc::new(texts.finish()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::NameBuilder, *};

    proptest! {
        #[test]
        fn arrays_with_one_dictionary_become_what_those_with_their_own_do(
            rows in prop::collection::vec(prop::option::of(0..9_i32), 0..60),
            cuts in prop::collection::vec(0..60_usize, 0..4),
        ) {
            let names: Arc<StringArray> =
                Arc::new((0..9).map(|name| Some(format!("name {name}"))).collect());
            let all = DictionaryArray::new(Int32Array::from(rows.clone()), names);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(rows.len())).collect();
            cuts.extend([0, rows.len()]);
            cuts.sort_unstable();
            let slices = cuts.windows(2).map(|cut| all.slice(cut[0], cut[1] - cut[0]));
            let slices: Vec<ArrayRef> = slices.map(|slice| Arc::new(slice) as ArrayRef).collect();
            let mut plain = NameBuilder::new(0, 0);
            slices.iter().try_for_each(|slice| plain.extend(slice)).unwrap();
            let (joined, plain) = (join_names(&slices).unwrap(), plain.finish());
            prop_assert_eq!(joined.keys(), plain.keys());
            prop_assert_eq!(joined.values(), plain.values());
        }
    }
}
