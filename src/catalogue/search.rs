//! Search by code or by words of a name.
//!
//! Words match in any order and by their beginnings. Accents, capitals and a final `s` are ignored,
//! and spellings of one word are equal: `Gruenfeld` finds the Grünfeld, `petroff's defence`
//! Petrov's Defense. What else words may stand for, `understanding.rs` finds out.

use std::{cmp::Reverse, collections::BTreeSet, fmt, sync::OnceLock};

use super::index::{Catalogue, Line};
use super::names::{Name, Names, Pieces, TranslatedNames};
use super::spelling::{KINDS, MAX_WORDS, is_inflected, spelled, spelled_like, typed_words};
use super::translation::Translation;
use crate::{chess::Language, opening::Opening};

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
    /// What is typed but for the codes.
    pub(crate) text: String,
    /// The words as they are typed, but for capitals and accents.
    pub(super) typed: Vec<String>,
    pub(crate) words: Vec<String>,
    /// What the words mean, the most likely first; what they say, until a catalogue is asked.
    pub(super) readings: Vec<Reading>,
    pub(super) is_understood: bool,
}

/// Codes from the first to the last; all that begin like the last are included.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CodeRange {
    first: String,
    last: String,
}

/// One meaning of the words of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    /// The words that a name begins with.
    pub(super) beginning: Vec<String>,
    /// The words that it has besides.
    pub(super) words: Vec<String>,
    /// Each of these words in its other spellings.
    pub(super) spelled: Vec<Vec<&'static str>>,
    /// The language of the names that have these words.
    pub(super) language: Option<Language>,
    /// Whether English names of it may have some of the words.
    pub(super) is_mixed: bool,
    /// Readings of a lower place come first.
    pub(super) place: usize,
    pub(super) found_by: FoundBy,
}

/// What an opening was found by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundBy {
    /// Its code, or words of its English name.
    Name,
    /// Another name of it, or of the opening that it belongs to.
    Alias {
        /// The other name.
        alias: String,
        /// What it is another name of.
        name: String,
    },
    /// Words of its name in a language.
    Language(Language),
    /// The nearest words of names, since no opening is called as the search says.
    Nearest(String),
}

/// Prints as a kind and a text, `alias: QGD`; as `name` alone.
impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name => f.write_str("name"),
            Self::Alias { alias, .. } => write!(f, "alias: {alias}"),
            Self::Language(language) => write!(f, "language: {}", language.code()),
            Self::Nearest(words) => write!(f, "nearest: {words}"),
        }
    }
}

impl Reading {
    /// The words as they are.
    pub(super) fn new(words: Vec<String>) -> Self {
        let spelled = words.iter().map(|word| spelled_like(word).collect()).collect();
        let found_by = FoundBy::Name;
        let beginning = Vec::new();
        Self { beginning, words, spelled, language: None, is_mixed: false, place: 0, found_by }
    }

    /// The other language of this reading.
    pub(super) fn translation(&self) -> Option<&'static Translation> {
        self.language.and_then(Translation::of)
    }

    /// Whether the word at a place begins like a word of a name, in any of its spellings.
    fn begins(&self, at: usize, of_name: &str) -> bool {
        of_name.starts_with(&self.words[at]) || self.spelled[at].contains(&of_name)
    }

    /// Whether names may fit: they have the letters of all words. Few have.
    fn may_fit(&self, names: &[&Name]) -> bool {
        let mut words = self.words.iter().zip(&self.spelled);
        words.all(|(word, spelled)| {
            let has = |text: &str| {
                text.contains(word.as_str()) || spelled.iter().any(|one| text.contains(one))
            };
            names.iter().any(|name| has(&name.text))
        })
    }

    /// How well a name fits, which may be translated; `None` if it does not.
    pub(super) fn rank(&self, name: &Name, translated: Option<&Name>, games: u64) -> Option<Rank> {
        let names = match translated {
            None => &[name][..],
            Some(translated) if self.is_mixed => &[name, translated],
            Some(translated) => &[translated],
        };
        if !self.may_fit(names) {
            return None;
        }
        let english = name.words();
        if !english.iter().take(self.beginning.len()).eq(&self.beginning) {
            return None;
        }
        let lists: Vec<Vec<&str>> = names.iter().map(|name| name.words()).collect();
        let (mut by_beginning, mut depth, mut parts) = (0, 0, [false; 3]);
        for (at, word) in self.words.iter().enumerate() {
            let is_it = |other: &&str| {
                other == word || self.language.is_some() && is_inflected(other, word)
            };
            by_beginning += usize::from(!lists.iter().flatten().any(is_it));
            let in_name = |(name, words): (&&Name, &Vec<&str>)| {
                words.iter().position(|other| self.begins(at, other)).map(|at| name.depth(at))
            };
            let part = names.iter().zip(&lists).filter_map(in_name).min()?;
            depth += part;
            parts[part] = true;
        }
        // `classical` is a `Classical System`, and not a `Semi-Classical Variation`.
        let is_meant = |word: &str| {
            KINDS.contains(&word) || (0..self.words.len()).any(|at| self.begins(at, word))
        };
        let rest = english.iter().enumerate().skip(self.beginning.len());
        let is_part = rest.filter(|(at, _)| parts[name.depth(*at)]).all(|(_, word)| is_meant(word));
        let is_phrase = lists.iter().any(|words| self.is_phrase_of(words));
        let asked = self.beginning.len() + self.words.len();
        let is_all = lists.iter().any(|words| words.len() == asked);
        let others = english.len().saturating_sub(asked);
        let is_exact = is_phrase && is_all && by_beginning == 0;
        let order = (!is_exact, !is_phrase, !is_part, depth);
        Some((self.place, by_beginning, order, Reverse(games), others))
    }

    /// Whether the words stand side by side.
    fn is_phrase_of(&self, all: &[&str]) -> bool {
        let is_same = |some: &[&str]| some.iter().enumerate().all(|(at, of)| self.begins(at, of));
        self.words.is_empty() || all.windows(self.words.len()).any(is_same)
    }
}

/// How well a name fits, the lowest is the best: the place of the reading, the number of words that
/// match only by their beginning, whether the name has others, whether the words stand apart or in
/// another order, whether the part of the name there has others, how deep they stand in it, how
/// often it is played, and the number of its other words.
pub(super) type Rank = (usize, usize, (bool, bool, bool, usize), Reverse<u64>, usize);

impl Query {
    /// Reads a search as a user types it.
    pub fn new(text: &str) -> Self {
        let (mut codes, mut rest) = (Vec::new(), String::new());
        for word in text.split_whitespace() {
            match CodeRange::read(word) {
                Some(range) => codes.push(range),
                None => rest.extend([word, " "]),
            }
        }
        let typed = typed_words(&rest);
        let words = spelled(&typed);
        let is_too_long = typed.len() > MAX_WORDS;
        let readings = if is_too_long { Vec::new() } else { vec![Reading::new(words.clone())] };
        let text = rest.trim_end().to_owned();
        Self { codes, text, typed, words, readings, is_understood: is_too_long }
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

    /// Whether it has neither codes nor words; nothing matches then.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty() && self.words.is_empty()
    }

    /// Whether it has codes.
    pub fn has_codes(&self) -> bool {
        !self.codes.is_empty()
    }

    /// Whether it has words, and not only codes.
    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether an opening matches.
    pub fn matches(&self, opening: &Opening) -> bool {
        !self.is_empty() && self.best(opening).is_some()
    }

    /// What an opening is found by; `None` if it does not match.
    pub fn found_by(&self, opening: &Opening) -> Option<&FoundBy> {
        self.best(opening).map(|(_, reading)| &reading.found_by)
    }

    fn has_code_of(&self, opening: &Opening) -> bool {
        self.codes.is_empty() || self.codes.iter().any(|range| range.has(opening.code()))
    }

    /// How well an opening fits, by which reading.
    fn best(&self, opening: &Opening) -> Option<(Rank, &Reading)> {
        if !self.has_code_of(opening) {
            return None;
        }
        let name = Name::new(opening.english_name());
        let ranked = self.readings.iter().filter_map(|reading| {
            let translation = reading.translation();
            let translated = translation.map(|t| Name::new(&t.translate(opening.english_name())));
            Some((reading.rank(&name, translated.as_ref(), 0)?, reading))
        });
        ranked.min_by_key(|(rank, _)| *rank)
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

impl Catalogue {
    /// The names of the lines.
    pub(super) fn names(&self) -> &Names {
        let read = || Names::new(self.lines().iter().map(|line| &line.opening));
        self.on_demand.names.get_or_init(read)
    }

    /// The words of all names, and those of a language besides.
    pub(super) fn pieces(&self, translation: Option<&Translation>) -> &Pieces {
        let english = || self.names().all.iter().map(Name::words);
        let Some(translation) = translation else {
            return self.on_demand.pieces.get_or_init(|| Pieces::new(english()));
        };
        self.of_language(translation).1.get_or_init(|| {
            let names = self.translated(translation).iter().map(Name::words);
            Pieces::new(english().zip(names).map(|(english, other)| [english, other].concat()))
        })
    }

    /// The names in a language, in the order of [`names`](Self::names).
    pub(super) fn translated(&self, translation: &Translation) -> &[Name] {
        let translate = |name: &String| Name::new(&translation.translate(name));
        let read = || self.names().written.iter().map(translate).collect();
        self.of_language(translation).0.get_or_init(read)
    }

    fn of_language(&self, translation: &Translation) -> &TranslatedNames {
        let all = self.on_demand.translated.get_or_init(|| {
            Translation::languages().map(|_| (OnceLock::new(), OnceLock::new())).collect()
        });
        let is_same = |language: Language| language == translation.language();
        let at = Translation::languages().position(is_same);
        &all[at.expect("a language with names")]
    }

    /// The words of all names, in the form in which they are compared.
    pub(super) fn words(&self) -> &BTreeSet<String> {
        let names = || self.names().all.iter();
        let read = || names().flat_map(Name::words).map(str::to_owned).collect();
        self.on_demand.words.get_or_init(read)
    }

    /// The line that a search which is understood means: of the lines with the name that fits best,
    /// and has all words whole, or else with the code, the shortest.
    pub(crate) fn shortest_line(&self, query: &Query) -> Option<&Line> {
        let hits = self.search(query);
        let best = &hits.first()?.opening;
        query.best(best).filter(|((_, by_beginning, ..), _)| *by_beginning == 0)?;
        let is_meant = |line: &&&Line| {
            !query.has_words() || line.opening.english_name() == best.english_name()
        };
        let plies = |line: &&&Line| self.plies(line).unwrap_or(usize::MAX);
        hits.iter().filter(is_meant).min_by_key(plies).copied()
    }

    /// How well each name fits a reading.
    pub(super) fn ranks(&self, reading: &Reading) -> impl Iterator<Item = Option<Rank>> {
        let names = self.names();
        let translated = reading.translation().map(|t| self.translated(t));
        (0..names.all.len()).map(move |at| {
            let translated = translated.map(|names| &names[at]);
            reading.rank(&names.all[at], translated, names.games[at])
        })
    }

    /// The lines that match what the words [mean](Self::understand), the best first: whole words
    /// before beginnings, names without other words before others, words side by side before
    /// others, all words of a family or variation before some of them, words in the family before
    /// those of the variation and these before others, what is played often before what is rare,
    /// then in the order of the catalogue.
    pub fn search(&self, query: &Query) -> Vec<&Line> {
        if query.is_empty() {
            return Vec::new();
        }
        let query = self.understand(query);
        let has_code = |line: &&Line| query.has_code_of(&line.opening);
        if !query.has_words() {
            return self.lines().iter().filter(has_code).collect();
        }
        let mut best: Vec<Option<Rank>> = vec![None; self.names().all.len()];
        for reading in &query.readings {
            for (best, rank) in best.iter_mut().zip(self.ranks(reading)) {
                *best = rank.into_iter().chain(*best).min();
            }
        }
        let lines = self.lines().iter().zip(&self.names().of_lines);
        let ranked = lines.filter_map(|(line, name)| Some((best[*name]?, line)));
        let mut ranked: Vec<(Rank, &Line)> = ranked.filter(|(_, line)| has_code(line)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, line)| line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::spelling::{aliases, words};

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
            (
                "kings indian defense classical",
                "E68 King's Indian Defense: Fianchetto Variation, Classical Variation",
            ),
            ("KID classical", "E91 King's Indian Defense: Orthodox Variation"),
            ("B90 english", "B90 Sicilian Defense: Najdorf Variation, English Attack"),
        ] {
            assert_eq!(found(text).first().map(String::as_str), Some(first), "{text}");
        }
    }

    /// The names that a search finds, each once.
    fn names(text: &str) -> Vec<&'static str> {
        let hits = Catalogue::builtin().search(&Query::new(text));
        let mut names: Vec<&str> = hits.iter().map(|line| line.opening.name()).collect();
        names.dedup();
        names
    }

    #[test]
    fn what_people_type_finds_what_they_mean() {
        let rows = include_str!("../../tests/data/queries.tsv").lines().skip(1);
        let (mut first, mut far) = (0, Vec::new());
        for row in rows {
            let [kind, text, expected] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three columns: {row}")
            };
            let names = names(text);
            match names.iter().position(|name| *name == expected) {
                Some(0) => first += 1,
                at => far.push((at.is_none_or(|at| at > 2), kind, text, expected, names)),
            }
        }
        let shown = far.iter().map(|(_, kind, text, expected, names)| {
            format!("{kind}: {text}: {expected}, not {:?}\n", &names[..names.len().min(3)])
        });
        let shown: String = shown.collect();
        assert!(first >= 114, "{first} of 120 are first:\n{shown}");
        assert!(!far.iter().any(|(is_far, ..)| *is_far), "not among the first three:\n{shown}");
    }

    #[test]
    fn other_names_are_of_openings_that_there_are() {
        for (alias, opening) in aliases() {
            let words: Vec<String> = words(opening).collect();
            let names = &Catalogue::builtin().names().all;
            let mut named = names.iter().filter(|name| {
                name.words().starts_with(&words.iter().map(String::as_str).collect::<Vec<_>>())
            });
            assert!(named.next().is_some(), "{} is {}", alias, opening);
            let found = names_of(alias);
            assert!(found.starts_with(opening), "{} is {}, not {found}", alias, opening);
        }
    }

    fn names_of(text: &str) -> &'static str {
        names(text).first().copied().unwrap_or_default()
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
