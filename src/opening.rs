//! Openings: the ECO code, the name, and the parts of the name.

use std::{borrow::Cow, fmt, mem, str::FromStr};

use crate::chess::{epd::Operation, serde_as_text};
use crate::quoted::Quoted;

/// A code of the Encyclopaedia of Chess Openings: a volume `A` to `E`, two digits, and in some ECO
/// masters a suffix (`B90a1`).
///
/// ```
/// use eco::opening::EcoCode;
///
/// let code: EcoCode = "B90a1".parse()?;
/// assert_eq!(code.as_str(), "B90a1");
/// assert_eq!(code.base(), "B90");
/// # Ok::<(), eco::opening::ParseEcoError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EcoCode {
    // ASCII, padded with zero bytes, which sort before every suffix.
    bytes: [u8; EcoCode::MAX_LEN],
}

impl EcoCode {
    pub(crate) const MAX_LEN: usize = 8;

    /// What stands for no code where codes are padded bytes.
    pub(crate) const NO_CODE: [u8; Self::MAX_LEN] = [0; Self::MAX_LEN];

    /// The code of these bytes: ASCII, padded with zero bytes.
    pub(crate) fn from_padded(bytes: [u8; Self::MAX_LEN]) -> Option<Self> {
        let [volume, tens, ones, suffix @ ..] = bytes;
        let is_base =
            matches!(volume, b'A'..=b'E') && tens.is_ascii_digit() && ones.is_ascii_digit();
        // Few codes have a suffix.
        let is_known = suffix == [0; 5] || Self::is_suffix(&suffix);
        (is_base && is_known).then_some(Self { bytes })
    }

    fn is_suffix(padded: &[u8]) -> bool {
        let end = padded.iter().position(|byte| !byte.is_ascii_alphanumeric());
        end.is_none_or(|end| padded[end..].iter().all(|byte| *byte == 0))
    }

    /// The code of a text; `None` if the text is empty.
    ///
    /// # Errors
    ///
    /// If the text is neither a code nor empty.
    pub(crate) fn from_text(text: &str) -> Result<Option<Self>, ParseEcoError> {
        if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
    }

    /// The code padded with zero bytes.
    pub(crate) fn to_padded(self) -> [u8; Self::MAX_LEN] {
        self.bytes
    }

    /// The code in full.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).expect("parsing lets ASCII in, nothing else")
    }

    /// The code in full, as ASCII.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        // The padding is at the end, so it is the highest bytes of the number.
        let padding = u64::from_le_bytes(self.bytes).leading_zeros() as usize / 8;
        &self.bytes[..Self::MAX_LEN - padding]
    }

    /// Whether the codes are the same, or one is the other without its suffix.
    fn agrees_with(self, other: Self) -> bool {
        let is_bare = |code: Self| code.as_str().len() == 3;
        self == other || self.base() == other.base() && (is_bare(self) || is_bare(other))
    }

    /// The three characters that every ECO master agrees on, without a suffix.
    pub fn base(&self) -> &str {
        &self.as_str()[..3]
    }
}

serde_as_text!(EcoCode);

impl fmt::Display for EcoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for EcoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not an ECO code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an ECO code: {} (expected A00 to E99)", Quoted(.0))]
pub struct ParseEcoError(String);

/// The most characters of a bad code that an error quotes.
const MAX_QUOTED: usize = 40;

impl FromStr for EcoCode {
    type Err = ParseEcoError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.as_bytes() {
            [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', suffix @ ..]
                if text.len() <= Self::MAX_LEN && suffix.iter().all(u8::is_ascii_alphanumeric) =>
            {
                let mut bytes = [0; Self::MAX_LEN];
                bytes[..text.len()].copy_from_slice(text.as_bytes());
                Ok(Self { bytes })
            }
            _ => Err(ParseEcoError(text.chars().take(MAX_QUOTED).collect())),
        }
    }
}

/// A full name, such as `Sicilian Defense: Najdorf Variation, English Attack`, and its code. A list
/// of positions that somebody names himself may have no codes.
///
/// The name splits at the first colon, and what follows it at the first comma. A name without a
/// colon splits at its first comma: the family of `King's Indian Attack, with e6` is
/// `King's Indian Attack`.
///
/// ```
/// use eco::opening::Opening;
///
/// let name = "Sicilian Defense: Najdorf Variation, English Attack";
/// let opening = Opening::new(Some("B90".parse()?), name);
/// assert_eq!(opening.family(), "Sicilian Defense");
/// assert_eq!(opening.variation(), "Najdorf Variation");
/// assert_eq!(opening.subvariation(), "English Attack");
/// assert_eq!(opening.to_string(), format!("B90 {name}"));
/// assert_eq!(Opening::new(None, "Our Dragon").to_string(), "Our Dragon");
/// # Ok::<(), eco::opening::ParseEcoError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Opening {
    eco: Option<EcoCode>,
    name: Cow<'static, str>,
    /// The name in English, if `name` is in another language; few are, so it takes little room.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "opening_en")]
    english: Option<Box<Cow<'static, str>>>,
}

impl Opening {
    /// An opening with this code, if it has one, and this full name.
    pub fn new(eco: Option<EcoCode>, name: impl Into<Box<str>>) -> Self {
        Self { eco, name: Cow::Owned(name.into().into_string()), english: None }
    }

    /// An opening whose name is part of the program.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn with_static_name(eco: Option<EcoCode>, name: &'static str) -> Self {
        Self { eco, name: Cow::Borrowed(name), english: None }
    }

    /// The full name with these parts, which [`family`](Self::family),
    /// [`variation`](Self::variation) and [`subvariation`](Self::subvariation) return again. Parts
    /// may be empty.
    pub(crate) fn full_name(family: &str, variation: &str, subvariation: &str) -> String {
        let rest: Vec<&str> =
            [variation, subvariation].into_iter().filter(|part| !part.is_empty()).collect();
        let between = if family.is_empty() || rest.is_empty() { "" } else { ": " };
        format!("{family}{between}{}", rest.join(", "))
    }

    /// Family, variation and subvariation, if they make the same name again, also without the
    /// blanks around them, which readers do not keep. Otherwise the whole name is the family, so
    /// that nothing is lost.
    pub(crate) fn lossless_parts(&self) -> [&str; 3] {
        let parts = [self.family(), self.variation(), self.subvariation()];
        let [family, variation, subvariation] = parts;
        let is_trimmed = family.trim_end() == family;
        if is_trimmed && Self::full_name(family, variation, subvariation) == *self.name {
            parts
        } else {
            [&self.name, "", ""]
        }
    }

    /// The ECO code, if it has one.
    pub fn eco(&self) -> Option<&EcoCode> {
        self.eco.as_ref()
    }

    /// The text of the ECO code; empty if it has none.
    pub fn code(&self) -> &str {
        self.eco().map_or("", EcoCode::as_str)
    }

    /// Whether the codes of both are the same but for a missing suffix, or neither has one.
    pub(crate) fn has_code_of(&self, other: &Self) -> bool {
        match (self.eco, other.eco) {
            (Some(own), Some(eco)) => own.agrees_with(eco),
            (own, eco) => own == eco,
        }
    }

    /// The full name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The full name as its master has it, which is English in the built-in catalogue, whatever
    /// language [`name`](Self::name) is in.
    pub fn english_name(&self) -> &str {
        self.original_name().unwrap_or(&self.name)
    }

    /// The English name, if [`name`](Self::name) is in another language.
    pub fn original_name(&self) -> Option<&str> {
        self.english.as_ref().map(|name| &***name)
    }

    /// That name down to the family (1), to the variation (2), or in full.
    pub(crate) fn original_name_to(&self, depth: usize) -> Option<String> {
        let english = Self::new(None, self.original_name()?);
        Some(match depth {
            1 => english.family().to_owned(),
            2 => Self::full_name(english.family(), english.variation(), ""),
            _ => english.name.into_owned(),
        })
    }

    /// The family of the English name.
    pub(crate) fn english_family(&self) -> &str {
        family_and_rest(self.english_name()).0
    }

    /// Gives it a name in another language, made from the English one.
    pub(crate) fn translate(&mut self, translated: impl FnOnce(&str) -> String) {
        let name = Cow::Owned(translated(self.english_name()));
        let english = mem::replace(&mut self.name, name);
        self.english.get_or_insert_with(|| Box::new(english));
    }

    /// The name up to the first colon, or without one up to the first comma: `Sicilian Defense`.
    pub fn family(&self) -> &str {
        family_and_rest(&self.name).0
    }

    /// The part after the family, up to the next comma; may be empty.
    pub fn variation(&self) -> &str {
        self.parts().0
    }

    /// The part after the variation: the rest of the name with all further commas; may be empty.
    pub fn subvariation(&self) -> &str {
        self.parts().1
    }

    /// The opening as EPD operations: `eco`, if it has a code, and `v0`, `v1`, `v2` for the parts
    /// of the name that are not empty.
    pub fn operations(&self) -> Vec<Operation> {
        let [family, variation, subvariation] = self.lossless_parts();
        let parts = [("eco", self.code()), ("v0", family), ("v1", variation), ("v2", subvariation)];
        let present = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let quoted = present.map(|(opcode, text)| Operation::quoted(opcode, text));
        quoted
            .map(|operation| operation.expect("these are opcodes, and all text can be quoted"))
            .collect()
    }

    fn parts(&self) -> (&str, &str) {
        let (_, rest) = family_and_rest(&self.name);
        let (variation, subvariation) = rest.split_once(',').unwrap_or((rest, ""));
        (variation.trim(), subvariation.trim())
    }
}

fn family_and_rest(name: &str) -> (&str, &str) {
    name.split_once(':').or_else(|| name.split_once(',')).unwrap_or((name, ""))
}

/// Prints as code and name, `B20 Sicilian Defense`; as its name if it has no code.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(eco) = self.eco() {
            write!(f, "{eco} ")?;
        }
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_agree_with_and_without_a_suffix() {
        let agree = |a: &str, b: &str| {
            a.parse::<EcoCode>().unwrap().agrees_with(b.parse::<EcoCode>().unwrap())
        };
        assert!(agree("B90", "B90a") && agree("B90a", "B90") && agree("B90a", "B90a"));
        assert!(!agree("B90b", "B90a") && !agree("B90", "B91"));
    }

    #[test]
    fn names_are_put_together_from_their_parts() {
        assert_eq!(Opening::full_name("Grob", "spike attack", ""), "Grob: spike attack");
    }

    #[test]
    fn codes_with_and_without_suffix_are_read_and_sorted() {
        let codes: Vec<EcoCode> =
            ["A00", "B90", "B90a", "B90a1", "E99"].iter().map(|c| c.parse().unwrap()).collect();
        assert!(codes.is_sorted());
        assert_eq!(codes[3].to_string(), "B90a1");
        assert_eq!(codes[3].base(), "B90");
    }

    #[test]
    fn padded_bytes_are_a_code_if_their_text_is_one() {
        for text in ["A00", "E99z", "B90a1", "B90abcde", "F00", "Axx", "A0", "", "A00-", "A00\0b"] {
            let mut bytes = [0; EcoCode::MAX_LEN];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            assert_eq!(EcoCode::from_padded(bytes), text.parse().ok(), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_a_code_is_refused() {
        for text in ["", "A", "A0", "F00", "a00", "A0x", "A00 ", "A00-", "A00abcdefg", "É00"] {
            assert!(text.parse::<EcoCode>().is_err(), "{text:?} was read as a code");
        }
    }

    #[test]
    fn parts_make_the_name_they_were_taken_from() {
        for (name, parts) in [
            ("Amar Opening", ["Amar Opening", "", ""]),
            ("Polish: 1...c6", ["Polish", "1...c6", ""]),
            ("Ruy Lopez: Closed, Chigorin, Panov", ["Ruy Lopez", "Closed", "Chigorin, Panov"]),
            ("Réti, accepted", ["Réti, accepted", "", ""]),
            // Odd blanks and colons would be lost: the name stays whole.
            ("Grob:Fritz", ["Grob:Fritz", "", ""]),
            ("Grob : Fritz ,x", ["Grob : Fritz ,x", "", ""]),
            ("Grob : Fritz", ["Grob : Fritz", "", ""]),
            (": x", [": x", "", ""]),
        ] {
            let opening = Opening::new("A00".parse().ok(), name);
            assert_eq!(opening.lossless_parts(), parts);
            assert_eq!(Opening::full_name(parts[0], parts[1], parts[2]), name);
        }
    }

    #[test]
    fn names_split_into_family_variation_and_subvariation() {
        for (name, family, variation, subvariation) in [
            ("Amar Opening", "Amar Opening", "", ""),
            ("Dutch Defense: Leningrad Variation", "Dutch Defense", "Leningrad Variation", ""),
            ("Ruy Lopez: Closed, Chigorin, Panov", "Ruy Lopez", "Closed", "Chigorin, Panov"),
            ("King's Indian Attack, with e6", "King's Indian Attack", "with e6", ""),
            (
                "Queen's Gambit Declined, Exchange, Carlsbad: x",
                "Queen's Gambit Declined, Exchange, Carlsbad",
                "x",
                "",
            ),
            ("English, King's, Reversed", "English", "King's", "Reversed"),
        ] {
            let opening = Opening::new("A00".parse().ok(), name);
            assert_eq!(
                (opening.family(), opening.variation(), opening.subvariation()),
                (family, variation, subvariation)
            );
        }
    }
}
