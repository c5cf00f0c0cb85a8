//! What White scores more than ratings predict, and Black less.

use super::{difference::Difference, discoveries::MIN_RATED, tally::Tally};

/// The advantage of White in games that are all seen from White: the mean difference of score and
/// expectation.
pub(super) fn advantage_of_all(all: &Tally) -> f64 {
    Difference::new(all, all).map_or(0.0, |all| all.value)
}

/// The advantage of White in games of players: half the difference between their games as White and
/// as Black, each against the ratings. What they score beyond the ratings with both colours stays
/// theirs.
///
/// It is taken from the games themselves, but adds no findings by chance as long as neither colour
/// has more than three times the rated games of the other: then what an opening of `n` games has
/// in common with it takes away as much variance as it adds. For let `v` be the variance of a
/// game, and `w` and `b` the numbers of games; that of the opening's mean less the advantage is
/// `v/n - v/w + v/4w + v/4b`, which is at most `v/n` if `w` is at most `3b`. Beyond that, or with
/// few rated games, it is 0.
pub(super) fn advantage_of_colors(white: &Tally, black: &Tally) -> f64 {
    let (w, b) = (white.rated(), black.rated());
    let is_known = w.min(b) >= MIN_RATED && w.max(b) <= 3 * w.min(b);
    let mean = |tally: &Tally| Difference::new(tally, tally).map_or(0.0, |all| all.value);
    if is_known { (mean(white) - mean(black)) / 2.0 } else { 0.0 }
}

/// The advantage of White as that of a side: Black has what White lacks.
pub(super) fn signed(white_advantage: f64, is_black: bool) -> f64 {
    if is_black { 0.0 - white_advantage } else { white_advantage }
}
