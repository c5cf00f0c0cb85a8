//! The name of the tag for codes that are longer than three characters.

use std::{fmt, str::FromStr};

use super::managed::NAMES;

const MAX_LENGTH: usize = 64;

/// Tags with a meaning of their own: those that the PGN standard requires, and those that say how
/// to read a game.
const RESERVED: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "SetUp", "Variant",
    "UTCDate",
];

/// The name of the tag for codes that are longer than three characters.
///
/// ```
/// use eco::tag::ExtendedTag;
///
/// assert!("ScidECO".parse::<ExtendedTag>().is_ok());
/// assert!("Scid ECO".parse::<ExtendedTag>().is_err());
/// assert!("White".parse::<ExtendedTag>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExtendedTag(String);

/// The text cannot be the name of the tag for longer codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseExtendedTagError {
    /// It is not the name of a tag.
    #[error("no name for a tag: {0:?} (a letter, then at most 63 letters, digits and _)")]
    NotAName(String),
    /// The tag has another meaning.
    #[error("the tag {0} has a meaning of its own")]
    Reserved(String),
}

impl ExtendedTag {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExtendedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ExtendedTag {
    type Err = ParseExtendedTagError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_name = name.len() <= MAX_LENGTH
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name {
            return Err(ParseExtendedTagError::NotAName(name.to_owned()));
        }
        if RESERVED.iter().chain(&NAMES).any(|reserved| reserved.eq_ignore_ascii_case(name)) {
            return Err(ParseExtendedTagError::Reserved(name.to_owned()));
        }
        Ok(Self(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_another_meaning_are_refused() {
        for name in ["", "9", "a b", "A\"", "\u{e9}", "white", "ECO", "ECOSource", "FEN"] {
            assert!(name.parse::<ExtendedTag>().is_err(), "{name:?} was accepted");
        }
        assert_eq!("ScidECO".parse::<ExtendedTag>().unwrap().to_string(), "ScidECO");
    }
}
