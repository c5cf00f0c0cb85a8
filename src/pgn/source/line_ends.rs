//! Files whose lines end with a carriage return alone, as on old Macs: the games in them are found
//! as in others, because carriage returns and line feeds change places before anything reads them.
//!
//! What decides is the first line end within the first 64 KiB. Only files that have no line feed
//! there are changed, so others cost nothing.

use std::io::{self, Cursor, Read};

use super::{error::SourceFault, foreign::Beginning};

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
                let beginning = Beginning::of(&window[..end]);
                if has_line_feed && !matches!(beginning, Beginning::Undecided) {
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
    Beginning::check(&window)?;
    let has = |byte| memchr::memchr(byte, &window).is_some();
    let line_ends = match has(b'\r') && !has(b'\n') {
        true => LineEnds::CarriageReturn,
        false => LineEnds::LineFeed,
    };
    let whole = Peeked { window: Cursor::new(window), error, reader };
    let reader: Box<dyn Read> = match line_ends {
        LineEnds::LineFeed => Box::new(whole),
        LineEnds::CarriageReturn => Box::new(Swapped(whole)),
    };
    Ok((reader, line_ends, end as u64))
}

/// A reader whose beginning was read before, up to an error if there was one.
struct Peeked<'a> {
    window: Cursor<Vec<u8>>,
    error: Option<io::Error>,
    reader: Box<dyn Read + 'a>,
}

impl Read for Peeked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.window.get_ref().is_empty() {
            return match self.error.take() {
                Some(error) => Err(error),
                None => self.reader.read(buffer),
            };
        }
        let count = self.window.read(buffer)?;
        if self.window.position() == self.window.get_ref().len() as u64 {
            // Its memory is given up.
            self.window = Cursor::default();
        }
        Ok(count)
    }
}

/// A reader with carriage returns and line feeds exchanged.
struct Swapped<R>(R);

impl<R: Read> Read for Swapped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        swap(&mut buffer[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let failing = b"a\r".chain(io::empty()).chain(Failing);
        let (mut reader, line_ends, _) = with_line_feeds(Box::new(failing)).unwrap();
        let mut all = Vec::new();
        let error = reader.read_to_end(&mut all).unwrap_err();
        assert_eq!((all, line_ends), (b"a\n".to_vec(), LineEnds::CarriageReturn));
        assert_eq!(error.to_string(), "broken");
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
}
