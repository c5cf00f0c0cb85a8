//! Edits: which bytes to replace by which.

use std::{mem, ops::Range};

/// Edits in order and without overlap: of one game, or of all games of a block. A byte that no edit
/// names stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Edits {
    /// The spans that are replaced, each with its replacement as a span of `text`.
    list: Vec<(Range<usize>, Range<usize>)>,
    text: Vec<u8>,
    /// Where the game begins whose edits are added. Their spans are relative to it.
    origin: usize,
}

impl Edits {
    /// No edits, with room for those of a number of games.
    pub(super) fn for_games(games: usize) -> Self {
        // Most games get two new tags at one place, or one, and a new value for the other.
        const EDITS: usize = 2;
        const TEXT: usize = 64;
        Self {
            list: Vec::with_capacity(EDITS * games),
            text: Vec::with_capacity(TEXT * games),
            origin: 0,
        }
    }

    /// `bytes` after the edits.
    pub(super) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + self.text.len());
        self.chunks(bytes).for_each(|chunk| out.extend_from_slice(chunk));
        out
    }

    /// `bytes` after the edits, chunk by chunk and without a copy. No chunk is empty.
    pub(super) fn chunks<'e>(&'e self, bytes: &'e [u8]) -> impl Iterator<Item = &'e [u8]> {
        let mut from = 0;
        let edited = self.iter().flat_map(move |(span, text)| {
            let kept = &bytes[mem::replace(&mut from, span.end)..span.start];
            [kept, text]
        });
        let rest = self.list.last().map_or(0, |(span, _)| span.end);
        edited.chain([&bytes[rest..]]).filter(|chunk| !chunk.is_empty())
    }

    /// The spans that are replaced, with their replacements.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        self.list.iter().map(|(span, text)| (span.clone(), &self.text[text.clone()]))
    }

    /// The edits that are added from here on are those of a game that begins at `start`.
    pub(super) fn begin_game(&mut self, start: usize) {
        self.origin = start;
    }

    /// Adds an edit after the others. The replacement is what `write` writes.
    pub(super) fn push(&mut self, span: Range<usize>, write: impl FnOnce(&mut Vec<u8>)) {
        let span = self.origin + span.start..self.origin + span.end;
        debug_assert!(self.list.last().is_none_or(|(last, _)| last.end <= span.start));
        let start = self.text.len();
        write(&mut self.text);
        self.list.push((span, start..self.text.len()));
    }

    /// Adds an edit that only removes.
    pub(super) fn remove(&mut self, span: Range<usize>) {
        self.push(span, |_| {});
    }
}
