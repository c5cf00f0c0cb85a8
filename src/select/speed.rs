//! How fast games are.

use std::{fmt, str::FromStr};

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
    UltraBullet,
    /// Less than 3 minutes.
    Bullet,
    /// Less than 8 minutes.
    Blitz,
    /// Less than 25 minutes.
    Rapid,
    /// Less than 6 hours.
    Classical,
    /// More, or without a clock.
    Correspondence,
}

/// The moves of a game that its time is estimated for: <https://lichess.org/faq#time-controls>.
const MOVES: u64 = 40;

impl Speed {
    /// All speeds, the fastest first.
    pub const ALL: &[Self] = &[
        Self::UltraBullet,
        Self::Bullet,
        Self::Blitz,
        Self::Rapid,
        Self::Classical,
        Self::Correspondence,
    ];

    /// The speed of the value of a `TimeControl` tag; `None` if it is unknown or unreadable.
    ///
    /// It is the time for 40 moves: the base plus 40 increments. The times of several periods
    /// (`40/7200:3600`) are added up. The last period is repeated until there are 40 moves, so
    /// `1/86400`, a day for each move, is correspondence. So is `-`, which stands for no clock.
    #[must_use]
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

    /// Its name, as lichess writes it: `ultraBullet`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultraBullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
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

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a speed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a speed (ultraBullet, bullet, blitz, rapid, classical, correspondence): {0:?}")]
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
