//! `eco repertoire tree`.

use std::path::PathBuf;

use clap::Args;
use eco::{
    catalogue::Catalogue,
    output::{ContentsOptions, contents, sanitize},
    repertoire::BookRule,
    store::Database,
};

use super::{args::parse_share, position::position_of, resolve_name};
use crate::cli::{
    masters::own_catalogue,
    outcome::{Failure, Outcome},
    output::{print, terminal_width},
};

const HELP: &str = "\
Examples:
  eco repertoire tree mine --db chess.db
  eco repertoire tree mine e4 c5 --db chess.db --depth 16 --min-games 3

Moves without an alternative share a line, with the name of the opening they lead to. On the right
are the number of games with the first of them, and the score of the repertoire's side. A position
that several lines reach is expanded once; the other lines end with = and the line that has it.";

/// Print the lines of a repertoire like a table of contents, main lines first.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct TreeArgs {
    /// The repertoire, and a position: FEN, or moves from the initial position, which is the default
    #[arg(value_name = "NAME] [FEN|MOVES")]
    words: Vec<String>,

    /// The position database
    #[arg(long, value_name = "FILE")]
    db: PathBuf,

    /// Plies to show from the position
    #[arg(long, value_name = "N", default_value = "8")]
    depth: usize,

    /// Of what was played, only moves of so many games [default: as the repertoire was built]
    #[arg(long, value_name = "N")]
    min_games: Option<u32>,

    /// Of what was played, only moves with such a share: 0.05 or 5% [default: as it was built]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    min_share: Option<f64>,
}

pub(super) fn run(args: &TreeArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.db)?;
    let (info, words) = resolve_name::named_first(&database, &args.words)?;
    let key = position_of(words)?;
    let stored = own_catalogue(&database)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let rule = BookRule {
        min_games: args.min_games.unwrap_or(info.rule.min_games),
        min_share: args.min_share.unwrap_or(info.rule.min_share),
    };
    let book = database.book_by(&info.name, rule)?;
    let Some(id) = book.find(&key) else {
        let name = sanitize(info.name.as_bytes());
        return Err(Failure(format!("{name} has not got this position: {key}")));
    };
    let options = ContentsOptions { depth: args.depth, width: terminal_width() };
    print(contents(&book, catalogue, id, options).as_bytes())?;
    Ok(Outcome::Done)
}
