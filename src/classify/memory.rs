//! What a worker remembers of the games it has seen: where their first moves led.
//!
//! Many games leave the lines of the catalogue and still begin alike. A worker keeps the places
//! they came to, by the place before and the word of the move, and follows a game along them
//! without any chess, as along a line. Each game adds one place at most, so what is common is
//! learned first; when the memory is full it stays as it is. It changes no verdict.

use crate::{
    catalogue::{Left, NodeId, Word},
    chess::Board,
};

/// So many places are remembered. One takes about 400 bytes, so a worker needs up to 8 MB.
const MAX_PLACES: usize = 20_000;

/// A place off the lines, as an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlaceId(u32);

/// Where a move is made: at a node of the lines, or at a place off them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Node(NodeId),
    Place(PlaceId),
}

/// What is known of a place.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) board: Board,
    pub(super) left: Left,
    /// The named position there.
    pub(super) name: Option<usize>,
    /// Nothing is to be found from there on.
    pub(super) is_over: bool,
}

/// The places a worker remembers.
#[derive(Debug, Default)]
pub(super) struct Memory {
    places: Vec<Known>,
    /// Open addressing with linear probing, at most half full; zero is an empty slot.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    word: u64,
    from: u32,
    /// The place, plus one.
    to: u32,
}

impl From {
    /// Nodes are even, places are odd.
    fn code(self) -> u32 {
        match self {
            Self::Node(node) => node.number() << 1,
            Self::Place(PlaceId(place)) => place << 1 | 1,
        }
    }
}

impl Memory {
    /// What is known of a place.
    pub(super) fn known(&self, PlaceId(place): PlaceId) -> &Known {
        &self.places[place as usize]
    }

    /// Where a move led, if that is remembered.
    pub(super) fn recall(&self, from: From, word: Word) -> Option<PlaceId> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot(from.code(), word.packed())];
        slot.to.checked_sub(1).map(PlaceId)
    }

    /// Remembers where a move led, if there is room and the word is one that can be kept.
    pub(super) fn learn(&mut self, from: From, word: Word, known: Known) -> Result<PlaceId, Known> {
        if self.places.len() == MAX_PLACES || word == Word::NONE {
            return Err(known);
        }
        if 2 * (self.places.len() + 1) > self.slots.len() {
            self.grow();
        }
        let place = self.places.len() as u32;
        self.places.push(known);
        let (from, word) = (from.code(), word.packed());
        let slot = self.slot(from, word);
        self.slots[slot] = Slot { word, from, to: place + 1 };
        Ok(PlaceId(place))
    }

    /// The slot of a move, or the empty one where it would go.
    fn slot(&self, from: u32, word: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Multiplying by the golden ratio spreads words that differ in their last letters.
        let mixed = (word ^ u64::from(from).rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut slot = (mixed ^ mixed >> 32) as usize & mask;
        loop {
            let Slot { word: w, from: f, to } = self.slots[slot];
            if to == 0 || (w == word && f == from) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let slots = vec![Slot::default(); (4 * self.slots.len()).max(1024)];
        for old in std::mem::replace(&mut self.slots, slots) {
            if old.to != 0 {
                let slot = self.slot(old.from, old.word);
                self.slots[slot] = old;
            }
        }
    }
}
