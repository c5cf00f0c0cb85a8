//! Search by code or by words of a name.
//!
//! Words match in any order and by their beginnings. Accents, capitals and a final `s` are ignored,
//! and spellings of one word are equal: `Gruenfeld` finds the Grünfeld, `petroff's defence`
//! Petrov's Defense.

use std::collections::BTreeSet;

use deunicode::deunicode;

use super::index::{Catalogue, Line};
use crate::opening::Opening;
use crate::quoted::edits;

/// A search for codes, words, or both.
///
/// `B90` and `B9` match all codes that begin like that, `B90-B94` is a range, and everything else
/// is a word, `c6` included, which is a square. A line matches if it has one of the codes, where
/// there are any, and all of the words.
///
/// ```
/// use eco::catalogue::{Catalogue, Query};
///
/// let hits = Catalogue::builtin().search(&Query::new("najdorf sicilian B90-B94"));
/// assert_eq!(hits[0].opening.name(), "Sicilian Defense: Najdorf Variation");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    codes: Vec<CodeRange>,
    words: Vec<String>,
}

/// Codes from the first to the last; all that begin like the last are included.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CodeRange {
    first: String,
    last: String,
}

/// Spellings of one word; words are compared in the first.
const SPELLINGS: [&[&str]; 12] = [
    &["defense", "defence"],
    &["center", "centre"],
    &["nimzo", "nimzowitsch", "nimzovich", "nimzovitch", "nimzowitch", "niemzowitsch"],
    &["petrov", "petroff", "petrow"],
    &["chigorin", "tchigorin", "tschigorin", "cigorin"],
    &["alekhine", "alekhin", "alechin", "aljechin", "alehin"],
    &["bogoljubov", "bogoljubow", "bogolyubov", "bogoliubov", "bogoljubof"],
    &["smyslov", "smyslow"],
    &["tartakower", "tartakover"],
    &["benko", "volga"],
    &["makogonov", "makagonov"],
    &["orangutan", "orangutang"],
];

impl Query {
    /// Reads a search as a user types it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let (mut codes, mut rest) = (Vec::new(), String::new());
        for word in text.split_whitespace() {
            match CodeRange::read(word) {
                Some(range) => codes.push(range),
                None => rest.extend([word, " "]),
            }
        }
        Self { codes, words: words(&rest) }
    }

    /// Reads codes and ranges of codes, and nothing else.
    ///
    /// # Errors
    ///
    /// If the text has words, or a range that ends before it begins.
    pub fn from_codes(text: &str) -> Result<Self, ParseCodesError> {
        let query = Self::new(text);
        if query.is_empty() || query.has_words() {
            return Err(ParseCodesError::NoCodes);
        }
        match query.codes.iter().find(|range| range.is_empty()) {
            Some(CodeRange { first, last }) => {
                Err(ParseCodesError::EmptyRange { first: first.clone(), last: last.clone() })
            }
            None => Ok(query),
        }
    }

    /// The words, in the form in which they are compared.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether it has neither codes nor words; nothing matches then.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.words.is_empty()
    }

    /// Whether it has words, and not only codes.
    #[must_use]
    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether an opening matches.
    #[must_use]
    pub fn matches(&self, opening: &Opening) -> bool {
        !self.is_empty() && self.rank(opening).is_some()
    }

    /// How well an opening matches, lower is better: the number of words that match only by their
    /// beginning, whether they stand apart or in another order, the number of words that its family
    /// lacks, and the number of its other words. `None` if it does not match.
    fn rank(&self, opening: &Opening) -> Option<Rank> {
        let code = opening.code();
        if !self.codes.is_empty() && !self.codes.iter().any(|range| range.has(code)) {
            return None;
        }
        if self.words.is_empty() {
            return Some((0, false, 0, 0));
        }
        let of_name = words(opening.english_name());
        let mut by_beginning = 0;
        for word in &self.words {
            if !of_name.contains(word) {
                of_name.iter().find(|other| begins(other, word))?;
                by_beginning += 1;
            }
        }
        let of_family = words(opening.english_family());
        let is_in_family = |word: &&String| of_family.iter().any(|w| begins(w, word));
        let beyond = self.words.len() - self.words.iter().filter(is_in_family).count();
        let is_phrase = of_name
            .windows(self.words.len())
            .any(|phrase| phrase.iter().zip(&self.words).all(|(other, word)| begins(other, word)));
        Some((by_beginning, !is_phrase, beyond, of_name.len().saturating_sub(self.words.len())))
    }
}

/// The text has no codes of openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseCodesError {
    /// It has words, or nothing.
    #[error("expected a code such as B90, B9 or B, or a range such as B90-B99")]
    NoCodes,
    /// It has a range that ends before it begins.
    #[error("{first}-{last} ends before it begins; expected {last}-{first}")]
    EmptyRange {
        /// Where the range begins.
        first: String,
        /// Where it ends.
        last: String,
    },
}

/// See [`Query::rank`].
type Rank = (usize, bool, usize, usize);

impl CodeRange {
    fn read(word: &str) -> Option<Self> {
        if matches!(word.as_bytes(), [b'a'..=b'e', b'1'..=b'8']) {
            // A square.
            return None;
        }
        let upper = word.to_uppercase();
        let (first, last) = upper.split_once('-').unwrap_or((&upper, &upper));
        let is_code = |text: &str| match text.as_bytes() {
            [b'A'..=b'E', rest @ ..] => {
                (1..=7).contains(&rest.len())
                    && rest.iter().take(2).all(u8::is_ascii_digit)
                    && rest.iter().all(u8::is_ascii_alphanumeric)
            }
            _ => false,
        };
        // A single letter is a volume only if it is a capital.
        let is_volume = |text: &str| word.len() == 1 && matches!(text, "A" | "B" | "C" | "D" | "E");
        let is_range = (is_code(first) && is_code(last)) || (is_volume(first) && word == upper);
        is_range.then(|| Self { first: first.to_owned(), last: last.to_owned() })
    }

    /// Whether no code is in the range.
    fn is_empty(&self) -> bool {
        self.first > self.last && !self.first.starts_with(&self.last)
    }

    fn has(&self, code: &str) -> bool {
        let code = code.to_uppercase();
        code.as_str() >= self.first.as_str() && (code <= self.last || code.starts_with(&self.last))
    }
}

/// A text in ASCII: letters lose their accents, other scripts are transliterated.
pub(crate) fn plain_letters(text: &str) -> String {
    deunicode(text)
}

/// The words of a text, in the form in which they are compared.
fn words(text: &str) -> Vec<String> {
    let plain = plain_letters(text).to_lowercase().replace(['\'', '`'], "");
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(one_spelling).collect()
}

/// A word without a final `s`, in the first of its spellings; umlauts that are written with an `e`
/// become single letters.
fn one_spelling(word: &str) -> String {
    let bare = word.strip_suffix('s').filter(|bare| bare.len() > 2 && !bare.ends_with('s'));
    let word = bare.unwrap_or(word);
    let known = SPELLINGS.iter().find(|spellings| spellings.contains(&word));
    let word = known.map_or(word, |spellings| spellings[0]);
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// Whether a word of a name, in any of its spellings, begins like a word of the search.
fn begins(of_name: &str, word: &str) -> bool {
    let spellings = || SPELLINGS.iter().find(|spellings| spellings[0] == of_name);
    of_name.starts_with(word)
        || spellings().is_some_and(|all| all.iter().any(|spelling| spelling.starts_with(word)))
}

/// The number of words that are offered for one.
const WORDS_OFFERED: usize = 3;

impl Catalogue {
    /// The words of all names, in the form in which they are compared.
    fn words(&self) -> &BTreeSet<String> {
        let read =
            || self.lines().iter().flat_map(|line| words(line.opening.english_name())).collect();
        self.on_demand.words.get_or_init(read)
    }

    /// Whether a name has a word that begins like this one.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.words().iter().any(|other| begins(other, word))
    }

    /// The words of names that may have been meant by another one, the nearest first.
    pub(crate) fn nearest_words(&self, word: &str) -> Vec<String> {
        let most = word.len() / 3;
        let near = |other: &&String| match () {
            () if begins(other, word) => Some(0),
            () if other.len().abs_diff(word.len()) > most => None,
            () => Some(edits(word, other)).filter(|distance| *distance <= most),
        };
        let near = self.words().iter().filter_map(|other| Some((near(&other)?, other)));
        let near: BTreeSet<(usize, &String)> = near.collect();
        near.into_iter().take(WORDS_OFFERED).map(|(_, word)| word.clone()).collect()
    }

    /// The line that a name or a code means: of the lines with the name that fits best, and has all
    /// words whole, or else with the code, the shortest.
    pub(crate) fn shortest_line(&self, query: &Query) -> Option<&Line> {
        if !query.words.iter().all(|word| self.words().contains(word)) {
            return None;
        }
        let hits = self.search(query);
        let best = &hits.first()?.opening;
        query.rank(best).filter(|(by_beginning, ..)| *by_beginning == 0)?;
        let is_meant = |line: &&&Line| {
            !query.has_words() || line.opening.english_name() == best.english_name()
        };
        let plies = |line: &&&Line| self.plies(line).unwrap_or(usize::MAX);
        hits.iter().filter(is_meant).min_by_key(plies).copied()
    }

    /// The lines that match, the best first: whole words before beginnings, words side by side
    /// before others, words in the family before others, shorter names before longer ones, then in
    /// the order of the catalogue.
    #[must_use]
    pub fn search(&self, query: &Query) -> Vec<&Line> {
        if query.is_empty() {
            return Vec::new();
        }
        let ranked =
            self.lines().iter().filter_map(|line| Some((query.rank(&line.opening)?, line)));
        let mut ranked: Vec<(Rank, &Line)> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, line)| line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let hits = Catalogue::builtin().search(&Query::new(text));
        hits.iter().map(|line| line.opening.to_string()).collect()
    }

    #[test]
    fn the_best_match_comes_first() {
        for (text, first) in [
            ("najdorf", "B90 Sicilian Defense: Najdorf Variation"),
            ("NAJDORF sicilian", "B90 Sicilian Defense: Najdorf Variation"),
            ("gruenfeld", "D80 Grünfeld Defense"),
            ("Grünfeld Defence", "D80 Grünfeld Defense"),
            ("grunf", "D80 Grünfeld Defense"),
            ("kings indian defence", "E61 King's Indian Defense"),
            ("king's gambit", "C30 King's Gambit"),
            ("queens gambit", "D06 Queen's Gambit"),
            ("saemisch king's indian", "E80 King's Indian Defense: Sämisch Variation"),
            ("queen's gambit declined tchigorin", "D07 Queen's Gambit Declined: Chigorin Defense"),
            ("petroff", "C42 Petrov's Defense"),
            ("petroff's defence", "C42 Petrov's Defense"),
            ("petroffs", "C42 Petrov's Defense"),
            ("alekhine's defence", "B02 Alekhine Defense"),
            ("alechin defenc", "B02 Alekhine Defense"),
            ("bird's opening", "A02 Bird Opening"),
            ("philidor's defence", "C41 Philidor Defense"),
            ("grob's opening", "A00 Grob Opening"),
            ("nimzovich-larsen", "A01 Nimzo-Larsen Attack"),
            ("nimzowitsch", "B00 Nimzowitsch Defense"),
            ("B90 english", "B90 Sicilian Defense: Najdorf Variation, English Attack"),
        ] {
            assert_eq!(found(text).first().map(String::as_str), Some(first), "{text}");
        }
    }

    #[test]
    fn codes_ranges_and_volumes_are_found() {
        let all = |codes: &[&str], text: &str| {
            let found = found(text);
            !found.is_empty() && found.iter().all(|hit| codes.contains(&&hit[..3]))
        };
        assert!(all(&["B90"], "B90"));
        assert!(all(&["B90"], "b90"));
        assert!(all(&["B90", "B91", "B92", "B93", "B94"], "B90-B94"));
        assert_eq!(found("B90-B94").len(), found("B90 B91 B92 B93 B94").len());
        assert_eq!(found("B9").len(), found("B90-B99").len());
        assert_eq!(found("B").len(), found("B00-B99").len());
        // A lower-case letter is the beginning of a word.
        assert!(found("b").iter().any(|hit| hit.starts_with('A')));
    }

    #[test]
    fn what_matches_nothing_finds_nothing() {
        for text in ["", "  ", "zzz", "E00-A99", "najdorf C"] {
            assert_eq!(found(text), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn codes_are_read_without_words_and_from_the_lower_to_the_higher() {
        for text in ["B90", "b9", "B", "B90-B94", "B90-B9", "A00-A00", "B90 C00-C19"] {
            assert_eq!(Query::from_codes(text), Ok(Query::new(text)), "{text}");
        }
        for (text, reason) in [
            ("", "expected a code such as B90, B9 or B, or a range such as B90-B99"),
            ("B90 najdorf", "expected a code such as B90, B9 or B, or a range such as B90-B99"),
            ("B20-A10", "B20-A10 ends before it begins; expected A10-B20"),
            ("C00 b9-B20", "B9-B20 ends before it begins; expected B20-B9"),
        ] {
            assert_eq!(Query::from_codes(text).unwrap_err().to_string(), reason, "{text}");
        }
    }

    #[test]
    fn suffixes_belong_to_their_code() {
        let range = |text| CodeRange::read(text).unwrap();
        assert!(range("B90").has("B90a1"));
        assert!(range("b90a").has("B90a1"));
        assert!(!range("B90a").has("B90b"));
        assert!(range("B89-B90").has("B90z4"));
        assert!(!range("B90").has("B91"));
    }
}
