//! The games of an opponent: how often he plays which move, and how he scores.
//!
//! Games are counted in the order in which they come, so that the sums of their weights are the
//! same on any number of threads.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::frequencies::{Play, Shares};
use super::{Book, GameFacts, NodeId, Tally};
use crate::chess::{Color, PositionKey, UciMove};
use crate::collection::{GameStart, KeptGame};
use crate::pgn::{GameDate, days_since_1970};
use crate::select::{Fingerprint, Player};
use crate::stats::{self, Difference, advantage_of_colors, signed};

/// A game of an opponent.
#[derive(Debug, Clone)]
pub struct OpponentGame {
    /// The game, up to ply 80.
    pub game: KeptGame,
    /// The colour that the opponent has.
    pub color: Color,
    /// The days from its date to that of the newest game.
    age: Option<u32>,
    /// What the game weighs: 1 for the newest, half of that for one three years before it.
    pub weight: f64,
}

impl OpponentGame {
    /// Whether it is of the last year before the newest game: at most 365 days older.
    pub(super) fn is_recent(&self) -> bool {
        self.age.is_some_and(|days| days <= YEAR)
    }

    /// Its facts, seen from him.
    fn facts(&self) -> GameFacts {
        GameFacts::of(&self.game, None, self.color)
    }
}

/// The games of an opponent.
///
/// # Weights
///
/// A game weighs `0.5 ^ (d / (3 * 365.25))`, where `d` is the number of days from its date to that
/// of the newest game, of either colour. Of a date without a day the 15th of the month counts, of
/// one without a month 1 July. A game without a date is as old as the oldest that has one; if none
/// has one, all weigh the same. No game weighs less than `2 ^ -100`.
///
/// Each game counts once. Games of other variants and games without moves do not count, nor do
/// moves after ply 80.
#[derive(Debug, Clone, Default)]
pub struct Opponent {
    games: Vec<OpponentGame>,
    /// His games, seen from him.
    all: stats::Tally,
    /// The points that the ratings do not predict, and that White has.
    advantage: f64,
}

/// The last ply of games that counts.
pub(super) const LAST_PLY: usize = 80;

/// The days of a year, in which what an opponent begins to play is new.
const YEAR: u32 = 365;

/// The days in which a game comes to weigh half of what it did.
const HALF_LIFE: f64 = 3.0 * 365.25;

impl Opponent {
    /// An opponent with these games, each with the colour that he has in it.
    pub fn new(games: impl IntoIterator<Item = (KeptGame, Color)>) -> Self {
        let mut seen: HashSet<(Fingerprint, bool)> = HashSet::new();
        let games = games.into_iter().map(|(game, color)| (game.cut_at(LAST_PLY), color));
        let games: Vec<(KeptGame, Color)> = games
            .filter(|(game, _)| game.plies() > 0 && game.start() != GameStart::Unknown)
            .filter(|(game, color)| seen.insert((game.fingerprint(), color.is_white())))
            .collect();
        let day = |game: &KeptGame| game.details().date.map(day_of);
        let newest = games.iter().filter_map(|(game, _)| day(game)).max().unwrap_or_default();
        let age = |game: &KeptGame| day(game).map(|day| newest.abs_diff(day));
        let oldest = games.iter().filter_map(|(game, _)| age(game)).max().unwrap_or(0);
        let weighed = |(game, color): (KeptGame, Color)| {
            let age = age(&game);
            let halvings = f64::from(age.unwrap_or(oldest)) / HALF_LIFE;
            OpponentGame { game, color, age, weight: libm::exp2(-halvings.min(100.0)) }
        };
        let mut opponent =
            Self { games: games.into_iter().map(weighed).collect(), ..Self::default() };
        let [white, black] = [Color::White, Color::Black].map(|color| opponent.scored(color));
        opponent.advantage = advantage_of_colors(&white, &black);
        opponent.all = white;
        opponent.all.merge(&black);
        opponent
    }

    /// His games, in their order.
    pub fn games(&self) -> &[OpponentGame] {
        &self.games
    }

    /// The date of the newest of them.
    pub fn newest(&self) -> Option<GameDate> {
        self.games.iter().filter_map(|game| game.game.details().date).max()
    }

    /// The games with a colour, each with its number in all.
    pub(super) fn with_color(&self, color: Color) -> impl Iterator<Item = (usize, &OpponentGame)> {
        self.games.iter().enumerate().filter(move |(_, game)| game.color == color)
    }

    /// The games that he played against one of these, the newest first.
    pub fn against(&self, players: &[Player]) -> Vec<&OpponentGame> {
        let is_theirs = |game: &&OpponentGame| {
            let tag = if game.color.is_white() { "Black" } else { "White" };
            let name = game.game.tag(tag).unwrap_or_default();
            players.iter().any(|player| player.is_named(name))
        };
        self.newest_first(self.games.iter().filter(is_theirs))
    }

    /// Games, the newest first; of equal ones those that come first in the input.
    pub(super) fn newest_first<'g>(
        &self,
        games: impl IntoIterator<Item = &'g OpponentGame>,
    ) -> Vec<&'g OpponentGame> {
        let mut games: Vec<&OpponentGame> = games.into_iter().collect();
        games.sort_by_key(|game| std::cmp::Reverse(game.game.details().played_at));
        games
    }

    /// What games scored, by their numbers, seen from him.
    pub(super) fn tally(&self, games: &[usize]) -> Tally {
        let mut tally = Tally::default();
        games.iter().for_each(|number| tally.add(&self.games[*number].facts()));
        tally
    }

    /// What games scored beside what the ratings and the colour predict, as
    /// [`Breakdown`](stats::Breakdown) has it for the groups of a player; `None` if no game has
    /// both ratings and a result.
    pub(super) fn difference(&self, games: &[usize], color: Color) -> Option<Difference> {
        let mut tally = stats::Tally::default();
        games.iter().for_each(|number| tally.add(&self.games[*number].facts().sample()));
        Difference::beyond(signed(self.advantage, color.is_black()), &tally, &self.all)
    }

    /// What all games with a colour scored.
    fn scored(&self, color: Color) -> stats::Tally {
        let mut tally = stats::Tally::default();
        self.with_color(color).for_each(|(_, game)| tally.add(&game.facts().sample()));
        tally
    }

    /// The numbers of the games with a colour that have each of these positions.
    pub(super) fn games_at(
        &self,
        wanted: impl IntoIterator<Item = PositionKey>,
        color: Color,
    ) -> HashMap<PositionKey, Vec<usize>> {
        let mut found: HashMap<PositionKey, Vec<usize>> =
            wanted.into_iter().map(|key| (key, Vec::new())).collect();
        for (number, game) in self.with_color(color) {
            game.game.walk(LAST_PLY, |key, _| {
                if let Some(games) = found.get_mut(key).filter(|g| g.last() != Some(&number)) {
                    games.push(number);
                }
            });
        }
        found
    }
}

/// The number of the day that counts for a date.
fn day_of(date: GameDate) -> i32 {
    let number = date.number() as i32;
    match (number / 10_000, number / 100 % 100, number % 100) {
        (year, 0, _) => days_since_1970(year, 7, 1),
        (year, month, 0) => days_since_1970(year, month, 15),
        (year, month, day) => days_since_1970(year, month, day),
    }
}

/// How often an opponent plays the moves of the positions of a book.
#[derive(Debug, Clone, Default)]
pub(super) struct Habits {
    /// The moves of each position, with the sums of their weights.
    moves: HashMap<NodeId, BTreeMap<UciMove, f64>>,
}

impl Habits {
    /// Those of an opponent who has the other colour than the book.
    pub(super) fn of(opponent: &Opponent, book: &Book) -> Self {
        let mut moves: HashMap<NodeId, BTreeMap<UciMove, f64>> = HashMap::new();
        for (_, game) in opponent.with_color(!book.color()) {
            for (id, uci) in book.moves_of(&game.game) {
                if !book.is_own_turn(id) {
                    *moves.entry(id).or_default().entry(uci).or_default() += game.weight;
                }
            }
        }
        Self { moves }
    }

    /// The share of each move among the games that have one in a position.
    pub(super) fn shares(&self, id: NodeId) -> Vec<(UciMove, f64)> {
        let Some(moves) = self.moves.get(&id) else { return Vec::new() };
        let all: f64 = moves.values().sum();
        moves.iter().map(|(uci, weight)| (*uci, weight / all)).collect()
    }
}

/// Games between a player who follows the book and an opponent who does what he has done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting<'h> {
    pub(super) habits: &'h Habits,
    /// The number of moves of the book that the player answers with, each with the share 1: only
    /// the main one, or any.
    pub(super) answers: usize,
}

impl Play for Meeting<'_> {
    fn shares(&self, book: &Book, id: NodeId) -> Shares {
        let answers = || book.moves(id).into_iter().take(self.answers);
        let moves = match book.is_own_turn(id) {
            true => answers().map(|edge| (edge.uci, 1.0)).collect(),
            false => self.habits.shares(id),
        };
        let unknown = if moves.is_empty() { 1.0 } else { 0.0 };
        Shares { moves, unknown }
    }

    fn games(&self, _: &Book, id: NodeId) -> f64 {
        self.habits.moves.get(&id).map_or(0.0, |moves| moves.values().sum())
    }

    fn begins_elsewhere(&self) -> bool {
        false
    }
}
