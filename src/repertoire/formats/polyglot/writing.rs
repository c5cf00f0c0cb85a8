//! A book as a Polyglot file.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use super::entry::{PolyglotEntry, bits_of, hash_of};
use crate::{
    chess::{Color, EnPassantMode, Position, polyglot_hash},
    repertoire::{
        book::{Extract, ExtractMove, NodeId},
        games::Tally,
    },
};

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
#[must_use]
pub fn to_polyglot(extract: &Extract<'_>) -> Vec<u8> {
    let others = other_hashes(extract);
    let mut entries = Vec::new();
    for id in extract.positions() {
        let choices = extract.moves(id);
        let Ok(position) = extract.book().node(id).key.to_position() else { continue };
        let weights = weights(&choices, extract.color(), position.turn());
        let hashes = others.get(&id).into_iter().flatten().copied();
        for key in hashes.chain([hash_of(&position)]) {
            entries.extend(choices.iter().zip(&weights).map(|(choice, weight)| PolyglotEntry {
                key,
                m: bits_of(choice.m),
                weight: *weight,
                learn: 0,
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
    for id in extract.shortest_lines().reached() {
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
