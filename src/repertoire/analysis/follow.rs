//! How far games go through a book.

use std::{borrow::Cow, num::NonZeroU32};

use crate::{
    chess::{Board, Chess, Color, MoveNumber, PositionKey, UciMove},
    classify::{GameError, Header},
    pgn::GameDate,
    pgn::{Game, MainLine, Token, decode_word},
    repertoire::{
        book::{Book, NodeId, ShortestLines},
        games::{GameFacts, GameTags},
    },
    select::{GameResult, Selection, Selector},
    stats::Sample,
};

/// Follows games through a book.
///
/// A game is *in the book* as long as its position is one that the moves of the book lead to,
/// however the game reached it: a move that the position does not list, but that leads to another
/// position of the book, is a transposition and no departure. Faults of a game after its path
/// through the book are not looked for.
///
/// ```
/// use eco::{chess::Color, pgn::Game, repertoire::{Book, BookRule, Follower}, select::Selection};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. d4 Nf6 2. c4 e6 3. Nc3")?;
/// let follower = Follower::new(&book, Selection::default());
/// let followed = follower.follow(&Game::from_bytes(b"1. c4 e6 2. Nc3 Nf6 3. d4 Bb4"));
/// let left = follower.departure(&followed).expect("it left the book");
/// assert_eq!(left.played.to_string(), "1. c4"); // is not in the book, but
/// assert_eq!(left.reentry, Some(5)); // 3. d4 comes to where it ends
/// # Ok::<(), eco::pgn::TypedError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Follower<'b> {
    book: &'b Book,
    lines: ShortestLines,
    selector: Selector<'b>,
    /// No position of the book has fewer pieces; a game never gets any back.
    pieces: usize,
}

/// Why a game has no path through a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unmatched {
    /// It is not selected, for its players most often, or those who are play the other side.
    #[error("not selected")]
    NotSelected,
    /// It is of another variant, or its FEN is invalid.
    #[error("{0}")]
    NoStart(GameError),
    /// It starts from a position that the book does not have.
    #[error("the book does not have its first position")]
    OtherStart,
}

/// The outcome for a game.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Followed<'g> {
    /// What its tags say.
    pub header: Header<'g>,
    /// How it ended.
    pub result: GameResult,
    /// The facts that counts need; its number is that in its source.
    pub(crate) facts: GameFacts,
    /// What statistics need of it, from the side of the book.
    pub(crate) sample: Sample,
    /// The ratings of White and of Black.
    pub(crate) ratings: [Option<u16>; 2],
    /// Where it is on the web.
    pub(crate) link: Option<String>,
    /// Its path through the book, or why it has none.
    pub path: Result<BookPath, Unmatched>,
}

/// The path of a game through a book.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookPath {
    /// The number of plies for which it was in the book, from its start.
    pub ply: usize,
    /// Its last position in the book before it left.
    pub(crate) last: NodeId,
    /// How it left; `None` if it ended in the book, or what can be read of it did.
    pub(crate) exit: Option<BookExit>,
    /// What is wrong with it.
    pub error: Option<GameError>,
}

/// How a game left a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct BookExit {
    /// The move that led out of it.
    pub(crate) uci: UciMove,
    /// The number of that move.
    pub(crate) number: MoveNumber,
    /// The ply at which it returned to a position of the book.
    pub(crate) reentry: Option<usize>,
}

impl Followed<'_> {
    /// When it was played.
    #[must_use]
    pub(crate) fn date(&self) -> Option<GameDate> {
        self.facts.date
    }
}

impl<'b> Follower<'b> {
    /// Follows those games that are selected.
    #[must_use]
    pub fn new(book: &'b Book, selector: impl Into<Selector<'b>>) -> Self {
        let lines = ShortestLines::of(book);
        let reached = book.ids().filter(|id| lines.ply(*id).is_some());
        let pieces = reached.map(|id| book.node(id).key.piece_count()).min().unwrap_or(0);
        Self { book, lines, selector: selector.into(), pieces }
    }

    /// The book.
    #[must_use]
    pub(crate) fn book(&self) -> &'b Book {
        self.book
    }

    /// Which games are followed.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        self.selector.selection()
    }

    /// The lines to the positions of the book.
    #[cfg(test)]
    pub(crate) fn shortest_lines(&self) -> &ShortestLines {
        &self.lines
    }

    /// Follows one game.
    #[must_use]
    pub fn follow<'g>(&self, game: &Game<'g>) -> Followed<'g> {
        let read = GameTags::read(game);
        let tag_result = read.result();
        let (path, result) = match self.begin(&read) {
            Err(unmatched) => (Err(unmatched), tag_result),
            Ok(mut walk) => {
                let result = walk.play(read.main_line(), tag_result);
                (Ok(walk.into_path(game, &read.header)), result)
            }
        };
        let number = u32::try_from(game.number()).ok().and_then(NonZeroU32::new);
        let side = self.book.color();
        let facts = read.facts(number.or(Some(NonZeroU32::MAX)), result, side);
        let sample = read.sample(result, side);
        let ratings = [Color::White, Color::Black].map(|color| read.info.rating(color));
        let link = read.info.link().map(Cow::into_owned);
        Followed { header: read.header, result, facts, sample, ratings, link, path }
    }

    /// The position of the book with this key.
    fn reached(&self, key: &PositionKey) -> Option<NodeId> {
        self.book.find(key).filter(|id| self.lines.ply(*id).is_some())
    }

    fn begin(&self, tags: &GameTags<'_>) -> Result<Walk<'_>, Unmatched> {
        let found = self.selector.select(&tags.info).ok_or(Unmatched::NotSelected)?;
        // The moves of the other side are those of somebody who was not asked for.
        let is_own = found.color.is_none() || found.sides().any(|side| side == self.book.color());
        is_own.then_some(()).ok_or(Unmatched::NotSelected)?;
        let start = tags.header.start().map_err(Unmatched::NoStart)?;
        let board = start.as_ref().map_or_else(Board::default, Board::from_position);
        let last = self.reached(&board.key()).ok_or(Unmatched::OtherStart)?;
        Ok(Walk::new(self, board, start.as_ref(), last))
    }
}

/// A game in progress.
struct Walk<'f> {
    follower: &'f Follower<'f>,
    board: Board,
    /// The number of the first move.
    first: MoveNumber,
    plies: usize,
    /// Whether the search is over.
    is_over: bool,
    path: BookPath,
}

impl<'f> Walk<'f> {
    fn new(follower: &'f Follower<'f>, board: Board, start: Option<&Chess>, last: NodeId) -> Self {
        let first = start.map_or(MoveNumber::after(0), MoveNumber::next_in);
        let path = BookPath { ply: 0, last, exit: None, error: None };
        Self { follower, board, first, plies: 0, is_over: false, path }
    }

    /// Plays the moves, and returns the result, if one follows them.
    fn play(&mut self, line: MainLine<'_>, tag_result: GameResult) -> GameResult {
        for token in line {
            match token {
                Token::Move(_) if self.is_over && tag_result != GameResult::Unknown => break,
                Token::Move(_) if self.is_over => {}
                Token::Move(word) => self.step(word),
                Token::Result(result) if tag_result == GameResult::Unknown => {
                    return GameResult::read(result);
                }
                Token::Result(_) => break,
                Token::OpenComment => self.fail(GameError::OpenComment),
                Token::OpenVariation => self.fail(GameError::OpenVariation),
            }
        }
        tag_result
    }

    fn fail(&mut self, error: GameError) {
        if !self.is_over {
            self.path.error = Some(error);
            self.is_over = true;
        }
    }

    fn step(&mut self, word: &[u8]) {
        let before = self.board.key();
        let number = self.first.later(self.plies);
        if let Err(fault) = self.board.play(word) {
            return self.fail(GameError::Move { number, word: decode_word(word), fault });
        }
        self.plies += 1;
        let here = self.follower.reached(&self.board.key());
        match (&mut self.path.exit, here) {
            (None, Some(id)) => (self.path.last, self.path.ply) = (id, self.plies),
            (None, None) => {
                let uci = UciMove::between(&before, &self.board.key());
                self.path.exit = uci.map(|uci| BookExit { uci, number, reentry: None });
            }
            (Some(exit), Some(_)) => {
                exit.reentry = Some(self.plies);
                self.is_over = true;
            }
            (Some(_), None) => {}
        }
        let is_beyond = self.board.key().piece_count() < self.follower.pieces;
        self.is_over |= is_beyond;
    }

    fn into_path(self, game: &Game<'_>, header: &Header<'_>) -> BookPath {
        let Self { mut path, is_over, .. } = self;
        if game.is_cut() && !is_over {
            path.error = Some(GameError::TooLong { bytes: game.bytes().len() });
        }
        path.error = header.damage.as_ref().map(GameError::from).or(path.error);
        path
    }
}
