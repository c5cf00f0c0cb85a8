//! Sizes and colours of a drawing.

use std::{fmt, str::FromStr};

use crate::{named::named, quoted::Quoted};

/// A colour: red, green and blue, written `#rrggbb` or `#rgb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Paint(pub(super) [u8; 3]);

/// The text is not a colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {}, expected a colour such as #b58863", Quoted(.0))]
pub struct ParsePaintError(String);

impl FromStr for Paint {
    type Err = ParsePaintError;

    fn from_str(text: &str) -> Result<Self, ParsePaintError> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let number = |at: usize, len| {
            let digits =
                digits.get(at..at + len).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
            digits.and_then(|d| u8::from_str_radix(d, 16).ok())
        };
        let paint = match digits.len() {
            3 => [0, 1, 2].map(|at| number(at, 1).map(|n| n * 17)),
            6 => [0, 2, 4].map(|at| number(at, 2)),
            _ => [None; 3],
        };
        match paint {
            [Some(red), Some(green), Some(blue)] => Ok(Self([red, green, blue])),
            _ => Err(ParsePaintError(text.to_owned())),
        }
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The letters that ChessBase and lichess have for colours: green, red, yellow, blue.
const COLOURS: [(char, Paint); 4] = [
    ('G', Paint([0x15, 0x78, 0x1b])),
    ('R', Paint([0xb0, 0x28, 0x20])),
    ('Y', Paint([0xd8, 0x9a, 0x00])),
    ('B', Paint([0x00, 0x48, 0x98])),
];

/// The squares after the letter of a colour, and the colour.
pub(super) fn lettered(text: &str) -> Option<(&str, Option<Paint>)> {
    COLOURS.iter().find_map(|(letter, paint)| Some((text.strip_prefix(*letter)?, Some(*paint))))
}

/// Sizes and colours of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The side of a square, in pixels.
    pub square: u32,
    /// The colour of light squares.
    pub light: Paint,
    /// The colour of dark squares.
    pub dark: Paint,
    /// The colour of marks that have none of their own.
    pub mark: Paint,
    /// The colour of arrows that have none of their own.
    pub arrow: Paint,
    /// The background colour; `None` leaves it transparent.
    pub background: Option<Paint>,
    /// The colour of the square of a king in check.
    pub check: Paint,
    /// The colour of coordinates, caption and the rim of the disc for the side to move; `None` for
    /// a dark grey and almost black.
    pub text: Option<Paint>,
}

named! {
    /// A theme by its name: `wood`, the default, `green`, `blue`, `grey` or `night`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Preset {
        /// Paper and wood, on white.
        Wood = "wood",
        /// Green, as on cloth and vinyl boards.
        Green = "green",
        /// Blue.
        Blue = "blue",
        /// Greys, for print without colours.
        Grey = "grey",
        /// Light letters on a dark page.
        Night = "night",
    }
}

/// What marks squares of green and of blue. Marks are blue on all others: so they stand apart from
/// both squares for those as well who do not see red, green or blue as others do.
const YELLOW: Paint = Paint([0xe6, 0xc8, 0x3c]);

impl Preset {
    /// Its colours.
    pub fn theme(self) -> Theme {
        let wood = Theme::default();
        let squares = |light, dark| Theme { light: Paint(light), dark: Paint(dark), ..wood };
        match self {
            Self::Wood => wood,
            Self::Green => Theme {
                mark: YELLOW,
                arrow: Paint([0xc7, 0x5a, 0x1d]),
                ..squares([0xee, 0xee, 0xd8], [0x7a, 0x99, 0x5c])
            },
            Self::Blue => Theme { mark: YELLOW, ..squares([0xe6, 0xeb, 0xf0], [0x86, 0xa0, 0xb8]) },
            Self::Grey => Theme {
                mark: Paint([0x80, 0x80, 0x80]),
                arrow: Paint([0x40, 0x40, 0x40]),
                check: Paint([0x58, 0x58, 0x58]),
                ..squares([0xff, 0xff, 0xff], [0xc4, 0xc4, 0xc4])
            },
            Self::Night => Theme {
                background: Some(Paint([0x20, 0x20, 0x24])),
                text: Some(Paint([0xe8, 0xe4, 0xdc])),
                ..squares([0xb8, 0xac, 0x98], [0x77, 0x69, 0x59])
            },
        }
    }
}

impl FromStr for Preset {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<Self, ParseThemeError> {
        let found =
            Self::ALL.iter().copied().find(|preset| preset.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| ParseThemeError::Preset(text.to_owned()))
    }
}

/// The text is not the look of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseThemeError {
    /// It has a name that no theme has.
    #[error("no theme {}; there are wood, green, blue, grey and night", Quoted(.0))]
    Preset(String),
    /// It has a part with something else than a colour.
    #[error(transparent)]
    Paint(#[from] ParsePaintError),
    /// It has a part that no theme has.
    #[error("no part {}; there are light, dark, mark, arrow, text and background", Quoted(.0))]
    Part(String),
}

/// Reads the name of a theme, colours of its parts, or both, with commas between them:
/// `night,light=f1e7d3,background=none`.
impl FromStr for Theme {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<Self, ParseThemeError> {
        let mut theme = Self::default();
        for item in text.split(',') {
            let Some((part, colour)) = item.split_once('=') else {
                theme = item.parse::<Preset>()?.theme();
                continue;
            };
            match part {
                "light" => theme.light = colour.parse()?,
                "dark" => theme.dark = colour.parse()?,
                "mark" => theme.mark = colour.parse()?,
                "arrow" => theme.arrow = colour.parse()?,
                "text" => theme.text = Some(colour.parse()?),
                "background" if colour == "none" => theme.background = None,
                "background" => theme.background = Some(colour.parse()?),
                _ => return Err(ParseThemeError::Part(part.to_owned())),
            }
        }
        Ok(theme)
    }
}

impl Default for Theme {
    /// Squares of 64 pixels, in the colours of paper and wood, on white.
    fn default() -> Self {
        Self {
            square: 64,
            light: Paint([0xf1, 0xe7, 0xd3]),
            dark: Paint([0xb4, 0x93, 0x6c]),
            mark: Paint([0x3f, 0x83, 0xb8]),
            arrow: Paint([0x2f, 0x7f, 0x4f]),
            background: Some(Paint([0xff, 0xff, 0xff])),
            check: Paint([0xd6, 0x36, 0x2c]),
            text: None,
        }
    }
}
