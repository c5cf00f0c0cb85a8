//! `eco split`.

use std::{borrow::Cow, fs::File, num::NonZeroU64, path::PathBuf};

use clap::Args;
use eco::output::{PartRow, sanitize};
use eco::pgn::{parts, parts::Listing, parts::PartSize, source::Source};

use super::args::{Format, parse_size};
use super::outcome::{Failure, Outcome, complain, refuse, say};
use super::{games::find_sources, rows::RowArgs};

const HELP: &str = "\
Examples:
  eco split games.pgn --parts 4
  eco split lichess_db.pgn.zst --parts 64m --format jsonl
  eco classify lichess_db.pgn.zst --range 0:100000000

Each row is a part of a file: path, offset, length and compression. Offset and length are bytes of
the file as it is stored; OFFSET:LENGTH is what --range of eco classify, filter, index, report and
stats takes. The games that begin in the parts are the games of the file, once each, wherever the
cuts fall. A part is read with the beginning of the next, so each machine needs the whole file.

Plain PGN is cut anywhere. Compressed files are cut where a frame begins: those of pzstd (and of eco
tag and eco filter), of zstd's seekable format, concatenated zstd files, and gzip as bgzip writes
it. Other files are one part. Nothing is unpacked.

Exit codes: 0 success; 1 success, but a file could not be read; 2 failure.";

/// List the parts of files, so that several machines can share the work.
///
/// Inputs are files, or folders with PGN files.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct SplitArgs {
    /// Files or folders; not standard input, since parts are read again
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Cut each file into N parts, or fewer if it has fewer frames (plain PGN: at most 100000 parts
    /// of at least 64 bytes); or into parts of about this stored length: 64m
    #[arg(long, value_name = "N|SIZE", required = true, value_parser = parse_parts)]
    parts: PartSize,

    #[command(flatten)]
    rows: RowArgs,
}

/// A number of parts, or their length with a unit.
fn parse_parts(text: &str) -> Result<PartSize, &'static str> {
    match text.parse::<NonZeroU64>() {
        Ok(parts) => Ok(PartSize::Parts(parts.get())),
        Err(_) => parse_size(text).map(|bytes| PartSize::Bytes(bytes.get())),
    }
}

pub(super) fn run(args: &SplitArgs) -> Result<Outcome, Failure> {
    if args.inputs.is_empty() {
        let way_out = "name files or folders; standard input cannot be split (eco split --help)";
        return refuse(format!("no input; {way_out}"));
    }
    let (sources, errors) = find_sources(&args.inputs)?;
    errors.iter().for_each(|error| complain(error));
    let mut is_whole = errors.is_empty();
    let mut files = Vec::new();
    for source in &sources {
        let Source::File(path) = source else {
            return refuse("standard input cannot be split: parts are read again");
        };
        let split = File::open(path).and_then(|file| {
            let size = file.metadata()?.len();
            parts::split(&file, size, args.parts, Listing::Blocks)
        });
        let name = source.name();
        match split {
            Ok(found) => {
                files.push((printed_path(&name, args.rows.format()).into_owned(), found));
            }
            Err(error) => {
                complain(&format_args!("{name}: {error}"));
                is_whole = false;
            }
        }
    }
    let rows = files.iter().flat_map(|(path, found)| {
        let compression = found.compression;
        found.parts.iter().map(move |&part| PartRow { path, part, compression })
    });
    let more = args.rows.write_named(PartRow::columns(), [], rows)?;
    more.iter().for_each(|more| say(more));
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}

/// The path as it is printed. A program that reads JSON lines opens it: what JSON escapes is left.
fn printed_path(name: &str, format: Format) -> Cow<'_, str> {
    if format != Format::Jsonl {
        return sanitize(name.as_bytes());
    }
    let is_escaped = |c: char| c < ' ';
    let segments = name.split_inclusive(is_escaped).map(|segment| {
        let (text, escaped) = segment.split_at(segment.trim_end_matches(is_escaped).len());
        format!("{}{escaped}", sanitize(text.as_bytes()))
    });
    Cow::Owned(segments.collect())
}
