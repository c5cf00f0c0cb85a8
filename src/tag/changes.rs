//! Counting changes: the number of games of each kind, with an example.

use std::{collections::HashMap, fmt};

use super::{Outcome, Plan, Weight};
use crate::opening::EcoCode;
use crate::pgn::{Game, decode_text};

/// The most kinds that are counted apart; the rest are counted as one. A file with more has values
/// in its `ECO` tags that are no codes of the Encyclopaedia.
const MAX_KINDS: usize = 20_000;

/// The most characters of a name that are kept in an example.
const MAX_NAME_CHARS: usize = 200;

/// The code of a game, before or after tagging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Code {
    Absent,
    Known([u8; 3]),
    /// A value that is not a code.
    Other,
}

impl Code {
    fn of(code: &EcoCode) -> Self {
        let mut bytes = [0; 3];
        bytes.copy_from_slice(code.base().as_bytes());
        Self::Known(bytes)
    }

    fn read(value: Option<&[u8]>) -> Self {
        let Some(value) = value else { return Self::Absent };
        let code = str::from_utf8(value.trim_ascii()).ok().and_then(|text| text.parse().ok());
        code.as_ref().map_or(Self::Other, Self::of)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("none"),
            Self::Known(bytes) => f.write_str(&decode_text(bytes)),
            Self::Other => f.write_str("other"),
        }
    }
}

/// A kind of change, by the codes before and after. As text: `A15 -> D96`, `none -> B00`,
/// `B20: name`, `B20: other tags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChangeKind {
    before: Code,
    after: Code,
    weight: Weight,
}

impl ChangeKind {
    /// The kind of a plan; `None` if it changes nothing.
    pub(crate) fn of(plan: &Plan<'_, '_>) -> Option<Self> {
        let Outcome::Changed(weight) = plan.outcome else { return None };
        let before = Code::read(plan.eco.as_deref());
        let after = plan.named().and_then(|named| named.opening().eco());
        let after = after.map_or(Code::Absent, Code::of);
        // A duplicate or damaged tag with the same code does not change the code.
        let weight = if before == after { weight.max(Weight::Name) } else { weight };
        Some(Self { before, after, weight })
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.before == self.after, self.weight) {
            (true, Weight::Code | Weight::Name) => write!(f, "{}: name", self.after),
            (true, Weight::Other) => write!(f, "{}: other tags", self.after),
            (false, _) => write!(f, "{} -> {}", self.before, self.after),
        }
    }
}

/// The first game of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct Example {
    /// Its source.
    pub(crate) source: String,
    /// Its number there, from 1.
    pub(crate) number: u64,
    /// Its `White` tag.
    pub(crate) white: String,
    /// Its `Black` tag.
    pub(crate) black: String,
    /// Its `Opening` tag before.
    pub(crate) before: String,
    /// The name of its opening; empty if it has none.
    pub(crate) after: String,
}

impl Example {
    fn new(source: &str, game: &Game<'_>, plan: &Plan<'_, '_>) -> Self {
        let text = |bytes: Option<&[u8]>| {
            let bytes = bytes.unwrap_or_default();
            decode_text(bytes).chars().take(MAX_NAME_CHARS).collect()
        };
        Self {
            source: source.to_owned(),
            number: game.number(),
            white: text(plan.header.white.as_deref()),
            black: text(plan.header.black.as_deref()),
            before: text(plan.opening.as_deref()),
            after: plan.named().map_or_else(String::new, |n| n.opening().name().to_owned()),
        }
    }
}

/// The number of games of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct KindCount {
    /// The kind; `None` for the rest, if there are too many kinds to count them apart.
    pub(crate) kind: Option<ChangeKind>,
    /// The number of games.
    pub(crate) games: u64,
    /// The first of them.
    pub(crate) example: Example,
}

/// Counts of what became of games. The counts of parts, merged in order, are those of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// All games.
    pub games: u64,
    /// Games that were changed.
    pub changed: u64,
    /// Games whose tags were right already.
    pub correct: u64,
    /// Games that have no opening, and kept their tags.
    pub no_opening: u64,
    /// Games that the policy excludes.
    pub excluded: u64,
    /// Games that have no tags, and cannot get any.
    pub no_tags: u64,
    /// Games whose tags are damaged.
    pub damaged: u64,
    /// Games that have an error; they are in the counts above too.
    pub errors: u64,
    kinds: HashMap<Option<ChangeKind>, KindCount>,
}

impl Changes {
    /// Counts a game, but not its kind of change.
    pub fn add_totals(&mut self, plan: &Plan<'_, '_>) {
        self.games += 1;
        let has_error = plan.verdict.as_ref().is_some_and(|verdict| verdict.error.is_some());
        self.errors += u64::from(has_error);
        *match plan.outcome {
            Outcome::Changed(_) => &mut self.changed,
            Outcome::Correct => &mut self.correct,
            Outcome::NoOpening => &mut self.no_opening,
            Outcome::Excluded => &mut self.excluded,
            Outcome::NoTags => &mut self.no_tags,
            Outcome::Damaged => &mut self.damaged,
        } += 1;
    }

    /// Counts a game of this source.
    pub fn add(&mut self, source: &str, game: &Game<'_>, plan: &Plan<'_, '_>) {
        self.add_totals(plan);
        if let Some(kind) = ChangeKind::of(plan) {
            self.count(Some(kind), 1, || Example::new(source, game, plan));
        }
    }

    fn count(&mut self, kind: Option<ChangeKind>, games: u64, example: impl FnOnce() -> Example) {
        let is_full = self.kinds.len() >= MAX_KINDS;
        let kind = kind.filter(|_| !is_full || self.kinds.contains_key(&kind));
        let new = || KindCount { kind, games: 0, example: example() };
        self.kinds.entry(kind).or_insert_with(new).games += games;
    }

    /// Adds the counts of the next part.
    pub fn merge(&mut self, next: Self) {
        self.games += next.games;
        self.changed += next.changed;
        self.correct += next.correct;
        self.no_opening += next.no_opening;
        self.excluded += next.excluded;
        self.no_tags += next.no_tags;
        self.damaged += next.damaged;
        self.errors += next.errors;
        let mut kinds: Vec<KindCount> = next.kinds.into_values().collect();
        // In the order of the games, not of the map.
        kinds.sort_by_key(|count| count.example.number);
        for KindCount { kind, games, example } in kinds {
            self.count(kind, games, || example);
        }
    }

    /// The kinds of changes, the most frequent first, and in the order of the codes among equals.
    pub(crate) fn kinds(&self) -> Vec<KindCount> {
        let mut kinds: Vec<KindCount> = self.kinds.values().cloned().collect();
        kinds.sort_by_key(|count| (std::cmp::Reverse(count.games), count.kind));
        kinds
    }
}
