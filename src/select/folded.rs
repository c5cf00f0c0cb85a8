//! Texts that are looked for in games, without what does not matter. They are made once, since
//! they are compared with every game.

use std::borrow::Cow;

use crate::{
    catalogue::plain_letters,
    pgn::{decode_text, is_standard_chess},
};

/// A part of the value of a tag; case and accents do not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagPart(String);

impl TagPart {
    /// The part that is written like this.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(fold(text).into_owned())
    }

    /// Whether a value that is [folded](fold) has this part.
    pub(crate) fn is_in(&self, folded: &str) -> bool {
        folded.contains(&self.0)
    }
}

/// The name of a variant; case, blanks and hyphens do not matter.
///
/// All names of standard chess are one. `From Position`, lichess's name for standard chess from
/// another start, is one of them in a game; asked for, it is only that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantName {
    folded: String,
    is_standard: bool,
}

impl VariantName {
    /// The variant that has this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let folded = fold(name.trim()).replace([' ', '-'], "");
        let is_standard = is_standard_chess(name.as_bytes()) && folded != "fromposition";
        Self { folded, is_standard }
    }

    /// The variant that a tag names.
    pub(crate) fn of_tag(value: &[u8]) -> Self {
        Self { is_standard: is_standard_chess(value), ..Self::new(&decode_text(value)) }
    }

    /// Whether this is the variant of a game.
    pub(crate) fn is(&self, played: &Self) -> bool {
        self.folded == played.folded || (self.is_standard && played.is_standard)
    }
}

/// A text without capitals and accents.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    let plain = if text.is_ascii() { Cow::Borrowed(text) } else { plain_letters(text).into() };
    plain.to_lowercase().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_when_it_is_made() {
        assert_eq!(TagPart::new("ZÜRICH"), TagPart::new("zurich"));
        assert!(TagPart::new("Zürich").is_in(&fold("Candidates, ZURICH 1953")));
        assert!(!TagPart::new("Zürich").is_in("zuri ch"));
    }

    #[test]
    fn a_variant_has_one_name_in_many_spellings() {
        for (asked, tag, is) in [
            ("three check", "Three-Check", true),
            ("From Position", "", false),
            ("From Position", "Standard", false),
            ("from-position", "From Position", true),
            ("standard", "From Position", true),
            ("standard", "", true),
            ("Chess", "From Position", true),
            ("standard", "Standard", true),
            ("Chess", "standard", true),
            ("atomic", "standard", false),
            ("standard", "Atomic", false),
        ] {
            let is_it = VariantName::new(asked).is(&VariantName::of_tag(tag.as_bytes()));
            assert_eq!(is_it, is, "{asked:?} in a game of {tag:?}");
        }
    }
}
