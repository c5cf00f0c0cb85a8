//! All numbers of a report.

use std::collections::BTreeMap;

use super::{
    breakdown::{Breakdown, Group},
    counter::{Counted, Counter, Grouping, KeepExamples, LeftOut, Lengths, Perspective},
    example::Examples,
    figures::Figures,
    findings::Findings,
    game::ScoredGame,
    group_by::GroupBy,
    key::GroupValue,
    tally::Tally,
};
use crate::{catalogue::Catalogue, chess::Color, select::GameInfo};

/// The openings, players and opponents that have a place of their own.
const COMMONEST: usize = 20;

/// The openings whose popularity is followed.
const FOLLOWED: usize = 8;

/// The plies of the tree of first moves.
const TREE_PLIES: usize = 4;

/// More months than this are shown as years.
const MAX_MONTHS: usize = 48;

/// All numbers of a report. Shares and scores are from 0 to 1.
///
/// With chosen players, all is from their side, and their games as White and as Black are apart in
/// [`sides`](Self::sides). Otherwise all is from White's side.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// The number of games.
    pub games: u64,
    /// What was left out.
    pub left_out: LeftOut,
    /// The numbers of all games.
    pub figures: Figures,
    /// White's and Black's games of the chosen players, or else all games from White's side.
    pub sides: Vec<SideReport>,
    /// Whether periods are years or months.
    pub period: Period,
    /// The periods, from the first to the last; those between without games are there too.
    pub periods: Vec<Slice>,
    /// How popular the commonest families were in each period.
    pub popularity: Vec<Popularity>,
    /// By speed, the fastest first. Empty if no tag tells, as below.
    pub speeds: Vec<Slice>,
    /// By the difference of ratings, own minus opponent's.
    pub rating_gaps: Vec<Slice>,
    /// By day of the week, Monday first.
    pub weekdays: Vec<Slice>,
    /// By hour.
    pub hours: Vec<Slice>,
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

/// Years or months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Period {
    /// `2021`
    Year,
    /// `2021-05`
    Month,
}

/// The openings of one side.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SideReport {
    /// `white` or `black`; `None` if all games are seen from White's side.
    pub side: Option<String>,
    /// The numbers of all its games.
    pub figures: Figures,
    /// Volumes, their families, and their variations; in each, the commonest first.
    pub tree: Vec<OpeningNode>,
    /// The commonest variations.
    pub openings: Vec<Slice>,
    /// The first moves; in each node, the commonest first.
    pub first_moves: Vec<MoveNode>,
    /// Variations in which the score is away from expectation.
    pub findings: Findings,
}

/// Games that have something in common.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Slice {
    /// What they have in common. It may be text of a file.
    pub label: String,
    /// The numbers.
    pub figures: Figures,
}

/// A volume, a family or a variation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OpeningNode {
    /// The letter of the volume, or the name of the family or of the variation alone. It is empty
    /// for the games of a family without a variation.
    pub name: String,
    /// The numbers.
    pub figures: Figures,
    /// What it divides into.
    pub children: Vec<OpeningNode>,
}

/// A move of the first moves.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct MoveNode {
    /// The move.
    pub san: String,
    /// The numbers of the games with this move after those above it.
    pub figures: Figures,
    /// The next moves. Games that end here are in none of them.
    pub children: Vec<MoveNode>,
}

/// How popular a family was.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Popularity {
    /// The family.
    pub family: String,
    /// The games per 1,000 of each period, in the order of [`Report::periods`]; `None` where a
    /// period has no games.
    pub per_1000: Vec<Option<f64>>,
}

/// A number of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Bin {
    /// The ply.
    pub plies: u64,
    /// The games.
    pub games: u64,
}

/// Whether a report is about chosen players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An archive from White's side.
    Archive,
    /// Chosen players.
    Players,
}

/// Counts games for a [`Report`].
#[derive(Debug, Clone)]
pub struct ReportCounter {
    subject: Subject,
    /// The games as White, or all, and those as Black.
    sides: [Counter; 2],
    common: Counter,
}

/// The places of the groupings that the sides have not.
const YEARS: usize = 0;
const MONTHS: usize = 1;
const SPEEDS: usize = 2;
const GAPS: usize = 3;
const WEEKDAYS: usize = 4;
const HOURS: usize = 5;
const PEOPLE: usize = 6;

impl ReportCounter {
    /// A counter that has seen no game. The games must be named by this catalogue.
    #[must_use]
    pub fn new(catalogue: &Catalogue, subject: Subject) -> Self {
        let short = |by: Vec<GroupBy>| Grouping { lengths: Lengths::Dropped, ..Grouping::new(by) };
        let examples = match subject {
            Subject::Archive => KeepExamples::Never,
            Subject::Players => KeepExamples::Latest,
        };
        let openings = vec![GroupBy::Volume, GroupBy::Variation];
        let side = Counter::new(
            catalogue,
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
            short(vec![GroupBy::Year, GroupBy::Family]),
            short(vec![GroupBy::Month, GroupBy::Family]),
            short(vec![GroupBy::Speed]),
            short(vec![GroupBy::RatingGap]),
            short(vec![GroupBy::Weekday]),
            short(vec![GroupBy::Hour]),
            short(vec![people]),
        ];
        Self { subject, sides: [side.clone(), side], common: Counter::new(catalogue, &common) }
    }

    /// A counter for the same report that has seen no game.
    #[must_use]
    pub fn empty(&self) -> Self {
        let [white, black] = &self.sides;
        let sides = [white.empty(), black.empty()];
        Self { subject: self.subject, sides, common: self.common.empty() }
    }

    /// The number of groups so far, by which memory grows.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.sides.iter().chain([&self.common]).map(Counter::group_count).sum()
    }

    /// The number of games so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.common.games()
    }

    /// Counts a game of a source, with its tags.
    pub fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: &GameInfo<'_>,
        source: &str,
        perspective: Perspective<'_>,
    ) {
        self.common.add(game, Some(info), source, perspective);
        let [white, black] = &mut self.sides;
        match perspective {
            Perspective::Everybody => white.add(game, Some(info), source, perspective),
            Perspective::Players(colors) => {
                for color in colors {
                    let side = if color.is_white() { &mut *white } else { &mut *black };
                    side.add(game, Some(info), source, Perspective::Players(&[*color]));
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
    }

    /// The report.
    #[must_use]
    pub fn finish(self) -> Report {
        let [white, black] = self.sides.map(Counter::finish);
        let sides = match self.subject {
            Subject::Archive => vec![(None, white)],
            Subject::Players => vec![(Some(Color::White), white), (Some(Color::Black), black)],
        };
        let mut all = Tally::default();
        sides.iter().for_each(|(_, counted)| all.merge(&counted.breakdowns[0].all));
        let common = self.common.finish();
        let slices = |at: usize| known_slices(&common.breakdowns[at]);
        let (period, periods) = periods(&common.breakdowns[YEARS], &common.breakdowns[MONTHS]);
        let people = commonest(&common.breakdowns[PEOPLE]);
        Report {
            games: common.games,
            left_out: common.left_out,
            figures: Figures::new(&all, &all),
            sides: sides.into_iter().map(|(side, counted)| side_report(side, &counted)).collect(),
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

fn slice(group: &Group, all: &Tally) -> Slice {
    let label = group.values.last().map(GroupValue::to_text).unwrap_or_default();
    Slice { label, figures: Figures::new(&group.tally, all) }
}

/// Whether the games of a group say what they have in common.
fn is_known(group: &Group) -> bool {
    !group.values.contains(&GroupValue::None)
}

/// The groups of games that say what they have in common, in their order.
fn known_slices(breakdown: &Breakdown) -> Vec<Slice> {
    let known = breakdown.groups.iter().filter(|group| is_known(group));
    known.map(|group| slice(group, &breakdown.all)).collect()
}

/// The groups of games that say what they have in common, the commonest first.
fn commonest(breakdown: &Breakdown) -> Vec<&Group> {
    let mut known: Vec<&Group> = breakdown.groups.iter().filter(|group| is_known(group)).collect();
    known.sort_by_key(|group| std::cmp::Reverse(group.tally.games()));
    known
}

/// The families of each period; the empty name stands for no opening.
type Periods = Vec<(String, BTreeMap<String, Tally>)>;

/// Months if there are few, otherwise years.
fn periods(years: &Breakdown, months: &Breakdown) -> (Period, Periods) {
    let mut by_month = by_period(months);
    let span = |first: i64, last: i64| (last - first + 1).max(0) as usize;
    let ends = |periods: &BTreeMap<i64, BTreeMap<String, Tally>>| {
        Some((*periods.first_key_value()?.0, *periods.last_key_value()?.0))
    };
    // Months are numbered without gaps.
    if let Some((first, last)) = ends(&by_month)
        && span(first, last) <= MAX_MONTHS
        && dated(months) == dated(years)
    {
        let label = |month: i64| format!("{:04}-{:02}", month / 12, month % 12 + 1);
        let periods =
            (first..=last).map(|month| (label(month), by_month.remove(&month).unwrap_or_default()));
        return (Period::Month, periods.collect());
    }
    let mut by_year = by_period(years);
    let Some((first, last)) = ends(&by_year) else { return (Period::Year, Vec::new()) };
    let periods =
        (first..=last).map(|year| (year.to_string(), by_year.remove(&year).unwrap_or_default()));
    (Period::Year, periods.collect())
}

/// The games of known periods. Some have a year, but no month.
fn dated(breakdown: &Breakdown) -> u64 {
    let known = breakdown.groups.iter().filter(|group| group.values[0] != GroupValue::None);
    known.map(|group| group.tally.games()).sum()
}

/// The families by the number of the year, or of the month counted from the year 0.
fn by_period(breakdown: &Breakdown) -> BTreeMap<i64, BTreeMap<String, Tally>> {
    let mut periods: BTreeMap<i64, BTreeMap<String, Tally>> = BTreeMap::new();
    for group in &breakdown.groups {
        let period = match &group.values[0] {
            GroupValue::Number(year) => *year,
            GroupValue::Text { place, .. } => place / 100 * 12 + place % 100 - 1,
            GroupValue::None => continue,
        };
        let family = group.values[1].to_text();
        periods.entry(period).or_default().entry(family).or_default().merge(&group.tally);
    }
    periods
}

fn popularity(periods: &Periods) -> Vec<Popularity> {
    let mut games: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, families) in periods {
        for (family, tally) in families.iter().filter(|(family, _)| !family.is_empty()) {
            *games.entry(family).or_default() += tally.games();
        }
    }
    let mut sorted: Vec<(&str, u64)> = games.into_iter().collect();
    sorted.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let share = |families: &BTreeMap<String, Tally>, family: &str| {
        let all: u64 = families.values().map(Tally::games).sum();
        let games = families.get(family).map_or(0, Tally::games);
        (all > 0).then(|| 1000.0 * games as f64 / all as f64)
    };
    let followed = sorted.into_iter().take(FOLLOWED).map(|(family, _)| Popularity {
        family: family.to_owned(),
        per_1000: periods.iter().map(|(_, families)| share(families, family)).collect(),
    });
    followed.collect()
}

fn side_report(side: Option<Color>, counted: &Counted) -> SideReport {
    let [volumes, first_moves] = &counted.breakdowns[..] else {
        unreachable!("a side has two groupings")
    };
    let all = &volumes.all;
    let variations = regroup(volumes, GroupBy::Variation, str::to_owned);
    let families = regroup(volumes, GroupBy::Family, |variation| family(variation).to_owned());
    let openings = commonest(&variations).into_iter().take(COMMONEST);
    let mut findings = Findings::new(&variations, &families);
    let name = side.map(|side| if side.is_white() { "white" } else { "black" }.to_owned());
    for finding in findings.strengths.iter_mut().chain(&mut findings.weaknesses) {
        finding.side.clone_from(&name);
    }
    SideReport {
        side: name,
        figures: Figures::new(all, all),
        tree: OpeningTree::new(volumes).nodes(all),
        openings: openings.map(|group| slice(group, all)).collect(),
        first_moves: MoveTree::new(first_moves).nodes(all),
        findings,
    }
}

/// The family of a variation with its family.
fn family(variation: &str) -> &str {
    variation.split_once(": ").map_or(variation, |(family, _)| family)
}

/// The variations of all volumes, in groups by a name that each has.
fn regroup(volumes: &Breakdown, by: GroupBy, name: impl Fn(&str) -> String) -> Breakdown {
    let mut found: BTreeMap<GroupValue, Group> = BTreeMap::new();
    for group in &volumes.groups {
        let (value, label, own_family) = match &group.values[1] {
            GroupValue::Text { text, .. } => {
                let label = name(text);
                (GroupValue::text(&label), Some(label), Some(family(text).to_owned()))
            }
            other => (other.clone(), None, None),
        };
        let whole = found.entry(value.clone()).or_insert_with(|| Group {
            values: vec![value],
            name: label,
            family: own_family,
            tally: Tally::default(),
            examples: Examples::default(),
        });
        whole.tally.merge(&group.tally);
        whole.examples.merge(group.examples.clone());
    }
    Breakdown::new(vec![by], found.into_values().collect())
}

/// Tallies of openings, by volume, family and variation.
#[derive(Default)]
struct OpeningTree {
    tally: Tally,
    children: BTreeMap<String, OpeningTree>,
}

impl OpeningTree {
    fn new(volumes: &Breakdown) -> Self {
        let mut root = Self::default();
        for group in volumes.groups.iter().filter(|group| is_known(group)) {
            let name = group.values[1].to_text();
            let (family, variation) = name.split_once(": ").unwrap_or((&name, ""));
            let mut node = &mut root;
            for part in [&group.values[0].to_text(), family, variation] {
                node = node.children.entry(part.to_owned()).or_default();
                node.tally.merge(&group.tally);
            }
        }
        root
    }

    fn nodes(&self, all: &Tally) -> Vec<OpeningNode> {
        by_games(&self.children, |node| node.tally.games())
            .map(|(name, node)| OpeningNode {
                name: name.clone(),
                figures: Figures::new(&node.tally, all),
                children: node.nodes(all),
            })
            .collect()
    }
}

/// Tallies of first moves.
#[derive(Default)]
struct MoveTree {
    tally: Tally,
    children: BTreeMap<String, MoveTree>,
}

impl MoveTree {
    fn new(first_moves: &Breakdown) -> Self {
        let mut root = Self::default();
        for group in first_moves.groups.iter().filter(|group| is_known(group)) {
            let moves = group.values[0].to_text();
            let mut node = &mut root;
            for san in moves.split(' ').filter(|word| !word.ends_with('.')) {
                node = node.children.entry(san.to_owned()).or_default();
                node.tally.merge(&group.tally);
            }
        }
        root
    }

    fn nodes(&self, all: &Tally) -> Vec<MoveNode> {
        by_games(&self.children, |node| node.tally.games())
            .map(|(san, node)| MoveNode {
                san: san.clone(),
                figures: Figures::new(&node.tally, all),
                children: node.nodes(all),
            })
            .collect()
    }
}

/// The children of a node, those with the most games first.
fn by_games<T>(
    children: &BTreeMap<String, T>,
    games: impl Fn(&T) -> u64,
) -> impl Iterator<Item = (&String, &T)> {
    let mut sorted: Vec<(&String, &T)> = children.iter().collect();
    sorted.sort_by_key(|(_, node)| std::cmp::Reverse(games(node)));
    sorted.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{classify::Classifier, pgn::games};

    const PGN: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.05\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n\
[TimeControl \"180+0\"]\n[UTCTime \"10:00:00\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n\n\
[White \"B\"]\n[Black \"A\"]\n[Date \"2020.03.01\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n\n\
[White \"A\"]\n[Black \"C\"]\n[Date \"2020.03.??\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 e6 0-1\n\n\
[White \"A\"]\n[Black \"C\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
[White \"C\"]\n[Black \"D\"]\n\n*\n";

    fn counted(subject: Subject, cuts: &[usize]) -> Report {
        let catalogue = Catalogue::builtin();
        let classifier = Classifier::new(catalogue);
        let mut counter = ReportCounter::new(catalogue, subject);
        let mut part = counter.empty();
        for (place, game) in games(PGN.as_bytes()).enumerate() {
            if cuts.contains(&place) {
                let whole = std::mem::replace(&mut part, counter.empty());
                counter.merge(whole);
            }
            let scored = ScoredGame::read(&classifier, &game);
            let info = GameInfo::read(&game);
            let colors: Vec<Color> =
                Color::ALL.into_iter().filter(|color| scored.name(*color) == Some(b"A")).collect();
            match subject {
                Subject::Archive => part.add(&scored, &info, "x", Perspective::Everybody),
                Subject::Players if colors.is_empty() => {}
                Subject::Players => part.add(&scored, &info, "x", Perspective::Players(&colors)),
            }
        }
        part.merge(counter);
        part.finish()
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
    fn parts_make_the_same_report() {
        for subject in [Subject::Archive, Subject::Players] {
            let whole = counted(subject, &[]);
            for cuts in [&[1][..], &[2, 3], &[1, 2, 3, 4], &[4]] {
                assert_eq!(counted(subject, cuts), whole, "{cuts:?}");
            }
        }
    }
}
