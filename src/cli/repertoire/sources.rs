//! The sources of what `eco repertoire add` reads.

use std::path::Path;

use eco::{
    chess::Color,
    repertoire::{Book, Chapter, Preparation, PreparedChapter, PreparedSource},
};

/// The sources that were read.
#[derive(Default)]
pub(super) struct Sources(Vec<Read>);

/// A source, and whether it takes the place of what came from it before.
struct Read {
    source: PreparedSource,
    replaces: bool,
}

/// What standard input is called.
const STDIN: &str = "-";

impl Sources {
    /// Adds a chapter of a file to its source: the one of this name, if there is a name, else its
    /// study, else the file. A chapter with nothing in it is none.
    pub(super) fn add(&mut self, name: Option<&str>, file: &str, chapter: Chapter, book: Book) {
        if book.is_blank() {
            return;
        }
        let study = Some(chapter.study.as_str()).filter(|study| !study.is_empty());
        let source = self.source(name.or(study), file);
        let place = source.chapters.len() + 1;
        let mut identity = chapter.identity;
        if identity.is_empty() {
            identity = place.to_string();
        }
        // Two chapters of one name are two.
        if source.chapters.iter().any(|known| known.identity == identity) {
            identity = format!("{identity} #{place}");
        }
        let (study, name) = (chapter.study, chapter.name);
        source.chapters.push(PreparedChapter { identity, study, name, book });
    }

    /// Adds a book as a source with one chapter.
    pub(super) fn add_book(&mut self, name: Option<&str>, file: &str, book: Book) {
        let source = self.source(name, file);
        let chapters = PreparedSource::of_book(&source.name, book).chapters;
        source.chapters.extend(chapters);
    }

    fn source(&mut self, name: Option<&str>, file: &str) -> &mut PreparedSource {
        let replaces = name.is_some() || file != STDIN;
        let base = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file);
        let name = name.unwrap_or(base);
        let known = self.0.iter().position(|read| read.source.name == name);
        let at = known.unwrap_or_else(|| {
            let source = PreparedSource { name: name.to_owned(), chapters: Vec::new() };
            self.0.push(Read { source, replaces });
            self.0.len() - 1
        });
        &mut self.0[at].source
    }

    /// Whether nothing was read.
    pub(super) fn are_blank(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of moves, each once.
    pub(super) fn moves(&self) -> usize {
        let sources = self.0.iter().map(|read| read.source.clone()).collect();
        Preparation::new(sources).to_book(Color::White).prepared_moves()
    }

    /// The names of those that take the place of what a preparation has.
    pub(super) fn replaced(&self, preparation: &Preparation, merges: bool) -> Vec<String> {
        let has = |name: &str| preparation.sources().iter().any(|known| known.name == name);
        let read = self.0.iter().filter(|read| !merges && read.replaces);
        read.map(|read| read.source.name.clone()).filter(|name| has(name)).collect()
    }

    /// Puts the sources into a preparation.
    pub(super) fn write(self, preparation: &mut Preparation, merges: bool) {
        for Read { source, replaces } in self.0 {
            if merges || !replaces {
                preparation.merge(source);
            } else {
                preparation.replace(source);
            }
        }
    }
}
