//! A book as trees: where each position is written out.
//!
//! Where a book is cut into chapters.

use std::{collections::VecDeque, ops::Range};

use crate::chess::{Color, MoveNumber, UciMove};
use crate::repertoire::{Extract, ExtractMove, MoveCounters, NodeId};

/// Trees with all moves of a book that lines reach, each once.
pub(super) struct Outline {
    /// The moves of all trees: each is followed by its continuation, then by the others of its
    /// position.
    pub(super) steps: Vec<Step>,
    /// The positions that lines begin with, in order.
    pub(super) trees: Vec<Tree>,
    /// By position: where it is written out.
    places: Vec<Option<Location>>,
}

/// A move in its tree.
pub(super) struct Step {
    pub(super) from: NodeId,
    pub(super) uci: UciMove,
    pub(super) to: NodeId,
    pub(super) san: String,
    /// The number of moves that lead to it.
    pub(super) depth: usize,
}

/// The moves from a position that lines begin with.
pub(super) struct Tree {
    pub(super) root: NodeId,
    pub(super) steps: Range<usize>,
    turn: Color,
    /// The counters with which it begins.
    first: MoveCounters,
}

impl Tree {
    /// The number of a move of this depth, as the score sheet has it.
    pub(super) fn move_number(&self, depth: usize) -> MoveNumber {
        let before = 2 * (self.first.fullmoves.get() as usize - 1);
        MoveNumber::after(before + depth + usize::from(self.turn.is_black()))
    }

    /// The counters of a FEN after this number of half-moves. The half-move clock is known at the
    /// start only, and is 0 elsewhere.
    pub(super) fn counters(&self, depth: usize) -> MoveCounters {
        if depth == 0 {
            return self.first;
        }
        let plies = depth + usize::from(self.turn.is_black());
        let moves = u32::try_from(plies / 2).unwrap_or(u32::MAX);
        MoveCounters { halfmoves: 0, fullmoves: self.first.fullmoves.saturating_add(moves) }
    }
}

/// Where a position is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Location {
    /// After this move.
    After {
        /// The previous position.
        from: NodeId,
        /// The move.
        uci: UciMove,
        /// Its index in [`Outline::steps`], known once all are there.
        step: usize,
    },
    /// At the start of this tree.
    Start(usize),
}

impl Outline {
    pub(super) fn of(extract: &Extract<'_>) -> Self {
        let book = extract.book;
        let places = vec![None; book.len()];
        let mut outline = Self { steps: Vec::new(), trees: Vec::new(), places };
        for root in book.roots() {
            outline.add_tree(extract, *root);
        }
        outline
    }

    /// A position without notes needs no tree of its own if another line reaches it, or if it has
    /// no moves.
    fn add_tree(&mut self, extract: &Extract<'_>, root: NodeId) {
        let (book, start) = (extract.book, self.steps.len());
        if self.place(root).is_none() {
            self.spread(extract, root, Location::Start(self.trees.len()));
            self.add_steps(extract, root);
        }
        if self.steps.len() == start && book.node(root).notes.is_empty() {
            return;
        }
        let turn = book.node(root).key.turn();
        let first = book.counters(root);
        self.trees.push(Tree { root, steps: start..self.steps.len(), turn, first });
    }

    /// Where a position is written out.
    pub(super) fn place(&self, id: NodeId) -> Option<Location> {
        self.places[id.index()]
    }

    /// Whether the continuation of a step is written after it.
    pub(super) fn goes_on(&self, step: &Step) -> bool {
        let is_here = |place| matches!(place, Location::After { from, uci, .. } if (from, uci) == (step.from, step.uci));
        self.place(step.to).is_some_and(is_here)
    }

    /// The moves that all lines of a span begin with and others have as well.
    fn common_lead_in(&self, span: &ChapterSpan) -> impl Iterator<Item = &Step> {
        let least = span.steps.clone().map(|step| self.steps[step].depth).min().unwrap_or(0);
        let lead_in = span.lead_in.iter().map(|step| &self.steps[*step]);
        lead_in.take_while(move |step| step.depth < least)
    }

    /// Those moves as movetext.
    pub(super) fn common_moves(&self, span: &ChapterSpan) -> String {
        self.movetext(span.tree, self.common_lead_in(span))
    }

    /// The last position that all lines of a span have in common with others.
    pub(super) fn common_position(&self, span: &ChapterSpan) -> NodeId {
        self.common_lead_in(span).last().map_or(span.start, |step| step.to)
    }

    /// Moves of a tree as movetext.
    pub(super) fn movetext<'s>(
        &self,
        tree: usize,
        steps: impl Iterator<Item = &'s Step>,
    ) -> String {
        let (tree, mut text) = (&self.trees[tree], String::new());
        for step in steps {
            let is_white = tree.turn.is_white() == step.depth.is_multiple_of(2);
            if text.is_empty() || is_white {
                text.push_str(&format!("{} ", tree.move_number(step.depth)));
            }
            text.push_str(&format!("{} ", step.san));
        }
        text.trim_end().to_owned()
    }

    /// Assigns places to all positions below a root: first those of the main line, then those of
    /// the lines that leave it once, and so on, so that no line is cut short by one of less weight.
    fn spread(&mut self, extract: &Extract<'_>, root: NodeId, start: Location) {
        let mut waiting = VecDeque::from([(root, start)]);
        while let Some((mut at, mut place)) = waiting.pop_front() {
            while self.place(at).is_none() {
                self.places[at.index()] = Some(place);
                let mut ways = extract.edges(at).into_iter().map(|edge| {
                    (edge.to, Location::After { from: at, uci: edge.uci, step: usize::MAX })
                });
                let Some(main) = ways.next() else { break };
                waiting.extend(ways);
                (at, place) = main;
            }
        }
    }

    fn add_steps(&mut self, extract: &Extract<'_>, root: NodeId) {
        let mut stack = steps_from(extract, root, 0);
        stack.reverse();
        while let Some(step) = stack.pop() {
            if self.goes_on(&step) {
                let (from, uci) = (step.from, step.uci);
                let place = Location::After { from, uci, step: self.steps.len() };
                self.places[step.to.index()] = Some(place);
                stack.extend(steps_from(extract, step.to, step.depth + 1).into_iter().rev());
            }
            self.steps.push(step);
        }
    }
}

/// The moves of a position. Illegal ones, which only a damaged database has, are left out.
fn steps_from(extract: &Extract<'_>, from: NodeId, depth: usize) -> Vec<Step> {
    let step = |ExtractMove { edge, san, .. }: ExtractMove<'_>| Step {
        from,
        uci: edge.uci,
        to: edge.to,
        san,
        depth,
    };
    extract.all_moves(from).into_iter().map(step).collect()
}

/// A chapter: the moves that lead to its first one, and those it writes out.
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

/// Cuts neighbouring moves of a tree into spans of at most `max_moves` moves. `path` has the moves
/// that lead to the last one before these, and then those to the last of these.
pub(super) fn cut(
    outline: &Outline,
    tree: usize,
    steps: Range<usize>,
    path: &mut Vec<usize>,
    max_moves: usize,
) -> Vec<ChapterSpan> {
    let mut spans = Vec::new();
    let mut at = steps.start;
    loop {
        let depth = outline.steps.get(at).map_or(0, |step| step.depth);
        path.truncate(depth);
        let start = outline.trees[tree].root;
        let mut span = ChapterSpan { tree, start, base: 0, lead_in: Vec::new(), steps: at..at };
        if depth <= max_moves / 2 {
            span.lead_in.clone_from(path);
        } else {
            (span.start, span.base) = (outline.steps[at].from, depth);
        }
        span.steps.end = end(outline, &span, steps.end, max_moves - span.lead_in.len());
        for step in span.steps.clone() {
            path.truncate(outline.steps[step].depth);
            path.push(step);
        }
        at = span.steps.end;
        spans.push(span);
        if at == steps.end {
            return spans;
        }
    }
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
