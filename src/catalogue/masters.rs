//! The masters of a catalogue: what they have in common, where they differ, and they themselves.

use std::collections::HashSet;

use super::index::{Catalogue, Line};
use crate::master::{Master, MasterInfo, MasterLine};
use crate::named::named;

/// The size of a master of a catalogue, and how it differs from the masters before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MasterCounts {
    /// Its lines, positions without moves included.
    pub lines: usize,
    /// The positions that it names.
    pub positions: usize,
    /// Its lines that lead to the same position as an earlier one.
    pub repeated: usize,
    /// Those of them with another code; a suffix counts.
    pub repeated_with_other_code: usize,
    /// Its positions that a master before it decides.
    pub decided_before: usize,
    /// Those of them with another code; a missing suffix does not count.
    pub decided_otherwise: usize,
}

impl Catalogue {
    /// The counts of a master, given by its index in [`masters`](Self::masters).
    pub fn counts(&self, master: usize) -> MasterCounts {
        let mut counts = MasterCounts::default();
        let mut seen = HashSet::new();
        for line in self.lines().iter().filter(|line| line.master == master) {
            counts.lines += 1;
            let decider = &self.lines()[self.positions[line.position].line];
            if seen.insert(line.position) {
                counts.positions += 1;
                counts.decided_before += usize::from(decider.master != master);
                let differs = !decider.opening.has_code_of(&line.opening);
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

    /// The lines of a master that lead to the same position as an earlier line of it, each with
    /// that line. The master is given by its index in [`masters`](Self::masters).
    pub fn duplicates_of(&self, master: usize) -> impl Iterator<Item = (&Line, &Line)> {
        let pairs = self.duplicates.iter().map(|d| (&self.lines()[d.line], &self.lines()[d.first]));
        pairs.filter(move |(line, _)| line.master == master)
    }

    /// The positions at which this catalogue and `other` differ: first in the order of this one,
    /// then those that only the other has.
    pub fn diff<'c>(&'c self, other: &'c Self) -> Vec<CatalogueDifference<'c>> {
        let decider = |catalogue: &'c Self, position: usize| Side {
            catalogue,
            line: &catalogue.lines()[catalogue.positions[position].line],
        };
        let ours = self.positions.iter().enumerate().filter_map(|(position, named)| {
            let a = decider(self, position);
            let b = other.find(&named.key).map(|found| decider(other, found));
            let ours = &a.line.opening;
            let kind = match b.map(|b| &b.line.opening) {
                None => DifferenceKind::OnlyFirst,
                Some(theirs) if !ours.has_code_of(theirs) => DifferenceKind::Code,
                Some(theirs) if ours.name() != theirs.name() => DifferenceKind::Name,
                Some(_) => return None,
            };
            Some(CatalogueDifference { kind, a: Some(a), b })
        });
        let theirs =
            other.positions.iter().enumerate().filter(|(_, n)| self.find(&n.key).is_none());
        let theirs = theirs.map(|(position, _)| {
            let b = Some(decider(other, position));
            CatalogueDifference { kind: DifferenceKind::OnlySecond, a: None, b }
        });
        ours.chain(theirs).collect()
    }
}

/// A position at which two catalogues differ.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CatalogueDifference<'c> {
    /// How they differ.
    pub kind: DifferenceKind,
    /// The side of the first catalogue, if it names the position.
    pub a: Option<Side<'c>>,
    /// The side of the second catalogue, if it names the position.
    pub b: Option<Side<'c>>,
}

/// One catalogue at a position.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Side<'c> {
    /// The catalogue.
    pub catalogue: &'c Catalogue,
    /// Its line that decides at the position.
    pub line: &'c Line,
}

named! {
    /// How two catalogues differ at a position. Prints as `only_a`, `only_b`, `code` or `name`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum DifferenceKind {
        /// Only the first names the position.
        OnlyFirst = "only_a",
        /// Only the second names the position.
        OnlySecond = "only_b",
        /// The codes differ; a missing suffix does not count.
        Code = "code",
        /// The codes agree, the names differ.
        Name = "name",
    }
}

impl Catalogue {
    /// The masters of the catalogue: their lines with their moves in standard notation, and with
    /// keys.
    pub fn to_masters(&self) -> Vec<Master> {
        let without_lines = |info: &MasterInfo| Master { info: info.clone(), lines: Vec::new() };
        let mut masters: Vec<Master> = self.masters.iter().map(without_lines).collect();
        for line in self.lines() {
            masters[line.master].lines.push(self.to_master_line(line));
        }
        masters
    }

    /// One master of the lines that decide: of each position, the lines of the master that decides
    /// there. It gives games the same names, but not always the same transpositions: other lines of
    /// other masters to a position are lost.
    pub fn to_one_master(&self, info: &MasterInfo) -> Master {
        let decides =
            |line: &&Line| self.lines()[self.positions[line.position].line].master == line.master;
        let lines = self.lines().iter().filter(decides).map(|line| self.to_master_line(line));
        Master { info: info.clone(), lines: lines.collect() }
    }

    fn to_master_line(&self, line: &Line) -> MasterLine {
        MasterLine {
            location: line.location.clone(),
            eco: line.opening.eco().copied(),
            name: line.opening.name().to_owned(),
            movetext: self.movetext(line),
            key: Some(self.positions[line.position].key),
            aliases: line.aliases.to_vec(),
        }
    }
}
