//! The decks of a package: one for the repertoire, and one below it for each chapter.

use std::collections::HashMap;

use super::identity::deck_number;
use crate::{
    chess::PositionKey,
    output::sanitize,
    repertoire::{Preparation, PreparedChapter},
};

/// What Anki has between the names of a deck and of one below it.
const BELOW: &str = "::";

/// A deck.
pub(super) struct Deck {
    pub(super) id: i64,
    pub(super) name: String,
}

/// The decks, and the one of each position.
pub(super) struct Decks {
    /// The one of the repertoire first.
    decks: Vec<Deck>,
    places: HashMap<PositionKey, usize>,
}

impl Decks {
    /// The decks below one of this name. A position is in the deck of the first chapter that
    /// prepares a move there, and else in that of the repertoire.
    pub(super) fn new(name: &str, preparation: Option<&Preparation>) -> Self {
        let name = plain(name, "eco");
        let root = Deck { id: deck_number(&["repertoire"]), name };
        let mut decks = Self { decks: vec![root], places: HashMap::new() };
        let sources = preparation.map_or(&[][..], Preparation::sources);
        for source in sources {
            source.chapters.iter().for_each(|chapter| decks.add(&source.name, chapter));
        }
        decks
    }

    fn add(&mut self, source: &str, chapter: &PreparedChapter) {
        let name = plain(&chapter.name, &format!("Chapter {}", self.decks.len()));
        let name = [&self.decks[0].name, BELOW, &name].concat();
        // Anki knows decks by their names.
        let known = self.decks.iter().position(|deck| deck.name == name);
        let place = known.unwrap_or_else(|| {
            let id = deck_number(&[source, &chapter.identity]);
            self.decks.push(Deck { id, name });
            self.decks.len() - 1
        });
        let book = &chapter.book;
        for id in book.ids().filter(|id| book.is_own_turn(*id) && book.has_moves(*id)) {
            self.places.entry(*book.node(id).key()).or_insert(place);
        }
    }

    pub(super) fn all(&self) -> &[Deck] {
        &self.decks
    }

    /// The number of the deck of the repertoire.
    pub(super) fn root(&self) -> i64 {
        self.decks[0].id
    }

    /// The number of the deck of a position.
    pub(super) fn of(&self, key: &PositionKey) -> i64 {
        self.decks[self.places.get(key).copied().unwrap_or(0)].id
    }
}

/// A name that makes no deck below another.
fn plain(name: &str, default: &str) -> String {
    let mut name = sanitize(name.as_bytes()).trim().to_owned();
    while name.contains(BELOW) {
        name = name.replace(BELOW, ":");
    }
    // Anki drops empty names, and what a colon at an end could be part of is not clear.
    let name = name.trim_matches(':').trim();
    if name.is_empty() { default.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::{Book, BookRule, PreparedSource},
    };

    fn chapter(identity: &str, name: &str, line: &str) -> PreparedChapter {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare(line).unwrap();
        let (identity, name) = (identity.to_owned(), name.to_owned());
        PreparedChapter { identity, study: String::new(), name, tags: Vec::new(), book }
    }

    #[test]
    fn the_first_chapter_that_answers_a_position_has_it() {
        let chapters = vec![
            chapter("1", "Open::Games:", "1. e4 e5 2. Nf3"),
            chapter("2", "Sicilian", "1. e4 c5 2. Nf3"),
            chapter("3", " ", "1. e4 e6 2. d4"),
            chapter("4", "Sicilian", "1. e4 c6 2. d4"),
        ];
        let source = PreparedSource { name: "s.pgn".to_owned(), chapters };
        let preparation = Preparation::new(vec![source]);
        let decks = Decks::new("mine", Some(&preparation));
        let names: Vec<&str> = decks.all().iter().map(|deck| deck.name.as_str()).collect();
        assert_eq!(names, ["mine", "mine::Open:Games", "mine::Sicilian", "mine::Chapter 3"]);
        let book = preparation.to_book(Color::White);
        let key = |line: &str| {
            let mut book = book.clone();
            let id = book.prepare(line).unwrap();
            *book.node(id).key()
        };
        for (line, place) in [("", 1), ("1. e4 c5", 2), ("1. e4 e6", 3), ("1. e4 c6", 2)] {
            assert_eq!(decks.of(&key(line)), decks.all()[place].id, "after {line:?}");
        }
        assert_eq!(decks.of(&key("1. d4 d5")), decks.root());
    }

    #[test]
    fn numbers_of_decks_outlive_names_and_places() {
        let ids = |name: &str, chapters: Vec<PreparedChapter>| {
            let source = PreparedSource { name: "s.pgn".to_owned(), chapters };
            let decks = Decks::new(name, Some(&Preparation::new(vec![source])));
            let mut ids: Vec<i64> = decks.all().iter().map(|deck| deck.id).collect();
            ids.sort_unstable();
            ids
        };
        let (a, b) = (chapter("a", "A", "1. e4"), chapter("b", "B", "1. d4"));
        let renamed = chapter("a", "Other", "1. e4");
        assert_eq!(ids("x", vec![a, b.clone()]), ids("y", vec![b, renamed]));
    }
}
