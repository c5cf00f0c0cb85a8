//! Lines of moves through a book, as people read them, and the shortest ones to its positions.

use super::{Book, Edge, Node, NodeId};
use crate::chess::{
    self, Board, Chess, EnPassantMode, Fen, Move, MoveNumber, Position, PositionKey, SanPlus,
    UciMove,
};
use crate::classify::{Classifier, PlayedMove};
use crate::opening::Opening;

/// Moves from a position that a book has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookLine {
    /// The position where they begin.
    pub root: NodeId,
    /// The moves.
    pub moves: Vec<UciMove>,
}

impl BookLine {
    /// The shortest line through a book to a position, and a move there; `None` if the book does
    /// not reach the position. The move need not be in the book.
    pub fn with_move(book: &Book, key: &PositionKey, uci: UciMove) -> Option<Self> {
        Some(ShortestLines::of(book).line(book.find(key)?)?.followed_by(uci))
    }

    /// The line with a move after it.
    pub(crate) fn followed_by(mut self, uci: UciMove) -> Self {
        self.moves.push(uci);
        self
    }

    /// The line to a position by its moves, the last one first, each with the position before it.
    pub(crate) fn back_from(end: NodeId, moves: impl Iterator<Item = (NodeId, UciMove)>) -> Self {
        let mut line = Self { root: end, moves: Vec::new() };
        for (before, uci) in moves {
            line.moves.push(uci);
            line.root = before;
        }
        line.moves.reverse();
        line
    }

    /// The line as movetext, `1. e4 e5 2. Nf3`; `None` if its moves cannot be played. Of a line of
    /// more than 300 plies, the last 300 are written after `…`.
    pub fn movetext(&self, book: &Book) -> Option<String> {
        let skipped = self.moves.len().saturating_sub(MAX_PLIES);
        let mut position = book.position(self.root)?;
        let number = MoveNumber::next_in(&position).later(skipped);
        for uci in &self.moves[..skipped] {
            let m = uci.to_move(&position)?;
            position.play_unchecked(m);
        }
        Some(after_skipped(skipped) + &movetext(position, number, &self.moves[skipped..])?)
    }

    /// Where the line leads, for a reader who has nothing else: its movetext if it has moves from
    /// the initial position, or else the FEN of its last position. The FEN of the initial position
    /// says little, and has no room in a table.
    pub(crate) fn position_text(&self, book: &Book) -> Option<String> {
        if book.node(self.root).key == Board::default().key() {
            return match self.moves.is_empty() {
                true => Some("the initial position".to_owned()),
                false => self.movetext(book),
            };
        }
        let last = self.play(book, |_, _| ())?;
        Some(Fen::from_position(&last, EnPassantMode::Legal).to_string())
    }

    /// Its last move; `None` if it has none, or if its moves cannot be played.
    pub(crate) fn last_move(&self, book: &Book) -> Option<PlayedMove> {
        let mut last = None;
        self.play(book, |before, m| last = Some((before.clone(), m)))?;
        last.map(|(mut before, m)| PlayedMove::play(&mut before, m))
    }

    /// Its opening: that of its last position that the catalogue knows.
    pub fn opening<'c>(&self, book: &Book, classifier: Classifier<'c>) -> Option<&'c Opening> {
        let mut named = None;
        let mut look = |position: &Chess| {
            named = classifier.classify_position(position).or(named.take());
        };
        let last = self.play(book, |before, _| look(before))?;
        look(&last);
        named.map(|named| named.opening())
    }

    /// Plays the line and returns its last position. Calls `visit` with each position and the move
    /// played there.
    pub(crate) fn play(&self, book: &Book, mut visit: impl FnMut(&Chess, Move)) -> Option<Chess> {
        let mut position = book.position(self.root)?;
        for uci in &self.moves {
            let m = uci.to_move(&position)?;
            visit(&position, m);
            position.play_unchecked(m);
        }
        Some(position)
    }
}

/// The most plies of a line that are written. Rows about each position of one long line would
/// otherwise grow with the square of its length.
const MAX_PLIES: usize = 300;

/// What stands before a line of which moves were skipped.
fn after_skipped(moves: usize) -> String {
    if moves > 0 { "… ".to_owned() } else { String::new() }
}

/// Moves from a position as movetext, `1. e4 e5 2. Nf3`; `None` if they cannot be played.
pub(crate) fn movetext(start: Chess, first: MoveNumber, moves: &[UciMove]) -> Option<String> {
    let mut position = start.clone();
    let play = |uci: &UciMove| {
        let m = uci.to_move(&position)?;
        position.play_unchecked(m);
        Some(m)
    };
    let moves: Vec<Move> = moves.iter().map(play).collect::<Option<_>>()?;
    Some(chess::movetext(start, first, moves))
}

impl Node {
    /// Moves of the position as SAN, `Nf3` or `Qxf7#`. Illegal ones are in UCI notation.
    pub(crate) fn san(&self, moves: impl IntoIterator<Item = UciMove>) -> Vec<String> {
        let position = self.key.to_position().ok();
        let written = |uci: UciMove| {
            let m = uci.to_move(position.as_ref()?)?;
            Some(SanPlus::from_move(position.clone()?, m).to_string())
        };
        moves.into_iter().map(|uci| written(uci).unwrap_or_else(|| uci.to_string())).collect()
    }
}

/// One line to each position that the moves of a [`Book`] reach: the shortest from the initial
/// position, or, where no line leads there from it, from another root. Among equals it is the one
/// that keeps to main lines.
#[derive(Debug, Clone)]
pub(crate) struct ShortestLines {
    steps: Vec<Option<Step>>,
    /// The reached positions: those that the initial position leads to first, then those of fewer
    /// plies, then those by main lines.
    pub(crate) reached: Vec<NodeId>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    ply: u32,
    /// The previous position, and the move; `None` at a root.
    last: Option<(NodeId, UciMove)>,
}

impl ShortestLines {
    /// The lines through a book.
    pub(crate) fn of(book: &Book) -> Self {
        Self::along(book, |id, _| book.moves(id))
    }

    /// The lines along some of the moves of a book: those that `moves` returns for a position and
    /// its ply, the main one first.
    pub(crate) fn along<'b>(book: &'b Book, moves: impl Fn(NodeId, u32) -> Vec<&'b Edge>) -> Self {
        let mut lines = Self { steps: vec![None; book.len()], reached: Vec::new() };
        let initial = book.find(&Board::default().key());
        let (initial, others): (Vec<_>, Vec<_>) =
            book.starts().partition(|root| Some(*root) == initial);
        lines.spread(&initial, &moves);
        lines.spread(&others, &moves);
        lines
    }

    /// Reaches all that moves lead to from these roots, as far as it was not reached before.
    fn spread<'b>(&mut self, roots: &[NodeId], moves: &impl Fn(NodeId, u32) -> Vec<&'b Edge>) {
        let mut next = self.reached.len();
        roots.iter().for_each(|root| self.reach(*root, 0, None));
        while let Some(id) = self.reached.get(next).copied() {
            next += 1;
            let ply = self.ply(id).unwrap_or(0);
            for edge in moves(id, ply) {
                self.reach(edge.to, ply + 1, Some((id, edge.uci)));
            }
        }
    }

    /// The roots that no line leads to from the initial position, and that position itself, if
    /// lines begin with it.
    pub(crate) fn starts(&self) -> impl Iterator<Item = NodeId> {
        self.reached.iter().copied().filter(|id| self.ply(*id) == Some(0))
    }

    fn reach(&mut self, id: NodeId, ply: u32, last: Option<(NodeId, UciMove)>) {
        let known = &mut self.steps[id.index()];
        if known.is_none() {
            *known = Some(Step { ply, last });
            self.reached.push(id);
        }
    }

    /// The previous position, and the move from there; `None` for a root or an unreached position.
    pub(crate) fn last(&self, id: NodeId) -> Option<(NodeId, UciMove)> {
        (*self.steps.get(id.index())?)?.last
    }

    /// The ply at which a position is reached; `None` if the moves of the book do not lead to it.
    pub(crate) fn ply(&self, id: NodeId) -> Option<u32> {
        self.steps.get(id.index())?.map(|step| step.ply)
    }

    /// The moves of the line to a position, the last one first, each with the position before it.
    fn back(&self, id: NodeId) -> impl Iterator<Item = (NodeId, UciMove)> {
        std::iter::successors(self.last(id), |(before, _)| self.last(*before))
    }

    /// The line to a position.
    pub(crate) fn line(&self, id: NodeId) -> Option<BookLine> {
        self.ply(id).map(|_| BookLine::back_from(id, self.back(id)))
    }

    /// The line to a position as [movetext](BookLine::movetext), `1. e4 e5 2. Nf3`; empty at a
    /// root. Only the moves that are written are played.
    pub(crate) fn movetext(&self, book: &Book, id: NodeId) -> Option<String> {
        let skipped = (self.ply(id)? as usize).saturating_sub(MAX_PLIES);
        if skipped == 0 {
            return self.line(id)?.movetext(book);
        }
        let BookLine { root, moves } = BookLine::back_from(id, self.back(id).take(MAX_PLIES));
        let position = book.node(root).key.to_position().ok()?;
        Some(after_skipped(skipped) + &movetext(position, self.number(book, root)?, &moves)?)
    }

    /// The number of the next move in a position, counted along its line.
    pub(crate) fn number(&self, book: &Book, id: NodeId) -> Option<MoveNumber> {
        let start = book.position(self.back(id).last().map_or(id, |(root, _)| root))?;
        Some(MoveNumber::next_in(&start).later(self.ply(id)? as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Color, PositionKey},
        repertoire::{BookRule, MoveCounters},
    };

    /// One game from a position must not change how ordinary games are printed.
    #[test]
    fn lines_begin_with_the_initial_position_where_any_leads_from_there() {
        let mut book = Book::new(Color::White, BookRule::default());
        let later: PositionKey =
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -".parse().unwrap();
        let ending: PositionKey = "8/8/8/4k3/8/8/4P3/4K3 w - -".parse().unwrap();
        for (key, uci) in [(&later, "g1f3"), (&ending, "e1d2")] {
            let id = book.add_root(key);
            let position = key.to_position().unwrap();
            let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            book.prepare_move(id, &position, m);
        }
        let counters = MoveCounters { halfmoves: 0, fullmoves: 41.try_into().unwrap() };
        book.set_counters(&ending, counters);
        let last = book.prepare("1. e4 e5 2. Nf3 Nc6").unwrap();
        let lines = ShortestLines::of(&book);
        let text = |id| lines.movetext(&book, id).unwrap();
        assert_eq!(text(last), "1. e4 e5 2. Nf3 Nc6");
        assert_eq!(text(book.find(&later).unwrap()), "1. e4 e5");
        let after = book.moves(book.find(&ending).unwrap())[0].to;
        assert_eq!(text(after), "41. Kd2");
        let roots: Vec<_> = lines.starts().map(|id| book.node(id).key.to_string()).collect();
        assert_eq!(roots, [Board::default().key().to_string(), ending.to_string()]);
    }
}
