//! What every command that reads games does first: find them, and hand them on piece by piece.

use std::{
    fmt::Display,
    io::{IsTerminal, stdin},
    ops::ControlFlow,
    path::PathBuf,
    sync::Arc,
};

use eco::{
    output::sanitize,
    pgn::{
        BlockOptions, Buffers, Piece, Pieces,
        source::{Source, SourceError, SourceFault, Stream},
    },
    pipeline::{Feed, Options},
};

use super::{args::RunArgs, outcome::Failure, progress::Progress};

/// Memory is taken for a whole block at once.
const MAX_BLOCK_SIZE: usize = 1 << 28;

/// What was named, or standard input if it is not a terminal.
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

pub(super) fn options(args: &RunArgs) -> Options {
    let usual = Options::default();
    let block_size =
        args.block_size.map_or(usual.blocks.block_size, |n| n.get().min(MAX_BLOCK_SIZE));
    Options {
        threads: args.threads.unwrap_or(usual.threads),
        blocks: BlockOptions { block_size, ..usual.blocks },
    }
}

/// How many bytes there are to read, if that is known of every source.
pub(super) fn total_size(sources: &[Source]) -> Option<u64> {
    sources.iter().map(Source::size).sum()
}

/// Whether a stream was read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    Broken,
}

/// Hands the pieces of a stream on, and tells what is wrong with it.
pub(super) fn feed(
    stream: Stream<'_>,
    options: BlockOptions,
    buffers: &Buffers,
    complain: &dyn Fn(&dyn Display),
    mut push: impl FnMut(Piece) -> ControlFlow<()>,
) -> ControlFlow<(), Ending> {
    let Stream { reader, position, .. } = stream;
    let mut pieces = Pieces::in_buffers(reader, options, buffers);
    let mut ending = Ending::Whole;
    for piece in &mut pieces {
        match piece {
            Ok(piece) => push(piece)?,
            Err(error) => {
                ending = Ending::Broken;
                complain(&position.broken(error));
            }
        }
    }
    if pieces.has_only_text() && ending == Ending::Whole {
        complain(&SourceError::new(position.name(), SourceFault::NoGame));
    }
    ControlFlow::Continue(ending)
}

/// Hands the pieces of all sources to the threads that work on them, with the names of their streams, until they have had
/// enough.
pub(super) fn feed_all(
    sources: &[Source],
    options: BlockOptions,
    push: &mut Feed<'_, (Arc<str>, Piece)>,
    progress: &Progress,
) {
    let buffers = Buffers::default();
    for source in sources {
        let mut step = ControlFlow::Continue(());
        let opened = source.each_stream(progress.position(), &mut |stream| {
            let name: Arc<str> = sanitize(stream.position.name().as_bytes()).into();
            let complain = |error: &dyn Display| progress.complain(error);
            let push = |piece| push((Arc::clone(&name), piece));
            step = feed(stream, options, &buffers, &complain, push).map_continue(drop);
            step
        });
        if let Err(error) = opened {
            progress.complain(&error);
        }
        if step.is_break() {
            break;
        }
    }
}
