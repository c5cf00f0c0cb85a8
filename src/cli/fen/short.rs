//! FENs of one to three fields.

use std::{borrow::Cow, error::Error};

use eco::chess::{Epd, Forgiven, fen::complete_fen};

use super::lines::Line;
use crate::cli::outcome::complain;

/// Reads FENs that may lack fields, and reports what was forgiven.
#[derive(Default)]
pub(super) struct ShortFens {
    /// The FENs of which nothing is reported.
    more: u64,
    is_reported: bool,
}

impl ShortFens {
    /// The position of a line, and its operations.
    pub(super) fn read(&mut self, line: &Line<'_>) -> Result<Epd, Box<dyn Error>> {
        Ok(self.complete(line.text()?, line).parse()?)
    }

    /// The text of a line's FEN with all fields.
    pub(super) fn complete<'t>(&mut self, fen: &'t str, line: &Line<'_>) -> Cow<'t, str> {
        let (text, missing) = complete_fen(fen);
        if missing.is_empty() {
        } else if std::mem::replace(&mut self.is_reported, true) {
            self.more += 1;
        } else {
            let missing: Vec<String> = missing.iter().map(Forgiven::to_string).collect();
            complain(&format_args!("{}forgiven: {}", line.place(), missing.join("; ")));
        }
        text
    }

    /// Reports how many FENs were short besides the first.
    pub(super) fn finish(&self) {
        if self.more > 0 {
            complain(&format_args!("forgiven: {} more FENs lack fields", self.more));
        }
    }
}
