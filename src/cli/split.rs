//! `eco split`.

use std::{fs::File, num::NonZeroU64};

use clap::Args;
use eco::{
    output::{PartRow, Row, sanitize},
    pgn::{
        parts::{self, PartSize},
        source::Source,
    },
};

use super::{
    args::InputArgs,
    games::find_sources,
    outcome::{Failure, Outcome, complain},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco split games.pgn --parts 4
  eco split lichess_db.pgn.zst --size 100000000 --format jsonl
  eco classify lichess_db.pgn.zst --range 0:100000000

Each row is a part of a file: path, offset, length and compression. Offset and length are bytes of
the file as it is stored; OFFSET:LENGTH is what --range of eco classify, filter, index, report and
stats takes. The games that begin in the parts are the games of the file, once each, wherever the
cuts fall. A part is read with the beginning of the next, so each machine needs the whole file.

Plain PGN is cut anywhere. Compressed files are cut where a frame begins: those of pzstd (and of
eco tag and eco filter), of zstd's seekable format, zstd files one after the other, and gzip as
bgzip writes it. Other files are one part. Nothing is unpacked.

Exit codes: 0 success; 1 success, but a file could not be read; 2 failure.";

/// List the parts of files, so that several machines can share the work.
///
/// Inputs are files, or folders with PGN files.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct SplitArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Cut each file into N parts, or fewer if it has fewer frames
    #[arg(long, value_name = "N", conflicts_with = "size", required_unless_present = "size")]
    parts: Option<NonZeroU64>,

    /// Cut files into parts of about this length, as they are stored
    #[arg(long, value_name = "BYTES")]
    size: Option<NonZeroU64>,

    #[command(flatten)]
    rows: RowArgs,
}

pub(super) fn run(args: &SplitArgs) -> Result<Outcome, Failure> {
    if args.input.inputs.is_empty() {
        return Err(Failure("no input; name files or folders (eco split --help)".to_owned()));
    }
    let (sources, errors) = find_sources(&args.input.inputs)?;
    errors.iter().for_each(|error| complain(error));
    let mut is_whole = errors.is_empty();
    let layout = args.rows.layout(PartRow::columns());
    let mut rows = layout.buffer(0);
    for source in &sources {
        let Source::File(path) = source else {
            return Err(Failure("standard input cannot be split: parts are read again".to_owned()));
        };
        let split = File::open(path).and_then(|file| {
            let size = file.metadata()?.len();
            parts::split(&file, size, part_size(args))
        });
        let name = source.name();
        match split {
            Ok(found) => {
                let (path, compression) = (&*sanitize(name.as_bytes()), found.compression);
                for part in found.parts {
                    layout.write(&PartRow { path, part, compression }, &mut rows);
                }
            }
            Err(error) => {
                complain(&format_args!("{name}: {error}"));
                is_whole = false;
            }
        }
    }
    args.rows.write(&layout, &rows.finish())?;
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}

fn part_size(args: &SplitArgs) -> PartSize {
    match (args.parts, args.size) {
        (Some(parts), _) => PartSize::Parts(parts.get()),
        (None, Some(bytes)) => PartSize::Bytes(bytes.get()),
        (None, None) => PartSize::Parts(1),
    }
}
