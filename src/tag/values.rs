//! The values that the managed tags of a game should have, and their encodings.

use std::{borrow::Cow, iter, ops::Range};

use super::section::{COUNT, EXTENDED, MOVE_ORDER, SOURCE, STANDARD};
use super::{Names, TagOptions};
use crate::opening::{EcoCode, Opening};
use crate::pgn::{Game, decode_text};
use crate::{catalogue::plain_letters, classify::NamedAt};

/// The value of each managed tag, by slot; `None` if the game should not have the tag.
pub(super) type Values<'w> = [Option<&'w str>; COUNT];

/// The values for a game without a name.
pub(super) const NO_VALUES: Values<'static> = [None; COUNT];

/// The values for a game with this name. `by_moves` is its name by move order; `marks` are the
/// values of `ECOSource`, by master.
pub(super) fn values<'w>(
    options: &TagOptions,
    marks: &'w [String],
    named: &NamedAt<'w>,
    by_moves: Option<&NamedAt<'w>>,
) -> Values<'w> {
    let mut values = NO_VALUES;
    let opening = named.opening();
    set_name(options.names, opening, &mut values[..STANDARD]);
    if options.extended.is_some() {
        let has_suffix = |eco: &&EcoCode| eco.as_str().len() > eco.base().len();
        values[EXTENDED] = opening.eco().filter(has_suffix).map(EcoCode::as_str);
    }
    if let (true, Some(by_moves)) = (options.with_move_order, by_moves) {
        set_name(options.names, by_moves.opening(), &mut values[MOVE_ORDER..SOURCE]);
    }
    values[SOURCE] = marks.get(named.line().master).map(String::as_str);
    values
}

/// Sets code, opening, variation and subvariation. The game loses a code that the opening does not
/// have: it is that of another.
fn set_name<'w>(names: Names, opening: &'w Opening, values: &mut [Option<&'w str>]) {
    let parts = match names {
        Names::Full => [opening.name(), "", ""],
        Names::Split => [opening.family(), opening.variation(), opening.subvariation()],
    };
    values[0] = opening.eco().map(EcoCode::base);
    for (value, part) in values[1..].iter_mut().zip(parts) {
        *value = Some(part).filter(|part| !part.is_empty());
    }
}

/// The encoding in which names are written into a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Latin1,
}

impl Encoding {
    /// The encoding of a game. The spans of its `managed` tags do not count, so that the encoding
    /// is the same before and after tagging. If all `values` are ASCII, the encoding does not
    /// matter.
    pub(super) fn of(
        game: &Game<'_>,
        managed: impl Iterator<Item = Range<usize>>,
        values: &Values<'_>,
    ) -> Self {
        if values.iter().flatten().all(|text| text.is_ascii()) {
            return Self::Utf8;
        }
        let bytes = game.bytes();
        let mut from = 0;
        for span in managed.chain(iter::once(bytes.len()..bytes.len())) {
            // A character cut short by the end of a long game is no sign of Latin-1.
            if str::from_utf8(&bytes[from..span.start])
                .is_err_and(|error| error.error_len().is_some() || !game.is_cut())
            {
                return Self::Latin1;
            }
            from = span.end;
        }
        Self::Utf8
    }

    /// The bytes of a text. Letters that Latin-1 lacks are replaced by plain ones.
    pub(super) fn encode(self, text: &str) -> Cow<'_, [u8]> {
        if self == Self::Utf8 || text.is_ascii() {
            return Cow::Borrowed(text.as_bytes());
        }
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            match u8::try_from(u32::from(c)) {
                Ok(byte) => bytes.push(byte),
                Err(_) => bytes.extend_from_slice(plain_letters(&c.to_string()).as_bytes()),
            }
        }
        Cow::Owned(bytes)
    }

    /// Whether `value` is this text in a game of this encoding. A right value in the other encoding
    /// counts too.
    pub(super) fn is_text(self, value: &[u8], text: &str) -> bool {
        // ASCII is the same in both.
        value == &*self.encode(text) || (!text.is_ascii() && decode_text(value) == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_the_encoding_of_the_game() {
        for (text, latin1) in [
            ("Queen's", &b"Queen's"[..]),
            ("Gr\u{fc}nfeld", b"Gr\xfcnfeld"),
            ("Petroni\u{107}", b"Petronic"),
            ("\u{17d}\u{e9}", b"Z\xe9"),
        ] {
            assert_eq!(*Encoding::Latin1.encode(text), *latin1, "{text}");
            assert_eq!(*Encoding::Utf8.encode(text), *text.as_bytes());
        }
    }
}
