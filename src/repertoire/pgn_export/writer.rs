//! The movetext of a chapter.
//!
//! Movetext in lines of less than 80 columns, as the export format of PGN wants. Comments keep
//! their own lines: a break that is added within one would be read as part of it.

use super::outline::{ChapterSpan, Location, Outline, Step};
use crate::repertoire::note::{POINTER, push_new};
use crate::repertoire::{Extract, Node, NodeId, Note};

/// The number of moves in a comment that says where a line continues.
const POINTED: usize = 3;

/// Writes spans of a book.
pub(super) struct Writer<'a> {
    pub(super) extract: &'a Extract<'a>,
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
            note.nags.iter().for_each(|nag| push_new(&mut self.nags, *nag));
            let comment = Some(comment_form(&note.comment)).filter(|comment| !comment.is_empty());
            comment.into_iter().for_each(|comment| push_new(&mut self.comments, comment));
        }
    }
}

impl Writer<'_> {
    fn node(&self, id: NodeId) -> &Node {
        self.extract.book.node(id)
    }

    /// The movetext of the span with this number, from 0, with the result and its line end.
    pub(super) fn movetext(&self, number: usize, result: &str) -> String {
        let span = &self.spans[number];
        let mut draft = Draft::of(self.outline, span);
        if span.begins_tree(self.outline) {
            let mut remarks = Remarks::default();
            remarks.add(&self.node(span.start).notes);
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
        let is_white = self.node(step.from).key.turn().is_white();
        let word = match is_white || draft.needs_number {
            true => format!("{move_number} {}", step.san),
            false => step.san.clone(),
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
        if let Some(edge) = self.node(step.from).edge(step.uci) {
            remarks.add(edge.notes());
        }
        let there = self.node(step.to);
        if self.outline.goes_on(step) && !self.extract.book.is_root(&there.key) {
            remarks.add(&there.notes);
        }
        remarks
    }

    /// The comment that says where a line continues, if its last position is written out elsewhere.
    fn pointer(&self, step: &Step, number: usize) -> Option<String> {
        if self.outline.goes_on(step) || self.extract.edges(step.to).is_empty() {
            return None;
        }
        let (place, chapter) = match self.outline.place(step.to)? {
            Location::After { step, .. } => {
                let chapter = self.spans.partition_point(|span| span.steps.end <= step);
                let tree = self.spans.get(chapter)?.tree;
                (self.outline.movetext(tree, self.last_steps(step).into_iter()), chapter)
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
}

/// The longest line, unless a word is longer.
const WIDTH: usize = 79;

/// A movetext that is being written.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    /// The width of the last line so far.
    column: usize,
    /// The last word; brackets may come to it.
    word: String,
    /// The next word belongs to the last one.
    is_open: bool,
}

impl Lines {
    /// Adds a word. It may have blanks in it, at which no line is broken.
    fn word(&mut self, word: &str) {
        if !std::mem::take(&mut self.is_open) {
            self.flush();
        }
        self.word.push_str(word);
    }

    /// Adds a bracket to the next word.
    fn open(&mut self) {
        self.word("(");
        self.is_open = true;
    }

    /// Adds a bracket to the last word.
    fn close(&mut self) {
        self.word.push(')');
        self.is_open = false;
    }

    /// Adds a comment in the form that [`comment_form`] gives it.
    fn comment(&mut self, comment: &str) {
        if comment.contains('}') {
            self.whole_line(&format!("; {comment}"));
        } else if !comment.is_empty() {
            self.word(&format!("{{{comment}}}"));
        }
    }

    fn whole_line(&mut self, line: &str) {
        self.is_open = false;
        self.flush();
        if self.column > 0 {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.text.push('\n');
        self.column = 0;
    }

    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let width = |line: Option<&str>| line.map_or(0, |line| line.chars().count());
        let (first, last) = (width(self.word.lines().next()), width(self.word.lines().last()));
        if self.column > 0 && self.column + 1 + first > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column = if self.word.contains('\n') { last } else { self.column + first };
        self.word.clear();
    }

    /// The text, with the result of the game, and a line end.
    fn into_text(mut self, result: &str) -> String {
        self.word(result);
        self.flush();
        self.text.push('\n');
        self.text
    }
}

/// The form in which a comment is written. It is what is read back, and its own form.
fn comment_form(comment: &str) -> String {
    let as_read = |text: &str| Note::of_comment("", text.as_bytes()).comment;
    if comment.contains('}') {
        // A brace would end a comment in braces. The other kind of comment ends with its line.
        let words: Vec<&str> = comment.split_whitespace().collect();
        return as_read(&words.join(" "));
    }
    bound_lines(&as_read(comment))
}

/// A comment without the line breaks after which a line would begin like a tag, or would be
/// skipped.
fn bound_lines(comment: &str) -> String {
    // Readers skip byte order marks before a tag, too.
    let is_skipped = |c: char| c.is_whitespace() || c == '\u{feff}';
    let mut bound = String::with_capacity(comment.len());
    for line in comment.lines() {
        let start = line.trim_start_matches(is_skipped);
        let is_bare = !start.starts_with(['[', '%']) || start.starts_with("[%");
        // The first line follows a brace.
        if is_bare || bound.is_empty() {
            if !bound.is_empty() {
                bound.push('\n');
            }
            bound.push_str(line);
            continue;
        }
        // After a blank line, it would begin a line again.
        bound.truncate(bound.trim_end_matches(is_skipped).len());
        if !bound.is_empty() {
            bound.push(' ');
        }
        bound.push_str(start);
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let mut lines = Lines::default();
        // Each takes 14 columns with the blank after it.
        for _ in 0..20 {
            lines.open();
            lines.word("10. Nxf6+#!");
            lines.close();
        }
        let text = lines.into_text("*");
        assert_eq!(text.lines().next().map(str::len), Some(5 * 14 - 1));
        assert!(text.starts_with("(10. Nxf6+#!) (10. Nxf6+#!)"));
        assert!(text.ends_with(") *\n"));
    }

    #[test]
    fn comments_are_written_so_that_they_can_be_read() {
        for (comment, text) in [
            ("", "*\n"),
            ("a\n\n b", "{a\n\n b} *\n"),
            ("a\n} b", "; a } b\n*\n"),
            ("a } b", "; a } b\n*\n"),
            ("(a) {b (", "{(a) {b (} *\n"),
            (" a  \n b ", "{a\n b} *\n"),
            ("a [%eco transposes to the start]", "{a} *\n"),
            ("[%eco\ntransposes } to] a", "{a} *\n"),
        ] {
            let form = comment_form(comment);
            assert_eq!(comment_form(&form), form, "for {comment:?}");
            let mut lines = Lines::default();
            lines.comment(&form);
            assert_eq!(lines.into_text("*"), text, "for {comment:?}");
        }
        let mut lines = Lines::default();
        lines.open();
        lines.word("1. e4");
        lines.comment("}");
        lines.close();
        assert_eq!(lines.into_text("*"), "(1. e4\n; }\n) *\n");
    }

    #[test]
    fn no_line_of_a_comment_begins_like_something_else() {
        for (text, form) in [
            (
                "a\n[%cal Gc2c4,\n Rd4]\n %c\n [Event \"x\"]\nd",
                "a\n[%cal Gc2c4,\n Rd4] %c [Event \"x\"]\nd",
            ),
            ("1-0\n\n [Event \"x\"]", "1-0 [Event \"x\"]"),
            ("a\n \n\n[Event \"x\"]\n\n[Site \"y\"]\n\nb", "a [Event \"x\"] [Site \"y\"]\n\nb"),
            ("a\n\u{feff}[Event \"x\"]\n\u{feff}\n% b", "a [Event \"x\"] % b"),
            ("\u{feff} [A]\n\u{feff}c", "\u{feff} [A]\n\u{feff}c"),
        ] {
            assert_eq!(comment_form(text), form);
            assert_eq!(comment_form(form), form);
        }
    }

    #[test]
    fn a_line_is_broken_before_a_comment_and_never_in_it() {
        let mut lines = Lines::default();
        lines.word("1. e4");
        let long = "long ".repeat(20);
        lines.comment(long.trim());
        lines.word("e5");
        let long = format!("1. e4\n{{{}}}\ne5 *\n", long.trim());
        assert_eq!(lines.into_text("*"), long);
    }
}
