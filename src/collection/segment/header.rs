//! What a segment is made of.

use super::{
    bucket::BucketShape,
    bytes::{ByteReader, push_number},
    damaged::DamagedSegment,
    interval::{MAX_GAMES, MAX_PLY},
};

/// The version of the format; a later one is refused. The games of version 1 have no times.
const VERSION: u64 = 2;

/// What a blob of a segment holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BlobKind {
    /// The [`Header`].
    Header,
    /// A dictionary.
    Dictionary,
    /// The facts of [`FACTS_A_CHUNK`](super::facts::FACTS_A_CHUNK) games.
    Facts,
    /// Frames of moves.
    Moves,
    /// Frames of tags.
    Tags,
    /// Buckets of positions.
    Positions,
    /// Buckets of identities.
    Ids,
}

/// Which dictionary a blob is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DictionaryKind {
    /// Names of players.
    Players,
    /// Values of `Event`.
    Events,
    /// Values of `Site`, or the first parts of addresses.
    Sites,
    /// Values of `Variant`.
    Variants,
    /// Openings: the code, a tab, the name; empty for none.
    Openings,
    /// The forms of tags.
    Forms,
    /// The values of a column of tags.
    Column(u8),
}

impl DictionaryKind {
    /// The number of its blob.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Players => 0,
            Self::Events => 1,
            Self::Sites => 2,
            Self::Variants => 3,
            Self::Openings => 4,
            Self::Forms => 5,
            Self::Column(column) => 6 + u32::from(column),
        }
    }
}

/// The number of buckets in a blob.
pub(super) const BUCKETS_A_BLOB: usize = 32;

/// What a segment is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The number of games.
    pub(crate) games: u32,
    /// Those that count in the positions from the initial one on. They come first.
    pub(crate) initial: u32,
    /// Those that count, which begin in other positions as well. They come next.
    pub(crate) counted: u32,
    /// Positions are found up to here.
    pub(crate) max_ply: u16,
    pub(super) positions: BucketShape,
    pub(super) ids: BucketShape,
    /// For each column of tags, whether it has a dictionary.
    pub(super) shared_columns: Vec<bool>,
}

impl Header {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut push = |number: u64| push_number(&mut bytes, number);
        push(VERSION);
        for number in [self.games, self.initial, self.counted, u32::from(self.max_ply)] {
            push(u64::from(number));
        }
        for shape in [self.positions, self.ids] {
            for number in [shape.bucket_bits, shape.game_bits, shape.ply_bits] {
                push(u64::from(number));
            }
        }
        push(self.shared_columns.len() as u64);
        self.shared_columns.iter().for_each(|is_shared| push(u64::from(*is_shared)));
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(bytes);
        if !(1..=VERSION).contains(&reader.number()?) {
            return Err(DamagedSegment::new(
                "another version of eco stored them; add the games anew",
            ));
        }
        let games = reader.number_to(MAX_GAMES)? as u32;
        let initial = reader.number_to(games as usize)? as u32;
        let counted = reader.number_to(games as usize)? as u32;
        let max_ply = reader.number_to(MAX_PLY)? as u16;
        let mut shape = || -> Result<BucketShape, DamagedSegment> {
            let mut bits = || Ok(reader.number_to(30)? as u32);
            Ok(BucketShape { bucket_bits: bits()?, game_bits: bits()?, ply_bits: bits()? })
        };
        let (positions, ids) = (shape()?, shape()?);
        let columns = reader.number_to(usize::from(u8::MAX))?;
        let shared_columns = (0..columns)
            .map(|_| reader.number_to(1).map(|number| number == 1))
            .collect::<Result<_, _>>()?;
        Ok(Self { games, initial, counted, max_ply, positions, ids, shared_columns })
    }
}
