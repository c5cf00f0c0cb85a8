//! Rows as workers write them, text or batches of typed columns, and the output that they go to.

use std::io::{self, ErrorKind, IsTerminal, stdout};
use std::{fs::File, mem::take, num::NonZeroUsize, path::Path};

use eco::new_file::{FileKind, kind_at};
use eco::output::columns::{
    BatchBuilder, BatchEncoder, BatchLayout, DatasetOptions, DatasetWriter, EncodeTask,
    EncodedPart, RecordBatch, origin,
};
use eco::output::{ColumnSet, ColumnValue, Format, Layout, Table, TableOptions};
use eco::{catalogue::Catalogue, pgn::Compression};
use memchr::memmem;

use super::outcome::{Failure, Interruption, complain, refuse};
use super::replace::{Inputs, cannot_write};
use super::{color::is_colored, interrupt::remove_files_on_signals};
use super::{output::Output, pager::Paged, progress::Progress};

/// The expected length of a row in bytes: enough for the default fields of games.
const ROW_LENGTH: usize = 160;

/// Columns in a format.
pub(super) enum RowLayout<F> {
    Text(Layout<F>),
    Batches { layout: BatchLayout<F>, format: Format, rows_per_group: Option<NonZeroUsize> },
}

/// Rows of a layout, as many as a worker has written at once.
pub(super) enum RowBuffer {
    Text(Vec<u8>),
    Batch(BatchBuilder),
}

/// Rows that are ready for a [`RowWriter`].
pub(super) enum Rows {
    Text(Vec<u8>),
    Batch(RecordBatch),
}

impl<F> RowLayout<F> {
    /// These columns in this format, for rows with names of these catalogues: files with metadata
    /// say so, tables have moves in their language, and programs the English names besides.
    pub(super) fn new<'c>(
        format: Format,
        columns: ColumnSet<F>,
        catalogues: impl IntoIterator<Item = &'c Catalogue, IntoIter: Clone>,
    ) -> Self {
        let catalogues = catalogues.into_iter();
        let language = catalogues.clone().map(Catalogue::language).next().unwrap_or_default();
        let columns = columns.in_language(language);
        if !format.is_typed() {
            return Self::Text(format.layout(columns));
        }
        let layout = BatchLayout::new(columns).with_metadata(origin(catalogues));
        Self::Batches { layout, format, rows_per_group: None }
    }

    /// Sets the most rows of a group. Only Parquet has groups.
    pub(super) fn with_rows_per_group(
        mut self,
        rows: Option<NonZeroUsize>,
    ) -> Result<Self, Failure> {
        match &mut self {
            Self::Batches { format: Format::Parquet, rows_per_group, .. } => *rows_per_group = rows,
            _ if rows.is_some() => {
                return refuse("--rows-per-group is for Parquet: -o games.parquet");
            }
            _ => {}
        }
        Ok(self)
    }

    /// Room for about this number of rows; more may be written.
    pub(super) fn buffer(&self, rows: usize) -> RowBuffer {
        match self {
            Self::Text(_) => RowBuffer::Text(Vec::with_capacity(ROW_LENGTH * rows)),
            Self::Batches { layout, .. } => RowBuffer::Batch(layout.builder(rows)),
        }
    }

    /// Writes a row into a buffer of this layout.
    pub(super) fn write<'r, R>(&'r self, row: &'r R, out: &mut RowBuffer)
    where
        F: ColumnValue<R>,
    {
        match (self, out) {
            (Self::Text(layout), RowBuffer::Text(out)) => layout.write(row, out),
            (Self::Batches { layout, .. }, RowBuffer::Batch(out)) => layout.write(row, out),
            _ => unreachable!("a buffer is filled by the layout that made it"),
        }
    }

    /// Rows, ready to be written.
    pub(super) fn rows<R>(&self, rows: impl IntoIterator<Item = R>) -> Rows
    where
        F: ColumnValue<R>,
    {
        let mut out = self.buffer(0);
        rows.into_iter().for_each(|row| self.write(&row, &mut out));
        out.finish()
    }

    /// The format, if it has typed columns.
    pub(super) fn typed_format(&self) -> Option<Format> {
        match self {
            Self::Text(_) => None,
            Self::Batches { format, .. } => Some(*format),
        }
    }
}

impl RowBuffer {
    /// Adds text, where rows are text.
    pub(super) fn text(&mut self) -> &mut Vec<u8> {
        match self {
            Self::Text(text) => text,
            Self::Batch(_) => unreachable!("a command with text has no typed columns for it"),
        }
    }

    /// The rows, ready to be written.
    pub(super) fn finish(self) -> Rows {
        match self {
            Self::Text(text) => Rows::Text(text),
            Self::Batch(mut batch) => Rows::Batch(batch.finish()),
        }
    }
}

/// No rows, and room for text.
impl Default for RowBuffer {
    fn default() -> Self {
        Self::Text(Vec::new())
    }
}

/// As many rows that were pushed are written at once: those of a whole group of Parquet, so that
/// its groups are as long as if all rows came together.
const ROWS_AT_ONCE: usize = 1 << 16;

/// What batches become.
enum Encoder {
    File(BatchEncoder),
    /// Files of its own, and the name of their folder.
    Dataset(Box<DatasetWriter>, String),
}

/// An output that rows are written to.
pub(super) struct RowWriter {
    output: Output,
    table: Option<Table>,
    /// Makes files of batches.
    encoder: Option<Encoder>,
    /// What stands above the rows, until the first of them or the end: a run that fails before has
    /// written nothing.
    header: Vec<u8>,
    /// The number of rows that may still be written, and of those beyond it.
    room: usize,
    beyond: usize,
    /// Rows that were pushed and are not written yet, and their number.
    made: Option<RowBuffer>,
    waiting: usize,
    /// What each row of text ends with.
    row_end: &'static str,
}

impl RowWriter {
    /// Opens a file, or standard output, for rows of a layout, and writes their header. A table on
    /// standard output goes to the pager, if there is one.
    pub(super) fn open<F>(
        path: Option<&Path>,
        inputs: &Inputs,
        layout: &RowLayout<F>,
        has_header: bool,
        width: usize,
        pager: Option<Paged>,
    ) -> Result<Self, Interruption> {
        if let Some(format) = layout.typed_format() {
            check_destination(path, format)?;
        }
        // An input or a database with such a name has its own error.
        let output = match (path, layout, pager) {
            (None, RowLayout::Text(text), Some(pager)) if text.is_table() => {
                Output::Stdout(Box::new(pager))
            }
            _ => open(path, inputs)?,
        };
        check_name(path, layout.typed_format())?;
        let is_colored = path.is_none() && is_colored(&stdout());
        let options = TableOptions { width, has_header, is_colored };
        let (mut table, mut encoder, mut header) = (None, None, Vec::new());
        match layout {
            RowLayout::Text(layout) => {
                table = layout.table(options);
                header = if has_header { layout.header() } else { header };
            }
            RowLayout::Batches { layout, format, rows_per_group } => {
                let begun = BatchEncoder::new(*format, &layout.schema()).map_err(Failure::from)?;
                encoder = Some(Encoder::File(match rows_per_group {
                    Some(rows) => begun.with_rows_per_group(*rows),
                    None => begun,
                }));
            }
        }
        Ok(Self { table, encoder, header, ..Self::of(output) })
    }

    /// Opens a folder for the files of a dataset.
    pub(super) fn open_dataset<F>(
        folder: &Path,
        inputs: &Inputs,
        layout: &RowLayout<F>,
        options: &DatasetOptions,
    ) -> Result<Self, Interruption> {
        let RowLayout::Batches { layout, .. } = layout else {
            unreachable!("a dataset has the layout of Parquet");
        };
        inputs.check(folder).map_err(Failure::from)?;
        remove_files_on_signals();
        let name = folder.display().to_string();
        let dataset = DatasetWriter::create(folder, &layout.schema(), options);
        let dataset = dataset.map_err(|error| match error.kind() {
            ErrorKind::InvalidInput => Failure(error.to_string()),
            _ => cannot_write(&name, &error),
        })?;
        let encoder = Some(Encoder::Dataset(Box::new(dataset), name));
        Ok(Self { encoder, ..Self::of(Output::Stdout(Box::new(io::sink()))) })
    }

    /// Opens a file, or standard output, for text.
    pub(super) fn open_for_text(
        path: Option<&Path>,
        inputs: &Inputs,
    ) -> Result<Self, Interruption> {
        let output = open(path, inputs)?;
        check_name(path, None)?;
        Ok(Self::of(output))
    }

    fn of(output: Output) -> Self {
        Self {
            output,
            table: None,
            encoder: None,
            header: Vec::new(),
            room: usize::MAX,
            beyond: 0,
            made: None,
            waiting: 0,
            row_end: "\n",
        }
    }

    /// Writes at most this many rows.
    pub(super) fn limit(&mut self, rows: usize) {
        self.room = rows;
    }

    /// Whether no other row will be written.
    pub(super) fn is_full(&self) -> bool {
        self.room == 0
    }

    /// What is to be said of rows beyond the limit.
    pub(super) fn beyond(&self) -> Option<String> {
        (self.beyond > 0).then(|| format!("... and {} more (--limit)", self.beyond))
    }

    /// For rows of text that end with a blank line.
    pub(super) fn with_blank_lines(self) -> Self {
        Self { row_end: "\n\n", ..self }
    }

    /// Takes rows as far as there is room.
    fn take(&mut self, rows: usize) -> usize {
        let taken = rows.min(self.room);
        (self.room, self.beyond) = (self.room - taken, self.beyond + rows - taken);
        taken
    }

    /// Takes rows of text as far as there is room.
    fn take_lines<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        if self.room == usize::MAX {
            return text;
        }
        let ends = memmem::find_iter(text, self.row_end);
        let ends: Vec<usize> = ends.map(|end| end + self.row_end.len()).collect();
        match self.take(ends.len()) {
            0 => &[],
            taken => &text[..ends[taken - 1]],
        }
    }

    /// Writes rows of the layout. The progress ends before the first row scrolls over it.
    pub(super) fn write(&mut self, rows: &Rows, progress: &Progress) -> Result<(), Interruption> {
        let mut tasks = Vec::new();
        self.gather(rows, &mut tasks, progress)?;
        tasks.into_iter().try_for_each(|task| self.append(task.run(), progress))
    }

    /// Writes rows of the layout, if they are text; others become tasks, what becomes of which is
    /// to be [appended](Self::append) in their order.
    pub(super) fn gather(
        &mut self,
        rows: &Rows,
        tasks: &mut Vec<EncodeTask>,
        progress: &Progress,
    ) -> Result<(), Interruption> {
        match rows {
            Rows::Text(rows) => {
                let rows = self.take_lines(rows);
                let Some(table) = &mut self.table else { return self.pass_on(rows, progress) };
                let mut out = Vec::new();
                table.push(rows, &mut out);
                self.pass_on(&out, progress)
            }
            Rows::Batch(batch) => {
                let taken = batch.slice(0, self.take(batch.num_rows()));
                match self.encoder() {
                    Encoder::File(file) => file.gather(&taken, tasks).map_err(Failure::from)?,
                    Encoder::Dataset(dataset, name) => {
                        let gathered = dataset.gather(&taken, tasks);
                        gathered.map_err(|error| cannot_write(name, &error))?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Adds the last tasks.
    pub(super) fn gather_rest(&mut self, tasks: &mut Vec<EncodeTask>) -> Result<(), Interruption> {
        match &mut self.encoder {
            None => {}
            Some(Encoder::File(file)) => file.gather_rest(tasks).map_err(Failure::from)?,
            Some(Encoder::Dataset(dataset, name)) => {
                dataset.gather_rest(tasks).map_err(|error| cannot_write(name, &error))?;
            }
        }
        Ok(())
    }

    /// Writes what became of a task.
    pub(super) fn append(
        &mut self,
        part: EncodedPart,
        progress: &Progress,
    ) -> Result<(), Interruption> {
        let mut out = Vec::new();
        match self.encoder() {
            Encoder::File(file) => file.append(part, &mut out).map_err(Failure::from)?,
            Encoder::Dataset(dataset, name) => {
                dataset.append(part).map_err(|error| cannot_write(name, &error))?;
            }
        }
        self.pass_on(&out, progress)
    }

    /// Adds a row of the layout, once the progress has ended. Rows are written as they come: of
    /// many, the text takes more memory than what it is made of.
    pub(super) fn push<F, R>(&mut self, layout: &RowLayout<F>, row: &R) -> Result<(), Interruption>
    where
        F: ColumnValue<R>,
    {
        layout.write(row, self.made.get_or_insert_with(|| layout.buffer(0)));
        self.waiting += 1;
        if self.waiting < ROWS_AT_ONCE { Ok(()) } else { self.write_pushed() }
    }

    fn write_pushed(&mut self) -> Result<(), Interruption> {
        self.waiting = 0;
        let Some(made) = self.made.take() else { return Ok(()) };
        self.write(&made.finish(), &Progress::hidden())
    }

    fn encoder(&mut self) -> &mut Encoder {
        self.encoder.as_mut().expect("batches have a layout of batches")
    }

    /// Leaves the table away: there are no rows, and a text says so.
    pub(super) fn without_table(&mut self) {
        self.table = None;
    }

    /// Writes text above or below all rows.
    pub(super) fn write_text(&mut self, text: &str) -> Result<(), Interruption> {
        self.write_header()?;
        self.output.put(text.as_bytes())
    }

    /// Writes the rows that are held back. No others may follow. Returns the columns that the table
    /// has no room for.
    pub(super) fn end_rows(&mut self) -> Result<Vec<String>, Interruption> {
        self.write_pushed()?;
        self.write_header()?;
        match self.encoder.take() {
            None => {}
            Some(Encoder::File(file)) => {
                self.output.put(&file.finish().map_err(Failure::from)?)?;
            }
            Some(Encoder::Dataset(dataset, name)) => {
                dataset.finish().map_err(|error| cannot_write(&name, &error))?;
            }
        }
        let Some(mut table) = self.table.take() else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        table.finish(&mut out);
        self.output.put(&out)?;
        Ok(table.left_out().iter().map(|name| (*name).to_owned()).collect())
    }

    /// Ends the rows, and puts a file in its place.
    pub(super) fn finish(mut self) -> Result<(), Interruption> {
        self.end_rows()?;
        self.output.finish()
    }

    /// The same, for columns that were asked for by their names: only those are missed if the table
    /// has no room for them.
    pub(super) fn finish_asked(mut self) -> Result<(), Interruption> {
        let left_out = self.end_rows()?;
        self.finish()?;
        if !left_out.is_empty() {
            let hint = "--width, or another --format";
            complain(&format_args!("the table has no room for {} ({hint})", left_out.join(", ")));
        }
        Ok(())
    }

    fn pass_on(&mut self, bytes: &[u8], progress: &Progress) -> Result<(), Interruption> {
        if bytes.is_empty() {
            return Ok(());
        }
        if matches!(self.output, Output::Stdout(_)) {
            progress.make_way();
        }
        self.write_header()?;
        self.output.put(bytes)
    }

    fn write_header(&mut self) -> Result<(), Interruption> {
        match take(&mut self.header) {
            header if header.is_empty() => Ok(()),
            header => self.output.put(&header),
        }
    }
}

fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Output, Failure> {
    // Rows have nothing that a terminal needs to be protected from.
    path.map_or(Ok(Output::Stdout(Box::new(stdout()))), |_| Output::open(path, inputs))
}

/// Refuses names that promise something else than is written: other programs go by them.
fn check_name(path: Option<&Path>, format: Option<Format>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = path.with_extension("");
    let plain = plain.display();
    let is_packed = Compression::of_name(path) != Compression::Plain
        || matches!(&*ending, "bgz" | "lz4" | "br" | "zip");
    let problem = match (&*ending, format) {
        _ if is_packed => format!(
            "rows are not written to .{ending}; name {plain} and compress that, or a file in \
             .parquet, which is compressed in itself"
        ),
        (
            "xlsx" | "xls" | "ods" | "html" | "htm" | "pdf" | "md" | "db" | "sqlite" | "sqlite3"
            | "pgn",
            None,
        ) => return Err(no_rows_in(path, &ending)),
        ("ipc" | "feather", None) => {
            format!("no format is written to .{ending}; {plain}.arrow is a stream of Arrow")
        }
        ("pq" | "parq", None) => {
            format!("no format is written to .{ending}; {plain}.parquet is Parquet")
        }
        _ => return Ok(()),
    };
    refuse(format!("{}: {problem}", path.display()))
}

/// Refuses a name whose ending is of no format, unless a format is given: then one that is of
/// another format. Text may be in a file with the ending `text`.
pub(super) fn check_ending(
    path: Option<&Path>,
    given: Option<Format>,
    text: &str,
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let Some(ending) = path.extension().map(|ending| ending.to_string_lossy().to_lowercase())
    else {
        return Ok(());
    };
    match (Format::by_name(path), given) {
        (None, None) if ending != text => Err(no_rows_in(path, &ending)),
        // Any text may be in .txt.
        (Some(named), Some(given))
            if named != Format::Table && named.ending() != given.ending() =>
        {
            let (given, end) = (given.name(), given.ending());
            let problem = format!("--format {given} is not written to .{ending}; name it .{end}");
            refuse(format!("{}: {problem}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Names the endings that files of rows have.
pub(super) fn no_rows_in(path: &Path, ending: &str) -> Failure {
    let known = Format::CHOICES[1..].iter().filter(|(name, _, format)| *name == format.ending());
    let known = known.map(|(name, ..)| format!(".{name}")).collect::<Vec<_>>().join(", ");
    Failure(format!(
        "{}: rows are not written to .{ending}; name a file in {known}, or in .txt for a table",
        path.display()
    ))
}

/// Refuses to write columns where they cannot be read from.
fn check_destination(path: Option<&Path>, format: Format) -> Result<(), Failure> {
    let is = |path, kind| kind_at(path).is_ok_and(|found| found == kind);
    let is_terminal = match path {
        None => stdout().is_terminal(),
        Some(path) => is(path, FileKind::Device) && File::open(path).is_ok_and(|f| f.is_terminal()),
    };
    let problem = match (format, path) {
        (Format::Parquet, None) => {
            "parquet is written to a file: name it with -o games.parquet; --format arrow goes into \
             a pipe"
        }
        (Format::Parquet, Some(path)) if is(path, FileKind::Pipe) => {
            "parquet is written to a file, and not to a pipe; --format arrow is"
        }
        _ if is_terminal => {
            "arrow is not for a terminal: name a file with -o games.arrows, or a program with |"
        }
        _ => return Ok(()),
    };
    refuse(problem)
}
