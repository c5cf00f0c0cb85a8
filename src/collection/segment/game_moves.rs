//! The moves of neighbouring games, of which each begins like the one before.

use super::{
    bytes::{ByteReader, push_number, push_packed},
    damaged::DamagedSegment,
};

/// The number of games whose moves are packed together.
pub(super) const MOVES_A_FRAME: usize = 128;

/// The number of frames in a blob.
pub(super) const FRAMES_A_BLOB: usize = 8;

/// No game has more moves that can be played: it takes less than 32 MiB of PGN.
const MAX_MOVES: usize = 1 << 24;

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

/// The codes of a game, and the words after them, by its index in a frame.
pub(super) fn unpack_moves(
    frame: &[u8],
    index: usize,
) -> Result<(Vec<u8>, Vec<u8>), DamagedSegment> {
    let mut reader = ByteReader::new(frame);
    let (heads, codes, rests) = (reader.unpacked()?, reader.unpacked()?, reader.unpacked()?);
    let mut heads = ByteReader::new(&heads);
    let (mut codes, mut rests) = (ByteReader::new(&codes), ByteReader::new(&rests));
    let mut game = Vec::new();
    for at in 0..=index {
        let shared = heads.number_to(game.len())?;
        let own = heads.number_to(MAX_MOVES)?;
        let rest = heads.number_to(rests.rest().len())?;
        game.truncate(shared);
        game.extend_from_slice(codes.take(own)?);
        let rest = rests.take(rest)?;
        if at == index {
            return Ok((game, rest.to_vec()));
        }
    }
    Err(DamagedSegment::new("a game has no moves"))
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
            for (index, game) in games.iter().enumerate() {
                prop_assert_eq!(&unpack_moves(&frame, index).unwrap(), game);
            }
            prop_assert!(unpack_moves(&frame, games.len()).is_err());
        }

        #[test]
        fn any_frame_is_read_or_refused(
            frame in prop::collection::vec(any::<u8>(), 0..60),
            index in 0..9_usize,
        ) {
            let _ = unpack_moves(&frame, index);
        }
    }
}
