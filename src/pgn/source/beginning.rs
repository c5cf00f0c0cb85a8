//! What the first bytes of an input say: that it is not PGN, or how its lines end.
//!
//! Text of any kind may come before the first tag pair, and games need no tags. So what is refused
//! is a known signature, or a NUL byte before the first tag pair: no text in UTF-8 or Latin-1 has
//! one, and all other files do within a few kilobytes. A NUL byte after a tag pair is forgiven.
//!
//! In files whose lines end with a carriage return alone, as on old Macs, carriage returns and line
//! feeds change places before anything reads them. What decides is the first line end within the
//! first 64 KiB. Only files that have no line feed there are changed, so others cost nothing.

use std::io::{self, Cursor, Read};

use super::{SourceFault, readers::Failing};
use crate::pgn::tags::{TagForm, tag_form};
use crate::pgn::text::{BYTE_ORDER_MARK, Watched, count_blanks};

/// The first bytes of files that are not PGN, and what to say of them.
const SIGNATURES: [(&[u8], &str); 13] = [
    (b"Scid.si\0", "this is a Scid database, not PGN; export its games as PGN"),
    (b"\x00\x00\x2c\x00\x2e\x01", "this is a ChessBase database, not PGN; export its games as PGN"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archives are not read; unpack it first"),
    (b"Rar!", "RAR archives are not read; unpack it first"),
    (b"\xff\xfe", "UTF-16 text is not read; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text is not read; save it as UTF-8"),
    (b"%PDF-", "this is a PDF document, not PGN"),
    (b"\x89PNG", "this is an image, not PGN"),
    (b"\xff\xd8\xff", "this is an image, not PGN"),
    (b"GIF8", "this is an image, not PGN"),
    (b"\x7fELF", "this is a program, not PGN"),
    (b"PAR1", "this is a Parquet file, not PGN"),
    (b"ARROW1\0", "this is an Arrow file, not PGN"),
];

/// Refuses the first bytes of a file, unpacked, if they are not text, as sources of games do.
///
/// # Errors
///
/// If they have a known signature, or a NUL byte before the first tag pair.
pub fn check_beginning(bytes: &[u8]) -> Result<(), SourceFault> {
    has_tag(bytes).map(drop)
}

/// Whether the first bytes of an input have a tag pair, so that the rest is PGN.
fn has_tag(bytes: &[u8]) -> Result<bool, SourceFault> {
    if bytes.starts_with(b"SQLite") {
        return Err(SourceFault::Database);
    }
    if let Some((_, what)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(SourceFault::Unsupported(what));
    }
    let tag = first_tag(bytes);
    match memchr::memchr(0, &bytes[..tag.unwrap_or(bytes.len())]) {
        Some(offset) => Err(SourceFault::Binary { offset: offset as u64 }),
        None => Ok(tag.is_some()),
    }
}

/// Where the first line begins that is a tag pair, whatever its lines end with.
fn first_tag(bytes: &[u8]) -> Option<usize> {
    let line_ends = memchr::memchr2_iter(b'\n', b'\r', bytes).map(|end| end + 1);
    [0].into_iter().chain(line_ends).find(|start| {
        let line = &bytes[*start..];
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        tag_form(&line[count_blanks(line)..]) == TagForm::Quoted
    })
}

/// The number of bytes in which a line feed is searched for.
const WINDOW: usize = 64 * 1024;

/// The number of bytes that are read at a time: most first lines are shorter.
const STEP: usize = 1024;

/// How the lines of a stream end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LineEnds {
    /// With a line feed, with or without a carriage return before it.
    #[default]
    LineFeed,
    /// With a carriage return alone. The reader gives line feeds instead, and carriage returns
    /// instead of line feeds; [`restore`](Self::restore) gives the bytes of the file.
    CarriageReturn,
}

impl LineEnds {
    /// Changes what the reader has given, or what was made of it, to what belongs in the file.
    pub fn restore(self, bytes: &mut [u8]) {
        if self == Self::CarriageReturn {
            swap(bytes);
        }
    }
}

/// Exchanges carriage returns and line feeds.
fn swap(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = match *byte {
            b'\r' => b'\n',
            b'\n' => b'\r',
            other => other,
        };
    }
}

/// Detects how lines end. Returns a reader whose lines end with a line feed, and the number of
/// bytes that were read for that, which the reader gives as well.
///
/// # Errors
///
/// If the bytes are not PGN.
pub(super) fn with_line_feeds<'a>(
    mut reader: Box<dyn Read + 'a>,
) -> Result<(Box<dyn Read + 'a>, LineEnds, u64), SourceFault> {
    let (mut window, mut end) = (Vec::new(), 0);
    let mut error = None;
    let mut has_line_feed = false;
    while end < WINDOW {
        window.resize((end + STEP).min(WINDOW), 0);
        match reader.read(&mut window[end..]) {
            Ok(0) => break,
            Ok(count) => {
                has_line_feed |= memchr::memchr(b'\n', &window[end..end + count]).is_some();
                end += count;
                if has_line_feed && has_tag(&window[..end]).unwrap_or(true) {
                    break;
                }
            }
            Err(interrupted) if interrupted.kind() == io::ErrorKind::Interrupted => {}
            Err(other) => {
                error = Some(other);
                break;
            }
        }
    }
    window.truncate(end);
    check_beginning(&window)?;
    let has = |byte| memchr::memchr(byte, &window).is_some();
    let line_ends = match has(b'\r') && !has(b'\n') {
        true => LineEnds::CarriageReturn,
        false => LineEnds::LineFeed,
    };
    let whole = Cursor::new(window).chain(Failing(error)).chain(reader);
    let reader: Box<dyn Read> = match line_ends {
        LineEnds::LineFeed => Box::new(whole),
        LineEnds::CarriageReturn => Box::new(Watched::new(whole, |buffer, result| {
            result.inspect(|count| swap(&mut buffer[..*count]))
        })),
    };
    Ok((reader, line_ends, end as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_pgn_is_known_by_its_beginning() {
        for (bytes, expected) in [
            (&b"[Event \"x\"]\n\n1. e4 *"[..], "pgn"),
            (b"\xef\xbb\xbf [Event \"x\"]\0", "pgn"),
            (b"Games of my club\r\r[Event \"\0\"]\r", "pgn"),
            (b"1. e4 e5 *\n", "undecided"),
            (b"Gr\xfc\xdfe", "undecided"),
            (b"", "undecided"),
            (b"Scid.si\0\x01", "this is a Scid database, not PGN; export its games as PGN"),
            (
                b"\0\0\x2c\0\x2e\x01\0",
                "this is a ChessBase database, not PGN; export its games as PGN",
            ),
            (b"7z\xbc\xaf\x27\x1c", "7-Zip archives are not read; unpack it first"),
            (b"%PDF-1.7\n", "this is a PDF document, not PGN"),
            (b"\x89PNG\r\n\x1a\n", "this is an image, not PGN"),
            (b"SQLite format 3\0", "this is an SQLite file, not PGN"),
            (b"a\n1. e4 e5\0 *", "not PGN: it has a NUL byte at byte 10, before any tag"),
            (b"MZ\x90\0[Event \"x\"]", "not PGN: it has a NUL byte at byte 3, before any tag"),
            (b"[\0E\0v\0e\0", "not PGN: it has a NUL byte at byte 1, before any tag"),
        ] {
            let found = match has_tag(bytes) {
                Ok(true) => "pgn".to_owned(),
                Ok(false) => "undecided".to_owned(),
                Err(fault) => fault.to_string(),
            };
            assert_eq!(found, expected, "for {:?}", bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn carriage_returns_alone_become_line_feeds() {
        let long = [vec![b' '; 2 * WINDOW], b"\r".to_vec()].concat();
        for (bytes, read, line_ends) in [
            (&b"a\rb\r"[..], &b"a\nb\n"[..], LineEnds::CarriageReturn),
            (b"a\r\nb\r\n", b"a\r\nb\r\n", LineEnds::LineFeed),
            (b"a\nb\r", b"a\nb\r", LineEnds::LineFeed),
            (b"a", b"a", LineEnds::LineFeed),
            (b"", b"", LineEnds::LineFeed),
            (&long, &long, LineEnds::LineFeed),
        ] {
            let (mut reader, found, _) = with_line_feeds(Box::new(bytes)).unwrap();
            let mut all = Vec::new();
            reader.read_to_end(&mut all).unwrap();
            assert_eq!(found, line_ends);
            assert!(all == read, "for {:?}", bytes.get(..20));
            line_ends.restore(&mut all);
            assert!(all == bytes, "for {:?}", bytes.get(..20));
        }
    }

    #[test]
    fn an_error_comes_after_the_bytes_before_it() {
        let failing = b"a\r".chain(io::empty()).chain(Failing(Some(io::Error::other("broken"))));
        let (mut reader, line_ends, _) = with_line_feeds(Box::new(failing)).unwrap();
        let mut all = Vec::new();
        let error = reader.read_to_end(&mut all).unwrap_err();
        assert_eq!((all, line_ends), (b"a\n".to_vec(), LineEnds::CarriageReturn));
        assert_eq!(error.to_string(), "broken");
    }
}
