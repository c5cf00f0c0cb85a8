//! The games that a run is about.

use std::collections::HashSet;

use eco::{
    classify::{Classified, Classifier, NamedAt},
    pgn::{Block, Game},
    select::{GameInfo, Match, Selection, Selector},
};

use super::people::People;
use crate::cli::outcome::Failure;

/// The games that a run is about, and the people in them. Workers share it.
pub(in crate::cli) struct SelectedGames<'c> {
    /// `None` for all games.
    selector: Option<Selector<'c>>,
    people: People,
}

impl<'c> SelectedGames<'c> {
    /// Games of a selection, for which people of these names were asked for.
    pub(in crate::cli) fn new(
        selection: Selection,
        people: Vec<String>,
        classifier: Classifier<'c>,
    ) -> Self {
        let selector = (!selection.is_everything()).then(|| Selector::new(selection, classifier));
        Self { selector, people: People::new(people) }
    }

    /// What selects the games of a block; `None` if all games are selected.
    pub(in crate::cli) fn in_block<'s, 'b>(
        &'s self,
        _: &'b Block,
    ) -> Option<BlockSelection<'s, 'c, 'b>> {
        let selector = self.selector.as_ref()?;
        let others = (!self.people.are_found()).then(HashSet::new);
        let info = GameInfo::default();
        Some(BlockSelection { selector, people: &self.people, info, others })
    }

    /// Whether anybody was asked for by name.
    pub(in crate::cli) fn has_people(&self) -> bool {
        !self.people.are_nobody()
    }

    /// Looks for the people in a block.
    pub(in crate::cli) fn meet_people(&self, block: &Block) {
        if self.people.are_found() {
            return;
        }
        let Some(mut selection) = self.in_block(block) else { return };
        block.games().for_each(|game| selection.read(&game));
    }

    /// Checks that the people who were asked for are found, once all games are read.
    ///
    /// # Errors
    ///
    /// If none of them is in any game.
    pub(in crate::cli) fn check_people(&self) -> Result<(), Failure> {
        self.people.check()
    }
}

/// Selects games of a block.
pub(in crate::cli) struct BlockSelection<'s, 'c, 'b> {
    selector: &'s Selector<'c>,
    people: &'s People,
    info: GameInfo<'b>,
    /// The names of the block, if somebody is missing.
    others: Option<HashSet<Vec<u8>>>,
}

impl<'c, 'b> BlockSelection<'_, 'c, 'b> {
    fn read(&mut self, game: &Game<'b>) {
        self.info.read_next(game);
        if let Some(others) = &mut self.others {
            self.people.meet(&self.info, others);
        }
    }

    /// Whether a game is selected.
    pub(in crate::cli) fn select(&mut self, game: &Game<'b>) -> Option<Match> {
        self.read(game);
        self.selector.select(&self.info)
    }

    /// The same where the name of the game may be needed anyway.
    pub(in crate::cli) fn select_named(
        &mut self,
        game: &Game<'b>,
        named: impl FnOnce() -> Option<NamedAt<'c>>,
    ) -> Option<Match> {
        self.read(game);
        self.selector.select_named(&self.info, named)
    }

    /// The verdict of a game, if it is selected. It is classified once at most.
    pub(in crate::cli) fn classify<'g>(
        &mut self,
        game: &Game<'b>,
        classify: impl Fn() -> Classified<'g, 'c>,
    ) -> Option<Classified<'g, 'c>> {
        let mut classified = None;
        self.select_named(game, || classified.insert(classify()).verdict.named)?;
        Some(classified.unwrap_or_else(classify))
    }
}

impl Drop for BlockSelection<'_, '_, '_> {
    fn drop(&mut self) {
        if let Some(others) = &self.others {
            self.people.note(others);
        }
    }
}
