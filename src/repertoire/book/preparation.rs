//! All that is prepared in a repertoire, by its sources and their chapters.
//!
//! The book is the union of all chapters, in their order: where several have a position, the moves
//! of the first one come first. Nothing else decides on the book, so a source that takes the place
//! of an earlier one leaves no trace of that.

use std::collections::HashMap;

use super::{cut, graph::Book, note::Note, rule::BookRule};
use crate::chess::{Color, PositionKey, UciMove};

/// The sources of what is prepared, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preparation {
    sources: Vec<PreparedSource>,
    /// Where the source of a name is.
    places: HashMap<String, usize>,
}

/// A source of prepared lines: a file, or a study.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSource {
    /// The name by which it is known again; empty if nothing is known of it.
    pub name: String,
    /// Its chapters in order.
    pub chapters: Vec<PreparedChapter>,
}

/// A chapter of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedChapter {
    /// Its address, or else its name, or else its number in the source.
    pub identity: String,
    /// The study that it belongs to; empty if there is none.
    pub study: String,
    /// Its name, which is the source of its notes.
    pub name: String,
    /// The tags of its game, by name and value, in their order; empty if it is not from PGN.
    pub tags: Vec<(String, String)>,
    /// Its lines.
    pub book: Book,
}

/// What is said of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// A comment, which is added.
    Comment(String),
    /// A comment in place of those that the move has; glyphs and commands, such as arrows, stay.
    NewComment(String),
    /// A numeric annotation glyph. Of the six that judge a move, from `!` to `?!`, it has one.
    Glyph(u8),
    /// Nothing any more: notes are removed.
    Nothing,
}

impl PreparedSource {
    /// The lines of a book as a source with one chapter.
    #[must_use]
    pub fn of_book(name: &str, book: Book) -> Self {
        let (identity, study) = ("1".to_owned(), String::new());
        let (name, tags) = (name.to_owned(), Vec::new());
        let chapter = PreparedChapter { identity, study, name: name.clone(), tags, book };
        Self { name, chapters: vec![chapter] }
    }

    fn drop_blank(&mut self) {
        self.chapters.retain(|chapter| !chapter.book.is_blank());
    }
}

impl Preparation {
    /// Sources in their order.
    #[must_use]
    pub fn new(sources: Vec<PreparedSource>) -> Self {
        let mut preparation = Self { sources, places: HashMap::new() };
        preparation.find_places();
        preparation
    }

    fn find_places(&mut self) {
        let names = self.sources.iter().map(|source| source.name.clone());
        // Of two sources of one name the first is found.
        self.places = names.enumerate().map(|(place, name)| (name, place)).rev().collect();
    }

    /// The sources in order.
    #[must_use]
    pub fn sources(&self) -> &[PreparedSource] {
        &self.sources
    }

    /// The source of this name.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&PreparedSource> {
        self.places.get(name).map(|place| &self.sources[*place])
    }

    fn source_mut(&mut self, name: &str) -> Option<&mut PreparedSource> {
        self.places.get(name).map(|place| &mut self.sources[*place])
    }

    /// All chapters in order.
    pub fn chapters(&self) -> impl Iterator<Item = &PreparedChapter> {
        self.sources.iter().flat_map(|source| &source.chapters)
    }

    /// Puts a source in the place of the one of its name, or after all others.
    pub fn replace(&mut self, mut source: PreparedSource) {
        source.drop_blank();
        let is_blank = source.chapters.is_empty();
        match self.source_mut(&source.name) {
            Some(known) => *known = source,
            None if is_blank => return,
            None => {
                self.places.insert(source.name.clone(), self.sources.len());
                self.sources.push(source);
            }
        }
        if is_blank {
            self.drop_blank();
        }
    }

    /// Puts the chapters of a source in the places of those of the same identity, and the others
    /// after all that the source of its name has, whose other chapters stay.
    pub fn replace_chapters(&mut self, source: PreparedSource) {
        self.join(source, |known, chapter| *known = chapter);
    }

    /// Adds the lines of a source to those of the source of its name, chapter by chapter.
    pub fn merge(&mut self, source: PreparedSource) {
        self.join(source, |known, chapter| known.book.merge_prepared(&chapter.book));
    }

    /// Adds a source to the one of its name; `join` has a chapter that is known, and its new form.
    fn join(
        &mut self,
        source: PreparedSource,
        join: impl Fn(&mut PreparedChapter, PreparedChapter),
    ) {
        let Some(known) = self.source_mut(&source.name) else { return self.replace(source) };
        let identities = known.chapters.iter().map(|chapter| chapter.identity.clone());
        let places = identities.enumerate().map(|(place, identity)| (identity, place));
        let mut places: HashMap<String, usize> = places.rev().collect();
        for chapter in source.chapters {
            let next = known.chapters.len();
            match *places.entry(chapter.identity.clone()).or_insert(next) {
                place if place == next => known.chapters.push(chapter),
                place => join(&mut known.chapters[place], chapter),
            }
        }
        known.drop_blank();
        if known.chapters.is_empty() {
            self.drop_blank();
        }
    }

    /// Removes a source. Returns whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.sources.len();
        self.sources.retain(|source| source.name != name);
        self.find_places();
        self.sources.len() < before
    }

    /// Removes a move from all chapters, with what only it leads to. What another chapter leads to
    /// stays, and belongs to that chapter then. Returns whether any chapter has the move.
    pub fn cut(&mut self, key: &PositionKey, uci: UciMove) -> bool {
        let whole = self.to_book(Color::White);
        if !whole.prepares(key, uci) {
            return false;
        }
        let mut chapters: Vec<&mut Book> =
            self.sources.iter_mut().flat_map(|s| &mut s.chapters).map(|c| &mut c.book).collect();
        cut::cut(&mut chapters, &whole, key, uci);
        self.drop_blank();
        true
    }

    /// Makes a prepared move the main one of its position. No chapter gets a move that it does not
    /// have: in the first one that has it, the move becomes the first choice there, before those of
    /// other chapters. Returns whether the move is prepared.
    pub fn make_main(&mut self, key: &PositionKey, uci: UciMove) -> bool {
        let mut chapters: Vec<&mut Book> =
            self.sources.iter_mut().flat_map(|s| &mut s.chapters).map(|c| &mut c.book).collect();
        let Some(place) = chapters.iter().position(|book| book.prepares(key, uci)) else {
            return false;
        };
        chapters.iter_mut().for_each(|book| book.unchoose(key));
        let is_first = chapters[..place].iter().all(|book| book.main_move(key).is_none());
        chapters[place].make_main(key, uci);
        if !is_first {
            chapters[place].choose(key, uci);
        }
        true
    }

    /// Says something of a prepared move, in the first chapter that has it. Returns whether any has
    /// it.
    pub fn remark(&mut self, key: &PositionKey, uci: UciMove, remark: &Remark) -> bool {
        let mut is_prepared = false;
        for chapter in self.sources.iter_mut().flat_map(|source| &mut source.chapters) {
            let Some(notes) = chapter.book.notes_on(key, uci) else { continue };
            let is_first = !std::mem::replace(&mut is_prepared, true);
            match remark {
                Remark::NewComment(text) => {
                    Note::keep_commands(notes);
                    if is_first {
                        Note::of_comment(&chapter.name, text.as_bytes()).merge_into(notes);
                    }
                    continue;
                }
                Remark::Comment(text) => {
                    Note::of_comment(&chapter.name, text.as_bytes()).merge_into(notes);
                }
                Remark::Glyph(nag) => Note::set_nag(notes, &chapter.name, *nag),
                Remark::Nothing => {
                    notes.clear();
                    continue;
                }
            }
            break;
        }
        is_prepared
    }

    /// The book: the lines of all chapters.
    #[must_use]
    pub fn to_book(&self, color: Color) -> Book {
        let mut book = Book::new(color, BookRule::default());
        self.chapters().for_each(|chapter| book.merge_chosen(&chapter.book));
        self.chapters().for_each(|chapter| book.merge_prepared(&chapter.book));
        book
    }

    fn drop_blank(&mut self) {
        self.sources.iter_mut().for_each(PreparedSource::drop_blank);
        self.sources.retain(|source| !source.chapters.is_empty());
        self.find_places();
    }
}
