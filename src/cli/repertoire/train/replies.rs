//! How often the opponent's moves are met, by the games of a reference.

use std::{path::Path, sync::Arc};

use eco::{repertoire::MoveCounts, training::Deck};

use super::super::reference::{Reference, ReferenceArgs};
use crate::cli::{args::RunArgs, games::options, outcome::Failure};

/// The deck, with the opponent's moves as frequent as in the reference, if there is one.
pub(super) fn with_replies(
    deck: Deck,
    args: &ReferenceArgs,
    own: &Path,
    run: &RunArgs,
) -> Result<Deck, Failure> {
    let Some(reference) = Reference::open(args, Some(own), deck.depth())? else { return Ok(deck) };
    let mut counts = MoveCounts::default();
    reference.each(
        &options(run),
        run,
        |games| MoveCounts::of(deck.book(), &games),
        |part: MoveCounts| counts.merge(&part),
    )?;
    Ok(deck.with_replies(Arc::new(counts)))
}
