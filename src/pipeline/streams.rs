//! A stream of games, tagged in parallel.

use std::io::{self, Read, Write};

use super::{blocks::run_blocks, options::Options};
use crate::{
    pgn::Block,
    tag::{Changes, Tagger},
};

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
    use crate::{
        catalogue::Catalogue, classify::Classifier, pgn::BlockOptions, pipeline::Workers, tag,
    };

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
