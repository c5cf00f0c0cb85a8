//! Movetext in lines of less than 80 columns, as the export format of PGN wants. Comments keep
//! their own lines: a break that is added within one would be read as part of it.

use crate::repertoire::book::Note;

/// The longest line, unless a word is longer.
const WIDTH: usize = 79;

/// A movetext that is being written.
#[derive(Debug, Default)]
pub(super) struct Lines {
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
    pub(super) fn word(&mut self, word: &str) {
        if !std::mem::take(&mut self.is_open) {
            self.flush();
        }
        self.word.push_str(word);
    }

    /// Adds a bracket to the next word.
    pub(super) fn open(&mut self) {
        self.word("(");
        self.is_open = true;
    }

    /// Adds a bracket to the last word.
    pub(super) fn close(&mut self) {
        self.word.push(')');
        self.is_open = false;
    }

    /// Adds a comment in the form that [`comment_form`] gives it.
    pub(super) fn comment(&mut self, comment: &str) {
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
    pub(super) fn into_text(mut self, result: &str) -> String {
        self.word(result);
        self.flush();
        self.text.push('\n');
        self.text
    }
}

/// The form in which a comment is written. It is what is read back, and its own form.
pub(super) fn comment_form(comment: &str) -> String {
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
