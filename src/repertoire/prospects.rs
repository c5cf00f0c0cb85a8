//! What an opponent makes likely: the paths through a book, the positions in which he scores badly,
//! and the moves that he has begun to play.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use super::flow::{Exits, Flow};
use super::opponent::{Answers, Habits, LAST_PLY, Meeting, OpponentGame};
use super::{Book, BookLine, NodeId, Opponent, ShortestLines, Tally};
use crate::chess::{PositionKey, UciMove};
use crate::stats::Difference;

/// What an opponent makes likely against a book.
///
/// His games are those in which he has the other colour than the book, each with its
/// [weight](Opponent#weights). Positions count, not orders of moves: in a position, the *share* of
/// a move is the weight of the games that play it there, divided by the sum of the weights of all
/// moves there. A game counts once for a position and a move; one that ends in the position does
/// not count.
///
/// # Paths
///
/// A game begins in the initial position, or, if no line of the book does, where [`Gaps`] says. The
/// player plays the main move of the book, the opponent each move with its share. Ply by ply, the
/// probabilities of a position that several orders of moves reach add up. A path ends
///
/// * as a [`Gap`](ProspectKind::Gap) after a move of the opponent to a position that the book does
///   not have, or in which it has no move;
/// * as an [`End`](ProspectKind::End) in a position in which the opponent is to move and the book
///   has no move. His moves that lead to a position in which the book has moves again go on;
/// * as [`Known`](ProspectKind::Known) where the book goes on and the opponent has no move in his
///   games, where the game is over or a comment has `[%eco end]`, and at ply 80.
///
/// The probabilities of all paths add up to 1. Paths with the same last position are one, with the
/// line that is the most probable.
///
/// # Chances
///
/// A chance is a position after a move of the player that the book's moves (any of them) can reach
/// against moves that the opponent has played, and in which the opponent has scored below
/// expectation: with at least 10 games that have a result and both ratings, the 95 % interval of
/// the [difference](Difference) is below 0. Expected is what the ratings predict, and the advantage
/// of White in his games, as for the groups of a player in `eco stats`. All his games count that
/// have the position. Its probability is that of a game having it if the player chooses his moves
/// to come there, while the opponent plays each move with its share. Of several positions that the
/// same games have, the one of fewest plies is listed.
///
/// # New moves
///
/// A move is new if at least two games of the last year (at most 365 days before the newest game)
/// play it in a position, none before does, and games before have the position and play another
/// move there. The position is one of the book, or of his games before ply 20. Games without a date
/// are before. Its probability is the weight of the games that play it, divided by that of all his
/// games with the colour.
///
/// [`Gaps`]: super::Gaps
#[derive(Debug)]
pub struct Prospects<'a> {
    pub(super) book: &'a Book,
    pub(super) opponent: &'a Opponent,
    pub(super) habits: Habits,
    games: Tally,
    found: Vec<Prospect>,
    positions: BTreeMap<NodeId, f64>,
}

/// Something that an opponent makes likely.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Prospect {
    /// What it is.
    pub kind: ProspectKind,
    /// The position.
    pub key: PositionKey,
    /// The line to it; `None` for a new move in a game that begins where the book has no position.
    pub line: Option<BookLine>,
    /// How likely it is, from 0 to 1.
    pub probability: f64,
    /// The games of the opponent that have the position, or the new move, seen from him.
    pub tally: Tally,
    /// What he scored in them beside what is expected.
    pub difference: Option<Difference>,
}

/// What an opponent makes likely. Prints as its name in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProspectKind {
    /// A path to a move of the opponent that the book does not answer.
    Gap,
    /// A path to the end of a line of the book.
    End,
    /// A path on which the games of the opponent run out, and the book does not.
    Known,
    /// A position in which the opponent scores badly.
    Chance,
    /// A move that the opponent has begun to play.
    New,
}

impl ProspectKind {
    /// Whether it is a path through the book.
    #[must_use]
    pub fn is_path(self) -> bool {
        matches!(self, Self::Gap | Self::End | Self::Known)
    }
}

impl fmt::Display for ProspectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gap => "gap",
            Self::End => "end",
            Self::Known => "known",
            Self::Chance => "chance",
            Self::New => "new",
        })
    }
}

/// The games with a result and both ratings that a chance has at least.
const LEAST_RATED: u64 = 10;

/// The ply before which new moves are looked for where the book has no position.
const OPENING: usize = 20;

/// The games of the last year that a new move has at least.
const LEAST_NEW: usize = 2;

impl<'a> Prospects<'a> {
    /// What an opponent makes likely against a book.
    #[must_use]
    pub fn of(book: &'a Book, opponent: &'a Opponent) -> Self {
        let habits = Habits::of(opponent, book);
        let numbers: Vec<usize> = opponent.with_color(!book.color()).map(|(at, _)| at).collect();
        let (games, found, positions) = (opponent.tally(&numbers), Vec::new(), BTreeMap::new());
        let mut prospects = Self { book, opponent, habits, games, found, positions };
        if !numbers.is_empty() {
            prospects.find();
        }
        prospects
    }

    fn find(&mut self) {
        let habits = self.habits.clone();
        let main = Meeting { habits: &habits, answers: Answers::Main };
        let flow = Flow::through(self.book, &main, LAST_PLY);
        self.positions = positions(self.book, &flow);
        self.found = self.paths(&flow);
        let any = Meeting { habits: &habits, answers: Answers::Any };
        let chances = self.chances(&Flow::through(self.book, &any, LAST_PLY));
        self.found.extend(chances);
        let new_moves = self.new_moves();
        self.found.extend(new_moves);
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &'a Book {
        self.book
    }

    /// The opponent.
    #[must_use]
    pub fn opponent(&self) -> &'a Opponent {
        self.opponent
    }

    /// His games with the other colour than the book, seen from him.
    #[must_use]
    pub fn games(&self) -> &Tally {
        &self.games
    }

    /// Everything that was found: paths, then chances, then new moves. Paths and chances have the
    /// most probable first, new moves those of most games.
    #[must_use]
    pub fn all(&self) -> &[Prospect] {
        &self.found
    }

    /// The positions on the paths in which it is the player's turn and the book has a move, each
    /// with the probability that a game has it.
    pub fn positions(&self) -> impl Iterator<Item = (NodeId, f64)> {
        self.positions.iter().map(|(id, probability)| (*id, *probability))
    }

    fn paths(&self, flow: &Flow<'_>) -> Vec<Prospect> {
        let kinds = [
            (ProspectKind::Gap, &flow.gaps),
            (ProspectKind::End, &flow.ends),
            (ProspectKind::Known, &flow.known),
        ];
        let keys = kinds.iter().flat_map(|(_, exits)| exits.keys().copied());
        let games = self.opponent.games_at(keys, !self.book.color());
        let path = |kind, exits: &Exits| {
            let paths = exits.iter().filter(|(_, arrivals)| arrivals.probability() > 0.0);
            let path = paths.map(|(key, arrivals)| {
                let line = Some(flow.line_to(*key, arrivals));
                self.prospect(kind, *key, line, arrivals.probability(), &games[key])
            });
            path.collect::<Vec<_>>()
        };
        let paths = kinds.into_iter().flat_map(|(kind, exits)| path(kind, exits));
        sorted(paths.collect(), |path| path.probability)
    }

    fn chances(&self, flow: &Flow<'_>) -> Vec<Prospect> {
        let mut first: BTreeMap<NodeId, usize> = BTreeMap::new();
        for (ply, layer) in flow.layers.iter().enumerate().skip(1) {
            for id in layer.keys().filter(|id| !self.book.is_own_turn(**id)) {
                first.entry(*id).or_insert(ply);
            }
        }
        let key = |id: &NodeId| *self.book.node(*id).key();
        let games = self.opponent.games_at(first.keys().map(key), !self.book.color());
        let mut by_ply: Vec<(usize, PositionKey, NodeId)> =
            first.into_iter().map(|(id, ply)| (ply, key(&id), id)).collect();
        by_ply.sort_unstable();
        let mut seen: HashSet<&[usize]> = HashSet::new();
        by_ply.retain(|(_, key, _)| self.is_chance(&games[key]) && seen.insert(&games[key]));
        let targets: Vec<NodeId> = by_ply.iter().map(|(.., id)| *id).collect();
        let chance = |((ply, key, id), probability): (&(usize, PositionKey, NodeId), f64)| {
            let line = Some(flow.line_at(*ply, *id));
            self.prospect(ProspectKind::Chance, *key, line, probability, &games[key])
        };
        let chances = by_ply.iter().zip(flow.steered(&targets)).map(chance);
        sorted(chances.collect(), |chance| chance.probability)
    }

    /// Whether the opponent has scored clearly below expectation.
    fn is_chance(&self, games: &[usize]) -> bool {
        let found = self.opponent.difference(games, !self.book.color());
        found.is_some_and(|found| found.games >= LEAST_RATED && found.interval.high < 0.0)
    }

    fn new_moves(&self) -> Vec<Prospect> {
        let lines = ShortestLines::of(self.book);
        let is_in_book = |key: &PositionKey| {
            let id = self.book.find(key);
            id.is_some_and(|id| lines.ply(id).is_some())
        };
        let mut played: HashMap<(PositionKey, UciMove), Vec<usize>> = HashMap::new();
        let (mut old, mut old_moves) = (HashSet::new(), HashSet::new());
        let color = !self.book.color();
        for (number, game) in self.opponent.with_color(color) {
            let mut ply = 0;
            game.game().walk(LAST_PLY, |key, uci| {
                let is_wanted = key.turn() == color && (ply < OPENING || is_in_book(key));
                ply += 1;
                let Some(uci) = uci.filter(|_| is_wanted) else { return };
                if !game.is_recent() {
                    old.insert(*key);
                    old_moves.insert((*key, uci));
                    return;
                }
                let games = played.entry((*key, uci)).or_default();
                if games.last() != Some(&number) {
                    games.push(number);
                }
            });
        }
        played.retain(|at, games| {
            games.len() >= LEAST_NEW && old.contains(&at.0) && !old_moves.contains(at)
        });
        let new_move = |((key, uci), games)| self.new_move(&key, uci, games);
        let new_moves: Vec<Prospect> = played.into_iter().filter_map(new_move).collect();
        sorted(new_moves, |new_move| f64::from(new_move.tally.games))
    }

    /// A move that these games play in a position.
    fn new_move(&self, before: &PositionKey, uci: UciMove, games: Vec<usize>) -> Option<Prospect> {
        let all = self.opponent.with_color(!self.book.color());
        let all: f64 = all.map(|(_, game)| game.weight()).sum();
        let weight: f64 = games.iter().map(|number| self.opponent.games()[*number].weight()).sum();
        let games_with = games.iter().map(|number| &self.opponent.games()[*number]);
        let latest = *self.opponent.newest_first(games_with).first()?;
        let (moves, key) = moves_to(latest, before, uci)?;
        let start = latest.game().start_board()?.key();
        let line = self.book.find(&start).map(|root| BookLine { root, moves });
        Some(self.prospect(ProspectKind::New, key, line, weight / all, &games))
    }

    fn prospect(
        &self,
        kind: ProspectKind,
        key: PositionKey,
        line: Option<BookLine>,
        probability: f64,
        games: &[usize],
    ) -> Prospect {
        let difference = self.opponent.difference(games, !self.book.color());
        let tally = self.opponent.tally(games);
        Prospect { kind, key, line, probability, tally, difference }
    }
}

/// The first by a measure first; of equal ones those of more games, then of fewer plies.
fn sorted(mut prospects: Vec<Prospect>, measure: impl Fn(&Prospect) -> f64) -> Vec<Prospect> {
    let plies = |found: &Prospect| found.line.as_ref().map_or(0, |line| line.moves.len());
    let rest = |found: &Prospect| (Reverse(found.tally.games), plies(found), found.key, found.kind);
    prospects.sort_by(|a, b| {
        let by_measure = measure(b).total_cmp(&measure(a));
        let by_probability = b.probability.total_cmp(&a.probability);
        by_measure.then(by_probability).then_with(|| rest(a).cmp(&rest(b)))
    });
    prospects
}

/// The probability of each position of the player in which the book has a move.
fn positions(book: &Book, flow: &Flow<'_>) -> BTreeMap<NodeId, f64> {
    let mut positions: BTreeMap<NodeId, f64> = BTreeMap::new();
    for (id, mass) in flow.layers.iter().flatten() {
        if book.is_own_turn(*id) && mass.sum > 0.0 {
            *positions.entry(*id).or_default() += mass.sum;
        }
    }
    // A game may have a position at several plies.
    positions.values_mut().for_each(|sum| *sum = sum.min(1.0));
    positions
}

/// The moves of a game up to a move in a position, and the position after it.
fn moves_to(
    game: &OpponentGame,
    before: &PositionKey,
    uci: UciMove,
) -> Option<(Vec<UciMove>, PositionKey)> {
    let (mut moves, mut after, mut is_found) = (Vec::new(), None, false);
    game.game().walk(LAST_PLY, |key, played| {
        if is_found {
            after.get_or_insert(*key);
            return;
        }
        moves.extend(played);
        is_found = played == Some(uci) && key == before;
    });
    after.map(|key| (moves, key))
}
