//! Games counted by code and by family: what `classify --summary` prints.

use std::collections::BTreeMap;

use crate::classify::{GameError, Verdict};
use crate::opening::EcoCode;

/// Games counted by code and by family.
///
/// Summaries of parts add up to the summary of the whole, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of games.
    pub games: u64,
    /// The number of games with an opening.
    pub named: u64,
    /// The number of those that reached it by transposition.
    pub transposed: u64,
    /// The number of games with an error.
    pub errors: u64,
    /// The number of those that are of other variants.
    pub variants: u64,
    /// Named games by ECO code, as far as their openings have one.
    pub by_eco: BTreeMap<EcoCode, u64>,
    /// Named games by family, the part of the name before the colon.
    pub by_family: BTreeMap<String, u64>,
}

impl Summary {
    /// Counts a game, but not by code and family.
    pub fn add_totals(&mut self, verdict: &Verdict<'_>) {
        self.games += 1;
        self.errors += u64::from(verdict.error.is_some());
        self.variants += u64::from(matches!(verdict.error, Some(GameError::Variant { .. })));
        self.named += u64::from(verdict.named.is_some());
        self.transposed += u64::from(verdict.named.is_some_and(|named| named.is_transposed()));
    }

    /// Counts a game.
    pub fn add(&mut self, verdict: &Verdict<'_>) {
        self.add_totals(verdict);
        let Some(named) = &verdict.named else { return };
        let opening = named.opening();
        if let Some(eco) = opening.eco() {
            *self.by_eco.entry(*eco).or_default() += 1;
        }
        match self.by_family.get_mut(opening.family()) {
            Some(count) => *count += 1,
            None => drop(self.by_family.insert(opening.family().to_owned(), 1)),
        }
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.named += other.named;
        self.transposed += other.transposed;
        self.errors += other.errors;
        self.variants += other.variants;
        for (eco, count) in other.by_eco {
            *self.by_eco.entry(eco).or_default() += count;
        }
        for (family, count) in other.by_family {
            *self.by_family.entry(family).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Catalogue, classify::Classifier};

    #[test]
    fn parts_add_up_to_the_whole() {
        let classifier = Classifier::new(Catalogue::builtin());
        let games = ["1. e4 c5", "1. g3 f5 2. d4", "", "1. e4 c5 2. Nf3 a6", "1. e4 Ke2"];
        let summary = |games: &[&str]| {
            let mut summary = Summary::default();
            games.iter().for_each(|g| summary.add(&classifier.classify_movetext(g.as_bytes())));
            summary
        };
        let whole = summary(&games);
        assert_eq!((whole.games, whole.named, whole.transposed, whole.errors), (5, 4, 1, 1));
        assert_eq!(whole.by_family["Sicilian Defense"], 2);
        for cut in 0..games.len() {
            let (head, tail) = games.split_at(cut);
            let mut parts = summary(tail);
            parts.merge(summary(head));
            assert_eq!(parts, whole);
        }
    }
}
