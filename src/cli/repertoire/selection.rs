//! Which games a repertoire is built from.

use clap::{Args, ValueEnum};
use eco::{
    repertoire::{GameResult, Player, Selection},
    store::RepertoireInfo,
};

use super::choice::ChoiceArgs;

/// Which games are taken.
#[derive(Debug, Args)]
pub(super) struct SelectionArgs {
    #[command(flatten)]
    pub(super) choice: ChoiceArgs,

    /// Only games whose opponent (without --player: whose players) is rated so much at least
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,

    /// The same, at most
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

impl SelectionArgs {
    /// What is selected, for a repertoire that has taken over the players that were named.
    pub(super) fn selection(&self, info: &RepertoireInfo) -> Selection {
        Selection {
            players: info.players.iter().map(|name| Player::new(name)).collect(),
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            results: self.result.iter().map(|result| (*result).into()).collect(),
            ..self.choice.selection(info)
        }
    }
}
