//! The command line of `eco fen` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use eco::{
    chess::{EnPassantMode, Language},
    diagram::{Arrow, Mark, Paint},
};

use super::super::args::{Format, RunArgs};

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
    FromPgn(FromPgnArgs),
    Image(ImageArgs),
    Key(KeyArgs),
    Move(MoveArgs),
    Parse(ParseArgs),
    Show(ShowArgs),
}

/// Which FENs.
#[derive(Debug, Args)]
pub(super) struct FenInput {
    /// A FEN, in quotes, or startpos; several are several; - or none reads lines from standard input
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

const FROM_PGN_HELP: &str = "\
Examples:
  eco fen from-pgn games.pgn
  eco fen from-pgn games.pgn --ply 20 --format tsv
  eco fen from-pgn ~/chess --each --format jsonl

Inputs are those of `eco classify`: PGN files, plain or compressed, folders, or - for standard
input; and games are read as it reads them. Without --format there is one FEN a line. A game with
an error gives its positions up to there, and games with errors are counted on standard error.

Exit codes: 0 done; 1 done, but an input could not be read to its end (or, with --strict, a game
had an error); 2 could not be done.";

/// Print positions of the games of a PGN: the last one, one of a ply, or all.
#[derive(Debug, Args)]
#[command(after_long_help = FROM_PGN_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct FromPgnArgs {
    /// Files, folders, or - for standard input (the default when it is not a terminal)
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,

    /// The position after so many half-moves, of games that have as many; 0 is the start
    #[arg(long, value_name = "N", conflicts_with = "each")]
    pub(super) ply: Option<usize>,

    /// The positions after each half-move
    #[arg(long)]
    pub(super) each: bool,

    /// Which en passant squares are written
    #[arg(long, value_enum, default_value_t = EnPassant::Always, value_name = "MODE")]
    pub(super) ep: EnPassant,

    /// Write rows of source, game, ply, fen and error instead of FENs
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,

    /// Leave out the header row of table, tsv and csv
    #[arg(long)]
    pub(super) no_header: bool,

    /// Exit with 1 if a game has an error
    #[arg(long)]
    pub(super) strict: bool,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// Whose side is at the bottom of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Side {
    /// White's
    White,
    /// Black's
    Black,
    /// That of the side to move
    Mover,
}

/// What terminals and images have in common.
#[derive(Debug, Args)]
pub(super) struct DiagramArgs {
    /// Whose side is at the bottom
    #[arg(long, value_enum, default_value_t = Side::White)]
    pub(super) side: Side,

    /// Squares that stand out, such as e4,d5; images take colours: e4=#cc3333
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(super) mark: Vec<Mark>,

    /// Leave out letters and digits around the board
    #[arg(long)]
    pub(super) no_coordinates: bool,
}

const SHOW_HELP: &str = "\
Examples:
  eco fen show \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\"
  eco fen show \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" --style unicode --side black --mark e4,e3

The position need not be possible.

Exit codes: 0 done; 1 done, but a FEN could not be read; 2 could not be done.";

/// Show a position on the terminal.
#[derive(Debug, Args)]
#[command(after_long_help = SHOW_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    pub(super) input: FenInput,

    /// How it is drawn [default: coloured on a terminal unless NO_COLOR is set, ascii otherwise]
    #[arg(long, value_enum)]
    pub(super) style: Option<Style>,

    #[command(flatten)]
    pub(super) diagram: DiagramArgs,
}

/// How a position is drawn on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    /// Letters and dots
    Ascii,
    /// Figurines
    Unicode,
    /// Figurines on coloured squares
    Coloured,
}

const IMAGE_HELP: &str = "\
Examples:
  eco fen image \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\" -o ruy.svg
  eco fen image \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" -o plan.png --square 32 --arrow e2e4 --mark e4
  eco fen image --file positions.epd -o diagram.png

The ending of FILE says which format. Several FENs, and those from a file or standard input, give
files that are numbered by FEN or line before the ending (diagram-1.png), or where %n stands in
the name of FILE, but not of its folder. The position need not be possible. A line of EPD that
has an id gets it as its caption, unless --caption is given. Arrows and squares take colours of
their own: e2e4=#cc3333. A file that exists is replaced, in one step.

Exit codes: 0 done; 1 done, but a FEN could not be read; 2 could not be done.";

/// Draw a position as SVG or PNG.
#[derive(Debug, Args)]
#[command(after_long_help = IMAGE_HELP, after_help = "--help tells more, with examples.")]
pub(super) struct ImageArgs {
    #[command(flatten)]
    pub(super) input: FenInput,

    /// The image to write: a name that ends in .svg or .png; - writes SVG to standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,

    #[command(flatten)]
    pub(super) diagram: DiagramArgs,

    /// Arrows from square to square, such as e2e4,g1f3
    #[arg(long, value_name = "ARROWS", value_delimiter = ',')]
    pub(super) arrow: Vec<Arrow>,

    /// A text below the board, of at most four lines; PNG has no letters of China, Japan or Korea
    #[arg(long, value_name = "TEXT")]
    pub(super) caption: Option<String>,

    /// The side of a square, in pixels, from 4 to 500
    #[arg(long, value_name = "PIXELS", default_value_t = 64, value_parser = clap::value_parser!(u32).range(4..=500))]
    pub(super) square: u32,

    /// The colour of light squares, such as #f1e7d3
    #[arg(long, value_name = "COLOUR")]
    pub(super) light: Option<Paint>,

    /// The colour of dark squares
    #[arg(long, value_name = "COLOUR")]
    pub(super) dark: Option<Paint>,

    /// The colour of marked squares
    #[arg(long, value_name = "COLOUR")]
    pub(super) mark_colour: Option<Paint>,

    /// The colour of arrows
    #[arg(long, value_name = "COLOUR")]
    pub(super) arrow_colour: Option<Paint>,

    /// The colour behind the board; none lets the page shine through
    #[arg(long, value_name = "COLOUR", value_parser = background)]
    pub(super) background: Option<Background>,
}

/// What is behind the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Background(pub(super) Option<Paint>);

fn background(text: &str) -> Result<Background, <Paint as std::str::FromStr>::Err> {
    if text == "none" { Ok(Background(None)) } else { text.parse().map(Some).map(Background) }
}
