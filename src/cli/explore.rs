//! `eco explore`.

use std::path::{Path, PathBuf};

use clap::Args;
use eco::chess::{Color, PositionKey};
use eco::collection::{KeptGame, MoveStats, PositionQuery, PositionStats, Score};
use eco::output::{ExploredGame, ExploredMove, GameList, TableOptions, percent, sanitize};
use eco::quoted::counted;
use eco::store::{DamagedGames, Explorer};
use eco::{catalogue::Catalogue, classify::Question, pgn::Compression, select::Player};

use super::args::{DatabaseArgs, Format, Packing, RunArgs};
use super::games::{GameInputs, without_collections};
use super::outcome::{Failure, Interruption, Outcome, complain, say};
use super::output::{Output, ending_of_games};
use super::replace::{Inputs, is_database};
use super::rows::{OtherFormat, RowArgs};
use super::selection::{SelectionArgs, check_kept_people, understand_kept_openings};
use super::{completion, indexed::IndexedGames, position};

const HELP: &str = "\
Examples:
  eco explore najdorf games.pgn
  eco explore --db games.db
  eco explore 1. d4 f5 2. g3 --db games.db
  eco explore 'rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -' --db games.db
  eco explore e4 c5 --db games.db --player 'Robert James Fischer' --color white
  eco explore e4 c5 --db games.db --format jsonl
  eco explore caro kann --db games.db --games 10 --sort date
  eco explore 1. d4 f5 2. g3 games.pgn -o leningrad.pgn
  eco explore najdorf --db games.db --games 5 --format pgn

Columns:
  games      in which the move was played; a game counts once in a position, with the move of its
             last visit
  share      of the games that went on from the position
  white, draws, black    how they ended; in a table a bar: won, drawn and lost by the side to move
  score      of the side to move
  reached    games that reach the position after the move, by any move order
  rating     mean rating of those who played the move; opponents: of their opponents
  perf       performance: mean rating of the opponents, and FIDE's difference for the score; empty
             below 5 games
  first, last            dates
  opening    the name of the position after the move

Games without a result or of other variants are not counted; games from another start position are
counted only with --from-position. Positions are found up to the ply that the collection was made
with.

Arguments that are files of games, folders or position databases are inputs (games.pgn, ./e4, - for
standard input); the others are the position. Inputs are read anew each time; `eco index` keeps
them; of duplicates it counts one, and says how many it left out. --format pgn, or an output whose
name ends in .pgn, .pgn.zst and the like, gets the games that reach the position, with their tags
and main lines.

Exit codes: 0 success, also if no game has the position; 1 success, but an input could not be read
to its end, or damaged games are left out; 2 failure, also if there are no games.";

/// Show what was played in a position: the moves, how they scored, and the top and latest games.
///
/// The games are those of the inputs, or else those that `eco index` keeps in a position database.
/// They may reach the position by any move order.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("game", |game| game.hide(true)))]
pub(super) struct ExploreArgs {
    /// The position: FEN, moves, an address, a code or an opening's name [default: the initial
    /// one]; and files of games, folders or databases
    #[arg(value_name = "POSITION] [INPUT")]
    words: Vec<String>,

    /// List N games and no moves; without N, all games
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "0")]
    games: Option<usize>,

    /// Which games are listed: those with the highest mean rating, or the latest [default: 4 of
    /// both; with --games, rating]
    #[arg(long, value_parser = completion::one_of(ORDERS))]
    sort: Option<GameList>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Only games of this collection; may be repeated [default: all]
    #[arg(long, value_name = "NAME", add = completion::collections())]
    collection: Vec<String>,

    #[command(flatten)]
    rows: RowArgs<PgnGames>,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// The games themselves, in place of rows.
#[derive(Debug, Clone, Copy)]
struct PgnGames;

impl OtherFormat for PgnGames {
    const CHOICES: &[completion::Choice<Self>] =
        &[("pgn", "The games that have the position, with their tags and main lines", Self)];
}

/// The orders in which games are listed.
const ORDERS: &[completion::Choice<GameList>] =
    &[("rating", "", GameList::Top), ("date", "", GameList::Recent)];

/// The number of games of each list beside the moves.
const GAMES: usize = 4;

/// The endings of files of games, which are inputs even if they are not there, but for compressed
/// files.
const ENDINGS: [&str; 3] = ["pgn", "db", "zip"];

pub(super) fn run(args: &ExploreArgs) -> Result<Outcome, Failure> {
    let (inputs, words) = args.words.iter().cloned().partition::<Vec<_>, _>(|word| is_input(word));
    let catalogue = args.database.naming.catalogue_for(args.rows.readers())?;
    let question = position::read(&words, || Ok(catalogue))?;
    let mut query = args.query()?;
    let Some((db, indexed)) = args.place(&inputs, catalogue)? else {
        return Ok(Outcome::Incomplete);
    };
    understand_kept_openings(&mut query.selection, Some(catalogue))?;
    // Of inputs, only the games of these collections were read.
    let names = if indexed.is_some() { &[] } else { &args.collection[..] };
    let explorer = Explorer::open(&db, names)?.leaving_out_damage();
    if explorer.collections()?.is_empty() {
        return Err(without_collections(&db));
    }
    let files = indexed.as_ref().map_or_else(Inputs::none, |games| games.files.clone());
    let explored = explore(args, &question, query, &explorer, &files, catalogue);
    let whole = complain_of(&db, &explorer.left_out());
    // The explorer has their database open, and Windows removes no open file.
    let read = indexed.as_ref().map_or(Outcome::Done, |games| games.outcome);
    Ok(explored?.and(whole).and(read))
}

/// Says which games the answer is without.
fn complain_of(db: &Path, left_out: &[DamagedGames]) -> Outcome {
    for damage in left_out {
        let (db, hint) = (db.display(), "`eco db verify` lists the damage");
        let without = match &damage.segment {
            Some((_, all)) if *all != damage.games => {
                format!("; {} to {} are left out", all.start(), all.end())
            }
            _ => String::new(),
        };
        complain(&format_args!("{db}: {damage}{without}; {hint}"));
    }
    if left_out.is_empty() { Outcome::Done } else { Outcome::Incomplete }
}

/// Writes what was played in a position.
fn explore(
    args: &ExploreArgs,
    question: &Question,
    query: PositionQuery,
    explorer: &Explorer,
    files: &Inputs,
    catalogue: &'static Catalogue,
) -> Result<Outcome, Failure> {
    let position = question.key();
    let stats = explorer.query(&position, &query)?;
    let people = args.selection.conditions.people();
    // Where games are found, a single player is one of theirs, unless several have the name.
    let is_surname = people.iter().any(|name| Player::asked(name).is_surname());
    if people.len() > 1 || is_surname || stats.score.games() + stats.ended.games() == 0 {
        check_kept_people(explorer, &people)?;
    }
    let explored = Explored { explorer, query, position, stats, catalogue };
    let ply = (!question.is_set_up()).then(|| question.moves().len());
    let rows = &args.rows;
    let is_named = || rows.output().is_some_and(|path| ending_of_games(path) == "pgn");
    let written = match rows.other().is_some() || rows.format.is_none() && is_named() {
        true => explored.write_pgn(args, files),
        false => explored.write_rows(args, ply, files),
    };
    written.or_else(Interruption::outcome)
}

/// Whether a word names games: a folder, a file that is there and is no move, or standard input.
fn is_input(word: &str) -> bool {
    let path = Path::new(word);
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    word == "-"
        || ENDINGS.iter().any(|known| ending == *known)
        || Compression::of_name(path) != Compression::Plain
        || path.is_dir()
        || path.exists() && word.contains(['.', '/', '\\'])
}

impl ExploreArgs {
    /// The database that is named, or a new one with the games of the inputs; `None` if none of
    /// those can be read.
    fn place(
        &self,
        inputs: &[String],
        catalogue: &Catalogue,
    ) -> Result<Option<(PathBuf, Option<IndexedGames>)>, Failure> {
        let inputs: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
        let db = match &inputs[..] {
            [] => &self.database.db,
            [db] if is_database(db) => db,
            _ => {
                let found = GameInputs::find(&inputs, &self.collection)?;
                let indexed = IndexedGames::of(found, &self.run, catalogue)?;
                return Ok(indexed.map(|games| (games.db.clone(), Some(games))));
            }
        };
        Ok(Some((db.clone(), None)))
    }

    fn query(&self) -> Result<PositionQuery, Failure> {
        let mut query = PositionQuery::default();
        query.selection = self.selection.selection_of_kept()?;
        query.from_position = self.selection.conditions.from_position;
        query.reached = self.games.is_none();
        let count = match self.games {
            None => GAMES,
            Some(0) => usize::MAX,
            Some(count) => count,
        };
        (query.top_games, query.recent_games) = match (self.sort, self.games) {
            (None, None) => (GAMES, GAMES),
            (Some(GameList::Recent), _) => (0, count),
            (Some(GameList::Top), _) | (None, Some(_)) => (count, 0),
        };
        Ok(query)
    }
}

/// What was found.
struct Explored<'e> {
    explorer: &'e Explorer,
    query: PositionQuery,
    position: PositionKey,
    stats: PositionStats,
    catalogue: &'static Catalogue,
}

impl Explored<'_> {
    fn write_rows(
        &self,
        args: &ExploreArgs,
        ply: Option<usize>,
        files: &Inputs,
    ) -> Result<Outcome, Interruption> {
        let Self { explorer, position, stats, catalogue, .. } = self;
        let games = ExploredGame::all(stats, position);
        let moves = ExploredMove::all(stats, position, catalogue);
        let rows = &args.rows;
        let more = if args.games.is_some() {
            rows.write_named(ExploredGame::columns(), [*catalogue], games)?
        } else if rows.format() == Format::Table {
            let above = heading(position, stats, catalogue, &depth(explorer, stats, ply)?);
            let below = games_table(args, catalogue, &games);
            let columns = ExploredMove::columns();
            rows.write_page(columns, catalogue, moves, [&above, &below], files)?
        } else {
            rows.write_named(ExploredMove::columns(), [*catalogue], moves)?
        };
        more.iter().filter(|_| !args.run.quiet).for_each(|more| say(more));
        Ok(Outcome::Done)
    }

    /// Writes the games that are listed, or else all that have the position.
    fn write_pgn(&self, args: &ExploreArgs, files: &Inputs) -> Result<Outcome, Interruption> {
        let Self { explorer, query, position, stats, .. } = self;
        let packing = Packing::default().for_run(&args.run);
        let mut out = Output::for_games(args.rows.output(), packing, files)?;
        let mut count = 0;
        let mut write = |game: KeptGame| -> Result<(), Interruption> {
            count += 1;
            if count > 1 {
                out.put(b"\n")?;
            }
            out.put(&game.to_pgn())
        };
        if args.games.is_none_or(|games| games == 0) && args.sort.is_none() {
            explorer.games(position, query, &mut write)?;
        } else {
            for found in stats.top_games.iter().chain(&stats.recent_games) {
                explorer.game(found.id)?.map_or(Ok(()), &mut write)?;
            }
        }
        out.finish()?;
        if !args.run.quiet {
            say(&format_args!("{} written", counted(count, "game")));
        }
        Ok(Outcome::Done)
    }
}

/// The games as a table of its own.
fn games_table(args: &ExploreArgs, catalogue: &Catalogue, games: &[ExploredGame<'_>]) -> String {
    if games.is_empty() {
        return String::new();
    }
    let columns = ExploredGame::columns().in_language(catalogue.language());
    let (width, has_header) = (args.rows.width(), !args.rows.no_header);
    let options = TableOptions { width, has_header, is_colored: false };
    format!("\n{}", Format::Table.layout(columns).table_text(games.iter(), options))
}

/// How deep positions are found, where that may be the reason for what is not.
fn depth(
    explorer: &Explorer,
    stats: &PositionStats,
    asked: Option<usize>,
) -> Result<String, Failure> {
    let collections = explorer.collections()?;
    let Some(ply) = collections.iter().map(|info| info.max_ply).min() else {
        return Ok(String::new());
    };
    let may_be_deeper = asked.is_none_or(|asked| asked > ply as usize);
    // All games with a move reach the position after it.
    let is_last = |m: &MoveStats| m.reached.is_some_and(|r| r.games() < m.score.games());
    Ok(match () {
        () if stats.score.games() + stats.ended.games() == 0 && may_be_deeper => {
            format!("; positions are kept to ply {ply}")
        }
        () if stats.moves.iter().any(is_last) => {
            format!("; positions are kept to ply {ply}, so reached is not known")
        }
        () => String::new(),
    })
}

fn heading(
    position: &PositionKey,
    stats: &PositionStats,
    catalogue: &Catalogue,
    depth: &str,
) -> String {
    let mut text = match catalogue.get(position) {
        Some(line) => {
            let opening = line.opening.to_string();
            format!("{}\n{position}\n", sanitize(opening.as_bytes()))
        }
        None => format!("{position}\n"),
    };
    text += &match stats.score.games() {
        0 => "no game went on from here".to_owned(),
        games => {
            format!("{}: {}", counted(games, "game"), score_text(stats.score, position.turn()))
        }
    };
    let ended = stats.ended.games();
    if ended > 0 {
        text += &format!("; {ended} ended here");
    }
    text += depth;
    text + if stats.moves.is_empty() { "\n" } else { "\n\n" }
}

/// The results of the side to move, whose score the moves below have.
fn score_text(score: Score, mover: Color) -> String {
    let of_all = |games: u64| percent(games as f64 / score.games() as f64);
    let (name, won, lost) = match mover {
        Color::White => ("White", score.white, score.black),
        Color::Black => ("Black", score.black, score.white),
    };
    let [won, drawn, lost] = [won, score.draws, lost].map(of_all);
    format!("{name}, to move, won {won}, drew {drawn}, lost {lost}")
}
