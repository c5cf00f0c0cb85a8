//! HTML of cards. Text from files is hostile: it must neither mark up, run, nor play anything.

use std::fmt::Write as _;

use crate::output::sanitize;

/// Adds a line of HTML, unless it is empty.
pub(super) fn push(html: &mut String, line: &str) {
    if !line.is_empty() {
        write!(html, "<div>{line}</div>").expect("a string takes every text");
    }
}

/// A text as HTML.
pub(super) fn escaped(text: &str) -> String {
    let text = sanitize(text.as_bytes());
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Anki takes `[latex]` for a program to run, and `[sound:x]` for a file to play.
    let text = text.replace('"', "&quot;").replace('[', "&#91;").replace(']', "&#93;");
    // MathJax takes `\(` and `\[` for formulas, which may link anywhere, and reads entities as the
    // characters they stand for. An element between the two parts them.
    text.replace('\\', "&#92;<span></span>")
}
