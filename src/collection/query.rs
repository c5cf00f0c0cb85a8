//! What is asked of a position, and whether somebody waits for the answer.

use std::{
    ops::RangeInclusive,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::select::Selection;

/// Which games count in a position, and which of them are shown.
///
/// The default counts all games that begin in the initial position, and shows none.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PositionQuery {
    /// The games that count. Games without a result and of other variants never do.
    pub selection: Selection,
    /// Ranges of the mean of both ratings, rounded down, of which a game must fit one; none if any
    /// rating will do. A game in which a rating is missing fits no range.
    pub mean_ratings: Vec<RangeInclusive<u16>>,
    /// Whether games that begin in another position count as well.
    pub from_position: bool,
    /// How many of the games with the highest ratings are shown.
    pub top_games: usize,
    /// How many of the latest games are shown.
    pub recent_games: usize,
    /// Whether the games are counted by month as well.
    pub history: bool,
    /// Whether it is counted for each move how often the position after it was reached at all.
    pub reached: bool,
}

/// Ends questions that nobody waits for any more. Clones end the same ones.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Ends the questions that are asked with it, now and later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether they are to end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
