//! Games counted in groups, in one pass; by lines of the catalogue too, and what was left out.

use super::game::{Comments, ScoredGame};
use super::grouping::{GroupBy, Grouping, Perspective, Subject};
use super::openings::{CatalogueGroups, LineCounts};
use super::tally::{Addend, Sample};
use super::{breakdown::Breakdown, findings::Findings, ledger::Ledger, table::Table};
use crate::{catalogue::Catalogue, executor::OneThread, select::GameInfo};

/// Counts games in groups, for several groupings at once.
///
/// Counters of parts [merge](Self::merge) to that of the whole, in any order.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier, pgn::games};
/// use eco::stats::{Counter, GroupBy, Grouping, Perspective, ScoredGame};
///
/// let catalogue = Catalogue::builtin();
/// let classifier = Classifier::new(catalogue);
/// let mut counter = Counter::new(catalogue, &[Grouping::new(vec![GroupBy::Eco])]);
/// let pgn = b"[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n";
/// for game in games(pgn) {
///     let scored = ScoredGame::read(&classifier, &game);
///     counter.add(&scored, None, "games.pgn", Perspective::Everybody);
/// }
/// let by_eco = &counter.finish(catalogue).breakdowns[0];
/// let group = by_eco.groups().next().unwrap();
/// assert_eq!(group.value(0).to_text(), "B20");
/// assert_eq!(group.name(), Some("Sicilian Defense"));
/// assert_eq!((group.tally().games(), group.tally().score()), (2, Some(0.5)));
/// ```
#[derive(Debug, Clone)]
pub struct Counter {
    tables: Vec<Table>,
    /// What findings are looked for in, if they are.
    ledger: Option<Box<Ledger>>,
    lines: LineCounts,
    games: u64,
    left_out: LeftOut,
    /// Whether games are grouped by names, so that one without them is left out.
    has_names: bool,
    comments: Comments,
}

/// What a [`Counter`] has counted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Counted {
    /// The groups, in the order of the groupings.
    pub breakdowns: Vec<Breakdown>,
    /// What stands out, if that was asked for.
    pub findings: Option<Findings>,
    /// The number of games, each once.
    pub games: u64,
    /// What was left out.
    pub left_out: LeftOut,
    /// The games of each line of the catalogue.
    pub lines: LineCounts,
}

impl Counter {
    /// A counter that has seen no game; its clones are for other parts of the games. The games must
    /// be named by this catalogue.
    ///
    /// # Panics
    ///
    /// If a grouping has more than two fields.
    pub fn new(catalogue: &Catalogue, groupings: &[Grouping]) -> Self {
        Self::with_groups(&mut CatalogueGroups::new(catalogue), groupings)
    }

    /// A counter that looks for what stands out: in these [questions](super::is_question), or if
    /// there are none, in all that are worth to be asked of these games.
    pub fn for_findings(catalogue: &Catalogue, subject: Subject, questions: &[GroupBy]) -> Self {
        let groups = &mut CatalogueGroups::new(catalogue);
        let ledger = Ledger::new(groups, subject, questions);
        Self { ledger: Some(Box::new(ledger)), ..Self::with_groups(groups, &[]) }
    }

    /// A counter that shares its groups of lines with others.
    pub(super) fn with_groups(groups: &mut CatalogueGroups<'_>, groupings: &[Grouping]) -> Self {
        assert!(groupings.iter().all(|g| g.by.len() <= 2), "one field or two are grouped by");
        let tables: Vec<Table> =
            groupings.iter().map(|grouping| Table::new(groups, grouping)).collect();
        Self {
            has_names: tables.iter().any(Table::has_names),
            tables,
            ledger: None,
            lines: LineCounts::new(groups.catalogue.lines().len()),
            games: 0,
            left_out: LeftOut::default(),
            comments: Comments::Skipped,
        }
    }

    /// Also reads what the comments of games say of their openings, for the means of evaluations
    /// and times. That takes a little longer.
    #[must_use]
    pub fn with_comments(self) -> Self {
        Self { comments: Comments::Read, ..self }
    }

    /// Whether [`add`](Self::add) needs the tags of a game besides the game.
    pub fn needs_more_tags(&self) -> bool {
        self.tables.iter().any(Table::needs_more_tags)
            || self.ledger.as_ref().is_some_and(|ledger| ledger.needs_more_tags())
    }

    /// The number of groups so far, by which memory grows.
    pub fn group_count(&self) -> usize {
        self.tables.iter().map(Table::size).sum()
    }

    /// The number of games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Counts a game of a source. `info` are its tags, if they are
    /// [needed](Self::needs_more_tags).
    pub fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        source: &str,
        perspective: Perspective<'_>,
    ) {
        self.add_addends(game, info, source, perspective, &game.addends(self.comments));
    }

    /// Counts a game by what it adds for White and, if that is counted, for Black.
    pub(super) fn add_addends(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        source: &str,
        perspective: Perspective<'_>,
        addends: &[Addend; 2],
    ) {
        if game.is_variant() {
            self.left_out.variants += 1;
            return;
        }
        self.games += 1;
        let lacks_name = self.has_names && game.names().contains(&None);
        self.left_out.add(game, &addends[0].sample, lacks_name);
        if let Some(named) = game.named {
            self.lines.add(named.line_index(), perspective);
        }
        for table in &mut self.tables {
            table.add(game, info, source, perspective, addends);
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.add(game, info, game.names(), perspective, addends);
        }
    }

    /// Adds the counts of another part.
    ///
    /// # Panics
    ///
    /// If the other counter has other groupings or another catalogue.
    pub fn merge(&mut self, other: Self) {
        assert_eq!(self.tables.len(), other.tables.len(), "both count the same");
        for (table, other) in self.tables.iter_mut().zip(other.tables) {
            table.merge(other);
        }
        if let (Some(ledger), Some(other)) = (&mut self.ledger, other.ledger) {
            ledger.merge(*other);
        }
        self.lines.merge(&other.lines);
        self.games += other.games;
        self.left_out.merge(other.left_out);
    }

    /// What was counted, with names of the catalogue.
    ///
    /// # Panics
    ///
    /// If it is not the catalogue of the counter.
    pub fn finish(self, catalogue: &Catalogue) -> Counted {
        let Self { tables, ledger, lines, games, left_out, .. } = self;
        let named = lines.games(None).len();
        assert_eq!(named, catalogue.lines().len(), "the catalogue has named the games");
        let breakdowns = tables.into_iter().map(|table| table.finish(catalogue)).collect();
        let findings = ledger.map(|ledger| Findings::of(&ledger, &lines, catalogue, &OneThread));
        Counted { breakdowns, findings, games, left_out, lines }
    }
}

/// What was not counted, or not in every column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// Games of other variants, which are not counted at all.
    pub variants: u64,
    /// Games without a result, which have no part in scores.
    pub without_result: u64,
    /// Games in which a rating is missing, of those with a result; they have no part in
    /// expectations.
    pub without_ratings: u64,
    /// Games without an opening.
    pub without_opening: u64,
    /// Games in which a name is missing, if they are grouped by players or opponents.
    pub without_player: u64,
    /// Games that came before, where repeated games are counted once.
    #[serde(skip_serializing_if = "super::figures::is_zero")]
    pub repeats: u64,
}

impl LeftOut {
    /// The numbers of games that were left out, and why, for people.
    pub fn notes(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let notes = [
            (self.variants, "of other variants, not counted"),
            (self.without_result, "without a result, in no score"),
            (self.without_ratings, "without both ratings, in no expectation"),
            (self.without_opening, "without an opening"),
            (self.without_player, "without the name of a player"),
            (self.repeats, "that came before, not counted again"),
        ];
        notes.into_iter().filter(|(games, _)| *games > 0)
    }

    /// Notes what a game lacks that is counted. The sample is from either side.
    pub(super) fn add(&mut self, game: &ScoredGame<'_, '_>, sample: &Sample, lacks_name: bool) {
        self.without_opening += u64::from(game.named.is_none());
        self.without_result += u64::from(sample.half_points.is_none());
        let is_unrated = sample.half_points.is_some() && sample.ratings.is_none();
        self.without_ratings += u64::from(is_unrated);
        self.without_player += u64::from(lacks_name);
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.variants += other.variants;
        self.without_result += other.without_result;
        self.without_ratings += other.without_ratings;
        self.without_opening += other.without_opening;
        self.without_player += other.without_player;
        self.repeats += other.repeats;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{classify::Classifier, pgn::games};

    #[test]
    fn games_without_a_name_are_left_out_once_each_if_names_are_grouped_by() {
        let pgn = b"[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n\n[White \"A\"]\n\n1. e4 *\n\n\
            [White \"?\"]\n[Black \"B\"]\n\n1. e4 *\n\n[Black \" \"]\n\n1. e4 *\n\n\
            [White \"A\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n";
        let catalogue = Catalogue::builtin();
        let classifier = Classifier::new(catalogue);
        for (by, expected) in [
            (vec![GroupBy::Player], 3),
            (vec![GroupBy::Eco, GroupBy::Opponent], 3),
            (vec![GroupBy::Eco], 0),
        ] {
            let empty = Counter::new(catalogue, &[Grouping::new(by.clone())]);
            let mut whole = empty.clone();
            for game in games(pgn) {
                let mut part = empty.clone();
                let scored = ScoredGame::read(&classifier, &game);
                part.add(&scored, None, "games.pgn", Perspective::Everybody);
                whole.merge(part);
            }
            let counted = whole.finish(catalogue);
            assert_eq!(counted.left_out.without_player, expected, "by {by:?}");
            assert_eq!((counted.games, counted.left_out.variants), (4, 1), "by {by:?}");
        }
    }
}
