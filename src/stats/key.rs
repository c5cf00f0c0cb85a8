//! The groups that a game belongs to.

use std::borrow::Cow;

use super::game::{ScoredGame, known};
use super::grouping::{GroupBy, Perspective};
use crate::select::{GameInfo, GameResult, Speed};
use crate::{chess::Color, classify::GameError, pgn::days_since_1970};

/// The width of a band of ratings.
const RATING_BAND: u16 = 200;

/// The width of a band of differences of ratings.
pub(super) const GAP_BAND: i32 = 100;

/// Stands for the value of games that do not say. No field has it as a number.
pub(super) const NONE: u32 = i32::MIN as u32;

/// What the games of a group have in common, as it is found in a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Key<'k> {
    /// The game does not say.
    None,
    /// A number, or one that stands for a text.
    Number(i32),
    /// A text of the file.
    Text(Cow<'k, [u8]>),
    /// A line of the catalogue.
    Line(usize),
    /// The first moves.
    Moves,
}

/// The key of a game, seen from a side. `info` are its tags, if [they are
/// needed](GroupBy::needs_more_tags).
// Inlined, whatever is computed for any field was computed for all: 180 instructions each time.
#[inline(never)]
pub(super) fn key<'k>(
    field: &GroupBy,
    game: &'k ScoredGame<'_, '_>,
    side: Color,
    perspective: Perspective<'_>,
    info: Option<&GameInfo<'k>>,
) -> Key<'k> {
    let number = |number: Option<i32>| number.map_or(Key::None, Key::Number);
    let text = |text: Option<&'k [u8]>| text.map_or(Key::None, |text| Key::Text(text.into()));
    let tag = |name: &str| {
        let value = info.and_then(|info| info.tag(name));
        match value {
            Some(Cow::Borrowed(value)) => text(known(value)),
            Some(Cow::Owned(value)) => {
                known(&value).map_or(Key::None, |value| Key::Text(value.to_vec().into()))
            }
            None => Key::None,
        }
    };
    match field {
        GroupBy::Eco
        | GroupBy::Volume
        | GroupBy::Family
        | GroupBy::Variation
        | GroupBy::Opening => game.named.map_or(Key::None, |named| Key::Line(named.line_index())),
        GroupBy::Color => Key::Number(i32::from(side.is_black())),
        GroupBy::Player => text(game.name(side)),
        GroupBy::Opponent => text(game.name(side.other())),
        GroupBy::Year => number(game.date.map(|date| (date / 10_000) as i32)),
        GroupBy::Month => {
            number(game.date.map(|date| (date / 100) as i32).filter(|month| month % 100 > 0))
        }
        GroupBy::Weekday => number(game.date.and_then(weekday)),
        GroupBy::Season => number(game.date.and_then(season)),
        GroupBy::Hour => number(game.time().and_then(hour)),
        GroupBy::Speed => number(speed(game)),
        GroupBy::TimeControl => text(game.time_control()),
        GroupBy::Rated => number(info.and_then(GameInfo::is_rated).map(i32::from)),
        GroupBy::Event => tag("Event"),
        GroupBy::Result => Key::Number(match game.result {
            GameResult::WhiteWins => 0,
            GameResult::Draw => 1,
            GameResult::BlackWins => 2,
            GameResult::Unknown => 3,
        }),
        GroupBy::Rating => number(rating_band(game, side, perspective)),
        GroupBy::RatingGap => number(gap_band(game, side)),
        GroupBy::FirstMoves(_) => Key::Moves,
        GroupBy::Termination => match tag("Termination") {
            Key::Text(value) => Key::Text(termination(value)),
            other => other,
        },
        GroupBy::Transposed => number(game.named.map(|named| named.is_transposed().into())),
        GroupBy::Error => Key::Number(game.error().map_or(0, kind_of_error)),
        GroupBy::Tag(name) => tag(name),
    }
}

/// What can be wrong with a game, in the order of [`kind_of_error`].
const ERRORS: [&str; 8] =
    ["none", "move", "open comment", "open variation", "tag", "FEN", "variant", "too long"];

fn kind_of_error(error: &GameError) -> i32 {
    match error {
        GameError::Move { .. } => 1,
        GameError::OpenComment => 2,
        GameError::OpenVariation => 3,
        GameError::Tag { .. } => 4,
        GameError::Fen(_) => 5,
        GameError::Variant { .. } => 6,
        GameError::TooLong { .. } => 7,
    }
}

/// How games end: the end of a value of the tag, in small letters, and what it means. The PGN
/// standard and lichess write a word (`Time forfeit`), chess.com a sentence with the winner's name
/// (`Costa won by resignation`).
const TERMINATIONS: [(&str, &str); 18] = [
    ("normal", "normal"),
    ("checkmate", "checkmate"),
    ("resignation", "resignation"),
    ("on time", "time"),
    ("time forfeit", "time"),
    ("agreement", "agreement"),
    ("repetition", "repetition"),
    ("timeout vs insufficient material", "timeout against insufficient material"),
    ("insufficient material", "insufficient material"),
    ("stalemate", "stalemate"),
    ("50-move rule", "50-move rule"),
    ("abandoned", "abandoned"),
    ("rules infraction", "rules infraction"),
    ("adjudication", "adjudication"),
    ("death", "death"),
    ("emergency", "emergency"),
    ("unterminated", "unterminated"),
    ("aborted", "abandoned"),
];

/// How a game ended, by its tag: one of [`TERMINATIONS`] or the value as it is.
fn termination(value: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let ends_with = |end: &str| {
        let (start, last) = value.split_at_checked(value.len().checked_sub(end.len())?)?;
        let is_word = start.last().is_none_or(|byte| *byte == b' ');
        (is_word && last.eq_ignore_ascii_case(end.as_bytes())).then_some(())
    };
    let known = TERMINATIONS.iter().find(|(end, _)| ends_with(end).is_some());
    known.map_or(value, |(_, meaning)| Cow::Borrowed(meaning.as_bytes()))
}

/// The day of the week of a date that is known to the day: 0 for Monday.
pub(super) fn weekday(date: u32) -> Option<i32> {
    let (year, month, day) =
        ((date / 10_000) as i32, (date / 100 % 100) as i32, (date % 100) as i32);
    // A date that no calendar has, such as February 30, counts as the day that it would be.
    if month == 0 || day == 0 {
        return None;
    }
    // The first day of 1970 was a Thursday.
    Some((days_since_1970(year, month, day) + 3).rem_euclid(7))
}

/// The quarter of the year of a date: 0 for the first.
pub(super) fn season(date: u32) -> Option<i32> {
    let month = (date / 100 % 100) as i32;
    (month > 0).then(|| (month - 1) / 3)
}

/// The hour of a time of day.
pub(super) fn hour(time: &[u8]) -> Option<i32> {
    let text = str::from_utf8(time).ok()?;
    let (hour, _) = text.trim().split_once(':')?;
    hour.parse().ok().filter(|hour| (0..24).contains(hour))
}

/// The place of the speed among all.
pub(super) fn speed(game: &ScoredGame<'_, '_>) -> Option<i32> {
    let speed = game.speed()?;
    Speed::ALL.iter().position(|other| *other == speed).map(|place| place as i32)
}

/// The band of the rating of a player, or of the mean of both: its lower limit.
fn rating_band(
    game: &ScoredGame<'_, '_>,
    side: Color,
    perspective: Perspective<'_>,
) -> Option<i32> {
    let own = game.rating(side)?;
    let rating = match perspective {
        Perspective::Players(_) => own,
        Perspective::Everybody => (own + game.rating(side.other())?) / 2,
    };
    Some(i32::from(rating / RATING_BAND * RATING_BAND))
}

/// The band of the difference of ratings: the multiple of 100 in its middle.
pub(super) fn gap_band(game: &ScoredGame<'_, '_>, side: Color) -> Option<i32> {
    let gap = i32::from(game.rating(side)?) - i32::from(game.rating(side.other())?);
    Some((gap + gap.signum() * GAP_BAND / 2) / GAP_BAND * GAP_BAND)
}

/// What the games of a group have in common, for people and programs.
///
/// Groups are sorted by it: as years, days, ratings and speeds follow each other, others by their
/// text, and last the games that do not say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupValue {
    /// A number, such as a year.
    Number(i64),
    /// A text.
    Text {
        /// Its place among the values of its field.
        place: i64,
        /// The text, which may be from a file.
        text: String,
    },
    /// The games do not say.
    None,
}

impl GroupValue {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text { place: 0, text: text.into() }
    }

    /// What a number stands for.
    pub(super) fn of_number(field: &GroupBy, number: i32) -> Self {
        let named = |names: &[&str]| names.get(number as usize).map(|name| (*name).to_owned());
        let text = match field {
            GroupBy::Color => named(&["white", "black"]),
            GroupBy::Month => Some(format!("{:04}-{:02}", number / 100, number % 100)),
            GroupBy::Weekday => named(&WEEKDAYS),
            GroupBy::Season => {
                named(&["January-March", "April-June", "July-September", "October-December"])
            }
            GroupBy::Speed => Speed::ALL.get(number as usize).map(|s| s.name().to_owned()),
            GroupBy::Rated => named(&["casual", "rated"]),
            GroupBy::Transposed => named(&["in order", "transposed"]),
            GroupBy::Error => named(&ERRORS),
            GroupBy::Result => named(&["1-0", "1/2-1/2", "0-1", "*"]),
            GroupBy::Rating => Some(format!("{number}-{}", number + i32::from(RATING_BAND) - 1)),
            GroupBy::RatingGap => Some(gap_label(number)),
            _ => None,
        };
        match text {
            Some(text) => Self::Text { place: number.into(), text },
            None => Self::Number(number.into()),
        }
    }

    /// The text; empty of a number, or if the games do not say.
    pub(super) fn as_text(&self) -> &str {
        match self {
            Self::Text { text, .. } => text,
            Self::Number(_) | Self::None => "",
        }
    }

    /// The value as text; empty if the games do not say.
    pub fn to_text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text { text, .. } => text.clone(),
            Self::None => String::new(),
        }
    }
}

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The limits of a band of differences, the one nearer to 0 first: `0 to 49` in both directions,
/// `+50 to +149`, `-50 to -149`.
fn gap_label(middle: i32) -> String {
    let half = GAP_BAND / 2;
    match middle {
        0 => format!("-{0} to +{0}", half - 1),
        1.. => format!("+{} to +{}", middle - half, middle + half - 1),
        _ => format!("-{} to -{}", -middle - half, -middle + half - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Catalogue, classify::Classifier, pgn::Game};

    fn values(tags: &str, field: &str) -> [GroupValue; 2] {
        let pgn = format!("{tags}\n\n1. e4 c5 *");
        let classifier = Classifier::new(Catalogue::builtin());
        let game = Game::from_bytes(pgn.as_bytes());
        let scored = ScoredGame::read(&classifier, &game);
        let info = GameInfo::read(&game);
        let field: GroupBy = field.parse().unwrap();
        [Color::White, Color::Black].map(|side| {
            match key(&field, &scored, side, Perspective::Players(&[side]), Some(&info)) {
                Key::None => GroupValue::None,
                Key::Number(number) => GroupValue::of_number(&field, number),
                Key::Text(text) => GroupValue::text(String::from_utf8_lossy(&text)),
                Key::Line(_) | Key::Moves => GroupValue::text("a line"),
            }
        })
    }

    #[test]
    fn games_have_values_from_both_sides() {
        for (tags, field, white, black) in [
            ("[White \"A\"]", "player", "A", ""),
            ("[White \"A\"]", "opponent", "", "A"),
            ("", "color", "white", "black"),
            ("[Date \"2026.11.22\"]", "year", "2026", "2026"),
            ("[Date \"2026.11.22\"]", "month", "2026-11", "2026-11"),
            ("[Date \"2026.??.??\"]", "month", "", ""),
            ("[Date \"2026.11.22\"]", "weekday", "Sunday", "Sunday"),
            ("[Date \"2000.02.29\"]", "weekday", "Tuesday", "Tuesday"),
            ("[Date \"1900.03.01\"]", "weekday", "Thursday", "Thursday"),
            ("[Date \"1851.06.??\"]", "weekday", "", ""),
            ("[UTCTime \"07:59:59\"]", "hour", "7", "7"),
            ("[UTCTime \"24:00:00\"]", "hour", "", ""),
            ("[TimeControl \"180+2\"]", "speed", "blitz", "blitz"),
            ("[TimeControl \" 180+2\"]", "time-control", "180+2", "180+2"),
            ("[Date \"2026.03.??\"]", "season", "January-March", "January-March"),
            ("[Date \"2026.??.22\"]", "season", "", ""),
            ("[Event \"Rated blitz game\"]", "rated", "rated", "rated"),
            ("[Event \"?\"]", "event", "", ""),
            ("[Result \"1-0\"]", "result", "1-0", "1-0"),
            ("[WhiteElo \"2399\"]\n[BlackElo \"2250\"]", "rating", "2200-2399", "2200-2399"),
            ("[WhiteElo \"2400\"]\n[BlackElo \"2350\"]", "rating", "2400-2599", "2200-2399"),
            (
                "[WhiteElo \"2400\"]\n[BlackElo \"2350\"]",
                "rating-gap",
                "+50 to +149",
                "-50 to -149",
            ),
            ("[WhiteElo \"2400\"]\n[BlackElo \"2449\"]", "rating-gap", "-49 to +49", "-49 to +49"),
            ("[WhiteElo \"2400\"]", "rating-gap", "", ""),
            ("[Termination \"Normal\"]", "termination", "normal", "normal"),
            ("[Annotator \" x \"]", "tag:Annotator", "x", "x"),
        ] {
            let found = values(tags, field).map(|value| value.to_text());
            assert_eq!(found, [white, black], "{tags} by {field}");
        }
    }

    #[test]
    fn terminations_have_one_name_whoever_wrote_them() {
        for (tag, expected) in [
            // chess.com
            ("veralind won by checkmate", "checkmate"),
            ("veralind won by resignation", "resignation"),
            ("on time won on time", "time"),
            ("veralind won - game abandoned", "abandoned"),
            ("Game drawn by agreement", "agreement"),
            ("Game drawn by repetition", "repetition"),
            ("Game drawn by stalemate", "stalemate"),
            ("Game drawn by insufficient material", "insufficient material"),
            (
                "Game drawn by timeout vs insufficient material",
                "timeout against insufficient material",
            ),
            ("Game drawn by 50-move rule", "50-move rule"),
            // lichess and the PGN standard
            ("Time forfeit", "time"),
            ("time forfeit", "time"),
            ("Abandoned", "abandoned"),
            ("Rules infraction", "rules infraction"),
            ("Unterminated", "unterminated"),
            ("adjudication", "adjudication"),
            // Others stay as they are.
            ("White disconnected", "White disconnected"),
            ("nostalemate", "nostalemate"),
            ("?", ""),
        ] {
            let tags = format!("[Termination \"{tag}\"]");
            assert_eq!(values(&tags, "termination").map(|value| value.to_text()), [expected; 2]);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut last = weekday(19_991_231).unwrap();
        for year in [2000, 2001] {
            for (month, days) in (1..).zip([
                31,
                if year == 2000 { 29 } else { 28 },
                31,
                30,
                31,
                30,
                31,
                31,
                30,
                31,
                30,
                31,
            ]) {
                for day in 1..=days {
                    let today = weekday(year * 10_000 + month * 100 + day).unwrap();
                    assert_eq!(today, (last + 1) % 7, "{year}-{month}-{day}");
                    last = today;
                }
            }
        }
    }
}
