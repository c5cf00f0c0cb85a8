//! What a repertoire has to be trained.

use std::sync::Arc;

use eco::{
    store::{Database, RepertoireInfo},
    training::Deck,
};

use crate::cli::outcome::Failure;

/// The positions of a repertoire with what is known of them.
pub(super) fn deck(database: &Database, info: &RepertoireInfo) -> Result<Deck, Failure> {
    let book = database.book_by(&info.name, info.rule)?;
    Ok(Deck::new(Arc::new(book), database.training_cards(&info.name)?))
}
