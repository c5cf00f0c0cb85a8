//! From the hash of a position to the games that may have it.
//!
//! The highest bits of a hash choose a bucket, the next ones an entry in it. The rest of the hash
//! is not kept: an entry says where the position may be found, and the games there say whether it
//! is. So few bits do: one of twenty searches in vain finds an entry of another position.
//!
//! A bucket is the number of its entries, and a string of bits in which they lie one after the
//! other, sorted by hash:
//!
//! | field | code |
//! | --- | --- |
//! | the hash, as difference from the entry before | Rice |
//! | 0 for a game, 1 for intervals | 1 bit |
//! | a game: its number | fixed width |
//! | intervals: how many | gamma |
//! | for each the first game, as difference from that before | Rice |
//! | the number of games | gamma |
//! | the ply | fixed width |
//! | 1 and the code of the next move, or 0 if there is none | 9 bits or 1 |
//!
//! Nearly all positions have a single game: of those neither ply nor move are kept, since the game
//! is played in any case to see whether it has the position.
//!
//! Games of neighbouring numbers that came to a position by the same moves.

use super::bytes::{BitReader, BitWriter, ByteReader, DamagedSegment, push_number};

/// Entries in a bucket: from half of these to all of them, but for chance.
const ENTRIES_BITS: u32 = 9;

/// The bits of the hash that are kept for an entry.
const HASH_BITS: u32 = ENTRIES_BITS + 4;

/// Differences of hashes are from 16 to 32 in the mean.
const HASH_RICE: u32 = 4;

/// The number of buckets, and the widths of what is in them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BucketShape {
    /// The number of buckets is 2 to the power of this.
    pub(super) bucket_bits: u32,
    /// The width of the number of a game.
    pub(super) game_bits: u32,
    /// The width of a ply.
    pub(super) ply_bits: u32,
}

/// What a bucket says of a hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// Only this game may have the position.
    Game(u32),
    /// Games of these intervals have it, if the first game of the first has.
    Intervals(Vec<Interval>),
}

/// The bits that a number below `count` needs.
fn width_below(count: usize) -> u32 {
    count.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

impl BucketShape {
    /// The shape for about this number of entries.
    pub(super) fn new(entries: usize, games: usize, max_ply: usize) -> Self {
        Self {
            bucket_bits: width_below(entries).saturating_sub(ENTRIES_BITS),
            game_bits: width_below(games),
            ply_bits: width_below(max_ply + 1),
        }
    }

    /// This shape with 2^`bits` buckets at least.
    pub(super) fn with_buckets(self, bits: u32) -> Self {
        Self { bucket_bits: self.bucket_bits.max(bits), ..self }
    }

    pub(super) fn buckets(&self) -> usize {
        1 << self.bucket_bits
    }

    /// The index of the bucket.
    pub(super) fn bucket_of(&self, hash: u64) -> usize {
        hash.checked_shr(64 - self.bucket_bits).unwrap_or(0) as usize
    }

    /// The part of the hash that is kept in the bucket.
    fn rest_of(&self, hash: u64) -> u64 {
        hash << self.bucket_bits >> (64 - HASH_BITS)
    }

    /// The Rice parameter for the first games of this number of intervals.
    fn first_rice(&self, intervals: u64) -> u32 {
        self.game_bits.saturating_sub(intervals.ilog2() + 1)
    }
}

/// Writes a bucket.
pub(super) struct BucketWriter {
    shape: BucketShape,
    bits: BitWriter,
    entries: u64,
    last: u64,
}

impl BucketWriter {
    pub(super) fn new(shape: BucketShape) -> Self {
        // Nearly all entries are of a single game.
        let bits = (HASH_RICE + 3 + shape.game_bits) << ENTRIES_BITS;
        Self { shape, bits: BitWriter::with_capacity(bits as usize / 8), entries: 0, last: 0 }
    }

    fn push_hash(&mut self, hash: u64) {
        let rest = self.shape.rest_of(hash);
        self.bits.push_rice(rest - self.last, HASH_RICE);
        self.last = rest;
        self.entries += 1;
    }

    /// Adds a position of a single game; hashes come in order.
    pub(super) fn push_game(&mut self, hash: u64, game: u32) {
        self.push_hash(hash);
        self.bits.push(0, 1);
        self.bits.push(u64::from(game), self.shape.game_bits);
    }

    /// Adds a position of these intervals, one at least, which are sorted.
    pub(super) fn push_intervals(
        &mut self,
        hash: u64,
        intervals: impl ExactSizeIterator<Item = Interval>,
    ) {
        self.push_hash(hash);
        self.bits.push(1, 1);
        let count = intervals.len() as u64;
        self.bits.push_gamma(count);
        let rice = self.shape.first_rice(count);
        let mut last = 0;
        for interval in intervals {
            self.bits.push_rice(u64::from(interval.first - last), rice);
            last = interval.first;
            self.bits.push_gamma(u64::from(interval.games));
            self.bits.push(u64::from(interval.ply), self.shape.ply_bits);
            match interval.code {
                Some(code) => self.bits.push(u64::from(code) << 1 | 1, 9),
                None => self.bits.push(0, 1),
            }
        }
    }

    /// The bucket.
    pub(super) fn finish(self) -> Vec<u8> {
        let bits = self.bits.finish();
        let mut bucket = Vec::with_capacity(bits.len() + 2);
        push_number(&mut bucket, self.entries);
        bucket.extend_from_slice(&bits);
        bucket
    }
}

/// The entries of a bucket that a hash may be of. `games` is the number of games of the segment.
pub(super) fn find_entries(
    shape: &BucketShape,
    bucket: &[u8],
    hash: u64,
    games: u32,
) -> Result<Vec<Entry>, DamagedSegment> {
    let wanted = shape.rest_of(hash);
    let mut bytes = ByteReader::new(bucket);
    let entries = bytes.number()?;
    let mut reader = EntryReader { shape, bits: BitReader::new(bytes.rest()), games };
    let mut found = Vec::new();
    let mut rest = 0;
    for _ in 0..entries {
        rest += reader.bits.read_rice(HASH_RICE)?;
        if rest > wanted {
            break;
        }
        reader.entry((rest == wanted).then_some(&mut found))?;
    }
    Ok(found)
}

struct EntryReader<'a> {
    shape: &'a BucketShape,
    bits: BitReader<'a>,
    games: u32,
}

const NO_GAME: DamagedSegment = DamagedSegment::new("a position refers to no game");

impl EntryReader<'_> {
    /// Reads an entry, and adds it if it is wanted.
    fn entry(&mut self, found: Option<&mut Vec<Entry>>) -> Result<(), DamagedSegment> {
        if self.bits.read(1)? == 0 {
            let game = self.bits.read(self.shape.game_bits)? as u32;
            if game >= self.games {
                return Err(NO_GAME);
            }
            if let Some(found) = found {
                found.push(Entry::Game(game));
            }
            return Ok(());
        }
        let mut intervals = found.is_some().then(Vec::new);
        let count = self.bits.read_gamma()?;
        let rice = self.shape.first_rice(count);
        let mut first = 0;
        for _ in 0..count {
            first += self.bits.read_rice(rice)?;
            let interval = self.interval(first)?;
            if let Some(intervals) = &mut intervals {
                intervals.push(interval);
            }
        }
        if let (Some(found), Some(intervals)) = (found, intervals) {
            found.push(Entry::Intervals(intervals));
        }
        Ok(())
    }

    fn interval(&mut self, first: u64) -> Result<Interval, DamagedSegment> {
        let games = self.bits.read_gamma()?;
        let ply = self.bits.read(self.shape.ply_bits)? as u16;
        let has_code = self.bits.read(1)? == 1;
        let code = if has_code { Some(self.bits.read(8)? as u8) } else { None };
        if first + games > u64::from(self.games) {
            return Err(NO_GAME);
        }
        Ok(Interval { first: first as u32, games: games as u32, ply, code })
    }
}

/// The highest number of games in a segment.
pub(crate) const MAX_GAMES: usize = 1 << 21;

/// Positions after more plies are not found.
pub(crate) const MAX_PLY: usize = (1 << 12) - 1;

/// All games of a segment that began with the same moves. Games are numbered in the order of their
/// moves, so they are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Interval {
    /// The number of the first of them.
    pub(crate) first: u32,
    /// The number of these moves.
    pub(crate) ply: u16,
    /// The number of games.
    pub(crate) games: u32,
    /// The code of the move that the first game goes on with; `None` if it ends.
    pub(crate) code: Option<u8>,
}

impl Interval {
    /// The number after that of the last game.
    pub(crate) fn end(&self) -> u32 {
        self.first + self.games
    }

    /// Whether a game is one of them.
    pub(super) fn has(&self, game: u32) -> bool {
        (self.first..self.end()).contains(&game)
    }
}

/// The bytes of a [`Node`].
pub(super) const NODE_BYTES: usize = 16;

/// An interval of a position with this hash, as small as it can be. They sort by hash, then by game
/// and ply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) hash: u64,
    /// From the highest: 21 bits for the first game, 12 for the ply, 22 for the number of games,
    /// 9 for the code plus one.
    packed: u64,
}

impl Node {
    pub(super) fn new(hash: u64, interval: Interval) -> Self {
        let Interval { first, ply, games, code } = interval;
        let code = code.map_or(0, |code| u64::from(code) + 1);
        let packed = u64::from(first) << 43 | u64::from(ply) << 31 | u64::from(games) << 9 | code;
        Self { hash, packed }
    }

    /// As bytes, for a while.
    pub(super) fn to_bytes(self) -> [u8; NODE_BYTES] {
        (u128::from(self.hash) << 64 | u128::from(self.packed)).to_le_bytes()
    }

    pub(super) fn from_bytes(bytes: [u8; NODE_BYTES]) -> Self {
        let both = u128::from_le_bytes(bytes);
        Self { hash: (both >> 64) as u64, packed: both as u64 }
    }

    pub(super) fn interval(&self) -> Interval {
        let bits = |shift: u32, width: u32| (self.packed >> shift & ((1 << width) - 1)) as u32;
        Interval {
            first: bits(43, 21),
            ply: bits(31, 12) as u16,
            games: bits(9, 22),
            code: bits(0, 9).checked_sub(1).map(|code| code as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::Board;

    fn interval() -> impl Strategy<Value = Interval> {
        (0..900_u32, 0..=50_u16, 1..100_u32, any::<Option<u8>>())
            .prop_map(|(first, ply, games, code)| Interval { first, ply, games, code })
    }

    fn entries() -> impl Strategy<Value = Vec<(u64, Entry)>> {
        let entry = prop_oneof![
            (0..1000_u32).prop_map(Entry::Game),
            prop::collection::vec(interval(), 1..20).prop_map(|mut intervals| {
                intervals.sort();
                Entry::Intervals(intervals)
            }),
        ];
        // Few hashes, so that some are the same.
        let hash = (0..4_u64, 0..40_u64).prop_map(|(high, low)| high << 62 | low << 53 | 12_345);
        prop::collection::vec((hash, entry), 0..60)
    }

    proptest! {
        #[test]
        fn entries_are_found_by_their_hash(mut entries in entries()) {
            let shape = BucketShape { bucket_bits: 2, game_bits: 10, ply_bits: 6 };
            entries.sort_by_key(|(hash, _)| *hash);
            let mut buckets: Vec<_> = (0..4).map(|_| BucketWriter::new(shape)).collect();
            for (hash, entry) in &entries {
                let bucket = &mut buckets[shape.bucket_of(*hash)];
                match entry {
                    Entry::Game(game) => bucket.push_game(*hash, *game),
                    Entry::Intervals(all) => bucket.push_intervals(*hash, all.iter().copied()),
                }
            }
            let buckets: Vec<_> = buckets.into_iter().map(BucketWriter::finish).collect();
            for hash in (0..4).flat_map(|high| (0..42).map(move |low| high << 62 | low << 53)) {
                let found = find_entries(&shape, &buckets[shape.bucket_of(hash)], hash, 1000);
                let same = |other: u64| other >> 51 == hash >> 51;
                let expected: Vec<_> =
                    entries.iter().filter(|(h, _)| same(*h)).map(|(_, e)| e.clone()).collect();
                prop_assert_eq!(found, Ok(expected));
            }
        }

        #[test]
        fn any_bucket_is_read_or_refused(
            bucket in prop::collection::vec(any::<u8>(), 0..80),
            hash: u64,
            bits in 0..=18_u32,
        ) {
            let shape = BucketShape { bucket_bits: bits, game_bits: bits, ply_bits: 6 };
            let _ = find_entries(&shape, &bucket, hash, 100);
        }
    }

    #[test]
    fn a_single_bucket_and_a_single_game_have_a_shape() {
        let shape = BucketShape::new(30, 1, 50);
        assert_eq!((shape.buckets(), shape.game_bits, shape.ply_bits), (1, 0, 6));
        assert_eq!(shape.bucket_of(u64::MAX), 0);
        let shape = BucketShape::new(30 << 18, 1 << 18, 50);
        assert_eq!((shape.bucket_bits, shape.game_bits), (14, 18));
        assert_eq!(shape.bucket_of(u64::MAX), shape.buckets() - 1);
    }

    proptest! {
        #[test]
        fn a_node_holds_its_interval(
            first in 0..MAX_GAMES as u32,
            ply in 0..=MAX_PLY as u16,
            games in 0..=MAX_GAMES as u32,
            code in any::<Option<u8>>(),
        ) {
            let interval = Interval { first, ply, games, code };
            let node = Node::new(7, interval);
            prop_assert_eq!(node.interval(), interval);
            prop_assert_eq!(Node::from_bytes(node.to_bytes()), node);
        }
    }

    /// Databases hold these numbers.
    #[test]
    fn hashes_stay_what_they_are() {
        let hash = Board::default().key().hash64();
        assert_eq!(format!("{hash:016x}"), "971e2b5aba84d40b");
    }
}
