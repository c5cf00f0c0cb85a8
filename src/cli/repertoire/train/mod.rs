//! `eco train`.
//!
//! ```text
//! clock · interrupt · deck · replies │ board · answer · remarks │ dialogue · statistics │ mod
//! ```

mod answer;
mod board;
mod clock;
mod deck;
mod dialogue;
mod interrupt;
mod remarks;
mod replies;
mod statistics;

use clap::Args;
use eco::{
    chess::Language,
    pgn::GameDate,
    store::{Database, RepertoireInfo, TrainingLog},
    training::{Mode, Moment, Session, SessionOptions},
};

use self::{clock::Clock, dialogue::Dialogue, replies::with_replies};
use super::{
    args::OneRepertoireArgs, open_repertoire::without_moves, reference::ReferenceArgs,
    resolve_name::named_or_only,
};
use crate::cli::{
    args::RunArgs,
    completion,
    outcome::{Failure, Interruption, Outcome},
    rows::RowArgs,
};

const HELP: &str = "\
Examples:
  eco train mine --db chess.db
  eco train mine --db chess.db --line --new 5
  eco train mine --db chess.db --due --until 2026-12-24
  eco train mine --db chess.db --line --reference otb.pgn.zst
  eco train mine --db chess.db --stats

Asks the positions in which it is your turn and the repertoire has a move: first those in which its
games left what is prepared, then those that are due, then new ones, those that games meet most
often first. Where nothing is prepared, the games are the book, and none leaves it.
Type a move as `eco fen move` takes it, ? to be shown the answer, help for these words, or q to
stop; Ctrl-C and the end of the input stop as well. On a terminal a correction stays until Enter,
and so does a comment that the next board would push off.
Each answer is kept at once. Another move of the book is right, too, and so is one that leads to
another position of the book. What was wrong is asked once more at the end.
FSRS decides when a position is due again, so that nine of ten answers will be right.

With --line a line is played from its start, and the opponent's moves are drawn by how often they
are met. Each position on the way is asked once.

How often moves are met is counted in the games of the repertoire, or, if it has none, in the
collections of the database; with --reference or --collection in those games.

--stats prints the hardest positions as rows; standard error has how many are due, and the share of
answers that were right a day or more after the one before.

Exit codes: 0 success, also if it was stopped; 2 failure.";

/// Learn a repertoire by heart: positions are asked when they are about to be forgotten.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(in crate::cli) struct TrainArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    /// Only what is due; nothing new
    #[arg(long, conflicts_with = "new")]
    due: bool,

    /// New positions to ask
    #[arg(long, value_name = "N", default_value = "10")]
    new: usize,

    /// Play lines from their start to what is asked
    #[arg(long)]
    line: bool,

    /// Also what becomes due until this day, as before a tournament
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,

    #[command(flatten)]
    reference: ReferenceArgs,

    /// Language of the piece letters, such as de or en; an unknown one names them all
    #[arg(
        long,
        default_value = "en",
        value_name = "LANGUAGE",
        hide_default_value = true,
        add = completion::languages()
    )]
    lang: Language,

    /// Show how far the repertoire is learned, and ask nothing
    #[arg(long, conflicts_with_all = ["due", "new", "line", "until", "reference", "collection"])]
    stats: bool,

    /// Rows of --stats; 0 for all
    #[arg(long, value_name = "N", default_value = "10", requires = "stats")]
    limit: usize,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    run: RunArgs,

    /// Train as on this day.
    #[arg(long, value_name = "DATE", hide = true)]
    now: Option<GameDate>,
}

pub(in crate::cli) fn run(args: &TrainArgs) -> Result<Outcome, Failure> {
    let clock = Clock::new(args.now);
    let path = &args.repertoire.database.db;
    let database = Database::open(path)?;
    let info = name_of(args, &database)?;
    if args.stats {
        return statistics::run(&database, &info, clock.now(), &args.rows, args.limit);
    }
    if args.rows.is_asked_for() {
        let hint = "--format and --output are for the rows of --stats";
        return Err(Failure(format!("a session has no rows: {hint}")));
    }
    let log = TrainingLog::open(path, &info.name)?;
    let deck = log.deck()?;
    if deck.positions().next().is_none() {
        return Err(Failure(nothing_to_train(&info)));
    }
    let deck = with_replies(deck, &args.reference, path, &args.run)?;
    let options = SessionOptions {
        mode: if args.line { Mode::Line } else { Mode::Single },
        new: if args.due { 0 } else { args.new },
        until: args.until.map(Moment::end_of),
        seed: clock.now().seconds().cast_unsigned(),
    };
    let session = Session::new(deck, options, clock.now());
    let dialogue = Dialogue::new(session, log, &info, args.lang, clock, path);
    dialogue.run().or_else(Interruption::outcome)
}

fn name_of(args: &TrainArgs, database: &Database) -> Result<RepertoireInfo, Failure> {
    let mut inputs = Vec::new();
    let info = named_or_only(database, args.repertoire.name.as_deref(), &mut inputs)?;
    match inputs.pop() {
        Some(name) => Err(Failure(format!("there is no repertoire {:?}", name.display()))),
        None => Ok(info),
    }
}

fn nothing_to_train(info: &RepertoireInfo) -> String {
    without_moves(&info.name, &format!("no move of {}", info.color))
}
