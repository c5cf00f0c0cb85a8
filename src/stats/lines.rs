//! The games of each line of a catalogue.

use super::perspective::Perspective;
use crate::chess::Color;

/// How many games each line of a catalogue named, games that are seen from White apart from those
/// that are seen from Black.
///
/// A line names the game that reaches its position last of all named ones, in whatever order of
/// moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineCounts {
    white: Vec<u64>,
    black: Vec<u64>,
}

impl LineCounts {
    /// No games of this number of lines.
    pub(super) fn new(lines: usize) -> Self {
        Self { white: vec![0; lines], black: vec![0; lines] }
    }

    /// No games of the same lines.
    pub(super) fn empty(&self) -> Self {
        Self::new(self.white.len())
    }

    /// Counts a game of a line.
    #[inline]
    pub(super) fn add(&mut self, line: usize, perspective: Perspective<'_>) {
        match perspective {
            Perspective::Everybody => self.white[line] += 1,
            Perspective::Players(sides) => sides.iter().for_each(|side| {
                let games = if side.is_white() { &mut self.white } else { &mut self.black };
                games[line] += 1;
            }),
        }
    }

    /// Adds the games of another part.
    pub(super) fn merge(&mut self, other: &Self) {
        assert_eq!(self.white.len(), other.white.len(), "both have one catalogue");
        for (games, more) in [(&mut self.white, &other.white), (&mut self.black, &other.black)] {
            games.iter_mut().zip(more).for_each(|(games, more)| *games += more);
        }
    }

    /// The games of each line, in the order of the lines, that are seen from a side; without one,
    /// of both sides.
    #[must_use]
    pub fn games(&self, side: Option<Color>) -> Vec<u64> {
        match side {
            Some(Color::White) => self.white.clone(),
            Some(Color::Black) => self.black.clone(),
            None => self.white.iter().zip(&self.black).map(|(w, b)| w + b).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_for_the_sides_that_they_are_seen_from() {
        let mut counts = LineCounts::new(3);
        counts.add(2, Perspective::Everybody);
        counts.add(1, Perspective::Players(&[Color::Black]));
        let mut other = counts.empty();
        other.add(1, Perspective::Players(&Color::ALL));
        counts.merge(&other);
        assert_eq!(counts.games(Some(Color::White)), [0, 1, 1]);
        assert_eq!(counts.games(Some(Color::Black)), [0, 2, 0]);
        assert_eq!(counts.games(None), [0, 3, 1]);
    }
}
