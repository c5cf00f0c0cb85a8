//! Lines of moves through a book, as people read them.

use super::{
    graph::Book,
    node::{Node, NodeId},
};
use crate::{
    chess::{
        Board, Chess, EnPassantMode, Fen, MoveNumber, Position, SanPlus, UciMove, play_as_san,
    },
    classify::{Classifier, PlayedMove},
    opening::Opening,
};

/// Moves from a position that a book has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookLine {
    /// The position where they begin.
    pub root: NodeId,
    /// The moves.
    pub moves: Vec<UciMove>,
}

impl BookLine {
    /// The line as movetext, `1. e4 e5 2. Nf3`; `None` if its moves cannot be played. Of a line of
    /// more than 300 plies, the last 300 are written after `…`.
    #[must_use]
    pub fn movetext(&self, book: &Book) -> Option<String> {
        let skipped = self.moves.len().saturating_sub(MAX_PLIES);
        let mut position = book.position(self.root)?;
        let number = MoveNumber::next_in(&position).later(skipped);
        for uci in &self.moves[..skipped] {
            let m = uci.to_move(&position)?;
            position.play_unchecked(m);
        }
        end_of_line(position, number, &self.moves[skipped..], skipped)
    }

    /// Where the line leads, for a reader who has nothing else: its movetext if it has moves from
    /// the initial position, or else the FEN of its last position.
    #[must_use]
    pub(crate) fn position_text(&self, book: &Book) -> Option<String> {
        if book.node(self.root).key == Board::default().key() && !self.moves.is_empty() {
            return self.movetext(book);
        }
        let last = self.play(book, |_, _| ())?;
        Some(Fen::from_position(&last, EnPassantMode::Legal).to_string())
    }

    /// Its last move; `None` if it has none, or if its moves cannot be played.
    #[must_use]
    pub(crate) fn last_move(&self, book: &Book) -> Option<PlayedMove> {
        let mut last = None;
        self.play(book, |_, played| last = Some(played))?;
        last
    }

    /// Its opening: that of its last position that the catalogue knows.
    #[must_use]
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
    fn play(&self, book: &Book, mut visit: impl FnMut(&Chess, PlayedMove)) -> Option<Chess> {
        let mut position = book.position(self.root)?;
        for uci in &self.moves {
            let before = position.clone();
            let m = uci.to_move(&position)?;
            let san = play_as_san(&mut position, m).to_string();
            visit(&before, PlayedMove { number: MoveNumber::next_in(&before), san });
        }
        Some(position)
    }
}

/// The most plies of a line that are written. Rows about each position of one long line would
/// otherwise grow with the square of its length.
pub(super) const MAX_PLIES: usize = 300;

/// Moves from a position as movetext, `…` before them if others were skipped.
pub(super) fn end_of_line(
    mut position: Chess,
    first: MoveNumber,
    moves: &[UciMove],
    skipped: usize,
) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    words.extend((skipped > 0).then(|| "…".to_owned()));
    for (index, uci) in moves.iter().enumerate() {
        if position.turn().is_white() || index == 0 {
            words.push(first.later(index).to_string());
        }
        let m = uci.to_move(&position)?;
        words.push(play_as_san(&mut position, m).to_string());
    }
    Some(words.join(" "))
}

impl Node {
    /// Moves of the position as SAN, `Nf3` or `Qxf7#`. Illegal ones are in UCI notation.
    #[must_use]
    pub(crate) fn san(&self, moves: impl IntoIterator<Item = UciMove>) -> Vec<String> {
        let position = self.key.to_position().ok();
        let written = |uci: UciMove| {
            let m = uci.to_move(position.as_ref()?)?;
            Some(SanPlus::from_move(position.clone()?, m).to_string())
        };
        moves.into_iter().map(|uci| written(uci).unwrap_or_else(|| uci.to_string())).collect()
    }
}
