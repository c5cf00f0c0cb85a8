//! Scores as bars.

/// The width of a bar in characters.
pub(super) const BAR_WIDTH: usize = 10;

/// A bar of won, drawn and lost games, `███▒▒▒▒░░░`; blank if no game has a result.
pub(super) fn score_bar([won, drawn, lost]: [u64; 3]) -> String {
    let all = won + drawn + lost;
    if all == 0 {
        return String::new();
    }
    // The rounded end of each part, so that the parts always fill the bar.
    let end = |games: u64| ((games * 2 * BAR_WIDTH as u64 + all) / (2 * all)) as usize;
    let (won, drawn) = (end(won), end(won + drawn));
    ["█".repeat(won), "▒".repeat(drawn - won), "░".repeat(BAR_WIDTH - drawn)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_bars_are_always_full() {
        const MANY: u64 = u32::MAX as u64;
        for (results, bar) in [
            ([0, 0, 0], ""),
            ([1, 0, 0], "██████████"),
            ([0, 0, 7], "░░░░░░░░░░"),
            ([5, 0, 5], "█████░░░░░"),
            ([1, 1, 1], "███▒▒▒▒░░░"),
            ([1, 1000, 1], "▒▒▒▒▒▒▒▒▒▒"),
            ([MANY, MANY, 2], "█████▒▒▒▒▒"),
            ([MANY, 2, 0], "██████████"),
        ] {
            assert_eq!(score_bar(results), bar, "for {results:?}");
        }
    }
}
