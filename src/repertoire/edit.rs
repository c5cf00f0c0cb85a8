//! What is prepared is edited move by move. An edit is kept beside the sources, so that it is done
//! again when the source that it changes is added again.

use super::note::{JUDGEMENTS, without_commands};
use crate::chess::{PositionKey, UciMove};

/// An edit of a prepared move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The position before the move.
    pub key: PositionKey,
    /// The move.
    pub uci: UciMove,
    /// What is done.
    pub kind: EditKind,
    /// What the sources had instead: the words of the move, the numbers of its glyphs, or the main
    /// move of the position in UCI notation.
    pub replaced: String,
}

/// What is done to a prepared move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditKind {
    /// It is removed, with what only it leads to.
    Cut,
    /// It becomes the main move of its position.
    Main,
    /// A comment in place of those that the move has; glyphs and commands, such as arrows, stay.
    /// One that is a command is added. An empty one removes comments and commands.
    Comment(String),
    /// A numeric annotation glyph. Of the six that judge a move, from `!` to `?!`, it has one.
    Glyph(u8),
    /// Glyphs are removed.
    NoGlyphs,
}

impl Edit {
    fn is_of_move(&self, other: &Self) -> bool {
        self.key == other.key && self.uci == other.uci
    }

    /// Whether both change the same: the main move of a position, or the comments or the glyphs of
    /// a move.
    pub(super) fn is_about_what(&self, other: &Self) -> bool {
        use EditKind::{Comment, Glyph, Main, NoGlyphs};
        match (&self.kind, &other.kind) {
            (Main, Main) => self.key == other.key,
            (Comment(_), Comment(_)) | (Glyph(_) | NoGlyphs, Glyph(_) | NoGlyphs) => {
                self.is_of_move(other)
            }
            _ => false,
        }
    }

    /// Whether nothing is left of an earlier edit once this one is made, so that this one takes its
    /// place.
    pub(super) fn supersedes(&self, earlier: &Self) -> bool {
        use EditKind::{Comment, Cut, Glyph, Main, NoGlyphs};
        let judges = |nag: &u8| JUDGEMENTS.contains(nag);
        let has_words = |text: &String| !without_commands(text).trim().is_empty();
        let replaces = match (&self.kind, &earlier.kind) {
            (Main, Main) => return self.key == earlier.key,
            (Cut, _) | (_, Cut) | (NoGlyphs, Glyph(_) | NoGlyphs) => true,
            (Glyph(new), Glyph(old)) => new == old || judges(new) && judges(old),
            (Comment(new), Comment(old)) => {
                new == old || new.is_empty() || has_words(new) && has_words(old)
            }
            _ => false,
        };
        replaces && self.is_of_move(earlier)
    }
}

/// An edit that a source, when it was added again, no longer fits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditConflict {
    /// The edit.
    pub edit: Edit,
    /// What the source has now in place of what the edit had replaced; the edit replaces it, too.
    /// Empty for a move that was removed again. `None` if the move is no longer prepared, and the
    /// edit is given up.
    pub now: Option<String>,
}
