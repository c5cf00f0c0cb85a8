//! Tagging a whole stream.

use std::io::{self, Read, Write};

use super::{Changes, Tagger};
use crate::pgn::{BlockOptions, Blocks};

/// Tags a stream of PGN, on the calling thread. Returns the counts of what was changed.
///
/// `reader` and `writer` need no buffering of their own. Memory does not grow with the stream.
///
/// # Errors
///
/// The error of `reader` or `writer`. What `reader` gave before its error, but for the game that was
/// cut short, is written by then.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier};
/// use eco::tag::{Options, Tagger, tag_pgn};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n[ECO \"A00\"]\n\n1. e4 c5 *\n";
/// let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), Options::default());
/// let mut tagged = Vec::new();
/// let changes = tag_pgn(&tagger, &pgn[..], &mut tagged)?;
/// assert_eq!((changes.games, changes.changed), (2, 2));
/// let tagged = String::from_utf8_lossy(&tagged);
/// assert!(tagged.contains("[White \"Fischer\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn tag_pgn(
    tagger: &Tagger<'_>,
    reader: impl Read,
    mut writer: impl Write,
) -> io::Result<Changes> {
    let mut changes = Changes::default();
    for block in Blocks::new(reader, BlockOptions::default()) {
        let tagged = tagger.tag_block(block?, |game, plan| changes.add("", game, plan));
        writer.write_all(&tagged.to_vec())?;
    }
    writer.flush()?;
    Ok(changes)
}
