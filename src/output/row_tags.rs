//! The tags of a game, for the columns that show them.

use std::borrow::Cow;

use super::{Value, sanitize::sanitize};
use crate::{
    pgn::{Game, Token},
    select::GameInfo,
};

/// The tags of a game, for [fields](super::Field::needs_tags) that show them.
#[derive(Debug, Clone)]
pub struct RowTags<'a> {
    pub(super) info: GameInfo<'a>,
    /// The values of the tags that are asked for by name, in the order of the fields.
    named: Vec<Option<Cow<'a, [u8]>>>,
}

impl<'a> RowTags<'a> {
    /// Reads the tags of a game. `named` are the [tags](super::Field::tag) that are asked for by
    /// name, in the order of the fields.
    #[must_use]
    pub fn read<'n>(game: &Game<'a>, named: impl IntoIterator<Item = &'n str>) -> Self {
        let info = GameInfo::read(game);
        let named = named.into_iter().map(|name| info.tag(name)).collect();
        Self { info, named }
    }

    /// The value of the tag with this name.
    pub(super) fn value(&self, name: &str) -> Value<'_> {
        self.info.tag(name).map_or(Value::None, value)
    }

    /// The moves of the main line as they are written, and the result after them.
    pub(super) fn moves(&self) -> Value<'_> {
        let mut words = Vec::new();
        for token in self.info.game().tags().into_main_line() {
            let (Token::Move(word) | Token::Result(word)) = token else { continue };
            // A piece may stand apart from its square.
            for part in word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
                words.extend_from_slice(part);
                words.push(b' ');
            }
        }
        words.pop();
        match words.is_empty() {
            true => Value::None,
            false => Value::Movetext(sanitize(&words).into_owned().into()),
        }
    }

    /// The value of the nth tag of those that are asked for by name.
    pub(super) fn nth(&self, n: usize) -> Value<'_> {
        let found = self.named.get(n).and_then(Option::as_deref);
        found.map_or(Value::None, Value::Bytes)
    }
}

fn value(bytes: Cow<'_, [u8]>) -> Value<'_> {
    match bytes {
        Cow::Borrowed(bytes) => Value::Bytes(bytes),
        Cow::Owned(bytes) => Value::Text(sanitize(&bytes).into_owned().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_the_main_line_as_it_is_written() {
        for (pgn, expected) in [
            (
                "[White \"a\"]\n\n1. e4! {best} e5 (1... c5 2. Nf3) 2.Nf3 $1 Nc6 1-0\n",
                "e4 e5 Nf3 Nc6 1-0",
            ),
            ("1. e4 e5 2. Ke9 junk", "e4 e5 Ke9 junk"),
            ("[White \"a\"]\n\n*\n", "*"),
            ("[White \"a\"]\n\n{no move}\n", ""),
        ] {
            let game = Game::from_bytes(pgn.as_bytes());
            let tags = RowTags::read(&game, []);
            let found = match tags.moves() {
                Value::Movetext(text) => text.into_owned(),
                _ => String::new(),
            };
            assert_eq!(found, expected, "{pgn}");
        }
    }
}
