//! Streams of PGN on all threads, block by block: classified, or tagged.

use std::io::{self, Read, Write};

use super::workers::Workers;
use crate::classify::{Classified, Classifier};
use crate::executor::Executor;
use crate::pgn::{Block, BlockOptions, Chunk, Chunks, Game};
use crate::tag::{Changes, Tagger};

/// How a stream of games is worked on in parallel.
///
/// ```
/// use std::num::NonZeroUsize;
/// use eco::pipeline::{Options, Workers};
///
/// let mut options = Options::default();
/// options.workers = Workers::new(NonZeroUsize::MIN);
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The threads; as many as the machine has cores unless set otherwise.
    pub workers: Workers,
    /// How the stream is cut into blocks.
    pub blocks: BlockOptions,
}

/// Runs `work` on the blocks of `pgn` on the [workers](Options::workers), and hands what it returns
/// to `sink` in the order of the stream.
///
/// # Errors
///
/// What `sink` returns; and what `unreadable` makes of an error of `pgn`, before which the whole
/// games have gone to `sink`.
pub(crate) fn run_blocks<T: Send, E>(
    pgn: impl Read,
    options: &Options,
    unreadable: impl Fn(io::Error) -> E,
    work: impl Fn(Block) -> T + Sync,
    sink: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    options.workers.run(
        |push| {
            for chunk in Chunks::new(pgn, options.blocks) {
                push(chunk.map_err(&unreadable)?)?;
            }
            Ok(())
        },
        |chunk: Chunk| work(chunk.into_block()),
        sink,
    )
}

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

/// Tags a stream of PGN in parallel: writes it to `writer` with the tags changed, and returns the
/// counts of what was changed.
///
/// `reader` and `writer` need no buffering of their own. Memory does not grow with the stream. The
/// bytes do not depend on the number of [workers](Options::workers).
///
/// # Errors
///
/// What `writer` returns, and what `reader` returns; the whole games before an error of `reader`
/// have then been written.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier};
/// use eco::pipeline::{Options, tag_pgn};
/// use eco::tag::{self, Tagger};
///
/// let pgn = b"[White \"A\"]\n\n1. c4 c5 *\n\n[White \"B\"]\n[ECO \"A00\"]\n\n1. e4 c5 *\n";
/// let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), tag::TagOptions::default());
/// let mut tagged = Vec::new();
/// let changes = tag_pgn(&tagger, &pgn[..], &mut tagged, &Options::default())?;
/// assert_eq!((changes.games, changes.changed), (2, 2));
/// let tagged = String::from_utf8_lossy(&tagged);
/// assert!(tagged.contains("[White \"B\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn tag_pgn(
    tagger: &Tagger<'_>,
    reader: impl Read,
    mut writer: impl Write,
    options: &Options,
) -> io::Result<Changes> {
    let mut total = Changes::default();
    run_blocks(
        reader,
        options,
        |error| error,
        |block: Block| {
            let mut changes = Changes::default();
            let games = tagger.tag_block(block, |game, plan| changes.add("", game, plan));
            (games, changes)
        },
        |(games, changes)| {
            total.merge(changes);
            games.chunks().try_for_each(|chunk| writer.write_all(chunk))
        },
    )?;
    writer.flush()?;
    Ok(total)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::{catalogue::Catalogue, pipeline::Workers, tag};

    const GAME: &str = "[White \"A\"]\n\n1. e4 c5 *\n\n";
    const TAGGED: &str =
        "[White \"A\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n\n";

    fn tag(reader: impl Read, threads: usize) -> (io::Result<Changes>, String) {
        let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), tag::TagOptions::default());
        let options = Options {
            workers: Workers::new(NonZeroUsize::new(threads).unwrap()),
            blocks: BlockOptions { block_size: 100, ..BlockOptions::default() },
        };
        let mut tagged = Vec::new();
        let changes = tag_pgn(&tagger, reader, &mut tagged, &options);
        (changes, String::from_utf8(tagged).unwrap())
    }

    #[test]
    fn a_stream_is_tagged_in_order_at_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let (changes, tagged) = tag(GAME.repeat(100).as_bytes(), threads);
            assert_eq!(changes.unwrap().changed, 100, "{threads} threads");
            assert_eq!(tagged, TAGGED.repeat(100), "{threads} threads");
        }
    }

    #[test]
    fn the_games_before_an_error_are_written() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        for threads in [1, 3] {
            let games = GAME.repeat(100);
            let (changes, tagged) = tag(games.as_bytes().chain(Broken), threads);
            assert_eq!(changes.unwrap_err().to_string(), "broken", "{threads} threads");
            assert_eq!(tagged, TAGGED.repeat(100), "{threads} threads");
        }
    }
}
