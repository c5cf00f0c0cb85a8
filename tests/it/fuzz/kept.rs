//! Any bytes as PGN: what a collection keeps of each game is written, and read again as the same.

use eco::{collection::KeptGameReader, pgn::games, select::Selection};

pub fn check_bytes(pgn: &[u8]) {
    let mut reader = KeptGameReader::new(Selection::default());
    for game in games(pgn) {
        let kept = reader.read(&game).expect("all games are selected");
        let written = kept.to_pgn();
        let mut all = games(&written);
        let again = all.next().and_then(|game| reader.read(&game)).expect("a game is written");
        assert!(all.next().is_none(), "one game was written as two");
        if kept.tags().next().is_some() {
            assert!(again.tags().eq(kept.tags()), "other tags");
        }
        assert!(again.moves().eq(kept.moves()), "other moves");
        assert_eq!((again.plies(), again.result()), (kept.plies(), kept.result()));
        assert_eq!(again.to_pgn(), written);
    }
}
