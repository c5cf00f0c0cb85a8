//! The report of what was changed.

use std::path::Path;

use eco::{
    output::{ChangeRow, GameChangeRow, Layout, Row, Value},
    pgn::Game,
    tag::{Changes, Plan},
};

use super::args::{ReportBy, ReportFormat, TagArgs, is_dash};
use crate::cli::{
    args::Format,
    outcome::{Failure, Interruption},
    progress::Progress,
    replace::Inputs,
    rows::{RowWriter, table_width},
};

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
    /// `None` once nobody reads it any more, or it could not be written.
    writer: Option<RowWriter>,
}

impl Report {
    /// Opens the report, if one was asked for, and writes its header.
    pub(super) fn open(args: &TagArgs, read: &Inputs) -> Result<Option<Self>, Failure> {
        let path = args.report.as_deref().filter(|path| !is_dash(path));
        if args.report.is_none() && !args.dry_run {
            return Ok(None);
        }
        let format = format(args.report_format, path);
        let writer = match args.report_by {
            ReportBy::Change => open(path, read, &format.layout(ChangeRow::columns())),
            ReportBy::Game => open(path, read, &format.layout(GameChangeRow::columns())),
        };
        let mut report = Self { by: args.report_by, format, writer: None };
        report.writer = report.readers(writer)?;
        Ok(Some(report))
    }

    /// The layout of rows about games; `None` if the report has none.
    pub(super) fn game_rows(&self) -> Option<GameRows> {
        (self.by == ReportBy::Game).then(|| GameRows(self.format.layout(GameChangeRow::columns())))
    }

    /// Writes rows. If nobody reads the report any more, the games are written all the same.
    pub(super) fn write(&mut self, rows: &[u8], progress: &Progress) -> Result<(), Failure> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        let written = writer.write(rows, progress).map(|()| writer);
        self.writer = self.readers(written)?;
        Ok(())
    }

    /// Writes the rows that are known only at the end, and puts the file in its place.
    pub(super) fn finish(mut self, changes: &Changes) -> Result<(), Failure> {
        if self.by == ReportBy::Change {
            let mut rows = Vec::new();
            let layout = self.format.layout(ChangeRow::columns());
            ChangeRow::all(changes).iter().for_each(|row| layout.write(row, &mut rows));
            self.write(&rows, &Progress::hidden())?;
        }
        let finished = self.writer.take().map_or(Ok(()), RowWriter::finish);
        self.readers(finished).map(drop)
    }

    /// What was written, if somebody still reads it.
    fn readers<T>(&self, written: Result<T, Interruption>) -> Result<Option<T>, Failure> {
        match written {
            Ok(written) => Ok(Some(written)),
            Err(error) => error.outcome().map(|_| None),
        }
    }
}

fn open<F>(
    path: Option<&Path>,
    read: &Inputs,
    layout: &Layout<F>,
) -> Result<RowWriter, Interruption> {
    RowWriter::open(path, read, layout, true, table_width())
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
