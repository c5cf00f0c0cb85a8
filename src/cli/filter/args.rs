//! The arguments of `eco filter`, as they are typed.

use std::{path::PathBuf, str::FromStr};

use clap::Args;

use crate::cli::{
    args::{InputArgs, NamingArgs, PackingArgs, PartArgs, RunArgs},
    repeats::UniqueArgs,
    selection::SelectionArgs,
};

const HELP: &str = "\
Examples:
  eco filter games.pgn --player 'Byrne, Donald' --result win
  eco filter lichess_db.pgn.zst --eco B90-B99 --rating 2000.. -o najdorf.pgn.zst
  eco filter ~/chess --opening 'kings indian' --since 1950 --until 1956-06
  eco filter games.pgn --split-by eco:1 -O volumes
  eco filter ~/chess --unique -o all.pgn

Games are copied byte for byte, in order, with the text and the blank lines after them. What stands
before the first game of an input (a byte order mark, a comment) goes with that game, unless it is
longer than 4 MiB. Without a condition the output is the input, whatever that has.

Where two games come together that were not neighbours, a missing line end is added between them;
and if the first lacks its result or the end of a comment, so that both would be read as one game,
a line with * or } * as well. Nothing else is added or changed.

An output file is compressed as its name says (.gz, .bz2, .xz, .zst), and appears only when it is
complete. So does the folder of --split-by, which must be new or empty: eco is the code of the
opening, eco:1 its first letter, family the name before the colon, player both players (with
--player, that player) and year the year of the date. Games without one go to `unknown`. Names are
made of letters and digits that every system accepts; where two are the same, one gets a number.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Write the selected games, and change nothing in them.
///
/// Inputs are as for `eco classify`. A selection by tags plays no moves; --eco and --opening name
/// the opening of each game that fits otherwise, as `eco classify` does.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(in crate::cli) struct FilterArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    #[command(flatten)]
    pub(super) part: PartArgs,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    // An argument that is required is not missed where it cannot be given: so all are named.
    #[arg(conflicts_with_all = ["split_by", "output_folder", "extension"])]
    pub(super) output: Option<PathBuf>,

    /// Write to several files: eco, eco:1, eco:2, family, player or year
    #[arg(long, value_name = "KEY", requires = "output_folder")]
    pub(super) split_by: Option<SplitBy>,

    /// The folder for them; it must be new or empty
    #[arg(long, short = 'O', value_name = "FOLDER", requires = "split_by")]
    pub(super) output_folder: Option<PathBuf>,

    /// What the names of those files end with; .pgn.zst and the like are compressed
    #[arg(long, value_name = "EXTENSION", default_value = "pgn", requires = "split_by")]
    pub(super) extension: Extension,

    #[command(flatten)]
    pub(super) packing: PackingArgs,

    #[command(flatten)]
    pub(super) naming: NamingArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,

    #[command(flatten)]
    pub(super) selection: SelectionArgs,

    #[command(flatten)]
    pub(super) repeats: UniqueArgs,
}

/// What decides about the file of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitBy {
    /// The code, or as many of its first characters.
    Eco(Option<usize>),
    Family,
    Player,
    Year,
}

impl SplitBy {
    /// Whether games must be classified.
    pub(super) fn needs_opening(self) -> bool {
        matches!(self, Self::Eco(_) | Self::Family)
    }
}

impl FromStr for SplitBy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match &*text.to_ascii_lowercase() {
            "eco" => Self::Eco(None),
            "eco:1" => Self::Eco(Some(1)),
            "eco:2" => Self::Eco(Some(2)),
            "eco:3" => Self::Eco(Some(3)),
            "family" => Self::Family,
            "player" => Self::Player,
            "year" => Self::Year,
            _ => return Err("expected eco, eco:1, eco:2, eco:3, family, player or year"),
        })
    }
}

/// What the names of files end with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extension(pub(super) String);

impl FromStr for Extension {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim_start_matches('.');
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.';
        let is_name = !text.is_empty() && !text.ends_with('.') && text.bytes().all(is_plain);
        if is_name && text.len() <= 20 {
            Ok(Self(text.to_owned()))
        } else {
            Err("expected letters, such as pgn or pgn.zst")
        }
    }
}
