//! What masters have in common, and where they differ.

use std::collections::HashSet;

use super::{index::Catalogue, line::Line};

/// How much a master of a catalogue has, and how it stands to the masters before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MasterCounts {
    /// Its lines, and positions without a line.
    pub lines: usize,
    /// The positions that it names.
    pub positions: usize,
    /// Lines that lead where an earlier one of the same master led.
    pub repeated: usize,
    /// Those of them that have another code, suffix included.
    pub repeated_with_other_code: usize,
    /// Positions that a master before it decides.
    pub decided_before: usize,
    /// Those of them that have another code; a missing suffix makes none.
    pub decided_otherwise: usize,
}

impl Catalogue {
    /// Counts what the master of that number has.
    #[must_use]
    pub fn counts(&self, master: usize) -> MasterCounts {
        let mut counts = MasterCounts::default();
        let mut seen = HashSet::new();
        for line in self.lines.iter().filter(|line| line.master == master) {
            counts.lines += 1;
            let decider = &self.lines[self.positions[line.position].line];
            if seen.insert(line.position) {
                counts.positions += 1;
                counts.decided_before += usize::from(decider.master != master);
                let differs = !decider.opening.eco().agrees_with(*line.opening.eco());
                counts.decided_otherwise += usize::from(differs);
            }
        }
        let repeated = self.duplicates_of(master);
        for (line, first) in repeated {
            counts.repeated += 1;
            counts.repeated_with_other_code +=
                usize::from(line.opening.eco() != first.opening.eco());
        }
        counts
    }

    /// The lines of a master that lead where an earlier line of the same master led, each with that
    /// one.
    pub fn duplicates_of(&self, master: usize) -> impl Iterator<Item = (&Line, &Line)> {
        let pairs = self.duplicates.iter().map(|d| (&self.lines[d.line], &self.lines[d.first]));
        pairs.filter(move |(line, _)| line.master == master)
    }

    /// How this catalogue and `other` differ: by position, first in the order of this one, then what
    /// only the other has. Where both say the same of a position there is nothing to tell.
    #[must_use]
    pub fn diff<'c>(&'c self, other: &'c Self) -> Vec<Difference<'c>> {
        let decider = |catalogue: &'c Self, position: usize| Side {
            catalogue,
            line: &catalogue.lines[catalogue.positions[position].line],
        };
        let ours = self.positions.iter().enumerate().filter_map(|(position, named)| {
            let a = decider(self, position);
            let Some(b) = other.find(&named.key).map(|found| decider(other, found)) else {
                return Some(Difference { kind: DifferenceKind::OnlyFirst, a: Some(a), b: None });
            };
            let (ours, theirs) = (&a.line.opening, &b.line.opening);
            let kind = if !ours.eco().agrees_with(*theirs.eco()) {
                DifferenceKind::Code
            } else if ours.name() != theirs.name() {
                DifferenceKind::Name
            } else {
                return None;
            };
            Some(Difference { kind, a: Some(a), b: Some(b) })
        });
        let theirs =
            other.positions.iter().enumerate().filter(|(_, n)| self.find(&n.key).is_none());
        let theirs = theirs.map(|(position, _)| {
            let b = Some(decider(other, position));
            Difference { kind: DifferenceKind::OnlySecond, a: None, b }
        });
        ours.chain(theirs).collect()
    }
}

/// A position of which two catalogues say different things.
#[derive(Debug, Clone, Copy)]
pub struct Difference<'c> {
    /// In what they differ.
    pub kind: DifferenceKind,
    /// What the first says.
    pub a: Option<Side<'c>>,
    /// What the second says.
    pub b: Option<Side<'c>>,
}

/// What one catalogue says of a position.
#[derive(Debug, Clone, Copy)]
pub struct Side<'c> {
    /// The catalogue.
    pub catalogue: &'c Catalogue,
    /// Its line that decides.
    pub line: &'c Line,
}

/// In what two catalogues differ at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// Only the first names it.
    OnlyFirst,
    /// Only the second names it.
    OnlySecond,
    /// The codes differ; one that only lacks a suffix does not.
    Code,
    /// The codes agree, the names differ.
    Name,
}

impl DifferenceKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::OnlyFirst, Self::OnlySecond, Self::Code, Self::Name];

    /// The word for it: `only_a`, `only_b`, `code`, `name`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OnlyFirst => "only_a",
            Self::OnlySecond => "only_b",
            Self::Code => "code",
            Self::Name => "name",
        }
    }
}
