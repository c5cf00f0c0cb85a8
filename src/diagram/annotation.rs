//! Arrows and squares that programs keep in the comments of games: `[%cal Ge2e4]`, `[%csl Rd5]`.
//!
//! ChessBase introduced them, and lichess writes them. A letter stands for the colour.

use super::{Arrow, Mark};

/// The arrows and the squares in a comment. What cannot be read is left out.
///
/// ```
/// use eco::diagram::drawn_annotations;
///
/// let (arrows, marks) = drawn_annotations("best [%cal Ge2e4,Rd8h4][%csl Yf7]");
/// assert_eq!(arrows, ["Ge2e4".parse().unwrap(), "Rd8h4".parse().unwrap()]);
/// assert_eq!(marks, ["Yf7".parse().unwrap()]);
/// ```
#[must_use]
pub fn drawn_annotations(comment: &str) -> (Vec<Arrow>, Vec<Mark>) {
    (
        listed(comment, "[%cal ").filter_map(|item| item.parse().ok()).collect(),
        listed(comment, "[%csl ").filter_map(|item| item.parse().ok()).collect(),
    )
}

/// The items of all lists of a kind in a comment.
fn listed<'a>(comment: &'a str, kind: &'a str) -> impl Iterator<Item = &'a str> {
    let lists = comment.split(kind).skip(1).map(|rest| rest.split(']').next().unwrap_or_default());
    lists.flat_map(|list| list.split(',').map(str::trim))
}
