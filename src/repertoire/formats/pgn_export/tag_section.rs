//! The tags of a game of an export.

use std::fmt::Write;

use crate::{
    chess::{EnPassantMode, Fen, PositionKey},
    select::GameResult,
};

/// The tags of a game, by name and value.
pub(super) struct TagSection(Vec<(String, String)>);

impl TagSection {
    /// The seven that each game has, of one that nobody played.
    pub(super) fn of_event(event: &str) -> Self {
        let tags = [
            ("Event", event),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", "*"),
        ];
        Self(tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec())
    }

    /// Those that a chapter came with. Its FEN stays as it was written, unless lines begin
    /// elsewhere now; the side it is seen from is added where nothing says it.
    pub(super) fn of_chapter(
        tags: &[(String, String)],
        start: &PositionKey,
        fen: Option<Fen>,
        orientation: &str,
    ) -> Self {
        let is_start = |value: &str| {
            let position = value.trim().parse().ok().and_then(|fen: Fen| fen.to_position().ok());
            let key = position.map(|p| PositionKey::from_position(&p, EnPassantMode::Legal));
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

    /// The same for another part of the chapter, by its number from 1: lines that begin in another
    /// position. Only the first has the address, which is that of one game.
    pub(super) fn of_part(mut self, number: usize) -> Self {
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
    pub(super) fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// The result, as the movetext ends with it.
    pub(super) fn result(&self) -> &'static str {
        let tag = self.0.iter().find(|(name, _)| name == "Result");
        tag.map_or(GameResult::Unknown, |(_, value)| GameResult::read(value.as_bytes())).as_str()
    }

    /// Writes the tags, and a blank line.
    pub(super) fn write(&self, pgn: &mut String) {
        for (name, value) in &self.0 {
            let value =
                value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(pgn, "[{name} \"{value}\"]");
        }
        pgn.push('\n');
    }
}
