//! The formats of masters: which there are, how each is detected, and who reads and writes it.

use std::io::{self, Write};

use super::reading::{Collector, Reading, numbered_lines, starts_with_code};
use super::{Master, MasterFile, MasterInfo, MasterLine, eco_json, eco_pgn, ecomast, epd_list};
use super::{lichess_tsv, other_names, scid};

/// A format of ECO masters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MasterFormat {
    /// lichess's: `eco`, `name`, `pgn`, separated by tabs.
    Tsv,
    /// Games with Opening and ECO tags, such as pgn-extract's `eco.pgn`.
    Pgn,
    /// Scid's `.eco`.
    Scid,
    /// ECOMast text: code and name on a line, moves on the next. It is only read.
    EcoMast,
    /// eco.json: an array, an object by position, or one object a line.
    Json,
    /// One EPD or FEN a line, with `v0` and `eco`.
    Epd,
    /// Other names of openings. They are only read.
    Aliases,
}

/// A file has none of the known formats.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0}: not an ECO master (expected lichess's tsv, ECO tags in PGN, Scid's .eco, ECOMast text, \
     eco.json, or EPD)"
)]
pub struct UnknownFormat(String);

impl MasterFormat {
    /// Detects the format of a file from its first two lines that are not empty.
    ///
    /// # Errors
    ///
    /// If it has none of the formats.
    ///
    /// ```
    /// use eco::master::{MasterFile, MasterFormat};
    ///
    /// let file = MasterFile { name: "my.eco", bytes: b"# mine\nA00b \"Barnes\"  1.f3 *\n" };
    /// assert_eq!(MasterFormat::of(&file), Ok(MasterFormat::Scid));
    /// ```
    pub fn of(file: &MasterFile<'_>) -> Result<Self, UnknownFormat> {
        let lines = numbered_lines(file.bytes).map(|(_, line)| line.trim().to_owned());
        let mut lines = lines.filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let second = lines.next().unwrap_or_default();
        Self::of_lines(&first, &second).ok_or_else(|| UnknownFormat(file.name.to_owned()))
    }

    fn of_lines(first: &str, second: &str) -> Option<Self> {
        // Otherwise they begin a comment and a tag.
        for (open, next_in_json) in [('{', ['"', '}']), ('[', ['{', ']'])] {
            if let Some(rest) = first.strip_prefix(open) {
                let next = rest.trim_start().chars().chain(second.chars()).next();
                let is_json = next.is_some_and(|next| next_in_json.contains(&next));
                return Some(if is_json { Self::Json } else { Self::Pgn });
            }
        }
        if first.starts_with(['%', ';']) {
            return Some(Self::Pgn);
        }
        if other_names::is_header(first) {
            return Some(Self::Aliases);
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
        let is_moves = second.starts_with("1.");
        Some(match first.matches('\t').count() {
            _ if scid::is_entry(first) => Self::Scid,
            1 if is_moves => Self::EcoMast,
            0 => Self::EcoMast,
            _ => Self::Tsv,
        })
    }

    pub(super) fn read(self, bytes: &[u8], collector: &mut Collector) {
        match self {
            Self::Tsv => lichess_tsv::read(bytes, collector),
            Self::Pgn => eco_pgn::read(bytes, collector),
            Self::Scid => scid::read(bytes, collector),
            Self::EcoMast => ecomast::read(bytes, collector),
            Self::Json => eco_json::read(bytes, collector),
            Self::Epd => epd_list::read(bytes, collector),
            Self::Aliases => other_names::read(bytes, collector),
        }
    }

    /// Writes masters in this format. Only [`MasterFormat::Json`] keeps masters apart; in the other
    /// formats, the lines of all of them are written as one. Lines must have their key.
    ///
    /// Returns the lines that the format cannot express, which are left out.
    ///
    /// # Errors
    ///
    /// What `out` returns, and [`io::ErrorKind::Unsupported`] for formats that are
    /// only read.
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
            Self::EcoMast | Self::Aliases => {
                return Err(io::Error::from(io::ErrorKind::Unsupported));
            }
        }
        Ok(Vec::new())
    }
}

impl Master {
    /// Reads files of openings as one master, described by `info`; its fingerprint is computed.
    ///
    /// The format of each file is detected from its content unless `format` is given. Files of
    /// [`MasterFormat::Json`] may name the master of each opening, and then give several masters.
    ///
    /// # Errors
    ///
    /// If a file has none of the formats.
    pub fn read(
        info: MasterInfo,
        files: &[MasterFile<'_>],
        format: Option<MasterFormat>,
    ) -> Result<Reading, UnknownFormat> {
        let info = MasterInfo { fingerprint: Self::fingerprint(files), ..info };
        let mut collector = Collector::new(info);
        for file in files {
            let format = format.map_or_else(|| MasterFormat::of(file), Ok)?;
            collector.begin_file(file.name);
            format.read(file.bytes, &mut collector);
        }
        Ok(collector.finish())
    }
}
