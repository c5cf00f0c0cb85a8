//! The arguments of `eco tag`, as they are typed.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use eco::quoted::meant;
use eco::tag::{ExtendedTag, Names, Policy, TagOptions, Unknown};

use crate::cli::args::{NamingArgs, Packing, RunArgs};
use crate::cli::outcome::{Failure, refuse};
use crate::cli::selection::SelectionArgs;
use crate::cli::{completion::Choice, completion::one_of};

const TAG_HELP: &str = "\
Examples:
  eco tag games.pgn -o tagged.pgn
  eco tag games.pgn --dry-run
  eco tag lichess_db.pgn.zst -o tagged.pgn.zst
  eco tag games.pgn --in-place --only missing
  eco tag ~/chess -O tagged --names split --add source
  eco tag games.pgn --in-place --strip
  eco tag games.pgn --player 'Byrne, Donald' -o tagged.pgn

Tags: ECO, Opening, Variation and SubVariation are set or removed together, with MoveOrderECO and
MoveOrderOpening (--add move-order) and ECOSource (--add source). Those that you do not ask for are
removed, so that no stale tag stays. Every other byte of the input is in the output, in order. Games
that are not selected are copied.

Exit codes: 0 done; 1 done, but an input could not be read to its end, or a file was skipped for a
reason given on standard error; 2 could not be done.";

/// Write the opening into the tags of every game, and change nothing else.
///
/// Inputs are as for `eco classify`. One input goes to standard output; -o names a file, -O a
/// folder, and --in-place changes the files themselves. An output is compressed as its name says
/// (.gz, .bz2, .xz, .zst); a file changed in place keeps its compression. A file is replaced only
/// when the new one is complete.
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

    /// Change the files themselves; at any moment, each is entirely old or entirely new
    #[arg(long)]
    pub(super) in_place: bool,

    /// Skip files already tagged: those that tagging would not change, and with -O those whose
    /// output is up to date. They are read, but not written
    #[arg(long)]
    pub(super) resume: bool,

    /// Write only the report, to standard output unless --report names a file
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Write a report of the changes to this file; - for standard output. Its ending is the format:
    /// .jsonl, .csv, .arrow, .parquet, or else tsv
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// What gets a row in the report
    #[arg(long, value_enum, default_value = "change")]
    pub(super) by: ReportBy,

    /// Which games are changed [default: all]
    #[arg(long, value_parser = one_of(POLICIES))]
    pub(super) only: Option<Policy>,

    /// Remove the tags instead of setting them; --strip=unknown: only those of games that have no
    /// opening
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "all", value_enum)]
    pub(super) strip: Option<Strip>,

    /// Write the whole name in Opening, or split it over Opening, Variation and SubVariation
    /// [default: full]
    #[arg(long, value_parser = one_of(NAMES))]
    pub(super) names: Option<Names>,

    /// Add more tags: source, the catalogue that the name is from (ECOSource "lichess 2026-09-11
    /// 9bead1d2"); move-order, the name by move order (MoveOrderECO, MoveOrderOpening); code:TAG,
    /// codes that are longer than three characters
    #[arg(long, value_name = "TAGS", value_delimiter = ',', value_parser = read_added)]
    pub(super) add: Vec<Added>,

    #[command(flatten)]
    pub(super) naming: NamingArgs,

    #[command(flatten)]
    pub(super) packing: Packing,

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

/// Whose tags are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Strip {
    /// The tags of all games; none is set
    All,
    /// Those of games without an opening; the others get theirs
    Unknown,
}

/// What tags say besides the opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Added {
    Source,
    MoveOrder,
    Code(ExtendedTag),
}

fn read_added(text: &str) -> Result<Added, String> {
    match (text, text.strip_prefix("code:")) {
        ("source", _) => Ok(Added::Source),
        ("move-order", _) => Ok(Added::MoveOrder),
        (_, Some(tag)) => tag.parse().map(Added::Code).map_err(|fault| format!("{fault}")),
        _ => {
            let near = meant(text, ["source", "move-order"]);
            Err(format!("expected source, move-order or code:TAG{near}"))
        }
    }
}

impl TagArgs {
    /// How games are tagged.
    ///
    /// # Errors
    ///
    /// If tags are to be removed, and set in some way.
    pub(super) fn options(&self) -> Result<TagOptions, Failure> {
        let sets = !self.add.is_empty();
        if self.strip == Some(Strip::All) && (sets || self.only.is_some() || self.names.is_some()) {
            let hint = "--add, --names and --only go with --strip=unknown";
            return refuse(format!("--strip sets no tags; {hint}"));
        }
        let code = self.add.iter().find_map(|added| match added {
            Added::Code(tag) => Some(tag.clone()),
            Added::Source | Added::MoveOrder => None,
        });
        let policy = self.only.unwrap_or_default();
        let is_all = self.strip == Some(Strip::All);
        Ok(TagOptions {
            policy: if is_all { Policy::Strip } else { policy },
            names: self.names.unwrap_or_default(),
            unknown: if self.strip.is_some() { Unknown::Clear } else { Unknown::Keep },
            extended: code,
            with_move_order: self.add.contains(&Added::MoveOrder),
            with_mark: self.add.contains(&Added::Source),
        })
    }
}

const NAMES: &[Choice<Names>] = &[
    ("full", "As lichess does", Names::Full),
    ("split", "As the PGN standard does", Names::Split),
];

/// What a report has a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportBy {
    /// Each kind of change, with a count and an example
    Change,
    /// Each game that is changed, or that cannot be
    Game,
}
