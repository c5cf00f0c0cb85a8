//! Ratings, dates, times, results and speeds, as the values of tags have them.

use std::str::FromStr;

use crate::pgn::{Clock, GameDate, MainLine, PlayedAt, Token, two_digits};
use crate::quoted::{Quoted, meant};
use crate::{chess::Color, named::named};

/// The highest rating; a greater number is no rating.
const MAX_RATING: u16 = 4000;

/// The rating in the value of `WhiteElo` or `BlackElo`: a number from 1 to 4000.
pub(crate) fn read_rating(value: &[u8]) -> Option<u16> {
    let text = str::from_utf8(value.trim_ascii()).ok()?;
    text.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating))
}

/// The date in the value of `Date` or `UTCDate`, as far as it is known.
pub(crate) fn read_date(value: &[u8]) -> Option<GameDate> {
    whole_date(value).or_else(|| str::from_utf8(value).ok()?.parse().ok())
}

/// A date as nearly all are written, `2021.05.13`, `2021.05.??` or `2021.??.??`; `None` for any
/// other, which may be a date too.
#[inline]
fn whole_date(value: &[u8]) -> Option<GameDate> {
    let [y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = *value else { return None };
    let month = || two_digits(m1, m2).filter(|month| (1..=12).contains(month));
    let day = || two_digits(d1, d2).filter(|day| (1..=31).contains(day));
    let (month, day) = match [m1, m2, d1, d2] {
        [b'?', b'?', b'?', b'?'] => (0, 0),
        [_, _, b'?', b'?'] => (month()?, 0),
        _ => (month()?, day()?),
    };
    let year = 100 * two_digits(y1, y2)? + two_digits(y3, y4)?;
    GameDate::from_number(10_000 * year + 100 * month + day)
}

/// When a game was played, of what its tags say. A time goes with the date of its clock.
pub(crate) fn read_played_at(
    date: Option<GameDate>,
    time: Option<&[u8]>,
    [utc_date, utc_time]: [Option<&[u8]>; 2],
) -> PlayedAt {
    let utc_time = utc_time.and_then(read_time).map(|seconds| (Clock::Utc, seconds));
    let utc = PlayedAt::new(utc_date.and_then(read_date), utc_time);
    if utc.time().is_some() {
        return utc;
    }
    PlayedAt::new(date, time.and_then(read_time).map(|seconds| (Clock::Local, seconds)))
}

/// The seconds of the day in the value of `Time` or `UTCTime`: `23:59:59`.
pub(crate) fn read_time(value: &[u8]) -> Option<u32> {
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *value.trim_ascii() else { return None };
    let below = |end: u32| move |number: &u32| *number < end;
    let hours = two_digits(h1, h2).filter(below(24))?;
    let [minutes, seconds] =
        [two_digits(m1, m2), two_digits(s1, s2)].map(|number| number.filter(below(60)));
    Some((hours * 60 + minutes?) * 60 + seconds?)
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`, or nothing that is a result.
    Unknown,
}

impl GameResult {
    /// How a game ended: by its tag `Result`, or else by the end of its moves.
    #[inline]
    pub(crate) fn of_game<'a>(tag: Option<&[u8]>, end: impl FnOnce() -> Option<&'a [u8]>) -> Self {
        let known = tag.map(Self::read).filter(|result| *result != Self::Unknown);
        known.or_else(|| end().map(Self::read)).unwrap_or(Self::Unknown)
    }

    /// Reads what a tag or the end of a movetext says.
    #[inline]
    pub(crate) fn read(text: &[u8]) -> Self {
        match text {
            b"1-0" => Self::WhiteWins,
            b"0-1" => Self::BlackWins,
            b"1/2-1/2" => Self::Draw,
            b"*" => Self::Unknown,
            other => Self::read_plainly(other),
        }
    }

    /// Reads it by the rules of the movetext, which know more spellings.
    fn read_plainly(text: &[u8]) -> Self {
        let mut tokens = MainLine::from_movetext(text.trim_ascii());
        let Some(Token::Result(result)) = tokens.next() else { return Self::Unknown };
        match result.first() {
            Some(b'0') => Self::BlackWins,
            Some(b'*') | None => Self::Unknown,
            Some(b'1') if result.get(1) != Some(&b'/') => Self::WhiteWins,
            Some(_) => Self::Draw,
        }
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Who has won, if anybody.
    pub(crate) fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// The score of a side, in half points.
    #[inline]
    pub(crate) fn half_points(self, side: Color) -> Option<u8> {
        match self {
            Self::Unknown => None,
            Self::Draw => Some(1),
            won => Some(if (won == Self::WhiteWins) == side.is_white() { 2 } else { 0 }),
        }
    }
}

named! {
    /// How fast a game is, by the rule of lichess: the seconds for a game of 40 moves.
    ///
    /// ```
    /// use eco::select::Speed;
    ///
    /// assert_eq!(Speed::of_time_control("180+2"), Some(Speed::Blitz)); // 180 + 40 * 2 = 260 s
    /// assert_eq!(Speed::of_time_control("1/86400"), Some(Speed::Correspondence));
    /// assert_eq!(Speed::of_time_control("?"), None);
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Speed {
        /// Less than 30 seconds.
        UltraBullet = "ultraBullet",
        /// Less than 3 minutes.
        Bullet = "bullet",
        /// Less than 8 minutes.
        Blitz = "blitz",
        /// Less than 25 minutes.
        Rapid = "rapid",
        /// Less than 6 hours.
        Classical = "classical",
        /// More, or without a clock.
        Correspondence = "correspondence",
    }
}

/// The moves of a game that its time is estimated for: <https://lichess.org/faq#time-controls>.
const MOVES: u64 = 40;

impl Speed {
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|speed| speed.name())
    }

    /// The speed of the value of a `TimeControl` tag; `None` if it is unknown or unreadable.
    ///
    /// It is the time for 40 moves: the base plus 40 increments. The times of several periods
    /// (`40/7200:3600`) are added up. The last period is repeated until there are 40 moves, so
    /// `1/86400`, a day for each move, is correspondence. So is `-`, which stands for no clock.
    pub fn of_time_control(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "-" {
            return Some(Self::Correspondence);
        }
        let (mut seconds, mut moves) = (0_u64, 0_u64);
        let mut last = Period { moves: None, seconds: 0, increment: 0 };
        for period in text.split(':') {
            last = Period::read(period)?;
            seconds = seconds.saturating_add(last.seconds);
            moves = moves.saturating_add(last.moves.unwrap_or(MOVES));
        }
        if let Some(again) = last.moves {
            let periods = MOVES.saturating_sub(moves).div_ceil(again);
            seconds = seconds.saturating_add(periods.saturating_mul(last.seconds));
        }
        let seconds = seconds.saturating_add(MOVES.saturating_mul(last.increment));
        (seconds > 0).then(|| Self::of_seconds(seconds))
    }

    fn of_seconds(seconds: u64) -> Self {
        match seconds {
            ..30 => Self::UltraBullet,
            30..180 => Self::Bullet,
            180..480 => Self::Blitz,
            480..1500 => Self::Rapid,
            1500..21_600 => Self::Classical,
            21_600.. => Self::Correspondence,
        }
    }
}

/// The seconds that a clock gains with each move, by the first period of a time control; `None` if
/// that is unknown, or if each move has a time of its own.
pub(super) fn read_increment(time_control: &[u8]) -> Option<u32> {
    let text = str::from_utf8(time_control).ok()?.trim();
    let first = text.split_once(':').map_or(text, |(first, _)| first);
    let period = Period::read(first).filter(|period| period.moves != Some(1))?;
    period.increment.try_into().ok()
}

/// A period of a time control: `40/7200+30`, `7200+30`, or without the increment.
struct Period {
    /// The moves that it is for; `None` for the rest of the game.
    moves: Option<u64>,
    seconds: u64,
    increment: u64,
}

impl Period {
    fn read(text: &str) -> Option<Self> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(number(moves).filter(|moves| *moves > 0)?), time),
            None => (None, text),
        };
        let (seconds, increment) = time.split_once('+').unwrap_or((time, "0"));
        Some(Self { moves, seconds: number(seconds)?, increment: number(increment)? })
    }
}

fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The text is not the name of a speed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a speed: {}{}; there are {}", Quoted(.0), meant(.0, Speed::names()), Speed::names().collect::<Vec<_>>().join(", "))]
pub struct ParseSpeedError(String);

impl FromStr for Speed {
    type Err = ParseSpeedError;

    /// Reads a name, in any case.
    fn from_str(text: &str) -> Result<Self, ParseSpeedError> {
        let found = Self::ALL.iter().find(|speed| speed.name().eq_ignore_ascii_case(text.trim()));
        found.copied().ok_or_else(|| ParseSpeedError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_dates_are_read_as_all_others() {
        for text in
            ["2021.05.13", "2021.13.01", "2021.05.00", "0000.01.01", "2021-05-13", "2021", "x", ""]
        {
            assert_eq!(read_date(text.as_bytes()), text.parse().ok(), "{text:?}");
        }
        assert_eq!(read_date(b"\xff"), None);
    }

    proptest! {
        #[test]
        fn ratings_are_read_in_one_way(text in "[0-9+ ?]{0,6}") {
            let plain = text.trim().parse::<u16>().ok().filter(|r| (1..=MAX_RATING).contains(r));
            prop_assert_eq!(read_rating(text.as_bytes()), plain);
        }

        #[test]
        fn dates_are_read_in_one_way(text in "[0-2?]{4}[.-]([013?][0-9?]|00|[?][?])[.-]([0-3?][0-9?]|[?][?])") {
            prop_assert_eq!(read_date(text.as_bytes()), text.parse().ok());
        }
    }

    #[test]
    fn results_are_read_from_tags_and_moves() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        for (text, result) in [
            ("1-0", WhiteWins),
            (" 0-1 ", BlackWins),
            ("1/2-1/2", Draw),
            ("1/2", Draw),
            ("*", Unknown),
            ("", Unknown),
            ("won", Unknown),
        ] {
            assert_eq!(GameResult::read(text.as_bytes()), result, "for {text:?}");
            assert_eq!(GameResult::read_plainly(text.as_bytes()), result, "for {text:?}");
        }
    }

    #[test]
    fn a_side_scores_two_half_points_for_a_win() {
        use GameResult::{Draw, Unknown, WhiteWins};
        assert_eq!(WhiteWins.half_points(Color::White), Some(2));
        assert_eq!(WhiteWins.half_points(Color::Black), Some(0));
        assert_eq!(Draw.half_points(Color::Black), Some(1));
        assert_eq!(Unknown.half_points(Color::Black), None);
    }

    #[test]
    fn time_controls_have_the_speed_that_lichess_gives_them() {
        use Speed::{Blitz, Bullet, Classical, Correspondence, Rapid, UltraBullet};
        for (text, speed) in [
            ("15+0", Some(UltraBullet)),
            ("29", Some(UltraBullet)),
            ("30+0", Some(Bullet)),
            ("0+1", Some(Bullet)),
            ("60+0", Some(Bullet)),
            ("120+1", Some(Bullet)),
            ("179+0", Some(Bullet)),
            ("180+0", Some(Blitz)),
            ("60+3", Some(Blitz)),
            ("300+3", Some(Blitz)),
            ("479", Some(Blitz)),
            ("300+5", Some(Rapid)),
            ("480+0", Some(Rapid)),
            (" 600 ", Some(Rapid)),
            ("1499+0", Some(Rapid)),
            ("900+15", Some(Classical)),
            ("1500", Some(Classical)),
            ("5400+30", Some(Classical)),
            ("40/7200", Some(Classical)),
            ("40/7200:3600", Some(Classical)),
            ("40/7200:20/3600:1800+30", Some(Classical)),
            ("21599+0", Some(Classical)),
            ("21600", Some(Correspondence)),
            ("20/10800", Some(Correspondence)),
            ("1/86400", Some(Correspondence)),
            ("1/259200", Some(Correspondence)),
            ("-", Some(Correspondence)),
            ("99999999999999999999/1", None),
            ("18446744073709551615+18446744073709551615", Some(Correspondence)),
            ("?", None),
            ("", None),
            ("*180", None),
            ("G/60", None),
            ("0/60", None),
            ("1/0", None),
            ("0+0", None),
            ("+3", None),
            ("60+", None),
            ("-5", None),
            ("60:", None),
            ("3 min", None),
        ] {
            assert_eq!(Speed::of_time_control(text), speed, "for {text:?}");
        }
    }

    #[test]
    fn names_are_read_in_any_case() {
        for speed in Speed::ALL {
            assert_eq!(speed.to_string().to_uppercase().parse(), Ok(*speed));
        }
        assert!("fast".parse::<Speed>().is_err());
    }
}
