//! Which games are meant.

use std::{ops::RangeInclusive, str::FromStr};

use super::{
    folded::{TagPart, VariantName, fold},
    game_info::GameInfo,
    player::Player,
    result::GameResult,
    speed::Speed,
};
use crate::{catalogue::Query, chess::Color, classify::Header, opening::Opening, pgn::GameDate};

/// Which games are meant. The default is all games.
///
/// Each field that is set leaves games out; a list is passed by a game that any of its items
/// passes. A game that does not say what a field asks for is left out.
///
/// ```
/// use eco::{chess::Color, pgn::Game, select::{GameInfo, Player, Selection}};
///
/// let mut selection = Selection::default();
/// selection.players = vec![Player::new("Fischer, Robert")];
/// selection.since = Some("1956-10".parse()?);
/// let game = b"[Black \"Robert Fischer\"]\n[Date \"1956.??.??\"]\n\n1. Nf3 Nf6 0-1\n";
/// let found = selection.matches(&GameInfo::read(&Game::from_bytes(game)), || None);
/// assert_eq!(found.expect("it may be of October").color, Some(Color::Black));
/// # Ok::<(), eco::pgn::ParseDateError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// The players asked for. A result or a rating is seen from their side.
    pub players: Vec<Player>,
    /// The colour that the player has; without players, the side that results are seen from.
    pub color: Option<Color>,
    /// Who plays against them.
    pub opponents: Vec<Player>,
    /// Codes of the opening.
    pub eco: Option<Query>,
    /// Words of its name.
    pub openings: Vec<Query>,
    /// How the game ended.
    pub results: Vec<WantedResult>,
    /// Only games that are not certainly before this date.
    pub since: Option<GameDate>,
    /// Only games that are not certainly after this date.
    pub until: Option<GameDate>,
    /// The ratings of the players.
    pub rating: Option<RangeInclusive<u16>>,
    /// Which players these ratings are of.
    pub rating_of: RatingOf,
    /// How fast the game is.
    pub speeds: Vec<Speed>,
    /// Whether it counts for ratings.
    pub rated: Option<bool>,
    /// A part of `Event`.
    pub events: Vec<TagPart>,
    /// A part of `Site`.
    pub sites: Vec<TagPart>,
    /// The value of `Variant`. A game without one is `standard`.
    pub variants: Vec<VariantName>,
    /// The numbers of the games in their sources.
    pub games: Vec<RangeInclusive<u64>>,
    /// Names and values of tags, as the game has them. A missing tag has an empty value. Of several
    /// values for one name any passes, but each name must pass.
    pub tags: Vec<(String, String)>,
    /// The half-moves of the main line, as written.
    pub min_plies: usize,
}

/// A result that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedResult {
    /// This one.
    Is(GameResult),
    /// The player has won.
    Win,
    /// The player has lost.
    Loss,
    /// The player has drawn.
    Draw,
}

/// Which players a range of ratings is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RatingOf {
    /// Both.
    #[default]
    Both,
    /// The player asked for; both, if nobody is.
    Player,
    /// The opponent; both, if nobody is asked for.
    Opponent,
}

/// A game that was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match {
    /// The colour of the player asked for; White, if both are. `None` if the selection names
    /// nobody and no colour.
    pub color: Option<Color>,
    /// Whether the other player is asked for as well, and fits.
    is_both: bool,
}

impl Match {
    /// The colours of those who are asked for: one, or both if they play each other.
    pub fn sides(self) -> impl Iterator<Item = Color> {
        self.color.into_iter().chain(self.color.filter(|_| self.is_both).map(|color| !color))
    }
}

impl Selection {
    /// Whether a game is selected. `opening` is called only if the selection asks for openings and
    /// everything else fits, so that a selection by tags never plays a move.
    pub fn matches<'o>(
        &self,
        game: &GameInfo<'_>,
        opening: impl FnOnce() -> Option<&'o Opening>,
    ) -> Option<Match> {
        let found = self.match_tags(game)?;
        let fits = !self.asks_for_opening() || opening().is_some_and(|o| self.has_opening(o));
        fits.then_some(found)
    }

    /// Whether it selects every game.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether games must be played to be selected.
    #[must_use]
    pub fn asks_for_opening(&self) -> bool {
        self.eco.is_some() || !self.openings.is_empty()
    }

    /// Whether an opening is asked for.
    pub(crate) fn has_opening(&self, opening: &Opening) -> bool {
        self.eco.as_ref().is_none_or(|codes| codes.matches(opening))
            && (self.openings.is_empty() || self.openings.iter().any(|o| o.matches(opening)))
    }

    /// Whether a game is selected but for its opening.
    pub(super) fn match_tags(&self, game: &GameInfo<'_>) -> Option<Match> {
        let number = game.game().number();
        let has_number = self.games.is_empty() || self.games.iter().any(|r| r.contains(&number));
        let fits = has_number
            && self.has_date(game)
            && (self.speeds.is_empty() || game.speed().is_some_and(|s| self.speeds.contains(&s)))
            && (self.rated.is_none() || game.is_rated() == self.rated)
            && has_part(&self.events, game, "Event")
            && has_part(&self.sites, game, "Site")
            && self.has_variant(game)
            && self.has_tags(game);
        if !fits {
            return None;
        }
        let mut sides = self.sides(game).filter(|side| self.fits_side(game, *side));
        let (color, is_both) = (sides.next()?, sides.next().is_some());
        (self.min_plies == 0 || game.plies() >= self.min_plies).then_some(Match { color, is_both })
    }

    fn has_date(&self, game: &GameInfo<'_>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Some(date) = game.date() else { return false };
        self.since.is_none_or(|since| !date.is_before(since))
            && self.until.is_none_or(|until| !until.is_before(date))
    }

    fn has_variant(&self, game: &GameInfo<'_>) -> bool {
        self.variants.is_empty() || {
            let header = Header::read(game.tags());
            let played = VariantName::of_tag(header.played_variant());
            self.variants.iter().any(|variant| variant.is(&played))
        }
    }

    fn has_tags(&self, game: &GameInfo<'_>) -> bool {
        self.tags.iter().all(|(name, _)| {
            let value = game.tag_text(name).unwrap_or_default();
            self.tags.iter().any(|(other, wanted)| other == name && *wanted == value)
        })
    }

    /// The sides that a game may be seen from: those of the players asked for.
    fn sides(&self, game: &GameInfo<'_>) -> impl Iterator<Item = Option<Color>> {
        let anybody = self.players.is_empty() && self.opponents.is_empty();
        let is_asked_for = |players: &[Player], color| {
            players.is_empty() || {
                let name = game.name(color).unwrap_or_default();
                players.iter().any(|player| player.is_named(&name))
            }
        };
        let sides = [Color::White, Color::Black].map(|color| {
            let fits = !anybody
                && self.color.is_none_or(|asked| asked == color)
                && is_asked_for(&self.players, color)
                && is_asked_for(&self.opponents, !color);
            fits.then_some(Some(color))
        });
        sides.into_iter().flatten().chain(anybody.then_some(self.color))
    }

    /// Whether the ratings and the result fit, seen from a side.
    fn fits_side(&self, game: &GameInfo<'_>, side: Option<Color>) -> bool {
        let is_named = !self.players.is_empty() || !self.opponents.is_empty();
        let has_rating = |range: &RangeInclusive<u16>| {
            let fits = |color| game.rating(color).is_some_and(|rating| range.contains(&rating));
            match (self.rating_of, side.filter(|_| is_named)) {
                (RatingOf::Player, Some(color)) => fits(color),
                (RatingOf::Opponent, Some(color)) => fits(!color),
                (RatingOf::Both, _) | (_, None) => fits(Color::White) && fits(Color::Black),
            }
        };
        self.rating.as_ref().is_none_or(has_rating)
            && (self.results.is_empty() || {
                let result = game.result();
                self.results.iter().any(|wanted| wanted.is(result, side))
            })
    }
}

impl WantedResult {
    pub(crate) fn is(self, result: GameResult, side: Option<Color>) -> bool {
        let winner = match result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        };
        match self {
            Self::Is(wanted) => wanted == result,
            Self::Win => side.is_some() && winner == side,
            Self::Loss => side.is_some() && winner.is_some_and(|winner| Some(winner) != side),
            Self::Draw => side.is_some() && result == GameResult::Draw,
        }
    }

    /// Whether it depends on who is asked for.
    #[must_use]
    pub fn needs_player(self) -> bool {
        !matches!(self, Self::Is(_))
    }
}

/// The text is not a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a result (1-0, 0-1, 1/2-1/2, *, win, loss, draw): {0:?}")]
pub struct ParseResultError(String);

impl FromStr for WantedResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        Ok(match &*text.trim().to_ascii_lowercase() {
            "1-0" => Self::Is(GameResult::WhiteWins),
            "0-1" => Self::Is(GameResult::BlackWins),
            "1/2-1/2" | "1/2" => Self::Is(GameResult::Draw),
            "*" => Self::Is(GameResult::Unknown),
            "win" => Self::Win,
            "loss" => Self::Loss,
            "draw" => Self::Draw,
            _ => return Err(ParseResultError(text.to_owned())),
        })
    }
}

fn has_part(wanted: &[TagPart], game: &GameInfo<'_>, tag: &str) -> bool {
    wanted.is_empty() || {
        let value = game.tag_text(tag).unwrap_or_default();
        let folded = fold(&value);
        wanted.iter().any(|part| part.is_in(&folded))
    }
}
