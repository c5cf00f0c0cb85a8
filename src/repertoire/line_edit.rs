//! A line is added, and its last move edited: what the command line and the page do.

use super::{Book, BookRule, EditKind, Preparation};
use crate::chess::{Chess, Color, Move, MoveNumber, Position, PositionKey, UciMove, movetext};
use crate::{pgn::nag_glyph, quoted::counted};

/// A line that is added if it is not prepared, and what is done to its last move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineEdit {
    /// What is done to the last move. If it is removed, nothing else is done.
    pub edits: Vec<EditKind>,
    /// The source that a new line is added to; `edit` if none is named.
    pub source: Option<String>,
}

/// Why a line cannot be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineEditError {
    /// The line has no move.
    #[error("the line has no move; type one such as 1.e4 c5")]
    NoMove,
    /// A move is to be removed that no chapter has.
    #[error("its last move is not prepared")]
    NotPrepared,
}

/// The source of lines that are added here.
const SOURCE: &str = "edit";

impl LineEdit {
    /// The line in words: its movetext.
    pub fn line_text(start: &Chess, moves: &[Move]) -> String {
        movetext(start.clone(), MoveNumber::next_in(start), moves.iter().copied())
    }

    /// Edits a line of legal moves from a position. Returns what was done, in words, but for the
    /// number of moves that were removed.
    ///
    /// # Errors
    ///
    /// If the line has no move, or its last move is to be removed and is not prepared.
    pub fn apply(
        &self,
        start: &Chess,
        moves: &[Move],
        color: Color,
        preparation: &mut Preparation,
    ) -> Result<Vec<String>, LineEditError> {
        let (last, earlier) = moves.split_last().ok_or(LineEditError::NoMove)?;
        let mut before = start.clone();
        earlier.iter().for_each(|m| before.play_unchecked(*m));
        let (key, uci) = (PositionKey::from(&before), UciMove::from_move(*last));
        if self.edits.contains(&EditKind::Cut) {
            let is_cut = preparation.edit(&key, uci, EditKind::Cut);
            return is_cut.then(Vec::new).ok_or(LineEditError::NotPrepared);
        }
        let mut book = Book::new(color, BookRule::default());
        book.prepare_from(start, moves.iter().copied());
        let new = preparation.put(self.source.as_deref().unwrap_or(SOURCE), book);
        let mut done = Vec::new();
        done.extend((new > 0).then(|| format!("{} added", counted(new, "move"))));
        for kind in &self.edits {
            preparation.edit(&key, uci, kind.clone());
            done.push(match kind {
                EditKind::Cut => continue,
                EditKind::Main => "main move".to_owned(),
                EditKind::Comment(text) if text.is_empty() => "comments removed".to_owned(),
                EditKind::Comment(_) => "comment set".to_owned(),
                EditKind::Glyph(nag) => format!("glyph {} set", nag_glyph(*nag)),
                EditKind::NoGlyphs => "glyphs removed".to_owned(),
            });
        }
        if done.is_empty() {
            done.push("nothing new".to_owned());
        }
        Ok(done)
    }
}
