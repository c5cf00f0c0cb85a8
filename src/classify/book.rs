//! How far a game follows the catalogue: by the order of its moves, and by any.
//!
//! A game is played until it has left both, and no move is written down: a
//! [`Trace`](super::Trace) spends most of its time on that.

use std::ops::ControlFlow;

use super::{
    classifier::Classifier,
    header::Header,
    verdict::NamedAt,
    walk::{State, Walk},
};
use crate::pgn::{Game, Token};

/// How far a game follows the catalogue.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct BookPath<'c> {
    /// The name by the order of the moves alone: that of the longest line that the game begins
    /// with.
    pub by_moves: Option<NamedAt<'c>>,
    /// The last ply of the unbroken run, from the start, of positions that are named or
    /// on a line, by any moves.
    pub exit: usize,
}

impl<'c> Classifier<'c> {
    /// How far one game follows the catalogue.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, classify::Classifier, pgn::Game};
    ///
    /// let classifier = Classifier::new(Catalogue::builtin());
    /// let path = classifier.book_path(&Game::from_bytes(b"1. g3 f5 2. d4 h5 3. h4"));
    /// assert_eq!((path.by_moves.unwrap().ply(), path.exit), (2, 3));
    /// ```
    pub fn book_path(&self, game: &Game<'_>) -> BookPath<'c> {
        let mut header = Header::default();
        let main_line = game.tags().visit(&mut header);
        let Ok(walk) = self.exhaustive().begin(&header) else { return BookPath::default() };
        let mut book = BookWalk::new(walk);
        let mut flow = book.visit_start();
        for token in main_line {
            let Token::Move(written) = token else { break };
            if flow.is_break() || book.is_over() || book.walk.step(written).is_err() {
                break;
            }
            flow = book.visit();
        }
        book.path
    }
}

/// A walk that notes how far it follows the catalogue.
pub(super) struct BookWalk<'c> {
    pub(super) walk: Walk<'c>,
    pub(super) path: BookPath<'c>,
    is_in_book: bool,
}

impl<'c> BookWalk<'c> {
    pub(super) fn new(walk: Walk<'c>) -> Self {
        Self { walk, path: BookPath::default(), is_in_book: true }
    }

    /// Visits the start position, if it counts.
    pub(super) fn visit_start(&mut self) -> ControlFlow<()> {
        if self.walk.counts_start { self.visit() } else { ControlFlow::Continue(()) }
    }

    /// Notes what is known of the position.
    pub(super) fn visit(&mut self) -> ControlFlow<()> {
        let flow = self.walk.visit();
        self.path.by_moves = self.walk.name_by_moves().or(self.path.by_moves);
        self.is_in_book &=
            self.is_on_line() || self.walk.catalogue.is_on_line(&self.walk.board().key());
        if self.is_in_book {
            self.path.exit = self.walk.ply;
        }
        flow
    }

    /// Whether no later position changes the path: no game returns to the lines.
    fn is_over(&self) -> bool {
        !(self.is_in_book || self.is_on_line())
    }

    fn is_on_line(&self) -> bool {
        matches!(self.walk.state, State::OnLine(_))
    }
}
