//! What is written where, and that nothing is written over what is read.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use eco::pgn::source::{Source, SourceError, find_sources};

use super::{
    super::{
        outcome::Failure,
        replace::{destination, identity},
    },
    args::TagArgs,
};

/// Where the games of a source go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Nowhere: the report is all.
    Nowhere,
    /// Where those of all sources go.
    Shared,
    /// A file of their own.
    File(PathBuf),
    /// Where they came from.
    InPlace(PathBuf),
}

/// A source, and where it goes.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) source: Source,
    pub(super) target: Target,
}

/// All that is to be done, in order, and what could not be found.
pub(super) fn plan(
    args: &TagArgs,
    inputs: &[PathBuf],
) -> Result<(Vec<Task>, Vec<SourceError>), Failure> {
    let (mut tasks, mut errors) = (Vec::new(), Vec::new());
    for input in inputs {
        let (sources, missing) = find_sources(std::slice::from_ref(input));
        errors.extend(missing);
        for source in sources {
            let target = target(args, input, &source)?;
            tasks.push(Task { source, target });
        }
    }
    let is_to_stdout = args.output.is_none() && tasks.iter().any(|t| t.target == Target::Shared);
    if is_to_stdout && (tasks.len() > 1 || inputs.len() > 1) {
        let hint = "name one output with -o, a folder with -O, or change them with --in-place";
        return Err(Failure(format!("several inputs: {hint}")));
    }
    if args.resume && !args.in_place && args.output_folder.is_none() {
        return Err(Failure("--resume goes with --in-place or -O".to_owned()));
    }
    refuse_conflicts(args, inputs, &tasks)?;
    Ok((tasks, errors))
}

fn target(args: &TagArgs, input: &Path, source: &Source) -> Result<Target, Failure> {
    let refused = |how| Err(Failure(format!("standard input {how}; use -o")));
    Ok(match (source, &args.output_folder) {
        _ if args.dry_run => Target::Nowhere,
        (Source::Stdin, _) if args.in_place => return refused("cannot be changed in place"),
        (Source::Stdin, Some(_)) => return refused("has no name to go into a folder by"),
        (Source::File(path), _) if args.in_place => Target::InPlace(path.clone()),
        (Source::File(path), Some(folder)) => {
            let name = path.strip_prefix(input).ok().filter(|name| !name.as_os_str().is_empty());
            let name = name.or(path.file_name().map(Path::new)).unwrap_or(path);
            Target::File(folder.join(name))
        }
        (_, None) => Target::Shared,
    })
}

/// No output may be an input, or another output.
fn refuse_conflicts(args: &TagArgs, inputs: &[PathBuf], tasks: &[Task]) -> Result<(), Failure> {
    let read = tasks.iter().filter_map(|task| match &task.source {
        Source::File(path) => Some(path),
        Source::Stdin => None,
    });
    let read: HashSet<_> = read.chain(&args.db).filter_map(|path| identity(path)).collect();
    let mut written = HashSet::new();
    let named = args.output.iter().filter(|_| !args.dry_run).chain(&args.report);
    let files = tasks.iter().filter_map(|task| match &task.target {
        Target::File(path) => Some(path),
        Target::Nowhere | Target::Shared | Target::InPlace(_) => None,
    });
    for path in named.chain(files).filter(|path| !is_dash(path)) {
        let name = path.display();
        if identity(path).is_some_and(|id| read.contains(&id)) {
            let hint = "nothing is written over what is read (--in-place changes files)";
            return Err(Failure(format!("{name} is an input too; {hint}")));
        }
        if path.is_dir() {
            return Err(Failure(format!("{name} is a folder; use -O")));
        }
        if !written.insert(destination(path)) {
            return Err(Failure(format!("two outputs would be written to {name}")));
        }
        refuse_unknown_compression(path)?;
    }
    let Some(folder) = args.output_folder.as_ref().filter(|_| !args.dry_run) else { return Ok(()) };
    let there = |path: &Path| match path.as_os_str().is_empty() {
        true => std::fs::canonicalize("."),
        false => std::fs::canonicalize(path),
    };
    // The folder itself may be new.
    let folder_there = folder.ancestors().find_map(|folder| there(folder).ok());
    for input in inputs.iter().filter(|input| input.is_dir()) {
        let is_within = |(folder, input): (&PathBuf, PathBuf)| folder.starts_with(input);
        if folder_there.as_ref().zip(there(input).ok()).is_some_and(is_within) {
            let (folder, input) = (folder.display(), input.display());
            return Err(Failure(format!("{folder} is within {input}, which is an input")));
        }
    }
    Ok(())
}

/// A name that promises a compression which is not made.
fn refuse_unknown_compression(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["zip", "7z", "rar", "lz4", "lzma", "br", "tar", "tgz", "z"].contains(&&*ending) {
        let known = ".gz, .bz2, .xz and .zst are";
        return Err(Failure(format!("{}: .{ending} is not written; {known}", path.display())));
    }
    Ok(())
}

pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}
