//! The tags of a game, for the columns that show them.

use std::borrow::Cow;

use super::{Value, sanitize::sanitize};
use crate::{pgn::Game, select::GameInfo};

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
