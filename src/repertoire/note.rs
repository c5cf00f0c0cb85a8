//! Notes: how they are read from comments, and how those of several sources are merged.

use serde::{Deserialize, Serialize};

use crate::pgn::{decode_text, nag_glyph};

/// The remarks of one source on a move or a position.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(default, expecting = "a note")]
pub struct Note {
    /// The chapter it is from.
    pub source: String,
    /// Numeric annotation glyphs, in order: 1 for `!`.
    pub nags: Vec<u8>,
    /// The comment; empty if there are only glyphs.
    pub comment: String,
}

/// The beginning of a comment that says where a line continues. It is for readers of an export and
/// is ignored when read back.
pub(super) const POINTER: &str = "[%eco transposes";

/// The comment that marks a line as final: it ends here on purpose.
const END: &str = "[%eco end]";

/// The glyphs that judge a move: `!`, `?`, `!!`, `??`, `!?` and `?!`.
pub(super) const JUDGEMENTS: std::ops::RangeInclusive<u8> = 1..=6;

/// The glyphs `?`, `??` and `?!`.
pub(super) const MISTAKE: u8 = 2;
pub(super) const BLUNDER: u8 = 4;
pub(super) const DUBIOUS: u8 = 6;

/// The maximum number of notes; further ones are dropped, which keeps reading linear.
const MAX_NOTES: usize = 1000;

impl Note {
    /// A comment from a source, with its line breaks, but without blanks around it and at the ends
    /// of its lines. Commands such as `[%cal Gc2c4]` stay.
    pub(crate) fn of_comment(source: &str, comment: &[u8]) -> Self {
        let text = without_pointers(&decode_text(comment));
        Self { source: source.to_owned(), nags: Vec::new(), comment: trim_lines(&text) }
    }

    /// A glyph from a source.
    pub(crate) fn of_nag(source: &str, nag: u8) -> Self {
        Self { source: source.to_owned(), nags: vec![nag], comment: String::new() }
    }

    /// Removes what a new comment replaces: the words of the others, whose commands stay, such as
    /// `[%cal Gc2c4]`; all of them, if it is empty; nothing, if it is a command.
    pub(super) fn make_room(notes: &mut Vec<Note>, comment: &str) {
        if comment.trim().is_empty() {
            return Self::change(notes, |note| note.comment.clear());
        }
        if without_commands(comment).trim().is_empty() {
            return;
        }
        Self::change(notes, |note| {
            let parts = note.comment.split("[%").skip(1);
            let commands = parts.filter_map(|part| Some(format!("[%{}]", part.split_once(']')?.0)));
            note.comment = commands.collect::<Vec<_>>().join(" ");
        });
    }

    /// Changes notes, and drops those of which nothing is left.
    pub(super) fn change(notes: &mut Vec<Note>, change: impl FnMut(&mut Note)) {
        notes.iter_mut().for_each(change);
        notes.retain(|note| !note.comment.is_empty() || !note.nags.is_empty());
    }

    /// Whether it marks the end of its line as final.
    pub(super) fn marks_end(&self) -> bool {
        self.comment.contains(END)
    }

    /// The glyphs of notes, each once, in the order in which the notes have them.
    pub(crate) fn all_nags(notes: &[Self]) -> Vec<u8> {
        let mut nags = Vec::new();
        notes.iter().flat_map(|note| &note.nags).for_each(|nag| push_new(&mut nags, *nag));
        nags
    }

    /// The comments of notes, each text once, in the order in which the notes have them.
    pub(crate) fn all_comments(notes: &[Self]) -> Vec<&str> {
        let mut comments = Vec::new();
        let texts = notes.iter().map(|note| note.comment.trim()).filter(|text| !text.is_empty());
        texts.for_each(|text| push_new(&mut comments, text));
        comments
    }

    /// What the comments of notes say, each text once, without the commands that they contain, such
    /// as `[%cal Gc2c4]`.
    pub(crate) fn all_words(notes: &[Self]) -> Vec<String> {
        let words =
            |comment| without_commands(comment).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut all = Vec::new();
        let texts = Self::all_comments(notes).into_iter().map(words);
        texts.filter(|text: &String| !text.is_empty()).for_each(|text| push_new(&mut all, text));
        all
    }

    /// The glyph that judges the move, `!` or `?!`. Of several the first one counts.
    pub(super) fn judgement(notes: &[Self]) -> Option<u8> {
        let mut nags = notes.iter().flat_map(|note| &note.nags);
        nags.find(|nag| JUDGEMENTS.contains(nag)).copied()
    }

    /// Whether the move is marked with `?`, `??` or `?!`.
    pub(super) fn dismisses(notes: &[Self]) -> bool {
        matches!(Self::judgement(notes), Some(MISTAKE | BLUNDER | DUBIOUS))
    }

    /// The glyph that judges the move and those of other kinds, each once. Two judgements side by
    /// side would read as a third.
    pub(crate) fn shown_nags(notes: &[Self]) -> Vec<u8> {
        let mut nags = Self::all_nags(notes);
        let judgement = Self::judgement(notes);
        nags.retain(|nag| !JUDGEMENTS.contains(nag) || Some(*nag) == judgement);
        nags
    }

    /// The [shown](Self::shown_nags) glyphs as they are printed: `!+=`.
    pub(crate) fn glyphs(notes: &[Self]) -> String {
        Self::shown_nags(notes).into_iter().map(nag_glyph).collect()
    }

    /// Gives a move a glyph of a source, in place of another one that judges, if it judges.
    pub(super) fn set_nag(notes: &mut Vec<Self>, source: &str, nag: u8) {
        if JUDGEMENTS.contains(&nag) {
            Self::change(notes, |note| note.nags.retain(|nag| !JUDGEMENTS.contains(nag)));
        }
        Self::merge_nag(notes, source, nag);
    }

    /// Merges the note into `notes`. Each comment of a source is kept once. So is each glyph, in
    /// the first note of its source. Adding a note twice changes nothing. At most a thousand notes
    /// are kept.
    pub(crate) fn merge_into(self, notes: &mut Vec<Note>) {
        let Self { source, nags, comment } = self;
        if !comment.is_empty() {
            Self::merge_comment(notes, &source, comment);
        }
        nags.into_iter().for_each(|nag| Self::merge_nag(notes, &source, nag));
    }

    fn merge_comment(notes: &mut Vec<Note>, source: &str, comment: String) {
        let has_room = notes.len() < MAX_NOTES;
        let is_known = |note: &Note| note.source == source && note.comment == comment;
        if notes.iter().any(is_known) {
            return;
        }
        let mut of_source = notes.iter_mut().filter(|note| note.source == source);
        if let Some(wordless) = of_source.find(|note| note.comment.is_empty()) {
            wordless.comment = comment;
        } else if has_room {
            notes.push(Self { source: source.to_owned(), nags: Vec::new(), comment });
        }
    }

    fn merge_nag(notes: &mut Vec<Note>, source: &str, nag: u8) {
        let has_room = notes.len() < MAX_NOTES;
        let is_of_source = |note: &&mut Note| note.source == source;
        if notes.iter().any(|note| note.source == source && note.nags.contains(&nag)) {
            return;
        }
        if let Some(first) = notes.iter_mut().find(is_of_source) {
            first.nags.push(nag);
        } else if has_room {
            notes.push(Self::of_nag(source, nag));
        }
    }
}

/// Adds an item to a list that does not have it.
pub(super) fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// A comment without the commands that it contains, such as `[%cal Gc2c4]`.
pub(crate) fn without_commands(comment: &str) -> String {
    let mut parts = comment.split("[%");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((_, after)) => kept += after,
            None => kept.extend(["[%", part]),
        }
    }
    kept
}

/// A text without pointers, even those that what is around one makes together.
fn without_pointers(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        kept.push(c);
        if kept.ends_with(POINTER) {
            kept.truncate(kept.len() - POINTER.len());
            let after = rest.as_str().split_once(']').map_or("", |(_, after)| after);
            // Of the blanks around it, those before stay.
            rest = after.trim_start_matches(' ').chars();
        }
    }
    kept
}

/// A text without blanks around it and at the ends of its lines.
fn trim_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(source: &str, nags: &[u8], comment: &str) -> Note {
        Note { source: source.to_owned(), nags: nags.to_vec(), comment: comment.to_owned() }
    }

    #[test]
    fn comments_keep_their_words_and_commands() {
        for (comment, text) in [
            ("  solid\r\n  move \n\nhere ", "solid\n  move\n\nhere"),
            ("[%cal Gc2c4] good [%clk 0:01:00]", "[%cal Gc2c4] good [%clk 0:01:00]"),
            ("[%eco transposes to 5. Nf3]", ""),
            ("a [%eco transposes\nto 5. Nf3 of chapter 2] b", "a b"),
            ("a [%eco transposes to 5. Nf3] b [%eco transposes", "a b"),
            ("a [%eco [%eco transposes to 5. Nf3]transposes to 6. g3] b", "a b"),
        ] {
            assert_eq!(Note::of_comment("", comment.as_bytes()).comment, text, "for {comment:?}");
        }
        assert_eq!(Note::of_comment("", b"Gr\xfcnfeld").comment, "Grünfeld");
    }

    #[test]
    fn what_two_chapters_say_alike_is_shown_once() {
        let notes = [note("A", &[1, 14], "good"), note("B", &[1], "good "), note("C", &[3], "c")];
        assert_eq!(Note::all_nags(&notes), [1, 14, 3]);
        assert_eq!(Note::shown_nags(&notes), [1, 14], "not !!!");
        assert_eq!(Note::all_comments(&notes), ["good", "c"]);
        let drawn = [
            note("A", &[], "[%cal Gc2c4] best [%csl Rd5]"),
            note("B", &[], "best"),
            note("C", &[], "[%cal Gc2c4]"),
        ];
        assert_eq!(Note::all_words(&drawn), ["best"]);
    }

    #[test]
    fn a_source_says_everything_once() {
        let added = [
            note("A", &[1], ""),
            note("A", &[], "good"),
            note("A", &[], "solid"),
            note("A", &[14, 1], "solid"),
            note("B", &[], "good"),
            note("B", &[1], ""),
            note("B", &[], ""),
        ];
        let expected =
            [note("A", &[1, 14], "good"), note("A", &[], "solid"), note("B", &[1], "good")];
        let mut notes = Vec::new();
        for round in 1..=2 {
            added.iter().cloned().for_each(|note| note.merge_into(&mut notes));
            assert_eq!(notes, expected, "after round {round}");
        }
    }
}
