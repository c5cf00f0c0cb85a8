//! A repertoire as a table of contents: `tree`.

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;

use super::opening::opening_at;
use crate::{
    catalogue::Catalogue,
    chess::{Board, Chess, EnPassantMode, Fen, MoveNumber, Position, UciMove, play_as_san},
    output::{percent, sanitize},
    repertoire::{Book, BookLine, Edge, NodeId, ShortestLines, Tally},
};

/// The layout of a table of contents.
#[derive(Debug, Clone, Copy)]
pub struct ContentsOptions {
    /// The number of plies from the position on.
    pub depth: usize,
    /// The width of a line in characters.
    pub width: usize,
}

/// A line of the contents.
struct Entry {
    indent: usize,
    moves: String,
    opening: String,
    figures: String,
}

/// A position on the line that is being listed.
struct Cursor {
    id: NodeId,
    position: Chess,
    depth: usize,
    indent: usize,
}

/// How a position was reached where it is listed.
#[derive(Debug, Clone, Copy)]
struct Listed {
    /// The position before, and the move; none where the contents begin.
    last: Option<(NodeId, UciMove)>,
    /// Whether its moves were left out, since it is too deep there.
    is_cut: bool,
}

/// The lines of a book from a position on, main lines first. Moves without an alternative stand on
/// one line.
///
/// A position is listed where the lines, read from the top, reach it first. Where they reach it
/// again, the line ends with `=` and the moves under which it is listed. `…` stands for moves that
/// are too deep; if another line reaches their position after fewer plies, they are listed there.
#[must_use]
pub fn contents(
    book: &Book,
    catalogue: &Catalogue,
    from: NodeId,
    options: ContentsOptions,
) -> String {
    let Ok(position) = book.node(from).key.to_position() else { return String::new() };
    // A position that no moves of the book lead to is a line of its own.
    let (root, moves) = ShortestLines::of(book).line(from).unwrap_or((from, Vec::new()));
    let mut outline = Outline::new(book, catalogue, options);
    outline.list_from(from, position, BookLine { root, moves });
    outline.into_text(options.width)
}

/// The lines of a whole book: those from the initial position, and, below a line with its FEN,
/// those from each position that prepared lines begin with and that no other line leads to.
#[must_use]
pub fn whole_contents(book: &Book, catalogue: &Catalogue, options: ContentsOptions) -> String {
    let mut outline = Outline::new(book, catalogue, options);
    let lines = ShortestLines::of(book);
    // Positions that single games begin with are no chapters.
    let starts = if book.has_prepared() { usize::MAX } else { 1 };
    for root in lines.starts().take(starts) {
        let is_listed = outline.listed.get(&root).is_some_and(|listed| !listed.is_cut);
        let Some(position) = book.position(root).filter(|_| !is_listed) else { continue };
        if *book.node(root).key() != *Board::default().key() {
            outline.add_heading(root, &position);
        }
        outline.list_from(root, position, BookLine { root, moves: Vec::new() });
    }
    outline.into_text(options.width)
}

struct Outline<'b> {
    book: &'b Book,
    catalogue: &'b Catalogue,
    /// The line to where the contents begin.
    start: BookLine,
    /// The lines to all positions where contents begin.
    starts: HashMap<NodeId, BookLine>,
    max_depth: usize,
    listed: HashMap<NodeId, Listed>,
    entries: Vec<Entry>,
}

/// What follows a move on its line.
enum Next {
    Ends,
    /// The moves of the position that it leads to.
    Moves,
    /// Moves that are too deep.
    Deeper,
    /// A position that is listed under these moves.
    Same(String),
}

impl<'b> Outline<'b> {
    fn new(book: &'b Book, catalogue: &'b Catalogue, options: ContentsOptions) -> Self {
        let (starts, listed, entries) = (HashMap::new(), HashMap::new(), Vec::new());
        let start = BookLine { root: NodeId::default(), moves: Vec::new() };
        Self { book, catalogue, start, starts, max_depth: options.depth, listed, entries }
    }

    /// Lists the lines from a position, to which this line leads.
    fn list_from(&mut self, id: NodeId, position: Chess, line: BookLine) {
        self.listed.insert(id, Listed { last: None, is_cut: false });
        self.starts.insert(id, line.clone());
        self.start = line;
        self.list(&Cursor { id, position, depth: 0, indent: 0 });
    }

    /// A line with the FEN of a position.
    fn add_heading(&mut self, id: NodeId, position: &Chess) {
        let node = self.book.node(id);
        let named = opening_at(self.catalogue, node.key());
        let opening = named.map(|named| format!("{} {}", named.eco().as_str(), named.name()));
        self.entries.push(Entry {
            indent: 0,
            moves: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            opening: opening.unwrap_or_default(),
            figures: figures(node.tally()),
        });
    }

    fn into_text(self, width: usize) -> String {
        self.entries.iter().map(|entry| entry.line(width)).collect()
    }

    /// Lists all lines. It has a stack of its own, since books may be deep.
    fn list(&mut self, start: &Cursor) {
        let first = self.first_number();
        let mut branches: Vec<(Cursor, &'b Edge)> = Vec::new();
        self.branch(start, &mut branches);
        while let Some((cursor, edge)) = branches.pop() {
            let indent = cursor.indent;
            if let Some(mut end) = self.entry(cursor, edge, first) {
                end.indent = indent + 1;
                self.branch(&end, &mut branches);
            }
        }
    }

    /// The number of the first move, counted from the root, where Black may be to move.
    fn first_number(&self) -> MoveNumber {
        let root = self.book.position(self.start.root);
        let first = root.map_or(MoveNumber::after(0), |root| MoveNumber::next_in(&root));
        first.later(self.start.moves.len())
    }

    fn branch(&self, cursor: &Cursor, branches: &mut Vec<(Cursor, &'b Edge)>) {
        let Cursor { id, depth, indent, .. } = *cursor;
        for edge in self.book.moves(id).into_iter().rev() {
            branches.push((Cursor { id, position: cursor.position.clone(), depth, indent }, edge));
        }
    }

    /// Lists a move and those after it up to the next branch, and returns the position there.
    fn entry(&mut self, mut cursor: Cursor, edge: &'b Edge, first: MoveNumber) -> Option<Cursor> {
        let (mut words, mut opening) = (Vec::new(), String::new());
        let (indent, figures) = (cursor.indent, figures(&edge.played));
        let mut edge = edge;
        let next = loop {
            cursor.play(edge, first, &mut words)?;
            if let Some(named) = opening_at(self.catalogue, &self.book.node(edge.to).key) {
                opening = format!("{} {}", named.eco().as_str(), named.name());
            }
            let last = (cursor.id, edge.uci);
            cursor.id = edge.to;
            match (self.next(&cursor, last), &self.book.moves(cursor.id)[..]) {
                (Next::Moves, [only]) => edge = *only,
                (next, _) => break next,
            }
        };
        words.extend(next.text());
        self.entries.push(Entry { indent, moves: words.join(" "), opening, figures });
        matches!(next, Next::Moves).then_some(cursor)
    }

    /// What follows in a position that the move `last` has just reached.
    fn next(&mut self, cursor: &Cursor, last: (NodeId, UciMove)) -> Next {
        let has_moves = self.book.has_moves(cursor.id);
        let is_cut = has_moves && cursor.depth >= self.max_depth;
        if self.listed.get(&cursor.id).is_some_and(|listed| is_cut || !listed.is_cut) {
            return Next::Same(self.line_to(cursor.id));
        }
        self.listed.insert(cursor.id, Listed { last: Some(last), is_cut });
        match has_moves {
            false => Next::Ends,
            true if is_cut => Next::Deeper,
            true => Next::Moves,
        }
    }

    /// The moves from the root under which a position is listed.
    fn line_to(&self, id: NodeId) -> String {
        let mut back = Vec::new();
        let mut at = id;
        while let Some((before, uci)) = self.listed.get(&at).and_then(|listed| listed.last) {
            back.push(uci);
            at = before;
        }
        let BookLine { root, mut moves } = self.starts.get(&at).unwrap_or(&self.start).clone();
        moves.extend(back.into_iter().rev());
        let text = BookLine { root, moves }.movetext(self.book).unwrap_or_default();
        let is_first =
            self.starts.len() < 2 || *self.book.node(root).key() == *Board::default().key();
        if text.is_empty() && !is_first { self.book.node(root).key().to_string() } else { text }
    }
}

impl Cursor {
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
    fn text(&self) -> Option<String> {
        match self {
            Self::Ends | Self::Moves => None,
            Self::Deeper => Some("…".to_owned()),
            Self::Same(line) if line.is_empty() => Some("= the first position".to_owned()),
            Self::Same(line) => Some(format!("= {line}")),
        }
    }
}

/// The number of games with a move, and their score, in columns.
fn figures(played: &Tally) -> String {
    if played.games == 0 {
        return String::new();
    }
    let score = played.score().map(percent).unwrap_or_default();
    format!("{:>7}{score:>7}", played.games)
}

impl Entry {
    /// The moves, their opening, and on the right the figures of the first move.
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
        let text = contents(&book, Catalogue::builtin(), book.roots()[0], options);
        let expected = "\
1. d4  A40 Queen's Pawn Game
  1... d5 2. c4  D06 Queen's Gambit
    2... e6 3. Nc3 Nf6 …  D35 Queen's Gambit Declined: Normal Defense
    2... c6 3. Nf3  D11 Slav Defense: Modern Line
  1... Nf6 2. c4 e6 3. Nc3 d5 = 1. d4 d5 2. c4 e6 3. Nc3 Nf6  D35 Queen's Gambit Declined: Normal Defense
";
        assert_eq!(text, expected);
    }

    /// The contents of these lines for White, without names, from the position after some moves of
    /// them.
    fn contents_of(lines: &[&str], from: &str, depth: usize) -> String {
        let mut book = Book::new(Color::White, BookRule::default());
        for line in lines {
            book.prepare(line).unwrap();
        }
        let from = book.prepare(from).unwrap();
        let (unnamed, _) = Catalogue::from_masters([]);
        contents(&book, &unnamed, from, ContentsOptions { depth, width: 80 })
    }

    #[test]
    fn a_line_points_to_where_its_position_is_listed() {
        let slow_first = ["1. e3 e6 2. e4 e5 3. Nf3 Nc6", "1. e4 e5 2. Nf3"];
        let late_first = ["1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5", "1. e4 e5 2. d4"];
        for (lines, from, depth, expected) in [
            (
                &slow_first[..],
                "",
                8,
                "1. e3 e6 2. e4 e5 3. Nf3 Nc6\n1. e4 e5 = 1. e3 e6 2. e4 e5\n",
            ),
            // A position that was too deep is listed where there is room.
            (&slow_first, "", 4, "1. e3 e6 2. e4 e5 …\n1. e4 e5 2. Nf3 Nc6\n"),
            (&slow_first, "1. e3", 8, "1... e6 2. e4 e5 3. Nf3 Nc6\n"),
            (&late_first, "", 8, "1. Nf3 Nf6 2. Ng1 Ng8 = the first position\n1. e4 e5 2. d4\n"),
        ] {
            assert_eq!(
                contents_of(lines, from, depth),
                expected,
                "{lines:?} from {from:?}, {depth} plies"
            );
        }
    }

    #[test]
    fn chapters_from_a_position_are_listed_with_their_numbers() {
        let mut book = Book::new(Color::White, BookRule::default());
        for pgn in [
            "1. d4 d5 *",
            "[FEN \"rnbqkbnr/pp2pppp/8/2pp4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4\"]\n\n4. cxd5 *",
        ] {
            book.add_chapter(&crate::pgn::Game::from_bytes(pgn.as_bytes()));
        }
        let (unnamed, _) = Catalogue::from_masters([]);
        let text = whole_contents(&book, &unnamed, ContentsOptions { depth: 8, width: 80 });
        let expected = "1. d4 d5\n\
                        rnbqkbnr/pp2pppp/8/2pp4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4\n4. cxd5\n";
        assert_eq!(text, expected);
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
