//! Edits: which bytes to replace by which.

use std::ops::Range;

/// One edit: the bytes of `span` become `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit<'e> {
    /// What is replaced; empty where something is only put in.
    pub span: Range<usize>,
    /// What comes in its place; empty where something is only taken out.
    pub text: &'e [u8],
}

/// The edits of one game, in order and without overlap. What they do not name stays as it is.
///
/// They are kept together, and so are those of all games of a block, so that a worker plans game after
/// game without allocating.
#[derive(Debug, Clone, Default)]
pub struct Edits {
    /// Spans of the game, and of `text`.
    list: Vec<(Range<usize>, Range<usize>)>,
    text: Vec<u8>,
    /// Where the game begins whose edits are added; places within it are counted from there.
    origin: usize,
}

impl Edits {
    /// Forgets all edits.
    pub fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
        self.origin = 0;
    }

    /// Whether nothing is to be changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The edits in order.
    pub fn iter(&self) -> impl Iterator<Item = Edit<'_>> {
        self.list
            .iter()
            .map(|(span, text)| Edit { span: span.clone(), text: &self.text[text.clone()] })
    }

    /// `bytes` with the edits made.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, classify::Classifier, pgn::Game};
    /// use eco::tag::{Edits, Options, Tagger};
    ///
    /// let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), Options::default());
    /// let game = b"[White \"Byrne\"]\n[ECO \"?\"]\n\n1. e4 c5 *\n";
    /// let mut edits = Edits::default();
    /// tagger.plan(&Game::from_bytes(game), &mut edits);
    /// let tagged = b"[White \"Byrne\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n";
    /// assert_eq!(edits.apply(game), tagged);
    /// ```
    #[must_use]
    pub fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + self.text.len());
        self.pieces(bytes).for_each(|piece| out.extend_from_slice(piece));
        out
    }

    /// `bytes` with the edits made, piece by piece: what stays is not copied.
    pub fn pieces<'e>(&'e self, bytes: &'e [u8]) -> impl Iterator<Item = &'e [u8]> {
        let mut from = 0;
        let edited = self.iter().flat_map(move |Edit { span, text }| {
            let kept = &bytes[std::mem::replace(&mut from, span.end)..span.start];
            [kept, text]
        });
        let rest = self.list.last().map_or(0, |(span, _)| span.end);
        edited.chain([&bytes[rest..]]).filter(|piece| !piece.is_empty())
    }

    /// No edits, but room for those that so many games usually have.
    pub(super) fn with_room(games: usize) -> Self {
        // Two new tags, or one, and a new value for the other.
        const LIST: usize = 2;
        const TEXT: usize = 64;
        Self {
            list: Vec::with_capacity(LIST * games),
            text: Vec::with_capacity(TEXT * games),
            origin: 0,
        }
    }

    /// The edits that are added from here on are those of a game that begins there.
    pub(super) fn begin_game(&mut self, start: usize) {
        self.origin = start;
    }

    /// Adds an edit behind the others; what it puts in is what `write` writes.
    pub(super) fn push(&mut self, span: Range<usize>, write: impl FnOnce(&mut Vec<u8>)) {
        let span = self.origin + span.start..self.origin + span.end;
        debug_assert!(self.list.last().is_none_or(|(last, _)| last.end <= span.start));
        let start = self.text.len();
        write(&mut self.text);
        self.list.push((span, start..self.text.len()));
    }

    /// Adds an edit that only takes out.
    pub(super) fn remove(&mut self, span: Range<usize>) {
        self.push(span, |_| {});
    }
}
