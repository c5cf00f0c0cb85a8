//! The name of a chapter, from its tags.

use crate::pgn::{Tag, decode_text};

/// The tags that name a chapter.
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

    /// A name that no other chapter of the file has.
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
