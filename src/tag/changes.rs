//! Counting what is changed: how many games of each kind, with an example.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
};

use super::{Outcome, Plan, Touches};
use crate::{
    opening::EcoCode,
    pgn::{Game, decode_text},
};

/// So many kinds are told apart; what comes then is counted as one. Files with as many have no codes
/// of the Encyclopaedia in them.
const MAX_KINDS: usize = 20_000;

/// So many characters of a name are kept for an example.
const MAX_SHOWN: usize = 200;

/// The code of a game, before or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// None.
    Absent,
    /// Three characters.
    Known([u8; 3]),
    /// Something that is no code.
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

/// A kind of change: `A15 -> D96`, `B20: name`, `B20: other tags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeKind {
    /// The code before.
    pub from: Code,
    /// The code after.
    pub to: Code,
    /// The weightiest thing that is changed.
    pub touches: Touches,
}

impl ChangeKind {
    /// The kind of a plan that changes something.
    #[must_use]
    pub fn of(plan: &Plan<'_, '_>) -> Option<Self> {
        let Outcome::Changed(touches) = plan.outcome else { return None };
        let to = plan.named().map_or(Code::Absent, |named| Code::of(named.opening().eco()));
        let from = Code::read(plan.eco.as_deref());
        // A code that was there twice, or damaged, is no other code.
        let touches = if from == to { touches.max(Touches::Name) } else { touches };
        Some(Self { from, to, touches })
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from == self.to, self.touches) {
            (true, Touches::Code | Touches::Name) => write!(f, "{}: name", self.to),
            (true, Touches::Others) => write!(f, "{}: other tags", self.to),
            (false, _) => write!(f, "{} -> {}", self.from, self.to),
        }
    }
}

/// A game of a kind: the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The source it is from.
    pub source: String,
    /// Its number there.
    pub number: u64,
    /// Who played White, as its tag says.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// What its `Opening` tag said.
    pub before: String,
    /// What it is called now.
    pub after: String,
}

impl Example {
    fn new(source: &str, game: &Game<'_>, plan: &Plan<'_, '_>) -> Self {
        let text = |bytes: Option<&[u8]>| {
            let bytes = bytes.unwrap_or_default();
            decode_text(bytes).chars().take(MAX_SHOWN).collect()
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

/// How many games there are of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindCount {
    /// The kind; `None` for all that were too many to be told apart.
    pub kind: Option<ChangeKind>,
    /// How many games.
    pub games: u64,
    /// The first of them.
    pub example: Example,
}

/// What was changed, counted. Counts of parts, merged in order, are those of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// How many games there were.
    pub games: u64,
    /// How many were changed.
    pub changed: u64,
    /// How many were right already.
    pub right: u64,
    /// How many have no opening, and kept what they had.
    pub no_opening: u64,
    /// How many were left to the policy.
    pub left_by_policy: u64,
    /// How many have no tags, and no result at their end.
    pub no_tags: u64,
    /// Of how many the tags are damaged.
    pub damaged: u64,
    /// How many games have something wrong with them.
    pub errors: u64,
    kinds: HashMap<Option<ChangeKind>, (u64, Example)>,
}

impl Changes {
    /// Counts a game in, but not by its kind.
    pub fn add_totals(&mut self, plan: &Plan<'_, '_>) {
        self.games += 1;
        let has_error = plan.verdict.as_ref().is_some_and(|verdict| verdict.error.is_some());
        self.errors += u64::from(has_error);
        *match plan.outcome {
            Outcome::Changed(_) => &mut self.changed,
            Outcome::Right => &mut self.right,
            Outcome::NoOpening => &mut self.no_opening,
            Outcome::LeftByPolicy => &mut self.left_by_policy,
            Outcome::NoTags => &mut self.no_tags,
            Outcome::Damaged => &mut self.damaged,
        } += 1;
    }

    /// Counts a game of that source in.
    pub fn add(&mut self, source: &str, game: &Game<'_>, plan: &Plan<'_, '_>) {
        self.add_totals(plan);
        if let Some(kind) = ChangeKind::of(plan) {
            self.count(Some(kind), 1, || Example::new(source, game, plan));
        }
    }

    fn count(&mut self, kind: Option<ChangeKind>, games: u64, example: impl FnOnce() -> Example) {
        let is_full = self.kinds.len() >= MAX_KINDS;
        let kind = kind.filter(|_| !is_full || self.kinds.contains_key(&kind));
        match self.kinds.entry(kind) {
            Entry::Occupied(mut known) => known.get_mut().0 += games,
            Entry::Vacant(new) => drop(new.insert((games, example()))),
        }
    }

    /// Counts in what the next part counted.
    pub fn merge(&mut self, next: Self) {
        self.games += next.games;
        self.changed += next.changed;
        self.right += next.right;
        self.no_opening += next.no_opening;
        self.left_by_policy += next.left_by_policy;
        self.no_tags += next.no_tags;
        self.damaged += next.damaged;
        self.errors += next.errors;
        let mut kinds: Vec<_> = next.kinds.into_iter().collect();
        // In the order of the games, whatever the order of the map.
        kinds.sort_by_key(|(_, (_, example))| example.number);
        for (kind, (games, example)) in kinds {
            self.count(kind, games, || example);
        }
    }

    /// The kinds of changes, the most frequent first; among equals in the order of the codes.
    #[must_use]
    pub fn kinds(&self) -> Vec<KindCount> {
        let mut kinds: Vec<KindCount> = self
            .kinds
            .iter()
            .map(|(kind, (games, example))| KindCount {
                kind: *kind,
                games: *games,
                example: example.clone(),
            })
            .collect();
        kinds.sort_by_key(|count| (std::cmp::Reverse(count.games), count.kind));
        kinds
    }
}
