//! A FEN under examination: what was read of it, and the faults found so far.
//!
//! Reading goes through all six fields despite faults, so that one run reports all of them.
//! Where something is wrong but can only be meant in one way, the draft holds what was meant, so
//! that a repair can be offered.

use std::borrow::Cow;

use shakmaty::Setup;

use super::fault::{FaultClass, FaultKind, FenFault, FenField, Forgiven};

/// The most faults kept of one FEN. A megabyte of something else would have a million.
const MAX_FAULTS: usize = 64;

/// The most characters of a word that a fault quotes.
const MAX_FOUND: usize = 24;

/// Whether it is certain what was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repair {
    /// Nothing had to be repaired.
    NotNeeded,
    /// Everything that was wrong was repaired, in the only way there is.
    Done,
    /// Nobody can know what was meant.
    Unknown,
}

impl Repair {
    pub(super) fn is_certain(self) -> bool {
        self == Self::Done
    }
}

/// A word of the text, and the byte it begins at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// A FEN, as far as it has been read.
pub(super) struct Draft<'t> {
    pub(super) text: &'t str,
    /// The six fields; those that are missing are empty.
    pub(super) words: [Word<'t>; 6],
    /// What was read, and where that is wrong, what was meant.
    pub(super) setup: Setup,
    pub(super) faults: Vec<FenFault>,
    /// The number of faults beyond the most that are kept.
    pub(super) omitted: usize,
    pub(super) forgiven: Vec<Forgiven>,
    pub(super) repair: Repair,
    /// By field: whether it could not be read, and what was meant is unknown.
    pub(super) is_unknown: [bool; 6],
}

/// The text as characters. What is not UTF-8 becomes a character that no FEN has.
pub(super) fn decode(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

impl<'t> Draft<'t> {
    /// A draft of which nothing has been read yet.
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            words: [Word { at: text.trim_end().len(), text: "" }; 6],
            setup: Setup::empty(),
            faults: Vec::new(),
            omitted: 0,
            forgiven: Vec::new(),
            repair: Repair::NotNeeded,
            is_unknown: [false; 6],
        }
    }

    pub(super) fn word(&self, field: FenField) -> Word<'t> {
        self.words[field as usize]
    }

    /// Records a fault. `repair` says whether it was repaired; what is only odd may stay as it is.
    pub(super) fn fault(
        &mut self,
        repair: Repair,
        kind: FaultKind,
        field: FenField,
        at: usize,
        found: String,
        expected: impl Into<Cow<'static, str>>,
    ) {
        if repair == Repair::Done || kind.class() != FaultClass::Odd {
            self.repair = self.repair.max(repair);
        }
        self.is_unknown[field as usize] |=
            repair == Repair::Unknown && kind.class() == FaultClass::Syntax;
        if self.faults.len() < MAX_FAULTS {
            let column = self.text[..at].chars().count() + 1;
            let (found, expected) = (found.into(), expected.into());
            self.faults.push(FenFault { kind, field, column, found, expected });
        } else {
            self.omitted += 1;
        }
    }

    pub(super) fn forgive(&mut self, what: Forgiven) {
        if !self.forgiven.contains(&what) {
            self.forgiven.push(what);
        }
    }

    /// Whether the values of these fields are known, from reading or from repair.
    pub(super) fn knows(&self, fields: &[FenField]) -> bool {
        fields.iter().all(|field| !self.is_unknown[*field as usize])
    }

    /// Whether the text could be read.
    pub(super) fn is_readable(&self) -> bool {
        self.faults.iter().all(|fault| fault.class() != FaultClass::Syntax)
    }
}

/// A word in quotes, or as much of it as fits in a message.
pub(super) fn quoted(word: &str) -> String {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (None, _) => "nothing".to_owned(),
        (Some(c), None) => format!("{c:?}"),
        _ => match word.char_indices().nth(MAX_FOUND) {
            Some((end, _)) => format!("{:?}...", &word[..end]),
            None => format!("{word:?}"),
        },
    }
}
