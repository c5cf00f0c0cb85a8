//! One of the fields by which games are grouped, and the numbers that stand for its values.

use std::sync::Arc;

use hashbrown::HashMap;

use super::grouping::{GroupBy, Perspective};
use super::key::{GroupValue, Key, NONE, key};
use super::{game::ScoredGame, openings::LineGroups};
use crate::chess::{Chess, Color, MoveNumber, PackedSan, Position, movetext, read_move};
use crate::pgn::{FirstMoves, Token, decode_text};
use crate::{lists::TextSet, select::GameInfo};

/// A field, and the numbers of its values.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) by: GroupBy,
    pub(super) lines: Arc<LineGroups>,
    texts: TextSet,
    /// First moves as written, and the numbers of what they mean.
    moves: HashMap<Box<[PackedSan]>, u32>,
    /// The same for moves that the classifier has read already, as it has in most games.
    read_ahead: HashMap<FirstMoves, u32>,
}

impl Axis {
    pub(super) fn new(by: GroupBy, lines: Arc<LineGroups>) -> Self {
        let (moves, read_ahead) = (HashMap::new(), HashMap::new());
        Self { by, lines, texts: TextSet::default(), moves, read_ahead }
    }

    /// The number of the value that a game has.
    pub(super) fn id(
        &mut self,
        game: &ScoredGame<'_, '_>,
        side: Color,
        perspective: Perspective<'_>,
        info: Option<&GameInfo<'_>>,
    ) -> u32 {
        match key(&self.by, game, side, perspective, info) {
            Key::None => NONE,
            Key::Number(number) => number as u32,
            Key::Line(line) => self.lines.id(line),
            Key::Text(text) => self.texts.number(&text),
            Key::Moves => self.first_moves(game),
        }
    }

    // Out of line, as the other keys are.
    #[inline(never)]
    fn first_moves(&mut self, game: &ScoredGame<'_, '_>) -> u32 {
        let GroupBy::FirstMoves(plies) = self.by else { return NONE };
        let header = game.header();
        // Moves from another position are no first moves.
        if !(header.has_standard_start() || matches!(header.start(), Ok(None))) {
            return NONE;
        }
        let read_ahead = game.first_moves.up_to(plies);
        if let Some(id) = read_ahead.and_then(|moves| self.read_ahead.get(&moves)) {
            return *id;
        }
        let word = |token| if let Token::Move(word) = token { Some(word) } else { None };
        let words = game.main_line.clone().take(plies).map_while(word);
        let packed: Box<[PackedSan]> = words.map(PackedSan::new).collect();
        // A word that is too long to be packed is hardly ever a move, and several that are packed
        // as one, as `e4(d4` may be, say nothing of what follows.
        let is_move = |san: &PackedSan| *san != PackedSan::NONE && san.is_one_word();
        let is_packed = packed.iter().all(is_move);
        let known = self.moves.get(&packed).copied().filter(|_| is_packed);
        let id = known.unwrap_or_else(|| self.played(game.main_line.clone().take(plies)));
        if let Some(moves) = read_ahead.filter(|moves| is_packed && moves.are(&packed)) {
            self.read_ahead.insert(moves, id);
        }
        if is_packed {
            self.moves.insert(packed, id);
        }
        id
    }

    /// The number of the moves that can be played.
    fn played<'a>(&mut self, line: impl Iterator<Item = Token<'a>>) -> u32 {
        let moves = played(line);
        if moves.is_empty() { NONE } else { self.texts.number(moves.as_bytes()) }
    }

    /// The number here of each text of another axis for the same field. Other numbers are the same.
    pub(super) fn numbers_of_texts(&mut self, other: &Self) -> Vec<u32> {
        other.texts.texts().iter().map(|text| self.texts.number(text)).collect()
    }

    /// The values that numbers stand for, with these numbers, in any order. Texts have all of them.
    pub(super) fn values(&self, ids: impl Iterator<Item = u32>) -> Vec<(GroupValue, u32)> {
        let is_text = self.by.is_text();
        let mut ids: Vec<u32> = ids.filter(|id| !is_text || *id == NONE).collect();
        ids.sort_unstable();
        ids.dedup();
        let texts = self.texts.texts().iter().zip(0..);
        let texts = texts.map(|(text, id)| (GroupValue::text(decode_text(text)), id));
        texts.chain(ids.into_iter().map(|id| (self.value(id), id))).collect()
    }

    /// The value of a number that stands for no text.
    fn value(&self, id: u32) -> GroupValue {
        match &self.by {
            _ if id == NONE => GroupValue::None,
            by if by.is_opening() => GroupValue::text(self.lines.label(id)),
            by => GroupValue::of_number(by, id as i32),
        }
    }

    /// The numbers of texts, so that memory can be bounded.
    pub(super) fn size(&self) -> usize {
        self.texts.texts().len() + self.moves.len()
    }
}

/// The moves of a main line as SAN with move numbers, as far as they can be played.
fn played<'a>(line: impl Iterator<Item = Token<'a>>) -> String {
    let mut position = Chess::default();
    let moves = line.map_while(|token| {
        let Token::Move(word) = token else { return None };
        let m = read_move(&position, word).ok()?;
        position.play_unchecked(m);
        Some(m)
    });
    movetext(Chess::default(), MoveNumber::after(0), moves)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::Catalogue;
    use crate::classify::Classifier;
    use crate::pgn::{Game, MainLine};

    const FRAGMENTS: [&str; 20] = [
        "1. e4 ",
        "e4 ",
        "e5 ",
        "e7-e5 ",
        "e2e4 ",
        "e4(e5 ",
        "(d4 d5) ",
        "{x} ",
        "Nf3 ",
        "Nf3+ ",
        "Nc6 ",
        "$1 ",
        "junk ",
        "1... ",
        "2. ",
        "; x\n",
        "%x\n",
        "Ng1f3! ",
        "1-0 ",
        "d4 {[%clk 1]} ",
    ];

    #[test]
    fn first_moves_are_written_in_one_way() {
        for (written, moves) in [
            ("e4 c5 Nf3 ", "1. e4 c5 2. Nf3"),
            ("e2e4 c7-c5 Ng1f3 ", "1. e4 c5 2. Nf3"),
            ("e4 Ke2 ", "1. e4"),
            ("", ""),
            ("nonsense ", ""),
        ] {
            assert_eq!(played(MainLine::from_movetext(written.as_bytes())), moves);
        }
    }

    proptest! {
        #[test]
        fn first_moves_are_those_that_can_be_played(
            games in prop::collection::vec(
                prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..8), 1..30,
            ),
            plies in 1..7_usize,
        ) {
            let classifier = Classifier::new(Catalogue::builtin());
            let mut axis = Axis::new(GroupBy::FirstMoves(plies), Arc::default());
            for movetext in games.iter().map(|fragments| fragments.concat()) {
                let game = Game::from_bytes(movetext.as_bytes());
                let id = axis.first_moves(&ScoredGame::read(&classifier, &game));
                let found = if id == NONE { &b""[..] } else { axis.texts.texts().get(id as usize) };
                let expected = played(MainLine::from_movetext(movetext.as_bytes()).take(plies));
                prop_assert_eq!(found, expected.as_bytes(), "{:?}", movetext);
            }
        }
    }
}
