//! The answer as JSON: fields in the order of the reference.

use serde::Serialize;

use crate::chess::{Color, UciMove};
use crate::collection::{FoundGame, MonthStats, RatingSum, Score};
use crate::web::line::{
    CountedMove, CountedPosition, MonthObject, OpeningObject, PlayerObject, names, uci_king_to_rook,
};
use crate::{pgn::GameDate, select::Speed, stats};

/// What was played in a position.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply<'a> {
    #[serde(flatten)]
    score: Score,
    moves: Vec<MoveObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recent_games: Option<Vec<ListedGame<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_games: Option<Vec<ListedGame<'a>>>,
    opening: Option<OpeningObject<'a>>,
    /// How many others are indexed before the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queue_position: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) history: Option<Vec<MonthObject>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveObject<'a> {
    uci: String,
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_rating: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_opponent_rating: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<u64>,
    #[serde(flatten)]
    score: Score,
    game: Option<GameObject<'a>>,
    opening: Option<OpeningObject<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct ListedGame<'a> {
    uci: String,
    #[serde(flatten)]
    game: GameObject<'a>,
}

#[derive(Debug, Serialize)]
struct GameObject<'a> {
    id: String,
    winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    black: PlayerObject<'a>,
    white: PlayerObject<'a>,
    year: u32,
    month: Option<String>,
}

/// Which of the three databases of the reference answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Database {
    Masters,
    Lichess,
    Player,
}

/// Writes moves and games of one position.
pub(super) struct Writer<'a> {
    pub(super) database: Database,
    pub(super) counted: CountedPosition<'a>,
}

impl<'a> Writer<'a> {
    /// What every reply has. The opening is that of the last named position on the line.
    pub(super) fn reply(&self, moves: usize) -> Reply<'a> {
        let CountedPosition { line, catalogue, stats } = self.counted;
        Reply {
            score: stats.score,
            moves: self.counted.moves(moves).map(|counted| self.move_object(counted)).collect(),
            opening: names(line, catalogue).last().map(|named| named.opening().into()),
            ..Reply::default()
        }
    }

    fn move_object(&self, counted: CountedMove<'a>) -> MoveObject<'a> {
        let CountedMove { played, stats, opening } = counted;
        let is_player = self.database == Database::Player;
        let opponents = stats.opponent_rating;
        let performance =
            stats::performance_of_any(stats.half_points, opponents.games, opponents.sum);
        let mean = |ratings: RatingSum| ratings.mean().unwrap_or_default();
        MoveObject {
            uci: uci_king_to_rook(played.m),
            san: played.san,
            average_rating: (!is_player).then(|| mean(stats.rating)),
            average_opponent_rating: is_player.then(|| mean(opponents)),
            performance: is_player.then(|| performance.unwrap_or_default()),
            score: stats.score,
            game: stats.only_game.as_ref().map(|game| self.game_object(game)),
            opening,
        }
    }

    /// Games with the move that was played in the position.
    pub(super) fn games<'g>(&self, games: &'g [FoundGame]) -> Vec<ListedGame<'g>> {
        let listed = |game: &'g FoundGame| ListedGame {
            uci: self.uci(game.uci),
            game: self.game_object(game),
        };
        games.iter().map(listed).collect()
    }

    fn uci(&self, uci: UciMove) -> String {
        let m = uci.to_move(self.counted.line.end());
        m.map_or_else(|| uci.to_string(), uci_king_to_rook)
    }

    fn game_object<'g>(&self, game: &'g FoundGame) -> GameObject<'g> {
        let is_masters = self.database == Database::Masters;
        let lichess_id = game.link.as_deref().and_then(lichess_id).filter(|_| !is_masters);
        let mode = game.rated.map(|rated| if rated { "rated" } else { "casual" });
        let player = |color: Color| {
            let PlayerObject { name, rating } = PlayerObject::of(game, color);
            PlayerObject { name, rating: Some(rating.unwrap_or_default()) }
        };
        let date = game.date.map_or(0, GameDate::number);
        let month = date / 100 % 100;
        GameObject {
            id: lichess_id.map_or_else(|| game.id.to_string(), str::to_owned),
            winner: game.result.winner().map(|color| color.to_string()),
            speed: game.speed.map(Speed::name).filter(|_| !is_masters),
            mode: mode.filter(|_| !is_masters),
            black: player(Color::Black),
            white: player(Color::White),
            year: date / 10_000,
            month: (month > 0).then(|| format!("{:04}-{month:02}", date / 10_000)),
        }
    }
}

/// The identity that a game has on lichess, by which clients open it there.
fn lichess_id(link: &str) -> Option<&str> {
    let path = link.strip_prefix("https://lichess.org/")?;
    let id = path.get(..8)?;
    let is_id = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // A player's games have twelve letters and digits.
    let rest = path[8..].bytes().next();
    (is_id && rest.is_none_or(|byte| b"/?#".contains(&byte) || path.len() == 12)).then_some(id)
}

/// The most months that are written.
const MAX_MONTHS: u32 = 12 * 300;

/// All months from the first, with those of no game between them. The last one, which may not be
/// over, is left out unless an end was asked for.
pub(super) fn history(
    months: &[MonthStats],
    since: Option<GameDate>,
    is_end_asked: bool,
) -> Vec<MonthObject> {
    let month_of = |date: GameDate| date.number() / 100 % 100;
    let number = |date: GameDate| date.number() / 10_000 * 12 + month_of(date) - 1;
    let (Some(first), Some(last)) = (months.first(), months.last()) else { return Vec::new() };
    let last = number(last.month);
    let since = since.filter(|date| month_of(*date) > 0);
    let first = since.map_or(number(first.month), number).max(last.saturating_sub(MAX_MONTHS));
    let mut known = months.iter().skip_while(|stats| number(stats.month) < first).peekable();
    let mut written: Vec<MonthObject> = (first..=last)
        .map(|month| MonthObject {
            month: format!("{:04}-{:02}", month / 12, month % 12 + 1),
            score: known
                .next_if(|stats| number(stats.month) == month)
                .map(|stats| stats.score)
                .unwrap_or_default(),
        })
        .collect();
    if !is_end_asked {
        written.pop();
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Score;

    #[test]
    fn gaps_of_the_history_are_filled() {
        let stats = |year: u32, month: u32, white| MonthStats {
            month: GameDate::from_number(year * 10_000 + month * 100).unwrap(),
            score: Score { white, draws: 0, black: 0 },
        };
        let months = [stats(2023, 11, 1), stats(2024, 2, 2)];
        let text = |since, is_end_asked| {
            let written = history(&months, since, is_end_asked).into_iter();
            written.map(|m| format!("{} {}", m.month, m.score.white)).collect::<Vec<_>>().join(",")
        };
        assert_eq!(text(None, true), "2023-11 1,2023-12 0,2024-01 0,2024-02 2");
        assert_eq!(text(None, false), "2023-11 1,2023-12 0,2024-01 0");
        let since = GameDate::from_number(20_231_000);
        assert_eq!(text(since, false), "2023-10 0,2023-11 1,2023-12 0,2024-01 0");
        assert!(history(&[], since, true).is_empty());
        let long = [stats(1, 1, 1), stats(u16::MAX.into(), 12, 1)];
        assert_eq!(history(&long, None, true).len(), MAX_MONTHS as usize + 1);
    }

    #[test]
    fn games_of_lichess_have_its_ids() {
        for (link, id) in [
            ("https://lichess.org/abcdEFG1", Some("abcdEFG1")),
            ("https://lichess.org/abcdEFG1/black#12", Some("abcdEFG1")),
            ("https://lichess.org/abcdEFG1wxyz", Some("abcdEFG1")),
            ("https://lichess.org/abcdEFG1xy", None),
            ("https://lichess.org/study/abcdefgh", None),
            ("https://lichess.org/short", None),
            ("https://lichess.org/äääääääää", None),
            ("https://www.chess.com/game/live/12345678", None),
        ] {
            assert_eq!(lichess_id(link), id, "{link}");
        }
    }
}
