//! The two sides of a card: what is asked, and what the answer says.
//!
//! The front has no comment and no arrow, since those tend to give the answer away. Comments on the
//! opponent's last move and on the position come after the answer. Text from files is hostile: as
//! HTML it must neither mark up, run, nor play anything.

use std::fmt::Write as _;

use crate::chess::{Board, EnPassantMode, Fen, PositionKey, UciMove, polyglot_hash};
use crate::diagram::{Diagram, Mark, Theme, drawn_annotations};
use crate::output::{percent, sanitize};
use crate::repertoire::{Edge, Extract, ExtractMove, NodeId, Note, Tally, without_commands};
use crate::{catalogue::plain_letters, opening::Opening, quoted::counted};

/// The side of a square in pixels: a board fits on a phone.
const SQUARE: u32 = 36;

/// A diagram as SVG in one line.
pub(super) fn svg(diagram: &Diagram) -> String {
    diagram.to_svg(&Theme { square: SQUARE, ..Theme::default() }).replace('\n', "")
}

/// What a card says of a position.
pub(super) struct Faces<'e, 'b> {
    extract: &'e Extract<'b>,
    id: NodeId,
    choices: Vec<ExtractMove<'b>>,
}

impl<'e, 'b> Faces<'e, 'b> {
    /// All cards of an extract, in its order: a position in which its own side is to move has one,
    /// if there is a move to learn.
    pub(super) fn all(extract: &'e Extract<'b>) -> impl Iterator<Item = Self> {
        let own = extract.positions().filter(|id| extract.book.is_own_turn(*id));
        own.filter_map(move |id| {
            let choices = extract.moves(id);
            (!choices.is_empty()).then_some(Self { extract, id, choices })
        })
    }

    pub(super) fn key(&self) -> &'b PositionKey {
        &self.extract.book.node(self.id).key
    }

    /// A number for the position. Polyglot's hash never changes.
    pub(super) fn hash(&self) -> Option<u64> {
        let position = self.key().to_position().ok()?;
        Some(polyglot_hash(&position, EnPassantMode::Legal))
    }

    /// The line to the position, its last move in bold; in words where lines begin.
    pub(super) fn line(&self) -> String {
        let line = self.letters(&self.extract.movetext(self.id));
        match line.rsplit_once(' ') {
            Some((before, last)) => format!("{before} <b>{last}</b>"),
            None if !line.is_empty() => format!("<b>{line}</b>"),
            None if *self.key() == Board::default().key() => "The first move".to_owned(),
            None if self.extract.book.has_prepared() => "Where a chapter begins".to_owned(),
            None => "Where a game begins".to_owned(),
        }
    }

    /// Moves with the piece letters of the language in which openings are named.
    fn letters(&self, moves: &str) -> String {
        let catalogue = self.extract.catalogue;
        catalogue.map_or_else(|| moves.to_owned(), |c| c.language().translated(moves))
    }

    /// The opening, and whose turn it is.
    pub(super) fn question(&self) -> String {
        let turn = self.key().turn().fold_wb("White to move", "Black to move");
        match self.extract.opening(self.id) {
            Some(opening) => format!("{}. {turn}", escaped(opening.name())),
            None => turn.to_owned(),
        }
    }

    /// The moves with what is said of them, then mistakes, then what is said of the position.
    /// `draw` makes HTML of diagrams with arrows, for moves from the place `drawn_from` on and for
    /// the position.
    pub(super) fn answer(
        &self,
        drawn_from: usize,
        draw: &mut dyn FnMut(&Diagram) -> String,
    ) -> String {
        let number = self.extract.number(self.id);
        let number = number.map(|number| format!("{number} ")).unwrap_or_default();
        let mut html = String::new();
        for (place, choice) in self.choices.iter().enumerate() {
            let notes = choice.edge.notes();
            let glyphs = Note::glyphs(notes);
            push(
                &mut html,
                &format!("<b>{number}{}{}</b>", self.letters(&choice.san), escaped(&glyphs)),
            );
            push_comments(&mut html, "", notes);
            if place >= drawn_from && has_drawings(notes) {
                push(&mut html, &draw(&self.diagram_after(choice)));
            }
            push(&mut html, &played(&choice.edge.played));
        }
        for mistake in self.extract.mistakes(self.id) {
            let notes = mistake.edge.notes();
            let glyphs = Note::glyphs(notes);
            push(
                &mut html,
                &format!("Not {number}{}{}", self.letters(&mistake.san), escaped(&glyphs)),
            );
            push_comments(&mut html, "", notes);
        }
        self.push_before(&mut html, draw);
        html
    }

    /// What is said of the position and of the move that leads there.
    fn push_before(&self, html: &mut String, draw: &mut dyn FnMut(&Diagram) -> String) {
        let mut before: Vec<Note> = Vec::new();
        if let Some((last, san)) = self.last_move() {
            push_comments(html, &format!("<i>{san}</i> "), last.notes());
            before.extend_from_slice(last.notes());
        }
        let notes = &self.extract.book.node(self.id).notes;
        push_comments(html, "", notes);
        before.extend_from_slice(notes);
        if has_drawings(&before) {
            let mut diagram = self.diagram();
            add_drawings(&mut diagram, &before);
            push(html, &draw(&diagram));
        }
    }

    /// The last move of the line, and what it is called.
    fn last_move(&self) -> Option<(&'b Edge, String)> {
        let (from, uci) = self.extract.lines.last(self.id)?;
        let moves = self.extract.all_moves(from).into_iter();
        let last = moves.into_iter().find(|choice| choice.edge.uci == uci)?;
        let number = self.extract.number(from)?;
        Some((last.edge, format!("{number} {}", self.letters(&last.san))))
    }

    /// The family of the opening and its code as tags of Anki, which have no spaces.
    pub(super) fn tags(&self) -> String {
        let tags =
            |opening: &Opening| format!("{} {}", slug(opening.english_family()), opening.code());
        self.extract.opening(self.id).map_or_else(String::new, tags).trim_end().to_owned()
    }

    /// The position with the last move marked.
    pub(super) fn diagram(&self) -> Diagram {
        let last = self.extract.lines.last(self.id);
        self.diagram_of(self.key(), last.map(|(_, uci)| uci))
    }

    /// The position after the main move.
    #[cfg(all(feature = "codecs", feature = "sqlite"))]
    pub(super) fn solution(&self) -> Diagram {
        self.diagram_after(&self.choices[0])
    }

    /// The moves in UCI notation, the main one first.
    #[cfg(all(feature = "codecs", feature = "sqlite"))]
    pub(super) fn moves(&self) -> String {
        let moves: Vec<String> =
            self.choices.iter().map(|choice| choice.edge.uci.to_string()).collect();
        moves.join(" ")
    }

    /// The position after a move, with the arrows and circles of what is said of it.
    fn diagram_after(&self, choice: &ExtractMove<'_>) -> Diagram {
        let key = &self.extract.book.node(choice.edge.to).key;
        let mut diagram = self.diagram_of(key, Some(choice.edge.uci));
        add_drawings(&mut diagram, choice.edge.notes());
        diagram
    }

    fn diagram_of(&self, key: &PositionKey, last: Option<UciMove>) -> Diagram {
        let mut diagram = Diagram::new(Fen::from(key));
        diagram.bottom = self.extract.book.color();
        if let Some(last) = last {
            let marks = [last.from(), last.to()].map(|square| Mark { square, paint: None });
            diagram.marks = marks.into();
        }
        diagram
    }
}

fn has_drawings(notes: &[Note]) -> bool {
    notes.iter().any(|note| drawn_annotations(&note.comment) != (Vec::new(), Vec::new()))
}

fn add_drawings(diagram: &mut Diagram, notes: &[Note]) {
    for note in notes {
        let (arrows, circles) = drawn_annotations(&note.comment);
        for arrow in arrows {
            if !diagram.arrows.contains(&arrow) {
                diagram.arrows.push(arrow);
            }
        }
        diagram.circles.extend(circles);
    }
}

/// Adds a line for each comment, with HTML before each.
fn push_comments(html: &mut String, before: &str, notes: &[Note]) {
    for comment in Note::all_comments(notes) {
        let words = escaped(without_commands(comment).trim());
        if !words.is_empty() {
            push(html, &format!("{before}{words}"));
        }
    }
}

fn played(tally: &Tally) -> String {
    let games = match tally.games {
        0 => return String::new(),
        games => counted(games, "game"),
    };
    match tally.score() {
        Some(score) => format!("{games}, {}", percent(score)),
        None => games,
    }
}

/// A name in lower case ASCII letters and digits, with hyphens between words: `kings-pawn-game`.
fn slug(name: &str) -> String {
    let plain = plain_letters(name).to_lowercase().replace(['\'', '`'], "");
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Adds a line of HTML, unless it is empty.
pub(super) fn push(html: &mut String, line: &str) {
    if !line.is_empty() {
        write!(html, "<div>{line}</div>").expect("a string takes every text");
    }
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    let text = sanitize(text.as_bytes());
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Anki takes `[latex]` for a program to run, and `[sound:x]` for a file to play.
    let text = text.replace('"', "&quot;").replace('[', "&#91;").replace(']', "&#93;");
    // MathJax takes `\(` and `\[` for formulas, which may link anywhere, and reads entities as the
    // characters they stand for. An element between the two parts them.
    text.replace('\\', "&#92;<span></span>")
}
