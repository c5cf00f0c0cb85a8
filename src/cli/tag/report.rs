//! The report of what was changed.

use std::{
    fs::File,
    io::{self, ErrorKind, Write, stdout},
    path::Path,
};

use eco::{
    output::{ChangeRow, GameChangeRow, Layout, Row, Value},
    pgn::Game,
    tag::{Changes, Plan},
};

use super::args::{ReportBy, ReportFormat, TagArgs, is_dash};
use crate::cli::{
    args::Format,
    outcome::Failure,
    replace::{Inputs, Replacement, cannot_write},
};

/// Where a report goes.
enum Destination {
    Stdout,
    File(Replacement, File),
    /// Nothing more is written: nobody reads it any more, or it could not be written.
    Closed,
}

impl Destination {
    fn open(path: Option<&Path>, read: &Inputs) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        let replacement = Replacement::new(path, read)?;
        let file = replacement.file()?;
        Ok(Self::File(replacement, file))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Stdout => {
                let mut out = stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Self::File(_, file) => file.write_all(bytes),
            Self::Closed => Ok(()),
        }
    }
}

/// The layout of rows about games.
pub(super) struct GameRows(Layout<for<'r> fn(&'r GameChangeRow<'_>) -> Value<'r>>);

impl GameRows {
    /// Writes the row of a game, if it is to have one.
    pub(super) fn write(
        &self,
        source: &str,
        game: &Game<'_>,
        plan: &Plan<'_, '_>,
        out: &mut Vec<u8>,
    ) {
        if let Some(row) = GameChangeRow::new(source, game, plan) {
            self.0.write(&row, out);
        }
    }
}

/// A report while it is written.
pub(super) struct Report {
    by: ReportBy,
    format: Format,
    name: String,
    destination: Destination,
}

impl Report {
    /// Opens the report, if one was asked for, and writes its header.
    pub(super) fn open(args: &TagArgs, read: &Inputs) -> Result<Option<Self>, Failure> {
        let path = args.report.as_deref().filter(|path| !is_dash(path));
        if args.report.is_none() && !args.dry_run {
            return Ok(None);
        }
        let name = path.map_or("standard output".to_owned(), |path| path.display().to_string());
        let destination = Destination::open(path, read)?;
        let format = format(args.report_format, path);
        let mut report = Self { by: args.report_by, format, name, destination };
        let header = match report.by {
            ReportBy::Change => format.layout(ChangeRow::columns()).header(),
            ReportBy::Game => format.layout(GameChangeRow::columns()).header(),
        };
        report.write(&header)?;
        Ok(Some(report))
    }

    /// The layout of rows about games; `None` if the report has none.
    pub(super) fn game_rows(&self) -> Option<GameRows> {
        (self.by == ReportBy::Game).then(|| GameRows(self.format.layout(GameChangeRow::columns())))
    }

    /// Writes rows. If nobody reads the report any more, the games are written all the same.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        let Err(error) = self.destination.write(bytes) else { return Ok(()) };
        self.destination = Destination::Closed;
        match error.kind() {
            ErrorKind::BrokenPipe => Ok(()),
            _ => Err(cannot_write(&self.name, &error)),
        }
    }

    /// Writes the rows that are known only at the end, and puts the file in its place.
    pub(super) fn finish(mut self, changes: &Changes) -> Result<(), Failure> {
        if self.by == ReportBy::Change {
            let mut rows = Vec::new();
            let layout = self.format.layout(ChangeRow::columns());
            ChangeRow::all(changes).iter().for_each(|row| layout.write(row, &mut rows));
            self.write(&rows)?;
        }
        match self.destination {
            Destination::Stdout | Destination::Closed => Ok(()),
            Destination::File(replacement, _) => {
                replacement.commit().map_err(|error| cannot_write(&self.name, &error))
            }
        }
    }
}

/// The format of the report: as asked for, or by its name.
fn format(named: Option<ReportFormat>, path: Option<&Path>) -> Format {
    let is_jsonl = |path: &Path| path.extension().is_some_and(|end| end == "jsonl");
    match (named, path) {
        (Some(ReportFormat::Jsonl), _) => Format::Jsonl,
        (Some(ReportFormat::Tsv), _) => Format::Tsv,
        (None, Some(path)) if is_jsonl(path) => Format::Jsonl,
        (None, Some(_)) => Format::Tsv,
        (None, None) => Format::for_stdout(),
    }
}
