//! Flash cards of a repertoire for Anki: one for each position in which its own side is to move.
//!
//! Cards are written as text for Anki's importer ([`write_cards`]), or as a package with decks and
//! pictures ([`write_package`]). What stands on a card is the same in both.

mod faces;
mod html;
mod text;

#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod collection;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod decks;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod entries;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod former;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod identity;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod note;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod note_type;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
mod package;

pub use faces::Picture;
#[cfg(all(feature = "codecs", feature = "sqlite"))]
pub use former::{FormerCards, FormerCardsError};
#[cfg(all(feature = "codecs", feature = "sqlite"))]
pub use package::{CardIdentity, Package, write_package};
pub use text::{Cards, count_cards, write_cards};
