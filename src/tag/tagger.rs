//! Tagging games: classify, plan, edit.

use super::revision::{Edits, revise};
use super::section::{Section, TagNames};
use super::values::{NO_VALUES, values};
use super::{Outcome, Plan, Policy, TagOptions, Unknown, read::read};
use crate::pgn::{Block, CountedLine, Game};
use crate::{classify::Classifier, master::MasterInfo};

/// Writes openings into the tags of games. The [module](super) has the rules.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier, pgn::Game};
/// use eco::tag::{TagOptions, Tagger};
///
/// let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), TagOptions::default());
/// let game = b"[White \"Byrne\"]\n[ECO \"?\"]\n\n1. e4 c5 *\n";
/// let tagged = tagger.tag_game(&Game::from_bytes(game));
/// assert_eq!(
///     tagged.bytes,
///     b"[White \"Byrne\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n"
/// );
/// ```
#[derive(Debug)]
pub struct Tagger<'c> {
    classifier: Classifier<'c>,
    options: TagOptions,
    /// The values of `ECOSource`, by master of the catalogue; empty if there are to be none.
    marks: Vec<String>,
}

/// A game after tagging.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TaggedGame<'g, 'c> {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The change to its tags.
    pub plan: Plan<'g, 'c>,
}

/// A block of games after tagging. Bytes that did not change are not copied.
#[derive(Default)]
pub struct TaggedBlock {
    block: Block,
    edits: Edits,
}

impl TaggedBlock {
    /// Its bytes, chunk by chunk. No chunk is empty.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.edits.chunks(self.block.bytes())
    }

    /// Its bytes as one.
    pub fn to_vec(&self) -> Vec<u8> {
        self.edits.apply(self.block.bytes())
    }
}

impl<'c> Tagger<'c> {
    /// A tagger with these options.
    pub fn new(classifier: Classifier<'c>, options: TagOptions) -> Self {
        let masters = classifier.catalogue().masters().iter().filter(|_| options.with_mark);
        Self { classifier, marks: masters.map(mark).collect(), options }
    }

    /// Tags one game.
    pub fn tag_game<'g>(&self, game: &Game<'g>) -> TaggedGame<'g, 'c> {
        let mut edits = Edits::default();
        let plan = self.plan(game, &mut Section::default(), &mut edits);
        TaggedGame { bytes: edits.apply(game.bytes()), plan }
    }

    /// Tags the games of a block. `each` is called with every game, as it was before, and what
    /// becomes of it.
    pub fn tag_block(
        &self,
        block: Block,
        each: impl FnMut(&Game<'_>, &Plan<'_, '_>),
    ) -> TaggedBlock {
        self.tag_selected(block, |_| true, each)
    }

    /// Tags those games of a block that are selected. The others stay as they are, and `each` is
    /// not called with them.
    pub fn tag_selected(
        &self,
        block: Block,
        mut is_selected: impl FnMut(&Game<'_>) -> bool,
        mut each: impl FnMut(&Game<'_>, &Plan<'_, '_>),
    ) -> TaggedBlock {
        let mut edits = Edits::default();
        let mut section = Section::default();
        for game in block.games() {
            if !is_selected(&game) {
                continue;
            }
            edits.begin_game(game.start());
            each(&game, &self.plan(&game, &mut section, &mut edits));
        }
        drop(section);
        TaggedBlock { block, edits }
    }

    /// Plans the edits of a game. The memory of `section` is used.
    pub(super) fn plan<'g>(
        &self,
        game: &Game<'g>,
        section: &mut Section<'g>,
        edits: &mut Edits,
    ) -> Plan<'g, 'c> {
        let names =
            TagNames { extended: self.options.extended.as_ref().map_or("", |name| &name.0) };
        let (header, main_line) = read(game, names, section);
        let [eco, opening] = section.own_names();
        let verdict = match self.options.policy {
            Policy::Strip => None,
            Policy::All | Policy::Missing | Policy::Changed => {
                let line = &mut CountedLine::new(main_line);
                Some(self.classifier.verdict_of(game, &header, line))
            }
        };
        let named = verdict.as_ref().and_then(|verdict| verdict.named);
        let mut revise = |values, policy| revise(game, section, names, values, policy, edits);
        let outcome = match (named, self.options.policy, self.options.unknown) {
            (Some(named), policy, _) => {
                let book = self.options.with_move_order.then(|| self.classifier.book_path(game));
                let by_moves = book.and_then(|book| book.by_moves);
                let values = values(&self.options, &self.marks, &named, by_moves.as_ref());
                revise(&values, policy)
            }
            (None, Policy::Strip, _) => revise(&NO_VALUES, Policy::Strip),
            (None, _, Unknown::Clear) => revise(&NO_VALUES, Policy::All),
            (None, _, Unknown::Keep) => Outcome::NoOpening,
        };
        Plan { outcome, eco, opening, header, verdict }
    }
}

/// The value of `ECOSource`: name and version of a master, and the beginning of its fingerprint.
fn mark(master: &MasterInfo) -> String {
    const SHOWN: usize = 8;
    let MasterInfo { name, version, fingerprint, .. } = master;
    let fingerprint = fingerprint.get(..SHOWN).unwrap_or(fingerprint);
    let parts = [name.as_str(), version, fingerprint].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}
