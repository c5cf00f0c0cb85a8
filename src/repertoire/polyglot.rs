//! Opening books as Polyglot has them, which many programs read: `.bin`.
//!
//! A file is entries of 16 bytes, highest byte first, ordered by key: the
//! [hash](crate::chess::polyglot_hash) of a position, a move, its weight, and a number for
//! learning, which is 0 here. Source: `book_format.html`, which comes with the program `polyglot`.
//!
//! * Castling is written as the king taking its rook. The reader also takes it by the squares of
//!   the king, as some programs write it.
//! * En passant is part of a hash if a pawn of the side to move stands beside the pushed pawn,
//!   pinned or not. A key of a book has only legal en passant captures, so the moves of a position
//!   are written under each hash with which moves of the book reach it, and under its own.
//! * A weight is what the program `polyglot` takes, 2 for a win and 1 for a draw of the side to
//!   move, scaled down where that does not fit. Where nothing was scored, weights go down in the
//!   order of the moves: 3, 2, 1. A move that always lost has 0, which programs do not play and
//!   readers take for deleted. A prepared move without a game that has a result has 1.
//!
//! A file stores hashes, not positions, so it is walked by its own moves from the positions that
//! the caller names. Forgiven: unsorted entries, moves that are not legal (counted), deleted
//! moves (counted), castling by the squares of the king. Cycles end where they close.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

use super::{Book, BookRule, Extract, ExtractMove, MovesOf, NodeId, Tally};
use crate::chess::{
    Chess, Color, EnPassantMode, Move, Position, PositionKey, UciMove, polyglot_hash,
};

/// The length of an entry.
const ENTRY_BYTES: usize = 16;

/// A move of a position, as a Polyglot book has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PolyglotEntry {
    /// The hash of the position.
    key: u64,
    /// The move: bits 0 to 5 the square it goes to, 6 to 11 the one it comes from, 12 to 14 what a
    /// pawn becomes, knight 1 to queen 4.
    m: u16,
    /// How good it is, or how often it is to be played; 0 for never.
    weight: u16,
}

impl PolyglotEntry {
    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let key = u128::from(self.key) << 64;
        (key | u128::from(self.m) << 48 | u128::from(self.weight) << 32).to_be_bytes()
    }

    fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self { key: (number >> 64) as u64, m: (number >> 48) as u16, weight: (number >> 32) as u16 }
    }
}

fn hash_of(position: &Chess) -> u64 {
    polyglot_hash(position, EnPassantMode::PseudoLegal)
}

/// The bits of a move.
fn bits_of(m: Move) -> u16 {
    match m {
        Move::Castle { king, rook } => UciMove::new(king, rook, None).bits(),
        _ => UciMove::from_move(m).bits(),
    }
}

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

    fn entries_of(&self, key: u64) -> &[PolyglotEntry] {
        let start = self.entries.partition_point(|entry| entry.key < key);
        let len = self.entries[start..].partition_point(|entry| entry.key == key);
        &self.entries[start..start + len]
    }

    /// The moves of a position that can be played and are not deleted, with their weights, the
    /// greatest first.
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
    pub fn to_book(&self, color: Color, has: MovesOf, roots: &[Chess]) -> PolyglotReading {
        let book = Book::new(color, BookRule::default());
        let mut walk = Walk { file: self, has, book, queue: VecDeque::new(), seen: HashSet::new() };
        for root in roots {
            let id = walk.book.add_root(&PositionKey::from(root));
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

const MAX_WEIGHT: u64 = u16::MAX as u64;

/// Part of a book as a whole Polyglot file.
///
/// ```
/// use eco::{chess::Color, repertoire::{Book, BookRule, Extract, ExtractOptions, to_polyglot}};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. e4").unwrap();
/// let bytes = to_polyglot(&Extract::new(&book, ExtractOptions::default(), None));
/// assert_eq!(bytes, *b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\x01\0\0\0\0");
/// ```
pub fn to_polyglot(extract: &Extract<'_>) -> Vec<u8> {
    let others = other_hashes(extract);
    let mut entries = Vec::new();
    for id in extract.positions() {
        let choices = extract.moves(id);
        let Ok(position) = extract.book.node(id).key.to_position() else { continue };
        let weights = weights(&choices, extract.book.color(), position.turn());
        let hashes = others.get(&id).into_iter().flatten().copied();
        for key in hashes.chain([hash_of(&position)]) {
            entries.extend(choices.iter().zip(&weights).map(|(choice, weight)| PolyglotEntry {
                key,
                m: bits_of(choice.m),
                weight: *weight,
            }));
        }
    }
    entries.sort_unstable_by_key(|entry| (entry.key, Reverse(entry.weight), entry.m));
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}

/// The hashes that positions have besides their own because of how they arise: by the step of a
/// pawn past another that is pinned.
fn other_hashes(extract: &Extract<'_>) -> HashMap<NodeId, HashSet<u64>> {
    let mut hashes: HashMap<NodeId, HashSet<u64>> = HashMap::new();
    for id in &extract.lines.reached {
        for step in extract.all_moves(*id) {
            let hash = hash_of(&step.after);
            if hash != polyglot_hash(&step.after, EnPassantMode::Legal) {
                hashes.entry(step.edge.to).or_default().insert(hash);
            }
        }
    }
    hashes
}

/// The weight of each move, for the side whose turn it is.
fn weights(choices: &[ExtractMove<'_>], own: Color, turn: Color) -> Vec<u16> {
    let scores: Vec<u64> =
        choices.iter().map(|choice| half_points(&choice.edge.played, own == turn)).collect();
    match scores.iter().max() {
        None | Some(0) => (1..=choices.len()).rev().map(|weight| weight as u16).collect(),
        Some(greatest) => scores
            .iter()
            .zip(choices)
            .map(|(score, choice)| {
                let scale = |score| score * MAX_WEIGHT / greatest;
                let weight = if *greatest > MAX_WEIGHT { scale(*score) } else { *score };
                // Only what was played can be judged by its score.
                let least = u64::from(*score > 0 || choice.edge.played.decided() == 0);
                weight.max(least) as u16
            })
            .collect(),
    }
}

/// The score of the side to move.
fn half_points(played: &Tally, is_own: bool) -> u64 {
    let won = if is_own { played.wins } else { played.losses };
    2 * u64::from(won) + u64::from(played.draws)
}

#[cfg(test)]
mod tests;
