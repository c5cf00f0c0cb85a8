//! A book from a Polyglot file.
//!
//! A file stores hashes, not positions, so it is walked by its own moves from the positions that
//! the caller names. Forgiven: unsorted entries, moves that are not legal (counted), deleted
//! moves (counted), castling by the squares of the king. Cycles end where they close.

use std::{
    cmp::Reverse,
    collections::{HashSet, VecDeque},
};

use super::entry::{ENTRY_BYTES, PolyglotEntry, bits_of, hash_of};
use crate::{
    chess::{Chess, Color, EnPassantMode, Move, Position, PositionKey, UciMove, polyglot_hash},
    repertoire::book::{Book, BookRule, MovesOf, NodeId},
};

/// The file is not a Polyglot book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{length} bytes, which are no whole number of entries of 16 bytes: not a Polyglot book, or cut off"
)]
#[non_exhaustive]
pub struct PolyglotError {
    /// Its length in bytes.
    pub length: usize,
}

/// The entries of a Polyglot file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolyglotBook {
    /// By key, then the greatest weight first.
    entries: Vec<PolyglotEntry>,
}

/// What was read of a Polyglot file.
#[derive(Debug, Clone, PartialEq)]
pub struct PolyglotReading {
    /// The moves that were reached, prepared in the order of their weights.
    pub book: Book,
    /// The number of entries of reached positions that are illegal moves.
    pub illegal: usize,
    /// The number of entries with weight 0, that is deleted ones. They are left out.
    pub deleted: usize,
    /// The number of entries of positions that were not reached.
    pub unreached: usize,
}

impl PolyglotBook {
    /// The entries of a whole file.
    ///
    /// # Errors
    ///
    /// If the length is not a multiple of the entry size.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PolyglotError> {
        let (chunks, []) = bytes.as_chunks::<ENTRY_BYTES>() else {
            return Err(PolyglotError { length: bytes.len() });
        };
        let mut entries: Vec<PolyglotEntry> =
            chunks.iter().map(|chunk| PolyglotEntry::from_bytes(*chunk)).collect();
        // Stable: entries of equal weight keep their order.
        entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight)));
        Ok(Self { entries })
    }

    /// All entries, by key, and the greatest weight first.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> &[PolyglotEntry] {
        &self.entries
    }

    fn entries_of(&self, key: u64) -> &[PolyglotEntry] {
        let start = self.entries.partition_point(|entry| entry.key < key);
        let len = self.entries[start..].partition_point(|entry| entry.key == key);
        &self.entries[start..start + len]
    }

    /// The moves of a position that can be played and are not deleted, with their weights, the
    /// greatest first.
    #[must_use]
    pub fn moves(&self, position: &Chess) -> Vec<(Move, u16)> {
        self.moves_under(hash_of(position), position)
    }

    fn moves_under(&self, key: u64, position: &Chess) -> Vec<(Move, u16)> {
        let entries = self.entries_of(key).iter().filter(|entry| entry.weight > 0);
        entries.filter_map(|entry| Some((move_of(entry.m, position)?, entry.weight))).collect()
    }

    /// Walks the file from these positions. The moves found become the prepared moves of the book.
    ///
    /// `has` says whose moves the file has. If it has only own moves, then where it has none for
    /// the opponent, those legal moves are taken that lead to a position of the file.
    #[must_use]
    pub fn to_book(&self, color: Color, has: MovesOf, roots: &[Chess]) -> PolyglotReading {
        let book = Book::new(color, BookRule::default());
        let mut walk = Walk { file: self, has, book, queue: VecDeque::new(), seen: HashSet::new() };
        for root in roots {
            let id = walk.book.add_root(&PositionKey::from_position(root, EnPassantMode::Legal));
            walk.queue.push_back((id, root.clone()));
        }
        let mut illegal = 0;
        while let Some((id, position)) = walk.queue.pop_front() {
            // Some files have moves under the hash without en passant that is not legal.
            let bare = polyglot_hash(&position, EnPassantMode::Legal);
            for key in [hash_of(&position), bare] {
                if walk.seen.insert((id, key)) {
                    illegal += walk.visit(id, key, &position);
                }
            }
        }
        let reached: HashSet<u64> = walk.seen.iter().map(|(_, hash)| *hash).collect();
        let deleted = self.entries.iter().filter(|entry| entry.weight == 0);
        let is_unreached =
            |entry: &&PolyglotEntry| entry.weight > 0 && !reached.contains(&entry.key);
        PolyglotReading {
            illegal,
            deleted: deleted.count(),
            unreached: self.entries.iter().filter(is_unreached).count(),
            book: walk.book,
        }
    }
}

/// The move of an entry in a position, if it is legal there.
fn move_of(bits: u16, position: &Chess) -> Option<Move> {
    let mut legal = position.legal_moves().into_iter();
    legal.find(|m| bits_of(*m) == bits || UciMove::from_move(*m).bits() == bits)
}

struct Walk<'p> {
    file: &'p PolyglotBook,
    has: MovesOf,
    book: Book,
    queue: VecDeque<(NodeId, Chess)>,
    /// Positions, and the hashes with which they were reached.
    seen: HashSet<(NodeId, u64)>,
}

impl Walk<'_> {
    /// Prepares the moves that a position has under a hash; returns the number of illegal ones.
    fn visit(&mut self, id: NodeId, key: u64, position: &Chess) -> usize {
        let listed = self.file.entries_of(key).iter().filter(|entry| entry.weight > 0).count();
        let moves = self.file.moves_under(key, position).into_iter();
        let mut moves: Vec<Move> = moves.map(|(m, _)| m).collect();
        let illegal = listed - moves.len();
        let is_bare = moves.is_empty() && position.turn() != self.book.color();
        if is_bare && self.has == MovesOf::Own {
            moves = self.links(position);
        }
        for m in moves {
            let mut after = position.clone();
            after.play_unchecked(m);
            let to = self.book.prepare_move(id, position, m);
            self.queue.push_back((to, after));
        }
        illegal
    }

    /// The moves that lead to positions that the file has.
    fn links(&self, position: &Chess) -> Vec<Move> {
        let leads_on = |m: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*m);
            self.file.entries_of(hash_of(&after)).iter().any(|entry| entry.weight > 0)
        };
        position.legal_moves().into_iter().filter(leads_on).collect()
    }
}
