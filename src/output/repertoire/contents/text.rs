//! Contents as text, for people.

use unicode_width::UnicodeWidthStr;

use super::outline::ContentsRow;
use crate::{
    output::{
        percent, sanitize,
        table::{fit, fit_name},
    },
    repertoire::Tally,
};

/// The lines as text, of this width.
#[must_use]
pub fn contents_text(rows: &[ContentsRow<'_>], width: usize) -> String {
    rows.iter().map(|row| row.text(width, &row.moves_and_name())).collect()
}

/// The same with no line longer than the width, where that has room for the figures: names of
/// openings are shortened or left out, and then moves.
#[must_use]
pub fn contents_text_within(rows: &[ContentsRow<'_>], width: usize) -> String {
    rows.iter().map(|row| row.text(width, &row.moves_and_name_within(width))).collect()
}

/// The number of games with a move, and their score, in columns.
fn figures(played: &Tally) -> String {
    if played.games == 0 {
        return String::new();
    }
    let score = played.score().map(percent).unwrap_or_default();
    format!("{:>7}{score:>7}", played.games)
}

impl ContentsRow<'_> {
    /// The moves, their opening, and on the right the figures of the last move.
    fn text(&self, width: usize, left: &str) -> String {
        let figures = self.figures();
        if figures.is_empty() {
            return format!("{left}\n");
        }
        let room = width.saturating_sub(figures.width());
        let gap = room.saturating_sub(left.width()).max(1);
        format!("{left}{}{figures}\n", " ".repeat(gap))
    }

    fn figures(&self) -> String {
        let mut figures = figures(&self.played);
        if let Some(score) = self.score.as_ref().filter(|_| !figures.is_empty()) {
            figures += &format!("{:>+7.1}", 100.0 * score.difference.value);
        }
        figures
    }

    fn moves_and_name(&self) -> String {
        let name = self.opening.map_or_else(String::new, |opening| {
            format!("  {}", sanitize(opening.to_string().as_bytes()))
        });
        format!("{}{name}{}", self.indented_moves(), self.transpositions())
    }

    fn moves_and_name_within(&self, width: usize) -> String {
        let whole = self.moves_and_name();
        let figures = self.figures();
        let room = width.saturating_sub(figures.width() + usize::from(!figures.is_empty()));
        let (moves, reached) = (self.indented_moves(), self.transpositions());
        if whole.width() <= room {
            return whole;
        }
        let without_name = format!("{moves}{reached}");
        let Some(opening) = self.opening else { return fit(&without_name, room) };
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

    fn indented_moves(&self) -> String {
        format!("{}{}", "  ".repeat(self.indent), sanitize(self.moves.as_bytes()))
    }

    fn transpositions(&self) -> String {
        let reached = self.reached;
        reached.map_or_else(String::new, |reached| format!("  ({reached} with transpositions)"))
    }
}

/// Fewer characters of a name say nothing.
const MIN_NAME_WIDTH: usize = 8;
