//! Reads prepared games, PGN with variations, comments and NAGs, into a [`Book`].
//!
//! [`Book::add_chapter`] defines the order of moves, the owners of notes and what is forgiven.
//! Reading is not recursive, and the depth of variations is limited, so a hostile file exhausts
//! neither stack nor memory.
//!
//! A line with a null move, as text. A null move leads to no position of a game, so what follows it
//! cannot be prepared: it is kept as a comment. What stands in its place can be.

use super::{Book, Chapter, ChapterFaultKind, MoveCounters, NodeId, Note, title::Title};
use crate::chess::{Chess, Move, MoveFault, MoveNumber, Position, PositionKey, UciMove, read_move};
use crate::classify::{GameError, Header};
use crate::pgn::{Game, Item, Token, decode_word, nag_glyph};
use crate::select::GameResult;

/// A position that a line has reached.
#[derive(Debug, Clone)]
struct Cursor {
    position: Chess,
    id: NodeId,
}

/// A main line or variation, as far as it is read.
#[derive(Debug, Default)]
struct Line {
    /// Where the next move is played; `None` after a move that cannot be played.
    at: Option<Cursor>,
    /// Where the last move was played, and where a variation begins.
    before: Option<Cursor>,
    last: Option<(NodeId, UciMove)>,
    /// Notes of a variation that precede its first move.
    pending: Vec<Note>,
    /// What is read of the line since its null move, which follows `at`.
    aside: Option<Aside>,
}

impl Line {
    fn from(at: Option<Cursor>) -> Self {
        Self { at, ..Self::default() }
    }

    /// A variation that begins here.
    fn variation(&self) -> Self {
        let is_begun = self.last.is_some() || self.at.is_none();
        let is_after_move = is_begun && self.aside.is_none();
        Self::from(if is_after_move { self.before.clone() } else { self.at.clone() })
    }
}

/// Reads a chapter into a book.
struct ChapterReader<'b> {
    book: &'b mut Book,
    chapter: Chapter,
    /// The main line and the open variations, each within the one before.
    lines: Vec<Line>,
    /// The number of open variations that are too deep to be read.
    skipped_depth: usize,
}

impl Book {
    /// Reads a prepared game, a *chapter*: every move of its main line and of its variations,
    /// however deep, becomes a prepared move of its position. Chapters and lines that transpose
    /// share positions. What the book has already stays: reading a chapter again changes nothing.
    ///
    /// # Order
    ///
    /// The moves of a position keep the order in which they first appear; the main line of a
    /// chapter comes before all its variations.
    ///
    /// # Notes
    ///
    /// * A comment or NAG belongs to the move it follows, even with variations in between.
    /// * Before the first move of a chapter, it belongs to the position the chapter starts from.
    /// * Before the first move of a variation, it belongs to that move; if the variation has no
    ///   moves, to the move that the variation follows.
    /// * The source of a note is the chapter: its `ChapterName` (after its `StudyName`, if there is
    ///   one), or else its `Event`, or its players, with its number in the file.
    ///
    /// # Faults
    ///
    /// The [`Chapter`] lists what cannot be read; the rest is read. A line ends at a move that
    /// cannot be played: the moves and variations that follow it in the line are skipped, but
    /// variations of the bad move itself are read. A line is no fault if it has a null move, such
    /// as a threat: from that on it is kept as text, a comment where the line stands, since no game
    /// reaches its positions. Variations of the null move itself are read, as they begin before it.
    /// A game from an impossible position or of another variant is not read. A game without moves
    /// and comments adds nothing, and is no fault.
    ///
    /// ```
    /// use eco::{chess::Color, pgn::Game, repertoire::{Book, BookRule}};
    ///
    /// let mut book = Book::new(Color::White, BookRule::default());
    /// let game = Game::from_bytes(b"1. e4 e5 (1... c5 2. c3! {solid}) (1... e4) 2. Nf3 *");
    /// let chapter = book.add_chapter(&game);
    /// assert_eq!(chapter.moves, 5);
    /// assert_eq!(chapter.faults[0].to_string(), "game 1: move 1... e4: illegal");
    /// ```
    pub fn add_chapter(&mut self, game: &Game<'_>) -> Chapter {
        let mut title = Title::default();
        let mut tags = game.tags();
        let header = Header::read(tags.by_ref().inspect(|tag| title.see(tag)));
        let chapter = Chapter::new(title, game.number());
        let mut reader = ChapterReader { book: self, chapter, lines: Vec::new(), skipped_depth: 0 };
        if let Some(tag) = &header.damage {
            reader.fault(GameError::from(tag));
        }
        match header.start() {
            Ok(start) => reader.read(game, start.unwrap_or_default()),
            Err(error) => reader.fault(error),
        }
        reader.chapter
    }
}

impl ChapterReader<'_> {
    fn fault(&mut self, kind: impl Into<ChapterFaultKind>) {
        self.chapter.add_fault(kind.into());
    }

    /// Adds the result that a game with other tags has in its movetext alone.
    fn keep_result(&mut self, written: &[u8]) {
        let (result, tags) = (GameResult::read(written), &mut self.chapter.tags);
        let is_missing = !tags.is_empty() && tags.iter().all(|(name, _)| name != "Result");
        if is_missing && result != GameResult::Unknown {
            tags.push(("Result".to_owned(), result.as_str().to_owned()));
        }
    }

    fn read(&mut self, game: &Game<'_>, start: Chess) {
        if !has_content(game) {
            return;
        }
        let key = PositionKey::from(&start);
        let id = self.book.add_root(&key);
        self.book.set_counters(&key, MoveCounters::of(&start));
        let start = Cursor { position: start, id };
        self.prepare_main_line(game, start.clone());
        self.lines.push(Line::from(Some(start)));
        for item in game.tags().into_movetext() {
            if self.add_to_aside(item) {
                continue;
            }
            match item {
                Item::Move(word) => self.play(word),
                Item::Nag(nag) => self.annotate(|source| Note::of_nag(source, nag)),
                Item::Comment(text) => self.annotate(|source| Note::of_comment(source, text)),
                Item::Open => self.open_variation(),
                Item::Close => self.close_variation(),
                Item::OpenComment if !game.is_cut() => self.fault(GameError::OpenComment),
                Item::OpenVariation if !game.is_cut() => self.fault(GameError::OpenVariation),
                Item::Result(result) if self.lines.len() == 1 => self.keep_result(result),
                Item::Result(_) | Item::OpenComment | Item::OpenVariation => {}
            }
        }
        while self.lines.len() > 1 {
            self.close_variation();
        }
        self.end_aside();
        if game.is_cut() {
            self.fault(GameError::TooLong { bytes: game.bytes().len() });
        }
    }

    /// Adds an item to the text of the last line, if that has a null move. Returns whether it is
    /// part of the text: a variation of the null move itself is not, nor is the end of the line.
    fn add_to_aside(&mut self, item: Item<'_>) -> bool {
        if self.skipped_depth > 0 {
            return false;
        }
        let Some(aside) = self.lines.last_mut().and_then(|line| line.aside.as_mut()) else {
            return false;
        };
        match item {
            Item::Move(word) => aside.add_move(word),
            Item::Nag(nag) => aside.add_nag(nag),
            Item::Comment(text) => aside.add_comment(text),
            Item::Open => return aside.open(),
            Item::Close => return aside.close(),
            Item::Result(_) | Item::OpenComment | Item::OpenVariation => return false,
        }
        true
    }

    /// Keeps what follows the null move of the last line as a comment where the line stands.
    fn end_aside(&mut self) {
        if let Some(aside) = self.lines.last_mut().and_then(|line| line.aside.take()) {
            self.annotate(|source| Note::of_comment(source, aside.into_comment().as_bytes()));
        }
    }

    /// Prepares the main line first: a variation before it in the text may reach its positions.
    fn prepare_main_line(&mut self, game: &Game<'_>, mut at: Cursor) {
        for token in game.tags().into_main_line() {
            let Token::Move(word) = token else { break };
            let Ok(m) = read_move(&at.position, word) else { break };
            at = self.prepare(&at, m);
        }
    }

    /// Makes a move prepared, and returns where it leads.
    fn prepare(&mut self, at: &Cursor, m: Move) -> Cursor {
        let id = self.book.prepare_move(at.id, &at.position, m);
        let mut position = at.position.clone();
        position.play_unchecked(m);
        Cursor { position, id }
    }

    fn play(&mut self, word: &[u8]) {
        let Some(mut line) = self.pop_line() else { return };
        if let Some(at) = &line.at
            && read_move(&at.position, word) == Err(MoveFault::Null)
        {
            line.aside = Some(Aside::new(MoveNumber::next_in(&at.position), word));
            self.lines.push(line);
            self.chapter.null_lines += 1;
            return;
        }
        line.before = line.at.take();
        if let Some(before) = &line.before {
            match read_move(&before.position, word) {
                Ok(m) => {
                    line.at = Some(self.prepare(before, m));
                    line.last = Some((before.id, UciMove::from_move(m)));
                    self.chapter.moves += 1;
                }
                Err(fault) => {
                    let number = MoveNumber::next_in(&before.position);
                    self.fault(GameError::Move { number, word: decode_word(word), fault });
                }
            }
        }
        let pending = std::mem::take(&mut line.pending);
        self.lines.push(line);
        pending.into_iter().for_each(|note| self.add_note(note));
    }

    /// The line that is being read, unless it is too deep.
    fn pop_line(&mut self) -> Option<Line> {
        if self.skipped_depth > 0 { None } else { self.lines.pop() }
    }

    /// Adds a note whose source is the chapter.
    fn annotate(&mut self, note: impl FnOnce(&str) -> Note) {
        if self.skipped_depth == 0 {
            self.add_note(note(&self.chapter.name));
        }
    }

    fn add_note(&mut self, note: Note) {
        let is_main = self.lines.len() == 1;
        let Some(line) = self.lines.last_mut() else { return };
        match (&line.at, line.last) {
            // After a move that cannot be played.
            (None, _) => {}
            (_, Some((id, uci))) => {
                if let Some(notes) = self.book.move_notes_mut(id, uci) {
                    note.merge_into(notes);
                }
            }
            (Some(at), None) if is_main => {
                note.merge_into(&mut self.book.node_mut(at.id).notes);
            }
            (Some(_), None) => note.merge_into(&mut line.pending),
        }
    }

    fn open_variation(&mut self) {
        if self.lines.len() > Chapter::MAX_DEPTH {
            if self.skipped_depth == 0 {
                self.fault(ChapterFaultKind::TooDeep);
            }
            self.skipped_depth += 1;
        } else if let Some(line) = self.lines.last() {
            let variation = line.variation();
            self.lines.push(variation);
        }
    }

    fn close_variation(&mut self) {
        if let Some(less) = self.skipped_depth.checked_sub(1) {
            self.skipped_depth = less;
            return;
        }
        self.end_aside();
        if let Some(line) = self.lines.pop() {
            line.pending.into_iter().for_each(|note| self.add_note(note));
        }
    }
}

/// Whether the movetext has anything but a result.
fn has_content(game: &Game<'_>) -> bool {
    let is_content = |item| matches!(item, Item::Move(_) | Item::Comment(_) | Item::Nag(_));
    game.tags().into_movetext().any(is_content)
}

/// The text of a line from a null move on, with its variations and comments.
#[derive(Debug)]
struct Aside {
    text: String,
    /// The number of the null move.
    first: MoveNumber,
    /// The plies since that.
    ply: usize,
    /// The plies at which the open variations began.
    open: Vec<usize>,
    needs_number: bool,
}

impl Aside {
    /// A line whose first move, the null move, has this number and is written so.
    fn new(first: MoveNumber, word: &[u8]) -> Self {
        let text = "(".to_owned();
        let mut aside = Self { text, first, ply: 0, open: Vec::new(), needs_number: true };
        aside.add_move(word);
        aside
    }

    fn add_move(&mut self, word: &[u8]) {
        let number = self.first.later(self.ply).to_string();
        if self.needs_number || !number.ends_with("...") {
            self.add_text(&number);
        }
        self.add_text(&decode_word(word));
        self.ply += 1;
        self.needs_number = false;
    }

    fn add_nag(&mut self, nag: u8) {
        self.add_text(&nag_glyph(nag));
    }

    fn add_comment(&mut self, comment: &[u8]) {
        self.add_text(&Note::of_comment("", comment).comment);
        self.needs_number = true;
    }

    /// A variation begins in place of the last move. Returns whether it is part of the text: one
    /// of the null move itself begins in a position of the book.
    fn open(&mut self) -> bool {
        self.needs_number = true;
        if self.open.is_empty() && self.ply == 1 {
            return false;
        }
        self.add_text("(");
        self.open.push(self.ply);
        self.ply = self.ply.saturating_sub(1);
        true
    }

    /// A variation ends. Returns whether it was one of this line, and not the line itself.
    fn close(&mut self) -> bool {
        let Some(ply) = self.open.pop() else { return false };
        self.ply = ply;
        self.text.push(')');
        self.needs_number = true;
        true
    }

    /// The whole line in brackets. Variations that were not closed end with it.
    fn into_comment(mut self) -> String {
        (0..=self.open.len()).for_each(|_| self.text.push(')'));
        self.text
    }

    fn add_text(&mut self, text: &str) {
        if !text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }
}

#[cfg(test)]
mod tests;
