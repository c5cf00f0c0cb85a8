//! The report of what was changed.

use std::{
    fs::File,
    io::{self, Write, stdout},
    ops::ControlFlow,
    path::Path,
};

use eco::{
    output::{CHANGE_COLUMNS, GAME_CHANGE_COLUMNS, Rows, write_changes},
    tag::Changes,
};

use super::{
    super::{args::Format, outcome::Failure, replace::Replacement},
    args::{ReportBy, ReportFormat, TagArgs},
    target::is_dash,
};

/// Where a report goes.
enum Place {
    Stdout,
    File(Replacement, File),
}

/// A report on its way.
pub(super) struct Report {
    by: ReportBy,
    format: Format,
    rows: Box<dyn Rows>,
    name: String,
    place: Place,
    written: io::Result<()>,
}

impl Report {
    /// The report that was asked for, if one was.
    pub(super) fn open(args: &TagArgs) -> Result<Option<Self>, Failure> {
        let named = args.report.as_deref().filter(|path| !is_dash(path));
        if named.is_none() && args.report.is_none() && !args.dry_run {
            return Ok(None);
        }
        let is_json = |path: &Path| path.extension().is_some_and(|end| end == "jsonl");
        let format = match (args.report_format, named) {
            (Some(ReportFormat::Jsonl), _) => Format::Jsonl,
            (Some(ReportFormat::Tsv), _) => Format::Tsv,
            (None, Some(path)) if is_json(path) => Format::Jsonl,
            (None, Some(_)) => Format::Tsv,
            (None, None) => Format::usual(),
        };
        let columns = match args.report_by {
            ReportBy::Change => &CHANGE_COLUMNS[..],
            ReportBy::Game => &GAME_CHANGE_COLUMNS,
        };
        let name = named.map_or("standard output".to_owned(), |path| path.display().to_string());
        let place = match named {
            None => Place::Stdout,
            Some(path) => {
                let open = || Replacement::new(path).and_then(|r| Ok((r.file()?, r)));
                let opened = open().map_err(|error| cannot_write(&name, &error))?;
                Place::File(opened.1, opened.0)
            }
        };
        let rows = format.rows(columns);
        let mut header = Vec::new();
        rows.write_header(columns, &mut header);
        let mut report = Self { by: args.report_by, format, rows, name, place, written: Ok(()) };
        // What is wrong with it is told at the end.
        let _ = report.write(&header);
        Ok(Some(report))
    }

    /// The layout of rows about games, if there are to be any.
    pub(super) fn game_rows(&self) -> Option<Box<dyn Rows>> {
        (self.by == ReportBy::Game).then(|| self.format.rows(&GAME_CHANGE_COLUMNS))
    }

    /// Writes rows; breaks when nothing can be written any more.
    pub(super) fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if self.written.is_ok() && !bytes.is_empty() {
            self.written = match &mut self.place {
                Place::Stdout => {
                    let mut out = stdout().lock();
                    out.write_all(bytes).and_then(|()| out.flush())
                }
                Place::File(_, file) => file.write_all(bytes),
            };
        }
        match &self.written {
            // Nobody reads the report any more; the games are written all the same.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
        }
    }

    /// Writes what is known only at the end, and puts the file in its place.
    pub(super) fn finish(mut self, changes: &Changes) -> Result<(), Failure> {
        if self.by == ReportBy::Change {
            let mut out = Vec::new();
            write_changes(changes, &*self.rows, &mut out);
            let _ = self.write(&out);
        }
        let done = self.written.and_then(|()| match self.place {
            Place::Stdout => Ok(()),
            Place::File(replacement, _) => replacement.commit(None),
        });
        match done {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(cannot_write(&self.name, &error))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure(format!("{name}: cannot be written: {error}"))
}
