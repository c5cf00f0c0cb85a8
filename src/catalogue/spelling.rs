//! Words in the form in which names and searches are compared, and the table of other names,
//! `data/names/aliases.tsv`, whose README says what it holds.

use std::sync::OnceLock;

use deunicode::deunicode;
use hashbrown::HashMap;

use crate::packed::{Packed, packed};

/// What openings are called besides.
static TABLE: Packed = packed!("aliases.tsv");

/// Words that say what kind of thing has a name, and which of them is chosen differs.
pub(super) const KINDS: [&str; 7] =
    ["attack", "defense", "game", "line", "opening", "system", "variation"];

/// The rows of the table: another name of an opening, and its name or its code, or what names begin
/// with; or another spelling of a word, and the word in small letters.
fn rows<'t>() -> impl Iterator<Item = (&'t str, &'t str)> {
    TABLE.text().lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        columns.next().zip(columns.next())
    })
}

/// Whether a row is about a word, wherever it stands.
fn is_spelling((_, opening): &(&str, &str)) -> bool {
    !opening.contains(|c: char| c.is_uppercase() || c.is_whitespace())
}

/// The other names of openings that are built in.
pub(super) fn aliases<'t>() -> impl Iterator<Item = (&'t str, &'t str)> {
    rows().filter(|row| !is_spelling(row))
}

/// The words to which others are equal, by those.
fn spellings() -> &'static HashMap<&'static str, &'static str> {
    static SPELLINGS: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    SPELLINGS.get_or_init(|| rows().filter(is_spelling).collect())
}

/// A text in ASCII: letters lose their accents, other scripts are transliterated.
pub(crate) fn plain_letters(text: &str) -> String {
    deunicode(text)
}

/// No name has more words, so a longer search means nothing.
pub(super) const MAX_WORDS: usize = 32;

/// The words of a text, at most one more than any name has. They are as they are written, but for
/// capitals, accents and a final `s`; umlauts that are written with an `e` become single letters.
pub(super) fn typed_words(text: &str) -> Vec<String> {
    let mut plain = if text.is_ascii() { text.to_owned() } else { plain_letters(text) };
    plain.make_ascii_lowercase();
    plain.retain(|letter| !matches!(letter, '\'' | '`'));
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(bare).take(MAX_WORDS + 1).collect()
}

fn bare(word: &str) -> String {
    let bare = word.strip_suffix('s').filter(|bare| bare.len() > 2 && !bare.ends_with('s'));
    let mut letters = String::with_capacity(word.len());
    for letter in bare.unwrap_or(word).chars() {
        if letter != 'e' || !letters.ends_with(['a', 'o', 'u']) {
            letters.push(letter);
        }
    }
    letters
}

/// A word in the first of its spellings.
pub(super) fn one_spelling(word: &str) -> &str {
    spellings().get(word).copied().unwrap_or(word)
}

/// Words in the first of their spellings.
pub(super) fn spelled(words: &[String]) -> Vec<String> {
    words.iter().map(|word| one_spelling(word).to_owned()).collect()
}

/// The words of a text, in the form in which they are compared.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    spelled(&typed_words(text)).into_iter()
}

/// The words that have a spelling which begins like this word, but do not do so themselves.
pub(super) fn spelled_like(word: &str) -> impl Iterator<Item = &'static str> {
    let like = spellings()
        .iter()
        .filter(move |(other, one)| other.starts_with(word) && !one.starts_with(word));
    like.map(|(_, one)| *one)
}

/// Whether a word lacks only an ending: `sizilianisch` of `sizilianische`.
pub(super) fn is_inflected(of_name: &str, word: &str) -> bool {
    const STEM: usize = 5;
    const ENDING: usize = 3;
    word.len() >= STEM && of_name.len() <= word.len() + ENDING && of_name.starts_with(word)
}

/// A word with what it is compared by when it may have slips.
#[derive(Debug, Clone)]
pub(super) struct HeardWord {
    pub(super) text: String,
    pub(super) sound: String,
    /// The sound of its first letter.
    pub(super) initial: Option<char>,
    /// The set of its letters.
    pub(super) letters: u32,
}

impl HeardWord {
    pub(super) fn new(text: String) -> Self {
        let initial = sound(text.get(..1).unwrap_or_default()).chars().next();
        let letters = text.bytes().fold(0, |letters, byte| letters | 1 << (byte % 32));
        Self { sound: sound(&text), initial, letters, text }
    }
}

/// A word as it may sound: letters that stand for one sound are equal, and double ones single.
fn sound(word: &str) -> String {
    let mut sound = String::with_capacity(word.len());
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let same = match (letter, next) {
            ('p', Some('h')) => {
                letters.next();
                'f'
            }
            ('c', Some('e' | 'i' | 'y')) | ('z', _) => 's',
            ('c', Some('h')) => 'c',
            ('c' | 'q', _) => 'k',
            ('w', _) => 'v',
            ('y' | 'j', _) => 'i',
            _ => letter,
        };
        if !sound.ends_with(same) {
            sound.push(same);
        }
    }
    sound
}
