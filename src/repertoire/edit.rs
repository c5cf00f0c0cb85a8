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
    /// Something is said of it.
    Remark(Remark),
}

impl Edit {
    /// Whether both change the same: the main move of a position, or the comments or the glyphs of
    /// a move.
    pub(super) fn is_about_what(&self, other: &Self) -> bool {
        let is_same_move = self.key == other.key && self.uci == other.uci;
        let is_comment = |remark: &Remark| matches!(remark, Remark::Comment(_));
        match (&self.kind, &other.kind) {
            (EditKind::Main, EditKind::Main) => self.key == other.key,
            (EditKind::Remark(a), EditKind::Remark(b)) => {
                is_same_move && is_comment(a) == is_comment(b)
            }
            _ => false,
        }
    }

    /// Whether this edit takes the place of an earlier one.
    pub(super) fn supersedes(&self, earlier: &Self) -> bool {
        let is_same_move = self.key == earlier.key && self.uci == earlier.uci;
        match (&self.kind, &earlier.kind) {
            (EditKind::Main, EditKind::Main) => self.key == earlier.key,
            (EditKind::Cut, _) | (_, EditKind::Cut) => is_same_move,
            (EditKind::Remark(new), EditKind::Remark(old)) => is_same_move && new.replaces(old),
            (EditKind::Main, EditKind::Remark(_)) | (EditKind::Remark(_), EditKind::Main) => false,
        }
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

/// What is said of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// A comment in place of those that the move has; glyphs and commands, such as arrows, stay.
    /// One that is a command is added. An empty one removes comments and commands.
    Comment(String),
    /// A numeric annotation glyph. Of the six that judge a move, from `!` to `?!`, it has one.
    Glyph(u8),
    /// Glyphs are removed.
    NoGlyphs,
}

impl Remark {
    /// Whether nothing is left of an earlier remark on the same move once this one is made.
    fn replaces(&self, earlier: &Self) -> bool {
        let judges = |nag: &u8| JUDGEMENTS.contains(nag);
        let has_words = |text: &String| !without_commands(text).trim().is_empty();
        match (self, earlier) {
            (Self::Glyph(new), Self::Glyph(old)) => new == old || judges(new) && judges(old),
            (Self::Comment(new), Self::Comment(old)) => {
                new == old || new.is_empty() || has_words(new) && has_words(old)
            }
            (Self::NoGlyphs, Self::Glyph(_) | Self::NoGlyphs) => true,
            (Self::Glyph(_), Self::NoGlyphs) => false,
            (Self::Comment(_), _) | (_, Self::Comment(_)) => false,
        }
    }
}
