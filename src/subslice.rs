//! Where a part of a text lies in it.
//!
//! Readers hand out parts of what they read. Their positions are wanted only for edits and for
//! errors, so no part carries one. This file is the only one that compares addresses.

use std::ops::Range;

/// The range of `part` within `whole`.
///
/// `part` must be borrowed from `whole`; otherwise the range means nothing.
#[inline]
pub(crate) fn range_in(part: &[u8], whole: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr().wrapping_sub(whole.as_ptr().addr());
    debug_assert!(
        start <= whole.len() && part.len() <= whole.len() - start,
        "a part lies within its whole"
    );
    start..start.wrapping_add(part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_found_where_it_was_cut() {
        let whole = b"abcabc";
        for start in 0..=whole.len() {
            for end in start..=whole.len() {
                assert_eq!(range_in(&whole[start..end], whole), start..end);
            }
        }
    }
}
