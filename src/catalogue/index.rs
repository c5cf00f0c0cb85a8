//! The catalogue itself: lines by number, by position, and by moves.

use std::collections::{BTreeSet, HashSet};
use std::{borrow::Cow, fmt, sync::OnceLock};

use super::names::{Names, OtherNames, Pieces, TranslatedNames};
use super::tree::{LineTree, NodeId};
use super::{reachability::Reachability, table::KeyTable};
use crate::chess::{Board, Chess, Language, Move, MoveNumber, PositionKey, movetext};
use crate::master::{Alias, LineLocation, MasterInfo};
use crate::opening::Opening;

/// An opening of a master: a line that was replayed, or a position without moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The index of its master in [`Catalogue::masters`](super::Catalogue::masters).
    pub master: usize,
    /// Where it stands in the master.
    pub location: LineLocation,
    /// Its code and name.
    pub opening: Opening,
    /// The index of the position it leads to in
    /// [`Catalogue::positions`](super::Catalogue::positions).
    pub position: usize,
    /// Its other names, as far as the master lists them.
    pub aliases: Box<[Alias]>,
    /// The node of the tree of lines where it ends, if it has moves.
    pub(super) end: Option<NodeId>,
}

/// A position that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedPosition {
    /// The position.
    pub key: PositionKey,
    /// The index in [`Catalogue::lines`](super::Catalogue::lines) of the line that names it, unless
    /// the game followed another line of the same master.
    pub line: usize,
}

impl NamedPosition {
    /// What a table is filled with before it has positions.
    pub(super) const NONE: Self = Self { key: PositionKey::from_words([0; 5]), line: 0 };
}

/// A line that leads to the same position as an earlier line of its master.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct Duplicate {
    /// Its index in [`Catalogue::lines`](super::Catalogue::lines).
    pub(crate) line: usize,
    /// The index of the earlier line.
    pub(crate) first: usize,
}

/// The lines of a catalogue. Those that are part of the program are taken out of their bytes when
/// they are first asked for.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    read: OnceLock<Vec<Line>>,
    read_now: fn() -> Vec<Line>,
}

impl Lines {
    /// Lines that `read_now` returns.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn on_demand(read_now: fn() -> Vec<Line>) -> Self {
        Self { read: OnceLock::new(), read_now }
    }

    #[inline]
    pub(super) fn get(&self) -> &[Line] {
        self.read.get_or_init(self.read_now)
    }
}

impl From<Vec<Line>> for Lines {
    fn from(lines: Vec<Line>) -> Self {
        Self { read: OnceLock::from(lines), read_now: Vec::new }
    }
}

/// lichess's rule looks at no more plies than this, unless a line is longer.
pub(super) const RULE_PLIES: usize = 40;

/// lichess's rule looks at no position with fewer pieces than this, unless the catalogue names one.
pub(super) const RULE_PIECES: usize = 20;

/// Openings by position. It never changes.
#[derive(Clone)]
pub struct Catalogue {
    pub(super) masters: Vec<MasterInfo>,
    pub(super) lines: Lines,
    /// The language of the names.
    pub(super) language: Language,
    pub(super) positions: Cow<'static, [NamedPosition]>,
    pub(super) duplicates: Vec<Duplicate>,
    pub(super) table: KeyTable,
    pub(crate) tree: LineTree,
    pub(super) max_ply: usize,
    pub(super) min_pieces: usize,
    pub(super) on_demand: OnDemand,
}

/// Tables that are made when they are first needed.
#[derive(Clone, Default)]
pub(super) struct OnDemand {
    /// Only games need it.
    pub(super) reachability: OnceLock<Reachability>,
    /// The named positions, and those along the lines.
    on_lines: OnceLock<HashSet<PositionKey>>,
    /// The words of all names, as searches compare them.
    pub(super) words: OnceLock<BTreeSet<String>>,
    /// The names, as searches compare them.
    pub(super) names: OnceLock<Names>,
    /// The words of all names, for those that were misspelled.
    pub(super) pieces: OnceLock<Pieces>,
    /// The names in each language that has some, and their words beside the English ones.
    pub(super) translated: OnceLock<Vec<TranslatedNames>>,
    /// Other names of openings.
    pub(super) aliases: OnceLock<OtherNames>,
}

/// Its masters and sizes only: verdicts refer to a catalogue and are printed.
impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue")
            .field("masters", &self.masters)
            .field("lines", &self.lines().len())
            .field("positions", &self.positions.len())
            .finish_non_exhaustive()
    }
}

impl Catalogue {
    /// The masters, the one that decides first.
    pub fn masters(&self) -> &[MasterInfo] {
        &self.masters
    }

    /// The language of those who read it; English, unless it is [another](Self::in_language).
    pub fn language(&self) -> Language {
        self.language
    }

    /// All lines, master by master, those that never decide included.
    #[inline]
    pub fn lines(&self) -> &[Line] {
        self.lines.get()
    }

    /// The named positions, in the order in which they were first named.
    pub fn positions(&self) -> &[NamedPosition] {
        &self.positions
    }

    /// The line that decides at a position; `None` if the position has no name.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, chess::PositionKey};
    ///
    /// let key: PositionKey = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -".parse()?;
    /// let sicilian = Catalogue::builtin().get(&key).map(|line| line.opening.name());
    /// assert_eq!(sicilian, Some("Sicilian Defense"));
    /// # Ok::<(), eco::chess::ParseKeyError>(())
    /// ```
    pub fn get(&self, key: &PositionKey) -> Option<&Line> {
        self.find(key).map(|position| &self.lines()[self.positions[position].line])
    }

    /// The index of a position in [`positions`](Self::positions); `None` if it has no name.
    pub(crate) fn find(&self, key: &PositionKey) -> Option<usize> {
        self.table.find(key, |index| &self.positions[index].key)
    }

    /// Whether [`find`](Self::find) may find the position. That takes a few instructions, and is no
    /// for nearly all positions of games that have left the lines.
    #[inline(always)]
    pub(crate) fn may_find(&self, key: &PositionKey) -> bool {
        self.table.may_have(key)
    }

    /// The lines that lead to a position or name it, the one that decides first, then in the order
    /// of the masters.
    ///
    /// # Panics
    ///
    /// If the index is not one of [`positions`](Self::positions).
    pub(crate) fn lines_of(&self, position: usize) -> impl Iterator<Item = &Line> {
        let first = self.positions[position].line;
        self.lines()[first..].iter().filter(move |line| line.position == position)
    }

    /// The moves of a line as PGN movetext, `1. e4 c5 2. Nf3`; `None` if it has only a position.
    pub fn movetext(&self, line: &Line) -> Option<String> {
        let first = MoveNumber::after(0);
        self.moves(line).map(|moves| movetext(Chess::default(), first, moves))
    }

    /// The number of plies of a line; `None` if it has only a position.
    pub fn plies(&self, line: &Line) -> Option<usize> {
        line.end.map(|end| self.tree.plies(end))
    }

    /// The moves of a line from the initial position; `None` if it has only a position.
    pub fn moves(&self, line: &Line) -> Option<Vec<Move>> {
        line.end.and_then(|end| self.tree.moves(end))
    }

    /// Whether a position has a name or occurs along a line.
    pub(crate) fn is_on_line(&self, key: &PositionKey) -> bool {
        let on_lines = self.on_demand.on_lines.get_or_init(|| {
            let named = self.positions.iter().map(|position| position.key);
            self.tree.keys().chain(named).collect()
        });
        on_lines.contains(key)
    }

    /// The last ply at which games are looked at: 40, or the length of the longest line if that is
    /// more.
    pub fn max_ply(&self) -> usize {
        self.max_ply
    }

    /// The fewest pieces with which games are looked at: 20, or the fewest of a named position if
    /// that is less.
    pub fn min_pieces(&self) -> usize {
        self.min_pieces
    }

    /// Whether no named position can be reached from this one.
    ///
    /// # Why it can be known
    ///
    /// Some things in chess only ever become less. From move to move, in every legal game,
    ///
    /// * a pawn that has left its home rank, or was taken there, never stands there again: no pawn
    ///   moves backwards, none appears, and none can come from the first rank, since a position
    ///   with pawns on the first or last rank is not legal (FENs and keys with such pawns are
    ///   refused). So the set of squares of the second rank with a white pawn, and of the seventh
    ///   with a black one, only shrinks: 16 bits that go from 1 to 0 and never back;
    /// * a right to castle never returns. So whether White may castle at all, and whether Black
    ///   may, are two more such bits;
    /// * the number of pieces on the board, pawns and kings included, never grows: a capture takes
    ///   one away, and a promotion puts a piece in the place of a pawn.
    ///
    /// Write `R(P)` for the set of those of the 18 bits that are 1 in the position `P`, and `n(P)`
    /// for its number of pieces. If the position `T` can be reached from `P` by legal moves (or is
    /// `P`), then `R(T)` is a subset of `R(P)`, and `n(T) <= n(P)`. So if no named position `T`
    /// meets both conditions, none will be reached however the game goes on: the last name stands,
    /// and with it the ply and whether it was reached by transposition. None of this depends on how
    /// the game began: it holds from any FEN.
    ///
    /// Both conditions are necessary, not sufficient: this may return `false` where no named
    /// position can be reached. A position with a name is never decided.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, chess::PositionKey};
    ///
    /// let catalogue = Catalogue::builtin();
    /// let is_decided = |key: &str| catalogue.is_decided(&key.parse::<PositionKey>().unwrap());
    /// assert!(!is_decided("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
    /// assert!(is_decided("4k3/8/8/8/8/8/8/4K3 w - -"));
    /// ```
    pub fn is_decided(&self, key: &PositionKey) -> bool {
        self.reachability().is_decided(&Board::from_key(key))
    }

    /// Which positions are decided.
    pub(crate) fn reachability(&self) -> &Reachability {
        let new = || Reachability::new(self.positions.iter().map(|position| &position.key));
        self.on_demand.reachability.get_or_init(new)
    }
}

#[cfg(test)]
impl Catalogue {
    /// Lines whose position an earlier line of their own master names.
    pub(crate) fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// What differs first between two catalogues, in any table.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        fn first<T: PartialEq + fmt::Debug>(
            what: &str,
            ours: &[T],
            theirs: &[T],
        ) -> Option<String> {
            let at = ours.iter().zip(theirs).position(|(a, b)| a != b);
            let at = at.or((ours.len() != theirs.len()).then_some(ours.len().min(theirs.len())))?;
            Some(format!("{what} {at}: {:?} and {:?}", ours.get(at), theirs.get(at)))
        }
        let limits = |catalogue: &Self| [catalogue.max_ply, catalogue.min_pieces];
        let found = |position: &NamedPosition| other.find(&position.key);
        let found: Vec<_> = self.positions.iter().map(found).collect();
        let expected: Vec<_> = (0..self.positions.len()).map(Some).collect();
        first("master", &self.masters, &other.masters)
            .or_else(|| first("line", self.lines(), other.lines()))
            .or_else(|| first("position", &self.positions, &other.positions))
            .or_else(|| first("duplicate", &self.duplicates, &other.duplicates))
            .or_else(|| first("edge", &self.tree.edges, &other.tree.edges))
            .or_else(|| first("move", &self.tree.sans, &other.tree.sans))
            .or_else(|| first("node", &self.tree.nodes, &other.tree.nodes))
            .or_else(|| first("limit", &limits(self), &limits(other)))
            .or_else(|| first("found", &expected, &found))
            .or_else(|| {
                let [ours, theirs] = [self, other].map(|c| c.reachability().to_bytes());
                first("set", &ours, &theirs)
            })
    }
}
