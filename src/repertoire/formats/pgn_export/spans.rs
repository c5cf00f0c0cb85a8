//! Where a book is cut into chapters.

use std::ops::Range;

use super::outline::Outline;
use crate::repertoire::book::NodeId;

/// A chapter: the moves that lead to its first one, and those it writes out.
#[derive(Debug)]
pub(super) struct ChapterSpan {
    /// Its index in [`Outline::trees`].
    pub(super) tree: usize,
    /// The position it starts from.
    pub(super) start: NodeId,
    /// The depth of that.
    pub(super) base: usize,
    /// The moves that lead to its first, which are written out elsewhere.
    pub(super) lead_in: Vec<usize>,
    /// The moves it writes out.
    pub(super) steps: Range<usize>,
}

impl ChapterSpan {
    /// Whether it starts where its tree does, with nothing before it.
    pub(super) fn begins_tree(&self, outline: &Outline) -> bool {
        self.steps.start == outline.trees[self.tree].steps.start
    }
}

/// Cuts every tree into spans of at most `max_moves` moves.
pub(super) fn cut(outline: &Outline, max_moves: usize) -> Vec<ChapterSpan> {
    let mut spans = Vec::new();
    for (number, tree) in outline.trees.iter().enumerate() {
        let mut lead_in: Vec<usize> = Vec::new();
        let mut at = tree.steps.start;
        loop {
            let depth = outline.steps.get(at).map_or(0, |step| step.depth);
            lead_in.truncate(depth);
            let mut span = ChapterSpan {
                tree: number,
                start: tree.root,
                base: 0,
                lead_in: Vec::new(),
                steps: at..at,
            };
            if depth <= max_moves / 2 {
                span.lead_in.clone_from(&lead_in);
            } else {
                (span.start, span.base) = (outline.steps[at].from, depth);
            }
            span.steps.end = end(outline, &span, tree.steps.end, max_moves - span.lead_in.len());
            for step in span.steps.clone() {
                lead_in.truncate(outline.steps[step].depth);
                lead_in.push(step);
            }
            at = span.steps.end;
            spans.push(span);
            if at == tree.steps.end {
                break;
            }
        }
    }
    spans
}

/// Where a span ends: in the last quarter of the room it has, where a line leaves another, and as
/// early as possible, since chapters should be cut where lines part. A single line fills the room.
fn end(outline: &Outline, span: &ChapterSpan, last: usize, room: usize) -> usize {
    let start = span.steps.start;
    // After a FEN there is no place for moves that precede it.
    let is_outside = |step: &usize| outline.steps[*step].depth < span.base;
    let last = (start..last).find(is_outside).unwrap_or(last);
    if last - start <= room {
        return last;
    }
    let least = (room - room / 4).max(1);
    let depth = |step: usize| outline.steps[step].depth;
    let parting =
        (start + least..=start + room).rev().filter(|step| depth(*step) <= depth(step - 1));
    parting.min_by_key(|step| depth(*step)).unwrap_or(start + room)
}
