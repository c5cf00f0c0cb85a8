//! The positions of a book that are trained, what is known of them, and what there is to say of
//! each.

use std::{collections::HashMap, sync::Arc};

use super::{Card, Moment};

use crate::chess::{Chess, Move, MoveNumber, UciMove};
use crate::repertoire::{Book, BookLine, Edge, Frequencies, MoveCounts, NodeId, Note};
use crate::repertoire::{ShortestLines, movetext};

/// The positions of a book in which it is the own turn and the book has a move, with their cards.
#[derive(Debug, Clone)]
pub struct Deck {
    book: Arc<Book>,
    lines: ShortestLines,
    cards: HashMap<NodeId, Card>,
    /// How often the opponent's moves were played, if not in the games of the repertoire.
    replies: Option<Arc<MoveCounts>>,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing<'d> {
    /// Nothing: it was never asked.
    New,
    /// Another move was learned, which the book no longer has there.
    Changed(UciMove),
    /// Its answer was asked.
    Known(&'d Card),
}

fn by_position(book: &Book, cards: impl IntoIterator<Item = Card>) -> HashMap<NodeId, Card> {
    cards.into_iter().filter_map(|card| Some((book.find(&card.key)?, card))).collect()
}

impl Deck {
    /// The positions of a book, with these cards. Cards of other positions are left aside: they
    /// count again when the book has their position again.
    #[must_use]
    pub fn new(book: Arc<Book>, cards: impl IntoIterator<Item = Card>) -> Self {
        let lines = ShortestLines::of(&book);
        Self { cards: by_position(&book, cards), book, lines, replies: None }
    }

    /// These positions with other cards.
    #[must_use]
    pub fn with_cards(&self, cards: impl IntoIterator<Item = Card>) -> Self {
        Self { cards: by_position(&self.book, cards), ..self.clone() }
    }

    /// These positions, which the opponent's moves lead to as often as they were played in other
    /// games than those of the repertoire.
    #[must_use]
    pub fn with_replies(self, replies: Arc<MoveCounts>) -> Self {
        Self { replies: Some(replies), ..self }
    }

    /// How often the opponent's moves are played.
    pub(super) fn frequencies(&self) -> Frequencies<'_> {
        self.replies.as_deref().map_or(Frequencies::Own, Frequencies::Reference)
    }

    /// The number of plies after which the last of the positions is reached.
    #[must_use]
    pub fn depth(&self) -> usize {
        let last = self.positions().filter_map(|id| self.lines.ply(id)).max();
        last.map_or(0, |ply| ply as usize)
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    pub(super) fn lines(&self) -> &ShortestLines {
        &self.lines
    }

    /// The positions, from the beginning of lines on.
    pub fn positions(&self) -> impl Iterator<Item = NodeId> {
        self.lines.reached().iter().copied().filter(|id| self.asks(*id))
    }

    /// Whether a position is one of them.
    pub(super) fn asks(&self, id: NodeId) -> bool {
        self.book.is_own_turn(id) && !self.book.moves(id).is_empty()
    }

    /// What is known of a position.
    #[must_use]
    pub fn standing(&self, id: NodeId) -> Standing<'_> {
        match self.cards.get(&id) {
            None => Standing::New,
            Some(card) if self.answers(id).contains(&card.answer) => Standing::Known(card),
            Some(card) => Standing::Changed(card.answer),
        }
    }

    /// The moves of the book in a position, the main one first.
    #[must_use]
    pub fn answers(&self, id: NodeId) -> Vec<UciMove> {
        self.book.moves(id).iter().map(|edge| edge.uci()).collect()
    }

    /// The shortest line to a position as movetext, `1. e4 e5 2. Nf3`; empty where lines begin.
    #[must_use]
    pub fn movetext(&self, id: NodeId) -> Option<String> {
        self.lines.movetext(&self.book, id)
    }

    /// The position at the end of a line, and the last move; `None` if the line cannot be played.
    #[must_use]
    pub fn play(&self, line: &BookLine) -> Option<(Chess, Option<Move>)> {
        let mut last = None;
        let position = line.play(&self.book, |_, m| last = Some(m))?;
        Some((position, last))
    }

    /// The games that left the book in a position, if it was not asked since then. A move that
    /// leads to another position of the book leaves nothing. Where nothing is prepared, the games
    /// are the book, and none leaves it.
    #[must_use]
    pub fn open_departures(&self, id: NodeId) -> Option<u32> {
        if !self.book.has_prepared() {
            return None;
        }
        let (answers, mut games, mut last) = (self.answers(id), 0, None);
        let is_out = |edge: &&Edge| {
            !answers.contains(&edge.uci())
                && self.lines.ply(edge.to()).is_none()
                && edge.played().games > 0
        };
        for edge in self.book.node(id).edges().iter().filter(is_out) {
            games += edge.played().games;
            last = last.max(edge.played().last.map(Moment::start_of));
        }
        let is_open = match self.standing(id) {
            Standing::Known(card) => last.is_some_and(|last| last > card.reviewed),
            Standing::New => games > 0,
            Standing::Changed(_) => false,
        };
        is_open.then_some(games)
    }
}

/// What there is to say of a position once it is answered: the moves of the book, what it remarks
/// on the main one, and how the games of the repertoire went. Moves are SAN.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Lesson {
    /// The number of the move.
    pub number: Option<MoveNumber>,
    /// The moves of the book, the main one first.
    pub book: Vec<String>,
    /// Comments on the main move and on the position after it.
    pub comments: Vec<String>,
    /// The mistakes that the book knows there.
    pub mistakes: Vec<KnownMistake>,
    /// What games played there, the most frequent first, at most six moves.
    pub played: Vec<PlayedThere>,
}

/// A mistake that a book knows, and what it says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownMistake {
    /// The move.
    pub uci: UciMove,
    /// Its comments, and those on the position after it.
    pub comments: Vec<String>,
    /// The moves that refute it, as movetext: `2... Nc6 3. Bc4`, at most six; empty if the book has
    /// none.
    pub refutation: String,
}

impl KnownMistake {
    fn of(book: &Book, edge: &Edge, number: Option<MoveNumber>) -> Self {
        let comments = [edge.notes(), book.node(edge.to()).notes()].concat();
        let (mut moves, mut at) = (Vec::new(), edge.to());
        while let Some(next) = book.shown_moves(at).first().filter(|_| moves.len() < MAX_REFUTATION)
        {
            moves.push(next.uci());
            at = next.to();
        }
        let position = book.node(edge.to()).key().to_position().ok();
        let first = number.map(|number| number.later(1));
        let refutation =
            position.zip(first).and_then(|(position, first)| movetext(position, first, &moves));
        Self {
            uci: edge.uci(),
            comments: Note::all_words(&comments),
            refutation: refutation.unwrap_or_default(),
        }
    }
}

/// More moves are no longer about the mistake.
const MAX_REFUTATION: usize = 6;

/// A move that games of the repertoire played.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlayedThere {
    /// The move.
    pub uci: UciMove,
    /// The move as SAN.
    pub san: String,
    /// The number of games.
    pub games: u32,
    /// Points a game for the side of the repertoire, from 0 to 1; `None` if none has a result.
    pub score: Option<f64>,
    /// Whether the book has the move.
    pub is_in_book: bool,
}

/// More moves than these say nothing that helps to remember one.
const MAX_PLAYED: usize = 6;

impl Lesson {
    /// What there is to say of a position.
    #[must_use]
    pub fn of(deck: &Deck, id: NodeId) -> Self {
        let (book, node) = (deck.book(), deck.book().node(id));
        let moves = book.moves(id);
        let mut notes = Vec::new();
        if let Some(main) = moves.first() {
            notes.extend_from_slice(main.notes());
            notes.extend_from_slice(book.node(main.to()).notes());
        }
        let mut played: Vec<PlayedThere> = Vec::new();
        for edge in node.edges().iter().filter(|edge| edge.played().games > 0) {
            played.push(PlayedThere {
                uci: edge.uci(),
                san: node.san([edge.uci()]).concat(),
                games: edge.played().games,
                score: edge.played().score(),
                is_in_book: moves.iter().any(|answer| answer.uci() == edge.uci()),
            });
        }
        played.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.san.cmp(&b.san)));
        played.truncate(MAX_PLAYED);
        let number = deck.lines().number(book, id);
        let mistakes = book.mistakes(id).into_iter();
        Self {
            number,
            mistakes: mistakes.map(|edge| KnownMistake::of(book, edge, number)).collect(),
            book: node.san(moves.iter().map(|edge| edge.uci())),
            comments: Note::all_words(&notes),
            played,
        }
    }
}
