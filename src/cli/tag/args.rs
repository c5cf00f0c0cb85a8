//! The arguments of `eco tag`, as they are typed.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use eco::tag::{ExtendedTag, Names, Policy};

use crate::cli::args::{Format, NamingArgs, PackingArgs, RunArgs};
use crate::cli::{completion::Choice, completion::one_of, selection::SelectionArgs};

const TAG_HELP: &str = "\
Examples:
  eco tag games.pgn -o tagged.pgn
  eco tag games.pgn --dry-run
  eco tag lichess_db.pgn.zst -o tagged.pgn.zst
  eco tag games.pgn --in-place --only missing
  eco tag ~/chess -O tagged --names split --mark
  eco tag games.pgn --in-place --strip
  eco tag games.pgn --player 'Byrne, Donald' -o tagged.pgn

Tags: ECO, Opening, Variation and SubVariation are set or removed together, with MoveOrderECO and
MoveOrderOpening (--move-order) and ECOSource (--mark). Those that are not asked for are removed,
so that no stale tag stays. Every other byte of the input is in the output, in order. Games that are
not selected are copied.

Exit codes: 0 done; 1 done, but an input could not be read to its end, or a file was skipped for a
reason given on standard error; 2 could not be done.";

/// Write the opening into the tags of every game, and change nothing else.
///
/// Inputs are as for `eco classify`. One input goes to standard output; -o names a file, -O a
/// folder, and --in-place changes the files themselves. An output is compressed as its name says
/// (.gz, .bz2, .xz, .zst), a file that is changed in place as it was. A file is replaced only when
/// the new one is complete.
#[derive(Debug, Args)]
#[command(after_long_help = TAG_HELP, after_help = "See --help for details and examples.")]
pub(in crate::cli) struct TagArgs {
    /// Files, folders, or - for standard input (the default when it is not a terminal)
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,

    /// Write all games to this file; - for standard output
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["output_folder", "in_place"])]
    pub(super) output: Option<PathBuf>,

    /// Write each file to this folder, under its own name
    #[arg(long, short = 'O', value_name = "FOLDER", conflicts_with = "in_place")]
    pub(super) output_folder: Option<PathBuf>,

    /// Change the files themselves; each is complete at any moment, old or new
    #[arg(long)]
    pub(super) in_place: bool,

    /// Skip files already tagged: those that tagging would not change, and with -O those whose
    /// output is up to date. They are read, but not written
    #[arg(long)]
    pub(super) resume: bool,

    /// Write only the report, to standard output unless --report names a file
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Write a report of the changes to this file; - for standard output
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// The format of the report [default: by the name of its file; tsv without an ending]
    #[arg(long, value_parser = one_of(REPORT_FORMATS))]
    pub(super) report_format: Option<Format>,

    /// What the report has a row for
    #[arg(long, value_enum, default_value = "change")]
    pub(super) report_by: ReportBy,

    /// Which games are changed
    #[arg(long, value_parser = one_of(POLICIES), default_value = "all", conflicts_with = "strip")]
    pub(super) only: Policy,

    /// Remove the tags instead of setting them
    #[arg(long, conflicts_with_all = ["names", "move_order", "mark", "catalogue", "clear_unknown"])]
    pub(super) strip: bool,

    /// Also remove the tags of games that have no opening
    #[arg(long)]
    pub(super) clear_unknown: bool,

    /// Write the whole name in Opening, or split it over Opening, Variation and SubVariation
    #[arg(long, value_parser = one_of(NAMES), default_value = "full")]
    pub(super) names: Names,

    /// The tag for codes that are longer than three characters (B90a)
    #[arg(long, value_name = "NAME")]
    pub(super) extended_tag: Option<ExtendedTag>,

    /// Add the name by move order: MoveOrderECO, MoveOrderOpening
    #[arg(long)]
    pub(super) move_order: bool,

    /// Add the catalogue that the name is from: ECOSource "lichess 2026-09-11 9bead1d2"
    #[arg(long)]
    pub(super) mark: bool,

    #[command(flatten)]
    pub(super) naming: NamingArgs,

    #[command(flatten)]
    pub(super) packing: PackingArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,

    #[command(flatten)]
    pub(super) selection: SelectionArgs,
}

/// The path that stands for a standard stream.
pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

const POLICIES: &[Choice<Policy>] = &[
    ("all", "Every game with an opening", Policy::All),
    ("missing", "Only games whose tags contradict nothing: absent tags are added", Policy::Missing),
    ("changed", "Only games whose tags contradict the opening", Policy::Changed),
];

const NAMES: &[Choice<Names>] = &[
    ("full", "As lichess does", Names::Full),
    ("split", "As the PGN standard does", Names::Split),
];

const REPORT_FORMATS: &[Choice<Format>] = &[
    ("tsv", "Tab-separated values", Format::Tsv),
    ("jsonl", "One JSON object a line", Format::Jsonl),
    ("arrow", "Typed columns as an Apache Arrow IPC stream", Format::Arrow),
    ("parquet", "Typed columns as an Apache Parquet file", Format::Parquet),
];

/// What a report has a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportBy {
    /// Each kind of change, with a count and an example
    Change,
    /// Each game that is changed, or that cannot be
    Game,
}
