//! A chapter of prepared lines as it was read: its names, its tags, its size and its faults.

use std::collections::HashSet;

use crate::classify::GameError;
use crate::pgn::{Tag, decode_text};

/// The most faults of a chapter that are kept.
const MAX_FAULTS: usize = 100;

/// What was read of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
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

    pub(super) fn new(mut title: Title, number: u64) -> Self {
        let (study, identity, tags) = (title.study(), title.identity(), title.take_tags());
        let name = title.name(number);
        Self {
            name,
            study,
            identity,
            tags,
            number,
            moves: 0,
            null_lines: 0,
            faults: Vec::new(),
            omitted: 0,
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

/// The tags of a chapter.
#[derive(Debug, Default)]
pub(super) struct Title {
    tags: Vec<(String, String)>,
    /// The names of the tags.
    names: HashSet<Vec<u8>>,
    study: String,
    chapter: String,
    event: String,
    white: String,
    black: String,
    /// The address of the chapter.
    url: String,
}

/// What is between the address of a site and the study, in the addresses of chapters.
const STUDY: &str = "/study/";

impl Title {
    pub(super) fn see(&mut self, tag: &Tag<'_>) {
        self.keep(tag);
        let field = match tag.name {
            b"StudyName" => &mut self.study,
            b"ChapterName" => &mut self.chapter,
            b"Event" => &mut self.event,
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"ChapterURL" | b"Site" => &mut self.url,
            _ => return,
        };
        let value = decode_text(&tag.value()).trim().to_owned();
        let is_other_site = tag.name == b"Site" && !value.contains(STUDY);
        if field.is_empty() && value != "?" && !is_other_site {
            *field = value;
        }
    }

    /// Keeps a tag as it is, if it is one that can be written again: the first of its name counts.
    fn keep(&mut self, tag: &Tag<'_>) {
        let is_symbol = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let can_be_written = tag.fault.is_none() && tag.name.iter().all(is_symbol);
        if can_be_written && self.names.insert(tag.name.to_owned()) {
            let value = decode_text(&tag.value()).into_owned();
            self.tags.push((decode_text(tag.name).into_owned(), value));
        }
    }

    /// All tags, by name and value.
    fn take_tags(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.tags)
    }

    /// The study: its address, or else its name.
    pub(super) fn study(&self) -> String {
        let address = self.url.split_once(STUDY).and_then(|(site, rest)| {
            let id = rest.split('/').next().filter(|id| !id.is_empty())?;
            Some(format!("{site}{STUDY}{id}"))
        });
        address.unwrap_or_else(|| self.study.clone())
    }

    /// The chapter: its address, or else its name.
    pub(super) fn identity(&self) -> String {
        if self.url.is_empty() { self.chapter.clone() } else { self.url.clone() }
    }

    /// A name that no other chapter of the file has.
    pub(super) fn name(self, number: u64) -> String {
        let is_of_study = self.url.contains(STUDY);
        let Self { study, chapter, event, white, black, .. } = self;
        match [study, chapter, event, white, black].each_ref().map(String::as_str) {
            ["", "", "", "", ""] => format!("game {number}"),
            ["", "", "", white, black] => {
                let [white, black] =
                    [white, black].map(|name| if name.is_empty() { "?" } else { name });
                format!("{white} - {black} #{number}")
            }
            // Lichess wrote study and chapter here before it had tags for them.
            ["", "", event, ..] if is_of_study => event.to_owned(),
            ["", "", event, ..] => format!("{event} #{number}"),
            ["", chapter, ..] => chapter.to_owned(),
            [study, "", ..] => format!("{study} #{number}"),
            [study, chapter, ..] => format!("{study}: {chapter}"),
        }
    }
}
