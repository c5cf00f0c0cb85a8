//! What is asked of games that collections keep.

use std::collections::BTreeSet;

use eco::{
    catalogue::Catalogue,
    select::{NearestNames, Player, Selection},
    store::Explorer,
};

use super::selected::{check_openings, unknown};
use crate::cli::outcome::Failure;

/// Checks that a game has each of these people.
///
/// # Errors
///
/// If there are games, but none of somebody who was asked for; or the file cannot be read.
pub(in crate::cli) fn check_kept_people(
    explorer: &Explorer,
    names: &[String],
) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for name in names {
        missing.extend(explorer.unknown_player(name)?);
    }
    if missing.is_empty() { Ok(()) } else { Err(unknown(missing, "")) }
}

/// The same, where these are the names of all who played.
///
/// # Errors
///
/// If there are games, but none of somebody who was asked for.
pub(in crate::cli) fn check_named_people(
    played: &BTreeSet<String>,
    names: &[String],
) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for name in names.iter().filter(|_| !played.is_empty()) {
        let player = Player::new(name);
        if !played.iter().any(|known| player.is_named(known.as_bytes())) {
            let mut nearest = NearestNames::new(player);
            nearest.add(played);
            missing.push(nearest.unknown(name));
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(unknown(missing, "")) }
}

/// Checks that there is an opening that is asked for: in the catalogue of the database, or in the
/// built-in one, by which games were named that were added before the database had masters.
///
/// # Errors
///
/// If there is none.
pub(in crate::cli) fn check_kept_openings(
    selection: &Selection,
    stored: Option<&Catalogue>,
) -> Result<(), Failure> {
    let builtin = || selection.asks_for_opening().then(Catalogue::builtin);
    let catalogues: Vec<&Catalogue> = stored.into_iter().chain(builtin()).collect();
    check_openings(selection, &catalogues)
}
