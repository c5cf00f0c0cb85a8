//! What stands out: values of questions whose games score away from expectation, with good reason
//! to believe so.
//!
//! `docs/stats.md` describes the method, and `tests/it/worlds.rs` holds what it promises.

use std::{collections::BTreeMap, ptr, sync::Arc};

use hashbrown::HashMap;

use super::difference::{Difference, Interval, Z_95, deviate, two_sided};
use super::expectation::{Bin, POINT, Step, expected_units, fit, limited, logistic};
use super::game::Examples;
use super::grouping::{GroupBy, Subject};
use super::inference::{Estimate, FALSE_DISCOVERY_RATE, MIN_RATED, Spread, shrink};
use super::key::{GroupValue, NONE};
use super::ledger::{Ledger, RatedGame};
use super::openings::{LineCounts, LineGroups, OpeningNames};
use crate::chess::{Color, Language};
use crate::{catalogue::Catalogue, executor::Executor};

/// The most lines that a finding has.
const MAX_LINES: usize = 3;

/// The rating points that White is worth in the games of a player, at most. In large archives it is
/// 10 to 40: what lies beyond is the player's.
const MOST_FOR_WHITE: f64 = 40.0;

/// Nothing is known of these parameters of a fit but that they are rating points, or a share.
const ANY_POINTS: (f64, f64) = (0.0, 200.0);
const ANY_SHARE: (f64, f64) = (0.0, 0.5);

/// What is known as well as it can be.
const KNOWN: f64 = 1e-6;

/// A value of a question whose games score away from expectation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What was asked: `family`, `hour`.
    pub question: String,
    /// The colour, if it is a question about openings or first moves of players: `white` or
    /// `black`.
    pub side: Option<String>,
    /// What the games have in common.
    pub value: String,
    /// Of openings, the name of the catalogue's shortest line.
    pub name: Option<String>,
    /// The opening in English, if the catalogue is in another language.
    #[serde(rename = "opening_en", skip_serializing_if = "Option::is_none")]
    pub english: Option<String>,
    /// Of openings the commonest lines, at most three.
    pub lines: Vec<FindingLine>,
    /// The difference of score and expectation.
    pub difference: Difference,
    /// The difference of the score and what the ratings alone predict, from -1 to 1.
    pub against_ratings: f64,
    /// The commonest other value of the question, if it was looked at.
    pub instead: Option<Alternative>,
    /// How far the games are from all others, less what was found before, shrunk towards 0.
    pub estimate: f64,
    /// The least false discovery rate at which it is found.
    pub q: f64,
    /// Games to look at.
    pub examples: Examples,
    #[serde(skip)]
    field: GroupBy,
}

/// What was the case in other games.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Alternative {
    /// What they have in common.
    pub value: String,
    /// The number of those with ratings and result.
    pub games: u64,
    /// The difference of their score and expectation.
    pub difference: f64,
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

/// What is expected besides the ratings, in rating points.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Level {
    /// What White has more than Black has less; of an archive, what White has.
    pub white: f64,
    /// Of players, how far they are above their ratings on the whole.
    pub own: f64,
    /// Of an archive, what a point of rating difference is worth.
    pub slope: f64,
}

/// The values of questions whose games score away from expectation.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Findings {
    /// The number of values that had enough rated games to be looked at.
    pub looked_at: usize,
    /// One game in this number was looked at, chosen by its hash; 1 if all were.
    pub one_in: u64,
    /// What was expected besides the ratings.
    pub level: Level,
    /// The variance of the result of one game around what is expected of it.
    #[serde(skip)]
    pub game_variance: f64,
    /// The error that one more finding may have for each of its games, if it is of the question
    /// that divides the games most.
    #[serde(skip)]
    error_per_game: f64,
    /// Where the score is above expectation, the greatest estimate first.
    pub strengths: Vec<Finding>,
    /// Where it is below, the least estimate first.
    pub weaknesses: Vec<Finding>,
}

impl Findings {
    /// What stands out in these games. `lines` are the lines of the catalogue that named them, or
    /// some more.
    pub(super) fn of(
        ledger: &Ledger,
        lines: &LineCounts,
        catalogue: &Catalogue,
        executor: &impl Executor,
    ) -> Self {
        let (level, expected) = expected(ledger);
        let mut search = Search::new(ledger, expected, executor);
        let (mut found, mut q) = (Vec::new(), 0.0_f64);
        let mut steps = 0.0;
        while let Some((place, adjusted)) = search.best() {
            steps += 1.0;
            q = q.max(adjusted / steps);
            if q > FALSE_DISCOVERY_RATE {
                steps -= 1.0;
                break;
            }
            found.extend(search.take(place, q));
        }
        let (weaknesses, strengths): (Vec<Finding>, Vec<Finding>) =
            found.into_iter().partition(|found| found.estimate < 0.0);
        let mut findings = Self {
            looked_at: search.values.len(),
            one_in: 1 << ledger.halvings,
            level,
            game_variance: search.game_variance,
            error_per_game: (steps + 1.0) * search.share_per_game() * FALSE_DISCOVERY_RATE,
            strengths,
            weaknesses,
        };
        findings.strengths.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        findings.weaknesses.sort_by(|a, b| a.estimate.total_cmp(&b.estimate));
        findings.add_lines(lines, catalogue);
        findings
    }

    /// Those of them that are of this colour. They were looked at beside the others, by whose games
    /// as well it is known what is expected. The share of false ones is bounded among all findings,
    /// not among those of each colour.
    #[must_use]
    pub fn with_color(mut self, color: Color) -> Self {
        let name = color.to_string();
        for found in [&mut self.strengths, &mut self.weaknesses] {
            found.retain(|found| found.side.as_deref() == Some(&name));
        }
        self
    }

    /// Gives the moves the piece letters of a language.
    pub(crate) fn translate_moves(&mut self, language: Language) {
        for finding in self.strengths.iter_mut().chain(&mut self.weaknesses) {
            if matches!(finding.field, GroupBy::FirstMoves(_)) {
                finding.value = language.translated(&finding.value);
                let instead = finding.instead.iter_mut();
                instead.for_each(|other| other.value = language.translated(&other.value));
            }
            // A line without moves is a position.
            for line in finding.lines.iter_mut().filter(|line| !line.moves.contains('/')) {
                line.moves = language.translated(&line.moves);
            }
        }
    }

    /// The difference with which a value of this number of rated games would have been found
    /// besides these, from 0 to 1. It is that of the question with most values.
    pub fn detectable(&self, games: u64) -> f64 {
        let games = games.max(1) as f64;
        deviate((self.error_per_game * games).min(0.5)) * libm::sqrt(self.game_variance / games)
    }

    /// Adds the names and the commonest lines of each opening. `counts` are of the same games,
    /// named by this catalogue.
    ///
    /// A line is that of the catalogue to the last named position of a game. This is known of each
    /// game anyway, and says where the games went: the moves that they were played in may be in
    /// another order, and what came after is on no list.
    fn add_lines(&mut self, counts: &LineCounts, catalogue: &Catalogue) {
        let mut groups: Vec<(GroupBy, LineGroups, Vec<Arc<OpeningNames>>)> = Vec::new();
        let found = self.strengths.iter_mut().chain(&mut self.weaknesses);
        for finding in found.filter(|finding| finding.field.is_opening()) {
            let known = groups.iter().position(|(field, ..)| *field == finding.field);
            let at = known.unwrap_or_else(|| {
                let field = finding.field.clone();
                let of_field = LineGroups::new(catalogue, &field);
                let names = of_field.names(catalogue, &field);
                groups.push((field, of_field, names));
                groups.len() - 1
            });
            let (_, groups, names) = &groups[at];
            let games = counts.games(finding.color());
            let Some(id) = groups.find(&finding.value) else { continue };
            let of_opening =
                (0..games.len()).filter(|line| games[*line] > 0 && groups.id(*line) == id);
            let mut lines: Vec<usize> = of_opening.collect();
            if let Some(names) = names.get(id as usize) {
                finding.name.clone_from(&names.name);
                finding.english.clone_from(&names.english);
            }
            lines.sort_by_key(|line| std::cmp::Reverse(games[*line]));
            lines.truncate(MAX_LINES);
            let line =
                |line: usize| FindingLine { moves: moves(catalogue, line), games: games[line] };
            finding.lines = lines.into_iter().map(line).collect();
        }
    }
}

impl Finding {
    /// The colour, if it is a question about openings or first moves of players.
    pub fn color(&self) -> Option<Color> {
        let is_black = self.side.as_deref()? == "black";
        Some(if is_black { Color::Black } else { Color::White })
    }

    /// Whether the games of a group with this family and variation are among its games.
    pub(super) fn has_opening(&self, side: Option<Color>, family: &str, variation: &str) -> bool {
        let own = match self.field {
            GroupBy::Family => family,
            GroupBy::Variation => variation,
            _ => return false,
        };
        self.color() == side && own == self.value
    }
}

/// The moves of a line, or its position if it has none.
fn moves(catalogue: &Catalogue, line: usize) -> String {
    let line = &catalogue.lines()[line];
    let position = || catalogue.positions()[line.position].key.to_string();
    catalogue.movetext(line).unwrap_or_else(position)
}

/// The games of each month, colour and rating difference, their half points, and the sum of the
/// squares of these.
type Counts = BTreeMap<(i32, bool, i16), [u64; 3]>;

/// What is expected of each game, in billionths of a point: of an archive by two parameters, of
/// players by their level, which changes from year to year, and by what White is worth.
fn expected(ledger: &Ledger) -> (Level, Vec<u32>) {
    let is_archive = ledger.subject == Subject::Archive;
    // The middle of a year stands for a month that is not known, and 0 for one without a year.
    let month = |game: &RatedGame| match ((game.date / 10_000) as i32, game.date / 100 % 100) {
        _ if is_archive => 0,
        (0, _) => 0,
        (year, 0) => 12 * year + 6,
        (year, month) => 12 * year + month as i32 - 1,
    };
    let kind = |game: &RatedGame| (month(game), game.is_black, game.gap);
    let mut counts = HashMap::<_, [u64; 3]>::new();
    for game in &ledger.games {
        let sums = counts.entry(kind(game)).or_default();
        let half_points = u64::from(game.half_points);
        for (sum, more) in sums.iter_mut().zip([1, half_points, half_points * half_points]) {
            *sum += more;
        }
    }
    let counts: Counts = counts.into_iter().collect();
    let mut of_gaps = BTreeMap::<(bool, i16), [u64; 2]>::new();
    for ((_, is_black, gap), [games, half_points, _]) in &counts {
        let sums = of_gaps.entry((*is_black, *gap)).or_default();
        *sums = [sums[0] + games, sums[1] + half_points];
    }
    let bin = |((is_black, gap), [games, half_points]): ((bool, i16), [u64; 2])| {
        let gap = limited(gap);
        let lever = if is_archive { gap } else { sign(is_black) };
        Bin { gap, lever, games, half_points }
    };
    let bins: Vec<Bin> = of_gaps.into_iter().map(bin).collect();
    let level = if is_archive {
        let [white, more] = fit(&bins, [ANY_POINTS, ANY_SHARE]);
        Level { white, own: 0.0, slope: 1.0 + more }
    } else {
        let [_, white] = fit(&bins, [ANY_POINTS; 2]);
        let white = white.clamp(0.0, MOST_FOR_WHITE);
        let [own, _] = fit(&bins, [ANY_POINTS, (white, KNOWN)]);
        Level { white, own, slope: 1.0 }
    };
    let gap = |is_black: bool, gap: i16| {
        level.slope * limited(gap) + level.own + sign(is_black) * level.white
    };
    let months = months(&counts, gap);
    let of_kind = |(month, is_black, own): &(i32, bool, i16)| {
        let month_level = months.get(month).copied().unwrap_or(0.0);
        let expected = logistic(gap(*is_black, *own) + month_level);
        libm::round(expected * POINT as f64) as u32
    };
    let of_kinds: HashMap<_, u32> = counts.keys().map(|kind| (*kind, of_kind(kind))).collect();
    (level, ledger.games.iter().map(|game| of_kinds[&kind(game)]).collect())
}

fn sign(is_black: bool) -> f64 {
    if is_black { -1.0 } else { 1.0 }
}

/// How far the year around each month is from the level, shrunk towards it: so the level follows
/// the years, and what comes back every year is left. `gap` is the rating difference that is
/// expected, with the level.
fn months(counts: &Counts, gap: impl Fn(bool, i16) -> f64) -> BTreeMap<i32, f64> {
    let mut steps = BTreeMap::<i32, Step>::new();
    let (mut squares, mut all) = (0.0, 0.0);
    for ((month, is_black, own), [games, half_points, their_squares]) in counts {
        let (expected, count) = (logistic(gap(*is_black, *own)), *games as f64);
        squares += *their_squares as f64 / 4.0 - *half_points as f64 * expected
            + count * expected * expected;
        all += count;
        steps.entry(*month).or_default().add(count, *half_points as f64 / 2.0, expected);
    }
    let year = |month: i32| {
        let months = steps.range(month - 6..month + 6).map(|(_, step)| *step);
        months.fold(Step::default(), Step::plus).estimate(squares / all)
    };
    let years = steps.keys().filter(|month| **month > 0);
    let years = years.filter_map(|month| Some((*month, year(*month)?)));
    let years: Vec<(i32, Estimate)> = years.collect();
    let mut spread = Spread::default();
    spread.add(&years.iter().map(|(_, step)| *step).collect::<Vec<_>>());
    years.into_iter().map(|(month, e)| (month, shrink(e, 0.0, spread.variance()))).collect()
}

/// A value that is looked at.
struct Value {
    question: usize,
    side: Option<Color>,
    value: GroupValue,
    games: u64,
    /// What the games scored beyond expectation, and beyond that and what was found, in billionths
    /// of a point.
    above: i64,
    rest: i64,
    /// The variance of that.
    variance: f64,
    is_found: bool,
}

/// What is left to be found, and in which games.
struct Search<'l> {
    ledger: &'l Ledger,
    values: Vec<Value>,
    /// For each question the value of each game, or [`NONE`].
    of_games: Vec<Vec<u32>>,
    /// The sum of the values' rests if each game had one.
    all: i64,
    all_at_first: i64,
    game_variance: f64,
}

impl<'l> Search<'l> {
    fn new(ledger: &'l Ledger, expected: Vec<u32>, executor: &impl Executor) -> Self {
        let games = ledger.games.iter();
        let above = |(expected, game): (u32, &RatedGame)| half_points(game) - expected as i32;
        let rest: Vec<i32> = expected.into_iter().zip(games).map(above).collect();
        let bands = Bands::new(&ledger.games, &rest);
        let clusters = executor.map(ledger.clusters(), |clusters| by_cluster(&clusters));
        let numbers = (0..ledger.questions.len()).collect();
        let found = executor.map(numbers, |number| {
            let (mut values, places) = values_of(ledger, number, &rest, &bands);
            for clusters in &clusters {
                add_dependence(&mut values, &places, &rest, clusters);
            }
            (values, places)
        });
        let (mut values, mut of_games) = (Vec::<Value>::new(), Vec::new());
        for (more, mut places) in found {
            let first = values.len() as u32;
            places.iter_mut().filter(|place| **place != NONE).for_each(|place| *place += first);
            values.extend(more);
            of_games.push(places);
        }
        let all = rest.iter().copied().map(i64::from).sum();
        let game_variance = bands.mean;
        Self { ledger, values, of_games, all, all_at_first: all, game_variance }
    }

    fn count(&self) -> f64 {
        self.ledger.games.len() as f64
    }

    /// How far the games of a value are from all games, in points of a game.
    fn contrast(&self, value: &Value, rest: i64, all: i64) -> Estimate {
        let (games, count) = (value.games as f64, self.count());
        let mean = |sum: i64, games: f64| sum as f64 / POINT as f64 / games;
        Estimate {
            value: mean(rest, games) - mean(all, count),
            variance: value.variance / (games * games) * (1.0 - games / count),
        }
    }

    fn rest_of(&self, value: &Value) -> Estimate {
        self.contrast(value, value.rest, self.all)
    }

    /// The share of the error that a value has for each of its games.
    fn share_of(&self, question: usize) -> f64 {
        let asked = |number: usize| self.values.iter().any(|value| value.question == number);
        let questions = self.ledger.questions.iter().enumerate();
        let shares: u32 = questions.filter(|(n, _)| asked(*n)).map(|(_, q)| q.share).sum();
        let of_question = self.values.iter().filter(|value| value.question == question);
        let games: u64 = of_question.map(|value| value.games).sum();
        f64::from(self.ledger.questions[question].share) / f64::from(shares) / games as f64
    }

    /// The share that a game has in the question with most values.
    fn share_per_game(&self) -> f64 {
        let count =
            |question: usize| self.values.iter().filter(|value| value.question == question).count();
        let most = (0..self.ledger.questions.len()).rev().max_by_key(|question| count(*question));
        most.filter(|most| count(*most) > 0).map_or(0.0, |most| self.share_of(most))
    }

    /// The value that is least like chance, and its p-value by its share of the error.
    fn best(&self) -> Option<(usize, f64)> {
        let shares: Vec<f64> =
            (0..self.ledger.questions.len()).map(|question| self.share_of(question)).collect();
        let left = self.values.iter().enumerate().filter(|(_, value)| !value.is_found);
        let adjusted = left.map(|(place, value)| {
            let rest = self.rest_of(value);
            let p_value = two_sided(rest.value, libm::sqrt(rest.variance));
            (place, p_value / (shares[value.question] * value.games as f64))
        });
        adjusted.min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// What is found at a place, and at that of the other of two values, which say the same. The
    /// games are then as all others.
    fn take(&mut self, place: usize, q: f64) -> Vec<Finding> {
        let question = self.values[place].question;
        let same: Vec<usize> = (0..self.values.len())
            .filter(|other| self.values[*other].question == question)
            .collect();
        let of_both: u64 = same.iter().map(|other| self.values[*other].games).sum();
        let found = match same[..] {
            [_, _] if of_both as f64 > ALL_BUT_FEW * self.count() => same,
            _ => vec![place],
        };
        let findings = found.iter().map(|found| self.finding(*found, q)).collect();
        found.iter().for_each(|found| self.values[*found].is_found = true);
        let value = &self.values[place];
        let others = self.count() - value.games as f64;
        let shift = self.rest_of(value).value * self.count() / others * POINT as f64;
        let shift = libm::round(shift) as i64;
        self.all -= shift * value.games as i64;
        let games = (0..).zip(&self.of_games[question]);
        let its = games.filter(|(_, of_game)| **of_game == place as u32);
        let its: Vec<usize> = its.map(|(game, _)| game).collect();
        for places in &self.of_games {
            for game in &its {
                if let Some(value) = self.values.get_mut(places[*game] as usize) {
                    value.rest -= shift;
                }
            }
        }
        findings
    }

    fn finding(&self, place: usize, q: f64) -> Finding {
        let value = &self.values[place];
        let question = &self.ledger.questions[value.question];
        let of_question = || self.values.iter().filter(|v| v.question == value.question);
        let first = |value: &Value| self.contrast(value, value.above, self.all_at_first);
        let mut spread = Spread::default();
        spread.add(&of_question().map(first).collect::<Vec<_>>());
        let rest = self.rest_of(value);
        // It is one of these values at least.
        let least = rest.value * rest.value / of_question().count() as f64;
        let spread = spread.variance().max(least);
        let (found, games) = (first(value), value.games as f64);
        let others =
            of_question().filter(|other| other.side == value.side && !ptr::eq(*other, value));
        let instead = others.max_by_key(|other| other.games).map(|other| Alternative {
            value: other.value.to_text(),
            games: other.games,
            difference: first(other).value,
        });
        let error = libm::sqrt(found.variance);
        let (mut points, mut above_ratings) = (0, 0);
        for (game, of_game) in self.ledger.games.iter().zip(&self.of_games[value.question]) {
            if *of_game == place as u32 {
                points += u64::from(game.half_points);
                let by_ratings = expected_units(i32::from(game.gap)) as i64;
                above_ratings += i64::from(half_points(game)) - by_ratings;
            }
        }
        let score = points as f64 / 2.0 / games;
        let expected = score - found.value;
        let difference = Difference {
            games: value.games,
            score,
            expected,
            advantage: 0.0,
            value: found.value,
            interval: Interval::around(found.value, Z_95 * error, -expected, 1.0 - expected),
            variance: found.variance,
            p_value: two_sided(found.value, error),
        };
        Finding {
            question: question.name(),
            side: value.side.map(|side| side.to_string()),
            value: value.value.to_text(),
            name: None,
            english: None,
            lines: Vec::new(),
            difference,
            against_ratings: above_ratings as f64 / POINT as f64 / games,
            instead,
            estimate: shrink(rest, 0.0, spread),
            q,
            examples: Examples::default(),
            field: question.field.clone(),
        }
    }
}

/// Two values of a question are one difference if the games have hardly any other.
const ALL_BUT_FEW: f64 = 0.95;

/// What was scored, in billionths of a point.
fn half_points(game: &RatedGame) -> i32 {
    i32::from(game.half_points) * (POINT as i32 / 2)
}

/// The values of a question, and that of each game by its place among them.
fn values_of(
    ledger: &Ledger,
    number: usize,
    rest: &[i32],
    bands: &Bands,
) -> (Vec<Value>, Vec<u32>) {
    let count = rest.len() as u64;
    let is_enough = |games: u64| games >= MIN_RATED && games + MIN_RATED <= count;
    let (found, places) = ledger.values(&ledger.questions[number], is_enough);
    let value = |(side, value)| Value {
        question: number,
        side,
        value,
        games: 0,
        above: 0,
        rest: 0,
        variance: 0.0,
        is_found: false,
    };
    let mut values: Vec<Value> = found.into_iter().map(value).collect();
    let mut counts = vec![[0_u64; BANDS]; values.len()];
    for ((game, rest), place) in ledger.games.iter().zip(rest).zip(&places) {
        let Some(value) = values.get_mut(*place as usize) else { continue };
        value.games += 1;
        value.above += i64::from(*rest);
        counts[*place as usize][band(game)] += 1;
    }
    for (value, counts) in values.iter_mut().zip(&counts) {
        value.rest = value.above;
        value.variance = bands.variance(counts);
    }
    (values, places)
}

/// The games that are in a cluster, sorted: the cluster in the high half of a word, the game in the
/// low one.
fn by_cluster(clusters: &[u32]) -> Vec<u64> {
    let known = clusters.iter().zip(0_u64..).filter(|(cluster, _)| **cluster != NONE);
    let mut games = Vec::with_capacity(clusters.len());
    games.extend(known.map(|(cluster, game)| u64::from(*cluster) << u32::BITS | game));
    games.sort_unstable();
    games
}

/// Adds to the variance of each value of a question what its games have in common: of two games of
/// a cluster and a value, the mean product of how far they are from the mean of the value, in all
/// such pairs of the question, times the pairs of the value. What two games of a value have in
/// common by that mean alone is taken off.
fn add_dependence(values: &mut [Value], places: &[u32], rest: &[i32], clusters: &[u64]) {
    let means: Vec<i64> =
        values.iter().map(|value| value.above / value.games.max(1) as i64).collect();
    let square = |number: i64| i128::from(number) * i128::from(number);
    let mut sums = vec![(0_u64, 0_u64, 0_i128); values.len()];
    // For each value, the last cluster that has games of it, with their number and sum.
    let mut cells = vec![(0_u64, 0_u64, 0_i64); values.len()];
    let mut products = 0;
    for number in clusters {
        let (cluster, game) = (number >> u32::BITS, *number as u32 as usize);
        let place = places[game] as usize;
        let Some(cell) = cells.get_mut(place) else { continue };
        let (games, pairs, squares) = &mut sums[place];
        if cell.0 != cluster {
            products += square(cell.2);
            *pairs += cell.1 * cell.1.saturating_sub(1);
            *cell = (cluster, 0, 0);
        }
        let from_mean = i64::from(rest[game]) - means[place];
        cell.1 += 1;
        cell.2 += from_mean;
        *games += 1;
        *squares += square(from_mean);
    }
    for ((_, games, sum), (_, pairs, _)) in cells.into_iter().zip(&mut sums) {
        products += square(sum);
        *pairs += games * games.saturating_sub(1);
    }
    let mut common = products as f64;
    let mut all = 0;
    for (games, pairs, squares) in &sums {
        let by_mean = *pairs as f64 / (*games as f64 * games.saturating_sub(1).max(1) as f64);
        common += *squares as f64 * (if *games > 1 { by_mean } else { 0.0 } - 1.0);
        all += pairs;
    }
    let mean = common / (POINT * POINT) as f64 / all.max(1) as f64;
    for (value, (_, pairs, _)) in values.iter_mut().zip(sums) {
        value.variance += mean.max(0.0) * pairs as f64;
    }
}

/// Results are the surer, the greater the difference of the ratings: their variance is that of
/// games with about the same.
struct Bands {
    variances: [f64; BANDS],
    mean: f64,
}

/// Bands of 100 points, up to 400.
const BANDS: usize = 5;

fn band(game: &RatedGame) -> usize {
    (game.gap.unsigned_abs() as usize / 100).min(BANDS - 1)
}

impl Bands {
    fn new(games: &[RatedGame], above: &[i32]) -> Self {
        let mut sums = [(0_u64, 0_u64); BANDS];
        for (game, above) in games.iter().zip(above) {
            let (count, squares) = &mut sums[band(game)];
            *count += 1;
            let above = u64::from(above.unsigned_abs());
            *squares += above * above / POINT;
        }
        let all = sums.iter().fold((0, 0), |(n, q), (count, squares)| (n + count, q + squares));
        let mean =
            |(count, squares): (u64, u64)| squares as f64 / POINT as f64 / count.max(1) as f64;
        let of_band = |sum: (u64, u64)| if sum.0 < MIN_RATED { mean(all) } else { mean(sum) };
        Self { variances: sums.map(of_band), mean: mean(all) }
    }

    /// The variance of the sum of results of this number of games in each band.
    fn variance(&self, games: &[u64; BANDS]) -> f64 {
        games.iter().zip(self.variances).map(|(games, variance)| *games as f64 * variance).sum()
    }
}
