//! When two games are the same.

use std::{fmt, str::FromStr};

/// When two games are the same, so that only the first of them is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SameGame {
    /// If all that identifies them is the same: see [`Fingerprint`](super::Fingerprint). A copy
    /// with another site is another game.
    #[default]
    Strict,
    /// If players, date, start position and moves are the same, whatever their sites, rounds,
    /// times and results: as copies of one game from several sources are.
    Moves,
}

/// A rule by which games are the same that is neither of the two.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {0:?}, expected strict or moves")]
pub struct ParseSameGameError(String);

impl SameGame {
    /// The name of the rule.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Moves => "moves",
        }
    }
}

impl fmt::Display for SameGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for SameGame {
    type Err = ParseSameGameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = [Self::Strict, Self::Moves].into_iter().find(|rule| rule.as_str() == text);
        known.ok_or_else(|| ParseSameGameError(text.to_owned()))
    }
}
