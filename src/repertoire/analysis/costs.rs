//! Where games leave a book, and what that costs.

use std::collections::HashMap;

use super::{
    departure::Status,
    follow::{Followed, Follower},
};
use crate::{
    chess::UciMove,
    repertoire::{book::NodeId, games::Tally},
};

/// Games by where they left a book, how, and with which move.
///
/// Costs of parts add up to the costs of the whole, in any order.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    groups: HashMap<(NodeId, Status, UciMove), Tally>,
    games: [u64; Status::ALL.len()],
    matched: Tally,
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
    /// What it cost: the points that as many games score on the average of all that had a path
    /// through the book, less those that were scored. It is less than 0 where more were scored.
    /// Only games with a result count.
    pub points: f64,
}

impl Costs {
    /// Counts a game in.
    pub fn add(&mut self, follower: &Follower<'_>, followed: &Followed<'_>) {
        let status = follower.status(followed);
        self.games[status as usize] += 1;
        let Ok(path) = &followed.path else { return };
        self.matched.add(&followed.facts);
        if let Some(exit) = path.exit {
            self.groups.entry((path.last, status, exit.uci)).or_default().add(&followed.facts);
        }
    }

    /// Counts in the games of another part.
    pub fn merge(&mut self, other: &Self) {
        self.games.iter_mut().zip(other.games).for_each(|(sum, games)| *sum += games);
        self.matched.merge(&other.matched);
        for (group, tally) in &other.groups {
            self.groups.entry(*group).or_default().merge(tally);
        }
    }

    /// The number of games with a status.
    #[must_use]
    pub fn games(&self, status: Status) -> u64 {
        self.games[status as usize]
    }

    /// The number of games.
    #[must_use]
    pub fn all_games(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The games that had a path through the book.
    #[must_use]
    pub fn matched(&self) -> &Tally {
        &self.matched
    }

    /// The costs, the highest first.
    #[must_use]
    pub fn worst_first(&self) -> Vec<Cost> {
        let average = self.matched.score().unwrap_or(0.0);
        let cost = |(&(from, status, uci), tally): (&(NodeId, Status, UciMove), &Tally)| {
            let points = f64::from(tally.decided()) * average - tally.points();
            Cost { from, status, uci, tally: *tally, points }
        };
        let mut costs: Vec<Cost> = self.groups.iter().map(cost).collect();
        costs.sort_by(|a, b| {
            let rest = |cost: &Cost| (std::cmp::Reverse(cost.tally.games), cost.from, cost.uci);
            b.points.total_cmp(&a.points).then_with(|| rest(a).cmp(&rest(b)))
        });
        costs
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
        assert_eq!(games, [2, 2, 1, 1, 1]);
        for cut in 0..GAMES.len() {
            let mut parts = costs(&follower, &GAMES[cut..]);
            parts.merge(&costs(&follower, &GAMES[..cut]));
            assert_eq!(listed(&book, &parts), rows, "cut at {cut}");
            assert_eq!(parts.all_games(), 7);
        }
    }
}
