//! `eco train`: what is asked, and how far it is learned. `scope` finds the positions, `dialogue`
//! is the session, `screen` its terminal, `answer` the words of both sides.

mod answer;
mod dialogue;
mod scope;
mod screen;

use std::{collections::HashSet, sync::Arc};

use clap::Args;
use eco::chess::PositionKey;
use eco::output::percent;
use eco::quoted::{counted, counts};
use eco::repertoire::{Opponent, Prospects};
use eco::store::TrainingLog;
use eco::training::{Deck, Mode, Moment, Progress, Session, SessionOptions};
use eco::{classify::Classifier, output::repertoire::TrainedRow, pgn::GameDate, select::Selection};

use self::answer::outlook_text;
use self::dialogue::{Clock, Dialogue};
use self::scope::{ScopeArgs, Trained};
use super::open_repertoire::only;
use crate::cli::outcome::{Failure, Interruption, Outcome, refuse, say};
use crate::cli::reference::{Reference, ReferenceArgs};
use crate::cli::{args, games::GameInputs, opponent, rows};

const HELP: &str = "\
Examples:
  eco train mine --db chess.db
  eco train mine 1. e4 c5 --db chess.db
  eco train mine --line '1. e4 c5 2. Nf3 d6' --db chess.db
  eco train mine --against 'Fischer, Robert James' --reference games.pgn --db chess.db
  eco train mine --db chess.db --play-lines --new 5
  eco train mine --db chess.db --new 0 --until 2026-12-24
  eco train mine --db chess.db --play-lines --reference otb.pgn.zst
  eco train mine --db chess.db --stats

Asks the positions in which it is your turn and the repertoire has a move: first those in which its
games left what is prepared, then those that are due, then new ones, the most frequent in games
first. A new position is shown with its move and comments, then asked, and asked again at the end.
--new and --due count a day, with what was asked before in it.

The words are the name of a repertoire, a position (FEN, moves, a code or a name), or both. With a
position, only what follows from it is asked: without a name, in every repertoire that has it.
Without any words, one repertoire of each colour is one session. --against leaves the positions on
the paths that `eco prepare` finds for this opponent.

If nothing is prepared, the games are the book, and none leaves it. Only own moves that score are
then trained: at least half of the points, or what the ratings predict.

Type a move as `eco fen move` takes it, or ? to see the answer, u to take back the last answer of
today, s to suspend the position until --resume, b to bury it and what follows until tomorrow, help
for these words, or q to stop. Ctrl-C and the end of the input stop as well. On a terminal, what is
to be learned and a correction stay until Enter, and so does a comment that the next board would
scroll away.

Each answer is saved at once. Every move of the book is right, and so is a move that leads to
another position of the book. After a wrong answer, the position is asked once more at the end. FSRS
decides when a position is due again, so that nine answers in ten will be right.

With --play-lines, a line is played from its start, and the opponent's moves are drawn at random, as
often as they occur in games. Each known position on the way is asked once.

How often moves occur is counted in the games of the repertoire or, if it has none, in the
collections of the database; with --reference or --collection, in those games.

--stats prints the hardest positions as rows, those that are suspended or buried last; standard
error has the number of those that are due, and the share of right answers among those given at
least a day after the previous answer.

Exit codes: 0 success, also if it was stopped; 2 failure.";

const WORDS: &str = "The repertoire [default: the only one, or both colours], and a position whose \
     continuations to train";

/// Learn a repertoire by heart, with spaced repetition.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("limit", |limit| limit.requires("stats")))]
#[command(mut_arg("words", |words| words.help(WORDS)))]
#[command(mut_arg("reference", |reference| reference.hide_short_help(true)))]
pub(in crate::cli) struct TrainArgs {
    #[command(flatten)]
    scope: ScopeArgs,

    /// Learn at most N new positions a day; 0 asks only those that are due
    #[arg(long, value_name = "N", default_value_t = SessionOptions::NEW)]
    new: usize,

    /// Ask at most N positions that are due a day
    #[arg(long, value_name = "N", default_value_t = SessionOptions::DUE)]
    due: usize,

    /// Ask only what this opponent is likely to lead to, as games of --reference or --collection
    /// say, or else the collections of the database
    #[arg(long, value_name = "NAME")]
    against: Vec<String>,

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

    /// Ask again what was suspended or buried
    #[arg(long)]
    resume: bool,

    /// Show how far the repertoire is learned, and ask nothing
    #[arg(long, conflicts_with_all = ["new", "due", "resume", "against", "main", "play_lines", "until", "reference", "collection"])]
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
    let clock = Clock(args.now);
    let path = &args.scope.position.database.db;
    if args.stats {
        return show_statistics(args, clock.now());
    }
    if args.rows.is_asked_for() {
        let hint = "--format, --output and --limit are for the rows of --stats";
        return refuse(format!("a session has no rows: {hint}"));
    }
    let opponent = args.opponent()?;
    let load = |name: &str| {
        let deck = TrainingLog::open(path, &[name])?.deck(0, clock.now())?;
        let Some(opponent) = &opponent else { return Ok(deck) };
        let likely: HashSet<PositionKey> = {
            let (book, likely) = (deck.book(), Prospects::of(deck.book(), opponent));
            likely.positions().map(|(id, _)| book.node(id).key).collect()
        };
        Ok(deck.limited_to(&likely))
    };
    let trained = args.scope.find(|info| load(&info.name))?;
    let names: Vec<&str> = trained.iter().map(|trained| trained.info.name.as_str()).collect();
    let mut log = TrainingLog::open(path, &names)?;
    let (mut decks, mut poor) = (Vec::new(), 0);
    for (number, Trained { info, deck }) in trained.iter().enumerate() {
        if args.resume {
            let pauses = log.resume(number, deck)?;
            say(&format_args!("{}: {} ended", info.name, counted(pauses, "pause")));
        }
        let deck =
            deck.clone().with_pauses(&log.database().training_pauses(&info.name)?, clock.now());
        poor += deck.poor_moves();
        decks.push(with_replies(deck, args)?);
    }
    say_poor(poor);
    let options = SessionOptions {
        mode: if args.play_lines { Mode::Line } else { Mode::Single },
        new: args.new,
        due: args.due,
        until: args.until.map(Moment::end_of),
        seed: clock.now().seconds().cast_unsigned(),
        main_alone: args.main,
    };
    let session = Session::new(decks, options, clock.now());
    let language = args.scope.position.database.naming.language(args::Readers::People);
    Dialogue::new(session, log, language, clock, path).run().or_else(Interruption::outcome)
}

impl TrainArgs {
    /// The opponent whose games say what is asked, if one is named.
    fn opponent(&self) -> Result<Option<Opponent>, Failure> {
        if self.against.is_empty() {
            return Ok(None);
        }
        let database = &self.scope.position.database;
        let path = self.reference.reference.as_ref().unwrap_or(&database.db);
        let games = GameInputs::find(std::slice::from_ref(path), &self.reference.collection)?;
        let classifier = Classifier::new(database.naming.catalogue()?);
        let everything = Selection::default();
        let read = opponent::read(games, &self.against, everything, classifier, &self.run)?;
        Ok(Some(read.opponent))
    }
}

/// Says how many moves are not trained.
fn say_poor(moves: usize) {
    if moves > 0 {
        let moves = counted(moves, "move");
        say(&format_args!("left out: {moves} scoring below 50 % and below what ratings predict"));
    }
}

/// The deck, with the opponent's moves as frequent as in the reference, if there is one.
fn with_replies(deck: Deck, args: &TrainArgs) -> Result<Deck, Failure> {
    // Games that are named beside an opponent are the opponent's.
    if !args.against.is_empty() {
        return Ok(deck);
    }
    let own = Some(args.scope.position.database.db.as_path());
    let Some(reference) = Reference::open(&args.reference, own, deck.depth())? else {
        return Ok(deck);
    };
    let (counts, _) = reference.counts(&args.run, deck.book())?;
    Ok(deck.with_replies(Arc::new(counts)))
}

/// Prints the hardest positions, and on standard error how much is learned and due.
fn show_statistics(args: &TrainArgs, now: Moment) -> Result<Outcome, Failure> {
    let database = args.scope.position.open()?;
    let trained = args.scope.find(|info| Ok(database.training_deck(&info.name, now)?))?;
    only(trained.iter().map(|trained| trained.info.clone()).collect())?;
    let Trained { info, deck } = &trained[0];
    let deck = deck.clone().with_pauses(&database.training_pauses(&info.name)?, now);
    let progress = Progress::of(&deck, &database.training_reviews(&info.name)?, now);
    let summary = summary(&progress);
    let hardest = TrainedRow::all(&deck, &progress.cards, now);
    let columns = match deck.paused() {
        [] => TrainedRow::columns(),
        _ => TrainedRow::columns().for_everyone("paused"),
    };
    let more = args.rows.write_named(columns, [], hardest)?;
    more.iter().chain(&summary).for_each(|line| say(line));
    say_poor(deck.poor_moves());
    Ok(Outcome::Done)
}

/// How much is learned and due, and how well it was remembered.
fn summary(progress: &Progress) -> [String; 3] {
    let Progress { positions, outlook, departures, reviews, .. } = progress;
    let asked = progress.cards.iter().filter(|position| position.pause.is_none());
    let begun = asked.filter(|position| position.right == 0).count();
    let paused = outlook.suspended + outlook.buried;
    let learned = positions - paused - outlook.new - begun;
    let begun = if begun > 0 { format!("{begun} begun, ") } else { String::new() };
    let standing = format!(
        "{}: {learned} learned, {begun}{} new, {} due{}",
        counted(*positions, "position"),
        outlook.new,
        outlook.due,
        counts(", ", [(*departures, "where games left the book")])
    );
    let of = progress.recalls;
    let retention = progress.retention().map_or_else(
        || "none of them a day after another".to_owned(),
        |share| format!("{} of {of} right a day or more after the one before", percent(share)),
    );
    let hint = if paused > 0 { " (--resume asks them)" } else { "" };
    let answers = format!("{}, {retention}", counted(*reviews, "answer"));
    [standing, outlook_text(*outlook) + hint, answers]
}
