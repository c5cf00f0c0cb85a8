//! One of the fields by which games are grouped, and the numbers that stand for its values.

use std::sync::Arc;

use hashbrown::HashMap;

use super::grouping::{GroupBy, Perspective};
use super::key::{GroupValue, Key, NONE, key};
use super::{game::ScoredGame, openings::LineGroups};
use crate::chess::{Chess, Color, Move, PackedSan, Position, read_move};
use crate::pgn::{MoveBuffer, Token, decode_text};
use crate::{catalogue::to_movetext, lists::TextSet, select::GameInfo};

/// A field, and the numbers of its values.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) by: GroupBy,
    pub(super) lines: Arc<LineGroups>,
    texts: TextSet,
    /// First moves as written, and the numbers of what they mean.
    moves: HashMap<Box<[PackedSan]>, u32>,
    /// The first moves of the last game.
    packed: Vec<PackedSan>,
    buffer: MoveBuffer,
}

impl Axis {
    pub(super) fn new(by: GroupBy, lines: Arc<LineGroups>) -> Self {
        Self {
            by,
            lines,
            texts: TextSet::default(),
            moves: HashMap::new(),
            packed: Vec::new(),
            buffer: MoveBuffer::new(),
        }
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
        // Moves from another position are no first moves.
        if !matches!(game.header().start(), Ok(None)) {
            return NONE;
        }
        let line = &game.main_line;
        self.packed.clear();
        let (moves, taken) = line.peek_once(&mut self.buffer, plies.min(MoveBuffer::CAPACITY));
        self.packed.extend(moves);
        for token in line.after(taken).take(plies - moves.len()) {
            let Token::Move(word) = token else { break };
            self.packed.push(PackedSan::new(word));
        }
        // A word that is too long to be packed is hardly ever a move, and several that are packed
        // as one, as `e4(d4` may be, say nothing of what follows.
        let is_move = |san: &PackedSan| *san != PackedSan::NONE && san.is_one_word();
        let is_packed = self.packed.iter().all(is_move);
        if let Some(id) = self.moves.get(&*self.packed).filter(|_| is_packed) {
            return *id;
        }
        let moves = played(line.clone().take(plies));
        let id = if moves.is_empty() { NONE } else { self.texts.number(moves.as_bytes()) };
        if is_packed {
            self.moves.insert(self.packed.as_slice().into(), id);
        }
        id
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
    to_movetext(&moves.collect::<Vec<Move>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::MainLine;

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
}
