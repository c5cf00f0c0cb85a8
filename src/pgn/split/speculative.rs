//! Splitting bytes before it is known what comes before them.

use std::ops::Range;

use memchr::memchr_iter;

use super::{lines::More, splitter::Splitter, starts::Starts};
use crate::pgn::tags::TagLine;

/// Where games begin in bytes if one begins at a certain line of them.
///
/// Whoever learns what comes before goes on with that splitter past the line. If it is in
/// [`state`](Self::state) then, the rest holds.
#[derive(Debug)]
pub(in crate::pgn) struct SpeculativeSplit {
    /// The line, with its line end.
    pub(in crate::pgn) line: Range<usize>,
    /// The state of the splitter after the line.
    pub(in crate::pgn) state: Splitter,
    /// Where games begin, from the line on.
    pub(in crate::pgn) starts: Starts,
    /// The state of the splitter after all bytes.
    pub(in crate::pgn) splitter: Splitter,
    /// The number of bytes that this splitter has finished.
    pub(in crate::pgn) scanned: usize,
}

impl SpeculativeSplit {
    /// Splits `bytes` from the first line on at which a game is likely to begin, if there is one.
    pub(in crate::pgn) fn new(bytes: &[u8], more: More) -> Option<Self> {
        let line = likely_start(bytes)?;
        let (mut splitter, mut starts) = (Splitter::new(), Starts::for_bytes(bytes.len()));
        splitter.scan(&bytes[..line.end], line.start, More::Yes, &mut starts);
        if !starts.all().eq([line.start]) {
            return None;
        }
        let state = splitter.clone();
        let scanned = splitter.scan(bytes, line.end, more, &mut starts);
        Some(Self { line, state, starts, splitter, scanned })
    }
}

/// Finds the first tag line after a line that is none.
fn likely_start(bytes: &[u8]) -> Option<Range<usize>> {
    // The start of the first line may be missing.
    let mut is_below_tag = true;
    memchr_iter(b'\n', bytes).find_map(|line_end| {
        let start = line_end + 1;
        let line = &bytes[start..];
        let is_tag = line.first() == Some(&b'[');
        let tag_line = if is_tag && !is_below_tag { TagLine::read_one(line) } else { None };
        is_below_tag = is_tag;
        tag_line.map(|tag_line| start..start + tag_line.line_length())
    })
}
