//! The movetext of a chapter.

use super::{
    lines::{Lines, comment_form},
    outline::{Location, Outline, Step},
    spans::ChapterSpan,
};
use crate::repertoire::book::{Book, Note, POINTER};

/// The number of moves in a comment that says where a line continues.
const POINTED: usize = 3;

/// Writes spans of a book.
pub(super) struct Writer<'a> {
    pub(super) book: &'a Book,
    pub(super) outline: &'a Outline,
    pub(super) spans: &'a [ChapterSpan],
}

/// An item still to be written.
enum Task {
    /// A move and what follows it, with the other moves of its position as variations.
    Line(usize),
    /// A move and what follows it, as a variation.
    Variation(usize),
    Close,
}

/// A span while it is written: its moves in order, and for each the next one of its position.
struct Draft {
    steps: Vec<usize>,
    next: Vec<Option<usize>>,
    lead_in: usize,
    lines: Lines,
    needs_number: bool,
}

impl Draft {
    fn of(outline: &Outline, span: &ChapterSpan) -> Self {
        let steps: Vec<usize> = span.lead_in.iter().copied().chain(span.steps.clone()).collect();
        let mut next = vec![None; steps.len()];
        // By depth, the last move of the current line.
        let mut last: Vec<usize> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let depth = outline.steps[*step].depth - span.base;
            if let Some(before) = last.get(depth) {
                next[*before] = Some(at);
            }
            last.truncate(depth);
            last.push(at);
        }
        let (lead_in, lines) = (span.lead_in.len(), Lines::default());
        Self { steps, next, lead_in, lines, needs_number: true }
    }

    /// The main move after a move.
    fn next_main(&self, at: usize, outline: &Outline) -> Option<usize> {
        let depth = |at: usize| self.steps.get(at).map(|step| outline.steps[*step].depth);
        (depth(at + 1)? > depth(at)?).then_some(at + 1)
    }

    /// The other moves of a position, the last one first.
    fn others(&self, at: usize) -> Vec<usize> {
        let mut others: Vec<usize> =
            std::iter::successors(self.next[at], |other| self.next[*other]).collect();
        others.reverse();
        others
    }

    fn write_remarks(&mut self, remarks: &Remarks) {
        remarks.nags.iter().for_each(|nag| self.lines.word(&format!("${nag}")));
        remarks.comments.iter().for_each(|comment| self.lines.comment(comment));
        self.needs_number |= !remarks.comments.is_empty();
    }
}

/// The glyphs of all sources together, and their comments as they are written. Two that are written
/// alike would be read as one.
#[derive(Default)]
struct Remarks {
    nags: Vec<u8>,
    comments: Vec<String>,
}

impl Remarks {
    fn add(&mut self, notes: &[Note]) {
        for note in notes {
            for nag in &note.nags {
                if !self.nags.contains(nag) {
                    self.nags.push(*nag);
                }
            }
            let comment = comment_form(&note.comment);
            if !comment.is_empty() && !self.comments.contains(&comment) {
                self.comments.push(comment);
            }
        }
    }
}

impl Writer<'_> {
    /// The movetext of the span with this number, from 0, with the result and its line end.
    pub(super) fn movetext(&self, number: usize, result: &str) -> String {
        let span = &self.spans[number];
        let mut draft = Draft::of(self.outline, span);
        if span.begins_tree(self.outline) {
            let mut remarks = Remarks::default();
            remarks.add(&self.book.node(span.start).notes);
            draft.write_remarks(&remarks);
        }
        let mut tasks = Vec::new();
        if !draft.steps.is_empty() {
            tasks.push(Task::Line(0));
        }
        while let Some(task) = tasks.pop() {
            let (Task::Line(at) | Task::Variation(at)) = task else {
                draft.lines.close();
                draft.needs_number = true;
                continue;
            };
            if matches!(task, Task::Variation(_)) {
                draft.lines.open();
                draft.needs_number = true;
            }
            self.write_move(&mut draft, number, at);
            tasks.extend(draft.next_main(at, self.outline).map(Task::Line));
            if matches!(task, Task::Line(_)) {
                let others = draft.others(at).into_iter();
                tasks.extend(others.flat_map(|other| [Task::Close, Task::Variation(other)]));
            }
        }
        draft.lines.into_text(result)
    }

    fn write_move(&self, draft: &mut Draft, number: usize, at: usize) {
        let step = &self.outline.steps[draft.steps[at]];
        let move_number = self.outline.trees[self.spans[number].tree].move_number(step.depth);
        let is_white = self.book.node(step.from).key.turn().is_white();
        let word = match is_white || draft.needs_number {
            true => format!("{move_number} {}", step.san),
            false => step.san.to_string(),
        };
        draft.lines.word(&word);
        draft.needs_number = false;
        if at >= draft.lead_in {
            draft.write_remarks(&self.remarks(step));
            if let Some(pointer) = self.pointer(step, number) {
                draft.lines.comment(&pointer);
                draft.needs_number = true;
            }
        }
    }

    /// The remarks on a move, and on the position after it if they have no other place.
    fn remarks(&self, step: &Step) -> Remarks {
        let mut remarks = Remarks::default();
        let edges = &self.book.node(step.from).edges;
        let prepared = edges.iter().find(|edge| edge.uci == step.uci);
        if let Some(prepared) = prepared.and_then(|edge| edge.prepared.as_ref()) {
            remarks.add(&prepared.notes);
        }
        if self.outline.goes_on(step) && !self.outline.is_root(step.to) {
            remarks.add(&self.book.node(step.to).notes);
        }
        remarks
    }

    /// The comment that says where a line continues, if its last position is written out elsewhere.
    fn pointer(&self, step: &Step, number: usize) -> Option<String> {
        if self.outline.goes_on(step) || self.book.moves(step.to).is_empty() {
            return None;
        }
        let (place, chapter) = match self.outline.place(step.to)? {
            Location::After { step, .. } => {
                let chapter = self.spans.partition_point(|span| span.steps.end <= step);
                let tree = self.spans.get(chapter)?.tree;
                (self.steps_text(tree, self.last_steps(step).into_iter()), chapter)
            }
            Location::Start(tree) => {
                let chapter = self.spans.partition_point(|span| span.tree < tree);
                ("the start".to_owned(), chapter)
            }
        };
        let chapter =
            if chapter == number { String::new() } else { format!(" of chapter {}", chapter + 1) };
        Some(format!("{POINTER} to {place}{chapter}]"))
    }

    /// A move that is written out, with those before it.
    fn last_steps(&self, step: usize) -> Vec<&Step> {
        let before = |step: &usize| match self.outline.place(self.outline.steps[*step].from)? {
            Location::After { step, .. } => Some(step),
            Location::Start(_) => None,
        };
        let steps = std::iter::successors(Some(step), before).take(POINTED);
        let mut steps: Vec<&Step> = steps.map(|step| &self.outline.steps[step]).collect();
        steps.reverse();
        steps
    }

    /// The moves that all lines of a span begin with, as movetext.
    pub(super) fn opening_moves(&self, span: &ChapterSpan) -> String {
        let steps = &self.outline.steps;
        let least = span.steps.clone().map(|step| steps[step].depth).min().unwrap_or(0);
        let lead_in = span.lead_in.iter().map(|step| &steps[*step]);
        self.steps_text(span.tree, lead_in.take_while(|step| step.depth < least))
    }

    fn steps_text<'s>(&self, tree: usize, steps: impl Iterator<Item = &'s Step>) -> String {
        let mut text = String::new();
        for step in steps {
            if text.is_empty() || self.book.node(step.from).key.turn().is_white() {
                text.push_str(&format!("{} ", self.outline.trees[tree].move_number(step.depth)));
            }
            text.push_str(&format!("{} ", step.san));
        }
        text.trim_end().to_owned()
    }
}
