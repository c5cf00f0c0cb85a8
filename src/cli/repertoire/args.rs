//! Arguments that several subcommands of `eco repertoire` share.

use clap::ValueEnum;
use eco::chess::Color;

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        Self::from_white(side == Side::White)
    }
}

/// The name of a repertoire.
pub(super) fn parse_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a name without control characters");
    }
    Ok(text.trim().to_owned())
}

/// The name of a repertoire that may be new. A file that is there was meant for an input, and the name
/// forgotten.
pub(super) fn parse_new_name(text: &str) -> Result<String, String> {
    if std::path::Path::new(text).is_file() {
        return Err("this is a file; name a repertoire before it".to_owned());
    }
    parse_name(text).map_err(str::to_owned)
}

/// A share, as `0.05` or `5%`.
pub(super) fn parse_share(text: &str) -> Result<f64, &'static str> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("expected a share such as 0.05 or 5%")
}
