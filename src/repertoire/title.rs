//! What a chapter is called, and what it belongs to, by its tags.
//!
//! Sites write studies with tags of their own. A course has only the tags of a game for its names:
//! the course in `Event`, chapters and lines in `White` and `Black`; or the course in `White`. Such
//! a game differs from one between players by moves in those tags (`3...Bf5`), which are no names
//! of players; or by a number (`#4`) or a word such as `Main line`, if it has neither a result nor
//! a date. Nobody with a rating is a chapter.

use std::collections::HashSet;

use super::PreparedChapter;
use crate::pgn::{Tag, decode_text};
use crate::{chess::SanPlus, select::GameResult};

/// The tags of a chapter.
#[derive(Debug, Default)]
pub(super) struct Title {
    pub(super) tags: Vec<(String, String)>,
    /// The names of the tags.
    names: HashSet<Vec<u8>>,
    study: String,
    chapter: String,
    event: String,
    white: String,
    black: String,
    /// The address of the chapter.
    url: String,
    // What says that two players have played the game.
    has_result: bool,
    has_date: bool,
    has_rating: bool,
    /// Whether it is a chapter of a course whatever its own tags say.
    is_of_course: bool,
}

/// What is between the address of a site and the study, in the addresses of chapters.
const STUDY: &str = "/study/";

impl Title {
    /// The title of a chapter that has been read.
    pub(super) fn of(tags: &[(String, String)]) -> Self {
        let mut title = Self::default();
        tags.iter().for_each(|(name, value)| title.note(name.as_bytes(), value));
        title
    }

    pub(super) fn see(&mut self, tag: &Tag<'_>) {
        self.keep(tag);
        self.note(tag.name, &decode_text(&tag.value()));
    }

    fn note(&mut self, name: &[u8], value: &str) {
        let value = value.trim();
        let field = match name {
            b"StudyName" => &mut self.study,
            b"ChapterName" => &mut self.chapter,
            b"Event" => &mut self.event,
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"ChapterURL" | b"Site" => &mut self.url,
            _ => return self.note_play(name, value),
        };
        let is_other_site = name == b"Site" && !value.contains(STUDY);
        if field.is_empty() && value != "?" && !is_other_site {
            *field = value.to_owned();
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

    /// The title as that of a chapter of a course.
    pub(super) fn into_course(self) -> Self {
        Self { is_of_course: true, ..self }
    }

    /// What the course is called, if it is a chapter of one: as the event, or else as White,
    /// unless that is the name of a chapter.
    pub(super) fn course(&self) -> &str {
        let Self { event, white, black, .. } = self;
        let has_course = event.is_empty() && !black.is_empty() && !has_move(white);
        if has_course { white } else { event }
    }

    /// The study: its address, or else its name.
    pub(super) fn study(&self) -> String {
        let address = self.url.split_once(STUDY).and_then(|(site, rest)| {
            let id = rest.split('/').next().filter(|id| !id.is_empty())?;
            Some(format!("{site}{STUDY}{id}"))
        });
        address.unwrap_or_else(|| self.study_and_chapter().0.to_owned())
    }

    /// The chapter: its address, or else its name.
    pub(super) fn identity(&self) -> String {
        if self.url.is_empty() { self.study_and_chapter().1 } else { self.url.clone() }
    }

    /// The names of the study and of the chapter; empty if it has none.
    fn study_and_chapter(&self) -> (&str, String) {
        if !self.is_of_course() {
            return (&self.study, self.chapter.clone());
        }
        let course = self.course();
        let names = [&self.white, &self.black].map(String::as_str);
        let names = names.into_iter().filter(|name| !name.is_empty() && *name != course);
        (course, names.collect::<Vec<_>>().join(": "))
    }

    /// Whether it is a chapter of a course.
    pub(super) fn is_of_course(&self) -> bool {
        let names = [&self.white, &self.black];
        let has_others = [&self.study, &self.chapter, &self.url].iter().any(|tag| !tag.is_empty());
        if self.is_of_course || has_others {
            return !has_others;
        }
        let is_named = names.iter().any(|name| has_number(name) || has_word(name));
        let is_chapter = is_named && !self.has_result && !self.has_date;
        !self.has_rating && (is_chapter || names.iter().any(|name| has_move(name)))
    }

    fn note_play(&mut self, name: &[u8], value: &str) {
        match name {
            b"Result" => {
                self.has_result = GameResult::read(value.as_bytes()) != GameResult::Unknown;
            }
            b"Date" | b"UTCDate" => {
                // A year is that of a course, too.
                self.has_date |= value.len() >= 10 && !value.contains('?');
            }
            b"WhiteElo" | b"BlackElo" => {
                self.has_rating |= value.parse::<u32>().is_ok_and(|rating| rating > 0);
            }
            _ => {}
        }
    }

    /// A name that no other chapter of the file has.
    pub(super) fn name(&self, number: u64) -> String {
        let is_of_study = self.url.contains(STUDY);
        let (study, chapter) = self.study_and_chapter();
        let [event, white, black] = [&self.event, &self.white, &self.black].map(String::as_str);
        match [study, &chapter, event, white, black] {
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

impl PreparedChapter {
    /// The name of its study, if it has one, and its own name in that.
    pub fn titles(&self) -> (Option<&str>, &str) {
        let Self { study, name, tags, .. } = self;
        let tag = tags.iter().find(|(tag, value)| tag == "StudyName" && !value.trim().is_empty());
        let named = tag.map(|(_, value)| value.trim());
        let called = || Some(study.as_str()).filter(|study| !study.is_empty());
        let in_name = || name.split_once(": ").map(|(study, _)| study);
        let study = named.or_else(|| if study.contains(STUDY) { in_name() } else { called() });
        let own = study.and_then(|study| name.strip_prefix(study)?.strip_prefix(": "));
        (study, own.unwrap_or(name))
    }
}

/// Whether a name has a move with its number: `3...Bf5`, `1.e4 e5`.
fn has_move(name: &str) -> bool {
    let numbered = name
        .match_indices('.')
        .filter(|(dot, _)| name[..*dot].ends_with(|c: char| c.is_ascii_digit()));
    numbered.into_iter().any(|(dot, _)| {
        let rest = name[dot..].trim_start_matches(['.', ' ', '…']);
        let is_of_move = |c: char| c.is_ascii_alphanumeric() || "=+#-".contains(c);
        let end = rest.find(|c| !is_of_move(c)).unwrap_or(rest.len());
        rest[..end].parse::<SanPlus>().is_ok()
    })
}

/// Whether a name ends with a number: `Main line #4`.
fn has_number(name: &str) -> bool {
    let number = name.rsplit_once('#').map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Words of chapters. `Line` is a first name.
const WORDS: [&str; 12] = [
    "main line",
    "mainline",
    "sideline",
    "sidelines",
    "lines",
    "variation",
    "variations",
    "chapter",
    "introduction",
    "repertoire",
    "quickstarter",
    "model games",
];

/// Whether a name has a word that names of players do not have.
fn has_word(name: &str) -> bool {
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let text = format!(" {} ", words.join(" "));
    WORDS.iter().any(|word| text.contains(&format!(" {word} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(tags: &str) -> Title {
        let tags: Vec<(String, String)> = tags
            .split('|')
            .map(|tag| tag.trim().split_once(' ').unwrap())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Title::of(&tags)
    }

    #[test]
    fn a_course_in_the_tags_of_a_game_is_read() {
        let course = "Lifetime Repertoires: Caro-Kann";
        for (tags, study, chapter) in [
            ("Event C|White 3...Bf5|Black Main line #4", "C", "3...Bf5: Main line #4"),
            (
                "Event C|White 3...Bf5|Black Main line #4|Result *|Date ????.??.??",
                "C",
                "3...Bf5: Main line #4",
            ),
            ("Event C|White 3... Bf5 with h4|Black ?", "C", "3... Bf5 with h4"),
            ("Event C|White Advance|Black 4.Nf3 e6 5.Be2", "C", "Advance: 4.Nf3 e6 5.Be2"),
            // Model games have results, and courses dates.
            (
                "Event C|White 1.e4 c6 2.d4|Black A model|Result 1-0|Date 2024.01.02",
                "C",
                "1.e4 c6 2.d4: A model",
            ),
            (
                "Event C|White Alapin|Black Quickstarter Guide #1|Date 2024.??.??",
                "C",
                "Alapin: Quickstarter Guide #1",
            ),
            ("Event C|White Chapter 2|Black ?|Result *", "C", "Chapter 2"),
            // The course in the place of the event, of White, or of both.
            ("Event ?|White C|Black 3...Bf5", "C", "3...Bf5"),
            ("White C|Black Main line #2|Result *", "C", "Main line #2"),
            ("Event C|White C|Black 3...Bf5", "C", "3...Bf5"),
            ("White 3...Bf5|Black Main line #2", "", "3...Bf5: Main line #2"),
        ] {
            let title = title(&tags.replace(" C|", &format!(" {course}|")));
            let study = study.replace('C', course);
            assert_eq!((title.study(), title.identity()), (study, chapter.to_owned()), "{tags}");
        }
    }

    #[test]
    fn games_between_players_are_no_courses() {
        for tags in [
            "Event Club|White Novak, Ana|Black Costa, Rui|Result *",
            "Event White with 1. d4|White Novak, Ana|Black ?|Result *",
            "Event Rated game #4|White DrNykterstein|Black penguingim1|Result 1-0",
            // Engines and simultaneous games have numbers.
            "Event Test|White Stockfish #1|Black Stockfish #2|Result 1/2-1/2",
            "Event Test|White Stockfish #1|Black Stockfish #2|Date 2026.01.02|Result *",
            "Event Test|White Line, Anna|Black Chapter, B.|Result 0-1",
            "Event Test|White Jr. 2. a|Black St.Amant, 3.|Result *",
            "Event Casual|White 1.e4|Black Nb6|WhiteElo 1500|Result *",
            "Event Club|White Main line|Black Novak, Ana|BlackElo 1911|Result *",
            "Event C|White ?|Black ?|Result *",
        ] {
            let title = title(tags);
            assert_eq!((title.study(), title.identity()), Default::default(), "{tags}");
        }
    }
}
