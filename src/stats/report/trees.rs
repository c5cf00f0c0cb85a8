//! Openings and first moves as trees.

use std::collections::BTreeMap;

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

/// Tallies of openings, by volume, family and variation.
#[derive(Default)]
pub(super) struct OpeningTree {
    tally: Tally,
    children: BTreeMap<String, OpeningTree>,
}

impl OpeningTree {
    pub(super) fn new(volumes: &Breakdown) -> Self {
        let mut root = Self::default();
        for group in volumes.groups.iter().filter(|group| is_known(group)) {
            let name = group.values[1].to_text();
            let (family, variation) = name.split_once(": ").unwrap_or((&name, ""));
            let mut node = &mut root;
            for part in [&group.values[0].to_text(), family, variation] {
                node = node.children.entry(part.to_owned()).or_default();
                node.tally.merge(&group.tally);
            }
        }
        root
    }

    pub(super) fn nodes(&self, baseline: Baseline<'_>) -> Vec<OpeningNode> {
        by_games(&self.children, |node| node.tally.games())
            .map(|(name, node)| OpeningNode {
                name: name.clone(),
                figures: baseline.figures(&node.tally),
                children: node.nodes(baseline),
            })
            .collect()
    }
}

/// Tallies of first moves.
#[derive(Default)]
pub(super) struct MoveTree {
    tally: Tally,
    children: BTreeMap<String, MoveTree>,
}

impl MoveTree {
    pub(super) fn new(first_moves: &Breakdown) -> Self {
        let mut root = Self::default();
        for group in first_moves.groups.iter().filter(|group| is_known(group)) {
            let moves = group.values[0].to_text();
            let mut node = &mut root;
            for san in moves.split(' ').filter(|word| !word.ends_with('.')) {
                node = node.children.entry(san.to_owned()).or_default();
                node.tally.merge(&group.tally);
            }
        }
        root
    }

    pub(super) fn nodes(&self, baseline: Baseline<'_>) -> Vec<MoveNode> {
        by_games(&self.children, |node| node.tally.games())
            .map(|(san, node)| MoveNode {
                san: san.clone(),
                figures: baseline.figures(&node.tally),
                children: node.nodes(baseline),
            })
            .collect()
    }
}

/// The children of a node, those with the most games first.
fn by_games<T>(
    children: &BTreeMap<String, T>,
    games: impl Fn(&T) -> u64,
) -> impl Iterator<Item = (&String, &T)> {
    let mut sorted: Vec<(&String, &T)> = children.iter().collect();
    sorted.sort_by_key(|(_, node)| std::cmp::Reverse(games(node)));
    sorted.into_iter()
}
