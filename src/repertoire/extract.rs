//! The part of a book that is exported: its positions and moves, their order, and the line to each
//! position.

use super::{Book, Edge, NodeId, ShortestLines};
use crate::chess::{Chess, Move, MoveNumber, play_as_san};
use crate::{catalogue::Catalogue, opening::Opening};

/// Whose moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MovesOf {
    /// Those of the side the book is for.
    Own,
    /// Those of both sides.
    #[default]
    Both,
}

/// The part of a book to export; by default all of it, without mistakes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExtractOptions {
    /// Whose moves.
    pub moves: MovesOf,
    /// The maximum depth in plies; `None` for all of it.
    pub max_ply: Option<u32>,
    /// Whether mistakes and what follows them are part of it.
    pub mistakes: bool,
}

/// A part of a book, as it is exported: the positions that its moves lead to, those of fewer plies
/// first, and among them those of main lines.
///
/// ```
/// use eco::chess::Color;
/// use eco::repertoire::{Book, BookRule, Extract, ExtractOptions, MovesOf, write_epd};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. e4 c5 2. Nf3").unwrap();
/// let own = ExtractOptions { moves: MovesOf::Own, ..ExtractOptions::default() };
/// let extract = Extract::new(&book, own, None);
/// let mut out = Vec::new();
/// write_epd(&extract, &mut out)?;
/// let lines = String::from_utf8(out).expect("EPD is text");
/// assert_eq!(lines.lines().count(), 2); // the position after 1. e4 is not one's own
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Extract<'b> {
    pub(crate) book: &'b Book,
    options: ExtractOptions,
    /// The lines that lead to its positions, by the moves of both sides.
    pub(crate) lines: ShortestLines,
    /// What names the openings.
    pub(crate) catalogue: Option<&'b Catalogue>,
    openings: Vec<Option<&'b Opening>>,
}

/// A move of a position, as it can be played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExtractMove<'b> {
    /// What the book knows of it.
    pub(crate) edge: &'b Edge,
    /// The move.
    pub(crate) m: Move,
    /// The move as SAN.
    pub(crate) san: String,
    /// The position it leads to, as it arises by this move.
    pub(crate) after: Chess,
}

impl<'b> Extract<'b> {
    /// Extracts a part of a book. The catalogue names the openings.
    pub fn new(book: &'b Book, options: ExtractOptions, catalogue: Option<&'b Catalogue>) -> Self {
        let lines = ShortestLines::along(book, |id, ply| moves_of(book, &options, id, ply));
        let openings = vec![None; book.len()];
        let mut extract = Self { book, options, lines, catalogue, openings };
        let Some(catalogue) = catalogue else { return extract };
        // Each position has the name of the last named position on its line.
        for id in &extract.lines.reached {
            let own = catalogue.get(&book.node(*id).key).map(|line| &line.opening);
            let before = || extract.openings[extract.lines.last(*id)?.0.index()];
            extract.openings[id.index()] = own.or_else(before);
        }
        extract
    }

    /// Whether it has no move.
    pub fn is_empty(&self) -> bool {
        self.positions().all(|id| self.moves(id).is_empty())
    }

    /// The number of its positions.
    pub fn position_count(&self) -> usize {
        self.positions().count()
    }

    /// The number of its moves.
    pub fn move_count(&self) -> usize {
        self.positions().map(|id| self.moves(id).len()).sum()
    }

    /// Its positions in order; with [`MovesOf::Own`] those alone in which it is one's own turn.
    pub(crate) fn positions(&self) -> impl Iterator<Item = NodeId> {
        self.lines.reached.iter().copied().filter(|id| self.is_meant(*id))
    }

    fn is_meant(&self, id: NodeId) -> bool {
        self.options.moves == MovesOf::Both || self.book.is_own_turn(id)
    }

    /// The moves of a position, whichever side is to move, the main one first. Illegal moves are
    /// left out.
    pub(crate) fn all_moves(&self, id: NodeId) -> Vec<ExtractMove<'b>> {
        self.playable(id, self.edges(id))
    }

    /// The mistakes of a position that can be played.
    pub(crate) fn mistakes(&self, id: NodeId) -> Vec<ExtractMove<'b>> {
        self.playable(id, self.book.mistakes(id))
    }

    fn playable(&self, id: NodeId, edges: Vec<&'b Edge>) -> Vec<ExtractMove<'b>> {
        let Ok(position) = self.book.node(id).key.to_position() else { return Vec::new() };
        edges.into_iter().filter_map(|edge| ExtractMove::of(edge, &position)).collect()
    }

    /// All moves, with illegal ones.
    pub(crate) fn edges(&self, id: NodeId) -> Vec<&'b Edge> {
        let moves = |ply| moves_of(self.book, &self.options, id, ply);
        self.lines.ply(id).map_or_else(Vec::new, moves)
    }

    /// The moves of a position, the main one first; none, if those of this side are not meant.
    pub(crate) fn moves(&self, id: NodeId) -> Vec<ExtractMove<'b>> {
        if self.is_meant(id) { self.all_moves(id) } else { Vec::new() }
    }

    /// The line to a position, `1. e4 e5 2. Nf3`; empty at a root. Of a long one the
    /// [end](crate::repertoire::BookLine::movetext).
    pub(crate) fn movetext(&self, id: NodeId) -> String {
        self.lines.movetext(self.book, id).unwrap_or_default()
    }

    /// The number of the next move in a position, counted along its line.
    pub(crate) fn number(&self, id: NodeId) -> Option<MoveNumber> {
        self.lines.number(self.book, id)
    }

    /// The opening of a position: its own name, or the last one on its line.
    pub(crate) fn opening(&self, id: NodeId) -> Option<&'b Opening> {
        self.openings[id.index()]
    }
}

fn moves_of<'b>(book: &'b Book, options: &ExtractOptions, id: NodeId, ply: u32) -> Vec<&'b Edge> {
    if options.max_ply.is_some_and(|most| ply >= most) {
        return Vec::new();
    }
    if options.mistakes { book.shown_moves(id) } else { book.moves(id) }
}

impl<'b> ExtractMove<'b> {
    fn of(edge: &'b Edge, position: &Chess) -> Option<Self> {
        let m = edge.uci.to_move(position)?;
        let mut after = position.clone();
        let san = play_as_san(&mut after, m).to_string();
        Some(Self { edge, m, san, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Color, Position, PositionKey, SanPlus},
        pgn::{Game, Token},
        repertoire::{BookRule, Note, PgnLayout},
    };

    fn book() -> Book {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. e4 c5 2. Nf3 d6 3. d4").unwrap();
        book.prepare("1. e4 e5 2. Nf3").unwrap();
        book
    }

    fn lines(book: &Book, options: ExtractOptions) -> Vec<String> {
        let extract = Extract::new(book, options, None);
        extract.positions().map(|id| extract.movetext(id)).collect()
    }

    #[test]
    fn positions_come_by_ply_and_main_lines_first() {
        let book = book();
        let two = ExtractOptions { max_ply: Some(2), ..ExtractOptions::default() };
        assert_eq!(lines(&book, two), ["", "1. e4", "1. e4 c5", "1. e4 e5"]);
        let own = ExtractOptions { moves: MovesOf::Own, ..ExtractOptions::default() };
        assert_eq!(lines(&book, own), ["", "1. e4 c5", "1. e4 e5", "1. e4 c5 2. Nf3 d6"]);
    }

    /// A line of n plies has n positions, each with its line: their text must not grow with n².
    #[test]
    fn long_lines_are_cut_at_their_beginning() {
        let key = |position: &Chess| PositionKey::from(position);
        let mut position = Chess::default();
        let (mut text, mut plies) = (String::new(), 0);
        // The first legal move that leads to a new position, 700 times.
        let mut known = std::collections::HashSet::from([key(&position)]);
        while plies < 700 {
            let moves = position.legal_moves();
            let next = moves.iter().rev().find_map(|m| {
                let mut after = position.clone();
                after.play_unchecked(*m);
                let is_new = !after.legal_moves().is_empty() && known.insert(key(&after));
                is_new.then_some((*m, after))
            });
            let (m, after) = next.unwrap();
            text += &format!("{} ", SanPlus::from_move(position.clone(), m));
            (position, plies) = (after, plies + 1);
        }
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare(&text).unwrap();
        let extract = Extract::new(&book, ExtractOptions::default(), None);
        let ids: Vec<NodeId> = extract.positions().collect();
        assert_eq!(ids.len(), 701);
        for (ply, id) in ids.iter().enumerate() {
            let line = extract.lines.line(*id).unwrap().movetext(&book).unwrap();
            assert_eq!(extract.movetext(*id), line, "ply {ply}");
            assert_eq!(line.starts_with("… "), ply > 300, "ply {ply}");
            assert!(line.len() < 4000, "ply {ply}: {} bytes", line.len());
        }
        let last = extract.movetext(*ids.last().unwrap());
        assert!(last.starts_with("… 201. "), "{last}");
        let pgn = book.to_pgn("long", PgnLayout::Whole).unwrap();
        let main_line = Game::from_bytes(pgn.as_bytes()).tags().into_main_line();
        let moves = main_line.filter(|token| matches!(token, Token::Move(_)));
        assert_eq!(moves.count(), 700, "PGN has every move");
    }

    #[test]
    fn moves_at_the_last_ply_are_none() {
        let book = book();
        let extract = Extract::new(
            &book,
            ExtractOptions { max_ply: Some(1), ..ExtractOptions::default() },
            None,
        );
        let moves: Vec<usize> = extract.positions().map(|id| extract.moves(id).len()).collect();
        assert_eq!(moves, [1, 0]);
    }

    #[test]
    fn a_part_of_a_book_is_a_book_again() {
        let mut book = book();
        let root = book.roots()[0];
        let note = Note { source: "a".to_owned(), nags: vec![1], comment: String::new() };
        book.node_mut(root).notes.push(note);
        let three = ExtractOptions { moves: MovesOf::Own, max_ply: Some(3), mistakes: false };
        let pgn = Extract::new(&book, three, None).to_pgn("part", PgnLayout::Whole).unwrap();
        let mut part = Book::new(Color::White, BookRule::default());
        part.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        assert_eq!(lines(&part, ExtractOptions::default()).last().unwrap(), "1. e4 e5 2. Nf3");
        assert_eq!(part.node(part.roots()[0]).notes[0].nags, [1]);
    }

    #[test]
    fn a_position_has_the_last_name_on_its_line() {
        let book = book();
        let extract = Extract::new(&book, ExtractOptions::default(), Some(Catalogue::builtin()));
        let name = |id| extract.opening(id).map(Opening::name);
        let names: Vec<_> = extract.positions().map(name).collect();
        let sicilian = Some("Sicilian Defense");
        assert_eq!(names[..3], [None, Some("King's Pawn Game"), sicilian]);
    }
}
