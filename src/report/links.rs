//! Where what a page shows leads: to the explorer that serves it, or else to the part of the page
//! that has the numbers.

use crate::chess::{Chess, Language, Position, UciMove, read_typed};

/// Returns the address of an explorer that shows the games of a page which fit more conditions,
/// each given by its name and its value; `play` are moves.
pub type Explorer<'p> = dyn Fn(&[(&str, &str)]) -> String + Sync + 'p;

/// Where the games of a side, or all games, lead.
#[derive(Clone, Copy, Default)]
pub(super) struct Links<'p> {
    pub(super) explorer: Option<&'p Explorer<'p>>,
    /// That of the moves on the page.
    pub(super) language: Language,
    pub(super) color: Option<&'p str>,
}

impl<'p> Links<'p> {
    /// Those of the games with this colour.
    pub(super) fn with_color(self, color: Option<&'p str>) -> Self {
        Self { color, ..self }
    }

    /// The games that fit these conditions.
    pub(super) fn to(self, conditions: &[(&str, &str)]) -> Option<String> {
        let color = self.color.map(|color| ("color", color));
        let conditions: Vec<_> = conditions.iter().copied().chain(color).collect();
        self.explorer.map(|explorer| explorer(&conditions))
    }

    /// The games with these first moves, `1. e4 c5`.
    pub(super) fn after(self, line: &str) -> Option<String> {
        self.explorer?;
        let moves = self.replay(line)?.1;
        let moves: Vec<String> = moves.iter().map(UciMove::to_string).collect();
        self.to(&[("play", &moves.join(","))])
    }

    /// The position after a line, and its moves; `None` if it is not one of moves.
    pub(super) fn replay(self, line: &str) -> Option<(Chess, Vec<UciMove>)> {
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        for word in line.split(' ').filter(|word| !word.ends_with(['.', '…'])) {
            let m = read_typed(&position, word, self.language).ok()?;
            moves.push(UciMove::from_move(m));
            position.play_unchecked(m);
        }
        Some((position, moves))
    }
}
