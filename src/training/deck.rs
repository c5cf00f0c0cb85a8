//! The positions of a book that are trained, what is known of them, and what there is to say of
//! each.

use std::collections::{HashMap, HashSet};
use std::{cell::RefCell, sync::Arc};

use super::{Card, Moment, Pause};

use crate::chess::{Chess, Language, Move, MoveNumber, PositionKey, UciMove};
use crate::classify::Question as Line;
use crate::repertoire::{Book, BookLine, Edge, Frequencies, LineScores, MoveCounts, NodeId, Note};
use crate::repertoire::{ShortestLines, movetext};

/// The positions of a book in which it is the own turn and the book has a move, with their cards.
/// All of them, or a [scope](Self::limited_to).
#[derive(Debug, Clone)]
#[must_use]
pub struct Deck {
    book: Arc<Book>,
    pub(super) lines: Arc<ShortestLines>,
    branches: Arc<Branches>,
    /// What is asked, from the beginning of lines on.
    positions: Vec<NodeId>,
    /// Whether a position is among those.
    asks: Vec<bool>,
    /// What would be asked, but for a pause.
    paused: Vec<(NodeId, Pause)>,
    cards: HashMap<NodeId, Card>,
    /// Own moves that score too little to be learned.
    poor: HashSet<(NodeId, UciMove)>,
    today: Today,
    /// How often the opponent's moves were played, if not in the games of the repertoire.
    replies: Option<Arc<MoveCounts>>,
}

/// The moves of a book side by side, in the order in which lines reach them. A large book is spread
/// over memory, and visiting it takes most of the time until the first question: one visit is
/// enough.
#[derive(Debug)]
struct Branches {
    all: Vec<Branch>,
    /// Of each position: the range of its moves, and the games of all moves that were played there.
    of: Vec<(u32, u32, u32)>,
}

/// A move of the book.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    pub(super) uci: UciMove,
    pub(super) to: NodeId,
    /// The games of the repertoire that played it.
    pub(super) games: u32,
}

impl Branches {
    /// The lines through a book, and its moves along them.
    fn of(book: &Book) -> (ShortestLines, Self) {
        let branches = RefCell::new(Self { all: Vec::new(), of: vec![(0, 0, 0); book.len()] });
        let lines = ShortestLines::along(book, |id, _| {
            let moves = book.moves(id);
            branches.borrow_mut().add(book, id, &moves);
            moves
        });
        (lines, branches.into_inner())
    }

    fn add(&mut self, book: &Book, id: NodeId, moves: &[&Edge]) {
        let branch =
            |edge: &&Edge| Branch { uci: edge.uci, to: edge.to, games: edge.played().games };
        let first = self.all.len() as u32;
        self.all.extend(moves.iter().map(branch));
        let games = book.node(id).edges.iter().map(|edge| edge.played().games);
        let games = games.fold(0, u32::saturating_add);
        self.of[id.index()] = (first, self.all.len() as u32, games);
    }
}

/// What the answers of a day say, whatever the positions of a deck are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Today {
    /// The number of positions that were asked for the first time.
    pub learned: usize,
    /// The positions that were asked again.
    pub asked: HashSet<PositionKey>,
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
    pub fn new(book: Arc<Book>, cards: impl IntoIterator<Item = Card>) -> Self {
        let (lines, branches) = Branches::of(&book);
        let mut deck = Self {
            cards: by_position(&book, cards),
            asks: vec![false; book.len()],
            book,
            lines: Arc::new(lines),
            branches: Arc::new(branches),
            positions: Vec::new(),
            paused: Vec::new(),
            poor: HashSet::new(),
            today: Today::default(),
            replies: None,
        };
        let has_answer = |id: &NodeId| !deck.branches(*id).is_empty() && deck.book.is_own_turn(*id);
        let reached = deck.lines.reached.iter().copied();
        deck.positions = reached.filter(has_answer).collect();
        deck.positions.iter().for_each(|id| deck.asks[id.index()] = true);
        deck
    }

    /// These positions with other cards.
    pub fn with_cards(&self, cards: impl IntoIterator<Item = Card>) -> Self {
        Self { cards: by_position(&self.book, cards), ..self.clone() }
    }

    /// These positions, which the opponent's moves lead to as often as they were played in other
    /// games than those of the repertoire.
    pub fn with_replies(self, replies: Arc<MoveCounts>) -> Self {
        Self { replies: Some(replies), ..self }
    }

    /// These positions, of which some were asked today.
    pub fn with_today(self, today: Today) -> Self {
        Self { today, ..self }
    }

    /// What was asked today.
    pub fn today(&self) -> &Today {
        &self.today
    }

    /// Those of these positions that are among others: a scope. Whoever has a set of positions to
    /// train, such as the ones that an opponent is likely to reach, makes it a session by this.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use eco::{chess::Color, repertoire::{Book, BookRule}, training::Deck};
    /// let mut book = Book::new(Color::White, BookRule::default());
    /// let sicilian = book.prepare("1. e4 c5").unwrap();
    /// book.prepare("1. e4 c5 2. Nf3 d6 3. d4").unwrap();
    /// book.prepare("1. e4 e5 2. Nf3").unwrap();
    /// let key = book.node(sicilian).key;
    /// let deck = Deck::new(Arc::new(book), []);
    /// let scope = deck.following(&key);
    /// assert_eq!((deck.positions().count(), deck.limited_to(&scope).positions().count()), (4, 2));
    /// ```
    pub fn limited_to(mut self, scope: &HashSet<PositionKey>) -> Self {
        let book = Arc::clone(&self.book);
        let is_in = |id: NodeId| scope.contains(&book.node(id).key);
        self.paused.retain(|(id, _)| is_in(*id));
        self.retain(is_in);
        self
    }

    /// The positions of the book that its moves lead to from a position, which is one of them; none
    /// if the book does not have it.
    pub fn following(&self, key: &PositionKey) -> HashSet<PositionKey> {
        let keys = self.below(self.book.find(key)).into_iter();
        keys.map(|id| self.book.node(id).key).collect()
    }

    /// The positions on a line in which the book has the next move of it, and the last one.
    pub fn on_line(&self, line: &Line) -> HashSet<PositionKey> {
        let is_in_book = |before: &PositionKey, m: Move| {
            let moves = self.book.find(before).map(|id| self.book.moves(id));
            let uci = UciMove::from_move(m);
            moves.is_some_and(|moves| moves.iter().any(|edge| edge.uci == uci))
        };
        let steps = line.steps().map(|(before, m, _)| (PositionKey::from(before), m));
        let met = steps.filter(|(before, m)| is_in_book(before, *m)).map(|(before, _)| before);
        met.chain([line.key()]).collect()
    }

    fn below(&self, start: Option<NodeId>) -> HashSet<NodeId> {
        let mut open: Vec<NodeId> = start.into_iter().collect();
        let mut reached: HashSet<NodeId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let moves = self.branches(id).iter().map(|branch| branch.to);
            open.extend(moves.filter(|to| reached.insert(*to)));
        }
        reached
    }

    /// These positions without those that are paused at a time.
    pub fn with_pauses(mut self, pauses: &[Pause], now: Moment) -> Self {
        pauses.iter().filter(|pause| pause.lasts(now)).for_each(|pause| self.pause(*pause));
        self
    }

    /// Asks the positions of a pause no more.
    pub(super) fn pause(&mut self, pause: Pause) {
        let Some(id) = self.book.find(&pause.key) else { return };
        let ids = match pause.until {
            None => HashSet::from([id]),
            Some(_) => self.below(Some(id)),
        };
        let paused = self.positions.iter().filter(|id| ids.contains(id)).map(|id| (*id, pause));
        self.paused.extend(paused);
        self.retain(|id| !ids.contains(&id));
    }

    /// The positions that are not asked now, but for their pauses.
    pub fn paused(&self) -> &[(NodeId, Pause)] {
        &self.paused
    }

    /// These positions without the own moves that score less than half of the points, and less than
    /// the ratings predict: for a book that games alone make. A position without another move is
    /// not asked.
    pub fn without_poor_moves(mut self, scores: &LineScores) -> Self {
        for id in &self.positions {
            let is_poor = |edge: &&Edge| {
                edge.played().score().is_some_and(|score| score < 0.5)
                    && scores.get(*id, edge.uci).is_none_or(|found| found.difference.value < 0.0)
            };
            let moves = self.book.moves(*id).into_iter().filter(is_poor);
            self.poor.extend(moves.map(|edge| (*id, edge.uci)));
        }
        let with_answer: HashSet<NodeId> =
            self.positions.iter().copied().filter(|id| !self.moves(*id).is_empty()).collect();
        self.retain(|id| with_answer.contains(&id));
        self
    }

    /// The number of own moves that score too little to be learned.
    pub fn poor_moves(&self) -> usize {
        self.poor.len()
    }

    fn retain(&mut self, is_kept: impl Fn(NodeId) -> bool) {
        let asks = &mut self.asks;
        self.positions.retain(|id| {
            asks[id.index()] = is_kept(*id);
            asks[id.index()]
        });
    }

    /// The moves of the book in a position that lines reach, the main one first.
    pub(super) fn branches(&self, id: NodeId) -> &[Branch] {
        let (first, end, _) = self.branches.of[id.index()];
        &self.branches.all[first as usize..end as usize]
    }

    /// The games that played any move in a position that lines reach.
    pub(super) fn games(&self, id: NodeId) -> u32 {
        self.branches.of[id.index()].2
    }

    /// How often the opponent's moves are played.
    pub(super) fn frequencies(&self) -> Frequencies<'_> {
        self.replies.as_deref().map_or(Frequencies::Own, Frequencies::Reference)
    }

    /// The number of plies after which the last of the positions is reached.
    pub fn depth(&self) -> usize {
        let last = self.positions().filter_map(|id| self.lines.ply(id)).max();
        last.map_or(0, |ply| ply as usize)
    }

    /// The book.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The positions, from the beginning of lines on.
    pub fn positions(&self) -> impl Iterator<Item = NodeId> {
        self.positions.iter().copied()
    }

    /// Whether a position is one of them, or would be but for a pause.
    pub fn has(&self, key: &PositionKey) -> bool {
        let is_it = |id| self.asks(id) || self.paused.iter().any(|(paused, _)| *paused == id);
        self.book.find(key).is_some_and(is_it)
    }

    /// Whether a position is one of them.
    pub(super) fn asks(&self, id: NodeId) -> bool {
        self.asks[id.index()]
    }

    /// What is known of a position.
    pub fn standing(&self, id: NodeId) -> Standing<'_> {
        match self.cards.get(&id) {
            None => Standing::New,
            Some(card) if self.answers(id).contains(&card.answer) => Standing::Known(card),
            Some(card) => Standing::Changed(card.answer),
        }
    }

    /// The moves of the book in a position that are to be learned, the main one first.
    fn moves(&self, id: NodeId) -> Vec<&Edge> {
        let mut moves = self.book.moves(id);
        if !self.poor.is_empty() {
            moves.retain(|edge| !self.poor.contains(&(id, edge.uci)));
        }
        moves
    }

    /// The moves that are right in a position, the main one first.
    pub fn answers(&self, id: NodeId) -> Vec<UciMove> {
        let moves = self.branches(id).iter().map(|branch| branch.uci);
        moves.filter(|uci| self.poor.is_empty() || !self.poor.contains(&(id, *uci))).collect()
    }

    /// The shortest line to a position as movetext, `1. e4 e5 2. Nf3`; empty where lines begin.
    pub fn movetext(&self, id: NodeId) -> Option<String> {
        self.lines.movetext(&self.book, id)
    }

    /// The position at the end of a line, and the last move; `None` if the line cannot be played.
    pub fn play(&self, line: &BookLine) -> Option<(Chess, Option<Move>)> {
        let mut last = None;
        let position = line.play(&self.book, |_, m| last = Some(m))?;
        Some((position, last))
    }

    /// The games that left the book in a position, if it was not asked since then. A move that
    /// leads to another position of the book leaves nothing. Where nothing is prepared, the games
    /// are the book, and none leaves it.
    pub fn open_departures(&self, id: NodeId) -> Option<u32> {
        if self.games(id) == 0 || !self.book.has_prepared() {
            return None;
        }
        let (answers, mut games, mut last) = (self.answers(id), 0, None);
        let is_out = |edge: &&Edge| {
            edge.played().games > 0
                && !answers.contains(&edge.uci)
                && self.lines.ply(edge.to).is_none()
        };
        for edge in self.book.node(id).edges.iter().filter(is_out) {
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
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct KnownMistake {
    /// The move.
    #[serde(skip)]
    pub uci: UciMove,
    /// Its comments, and those on the position after it.
    pub comments: Vec<String>,
    /// The moves that refute it, as movetext: `2... Nc6 3. Bc4`, at most six; empty if the book has
    /// none.
    pub refutation: String,
}

impl KnownMistake {
    fn of(book: &Book, edge: &Edge, number: Option<MoveNumber>) -> Self {
        let comments = [edge.notes(), &book.node(edge.to).notes].concat();
        let (mut moves, mut at) = (Vec::new(), edge.to);
        while let Some(next) = book.shown_moves(at).first().filter(|_| moves.len() < MAX_REFUTATION)
        {
            moves.push(next.uci);
            at = next.to;
        }
        let position = book.node(edge.to).key.to_position().ok();
        let first = number.map(|number| number.later(1));
        let refutation =
            position.zip(first).and_then(|(position, first)| movetext(position, first, &moves));
        Self {
            uci: edge.uci,
            comments: Note::all_words(&comments),
            refutation: refutation.unwrap_or_default(),
        }
    }
}

/// More moves are no longer about the mistake.
const MAX_REFUTATION: usize = 6;

/// A move that games of the repertoire played.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PlayedThere {
    /// The move.
    #[serde(skip)]
    pub uci: UciMove,
    /// The move as SAN.
    pub san: String,
    /// The number of games.
    pub games: u32,
    /// Points a game for the side of the repertoire, from 0 to 1; `None` if none has a result.
    pub score: Option<f64>,
    /// Whether the book has the move.
    #[serde(rename = "inBook")]
    pub is_in_book: bool,
}

/// More moves than these say nothing that helps to remember one.
const MAX_PLAYED: usize = 6;

impl Lesson {
    /// With the piece letters of a language. Comments stay as they are.
    pub fn in_language(mut self, language: Language) -> Self {
        let refutations = self.mistakes.iter_mut().map(|mistake| &mut mistake.refutation);
        let played = self.played.iter_mut().map(|played| &mut played.san);
        for moves in self.book.iter_mut().chain(refutations).chain(played) {
            *moves = language.translated(moves);
        }
        self
    }

    /// What there is to say of a position.
    pub fn of(deck: &Deck, id: NodeId) -> Self {
        let (book, node) = (deck.book(), deck.book().node(id));
        let moves = deck.moves(id);
        let mut notes = Vec::new();
        if let Some(main) = moves.first() {
            notes.extend_from_slice(main.notes());
            notes.extend_from_slice(&book.node(main.to).notes);
        }
        let mut played: Vec<PlayedThere> = Vec::new();
        for edge in node.edges.iter().filter(|edge| edge.played().games > 0) {
            played.push(PlayedThere {
                uci: edge.uci,
                san: node.san([edge.uci]).concat(),
                games: edge.played().games,
                score: edge.played().score(),
                is_in_book: moves.iter().any(|answer| answer.uci == edge.uci),
            });
        }
        played.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.san.cmp(&b.san)));
        played.truncate(MAX_PLAYED);
        let number = deck.lines.number(book, id);
        let mistakes = book.mistakes(id).into_iter();
        Self {
            number,
            mistakes: mistakes.map(|edge| KnownMistake::of(book, edge, number)).collect(),
            book: node.san(moves.iter().map(|edge| edge.uci)),
            comments: Note::all_words(&notes),
            played,
        }
    }
}
