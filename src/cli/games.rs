//! The inputs of commands that read games: finding them, and feeding them to the workers.

use std::{
    fmt::Display,
    io::{IsTerminal, stdin},
    path::{Path, PathBuf},
    sync::Arc,
};

use eco::{
    output::{ColumnSet, sanitize},
    pgn::{
        BlockOptions, Buffers, Chunk,
        source::{self, LineEnds, Source, SourceError, SourceFault, Stream},
    },
    pipeline::{Feed, Options, Workers},
};

use super::{
    args::{PartArgs, RunArgs},
    outcome::Failure,
    progress::Progress,
    replace::Inputs,
};

/// The maximum of `--block-size`: the memory of a block is allocated at once.
const MAX_BLOCK_SIZE: usize = 1 << 28;

/// A number of games, with the word for them.
pub(super) fn games_text(count: u64) -> String {
    format!("{count} {}", if count == 1 { "game" } else { "games" })
}

/// The inputs that were named, or else standard input, unless that is a terminal.
pub(super) fn inputs(inputs: &[PathBuf], command: &str) -> Result<Vec<PathBuf>, Failure> {
    if !inputs.is_empty() {
        return Ok(inputs.to_vec());
    }
    if stdin().is_terminal() {
        let hint = "no input; name files or folders, or pipe PGN in";
        return Err(Failure(format!("{hint} (eco {command} --help)")));
    }
    Ok(vec![PathBuf::from("-")])
}

/// Refuses to begin with a file if none of its inputs is there.
pub(super) fn check_any_exists(inputs: &[PathBuf]) -> Result<(), Failure> {
    let is_missing = |path: &PathBuf| path != Path::new("-") && !path.exists();
    match inputs.first().filter(|_| inputs.iter().all(is_missing)) {
        Some(first) => {
            Err(Failure(format!("{}: no such file; nothing was written", first.display())))
        }
        None => Ok(()),
    }
}

/// The sources that the inputs stand for, and what cannot be found.
///
/// # Errors
///
/// If standard output goes to one of the sources.
pub(super) fn find_sources(inputs: &[PathBuf]) -> Result<(Vec<Source>, Vec<SourceError>), Failure> {
    let (sources, errors) = source::find_sources(inputs);
    Inputs::of(&sources).check_stdout()?;
    Ok((sources, errors))
}

/// As [`find_sources`], or the part of the one file that is named.
///
/// # Errors
///
/// If there is a part, and not one file.
pub(super) fn find_part(
    inputs: &[PathBuf],
    part: &PartArgs,
) -> Result<(Vec<Source>, Vec<SourceError>), Failure> {
    let (mut sources, errors) = find_sources(inputs)?;
    if let Some(range) = part.range {
        sources = match (inputs, &mut *sources) {
            ([input], [Source::File(path)]) if !input.is_dir() => {
                vec![Source::Part(std::mem::take(path), range)]
            }
            _ => return Err(Failure("--range reads a part of one file; name it".to_owned())),
        };
    }
    Ok((sources, errors))
}

/// How the pipeline runs.
pub(super) fn options(args: &RunArgs) -> Options {
    let mut options = Options::default();
    if let Some(threads) = args.threads {
        options.workers = Workers::new(threads);
    }
    if let Some(bytes) = args.block_size {
        options.blocks.block_size = bytes.get().min(MAX_BLOCK_SIZE);
    }
    options
}

/// The number of bytes to read, if every source has a known size.
pub(super) fn total_size(sources: &[Source]) -> Option<u64> {
    sources.iter().map(Source::size).sum()
}

/// Whether rows about games say which source a game is from to everyone. Programs always read it.
pub(super) fn shows_source(sources: &[Source]) -> bool {
    sources.len() > 1
}

/// Columns of rows about games from these sources.
pub(super) fn columns_of<F>(columns: ColumnSet<F>, sources: &[Source]) -> ColumnSet<F> {
    if shows_source(sources) { columns.for_everyone("source") } else { columns }
}

/// Whether a stream was read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    Broken,
}

/// Passes on the chunks of a stream, and reports what is wrong with it.
pub(super) fn feed<E>(
    stream: Stream<'_>,
    options: BlockOptions,
    buffers: &Buffers,
    complain: &dyn Fn(&dyn Display),
    mut push: impl FnMut(Chunk) -> Result<(), E>,
) -> Result<Ending, E> {
    let (mut chunks, position) = stream.into_chunks(options, buffers);
    let mut ending = Ending::Whole;
    for chunk in &mut chunks {
        match chunk {
            Ok(chunk) => push(chunk)?,
            Err(error) => {
                ending = Ending::Broken;
                complain(&position.broken(error));
            }
        }
    }
    if chunks.has_only_text() && ending == Ending::Whole {
        complain(&SourceError::new(position.name(), SourceFault::NoGame));
    }
    Ok(ending)
}

/// Feeds the chunks of all sources, with the names of their streams, to the workers.
///
/// # Errors
///
/// What `push` returns.
pub(super) fn feed_all<E>(
    sources: &[Source],
    options: BlockOptions,
    push: &mut Feed<'_, (Arc<str>, Chunk), E>,
    progress: &Progress,
) -> Result<(), E> {
    let push = &mut |(name, _, chunk): FedChunk| push((name, chunk));
    feed_with_line_ends(sources, options, push, progress)
}

/// A chunk of a stream, with the name of the stream and how its lines end. Every stream has an
/// `Arc` of its own.
pub(super) type FedChunk = (Arc<str>, LineEnds, Chunk);

/// As [`feed_all`], for commands that write the bytes of games.
///
/// # Errors
///
/// What `push` returns.
pub(super) fn feed_with_line_ends<E>(
    sources: &[Source],
    options: BlockOptions,
    push: &mut Feed<'_, FedChunk, E>,
    progress: &Progress,
) -> Result<(), E> {
    let buffers = Buffers::default();
    for source in sources {
        let mut streams = match source.open(progress.position()) {
            Ok(streams) => streams,
            Err(error) => {
                progress.complain(&with_advice(&error));
                continue;
            }
        };
        while let Some(stream) = streams.next_stream() {
            let name: Arc<str> = sanitize(stream.position.name().as_bytes()).into();
            let line_ends = stream.line_ends;
            let complain = |error: &dyn Display| progress.complain(error);
            let push = |chunk| push((Arc::clone(&name), line_ends, chunk));
            feed(stream, options, &buffers, &complain, push)?;
        }
    }
    Ok(())
}

/// An error about a source, and what to do about it.
pub(super) fn with_advice(error: &SourceError) -> String {
    match error.fault() {
        SourceFault::Database => format!("{error}; name a position database with --db"),
        _ => error.to_string(),
    }
}
