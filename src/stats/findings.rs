//! Openings in which the score is away from expectation, with good reason to believe so.

use std::collections::BTreeMap;

use super::breakdown::{Breakdown, Group, sum};
use super::difference::{Difference, deviate, signed};
use super::figures::{Baseline, Figures};
use super::grouping::{GroupBy, Subject};
use super::inference::{Estimate, FALSE_DISCOVERY_RATE, MIN_RATED, Spread, discoveries, shrink};
use super::{counter::LineCounts, game::Examples, key::GroupValue};
use super::{openings::LineGroups, tally::Tally};
use crate::{catalogue::Catalogue, chess::Color};

/// The most lines that a finding has.
const MAX_LINES: usize = 3;

/// An opening in which the score is away from expectation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The colour, if the openings of both are apart: `white` or `black`.
    pub side: Option<String>,
    /// The opening: a code, or a name.
    pub opening: String,
    /// The name of the catalogue's shortest line of the opening.
    pub name: String,
    /// The opening in English, if the catalogue is in another language.
    #[serde(rename = "opening_en", skip_serializing_if = "Option::is_none")]
    pub english: Option<String>,
    /// The commonest lines, at most three; none before [`Findings::add_lines`].
    pub lines: Vec<FindingLine>,
    /// Its numbers. [`white_advantage`](Findings::white_advantage) is part of what is expected.
    pub figures: Figures,
    /// The difference of score and expectation, as in its numbers.
    pub difference: Difference,
    /// That difference, shrunk towards its family, and that towards all.
    pub estimate: f64,
    /// Games to look at.
    pub examples: Examples,
}

/// A line of an opening.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct FindingLine {
    /// The moves of the catalogue, `1. e4 c5 2. Nf3`; of a line without moves, its position.
    pub moves: String,
    /// The games whose last named position is at its end, in whatever order of moves they reached
    /// it.
    pub games: u64,
}

/// The openings in which the score is away from expectation.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Findings {
    /// The number of openings that had enough rated games to be looked at, of both colours if they
    /// are apart.
    pub looked_at: usize,
    /// What is expected of White besides what the ratings predict, from -1 to 1, and the opposite
    /// of Black: in an archive the mean difference of all its rated games; for players half of
    /// what they score more with White than with Black, against the ratings, or 0 if one colour
    /// has too few rated games to say.
    pub white_advantage: f64,
    /// The variance of the result of one game around what is expected of it.
    #[serde(skip)]
    pub game_variance: f64,
    /// Where the score is above expectation, the greatest estimate first.
    pub strengths: Vec<Finding>,
    /// Where it is below, the least estimate first.
    pub weaknesses: Vec<Finding>,
}

impl Findings {
    /// The openings of a breakdown in which the difference of score and expectation is not 0, at a
    /// false discovery rate of 10 %.
    ///
    /// `openings` is by a field of openings, or by colour and such a field; `families` is by family
    /// in the same way, and counts the same games. Groups with at least 20 rated games are looked
    /// at, of both colours together; [`discoveries`] says which differences count.
    ///
    /// Ratings know nothing of colour, and White scores more than they predict: of an archive,
    /// which is seen from White, most openings would be strengths, and so would be those of players
    /// with White. So the [advantage of White](Self::white_advantage) is part of what is expected:
    /// of an archive, the mean difference of all rated games; of players, if the openings are by
    /// colour, half of what lies between the colours.
    ///
    /// What is found is ordered by its estimate: the difference, [shrunk](super::shrink) towards
    /// that of its family, which is itself shrunk towards that of all games of the colour. The
    /// [spread](super::Spread) of families is that of families with at least 20 rated games, the
    /// spread of openings within families that of the openings looked at. An opening whose family
    /// has fewer rated games is shrunk towards all. Where the estimate is on the other side of 0
    /// than the difference, the family speaks against what few games show, and nothing is found.
    #[must_use]
    pub fn new(openings: &Breakdown, families: &Breakdown, subject: Subject) -> Self {
        let advantage = openings.white_advantage(subject);
        Self::of_sides(openings, &Side::all(openings, families, advantage), advantage)
    }

    /// Those of them that are of this colour, if the openings of both are apart. They were looked
    /// at beside the others, by whose games as well it is known what is expected. The share of
    /// false ones is bounded among all findings, not among those of each colour.
    #[must_use]
    pub fn with_color(mut self, color: Color) -> Self {
        let name = color.to_string();
        for found in [&mut self.strengths, &mut self.weaknesses] {
            found.retain(|found| found.side.as_deref() == Some(&name));
        }
        self
    }

    /// The difference that an opening with this number of rated games would need to be found, were
    /// it the only one, from 0 to 1.
    #[must_use]
    pub fn detectable(&self, games: u64) -> f64 {
        let error = libm::sqrt(self.game_variance / games.max(1) as f64);
        deviate(FALSE_DISCOVERY_RATE / self.looked_at.max(1) as f64) * error
    }

    /// What is expected of a side besides what the ratings predict; without one, of White.
    #[must_use]
    pub fn advantage(&self, side: Option<Color>) -> f64 {
        signed(self.white_advantage, side == Some(Color::Black))
    }

    fn of_sides(openings: &Breakdown, sides: &[Side<'_>], white_advantage: f64) -> Self {
        let looked_at: Vec<Candidate<'_>> =
            sides.iter().flat_map(|side| side.candidates(openings.by.last())).collect();
        let p_values: Vec<f64> = looked_at.iter().map(|c| c.difference.p_value).collect();
        let found = discoveries(&p_values, FALSE_DISCOVERY_RATE);
        let variances = sides.iter().filter_map(Side::game_variance);
        let game_variance = variances.fold(0.0, f64::max);
        let looked = looked_at.len();
        let mut findings =
            Self { looked_at: looked, white_advantage, game_variance, ..Self::default() };
        for (candidate, _) in looked_at.into_iter().zip(found).filter(|(_, is_found)| *is_found) {
            match (candidate.difference.value, candidate.estimate) {
                (value, estimate) if value > 0.0 && estimate > 0.0 => &mut findings.strengths,
                (value, estimate) if value < 0.0 && estimate < 0.0 => &mut findings.weaknesses,
                _ => continue,
            }
            .push(Finding::new(&candidate));
        }
        findings.strengths.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        findings.weaknesses.sort_by(|a, b| a.estimate.total_cmp(&b.estimate));
        findings
    }

    /// Adds the commonest lines of each opening. `field` is that of the openings, and `counts` are
    /// of the same games, named by this catalogue.
    ///
    /// A line is that of the catalogue to the last named position of a game. This is known of each
    /// game anyway, and says where the games went: the moves that they were played in may be in
    /// another order, and what came after is on no list.
    ///
    /// # Panics
    ///
    /// If it is another catalogue.
    pub fn add_lines(&mut self, field: &GroupBy, counts: &LineCounts, catalogue: &Catalogue) {
        let groups = LineGroups::new(catalogue, field);
        for finding in self.strengths.iter_mut().chain(&mut self.weaknesses) {
            let side = finding.side.as_deref().map(|side| match side {
                "black" => Color::Black,
                _ => Color::White,
            });
            let games = counts.games(side);
            let of_opening = (0..games.len()).filter(|line| {
                games[*line] > 0 && groups.label(groups.id(*line)) == finding.opening
            });
            let mut lines: Vec<usize> = of_opening.collect();
            lines.sort_by_key(|line| std::cmp::Reverse(games[*line]));
            lines.truncate(MAX_LINES);
            let line =
                |line: usize| FindingLine { moves: moves(catalogue, line), games: games[line] };
            finding.lines = lines.into_iter().map(line).collect();
        }
    }
}

/// The moves of a line, or its position if it has none.
fn moves(catalogue: &Catalogue, line: usize) -> String {
    let line = &catalogue.lines()[line];
    let position = || catalogue.positions()[line.position].key.to_string();
    catalogue.movetext(line).unwrap_or_else(position)
}

impl Finding {
    fn new(found: &Candidate<'_>) -> Self {
        let Candidate { side, group, difference, estimate } = *found;
        let baseline = Baseline { all: &side.all, advantage: side.advantage };
        Self {
            side: side.name.clone(),
            opening: group.values().next_back().map(GroupValue::to_text).unwrap_or_default(),
            name: group.name().unwrap_or_default().to_owned(),
            english: group.english().map(str::to_owned),
            lines: Vec::new(),
            figures: baseline.figures(group.tally()),
            difference,
            estimate,
            examples: group.examples().cloned().unwrap_or_default(),
        }
    }
}

/// The groups of one colour, or all if colours are not apart.
struct Side<'b> {
    name: Option<String>,
    openings: Vec<Group<'b>>,
    families: Vec<Group<'b>>,
    /// All games.
    all: Tally,
    /// What is expected besides what the ratings predict.
    advantage: f64,
}

/// An opening that is looked at.
struct Candidate<'s> {
    side: &'s Side<'s>,
    group: Group<'s>,
    difference: Difference,
    estimate: f64,
}

impl<'b> Side<'b> {
    fn all(openings: &'b Breakdown, families: &'b Breakdown, white_advantage: f64) -> Vec<Self> {
        let is_by_color = openings.by.first() == Some(&GroupBy::Color);
        let name = |group: Group<'_>| is_by_color.then(|| group.value(0).to_text());
        let mut sides: BTreeMap<Option<String>, [Vec<Group<'_>>; 2]> = BTreeMap::new();
        for (place, breakdown) in [openings, families].into_iter().enumerate() {
            for group in breakdown.groups() {
                sides.entry(name(group)).or_default()[place].push(group);
            }
        }
        // White comes first.
        let sides = sides.into_iter().rev().map(|(name, [openings, families])| {
            let all = sum(openings.iter().map(|group| group.counted));
            let advantage = signed(white_advantage, name.as_deref() == Some("black"));
            Self { name, openings, families, all, advantage }
        });
        sides.collect()
    }

    fn candidates(&self, field: Option<&GroupBy>) -> Vec<Candidate<'_>> {
        let differences = self.openings.iter().filter_map(|group| {
            let difference = self.difference(*group)?;
            Some((*group, difference))
        });
        let differences: Vec<(Group<'_>, Difference)> = differences.collect();
        let families = self.families();
        let mut within: BTreeMap<&str, Vec<Estimate>> = BTreeMap::new();
        for (group, difference) in &differences {
            let family = group.family().unwrap_or_default();
            within.entry(family).or_default().push(estimate(difference));
        }
        let mut spread = Spread::default();
        within.values().for_each(|estimates| spread.add(estimates));
        let spread = spread.variance();
        let is_family = field == Some(&GroupBy::Family);
        let overall = self.overall();
        let candidate = |(group, difference): (Group<'b>, Difference)| {
            let family = group.family().and_then(|family| families.get(family));
            let towards = family.copied().unwrap_or(overall);
            let estimate = match is_family {
                true => towards,
                false => shrink(estimate(&difference), towards, spread),
            };
            Candidate { side: self, group, difference, estimate }
        };
        differences.into_iter().map(candidate).collect()
    }

    /// The families with enough rated games, shrunk towards all.
    fn families(&self) -> BTreeMap<String, f64> {
        let found = self.families.iter().filter_map(|group| {
            let difference = self.difference(*group)?;
            Some((group.values().next_back()?.to_text(), estimate(&difference)))
        });
        let found: Vec<(String, Estimate)> = found.collect();
        let mut spread = Spread::default();
        let estimates: Vec<Estimate> = found.iter().map(|(_, estimate)| *estimate).collect();
        spread.add(&estimates);
        let overall = self.overall();
        let shrunk = |(name, e): (String, Estimate)| (name, shrink(e, overall, spread.variance()));
        found.into_iter().map(shrunk).collect()
    }

    /// The difference of a group with an opening and enough rated games.
    fn difference(&self, group: Group<'_>) -> Option<Difference> {
        group.name()?;
        self.beyond(group.tally()).filter(|found| found.games >= MIN_RATED)
    }

    /// The difference of all games.
    fn overall(&self) -> f64 {
        self.beyond(&self.all).map_or(0.0, |all| all.value)
    }

    fn game_variance(&self) -> Option<f64> {
        self.beyond(&self.all).map(|all| all.variance * all.games as f64)
    }

    fn beyond(&self, tally: &Tally) -> Option<Difference> {
        Difference::beyond(self.advantage, tally, &self.all)
    }
}

fn estimate(difference: &Difference) -> Estimate {
    Estimate { value: difference.value, variance: difference.variance }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{
        breakdown::CountedGroup, expected_score, openings::OpeningNames, tally::Sample,
    };

    /// A generator of numbers that look like chance, the same on every machine: xorshift64*.
    struct Chance(u64);

    impl Chance {
        /// From 0 to 1.
        fn share(&mut self) -> f64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn below(&mut self, end: usize) -> usize {
            (self.share() * end as f64) as usize
        }
    }

    /// A game whose result is drawn from the ratings, and from `bonus`, which is no rating.
    fn game(chance: &mut Chance, bonus: f64) -> Sample {
        let (own, other) = (1600 + chance.below(600) as u16, 1600 + chance.below(600) as u16);
        let expected = (expected_score(i32::from(own) - i32::from(other)) + bonus).clamp(0.0, 1.0);
        // The better the balance, the more draws.
        let draw = expected.min(1.0 - expected) * 0.8;
        let half_points = match chance.share() {
            share if share < draw => 1,
            share if share < expected + draw / 2.0 => 2,
            _ => 0,
        };
        Sample { half_points: Some(half_points), ratings: Some((own, other)), ..Sample::default() }
    }

    type Group = (Vec<GroupValue>, CountedGroup);

    fn group(name: String, family: &str, tally: Tally) -> Group {
        let values = vec![GroupValue::text(&name)];
        let names =
            OpeningNames { name: Some(name), english: None, family: Some(family.to_owned()) };
        (values, CountedGroup { tally, names: Some(names.into()), ..CountedGroup::default() })
    }

    /// Where results come from.
    #[derive(Debug, Clone, Copy)]
    struct World {
        subject: Subject,
        openings: usize,
        /// What White scores in each game beyond expectation.
        advantage: f64,
        /// What every fourth opening scores beyond that, and as many others less.
        bonus: f64,
    }

    impl World {
        const PLAYER: Self =
            Self { subject: Subject::Players, openings: 60, advantage: 0.0, bonus: 0.0 };
        const ARCHIVE: Self =
            Self { subject: Subject::Archive, openings: 60, advantage: 0.05, bonus: 0.0 };

        /// What an opening scores beyond all others.
        fn bonus(self, place: usize) -> f64 {
            match place % 4 {
                1 => -self.bonus,
                3 => self.bonus,
                _ => 0.0,
            }
        }
    }

    /// Openings of ten games and more in families of five.
    fn archive(world: World, chance: &mut Chance) -> [Breakdown; 2] {
        let (mut groups, mut families) = (Vec::new(), Vec::<Group>::new());
        for place in 0..world.openings {
            let mut tally = Tally::default();
            for _ in 0..10 + chance.below(150) {
                tally.add(&game(chance, world.advantage + world.bonus(place)));
            }
            let family = family_of(place);
            if place % 5 == 0 {
                families.push(group(family.clone(), &family, Tally::default()));
            }
            families.last_mut().unwrap().1.tally.merge(&tally);
            groups.push(group(format!("opening {place}"), &family, tally));
        }
        [
            Breakdown::of_values(vec![GroupBy::Variation], groups),
            Breakdown::of_values(vec![GroupBy::Family], families),
        ]
    }

    fn simulated(world: World, chance: &mut Chance) -> Findings {
        let [openings, families] = archive(world, chance);
        Findings::new(&openings, &families, world.subject)
    }

    fn family_of(place: usize) -> String {
        format!("family {:02}", place / 5)
    }

    /// The place of an opening in the simulation.
    fn place(finding: &Finding) -> usize {
        finding.opening.rsplit(' ').next().unwrap().parse().unwrap()
    }

    /// The mean share of false findings in many archives, and the number of true ones.
    fn false_share(runs: u32, world: World) -> (f64, usize) {
        let mut chance = Chance(15);
        let (mut shares, mut right) = (0.0, 0);
        for _ in 0..runs {
            let findings = simulated(world, &mut chance);
            let count = findings.strengths.len() + findings.weaknesses.len();
            let strong = findings.strengths.iter().filter(|found| world.bonus(place(found)) > 0.0);
            let weak = findings.weaknesses.iter().filter(|found| world.bonus(place(found)) < 0.0);
            let found = strong.count() + weak.count();
            right += found;
            shares += (count - found) as f64 / count.max(1) as f64;
        }
        (shares / f64::from(runs), right)
    }

    #[test]
    fn of_results_drawn_from_ratings_few_archives_have_findings() {
        let runs = 60;
        // The standard error of the share in so few archives.
        let error = (FALSE_DISCOVERY_RATE * (1.0 - FALSE_DISCOVERY_RATE) / f64::from(runs)).sqrt();
        for world in [World::PLAYER, World::ARCHIVE] {
            let (share, _) = false_share(runs, world);
            assert!(share <= FALSE_DISCOVERY_RATE + 2.0 * error, "{share} of {world:?}");
        }
    }

    #[test]
    fn the_advantage_of_white_is_found_and_is_no_finding() {
        let findings = simulated(World::ARCHIVE, &mut Chance(3));
        assert!((findings.white_advantage - 0.05).abs() < 0.015, "{}", findings.white_advantage);
        assert_eq!(findings.strengths.len() + findings.weaknesses.len(), 0);
        // Against the ratings alone there are strengths, as for a player who has that advantage in
        // all games.
        let world = World { subject: Subject::Players, ..World::ARCHIVE };
        let findings = simulated(world, &mut Chance(3));
        assert_eq!(findings.white_advantage, 0.0);
        assert!(findings.strengths.len() > 8, "{}", findings.strengths.len());
    }

    /// Openings by colour of a player who has an advantage with White, and as much less with
    /// Black.
    fn by_color(games: [usize; 2], advantage: f64, chance: &mut Chance) -> [Breakdown; 2] {
        let (mut groups, mut families) = (Vec::new(), Vec::<Group>::new());
        for (color, name, bonus) in [(0, "black", -advantage), (1, "white", advantage)] {
            let color_value = || GroupValue::text(name);
            for place in 0..games[color] / 40 {
                let mut tally = Tally::default();
                (0..40).for_each(|_| tally.add(&game(chance, bonus)));
                let family = family_of(place);
                let of = |name: String, tally: Tally| {
                    let values = vec![color_value(), GroupValue::text(&name)];
                    (values, group(name, &family, tally).1)
                };
                if place % 5 == 0 {
                    families.push(of(family.clone(), Tally::default()));
                }
                families.last_mut().unwrap().1.tally.merge(&tally);
                groups.push(of(format!("opening {place}"), tally));
            }
        }
        [
            Breakdown::of_values(vec![GroupBy::Color, GroupBy::Variation], groups),
            Breakdown::of_values(vec![GroupBy::Color, GroupBy::Family], families),
        ]
    }

    #[test]
    fn the_colour_of_a_player_is_no_finding() {
        let mut chance = Chance(7);
        let mut with_findings = 0;
        for _ in 0..20 {
            let [openings, families] = by_color([3000, 2000], 0.06, &mut chance);
            let findings = Findings::new(&openings, &families, Subject::Players);
            assert!((findings.white_advantage - 0.06).abs() < 0.03, "{}", findings.white_advantage);
            let count = findings.strengths.len() + findings.weaknesses.len();
            with_findings += usize::from(count > 0);
        }
        assert!(with_findings <= 5, "{with_findings} of 20 players have findings");
        // Of one colour there is nothing to compare with.
        let [openings, families] = by_color([0, 2000], 0.06, &mut chance);
        let findings = Findings::new(&openings, &families, Subject::Players);
        assert_eq!(findings.white_advantage, 0.0);
        // Nor if one has few games.
        let [openings, families] = by_color([400, 2000], 0.06, &mut chance);
        let findings = Findings::new(&openings, &families, Subject::Players);
        assert_eq!(findings.white_advantage, 0.0);
    }

    #[test]
    fn findings_of_one_colour_are_those_beside_the_other() {
        let mut chance = Chance(9);
        let [mut openings, families] = by_color([4000, 4000], 0.06, &mut chance);
        // Two openings that are won, and one that is lost, with each colour.
        for (place, bonus) in [(3, 0.3), (7, 0.3), (12, -0.3), (103, 0.3), (107, 0.3), (112, -0.3)]
        {
            (0..200).for_each(|_| openings.groups[place].tally.add(&game(&mut chance, bonus)));
        }
        let both = Findings::new(&openings, &families, Subject::Players);
        assert!(both.strengths.len() >= 4 && both.weaknesses.len() >= 2, "{both:?}");
        let [white, black] = Color::ALL.map(|color| both.clone().with_color(color));
        for (whole, parts) in [
            (&both.strengths, [&white.strengths, &black.strengths]),
            (&both.weaknesses, [&white.weaknesses, &black.weaknesses]),
        ] {
            assert!(parts.iter().all(|part| !part.is_empty()));
            assert_eq!(parts.map(Vec::len).iter().sum::<usize>(), whole.len());
            assert!(parts.iter().all(|part| part.iter().all(|found| whole.contains(found))));
        }
        assert_eq!([white.looked_at, black.looked_at], [both.looked_at; 2]);
        let expected = [both.white_advantage, -both.white_advantage];
        for (part, advantage) in [white, black].iter().zip(expected) {
            for found in part.strengths.iter().chain(&part.weaknesses) {
                assert_eq!(found.difference.advantage, advantage);
                assert_eq!(found.figures.difference, Some(found.difference));
            }
        }
    }

    #[test]
    fn of_findings_few_are_false_and_true_ones_are_found() {
        for world in [World::PLAYER, World::ARCHIVE] {
            let (share, found) = false_share(20, World { bonus: 0.15, ..world });
            assert!(share <= FALSE_DISCOVERY_RATE, "{share} of {world:?}");
            assert!(found > 20 * 30 / 2, "{found} of {world:?}");
        }
    }

    #[test]
    #[ignore = "takes minutes without optimization"]
    fn of_results_drawn_from_ratings_few_archives_have_findings_at_large() {
        for (openings, bonus) in [(20, 0.0), (200, 0.0), (200, 0.1), (200, 0.2)] {
            for world in [World::PLAYER, World::ARCHIVE] {
                let world = World { openings, bonus, ..world };
                let (share, _) = false_share(1000, world);
                assert!(share <= FALSE_DISCOVERY_RATE, "{share} of {world:?}");
            }
        }
    }

    #[test]
    fn estimates_are_nearer_to_their_families_than_the_differences_are() {
        let world = World { openings: 100, bonus: 0.2, ..World::ARCHIVE };
        let [openings, families] = archive(world, &mut Chance(7));
        let findings = Findings::new(&openings, &families, world.subject);
        let sides = Side::all(&openings, &families, findings.white_advantage);
        let [side] = &sides[..] else { panic!("colours are together") };
        let values = side.families();
        assert!(findings.strengths.len() > 10, "{}", findings.strengths.len());
        assert!(findings.strengths.is_sorted_by(|a, b| a.estimate >= b.estimate));
        for finding in findings.strengths.iter().chain(&findings.weaknesses) {
            let family = values[&family_of(place(finding))];
            let difference = finding.difference.value - family;
            let estimate = finding.estimate - family;
            assert!(estimate.abs() < difference.abs(), "{family}: {finding:?}");
            assert!(estimate * difference >= 0.0, "beyond {family}: {finding:?}");
        }
    }
}
