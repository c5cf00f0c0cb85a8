//! All numbers of a report, counted in one pass.

mod periods;
mod sides;
mod slices;

use periods::PeriodCounter;
use sides::{SideGames, findings, side_reports};
use slices::{COMMONEST, Occasions, PeopleCounter};

use super::counter::{Counter, LeftOut};
use super::figures::{Baseline, Figures};
use super::game::{Comments, ScoredGame};
use super::grouping::{GroupBy, Grouping, Kept, Perspective, Subject};
use super::tally::{Addend, Tally};
use super::{findings::Findings, histogram::Bin, ledger::Ledger, openings::CatalogueGroups};
use crate::{catalogue::Catalogue, chess::Color, executor::Executor};
pub use periods::{Period, Popularity, RatingHistory};
pub use sides::{MoveNode, OpeningNode, SideReport};
pub use slices::Slice;

/// All numbers of a report. Shares and scores are from 0 to 1.
///
/// With chosen players, all is from their side, and their games as White and as Black are apart in
/// [`sides`](Self::sides). Otherwise all is from White's side.
///
/// What is expected is what the ratings predict. The advantage of White is part of it in the
/// openings of the sides, and, of an archive, in all slices but those of people.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The number of games.
    pub games: u64,
    /// What was left out.
    pub left_out: LeftOut,
    /// The numbers of all games, against the ratings alone.
    pub figures: Figures,
    /// What stands out in all questions; of one colour, if that is shown alone.
    pub findings: Findings,
    /// White's and Black's games of the chosen players, or else all games from White's side.
    pub sides: Vec<SideReport>,
    /// Whether periods are years or months.
    pub period: Period,
    /// The periods, from the first to the last; those between without games are there too.
    pub periods: Vec<Slice>,
    /// How popular the commonest families were in each period.
    pub popularity: Vec<Popularity>,
    /// How the ratings of chosen players went at each speed.
    pub ratings: Vec<RatingHistory>,
    /// By speed, the fastest first. Empty if no game has the tag, and so are the following.
    pub speeds: Vec<Slice>,
    /// By the difference of ratings, own minus opponent's; those of 450 and more are together.
    pub rating_gaps: Vec<Slice>,
    /// By day of the week, Monday first.
    pub weekdays: Vec<Slice>,
    /// By hour.
    pub hours: Vec<Slice>,
    /// By quarter of the year.
    pub seasons: Vec<Slice>,
    /// The commonest opponents of the chosen players, or else the commonest players, each from the
    /// own side, with either colour.
    pub people: Vec<Slice>,
    /// The number of all such people.
    pub people_count: usize,
    /// How many games have each length in plies.
    pub lengths: Vec<Bin>,
    /// How many games have their last named position at each ply.
    pub exits: Vec<Bin>,
}

/// The plies of the tree of first moves.
const TREE_PLIES: usize = 4;

/// Counts games for a [`Report`].
#[derive(Debug, Clone)]
pub struct ReportCounter {
    subject: Subject,
    /// The colour that is shown; `None` for both.
    shown: Option<Color>,
    /// The games as White, or all, and those as Black.
    sides: Vec<Counter>,
    /// The number of games that are shown.
    games: u64,
    left_out: LeftOut,
    ledger: Ledger,
    occasions: Occasions,
    people: PeopleCounter,
    periods: PeriodCounter,
}

impl ReportCounter {
    /// A counter that has seen no game; its clones are for other parts of the games. The games must
    /// be named by this catalogue.
    pub fn new(catalogue: &Catalogue, subject: Subject) -> Self {
        let groups = &mut CatalogueGroups::new(catalogue);
        let (sides, kept) = match subject {
            Subject::Archive => (1, Kept::Lengths),
            Subject::Players => (2, Kept::Examples),
        };
        let openings = Grouping { by: vec![GroupBy::Volume, GroupBy::Variation], kept };
        let first_moves =
            Grouping { by: vec![GroupBy::FirstMoves(TREE_PLIES)], kept: Kept::Scores };
        let side = Counter::with_groups(groups, &[openings, first_moves]);
        Self {
            subject,
            shown: None,
            sides: vec![side; sides],
            games: 0,
            left_out: LeftOut::default(),
            ledger: Ledger::new(groups, subject, &[]),
            occasions: Occasions::new(),
            people: PeopleCounter::default(),
            periods: PeriodCounter::new(groups.by(&GroupBy::Family)),
        }
    }

    /// Shows only the games of the players with this colour. Those with the other are to be counted
    /// all the same: both together decide what is expected, and which openings
    /// [stand out](super::Report::findings).
    #[must_use]
    pub fn with_color(self, color: Color) -> Self {
        Self { shown: Some(color), ..self }
    }

    /// The number of groups so far, by which memory grows.
    pub fn group_count(&self) -> usize {
        let sides = self.sides.iter().map(Counter::group_count);
        sides.sum::<usize>() + self.people.size() + self.periods.size()
    }

    /// The number of games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The part of a perspective that is shown.
    fn shown<'p>(&self, perspective: Perspective<'p>) -> Option<Perspective<'p>> {
        let (Perspective::Players(colors), Some(shown)) = (perspective, self.shown) else {
            return Some(perspective);
        };
        let place = colors.iter().position(|color| *color == shown)?;
        Some(Perspective::Players(&colors[place..=place]))
    }

    /// Counts a game of a source.
    pub fn add(&mut self, game: &ScoredGame<'_, '_>, source: &str, perspective: Perspective<'_>) {
        let shown = self.shown(perspective);
        if game.is_variant() {
            self.left_out.variants += u64::from(shown.is_some());
            return;
        }
        // What all tables add is found once.
        let (addends, names) = (&game.addends(Comments::Read), game.names());
        if let Some(shown) = shown {
            self.add_shown(game, names, shown, addends);
        }
        self.ledger.add(game, None, names, perspective, addends);
        let Perspective::Players(colors) = perspective else {
            return self.sides[0].add_addends(game, None, source, perspective, addends);
        };
        for color in colors {
            let side = self.sides.get_mut(usize::from(color.is_black()));
            let perspective = Perspective::Players(&[*color]);
            side.into_iter().for_each(|side| {
                side.add_addends(game, None, source, perspective, addends);
            });
        }
    }

    /// Counts a game where games of both colours are together.
    fn add_shown(
        &mut self,
        game: &ScoredGame<'_, '_>,
        names: [Option<&[u8]>; 2],
        perspective: Perspective<'_>,
        addends: &[Addend; 2],
    ) {
        self.games += 1;
        self.left_out.add(game, &addends[0].sample, names.contains(&None));
        // Other than players, games have the same value from both sides.
        let (sides, people) = (perspective.sides(&[Color::White]), perspective.sides(&Color::ALL));
        self.occasions.add(game, sides, addends);
        self.periods.add(game, sides, addends);
        for side in people {
            let place = usize::from(side.is_black());
            let name = match self.subject {
                Subject::Archive => names[place],
                Subject::Players => names[1 - place],
            };
            self.people.add(name, &addends[place]);
        }
    }

    /// Adds the counts of another part, on these threads.
    pub fn merge_on(&mut self, other: Self, executor: &impl Executor) {
        let Self { sides, games, left_out, ledger, occasions, people, periods, .. } = self;
        *games += other.games;
        left_out.merge(other.left_out);
        ledger.merge(other.ledger);
        occasions.merge(&other.occasions);
        executor.join(
            // There are most of them.
            || people.merge(other.people),
            || {
                for (side, other) in sides.iter_mut().zip(other.sides) {
                    side.merge(other);
                }
                periods.merge(other.periods);
            },
        );
    }

    /// The report, with lines of the catalogue, made on these threads.
    ///
    /// # Panics
    ///
    /// If it is not the catalogue of the counter.
    pub fn finish_on(self, catalogue: &Catalogue, executor: &impl Executor) -> Report {
        let Self { subject, shown, sides, games, left_out, ledger, occasions, people, .. } = self;
        let mut periods = self.periods;
        periods.fill_gaps();
        let colors = match subject {
            Subject::Archive => [None, None],
            Subject::Players => Color::ALL.map(Some),
        };
        let side =
            |(side, color): (Counter, _)| SideGames { color, counted: side.finish(catalogue) };
        let (sides, (people, popularity)) = executor.join(
            || -> Vec<_> { sides.into_iter().zip(colors).map(side).collect() },
            || (people.finish(COMMONEST), periods.popularity()),
        );
        let (findings, reports) = executor.join(
            || findings(&ledger, &sides, shown, catalogue, executor),
            || side_reports(&sides),
        );
        let is_shown = |side: &SideGames| shown.is_none_or(|shown| side.color == Some(shown));
        let mut all = Tally::default();
        sides.iter().filter(|side| is_shown(side)).for_each(|side| all.merge(side.all()));
        // Where games of both colours of players are together, the ratings alone are expected.
        let advantage = match subject {
            Subject::Archive => reports[0].advantage,
            Subject::Players => 0.0,
        };
        let baseline = Baseline { all: &all, advantage };
        let [speeds, rating_gaps, weekdays, hours, seasons] = occasions.slices(baseline);
        Report {
            games,
            left_out,
            figures: Figures::new(&all, &all),
            findings,
            sides: sides
                .iter()
                .zip(reports)
                .filter_map(|(side, report)| is_shown(side).then_some(report))
                .collect(),
            period: periods.unit(),
            popularity,
            ratings: match subject {
                Subject::Archive => Vec::new(),
                Subject::Players => periods.ratings(),
            },
            periods: periods.slices(baseline),
            speeds,
            rating_gaps,
            weekdays,
            hours,
            seasons,
            people_count: people.count,
            people: people
                .most
                .into_iter()
                .map(|(label, tally)| Slice { label, figures: Figures::new(&tally, &people.all) })
                .collect(),
            lengths: all.plies().bins(),
            exits: all.exits().bins(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::OneThread;
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
        let empty = counter.clone();
        let mut part = empty.clone();
        for (place, game) in games(pgn.as_bytes()).enumerate() {
            if cuts.contains(&place) {
                let whole = std::mem::replace(&mut part, empty.clone());
                counter.merge_on(whole, &OneThread);
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
        part.merge_on(counter, &OneThread);
        part.finish_on(catalogue, &OneThread)
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
