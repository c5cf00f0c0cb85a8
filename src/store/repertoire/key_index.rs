//! The index of the keys of positions, made of all of them at once.

use std::io;

use crate::{
    pipeline::Workers,
    store::btree::{PageFile, Record, Records, Tree, TreeKind},
};

/// About the number of ranges of keys that are sorted side by side.
const RANGES: usize = 16;

/// How many keys are looked at for each range, to find ranges of about the same number of keys.
const SAMPLES_PER_RANGE: usize = 32;

/// Keys of positions, with the ids of their rows.
#[derive(Debug, Default)]
pub(super) struct Keys {
    text: String,
    keys: Vec<KeyOfRow>,
}

#[derive(Debug)]
struct KeyOfRow {
    first: u128,
    /// Where the key ends in the text.
    end: u32,
    row: i64,
}

/// A key that sorts as its text does. Most keys differ in `first`, which is at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortedKey<'a> {
    first: u128,
    text: &'a str,
    row: i64,
}

/// The characters of a placement, in their order.
const SYMBOLS: &[u8; 21] = b"/12345678BKNPQRbknpqr";

/// By character, five bits that sort as the characters do.
const RANKS: [u8; 128] = {
    let mut ranks = [0; 128];
    let mut at = 0;
    while at < SYMBOLS.len() {
        ranks[SYMBOLS[at] as usize] = at as u8 + 1;
        at += 1;
    }
    ranks
};

/// The first 25 characters of a key, or of its placement if that is shorter, five bits each.
fn first(key: &str) -> u128 {
    let placement = key.bytes().take_while(|symbol| *symbol != b' ');
    let ranks = placement.map(|symbol| RANKS[usize::from(symbol & 0x7f)]);
    ranks.chain(std::iter::repeat(0)).take(25).fold(0, |first, rank| first << 5 | u128::from(rank))
}

impl Keys {
    pub(super) fn push(&mut self, key: &str, row: i64) {
        self.text.push_str(key);
        let (first, end) = (first(key), self.text.len() as u32);
        self.keys.push(KeyOfRow { first, end, row });
    }

    fn iter(&self) -> impl Iterator<Item = SortedKey<'_>> {
        let mut start = 0;
        self.keys.iter().map(move |&KeyOfRow { first, end, row }| {
            let text = &self.text[start..end as usize];
            start = end as usize;
            SortedKey { first, text, row }
        })
    }

    /// The keys in each range. All that begin alike are in one.
    fn in_ranges(&self, borders: &[u128]) -> Vec<Vec<SortedKey<'_>>> {
        let mut ranges = vec![Vec::new(); borders.len() + 1];
        for key in self.iter() {
            ranges[borders.partition_point(|border| *border <= key.first)].push(key);
        }
        ranges
    }
}

/// Writes the index of the keys of a repertoire, and returns its root.
///
/// # Errors
///
/// If a page cannot be written.
pub(super) fn write_keys(
    repertoire: i64,
    batches: &[Keys],
    file: &mut PageFile,
    workers: &Workers,
) -> io::Result<Vec<u8>> {
    let borders = borders(batches);
    let mut ranges = vec![Vec::new(); borders.len() + 1];
    for batch in workers.map(batches.iter().collect(), |keys| keys.in_ranges(&borders)) {
        ranges.iter_mut().zip(batch).for_each(|(range, part)| range.push(part));
    }
    let records = workers.map(ranges, |parts| records(repertoire, &parts));
    let mut tree = Tree::new(TreeKind::Index, file);
    let mut all = records.iter().flat_map(Records::iter);
    all.try_for_each(|(row, record)| tree.push(row, record, file))?;
    tree.finish(file)
}

/// The first parts of the keys that ranges begin with, except for the first range.
fn borders(batches: &[Keys]) -> Vec<u128> {
    let all = batches.iter().map(|batch| batch.keys.len()).sum::<usize>();
    let step = all.div_ceil(RANGES * SAMPLES_PER_RANGE).max(1);
    let keys = batches.iter().flat_map(|batch| &batch.keys);
    let mut samples: Vec<u128> = keys.step_by(step).map(|key| key.first).collect();
    samples.sort_unstable();
    samples.into_iter().step_by(SAMPLES_PER_RANGE).skip(1).collect()
}

/// The records of a range, in the order of the keys.
fn records(repertoire: i64, parts: &[Vec<SortedKey<'_>>]) -> Records {
    let mut keys = parts.concat();
    keys.sort_unstable();
    let (mut record, mut records) = (Record::default(), Records::default());
    for SortedKey { text, row, .. } in keys {
        record.integer(repertoire);
        record.text(text);
        record.integer(row);
        records.push(row, &mut record);
    }
    records
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_part_of_a_key_sorts_as_the_key_does(
            a in "[/1-8BKNPQRbknpqr]{15,40} [wb] -", b in "[/1-8BKNPQRbknpqr]{15,40} [wb] -",
        ) {
            if first(&a) != first(&b) {
                prop_assert_eq!(first(&a).cmp(&first(&b)), a.cmp(&b), "{} {}", a, b);
            }
        }
    }
}
