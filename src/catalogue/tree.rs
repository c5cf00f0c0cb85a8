//! The lines of a catalogue as one tree of moves.
//!
//! Lines share their beginnings, so replaying four thousand of them costs only some nine thousand
//! moves. A game whose moves are those of a line is followed without any chess: the word of a move
//! leads from one place to the next, and each place knows its name.

use crate::{
    chess::{self, Board, Chess, Move, MoveNumber, PackedSan, Position},
    master::LineError,
    pgn::{MainLine, Token},
};

/// A place in the tree: the moves that lead there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

impl NodeId {
    /// Where all lines begin.
    pub(crate) const ROOT: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The lines while they are gathered.
#[derive(Debug)]
pub(super) struct TreeBuilder {
    nodes: Vec<Gathered>,
    /// The movetext that was played last.
    last: String,
    /// Where words of it end that a blank follows, and the places they lead to.
    steps: Vec<(usize, NodeId)>,
}

#[derive(Debug)]
struct Gathered {
    word: PackedSan,
    board: Board,
    parent: NodeId,
    ply: usize,
    first_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    /// How many lines go through here.
    lines: u32,
    ends_line: bool,
}

impl TreeBuilder {
    pub(super) fn new() -> Self {
        let root = Gathered {
            word: PackedSan::NONE,
            board: Board::from_position(&Chess::default()),
            parent: NodeId::ROOT,
            ply: 0,
            first_child: None,
            next_sibling: None,
            lines: 0,
            ends_line: false,
        };
        Self { nodes: vec![root], last: String::new(), steps: Vec::new() }
    }

    fn node(&self, id: NodeId) -> &Gathered {
        &self.nodes[id.index()]
    }

    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first_child, |child| self.node(*child).next_sibling)
    }

    /// Makes room for so many further lines, counting on what lines usually share.
    pub(super) fn reserve(&mut self, lines: usize) {
        self.nodes.reserve(5 * lines / 2);
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn ply(&self, id: NodeId) -> usize {
        self.node(id).ply
    }

    pub(super) fn board(&self, id: NodeId) -> &Board {
        &self.node(id).board
    }

    /// Plays the line that `movetext` gives and returns where it ends. It is no line of the tree until
    /// [`add`](Self::add) says so.
    pub(super) fn play(&mut self, movetext: &str) -> Result<NodeId, LineError> {
        let bytes = movetext.as_bytes();
        let (from, mut at) = self.resume(movetext);
        for token in MainLine::from_movetext(&bytes[from..]) {
            match token {
                Token::Move(word) => {
                    at = self.step(at, word)?;
                    let end = word.as_ptr() as usize - bytes.as_ptr() as usize + word.len();
                    if bytes.get(end) == Some(&b' ') {
                        self.steps.push((end, at));
                    }
                }
                Token::Result(_) => break,
                Token::OpenComment | Token::OpenVariation => return Err(LineError::Open),
            }
        }
        if at == NodeId::ROOT { Err(LineError::Empty) } else { Ok(at) }
    }

    /// Up to where `movetext` needs not be read, and the place that leads to: neighbours in a master
    /// mostly begin alike. Behind a move of the main line nothing is open, so reading can begin there.
    fn resume(&mut self, movetext: &str) -> (usize, NodeId) {
        let both = self.last.bytes().zip(movetext.bytes());
        let shared = both.take_while(|(before, now)| before == now).count();
        // The blank behind the word is shared, too.
        let known = self.steps.partition_point(|(end, _)| *end < shared);
        self.steps.truncate(known);
        self.last.clear();
        self.last.push_str(movetext);
        self.steps.last().copied().unwrap_or((0, NodeId::ROOT))
    }

    /// Makes the moves that lead to `end` a line.
    pub(super) fn add(&mut self, end: NodeId) {
        self.nodes[end.index()].ends_line = true;
        let mut at = end;
        while at != NodeId::ROOT {
            self.nodes[at.index()].lines += 1;
            at = self.node(at).parent;
        }
    }

    fn step(&mut self, at: NodeId, written: &[u8]) -> Result<NodeId, LineError> {
        let word = PackedSan::new(written);
        let known = self.children(at).find(|child| self.node(*child).word == word);
        if let Some(child) = known.filter(|_| word != PackedSan::NONE) {
            return Ok(child);
        }
        let mut board = *self.board(at);
        let number = MoveNumber::after(self.ply(at));
        board.play(written).map_err(|fault| LineError::bad_move(number, written, fault))?;
        // Another way to write the same move.
        if let Some(child) = self.children(at).find(|child| *self.board(*child) == board) {
            return Ok(child);
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("memory ends before the numbers"));
        let next_sibling = self.nodes[at.index()].first_child.replace(id);
        let ply = self.ply(at) + 1;
        self.nodes.push(Gathered {
            word,
            board,
            parent: at,
            ply,
            first_child: None,
            next_sibling,
            lines: 0,
            ends_line: false,
        });
        Ok(id)
    }

    /// The finished tree, and for each node here which node it is there. `name_of` tells which line,
    /// if any, names the board at a node.
    pub(super) fn finish(
        self,
        name_of: impl Fn(NodeId, &Board) -> Option<usize>,
    ) -> (LineTree, Vec<NodeId>) {
        let room = self.nodes.len();
        let mut tree =
            LineTree { steps: Vec::with_capacity(room), nodes: Vec::with_capacity(room) };
        let mut places = vec![NodeId::ROOT; room];
        let mut order = Vec::with_capacity(room);
        order.push(NodeId::ROOT);
        let mut at = 0;
        // Breadth first, so that the children of a node lie side by side.
        while let Some(id) = order.get(at).copied() {
            // Moves of lines that were left out lead to no line.
            let leads_to_line = |child: &NodeId| self.node(*child).lines > 0;
            let mut children: Vec<NodeId> = self.children(id).filter(leads_to_line).collect();
            children.sort_by_key(|child| std::cmp::Reverse(self.node(*child).lines));
            let first_child = u32::try_from(order.len()).expect("memory ends before the numbers");
            let node = self.node(id);
            places[id.index()] = NodeId(u32::try_from(at).expect("as above"));
            tree.steps.push(Step {
                word: node.word,
                sketch: short_sketch(&node.board),
                first_child,
                child_count: u16::try_from(children.len()).expect("no position has so many moves"),
                ends_line: node.ends_line,
                name: name_of(id, &node.board).map_or(0, |line| line as u32 + 1),
            });
            let parent = places[node.parent.index()];
            tree.nodes.push(Node { board: node.board, parent });
            order.extend(children);
            at += 1;
        }
        (tree, places)
    }
}

/// All lines of a catalogue.
#[derive(Debug)]
pub(super) struct LineTree {
    // What following a game looks at lies close together; the rest is apart.
    steps: Vec<Step>,
    nodes: Vec<Node>,
}

/// What following a game needs to know of a node.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The move that leads here.
    word: PackedSan,
    /// Of the board here.
    sketch: u32,
    first_child: u32,
    child_count: u16,
    ends_line: bool,
    /// The line that names the position here, plus one; zero if it has no name.
    name: u32,
}

/// Half of the [hash](crate::chess::PositionKey::prefilter_hash) of a board.
fn short_sketch(board: &Board) -> u32 {
    (board.key().prefilter_hash() >> 32) as u32
}

/// A place in the tree, for following a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop<'t> {
    id: NodeId,
    step: &'t Step,
}

impl Stop<'_> {
    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    /// Whether the position here has a [name](Self::name).
    #[inline(always)]
    pub(crate) fn is_named(self) -> bool {
        self.step.name != 0
    }

    /// The line that names the position here, and whether a line ends here.
    pub(crate) fn name(self) -> Option<(usize, bool)> {
        let name = (self.step.name as usize).checked_sub(1)?;
        Some((name, self.step.ends_line))
    }
}

#[derive(Debug)]
struct Node {
    board: Board,
    parent: NodeId,
}

impl LineTree {
    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn stop(&self, id: NodeId) -> Stop<'_> {
        Stop { id, step: &self.steps[id.index()] }
    }

    /// Where a move leads that is written in the usual way, if a line goes there.
    #[inline(always)]
    pub(super) fn child(&self, at: Stop<'_>, word: PackedSan) -> Option<Stop<'_>> {
        let Step { first_child, child_count, .. } = *at.step;
        let children = &self.steps[first_child as usize..][..usize::from(child_count)];
        let (found, step) = children.iter().enumerate().find(|(_, child)| child.word == word)?;
        (word != PackedSan::NONE).then(|| Stop { id: NodeId(first_child + found as u32), step })
    }

    /// Where the move leads that brings `board` about, if a line goes there.
    pub(super) fn child_with(&self, id: NodeId, board: &Board) -> Option<NodeId> {
        let Step { first_child, child_count, .. } = self.steps[id.index()];
        // Boards lie apart: only one that has the same sketch is looked at.
        let sketch = short_sketch(board);
        let children = self.steps[first_child as usize..][..usize::from(child_count)].iter();
        let mut children = (first_child..).map(NodeId).zip(children);
        let leads_there = |child, step: &Step| step.sketch == sketch && self.board(child) == board;
        children.find_map(|(child, step)| leads_there(child, step).then_some(child))
    }

    pub(super) fn board(&self, id: NodeId) -> &Board {
        &self.node(id).board
    }

    /// All boards, that of the initial position among them.
    pub(super) fn boards(&self) -> impl Iterator<Item = &Board> {
        self.nodes.iter().map(|node| &node.board)
    }

    /// The nodes from behind the root to `id`, one for each move.
    fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while at != NodeId::ROOT {
            path.push(at);
            at = self.node(at).parent;
        }
        path.reverse();
        path
    }

    /// How many moves lead to `id`.
    pub(super) fn plies(&self, id: NodeId) -> usize {
        self.path(id).len()
    }

    /// The moves from the initial position to `id`.
    pub(super) fn moves(&self, id: NodeId) -> Vec<Move> {
        let mut position = Chess::default();
        let path = self.path(id);
        path.into_iter().map(|id| self.play(&mut position, id)).collect()
    }

    /// Plays the move that leads to `id` and returns it.
    fn play(&self, position: &mut Chess, id: NodeId) -> Move {
        let written = self.steps[id.index()].word.to_vec();
        let m = chess::read_move(position, &written).unwrap_or_else(|_| {
            // The word was too long to be kept.
            let leads_there = |m: &Move| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                Board::from_position(&after) == *self.board(id)
            };
            let found = position.legal_moves().iter().copied().find(leads_there);
            found.expect("a line was played move by move when it was added")
        });
        position.play_unchecked(m);
        m
    }
}

/// Moves from the initial position as PGN movetext: `1. e4 c5 2. Nf3`.
pub(super) fn to_movetext(moves: &[Move]) -> String {
    let mut position = Chess::default();
    let mut text = String::new();
    for m in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        if position.turn().is_white() {
            text.push_str(&format!("{} ", MoveNumber::next_in(&position)));
        }
        text.push_str(&chess::play_as_san(&mut position, *m).to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leads_where_it_does_alone_whatever_was_played_before() {
        let lines = [
            "",
            "1. e4",
            "1. e4 e5 2. Nf3 Nc6",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4",
            "1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5",
            "1. e4 e5 2. Nf3 Nc6 (2... d6 3. c3) 3. Bc4",
            "1. e4 e5 2. Nf3 {not 2... d6 } Nc6",
            "1. e4 e5 2. Nf3 {not 2... d6 3. d4} d6",
            "1. e4 e5 2. Nf3 {not 2... d6 ",
            "1. e4 e5 2. Nf3 (2. d4 exd4 ",
            "1. e4 e5! 2. Nf3 d6",
            "1. e4 e5 2. Nf6 d6",
            "1. e4 e5 2. Nf3 * 3. d4",
            "1. e4 e5 2. Nf3 * 3. Bb5",
        ];
        let played = |builder: &mut TreeBuilder, line: &str| {
            builder.play(line).map(|end| (*builder.board(end), builder.ply(end)))
        };
        let mut one_after_another = TreeBuilder::new();
        for before in lines {
            for line in lines {
                let alone = played(&mut TreeBuilder::new(), line);
                let _ = one_after_another.play(before);
                assert_eq!(
                    played(&mut one_after_another, line),
                    alone,
                    "{line:?} after {before:?}"
                );
            }
        }
    }
}
