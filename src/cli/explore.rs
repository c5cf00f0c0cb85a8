//! `eco explore`.

use clap::Args;
use eco::chess::{Color, PositionKey};
use eco::collection::{MoveStats, PositionQuery, PositionStats, Score};
use eco::output::{
    self, ExploredGame, ExploredMove, GameList, Row, TableOptions, percent, sanitize,
};
use eco::{catalogue::Catalogue, select::Player, store::Explorer};

use super::args::{DatabaseArgs, Format};
use super::games::{games_text, without_collections};
use super::outcome::{Failure, Interruption, Outcome};
use super::selection::{SelectionArgs, check_kept_openings, check_kept_people};
use super::{completion, masters::catalogue_at, position, progress::Progress};
use super::{replace::Inputs, rows::RowArgs};

const HELP: &str = "\
Examples:
  eco explore --db games.db
  eco explore 1. d4 f5 2. g3 --db games.db
  eco explore 'rnbqkbnr/ppppp1pp/8/5p2/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -' --db games.db
  eco explore e4 c5 --db games.db --player 'Robert James Fischer' --color white
  eco explore e4 c5 --db games.db --format jsonl

Columns:
  games      in which the move was played; a game counts once in a position, with the move of its
             last visit
  share      of the games that went on from the position
  white, draws, black    how they ended; in a table a bar: won, drawn and lost by the side that
             moves
  score      of the side that moves
  reached    games that have the position after the move, whatever their order of moves
  rating     mean rating of those who played the move; opponents: of the others
  perf       performance: mean rating of the opponents, and FIDE's difference for the score; empty
             below 5 games
  first, last            dates
  opening    the name of the position after the move

Games without a result and of other variants are not counted, games from another start position
only with --from-position. Positions are found up to the ply that the collection was made with.

Exit codes: 0 success, also if no game has the position; 2 failure, also if the file has no games.";

/// Show what was played in a position: the moves, how they scored, and the top and latest games.
///
/// The games are those that `eco index` has put into the collections of a position database. The
/// position is found whatever the order of moves that led to it.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("game", |game| game.hide(true)))]
pub(super) struct ExploreArgs {
    /// The position: FEN, or moves from the initial position [default: that one]
    #[arg(value_name = "FEN|MOVES")]
    words: Vec<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Only games of this collection; may be repeated [default: all]
    #[arg(long, value_name = "NAME", add = completion::collections())]
    collection: Vec<String>,

    /// Show at most this many moves [default: all]
    #[arg(long, value_name = "N")]
    moves: Option<usize>,

    /// Show this many of the games with the highest mean rating
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_games)]
    top_games: usize,

    /// Show this many of the latest games, besides those
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_games)]
    recent_games: usize,

    /// Write the games instead of the moves; a table has both
    #[arg(long)]
    games: bool,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    rows: RowArgs,
}

/// No more games are shown.
const MAX_GAMES: usize = 10_000;

fn parse_games(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MAX_GAMES);
    number.ok_or_else(|| format!("expected a number up to {MAX_GAMES}"))
}

pub(super) fn run(args: &ExploreArgs) -> Result<Outcome, Failure> {
    let catalogue = catalogue_at(Some(&args.database.db))?;
    let question = position::read(&args.words, || Ok::<_, Failure>(catalogue))?;
    let position = question.key();
    let ply = (!question.is_set_up()).then(|| question.moves().len());
    let mut query = PositionQuery::default();
    query.selection = args.selection.selection_of_kept()?;
    query.from_position = args.selection.conditions.from_position;
    (query.top_games, query.recent_games) = (args.top_games, args.recent_games);
    query.reached = true;
    let explorer = Explorer::open(&args.database.db, &args.collection)?;
    check_kept_openings(&query.selection, Some(catalogue))?;
    if explorer.collections()?.is_empty() {
        return Err(without_collections(&args.database.db));
    }
    let stats = explorer.query(&position, &query)?;
    let people = args.selection.conditions.people();
    // Where games are found, a single player is one of theirs, unless several have the name.
    let is_surname = people.iter().any(|name| Player::asked(name).is_surname());
    if people.len() > 1 || is_surname || stats.score.games() + stats.ended.games() == 0 {
        check_kept_people(&explorer, &people)?;
    }
    let mut moves = ExploredMove::all(&stats, &position, catalogue);
    moves.truncate(args.moves.unwrap_or(usize::MAX));
    let lists = [GameList::Top, GameList::Recent];
    let games = lists.into_iter().flat_map(|list| ExploredGame::all(&stats, &position, list));
    let games: Vec<_> = games.collect();
    match (args.rows.format(), args.games) {
        (_, true) => args.rows.write_named(ExploredGame::columns(), [catalogue], games)?,
        (Format::Table, false) => {
            let above = heading(&position, &stats, catalogue, &depth(&explorer, &stats, ply)?);
            return write_page(args, &above, &moves, &games).or_else(Interruption::outcome);
        }
        (_, false) => args.rows.write_named(ExploredMove::columns(), [catalogue], moves)?,
    }
    Ok(Outcome::Done)
}

/// Writes the table of moves with text above, and that of games below.
fn write_page(
    args: &ExploreArgs,
    above: &str,
    moves: &[ExploredMove<'_>],
    games: &[ExploredGame<'_>],
) -> Result<Outcome, Interruption> {
    let layout = args.rows.layout(ExploredMove::columns());
    let mut rows = layout.buffer(0);
    moves.iter().for_each(|row| layout.write(row, &mut rows));
    let mut writer = args.rows.open(&layout, &Inputs::none())?;
    if moves.is_empty() {
        writer = args.rows.open_for_text(&Inputs::none(), "txt")?;
    }
    writer.write_text(above)?;
    writer.write(&rows.finish(), &Progress::hidden())?;
    writer.end_rows()?;
    writer.write_text(&games_table(args, games))?;
    writer.finish()?;
    Ok(Outcome::Done)
}

/// The games as a table of its own.
fn games_table(args: &ExploreArgs, games: &[ExploredGame<'_>]) -> String {
    let layout = output::Format::Table.layout(ExploredGame::columns());
    let (width, has_header) = (args.rows.width(), !args.rows.no_header);
    let table = layout.table(TableOptions { width, has_header, is_colored: false });
    let Some(mut table) = table.filter(|_| !games.is_empty()) else { return String::new() };
    let mut rows = Vec::new();
    games.iter().for_each(|row| layout.write(row, &mut rows));
    let mut out = b"\n".to_vec();
    table.push(&rows, &mut out);
    table.finish(&mut out);
    String::from_utf8_lossy(&out).into_owned()
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
        games => format!("{}: {}", games_text(games), score_text(stats.score, position.turn())),
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
