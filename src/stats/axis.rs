//! One of the fields by which games are grouped, and the numbers that stand for its values.

use std::{hash::BuildHasher, sync::Arc};

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::grouping::{GroupBy, Perspective};
use super::key::{GroupValue, Key, NONE, key};
use super::{game::ScoredGame, openings::LineGroups};
use crate::chess::{Chess, Color, Move, PackedSan, Position, read_move};
use crate::pgn::{MainLine, MoveBuffer, Token, decode_text};
use crate::{catalogue::to_movetext, select::GameInfo};

/// A field, and the numbers of its values.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) by: GroupBy,
    lines: Arc<LineGroups>,
    texts: Texts,
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
            texts: Texts::default(),
            moves: HashMap::new(),
            packed: Vec::new(),
            buffer: MoveBuffer::new(),
        }
    }

    pub(super) fn lines(&self) -> &LineGroups {
        &self.lines
    }

    /// The number of the value that a game has.
    #[inline]
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
        let read = game.first_moves.get(..plies).filter(|read| !read.contains(&PackedSan::NONE));
        if let Some(id) = read.and_then(|read| self.moves.get(read)) {
            return *id;
        }
        self.first_moves_of(&game.main_line, plies)
    }

    /// The number of the first moves of a main line.
    fn first_moves_of(&mut self, line: &MainLine<'_>, plies: usize) -> u32 {
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
        other.texts.list().into_iter().map(|text| self.texts.number(text)).collect()
    }

    /// The values that numbers stand for, with these numbers, in any order. Texts have all of them.
    pub(super) fn values(&self, ids: impl Iterator<Item = u32>) -> Vec<(GroupValue, u32)> {
        let is_text = self.by.is_text();
        let mut ids: Vec<u32> = ids.filter(|id| !is_text || *id == NONE).collect();
        ids.sort_unstable();
        ids.dedup();
        let texts = self.texts.iter().map(|(id, text)| (GroupValue::text(decode_text(text)), id));
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
        self.texts.len() + self.moves.len()
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

/// Different texts, numbered from 0 in the order in which they came.
///
/// They share one piece of memory: there may be hundreds of thousands of players.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    found: HashTable<Text>,
    hasher: DefaultHashBuilder,
}

/// Where a text is, and its number.
#[derive(Debug, Clone, Copy)]
struct Text {
    start: usize,
    length: u32,
    number: u32,
}

impl Text {
    #[inline]
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..][..self.length as usize]
    }
}

impl Texts {
    /// The number of a text, which is new or known. Of a text of 4 GiB, only the first bytes count.
    #[inline]
    pub(super) fn number(&mut self, text: &[u8]) -> u32 {
        let text = &text[..text.len().min(u32::MAX as usize)];
        let hash = self.hasher.hash_one(text);
        let known = self.found.find(hash, |known| known.of(&self.bytes) == text);
        match known {
            Some(known) => known.number,
            None => self.insert(hash, text),
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, hash: u64, text: &[u8]) -> u32 {
        let Self { bytes, found, hasher } = self;
        let number = found.len() as u32;
        let entry = Text { start: bytes.len(), length: text.len() as u32, number };
        bytes.extend_from_slice(text);
        found.insert_unique(hash, entry, |known| hasher.hash_one(known.of(bytes)));
        number
    }

    /// The texts by their numbers.
    pub(super) fn list(&self) -> Vec<&[u8]> {
        let mut list: Vec<&[u8]> = vec![b""; self.found.len()];
        self.iter().for_each(|(number, text)| list[number as usize] = text);
        list
    }

    /// The texts with their numbers, in any order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.found.iter().map(|text| (text.number, text.of(&self.bytes)))
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

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
        fn each_text_has_one_number(
            texts in prop::collection::vec(prop::collection::vec(0_u8..3, 0..5), 0..400),
        ) {
            let (mut numbers, mut expected) = (Texts::default(), BTreeMap::new());
            for text in &texts {
                let next = expected.len() as u32;
                let number = *expected.entry(text).or_insert(next);
                prop_assert_eq!(numbers.number(text), number);
            }
            let list = numbers.list();
            prop_assert_eq!(list.len(), numbers.len());
            prop_assert_eq!(list.len(), expected.len());
            for (text, number) in expected {
                prop_assert_eq!(list[number as usize], &text[..]);
            }
        }
    }
}
