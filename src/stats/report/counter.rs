//! Games counted for a report.

use super::{
    Bin, Report,
    periods::{periods, popularity},
    side::side_report,
    slices::{COMMONEST, Slice, commonest, known_slices, slice},
};
use crate::{
    catalogue::Catalogue,
    chess::Color,
    stats::{
        counter::Counter,
        figures::Figures,
        findings::advantage_of_colors,
        game::ScoredGame,
        group_by::GroupBy,
        grouping::{Grouping, KeepExamples, KeepUnknown, Lengths},
        openings::CatalogueGroups,
        perspective::Perspective,
        subject::Subject,
        tally::Tally,
    },
};

/// The plies of the tree of first moves.
const TREE_PLIES: usize = 4;

/// Counts games for a [`Report`].
#[derive(Debug, Clone)]
pub struct ReportCounter {
    subject: Subject,
    /// The games as White, or all, and those as Black.
    sides: [Counter; 2],
    common: Counter,
    /// The games without a month, by year.
    years: Counter,
}

/// The places of the groupings that the sides have not.
const MONTHS: usize = 0;
const SPEEDS: usize = 1;
const GAPS: usize = 2;
const WEEKDAYS: usize = 3;
const HOURS: usize = 4;
const PEOPLE: usize = 5;

impl ReportCounter {
    /// A counter that has seen no game. The games must be named by this catalogue.
    #[must_use]
    pub fn new(catalogue: &Catalogue, subject: Subject) -> Self {
        let short = |by: Vec<GroupBy>| Grouping { lengths: Lengths::Dropped, ..Grouping::new(by) };
        let known = |by| Grouping { unknown: KeepUnknown::Never, ..short(by) };
        let groups = &mut CatalogueGroups::new(catalogue);
        let examples = match subject {
            Subject::Archive => KeepExamples::Never,
            Subject::Players => KeepExamples::Latest,
        };
        let openings = vec![GroupBy::Volume, GroupBy::Variation];
        let side = Counter::with_groups(
            groups,
            &[
                Grouping { examples, ..Grouping::new(openings) },
                short(vec![GroupBy::FirstMoves(TREE_PLIES)]),
            ],
        );
        let people = match subject {
            Subject::Archive => GroupBy::Player,
            Subject::Players => GroupBy::Opponent,
        };
        let common = [
            known(vec![GroupBy::Month, GroupBy::Family]),
            known(vec![GroupBy::Speed]),
            known(vec![GroupBy::RatingGap]),
            known(vec![GroupBy::Weekday]),
            known(vec![GroupBy::Hour]),
            short(vec![people]),
        ];
        let years = [known(vec![GroupBy::Year, GroupBy::Family])];
        Self {
            subject,
            sides: [side.clone(), side],
            common: Counter::with_groups(groups, &common),
            years: Counter::with_groups(groups, &years),
        }
    }

    /// A counter for the same report that has seen no game.
    #[must_use]
    pub fn empty(&self) -> Self {
        let [white, black] = &self.sides;
        let sides = [white.empty(), black.empty()];
        Self {
            subject: self.subject,
            sides,
            common: self.common.empty(),
            years: self.years.empty(),
        }
    }

    /// The number of groups so far, by which memory grows.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.sides.iter().chain([&self.common, &self.years]).map(Counter::group_count).sum()
    }

    /// The number of games so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.common.games()
    }

    /// Counts a game of a source.
    pub fn add(&mut self, game: &ScoredGame<'_, '_>, source: &str, perspective: Perspective<'_>) {
        self.common.add(game, None, source, perspective);
        if !game.has_month() {
            self.years.add(game, None, source, perspective);
        }
        let [white, black] = &mut self.sides;
        match perspective {
            Perspective::Everybody => white.add(game, None, source, perspective),
            Perspective::Players(colors) => {
                for color in colors {
                    let side = if color.is_white() { &mut *white } else { &mut *black };
                    side.add(game, None, source, Perspective::Players(&[*color]));
                }
            }
        }
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: Self) {
        for (side, other) in self.sides.iter_mut().zip(other.sides) {
            side.merge(other);
        }
        self.common.merge(other.common);
        self.years.merge(other.years);
    }

    /// The report, with lines of the catalogue.
    ///
    /// # Panics
    ///
    /// If it is not the catalogue of the counter.
    #[must_use]
    pub fn finish(self, catalogue: &Catalogue) -> Report {
        let [white, black] = self.sides.map(Counter::finish);
        let sides = match self.subject {
            Subject::Archive => vec![(None, white)],
            Subject::Players => vec![(Some(Color::White), white), (Some(Color::Black), black)],
        };
        let white_advantage = match &sides[..] {
            [(_, white), (_, black)] => {
                advantage_of_colors(&white.breakdowns[0].all, &black.breakdowns[0].all)
            }
            _ => 0.0,
        };
        let mut all = Tally::default();
        sides.iter().for_each(|(_, counted)| all.merge(&counted.breakdowns[0].all));
        let (common, years) = (self.common.finish(), self.years.finish());
        let slices = |at: usize| known_slices(&common.breakdowns[at], &all);
        let (period, periods) = periods(&common.breakdowns[MONTHS], &years.breakdowns[0]);
        let people = commonest(&common.breakdowns[PEOPLE]);
        Report {
            games: common.games,
            left_out: common.left_out,
            figures: Figures::new(&all, &all),
            sides: sides
                .into_iter()
                .map(|(side, counted)| side_report(side, &counted, white_advantage, catalogue))
                .collect(),
            period,
            popularity: popularity(&periods),
            periods: periods
                .iter()
                .map(|(label, families)| {
                    let mut tally = Tally::default();
                    families.values().for_each(|family| tally.merge(family));
                    Slice { label: label.clone(), figures: Figures::new(&tally, &all) }
                })
                .collect(),
            speeds: slices(SPEEDS),
            rating_gaps: slices(GAPS),
            weekdays: slices(WEEKDAYS),
            hours: slices(HOURS),
            people_count: people.len(),
            people: people
                .into_iter()
                .take(COMMONEST)
                .map(|group| slice(group, &common.breakdowns[PEOPLE].all))
                .collect(),
            lengths: bins(&all.plies().entries()),
            exits: bins(&all.exits().entries()),
        }
    }
}

fn bins(entries: &[(u64, u64)]) -> Vec<Bin> {
    entries.iter().map(|(plies, games)| Bin { plies: *plies, games: *games }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{classify::Classifier, pgn::games, stats::Period};

    const PGN: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.05\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n\
[TimeControl \"180+0\"]\n[UTCTime \"10:00:00\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n\n\
[White \"B\"]\n[Black \"A\"]\n[Date \"2020.03.01\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n\n\
[White \"A\"]\n[Black \"C\"]\n[Date \"2020.03.??\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 e6 0-1\n\n\
[White \"A\"]\n[Black \"C\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
[White \"C\"]\n[Black \"D\"]\n\n*\n";

    fn counted(subject: Subject, cuts: &[usize]) -> Report {
        counted_in(PGN, subject, cuts)
    }

    fn counted_in(pgn: &str, subject: Subject, cuts: &[usize]) -> Report {
        let catalogue = Catalogue::builtin();
        let classifier = Classifier::new(catalogue);
        let mut counter = ReportCounter::new(catalogue, subject);
        let mut part = counter.empty();
        for (place, game) in games(pgn.as_bytes()).enumerate() {
            if cuts.contains(&place) {
                let whole = std::mem::replace(&mut part, counter.empty());
                counter.merge(whole);
            }
            let scored = ScoredGame::read(&classifier, &game);
            let colors: Vec<Color> =
                Color::ALL.into_iter().filter(|color| scored.name(*color) == Some(b"A")).collect();
            match subject {
                Subject::Archive => part.add(&scored, "x", Perspective::Everybody),
                Subject::Players if colors.is_empty() => {}
                Subject::Players => part.add(&scored, "x", Perspective::Players(&colors)),
            }
        }
        part.merge(counter);
        part.finish(catalogue)
    }

    #[test]
    fn an_archive_is_seen_from_white() {
        let report = counted(Subject::Archive, &[]);
        assert_eq!((report.games, report.left_out.variants), (4, 1));
        assert_eq!((report.left_out.without_result, report.left_out.without_opening), (1, 1));
        let [side] = &report.sides[..] else { panic!("one side") };
        let figures = &report.figures;
        assert_eq!((figures.won, figures.drawn, figures.lost), (1, 1, 1));
        let volumes: Vec<_> =
            side.tree.iter().map(|node| (&*node.name, node.figures.games)).collect();
        assert_eq!(volumes, [("B", 2), ("D", 1)]);
        assert_eq!(side.tree[0].children[0].name, "Sicilian Defense");
        assert_eq!(side.first_moves[0].san, "e4");
        assert_eq!(side.first_moves[0].children[0].figures.games, 2);
        assert_eq!(report.period, Period::Month);
        let periods: Vec<_> = report.periods.iter().map(|p| (&*p.label, p.figures.games)).collect();
        assert_eq!(periods, [("2020-01", 1), ("2020-02", 0), ("2020-03", 2)]);
        let sicilian = &report.popularity[0];
        assert_eq!(sicilian.family, "Sicilian Defense");
        assert_eq!(sicilian.per_1000, [Some(1000.0), None, Some(500.0)]);
        let people: Vec<_> = report.people.iter().map(|p| (&*p.label, p.figures.games)).collect();
        assert_eq!(people, [("A", 3), ("B", 2), ("C", 2), ("D", 1)]);
        assert_eq!((report.speeds.len(), &*report.hours[0].label), (1, "10"));
        assert_eq!(report.lengths.iter().map(|bin| bin.games).sum::<u64>(), 4);
    }

    #[test]
    fn players_have_their_colors_apart() {
        let report = counted(Subject::Players, &[]);
        assert_eq!((report.games, report.left_out.variants), (3, 1));
        let sides: Vec<_> =
            report.sides.iter().map(|side| (side.side.as_deref(), side.figures.games)).collect();
        assert_eq!(sides, [(Some("white"), 2), (Some("black"), 1)]);
        let people: Vec<_> = report.people.iter().map(|p| (&*p.label, p.figures.games)).collect();
        assert_eq!(people, [("B", 2), ("C", 1)]);
    }

    #[test]
    fn games_without_a_month_make_periods_years() {
        let pgn = format!("{PGN}\n[Date \"2019.??.??\"]\n\n1. e4 c5 *\n\n1. e4 c5 *\n");
        let report = counted_in(&pgn, Subject::Archive, &[2]);
        assert_eq!(report.period, Period::Year);
        let periods: Vec<_> = report.periods.iter().map(|p| (&*p.label, p.figures.games)).collect();
        assert_eq!(periods, [("2019", 1), ("2020", 3)]);
    }

    #[test]
    fn parts_make_the_same_report() {
        for subject in [Subject::Archive, Subject::Players] {
            let whole = counted(subject, &[]);
            for cuts in [&[1][..], &[2, 3], &[1, 2, 3, 4], &[4]] {
                assert_eq!(counted(subject, cuts), whole, "{cuts:?}");
            }
        }
    }
}
