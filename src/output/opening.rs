//! The names of positions in rows.

use super::Value;
use crate::opening::Opening;
#[cfg(any(feature = "collection", feature = "repertoire"))]
use crate::{catalogue::Catalogue, chess::PositionKey};

/// The name that a catalogue has for a position.
#[cfg(any(feature = "collection", feature = "repertoire"))]
pub(super) fn opening_at<'c>(catalogue: &'c Catalogue, key: &PositionKey) -> Option<&'c Opening> {
    catalogue.get(key).map(|line| &line.opening)
}

/// The ECO code of an opening.
pub(super) fn code(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.code()))
}

/// The name of an opening.
pub(super) fn name(opening: Option<&Opening>) -> Value<'_> {
    opening.map_or(Value::None, |opening| Value::text(opening.name()))
}
