//! What is told of a chapter of prepared lines: its name, how much it has, and what is wrong with it.

use crate::{
    classify::GameError,
    pgn::{Tag, decode_text},
};

/// So many faults of a chapter are kept.
const MAX_FAULTS: usize = 100;

/// What was read of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// The name that its notes have for their source.
    pub name: String,
    /// Its place in its file, from 1.
    pub number: u64,
    /// How many moves were read, those of all variations together.
    pub moves: usize,
    /// How many of them were not prepared before.
    pub new_moves: usize,
    /// What is wrong with it, in the order of the text; of very many only the first.
    pub faults: Vec<ChapterFault>,
    /// How many more faults there are.
    pub omitted: usize,
}

impl Chapter {
    /// Variations within more others are passed over. No author gets there; memory is bounded by it.
    pub const MAX_DEPTH: usize = 10_000;

    pub(super) fn new(name: String, number: u64) -> Self {
        Self { name, number, moves: 0, new_moves: 0, faults: Vec::new(), omitted: 0 }
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
pub struct ChapterFault {
    /// The number of the chapter in its file.
    pub chapter: u64,
    /// What is wrong.
    pub kind: ChapterFaultKind,
}

/// What is wrong with a chapter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChapterFaultKind {
    /// What can be wrong with any game; a bad move may stand in a variation.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Variations are nested deeper than [`Chapter::MAX_DEPTH`].
    #[error("variations within more than {} others: passed over", Chapter::MAX_DEPTH)]
    TooDeep,
}

/// What the tags call a chapter.
#[derive(Debug, Default)]
pub(super) struct Title {
    study: String,
    chapter: String,
    event: String,
    white: String,
    black: String,
}

impl Title {
    pub(super) fn see(&mut self, tag: &Tag<'_>) {
        let field = match tag.name {
            b"StudyName" => &mut self.study,
            b"ChapterName" => &mut self.chapter,
            b"Event" => &mut self.event,
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            _ => return,
        };
        let value = decode_text(&tag.value()).trim().to_owned();
        if field.is_empty() && value != "?" {
            *field = value;
        }
    }

    /// A name that tells chapters of a file apart.
    pub(super) fn name(self, number: u64) -> String {
        let Self { study, chapter, event, white, black } = self;
        match [study, chapter, event, white, black].each_ref().map(String::as_str) {
            ["", "", "", "", ""] => format!("game {number}"),
            ["", "", "", white, black] => {
                let [white, black] =
                    [white, black].map(|name| if name.is_empty() { "?" } else { name });
                format!("{white} - {black} #{number}")
            }
            ["", "", event, ..] => format!("{event} #{number}"),
            ["", chapter, ..] => chapter.to_owned(),
            [study, "", ..] => format!("{study} #{number}"),
            [study, chapter, ..] => format!("{study}: {chapter}"),
        }
    }
}
