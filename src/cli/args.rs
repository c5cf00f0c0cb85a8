//! The command line as it is typed. Nothing here touches a file.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use eco::{
    master::MasterFormat,
    output::{Field, parse_fields},
};

use super::fen::FenArgs;

/// Names the opening of every chess game.
#[derive(Debug, Parser)]
#[command(name = "eco", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Classify(ClassifyArgs),
    Tag(Box<super::tag::TagArgs>),
    Lookup(LookupArgs),
    Search(SearchArgs),
    Fen(FenArgs),
    Ingest(IngestArgs),
    Repertoire(super::repertoire::RepertoireArgs),
    Catalogue(CatalogueArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Print completions of the command line for a shell.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  eco completions bash > eco.bash\n  eco completions zsh > _eco"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page, or write those of all subcommands.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  eco man > eco.1\n  eco man --output .")]
pub(crate) struct ManArgs {
    /// Write the pages of all subcommands into this folder, eco-classify.1 and so on
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}

const CLASSIFY_HELP: &str = "\
Examples:
  eco classify games.pgn
  eco classify ~/chess --format csv > openings.csv
  eco classify lichess_db.pgn.zst --fields game,eco,opening,ply
  eco classify games.pgn --summary
  eco classify games.pgn --explain

Fields (--fields): source, game, white, black, result, date, eco, opening, family, variation,
subvariation, ply, transposed, key, error, move_order_eco, move_order_opening, book_exit, master,
master_version; or all.

Exit codes: 0 done; 1 done, but an input could not be read to its end (or, with --strict, a game
had an error); 2 could not be done.";

/// Name the opening of every game.
///
/// Inputs are PGN files, plain or compressed with gzip, bzip2, xz, zstd or zip, told by their
/// content; folders, searched for *.pgn, *.pgn.gz (bz2, xz, zst) and *.zip; or - for standard
/// input.
///
/// A game is named by the last position on its way that the catalogue knows, however it was
/// reached. Without --db that is the built-in catalogue, lichess's.
#[derive(Debug, Args)]
#[command(after_long_help = CLASSIFY_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct ClassifyArgs {
    /// Files, folders, or - for standard input (the default when it is not a terminal)
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Name by the catalogue in this position database, made by `eco ingest`
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// How rows are written [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// Which fields, in which order, separated by commas; `all` for all
    #[arg(long, value_name = "LIST", value_parser = |list: &str| parse_fields(list).map(Fields))]
    pub(crate) fields: Option<Fields>,

    /// Leave out the header row of table, tsv and csv
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Count games by code and by family instead of listing them
    #[arg(long, conflicts_with = "fields")]
    pub(crate) summary: bool,

    /// Tell of each game why it is called so: what decided, its way, and its name by move order
    #[arg(long, conflicts_with_all = ["fields", "summary"])]
    pub(crate) explain: bool,

    /// Exit with 1 if a game has an error, and look for errors also where no other name can come any
    /// more, up to ply 40
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// How games are gone through.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// How many threads work [default: one for each core]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// No progress and no counts on standard error, only errors
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// How many bytes are read at a time; for tests
    #[arg(long, hide = true, value_name = "BYTES")]
    pub(crate) block_size: Option<NonZeroUsize>,
}

/// A list of fields.
#[derive(Debug, Clone)]
pub(crate) struct Fields(pub(crate) Vec<Field>);

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns for a terminal
    Table,
    /// Tab-separated values
    Tsv,
    /// Comma-separated values
    Csv,
    /// One JSON object a line
    Jsonl,
}

const LOOKUP_HELP: &str = "\
Examples:
  eco lookup 1. g3 f5 2. d4
  eco lookup 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
  eco lookup e4 c5 Nf3 --format jsonl
  eco lookup --file positions.epd --format epd

Exit codes: 0 done, also if the position has no name; 1 done, but a line of - or --file is neither
position nor moves; 2 could not be done.";

/// Tell the opening of one position or line, and what is around it.
///
/// A position is FEN or EPD, with or without move counters; everything else is taken for moves from
/// the initial position. Told are the name and where it is from, the named positions on the way,
/// what other masters say, and the moves that lead to named positions.
#[derive(Debug, Args)]
#[command(after_long_help = LOOKUP_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct LookupArgs {
    /// FEN, moves, or - for one of them on each line of standard input
    #[arg(value_name = "FEN|MOVES", required_unless_present = "file")]
    pub(crate) words: Vec<String>,

    /// Look up every line of a file: FEN, EPD or moves
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    pub(crate) file: Option<PathBuf>,

    /// Look up in this position database
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// How answers are written
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: LookupFormat,
}

/// How answers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LookupFormat {
    /// For people
    Text,
    /// One JSON object an answer
    Jsonl,
    /// EPD with eco, v0, v1 and v2; operations that a line had stay
    Epd,
}

const SEARCH_HELP: &str = "\
Examples:
  eco search najdorf
  eco search B90-B94 attack
  eco search kings indian defence --limit 5
  eco search gruenfeld --format jsonl

Words are found in any order, from their beginnings on, with or without accents, and in the usual
spellings. B90 and B9 are codes, B90-B94 is a range. The best fit comes first.";

/// Find openings by code or by words of their names.
#[derive(Debug, Args)]
#[command(after_long_help = SEARCH_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct SearchArgs {
    /// Codes and words
    #[arg(value_name = "TEXT", required = true)]
    pub(crate) words: Vec<String>,

    /// Search in this position database
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// At most so many; 0 for all
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) limit: usize,

    /// How rows are written [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

const INGEST_HELP: &str = "\
Examples:
  eco ingest --db openings.db
  eco ingest mine.tsv builtin --db my.db
  eco ingest scid.eco eco.pgn builtin --db all.db
  eco ingest a.tsv b.tsv c.tsv d.tsv e.tsv --name lichess-dev --db openings.db

A MASTER is a file of openings, told by its content: lichess's tsv (eco, name, pgn), PGN with ECO
and Opening tags, Scid's .eco, ECOMast text, eco.json (or JSON lines), or a list of EPD with eco
and v0. It may also be a position database, all of whose masters are taken, or the word builtin.

Where two masters name one position, the one that came into the database first decides; `eco
catalogue prefer` changes that. Lines of one master that lead to one position are told; the one
whose moves a game followed names it, or else the first.

Exit codes: 0 done; 1 done, but with --partial lines were left out; 2 could not be done, and
nothing was written (unless what could not be done is to print the counts).";

/// Make a position database of ECO masters, or add masters to one.
#[derive(Debug, Args)]
#[command(after_long_help = INGEST_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct IngestArgs {
    /// Files of openings, position databases, or `builtin`, which is also the default
    #[arg(value_name = "MASTER")]
    pub(crate) masters: Vec<PathBuf>,

    /// The position database to make or to extend
    #[arg(long, value_name = "FILE")]
    pub(crate) db: PathBuf,

    /// Take all files as one master of this name [default: each by its file name]
    #[arg(long, requires = "masters", value_parser = parse_master_name)]
    pub(crate) name: Option<String>,

    /// What the master's version is, for the record
    #[arg(long, value_name = "TEXT", requires = "masters")]
    pub(crate) master_version: Option<String>,

    /// The master's date, for the record [default: when its file was changed]
    #[arg(long, value_name = "YYYY-MM-DD", requires = "masters", value_parser = parse_day)]
    pub(crate) master_date: Option<String>,

    /// The format of the files [default: told by content]
    #[arg(long, value_enum, requires = "masters")]
    pub(crate) format: Option<MasterFileFormat>,

    /// Write the good lines even if there are bad ones
    #[arg(long)]
    pub(crate) partial: bool,

    /// Print nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A day, as its own text.
fn parse_day(text: &str) -> Result<String, &'static str> {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &str, len: usize, most: u32| {
        part.len() == len && part.parse().is_ok_and(|n: u32| (1..=most).contains(&n))
    };
    match parts[..] {
        [y, m, d] if is_number(y, 4, 9999) && is_number(m, 2, 12) && is_number(d, 2, 31) => {
            Ok(text.to_owned())
        }
        _ => Err("expected a day such as 2026-09-11"),
    }
}

fn parse_master_name(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a name without control characters");
    }
    Ok(text.to_owned())
}

/// A format of ECO masters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MasterFileFormat {
    /// lichess's: eco, name and pgn, tab-separated
    Tsv,
    /// Games with ECO and Opening tags
    Pgn,
    /// Scid's .eco
    Scid,
    /// ECOMast text
    Ecomast,
    /// eco.json, or one object a line
    Json,
    /// One EPD or FEN a line
    Epd,
}

impl From<MasterFileFormat> for MasterFormat {
    fn from(format: MasterFileFormat) -> Self {
        match format {
            MasterFileFormat::Tsv => Self::Tsv,
            MasterFileFormat::Pgn => Self::Pgn,
            MasterFileFormat::Scid => Self::Scid,
            MasterFileFormat::Ecomast => Self::EcoMast,
            MasterFileFormat::Json => Self::Json,
            MasterFileFormat::Epd => Self::Epd,
        }
    }
}

const CATALOGUE_HELP: &str = "\
Examples:
  eco catalogue list --db my.db
  eco catalogue prefer mine --db my.db
  eco catalogue diff builtin my.db
  eco catalogue verify --db my.db
  eco catalogue export --db my.db --format pgn -o my-eco.pgn

A catalogue is a position database, a file of openings as `eco ingest` takes it, or the word
builtin.";

/// Look after a catalogue: its masters, what is in it, where two differ.
#[derive(Debug, Args)]
#[command(after_long_help = CATALOGUE_HELP, after_help = "--help tells more, with examples.")]
pub(crate) struct CatalogueArgs {
    #[command(subcommand)]
    pub(crate) command: CatalogueCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// The masters in order of precedence, with how much each has and decides
    List(CatalogueListArgs),
    /// Put masters before all others: where several name one position, the first decides
    Prefer(CatalogueChangeArgs),
    /// Take masters out of a position database
    Remove(CatalogueChangeArgs),
    /// Write the openings in a format that other programs read
    ///
    /// jsonl and sqlite keep everything; tsv, pgn, scid and epd hold one master, and get what decides:
    /// of each position the lines of the master that names it. --master picks one of several.
    Export(CatalogueExportArgs),
    /// Tell where two catalogues differ: positions only one names, other codes, other names
    ///
    /// A and B are catalogues, or with --db masters of that database. A code that only lacks a suffix
    /// is no other.
    Diff(CatalogueDiffArgs),
    /// Replay every line, and check that each is found and named as it says
    ///
    /// Exit codes: 0 all is well; 1 something is not; 2 could not be done.
    Verify(CatalogueVerifyArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueListArgs {
    /// The catalogue [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// How rows are written [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueChangeArgs {
    /// The masters, as `eco catalogue list` names them
    #[arg(value_name = "MASTER", required = true)]
    pub(crate) masters: Vec<String>,

    /// The position database to change
    #[arg(long, value_name = "FILE")]
    pub(crate) db: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueExportArgs {
    /// The catalogue [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Only this master; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) master: Vec<String>,

    /// The format
    #[arg(long, value_enum)]
    pub(crate) format: ExportFormat,

    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE", required_if_eq("format", "sqlite"))]
    pub(crate) output: Option<PathBuf>,
}

/// A format of openings that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// lichess's: eco, name and pgn, tab-separated
    Tsv,
    /// Games with ECO, Opening, Variation and SubVariation tags
    Pgn,
    /// Scid's .eco; it has no words for positions without a line and quotes in names
    Scid,
    /// One EPD a line, with eco and v0, v1, v2
    Epd,
    /// One JSON object a line, as eco.json has them, with the master of each
    Jsonl,
    /// A position database
    Sqlite,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueDiffArgs {
    /// The first catalogue
    pub(crate) a: PathBuf,

    /// The second catalogue
    pub(crate) b: PathBuf,

    /// A database whose masters A and B may name
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Only these kinds of differences
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND")]
    pub(crate) only: Vec<DiffKind>,

    /// How rows are written [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// No counts on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// In what two catalogues differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum DiffKind {
    /// Positions that only A names
    OnlyA,
    /// Positions that only B names
    OnlyB,
    /// Another code
    Code,
    /// The same code, another name
    Name,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogueVerifyArgs {
    /// The catalogue [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
}
