//! The names of a catalogue, each once: their words, and how often they are played.
//!
//! How often is known from games of `data/names/games.tsv`. A name counts as often as all names
//! that begin with its words, so that no variation stands before its opening.

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::spelling::{HeardWord, aliases, one_spelling, typed_words, words};
use crate::opening::Opening;
use crate::packed::{Packed, packed};

/// The number of games by name.
static GAMES: Packed = packed!("games.tsv");

/// The number of games of each name that has any.
fn games() -> &'static HashMap<&'static str, u64> {
    static READ: OnceLock<HashMap<&str, u64>> = OnceLock::new();
    READ.get_or_init(|| {
        let rows = GAMES.text().lines().skip(1).filter_map(|row| row.split_once('\t'));
        rows.filter_map(|(name, games)| Some((name, games.parse().ok()?))).collect()
    })
}

/// The number of games of exactly this name.
pub(super) fn games_of(name: &str) -> u64 {
    games().get(name).copied().unwrap_or(0)
}

/// A name, as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// Its words, with a blank between them.
    pub(super) text: String,
    /// Where its variation begins, and where its subvariation does, by the number of words.
    parts: [usize; 2],
}

impl Name {
    /// The words of a full name.
    pub(super) fn new(name: &str) -> Self {
        let opening = Opening::new(None, name);
        let (mut text, mut parts) = (String::with_capacity(name.len()), [0; 3]);
        let mut count = 0;
        for (part, end) in opening.lossless_parts().into_iter().zip(&mut parts) {
            for word in words(part) {
                if count > 0 {
                    text.push(' ');
                }
                text.push_str(&word);
                count += 1;
            }
            *end = count;
        }
        Self { text, parts: [parts[0], parts[1]] }
    }

    pub(super) fn words(&self) -> Vec<&str> {
        self.text.split(' ').collect()
    }

    /// In which part of the name a word stands: 0 for the family, 1 for the variation, 2 for what
    /// follows.
    pub(super) fn depth(&self, word: usize) -> usize {
        self.parts.iter().filter(|start| word >= **start).count()
    }
}

/// The names of a catalogue in a language, and their words beside the English ones.
pub(super) type TranslatedNames = (OnceLock<Vec<Name>>, OnceLock<Pieces>);

/// The names of a catalogue.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) all: Vec<Name>,
    /// As they are written in English.
    pub(super) written: Vec<String>,
    /// The number of games of each name, and of those that begin with it.
    pub(super) games: Vec<u64>,
    /// The index of the name of each line.
    pub(super) of_lines: Vec<usize>,
}

impl Names {
    pub(super) fn new<'o>(openings: impl Iterator<Item = &'o Opening>) -> Self {
        let (mut by_name, mut written) = (HashMap::new(), Vec::new());
        let mut index = |opening: &'o Opening| {
            *by_name.entry(opening.english_name()).or_insert_with(|| {
                written.push(opening.english_name().to_owned());
                written.len() - 1
            })
        };
        let of_lines: Vec<usize> = openings.map(&mut index).collect();
        let all: Vec<Name> = written.iter().map(|name| Name::new(name)).collect();
        let games = summed(&all, &written);
        Self { all, written, games, of_lines }
    }
}

/// The games of each name and of all that begin with its words.
fn summed(names: &[Name], written: &[String]) -> Vec<u64> {
    let mut sums = HashMap::<&str, u64>::new();
    for (Name { text, .. }, written) in names.iter().zip(written) {
        let ends = text.match_indices(' ').map(|(end, _)| end);
        for end in ends.chain([text.len()]) {
            *sums.entry(&text[..end]).or_default() += games_of(written);
        }
    }
    names.iter().map(|name| sums[&*name.text]).collect()
}

/// The words of names, and those that stand side by side as one, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces {
    pub(super) all: Vec<Piece>,
    /// The places in `all` of those of each name.
    pub(super) of_names: Vec<Vec<usize>>,
}

/// A word, or two as one.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) word: HeardWord,
    /// Where the second word begins; the length, if there is none.
    second: usize,
}

impl Piece {
    pub(super) fn is_joined(&self) -> bool {
        self.second < self.word.text.len()
    }

    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        let (first, second) = self.word.text.split_at(self.second);
        [first, second].into_iter().filter(|word| !word.is_empty()).map(str::to_owned)
    }
}

impl Pieces {
    /// Those of names of these words.
    pub(super) fn new<'n>(names: impl Iterator<Item = Vec<&'n str>>) -> Self {
        let (mut known, mut all) = (HashMap::<(String, usize), usize>::new(), Vec::new());
        let mut place = |words: &[&str]| {
            let piece = (words.concat(), words[0].len());
            *known.entry(piece).or_insert_with_key(|(text, second)| {
                all.push(Piece { word: HeardWord::new(text.clone()), second: *second });
                all.len() - 1
            })
        };
        let mut of_name = |words: Vec<&str>| {
            let pieces = words.windows(1).chain(words.windows(2));
            pieces.map(&mut place).collect()
        };
        let of_names = names.map(&mut of_name).collect();
        Self { all, of_names }
    }
}

/// Other names of openings, by their words without what stands between them.
#[derive(Debug, Clone)]
pub(super) struct OtherNames(HashMap<String, OtherName>);

/// Another name of an opening.
#[derive(Debug, Clone)]
pub(super) struct OtherName {
    /// As it is written.
    pub(super) alias: String,
    /// What it is another name of, as that is written.
    pub(super) name: String,
    /// The words with which the names that it stands for begin.
    pub(super) beginning: Vec<String>,
}

impl OtherNames {
    /// Those that are built in, and these, which win over them, of an alias and a name.
    pub(super) fn new<'a>(own: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut by_words = HashMap::new();
        for (alias, name) in aliases().chain(own) {
            let beginning: Vec<String> = words(name).collect();
            let typed = typed_words(alias);
            let other = OtherName { alias: alias.to_owned(), name: name.to_owned(), beginning };
            // As it is written comes before other spellings.
            let spelled = typed.iter().map(|word| one_spelling(word)).collect();
            by_words.entry(spelled).or_insert_with(|| other.clone());
            by_words.insert(typed.concat(), other);
        }
        Self(by_words)
    }

    /// The opening that these words are another name of.
    pub(super) fn get(&self, typed: &[String]) -> Option<&OtherName> {
        let spelled = || typed.iter().map(|word| one_spelling(word)).collect::<String>();
        self.0.get(&typed.concat()).or_else(|| self.0.get(&spelled()))
    }
}
