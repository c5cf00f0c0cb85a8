//! The catalogue: openings by position.
//!
//! A catalogue is made from one or more [`Master`]s. Where several of them name one position, the
//! first decides. Where that master has several lines to the position, the one whose moves were
//! followed gives the name, or else its first. All others stay with the position, to be told, and
//! so that reaching it by their moves is no transposition.

mod compare;
mod horizon;
mod search;
mod table;
mod tree;

use std::{collections::HashSet, fmt, sync::OnceLock};

pub use compare::{Difference, DifferenceKind, MasterCounts, Side};
pub use search::Query;
pub use tree::NodeId;

pub(crate) use self::{horizon::Horizon, search::plain_letters, tree::Stop};
use self::{
    table::KeyTable,
    tree::{LineTree, TreeBuilder, to_movetext},
};
use crate::{
    chess::{Board, Move, PackedSan, PositionKey},
    master::{
        Alias, LineError, LineFault, LineLocation, LineReason, Master, MasterInfo, MasterLine,
    },
    opening::Opening,
};

/// The rule of lichess looks no further than this many plies, unless a line is longer.
const MIN_DEPTH: usize = 40;

/// The rule of lichess looks at no position with fewer pieces, unless a catalogue names one.
const MIN_PIECES: usize = 20;

/// An opening of a master: a line that was replayed, or a position without one.
#[derive(Debug)]
pub struct Line {
    /// Which of [`Catalogue::masters`] it is from.
    pub master: usize,
    /// Where in the master it stands.
    pub place: LineLocation,
    /// What the master calls it.
    pub opening: Opening,
    /// Which of [`Catalogue::positions`] it leads to.
    pub position: usize,
    /// What it is called elsewhere, as far as the master says.
    pub aliases: Vec<Alias>,
    end: Option<NodeId>,
}

/// A position that has a name.
#[derive(Debug)]
pub struct NamedPosition {
    /// The position.
    pub key: PositionKey,
    /// The line of [`Catalogue::lines`] that names it, unless another of the same master is
    /// followed.
    pub line: usize,
}

/// A line that leads where an earlier line of the same master led already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The line of [`Catalogue::lines`].
    pub line: usize,
    /// The earlier one.
    pub first: usize,
}

/// Openings by position. It does not change any more once it is made.
pub struct Catalogue {
    masters: Vec<MasterInfo>,
    lines: Vec<Line>,
    positions: Vec<NamedPosition>,
    duplicates: Vec<Duplicate>,
    table: KeyTable,
    tree: LineTree,
    /// Made when it is first asked for: only games need it.
    horizon: OnceLock<Horizon>,
    ways: OnceLock<HashSet<PositionKey>>,
    depth: usize,
    pieces: usize,
}

/// What masters it has and how much, not all of it: verdicts hold a catalogue and are printed.
impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue")
            .field("masters", &self.masters)
            .field("lines", &self.lines.len())
            .field("positions", &self.positions.len())
            .finish_non_exhaustive()
    }
}

impl Catalogue {
    /// The catalogue that is part of this program: lichess's, see `data/openings/`.
    ///
    /// It is made when it is first asked for, in a few milliseconds.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Catalogue> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let (mut builder, mut faults) = (CatalogueBuilder::new(), Vec::new());
            builder.begin(Master::builtin_info(), Master::BUILTIN_LINES);
            Master::builtin_lines().for_each(|lines| builder.add_lines(lines, &mut faults));
            debug_assert_eq!(faults, [], "the built-in master has faults");
            builder.finish()
        })
    }

    /// A catalogue of these masters, the first before the second. Lines that cannot be replayed
    /// are left out and told.
    pub fn from_masters(masters: impl IntoIterator<Item = Master>) -> (Self, Vec<LineFault>) {
        let (mut builder, mut faults) = (CatalogueBuilder::new(), Vec::new());
        for Master { info, lines } in masters {
            builder.begin(info, lines.len());
            builder.add_lines(lines, &mut faults);
        }
        (builder.finish(), faults)
    }

    /// The masters, the one that decides first.
    #[must_use]
    pub fn masters(&self) -> &[MasterInfo] {
        &self.masters
    }

    /// All lines, those that decide nothing among them, master by master.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The named positions, in the order in which they were first named.
    #[must_use]
    pub fn positions(&self) -> &[NamedPosition] {
        &self.positions
    }

    /// Lines that name a position again that their own master had named before.
    #[must_use]
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// The named position with that key, as an index into [`positions`](Self::positions).
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, chess::PositionKey};
    ///
    /// let key: PositionKey = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -".parse()?;
    /// let catalogue = Catalogue::builtin();
    /// let sicilian = catalogue.find(&key).map(|position| catalogue.opening(position));
    /// assert_eq!(sicilian.map(|opening| opening.name()), Some("Sicilian Defense"));
    /// # Ok::<(), eco::chess::ParseKeyError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn find(&self, key: &PositionKey) -> Option<usize> {
        self.table.find(key, |index| &self.positions[index].key)
    }

    /// The opening that decides at a position.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    #[must_use]
    pub fn opening(&self, position: usize) -> &Opening {
        &self.lines[self.positions[position].line].opening
    }

    /// The lines that lead to a position or name it, the one that decides first, then in the order
    /// of the masters.
    ///
    /// # Panics
    ///
    /// If there is no such position.
    pub fn lines_of(&self, position: usize) -> impl Iterator<Item = &Line> {
        let first = self.positions[position].line;
        self.lines[first..].iter().filter(move |line| line.position == position)
    }

    /// The moves of a line, as PGN movetext: `1. e4 c5 2. Nf3`. `None` if only its position is known.
    #[must_use]
    pub fn movetext(&self, line: &Line) -> Option<String> {
        self.moves(line).map(|moves| to_movetext(&moves))
    }

    /// How many moves a line has; `None` if only its position is known.
    #[must_use]
    pub fn plies(&self, line: &Line) -> Option<usize> {
        line.end.map(|end| self.tree.plies(end))
    }

    /// The moves of a line, from the initial position; `None` if only its position is known.
    #[must_use]
    pub fn moves(&self, line: &Line) -> Option<Vec<Move>> {
        line.end.map(|end| self.tree.moves(end))
    }

    /// Whether a position is named, or is passed on the way along a line.
    #[must_use]
    pub fn is_on_way(&self, key: &PositionKey) -> bool {
        let ways = self.ways.get_or_init(|| {
            let named = self.positions.iter().map(|position| position.key);
            self.tree.boards().map(|board| *board.key()).chain(named).collect()
        });
        ways.contains(key)
    }

    /// The masters again: their lines with their moves in the usual spelling, and with their keys.
    #[must_use]
    pub fn to_masters(&self) -> Vec<Master> {
        let mut masters: Vec<Master> = self.masters.iter().map(Master::without_lines).collect();
        for line in &self.lines {
            masters[line.master].lines.push(self.to_master_line(line));
        }
        masters
    }

    /// What decides, as one master: of each position the lines of that master that decides there. Games
    /// get the same names by it; that another master has a position by further moves is lost.
    #[must_use]
    pub fn to_one_master(&self, info: &MasterInfo) -> Master {
        let decides =
            |line: &&Line| self.lines[self.positions[line.position].line].master == line.master;
        let lines = self.lines.iter().filter(decides).map(|line| self.to_master_line(line));
        Master { info: info.clone(), lines: lines.collect() }
    }

    fn to_master_line(&self, line: &Line) -> MasterLine {
        MasterLine {
            location: line.place.clone(),
            eco: *line.opening.eco(),
            name: line.opening.name().to_owned(),
            movetext: self.movetext(line),
            key: Some(self.positions[line.position].key),
            aliases: line.aliases.clone(),
        }
    }

    /// After so many plies there is nothing to find any more: 40, or the length of the longest line.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// With fewer pieces there is nothing to find any more: 20, or the fewest of a named position.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Whether no named position can be reached from this one any more, as far as that is told by what
    /// never comes back: see [`classify`](crate::classify#why-it-may-end-early). A position with a name
    /// is not decided.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, chess::PositionKey};
    ///
    /// let is_decided = |key: &str| Catalogue::builtin().is_decided(&key.parse::<PositionKey>().unwrap());
    /// assert!(!is_decided("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
    /// assert!(is_decided("4k3/8/8/8/8/8/8/4K3 w - -"));
    /// ```
    #[must_use]
    pub fn is_decided(&self, key: &PositionKey) -> bool {
        self.horizon().is_behind_key(key)
    }

    /// What tells whether a position is decided.
    pub(crate) fn horizon(&self) -> &Horizon {
        let named = || Horizon::new(self.positions.iter().map(|position| &position.key));
        self.horizon.get_or_init(named)
    }

    /// The place of a node in the tree of lines.
    pub(crate) fn stop(&self, node: NodeId) -> Stop<'_> {
        self.tree.stop(node)
    }

    /// Where the lines go on by a move as it is usually written.
    #[inline(always)]
    pub(crate) fn follow(&self, at: Stop<'_>, word: PackedSan) -> Option<Stop<'_>> {
        self.tree.child(at, word)
    }

    /// Where the lines go on from `node` by the move that brings `board` about.
    pub(crate) fn follow_to(&self, node: NodeId, board: &Board) -> Option<NodeId> {
        self.tree.child_with(node, board)
    }

    /// The position at a node of the tree of lines.
    pub(crate) fn board(&self, node: NodeId) -> &Board {
        self.tree.board(node)
    }
}

/// A catalogue that masters are still added to.
struct CatalogueBuilder {
    masters: Vec<MasterInfo>,
    lines: Vec<Line>,
    positions: Vec<NamedPosition>,
    /// For each position the first line to it of the master that named it last.
    latest: Vec<usize>,
    duplicates: Vec<Duplicate>,
    table: KeyTable,
    tree: TreeBuilder,
    depth: usize,
    pieces: usize,
}

impl CatalogueBuilder {
    fn new() -> Self {
        Self {
            masters: Vec::new(),
            lines: Vec::new(),
            positions: Vec::new(),
            latest: Vec::new(),
            duplicates: Vec::new(),
            table: KeyTable::new(PositionKey::hash64),
            tree: TreeBuilder::new(),
            depth: MIN_DEPTH,
            pieces: MIN_PIECES,
        }
    }

    /// Begins another master, with room for so many lines.
    fn begin(&mut self, info: MasterInfo, lines: usize) {
        self.masters.push(info);
        self.tree.reserve(lines);
        self.lines.reserve(lines);
        self.positions.reserve(lines);
        self.latest.reserve(lines);
    }

    /// Adds lines to the last master.
    fn add_lines(&mut self, lines: Vec<MasterLine>, faults: &mut Vec<LineFault>) {
        for line in lines {
            match self.replay(&line) {
                Ok((key, end)) => self.add_line(line, key, end),
                Err(reason) => faults.push(LineFault::new(line.location, reason)),
            }
        }
    }

    /// The position a line names, and where in the tree it ends.
    fn replay(&mut self, line: &MasterLine) -> Result<(PositionKey, Option<NodeId>), LineReason> {
        let end = line.movetext.as_ref().map(|moves| self.tree.play(moves)).transpose()?;
        let led = end.map(|end| *self.tree.board(end).key());
        match (led, line.key) {
            (Some(led), Some(said)) if led != said => Err(LineReason::LeadsElsewhere { led, said }),
            (Some(key), _) | (None, Some(key)) => Ok((key, end)),
            (None, None) => Err(LineError::Empty.into()),
        }
    }

    fn add_line(
        &mut self,
        MasterLine { location: place, eco, name, aliases, .. }: MasterLine,
        key: PositionKey,
        end: Option<NodeId>,
    ) {
        let (line, master) = (self.lines.len(), self.masters.len() - 1);
        let positions = &self.positions;
        let known = self.table.find(&key, |index| &positions[index].key);
        let position = known.unwrap_or_else(|| {
            self.positions.push(NamedPosition { key, line });
            let positions = &self.positions;
            self.table.insert(positions.len() - 1, |index| &positions[index].key);
            positions.len() - 1
        });
        match self.latest.get_mut(position) {
            None => self.latest.push(line),
            Some(latest) if self.lines[*latest].master == master => {
                self.duplicates.push(Duplicate { line, first: *latest });
            }
            Some(latest) => *latest = line,
        }
        if let Some(end) = end {
            self.tree.add(end);
            self.depth = self.depth.max(self.tree.ply(end));
        }
        self.pieces = self.pieces.min(key.piece_count());
        let opening = Opening::new(eco, name);
        self.lines.push(Line { master, place, opening, position, aliases, end });
    }

    fn finish(self) -> Catalogue {
        let Self { masters, mut lines, positions, duplicates, table, tree, depth, pieces, .. } =
            self;
        let followed = lines_by_end(&lines, &positions, tree.len());
        let (tree, places) = tree.finish(|node, board| {
            let position = table.find(board.key(), |index| &positions[index].key)?;
            Some(followed[node.index()].unwrap_or(positions[position].line))
        });
        for end in lines.iter_mut().filter_map(|line| line.end.as_mut()) {
            *end = places[end.index()];
        }
        let (horizon, ways) = (OnceLock::new(), OnceLock::new());
        Catalogue {
            masters,
            lines,
            positions,
            duplicates,
            table,
            tree,
            horizon,
            ways,
            depth,
            pieces,
        }
    }
}

/// For each node of the tree the first line that ends there, of those masters that decide there.
fn lines_by_end(lines: &[Line], positions: &[NamedPosition], nodes: usize) -> Vec<Option<usize>> {
    let mut followed = vec![None; nodes];
    for (index, line) in lines.iter().enumerate() {
        let decides = lines[positions[line.position].line].master == line.master;
        if let Some(end) = line.end.filter(|_| decides) {
            followed[end.index()].get_or_insert(index);
        }
    }
    followed
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::master::{MasterFile, MasterFormat};

    fn master(rows: &str) -> Master {
        let file = MasterFile { name: "test.tsv", bytes: rows.as_bytes() };
        let format = Some(MasterFormat::Tsv);
        let mut reading = Master::read(MasterInfo::default(), &[file], format).unwrap();
        assert_eq!(reading.faults, []);
        reading.masters.swap_remove(0)
    }

    #[test]
    fn the_built_in_lines_are_legal_distinct_and_of_all_codes() {
        let (catalogue, faults) = Catalogue::from_masters([Master::builtin()]);
        assert_eq!(faults, []);
        assert_eq!(catalogue.duplicates(), []);
        assert_eq!(catalogue.lines().len(), Master::BUILTIN_LINES);
        assert_eq!(catalogue.positions().len(), 3810);
        let codes: HashSet<_> = catalogue.lines().iter().map(|l| l.opening.eco()).collect();
        assert_eq!(codes.len(), 500);
        assert_eq!((catalogue.depth(), catalogue.pieces()), (40, 20));
        let longest = catalogue.lines().iter().filter_map(|l| catalogue.plies(l)).max();
        assert_eq!(longest, Some(36));
    }

    #[test]
    fn every_built_in_line_is_found_by_its_position_and_written_as_it_was_read() {
        let catalogue = Catalogue::builtin();
        for (line, read) in catalogue.lines().iter().zip(Master::builtin().lines) {
            let key = &catalogue.positions()[line.position].key;
            assert_eq!(catalogue.find(key), Some(line.position), "{}", line.place);
            assert_eq!(catalogue.opening(line.position), &line.opening, "{}", line.place);
            let without_signs = |text: String| text.replace(['+', '#'], "");
            assert_eq!(
                catalogue.movetext(line).map(without_signs),
                read.movetext.map(without_signs),
                "{}",
                line.place
            );
        }
    }

    #[test]
    fn the_first_line_to_a_position_decides() {
        let first = master("A80\tDutch\t1. d4 f5 2. g3\nA01\tOther\t1. g3 f5 2. d4\n");
        let second = master("A02\tThird\t1. d4 f5 2. g3\nA03\tFourth\t1. d4 f5\n");
        let (catalogue, faults) = Catalogue::from_masters([first, second]);
        assert_eq!(faults, []);
        assert_eq!(catalogue.positions().len(), 2);
        assert_eq!(catalogue.opening(0).name(), "Dutch");
        assert_eq!(catalogue.duplicates(), [Duplicate { line: 1, first: 0 }]);
        assert_eq!(catalogue.lines()[2].position, 0);
    }

    #[test]
    fn bad_lines_are_told_with_their_move() {
        let (catalogue, faults) = Catalogue::from_masters([master(
            "A00\tA\t1. e4 e5 2. Nf4\nA00\tB\t*\nA00\tC\t1. e4 {\nA00\tD\t1. Nh3 *\n",
        )]);
        assert_eq!(catalogue.lines().len(), 1);
        let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "test.tsv: line 1: move 2. Nf4: illegal",
                "test.tsv: line 2: no moves",
                "test.tsv: line 3: a comment or variation is never closed",
            ]
        );
    }

    #[test]
    fn a_line_that_is_left_out_leaves_nothing_behind() {
        let key = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let rows = format!(
            "eco\tname\tpgn\tepd\nA00\tA\t1. e4 e5 2. Nf4\t\nA00\tB\t1. d4 d5 2. c4\t{key}\n\
             A00\tC\t1. c4 d5 2. d4\t\n"
        );
        let (catalogue, faults) = Catalogue::from_masters([master(&rows)]);
        assert_eq!(faults.len(), 2);
        let behind = |movetext: &str| {
            let mut board = Board::from_position(&crate::chess::Chess::default());
            movetext.split(' ').for_each(|word| board.play(word.as_bytes()).unwrap());
            *board.key()
        };
        assert!(catalogue.is_on_way(&behind("c4 d5")));
        assert!(!catalogue.is_on_way(&behind("e4 e5")));
        assert!(!catalogue.is_on_way(&behind("d4 d5")));
        let verdict = crate::classify::Classifier::new(&catalogue).classify_movetext(b"d4 d5 c4");
        assert!(verdict.named.unwrap().is_transposed(), "a line that was left out was followed");
    }

    #[test]
    fn limits_follow_lines_that_are_longer_or_thinner() {
        let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(11);
        let (catalogue, _) = Catalogue::from_masters([master(&format!("A00\tLong\t{long}\n"))]);
        assert_eq!((catalogue.depth(), catalogue.pieces()), (44, 20));
    }
}
