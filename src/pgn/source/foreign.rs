//! Files that are not PGN, detected from their first bytes.
//!
//! Text of any kind may come before the first tag pair, and games need no tags. So what is refused
//! is a known signature, or a NUL byte before the first tag pair: no text in UTF-8 or Latin-1 has
//! one, and all other files do within a few kilobytes. A NUL byte after a tag pair is forgiven.

use super::error::SourceFault;
use crate::pgn::{
    tags::{TagForm, tag_form},
    text::{BYTE_ORDER_MARK, count_blanks},
};

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

/// What the first bytes of an input say of the rest.
#[derive(Debug)]
pub(in crate::pgn) enum Beginning {
    /// A tag pair comes first.
    Pgn,
    /// Nothing that decides.
    Undecided,
    /// It is not PGN.
    Foreign(SourceFault),
}

impl Beginning {
    /// Looks at the first bytes of an input, unpacked.
    pub(in crate::pgn) fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"SQLite") {
            return Self::Foreign(SourceFault::Database);
        }
        if let Some((_, what)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
            return Self::Foreign(SourceFault::Unsupported(what));
        }
        let tag = first_tag(bytes);
        match memchr::memchr(0, &bytes[..tag.unwrap_or(bytes.len())]) {
            Some(offset) => Self::Foreign(SourceFault::Binary { offset: offset as u64 }),
            None if tag.is_some() => Self::Pgn,
            None => Self::Undecided,
        }
    }

    /// Refuses what is not PGN.
    pub(in crate::pgn) fn check(bytes: &[u8]) -> Result<(), SourceFault> {
        match Self::of(bytes) {
            Self::Foreign(fault) => Err(fault),
            Self::Pgn | Self::Undecided => Ok(()),
        }
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
            let found = match Beginning::of(bytes) {
                Beginning::Pgn => "pgn".to_owned(),
                Beginning::Undecided => "undecided".to_owned(),
                Beginning::Foreign(fault) => fault.to_string(),
            };
            assert_eq!(found, expected, "for {:?}", bytes.escape_ascii().to_string());
        }
    }
}
