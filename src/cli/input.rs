//! Input that is held in memory, with limits, so that no input takes all of it.

use std::io::{self, BufRead, BufReader, Read, stdin};
use std::{fs::File, path::Path};

use eco::pgn::source::{SourceFault, check_beginning};

use super::outcome::Failure;

/// The longest line in bytes. No FEN and no list of moves comes near it.
pub(super) const MAX_LINE: u64 = 1 << 20;

/// The longest line in MiB whose end is waited for. The rest of a line that is too long is skipped.
const MAX_SKIPPED_MIB: u64 = 256;

/// The number of bytes that are read at a time, and that show what an input is.
const BUFFER: usize = 64 << 10;

/// The largest file in MiB that is held in memory. The largest masters and opening books have some
/// tens.
const MAX_FILE_MIB: u64 = 256;

/// The part of a line that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    End,
    Whole,
    /// The rest was skipped.
    TooLong,
}

/// A reader of the lines of an input, or what the input is instead of text. Waits for no more bytes
/// than come at once, since somebody may type the lines.
pub(super) fn lines_of<R: Read>(input: R) -> io::Result<Result<BufReader<R>, SourceFault>> {
    let mut reader = BufReader::with_capacity(BUFFER, input);
    let beginning = check_beginning(reader.fill_buf()?);
    Ok(beginning.map(|()| reader))
}

/// Reads a line of at most [`MAX_LINE`] bytes.
pub(super) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Length> {
    let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', line)?;
    if (read as u64) < MAX_LINE || line.last() == Some(&b'\n') {
        return Ok(if read == 0 { Length::End } else { Length::Whole });
    }
    let limit = MAX_SKIPPED_MIB << 20;
    match reader.by_ref().take(limit).skip_until(b'\n')? as u64 {
        0 => Ok(Length::Whole),
        skipped if skipped < limit => Ok(Length::TooLong),
        _ => {
            let what = format!("a line is longer than {MAX_SKIPPED_MIB} MiB, and not read");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, what))
        }
    }
}

/// Reads a file, or standard input for `-`, into memory.
pub(super) fn read_whole(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", path.display()));
    let file: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(stdin().lock()),
        false => Box::new(File::open(path).map_err(|error| failed(&error))?),
    };
    read_up_to(file, MAX_FILE_MIB << 20).map_err(|error| failed(&error))
}

fn read_up_to(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let what = format!("larger than {} MiB, and not read", limit >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_an_error() {
        let mut reader = BufReader::new(io::repeat(b'a'));
        let error = read_line(&mut reader, &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "a line is longer than 256 MiB, and not read");
    }

    #[test]
    fn no_more_is_read_than_the_limit() {
        let limit = 2 << 20;
        assert_eq!(read_up_to(io::repeat(0).take(limit), limit).unwrap().len(), 2 << 20);
        let error = read_up_to(io::repeat(0), limit).unwrap_err();
        assert_eq!(error.to_string(), "larger than 2 MiB, and not read");
    }
}
