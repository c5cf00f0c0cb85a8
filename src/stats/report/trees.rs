//! Openings and first moves as trees.

use std::{borrow::Cow, collections::BTreeMap};

use super::slices::is_known;
use crate::stats::{
    breakdown::Breakdown,
    figures::{Baseline, Figures},
    tally::Tally,
};

/// A volume, a family or a variation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OpeningNode {
    /// The letter of the volume, or the name of the family or of the variation alone. It is empty
    /// for the games of a family without a variation.
    pub name: String,
    /// The numbers.
    pub figures: Figures,
    /// What it divides into.
    pub children: Vec<OpeningNode>,
}

/// A move of the first moves.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MoveNode {
    /// The move.
    pub san: String,
    /// The numbers of the games with this move after those above it.
    pub figures: Figures,
    /// The next moves. Games that end here are in none of them.
    pub children: Vec<MoveNode>,
}

/// Tallies by what is played: openings by volume, family and variation, or first moves.
#[derive(Default)]
pub(super) struct Tree<'g> {
    /// Of a node with one group of games, that of the group: most have one, and lengths of games
    /// take long to copy.
    tally: Cow<'g, Tally>,
    children: BTreeMap<&'g str, Tree<'g>>,
}

impl<'g> Tree<'g> {
    /// Openings, of which the groups are by volume and variation.
    pub(super) fn of_openings(volumes: &'g Breakdown) -> Self {
        let mut root = Self::default();
        for group in volumes.groups().filter(|group| is_known(*group)) {
            let (volume, name) = (group.value(0), group.value(1).as_text());
            let (family, variation) = name.split_once(": ").unwrap_or((name, ""));
            root.add([volume.as_text(), family, variation], group.tally());
        }
        root
    }

    /// First moves.
    pub(super) fn of_moves(first_moves: &'g Breakdown) -> Self {
        let mut root = Self::default();
        for group in first_moves.groups().filter(|group| is_known(*group)) {
            let words = group.value(0).as_text().split(' ');
            root.add(words.filter(|word| !word.ends_with('.')), group.tally());
        }
        root
    }

    /// Adds games to the nodes on a way down.
    fn add(&mut self, way: impl IntoIterator<Item = &'g str>, tally: &'g Tally) {
        let mut node = self;
        for part in way {
            node = node.children.entry(part).or_default();
            match node.tally.games() {
                0 => node.tally = Cow::Borrowed(tally),
                _ => node.tally.to_mut().merge(tally),
            }
        }
    }

    /// The openings below this node.
    pub(super) fn openings(&self, baseline: Baseline<'_>) -> Vec<OpeningNode> {
        self.below(baseline, &|name, figures, children| OpeningNode { name, figures, children })
    }

    /// The moves below this node.
    pub(super) fn moves(&self, baseline: Baseline<'_>) -> Vec<MoveNode> {
        self.below(baseline, &|san, figures, children| MoveNode { san, figures, children })
    }

    /// What is below this node, each made of its name, its figures, and what is below it.
    fn below<T>(
        &self,
        baseline: Baseline<'_>,
        make: &impl Fn(String, Figures, Vec<T>) -> T,
    ) -> Vec<T> {
        let made = |(name, node): (&str, &Self)| {
            make(name.to_owned(), baseline.figures(&node.tally), node.below(baseline, make))
        };
        self.commonest_first().into_iter().map(made).collect()
    }

    /// The children, those with the most games first.
    fn commonest_first(&self) -> Vec<(&'g str, &Self)> {
        let mut sorted: Vec<(&str, &Self)> =
            self.children.iter().map(|(part, node)| (*part, node)).collect();
        sorted.sort_by_key(|(_, node)| std::cmp::Reverse(node.tally.games()));
        sorted
    }
}
