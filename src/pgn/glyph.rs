//! Numeric annotation glyphs (NAGs) and the signs for them, in one table for reading and writing.

use std::borrow::Cow;

/// Signs and their numbers: those of the PGN standard, and those of ChessBase and lichess. The
/// standard has no numbers for a novelty (146) and a diagram (220). Of several signs for a number,
/// the first is written: `+=` because few fonts have `⩲`.
const SIGNS: [(&str, u8); 35] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("⨀", 22),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("=∞", 44),
    ("⇆", 132),
    ("N", 146),
    ("D", 220),
];

/// The numbers for White where the standard has the next number for Black, and people write one
/// sign for both: zugzwang, development, initiative, attack, compensation, counterplay.
const OF_EITHER_SIDE: [u8; 6] = [22, 32, 36, 40, 44, 132];

/// The number of a sign. A sign for either side is read as White's.
pub(super) fn nag_of(sign: &[u8]) -> Option<u8> {
    SIGNS.iter().find(|(known, _)| known.as_bytes() == sign).map(|(_, nag)| *nag)
}

/// A numeric annotation glyph as a sign, or as `$99` if there is no sign for it.
///
/// ```
/// use eco::pgn::nag_glyph;
///
/// assert_eq!(nag_glyph(5), "!?");
/// assert_eq!(nag_glyph(99), "$99");
/// ```
#[must_use]
pub fn nag_glyph(nag: u8) -> Cow<'static, str> {
    let white = nag.checked_sub(1).filter(|white| OF_EITHER_SIDE.contains(white)).unwrap_or(nag);
    let found = SIGNS.iter().find(|(_, number)| *number == white);
    found.map_or_else(|| format!("${nag}").into(), |(sign, _)| (*sign).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Item, Movetext};

    #[test]
    fn a_glyph_that_is_written_is_read_back() {
        for nag in 0..=u8::MAX {
            let expected = match nag {
                23 | 33 | 37 | 41 | 45 | 133 => nag - 1,
                _ => nag,
            };
            let movetext = format!("Nf3 {}", nag_glyph(nag));
            let items: Vec<_> = Movetext::from_bytes(movetext.as_bytes()).collect();
            assert_eq!(items, [Item::Move(b"Nf3"), Item::Nag(expected)], "for {nag}: {movetext}");
        }
    }

    #[test]
    fn signs_mean_what_the_standard_says() {
        for (nag, sign) in [
            (1, "!"),
            (4, "??"),
            (14, "+="),
            (15, "=+"),
            (17, "∓"),
            (19, "-+"),
            (20, "$20"),
            (36, "↑"),
            (37, "↑"),
            (40, "→"),
            (41, "→"),
            (45, "=∞"),
            (0, "$0"),
        ] {
            assert_eq!(nag_glyph(nag), sign, "for {nag}");
        }
    }
}
