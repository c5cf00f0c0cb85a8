//! What `eco stats --strengths` and `--weaknesses` promise, held against made archives whose
//! results come from known causes.
//!
//! `cargo test --test it -- worlds --ignored --nocapture` prints the tables of docs/measurements.md.

use std::collections::BTreeMap;

use eco::catalogue::Catalogue;
use eco::chess::Color;
use eco::classify::Classifier;
use eco::pgn::games;
use eco::stats::{
    Counter, Difference, Finding, Findings, GroupBy, Grouping, Perspective, ScoredGame, Subject,
    discoveries,
};

/// Numbers that look like chance, the same on every machine: xorshift64*.
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

    /// Of mean 0 and deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>() - 6.0
    }
}

/// Where results come from.
#[derive(Debug, Clone, Copy)]
struct World {
    name: &'static str,
    subject: Subject,
    games: usize,
    /// Rating points that White is worth.
    white: f64,
    /// What a point of rating difference is worth.
    slope: f64,
    /// Rating points that the player is above the own rating at the end, and at the beginning.
    lag: [f64; 2],
    /// The deviation of the errors of the others' ratings.
    error: f64,
    /// The deviation of the points that a day is worth.
    day: f64,
    /// The points of some games, and which.
    planted: f64,
    level: Level,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Variation,
    Family,
    FirstMove,
    Color,
    Speed,
    Hour,
    Season,
}

const PLAYER: World = World {
    name: "the ratings alone",
    subject: Subject::Players,
    games: 2000,
    white: 0.0,
    slope: 1.0,
    lag: [0.0; 2],
    error: 0.0,
    day: 0.0,
    planted: 0.0,
    level: Level::Variation,
};

const ARCHIVE: World =
    World { name: "an archive: the ratings alone", subject: Subject::Archive, ..PLAYER };

const NULL: [World; 10] = [
    PLAYER,
    World { name: "White is worth 35 rating points", white: 35.0, ..PLAYER },
    World { name: "the rating lags by 20 points", white: 20.0, lag: [20.0; 2], ..PLAYER },
    World { name: "the rating lags by 60 points", white: 20.0, lag: [60.0; 2], ..PLAYER },
    World { name: "the lag grows from -20 to 60", white: 20.0, lag: [60.0, -20.0], ..PLAYER },
    World { name: "errors of 80 points in ratings", white: 20.0, error: 80.0, ..PLAYER },
    World { name: "days that are worth 10 points", white: 20.0, day: 0.1, ..PLAYER },
    ARCHIVE,
    World { name: "an archive: White 35, slope 0.8", white: 35.0, slope: 0.8, ..ARCHIVE },
    World { name: "an archive: errors of 80 points", white: 35.0, error: 80.0, ..ARCHIVE },
];

/// A game of a world, with the values that questions are asked about.
struct Played {
    line: usize,
    color: Color,
    speed: &'static str,
    hour: usize,
    day: usize,
    is_planted: bool,
    /// The points beyond what the ratings predict, and the variance of that.
    above: f64,
    variance: f64,
}

/// A line that is played, with its family and its variation.
struct Line {
    family: String,
    variation: String,
    moves: String,
}

const FAMILIES: usize = 10;
const VARIATIONS: usize = 3;

/// The first variations of families, of which each has some. The player has those of even families
/// with White, the others with Black.
fn lines(catalogue: &Catalogue) -> Vec<Line> {
    let mut families = BTreeMap::<&str, BTreeMap<&str, String>>::new();
    for line in catalogue.lines() {
        let (family, variation) = (line.opening.family(), line.opening.variation());
        if let (false, Some(moves)) = (variation.is_empty(), catalogue.movetext(line)) {
            families.entry(family).or_default().entry(variation).or_insert(moves);
        }
    }
    let mut families: Vec<_> = families.into_iter().collect();
    families.sort_by_key(|(_, variations)| std::cmp::Reverse(variations.len()));
    let of_family = |(family, variations): (&str, BTreeMap<&str, String>)| -> Vec<Line> {
        let line = |(variation, moves): (&str, String)| Line {
            family: family.to_owned(),
            variation: format!("{family}: {variation}"),
            moves,
        };
        variations.into_iter().take(VARIATIONS).map(line).collect()
    };
    families.into_iter().take(FAMILIES).flat_map(of_family).collect()
}

const SPEEDS: [(&str, &str); 3] = [("blitz", "180+2"), ("bullet", "60+0"), ("rapid", "600+5")];
const DAYS: usize = 360;

impl World {
    /// Whether a game is of those that are worth more or less. It is the place in a list of equals
    /// that varies from archive to archive.
    fn has_planted(&self, game: &Played, lines: &[Line], place: usize) -> bool {
        let planted = place % lines.len();
        match self.level {
            Level::Variation => game.line == planted,
            Level::Family => game.line / VARIATIONS == planted / VARIATIONS,
            Level::FirstMove => {
                let first = |line: usize| lines[line].moves.split(' ').nth(1);
                game.color == Color::White && first(game.line) == Some("e4")
            }
            Level::Color => game.color == Color::White,
            Level::Speed => game.speed == SPEEDS[0].0,
            Level::Hour => game.hour == 12 + place % 12,
            Level::Season => game.day / 12 % 12 / 3 == place % 4,
        }
    }

    /// An archive: its games, and the same as PGN.
    fn archive(&self, lines: &[Line], place: usize, chance: &mut Chance) -> (Vec<Played>, String) {
        let (mut played, mut pgn) = (Vec::new(), String::new());
        let errors: Vec<f64> = (0..300).map(|_| chance.normal() * self.error).collect();
        let days: Vec<f64> = (0..DAYS).map(|_| chance.normal() * self.day).collect();
        let sign = if place.is_multiple_of(2) { 1.0 } else { -1.0 };
        // Some openings are played more often than others.
        let of_color = lines.len() / 2;
        let order: Vec<usize> = (0..of_color).map(|_| chance.below(1000)).collect();
        let mut picked: Vec<usize> = (0..of_color).collect();
        picked.sort_by_key(|n| order[*n]);
        for number in 0..self.games {
            let color = if number % 2 == 0 { Color::White } else { Color::Black };
            let day = number * DAYS / self.games;
            let skewed = (chance.share().powf(1.5) * of_color as f64) as usize;
            let (one, other) = (chance.below(300), chance.below(300));
            let mut choice = picked[skewed];
            if self.subject == Subject::Archive && chance.share() < 0.5 {
                // Half of the games of White are in the same opening.
                choice = one % of_color;
            }
            let side = usize::from(color.is_black());
            let line = (2 * (choice / VARIATIONS) + side) * VARIATIONS + choice % VARIATIONS;
            let time = chance.below(20);
            let (speed, control) = SPEEDS[[0, 0, 0, 1, 2][time % 5]];
            let hour = 12 + chance.below(12);
            let (above, variance) = (0.0, 0.0);
            let mut game =
                Played { line, color, speed, hour, day, is_planted: false, above, variance };
            game.is_planted = self.planted != 0.0 && self.has_planted(&game, lines, place);
            let (own, opponent) = (1900.0, 1900.0 + (chance.normal() * 120.0).round());
            let own_error = match self.subject {
                Subject::Archive => errors[one],
                Subject::Players => {
                    let past = day as f64 / DAYS as f64;
                    self.lag[0] * past + self.lag[1] * (1.0 - past)
                }
            };
            let is_white = self.subject == Subject::Archive || color.is_white();
            let first = if is_white { self.white } else { -self.white };
            let gap = self.slope * (own - opponent) + own_error - errors[other] + first;
            let bonus = if game.is_planted { sign * self.planted } else { 0.0 } + days[day];
            let predicted = 1.0 / (1.0 + 10_f64.powf(-gap / 400.0));
            let expected = (predicted + bonus).clamp(0.01, 0.99);
            let draw = expected.min(1.0 - expected) * 0.6;
            let points = match chance.share() {
                share if share < draw => 1,
                share if share < expected + draw / 2.0 => 2,
                _ => 0,
            };
            game.above = f64::from(points) / 2.0 - predicted;
            game.variance = expected - draw / 4.0 - expected * expected;
            let result = match (points, is_white) {
                (1, _) => "1/2-1/2",
                (2, true) | (0, false) => "1-0",
                _ => "0-1",
            };
            let me = match self.subject {
                Subject::Archive => format!("P{one}"),
                Subject::Players => "Me".to_owned(),
            };
            let (mut names, mut elos) = ([me, format!("P{other}")], [own, opponent]);
            if !is_white {
                names.reverse();
                elos.reverse();
            }
            // Thirty months of twelve days.
            let (month, of_month) = (day / 12, 1 + day % 12 * 2);
            let date = format!("{}.{:02}.{of_month:02}", 2020 + month / 12, 1 + month % 12);
            pgn += &format!(
                "[White \"{}\"]\n[Black \"{}\"]\n[Date \"{date}\"]\n[UTCTime \"{hour}:10:00\"]\n\
                 [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[TimeControl \"{control}\"]\n\
                 [Result \"{result}\"]\n\n{} {result}\n\n",
                names[0], names[1], elos[0], elos[1], lines[line].moves
            );
            played.push(game);
        }
        (played, pgn)
    }
}

/// What is listed: what was asked, the colour, the value and whether it is above expectation.
type Listed = (String, Option<Color>, String, bool);

fn listed(findings: &Findings) -> Vec<Listed> {
    let one = |found: &Finding| {
        (found.question.clone(), found.color(), found.value.clone(), found.estimate > 0.0)
    };
    findings.strengths.iter().chain(&findings.weaknesses).map(one).collect()
}

/// What is found by variations alone, each against the ratings and the colour, as most programs do.
fn of_variations(counter: Counter, catalogue: &Catalogue, subject: Subject) -> Vec<Listed> {
    let counted = counter.finish(catalogue);
    let openings = &counted.breakdowns[0];
    let color = |name: String| if name == "black" { Color::Black } else { Color::White };
    let mean = |wanted: Color| {
        let groups = openings.groups().filter(|group| color(group.value(0).to_text()) == wanted);
        let mut all = eco::stats::Tally::default();
        groups.for_each(|group| all.merge(group.tally()));
        Difference::new(&all, &all).map_or(0.0, |found| found.value)
    };
    let advantage = match subject {
        Subject::Archive => mean(Color::White),
        Subject::Players => (mean(Color::White) - mean(Color::Black)) / 2.0,
    };
    let looked_at: Vec<_> = openings
        .groups()
        .filter(|group| group.tally().rated() >= 20)
        .filter_map(|group| {
            let color = color(group.value(0).to_text());
            let advantage = if color.is_white() { advantage } else { -advantage };
            let found = Difference::beyond(advantage, group.tally(), &openings.all)?;
            Some((color, group.value(1).to_text(), found))
        })
        .collect();
    let p_values: Vec<f64> = looked_at.iter().map(|(_, _, found)| found.p_value).collect();
    let found = looked_at.into_iter().zip(discoveries(&p_values, 0.1)).filter(|(_, found)| *found);
    found
        .map(|((color, value, found), _)| {
            let color = (subject == Subject::Players).then_some(color);
            ("variation".to_owned(), color, value, found.value > 0.0)
        })
        .collect()
}

/// How much the games of each variation speak for a difference of these points in it, to one who
/// knows what to expect of each game: by the deviate, and by the logarithm of the ratio of
/// likelihoods for the direction that they have.
fn evidence(games: &[Played], points: f64) -> Vec<[f64; 2]> {
    let mut sums = vec![[0.0; 3]; FAMILIES * VARIATIONS];
    for game in games {
        let more = [1.0, game.above, game.variance];
        sums[game.line].iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    let of = |[count, above, variance]: [f64; 3]| {
        let ratio = points * count / variance * (above.abs() - points * count / 2.0);
        [above / variance.sqrt(), ratio]
    };
    sums.into_iter().map(of).collect()
}

/// The share of archives in which one who knows what to expect of each game, and by how much one
/// variation differs, finds it, if one null archive in ten has a finding: by each kind of evidence.
fn bounds(points: f64, archives: usize) -> [f64; 2] {
    let lines = lines(Catalogue::builtin());
    let mut chance = Chance(1975);
    let world = World { white: 20.0, ..PLAYER };
    let mut most = [Vec::new(), Vec::new()];
    for place in 0..archives {
        let (games, _) = world.archive(&lines, place, &mut chance);
        for (kind, most) in most.iter_mut().enumerate() {
            let all = evidence(&games, points).into_iter();
            let strengths = all.map(|[deviate, ratio]| [deviate.abs(), ratio][kind]);
            most.push(strengths.fold(f64::NEG_INFINITY, f64::max));
        }
    }
    most.iter_mut().for_each(|most| most.sort_by(f64::total_cmp));
    let limits = most.map(|most| most[archives * 9 / 10]);
    let mut found = [0.0; 2];
    for place in 0..archives {
        let planted = World { planted: points, ..world };
        let (games, _) = planted.archive(&lines, place, &mut chance);
        let [deviate, ratio] = evidence(&games, points)[place % lines.len()];
        let is_right = (deviate > 0.0) == place.is_multiple_of(2);
        for ((found, strength), limit) in found.iter_mut().zip([deviate.abs(), ratio]).zip(limits) {
            *found += f64::from(u8::from(is_right && strength > limit)) / archives as f64;
        }
    }
    found
}

#[test]
#[ignore = "prints a table"]
fn table_of_bounds_for_one_variation() {
    println!("| points | by the deviate | by the ratio of likelihoods |");
    println!("| --- | --- | --- |");
    for points in [4_u32, 8, 15] {
        let [deviate, ratio] = bounds(f64::from(points) / 100.0, 3000).map(|share| 100.0 * share);
        println!("| {points} | {deviate:.1} % | {ratio:.1} % |");
    }
}

/// How many archives have a false finding, the sum of the shares of false findings, and how many
/// archives name what was planted.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    false_archives: usize,
    false_share: f64,
    found: usize,
}

impl Outcome {
    /// A finding is true if games of what was planted are far more or far less among its games than
    /// among all, and names it if hardly any other games are, and no small part of these.
    fn add(&mut self, listed: &[Listed], lines: &[Line], games: &[Played], sign: bool) {
        let count = |games: &mut dyn Iterator<Item = &Played>| {
            games.fold([0.0, 0.0], |[all, planted], game| {
                [all + 1.0, planted + f64::from(u8::from(game.is_planted))]
            })
        };
        let [all, planted] = count(&mut games.iter());
        let is_of = |game: &Played, (question, color, value, _): &Listed| {
            let line = &lines[game.line];
            color.is_none_or(|color| color == game.color)
                && match &**question {
                    "family" => line.family == *value,
                    "variation" => line.variation == *value,
                    "first_moves" => line.moves.starts_with(&**value),
                    "color" => game.color.to_string() == *value,
                    "speed" => game.speed == value,
                    "time_control" => SPEEDS.contains(&(game.speed, value)),
                    "hour" => game.hour.to_string() == *value,
                    "season" => {
                        value.starts_with(["Jan", "Apr", "Jul", "Oct"][game.day / 12 % 12 / 3])
                    }
                    _ => false,
                }
        };
        let (mut wrong, mut is_named) = (0, false);
        for found in listed {
            let [its, of_them] = count(&mut games.iter().filter(|game| is_of(game, found)));
            wrong += usize::from((of_them / its - planted / all).abs() < 0.25);
            is_named |= of_them > 0.8 * its && of_them > 0.3 * planted && found.3 == sign;
        }
        self.false_archives += usize::from(wrong > 0);
        self.false_share += wrong as f64 / listed.len().max(1) as f64;
        self.found += usize::from(is_named);
    }
}

/// What is found in this number of archives, by variations alone and by all questions.
fn outcomes(world: &World, archives: usize) -> [Outcome; 2] {
    let catalogue = Catalogue::builtin();
    let classifier = Classifier::new(catalogue);
    let lines = lines(catalogue);
    let mut chance = Chance(2026);
    let mut outcomes = [Outcome::default(); 2];
    for place in 0..archives {
        let (played, pgn) = world.archive(&lines, place, &mut chance);
        let by_color = Grouping::new(vec![GroupBy::Color, GroupBy::Variation]);
        let mut variations = Counter::new(catalogue, &[by_color]);
        let mut all = Counter::for_findings(catalogue, world.subject, &[]);
        for (game, played) in games(pgn.as_bytes()).zip(&played) {
            let scored = ScoredGame::read(&classifier, &game);
            let sides = match world.subject {
                Subject::Archive => [Color::White],
                Subject::Players => [played.color],
            };
            variations.add(&scored, None, "", Perspective::Players(&sides));
            let perspective = match world.subject {
                Subject::Archive => Perspective::Everybody,
                Subject::Players => Perspective::Players(&sides),
            };
            all.add(&scored, None, "", perspective);
        }
        let listed = [
            of_variations(variations, catalogue, world.subject),
            listed(&all.finish(catalogue).findings.unwrap()),
        ];
        for (outcome, listed) in outcomes.iter_mut().zip(&listed) {
            outcome.add(listed, &lines, &played, place % 2 == 0);
        }
    }
    outcomes
}

#[test]
fn null_worlds_have_few_findings_and_planted_effects_are_found() {
    for world in NULL {
        let [_, new] = outcomes(&world, 10);
        // Of 10 archives with one in ten, more than 4 come once in 600 times.
        assert!(new.false_archives <= 4, "{new:?} of {world:?}");
    }
    for level in [Level::Family, Level::Speed, Level::FirstMove] {
        let [_, new] = outcomes(&World { planted: 0.15, level, white: 35.0, ..PLAYER }, 4);
        assert!(new.found >= 3, "{new:?} of {level:?}");
    }
}

#[test]
#[ignore = "takes minutes, and prints a page"]
fn table_of_worlds() {
    const ARCHIVES: usize = 200;
    let percent = |count: usize| 100.0 * count as f64 / ARCHIVES as f64;
    println!("| world | archives with a finding: by variations alone | by all questions |");
    println!("| --- | --- | --- |");
    for world in NULL {
        let [old, new] = outcomes(&world, ARCHIVES);
        let [old, new] = [old, new].map(|found| percent(found.false_archives));
        println!("| {} | {old:.1} % | {new:.1} % |", world.name);
    }
    println!();
    println!(
        "| planted | points | found: by variations alone | by all questions | false findings |"
    );
    println!("| --- | --- | --- | --- | --- |");
    for (level, name) in [
        (Level::Variation, "in one of 30 variations"),
        (Level::Family, "in one of 10 families"),
        (Level::FirstMove, "in 1. e4"),
        (Level::Color, "with White"),
        (Level::Speed, "in blitz"),
        (Level::Hour, "in one of 12 hours"),
        (Level::Season, "in one season"),
    ] {
        for points in [4_u32, 8, 15] {
            let planted = f64::from(points) / 100.0;
            let [old, new] = outcomes(&World { planted, level, white: 20.0, ..PLAYER }, ARCHIVES);
            let share = 100.0 * new.false_share / ARCHIVES as f64;
            let [old, new] = [old, new].map(|found| percent(found.found));
            println!("| {name} | {points} | {old:.1} % | {new:.1} % | {share:.1} % |");
        }
    }
}
