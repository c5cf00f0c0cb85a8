//! Markup, the tables that pictures have, and numbers as people read them. Text is escaped here,
//! and elements end where they begin, so that no text can break a page.

use std::iter;

use crate::output::{self, sanitize};
use crate::stats::{Figures, Number, Subject, Unit};

/// Markup that is being written. It is HTML that is XML as well.
#[derive(Debug, Default)]
pub(super) struct Html {
    out: String,
}

/// The attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Html {
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

    /// Appends a line break to the source, so that it can be read.
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

/// Whether a text may be the target of a link.
pub(super) fn is_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// Whether a byte is printable ASCII that means nothing in markup.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'')
}

/// Characters that are no text of XML, and the mark of right-to-left text that sanitizing leaves.
fn is_forbidden(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xffff >= 0xfffe
}

/// A space that does not break lines.
pub(super) const NO_BREAK: char = '\u{a0}';

/// A count: `84,849`.
pub(super) fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of games: `1 game`, `84,849 games`.
pub(super) fn games(games: u64) -> String {
    let noun = if games == 1 { "game" } else { "games" };
    format!("{}{NO_BREAK}{noun}", count(games))
}

/// A number with this number of places; zero has no sign.
pub(super) fn decimal(value: f64, places: usize) -> String {
    let text = output::decimal(value, places);
    match text.strip_prefix('-') {
        Some(size) => format!("\u{2212}{size}"),
        None => text,
    }
}

/// A share as percent: `52.3`.
pub(super) fn percent(share: f64) -> String {
    decimal(100.0 * share, 1)
}

/// A share with its sign: `52.3 %`.
pub(super) fn with_sign(share: f64) -> String {
    format!("{}{NO_BREAK}%", percent(share))
}

/// A share in words and pictures, without places: `52 %`.
pub(super) fn round_percent(share: f64) -> String {
    format!("{}{NO_BREAK}%", decimal(100.0 * share, 0))
}

/// A difference of shares in percentage points: `+3.4`.
pub(super) fn points(difference: f64) -> String {
    let text = percent(difference);
    match text.starts_with('\u{2212}') || text.bytes().all(|b| matches!(b, b'0' | b'.')) {
        true => text,
        false => format!("+{text}"),
    }
}

/// A table: the first cell of each row says what the row is about.
#[derive(Debug, Default)]
pub(super) struct Table {
    caption: String,
    heads: Vec<String>,
    /// The cells of each row, and how far what the row is about is within something else.
    rows: Vec<(usize, Vec<String>)>,
}

impl Table {
    pub(super) fn new(caption: &str, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|head| (*head).to_owned()).collect();
        Self { caption: caption.to_owned(), heads, rows: Vec::new() }
    }

    pub(super) fn of_figures(caption: &str, head: &str, subject: Subject) -> Self {
        // The limits of a difference stand beside it.
        let name = |number: Number| number.name(subject).trim_start_matches("diff_");
        let heads: Vec<&str> = iter::once(head).chain(numbers().map(name)).collect();
        Self::new(caption, &heads)
    }

    /// Adds a row, which may have only the first cells, with how far what it is about is within
    /// something else.
    pub(super) fn push(&mut self, depth: usize, mut cells: Vec<String>) {
        cells.resize(self.heads.len(), String::new());
        self.rows.push((depth, cells));
    }

    pub(super) fn push_figures(&mut self, label: &str, depth: usize, figures: &Figures) {
        let cell = |number: Number| {
            number.of(figures).map_or_else(String::new, |value| match number.unit {
                Unit::Count => count(value as u64),
                Unit::Share | Unit::Limit if number.is_difference() => points(value),
                Unit::Share | Unit::Limit => percent(value),
                _ => value.to_string(),
            })
        };
        let cells = iter::once(label.to_owned()).chain(numbers().map(cell)).collect();
        self.push(depth, cells);
    }

    /// Writes the table, folded away.
    pub(super) fn write(&self, html: &mut Html) {
        html.element("details", &[], |html| {
            html.leaf("summary", &[], "The numbers");
            self.write_open(html);
        });
    }

    /// Writes the table, in a box of its own that can be moved sideways.
    pub(super) fn write_open(&self, html: &mut Html) {
        let region = [
            ("class", "scroll"),
            ("tabindex", "0"),
            ("role", "region"),
            ("aria-label", &*self.caption),
        ];
        html.element("div", &region, |html| {
            html.element("table", &[], |html| {
                html.leaf("caption", &[], &self.caption);
                html.element("thead", &[], |html| {
                    html.element("tr", &[], |html| {
                        let head = |head: &String| html.leaf("th", &[("scope", "col")], head);
                        self.heads.iter().for_each(head);
                    });
                });
                html.element("tbody", &[], |html| {
                    self.rows.iter().for_each(|(depth, cells)| write_row(html, *depth, cells));
                });
            });
        });
        html.end_line();
    }
}

fn write_row(html: &mut Html, depth: usize, cells: &[String]) {
    html.end_line();
    html.element("tr", &[], |html| {
        for (place, cell) in cells.iter().enumerate() {
            match (place, depth) {
                (0, 0) => html.leaf("th", &[("scope", "row")], cell),
                (0, 1) => html.leaf("th", &[("scope", "row"), ("class", "in1")], cell),
                (0, _) => html.leaf("th", &[("scope", "row"), ("class", "in2")], cell),
                _ => html.leaf("td", &[], cell),
            }
        }
    });
}

/// The numbers of a table of figures.
fn numbers() -> impl Iterator<Item = Number> {
    Number::all().take_while(|number| number.unit != Unit::Decimal)
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
    fn only_addresses_of_the_web_are_links() {
        for (text, is_link) in [
            ("https://lichess.org/abcdefgh", true),
            ("HTTP://x.org/1", true),
            ("javascript:alert(1)", false),
            (" https://x.org", false),
            ("data:text/html,x", false),
            ("//x.org/a", false),
            ("", false),
        ] {
            assert_eq!(is_address(text), is_link, "{text:?}");
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

    #[test]
    fn numbers_are_easy_to_read() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(count(number), text);
        }
        assert_eq!(games(1), "1\u{a0}game");
        assert_eq!(percent(0.5234), "52.3");
        for (difference, text) in
            [(0.034, "+3.4"), (-0.034, "\u{2212}3.4"), (-0.0001, "0.0"), (0.0, "0.0")]
        {
            assert_eq!(points(difference), text);
        }
    }
}
