//! A repertoire as a table of contents: `tree`.

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;

use super::{moves::opening_at, percent, sanitize};
use crate::{
    catalogue::Catalogue,
    chess::{Chess, MoveNumber, Position, UciMove, play_as_san},
    repertoire::{Book, BookLine, Edge, NodeId, ShortestLines, Tally},
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

/// How a position was come to when it was told of.
#[derive(Debug, Clone, Copy)]
struct Told {
    /// The position before, and the move; none where the contents begin.
    last: Option<(NodeId, UciMove)>,
    /// Whether its moves were left out, since it lies too deep there.
    is_cut: bool,
}

/// The lines of a book from a position on, main lines first. Moves without an alternative stand on one
/// line.
///
/// A position is told of where the lines, read from the top, come to it first. Where they come to it
/// again, the line ends with `=` and the moves under which it stands. `…` stands for moves that are too
/// deep; if lines come to their position again with fewer plies, they are told there.
#[must_use]
pub fn contents(
    book: &Book,
    catalogue: &Catalogue,
    from: NodeId,
    options: ContentsOptions,
) -> String {
    let Ok(position) = book.node(from).key.to_position() else { return String::new() };
    // To a position that no moves of the book lead to, there is no way but itself.
    let (root, moves) = ShortestLines::of(book).line(from).unwrap_or((from, Vec::new()));
    let start = BookLine { root, moves };
    let told = HashMap::from([(from, Told { last: None, is_cut: false })]);
    let ContentsOptions { depth: max_depth, width } = options;
    let mut teller = Teller { book, catalogue, start, max_depth, told, entries: Vec::new() };
    teller.tell(&Open { id: from, position, depth: 0, indent: 0 });
    teller.entries.iter().map(|entry| entry.line(width)).collect()
}

struct Teller<'b> {
    book: &'b Book,
    catalogue: &'b Catalogue,
    /// The way to where the contents begin.
    start: BookLine,
    max_depth: usize,
    told: HashMap<NodeId, Told>,
    entries: Vec<Entry>,
}

/// What comes behind a move on its line.
enum Next {
    Ends,
    /// The line goes on below, in several ways.
    Branches,
    /// Moves that are too deep.
    Deeper,
    /// A position that was told of under these moves.
    Same(String),
}

impl<'b> Teller<'b> {
    /// Goes through the lines by a stack of its own, since books may be deep.
    fn tell(&mut self, root: &Open) {
        let first = self.first_number();
        let mut open: Vec<(Open, &'b Edge)> = Vec::new();
        self.branch(root, &mut open);
        while let Some((place, edge)) = open.pop() {
            let indent = place.indent;
            if let Some(mut end) = self.entry(place, edge, first) {
                end.indent = indent + 1;
                self.branch(&end, &mut open);
            }
        }
    }

    /// The number of the first move, counted from the root: it may have Black to move.
    fn first_number(&self) -> MoveNumber {
        let root = self.book.node(self.start.root).key.to_position();
        let first = root.map_or(MoveNumber::after(0), |root| MoveNumber::next_in(&root));
        first.later(self.start.moves.len())
    }

    fn branch(&self, place: &Open, open: &mut Vec<(Open, &'b Edge)>) {
        let Open { id, depth, indent, .. } = *place;
        for edge in self.book.moves(id).into_iter().rev() {
            open.push((Open { id, position: place.position.clone(), depth, indent }, edge));
        }
    }

    /// Tells of a move and those behind it up to the next branch; returns where that is.
    fn entry(&mut self, mut place: Open, edge: &'b Edge, first: MoveNumber) -> Option<Open> {
        let (mut words, mut opening) = (Vec::new(), String::new());
        let (indent, figures) = (place.indent, figures(&edge.played));
        let mut edge = edge;
        let next = loop {
            place.play(edge, first, &mut words)?;
            if let Some(named) = opening_at(self.catalogue, &self.book.node(edge.to).key) {
                opening = format!("{} {}", named.eco().as_str(), named.name());
            }
            let last = (place.id, edge.uci);
            place.id = edge.to;
            match (self.next(&place, last), &self.book.moves(place.id)[..]) {
                (Next::Branches, [only]) => edge = *only,
                (next, _) => break next,
            }
        };
        words.extend(next.words());
        self.entries.push(Entry { indent, moves: words.join(" "), opening, figures });
        matches!(next, Next::Branches).then_some(place)
    }

    /// What comes in a position to which a move has just led.
    fn next(&mut self, place: &Open, last: (NodeId, UciMove)) -> Next {
        let has_moves = self.book.has_moves(place.id);
        let is_cut = has_moves && place.depth >= self.max_depth;
        if self.told.get(&place.id).is_some_and(|told| is_cut || !told.is_cut) {
            return Next::Same(self.way(place.id));
        }
        self.told.insert(place.id, Told { last: Some(last), is_cut });
        match has_moves {
            false => Next::Ends,
            true if is_cut => Next::Deeper,
            true => Next::Branches,
        }
    }

    /// The moves from the root under which a position was told of.
    fn way(&self, id: NodeId) -> String {
        let mut back = Vec::new();
        let mut at = id;
        while let Some((before, uci)) = self.told.get(&at).and_then(|told| told.last) {
            back.push(uci);
            at = before;
        }
        let BookLine { root, mut moves } = self.start.clone();
        moves.extend(back.into_iter().rev());
        BookLine { root, moves }.movetext(self.book).unwrap_or_default()
    }
}

impl Open {
    /// Plays a move and adds it to the words; `None` if it cannot be played.
    fn play(&mut self, edge: &Edge, first: MoveNumber, words: &mut Vec<String>) -> Option<()> {
        let m = edge.uci.to_move(&self.position)?;
        if self.position.turn().is_white() || words.is_empty() {
            words.push(first.later(self.depth).to_string());
        }
        words.push(play_as_san(&mut self.position, m).to_string());
        self.depth += 1;
        Some(())
    }
}

impl Next {
    fn words(&self) -> Option<String> {
        match self {
            Self::Ends | Self::Branches => None,
            Self::Deeper => Some("…".to_owned()),
            Self::Same(way) if way.is_empty() => Some("= the first position".to_owned()),
            Self::Same(way) => Some(format!("= {way}")),
        }
    }
}

/// The games with a move and what they scored, as columns.
fn figures(played: &Tally) -> String {
    if played.games == 0 {
        return String::new();
    }
    let score = played.score().map(percent).unwrap_or_default();
    format!("{:>7}{score:>7}", played.games)
}

impl Entry {
    /// The moves, what they are called, and on the right the figures of the first move.
    fn line(&self, width: usize) -> String {
        let mut text = format!("{}{}", "  ".repeat(self.indent), self.moves);
        if !self.opening.is_empty() {
            text += &format!("  {}", self.opening);
        }
        let text = sanitize(text.as_bytes()).into_owned();
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
    use crate::{
        chess::{Color, PositionKey},
        repertoire::BookRule,
    };

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

    /// The contents of these lines for White, named by nobody, from the position behind some moves of them.
    fn told(lines: &[&str], from: &str, depth: usize) -> String {
        let mut book = Book::new(Color::White, BookRule::default());
        for line in lines {
            book.prepare(line).unwrap();
        }
        let from = book.prepare(from).unwrap();
        let (unnamed, _) = Catalogue::from_masters([]);
        contents(&book, &unnamed, from, ContentsOptions { depth, width: 80 })
    }

    #[test]
    fn a_line_points_to_where_its_position_is_told_of() {
        let slow_first = ["1. e3 e6 2. e4 e5 3. Nf3 Nc6", "1. e4 e5 2. Nf3"];
        let late_first = ["1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5", "1. e4 e5 2. d4"];
        for (lines, from, depth, expected) in [
            (
                &slow_first[..],
                "",
                8,
                "1. e3 e6 2. e4 e5 3. Nf3 Nc6\n1. e4 e5 = 1. e3 e6 2. e4 e5\n",
            ),
            // What was too deep is told where there is room.
            (&slow_first, "", 4, "1. e3 e6 2. e4 e5 …\n1. e4 e5 2. Nf3 Nc6\n"),
            (&slow_first, "1. e3", 8, "1... e6 2. e4 e5 3. Nf3 Nc6\n"),
            (&late_first, "", 8, "1. Nf3 Nf6 2. Ng1 Ng8 = the first position\n1. e4 e5 2. d4\n"),
        ] {
            assert_eq!(
                told(lines, from, depth),
                expected,
                "{lines:?} from {from:?}, {depth} plies"
            );
        }
    }

    #[test]
    fn moves_are_numbered_from_the_root() {
        let root: PositionKey =
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -".parse().unwrap();
        let mut book = Book::new(Color::Black, BookRule::default());
        let mut at = (book.add_root(&root), root.to_position().unwrap());
        let (unnamed, _) = Catalogue::from_masters([]);
        let mut ids = vec![at.0];
        for uci in ["c7c5", "g1f3", "d7d6"] {
            let m = uci.parse::<UciMove>().unwrap().to_move(&at.1).unwrap();
            at.0 = book.prepare_move(at.0, &at.1, m);
            at.1.play_unchecked(m);
            ids.push(at.0);
        }
        let options = ContentsOptions { depth: 8, width: 80 };
        for (id, expected) in
            ids.into_iter().zip(["1... c5 2. Nf3 d6\n", "2. Nf3 d6\n", "2... d6\n", ""])
        {
            assert_eq!(contents(&book, &unnamed, id, options), expected);
        }
    }
}
