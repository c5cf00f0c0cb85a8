//! Markup. Text is escaped here, and elements end where they begin, so that no text can break a
//! page.

use crate::output::sanitize;

/// Markup that is being written. It is HTML that is XML as well.
#[derive(Debug, Default)]
pub(super) struct Html {
    out: String,
}

/// The attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Html {
    /// Appends text.
    pub(super) fn text(&mut self, text: &str) {
        escape(text, &mut self.out);
    }

    /// Appends an element with what `content` writes.
    pub(super) fn element(
        &mut self,
        tag: &str,
        attributes: Attributes<'_>,
        content: impl FnOnce(&mut Self),
    ) {
        self.begin(tag, attributes);
        self.out.push('>');
        content(self);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// Appends an element with text.
    pub(super) fn leaf(&mut self, tag: &str, attributes: Attributes<'_>, text: &str) {
        self.element(tag, attributes, |html| html.text(text));
    }

    /// Appends an element that never has content.
    pub(super) fn void(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.begin(tag, attributes);
        self.out.push_str("/>");
    }

    /// Appends a line break of the source, for whoever reads that.
    pub(super) fn end_line(&mut self) {
        self.out.push('\n');
    }

    /// Appends other markup.
    pub(super) fn append(&mut self, other: &Self) {
        self.out.push_str(&other.out);
    }

    /// Appends a fixed text of this program, such as a style sheet, as it is.
    pub(super) fn verbatim(&mut self, text: &'static str) {
        self.out.push_str(text);
    }

    /// The markup.
    pub(super) fn into_string(self) -> String {
        self.out
    }

    fn begin(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
    }
}

fn escape(text: &str, out: &mut String) {
    // Nearly all texts are, and the lines of pictures are long.
    if text.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        out.push_str(text);
        return;
    }
    for c in sanitize(text.as_bytes()).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ if is_forbidden(c) => out.push(' '),
            _ => out.push(c),
        }
    }
}

/// Whether a byte is printable ASCII that means nothing in markup.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// Characters that are no text of XML, and the mark of right-to-left text that sanitizing leaves.
fn is_forbidden(c: char) -> bool {
    matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{61c}')
        || (u32::from(c) & 0xffff) >= 0xfffe
        || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut html = Html::default();
        html.text(text);
        html.into_string()
    }

    #[test]
    fn text_is_never_markup() {
        for (text, shown) in [
            ("<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
            ("a & \"b\"", "a &amp; &quot;b&quot;"),
            ("a\u{1b}[31m\0\u{202e}b\u{2066}\u{61c}", "a [31m  b  "),
            ("\u{fffe}\u{ffff}\u{1ffff}\u{fdd0}", "    "),
            ("Łódź 東京", "Łódź 東京"),
            ("M0 1.5L3 ~", "M0 1.5L3 ~"),
            ("\u{7f}", " "),
        ] {
            assert_eq!(escaped(text), shown, "for {text:?}");
        }
    }

    #[test]
    fn elements_end_where_they_begin() {
        let mut html = Html::default();
        html.element("p", &[("title", "\"><b>")], |html| {
            html.text("a");
            html.void("br", &[]);
            html.leaf("b", &[], "<");
        });
        let expected = "<p title=\"&quot;&gt;&lt;b&gt;\">a<br/><b>&lt;</b></p>";
        assert_eq!(html.into_string(), expected);
    }
}
