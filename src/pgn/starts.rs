//! What splitting finds: where games begin, and the tags that they begin with.

use super::tags::UsualTag;

/// Where games begin, in the order of the stream.
///
/// The tags that a game begins with, as long as they are written as nearly all are, are noted as well:
/// they were read to find out where games begin, and who reads a game need not do it again. Nothing
/// depends on whether they are.
#[derive(Debug, Clone)]
pub(super) struct Starts {
    games: Vec<Start>,
    tags: Vec<UsualTag>,
    /// Where the next tag of the last game is to be noted; further on none is.
    noted: usize,
}

#[derive(Debug, Clone, Copy)]
struct Start {
    at: usize,
    /// How many of the tags belong to games before.
    tags: usize,
}

impl Default for Starts {
    fn default() -> Self {
        Self::for_bytes(0)
    }
}

impl Starts {
    /// None yet, with room for those of so many bytes.
    pub(super) fn for_bytes(count: usize) -> Self {
        let games = Vec::with_capacity(count / 512);
        let tags = Vec::with_capacity(count / 64);
        Self { games, tags, noted: usize::MAX }
    }

    /// How many games begin.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// Where they begin.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.games.iter().map(|start| start.at)
    }

    /// Where the last one begins.
    pub(super) fn last(&self) -> Option<usize> {
        self.games.last().map(|start| start.at)
    }

    /// Where each begins, with the tags that are noted of it.
    pub(super) fn with_tags(&self) -> impl Iterator<Item = (usize, &[UsualTag])> {
        let ends = self.games.iter().skip(1).map(|start| start.tags).chain([self.tags.len()]);
        self.games.iter().zip(ends).map(|(start, end)| (start.at, &self.tags[start.tags..end]))
    }

    /// A game begins here, behind all others.
    pub(super) fn push(&mut self, at: usize) {
        self.games.push(Start { at, tags: self.tags.len() });
        self.noted = at;
    }

    /// The bytes go on with a game that began before them.
    pub(super) fn push_begun(&mut self) {
        self.push(0);
        self.noted = usize::MAX;
    }

    /// A tag begins here, in the game that began last.
    #[inline]
    pub(super) fn push_tag(&mut self, at: usize, tag: UsualTag) {
        if at == self.noted {
            self.tags.push(tag);
            self.noted += tag.line();
        }
    }

    /// Adds those of bytes behind, which were counted from `offset` on.
    pub(super) fn append(&mut self, behind: &Self, offset: usize) {
        let tags = self.tags.len();
        let moved = |start: &Start| Start { at: start.at + offset, tags: start.tags + tags };
        self.games.extend(behind.games.iter().map(moved));
        self.tags.extend_from_slice(&behind.tags);
        self.noted = behind.noted.saturating_add(offset);
    }

    /// Takes the last one away, if it is here or behind.
    pub(super) fn pop_from(&mut self, at: usize) -> Option<usize> {
        let last = self.games.pop_if(|start| start.at >= at)?;
        self.tags.truncate(last.tags);
        self.noted = usize::MAX;
        Some(last.at)
    }

    /// Takes those before `at`. The others are counted from there.
    pub(super) fn split_off_before(&mut self, at: usize) -> Self {
        let here = self.games.partition_point(|start| start.at < at);
        let tags = self.games.get(here).map_or(self.tags.len(), |start| start.tags);
        let before = Self {
            games: self.games.drain(..here).collect(),
            tags: self.tags.drain(..tags).collect(),
            noted: usize::MAX,
        };
        for start in &mut self.games {
            start.at -= at;
            start.tags -= tags;
        }
        let noted = self.noted.checked_sub(at).filter(|_| !self.games.is_empty());
        self.noted = noted.unwrap_or(usize::MAX);
        before
    }
}
