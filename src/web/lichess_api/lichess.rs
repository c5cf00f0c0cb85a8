//! `/lichess` and `/lichess/history`: games on the internet.

use super::{
    filters::{
        TOP_BAND, Wanted, bands, check_variant, has_top_bands, limit, months, ratings_of, speeds,
    },
    reply::{self, Database, Reply, Writer},
};
use crate::{
    collection::{FoundGame, Month, PositionQuery, PositionStats},
    pgn::GameDate,
    web::{
        answer::Answer,
        asked_line::{AskedLine, key_of},
        fault::Fault,
        opened::Opened,
        parameters::Parameters,
    },
};

const MOVES: usize = 12;
const TOP_GAMES: usize = 4;
/// With top games beside them, and without.
const RECENT_GAMES: [usize; 2] = [4, 8];

/// What is shown besides the sums.
struct Shown {
    moves: usize,
    top_games: usize,
    recent_games: [usize; 2],
    history: bool,
}

/// What was played in a position on the internet.
pub(in crate::web) fn lichess(
    parameters: &Parameters,
    opened: &Opened,
    collections: &[&str],
) -> Result<Answer, Fault> {
    let [beside_top, alone] = RECENT_GAMES;
    let shown = Shown {
        moves: parameters.whole("moves")?.unwrap_or(MOVES),
        top_games: limit(parameters, "topGames", TOP_GAMES)?,
        recent_games: [
            limit(parameters, "recentGames", beside_top)?,
            limit(parameters, "recentGames", alone)?,
        ],
        history: parameters.is_set("history"),
    };
    answer(parameters, opened, collections, &shown)
}

/// The months of a position alone.
pub(in crate::web) fn history(
    parameters: &Parameters,
    opened: &Opened,
    collections: &[&str],
) -> Result<Answer, Fault> {
    let shown = Shown { moves: 0, top_games: 0, recent_games: [0, 0], history: true };
    answer(parameters, opened, collections, &shown)
}

fn answer(
    parameters: &Parameters,
    opened: &Opened,
    collections: &[&str],
    shown: &Shown,
) -> Result<Answer, Fault> {
    check_variant(parameters)?;
    let line = AskedLine::read(parameters)?;
    let (bands, speeds) = (bands(parameters)?, speeds(parameters)?);
    let [since, until] = months(parameters)?;
    let takes_nothing = bands.is_nothing() || speeds.is_nothing();
    let query = query(bands, speeds, [since, until], shown);
    let mut stats = if takes_nothing {
        PositionStats::default()
    } else {
        opened.explorer(collections)?.query(&key_of(line.end()), &query)?
    };
    let (top, recent) = arrange(&mut stats, shown);
    let writer = Writer { database: Database::Lichess, line: &line, catalogue: opened.catalogue() };
    let months = reply::history(&stats.history, since.and_then(month), until.is_some());
    Ok(Answer::json(&Reply {
        score: stats.score.into(),
        moves: writer.moves(&stats.moves, shown.moves),
        recent_games: Some(writer.games(&recent)),
        top_games: Some(writer.games(&top)),
        opening: writer.opening(),
        queue_position: None,
        history: shown.history.then_some(months),
    }))
}

fn query(
    bands: Wanted<u16>,
    speeds: Wanted<crate::select::Speed>,
    [since, until]: [Option<GameDate>; 2],
    shown: &Shown,
) -> PositionQuery {
    let mut query = PositionQuery { history: shown.history, ..PositionQuery::default() };
    query.top_games = if has_top_bands(&bands) { shown.top_games } else { 0 };
    query.recent_games = shown.recent_games[1];
    query.mean_ratings = bands.into_items().into_iter().map(ratings_of).collect();
    query.selection.speeds = speeds.into_items();
    (query.selection.since, query.selection.until) = (since, until);
    query
}

/// The top games and the recent ones. Games of low ratings are no top games, but may be recent.
fn arrange(stats: &mut PositionStats, shown: &Shown) -> (Vec<FoundGame>, Vec<FoundGame>) {
    let is_top = |game: &FoundGame| match game.ratings {
        [Some(white), Some(black)] => (white + black) / 2 >= TOP_BAND,
        _ => false,
    };
    let found = std::mem::take(&mut stats.top_games);
    let (top, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_top);
    let mut recent = std::mem::take(&mut stats.recent_games);
    if !others.is_empty() {
        recent.extend(others);
        recent.sort_by_key(|game| std::cmp::Reverse(game.recency()));
    }
    recent.truncate(shown.recent_games[usize::from(top.is_empty())]);
    (top, recent)
}

fn month(date: GameDate) -> Option<Month> {
    let number = date.number();
    let (year, month) = (u16::try_from(number / 10_000).ok()?, number / 100 % 100);
    Some(Month { year, month: u8::try_from(month).ok().filter(|month| *month > 0)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{collection::GameId, pgn::PlayedAt, select::GameResult};

    /// A game of a year, with both ratings.
    fn found(number: u64, rating: Option<u16>, year: u32) -> FoundGame {
        let date = year * 10_000 + 101;
        FoundGame {
            id: GameId::from_number(number),
            collection: String::new(),
            uci: "e2e4".parse().unwrap(),
            names: [const { String::new() }; 2],
            ratings: [rating, rating],
            result: GameResult::Draw,
            date: GameDate::from_number(date),
            played_at: PlayedAt::from_numbers([date, 0]),
            speed: None,
            rated: None,
            event: String::new(),
            link: None,
        }
    }

    #[test]
    fn low_rated_top_games_are_recent_ones_in_the_order_of_time() {
        let shown = Shown { moves: 0, top_games: 4, recent_games: [3, 5], history: false };
        let recent = [found(4, None, 2020), found(5, Some(1500), 2018), found(6, Some(1500), 2018)];
        for (top, numbers) in [
            // Top games keep their order.
            (
                vec![found(1, Some(2100), 2001), found(2, Some(2000), 2024)],
                [&[1, 2][..], &[4, 5, 6]],
            ),
            // Of one day the higher ratings come first, of those the smaller identity.
            (
                vec![found(1, Some(2000), 2001), found(7, Some(1999), 2018), found(2, None, 2020)],
                [&[1], &[2, 4, 7]],
            ),
            // Without top games there is room for more.
            (vec![found(3, Some(1999), 2024), found(1, Some(1500), 2018)], [&[], &[3, 4, 1, 5, 6]]),
        ] {
            let mut stats = PositionStats {
                top_games: top,
                recent_games: recent.to_vec(),
                ..PositionStats::default()
            };
            let (top, recent) = arrange(&mut stats, &shown);
            let ids = |games: &[FoundGame]| games.iter().map(|game| game.id).collect::<Vec<_>>();
            let expected = numbers.map(|numbers| {
                numbers.iter().copied().map(GameId::from_number).collect::<Vec<_>>()
            });
            assert_eq!([ids(&top), ids(&recent)], expected);
        }
    }
}
