//! A note of Anki: the fields that its card is made of.

use super::{
    faces::{Faces, Picture, svg},
    html::push,
    identity::picture_name,
};
use crate::chess::Fen;

/// The fields of a note. Anki stores them in this order.
pub(super) const FIELDS: [&str; 7] =
    ["FEN", "Line", "Diagram", "Question", "Answer", "Solution", "Moves"];

/// The place of the field with the moves in UCI notation, by which an answer is known to be the
/// same.
const MOVES: usize = 6;

/// What Anki has between fields.
const BETWEEN: char = '\u{1f}';

/// The tag of a card whose position has no move any more.
pub(super) const STALE: &str = "eco::stale";

/// The tag of a card whose moves were others before.
pub(super) const CHANGED: &str = "eco::changed";

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// By which Anki knows it again.
    pub(super) guid: String,
    /// As HTML.
    pub(super) fields: [String; FIELDS.len()],
    /// Between blanks.
    pub(super) tags: String,
}

/// The pictures of a note: names and SVG.
pub(super) type Pictures = Vec<(String, String)>;

impl Note {
    /// The note of a card, and its pictures.
    pub(super) fn of(faces: &Faces<'_, '_>, guid: String, picture: Picture) -> (Self, Pictures) {
        let mut pictures = Pictures::new();
        let mut draw = |diagram: &_| match picture {
            Picture::Svg => {
                let svg = svg(diagram);
                let name = picture_name(&svg);
                let html = format!("<img src=\"{name}\">");
                pictures.push((name, svg));
                html
            }
            Picture::Fen => String::new(),
        };
        let fen = Fen::from(faces.key()).to_string();
        let mut diagram = draw(&faces.diagram());
        if diagram.is_empty() {
            push(&mut diagram, &fen);
        }
        let solution = draw(&faces.solution());
        let fields = [
            fen,
            faces.line(),
            diagram,
            faces.question(),
            faces.answer(1, &mut draw),
            solution,
            faces.moves(),
        ];
        (Self { guid, fields, tags: faces.tags() }, pictures)
    }

    /// A note as it was stored; `None` if it has other fields.
    pub(super) fn stored(guid: String, fields: &str, tags: String) -> Option<Self> {
        let fields: Vec<String> = fields.split(BETWEEN).map(str::to_owned).collect();
        Some(Self { guid, fields: fields.try_into().ok()?, tags })
    }

    /// The fields as they are stored.
    pub(super) fn joined_fields(&self) -> String {
        self.fields.join(&BETWEEN.to_string())
    }

    /// Whether the moves to learn are those of another note.
    pub(super) fn has_moves_of(&self, other: &Self) -> bool {
        self.fields[MOVES] == other.fields[MOVES]
    }

    /// Gives it this tag, in place of what earlier exports said of its age.
    pub(super) fn age(&mut self, tag: &str) {
        let tags = self.tags.split_ascii_whitespace();
        let mut tags: Vec<&str> = tags.filter(|tag| ![STALE, CHANGED].contains(tag)).collect();
        tags.push(tag);
        self.tags = tags.join(" ");
    }

    /// The names of the pictures that it shows.
    pub(super) fn picture_names(&self) -> Vec<&str> {
        let parts = self.fields.iter().flat_map(|field| field.split("<img src=\"").skip(1));
        parts.filter_map(|part| Some(part.split_once('"')?.0)).collect()
    }
}
