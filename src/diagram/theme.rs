//! Sizes and colours of a drawing.

use std::{fmt, str::FromStr};

/// A colour: red, green and blue, written `#rrggbb` or `#rgb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Paint(pub(super) [u8; 3]);

/// The text is not a colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {0:?}, expected a colour such as #b58863")]
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
}

impl Default for Theme {
    /// Squares of 64 pixels, in the colours of paper and wood, on white.
    fn default() -> Self {
        Self {
            square: 64,
            light: Paint([0xf1, 0xe7, 0xd3]),
            dark: Paint([0xb4, 0x93, 0x6c]),
            mark: Paint([0x6f, 0xa3, 0x4c]),
            arrow: Paint([0x2f, 0x7f, 0x4f]),
            background: Some(Paint([0xff, 0xff, 0xff])),
        }
    }
}
