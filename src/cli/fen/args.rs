//! The command line of `eco fen` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use eco::chess::{EnPassantMode, Language};

const FEN_HELP: &str = "\
Examples:
  eco fen check \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1\"
  eco fen move \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" 1. e4 c5 2. Nf3
  eco fen from-pgn games.pgn --ply 20
  eco fen show \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\"

Each subcommand has its own --help.";

/// Check, compare, play and draw positions.
#[derive(Debug, Args)]
#[command(after_long_help = FEN_HELP, arg_required_else_help = true)]
pub(crate) struct FenArgs {
    #[command(subcommand)]
    pub(super) command: FenCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum FenCommand {
    Check(CheckArgs),
    Key(KeyArgs),
    Move(MoveArgs),
    Parse(ParseArgs),
}

/// Which FENs.
#[derive(Debug, Args)]
pub(super) struct FenInput {
    /// A FEN, in quotes; several are several; - or none reads lines from standard input
    #[arg(value_name = "FEN")]
    pub(super) fens: Vec<String>,

    /// Read a file with one FEN or EPD a line; - is standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "fens")]
    pub(super) file: Option<PathBuf>,
}

const CHECK_HELP: &str = "\
Examples:
  eco fen check \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1\"
  eco fen check --file positions.txt --format jsonl

Classes of faults, the worst of all FENs told by the exit code:
  0  no fault, or only what is forgiven
  3  odd: it can be played, but it is unusual (counters that contradict each other, more promoted
     pieces than missing pawns)
  4  impossible: it can be read, but no game leads there
  5  syntax: it cannot be read
and 1 if an input could not be read to its end, 2 if it could not be done at all.

Forgiven and normalized: four fields instead of six (counters 0 and 1); an en dash or em dash for
-; a dash among castling letters; castling letters in any order or twice; repeated blanks, and
those of books; digits side by side; castling letters of X-FEN and Shredder-FEN (HAha for KQkq).
Lines that are blank or begin with # are passed over.";

/// Tell everything that is wrong with a FEN, and repair it where only one repair is possible.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) input: FenInput,

    /// How the faults are written
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(super) format: CheckFormat,

    /// Print nothing; the exit code tells
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// How faults are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people
    Text,
    /// One JSON object a FEN
    Jsonl,
}

/// Which en passant squares are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EnPassant {
    /// Only where a pawn can take without leaving its king in check
    Legal,
    /// Where a pawn stands beside, pinned or not
    PseudoLegal,
    /// After every double step, as the FEN standard has it
    Always,
}

impl From<EnPassant> for EnPassantMode {
    fn from(choice: EnPassant) -> Self {
        match choice {
            EnPassant::Legal => Self::Legal,
            EnPassant::PseudoLegal => Self::PseudoLegal,
            EnPassant::Always => Self::Always,
        }
    }
}

const KEY_HELP: &str = "\
Examples:
  eco fen key \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"
  eco fen key --file positions.epd --name

The key is what makes two positions one: placement, side to move, castling rights, and the en
passant square if --ep keeps it. Operations of EPD lines are kept behind their key. A line that is
no position is named on standard error, and the others are done.

Exit codes: 0 done; 1 done, but a line was no position; 2 could not be done.";

/// Print the key of a position: the first four fields of its FEN, normalized.
#[derive(Debug, Args)]
#[command(after_long_help = KEY_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct KeyArgs {
    #[command(flatten)]
    pub(super) input: FenInput,

    /// Which en passant squares are kept
    #[arg(long, value_enum, default_value_t = EnPassant::Legal, value_name = "MODE")]
    pub(super) ep: EnPassant,

    /// Print a hash of the key instead: 16 hexadecimal digits, the same in all versions of eco
    #[arg(long)]
    pub(super) hash: bool,

    /// Add the opening as EPD operations: eco, and v0, v1, v2 for its name in parts
    #[arg(long, conflicts_with = "hash")]
    pub(super) name: bool,
}

const PARSE_HELP: &str = "\
Examples:
  eco fen parse \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format json
  eco fen parse \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\" --format jsonl | eco fen parse --from json

The table has the fields and a board of eight rows, the eighth rank first, with a piece letter or a
blank for every square. With --from json it is read from standard input or --file, one object after
the other, and the FEN is printed.

Exit codes: 0 done; 1 done, but a FEN or table could not be read; 2 could not be done.";

/// Take a FEN apart into its fields and squares, or put one together.
#[derive(Debug, Args)]
#[command(after_long_help = PARSE_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct ParseArgs {
    #[command(flatten)]
    pub(super) input: FenInput,

    /// How the table is written
    #[arg(long, value_enum, default_value_t = TableFormat::Json)]
    pub(super) format: TableFormat,

    /// What is read
    #[arg(long, value_enum, default_value_t = TableSource::Fen)]
    pub(super) from: TableSource,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    /// JSON over several lines
    Json,
    /// One JSON object a line
    Jsonl,
    /// Tab-separated: a line for each field and each square
    Tsv,
}

/// What `parse` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableSource {
    /// FENs
    Fen,
    /// Tables in JSON
    Json,
}

const MOVE_HELP: &str = "\
Examples:
  eco fen move startpos 1. e4 c5 2. Nf3
  eco fen move \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" e2e4 c7-c5 Ng1f3 --each
  eco fen move startpos e4 d5 ed Dd5: --lang de

Moves are taken as people type and books print them: SAN with or without x, +, #, =, !? and e.p.;
both squares given (Ng1f3, e2-e4, e2e4); UCI; pawn captures by files (dc3, cd5, dc); 0-0 for O-O;
figurines; move numbers, comments, variations and NAGs in between.

Without arguments, or with --file, every line is a FEN of four or six fields, or startpos, and the
moves behind it; a FEN is printed for each. A line whose moves cannot be played is named on
standard error, and the others are done.

Exit codes: 0 done; 1 done, but a line could not be played; 2 could not be done.";

/// Play moves from a position and print the new FEN.
#[derive(Debug, Args)]
#[command(after_long_help = MOVE_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct MoveArgs {
    /// A FEN in quotes, or startpos, and the moves
    #[arg(value_name = "FEN MOVES")]
    pub(super) words: Vec<String>,

    /// Read a file with a FEN and moves on each line; - is standard input
    #[arg(long, short, value_name = "FILE", conflicts_with = "words")]
    pub(super) file: Option<PathBuf>,

    /// Print a FEN after each move, not only the last
    #[arg(long)]
    pub(super) each: bool,

    /// Which en passant squares are written
    #[arg(long, value_enum, default_value_t = EnPassant::Always, value_name = "MODE")]
    pub(super) ep: EnPassant,

    /// Whose piece letters: en, nl, de, fr, es, it, ru
    #[arg(long, default_value = "en", value_name = "LANGUAGE")]
    pub(super) lang: Language,
}
