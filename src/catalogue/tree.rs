//! The lines of a catalogue as one tree of moves.
//!
//! Lines share their beginnings, so replaying four thousand of them costs only some nine thousand
//! moves; and whether a game came to a position by the moves of a line is a matter of following
//! the tree.

use crate::{
    chess::{
        self, Chess, EnPassantMode, Move, MoveFault, MoveNumber, Position, PositionKey, read_move,
    },
    pgn::{MainLine, Token, decode_text},
};

/// A place in the tree: the moves that lead there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

/// A move as it is written, if it is as short as moves are; otherwise nothing.
type Word = [u8; 8];

fn short_word(word: &[u8]) -> Word {
    let mut short = Word::default();
    if let Some(place) = short.get_mut(..word.len()) {
        place.copy_from_slice(word);
    }
    short
}

#[derive(Debug)]
struct Node {
    /// The move that leads here. The root has none.
    m: Option<Move>,
    /// The move as the first line that came by wrote it, for quick comparison.
    word: Word,
    parent: NodeId,
    first_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    ply: usize,
    ends_line: bool,
}

/// Why a line cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It has no moves.
    #[error("no moves")]
    Empty,
    /// A move in it cannot be played.
    #[error("move {number} {word}: {fault}")]
    Move {
        /// Its number on the score sheet.
        number: MoveNumber,
        /// The move as it is written.
        word: String,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// A comment or a variation is left open.
    #[error("a comment or variation is never closed")]
    Open,
}

/// All lines of a catalogue.
#[derive(Debug)]
pub(super) struct LineTree {
    nodes: Vec<Node>,
    /// The position at each node.
    positions: Vec<Chess>,
}

impl LineTree {
    pub(super) const ROOT: NodeId = NodeId(0);

    pub(super) fn new() -> Self {
        let root = Node {
            m: None,
            word: Word::default(),
            parent: Self::ROOT,
            first_child: None,
            next_sibling: None,
            ply: 0,
            ends_line: false,
        };
        Self { nodes: vec![root], positions: vec![Chess::default()] }
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn position(&self, id: NodeId) -> &Chess {
        &self.positions[id.0 as usize]
    }

    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first_child, |child| self.node(*child).next_sibling)
    }

    /// Where `m` leads from `id`, if a line goes there.
    pub(super) fn child(&self, id: NodeId, m: Move) -> Option<NodeId> {
        self.children(id).find(|child| self.node(*child).m == Some(m))
    }

    /// Whether a line ends at `id`.
    pub(super) fn ends_line(&self, id: NodeId) -> bool {
        self.node(id).ends_line
    }

    /// Makes room for so many further lines, counting on what lines usually share.
    pub(super) fn reserve(&mut self, lines: usize) {
        self.nodes.reserve(5 * lines / 2);
        self.positions.reserve(5 * lines / 2);
    }

    /// How many moves lead to `id`.
    pub(super) fn ply(&self, id: NodeId) -> usize {
        self.node(id).ply
    }

    /// Adds the line that `movetext` gives and returns where it ends.
    pub(super) fn insert(&mut self, movetext: &str) -> Result<NodeId, LineError> {
        let mut at = Self::ROOT;
        for token in MainLine::from_movetext(movetext.as_bytes()) {
            match token {
                Token::Move(word) => at = self.step(at, word)?,
                Token::Result(_) => break,
                Token::OpenComment | Token::OpenVariation => return Err(LineError::Open),
            }
        }
        if at == Self::ROOT {
            return Err(LineError::Empty);
        }
        self.nodes[at.0 as usize].ends_line = true;
        Ok(at)
    }

    fn step(&mut self, at: NodeId, word: &[u8]) -> Result<NodeId, LineError> {
        let short = short_word(word);
        let known = self.children(at).find(|child| self.node(*child).word == short);
        if let Some(child) = known.filter(|_| short != Word::default()) {
            return Ok(child);
        }
        let position = self.position(at);
        let m = read_move(position, word).map_err(|fault| LineError::Move {
            number: MoveNumber::of_next(position),
            word: decode_text(word).into_owned(),
            fault,
        })?;
        if let Some(child) = self.child(at, m) {
            return Ok(child);
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        Ok(self.push(at, m, short, after))
    }

    fn push(&mut self, parent: NodeId, m: Move, word: Word, position: Chess) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("memory ends before the numbers"));
        let ply = self.node(parent).ply + 1;
        let next_sibling = self.nodes[parent.0 as usize].first_child.replace(id);
        self.nodes.push(Node {
            m: Some(m),
            word,
            parent,
            first_child: None,
            next_sibling,
            ply,
            ends_line: false,
        });
        self.positions.push(position);
        id
    }

    /// The key of the position at `id`.
    pub(super) fn key(&self, id: NodeId) -> PositionKey {
        PositionKey::of(self.position(id), EnPassantMode::Legal)
    }

    /// The moves from the initial position to `id`.
    pub(super) fn moves(&self, id: NodeId) -> Vec<Move> {
        let path = std::iter::successors(Some(id), |at| Some(self.node(*at).parent));
        let mut moves: Vec<Move> = path.map_while(|at| self.node(at).m).collect();
        moves.reverse();
        moves
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
            text.push_str(&format!("{} ", MoveNumber::of_next(&position)));
        }
        text.push_str(&chess::play_as_san(&mut position, *m).to_string());
    }
    text
}
