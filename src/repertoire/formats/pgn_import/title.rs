//! The tags of a chapter, and what they call it.

use std::collections::HashSet;

use crate::pgn::{Tag, decode_text};

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
    pub(super) fn take_tags(&mut self) -> Vec<(String, String)> {
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
