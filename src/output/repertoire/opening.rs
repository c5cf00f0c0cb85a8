//! The names of positions.

use crate::{catalogue::Catalogue, chess::PositionKey, opening::Opening, output::Value};

/// The name that a catalogue has for a position.
#[must_use]
pub(crate) fn opening_at<'c>(catalogue: &'c Catalogue, key: &PositionKey) -> Option<&'c Opening> {
    catalogue.get(key).map(|line| &line.opening)
}

/// The ECO code of an opening.
pub(super) fn code(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.eco().as_str()))
}

/// The name of an opening.
pub(super) fn name(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.name()))
}
