//! By what games are grouped, and from which sides they are seen.

use std::{fmt, str::FromStr};

use crate::chess::Color;
use crate::quoted::{Quoted, meant};

/// Whether chosen players are counted, or an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Subject {
    /// An archive from White's side.
    #[default]
    Archive,
    /// Chosen players.
    Players,
}

/// Whose games are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Perspective<'p> {
    /// Everybody's: from White's side, and in groups of a side (colour, player, opponent) from
    /// both.
    Everybody,
    /// Those of chosen players, who have these colours in the game: both, if they play each other.
    /// Then it counts for each of them.
    Players(&'p [Color]),
}

impl<'p> Perspective<'p> {
    /// That of the players who have these colours; everybody's if there are none.
    pub fn of(sides: &'p [Color]) -> Self {
        if sides.is_empty() { Self::Everybody } else { Self::Players(sides) }
    }

    /// The sides that a game is seen from: those of the players, or for everybody these.
    pub(super) fn sides(self, everybody: &'p [Color]) -> &'p [Color] {
        match self {
            Self::Players(sides) => sides,
            Self::Everybody => everybody,
        }
    }
}

/// What the games of a group have in common.
///
/// It is read from the names of the command line: `eco`, `rating-gap`, `first-moves:4`,
/// `tag:Annotator`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupBy {
    /// The ECO code.
    Eco,
    /// The volume of the ECO code, A to E.
    Volume,
    /// The part of the name before the colon.
    Family,
    /// Family and variation.
    Variation,
    /// The full name.
    Opening,
    /// The colour of the side whose game it is.
    Color,
    /// The name of the player whose game it is, as the tag has it.
    Player,
    /// The name of the opponent.
    Opponent,
    /// The year of the date.
    Year,
    /// Year and month of the date.
    Month,
    /// The day of the week of the date.
    Weekday,
    /// The quarter of the year of the date.
    Season,
    /// The hour of `UTCTime`, or else `Time`.
    Hour,
    /// The speed, by `TimeControl`.
    Speed,
    /// The tag `TimeControl`.
    TimeControl,
    /// Whether the game counts for ratings.
    Rated,
    /// The tag `Event`.
    Event,
    /// The result.
    Result,
    /// The rating in bands of 200: that of the player, or without players the mean of both.
    Rating,
    /// The rating of this side minus that of the other, in bands of 100 around multiples of 100.
    RatingGap,
    /// The first moves; their number of plies.
    FirstMoves(usize),
    /// The tag `Termination`.
    Termination,
    /// Whether the moves came in another order than those of the opening's line.
    Transposed,
    /// What is wrong with the game.
    Error,
    /// A tag.
    Tag(String),
}

/// The fields without a value, and their names.
const PLAIN: [(&str, GroupBy); 23] = [
    ("eco", GroupBy::Eco),
    ("volume", GroupBy::Volume),
    ("family", GroupBy::Family),
    ("variation", GroupBy::Variation),
    ("opening", GroupBy::Opening),
    ("color", GroupBy::Color),
    ("player", GroupBy::Player),
    ("opponent", GroupBy::Opponent),
    ("year", GroupBy::Year),
    ("month", GroupBy::Month),
    ("weekday", GroupBy::Weekday),
    ("season", GroupBy::Season),
    ("hour", GroupBy::Hour),
    ("speed", GroupBy::Speed),
    ("time-control", GroupBy::TimeControl),
    ("rated", GroupBy::Rated),
    ("event", GroupBy::Event),
    ("result", GroupBy::Result),
    ("rating", GroupBy::Rating),
    ("rating-gap", GroupBy::RatingGap),
    ("termination", GroupBy::Termination),
    ("transposed", GroupBy::Transposed),
    ("error", GroupBy::Error),
];

/// The most plies of `first-moves`.
const MAX_FIRST_MOVES: usize = 40;

impl GroupBy {
    /// The name of its column. That of `rated` is `rated_or_casual`, since `rated` is the number of
    /// games with ratings.
    pub fn column(&self) -> String {
        match self {
            Self::Rated => "rated_or_casual".to_owned(),
            Self::FirstMoves(_) => "first_moves".to_owned(),
            Self::Tag(_) => self.to_string(),
            plain => plain.to_string().replace('-', "_"),
        }
    }

    /// Whether the groups are of openings.
    pub fn is_opening(&self) -> bool {
        matches!(self, Self::Eco | Self::Volume | Self::Family | Self::Variation | Self::Opening)
    }

    /// Whether the groups have an order of their own, such as that of years.
    pub fn is_ordered(&self) -> bool {
        matches!(
            self,
            Self::Year
                | Self::Month
                | Self::Weekday
                | Self::Season
                | Self::Hour
                | Self::Speed
                | Self::Rating
                | Self::RatingGap
        )
    }

    /// Whether each game belongs to a group as the game of White and to one as that of Black.
    pub fn is_of_a_side(&self) -> bool {
        matches!(self, Self::Color | Self::Player | Self::Opponent)
    }

    /// Whether the groups are of names.
    pub(super) fn is_name(&self) -> bool {
        matches!(self, Self::Player | Self::Opponent)
    }

    /// Whether the groups are of texts of the games.
    pub(crate) fn is_text(&self) -> bool {
        self.is_name()
            || matches!(
                self,
                Self::Event
                    | Self::TimeControl
                    | Self::Termination
                    | Self::Tag(_)
                    | Self::FirstMoves(_)
            )
    }

    /// Whether tags beyond those of a [`ScoredGame`](super::ScoredGame) are needed.
    pub(super) fn needs_more_tags(&self) -> bool {
        matches!(self, Self::Rated | Self::Event | Self::Termination | Self::Tag(_))
    }
}

impl fmt::Display for GroupBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstMoves(plies) => write!(f, "first-moves:{plies}"),
            Self::Tag(name) => write!(f, "tag:{name}"),
            plain => {
                let (name, _) = PLAIN
                    .iter()
                    .find(|(_, field)| field == plain)
                    .expect("all fields without a value are on the list");
                f.write_str(name)
            }
        }
    }
}

/// The text does not say by what games are grouped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot group by {}{}; fields are {}", Quoted(.0), meant(.0, Self::known()), Self::known().join(", "))]
pub struct ParseGroupByError(String);

impl ParseGroupByError {
    /// The names of the fields that there are.
    pub fn known() -> Vec<&'static str> {
        let plain = PLAIN.iter().map(|(name, _)| *name);
        plain.chain(["first-moves:N", "tag:NAME"]).collect()
    }
}

impl FromStr for GroupBy {
    type Err = ParseGroupByError;

    fn from_str(text: &str) -> Result<Self, ParseGroupByError> {
        let fail = || ParseGroupByError(text.chars().take(40).collect());
        let is_tag = |name: &&str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        match text.split_once(':') {
            Some(("first-moves", plies)) => {
                let plies =
                    plies.parse().ok().filter(|plies| (1..=MAX_FIRST_MOVES).contains(plies));
                plies.map(Self::FirstMoves).ok_or_else(fail)
            }
            Some(("tag", name)) => {
                Some(name).filter(is_tag).map(|name| Self::Tag(name.to_owned())).ok_or_else(fail)
            }
            _ => {
                let found = PLAIN.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
                found.map(|(_, field)| field.clone()).ok_or_else(fail)
            }
        }
    }
}

/// By what games are grouped, and what is kept of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grouping {
    /// One field, or two of which the second divides the groups of the first. None: all games are
    /// one group.
    pub by: Vec<GroupBy>,
    /// What is kept of the games of each group.
    pub kept: Kept,
}

/// What is kept of the games of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Their scores, which take the least memory.
    Scores,
    /// Their lengths as well, for medians.
    Lengths,
    /// The last games won and lost as well.
    Examples,
}

impl Grouping {
    /// Groups all games by these fields, with medians and without examples.
    pub fn new(by: Vec<GroupBy>) -> Self {
        Self { by, kept: Kept::Lengths }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        let others = ["first-moves:4", "tag:Annotator"];
        for name in PLAIN.iter().map(|(name, _)| *name).chain(others) {
            assert_eq!(name.parse::<GroupBy>().unwrap().to_string(), name);
        }
        for name in
            ["", "ecos", "first-moves:0", "first-moves:41", "first-moves", "tag:", "tag:a b"]
        {
            assert!(name.parse::<GroupBy>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn no_column_of_a_field_is_a_count() {
        for (_, field) in PLAIN {
            assert!(!["games", "rated", "score"].contains(&field.column().as_str()));
        }
        assert_eq!(GroupBy::RatingGap.column(), "rating_gap");
    }
}
