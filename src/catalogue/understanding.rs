//! What the words of a search mean to a catalogue.
//!
//! A search is read once, by the first of these that has a meaning:
//!
//! 1. words of English names, and other names of openings, alone or within more words;
//! 2. words that are joined or split otherwise: `nimzoindian`, `caro kann`;
//! 3. words of names in another language, beside English ones;
//! 4. the nearest words, with a slip or two in each, of English or of another language.
//!
//! The result is one or more readings, which `search.rs` compares with names.

use std::{cmp::Reverse, ops::Range};

use super::index::Catalogue;
use super::names::{OtherNames, Piece};
use super::search::{FoundBy, Query, Reading};
use super::spelling::{HeardWord, KINDS, is_inflected, one_spelling, spelled, words};
use super::translation::{Translation, TranslationRow};
use crate::quoted::{Quoted, edits};

/// Longer searches are not looked at for other names and slips: their words are no name.
const MAX_WORDS: usize = 10;

/// Longer words have no slips that matter.
const MAX_LETTERS: usize = 30;

/// What a slip costs, beside a word of [`KINDS`] that a name lacks, or a beginning of a word.
const SLIP: u8 = 2;

/// More than this was not meant.
const MAX_COST: u8 = 4 * SLIP;

/// How well the words of a search fit a name.
#[derive(Clone, Copy)]
struct Fit {
    /// The number of words that match only by their beginning.
    by_beginning: usize,
    /// Whether they stand side by side.
    is_phrase: bool,
    /// Whether the name has no others.
    is_exact: bool,
}

impl Fit {
    fn is_whole(self) -> bool {
        self.by_beginning == 0
    }
}

/// Words of names that are near to those of a search.
struct Near {
    cost: u8,
    words: Vec<String>,
}

impl Query {
    /// What it means to any of some catalogues; slips count only if it means nothing else.
    pub(crate) fn understood_by(mut self, catalogues: &[&Catalogue]) -> Self {
        if self.is_understood || !self.has_words() {
            return self;
        }
        let mut readings: Vec<Reading> = Vec::new();
        for reading in catalogues.iter().flat_map(|c| c.read(&self.typed)) {
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        if readings.iter().any(|reading| !reading.is_near()) {
            readings.retain(|reading| !reading.is_near());
        }
        if !readings.is_empty() {
            self.readings = readings;
        }
        self.is_understood = true;
        self
    }

    /// Says what the words were taken for, if no opening is called as they say.
    pub fn correction(&self) -> Option<String> {
        let nearest = self.readings.iter().find_map(|reading| match &reading.found_by {
            FoundBy::Nearest(words) => Some(Quoted(words)),
            _ => None,
        });
        let typed = Quoted(&self.text);
        nearest.map(|nearest| format!("no opening is called {typed}; the nearest: {nearest}"))
    }
}

impl Reading {
    /// Whether it is of the nearest words, and not of what was typed.
    fn is_near(&self) -> bool {
        matches!(self.found_by, FoundBy::Nearest(_))
    }
}

impl Catalogue {
    /// What the words of a search mean: other names of openings, words in other languages, joined
    /// words and slips are replaced by words of the names of this catalogue. A search that means
    /// nothing stays what it is, and so does one that is understood.
    ///
    /// ```
    /// use eco::catalogue::{Catalogue, FoundBy, Query};
    ///
    /// let catalogue = Catalogue::builtin();
    /// let query = catalogue.understand(&Query::new("QGD tartakower"));
    /// let opening = &catalogue.search(&query)[0].opening;
    /// assert!(opening.name().starts_with("Queen's Gambit Declined: Tartakower"));
    /// assert_eq!(query.found_by(opening).expect("it is found").to_string(), "alias: QGD");
    /// let slip = catalogue.understand(&Query::new("najdorff"));
    /// let said = "no opening is called 'najdorff'; the nearest: 'Najdorf'";
    /// assert_eq!(slip.correction().as_deref(), Some(said));
    /// ```
    pub fn understand(&self, query: &Query) -> Query {
        query.clone().understood_by(&[self])
    }

    /// What the words mean; nothing if they mean nothing.
    fn read(&self, typed: &[String]) -> Vec<Reading> {
        let readings = self.read_in_english(typed);
        // Squares and numbers are the same in every language, and have no slips.
        let is_known = |word: &String| self.words().contains(one_spelling(word));
        let is_name = |word: &String| {
            let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
            word.len() <= MAX_LETTERS && (!has_digit || is_known(word))
        };
        if !readings.is_empty() || typed.len() > MAX_WORDS || !typed.iter().all(is_name) {
            return readings;
        }
        let english = self.nearest_name(typed, None);
        if let Some(Near { cost: 0, words }) = &english {
            return self.read_in_english(words);
        }
        let readings = self.read_in_languages(typed, false);
        // Of one slip, or another language, what the words say side by side is meant.
        let near = english.as_ref().filter(|near| near.cost <= SLIP);
        let corrected = near.map_or_else(Vec::new, |near| self.corrected(near, None));
        let is_phrase = |readings: &[Reading]| {
            readings.iter().any(|reading| self.fit(reading).is_some_and(|fit| fit.is_phrase))
        };
        if !readings.is_empty() && (is_phrase(&readings) || !is_phrase(&corrected)) {
            return readings;
        }
        if !corrected.is_empty() {
            return corrected;
        }
        let readings = self.read_in_languages(typed, true);
        if !readings.is_empty() {
            return readings;
        }
        let others = Translation::languages().filter_map(Translation::of);
        let others = others.filter_map(|t| Some((self.nearest_name(typed, Some(t))?, Some(t))));
        let near = english.map(|near| (near, None)).into_iter().chain(others);
        let nearest = near.min_by_key(|(near, _)| near.cost);
        nearest.map_or_else(Vec::new, |(near, translation)| self.corrected(&near, translation))
    }

    /// The readings of words that are near to what was typed.
    fn corrected(&self, near: &Near, translation: Option<&Translation>) -> Vec<Reading> {
        let mut readings = match translation {
            None => self.read_in_english(&near.words),
            Some(t) => self.read_in(t, &near.words, true).map(|read| read.0).into_iter().collect(),
        };
        if near.cost > 0 {
            let written = self.as_written(&near.words, &readings);
            readings.iter_mut().for_each(|r| r.found_by = FoundBy::Nearest(written.clone()));
        }
        readings
    }

    /// Words as they are written in the first name that has them.
    fn as_written(&self, near: &[String], readings: &[Reading]) -> String {
        let best = readings.iter().find_map(|reading| {
            let ranks = self.ranks(reading).enumerate();
            let ranked = ranks.filter_map(|(at, rank)| Some((rank?, at)));
            ranked.min().map(|(_, at)| (at, reading.translation()))
        });
        let (at, translation) = best.unwrap_or_default();
        let english = self.names().written.get(at).map_or("", String::as_str);
        let texts =
            [english.to_owned(), translation.map_or_else(String::new, |t| t.translate(english))];
        let parts = || {
            texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '\''))
        };
        let written = near.iter().map(|word| {
            let is_it = |part: &&str| words(part).eq([one_spelling(word)]);
            parts().find(is_it).unwrap_or(word).to_owned()
        });
        written.collect::<Vec<_>>().join(" ")
    }

    fn other_names(&self) -> &OtherNames {
        self.on_demand.aliases.get_or_init(|| {
            let lines = self.lines().iter();
            let own = lines.flat_map(|line| line.aliases.iter().map(move |alias| (alias, line)));
            OtherNames::new(own.map(|(alias, line)| (&*alias.name, line.opening.english_name())))
        })
    }

    /// How well a reading fits the name that it fits best.
    fn fit(&self, reading: &Reading) -> Option<Fit> {
        let (_, by_beginning, (has_others, is_apart, ..), ..) =
            self.ranks(reading).flatten().min()?;
        Some(Fit { by_beginning, is_phrase: !is_apart, is_exact: !has_others })
    }

    /// Words of English names, and other names. A name of just these words comes first, then one
    /// that all of them stand for, then whole words, then a name that some of them stand for;
    /// beginnings of words, which may be short, count only without these.
    fn read_in_english(&self, typed: &[String]) -> Vec<Reading> {
        let plain = Reading::new(spelled(typed));
        let fit = self.fit(&plain);
        let place = if fit.is_some_and(|fit| fit.is_exact) { 0 } else { 2 };
        let is_kind = |word: &String| KINDS.contains(&one_spelling(word));
        let (mut readings, mut within) = (Vec::new(), Vec::new());
        for range in ranges(typed.len()) {
            let Some(other) = self.other_names().get(&typed[range.clone()]) else { continue };
            let (before, after) = (&typed[..range.start], &typed[range.end..]);
            let rest: Vec<String> = before.iter().chain(after).cloned().collect();
            let is_in_name =
                spelled(&typed[range]).iter().all(|word| other.beginning.contains(word));
            let found_by = match is_in_name {
                true => FoundBy::Name,
                false => FoundBy::Alias { alias: other.alias.clone(), name: other.name.clone() },
            };
            let reading = |words| Reading {
                beginning: other.beginning.clone(),
                found_by: found_by.clone(),
                place: 1,
                ..Reading::new(words)
            };
            let (whole, part) = (reading(Vec::new()), reading(spelled(&rest)));
            if rest.iter().all(is_kind)
                && (rest.is_empty() || !fit.is_some_and(|fit| fit.is_whole() && fit.is_phrase))
            {
                readings.extend(self.fit(&whole).map(|_| whole));
                break;
            }
            within.extend(self.fit(&part).map(|_| part));
        }
        let is_whole = fit.is_some_and(Fit::is_whole);
        if readings.is_empty() && !is_whole {
            readings = within;
        }
        if is_whole || readings.is_empty() && fit.is_some() {
            readings.push(Reading { place, ..plain });
        }
        readings
    }

    /// The reading in a language, alone or mixed with English, and the number of words that match
    /// only by their beginning.
    fn read_in(
        &self,
        t: &Translation,
        typed: &[String],
        is_mixed: bool,
    ) -> Option<(Reading, usize)> {
        let language = t.language();
        let found_by = FoundBy::Language(language);
        let reading = Reading {
            language: Some(language),
            is_mixed,
            found_by,
            ..Reading::new(spelled(typed))
        };
        let by_beginning = self.fit(&reading)?.by_beginning;
        Some((reading, by_beginning))
    }

    /// The readings in the languages that fit best.
    fn read_in_languages(&self, typed: &[String], is_mixed: bool) -> Vec<Reading> {
        let translations = Translation::languages().filter_map(Translation::of);
        let all: Vec<_> = translations.filter_map(|t| self.read_in(t, typed, is_mixed)).collect();
        let least = all.iter().map(|(_, by_beginning)| *by_beginning).min();
        let fitting = all.into_iter().filter(|(_, by_beginning)| Some(*by_beginning) == least);
        fitting.map(|(reading, _)| reading).collect()
    }

    /// The words of the name that is nearest to these: of names that are equally near, the one that
    /// is played most.
    fn nearest_name(&self, typed: &[String], translation: Option<&Translation>) -> Option<Near> {
        let (names, pieces) = (self.names(), self.pieces(translation));
        let sought = Sought::new(typed, translation);
        let costs: Costs = pieces.all.iter().flat_map(|piece| sought.costs(piece)).collect();
        let near = pieces.of_names.iter().zip(&names.games).filter_map(|(of_name, games)| {
            Some((sought.least_cost(of_name, &costs)?, Reverse(games), of_name))
        });
        let (cost, _, of_name) = near.min()?;
        let words = sought.nearest(of_name, &costs).into_iter();
        let words: Vec<String> = words.flat_map(|piece| pieces.all[piece].words()).collect();
        (!words.is_empty()).then_some(Near { cost, words })
    }
}

/// The ranges of some words, the longest first, then from the left; none of too many.
fn ranges(words: usize) -> impl Iterator<Item = Range<usize>> {
    let longest = if words > MAX_WORDS { 0 } else { words };
    let lengths = (1..=longest).rev();
    lengths.flat_map(move |length| (0..=words - length).map(move |at| at..at + length))
}

/// Words that are compared with those of many names.
struct Sought {
    /// Each word, then each with the next one.
    parts: Vec<HeardWord>,
    /// Whether a word may be missing, since it says only what kind of thing has the name.
    is_kind: Vec<bool>,
}

/// What it costs to take each part for each piece of names, piece by piece; `None` if it cannot be
/// meant.
type Costs = Vec<Option<u8>>;

/// The cost of all words so far, how many of the last are taken as one, and for which piece of a
/// name; `None` if it lacks them.
type Step = (u8, usize, Option<usize>);

impl HeardWord {
    /// What it costs to take it for a piece of a name. A slip in the first letter is rare, and much
    /// of what is near to a word begins otherwise.
    fn cost(&self, piece: &Piece) -> Option<u8> {
        const SHORTEST: usize = 3;
        let (Self { text, .. }, of_piece) = (self, &piece.word);
        if self.initial != of_piece.initial {
            return None;
        }
        if *text == of_piece.text || !piece.is_joined() && is_inflected(&of_piece.text, text) {
            return Some(0);
        }
        if !piece.is_joined() && text.len() >= SHORTEST && of_piece.text.starts_with(text.as_str())
        {
            return Some(1);
        }
        let most = match text.len().min(of_piece.text.len()) {
            0..4 => 0,
            4..7 => 1,
            _ => 2,
        };
        let different = |a: u32, b: u32| (a & !b).count_ones() as usize;
        let (own, others) = (self.letters, of_piece.letters);
        let least = different(own, others).max(different(others, own));
        let longer = of_piece.text.len().abs_diff(text.len());
        let is_near = longer <= most && least <= most;
        let edits = is_near.then(|| edits(text, &of_piece.text)).filter(|edits| *edits <= most);
        let sounds_so = || self.sound.len() >= SHORTEST && of_piece.sound == self.sound;
        // Few sounds differ by more than this in letters.
        let may_sound = least <= 2 && longer <= 2;
        match edits {
            Some(edits) if edits > 1 && sounds_so() => Some(SLIP),
            Some(edits) => Some(SLIP * edits as u8),
            None => (may_sound && sounds_so()).then_some(SLIP),
        }
    }
}

impl Sought {
    fn new(typed: &[String], translation: Option<&Translation>) -> Self {
        let spelled: Vec<&str> = typed.iter().map(|word| one_spelling(word)).collect();
        let parts = spelled.windows(1).chain(spelled.windows(2)).map(<[&str]>::concat);
        let rows = || translation.into_iter().flat_map(Translation::rows);
        let kinds: Vec<String> = KINDS.iter().map(|kind| format!("{{}} {kind}")).collect();
        let is_of_kind = |row: &&TranslationRow| {
            kinds.iter().any(|kind| row.component.eq_ignore_ascii_case(kind))
        };
        let of_kinds: Vec<String> =
            rows().filter(is_of_kind).flat_map(|row| words(row.translation)).collect();
        let is_kind = |word: &&str| KINDS.contains(word) || of_kinds.iter().any(|of| of == word);
        let is_kind = spelled.iter().map(is_kind).collect();
        Self { parts: parts.map(HeardWord::new).collect(), is_kind }
    }

    fn costs(&self, piece: &Piece) -> impl Iterator<Item = Option<u8>> {
        self.parts.iter().map(|part| part.cost(piece))
    }

    fn cost(&self, part: usize, piece: usize, costs: &Costs) -> Option<u8> {
        costs[piece * self.parts.len() + part]
    }

    /// The piece of a name that a part is taken for at least cost.
    fn best(&self, part: usize, of_name: &[usize], costs: &Costs) -> Option<(u8, usize)> {
        of_name.iter().filter_map(|piece| Some((self.cost(part, *piece, costs)?, *piece))).min()
    }

    /// The last step to each number of words, the cheapest, for a name of these pieces.
    fn steps(&self, of_name: &[usize], costs: &Costs) -> Vec<Option<Step>> {
        let count = self.is_kind.len();
        let mut steps = vec![Some((0, 0, None))];
        for end in 1..=count {
            let best = |words, part| {
                let (cost, piece) = self.best(part, of_name, costs)?;
                Some((cost, words, Some(piece)))
            };
            let single = best(1, end - 1);
            let joined = end.checked_sub(2).and_then(|at| best(2, count + at));
            let missing = self.is_kind[end - 1].then_some((1, 1, None));
            let all = single.into_iter().chain(joined).chain(missing);
            let affordable = all.filter_map(|(cost, words, piece)| {
                let (before, ..) = steps[end - words]?;
                Some((before + cost, words, piece)).filter(|(cost, ..)| *cost <= MAX_COST)
            });
            let step = affordable.min_by_key(|(cost, ..)| *cost);
            steps.push(step);
        }
        steps
    }

    fn least_cost(&self, of_name: &[usize], costs: &Costs) -> Option<u8> {
        let has =
            |part: usize| of_name.iter().any(|piece| self.cost(part, *piece, costs).is_some());
        // Nearly all names lack the first word.
        if !(self.is_kind[0] || has(0) || self.is_kind.len() > 1 && has(self.is_kind.len())) {
            return None;
        }
        self.steps(of_name, costs).pop().flatten().map(|(cost, ..)| cost)
    }

    /// The pieces of a name that all words are taken for at the least cost.
    fn nearest(&self, of_name: &[usize], costs: &Costs) -> Vec<usize> {
        let steps = self.steps(of_name, costs);
        let (mut pieces, mut end) = (Vec::new(), steps.len() - 1);
        while let Some((_, words @ 1.., piece)) = steps[end] {
            pieces.extend(piece);
            end -= words;
        }
        pieces.reverse();
        pieces
    }
}
