//! Strings that share a blob, each found by its index.

use super::{
    bytes::{ByteReader, push_number},
    damaged::DamagedSegment,
};

/// No blob has more items.
const MAX_ITEMS: usize = 1 << 16;

/// The blob of these items.
pub(super) fn join_items(items: &[Vec<u8>]) -> Vec<u8> {
    let mut blob = Vec::with_capacity(items.iter().map(|item| item.len() + 2).sum());
    push_number(&mut blob, items.len() as u64);
    items.iter().for_each(|item| push_number(&mut blob, item.len() as u64));
    items.iter().for_each(|item| blob.extend_from_slice(item));
    blob
}

/// The item with this index in a blob.
pub(super) fn find_item(blob: &[u8], index: usize) -> Result<&[u8], DamagedSegment> {
    let mut reader = ByteReader::new(blob);
    let items = reader.number_to(MAX_ITEMS)?;
    if index >= items {
        return Err(DamagedSegment::new("a blob has too few items"));
    }
    let (mut start, mut len) = (0, 0);
    for at in 0..items {
        let item = reader.number_to(blob.len())?;
        if at < index {
            start += item;
        } else if at == index {
            len = item;
        }
    }
    reader.take(start)?;
    reader.take(len)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn items_are_found_by_their_index(
            items in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..9),
        ) {
            let blob = join_items(&items);
            for (index, item) in items.iter().enumerate() {
                prop_assert_eq!(find_item(&blob, index), Ok(&item[..]));
            }
            prop_assert!(find_item(&blob, items.len()).is_err());
        }

        #[test]
        fn any_blob_is_read_or_refused(
            blob in prop::collection::vec(any::<u8>(), 0..40),
            index in 0..9_usize,
        ) {
            let _ = find_item(&blob, index);
        }
    }
}
