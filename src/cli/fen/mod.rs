//! `eco fen`: the workbench for positions.

mod args;
mod check;
mod from_pgn;
mod image;
mod input;
mod key;
mod moves;
mod parse;
mod show;

use std::io;

pub(super) use self::args::FenArgs;
use self::args::FenCommand;
use super::{Failure, Outcome};

/// Why a run ended early.
enum Ended {
    /// Standard output took no more.
    Output(io::Error),
    /// It could not be done.
    Failed(Failure),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

pub(super) fn run(args: FenArgs) -> Result<Outcome, Failure> {
    let ended = match args.command {
        FenCommand::Check(args) => check::run(&args),
        FenCommand::FromPgn(args) => from_pgn::run(&args),
        FenCommand::Image(args) => image::run(&args),
        FenCommand::Key(args) => key::run(&args),
        FenCommand::Move(args) => moves::run(&args),
        FenCommand::Parse(args) => parse::run(&args),
        FenCommand::Show(args) => show::run(&args),
    };
    match ended {
        Ok(outcome) => Ok(outcome),
        // The reader has seen enough.
        Err(Ended::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Done),
        Err(Ended::Output(error)) => Err(Failure(format!("standard output: {error}"))),
        Err(Ended::Failed(failure)) => Err(failure),
    }
}
