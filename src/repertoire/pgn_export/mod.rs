//! A book as PGN with variations.
//!
//! A PGN is a tree and a book is a graph, so each position is written out with its moves in one
//! place, and a line that reaches it elsewhere ends there. So the text grows with the book, not
//! with the number of lines through it, and cycles end. The [`outline`] decides on the place;
//! [`openings`] cut a study into chapters.

mod outline;
mod openings;
mod writer;

use std::fmt::Write;

pub use self::openings::{ChapterLimits, TooManyChapters};
use self::openings::{Chapters, Openings};
use self::outline::{ChapterSpan, Outline};
use self::writer::Writer;
use super::{Book, Extract, ExtractOptions, Preparation, PreparedChapter};
use crate::chess::{Chess, Fen, PositionKey};
use crate::select::GameResult;

/// The number of games that a book is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PgnLayout {
    /// One, and one more for each root that no other line reaches.
    #[default]
    Whole,
    /// Chapters of a study, by openings, as far as the extract has a catalogue that names them.
    Chapters(ChapterLimits),
}

impl Book {
    /// The moves of the book as PGN, with variations and notes, under the name of the repertoire.
    /// What [`add_chapter`](Book::add_chapter) reads from it is the same book: the same moves in
    /// the same order, with the same comments and glyphs; their source is then the export.
    ///
    /// * Mistakes and what follows them are written as other moves are.
    /// * Of each position, the main move comes first. Each position is written out once: in the
    ///   main line if it is there, else in the line that leaves it least often. Other lines that
    ///   come to it end there, with a comment that says so and that is no note when read back.
    /// * A chapter has the lines of an opening, whose name it has if an [extract](Extract) knows
    ///   names; one that is too long is cut where lines part. It begins with the moves that lead to
    ///   its first one. If those would fill half of it, it begins with a FEN, which read back is
    ///   one more position that lines begin with.
    /// * Comments on a position with which no line begins are written after the move that leads to
    ///   it. Comments keep their line breaks, but for those after which a line would begin like a
    ///   tag, and for comments with a `}`, which have one line.
    ///
    /// # Errors
    ///
    /// If more chapters are needed than are allowed.
    ///
    /// ```
    /// use eco::{chess::Color, repertoire::{Book, BookRule, PgnLayout}};
    ///
    /// let mut book = Book::new(Color::White, BookRule::default());
    /// book.prepare("1. d4 f5 2. g3 g6").unwrap();
    /// book.prepare("1. g3 f5 2. d4").unwrap();
    /// let pgn = book.to_pgn("Dutch", PgnLayout::Whole)?;
    /// let line = "1. d4 (1. g3 f5 2. d4 {[%eco transposes to 1. d4 f5 2. g3]}) 1... f5 2. g3 g6";
    /// assert!(pgn.contains(line));
    /// # Ok::<(), eco::repertoire::TooManyChapters>(())
    /// ```
    pub fn to_pgn(&self, name: &str, layout: PgnLayout) -> Result<String, TooManyChapters> {
        let options = ExtractOptions { mistakes: true, ..ExtractOptions::default() };
        Extract::new(self, options, None).to_pgn(name, layout)
    }
}

impl Extract<'_> {
    /// As [`Book::to_pgn`], with the moves of both sides up to the last ply of the extract.
    ///
    /// # Errors
    ///
    /// Those of [`Book::to_pgn`].
    pub fn to_pgn(&self, name: &str, layout: PgnLayout) -> Result<String, TooManyChapters> {
        let outline = Outline::of(self);
        let openings = Openings::of(self, &outline);
        let chapters = match layout {
            PgnLayout::Whole => openings.whole(name),
            PgnLayout::Chapters(limits) => openings.study(limits, name)?,
        };
        Ok(self.write_games((name, None), &outline, &chapters))
    }

    fn write_games(
        &self,
        heading: Heading<'_>,
        outline: &Outline,
        Chapters { spans, names }: &Chapters,
    ) -> String {
        let writer = Writer { extract: self, outline, spans };
        let mut pgn = String::new();
        for (number, name) in names.iter().enumerate() {
            if number > 0 {
                pgn.push('\n');
            }
            let tags = self.tags(heading, &writer, number, name);
            tags.write(&mut pgn);
            pgn.push_str(&writer.movetext(number, tags.result()));
        }
        pgn
    }

    fn tags(
        &self,
        (name, chapter): Heading<'_>,
        writer: &Writer<'_>,
        number: usize,
        chapter_name: &str,
    ) -> TagSection {
        let span = &writer.spans[number];
        let orientation = self.book.color().to_string();
        let start = self.start(writer.outline, span);
        if let Some(PreparedChapter { tags, .. }) = chapter.filter(|c| !c.tags.is_empty()) {
            let key = &self.book.node(span.start).key;
            let section = TagSection::of_chapter(tags, key, start, &orientation);
            return if number == 0 { section } else { section.of_part(number + 1) };
        }
        let mut tags = TagSection::of_event(name);
        if let Some(fen) = start {
            tags.push("SetUp", "1");
            tags.push("FEN", &fen.to_string());
        }
        tags.push("Orientation", &orientation);
        let alone = chapter.filter(|_| writer.spans.len() == 1);
        if let Some(PreparedChapter { identity, study, name, .. }) = alone {
            let in_study = name.strip_prefix(study.as_str()).and_then(|n| n.strip_prefix(": "));
            if in_study.is_some() {
                tags.push("StudyName", study);
            }
            tags.push("ChapterName", in_study.unwrap_or(name));
            if identity.contains("://") {
                tags.push("ChapterURL", identity);
            }
        } else if writer.spans.len() == 1 {
            tags.push("ChapterName", name);
        } else {
            tags.push("StudyName", name);
            tags.push("ChapterName", chapter_name);
        }
        tags
    }

    /// Where a span starts, unless that is the initial position.
    fn start(&self, outline: &Outline, span: &ChapterSpan) -> Option<Fen> {
        let key = &self.book.node(span.start).key;
        if *key == PositionKey::from(&Chess::default()) {
            return None;
        }
        Some(outline.trees[span.tree].counters(span.base).fen(key))
    }
}

/// What the tags of an export say: the repertoire, and the chapter, if it is one that was added.
type Heading<'a> = (&'a str, Option<&'a PreparedChapter>);

impl Preparation {
    /// The chapters as PGN, in order, one game for each, with the tags that they came with; one
    /// that is not from PGN has the name of the repertoire. Read back they are the same chapters. A
    /// chapter with lines from several positions has a game for each.
    pub fn to_pgn(&self, name: &str) -> String {
        let games = self.chapters().map(|chapter| {
            let options = ExtractOptions { mistakes: true, ..ExtractOptions::default() };
            let extract = Extract::new(&chapter.book, options, None);
            let outline = Outline::of(&extract);
            let chapters = Openings::of(&extract, &outline).whole(&chapter.name);
            extract.write_games((name, Some(chapter)), &outline, &chapters)
        });
        games.collect::<Vec<_>>().join("\n")
    }
}

/// The seven tags that each game has, of one that nobody played, by name and value.
pub(super) fn tags_of_event(
    event: &str,
    round: &str,
    [white, black]: [&str; 2],
) -> Vec<(String, String)> {
    let tags = [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", round),
        ("White", white),
        ("Black", black),
        ("Result", "*"),
    ];
    tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

/// The tags of a game, by name and value.
struct TagSection(Vec<(String, String)>);

impl TagSection {
    fn of_event(event: &str) -> Self {
        Self(tags_of_event(event, "?", ["?", "?"]))
    }

    /// Those that a chapter came with. Its FEN stays as it was written, unless lines begin
    /// elsewhere now; the side it is seen from is added where nothing says it.
    fn of_chapter(
        tags: &[(String, String)],
        start: &PositionKey,
        fen: Option<Fen>,
        orientation: &str,
    ) -> Self {
        let is_start = |value: &str| {
            let position = value.trim().parse().ok().and_then(|fen: Fen| fen.to_position().ok());
            let key = position.map(|p| PositionKey::from(&p));
            key.as_ref() == Some(start)
        };
        let is_placed = |(name, value): &&(String, String)| name == "FEN" && is_start(value);
        let has_fen = tags.iter().any(|tag| is_placed(&tag));
        let is_kept =
            |(name, _): &&(String, String)| has_fen || !matches!(name.as_str(), "FEN" | "SetUp");
        let mut section = Self(tags.iter().filter(is_kept).cloned().collect());
        if let Some(fen) = fen.filter(|_| !has_fen) {
            section.push("SetUp", "1");
            section.push("FEN", &fen.to_string());
        }
        if !section.0.iter().any(|(name, _)| name == "Orientation") {
            section.push("Orientation", orientation);
        }
        section
    }

    /// Those of another part of the chapter, by its number from 1: lines that begin in another
    /// position. Only the first has the address, which is that of one game.
    fn of_part(mut self, number: usize) -> Self {
        let is_address = |value: &str| value.contains("://");
        self.0.retain(|(name, value)| {
            !matches!(name.as_str(), "ChapterURL" | "Site") || !is_address(value)
        });
        for (name, value) in &mut self.0 {
            if name == "ChapterName" {
                *value += &format!(" ({number})");
            }
        }
        self
    }

    /// Adds a tag after the others.
    fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// The result, as the movetext ends with it.
    fn result(&self) -> &'static str {
        let tag = self.0.iter().find(|(name, _)| name == "Result");
        tag.map_or(GameResult::Unknown, |(_, value)| GameResult::read(value.as_bytes())).as_str()
    }

    /// Writes the tags, and a blank line.
    fn write(&self, pgn: &mut String) {
        for (name, value) in &self.0 {
            let value =
                value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(pgn, "[{name} \"{value}\"]");
        }
        pgn.push('\n');
    }
}

#[cfg(test)]
mod tests;
