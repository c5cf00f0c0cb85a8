//! All that is prepared in a repertoire, by its sources and their chapters.
//!
//! The book is the union of all chapters, in their order: where several have a position, the moves
//! of the first one come first. Nothing else decides on the book, so a source that takes the place
//! of an earlier one leaves no trace of that.
//!
//! Once a move is removed, a chapter may no longer reach a position that it goes on from, while
//! another chapter reaches it by other moves. What follows there is still part of the repertoire.
//! It moves to that chapter, so that each chapter can be played through from its beginning.

use std::collections::{HashMap, HashSet};
use std::{mem, sync::Arc};

use super::{Book, BookRule, Edit, EditConflict, EditKind, NodeId, Note};
use crate::chess::{Color, PositionKey, UciMove};

/// The sources of what is prepared, in order, and how they were edited.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preparation {
    sources: Vec<PreparedSource>,
    edits: Vec<Edit>,
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
    /// Its lines. Copies share them until one is changed.
    pub book: Arc<Book>,
}

impl PreparedSource {
    /// The lines of a book as a source with one chapter.
    pub fn of_book(name: &str, book: Book) -> Self {
        let (identity, study) = ("1".to_owned(), String::new());
        let (name, tags) = (name.to_owned(), Vec::new());
        let book = Arc::new(book);
        let chapter = PreparedChapter { identity, study, name: name.clone(), tags, book };
        Self { name, chapters: vec![chapter] }
    }

    fn drop_blank(&mut self) {
        self.chapters.retain(|chapter| !chapter.book.is_blank());
    }
}

impl Preparation {
    /// Sources in their order.
    pub fn new(sources: Vec<PreparedSource>) -> Self {
        let mut preparation = Self { sources, ..Self::default() };
        preparation.find_places();
        preparation
    }

    /// These sources, which have been edited so.
    pub(crate) fn with_edits(self, edits: Vec<Edit>) -> Self {
        Self { edits, ..self }
    }

    /// The edits of moves, in the order in which they are done again when a source is added again.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    fn find_places(&mut self) {
        let names = self.sources.iter().map(|source| source.name.clone());
        // Of two sources of one name the first is found.
        self.places = names.enumerate().map(|(place, name)| (name, place)).rev().collect();
    }

    /// The sources in order.
    pub fn sources(&self) -> &[PreparedSource] {
        &self.sources
    }

    /// The source of this name.
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
        self.join(source, |known, chapter| {
            Arc::make_mut(&mut known.book).merge_prepared(&chapter.book);
        });
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

    /// Adds the moves of a book to the source of this name, unless all are prepared. Returns the
    /// number of those that were not. Those that were removed before are so no longer.
    pub fn put(&mut self, source: &str, book: Book) -> usize {
        let moves = moves(&book);
        let new = moves.iter().filter(|(key, uci)| !self.prepares(key, *uci)).count();
        if new > 0 {
            self.merge(PreparedSource::of_book(source, book));
        }
        let is_put = |edit: &Edit| moves.contains(&(edit.key, edit.uci));
        self.edits.retain(|edit| edit.kind != EditKind::Cut || !is_put(edit));
        new
    }

    /// Whether any chapter has a move.
    pub fn prepares(&self, key: &PositionKey, uci: UciMove) -> bool {
        self.chapters().any(|chapter| chapter.book.prepares(key, uci))
    }

    /// Edits a prepared move, and keeps the edit, so that it is [done again](Self::edit_again).
    /// Returns whether the move is prepared.
    pub fn edit(&mut self, key: &PositionKey, uci: UciMove, kind: EditKind) -> bool {
        let replaced = self.said_of(key, uci, &kind);
        let mut edit = Edit { key: *key, uci, kind, replaced };
        let is_done = self.make(&edit);
        if is_done {
            // What the sources had is what the first of several edits replaced.
            if let Some(first) = self.edits.iter().find(|earlier| edit.is_about_what(earlier)) {
                edit.replaced.clone_from(&first.replaced);
            }
            self.edits.retain(|earlier| !edit.supersedes(earlier));
            self.edits.push(edit);
        }
        is_done
    }

    /// Does all edits again, after sources were added again. Returns those that no longer fit, and
    /// the moves that were removed again.
    pub fn edit_again(&mut self) -> Vec<EditConflict> {
        let edits = mem::take(&mut self.edits);
        let said =
            |preparation: &Self, edit: &Edit| preparation.said_of(&edit.key, edit.uci, &edit.kind);
        let before: Vec<String> = edits.iter().map(|edit| said(self, edit)).collect();
        let done: Vec<bool> = edits.iter().map(|edit| self.make(edit)).collect();
        let mut conflicts = Vec::new();
        for ((mut edit, before), is_done) in edits.into_iter().zip(before).zip(done) {
            let is_cut = edit.kind == EditKind::Cut;
            if !is_done && !is_cut {
                conflicts.push(EditConflict { edit, now: None });
                continue;
            }
            // Together, the edits may leave what was there: then they were done already.
            let is_new = before != said(self, &edit) && before != edit.replaced;
            if is_done && (is_cut || is_new) {
                edit.replaced.clone_from(&before);
                conflicts.push(EditConflict { edit: edit.clone(), now: Some(before) });
            }
            self.edits.push(edit);
        }
        conflicts
    }

    /// What an edit of this kind changes, as [`Edit::replaced`] has it.
    fn said_of(&self, key: &PositionKey, uci: UciMove, kind: &EditKind) -> String {
        let books = || self.chapters().map(|chapter| &chapter.book);
        let notes = || -> Vec<Note> {
            let edges = books().filter_map(|book| book.node(book.find(key)?).edge(uci));
            edges.flat_map(|edge| edge.notes().to_vec()).collect()
        };
        match kind {
            EditKind::Cut => String::new(),
            EditKind::Main => {
                let chosen = books().find_map(|book| book.chosen_move(key));
                let main = chosen.or_else(|| books().find_map(|book| book.main_move(key)));
                main.map_or(String::new(), |uci| uci.to_string())
            }
            EditKind::Comment(_) => Note::all_comments(&notes()).join(" "),
            EditKind::Glyph(_) | EditKind::NoGlyphs => {
                let nags = Note::all_nags(&notes());
                nags.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn make(&mut self, edit: &Edit) -> bool {
        let Edit { key, uci, kind, .. } = edit;
        match kind {
            EditKind::Cut => self.cut(key, *uci),
            EditKind::Main => self.make_main(key, *uci),
            remark => self.remark(key, *uci, remark),
        }
    }

    /// Removes a move from all chapters, with what only it leads to. What another chapter leads to
    /// stays, and belongs to that chapter then. Returns whether any chapter has the move.
    fn cut(&mut self, key: &PositionKey, uci: UciMove) -> bool {
        if !self.prepares(key, uci) {
            return false;
        }
        let whole = self.to_book(Color::White);
        let mut chapters: Vec<&mut Arc<Book>> = self.books_mut().collect();
        cut(&mut chapters, &whole, key, uci);
        self.drop_blank();
        true
    }

    /// Makes a prepared move the main one of its position. No chapter gets a move that it does not
    /// have: in the first one that has it, the move becomes the first choice there, before those of
    /// other chapters. Returns whether the move is prepared.
    fn make_main(&mut self, key: &PositionKey, uci: UciMove) -> bool {
        let mut chapters: Vec<&mut Book> = self
            .books_mut()
            .filter(|book| book.main_move(key).is_some())
            .map(Arc::make_mut)
            .collect();
        let Some(place) = chapters.iter().position(|book| book.prepares(key, uci)) else {
            return false;
        };
        chapters.iter_mut().for_each(|book| book.rank_moves(key, None));
        chapters[place].rank_moves(key, Some(uci));
        if chapters.len() > 1 {
            chapters[place].choose(key, uci);
        }
        true
    }

    /// Says something of a prepared move, in the first chapter that has it, and removes what it
    /// replaces from all. Returns whether any has it.
    fn remark(&mut self, key: &PositionKey, uci: UciMove, remark: &EditKind) -> bool {
        let mut is_prepared = false;
        for chapter in self.sources.iter_mut().flat_map(|source| &mut source.chapters) {
            if !chapter.book.prepares(key, uci) {
                continue;
            }
            let book = Arc::make_mut(&mut chapter.book);
            let notes = book.find(key).and_then(|from| book.move_notes_mut(from, uci));
            let Some(notes) = notes else { continue };
            let is_first = !std::mem::replace(&mut is_prepared, true);
            match remark {
                EditKind::Comment(text) => {
                    Note::make_room(notes, text);
                    if is_first {
                        Note::of_comment(&chapter.name, text.as_bytes()).merge_into(notes);
                    }
                }
                EditKind::Glyph(nag) if is_first => Note::set_nag(notes, &chapter.name, *nag),
                EditKind::NoGlyphs => Note::change(notes, |note| note.nags.clear()),
                EditKind::Glyph(_) | EditKind::Cut | EditKind::Main => {}
            }
        }
        is_prepared
    }

    /// The book: the lines of all chapters.
    pub fn to_book(&self, color: Color) -> Book {
        let mut book = Book::new(color, BookRule::default());
        self.chapters().for_each(|chapter| book.merge_chosen(&chapter.book));
        self.chapters().for_each(|chapter| book.merge_prepared(&chapter.book));
        book
    }

    fn books_mut(&mut self) -> impl Iterator<Item = &mut Arc<Book>> {
        let chapters = self.sources.iter_mut().flat_map(|source| &mut source.chapters);
        chapters.map(|chapter| &mut chapter.book)
    }

    fn drop_blank(&mut self) {
        self.sources.iter_mut().for_each(PreparedSource::drop_blank);
        self.sources.retain(|source| !source.chapters.is_empty());
        self.find_places();
    }
}

/// A position that a chapter no longer reaches.
struct Stranded {
    /// The place of the chapter.
    chapter: usize,
    /// The chapter as it was.
    book: Arc<Book>,
    id: NodeId,
}

/// Removes a move from chapters, given in their order, with what only it leads to. `whole` is the
/// book of all of them.
fn cut(chapters: &mut [&mut Arc<Book>], whole: &Book, key: &PositionKey, uci: UciMove) {
    let rest = whole.without(key, uci);
    let mut stranded = Vec::new();
    for (chapter, book) in chapters.iter_mut().enumerate() {
        if !book.prepares(key, uci) {
            continue;
        }
        let without = Arc::new(book.without(key, uci));
        let before = mem::replace(*book, without);
        let is_stranded = |id: &NodeId| {
            let key = &before.node(*id).key;
            let is_lost = book.find(key).is_none() && rest.find(key).is_some();
            is_lost && before.prepares_anything(*id)
        };
        let lost = before.ids().filter(is_stranded);
        stranded.extend(lost.map(|id| Stranded { chapter, book: before.clone(), id }));
    }
    // A line that has moved may lead to the next one.
    loop {
        let before = stranded.len();
        stranded.retain(|lost| !adopt(chapters, lost, whole));
        if stranded.len() == before {
            break;
        }
    }
}

/// Gives what is stranded to a chapter that has the position: the last one before its own, or else
/// the first one after it, which keeps the order of the moves in the book of all chapters. Returns
/// whether there is one.
fn adopt(chapters: &mut [&mut Arc<Book>], lost: &Stranded, whole: &Book) -> bool {
    let key = lost.book.node(lost.id).key;
    let has = |at: &usize| chapters[*at].find(&key).is_some();
    let heir =
        (0..lost.chapter).rev().find(has).or_else(|| (lost.chapter..chapters.len()).find(has));
    let Some(heir) = heir else { return false };
    let book = Arc::make_mut(chapters[heir]);
    let chosen = book.chosen_move(&key).or_else(|| lost.book.chosen_move(&key));
    let from = book.merge_position(&lost.book, lost.id);
    let order = whole.find(&key).map(|id| whole.prepared_edges(id)).unwrap_or_default();
    for (ordinal, (edge, _)) in (1..).zip(order) {
        book.rank_move(from, edge.uci, ordinal);
    }
    chosen.into_iter().for_each(|uci| book.choose(&key, uci));
    true
}

/// What one preparation has, and another one has not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreparationChange {
    /// The number of moves that are in no chapter any more.
    pub moves_gone: usize,
    /// The number of moves that no chapter had.
    pub moves_come: usize,
    /// The names of the chapters that are gone.
    pub chapters_gone: Vec<String>,
    /// Those of the chapters that are new.
    pub chapters_come: Vec<String>,
    /// Those of the chapters that are gone, or are not what they were.
    pub chapters_changed: Vec<String>,
}

impl PreparationChange {
    /// What is different in the second one. `books` are those of both.
    pub fn between(before: &Preparation, after: &Preparation, books: [&Book; 2]) -> Self {
        let [moves_before, moves_after] = books.map(moves);
        Self {
            moves_gone: moves_before.difference(&moves_after).count(),
            moves_come: moves_after.difference(&moves_before).count(),
            chapters_gone: chapters_without(before, after, |_, _| true),
            chapters_come: chapters_without(after, before, |_, _| true),
            chapters_changed: chapters_without(before, after, |old, new| {
                Arc::ptr_eq(&old.book, &new.book) || old == new
            }),
        }
    }
}

fn moves(book: &Book) -> HashSet<(PositionKey, UciMove)> {
    let moves = book.ids().flat_map(|id| {
        let edges = book.prepared_edges(id).into_iter();
        edges.map(move |(edge, _)| (id, edge.uci)).collect::<Vec<_>>()
    });
    moves.map(|(id, uci)| (book.node(id).key, uci)).collect()
}

/// The names of the chapters of the first one that are like none of their identity in the second.
fn chapters_without(
    first: &Preparation,
    second: &Preparation,
    is_like: impl Fn(&PreparedChapter, &PreparedChapter) -> bool,
) -> Vec<String> {
    let mut known: HashMap<(&str, &str), Vec<&PreparedChapter>> = HashMap::new();
    for (source, chapter) in chapters(second) {
        known.entry((&source.name, &chapter.identity)).or_default().push(chapter);
    }
    let has_like = |source: &PreparedSource, chapter: &PreparedChapter| {
        let others = known.get(&(&*source.name, &*chapter.identity));
        others.is_some_and(|others| others.iter().any(|other| is_like(chapter, other)))
    };
    let only = chapters(first).filter(|(source, chapter)| !has_like(source, chapter));
    only.map(|(_, chapter)| chapter.name.clone()).collect()
}

fn chapters(
    preparation: &Preparation,
) -> impl Iterator<Item = (&PreparedSource, &PreparedChapter)> {
    let sources = preparation.sources().iter();
    sources.flat_map(|source| source.chapters.iter().map(move |chapter| (source, chapter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preparation(chapters: &[&str]) -> Preparation {
        let chapter = |(at, text): (usize, &&str)| {
            let mut book = Book::new(Color::White, BookRule::default());
            for line in text.split(" / ") {
                book.prepare(line).unwrap();
            }
            let (identity, study) = (at.to_string(), String::new());
            let book = Arc::new(book);
            PreparedChapter { name: identity.clone(), identity, study, tags: Vec::new(), book }
        };
        let chapters = chapters.iter().enumerate().map(chapter).collect();
        Preparation::new(vec![PreparedSource { name: "s".to_owned(), chapters }])
    }

    fn last_move(line: &str) -> (PositionKey, UciMove) {
        let mut book = Book::new(Color::White, BookRule::default());
        let end = book.prepare(line).unwrap();
        let before = book.ids().find(|id| book.node(*id).edges.iter().any(|edge| edge.to == end));
        let before = book.node(before.unwrap());
        (before.key, before.edges[0].uci)
    }

    /// What a repertoire of the chapters has after the cut, and each chapter.
    #[test]
    fn what_another_chapter_leads_to_stays_with_it() {
        for (chapters, cut, rest, counts) in [
            // The second chapter comes to the position after 2. c4 by another order of moves.
            (
                &["1. d4 Nf6 2. c4 e6 3. Nc3", "1. c4 Nf6 2. d4"][..],
                "1. d4",
                "1. c4 Nf6 2. d4 e6 3. Nc3",
                &[5][..],
            ),
            (&["1. d4 Nf6 2. c4 e6", "1. c4 e5"], "1. d4", "1. c4 e5", &[2]),
            // What the second chapter has lost leads to what the first one has lost.
            (
                &["1. d4 d5 2. c4 e6 3. Nc3 Nf6", "1. d4 e6 2. c4 d5", "1. c4 e6 2. d4"],
                "1. d4",
                "1. c4 e6 2. d4 d5 3. Nc3 Nf6",
                &[6],
            ),
            (&["1. d4 d5 2. c4", "1. e4 e5"], "1. e4", "1. d4 d5 2. c4", &[3]),
        ] {
            let mut changed = preparation(chapters);
            let (key, uci) = last_move(cut);
            assert!(changed.cut(&key, uci), "{chapters:?}");
            let moves = |preparation: &Preparation| {
                let book = preparation.to_book(Color::White);
                let mut moves: Vec<_> = book
                    .ids()
                    .flat_map(|id| {
                        let edges = book.prepared_edges(id).into_iter();
                        edges.map(|(edge, _)| (book.node(id).key, edge.uci)).collect::<Vec<_>>()
                    })
                    .collect();
                moves.sort();
                moves
            };
            assert_eq!(moves(&changed), moves(&preparation(&[rest])), "{chapters:?}");
            let found: Vec<usize> = changed.chapters().map(|c| c.book.prepared_moves()).collect();
            assert_eq!(found, counts, "{chapters:?}");
        }
    }

    #[test]
    fn moves_keep_their_order() {
        let chapters = ["1. d4 Nf6 2. c4 e6 / 1. d4 Nf6 2. c4 g6", "1. c4 Nf6 2. d4 c5"];
        let mut changed = preparation(&chapters);
        let (key, uci) = last_move("1. d4");
        assert!(changed.cut(&key, uci));
        let book = changed.to_book(Color::White);
        let at = book.find(&last_move("1. d4 Nf6 2. c4 e6").0).unwrap();
        let moves: Vec<_> = book.moves(at).iter().map(|edge| edge.uci.to_string()).collect();
        assert_eq!(moves, ["e7e6", "g7g6", "c7c5"]);
    }
}
