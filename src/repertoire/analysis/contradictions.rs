//! Notes that contradict each other.

use std::collections::BTreeMap;

use super::finding::{Finding, FindingKind};
use crate::{
    pgn::nag_glyph,
    repertoire::book::{Book, Edge, NodeId, Note, ShortestLines},
};

/// What a glyph claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Good,
    Bad,
    WhiteBetter,
    BlackBetter,
}

impl Claim {
    fn of(nag: u8) -> Option<Self> {
        match nag {
            1 | 3 | 5 => Some(Self::Good),
            2 | 4 | 6 => Some(Self::Bad),
            14 | 16 | 18 | 20 => Some(Self::WhiteBetter),
            15 | 17 | 19 | 21 => Some(Self::BlackBetter),
            _ => None,
        }
    }

    /// Whether it is about a move, and not about the position after it.
    fn is_of_move(self) -> bool {
        matches!(self, Self::Good | Self::Bad)
    }
}

/// A glyph, and whose it is.
#[derive(Debug, Clone, Copy)]
struct Said<'n> {
    nag: u8,
    source: &'n str,
    claim: Claim,
}

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&nag_glyph(self.nag))?;
        if self.source.is_empty() { Ok(()) } else { write!(f, " ({})", self.source) }
    }
}

fn said(notes: &[Note]) -> impl Iterator<Item = Said<'_>> {
    notes.iter().flat_map(|note| {
        let claim =
            |nag: &u8| Some(Said { nag: *nag, source: &note.source, claim: Claim::of(*nag)? });
        note.nags.iter().filter_map(claim)
    })
}

/// The first two of these that contradict each other.
fn contradiction<'n>(said: &[Said<'n>], one: Claim, other: Claim) -> Option<[Said<'n>; 2]> {
    let first = |claim| said.iter().find(|said| said.claim == claim).copied();
    Some([first(one)?, first(other)?])
}

/// All contradictions among the notes of a book.
pub(super) fn contradictions(book: &Book, lines: &ShortestLines) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The claims about each position, by its own notes and by those of the moves that lead to it.
    let mut judged: BTreeMap<NodeId, Vec<Said<'_>>> = BTreeMap::new();
    for id in book.ids().filter(|id| lines.ply(*id).is_some()) {
        judged.entry(id).or_default().extend(said(&book.node(id).notes));
        for edge in book.moves(id) {
            let notes = edge.prepared.as_ref().map_or(&[][..], |prepared| &prepared.notes);
            findings.extend(of_move(book, id, edge, &said(notes).collect::<Vec<_>>()));
            let of_position = said(notes).filter(|said| !said.claim.is_of_move());
            judged.entry(edge.to).or_default().extend(of_position);
        }
    }
    findings.extend(judged.iter().filter_map(|(id, said)| of_position(*id, said)));
    findings
}

/// A move that is called good and bad, or that the book plays though it is called bad.
fn of_move(book: &Book, id: NodeId, edge: &Edge, said: &[Said<'_>]) -> Option<Finding> {
    let detail = match contradiction(said, Claim::Good, Claim::Bad) {
        Some([good, bad]) => format!("{good} against {bad}"),
        None => {
            let is_mistake = |said: &&Said<'_>| matches!(said.nag, 2 | 4);
            let mistake = said.iter().find(is_mistake).filter(|_| book.is_own_turn(id))?;
            format!("the book plays what is called {mistake}")
        }
    };
    let moves = book.node(id).san([edge.uci]);
    Some(Finding { kind: FindingKind::Contradiction, position: id, moves, detail })
}

/// A position that is better for both sides.
fn of_position(id: NodeId, said: &[Said<'_>]) -> Option<Finding> {
    let [white, black] = contradiction(said, Claim::WhiteBetter, Claim::BlackBetter)
        .or_else(|| contradiction(said, Claim::Good, Claim::Bad))?;
    let detail = format!("{white} against {black}");
    Some(Finding { kind: FindingKind::Contradiction, position: id, moves: Vec::new(), detail })
}
