//! The openings of one side: as a tree, and the commonest ones; and what stands out.

use std::{cmp::Reverse, collections::BTreeMap};

use super::slices::{COMMONEST, Slice};
use crate::chess::{Color, Language};
use crate::stats::breakdown::{Breakdown, Group};
use crate::stats::difference::{advantage_of_colors, mean_difference, signed};
use crate::stats::figures::{Baseline, Figures};
use crate::stats::{counter::Counted, ledger::Ledger};
use crate::stats::{key::GroupValue, openings::family, tally::Tally};
use crate::{catalogue::Catalogue, executor::Executor, stats::findings::Findings};

/// The openings of one side.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct SideReport {
    /// `white` or `black`; `None` if all games are seen from White's side.
    pub side: Option<String>,
    /// The numbers of all its games, against the ratings alone.
    pub figures: Figures,
    /// What is expected in what follows besides what the ratings predict, from -1 to 1: of an
    /// archive, the mean difference of all its rated games; of players half of what they score more
    /// with this colour than with the other, or 0 if one colour has too few games to say.
    pub advantage: f64,
    /// Volumes, their families, and their variations; in each, the commonest first.
    pub tree: Vec<OpeningNode>,
    /// The commonest variations.
    pub openings: Vec<Slice>,
    /// The first moves; in each node, the commonest first.
    pub first_moves: Vec<MoveNode>,
}

impl SideReport {
    /// Gives the moves the piece letters of a language.
    pub(crate) fn translate_moves(&mut self, language: Language) {
        self.first_moves.iter_mut().for_each(|node| node.translate(language));
    }
}

impl MoveNode {
    fn translate(&mut self, language: Language) {
        self.san = language.translated(&self.san);
        self.children.iter_mut().for_each(|node| node.translate(language));
    }
}

/// The games of a side; all games, if sides are not apart.
pub(super) struct SideGames {
    pub(super) color: Option<Color>,
    pub(super) counted: Counted,
}

impl SideGames {
    fn volumes(&self) -> &Breakdown {
        &self.counted.breakdowns[0]
    }

    /// All of them.
    pub(super) fn all(&self) -> &Tally {
        &self.volumes().all
    }

    fn baseline(&self, white_advantage: f64) -> Baseline<'_> {
        let advantage = signed(white_advantage, self.color == Some(Color::Black));
        Baseline { all: self.all(), advantage }
    }
}

/// The reports of the sides.
pub(super) fn side_reports(sides: &[SideGames]) -> Vec<SideReport> {
    let white_advantage = match sides {
        [white, black] => advantage_of_colors(white.all(), black.all()),
        _ => mean_difference(sides[0].all()),
    };
    let report = |side: &SideGames| {
        let baseline = side.baseline(white_advantage);
        SideReport {
            side: side.color.map(|color| color.to_string()),
            figures: Figures::new(side.all(), side.all()),
            advantage: baseline.advantage,
            tree: Tree::of_openings(side.volumes()).openings(baseline),
            openings: commonest(side.volumes(), baseline),
            first_moves: Tree::of_moves(&side.counted.breakdowns[1]).moves(baseline),
        }
    };
    sides.iter().map(report).collect()
}

/// The commonest variations, of all volumes.
fn commonest(volumes: &Breakdown, baseline: Baseline<'_>) -> Vec<Slice> {
    let mut found: BTreeMap<&str, Tally> = BTreeMap::new();
    for group in volumes.groups().filter(|group| *group.value(1) != GroupValue::None) {
        found.entry(group.value(1).as_text()).or_default().merge(group.tally());
    }
    let mut found: Vec<(&str, Tally)> = found.into_iter().collect();
    found.sort_by_key(|(_, tally)| Reverse(tally.games()));
    let slice = |(label, tally): &(&str, Tally)| Slice {
        label: (*label).to_owned(),
        figures: baseline.figures(tally),
    };
    found.iter().take(COMMONEST).map(slice).collect()
}

/// What stands out in the games of all sides, with games to look at; of what is shown alone, that
/// of its colour.
pub(super) fn findings(
    ledger: &Ledger,
    sides: &[SideGames],
    shown: Option<Color>,
    catalogue: &Catalogue,
    executor: &impl Executor,
) -> Findings {
    let mut lines = sides.first().map(|side| side.counted.lines.clone()).unwrap_or_default();
    sides.iter().skip(1).for_each(|side| lines.merge(&side.counted.lines));
    let mut findings = Findings::of(ledger, &lines, catalogue, executor);
    if let Some(color) = shown {
        findings = findings.with_color(color);
    }
    for side in sides {
        for group in side.volumes().groups() {
            let Some(examples) = &group.counted.examples else { continue };
            let name = group.value(1).as_text();
            let found = findings.strengths.iter_mut().chain(&mut findings.weaknesses);
            found
                .filter(|finding| finding.has_opening(side.color, family(name), name))
                .for_each(|finding| finding.examples.merge(examples));
        }
    }
    findings
}

/// Whether the games of a group say what they have in common.
fn is_known(group: &Group<'_>) -> bool {
    group.values().all(|value| *value != GroupValue::None)
}

/// A volume, a family or a variation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
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
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
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
struct Tree<'g> {
    tally: Tally,
    children: BTreeMap<&'g str, Tree<'g>>,
}

impl<'g> Tree<'g> {
    /// Openings, of which the groups are by volume and variation.
    fn of_openings(volumes: &'g Breakdown) -> Self {
        let mut root = Self::default();
        for group in volumes.groups().filter(is_known) {
            let (volume, name) = (group.value(0), group.value(1).as_text());
            let (family, variation) = name.split_once(": ").unwrap_or((name, ""));
            root.add([volume.as_text(), family, variation], group.tally());
        }
        root
    }

    /// First moves.
    fn of_moves(first_moves: &'g Breakdown) -> Self {
        let mut root = Self::default();
        for group in first_moves.groups().filter(is_known) {
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
            node.tally.merge(tally);
        }
    }

    /// The openings below this node.
    fn openings(&self, baseline: Baseline<'_>) -> Vec<OpeningNode> {
        self.below(baseline, &|name, figures, children| OpeningNode { name, figures, children })
    }

    /// The moves below this node.
    fn moves(&self, baseline: Baseline<'_>) -> Vec<MoveNode> {
        self.below(baseline, &|san, figures, children| MoveNode { san, figures, children })
    }

    /// What is below this node, each made of its name, its figures, and what is below it; those
    /// with the most games first.
    fn below<T>(
        &self,
        baseline: Baseline<'_>,
        make: &impl Fn(String, Figures, Vec<T>) -> T,
    ) -> Vec<T> {
        let made = |(name, node): (&str, &Self)| {
            make(name.to_owned(), baseline.figures(&node.tally), node.below(baseline, make))
        };
        let mut sorted: Vec<(&str, &Self)> =
            self.children.iter().map(|(part, node)| (*part, node)).collect();
        sorted.sort_by_key(|(_, node)| Reverse(node.tally.games()));
        sorted.into_iter().map(made).collect()
    }
}
