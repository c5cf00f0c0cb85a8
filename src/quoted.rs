//! How a message repeats text from outside: between single quotes.
//!
//! A control character is written as an escape, so that what was typed or read neither breaks the
//! message nor disappears from it. Quotes within the text stay as they are.

use std::fmt::{self, Display, Formatter, Write};

/// A text between single quotes.
///
/// ```
/// use eco::quoted::Quoted;
///
/// assert_eq!(Quoted("e4").to_string(), "'e4'");
/// assert_eq!(Quoted("King's\tPawn").to_string(), r"'King's\tPawn'");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Quoted<T>(pub T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('\'')?;
        write!(Escaping(f), "{}", self.0)?;
        f.write_char('\'')
    }
}

/// Escapes what is written through it.
struct Escaping<'f, 'a>(&'f mut Formatter<'a>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| match c {
            '\'' | '"' => self.0.write_char(c),
            c => write!(self.0, "{}", c.escape_debug()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_a_message() {
        for (text, quoted) in [
            ("", "''"),
            ("e4", "'e4'"),
            ("Zoë", "'Zoë'"),
            ("O'Kelly \"x\"", "'O'Kelly \"x\"'"),
            ("a\nb\u{1b}[1m\u{202e}", "'a\\nb\\u{1b}[1m\\u{202e}'"),
            ("a\\nb", "'a\\\\nb'"),
        ] {
            assert_eq!(Quoted(text).to_string(), quoted, "{text:?}");
        }
    }
}
