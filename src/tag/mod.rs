//! Writing openings into the tags of games: bytes and verdicts in, edits out.
//!
//! A [`Tagger`] plans [`Edits`] over the bytes of a game; whatever they do not name stays as it is:
//! nothing is read into another form and written again.
//!
//! # Which tags
//!
//! `ECO`, `Opening`, `Variation` and `SubVariation` are set or removed together, and with them the
//! tags of [`Options`]: one for codes longer than three characters, `MoveOrderECO`,
//! `MoveOrderOpening` (`MoveOrderVariation`, `MoveOrderSubVariation`) for the name by the order of
//! the moves, and `ECOSource`, which says who gave the name. What is not asked for is removed, so that
//! no stale one stays. All but the first tag of a name are stale.
//!
//! # Where
//!
//! * A tag that is there is changed between its quotes; its place and its spacing stay.
//! * New tags come behind the last tag, each on a line of its own, with the line end that follows there.
//! * A tag is removed with its line. When a game loses its last tag, the blank lines behind it go too.
//! * A game without tags gets them and a blank line before its moves, but only if it begins a line and ends
//!   in a result: otherwise the game behind it may be told from it only by its having no tags.
//! * Names go into a game in its own encoding: Latin-1 if the bytes of the game are not UTF-8, and then
//!   letters that Latin-1 does not have are written in plain ones. A name that is right in
//!   either encoding stays.
//! * A value that is empty or `?` counts as absent.
//!
//! # What is left alone
//!
//! Games with a tag that is never closed, and those whose own `ECO` (or another that would be set) has
//! something behind its value: where such a tag ends is anybody's guess. Games that would have to lose
//! their first tag, by which they are told from one before them that has no moves; only
//! [`Policy::Strip`] takes it. Games whose tags go on beyond what is looked at of a long game. Bytes
//! between games.

mod changes;
mod edits;
pub mod plain;
mod section;
mod usual;
mod wanted;

use std::borrow::Cow;

pub use changes::{ChangeKind, Changes, Code, Example, KindCount};
pub use edits::{Edit, Edits};
pub use wanted::{ExtendedTag, ParseExtendedTagError};

use self::{
    section::Section,
    usual::UsualSection,
    wanted::{ECO, KNOWN, NOTHING, TagNames, Values, values},
};
use crate::{
    classify::{Classifier, Header, NamedAt, Verdict},
    master::MasterInfo,
    pgn::{Block, Game, MainLine},
};

/// Which games get what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Every game with an opening gets its tags.
    #[default]
    All,
    /// Only games whose tags contradict nothing: what is absent is filled in, what has a value
    /// stays.
    Missing,
    /// Only games whose tags say something else.
    Changed,
    /// Every game loses its tags; none is classified.
    Strip,
}

/// How a name is spread over tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// The whole name in `Opening`, as lichess does.
    #[default]
    Full,
    /// Family, variation and subvariation apart, as the PGN standard does.
    Split,
}

/// What becomes of the tags of a game that has no opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// They stay.
    #[default]
    Keep,
    /// They are removed.
    Clear,
}

/// How games are tagged.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which games get what.
    pub policy: Policy,
    /// How a name is spread over tags.
    pub names: Names,
    /// What becomes of the tags of a game that has no opening.
    pub unknown: Unknown,
    /// The tag for codes that are longer than three characters.
    pub extended: Option<ExtendedTag>,
    /// Whether games get their name by move order too.
    pub with_move_order: bool,
    /// Whether games tell who named them.
    pub with_mark: bool,
}

/// What became of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its tags are changed.
    Changed(Touches),
    /// Its tags were right already.
    Right,
    /// It has no opening, and keeps what it had.
    NoOpening,
    /// The policy is for other games.
    LeftByPolicy,
    /// It has no tags, and none can be put before it: it has no result at its end, say.
    NoTags,
    /// Where its tags end is in doubt.
    Damaged,
}

/// The weightiest thing that is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touches {
    /// `ECO`.
    Code,
    /// Not that, but `Opening`, `Variation` or `SubVariation`.
    Name,
    /// None of these.
    Others,
}

impl Touches {
    fn of(which: usize) -> Self {
        match which {
            ECO => Self::Code,
            _ if which < KNOWN => Self::Name,
            _ => Self::Others,
        }
    }
}

/// What is planned for a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<'g, 'c> {
    /// What becomes of it.
    pub outcome: Outcome,
    /// What its `ECO` tag says so far.
    pub eco: Option<Cow<'g, [u8]>>,
    /// What its `Opening` tag says so far.
    pub opening: Option<Cow<'g, [u8]>>,
    /// What else its tags say.
    pub header: Header<'g>,
    /// Which opening it is, unless tags are only removed.
    pub verdict: Option<Verdict<'c>>,
}

impl<'c> Plan<'_, 'c> {
    /// The name that its tags get.
    #[must_use]
    pub fn named(&self) -> Option<&NamedAt<'c>> {
        self.verdict.as_ref()?.named.as_ref()
    }
}

/// Plans what becomes of the tags of games. See the [module](self) for the rules.
#[derive(Debug)]
pub struct Tagger<'c> {
    classifier: Classifier<'c>,
    options: Options,
    /// What `ECOSource` says, for each master of the catalogue; empty if it is not wanted.
    marks: Vec<String>,
}

impl<'c> Tagger<'c> {
    /// A tagger with these options.
    #[must_use]
    pub fn new(classifier: Classifier<'c>, options: Options) -> Self {
        let masters = classifier.catalogue().masters().iter().filter(|_| options.with_mark);
        Self { classifier, marks: masters.map(mark).collect(), options }
    }

    /// Plans the edits of one game; `edits` hold nothing else afterwards.
    pub fn plan<'g>(&self, game: &Game<'g>, edits: &mut Edits) -> Plan<'g, 'c> {
        edits.clear();
        self.add_plan(game, edits)
    }

    /// Plans the edits of all games of a block; their places are those in the bytes of the block. `each` is
    /// given every game with its plan.
    pub fn plan_block(
        &self,
        block: &Block,
        mut each: impl FnMut(&Game<'_>, &Plan<'_, '_>),
    ) -> Edits {
        let mut edits = Edits::with_room(block.game_count());
        for game in block.games() {
            edits.begin_game(game.start());
            each(&game, &self.add_plan(&game, &mut edits));
        }
        edits
    }

    fn add_plan<'g>(&self, game: &Game<'g>, edits: &mut Edits) -> Plan<'g, 'c> {
        let names = TagNames::new(self.options.extended.as_ref());
        let mut section = UsualSection::new(game, names);
        let Some((header, main_line)) = section.read() else {
            return self.add_any_plan(game, edits);
        };
        let edit = |values: &Values<'_>, policy| section.edit(values, policy, edits);
        self.plan_read(game, section.said(), header, main_line, edit)
    }

    /// The same, also for games that are written in another way; it takes longer.
    fn add_any_plan<'g>(&self, game: &Game<'g>, edits: &mut Edits) -> Plan<'g, 'c> {
        let names = TagNames::new(self.options.extended.as_ref());
        let (section, header, main_line) = Section::read(game, names);
        let edit = |values: &Values<'_>, policy| section.edit(values, policy, edits);
        self.plan_read(game, section.said(), header, main_line, edit)
    }

    /// Plans for a game of which the tags are read; `edit` makes them say what they should.
    #[inline]
    fn plan_read<'g>(
        &self,
        game: &Game<'g>,
        [eco, opening]: [Option<Cow<'g, [u8]>>; 2],
        header: Header<'g>,
        main_line: MainLine<'g>,
        edit: impl FnOnce(&Values<'_>, Policy) -> Outcome,
    ) -> Plan<'g, 'c> {
        let (header, verdict) = match self.options.policy {
            Policy::Strip => (header, None),
            Policy::All | Policy::Missing | Policy::Changed => {
                let classified = self.classifier.classify_read(game, header, main_line);
                (classified.header, Some(classified.verdict))
            }
        };
        let named = verdict.as_ref().and_then(|verdict| verdict.named);
        let outcome = match (named, self.options.policy, self.options.unknown) {
            (Some(named), policy, _) => {
                let trace = self.options.with_move_order.then(|| self.classifier.trace(game));
                let by_moves = trace.and_then(|trace| trace.by_moves);
                let values = values(&self.options, &self.marks, &named, by_moves.as_ref());
                edit(&values, policy)
            }
            (None, Policy::Strip, _) => edit(&NOTHING, Policy::Strip),
            (None, _, Unknown::Clear) => edit(&NOTHING, Policy::All),
            (None, _, Unknown::Keep) => Outcome::NoOpening,
        };
        Plan { outcome, eco, opening, header, verdict }
    }
}

/// What `ECOSource` says: name and version of a master, and the beginning of its fingerprint.
fn mark(master: &MasterInfo) -> String {
    const SHOWN: usize = 8;
    let MasterInfo { name, version, fingerprint, .. } = master;
    let fingerprint = fingerprint.get(..SHOWN).unwrap_or(fingerprint);
    let parts = [name.as_str(), version, fingerprint].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
