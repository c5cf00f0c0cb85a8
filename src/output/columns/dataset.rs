//! Datasets: Parquet files in folders that are named after the values of columns, as Hive lays them
//! out: `year=2019/eco_letter=B/part-….parquet`.
//!
//! Each run adds one file to each folder. All are written to a temporary folder of the dataset, and
//! take their places when all are complete: a run that is killed leaves the dataset as it was, or,
//! in the moment of that, with some of its files. Their names say of which inputs they are, and of
//! which part of them. So a run replaces what an earlier run wrote of the same games, and runs of
//! different parts may write at the same time.
//!
//! The rows that do not fill a group yet are held in memory. If they are too many for all files
//! together, the file that holds most writes them as a shorter group. A file is open only while it
//! is written to.
//!
//! Rows are divided among folders many at a time: to divide each batch by itself makes arrays of a
//! row or two where folders are many, which takes most of the time.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io, io::Write, num::NonZeroUsize, slice, sync::Arc};

use arrow_array::types::{Int32Type, UInt16Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray};
use arrow_schema::{DataType, SchemaRef};
use sha2::{Digest, Sha256};

use super::encoder::{
    BYTES_PER_ROW, BatchEncoder, EncodeTask, EncodedPart, Group, Groups, gather, join_batches,
};
use super::{EncodeError, parquet::ROWS_PER_GROUP};
use crate::{new_file::ScratchFolder, output::Format, pgn::source::Part};

/// How a dataset is written, and what of.
#[derive(Debug, Clone)]
pub struct DatasetOptions {
    /// The columns after whose values folders are named, from the outermost. Files do not have
    /// them.
    pub partition_by: Vec<String>,
    /// The most rows of a group; by default 65,536. As much as such a group may take, 256 bytes a
    /// row, is held in memory for all files together, and 64 MiB at least.
    pub rows_per_group: Option<NonZeroUsize>,
    /// What the rows are made of, such as the paths of files: a run replaces what an earlier one
    /// wrote of the same.
    pub inputs: String,
    /// The part of the inputs that this run reads, if it does not read all.
    pub range: Option<Part>,
}

/// A column cannot name folders.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// Its values are no text, whole numbers, or answers of yes or no.
    #[error("{0} is no column to partition by: text, whole numbers and yes or no are")]
    Column(String),
    /// No other column is left.
    #[error("all columns are in the names of folders, and none is left for the files")]
    NoneLeft,
}

/// Writes the files of a run.
pub struct DatasetWriter {
    folder: PathBuf,
    scratch: ScratchFolder,
    games: Games,
    partitions: Partitions,
    rows_per_group: NonZeroUsize,
    files: Vec<DatasetFile>,
    by_folder: HashMap<String, usize>,
    /// The rows that are not divided among files yet.
    undivided: Groups,
    schema: SchemaRef,
    /// The bytes of the rows that are held, and how many that may be.
    held: usize,
    max_held: usize,
}

struct DatasetFile {
    folder: String,
    encoder: BatchEncoder,
}

/// More folders are refused: what is known of their files takes some 20 KB each.
const MAX_FOLDERS: usize = 1 << 14;

/// The last rows of a file are encoded on another thread if they have more bytes than this: a task
/// for each column of many files takes more memory than their rows.
const LARGE: usize = 1 << 20;

/// The least that is held before shorter groups are written.
const MIN_HELD: usize = 64 << 20;

impl DatasetWriter {
    /// A writer of batches with this schema, to a folder that may have files of other runs, and is
    /// made if it is not there.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to; of the kind `InvalidInput`, with a [`PartitionError`],
    /// if a column of the options cannot name folders.
    pub fn create(folder: &Path, schema: &SchemaRef, options: &DatasetOptions) -> io::Result<Self> {
        let partitions = Partitions::new(schema, &options.partition_by);
        let partitions =
            partitions.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        fs::create_dir_all(folder)?;
        let rows_per_group = options.rows_per_group;
        let rows_per_group =
            rows_per_group.unwrap_or(const { NonZeroUsize::new(ROWS_PER_GROUP).unwrap() });
        Ok(Self {
            folder: folder.to_owned(),
            scratch: ScratchFolder::within(folder)?,
            games: Games::new(options),
            partitions,
            rows_per_group,
            files: Vec::new(),
            by_folder: HashMap::new(),
            undivided: Groups::of_rows(ROWS_PER_GROUP),
            schema: Arc::clone(schema),
            held: 0,
            max_held: BYTES_PER_ROW.saturating_mul(rows_per_group.get()).max(MIN_HELD),
        })
    }

    /// Takes a batch, and adds the tasks that are complete with it, as
    /// [`BatchEncoder::gather`] does.
    ///
    /// # Errors
    ///
    /// If the rows belong to too many folders.
    pub fn gather(&mut self, batch: &RecordBatch, tasks: &mut Vec<EncodeTask>) -> io::Result<()> {
        self.undivided.push(batch).into_iter().try_for_each(|rows| self.divide(rows, tasks))
    }

    /// Gives rows to the files of their folders.
    fn divide(&mut self, rows: Group, tasks: &mut Vec<EncodeTask>) -> io::Result<()> {
        let rows = join_batches(&self.schema, rows.batches)?;
        for (folder, rows) in self.partitions.split(&rows)? {
            let file = self.file(folder)?;
            self.change(file, tasks, |encoder, tasks| {
                encoder.gather(&rows, tasks)?;
                encoder.join_small()
            })?;
        }
        while self.held > self.max_held {
            let held = |file: &usize| self.files[*file].encoder.held();
            let largest = (0..self.files.len()).max_by_key(held).expect("a file holds the rows");
            self.change(largest, tasks, BatchEncoder::gather_rest)?;
        }
        Ok(())
    }

    /// Adds the last tasks that are worth another thread, after the last batch.
    ///
    /// # Errors
    ///
    /// If rows cannot be encoded.
    pub fn gather_rest(&mut self, tasks: &mut Vec<EncodeTask>) -> io::Result<()> {
        self.undivided.finish().map_or(Ok(()), |rows| self.divide(rows, tasks))?;
        for file in 0..self.files.len() {
            if self.files[file].encoder.held() > LARGE {
                self.change(file, tasks, BatchEncoder::gather_rest)?;
            }
        }
        Ok(())
    }

    /// Writes what the next task has returned.
    ///
    /// # Errors
    ///
    /// That of the task; if the file cannot be written.
    pub fn append(&mut self, part: EncodedPart) -> io::Result<()> {
        let (file, mut bytes) = (part.file, Vec::new());
        self.files[file].encoder.append(part, &mut bytes)?;
        self.scratch.append(&file.to_string())?.write_all(&bytes)
    }

    /// Takes a batch, and encodes and writes the groups that are complete with it, on this thread.
    ///
    /// # Errors
    ///
    /// As [`gather`](Self::gather) and [`append`](Self::append).
    pub fn push(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let mut tasks = Vec::new();
        self.gather(batch, &mut tasks)?;
        self.run_all(tasks)
    }

    fn run_all(&mut self, tasks: Vec<EncodeTask>) -> io::Result<()> {
        tasks.into_iter().try_for_each(|task| self.append(task.run()))
    }

    /// Puts the files in their places, and removes what earlier runs have written of the same
    /// games. Returns the number of files. They are not synced to the disk: they can be made again.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or renamed. Then the run is to be repeated.
    pub fn finish(mut self) -> io::Result<usize> {
        let (mut tasks, mut names) = (Vec::new(), Vec::new());
        self.gather_rest(&mut tasks)?;
        self.run_all(tasks)?;
        for (number, file) in self.files.into_iter().enumerate() {
            self.scratch.append(&number.to_string())?.write_all(&file.encoder.finish()?)?;
            names.push(self.folder.join(file.folder).join(self.games.file_name(number)));
        }
        for (number, name) in names.iter().enumerate() {
            fs::create_dir_all(name.parent().expect("each file is in a folder"))?;
            self.scratch.hand_over(&number.to_string(), name)?;
        }
        let names: HashSet<PathBuf> = names.into_iter().collect();
        remove_files(&self.folder, &|path, name| self.games.are_in(name) && !names.contains(path))?;
        Ok(names.len())
    }

    /// The number of the file of a folder.
    fn file(&mut self, folder: String) -> io::Result<usize> {
        if let Some(file) = self.by_folder.get(&folder) {
            return Ok(*file);
        }
        let file = self.files.len();
        if file == MAX_FOLDERS {
            let text = "more than 16384 folders; partition by columns with fewer values";
            return Err(io::Error::other(text));
        }
        let encoder = BatchEncoder::new(Format::Parquet, &self.partitions.schema)?;
        let encoder = encoder.with_rows_per_group(self.rows_per_group);
        self.files.push(DatasetFile { folder: folder.clone(), encoder });
        self.by_folder.insert(folder, file);
        Ok(file)
    }

    /// Changes what a file holds. The tasks that come of it are its own.
    fn change(
        &mut self,
        file: usize,
        tasks: &mut Vec<EncodeTask>,
        change: impl FnOnce(&mut BatchEncoder, &mut Vec<EncodeTask>) -> Result<(), EncodeError>,
    ) -> io::Result<()> {
        let (encoder, first) = (&mut self.files[file].encoder, tasks.len());
        self.held -= encoder.held();
        change(encoder, tasks)?;
        self.held += encoder.held();
        tasks[first..].iter_mut().for_each(|task| task.file = file);
        Ok(())
    }
}

impl From<EncodeError> for io::Error {
    fn from(error: EncodeError) -> Self {
        Self::other(error)
    }
}

/// Removes files of a dataset, by their paths and names. What is not a folder of values is left
/// alone.
fn remove_files(folder: &Path, is_unwanted: &dyn Fn(&Path, &str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains('=') && path.is_dir() {
            remove_files(&path, is_unwanted)?;
        } else if is_unwanted(&path, &name) {
            match fs::remove_file(&path) {
                // Another run, of games that were in it too, has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
    }
    Ok(())
}

/// The games of a run, as the names of its files say them.
struct Games {
    /// `part-` and a digest of the inputs.
    inputs: String,
    range: Option<[u64; 2]>,
}

const ENDING: &str = ".parquet";

impl Games {
    fn new(options: &DatasetOptions) -> Self {
        let digest = Sha256::digest(&options.inputs);
        let digest = digest[..8].iter().map(|byte| format!("{byte:02x}"));
        let range = options.range.map(|part| [part.offset, part.end()]);
        Self { inputs: format!("part-{}", digest.collect::<String>()), range }
    }

    /// The number keeps apart what is one folder on some systems, such as `white=Tal` and
    /// `white=TAL`.
    fn file_name(&self, number: usize) -> String {
        let range = self.range.map(|[start, end]| format!("-{start}-{end}")).unwrap_or_default();
        format!("{}{range}-{number}{ENDING}", self.inputs)
    }

    /// Whether a file of this name has some of these games.
    fn are_in(&self, name: &str) -> bool {
        let numbers = name.strip_prefix(&self.inputs).and_then(|rest| rest.strip_suffix(ENDING));
        let numbers = numbers.map(|rest| rest.split('-').skip(1).map(str::parse));
        let numbers = numbers.and_then(|numbers| numbers.collect::<Result<Vec<u64>, _>>().ok());
        let [start, end] = match numbers.as_deref() {
            Some([_]) => ALL,
            Some([start, end, _]) => [*start, *end],
            _ => return false,
        };
        let [first, last] = self.range.unwrap_or(ALL);
        start < last && first < end
    }
}

const ALL: [u64; 2] = [0, u64::MAX];

/// The columns after which folders are named, and those of the files.
struct Partitions {
    named: Vec<(String, usize)>,
    kept: Vec<usize>,
    schema: SchemaRef,
}

impl Partitions {
    fn new(schema: &SchemaRef, columns: &[String]) -> Result<Self, PartitionError> {
        let mut named = Vec::new();
        for name in columns {
            match schema.column_with_name(name) {
                Some((at, field)) if can_name(field.data_type()) => named.push((escape(name), at)),
                _ => return Err(PartitionError::Column(name.clone())),
            }
        }
        let is_kept = |at: &usize| named.iter().all(|(_, named)| named != at);
        let kept: Vec<usize> = (0..schema.fields().len()).filter(is_kept).collect();
        match schema.project(&kept) {
            Ok(rest) if !kept.is_empty() => Ok(Self { named, kept, schema: rest.into() }),
            _ => Err(PartitionError::NoneLeft),
        }
    }

    /// The rows of each folder.
    fn split(&self, batch: &RecordBatch) -> io::Result<Vec<(String, RecordBatch)>> {
        let mut rows = BTreeMap::<String, Vec<usize>>::new();
        for row in 0..batch.num_rows() {
            rows.entry(self.folder(batch, row)).or_default().push(row);
        }
        let rest = batch.project(&self.kept).map_err(EncodeError::from)?;
        let take = |(folder, rows): (String, Vec<usize>)| {
            let rows = rows.iter().map(|row| (0, *row..row + 1));
            let columns =
                rest.columns().iter().map(|column| gather(slice::from_ref(column), rows.clone()));
            let columns = columns.collect::<Result<_, _>>().map_err(EncodeError::from)?;
            let taken = RecordBatch::try_new(rest.schema(), columns).map_err(EncodeError::from)?;
            Ok((folder, taken))
        };
        rows.into_iter().map(take).collect()
    }

    fn folder(&self, batch: &RecordBatch, row: usize) -> String {
        let mut folder = String::new();
        for (name, column) in &self.named {
            let value = value_at(batch.column(*column), row).filter(|value| !value.is_empty());
            let value = value.map_or(NO_VALUE.to_owned(), |value| escape(&value));
            let between = if folder.is_empty() { "" } else { "/" };
            folder.extend([between, name, "=", &value]);
        }
        folder
    }
}

/// Stands for null, and for empty text, which would be no name.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

fn can_name(kind: &DataType) -> bool {
    use DataType::{Boolean, Dictionary, UInt16, UInt64, Utf8};
    matches!(kind, Utf8 | Dictionary(..) | UInt16 | UInt64 | Boolean)
}

/// The text of a value; `None` for null.
fn value_at(array: &ArrayRef, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Dictionary(..) => {
            let names = array.as_dictionary::<Int32Type>();
            let name = names.key(row)?;
            names.values().as_string::<i32>().value(name).to_owned()
        }
        _ => array.as_string::<i32>().value(row).to_owned(),
    })
}

/// Escapes what Hive and Spark do, on any system: `%2F` for `/`. A name may not end in a dot or a
/// blank on Windows.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for (at, c) in text.char_indices() {
        let is_last = at + c.len_utf8() == text.len();
        if c.is_ascii_control() || ESCAPED.contains(c) || is_last && ". ".contains(c) {
            escaped.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

const ESCAPED: &str = "\"#%'*/:<=>?[\\]^{|}";

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use arrow_schema::{Field, Schema};
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;

    fn options() -> DatasetOptions {
        DatasetOptions {
            partition_by: vec!["key".to_owned()],
            rows_per_group: NonZeroUsize::new(1000),
            inputs: "games".to_owned(),
            range: None,
        }
    }

    #[test]
    fn the_rows_of_many_folders_are_held_up_to_a_limit() {
        let place = tempfile::tempdir().unwrap();
        let fields = ["key", "text"].map(|name| Field::new(name, DataType::Utf8, true));
        let schema = Arc::new(Schema::new(fields.to_vec()));
        let mut writer = DatasetWriter::create(place.path(), &schema, &options()).unwrap();
        writer.max_held = 1 << 20;
        for batch in 0..100 {
            let keys = (0..1000).map(|row| Some(format!("{}", row % 300)));
            let texts = (0..1000).map(|row| Some(format!("text {batch} {row}")));
            let columns: [ArrayRef; 2] =
                [Arc::new(keys.collect::<StringArray>()), Arc::new(texts.collect::<StringArray>())];
            let batch = RecordBatch::try_new(Arc::clone(&schema), columns.to_vec()).unwrap();
            writer.push(&batch).unwrap();
            let held: usize = writer.files.iter().map(|file| file.encoder.held()).sum();
            assert!(writer.held == held && held <= writer.max_held, "{held}");
        }
        assert_eq!(writer.finish().unwrap(), 300);
        let (mut rows, mut groups) = (0, 0);
        for key in 0..300 {
            let mut files = fs::read_dir(place.path().join(format!("key={key}"))).unwrap();
            let file = fs::File::open(files.next().unwrap().unwrap().path()).unwrap();
            let file = SerializedFileReader::new(file).unwrap();
            rows += file.metadata().file_metadata().num_rows();
            groups += file.num_row_groups();
        }
        assert!(rows == 100_000 && groups > 300, "{rows} rows in {groups} groups");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 300, "litter");
    }

    #[test]
    fn files_of_the_same_games_are_known_by_their_names() {
        let named = |range: Option<[u64; 2]>| {
            let range = range.map(|[offset, end]| Part { offset, length: end - offset });
            Games::new(&DatasetOptions { range, ..options() })
        };
        let (whole, part) = (named(None), named(Some([100, 200])));
        let other = Games::new(&DatasetOptions { inputs: "others".to_owned(), ..options() });
        for games in [&whole, &part] {
            assert!(games.are_in(&whole.file_name(7)) && games.are_in(&part.file_name(0)));
            assert!(!games.are_in(&other.file_name(7)) && !other.are_in(&games.file_name(7)));
            assert!(!games.are_in("part-0.parquet") && !games.are_in(&games.inputs));
        }
        for (range, is_same) in
            [([0, 100], false), ([0, 101], true), ([199, 300], true), ([200, 300], false)]
        {
            assert_eq!(part.are_in(&named(Some(range)).file_name(3)), is_same, "{range:?}");
            assert!(whole.are_in(&named(Some(range)).file_name(3)));
        }
    }
}
