//! A stream of games, classified in parallel.

use std::io::{self, Read};

use super::{blocks::run_blocks, options::Options};
use crate::{
    classify::{Classified, Classifier},
    pgn::{Block, Game},
};

/// Classifies a stream of PGN in parallel, and returns the number of games.
///
/// `each` runs on the [workers](Options::workers). It is given the games of a block, which borrow
/// from the block; what it finds in the catalogue (`'c`) outlives the run. `sink` is given what
/// `each` returned, block by block, in the order of the stream. Its error ends the run.
///
/// # Errors
///
/// What `sink` returns, and what `reader` returns; the whole games before an error of `reader` have
/// then gone to `sink`.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier, opening::Opening};
/// use eco::pipeline::{Options, classify_pgn};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 c5 *\n";
/// let classifier = Classifier::new(Catalogue::builtin());
/// let mut openings: Vec<&Opening> = Vec::new();
/// let count = classify_pgn(
///     classifier,
///     &pgn[..],
///     &Options::default(),
///     |games| {
///         let named = games.filter_map(|(_, classified)| classified.verdict.named);
///         named.map(|named| named.opening()).collect::<Vec<_>>()
///     },
///     |block| {
///         openings.extend(block);
///         Ok::<(), std::io::Error>(())
///     },
/// )?;
/// assert_eq!(count, 2);
/// assert_eq!(openings.iter().map(|o| o.code()).collect::<Vec<_>>(), ["A30", "B20"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn classify_pgn<'c, T: Send, E: From<io::Error>>(
    classifier: Classifier<'c>,
    reader: impl Read,
    options: &Options,
    each: impl Fn(&mut dyn Iterator<Item = (Game<'_>, Classified<'_, 'c>)>) -> T + Sync,
    mut sink: impl FnMut(T) -> Result<(), E>,
) -> Result<u64, E> {
    let mut count = 0;
    run_blocks(
        reader,
        options,
        E::from,
        |block: Block| {
            let done = each(&mut block.games().map(|game| (game, classifier.classify(&game))));
            (block.game_count() as u64, done)
        },
        |(games, done)| {
            count += games;
            sink(done)
        },
    )?;
    Ok(count)
}
