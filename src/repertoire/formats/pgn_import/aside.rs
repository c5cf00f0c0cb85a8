//! A line with a null move, as text. A null move leads to no position of a game, so what follows it
//! cannot be prepared: it is kept as a comment. What stands in its place can be.

use crate::{
    chess::MoveNumber,
    pgn::{decode_word, nag_glyph},
    repertoire::book::Note,
};

/// The text of a line from a null move on, with its variations and comments.
#[derive(Debug)]
pub(super) struct Aside {
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
    pub(super) fn new(first: MoveNumber, word: &[u8]) -> Self {
        let text = "(".to_owned();
        let mut aside = Self { text, first, ply: 0, open: Vec::new(), needs_number: true };
        aside.add_move(word);
        aside
    }

    pub(super) fn add_move(&mut self, word: &[u8]) {
        let number = self.first.later(self.ply).to_string();
        if self.needs_number || !number.ends_with("...") {
            self.add_text(&number);
        }
        self.add_text(&decode_word(word));
        self.ply += 1;
        self.needs_number = false;
    }

    pub(super) fn add_nag(&mut self, nag: u8) {
        self.add_text(&nag_glyph(nag));
    }

    pub(super) fn add_comment(&mut self, comment: &[u8]) {
        self.add_text(&Note::of_comment("", comment).comment);
        self.needs_number = true;
    }

    /// A variation begins in place of the last move. Returns whether it is part of the text: one
    /// of the null move itself begins in a position of the book.
    pub(super) fn open(&mut self) -> bool {
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
    pub(super) fn close(&mut self) -> bool {
        let Some(ply) = self.open.pop() else { return false };
        self.ply = ply;
        self.text.push(')');
        self.needs_number = true;
        true
    }

    /// The whole line in brackets. Variations that were not closed end with it.
    pub(super) fn into_comment(mut self) -> String {
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
