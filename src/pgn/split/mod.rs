//! Where games begin: the rule of [`crate::pgn`], as a state machine that can stop at any byte and
//! go on with more bytes.
//!
//! It looks at nothing but tags, the starts and ends of lines, braces and semicolons, so it runs at
//! nearly the speed of `memchr`. Its result does not depend on how the bytes were cut. The tests
//! hold it against a plain version that sees everything at once.

mod lines;
mod resume;
mod splitter;

pub(super) use self::resume::{RESUME_WINDOW, Resume, find_resume};
pub(super) use self::splitter::Splitter;
use super::tags::TagLine;

/// Whether more bytes will follow those at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pgn) enum More {
    Yes,
    No,
}

/// Where games begin, in the order of the stream.
///
/// The tag lines in export format that a game begins with are noted as well. They were read to find
/// out where games begin, and the reader of a game need not read them again. No result depends on
/// it.
#[derive(Debug, Clone)]
pub(in crate::pgn) struct Starts {
    games: Vec<Start>,
    tags: Vec<TagLine>,
    /// The offset at which the next tag of the last game would be noted. At any other, none is.
    noted: usize,
}

#[derive(Debug, Clone, Copy)]
struct Start {
    at: usize,
    /// The index of the first of its tags.
    tags: usize,
}

impl Default for Starts {
    fn default() -> Self {
        Self::for_bytes(0)
    }
}

impl Starts {
    /// No starts yet, with room for those in `count` bytes.
    pub(in crate::pgn) fn for_bytes(count: usize) -> Self {
        let games = Vec::with_capacity(count / 512);
        let tags = Vec::with_capacity(count / 64);
        Self { games, tags, noted: usize::MAX }
    }

    /// The number of games.
    pub(in crate::pgn) fn len(&self) -> usize {
        self.games.len()
    }

    /// The offsets of the games.
    pub(in crate::pgn) fn all(&self) -> impl Iterator<Item = usize> {
        self.games.iter().map(|start| start.at)
    }

    /// The offset of the last game.
    pub(in crate::pgn) fn last(&self) -> Option<usize> {
        self.games.last().map(|start| start.at)
    }

    /// The offset of each game, with its noted tags.
    pub(in crate::pgn) fn with_tags(&self) -> impl Iterator<Item = (usize, &[TagLine])> {
        let ends = self.games.iter().skip(1).map(|start| start.tags).chain([self.tags.len()]);
        self.games.iter().zip(ends).map(|(start, end)| (start.at, &self.tags[start.tags..end]))
    }

    /// Adds a game after all others.
    pub(in crate::pgn) fn push(&mut self, at: usize) {
        self.games.push(Start { at, tags: self.tags.len() });
        self.noted = at;
    }

    /// Adds a game that began before the bytes, with tags that are not known.
    pub(in crate::pgn) fn push_begun(&mut self) {
        self.push(0);
        self.noted = usize::MAX;
    }

    /// Notes a tag of the last game, if it follows directly on the tags that were noted.
    #[inline]
    pub(in crate::pgn) fn push_tag(&mut self, at: usize, line: TagLine) {
        if at == self.noted {
            self.tags.push(line);
            self.noted += line.line_length();
        }
    }

    /// Adds the starts of later bytes, which were counted from `offset` on.
    pub(in crate::pgn) fn append(&mut self, later: &Self, offset: usize) {
        let tags = self.tags.len();
        let moved = |start: &Start| Start { at: start.at + offset, tags: start.tags + tags };
        self.games.extend(later.games.iter().map(moved));
        self.tags.extend_from_slice(&later.tags);
        self.noted = later.noted.saturating_add(offset);
    }

    /// Removes the last game, if it begins at `at` or later, and returns its offset.
    pub(in crate::pgn) fn pop_from(&mut self, at: usize) -> Option<usize> {
        let last = self.games.pop_if(|start| start.at >= at)?;
        self.tags.truncate(last.tags);
        self.noted = usize::MAX;
        Some(last.at)
    }
}

#[cfg(test)]
mod tests;
