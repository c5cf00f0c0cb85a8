//! Whose games, and which of them.

use clap::{Args, ValueEnum};
use eco::{
    chess::Color,
    repertoire::{GameDate, GameResult, Player, Selection},
};

/// Which games are taken.
#[derive(Debug, Args)]
pub(super) struct SelectionArgs {
    /// Only games that this player has with the colour of the repertoire; capitals, accents and `Last,
    /// First` make no difference. Kept with the repertoire
    #[arg(long, value_name = "NAME")]
    pub(super) player: Vec<String>,

    /// Another spelling of the player's name
    #[arg(long, value_name = "NAME")]
    pub(super) alias: Vec<String>,

    /// Only games from this date on: 2021, 2021-05 or 2021-05-13
    #[arg(long, value_name = "DATE")]
    pub(super) since: Option<GameDate>,

    /// Only games up to this date
    #[arg(long, value_name = "DATE")]
    pub(super) until: Option<GameDate>,

    /// Only games whose opponent (without --player: whose players) is rated so much at least
    #[arg(long, value_name = "RATING")]
    pub(super) min_rating: Option<u16>,

    /// The same, at most
    #[arg(long, value_name = "RATING")]
    pub(super) max_rating: Option<u16>,

    /// Only games with one of these results: 1-0, 0-1, 1/2-1/2, *
    #[arg(long, value_name = "RESULT", value_delimiter = ',')]
    pub(super) result: Vec<ResultArg>,
}

/// A result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ResultArg {
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

impl SelectionArgs {
    /// The names that were given.
    pub(super) fn names(&self) -> Vec<String> {
        let names = self.player.iter().chain(&self.alias).map(|name| name.trim().to_owned());
        names.filter(|name| !Player::new(name).is_nobody()).collect()
    }

    /// What is selected, for a repertoire of these players.
    pub(super) fn selection(&self, color: Color, players: &[String]) -> Selection {
        Selection {
            color,
            players: players.iter().map(|name| Player::new(name)).collect(),
            since: self.since,
            until: self.until,
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            results: self.result.iter().map(|result| (*result).into()).collect(),
        }
    }
}
