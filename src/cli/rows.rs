//! Rows: in which format they are written, with which columns, and where to.

use std::{
    env,
    ffi::OsStr,
    io::{self, IsTerminal, Write, stdout},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Args;
use eco::output::{self, ColumnSet, ColumnValue, Layout, Table, TableOptions};

use super::{
    args::{CsvArgs, Format},
    color::is_colored,
    outcome::{Failure, Interruption, complain},
    output::{OutputFile, terminal_width},
    progress::{Progress, Results},
    replace::Inputs,
};

/// How rows are written, and where to.
#[derive(Debug, Args)]
pub(super) struct RowArgs {
    /// Output format [default: by the name of the output file; else table on a terminal, tsv
    /// otherwise]
    #[arg(long, short, value_enum)]
    pub(super) format: Option<Format>,

    /// Write to FILE, which appears only when it is complete [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Omit the header row of table, tsv and csv
    #[arg(long)]
    pub(super) no_header: bool,

    /// Width of tables in characters [default: COLUMNS in the environment; else the width of the
    /// terminal]. Columns that do not fit are left out, from the right
    #[arg(long, value_name = "CHARACTERS")]
    width: Option<NonZeroUsize>,

    #[command(flatten)]
    csv: CsvArgs,
}

impl RowArgs {
    /// The format that was asked for, or the default.
    pub(super) fn format(&self) -> Format {
        let default = || if self.output().is_some() { Format::Tsv } else { Format::for_stdout() };
        self.named_format().unwrap_or_else(default)
    }

    /// The format that was asked for: by `--format`, or by the name of the output.
    pub(super) fn named_format(&self) -> Option<Format> {
        self.format.or_else(|| self.output().and_then(Format::by_name))
    }

    /// The columns that the format's readers get.
    pub(super) fn layout<F>(&self, columns: ColumnSet<F>) -> Layout<F> {
        match self.format() {
            Format::Csv => self.csv.format(self.output()).layout(columns),
            other => other.layout(columns),
        }
    }

    /// Opens the output of a run that reads `inputs`, for rows of a layout, and writes their
    /// header.
    pub(super) fn open<F>(
        &self,
        layout: &Layout<F>,
        inputs: &Inputs,
    ) -> Result<RowWriter, Interruption> {
        RowWriter::open(self.output(), inputs, layout, !self.no_header, self.width())
    }

    /// Opens the output for text that is not laid out in columns.
    pub(super) fn open_for_text(&self, inputs: &Inputs) -> Result<RowWriter, Interruption> {
        let destination = Destination::open(self.output(), inputs)?;
        Ok(RowWriter { destination, table: None, header: Vec::new() })
    }

    /// Writes rows with their header.
    pub(super) fn write_all<F, R>(
        &self,
        columns: ColumnSet<F>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), Failure>
    where
        F: ColumnValue<R>,
    {
        let layout = self.layout(columns);
        let mut out = Vec::new();
        for row in rows {
            layout.write(&row, &mut out);
        }
        self.write(&layout, &out)
    }

    /// Writes rows that are in memory, with their header.
    pub(super) fn write<F>(&self, layout: &Layout<F>, rows: &[u8]) -> Result<(), Failure> {
        let written = self.open(layout, &Inputs::none()).and_then(|mut writer| {
            writer.write(rows, &Progress::hidden())?;
            writer.finish()
        });
        written.or_else(|error| error.outcome().map(drop))
    }

    /// Writes text.
    pub(super) fn write_text(&self, text: &str) -> Result<(), Failure> {
        let written = self.open_for_text(&Inputs::none()).and_then(|mut writer| {
            writer.write_text(text)?;
            writer.finish()
        });
        written.or_else(|error| error.outcome().map(drop))
    }

    /// Where rows go while a run lasts: a table holds its first ones back, and the progress makes
    /// way for them.
    pub(super) fn results(&self) -> Results {
        let is_held_back = stdout().is_terminal();
        if self.output().is_some() || is_held_back { Results::Elsewhere } else { Results::Stdout }
    }

    /// The file to write to; `None` for standard output.
    pub(super) fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// The width of tables.
    pub(super) fn width(&self) -> usize {
        self.width.map_or_else(table_width, NonZeroUsize::get)
    }
}

/// The width of tables, if no argument sets it.
pub(super) fn table_width() -> usize {
    let set = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    set.map_or_else(terminal_width, NonZeroUsize::get)
}

impl Format {
    /// The default for standard output.
    pub(super) fn for_stdout() -> Self {
        if stdout().is_terminal() { Self::Table } else { Self::Tsv }
    }

    /// The format that the name of a file ends in.
    fn by_name(path: &Path) -> Option<Self> {
        match path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase().as_str() {
            "tsv" | "tab" => Some(Self::Tsv),
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "txt" => Some(Self::Table),
            _ => None,
        }
    }

    fn in_library(self) -> output::Format {
        match self {
            Self::Table => output::Format::Table,
            Self::Tsv => output::Format::Tsv,
            Self::Csv => output::Format::Csv,
            Self::Jsonl => output::Format::Jsonl,
        }
    }

    /// These columns in this format.
    pub(super) fn layout<F>(self, columns: ColumnSet<F>) -> Layout<F> {
        self.in_library().layout(columns)
    }
}

/// Where rows go.
enum Destination {
    Stdout,
    File(OutputFile),
}

impl Destination {
    fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Self, Failure> {
        path.map_or(Ok(Self::Stdout), |path| OutputFile::create(path, inputs).map(Self::File))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Interruption> {
        match self {
            Self::Stdout => Ok(write_out(bytes)?),
            Self::File(file) => Ok(file.write(bytes)?),
        }
    }
}

fn write_out(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// An output that rows are written to.
pub(super) struct RowWriter {
    destination: Destination,
    table: Option<Table>,
    /// What stands above the rows, until the first of them or the end: a run that fails before has
    /// written nothing.
    header: Vec<u8>,
}

impl RowWriter {
    /// Opens a file, or standard output, for rows of a layout, and writes their header.
    pub(super) fn open<F>(
        path: Option<&Path>,
        inputs: &Inputs,
        layout: &Layout<F>,
        has_header: bool,
        width: usize,
    ) -> Result<Self, Interruption> {
        let destination = Destination::open(path, inputs)?;
        let header = if has_header { layout.header() } else { Vec::new() };
        let is_colored = path.is_none() && is_colored(&stdout());
        let options = TableOptions { width, has_header, is_colored };
        Ok(Self { destination, table: layout.table(options), header })
    }

    /// Writes rows of the layout. The progress ends before the first row scrolls over it.
    pub(super) fn write(&mut self, rows: &[u8], progress: &Progress) -> Result<(), Interruption> {
        let Some(table) = &mut self.table else { return self.pass_on(rows, progress) };
        let mut out = Vec::new();
        table.push(rows, &mut out);
        self.pass_on(&out, progress)
    }

    /// Writes text above or below all rows.
    pub(super) fn write_text(&mut self, text: &str) -> Result<(), Interruption> {
        self.write_header()?;
        self.destination.write(text.as_bytes())
    }

    /// Writes the rows that are held back. No others may follow.
    pub(super) fn end_rows(&mut self) -> Result<(), Interruption> {
        self.write_header()?;
        let Some(mut table) = self.table.take() else { return Ok(()) };
        let mut out = Vec::new();
        table.finish(&mut out);
        self.destination.write(&out)?;
        complain_about_columns(&table.left_out());
        Ok(())
    }

    /// Ends the rows, and puts a file in its place.
    pub(super) fn finish(mut self) -> Result<(), Interruption> {
        self.end_rows()?;
        match self.destination {
            Destination::Stdout => Ok(()),
            Destination::File(file) => Ok(file.commit()?),
        }
    }

    fn pass_on(&mut self, bytes: &[u8], progress: &Progress) -> Result<(), Interruption> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Destination::Stdout = self.destination {
            progress.make_way();
        }
        self.write_header()?;
        self.destination.write(bytes)
    }

    fn write_header(&mut self) -> Result<(), Interruption> {
        match std::mem::take(&mut self.header) {
            header if header.is_empty() => Ok(()),
            header => self.destination.write(&header),
        }
    }
}

/// Says which columns did not fit.
fn complain_about_columns(names: &[&str]) {
    if names.is_empty() {
        return;
    }
    let names = names.join(", ");
    complain(&format_args!("the table has no room for {names} (--width, or another --format)"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_decides_about_the_format() {
        for (name, format) in [
            ("a.csv", Some(Format::Csv)),
            ("a.TSV", Some(Format::Tsv)),
            ("a.jsonl", Some(Format::Jsonl)),
            ("a.b.txt", Some(Format::Table)),
            ("a", None),
            ("csv", None),
        ] {
            assert_eq!(Format::by_name(Path::new(name)), format, "{name}");
        }
    }
}
