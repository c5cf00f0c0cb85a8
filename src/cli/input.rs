//! Input that is held in memory, with limits, so that no input takes all of it.

use std::io::{self, BufRead, Read, stdin};
use std::{fs::File, path::Path};

use super::outcome::Failure;

/// The longest line in bytes. No FEN and no list of moves comes near it.
pub(super) const MAX_LINE: u64 = 1 << 20;

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

/// Reads a line of at most [`MAX_LINE`] bytes.
pub(super) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Length> {
    let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', line)?;
    if read as u64 == MAX_LINE && line.last() != Some(&b'\n') && reader.skip_until(b'\n')? > 0 {
        return Ok(Length::TooLong);
    }
    Ok(if read == 0 { Length::End } else { Length::Whole })
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
    fn no_more_is_read_than_the_limit() {
        let limit = 2 << 20;
        assert_eq!(read_up_to(io::repeat(0).take(limit), limit).unwrap().len(), 2 << 20);
        let error = read_up_to(io::repeat(0), limit).unwrap_err();
        assert_eq!(error.to_string(), "larger than 2 MiB, and not read");
    }
}
