//! What an opponent makes likely: the paths through a book, the positions in which he scores badly,
//! and the moves that he has begun to play.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::flow::{Exits, Flow};
use super::opponent::{Habits, LAST_PLY, Meeting, OpponentGame};
use super::{Book, BookLine, NodeId, Opponent, ShortestLines, Tally};
use crate::chess::{PositionKey, UciMove};
use crate::{named::named, stats::Difference};

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
/// ```
/// use eco::chess::Color;
/// use eco::collection::KeptGameReader;
/// use eco::repertoire::{Book, BookRule, Opponent, ProspectKind, Prospects};
/// use eco::{pgn::games, select::Selection};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. e4 e5 2. Nf3")?;
/// let mut reader = KeptGameReader::new(Selection::default());
/// let played = games(b"1. e4 e5 0-1\n\n1. e4 c5 *\n\n1. e4 c5 *\n\n1. d4 d5 2. c4 c5 *\n");
/// let played = played.filter_map(|game| Some((reader.read(&game)?, Color::Black)));
/// let opponent = Opponent::new(played.collect::<Vec<_>>());
/// let prospects = Prospects::of(&book, &opponent);
/// let [gap, end] = &prospects.all[..] else { panic!("two paths") };
/// assert_eq!(gap.line.as_ref().unwrap().movetext(&book).unwrap(), "1. e4 c5");
/// // The second game with 1. e4 c5 is the same game as the first.
/// assert_eq!((gap.kind, gap.probability), (ProspectKind::Gap, 0.5));
/// assert_eq!((end.kind, end.probability), (ProspectKind::End, 0.5));
/// # Ok::<(), eco::pgn::TypedError>(())
/// ```
///
/// [`Gaps`]: super::Gaps
#[derive(Debug)]
pub struct Prospects<'a> {
    /// The book.
    pub book: &'a Book,
    /// The opponent.
    pub opponent: &'a Opponent,
    pub(super) habits: Habits,
    /// His games with the other colour than the book, seen from him.
    pub games: Tally,
    /// Everything that was found: paths, then chances, then new moves. Paths and chances have the
    /// most probable first, new moves those of most games.
    pub all: Vec<Prospect>,
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

named! {
    /// What an opponent makes likely. Prints as its name in rows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ProspectKind {
        /// A path to a move of the opponent that the book does not answer.
        Gap = "gap",
        /// A path to the end of a line of the book.
        End = "end",
        /// A path on which the games of the opponent run out, and the book does not.
        Known = "known",
        /// A position in which the opponent scores badly.
        Chance = "chance",
        /// A move that the opponent has begun to play.
        New = "new",
    }
}

impl ProspectKind {
    /// Whether it is a path through the book.
    pub fn is_path(self) -> bool {
        matches!(self, Self::Gap | Self::End | Self::Known)
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
    pub fn of(book: &'a Book, opponent: &'a Opponent) -> Self {
        Self::up_to(book, opponent, LAST_PLY)
    }

    /// With paths and chances up to a ply.
    fn up_to(book: &'a Book, opponent: &'a Opponent, depth: usize) -> Self {
        let habits = Habits::of(opponent, book);
        let numbers: Vec<usize> = opponent.with_color(!book.color()).map(|(at, _)| at).collect();
        let (games, all, positions) = (opponent.tally(&numbers), Vec::new(), BTreeMap::new());
        let mut prospects = Self { book, opponent, habits, games, all, positions };
        if !numbers.is_empty() {
            let (paths, positions) = prospects.paths(depth);
            let all = [paths, prospects.chances(depth), prospects.new_moves()].concat();
            (prospects.all, prospects.positions) = (all, positions);
        }
        prospects
    }

    /// The positions on the paths in which it is the player's turn and the book has a move, each
    /// with the probability that a game has it.
    pub fn positions(&self) -> impl Iterator<Item = (NodeId, f64)> {
        self.positions.iter().map(|(id, probability)| (*id, *probability))
    }

    /// The paths, and the probabilities of the player's positions on them.
    fn paths(&self, depth: usize) -> (Vec<Prospect>, BTreeMap<NodeId, f64>) {
        let main = Meeting { habits: &self.habits, answers: 1 };
        let flow = Flow::through(self.book, &main, depth);
        let kinds = [
            (ProspectKind::Gap, &flow.gaps),
            (ProspectKind::End, &flow.ends),
            (ProspectKind::Known, &flow.known),
        ];
        let keys = kinds.iter().flat_map(|(_, exits)| exits.keys().copied());
        let games = self.opponent.games_at(keys, !self.book.color());
        let path = |kind, exits: &Exits| {
            let paths = exits.iter().filter(|(_, arrivals)| arrivals.mass.sum > 0.0);
            let path = paths.map(|(key, arrivals)| {
                let line = Some(flow.line_to(*key, arrivals));
                self.prospect(kind, *key, line, arrivals.mass.sum, &games[key])
            });
            path.collect::<Vec<_>>()
        };
        let paths = kinds.into_iter().flat_map(|(kind, exits)| path(kind, exits));
        let paths = sorted(paths.collect(), |path| path.probability);
        (paths, positions(self.book, &flow))
    }

    fn chances(&self, depth: usize) -> Vec<Prospect> {
        let any = Meeting { habits: &self.habits, answers: usize::MAX };
        let flow = Flow::through(self.book, &any, depth);
        let mut first: BTreeMap<NodeId, usize> = BTreeMap::new();
        for (ply, layer) in flow.layers.iter().enumerate().skip(1) {
            for id in layer.keys().filter(|id| !self.book.is_own_turn(**id)) {
                first.entry(*id).or_insert(ply);
            }
        }
        let key = |id: &NodeId| self.book.node(*id).key;
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
            game.game.walk(LAST_PLY, |key, uci| {
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
        let new_move = |((key, uci), games): ((PositionKey, UciMove), Vec<usize>)| {
            self.new_move(&key, uci, &games)
        };
        let new_moves: Vec<Prospect> = played.into_iter().filter_map(new_move).collect();
        sorted(new_moves, |new_move| f64::from(new_move.tally.games))
    }

    /// A move that these games play in a position.
    fn new_move(&self, before: &PositionKey, uci: UciMove, games: &[usize]) -> Option<Prospect> {
        let all = self.opponent.with_color(!self.book.color());
        let all: f64 = all.map(|(_, game)| game.weight).sum();
        let weight: f64 = games.iter().map(|number| self.opponent.games()[*number].weight).sum();
        let games_with = games.iter().map(|number| &self.opponent.games()[*number]);
        let latest = *self.opponent.newest_first(games_with).first()?;
        let (moves, key) = moves_to(latest, before, uci)?;
        let start = latest.game.start_board()?.key();
        let line = self.book.find(&start).map(|root| BookLine { root, moves });
        Some(self.prospect(ProspectKind::New, key, line, weight / all, games))
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
    game.game.walk(LAST_PLY, |key, played| {
        if is_found {
            after.get_or_insert(*key);
            return;
        }
        moves.extend(played);
        is_found = played == Some(uci) && key == before;
    });
    after.map(|key| (moves, key))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Color, Position};
    use crate::{collection::KeptGame, repertoire::BookRule, repertoire::flow::is_over};

    fn prepared(color: Color, lines: &[&str]) -> Book {
        let mut book = Book::new(color, BookRule::default());
        for line in lines {
            book.prepare(line).unwrap();
        }
        book
    }

    /// An opponent with these games: dates, what tags they have else, and moves.
    fn opponent(color: Color, games: &[(&str, &str, &str)]) -> Opponent {
        let game = |(number, (date, tags, moves)): (usize, &(&str, &str, &str))| {
            let pgn = format!("[Round \"{number}\"]\n[Date \"{date}\"]\n{tags}\n\n{moves}");
            (KeptGame::of_pgn(&pgn, usize::MAX), color)
        };
        Opponent::new(games.iter().enumerate().map(game))
    }

    fn rows(found: &Prospects<'_>) -> Vec<(String, String, f64, u32)> {
        let row = |row: &Prospect| {
            let line = row.line.as_ref().and_then(|line| line.movetext(found.book));
            let probability = (row.probability * 1e6).round() / 1e6;
            (row.kind.to_string(), line.unwrap_or_default(), probability, row.tally.games)
        };
        found.all.iter().map(row).collect()
    }

    fn row(kind: &str, line: &str, met: f64, games: u32) -> (String, String, f64, u32) {
        (kind.to_owned(), line.to_owned(), (met * 1e6).round() / 1e6, games)
    }

    #[test]
    fn games_weigh_half_for_every_three_years() {
        let games = [
            ("2024.01.01", "", "1. e4 c5 *"),
            ("2021.01.01", "", "1. e4 e5 *"),
            ("2024.??.??", "", "1. e4 e6 *"),
            ("2023.11.??", "", "1. e4 d5 *"),
            ("????.??.??", "", "1. e4 a6 *"),
            ("0001.01.01", "", "1. e4 a5 *"),
        ];
        let weights = |games: &[(&str, &str, &str)]| {
            let opponent = opponent(Color::Black, games);
            opponent.games().iter().map(|game| game.weight).collect::<Vec<_>>()
        };
        let weight = |days: f64| 0.5_f64.powf(days / 1095.75);
        // 1 July 2024 is the newest.
        let expected = [182.0, 1277.0, 0.0, 229.0].map(weight);
        for (found, expected) in weights(&games[..4]).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        // What has no date is as old as the oldest.
        let found = weights(&games[..5]);
        assert_eq!(found[4], found[1]);
        assert_eq!(weights(&games[4..5]), [1.0]);
        assert_eq!(weights(&games)[5], 0.5_f64.powi(100), "no weight is 0");
    }

    #[test]
    fn paths_follow_the_main_moves_of_the_book_and_what_the_opponent_plays() {
        let book = prepared(
            Color::White,
            &["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. e4 c5 2. Nf3", "1. e4 e6 2. d4", "1. d4 d5"],
        );
        let games = [
            ("2024.01.01", "", "1. e4 c5 2. Nc3 *"),
            ("2024.01.01", "", "1. e4 e5 2. Nf3 Nc6 3. Bc4 *"),
            ("2024.01.01", "", "1. e4 e5 2. Nf3 d6 *"),
            ("2021.01.01", "", "1. e4 a6 *"),
            ("2024.01.01", "", "1. d4 d5 *"),
            ("2024.01.01", "", "1. e4 *"),
        ];
        let opponent = opponent(Color::Black, &games);
        let found = Prospects::of(&book, &opponent);
        let old = 0.5_f64.powf(1095.0 / 1095.75);
        let each = 1.0 / (3.0 + old);
        let expected = [
            row("gap", "1. e4 e5 2. Nf3 d6", each, 1),
            row("end", "1. e4 c5 2. Nf3", each, 0),
            row("known", "1. e4 e5 2. Nf3 Nc6 3. Bb5", each, 0),
            row("gap", "1. e4 a6", old * each, 1),
        ];
        let paths = rows(&found).into_iter().filter(|row| row.0 != "new");
        assert_eq!(paths.collect::<Vec<_>>(), expected);
        let positions: Vec<f64> = found.positions().map(|(_, probability)| probability).collect();
        // The start, and the positions after 1... e5, 2... Nc6 and 1... c5.
        let mut sorted = positions.clone();
        sorted.sort_by(f64::total_cmp);
        for (found, expected) in sorted.iter().zip([each, each, 2.0 * each, 1.0]) {
            assert!((found - expected).abs() < 1e-12, "{positions:?}");
        }
        assert_eq!(positions.len(), 4);
    }

    #[test]
    fn what_is_over_or_marked_as_final_is_known() {
        let mut book = prepared(Color::White, &["1. f3 e5 2. g4 Qh4#"]);
        let chapter = b"1. f3 d5 {[%eco end]} *";
        book.add_chapter(&crate::pgn::Game::from_bytes(chapter));
        let games = [("", "", "1. f3 e5 2. g4 Qh4#"), ("", "", "1. f3 d5 *")];
        let opponent = opponent(Color::Black, &games);
        let found = Prospects::of(&book, &opponent);
        let expected =
            [row("known", "1. f3 d5", 0.5, 1), row("known", "1. f3 e5 2. g4 Qh4#", 0.5, 1)];
        assert_eq!(rows(&found), expected);
    }

    #[test]
    fn a_chance_is_where_he_scores_below_expectation_and_i_can_get_there() {
        let lines = ["1. e4 e5 2. Nf3 Nc6", "1. e4 e5 2. Bc4 Bc5 3. c3", "1. e4 c5 2. Nf3"];
        let book = prepared(Color::White, &lines);
        let tags = "[WhiteElo \"2000\"]\n[BlackElo \"2000\"]";
        let mut games = vec![("", tags, "1. e4 e5 2. Bc4 Bc5 3. c3 Nf6 1-0"); 10];
        games.extend(vec![("", tags, "1. e4 e5 2. Nf3 Nc6 0-1"); 12]);
        games.extend(vec![("", tags, "1. e4 c5 2. Nf3 1/2-1/2"); 11]);
        let opponent = opponent(Color::Black, &games);
        let found = Prospects::of(&book, &opponent);
        let chances: Vec<_> = rows(&found).into_iter().filter(|row| row.0 == "chance").collect();
        // He plays 1... e5 in two games of three; that I play 2. Bc4 is my choice. After 3. c3 it
        // is the same games.
        assert_eq!(chances, [row("chance", "1. e4 e5 2. Bc4", 22.0 / 33.0, 10)]);
        let chance = found.all.iter().find(|found| found.kind == ProspectKind::Chance).unwrap();
        assert_eq!(chance.difference.as_ref().unwrap().value, -0.5);
    }

    #[test]
    fn a_move_is_new_that_older_games_with_the_position_do_not_have() {
        let book = prepared(Color::White, &["1. e4 e5"]);
        let mut games = vec![
            ("2022.01.01", "", "1. e4 e5 2. Nf3 *"),
            ("2022.01.01", "", "1. d4 d5 *"),
            ("2023.01.01", "", "1. e4 c5 2. Nf3 d6 *"),
            ("2024.01.01", "", "1. e4 c5 2. Nf3 d6 *"),
            ("2024.01.01", "", "1. d4 Nf6 *"),
            ("2024.01.01", "", "1. e4 c6 *"),
            ("2023.12.01", "", "1. e4 c6 *"),
            ("????.??.??", "", "1. e4 c6 *"),
        ];
        let news = |games: &[(&str, &str, &str)]| {
            let opponent = opponent(Color::Black, games);
            let found = Prospects::of(&book, &opponent);
            rows(&found).into_iter().filter(|row| row.0 == "new").collect::<Vec<_>>()
        };
        let [day, year, old] = [0.0, 365.0, 730.0].map(|days| 0.5_f64.powf(days / 1095.75));
        let month = 0.5_f64.powf(31.0 / 1095.75);
        // A year before the newest is within the year. 2... d6 is in a position that is new itself;
        // 1... Nf6 has one game, 1... c6 an old one.
        let all = 3.0 * day + year + month + 3.0 * old;
        let new = [row("new", "1. e4 c5", (day + year) / all, 2)];
        assert_eq!(news(&games), new);
        games[2].0 = "2022.12.31";
        assert_eq!(news(&games), []);
        assert_eq!(news(&games[3..7]), [], "nothing is older");
    }

    /// The shares of moves in a position, from all games.
    fn shares_plainly(opponent: &Opponent, key: &PositionKey) -> BTreeMap<UciMove, f64> {
        let mut shares = BTreeMap::new();
        for game in opponent.games() {
            let mut moves = Vec::new();
            game.game.walk(usize::MAX, |at, uci| moves.extend(uci.filter(|_| at == key)));
            moves.sort_unstable();
            moves.dedup();
            moves.iter().for_each(|uci| *shares.entry(*uci).or_default() += game.weight);
        }
        let all: f64 = shares.values().sum();
        shares.values_mut().for_each(|share| *share /= all);
        shares
    }

    fn after(key: &PositionKey, uci: UciMove) -> PositionKey {
        let mut position = key.to_position().unwrap();
        let m = uci.to_move(&position).unwrap();
        position.play_unchecked(m);
        PositionKey::from(&position)
    }

    type Exits = BTreeMap<(ProspectKind, PositionKey), f64>;

    /// Each path by itself.
    fn walk_plainly(
        book: &Book,
        opponent: &Opponent,
        key: PositionKey,
        plies: usize,
        probability: f64,
        exits: &mut Exits,
    ) {
        let mut leave = |kind, part: f64| {
            if part > 0.0 {
                *exits.entry((kind, key)).or_default() += part * probability;
            }
        };
        let id = book.find(&key);
        let moves = id.map(|id| book.moves(id)).unwrap_or_default();
        if moves.is_empty() && is_over(&key) {
            return leave(ProspectKind::Known, 1.0);
        }
        if key.turn() == book.color() && moves.is_empty() {
            return leave(ProspectKind::Gap, 1.0);
        }
        if plies == 0 {
            return leave(ProspectKind::Known, 1.0);
        }
        if key.turn() == book.color() {
            let to = after(&key, moves[0].uci);
            return walk_plainly(book, opponent, to, plies - 1, probability, exits);
        }
        let shares = shares_plainly(opponent, &key);
        let kind = if moves.is_empty() { ProspectKind::End } else { ProspectKind::Known };
        let has_moves = |key: &PositionKey| book.find(key).is_some_and(|id| book.has_moves(id));
        let (mut ended, mut go_on) = (0.0, Vec::new());
        for (uci, share) in &shares {
            let to = after(&key, *uci);
            match moves.is_empty() && !has_moves(&to) {
                true => ended += share,
                false => go_on.push((to, *share)),
            }
        }
        leave(kind, if shares.is_empty() { 1.0 } else { ended });
        for (to, share) in go_on {
            walk_plainly(book, opponent, to, plies - 1, probability * share, exits);
        }
    }

    /// The probability that the opponent lets the player come to a position, if he chooses the best
    /// moves.
    fn reach_plainly(
        book: &Book,
        opponent: &Opponent,
        key: PositionKey,
        target: &PositionKey,
        plies: usize,
    ) -> f64 {
        if key == *target {
            return 1.0;
        }
        let Some(id) = book.find(&key).filter(|_| plies > 0) else { return 0.0 };
        let next = |uci| reach_plainly(book, opponent, after(&key, uci), target, plies - 1);
        if book.is_own_turn(id) {
            return book.moves(id).iter().map(|edge| next(edge.uci)).fold(0.0, f64::max);
        }
        let has_moves = |key: &PositionKey| book.find(key).is_some_and(|id| book.has_moves(id));
        let shares = shares_plainly(opponent, &key).into_iter();
        shares
            .filter(|(uci, _)| has_moves(&after(&key, *uci)))
            .map(|(uci, share)| share * next(uci))
            .sum()
    }

    const WORDS: [&str; 10] = ["Nf3", "Nf6", "Ng1", "Ng8", "d4", "d5", "c4", "e6", "Nc3", "Bb4"];

    fn lines() -> impl Strategy<Value = Vec<Vec<&'static str>>> {
        let line = prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..9);
        prop::collection::vec(line, 1..9)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn paths_and_chances_are_those_of_the_obvious_implementation(
            book_lines in lines(),
            games in lines(),
            years in prop::collection::vec(2015..2025_u32, 9),
            is_white in any::<bool>(),
            depth in 0..9_usize,
        ) {
            let color = if is_white { Color::White } else { Color::Black };
            let mut book = Book::new(color, BookRule::default());
            book.add_root(&PositionKey::from(&crate::chess::Chess::default()));
            for line in &book_lines {
                // An illegal move ends the line.
                let mut starts = (1..=line.len()).map(|end| line[..end].join(" "));
                while starts.next().is_some_and(|start| book.prepare(&start).is_ok()) {}
            }
            let dates: Vec<String> = years.iter().map(|year| format!("{year}.05.13")).collect();
            let games: Vec<String> = games.iter().map(|game| game.join(" ")).collect();
            let games: Vec<(&str, &str, &str)> =
                dates.iter().zip(&games).map(|(date, game)| (&**date, "", &**game)).collect();
            let opponent = opponent(!color, &games);
            prop_assume!(!opponent.games().is_empty());
            let found = Prospects::up_to(&book, &opponent, depth);
            let mut expected = Exits::new();
            let start = book.node(book.roots()[0]).key;
            walk_plainly(&book, &opponent, start, depth, 1.0, &mut expected);
            let paths = found.all.iter().filter(|found| found.kind.is_path());
            let paths: Exits =
                paths.map(|path| ((path.kind, path.key), path.probability)).collect();
            prop_assert!((paths.values().sum::<f64>() - 1.0).abs() < 1e-9, "{paths:?}");
            prop_assert_eq!(paths.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
            for (at, probability) in &paths {
                prop_assert!((probability - expected[at]).abs() < 1e-9, "{:?} {paths:?}", at);
            }
            for path in &found.all {
                prop_assert!(path.line.as_ref().unwrap().movetext(&book).is_some());
            }
            let habits = Habits::of(&opponent, &book);
            let any = Meeting { habits: &habits, answers: usize::MAX };
            let flow = Flow::through(&book, &any, depth);
            let targets: Vec<NodeId> = book.ids().collect();
            for (target, found) in targets.iter().zip(flow.steered(&targets)) {
                let key = book.node(*target).key;
                // What the flow does not pass is no candidate.
                if flow.layers.iter().any(|layer| layer.contains_key(target)) {
                    let expected = reach_plainly(&book, &opponent, start, &key, depth);
                    prop_assert!((found - expected).abs() < 1e-9, "{key}: {found} {expected}");
                }
            }
        }
    }
}
