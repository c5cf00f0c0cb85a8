//! `eco fen`: the workbench for positions. The subcommands do not import from each other.

mod check;
mod draw;
mod edit;
mod from_pgn;
mod key;

use clap::Args;

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

subcommands! {
    Result<Outcome, Interruption>;
    Check(args: check::CheckArgs) => check::run(&args),
    FromPgn(args: from_pgn::FromPgnArgs) => from_pgn::run(&args),
    Key(args: key::KeyArgs) => key::run(&args),
    Move(args: edit::MoveArgs) => edit::play_moves(&args),
    Set(args: edit::SetArgs) => edit::set(&args),
    Show(args: draw::ShowArgs) => draw::run(&args),
}

pub(super) fn run(args: FenArgs) -> Result<Outcome, Failure> {
    args.command.run().or_else(Interruption::outcome)
}
