//! The rows of `explore`: the moves of a position, and games that have it.

use super::scores::{Scores, with_ratings, with_results};
use super::value::{BAR_WIDTH, code, english_name, name, opening_at, score_bar};
use super::{ColumnType, RowColumns, Value, Width};
use crate::chess::{Board, Color, PositionKey, play_as_san};
use crate::collection::{FoundGame, MoveStats, PositionStats, Score};
use crate::{catalogue::Catalogue, opening::Opening};

/// A name keeps this width in a table as long as other columns can be left out.
const NAME_WIDTH: usize = 16;

/// The row of a move that was played in a position. Scores are those of the side that moves.
#[derive(Debug, Clone)]
pub struct ExploredMove<'a> {
    stats: &'a MoveStats,
    turn: Color,
    san: String,
    /// The share of the games that went on from the position.
    share: f64,
    leads_to: PositionKey,
    opening: Option<&'a Opening>,
}

impl<'a> ExploredMove<'a> {
    /// The rows of the moves of a position, in the order of the answer.
    pub fn all(
        stats: &'a PositionStats,
        position: &PositionKey,
        catalogue: &'a Catalogue,
    ) -> Vec<Self> {
        let Ok(before) = position.to_position() else { return Vec::new() };
        let row = |played: &'a MoveStats| {
            let mut position = before.clone();
            let m = played.uci.to_move(&position)?;
            let san = play_as_san(&mut position, m).to_string();
            let leads_to = Board::from_position(&position).key();
            Some(Self {
                stats: played,
                turn: !crate::chess::Position::turn(&position),
                san,
                share: played.score.games() as f64 / stats.score.games().max(1) as f64,
                leads_to,
                opening: opening_at(catalogue, &leads_to),
            })
        };
        stats.moves.iter().filter_map(row).collect()
    }

    /// Games won, drawn and lost by the side that moves.
    fn results(&self) -> [u64; 3] {
        let Score { white, draws, black } = self.stats.score;
        if self.turn.is_white() { [white, draws, black] } else { [black, draws, white] }
    }

    fn scores(&self) -> Scores {
        (self.stats, self.turn).into()
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        let columns = RowColumns::<Self>::new()
            .with_moves("move", Width::AtMost(7), |row| Value::text(&row.san))
            .for_machines("uci", ColumnType::Text, |row| Value::Display(&row.stats.uci));
        let columns = with_results!(columns, Archive, |row| row.scores())
            .for_humans("", Width::AtMost(BAR_WIDTH), |row| Value::text(score_bar(row.results())))
            .with("share", Width::Percent, |row| Value::share(Some(row.share)))
            .with("reached", Width::Number, |row| row.stats.reached.map(Score::games).into())
            .for_humans("opening", Width::LongName(NAME_WIDTH), |row| name(row.opening))
            .with_small("rating", |row| row.scores().rating.into());
        with_ratings!(columns, |row| row.scores())
            .for_machines("eco", ColumnType::Name, |row| code(row.opening))
            .for_machines("opening", ColumnType::Name, |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .for_machines("leads_to", ColumnType::Text, |row| Value::Display(&row.leads_to))
    }
}

/// Why a game is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameList {
    /// It has one of the highest ratings.
    Top,
    /// It is one of the latest.
    Recent,
}

/// The row of a game that was found in a position.
#[derive(Debug, Clone)]
pub struct ExploredGame<'a> {
    game: &'a FoundGame,
    list: GameList,
    san: String,
}

impl<'a> ExploredGame<'a> {
    /// The rows of the games of both lists, in the order of the answer.
    pub fn all(stats: &'a PositionStats, position: &PositionKey) -> Vec<Self> {
        let Ok(position) = position.to_position() else { return Vec::new() };
        let top = stats.top_games.iter().map(|game| (GameList::Top, game));
        let recent = stats.recent_games.iter().map(|game| (GameList::Recent, game));
        let row = |(list, game): (GameList, &'a FoundGame)| {
            let m = game.uci.to_move(&position)?;
            let san = play_as_san(&mut position.clone(), m).to_string();
            Some(Self { game, list, san })
        };
        top.chain(recent).filter_map(row).collect()
    }

    fn rating(&self, color: Color) -> Value<'static> {
        self.game.ratings[usize::from(color.is_black())].map(u64::from).into()
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with_name("list", 6, |row| {
                Value::text(if row.list == GameList::Top { "top" } else { "recent" })
            })
            .with_moves("move", Width::AtMost(7), |row| Value::text(&row.san))
            .for_machines("uci", ColumnType::Text, |row| Value::Display(&row.game.uci))
            .with("white", Width::Share(2), |row| Value::text(&row.game.names[0]))
            .for_machines("white_rating", ColumnType::UInt16, |row| row.rating(Color::White))
            .for_humans("", Width::Number, |row| row.rating(Color::White))
            .with("black", Width::Share(2), |row| Value::text(&row.game.names[1]))
            .for_machines("black_rating", ColumnType::UInt16, |row| row.rating(Color::Black))
            .for_humans("", Width::Number, |row| row.rating(Color::Black))
            .with_name("result", 7, |row| Value::text(row.game.result.as_str()))
            .with("date", Width::Date, |row| Value::optional(row.game.date))
            .with("event", Width::Share(1), |row| Value::text(&row.game.event))
            .for_machines("speed", ColumnType::Name, |row| Value::optional(row.game.speed))
            .for_machines("rated", ColumnType::Bool, |row| row.game.rated.into())
            .for_machines("collection", ColumnType::Text, |row| Value::text(&row.game.collection))
            .for_machines("link", ColumnType::Text, |row| Value::optional(row.game.link.as_deref()))
            .for_machines("id", ColumnType::Text, |row| Value::Display(&row.game.id))
    }
}
