//! Which games are read: by player, date, rating and result.

use clap::{Args, ValueEnum};
use eco::{
    repertoire::{GameFilter, Selection},
    select::{GameDate, GameResult, Player},
    store::RepertoireInfo,
};

/// The games to read.
#[derive(Debug, Args)]
pub(super) struct GameFilterArgs {
    /// Only games of this player with the colour of the repertoire; case, accents and the order of
    /// `Last, First` do not matter [default: the players of the repertoire, or else everybody]
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
    player: Vec<String>,

    /// Another spelling of the player's name
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
    alias: Vec<String>,

    /// Only games on or after this date: 2021, 2021-05 or 2021-05-13
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,

    /// Only games on or before this date
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,
}

/// The name of a player. An empty name would select everybody's games.
fn parse_player(text: &str) -> Result<String, &'static str> {
    if Player::new(text).is_nobody() {
        return Err("expected the name of a player");
    }
    Ok(text.trim().to_owned())
}

impl GameFilterArgs {
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
        let filter = GameFilter { since, until, ..GameFilter::default() };
        Selection { color: info.color, players, filter }
    }
}

/// Which games a repertoire is built from.
#[derive(Debug, Args)]
pub(super) struct BuildFilterArgs {
    #[command(flatten)]
    pub(super) games: GameFilterArgs,

    /// Minimum rating of the opponent or, without --player, of both players
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,

    /// Maximum rating, likewise
    #[arg(long, value_name = "RATING")]
    max_rating: Option<u16>,

    /// Only games with one of these results: 1-0, 0-1, 1/2-1/2, *
    #[arg(long, value_name = "RESULT", value_delimiter = ',')]
    result: Vec<ResultArg>,
}

/// A result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultArg {
    #[value(name = "1-0")]
    WhiteWins,
    #[value(name = "0-1")]
    BlackWins,
    #[value(name = "1/2-1/2", alias = "1/2")]
    Draw,
    #[value(name = "*")]
    Unknown,
}

impl From<ResultArg> for GameResult {
    fn from(result: ResultArg) -> Self {
        match result {
            ResultArg::WhiteWins => Self::WhiteWins,
            ResultArg::BlackWins => Self::BlackWins,
            ResultArg::Draw => Self::Draw,
            ResultArg::Unknown => Self::Unknown,
        }
    }
}

impl BuildFilterArgs {
    /// The games of the players of the repertoire that are read.
    pub(super) fn filter(&self) -> GameFilter {
        GameFilter {
            since: self.games.since,
            until: self.games.until,
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            results: self.result.iter().map(|result| (*result).into()).collect(),
        }
    }
}
