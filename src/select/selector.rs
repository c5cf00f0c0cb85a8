//! A selection that knows a catalogue.

use std::sync::Arc;

use super::{
    game_info::GameInfo,
    selection::{Match, Selection},
};
use crate::{
    catalogue::Catalogue,
    classify::{Classifier, NamedAt},
};

/// Selects games by a [`Selection`] and the openings of a catalogue. Clones are cheap.
///
/// ```
/// use eco::catalogue::{Catalogue, Query};
/// use eco::{classify::Classifier, pgn::games, select::{GameInfo, Selection, Selector}};
///
/// let mut selection = Selection::default();
/// selection.eco = Some(Query::new("B20-B99"));
/// let selector = Selector::new(selection, Classifier::new(Catalogue::builtin()));
/// let found = games(b"1. e4 e5 *\n\n1. e4 c5 *\n").filter(|game| {
///     selector.select(&GameInfo::read(game)).is_some()
/// });
/// assert_eq!(found.map(|game| game.number()).collect::<Vec<_>>(), [2]);
/// ```
#[derive(Debug, Clone)]
pub struct Selector<'c> {
    selection: Arc<Selection>,
    /// `None` for the built-in catalogue, which is not read unless an opening is asked for.
    classifier: Option<Classifier<'c>>,
    /// Whether the opening of each line of the catalogue is asked for; none if no opening is.
    lines: Arc<[bool]>,
}

impl<'c> Selector<'c> {
    /// A selector that names openings like `classifier`.
    #[must_use]
    pub fn new(selection: Selection, classifier: Classifier<'c>) -> Self {
        let lines = match selection.asks_for_opening() {
            true => classifier.catalogue().lines(),
            false => &[],
        };
        let lines = lines.iter().map(|line| selection.has_opening(&line.opening)).collect();
        Self { selection: Arc::new(selection), classifier: Some(classifier), lines }
    }

    fn classifier(&self) -> Classifier<'c> {
        self.classifier.unwrap_or_else(|| Classifier::new(Catalogue::builtin()))
    }

    /// What is selected.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Whether a game is selected. It is classified only if it may be selected by its opening.
    #[must_use]
    pub fn select(&self, game: &GameInfo<'_>) -> Option<Match> {
        self.select_named(game, || self.classifier().classify(game.game()).verdict.named)
    }

    /// The same for a caller that classifies games as well. `named` is called only if the game may
    /// be selected by its opening; the name must be from the same catalogue.
    pub fn select_named(
        &self,
        game: &GameInfo<'_>,
        named: impl FnOnce() -> Option<NamedAt<'c>>,
    ) -> Option<Match> {
        let found = self.selection.match_tags(game)?;
        let has_opening =
            |named: NamedAt<'_>| self.lines.get(named.line_index()).is_some_and(|is| *is);
        let fits = !self.selection.asks_for_opening() || named().is_some_and(has_opening);
        fits.then_some(found)
    }
}

/// A selector that names openings by the built-in catalogue.
impl From<Selection> for Selector<'_> {
    fn from(selection: Selection) -> Self {
        if selection.asks_for_opening() {
            return Self::new(selection, Classifier::new(Catalogue::builtin()));
        }
        Self { selection: Arc::new(selection), classifier: None, lines: Arc::default() }
    }
}
