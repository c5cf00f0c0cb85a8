//! How the moves of a book scored, and the moves that left it, beside what the ratings of the
//! players predict.

use std::collections::{BTreeMap, HashMap};

use super::{Book, Followed, Follower, GameFacts, NodeId, Status, Tally};
use crate::stats::{self, Difference, Interval, Z_95};
use crate::{chess::UciMove, collection::KeptGame};

/// Games by where they left a book, how, and with which move.
///
/// Costs of parts add up to the costs of the whole, in any order.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    groups: HashMap<(NodeId, Status, UciMove), Group>,
    games: [u64; Status::ALL.len()],
    matched: Group,
}

/// Games, as a repertoire and as statistics count them.
#[derive(Debug, Clone, Default)]
struct Group {
    tally: Tally,
    scored: stats::Tally,
}

impl Group {
    fn add(&mut self, followed: &Followed<'_>) {
        self.tally.add(&followed.facts);
        self.scored.add(&followed.facts.sample());
    }

    fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
        self.scored.merge(&other.scored);
    }

    /// The games with a result in which a rating is missing, and the points scored in them.
    fn unrated(&self) -> (f64, f64) {
        let games = f64::from(self.tally.decided()) - self.scored.rated() as f64;
        (games, self.tally.points() - self.scored.rated_points())
    }
}

/// Games that left a book in one position, with one move.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// The position.
    pub from: NodeId,
    /// How they left it.
    pub status: Status,
    /// The move.
    pub uci: UciMove,
    /// The games.
    pub tally: Tally,
    /// What it cost: the points that were to be expected, less those that were scored. It is less
    /// than 0 where more were scored. Only games with a result count. What is expected of a game is
    /// what the ratings predict ([`expected_score`](stats::expected_score)), and what the games
    /// with a path through the book have scored above that on average; of a game in which a rating
    /// is missing, the average score of such games.
    pub points: f64,
    /// The score beside that expectation, with its interval, in the games with both ratings; `None`
    /// if there are none.
    pub difference: Option<Difference>,
}

impl Costs {
    /// Counts a game in.
    pub fn add(&mut self, follower: &Follower<'_>, followed: &Followed<'_>) {
        let status = follower.status(followed);
        self.games[status as usize] += 1;
        let Ok(path) = &followed.path else { return };
        self.matched.add(followed);
        if let Some(exit) = path.exit {
            self.groups.entry((path.last, status, exit.uci)).or_default().add(followed);
        }
    }

    /// Counts in the games of another part.
    pub fn merge(&mut self, other: &Self) {
        self.games.iter_mut().zip(other.games).for_each(|(sum, games)| *sum += games);
        self.matched.merge(&other.matched);
        for (key, group) in &other.groups {
            self.groups.entry(*key).or_default().merge(group);
        }
    }

    /// The number of games with a status.
    pub fn games(&self, status: Status) -> u64 {
        self.games[status as usize]
    }

    /// The number of games.
    pub fn all_games(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The games that had a path through the book.
    pub fn matched(&self) -> &Tally {
        &self.matched.tally
    }

    /// The costs, the highest first.
    pub fn worst_first(&self) -> Vec<Cost> {
        let all = &self.matched;
        let advantage = Difference::new(&all.scored, &all.scored).map_or(0.0, |found| found.value);
        let average = match all.unrated() {
            (0.0, _) => 0.0,
            (games, points) => points / games,
        };
        let cost = |(&(from, status, uci), group): (&(NodeId, Status, UciMove), &Group)| {
            let difference = Difference::beyond(advantage, &group.scored, &all.scored);
            let above = difference.as_ref().map_or(0.0, |found| found.value * found.games as f64);
            let (games, points) = group.unrated();
            let points = games * average - points - above;
            Cost { from, status, uci, tally: group.tally, points, difference }
        };
        let mut costs: Vec<Cost> = self.groups.iter().map(cost).collect();
        costs.sort_by(|a, b| {
            let rest = |cost: &Cost| (std::cmp::Reverse(cost.tally.games), cost.from, cost.uci);
            b.points.total_cmp(&a.points).then_with(|| rest(a).cmp(&rest(b)))
        });
        costs
    }
}

/// The games with each move of a book in which the result and both ratings are known.
#[derive(Debug, Clone, Default)]
pub struct LineScores {
    moves: BTreeMap<(NodeId, UciMove), Vec<GameFacts>>,
    all: stats::Tally,
}

/// How a move scored.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LineScore {
    /// The score beside what the ratings predict, with its interval.
    pub difference: Difference,
    /// The difference in the later half of the games that have a date less that in the earlier
    /// half; `None` if a half has fewer than five games.
    pub trend: Option<f64>,
    /// The 95 % interval of the trend, from the variances of both differences.
    pub trend_interval: Option<Interval>,
}

/// The games that each half of a trend has at least.
const LEAST_GAMES: usize = 5;

impl LineScores {
    /// Counts a game in.
    pub fn add(&mut self, book: &Book, game: &KeptGame) {
        let facts = GameFacts::of(game, None, book.color());
        let sample = facts.sample();
        if sample.half_points.is_none() || sample.ratings.is_none() {
            return;
        }
        self.all.add(&sample);
        for at in book.moves_of(game) {
            self.moves.entry(at).or_default().push(facts);
        }
    }

    /// How a move of a position scored; `None` if no game says.
    pub fn get(&self, id: NodeId, uci: UciMove) -> Option<LineScore> {
        let mut games = self.moves.get(&(id, uci))?.clone();
        games.sort_by_key(|game| (game.played_at, game.half_points, game.own, game.opponent));
        let difference = self.difference(&games)?;
        let dated = games.partition_point(|game| game.played_at.date().is_none());
        let dated = &games[dated..];
        let (earlier, later) = dated.split_at(dated.len() / 2);
        let trend = (earlier.len() >= LEAST_GAMES)
            .then(|| self.difference(earlier).zip(self.difference(later)))
            .flatten();
        let trend = trend.map(|(earlier, later)| {
            let value = later.value - earlier.value;
            let radius = Z_95 * (later.variance + earlier.variance).sqrt();
            (value, Interval { low: value - radius, high: value + radius })
        });
        let (trend, trend_interval) = trend.unzip();
        Some(LineScore { difference, trend, trend_interval })
    }

    fn difference(&self, games: &[GameFacts]) -> Option<Difference> {
        let mut tally = stats::Tally::default();
        games.iter().for_each(|game| tally.add(&game.sample()));
        Difference::new(&tally, &self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        pgn::Game,
        repertoire::{Book, BookRule},
        select::Selection,
    };

    const GAMES: [&str; 7] = [
        "1. d4 d5 2. Nf3 0-1",
        "1. d4 d5 2. Nf3 1/2-1/2",
        "1. d4 f5 1-0",
        "1. d4 f5 *",
        "1. d4 d5 2. c4 1-0",
        "1. d4 d5 2. c4 e6 1-0",
        "[Variant \"Atomic\"]\n\n1. d4 0-1",
    ];

    fn costs(follower: &Follower<'_>, games: &[&str]) -> Costs {
        let mut costs = Costs::default();
        for game in games {
            costs.add(follower, &follower.follow(&Game::from_bytes(game.as_bytes())));
        }
        costs
    }

    fn listed(book: &Book, costs: &Costs) -> Vec<(Status, String, u32, f64)> {
        let row = |cost: &Cost| {
            let san = book.node(cost.from).san([cost.uci]).remove(0);
            (cost.status, san, cost.tally.games, cost.points)
        };
        costs.worst_first().iter().map(row).collect()
    }

    /// To lose to stronger players is no fault of the move.
    #[test]
    fn costs_are_points_below_what_ratings_predict() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. d4 d5 2. c4").unwrap();
        let follower = Follower::new(&book, Selection::default());
        let rated = |white: u16, black: u16, moves: &str| {
            format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n{moves}")
        };
        // Expected 0.0909 twice, 0.9091 and 0.5; scored 0, 0.5, 0.5 and 1: 0.4091 above in four.
        let games = [
            rated(2000, 2400, "1. d4 d5 2. Nf3 0-1"),
            rated(2000, 2400, "1. d4 d5 2. Nf3 1/2-1/2"),
            rated(2400, 2000, "1. d4 d5 2. e3 1/2-1/2"),
            rated(2000, 2000, "1. d4 f5 1-0"),
            "1. d4 d5 2. Nf3 1-0".to_owned(),
            "1. d4 d5 2. c4 0-1".to_owned(),
        ];
        let found = costs(&follower, &games.each_ref().map(String::as_str)).worst_first();
        let expected = 1.0 / 11.0;
        let advantage = (2.0 - 2.0 * expected - (1.0 - expected) - 0.5) / 4.0;
        let costs = [
            // Half a point is the average of the two games without ratings.
            ("Nf3", 2.0 * (expected + advantage) - 0.5 + 0.5 - 1.0),
            ("e3", 1.0 - expected + advantage - 0.5),
            ("f5", 0.5 + advantage - 1.0),
        ];
        for cost in &found {
            let san = book.node(cost.from).san([cost.uci]).remove(0);
            let (_, points) = costs.iter().find(|(name, _)| *name == san).unwrap();
            assert!((cost.points - points).abs() < 1e-6, "{san}: {cost:?}");
            let games = if san == "Nf3" { 2 } else { 1 };
            assert_eq!(cost.difference.as_ref().unwrap().games, games);
        }
        assert_eq!(book.node(found[0].from).san([found[0].uci]), ["e3"]);
    }

    #[test]
    fn costs_are_points_below_the_average() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. d4 d5 2. c4").unwrap();
        let follower = Follower::new(&book, Selection::default());
        let whole = costs(&follower, &GAMES);
        // 3.5 points of 5 games with a result: 0.7 a game.
        assert_eq!(whole.matched().score(), Some(0.7));
        let rows = listed(&book, &whole);
        let expected = [
            (Status::Mine, "Nf3", 2, 2.0 * 0.7 - 0.5),
            (Status::Theirs, "f5", 2, 0.7 - 1.0),
            (Status::BookEnded, "e6", 1, 0.7 - 1.0),
        ];
        assert_eq!(rows.len(), 3);
        for (row, (status, san, games, points)) in rows.iter().zip(expected) {
            assert_eq!((row.0, row.1.as_str(), row.2), (status, san, games));
            assert!((row.3 - points).abs() < 1e-9, "{row:?}");
        }
        let games: Vec<u64> = Status::ALL.iter().map(|status| whole.games(*status)).collect();
        assert_eq!(games, [2, 0, 2, 1, 1, 1]);
        assert_eq!(whole.worst_first()[0].difference, None);
        for cut in 0..GAMES.len() {
            let mut parts = costs(&follower, &GAMES[cut..]);
            parts.merge(&costs(&follower, &GAMES[..cut]));
            assert_eq!(listed(&book, &parts), rows, "cut at {cut}");
            assert_eq!(parts.all_games(), 7);
        }
    }

    #[test]
    fn a_move_is_judged_by_ratings_and_by_what_it_scored_later() {
        let mut book = Book::new(Color::Black, BookRule::default());
        book.prepare("1. e4 c5").unwrap();
        let mut games = Vec::new();
        let mut add = |game: &str| {
            games.push(KeptGame::of_pgn(game, 40));
        };
        // Five games lost and then five won, among equals; one without a rating, one elsewhere.
        let tags = "[WhiteElo \"2000\"]\n[BlackElo \"2000\"]";
        for n in 0..10 {
            let result = if n < 5 { "1-0" } else { "0-1" };
            let game = format!("{tags}\n[Date \"20{n:02}.01.01\"]\n\n1. e4 c5 {result}");
            add(&game);
        }
        add("[WhiteElo \"2000\"]\n\n1. e4 c5 1-0");
        add(&format!("{tags}\n\n1. e4 e5 1-0"));
        let scores = |games: &[KeptGame]| {
            let mut scores = LineScores::default();
            games.iter().for_each(|game| scores.add(&book, game));
            scores
        };
        let e4 = book.moves(book.roots()[0])[0].to;
        let c5 = book.moves(e4)[0].uci;
        let found = scores(&games).get(e4, c5).unwrap();
        assert_eq!((found.difference.games, found.difference.value), (10, 0.0));
        assert_eq!(found.trend, Some(1.0));
        // Each error is half a point: 1.96 * sqrt(2 * 0.25 / 5).
        let interval = found.trend_interval.unwrap();
        assert!((interval.low - (1.0 - 1.959_964 * 0.1_f64.sqrt())).abs() < 1e-6, "{interval:?}");
        let few = scores(&games[1..]).get(e4, c5).unwrap();
        assert_eq!((few.difference.games, few.trend), (9, None));
        let backwards: Vec<KeptGame> = games.iter().rev().cloned().collect();
        assert_eq!(scores(&backwards).get(e4, c5), Some(found));
        assert_eq!(scores(&games).get(e4, "e7e6".parse().unwrap()), None);
        let mut of_a_day = Vec::new();
        for n in (0..10).rev() {
            let result = if n < 5 { "1-0" } else { "0-1" };
            let time = format!("[UTCDate \"2020.01.01\"]\n[UTCTime \"1{n}:00:00\"]");
            let game = format!("{tags}\n{time}\n\n1. e4 c5 {result}");
            of_a_day.push(KeptGame::of_pgn(&game, 40));
        }
        let of_a_day = scores(&of_a_day).get(e4, c5);
        assert_eq!(of_a_day.and_then(|score| score.trend), Some(1.0));
    }
}
