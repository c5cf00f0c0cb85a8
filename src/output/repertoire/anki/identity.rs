//! Names and numbers that follow from what they stand for, so that Anki knows cards, decks and
//! pictures again whatever they are called by then.

use sha2::{Digest, Sha256};

/// The name of a picture, from its content: two pictures never share a name.
pub(super) fn picture_name(svg: &str) -> String {
    format!("eco-{:016x}.svg", number(&[svg]))
}

/// The number of a deck. Anki writes such numbers as JSON, where those above 2⁵³ lose digits.
pub(super) fn deck_number(texts: &[&str]) -> i64 {
    // Numbers below 2³⁰ could be meant as numbers of decks of another kind, such as 1, the default.
    ((number(texts) >> 12) | (1 << 30)).cast_signed()
}

/// The first 64 bits of the SHA-256 of texts.
fn number(texts: &[&str]) -> u64 {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update(text);
        hasher.update([0]);
    }
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_stay_what_they_are() {
        // Anki has stored them.
        assert_eq!(picture_name("<svg/>"), "eco-ca1935de79f0c6f5.svg");
        assert_eq!(deck_number(&["study", "chapter"]), 2_552_815_998_375_323);
        assert_ne!(deck_number(&["a", "bc"]), deck_number(&["ab", "c"]));
    }
}
