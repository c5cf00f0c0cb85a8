//! Hashes that are kept in files, so they stay what they are for ever.

use crate::{chess::PositionKey, collection::GameId};

/// The fractional parts of the square roots of 2, 3, 5, 7 and 11, and of the golden ratio.
const SALT: [u64; 6] = [
    0x6a09_e667_f3bc_c909,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9e37_79b9_7f4a_7c15,
];

/// The hash of a position.
#[inline]
pub(in crate::collection) fn hash_position(key: &PositionKey) -> u64 {
    let [p0, p1, p2, p3, state] = key.to_words();
    let low = fold(p0 ^ SALT[0], p1 ^ SALT[1]);
    let high = fold(p2 ^ SALT[2], p3 ^ SALT[3]);
    fold(low ^ state ^ SALT[4], high ^ SALT[5])
}

/// The hash of the identity of a game, whose bits are as good as those of any hash.
pub(super) fn hash_id(id: GameId) -> u64 {
    id.number()
}

/// The product of two numbers, its halves put together.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    /// Databases hold these numbers.
    #[test]
    fn hashes_stay_what_they_are() {
        let hash = hash_position(&Board::default().key());
        assert_eq!(format!("{hash:016x}"), "971e2b5aba84d40b");
    }
}
