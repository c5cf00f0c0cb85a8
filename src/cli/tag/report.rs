//! The report of what was changed.

use std::path::Path;

use eco::{
    output::{ChangeRow, GameChangeRow, Row, Value},
    pgn::Game,
    tag::{Changes, Plan},
};

use super::args::{ReportBy, ReportFormat, TagArgs, is_dash};
use crate::cli::{
    args::Format,
    outcome::{Failure, Interruption},
    progress::Progress,
    replace::Inputs,
    row_layout::{RowBuffer, RowLayout, Rows},
    row_writer::RowWriter,
    rows::table_width,
};

/// The layout of rows about games.
pub(super) struct GameRows(RowLayout<for<'r> fn(&'r GameChangeRow<'_>) -> Value<'r>>);

impl GameRows {
    pub(super) fn buffer(&self) -> RowBuffer {
        self.0.buffer(0)
    }

    /// Writes the row of a game, if it is to have one.
    pub(super) fn write(
        &self,
        source: &str,
        game: &Game<'_>,
        plan: &Plan<'_, '_>,
        out: &mut RowBuffer,
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
    pub(super) fn write(&mut self, rows: &Rows, progress: &Progress) -> Result<(), Failure> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        let written = writer.write(rows, progress).map(|()| writer);
        self.writer = self.readers(written)?;
        Ok(())
    }

    /// Writes the rows that are known only at the end, and puts the file in its place.
    pub(super) fn finish(mut self, changes: &Changes) -> Result<(), Failure> {
        if self.by == ReportBy::Change {
            let layout = self.format.layout(ChangeRow::columns());
            let rows = layout.rows(ChangeRow::all(changes));
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
    layout: &RowLayout<F>,
) -> Result<RowWriter, Interruption> {
    RowWriter::open(path, read, layout, true, table_width())
}

/// The format of the report: as asked for, or by its name.
fn format(named: Option<ReportFormat>, path: Option<&Path>) -> Format {
    let is_jsonl = |path: &Path| path.extension().is_some_and(|end| end == "jsonl");
    let by_name = || match path.and_then(Format::by_name) {
        Some(format @ (Format::Arrow | Format::Parquet)) => Some(format),
        Some(Format::Jsonl) if path.is_some_and(is_jsonl) => Some(Format::Jsonl),
        _ => path.map(|_| Format::Tsv),
    };
    match named {
        Some(ReportFormat::Jsonl) => Format::Jsonl,
        Some(ReportFormat::Tsv) => Format::Tsv,
        Some(ReportFormat::Arrow) => Format::Arrow,
        Some(ReportFormat::Parquet) => Format::Parquet,
        None => by_name().unwrap_or_else(Format::for_stdout),
    }
}
