//! What the latest games of a repertoire say: where they left the book, and what opponents play
//! more often than before.

use super::{Book, Cost, Costs, Follower, Frequencies, Gap, Gaps, MoveCounts, NodeId};
use crate::pgn::{Game, GameDate};
use crate::{chess::UciMove, collection::KeptGame, select::Selector};

/// What the latest games of a repertoire say.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Week<'b> {
    /// The book; its counts have the games.
    pub book: &'b Book,
    /// The number of games with a path through the book.
    pub games: u32,
    /// The moves by which they left it, the most expensive first.
    pub costs: Vec<Cost>,
    /// What opponents play more often than before, by how many more games there are than the
    /// earlier share predicts.
    pub trends: Vec<Trend>,
    /// The gaps of the book to ply 20, the most probable first.
    pub gaps: Vec<Gap>,
}

/// A move of the opponent that the latest games have more often than those before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trend {
    /// The position.
    pub from: NodeId,
    /// The move.
    pub uci: UciMove,
    /// The latest games that have it, and those that have another move there as well.
    pub latest: [u32; 2],
    /// The same of the games before.
    pub before: [u32; 2],
}

impl Trend {
    /// The shares of the move, in the latest games and before, from 0 to 1.
    pub fn shares(&self) -> [f64; 2] {
        [self.latest, self.before].map(|[games, of]| f64::from(games) / f64::from(of).max(1.0))
    }

    /// How many more games have it than the share before predicts.
    fn excess(&self) -> f64 {
        f64::from(self.latest[0]) - f64::from(self.latest[1]) * self.shares()[1]
    }
}

/// Gaps are looked for up to this ply.
const DEPTH: usize = 20;

/// A move of fewer games says nothing.
const LEAST_GAMES: u32 = 2;

/// The number of days of a week.
const DAYS: i32 = 7;

impl<'b> Week<'b> {
    /// Whether a game is of the seven days that end with a date. One whose day is not known is of
    /// the first day that it may be of.
    pub fn has(game: &KeptGame, last: GameDate) -> bool {
        let days = |date: GameDate| last.days_since_1970() - date.days_since_1970();
        game.details().date.is_some_and(|date| (0..DAYS).contains(&days(date)))
    }

    /// What the latest games say of a book that counts them. The selector chooses those that are
    /// the repertoire's own.
    pub fn of(book: &'b Book, own: Selector<'_>, latest: &[KeptGame]) -> Self {
        let follower = Follower::new(book, own);
        let (mut costs, mut own) = (Costs::default(), Vec::new());
        for game in latest {
            let pgn = game.to_pgn();
            let followed = follower.follow(&Game::from_bytes(&pgn));
            if followed.path.is_ok() {
                costs.add(&follower, &followed);
                own.push(game);
            }
        }
        Self {
            book,
            games: costs.matched().games,
            costs: costs.worst_first(),
            trends: trends(book, &own),
            gaps: Gaps::of(book, Frequencies::Own, DEPTH).gaps,
        }
    }
}

fn trends(book: &Book, latest: &[&KeptGame]) -> Vec<Trend> {
    let mut played = MoveCounts::default();
    latest.iter().for_each(|game| played.add(book, game));
    let mut trends = Vec::new();
    for from in book.ids().filter(|id| !book.is_own_turn(*id)) {
        let node = book.node(from);
        let all: u32 = node.edges.iter().map(|edge| edge.played().games).sum();
        let of: u32 = played.moves(from).map(|(_, tally)| tally.games).sum();
        for (uci, tally) in played.moves(from) {
            let games = tally.games;
            let counted = node.edge(uci).map_or(0, |edge| edge.played().games);
            let before = [counted.saturating_sub(games), all.saturating_sub(of)];
            trends.push(Trend { from, uci, latest: [games, of], before });
        }
    }
    trends.retain(|trend| {
        trend.latest[0] >= LEAST_GAMES && trend.before[1] > 0 && trend.excess() >= 1.0
    });
    trends.sort_by(|a, b| b.excess().total_cmp(&a.excess()).then(a.from.cmp(&b.from)));
    trends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Catalogue, chess::Color, classify::Classifier};
    use crate::{
        repertoire::{BookRule, GameFacts},
        select::Selection,
    };

    #[test]
    fn what_is_played_more_often_than_before_is_found() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. d4 d5 2. c4").unwrap();
        let games = |line: &str, count| vec![KeptGame::of_pgn(line, 40); count];
        let before = [games("1. d4 d5 2. c4 e6", 6), games("1. d4 Nf6 2. c4", 2)].concat();
        let latest = [games("1. d4 Nf6 2. Nf3", 3), games("1. d4 d5 2. Nf3", 1)].concat();
        // As a database counts them.
        for game in before.iter().chain(&latest) {
            let mut last: Option<(NodeId, UciMove)> = None;
            game.walk(40, |key, uci| {
                let id = book.add_position(key);
                if let Some((from, uci)) = last {
                    let known = book.node(from).edge(uci).map(|edge| *edge.played);
                    let mut played = known.unwrap_or_default();
                    played.add(&GameFacts::of(game, None, Color::White));
                    book.set_played(from, uci, id, played);
                }
                last = uci.map(|uci| (id, uci));
            });
        }
        let selector = Selector::new(Selection::default(), Classifier::new(Catalogue::builtin()));
        let week = Week::of(&book, selector, &latest);
        assert_eq!(week.games, 4);
        let [trend] = week.trends[..] else { panic!("{:?}", week.trends) };
        assert_eq!(
            (trend.uci.to_string(), trend.latest, trend.before),
            ("g8f6".to_owned(), [3, 4], [2, 8])
        );
        assert_eq!(trend.shares(), [0.75, 0.25]);
        let left: Vec<String> = week.costs.iter().map(|cost| cost.uci.to_string()).collect();
        assert_eq!(left.len(), 2, "{left:?}");
    }
}
