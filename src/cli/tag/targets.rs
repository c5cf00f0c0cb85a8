//! Where the games of each source go. No output may overwrite an input.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::{collections::HashSet, slice};

use eco::new_file::identity;
use eco::pgn::Compression;
use eco::pgn::source::{Source, SourceError};

use super::args::{TagArgs, is_dash};
use crate::cli::games::find_sources;
use crate::cli::outcome::{Failure, refuse};
use crate::cli::output::{check_compression, check_name, check_packing, refuse_nested};
use crate::cli::replace::{Inputs, destination, stdout_identity};

/// Where the games of a source go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Nowhere; only the report is written.
    Nowhere,
    /// Nowhere, but what speaks against changing the file in place is reported.
    InPlaceDryRun(PathBuf),
    /// The one output of all sources.
    Shared,
    /// A file of their own.
    File(PathBuf),
    /// The file that they come from.
    InPlace(PathBuf),
}

/// A source and its target.
pub(super) struct Task {
    pub(super) source: Source,
    pub(super) target: Target,
}

/// Returns the tasks in order, and the inputs that could not be found.
pub(super) fn plan(
    args: &TagArgs,
    inputs: &[PathBuf],
) -> Result<(Vec<Task>, Vec<SourceError>), Failure> {
    let (mut tasks, mut errors) = (Vec::new(), Vec::new());
    for input in inputs {
        let (sources, missing) = find_sources(slice::from_ref(input))?;
        errors.extend(missing);
        for source in sources {
            let target = target(args, input, &source)?;
            tasks.push(Task { source, target });
        }
    }
    let is_to_stdout = args.output.is_none() && tasks.iter().any(|t| t.target == Target::Shared);
    if is_to_stdout && (tasks.len() > 1 || inputs.len() > 1) {
        let hint = "name one output with -o, a folder with -O, or change them with --in-place";
        return refuse(format!("several inputs: {hint}"));
    }
    if args.resume && !args.in_place && args.output_folder.is_none() {
        return refuse("--resume goes with --in-place or -O");
    }
    refuse_conflicts(args, inputs, &tasks)?;
    Ok((tasks, errors))
}

fn target(args: &TagArgs, input: &Path, source: &Source) -> Result<Target, Failure> {
    let refused = |how| refuse(format!("standard input {how}; use -o"));
    Ok(match (source, &args.output_folder) {
        (Source::File(path), _) if args.dry_run && args.in_place => {
            Target::InPlaceDryRun(path.clone())
        }
        _ if args.dry_run => Target::Nowhere,
        (Source::Stdin, _) if args.in_place => return refused("cannot be changed in place"),
        (Source::Stdin, Some(_)) => return refused("has no file name to use in a folder"),
        (Source::File(path), _) if args.in_place => Target::InPlace(path.clone()),
        // Parts are not named here.
        (Source::Part(..), _) => Target::Shared,
        (Source::File(path), Some(folder)) => {
            let name = path.strip_prefix(input).ok().filter(|name| !name.as_os_str().is_empty());
            let name = name.or(path.file_name().map(Path::new)).unwrap_or(path);
            Target::File(folder.join(name))
        }
        (_, None) => Target::Shared,
    })
}

/// Checks that no output is an input, or another output.
fn refuse_conflicts(args: &TagArgs, inputs: &[PathBuf], tasks: &[Task]) -> Result<(), Failure> {
    let mut read = Inputs::of(tasks.iter().map(|task| &task.source));
    args.naming.catalogue.iter().for_each(|path| read.add(path));
    let mut written = HashSet::new();
    let is_to_stdout =
        args.output.is_none() && tasks.iter().any(|task| task.target == Target::Shared);
    let named = args.output.iter().filter(|_| !args.dry_run).chain(&args.report);
    let files = tasks.iter().filter_map(|task| match &task.target {
        Target::File(path) => Some(path),
        Target::Nowhere | Target::InPlaceDryRun(_) | Target::Shared | Target::InPlace(_) => None,
    });
    for path in named.chain(files).filter(|path| !is_dash(path)) {
        let name = path.display();
        if read.contains(path) {
            let hint = "no output may overwrite an input (--in-place changes files)";
            return refuse(format!("{name} is an input too; {hint}"));
        }
        if path.is_dir() {
            return refuse(format!("{name} is a folder; use -O"));
        }
        if is_to_stdout && identity(path).is_ok_and(|id| stdout_identity() == Some(id)) {
            return refuse(format!("standard output goes to {name} too"));
        }
        if !written.insert(destination(path)) {
            return refuse(format!("two outputs would be written to {name}"));
        }
        // A report is rows, and is checked where they are written. Games in a folder keep the names
        // of their files.
        if args.output.as_ref() == Some(path) {
            check_name(path)?;
        } else if args.report.as_ref() != Some(path) {
            check_compression(path)?;
        }
    }
    match &args.output_folder {
        Some(folder) if !args.dry_run => refuse_nested(folder, inputs),
        Some(_) | None => Ok(()),
    }
}

/// Checks that every file that is to be written can have the compression level.
pub(super) fn check_levels(args: &TagArgs, tasks: &[Task]) -> Result<(), Failure> {
    if args.packing.level.is_none() && !args.packing.wants_frames() {
        return Ok(());
    }
    let shared = args.output.as_deref().filter(|path| !is_dash(path));
    let mut compressions = tasks.iter().filter_map(|task| match &task.target {
        Target::Nowhere | Target::InPlaceDryRun(_) => None,
        Target::Shared => Some(shared.map_or(Compression::Plain, Compression::of_name)),
        Target::File(path) => Some(Compression::of_name(path)),
        Target::InPlace(path) => compression_of(path),
    });
    compressions.try_for_each(|compression| check_packing(compression, args.packing))
}

/// The compression of a file. `None` if it cannot be read, which is reported in its turn.
fn compression_of(path: &Path) -> Option<Compression> {
    let accessed = fs::metadata(path).and_then(|metadata| metadata.accessed());
    let compression = Compression::of_file(path);
    // This look does not count as an access.
    if let (Ok(accessed), Ok(file)) = (accessed, File::open(path)) {
        let _ = file.set_times(FileTimes::new().set_accessed(accessed));
    }
    compression.ok()
}
