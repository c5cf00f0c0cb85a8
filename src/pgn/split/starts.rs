//! The result of splitting: where games begin, and the tags that they begin with.

use crate::pgn::tags::TagLine;

/// Where games begin, in the order of the stream.
///
/// The tag lines in export format that a game begins with are noted as well. They were read to find
/// out where games begin, and whoever reads a game need not read them again. No result depends on
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

    /// Removes and returns the games before `at`. The others are counted from `at` then.
    pub(in crate::pgn) fn split_off_before(&mut self, at: usize) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b"[A \"1\"]\n";

    fn line() -> TagLine {
        TagLine::read_one(LINE).unwrap()
    }

    /// Two games at 10 and 100, with two tags and one.
    fn two_games() -> Starts {
        let mut starts = Starts::default();
        starts.push(10);
        starts.push_tag(10, line());
        starts.push_tag(10 + LINE.len(), line());
        starts.push(100);
        starts.push_tag(100, line());
        starts
    }

    fn list(starts: &Starts) -> Vec<(usize, usize)> {
        starts.with_tags().map(|(at, tags)| (at, tags.len())).collect()
    }

    #[test]
    fn tags_are_noted_as_long_as_they_follow_each_other() {
        let mut starts = two_games();
        starts.push_tag(110, line());
        assert_eq!(list(&starts), [(10, 2), (100, 1)]);
        starts.push_tag(100 + LINE.len(), line());
        assert_eq!(list(&starts), [(10, 2), (100, 2)]);
    }

    #[test]
    fn a_game_that_was_begun_before_has_no_noted_tags() {
        let mut starts = Starts::default();
        starts.push_begun();
        starts.push_tag(0, line());
        assert_eq!(list(&starts), [(0, 0)]);
    }

    #[test]
    fn later_starts_are_moved_and_go_on() {
        let mut starts = two_games();
        starts.append(&two_games(), 1000);
        starts.push_tag(1100 + LINE.len(), line());
        assert_eq!(list(&starts), [(10, 2), (100, 1), (1010, 2), (1100, 2)]);
        assert_eq!((starts.len(), starts.last()), (4, Some(1100)));
    }

    #[test]
    fn the_last_game_goes_with_its_tags() {
        let mut starts = two_games();
        assert_eq!(starts.pop_from(101), None);
        assert_eq!(starts.pop_from(100), Some(100));
        starts.push_tag(100 + LINE.len(), line());
        assert_eq!(list(&starts), [(10, 2)]);
    }

    #[test]
    fn what_is_split_off_is_counted_anew() {
        let mut starts = two_games();
        assert_eq!(list(&starts.split_off_before(100)), [(10, 2)]);
        starts.push_tag(LINE.len(), line());
        assert_eq!(list(&starts), [(0, 2)]);
        assert_eq!(list(&starts.split_off_before(50)), [(0, 2)]);
        starts.push_tag(2 * LINE.len(), line());
        assert_eq!(list(&starts), []);
    }
}
