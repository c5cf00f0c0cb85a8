//! Which games of a repertoire are read.

use clap::Args;
use eco::{
    select::{Player, RatingOf, Selection},
    store::RepertoireInfo,
};

use crate::cli::{outcome::Failure, selection::ConditionArgs};

/// The selected games of the players of a repertoire, or of those who are named, with its colour.
pub(super) fn games_of(args: &ConditionArgs, info: &RepertoireInfo) -> Result<Selection, Failure> {
    let mut selection = args.selection()?;
    selection.color = Some(info.color);
    if selection.players.is_empty() {
        selection.players = info.players.iter().map(|name| Player::new(name)).collect();
    }
    Ok(selection)
}

/// Which games a repertoire is built from.
#[derive(Debug, Args)]
pub(super) struct BuildFilterArgs {
    #[command(flatten)]
    pub(super) conditions: ConditionArgs,

    /// Minimum rating of the opponent or, without --player, of both players
    #[arg(long, value_name = "RATING", hide = true, conflicts_with = "rating")]
    min_rating: Option<u16>,

    /// Maximum rating, likewise
    #[arg(long, value_name = "RATING", hide = true, conflicts_with = "rating")]
    max_rating: Option<u16>,
}

impl BuildFilterArgs {
    /// What is selected; whose games they are is up to the repertoire.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        let mut selection = self.conditions.selection()?;
        if self.min_rating.is_some() || self.max_rating.is_some() {
            let range = self.min_rating.unwrap_or(0)..=self.max_rating.unwrap_or(u16::MAX);
            (selection.rating, selection.rating_of) = (Some(range), RatingOf::Opponent);
        }
        Ok(selection)
    }
}
