//! `eco train`: what is asked, and how far it is learned. `dialogue` is the session on the
//! terminal, `answer` the words of both sides.

mod answer;
mod dialogue;

use std::sync::Arc;

use clap::Args;
use eco::output::{Row, percent};
use eco::quoted::counted;
use eco::store::{Database, RepertoireInfo, TrainingLog};
use eco::training::{Deck, Mode, Moment, Progress, Session, SessionOptions};
use eco::{chess::Language, output::repertoire::TrainedRow, pgn::GameDate};

use self::answer::in_days;
use self::dialogue::{Clock, Dialogue};
use super::args::OneRepertoireArgs;
use super::open_repertoire::without_moves;
use crate::cli::outcome::{Failure, Interruption, Outcome, say};
use crate::cli::reference::{Reference, ReferenceArgs};
use crate::cli::{args, completion, rows, settings};

const HELP: &str = "\
Examples:
  eco train mine --db chess.db
  eco train mine --db chess.db --play-lines --new 5
  eco train mine --db chess.db --new 0 --until 2026-12-24
  eco train mine --db chess.db --play-lines --reference otb.pgn.zst
  eco train mine --db chess.db --stats

Asks the positions in which it is your turn and the repertoire has a move: first those in which its
games left what is prepared, then those that are due, then new ones, the most frequent in games
first. If nothing is prepared, the games are the book, and none leaves it.

Type a move as `eco fen move` takes it, ? to see the answer, help for these words, or q to stop;
Ctrl-C and the end of the input stop as well. On a terminal, a correction stays until Enter, and so
does a comment that the next board would scroll away.

Each answer is saved at once. Every move of the book is right, and so is a move that leads to
another position of the book. After a wrong answer, the position is asked once more at the end. FSRS
decides when a position is due again, so that nine answers in ten will be right.

With --play-lines, a line is played from its start, and the opponent's moves are drawn at random, as
often as they occur in games. Each position on the way is asked once.

How often moves occur is counted in the games of the repertoire or, if it has none, in the
collections of the database; with --reference or --collection, in those games.

--stats prints the hardest positions as rows; standard error has the number of those that are due,
and the share of right answers among those given at least a day after the previous answer.

Exit codes: 0 success, also if it was stopped; 2 failure.";

/// Learn a repertoire by heart, with spaced repetition.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("limit", |limit| limit.requires("stats")))]
pub(in crate::cli) struct TrainArgs {
    #[command(flatten)]
    repertoire: OneRepertoireArgs,

    /// Ask at most N new positions; 0 asks only those that are due
    #[arg(long, value_name = "N", default_value = "10")]
    new: usize,

    /// Take the main move alone for right, and no other move of the book
    #[arg(long)]
    main: bool,

    /// Play lines from their start to the position to ask
    #[arg(long)]
    play_lines: bool,

    /// Also ask positions that become due by this day. Useful before a tournament
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,

    #[command(flatten)]
    reference: ReferenceArgs,

    /// Language of the piece letters, such as de or en; an unknown one lists them all
    #[arg(long, value_name = "LANGUAGE", add = completion::languages())]
    #[arg(default_value_t = settings::lang().unwrap_or_default(), hide_default_value = true)]
    lang: Language,

    /// Show how far the repertoire is learned, and ask nothing
    #[arg(long, conflicts_with_all = ["new", "main", "play_lines", "until", "reference", "collection"])]
    stats: bool,

    #[command(flatten)]
    rows: rows::RowArgs,

    #[command(flatten)]
    run: args::RunArgs,

    /// Train as on this day.
    #[arg(long, value_name = "DATE", hide = true)]
    now: Option<GameDate>,
}

pub(in crate::cli) fn run(args: &TrainArgs) -> Result<Outcome, Failure> {
    let clock = Clock::new(args.now);
    let path = &args.repertoire.database.db;
    let (database, info) = args.repertoire.find()?;
    if args.stats {
        return show_statistics(args, &database, &info, clock.now());
    }
    if args.rows.is_asked_for() {
        let hint = "--format, --output and --limit are for the rows of --stats";
        return Err(Failure(format!("a session has no rows: {hint}")));
    }
    let log = TrainingLog::open(path, &info.name)?;
    let deck = log.deck()?;
    if deck.positions().next().is_none() {
        return Err(Failure(without_moves(&info.name, &format!("no move of {}", info.color))));
    }
    let deck = with_replies(deck, args)?;
    let options = SessionOptions {
        mode: if args.play_lines { Mode::Line } else { Mode::Single },
        new: args.new,
        until: args.until.map(Moment::end_of),
        seed: clock.now().seconds().cast_unsigned(),
        main_alone: args.main,
    };
    let session = Session::new(deck, options, clock.now());
    let dialogue = Dialogue::new(session, log, &info, args.lang, clock, path);
    dialogue.run().or_else(Interruption::outcome)
}

/// The deck, with the opponent's moves as frequent as in the reference, if there is one.
fn with_replies(deck: Deck, args: &TrainArgs) -> Result<Deck, Failure> {
    let own = Some(args.repertoire.database.db.as_path());
    let Some(reference) = Reference::open(&args.reference, own, deck.depth())? else {
        return Ok(deck);
    };
    let (counts, _) = reference.counts(&args.run, deck.book())?;
    Ok(deck.with_replies(Arc::new(counts)))
}

/// Prints the hardest positions, and on standard error how much is learned and due.
fn show_statistics(
    args: &TrainArgs,
    database: &Database,
    info: &RepertoireInfo,
    now: Moment,
) -> Result<Outcome, Failure> {
    let book = database.book_by(&info.name, info.rule)?;
    let deck = Deck::new(Arc::new(book), database.training_cards(&info.name)?);
    let progress = Progress::of(&deck, &database.training_reviews(&info.name)?, now);
    let summary = summary(&progress, now);
    let hardest = TrainedRow::all(&deck, &progress.cards, now);
    let more = args.rows.write_named(TrainedRow::columns(), [], hardest)?;
    more.iter().chain(&summary).for_each(|line| say(line));
    Ok(Outcome::Done)
}

/// How much is learned and due, and how well it was remembered.
fn summary(progress: &Progress, now: Moment) -> [String; 2] {
    let Progress { positions, new, due, departures, reviews, .. } = progress;
    let begun = progress.cards.iter().filter(|card| card.right == 0).count();
    let learned = positions - new - begun;
    let begun = if begun > 0 { format!("{begun} begun, ") } else { String::new() };
    let counts = format!("{learned} learned, {begun}{new} new, {due} due");
    let mut parts = vec![format!("{}: {counts}", counted(*positions, "position"))];
    parts.extend((*departures > 0).then(|| format!("{departures} where games left the book")));
    parts.extend(
        progress.next_due.map(|next| format!("the next one is due {}", in_days(next, now))),
    );
    let of = progress.recalls;
    let retention = progress.retention().map_or_else(
        || "none of them a day after another".to_owned(),
        |share| format!("{} of {of} right a day or more after the one before", percent(share)),
    );
    [parts.join(", "), format!("{}, {retention}", counted(*reviews, "answer"))]
}
