//! A repertoire as a table of contents: `tree`.

use std::collections::HashSet;

use unicode_width::UnicodeWidthStr;

use super::{harmless, moves::opening_at, moves::percent};
use crate::{
    catalogue::Catalogue,
    chess::{Chess, MoveNumber, Position, play_as_san},
    repertoire::{Book, Edge, NodeId, Ways},
};

/// How a table of contents is laid out.
#[derive(Debug, Clone, Copy)]
pub struct ContentsOptions {
    /// So many plies from the position on.
    pub depth: usize,
    /// So many characters a line.
    pub width: usize,
}

/// What a line of the contents tells.
struct Entry {
    indent: usize,
    moves: String,
    opening: String,
    figures: String,
}

/// A position that is still to be told of.
struct Open {
    id: NodeId,
    position: Chess,
    depth: usize,
    indent: usize,
}

/// The lines of a book from a position on, main lines first. Moves without an alternative stand on one
/// line. Where a position was told of already, or is on a shorter way, the line ends with the way to it.
#[must_use]
pub fn contents(
    book: &Book,
    catalogue: &Catalogue,
    from: NodeId,
    options: ContentsOptions,
) -> String {
    let ways = Ways::through(book);
    let mut teller =
        Teller { book, catalogue, ways, told: HashSet::from([from]), entries: Vec::new() };
    let Ok(position) = book.node(from).key.to_position() else { return String::new() };
    let number_of_plies = teller.ways.ply(from).unwrap_or(0) as usize;
    let first = MoveNumber::after(0).later(number_of_plies);
    teller.tell(&Open { id: from, position, depth: 0, indent: 0 }, first, options.depth);
    teller.entries.iter().map(|entry| entry.line(options.width)).collect()
}

struct Teller<'b> {
    book: &'b Book,
    catalogue: &'b Catalogue,
    ways: Ways,
    told: HashSet<NodeId>,
    entries: Vec<Entry>,
}

impl<'b> Teller<'b> {
    /// Goes through the lines by a stack of its own, since books may be deep.
    fn tell(&mut self, root: &Open, first: MoveNumber, depth: usize) {
        let mut open: Vec<(Open, &'b Edge)> = Vec::new();
        self.branch(root, &mut open);
        while let Some((place, edge)) = open.pop() {
            let indent = place.indent;
            let end = self.entry(place, edge, first, depth);
            if let Some(mut end) = end {
                end.indent = indent + 1;
                self.branch(&end, &mut open);
            }
        }
    }

    fn branch(&self, place: &Open, open: &mut Vec<(Open, &'b Edge)>) {
        let Open { id, depth, indent, .. } = *place;
        for edge in self.book.moves(id).into_iter().rev() {
            open.push((Open { id, position: place.position.clone(), depth, indent }, edge));
        }
    }

    /// Tells of a move and those behind it up to the next branch; returns where that is.
    fn entry(
        &mut self,
        mut place: Open,
        edge: &'b Edge,
        first: MoveNumber,
        depth: usize,
    ) -> Option<Open> {
        let (mut words, mut opening) = (Vec::new(), String::new());
        let (indent, played) = (place.indent, edge.played);
        let mut edge = edge;
        let next = loop {
            let m = edge.uci.to_move(&place.position)?;
            let number = first.later(place.depth);
            if place.position.turn().is_white() || words.is_empty() {
                words.push(number.to_string());
            }
            words.push(play_as_san(&mut place.position, m).to_string());
            place.depth += 1;
            place.id = edge.to;
            if let Some(named) = opening_at(self.catalogue, &self.book.node(place.id).key) {
                opening = format!("{} {}", named.eco().as_str(), named.name());
            }
            if !self.told.insert(place.id) {
                let way = self.ways.movetext(self.book, place.id).unwrap_or_default();
                words.push(format!("= {way}"));
                break None;
            }
            match self.book.moves(place.id)[..] {
                [] => break None,
                _ if place.depth >= depth => {
                    words.push("…".to_owned());
                    break None;
                }
                [only] => edge = only,
                _ => break Some(place),
            }
        };
        let games = |games| format!("{games:>7}");
        let score =
            played.score().map_or_else(|| " ".repeat(7), |score| format!("{:>7}", percent(score)));
        let figures = if played.games > 0 { games(played.games) + &score } else { String::new() };
        self.entries.push(Entry { indent, moves: words.join(" "), opening, figures });
        next
    }
}

impl Entry {
    /// The moves, what they are called, and on the right the figures of the first move.
    fn line(&self, width: usize) -> String {
        let mut text = format!("{}{}", "  ".repeat(self.indent), self.moves);
        if !self.opening.is_empty() {
            text += &format!("  {}", self.opening);
        }
        let text = harmless(text.as_bytes()).into_owned();
        if self.figures.is_empty() {
            return format!("{text}\n");
        }
        let room = width.saturating_sub(self.figures.width());
        let gap = room.saturating_sub(text.width()).max(1);
        format!("{text}{}{}\n", " ".repeat(gap), self.figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::Color, repertoire::BookRule};

    #[test]
    fn a_book_reads_like_a_table_of_contents() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5").unwrap();
        book.prepare("1. d4 d5 2. c4 c6 3. Nf3").unwrap();
        book.prepare("1. d4 Nf6 2. c4 e6 3. Nc3 d5").unwrap();
        let options = ContentsOptions { depth: 6, width: 70 };
        let told = contents(&book, Catalogue::builtin(), book.roots()[0], options);
        let expected = "\
1. d4  A40 Queen's Pawn Game
  1... d5 2. c4  D06 Queen's Gambit
    2... e6 3. Nc3 Nf6 …  D35 Queen's Gambit Declined: Normal Defense
    2... c6 3. Nf3  D11 Slav Defense: Modern Line
  1... Nf6 2. c4 e6 3. Nc3 d5 = 1. d4 d5 2. c4 e6 3. Nc3 Nf6  D35 Queen's Gambit Declined: Normal Defense
";
        assert_eq!(told, expected);
    }
}
