//! A position of a book, its moves, and which of those that were played are in the book.

use std::{cmp::Reverse, fmt, num::NonZeroU32, str::FromStr};

use super::{Note, Tally, tally::LazyTally};
use crate::chess::{Chess, Fen, Position, PositionKey, UciMove};

/// A position of a book: its index in the book.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The index of the position among all positions of its book, from 0.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The preparation of a move: its rank, and the notes on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The rank among the prepared moves of the position, the main line first. The numbers need
    /// not be consecutive. A move of rank 0 comes before those of all other chapters, too.
    pub ordinal: u32,
    /// The notes on the move.
    pub notes: Vec<Note>,
}

/// The rank of a move that comes before those of other chapters.
pub(crate) const CHOSEN: u32 = 0;

impl Prepared {
    /// Whether the move comes before those of other chapters.
    pub(crate) fn is_chosen(&self) -> bool {
        self.ordinal == CHOSEN
    }
}

/// A move from one position to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The move.
    pub uci: UciMove,
    /// The position that the move leads to.
    pub to: NodeId,
    pub(crate) played: LazyTally,
    pub(crate) prepared: Option<Prepared>,
}

impl Edge {
    /// The games in which the move was played.
    pub fn played(&self) -> &Tally {
        &self.played
    }

    /// The preparation; `None` if the move was only played.
    pub fn prepared(&self) -> Option<&Prepared> {
        self.prepared.as_ref()
    }

    /// The notes on the move.
    pub fn notes(&self) -> &[Note] {
        self.prepared.as_ref().map_or(&[], |prepared| &prepared.notes)
    }

    /// The sort key of moves, the main one first: prepared moves by their ordinal, played moves by
    /// the number of their games.
    pub(super) fn rank(&self) -> (u32, Reverse<u32>, UciMove) {
        let ordinal = self.prepared.as_ref().map_or(u32::MAX, |prepared| prepared.ordinal);
        (ordinal, Reverse(self.played.games), self.uci)
    }
}

/// A position with its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The position.
    pub key: PositionKey,
    pub(crate) tally: LazyTally,
    /// All moves that were played or are prepared, in no order. [`Book::moves`](super::Book::moves)
    /// returns those of the book.
    pub edges: Vec<Edge>,
    /// The notes on the position itself.
    pub notes: Vec<Note>,
}

impl Node {
    /// The games that have the position.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(crate) fn edge(&self, uci: UciMove) -> Option<&Edge> {
        self.edges.iter().find(|edge| edge.uci == uci)
    }
}

/// The counters with which lines begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveCounters {
    /// The half-moves since the last capture or pawn move.
    pub(crate) halfmoves: u32,
    /// The number of the first move.
    pub(crate) fullmoves: NonZeroU32,
}

impl Default for MoveCounters {
    /// Those of the initial position.
    fn default() -> Self {
        Self { halfmoves: 0, fullmoves: NonZeroU32::MIN }
    }
}

impl MoveCounters {
    /// Those of a position.
    pub(crate) fn of(position: &Chess) -> Self {
        Self { halfmoves: position.halfmoves(), fullmoves: position.fullmoves() }
    }

    /// The FEN of a position with these counters.
    pub(crate) fn fen(self, key: &PositionKey) -> Fen {
        Fen::from(key).with_counters(self.halfmoves, self.fullmoves)
    }
}

/// How many of the moves that were played in a position are in the book. A move needs all of it.
///
/// It reads as text, and prints: `top:1`, `share:20%`, `min-games:3`, `no-dubious`, or several with
/// commas.
///
/// ```
/// use eco::repertoire::Breadth;
///
/// let breadth: Breadth = "share:5%,min-games:2".parse()?;
/// assert_eq!((breadth.min_share, breadth.min_games), (0.05, 2));
/// assert_eq!(breadth.to_string(), "share:5%,min-games:2");
/// # Ok::<(), eco::repertoire::ParseBreadthError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breadth {
    /// The number of moves, those of most games first; `None` for any.
    pub top: Option<u32>,
    /// The minimum share of a move among the games in its position, from 0 to 1.
    pub min_share: f64,
    /// The minimum number of games of a move.
    pub min_games: u32,
    /// Whether own moves with the glyph `?!` are [mistakes](super::Book::is_mistake), as those with
    /// `?` and `??` always are. It has no effect on the opponent's moves.
    pub no_dubious: bool,
}

/// Which played moves are in the book, where nothing is prepared.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BookRule {
    /// Of the moves of the side that the book is for.
    pub mine: Breadth,
    /// Of the moves of the opponent.
    pub theirs: Breadth,
}

impl Breadth {
    /// The moves that at least so many games have.
    pub const fn of_games(min_games: u32) -> Self {
        Self { top: None, min_share: 0.0, min_games, no_dubious: false }
    }

    /// Whether a move of a position is in the book.
    pub(super) fn admits(&self, node: &Node, edge: &Edge) -> bool {
        let (games, of) = (edge.played.games, node.tally.games);
        games >= self.min_games.max(1)
            && f64::from(games) >= self.min_share * f64::from(of)
            && self.top.is_none_or(|top| place(node, edge) < top as usize)
    }
}

/// The place of a move among those of its position, from 0, by the number of games.
fn place(node: &Node, edge: &Edge) -> usize {
    let rank = |edge: &Edge| (Reverse(edge.played.games), edge.uci);
    node.edges.iter().filter(|other| rank(other) < rank(edge)).count()
}

impl Default for Breadth {
    /// Every move that was played.
    fn default() -> Self {
        Self::of_games(1)
    }
}

impl BookRule {
    /// The rule of a repertoire that was given none: own moves that two games and a fifth of those
    /// in their position have, and the opponent's that two games and a twentieth have. A move of a
    /// single game says nothing of what its player would do again.
    pub const USUAL: Self = Self {
        mine: Breadth { min_share: 0.2, ..Breadth::of_games(2) },
        theirs: Breadth { min_share: 0.05, ..Breadth::of_games(2) },
    };

    /// One breadth for both sides.
    pub const fn both(breadth: Breadth) -> Self {
        Self { mine: breadth, theirs: breadth }
    }
}

/// Why a text is no [`Breadth`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected top:1, share:20%, min-games:3 or no-dubious, or several with commas, each once and \
     above 0"
)]
#[non_exhaustive]
pub struct ParseBreadthError;

impl FromStr for Breadth {
    type Err = ParseBreadthError;

    fn from_str(text: &str) -> Result<Self, ParseBreadthError> {
        let (mut breadth, mut names) = (Self::default(), Vec::new());
        for part in text.split(',') {
            let (name, value) = part.split_once(':').unwrap_or((part, ""));
            let (name, value) = (name.trim(), value.trim());
            if names.contains(&name) {
                return Err(ParseBreadthError);
            }
            names.push(name);
            let number = || value.parse().ok().filter(|n: &u32| *n > 0).ok_or(ParseBreadthError);
            match name {
                "top" => breadth.top = Some(number()?),
                "share" => breadth.min_share = read_share(value).ok_or(ParseBreadthError)?,
                "min-games" => breadth.min_games = number()?,
                "no-dubious" if value.is_empty() => breadth.no_dubious = true,
                _ => return Err(ParseBreadthError),
            }
        }
        Ok(breadth)
    }
}

/// A share, as `0.05` or `5%`.
fn read_share(text: &str) -> Option<f64> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    share.ok().filter(|share| (0.0..=1.0).contains(share))
}

impl fmt::Display for Breadth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.top.map(|top| format!("top:{top}")));
        if self.min_share > 0.0 {
            // Shares are percents with few decimals, which a product of floats would hide.
            let percent = (self.min_share * 1e8).round() / 1e6;
            parts.push(format!("share:{percent}%"));
        }
        if self.min_games > 1 || (parts.is_empty() && !self.no_dubious) {
            parts.push(format!("min-games:{}", self.min_games.max(1)));
        }
        parts.extend(self.no_dubious.then(|| "no-dubious".to_owned()));
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::{Book, NodeId, Tally},
    };

    #[test]
    fn breadths_are_read_and_written() {
        for (text, written) in [
            ("top:1", "top:1"),
            ("share:20%", "share:20%"),
            ("share:0.07", "share:7%"),
            ("min-games:3", "min-games:3"),
            ("min-games:1", "min-games:1"),
            (" min-games:2, share: 12.5% ,top:3", "top:3,share:12.5%,min-games:2"),
            ("no-dubious", "no-dubious"),
            ("no-dubious,top:1", "top:1,no-dubious"),
        ] {
            let breadth: Breadth = text.parse().unwrap();
            assert_eq!(breadth.to_string(), written, "for {text}");
            assert_eq!(written.parse(), Ok(breadth));
        }
        for text in [
            "",
            "top",
            "top:x",
            "share:2",
            "share:-1%",
            "games:2",
            "top:1,",
            "top:0",
            "min-games:0",
            "top:1,top:2",
            "no-dubious:1",
        ] {
            assert_eq!(text.parse::<Breadth>(), Err(ParseBreadthError), "for {text}");
        }
    }

    #[test]
    fn each_side_has_its_own_breadth() {
        let mut book = Book::new(Color::White, BookRule::default());
        let root = book.prepare("1. e4 e5").map(|_| book.roots()[0]).unwrap();
        let after = book.moves(root)[0].to;
        let games = |games| Tally::of_results(games, [games, 0, 0]);
        let moves = |book: &mut Book, from: NodeId, moves: &[(&str, u32)]| {
            let to = book.add_position(&"8/8/8/8/8/8/8/8 w - -".parse().unwrap());
            book.node_mut(from).tally = games(moves.iter().map(|(_, n)| n).sum()).into();
            for (uci, n) in moves {
                book.set_played(from, uci.parse().unwrap(), to, games(*n));
            }
        };
        let mut played = Book::new(Color::White, BookRule::default());
        let (root, after) =
            (played.add_root(&book.node(root).key), played.add_position(&book.node(after).key));
        moves(&mut played, root, &[("e2e4", 5), ("d2d4", 5), ("c2c4", 2), ("b2b3", 1)]);
        moves(&mut played, after, &[("e7e5", 30), ("c7c5", 1), ("e7e6", 2)]);
        for (mine, theirs, own, others) in [
            ("min-games:1", "min-games:1", "d2d4 e2e4 c2c4 b2b3", "e7e5 e7e6 c7c5"),
            ("top:1", "share:5%,min-games:2", "d2d4", "e7e5 e7e6"),
            ("share:20%", "top:2,min-games:3", "d2d4 e2e4", "e7e5"),
        ] {
            let [mine, theirs] = [mine, theirs].map(|text| text.parse().unwrap());
            played.set_rule(BookRule { mine, theirs });
            let found = |id| {
                let moves = played.moves(id);
                moves.iter().map(|edge| edge.uci.to_string()).collect::<Vec<_>>().join(" ")
            };
            assert_eq!((found(root).as_str(), found(after).as_str()), (own, others));
        }
    }
}
