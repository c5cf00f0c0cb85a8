//! Whose games, and of which time.

use clap::Args;
use eco::{
    repertoire::{GameDate, Player, Selection},
    store::RepertoireInfo,
};

/// Which games are looked at.
#[derive(Debug, Args)]
pub(super) struct ChoiceArgs {
    /// Only games that this player has with the colour of the repertoire; capitals, accents and `Last,
    /// First` make no difference [default: the players of the repertoire, or else everybody]
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
    player: Vec<String>,

    /// Another spelling of the player's name
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
    alias: Vec<String>,

    /// Only games from this date on: 2021, 2021-05 or 2021-05-13
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,

    /// Only games up to this date
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,
}

/// A name that somebody can have. An empty one would mean everybody's games.
fn parse_player(text: &str) -> Result<String, &'static str> {
    if Player::new(text).is_nobody() {
        return Err("expected the name of a player");
    }
    Ok(text.trim().to_owned())
}

impl ChoiceArgs {
    /// The players that were named.
    pub(super) fn names(&self) -> Vec<String> {
        self.player.iter().chain(&self.alias).cloned().collect()
    }

    /// What is selected, for a repertoire.
    pub(super) fn selection(&self, info: &RepertoireInfo) -> Selection {
        let named = self.names();
        let players = if named.is_empty() { &info.players } else { &named };
        let players = players.iter().map(|name| Player::new(name)).collect();
        let (since, until) = (self.since, self.until);
        Selection { players, since, until, ..Selection::all(info.color) }
    }
}
