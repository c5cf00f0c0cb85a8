use proptest::prelude::*;

use super::*;
use crate::pgn::{BlockOptions, Chunks};
use crate::tag::tests::{simple_game, word};
use crate::tag::values::Encoding;

/// Whether the first tag has a name that another has too.
fn repeats_first(game: &Game<'_>) -> bool {
    let names: Vec<_> = game.tags().map(|tag| tag.name).collect();
    names[1..].contains(&names[0])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_path_reads_what_the_plain_one_does(
        game in simple_game(),
        words in prop::collection::vec(word(), 0..24),
        encoding in prop::sample::select(vec![Encoding::Utf8, Encoding::Latin1]),
        extended in prop::sample::select(vec!["", "Annotator", "EventDate"]),
    ) {
        let names = TagNames { extended };
        let simple = Game::from_bytes(game.as_bytes());
        let is_fast = fast::read(&simple, names, &mut Section::default()).is_some();
        prop_assert_eq!(is_fast, !repeats_first(&simple), "the fast path is taken");
        for pgn in [&game, &words.concat()] {
            for block in Chunks::new(&*encoding.encode(pgn), BlockOptions::default()).blocks() {
                for game in block.unwrap().games() {
                    let (mut section, mut expected) = (Section::default(), Section::default());
                    let Some((header, moves)) = fast::read(&game, names, &mut section) else { continue };
                    let (expected_header, expected_moves) = read_any(&game, names, &mut expected);
                    prop_assert_eq!(section, expected);
                    prop_assert_eq!(header, expected_header);
                    prop_assert!(moves.eq(expected_moves), "the moves of {:?}", pgn);
                }
            }
        }
    }
}
