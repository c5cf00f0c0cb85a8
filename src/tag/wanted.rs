//! What the tags of a game should say.

use std::{borrow::Cow, fmt, iter, ops::Range, str::FromStr};

use super::{Names, Options};
use crate::{
    catalogue::plain_letters,
    classify::NamedAt,
    opening::Opening,
    pgn::{Game, decode_text},
    swar::find3,
};

/// How many tags are set or removed together.
pub(super) const COUNT: usize = 10;

/// The first so many are those that everyone knows: the policy looks at them alone.
pub(super) const KNOWN: usize = 4;

pub(super) const ECO: usize = 0;
pub(super) const OPENING: usize = 1;
const EXTENDED: usize = 4;
const MOVE_ORDER: usize = 5;
const SOURCE: usize = 9;

/// The tags in the order in which new ones are written; the extended one has the name that the user
/// gives it.
const NAMES: [&str; COUNT] = [
    "ECO",
    "Opening",
    "Variation",
    "SubVariation",
    "",
    "MoveOrderECO",
    "MoveOrderOpening",
    "MoveOrderVariation",
    "MoveOrderSubVariation",
    "ECOSource",
];

/// Tags that mean something else and must not be taken for the extended code: those that the PGN
/// standard asks for, those that say how a game is to be read, and our own.
const TAKEN: [&str; 11] = [
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtendedTag(String);

/// The text cannot be the name of the tag for longer codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseExtendedTagError {
    /// No tag can be called so.
    #[error("no name for a tag: {0:?} (a letter, then at most 63 letters, digits and _)")]
    NotAName(String),
    /// The tag has another meaning.
    #[error("the tag {0} has a meaning of its own")]
    Taken(String),
}

impl fmt::Display for ExtendedTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ExtendedTag {
    type Err = ParseExtendedTagError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        const MAX_LENGTH: usize = 64;
        let is_name = name.len() <= MAX_LENGTH
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name {
            return Err(ParseExtendedTagError::NotAName(name.to_owned()));
        }
        let is_taken = |taken: &&str| taken.eq_ignore_ascii_case(name);
        if TAKEN.iter().chain(&NAMES).any(is_taken) {
            return Err(ParseExtendedTagError::Taken(name.to_owned()));
        }
        Ok(Self(name.to_owned()))
    }
}

/// The names of the tags that are set or removed together.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagNames<'n> {
    /// Empty if there is no such tag.
    extended: &'n str,
}

impl<'n> TagNames<'n> {
    pub(super) fn new(extended: Option<&'n ExtendedTag>) -> Self {
        Self { extended: extended.map_or("", |name| &name.0) }
    }

    pub(super) fn name(&self, which: usize) -> &'n str {
        if which == EXTENDED { self.extended } else { NAMES[which] }
    }

    /// Which of them a tag is, if any.
    #[inline(always)]
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        // Nearly all tags are none of them, and are told by their first letter and their length.
        let is_possible = matches!(name.first(), Some(b'E' | b'O' | b'V' | b'S' | b'M'))
            && name.len() <= MAX_NAME_LENGTH
            && NAME_LENGTHS & (1 << name.len()) != 0;
        if is_possible || !self.extended.is_empty() { self.find_possible(name) } else { None }
    }

    fn find_possible(&self, name: &[u8]) -> Option<usize> {
        // What is not wanted has no name, and damaged tags may have none either.
        (0..COUNT).find(|which| !name.is_empty() && self.name(*which).as_bytes() == name)
    }
}

const MAX_NAME_LENGTH: usize = 31;

/// How long the names are that are always the same: a bit for each length.
const NAME_LENGTHS: u32 = {
    let (mut lengths, mut which) = (0, 0);
    while which < COUNT {
        assert!(NAMES[which].len() <= MAX_NAME_LENGTH, "there is a bit for it");
        lengths |= 1 << NAMES[which].len();
        which += 1;
    }
    lengths
};

/// What each of the tags should say; `None`: it should not be there.
pub(super) type Values<'w> = [Option<&'w str>; COUNT];

/// The tags of a game without a name.
pub(super) const NOTHING: Values<'static> = [None; COUNT];

/// What the tags of a game with this name should say.
pub(super) fn values<'w>(
    options: &Options,
    marks: &'w [String],
    named: &NamedAt<'w>,
    by_moves: Option<&NamedAt<'w>>,
) -> Values<'w> {
    let mut values = NOTHING;
    let opening = named.opening();
    set_name(options.names, opening, &mut values[..KNOWN]);
    if options.extended.is_some() {
        let (code, base) = (opening.eco().as_str(), opening.eco().base());
        values[EXTENDED] = (code.len() > base.len()).then_some(code);
    }
    if let (true, Some(by_moves)) = (options.with_move_order, by_moves) {
        set_name(options.names, by_moves.opening(), &mut values[MOVE_ORDER..SOURCE]);
    }
    values[SOURCE] = marks.get(named.line().master).map(String::as_str);
    values
}

/// Code, opening, variation and subvariation.
fn set_name<'w>(names: Names, opening: &'w Opening, values: &mut [Option<&'w str>]) {
    let parts = match names {
        Names::Full => [opening.name(), "", ""],
        Names::Split => opening.lossless_parts(),
    };
    values[0] = Some(opening.eco().base());
    for (value, part) in values[1..].iter_mut().zip(parts) {
        *value = Some(part).filter(|part| !part.is_empty());
    }
}

/// In which encoding names are written into a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Latin1,
}

impl Encoding {
    /// The encoding of a game apart from `ours`, the places of the tags that are set or removed, so that
    /// it is the same before and after. Where all `values` are ASCII it is all the same.
    pub(super) fn of(
        game: &Game<'_>,
        ours: impl Iterator<Item = Range<usize>>,
        values: &Values<'_>,
    ) -> Self {
        if values.iter().flatten().all(|text| text.is_ascii()) {
            return Self::Utf8;
        }
        let bytes = game.bytes();
        let mut from = 0;
        for span in ours.chain(iter::once(bytes.len()..bytes.len())) {
            // A character that the end of a long game has cut through is no sign of Latin-1.
            if str::from_utf8(&bytes[from..span.start])
                .is_err_and(|error| error.error_len().is_some() || !game.is_cut())
            {
                return Self::Latin1;
            }
            from = span.end;
        }
        Self::Utf8
    }

    /// The bytes of a text. What Latin-1 has no letters for is written in plain ones.
    pub(super) fn encode(self, text: &str) -> Cow<'_, [u8]> {
        if self == Self::Utf8 || text.is_ascii() {
            return Cow::Borrowed(text.as_bytes());
        }
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            match u8::try_from(u32::from(c)) {
                Ok(byte) => bytes.push(byte),
                Err(_) => bytes.extend_from_slice(plain_letters(&c.to_string()).as_bytes()),
            }
        }
        Cow::Owned(bytes)
    }
}

/// Whether a value is this text already, in either encoding; `bytes` are the text in that of the game.
pub(super) fn says(value: &[u8], bytes: &[u8], text: &str) -> bool {
    // In both encodings ASCII is the same.
    value == bytes || (!text.is_ascii() && decode_text(value) == text)
}

/// Whether a tag with this value says nothing: it is empty, or `?`, which is how PGN writes that something
/// is not known.
pub(super) fn is_placeholder(raw_value: &[u8]) -> bool {
    matches!(raw_value.trim_ascii(), b"" | b"?")
}

/// Writes a value as it stands between quotes.
pub(super) fn write_value(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(escaped) = find3(rest, [b'"', b'\\', b'\\']) {
        out.extend_from_slice(&rest[..escaped]);
        out.extend_from_slice(&[b'\\', rest[escaped]]);
        rest = &rest[escaped + 1..];
    }
    out.extend_from_slice(rest);
}

/// Writes a tag without its line end.
pub(super) fn write_tag(name: &str, value: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    write_value(value, out);
    out.extend_from_slice(b"\"]");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_the_encoding_of_the_game() {
        for (text, latin1) in [
            ("Queen's", &b"Queen's"[..]),
            ("Gr\u{fc}nfeld", b"Gr\xfcnfeld"),
            ("Petroni\u{107}", b"Petronic"),
            ("\u{17d}\u{e9}", b"Z\xe9"),
        ] {
            assert_eq!(*Encoding::Latin1.encode(text), *latin1, "{text}");
            assert_eq!(*Encoding::Utf8.encode(text), *text.as_bytes());
        }
    }

    #[test]
    fn names_that_mean_something_else_are_refused() {
        for name in ["", "9", "a b", "A\"", "\u{e9}", "white", "ECO", "ECOSource", "FEN"] {
            assert!(name.parse::<ExtendedTag>().is_err(), "{name:?} was taken");
        }
        assert_eq!("ScidECO".parse::<ExtendedTag>().unwrap().to_string(), "ScidECO");
    }

    #[test]
    fn values_are_escaped() {
        let mut out = Vec::new();
        write_value(b"a \"b\" \\", &mut out);
        assert_eq!(out, b"a \\\"b\\\" \\\\");
    }
}
