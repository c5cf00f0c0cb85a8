//! Rows: in which format they are written, with which columns, and where to.

use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::{env, num::NonZeroUsize};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::output::{ColumnSet, ColumnValue, columns::DatasetOptions};

use super::args::{Format, Readers};
use super::completion::{Choice, one_of};
use super::outcome::{Failure, Interruption, refuse};
use super::progress::{Progress, Results};
use super::row_writer::{RowLayout, RowWriter, check_ending};
use super::{pager::Paged, replace::Inputs, settings, terminal::terminal_size};

/// How rows, or what a command writes in their place, are written, and where to.
#[derive(Debug, Default, Args)]
pub(super) struct RowArgs<T: OtherFormat = RowsAlone> {
    /// Output format [default: table; tsv in pipes]. The ending of a file decides its format
    #[arg(long, short, value_parser = one_of(formats::<T>()))]
    pub(super) format: Option<RowsFormat<T>>,

    /// Write to FILE, which appears only when it is complete [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Print at most N rows, or N of each group (0: all) [default: all; lists on a terminal: up to
    /// 20]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Omit the header row of table, tsv and csv
    #[arg(long)]
    pub(super) no_header: bool,

    /// Width of tables in characters [default: COLUMNS in the environment; else the width of the
    /// terminal]. Columns that do not fit are left out, from the right
    #[arg(long, value_name = "CHARACTERS")]
    width: Option<NonZeroUsize>,

    /// Print long tables on a terminal at once, without PAGER or less
    #[arg(long)]
    no_pager: bool,
}

impl RowArgs {
    /// Rows of a report beside other results: without a pager.
    pub(super) fn of_report(output: Option<PathBuf>) -> Self {
        Self { output, no_pager: true, ..Self::default() }
    }
}

impl<T: OtherFormat> RowArgs<T> {
    /// The format of rows that `--format` gives.
    fn given_format(&self) -> Option<Format> {
        match self.format? {
            RowsFormat::Rows(format) => Some(format),
            RowsFormat::Other(_) => None,
        }
    }

    /// What `--format` asks for in place of rows.
    pub(super) fn other(&self) -> Option<T> {
        match self.format? {
            RowsFormat::Rows(_) => None,
            RowsFormat::Other(other) => Some(other),
        }
    }

    /// Whether anything was asked of rows that a command without rows cannot give.
    pub(super) fn is_asked_for(&self) -> bool {
        self.format.is_some() || self.output.is_some() || self.limit.is_some()
    }

    /// The format that was asked for, or the default.
    pub(super) fn format(&self) -> Format {
        let default = || if self.output().is_some() { Format::Tsv } else { format_for_stdout() };
        self.named_format().unwrap_or_else(default)
    }

    /// The format that was asked for: by `--format`, or by the name of the output.
    pub(super) fn named_format(&self) -> Option<Format> {
        self.given_format().or_else(|| self.output().and_then(Format::by_name))
    }

    /// Who reads the rows.
    pub(super) fn readers(&self) -> Readers {
        self.format().into()
    }

    /// The columns that the format's readers get, with names of these catalogues.
    pub(super) fn layout<'c, F>(
        &self,
        columns: ColumnSet<F>,
        catalogues: impl IntoIterator<Item = &'c Catalogue, IntoIter: Clone>,
    ) -> RowLayout<F> {
        RowLayout::new(self.format(), columns, catalogues)
    }

    /// Opens the output of a run that reads `inputs`, for rows of a layout, and writes their
    /// header.
    pub(super) fn open<F>(
        &self,
        layout: &RowLayout<F>,
        inputs: &Inputs,
    ) -> Result<RowWriter, Interruption> {
        if self.no_header && layout.typed_format().is_some() {
            let hint = "columns of arrow and parquet have their names in any case";
            return refuse(format!("--no-header is for table, tsv and csv; {hint}"));
        }
        let (path, width) = (self.output(), self.width());
        let pager = (stdout().is_terminal() && !self.no_pager).then(|| Paged::Held(Vec::new()));
        let mut writer = RowWriter::open(path, inputs, layout, !self.no_header, width, pager)?;
        check_ending(path, self.given_format(), "txt")?;
        writer.limit(self.most());
        Ok(writer)
    }

    /// Opens a folder for rows of a layout of Parquet, as a dataset.
    pub(super) fn open_dataset<F>(
        &self,
        layout: &RowLayout<F>,
        inputs: &Inputs,
        folder: &Path,
        options: &DatasetOptions,
    ) -> Result<RowWriter, Interruption> {
        let mut writer = RowWriter::open_dataset(folder, inputs, layout, options)?;
        writer.limit(self.most());
        Ok(writer)
    }

    /// Opens the output for text that is not laid out in columns, and whose files have this ending.
    pub(super) fn open_for_text(
        &self,
        inputs: &Inputs,
        ending: &str,
    ) -> Result<RowWriter, Interruption> {
        let mut writer = RowWriter::open_for_text(self.output(), inputs)?;
        check_ending(self.output(), self.given_format(), ending)?;
        writer.limit(self.most());
        Ok(writer)
    }

    /// Writes rows, with names of these catalogues, and their header. Returns what is to be said of
    /// rows beyond the limit.
    pub(super) fn write_named<'c, F, R>(
        &self,
        columns: ColumnSet<F>,
        catalogues: impl IntoIterator<Item = &'c Catalogue, IntoIter: Clone>,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Option<String>, Failure>
    where
        F: ColumnValue<R>,
    {
        let layout = self.layout(columns, catalogues);
        let rows = layout.rows(rows);
        let written = self.open(&layout, &Inputs::none()).and_then(|mut writer| {
            writer.limit(self.most_listed());
            writer.write(&rows, &Progress::hidden())?;
            let beyond = writer.beyond();
            writer.finish().map(|()| beyond)
        });
        written.or_else(|error| error.outcome().map(|_| None))
    }

    /// Writes a table with text above and below; without rows the text alone. Returns what is to be
    /// said of rows beyond the limit.
    pub(super) fn write_page<F: ColumnValue<R>, R>(
        &self,
        columns: ColumnSet<F>,
        catalogue: &Catalogue,
        rows: Vec<R>,
        [above, below]: [&str; 2],
        inputs: &Inputs,
    ) -> Result<Option<String>, Interruption> {
        let layout = self.layout(columns, [catalogue]);
        let mut writer = self.open(&layout, inputs)?;
        writer.limit(self.most_listed());
        if rows.is_empty() {
            writer.without_table();
        }
        writer.write_text(above)?;
        writer.write(&layout.rows(rows), &Progress::hidden())?;
        writer.end_rows()?;
        writer.write_text(below)?;
        let beyond = writer.beyond();
        writer.finish().map(|()| beyond)
    }

    /// Writes text.
    pub(super) fn write_text(&self, text: &str) -> Result<(), Failure> {
        let written = self.open_for_text(&Inputs::none(), "txt").and_then(|mut writer| {
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

    /// The most rows to write.
    pub(super) fn most(&self) -> usize {
        self.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX)
    }

    /// The most rows of a list, which ends with the screen of a terminal.
    pub(super) fn most_listed(&self) -> usize {
        let is_shown = self.output().is_none() && stdout().is_terminal();
        if self.limit.is_some() || !is_shown || self.format() != Format::Table {
            return self.most();
        }
        let [_, lines] = terminal_size();
        lines.saturating_sub(BESIDE_ROWS).clamp(5, ON_A_TERMINAL)
    }

    /// The width that no line of a text may exceed: the one that is asked for, or that of the
    /// terminal. A file or another program takes lines of any length.
    pub(super) fn text_width(&self) -> Option<usize> {
        let is_on_terminal = self.output().is_none() && stdout().is_terminal();
        let asked = self.width.map(NonZeroUsize::get).or_else(environment_width);
        asked.or_else(|| is_on_terminal.then(|| terminal_size()[0]))
    }

    /// The width of tables.
    pub(super) fn width(&self) -> usize {
        self.width.map_or_else(table_width, NonZeroUsize::get)
    }
}

/// The most rows that a terminal gets, unless `--limit` is given.
const ON_A_TERMINAL: usize = 20;

/// The lines of a terminal that a table leaves free for its head, its totals and notes.
const BESIDE_ROWS: usize = 9;

/// A value of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowsFormat<T> {
    Rows(Format),
    Other(T),
}

/// A format that a command has besides those of rows.
pub(super) trait OtherFormat: Copy + Send + Sync + 'static {
    /// The values of `--format` that stand for it.
    const CHOICES: &'static [Choice<Self>];
}

/// There is no other format.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowsAlone;

impl OtherFormat for RowsAlone {
    const CHOICES: &[Choice<Self>] = &[];
}

/// The values of `--format`.
fn formats<T: OtherFormat>() -> Vec<Choice<RowsFormat<T>>> {
    let rows = Format::CHOICES.iter();
    let rows = rows.map(|(name, help, format)| (*name, *help, RowsFormat::Rows(*format)));
    let others = T::CHOICES.iter();
    rows.chain(others.map(|(name, help, other)| (*name, *help, RowsFormat::Other(*other))))
        .collect()
}

/// The width of tables, if no argument sets it.
pub(super) fn table_width() -> usize {
    environment_width().unwrap_or_else(|| terminal_size()[0])
}

/// The width that the environment sets, or else the user.
fn environment_width() -> Option<usize> {
    let set = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let setting = || settings::one("width").and_then(|width| width.parse().ok());
    set.or_else(setting).map(NonZeroUsize::get)
}

/// The default format for standard output.
pub(super) fn format_for_stdout() -> Format {
    if stdout().is_terminal() { Format::Table } else { Format::Tsv }
}
