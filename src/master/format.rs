//! Which formats there are, and how one is told by content.

use std::io::{self, Write};

use super::{
    Master, MasterFile, MasterLine, Reader, eco_json, eco_pgn, ecomast, epd_list, lichess_tsv,
    numbered_lines, scid,
};
use crate::opening::EcoCode;

/// A format of ECO masters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MasterFormat {
    /// lichess's: `eco`, `name`, `pgn`, separated by tabs.
    Tsv,
    /// Games with ECO and Opening tags, such as pgn-extract's `eco.pgn`.
    Pgn,
    /// Scid's `.eco`.
    Scid,
    /// ECOMast text: code and name on a line, moves on the next. It is only read.
    EcoMast,
    /// eco.json: an array, an object by position, or one object a line.
    Json,
    /// One EPD or FEN a line, with `eco` and `v0`.
    Epd,
}

/// A file has none of the known formats.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0}: not an ECO master (expected lichess's tsv, ECO tags in PGN, Scid's .eco, ECOMast text, \
     eco.json, or EPD)"
)]
pub struct UnknownFormat(String);

impl MasterFormat {
    /// The format of a file, by its first line that says something.
    ///
    /// # Errors
    ///
    /// If it is none.
    ///
    /// ```
    /// use eco::master::{MasterFile, MasterFormat};
    ///
    /// let file = MasterFile { name: "my.eco", bytes: b"# mine\nA00b \"Barnes\"  1.f3 *\n" };
    /// assert_eq!(MasterFormat::of(&file), Ok(MasterFormat::Scid));
    /// ```
    pub fn of(file: &MasterFile<'_>) -> Result<Self, UnknownFormat> {
        let mut lines = numbered_lines(file.bytes).map(|(_, line)| line);
        let mut lines = lines.by_ref().map(|line| line.trim().to_owned());
        let is_telling = |line: &String| !line.is_empty();
        let first = lines.find(is_telling).unwrap_or_default();
        let second = lines.find(is_telling).unwrap_or_default();
        Self::by_first_lines(&first, &second).ok_or_else(|| UnknownFormat(file.name.to_owned()))
    }

    fn by_first_lines(first: &str, second: &str) -> Option<Self> {
        let inner = |open| {
            first.strip_prefix(open).map(|rest: &str| {
                let rest = rest.trim_start();
                if rest.is_empty() { second.chars().next() } else { rest.chars().next() }
            })
        };
        if let Some(next) = inner('{') {
            // A comment otherwise.
            return Some(if matches!(next, Some('"' | '}')) { Self::Json } else { Self::Pgn });
        }
        if let Some(next) = inner('[') {
            return Some(if matches!(next, Some('{' | ']')) { Self::Json } else { Self::Pgn });
        }
        if first.starts_with(['%', ';']) {
            return Some(Self::Pgn);
        }
        if lichess_tsv::is_header(first) {
            return Some(Self::Tsv);
        }
        if epd_list::is_position(first) {
            return Some(Self::Epd);
        }
        if !starts_with_code(first) {
            return None;
        }
        let has_moves_below = second.starts_with("1.");
        Some(match first.matches('\t').count() {
            _ if scid::is_entry(first) => Self::Scid,
            1 if has_moves_below => Self::EcoMast,
            0 => Self::EcoMast,
            _ => Self::Tsv,
        })
    }

    pub(super) fn read(self, bytes: &[u8], reader: &mut Reader) {
        match self {
            Self::Tsv => lichess_tsv::read(bytes, reader),
            Self::Pgn => eco_pgn::read(bytes, reader),
            Self::Scid => scid::read(bytes, reader),
            Self::EcoMast => ecomast::read(bytes, reader),
            Self::Json => eco_json::read(bytes, reader),
            Self::Epd => epd_list::read(bytes, reader),
        }
    }
}

/// Whether a line begins with an ECO code and a blank.
pub(super) fn starts_with_code(line: &str) -> bool {
    let code = line.split(char::is_whitespace).next().unwrap_or_default();
    code.len() < line.len() && code.parse::<EcoCode>().is_ok()
}

impl MasterFormat {
    /// Writes masters in this format, which must not be [`MasterFormat::EcoMast`]. Only
    /// [`MasterFormat::Json`] tells masters apart; the others hold one, and of several all lines are
    /// written. Lines must have their key.
    ///
    /// Returns the lines that the format has no words for, which are left out.
    ///
    /// # Errors
    ///
    /// What `out` returns, and [`io::ErrorKind::Unsupported`] for [`MasterFormat::EcoMast`].
    pub fn write<'m>(
        self,
        masters: &'m [Master],
        out: &mut dyn Write,
    ) -> io::Result<Vec<&'m MasterLine>> {
        let lines: Vec<&MasterLine> = masters.iter().flat_map(|master| &master.lines).collect();
        match self {
            Self::Json => eco_json::write(masters, out)?,
            Self::Tsv => lichess_tsv::write(&lines, out)?,
            Self::Pgn => eco_pgn::write(&lines, out)?,
            Self::Epd => epd_list::write(&lines, out)?,
            Self::Scid => return scid::write(&lines, out),
            Self::EcoMast => return Err(io::Error::from(io::ErrorKind::Unsupported)),
        }
        Ok(Vec::new())
    }
}
