//! Numeric annotation glyphs as people write them.

use std::borrow::Cow;

/// The glyphs that have a sign of their own, by the numbers of the PGN standard and the signs of
/// Chess Informant; `+=` for the one that few fonts have.
const GLYPHS: [(u8, &str); 26] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (4, "??"),
    (5, "!?"),
    (6, "?!"),
    (7, "□"),
    (10, "="),
    (13, "∞"),
    (14, "+="),
    (15, "=+"),
    (16, "±"),
    (17, "∓"),
    (18, "+-"),
    (19, "-+"),
    (22, "⨀"),
    (23, "⨀"),
    (32, "⟳"),
    (33, "⟳"),
    (36, "↑"),
    (37, "↑"),
    (40, "→"),
    (41, "→"),
    (132, "⇆"),
    (133, "⇆"),
    (146, "N"),
];

/// A numeric annotation glyph as a sign; those without one as PGN has them.
///
/// ```
/// use eco::repertoire::nag_glyph;
///
/// assert_eq!(nag_glyph(5), "!?");
/// assert_eq!(nag_glyph(99), "$99");
/// ```
#[must_use]
pub fn nag_glyph(nag: u8) -> Cow<'static, str> {
    let found = GLYPHS.iter().find(|(number, _)| *number == nag);
    found.map_or_else(|| format!("${nag}").into(), |(_, glyph)| (*glyph).into())
}
