//! A repertoire as a table of contents, `tree`: where lines begin, end, and go on below another
//! one; as text for people, and as rows for programs.

use std::{cmp::Reverse, collections::HashMap};

use unicode_width::UnicodeWidthStr;

use crate::chess::{Board, Chess, EnPassantMode, Fen, MoveNumber, PositionKey, UciMove};
use crate::output::scores::{Scores, with_difference, with_results};
use crate::output::table::{fit, fit_name};
use crate::output::value::{code, english_name, name, opening_at};
use crate::output::{RowColumns, Value, Width, percent, sanitize};
use crate::repertoire::{Book, BookLine, Edge, LineScore, LineScores, NodeId, Note};
use crate::repertoire::{ShortestLines, Tally, movetext};
use crate::stats::{Interval, wilson};
use crate::{catalogue::Catalogue, opening::Opening};

/// The layout of a table of contents.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContentsOptions<'s> {
    /// The number of plies from the position on.
    pub depth: usize,
    /// The order of the moves of a position.
    pub order: ContentsOrder,
    /// How moves scored beside what ratings predict; with it, lines say so.
    pub scores: Option<&'s LineScores>,
}

/// The order in which the moves of a position are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ContentsOrder {
    /// That of the book, the main line first.
    #[default]
    Book,
    /// Those of most games first.
    Games,
    /// Those with the best score first, for whichever side they are.
    Score,
    /// Those that scored best beside what ratings predict first, if it is known.
    Difference,
}

impl ContentsOptions<'_> {
    /// Puts moves of a position, which are in the order of the book, in the one that is asked for.
    pub(super) fn sort(&self, id: NodeId, moves: &mut [&Edge]) {
        match self.order {
            ContentsOrder::Book => {}
            ContentsOrder::Games => moves.sort_by_key(|edge| Reverse(edge.played.games)),
            ContentsOrder::Score => sort_by_value(moves, |edge| edge.played.score()),
            ContentsOrder::Difference => sort_by_value(moves, |edge| {
                self.score(id, edge.uci).map(|score| score.difference.value)
            }),
        }
    }

    fn score(&self, id: NodeId, uci: UciMove) -> Option<LineScore> {
        self.scores?.get(id, uci)
    }
}

/// Moves with the highest of these values first; where they are alike, those of more games.
fn sort_by_value(moves: &mut [&Edge], value: impl Fn(&Edge) -> Option<f64>) {
    moves.sort_by_cached_key(|edge| Reverse(edge.played.games));
    let value = |edge: &Edge| value(edge).unwrap_or(f64::NEG_INFINITY);
    moves.sort_by(|a, b| value(b).total_cmp(&value(a)));
}

/// A line of the contents: moves without an alternative, or a position where others begin.
#[derive(Debug, Clone)]
pub struct ContentsRow<'a> {
    book: &'a Book,
    indent: usize,
    /// The whole line.
    line: BookLine,
    /// The moves that it adds, with what follows them.
    moves: String,
    /// The moves under which the position that it comes to is listed, if not here.
    same: Option<String>,
    opening: Option<&'a Opening>,
    /// The games with its last move.
    played: Tally,
    /// The games that have its last position, if more than those go on from it.
    reached: Option<u32>,
    /// How its last move scored beside what ratings predict.
    score: Option<LineScore>,
    key: PositionKey,
}

/// A position on the line that is being listed.
#[derive(Clone)]
struct Cursor {
    id: NodeId,
    /// The moves to it from where the contents begin.
    moves: Vec<UciMove>,
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
pub fn contents<'a>(
    book: &'a Book,
    catalogue: &'a Catalogue,
    from: NodeId,
    options: ContentsOptions<'_>,
) -> Vec<ContentsRow<'a>> {
    // A position that no moves of the book lead to is a line of its own.
    let line = ShortestLines::of(book).line(from);
    let line = line.unwrap_or(BookLine { root: from, moves: Vec::new() });
    let mut outline = Outline::new(book, catalogue, options);
    outline.list_from(from, line);
    outline.rows
}

/// The lines of a whole book: those from the initial position, and, below a line with its FEN,
/// those from each position that prepared lines begin with, or two games where nothing is prepared,
/// and that no other line leads to.
pub fn whole_contents<'a>(
    book: &'a Book,
    catalogue: &'a Catalogue,
    options: ContentsOptions<'_>,
) -> Vec<ContentsRow<'a>> {
    let mut outline = Outline::new(book, catalogue, options);
    let lines = ShortestLines::of(book);
    // Positions that single games begin with are no chapters.
    let is_chapter = |place: usize, root: NodeId| {
        place == 0 || book.has_prepared() || book.node(root).tally().games > 1
    };
    for (place, root) in lines.starts().enumerate() {
        if !is_chapter(place, root) {
            continue;
        }
        let is_listed = outline.listed.get(&root).is_some_and(|listed| !listed.is_cut);
        let Some(position) = book.position(root).filter(|_| !is_listed) else { continue };
        if book.node(root).key != Board::default().key() {
            outline.add_heading(root, &position);
        }
        outline.list_from(root, BookLine { root, moves: Vec::new() });
    }
    outline.rows
}

struct Outline<'b, 's> {
    book: &'b Book,
    catalogue: &'b Catalogue,
    /// The line to where the contents begin.
    start: BookLine,
    /// The lines to all positions where contents begin.
    starts: HashMap<NodeId, BookLine>,
    options: ContentsOptions<'s>,
    listed: HashMap<NodeId, Listed>,
    rows: Vec<ContentsRow<'b>>,
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

impl<'b, 's> Outline<'b, 's> {
    fn new(book: &'b Book, catalogue: &'b Catalogue, options: ContentsOptions<'s>) -> Self {
        let (starts, listed, rows) = (HashMap::new(), HashMap::new(), Vec::new());
        let start = BookLine { root: NodeId::default(), moves: Vec::new() };
        Self { book, catalogue, start, starts, options, listed, rows }
    }

    /// Lists the lines from a position, to which this line leads.
    fn list_from(&mut self, id: NodeId, line: BookLine) {
        self.listed.insert(id, Listed { last: None, is_cut: false });
        self.starts.insert(id, line.clone());
        self.start = line;
        self.list(&Cursor { id, moves: Vec::new(), indent: 0 });
    }

    /// A line with the FEN of a position.
    fn add_heading(&mut self, id: NodeId, position: &Chess) {
        let node = self.book.node(id);
        self.rows.push(ContentsRow {
            book: self.book,
            indent: 0,
            line: BookLine { root: id, moves: Vec::new() },
            moves: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            same: None,
            opening: opening_at(self.catalogue, &node.key),
            played: *node.tally(),
            reached: None,
            score: None,
            key: node.key,
        });
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
        let mut moves = self.book.shown_moves(cursor.id);
        self.options.sort(cursor.id, &mut moves);
        branches.extend(moves.into_iter().rev().map(|edge| (cursor.clone(), edge)));
    }

    /// Lists a move and those after it up to the next branch, and returns the position there.
    fn entry(&mut self, mut cursor: Cursor, edge: &'b Edge, first: MoveNumber) -> Option<Cursor> {
        let (from, before) = (cursor.id, cursor.moves.len());
        let (indent, begin, mut edge, mut opening) = (cursor.indent, edge, edge, None);
        let mut last;
        let next = loop {
            cursor.moves.push(edge.uci);
            if let Some(named) = opening_at(self.catalogue, &self.book.node(edge.to).key) {
                opening = Some(named);
            }
            last = (cursor.id, edge.uci);
            cursor.id = edge.to;
            match (self.next(&cursor, last), &self.book.shown_moves(cursor.id)[..]) {
                (Next::Moves, [only]) if !self.book.is_mistake(cursor.id, only) => edge = *only,
                (next, _) => break next,
            }
        };
        let position = self.book.node(from).key.to_position().ok()?;
        let moves = movetext(position, first.later(before), &cursor.moves[before..])?;
        let moves =
            if self.book.is_mistake(from, begin) { with_glyph(&moves, begin) } else { moves };
        let mut line = self.start.clone();
        line.moves.extend(&cursor.moves);
        let node = self.book.node(cursor.id);
        self.rows.push(ContentsRow {
            book: self.book,
            indent,
            line,
            moves: moves + &next.text(),
            same: if let Next::Same(line) = &next { Some(line.clone()) } else { None },
            opening,
            played: *edge.played,
            reached: self.more_than(cursor.id, edge.played.games),
            score: self.options.score(last.0, last.1),
            key: node.key,
        });
        matches!(next, Next::Moves).then_some(cursor)
    }

    /// The games that have a position, if more go on from it than these.
    fn more_than(&self, id: NodeId, games: u32) -> Option<u32> {
        let on: u32 = self.book.moves(id).iter().map(|edge| edge.played.games).sum();
        (on > games).then(|| self.book.node(id).tally.games.max(on))
    }

    /// What follows in a position that the move `last` has just reached.
    fn next(&mut self, cursor: &Cursor, last: (NodeId, UciMove)) -> Next {
        let has_moves = self.book.shows_moves(cursor.id);
        let is_cut = has_moves && cursor.moves.len() >= self.options.depth;
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
        let is_first = self.starts.len() < 2 || self.book.node(root).key == Board::default().key();
        if text.is_empty() && !is_first { self.book.node(root).key.to_string() } else { text }
    }
}

/// Moves with the glyph of the first, which is a mistake: `2. Qh5? Nc6`.
fn with_glyph(moves: &str, mistake: &Edge) -> String {
    let glyphs = Note::glyphs(mistake.notes());
    let (number, rest) = moves.split_once(' ').unwrap_or((moves, ""));
    let (san, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    format!("{number} {san}{glyphs} {rest}").trim_end().to_owned()
}

impl Next {
    fn text(&self) -> String {
        match self {
            Self::Ends | Self::Moves => String::new(),
            Self::Deeper => " …".to_owned(),
            Self::Same(line) if line.is_empty() => " = the first position".to_owned(),
            Self::Same(line) => format!(" = {line}"),
        }
    }
}

/// The lines as text, of this width. None is longer than the limit, where that has room for the
/// figures: names of openings are shortened or left out, and then moves.
pub fn contents_text(rows: &[ContentsRow<'_>], width: usize, limit: Option<usize>) -> String {
    rows.iter().map(|row| row.text(width, limit.unwrap_or(usize::MAX))).collect()
}

impl ContentsRow<'_> {
    /// The moves, their opening, and on the right the figures of the last move.
    fn text(&self, width: usize, limit: usize) -> String {
        let figures = self.figures();
        let left = self.moves_and_name(limit, &figures);
        if figures.is_empty() {
            return format!("{left}\n");
        }
        let room = width.saturating_sub(figures.width());
        let gap = room.saturating_sub(left.width()).max(1);
        format!("{left}{}{figures}\n", " ".repeat(gap))
    }

    /// The number of games with the last move, and their score, in columns.
    fn figures(&self) -> String {
        if self.played.games == 0 {
            return String::new();
        }
        let score = self.played.score().map(percent).unwrap_or_default();
        let difference = self.score.as_ref().map(|score| 100.0 * score.difference.value);
        let difference = difference.map(|value| format!("{value:>+7.1}")).unwrap_or_default();
        format!("{:>7}{score:>7}{difference}", self.played.games)
    }

    /// What stands before the figures, in as much of the limit as they leave.
    fn moves_and_name(&self, limit: usize, figures: &str) -> String {
        let room = limit.saturating_sub(figures.width() + usize::from(!figures.is_empty()));
        let moves = format!("{}{}", "  ".repeat(self.indent), sanitize(self.moves.as_bytes()));
        let reached = self.reached.map(|reached| format!("  ({reached} with transpositions)"));
        let reached = reached.unwrap_or_default();
        let without_name = format!("{moves}{reached}");
        let Some(opening) = self.opening else { return fit(&without_name, room) };
        let whole = format!("{moves}  {}{reached}", sanitize(opening.to_string().as_bytes()));
        if whole.width() <= room {
            return whole;
        }
        let code = opening.eco().map_or_else(String::new, |eco| format!("  {eco}"));
        let gap = if code.is_empty() { "  " } else { " " };
        let for_name = room.saturating_sub(without_name.width() + code.width() + gap.width());
        if for_name >= MIN_NAME_WIDTH {
            let name = sanitize(opening.name().as_bytes());
            return format!("{moves}{code}{gap}{}{reached}", fit_name(&name, for_name));
        }
        if without_name.width() + code.width() <= room {
            return format!("{moves}{code}{reached}");
        }
        fit(&without_name, room)
    }
}

/// Fewer characters of a name say nothing.
const MIN_NAME_WIDTH: usize = 8;

impl ContentsRow<'_> {
    /// A limit of the interval of the score.
    fn limit(&self, limit: fn(&Interval) -> f64) -> Value<'static> {
        let played = &self.played;
        Value::score(wilson(played.points(), played.decided().into()).as_ref().map(limit))
    }

    fn trend_limit(&self, limit: fn(&Interval) -> f64) -> Value<'static> {
        let score = self.score.as_ref();
        Value::score(score.and_then(|score| score.trend_interval.as_ref()).map(limit))
    }

    // For programs; people get text.
    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        let columns = RowColumns::<Self>::new()
            .with("line", Width::LineShare(4), |row| {
                Value::optional_text(row.line.movetext(row.book))
            })
            .with_small("level", |row| row.indent.into())
            .with_small("ply", |row| row.line.moves.len().into());
        let columns = with_results!(columns, Players, |row| Scores::from(&row.played))
            .with("low", Width::Score, |row| row.limit(|interval| interval.low))
            .with("high", Width::Score, |row| row.limit(|interval| interval.high));
        with_difference!(columns, |row| row.score.as_ref().map(|score| &score.difference))
            .with("trend", Width::Score, |row| {
                Value::score(row.score.as_ref().and_then(|score| score.trend))
            })
            .with("trend_low", Width::Score, |row| row.trend_limit(|interval| interval.low))
            .with("trend_high", Width::Score, |row| row.trend_limit(|interval| interval.high))
            .with("reached", Width::Number, |row| {
                row.book.find(&row.key).map(|id| row.book.node(id).tally().games).into()
            })
            .with_name("eco", 3, |row| code(row.opening))
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .with("same_as", Width::LineShare(1), |row| Value::optional_text(row.same.clone()))
            .with("key", Width::Share(1), |row| Value::Display(&row.key))
    }
}

#[cfg(test)]
mod tests;
