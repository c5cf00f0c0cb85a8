//! The API of lichess's opening explorer, as its clients speak it.
//!
//! Fields, their order and their defaults are those of the reference server. What its games always
//! have, and ours may lack, is a number 0 (a rating, a mean, a year), since clients take no other
//! value there; a speed or mode that is not known is left out. Parameters that are not known are
//! ignored. Filters that take everything there is (all speeds, all bands of ratings, both modes,
//! the whole range of dates) take the games as well that do not say.
//!
//! ```text
//! reply · filters │ masters · lichess · player · masters_pgn
//! ```

mod filters;
mod reply;

use self::filters::limit;
use self::reply::{Database, Writer};
use super::answer::{Answer, Fault};
use super::line::{CountedPosition, line_of, line_of_game};
use super::request::Request;
use crate::chess::{MoveNumber, movetext};
use crate::collection::{FoundGame, GameId, PositionQuery, PositionStats};
use crate::{classify::Question, pgn::write_tag, select::Player};

const MOVES: usize = 12;
const MASTERS_TOP_GAMES: usize = 15;
const TOP_GAMES: usize = 4;
/// With top games beside them, and without.
const RECENT_GAMES: [usize; 2] = [4, 8];
const PLAYER_RECENT_GAMES: usize = 8;

/// `/masters`: what was played over the board.
pub(super) fn masters(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    filters::check_variant(parameters)?;
    let line = line_of(parameters)?;
    let mut query = PositionQuery::default();
    [query.selection.since, query.selection.until] = filters::years(parameters)?;
    query.top_games = limit(parameters, "topGames", MASTERS_TOP_GAMES)?;
    let moves = parameters.whole("moves")?.unwrap_or(MOVES);
    let explorer = request.explorer(request.roles.masters.as_deref().as_slice())?;
    let stats = explorer.query(&line.end().into(), &query)?;
    let writer = Writer { database: Database::Masters, counted: counted(request, &line, &stats) };
    let mut reply = writer.reply(moves);
    reply.top_games = Some(writer.games(&stats.top_games));
    Ok(Answer::json(&reply))
}

fn counted<'a>(
    request: &Request<'a>,
    line: &'a Question,
    stats: &'a PositionStats,
) -> CountedPosition<'a> {
    CountedPosition { line, catalogue: request.catalogue, stats }
}

/// What is shown of games on the internet besides the sums.
struct Shown {
    moves: usize,
    top_games: usize,
    recent_games: [usize; 2],
    history: bool,
}

/// `/lichess`: what was played on the internet.
pub(super) fn lichess(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
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
    lichess_games(request, &shown)
}

/// `/lichess/history`: the months of a position alone.
pub(super) fn history(request: &Request<'_>) -> Result<Answer, Fault> {
    let shown = Shown { moves: 0, top_games: 0, recent_games: [0, 0], history: true };
    lichess_games(request, &shown)
}

fn lichess_games(request: &Request<'_>, shown: &Shown) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    filters::check_variant(parameters)?;
    let line = line_of(parameters)?;
    let (bands, speeds) = (filters::bands(parameters)?, filters::speeds(parameters)?);
    let [since, until] = filters::months(parameters)?;
    let mut stats = PositionStats::default();
    if !filters::is_nothing(&bands) && !filters::is_nothing(&speeds) {
        let has_top = filters::has_top_bands(bands.as_deref());
        let bands = bands.unwrap_or_default();
        let mut query = PositionQuery { history: shown.history, ..PositionQuery::default() };
        query.top_games = if has_top { shown.top_games } else { 0 };
        query.recent_games = shown.recent_games[1];
        query.mean_ratings = bands.into_iter().map(filters::ratings_of).collect();
        query.selection.speeds = speeds.unwrap_or_default();
        (query.selection.since, query.selection.until) = (since, until);
        let explorer = request.explorer(request.roles.lichess.as_deref().as_slice())?;
        stats = explorer.query(&line.end().into(), &query)?;
    }
    let (top, recent) = arrange(&mut stats, shown);
    let writer = Writer { database: Database::Lichess, counted: counted(request, &line, &stats) };
    let months = || reply::history(&stats.history, since, until.is_some());
    let mut reply = writer.reply(shown.moves);
    reply.recent_games = Some(writer.games(&recent));
    reply.top_games = Some(writer.games(&top));
    reply.history = shown.history.then(months);
    Ok(Answer::json(&reply))
}

/// The top games and the recent ones. Games of low ratings are no top games, but may be recent.
fn arrange(stats: &mut PositionStats, shown: &Shown) -> (Vec<FoundGame>, Vec<FoundGame>) {
    let is_top = |game: &FoundGame| match game.ratings {
        [Some(white), Some(black)] => (white + black) / 2 >= filters::TOP_BAND,
        _ => false,
    };
    let found = std::mem::take(&mut stats.top_games);
    let (top, others): (Vec<_>, Vec<_>) = found.into_iter().partition(is_top);
    let mut recent = std::mem::take(&mut stats.recent_games);
    if !others.is_empty() {
        recent.extend(others);
        recent.sort_by(|a, b| b.recency().cmp(&a.recency()));
    }
    recent.truncate(shown.recent_games[usize::from(top.is_empty())]);
    (top, recent)
}

/// `/player`: what somebody played in a position, in all collections.
///
/// The reference indexes a player's games when somebody asks, and sends lines until that is done.
/// Here everything is indexed: the answer is one line.
pub(super) fn player(request: &Request<'_>) -> Result<Answer, Fault> {
    let parameters = &request.parameters;
    filters::check_variant(parameters)?;
    let line = line_of(parameters)?;
    let missing = |name: &str| Fault::parameter(name, "expected, but not there");
    let player = Player::new(parameters.get("player").unwrap_or_default());
    if player.is_nobody() {
        return Err(missing("player"));
    }
    let (speeds, modes) = (filters::speeds(parameters)?, filters::modes(parameters)?);
    let takes_nothing = filters::is_nothing(&speeds) || filters::is_nothing(&modes);
    let mut query = PositionQuery::default();
    query.selection.players = vec![player];
    query.selection.color = Some(filters::color(parameters)?.ok_or_else(|| missing("color"))?);
    query.selection.speeds = speeds.unwrap_or_default();
    query.selection.rated = modes.and_then(|modes| modes.first().copied());
    [query.selection.since, query.selection.until] = filters::months(parameters)?;
    query.recent_games = limit(parameters, "recentGames", PLAYER_RECENT_GAMES)?;
    query.history = parameters.is_set("history");
    let moves = parameters.whole("moves")?.unwrap_or(usize::MAX);
    let stats = if takes_nothing {
        PositionStats::default()
    } else {
        request.explorer(&[])?.query(&line.end().into(), &query)?
    };
    let writer = Writer { database: Database::Player, counted: counted(request, &line, &stats) };
    let months = || reply::history(&stats.history, None, query.selection.until.is_some());
    let mut reply = writer.reply(moves);
    reply.recent_games = Some(writer.games(&stats.recent_games));
    reply.queue_position = Some(0);
    reply.history = query.history.then(months);
    Ok(Answer::json_line(&reply))
}

/// The tags that are written, with what stands for a missing one; without that, it is left out.
const TAGS: [(&str, Option<&[u8]>); 9] = [
    ("Event", Some(b"?")),
    ("Site", Some(b"?")),
    ("Date", Some(b"????.??.??")),
    ("Round", Some(b"?")),
    ("White", Some(b"?")),
    ("Black", Some(b"?")),
    ("Result", Some(b"*")),
    ("WhiteElo", None),
    ("BlackElo", None),
];

/// `/masters/pgn/{id}`: a game as PGN with nine tags, and the moves on one line.
pub(super) fn masters_pgn(request: &Request<'_>) -> Result<Answer, Fault> {
    // The reference says nothing of a game that it does not have.
    let unknown = || Fault::not_found("");
    let id: GameId = request.id.parse().map_err(|_| unknown())?;
    let (_, game) = request.game(id)?.ok_or_else(unknown)?;
    let mut text = Vec::new();
    for (name, missing) in TAGS {
        if let Some(value) = game.tag(name).or(missing) {
            write_tag(name.as_bytes(), value, &mut text);
            text.push(b'\n');
        }
    }
    text.push(b'\n');
    if let Some(line) = line_of_game(&game).filter(|line| !line.moves().is_empty()) {
        let moves = line.steps().map(|(_, m, _)| m);
        let first = MoveNumber::next_in(line.start());
        text.extend(movetext(line.start().clone(), first, moves).bytes().chain([b' ']));
    }
    text.extend_from_slice(game.result().as_str().as_bytes());
    text.push(b'\n');
    Ok(Answer::pgn(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{collection::GameId, pgn::GameDate, pgn::PlayedAt, select::GameResult};

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
            // Those with the smallest numbers arrived last.
            arrival: 10 - number as u32,
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
            // Of one day the higher ratings come first, of those the first to arrive.
            (
                vec![found(1, Some(2000), 2001), found(7, Some(1999), 2018), found(2, None, 2020)],
                [&[1], &[4, 2, 7]],
            ),
            // Without top games there is room for more.
            (vec![found(3, Some(1999), 2024), found(1, Some(1500), 2018)], [&[], &[3, 4, 6, 5, 1]]),
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
