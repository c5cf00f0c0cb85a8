//! `eco repertoire check`.

use clap::Args;
use eco::output::repertoire::{CheckRow, CostRow};
use eco::output::{ColumnSet, Value, sanitize};
use eco::quoted::counted;
use eco::repertoire::{Cost, Costs, Followed, Follower, Status, Unmatched};
use eco::{classify::Classifier, pgn::Game, select::Selector};

use super::{args::BookArgs, open_repertoire::OpenRepertoire};
use crate::cli::args::{CollectionArgs, InputArgs, RunArgs};
use crate::cli::games::{GameBlock, GameInputs};
use crate::cli::outcome::{Failure, Interruption, Outcome, refuse, say};
use crate::cli::row_writer::{RowLayout, RowWriter, Rows};
use crate::cli::rows::RowArgs;
use crate::cli::selection::{ConditionArgs, SelectedGames};
use crate::cli::{completion, run::GamesRun, settings};

const HELP: &str = "\
Examples:
  eco repertoire check mine --db chess.db games.pgn
  eco repertoire check mine --db chess.db games.pgn --since 2024 --only mine
  eco repertoire check mine --db chess.db games.pgn --games --player 'Byrne, Donald'

A row is a position and a move by which games left the book, with their number and their cost: the
expected points minus the points scored. A game is expected to score what the ratings predict, as in
`eco stats`, plus the average by which all games with a path through the book exceed that; without
both ratings, the average score of such games. `diff` is the score minus that expectation, and
diff_low to diff_high its 95 % interval. The highest cost comes first; moves of fewer than
--min-games games, by default 2, are left out.

A game is in the book as long as its position is, whatever the move order. Its status says how it
left:
  mine           the player made a move that the book does not have
  known mistake  the player made a move that the book marks as a mistake
  theirs         the opponent made a move that the book does not have
  book ended     the book has no move there
  completed      the game, or its readable part, ended in the book
  unmatched      not selected, another variant, no readable FEN, or another start position
`mistake` is what the book says of a known mistake; --only mistake lists those alone.

--games lists the games: `ply` is the last ply in the book, `move` the move that left it, `book` the
moves that the book has there, and `reentry` the ply at which the game returned to a position of the
book. Unmatched games are only counted; --games --only unmatched lists them.

Without NAME, if the database has one repertoire of each colour, each game is compared with that of
the player's colour.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Show where games left the repertoire, which side left it, and what it cost.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    book: BookArgs,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    collections: CollectionArgs,

    #[command(flatten)]
    choice: ConditionArgs,

    /// Only games with this status; several are separated by commas [default: all but unmatched]
    #[arg(long, value_parser = completion::one_of(STATUSES), value_name = "STATUS")]
    #[arg(value_delimiter = ',')]
    only: Vec<Status>,

    /// List the games, each with how it left the book
    #[arg(long)]
    games: bool,

    /// Leave out moves of fewer games [default: 2]
    #[arg(long, value_name = "N", conflicts_with = "games")]
    min_games: Option<u32>,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The games that a position and move have at least, unless another number is given: what one game
/// cost says nothing of the move.
const LEAST_GAMES: u32 = 2;

const STATUSES: &[completion::Choice<Status>] = &[
    ("mine", "", Status::Mine),
    ("mistake", "", Status::Mistake),
    ("theirs", "", Status::Theirs),
    ("book-ended", "", Status::BookEnded),
    ("completed", "", Status::Completed),
    ("unmatched", "", Status::Unmatched),
];

pub(super) fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let (books, paths) = OpenRepertoire::open_with_inputs(
        &args.book,
        &args.input,
        "repertoire check",
        args.rows.readers(),
    )?;
    let inputs = GameInputs::find(&paths, &args.collections.collection)?;
    let classifier = Classifier::new(books[0].catalogue);
    let check = Check {
        followers: followers(args, &books, classifier)?,
        classifier,
        only: &args.only,
        listing: args.games.then(|| {
            let columns = inputs.columns_of(CheckRow::columns());
            args.rows.layout(with_mistakes(columns, &books), [classifier.catalogue()])
        }),
    };
    let selection = check.followers[0].selection().clone();
    let selected = SelectedGames::new(selection, args.choice.people(), classifier)?;
    let run = GamesRun::new(inputs, selected, args.rows.results(), &args.run);
    run.inputs.find_people(&run.selected, &run.options)?;
    let mut costs = vec![Costs::default(); books.len()];
    let written = check.games(args, &run, &mut costs);
    run.progress.finish(all_games(&costs));
    if written.is_ok() && run.inputs.have_stdin() {
        run.check_people()?;
    }
    let mut notes = Vec::new();
    let written = written.and_then(|writer| match writer {
        Some(writer) => {
            notes.extend(writer.beyond());
            writer.finish()
        }
        None => {
            notes = check.write_costs(args, &books, &costs)?;
            Ok(())
        }
    });
    // Of games that were not checked, or whose rows nobody got, there is nothing to tell.
    let has_failed = matches!(written, Err(Interruption::Failure(_)));
    if !(args.run.quiet || has_failed) {
        notes.iter().for_each(|note| say(note));
        say_counts(&costs, &check, &books);
    }
    run.outcome(written)
}

/// Tables have a column for what is said of mistakes if there are any.
fn with_mistakes<F>(columns: ColumnSet<F>, books: &[OpenRepertoire]) -> ColumnSet<F> {
    let has_mistakes = |OpenRepertoire { book, .. }: &OpenRepertoire| {
        book.ids().any(|id| !book.mistakes(id).is_empty())
    };
    if books.iter().any(has_mistakes) { columns.for_everyone("mistake") } else { columns }
}

/// What follows the games of each book: those of its players with its colour.
fn followers<'b>(
    args: &CheckArgs,
    books: &'b [OpenRepertoire],
    classifier: Classifier<'b>,
) -> Result<Vec<Follower<'b>>, Failure> {
    let are_several = books.len() > 1;
    let has_nobody = |opened: &OpenRepertoire| opened.info.players.is_empty();
    let is_asked = are_several && args.choice.player.is_empty() && books.iter().any(has_nobody);
    let mine = if is_asked { settings::all("me") } else { Vec::new() };
    if !mine.is_empty() {
        say(&format_args!("games of {} (`eco me`)", mine.join("; ")));
    }
    let follower = |opened: &'b OpenRepertoire| {
        let selection = args.choice.selection_of(&opened.info, &mine)?;
        if are_several && selection.players.is_empty() {
            let names = books.iter().map(|opened| &*opened.info.name).collect::<Vec<_>>();
            let names = sanitize(names.join(", ").as_bytes()).into_owned();
            let hint = "name one, or with --player whose games these are";
            return refuse(format!("there are the repertoires {names}; {hint}"));
        }
        Ok(Follower::new(&opened.book, Selector::new(selection, classifier)))
    };
    books.iter().map(follower).collect()
}

fn all_games(costs: &[Costs]) -> u64 {
    costs.iter().map(Costs::all_games).sum()
}

/// Prints the number of games of each status.
fn say_counts(costs: &[Costs], check: &Check<'_>, books: &[OpenRepertoire]) {
    let count = |status: Status| costs.iter().map(|costs| costs.games(status)).sum::<u64>();
    let counts = Status::ALL.iter().filter_map(|status| status.counted(count(*status)));
    let games = all_games(costs);
    let counts = counts.collect::<Vec<_>>().join(", ");
    say(&format_args!("{}: {counts}", counted(games, "game")));
    let is_nobody_found = games > 0 && costs.iter().all(|costs| costs.matched().games == 0);
    if is_nobody_found && !check.followers[0].selection().players.is_empty() {
        let color = match books {
            [opened] => format!(" as {}", opened.info.color),
            _ => String::new(),
        };
        let hint = "`eco classify --fields white,black` lists the players";
        say(&format_args!("no game of that player{color}; {hint}"));
    }
}

type CheckLayout = RowLayout<for<'r> fn(&'r CheckRow<'_>) -> Value<'r>>;

/// A check of games.
struct Check<'r> {
    /// One for each book.
    followers: Vec<Follower<'r>>,
    classifier: Classifier<'r>,
    /// The statuses that were asked for.
    only: &'r [Status],
    /// The layout of the rows of games, if each game has one.
    listing: Option<CheckLayout>,
}

impl Check<'_> {
    /// Checks all games, and writes their rows, if each game has one.
    fn games(
        &self,
        args: &CheckArgs,
        run: &GamesRun<'_>,
        costs: &mut [Costs],
    ) -> Result<Option<RowWriter>, Interruption> {
        let open = |layout| args.rows.open(layout, &run.inputs.files());
        let mut writer = self.listing.as_ref().map(open).transpose()?;
        writer.iter_mut().for_each(|writer| writer.limit(args.rows.most_listed()));
        let selected = &run.selected;
        run.each(
            |block| self.block(&block, selected),
            |(parts, rows): (Vec<Costs>, Rows)| {
                costs.iter_mut().zip(&parts).for_each(|(costs, part)| costs.merge(part));
                run.progress.update(all_games(costs));
                writer.as_mut().map_or(Ok(()), |writer| writer.write(&rows, &run.progress))
            },
        )?;
        Ok(writer)
    }

    fn block(&self, block: &GameBlock<'_>, selected: &SelectedGames<'_>) -> (Vec<Costs>, Rows) {
        let GameBlock { source, block, .. } = block;
        let out = self.listing.as_ref().map(|layout| layout.buffer(0));
        let mut costs = vec![Costs::default(); self.followers.len()];
        let mut out = out.unwrap_or_default();
        selected.meet_people(block);
        for game in block.games() {
            let (book, followed) = self.follow(&game);
            let follower = &self.followers[book];
            costs[book].add(follower, &followed);
            let Some(layout) = &self.listing else { continue };
            if !self.wants(follower.status(&followed)) {
                continue;
            }
            let named = self.classifier.classify(&game).verdict.named;
            let opening = named.map(|named| named.opening());
            let row = CheckRow::new(source, game.number(), follower, &followed, opening);
            layout.write(&row, &mut out);
        }
        (costs, out.finish())
    }

    /// Whether a status was asked for; if none was, whether games of it have a path through the
    /// book.
    fn wants(&self, status: Status) -> bool {
        match self.only {
            [] => status != Status::Unmatched,
            only => only.contains(&status),
        }
    }

    /// Follows a game in the first book that it is selected for, or else in the last one.
    fn follow<'g>(&self, game: &Game<'g>) -> (usize, Followed<'g>) {
        let last = self.followers.len() - 1;
        let mut all = self.followers.iter().map(|follower| follower.follow(game)).enumerate();
        let is_wanted = |(book, followed): &(usize, Followed<'_>)| {
            *book == last || followed.path != Err(Unmatched::NotSelected)
        };
        all.find(is_wanted).expect("the last one is taken")
    }

    /// Writes the positions and moves by which games left the books, the most expensive first, and
    /// returns what is to be said of others.
    fn write_costs(
        &self,
        args: &CheckArgs,
        books: &[OpenRepertoire],
        costs: &[Costs],
    ) -> Result<Vec<String>, Failure> {
        let (least, mut few) = (args.min_games.unwrap_or(LEAST_GAMES), 0);
        let of_book = |costs: &Costs| {
            let mut costs = costs.worst_first();
            costs.retain(|cost| self.wants(cost.status));
            let all = costs.len();
            costs.retain(|cost| cost.tally.games >= least);
            few += all - costs.len();
            costs
        };
        let costs: Vec<Vec<Cost>> = costs.iter().map(of_book).collect();
        let mut rows: Vec<CostRow<'_>> = Vec::new();
        for (OpenRepertoire { book, catalogue, .. }, costs) in books.iter().zip(&costs) {
            rows.extend(CostRow::all(book, catalogue, costs));
        }
        rows.sort_by(|a, b| b.points().total_cmp(&a.points()));
        let columns = with_mistakes(CostRow::columns(), books);
        let more = args.rows.write_named(columns, [books[0].catalogue], rows)?;
        let few =
            (few > 0).then(|| format!("{few} more with fewer than {least} games (--min-games)"));
        Ok(more.into_iter().chain(few).collect())
    }
}
