//! A chapter of prepared lines as it was read: its names, its tags, its size and its faults.

use std::collections::HashSet;

use super::{Book, title::Title};
use crate::classify::GameError;

/// The most faults of a chapter that are kept.
const MAX_FAULTS: usize = 100;

/// What was read of a chapter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chapter {
    /// The name, which is the source of its notes.
    pub name: String,
    /// The study that it belongs to: its address, or else its name. Empty if it is of none.
    pub study: String,
    /// By what it is known again: its address, or else its name. Empty if it has neither.
    pub identity: String,
    /// The tags of its game, by name and value, in their order: the first of each name.
    pub tags: Vec<(String, String)>,
    /// The number of the chapter in its file, from 1.
    pub number: u64,
    /// The number of moves that were read, in all variations together.
    pub moves: usize,
    /// The number of lines with a null move, which are kept as comments.
    pub null_lines: usize,
    /// The faults in the order of the text, the first hundred at most.
    pub faults: Vec<ChapterFault>,
    /// The number of faults that were left out.
    pub omitted: usize,
}

impl Chapter {
    /// Variations nested deeper than this are skipped. The limit bounds memory; no author reaches
    /// it.
    pub(crate) const MAX_DEPTH: usize = 10_000;

    pub(super) fn new(title: Title, number: u64) -> Self {
        let (study, identity, name) = (title.study(), title.identity(), title.name(number));
        let tags = title.tags;
        Self { name, study, identity, tags, number, ..Self::default() }
    }

    /// Makes all games of a file that have the event of a course chapters of it, even those whose
    /// own tags might be those of a game between players. `chapters` are all of the file, each with
    /// the book that it was read into.
    pub fn join_courses(chapters: &mut [(Self, Book)]) {
        let titles = chapters.iter().map(|(chapter, _)| Title::of(&chapter.tags));
        let courses: HashSet<String> = titles
            .filter(Title::is_of_course)
            .map(|title| title.course().to_owned())
            .filter(|course| !course.is_empty())
            .collect();
        for (chapter, book) in chapters.iter_mut().filter(|(chapter, _)| chapter.study.is_empty()) {
            let title = Title::of(&chapter.tags);
            if courses.contains(title.course()) {
                let title = title.into_course();
                (chapter.study, chapter.identity) = (title.study(), title.identity());
                chapter.name = title.name(chapter.number);
                book.set_source(&chapter.name);
            }
        }
    }

    pub(super) fn add_fault(&mut self, kind: ChapterFaultKind) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(ChapterFault { chapter: self.number, kind });
        } else {
            self.omitted += 1;
        }
    }
}

/// What is wrong with a chapter, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {chapter}: {kind}")]
#[non_exhaustive]
pub struct ChapterFault {
    /// The number of the chapter in its file.
    pub chapter: u64,
    /// What is wrong.
    pub kind: ChapterFaultKind,
}

/// What is wrong with a chapter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChapterFaultKind {
    /// A fault that any game may have; a bad move may be one of a variation.
    #[error(transparent)]
    Game(GameError),
    /// A game of another variant of chess, which is not read.
    #[error("variant {name}: left out")]
    Variant {
        /// The variant, as the game spells it.
        name: String,
    },
    /// Variations are nested more than 10,000 deep.
    #[error("variations within more than {} others: passed over", Chapter::MAX_DEPTH)]
    TooDeep,
}

impl From<GameError> for ChapterFaultKind {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Variant { name } => Self::Variant { name },
            error => Self::Game(error),
        }
    }
}
