//! The moves of neighbouring games, of which each begins like the one before.

use super::{
    bytes::{ByteReader, push_number, push_packed},
    damaged::DamagedSegment,
};

/// The number of games whose moves are packed together.
pub(super) const MOVES_A_FRAME: usize = 128;

/// The number of frames in a blob.
pub(super) const FRAMES_A_BLOB: usize = 8;

/// The games of a frame have no more moves: a segment is full before.
const MAX_CODES: usize = 128 << 20;

/// The moves of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameMoves<'a> {
    /// The codes of those that can be played.
    pub(super) codes: &'a [u8],
    /// The words of the others, with a line end after each.
    pub(super) rest: &'a [u8],
}

/// A frame of the moves of these games.
pub(super) fn pack_moves<'a>(games: impl Iterator<Item = GameMoves<'a>>) -> Vec<u8> {
    let (mut heads, mut codes, mut rests) = (Vec::new(), Vec::new(), Vec::new());
    let mut before: &[u8] = &[];
    for game in games {
        let shared = before.iter().zip(game.codes).take_while(|(a, b)| a == b).count();
        push_number(&mut heads, shared as u64);
        push_number(&mut heads, (game.codes.len() - shared) as u64);
        push_number(&mut heads, game.rest.len() as u64);
        codes.extend_from_slice(&game.codes[shared..]);
        rests.extend_from_slice(game.rest);
        before = game.codes;
    }
    let mut frame = Vec::new();
    [heads, codes, rests].iter().for_each(|part| push_packed(&mut frame, part));
    frame
}

/// The moves of the games of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MovesFrame {
    codes: Vec<u8>,
    rests: Vec<u8>,
    /// For each game, where its codes and its other words end.
    ends: Vec<(usize, usize)>,
}

impl MovesFrame {
    /// Unpacks a frame.
    pub(super) fn unpack(frame: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(frame);
        let (heads, codes, rests) = (reader.unpacked()?, reader.unpacked()?, reader.unpacked()?);
        let (mut heads, mut codes) = (ByteReader::new(&heads), ByteReader::new(&codes));
        let mut unpacked = Self { rests, ..Self::default() };
        let (mut start, mut rest_end) = (0, 0);
        while !heads.is_empty() && unpacked.ends.len() < MOVES_A_FRAME {
            let shared = heads.number_to(unpacked.codes.len() - start)?;
            let own = codes.take(heads.number_to(codes.rest().len())?)?;
            rest_end += heads.number_to(unpacked.rests.len() - rest_end)?;
            let end = unpacked.codes.len();
            if end + shared + own.len() > MAX_CODES {
                return Err(DamagedSegment::new("games have too many moves"));
            }
            unpacked.codes.extend_from_within(start..start + shared);
            unpacked.codes.extend_from_slice(own);
            start = end;
            unpacked.ends.push((unpacked.codes.len(), rest_end));
        }
        Ok(unpacked)
    }

    /// The moves of a game by its index in the frame.
    pub(super) fn get(&self, index: usize) -> Result<GameMoves<'_>, DamagedSegment> {
        let Some((codes_end, rest_end)) = self.ends.get(index).copied() else {
            return Err(DamagedSegment::new("a game has no moves"));
        };
        let (codes, rest) = index.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        Ok(GameMoves { codes: &self.codes[codes..codes_end], rest: &self.rests[rest..rest_end] })
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> usize {
        self.codes.len() + self.rests.len() + 16 * self.ends.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn moves_are_read_as_they_were_written(
            games in prop::collection::vec(
                (prop::collection::vec(0..3_u8, 0..20), prop::collection::vec(0..3_u8, 0..3)),
                0..20,
            ),
        ) {
            let frame =
                pack_moves(games.iter().map(|(codes, rest)| GameMoves { codes, rest }));
            let unpacked = MovesFrame::unpack(&frame).unwrap();
            for (index, (codes, rest)) in games.iter().enumerate() {
                prop_assert_eq!(unpacked.get(index), Ok(GameMoves { codes, rest }));
            }
            prop_assert!(unpacked.get(games.len()).is_err());
        }

        #[test]
        fn any_frame_is_read_or_refused(
            frame in prop::collection::vec(any::<u8>(), 0..60),
            index in 0..9_usize,
        ) {
            let _ = MovesFrame::unpack(&frame).and_then(|frame| frame.get(index).map(drop));
        }
    }
}
