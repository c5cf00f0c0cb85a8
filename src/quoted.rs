//! The words of messages: text from outside between single quotes, numbers with their nouns, and
//! the name that may have been meant.
//!
//! A control character in quoted text is written as an escape, so that what was typed or read
//! neither breaks the message nor disappears from it. Quotes within the text stay as they are.

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

/// A number of things, with the word for them.
///
/// ```
/// use eco::quoted::counted;
///
/// assert_eq!(counted(1, "game"), "1 game");
/// assert_eq!(counted(20, "bad line"), "20 bad lines");
/// ```
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The counts that are not 0, each with what was counted, and with a text before it.
///
/// ```
/// use eco::quoted::counts;
///
/// assert_eq!(counts(", ", [(2, "known"), (0, "new"), (1, "damaged")]), ", 2 known, 1 damaged");
/// ```
pub fn counts<'w, N: Display + PartialEq + From<u8>>(
    before: &str,
    all: impl IntoIterator<Item = (N, &'w str)>,
) -> String {
    let counted = all.into_iter().filter(|(count, _)| *count != N::from(0));
    counted.map(|(count, what)| format!("{before}{count} {what}")).collect()
}

/// The end of a message about an unknown name: which of these was probably meant, if any.
///
/// ```
/// use eco::quoted::meant;
///
/// assert_eq!(meant("famly", ["eco", "family"]), " (did you mean 'family'?)");
/// assert_eq!(meant("colour", ["eco", "family"]), "");
/// ```
pub fn meant<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let text = text.to_lowercase();
    let near = names.into_iter().map(|name| (edits(&text, name.to_lowercase()), name));
    // A slip in three letters.
    let near = near.filter(|(edits, name)| 3 * edits <= text.len().max(name.len()));
    let nearest = near.min_by_key(|(edits, _)| *edits);
    nearest.map_or_else(String::new, |(_, name)| format!(" (did you mean '{name}'?)"))
}

/// The letters that are inserted, deleted, replaced, or exchanged with the next one, between two
/// words.
pub(crate) fn edits(a: impl AsRef<[u8]>, b: impl AsRef<[u8]>) -> usize {
    let (a, b) = (a.as_ref(), b.as_ref());
    if (1..=64).contains(&a.len()) { column_edits(a, b) } else { table_edits(a, b) }
}

/// As [`table_edits`], a column of the table at a time: each bit of a number is a row, and says
/// whether the value there is one more or one less than its neighbour (Hyyro 2003, "A bit-vector
/// algorithm for computing Levenshtein and Damerau edit distances"). It needs no memory.
fn column_edits(a: &[u8], b: &[u8]) -> usize {
    let last_row = 1_u64 << (a.len() - 1);
    let (mut up, mut down, mut same, mut before) = (u64::MAX, 0, 0_u64, 0);
    let mut edits = a.len();
    for letter in b {
        let rows = a.iter().rev().fold(0, |rows, own| rows << 1 | u64::from(own == letter));
        let exchanged = (!same & rows) << 1 & before;
        same = ((rows & up).wrapping_add(up) ^ up) | rows | down | exchanged;
        let (more, less) = (down | !(same | up), same & up);
        edits = edits + usize::from(more & last_row != 0) - usize::from(less & last_row != 0);
        let more = more << 1 | 1;
        (up, down, before) = (less << 1 | !(same | more), more & same, rows);
    }
    edits
}

fn table_edits(a: &[u8], b: &[u8]) -> usize {
    let width = b.len() + 1;
    // Three rows of a table, one after the other: the row before the last, the last, the next.
    let mut rows: Vec<usize> = (0..3 * width).map(|at| at % width).collect();
    for i in 1..=a.len() {
        let [before, last, row] = [i + 1, i + 2, i].map(|row| row % 3 * width);
        rows[row] = i;
        for j in 1..width {
            let replaced = rows[last + j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[last + j] + 1).min(rows[row + j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[before + j - 2] + 1);
            }
            rows[row + j] = least;
        }
    }
    rows[a.len() % 3 * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn columns_count_the_edits_of_the_table(a in "[abc]{1,9}|[ab]{60,64}", b in "[abc]{0,70}") {
            let [a, b] = [a.as_bytes(), b.as_bytes()];
            proptest::prop_assert_eq!(column_edits(a, b), table_edits(a, b));
        }
    }

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
