//! Movetext in lines of less than 80 columns, as the export format of PGN wants.

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

    /// Adds a comment.
    pub(super) fn comment(&mut self, comment: &str) {
        let mut words = bound_words(comment);
        if words.is_empty() {
            return;
        }
        if comment.contains('}') {
            // A brace would end a comment in braces. The other kind of comment ends with its line.
            self.whole_line(&format!("; {}", words.join(" ")));
            return;
        }
        words[0].insert(0, '{');
        words.last_mut().expect("there is one").push('}');
        words.iter().for_each(|word| self.word(word));
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
        let width = self.word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.word);
        self.column += width;
        self.word.clear();
    }

    /// The text, with the result of a game without one, and a line end.
    pub(super) fn into_text(mut self) -> String {
        self.word("*");
        self.flush();
        self.text.push('\n');
        self.text
    }
}

/// The words of a comment, where lines may be broken: not in a command (`[%cal Gc2c4]`), and not so
/// that a line begins like one that means something to PGN.
fn bound_words(comment: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_command = false;
    for word in comment.split_ascii_whitespace() {
        let is_bound = in_command || word.starts_with(['[', '%']);
        in_command = (in_command || word.starts_with("[%")) && !word.contains(']');
        match words.last_mut().filter(|_| is_bound) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
    }
    words
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
        let text = lines.into_text();
        assert_eq!(text.lines().next().map(str::len), Some(5 * 14 - 1));
        assert!(text.starts_with("(10. Nxf6+#!) (10. Nxf6+#!)"));
        assert!(text.ends_with(") *\n"));
    }

    #[test]
    fn comments_are_written_so_that_they_can_be_read() {
        for (comment, text) in [
            ("", "*\n"),
            ("  a \n b ", "{a b} *\n"),
            ("a } b", "; a } b\n*\n"),
            ("(a) {b (", "{(a) {b (} *\n"),
        ] {
            let mut lines = Lines::default();
            lines.comment(comment);
            assert_eq!(lines.into_text(), text, "for {comment:?}");
        }
        let mut lines = Lines::default();
        lines.open();
        lines.word("1. e4");
        lines.comment("}");
        lines.close();
        assert_eq!(lines.into_text(), "(1. e4\n; }\n) *\n");
    }

    #[test]
    fn no_line_of_a_comment_begins_like_something_else() {
        let words = bound_words("a [%cal Gc2c4, Rd4] b %c [Event \"x\"] d");
        assert_eq!(words, ["a [%cal Gc2c4, Rd4]", "b %c [Event", "\"x\"]", "d"]);
    }
}
