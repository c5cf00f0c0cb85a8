//! `eco fen`: the workbench for positions. One file a subcommand; the order of imports:
//!
//! ```text
//! lines · en_passant · diagram · short · text_format │ the subcommands │ mod
//! ```

mod check;
mod diagram;
mod en_passant;
mod from_pgn;
mod image;
mod key;
mod lines;
mod moves;
mod parse;
mod set;
mod short;
mod show;
mod text_format;

use clap::{Args, Subcommand};

use super::outcome::{Failure, Interruption, Outcome};

const HELP: &str = "\
A FEN is a position in one line of text, in six fields:
  1  the pieces, rank 8 first, / between ranks: KQRBNP are White's, kqrbnp Black's, 3 is three
     empty squares
  2  the side to move: w or b
  3  the castling rights that are left: KQkq (king's and queen's side), or -
  4  the square that a pawn has just passed over with a double step, such as e3, or -
  5  half-moves since the last capture or pawn move, for the 50-move rule
  6  the number of the next move, from 1
The initial position: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 (or startpos)

Examples:
  eco fen check \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1\"
  eco fen move \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" 1. e4 c5 2. Nf3
  eco fen from-pgn games.pgn --ply 20
  eco fen show \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\"

Each subcommand has its own --help.";

/// Check, compare, play and draw positions.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub(super) struct FenArgs {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Check(check::CheckArgs),
    FromPgn(Box<from_pgn::FromPgnArgs>),
    Image(image::ImageArgs),
    Key(key::KeyArgs),
    Move(moves::MoveArgs),
    Parse(parse::ParseArgs),
    Set(set::SetArgs),
    Show(show::ShowArgs),
}

pub(super) fn run(args: FenArgs) -> Result<Outcome, Failure> {
    let ended = match args.command {
        Subcommands::Check(args) => check::run(&args),
        Subcommands::FromPgn(args) => from_pgn::run(&args),
        Subcommands::Image(args) => image::run(&args),
        Subcommands::Key(args) => key::run(&args),
        Subcommands::Move(args) => moves::run(&args),
        Subcommands::Parse(args) => parse::run(&args),
        Subcommands::Set(args) => set::run(&args),
        Subcommands::Show(args) => show::run(&args),
    };
    ended.or_else(Interruption::outcome)
}
