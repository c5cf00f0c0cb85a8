//! `eco repertoire tree`.

use clap::Args;
use eco::{
    catalogue::Catalogue,
    output::{
        repertoire::{ContentsOptions, contents, whole_contents},
        sanitize,
    },
    store::Database,
};

use super::{args::BookRuleArgs, position::PositionArgs};
use crate::cli::{
    masters::own_catalogue,
    outcome::{Failure, Outcome},
    output::print,
    rows::table_width,
};

const HELP: &str = "\
Examples:
  eco repertoire tree mine --db chess.db
  eco repertoire tree mine e4 c5 --db chess.db --depth 16 --min-games 3

Moves without an alternative share a line, with the name of the opening they lead to. On the right
are the number of games with the first of them, and the score of the repertoire's side. A position
that several lines reach is expanded once; the other lines end with = and the line that has it.
Prepared lines from another position that no line leads to follow below its FEN.";

/// Print the lines of a repertoire like a table of contents, main lines first.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Plies to show from the position
    #[arg(long, value_name = "N", default_value = "8")]
    depth: usize,

    #[command(flatten)]
    book_rule: BookRuleArgs,
}

pub(super) fn run(args: &TreeArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.position.database.db)?;
    let (info, key) = args.position.resolve_optional(&database)?;
    let stored = own_catalogue(&database)?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let rule = args.book_rule.rule(info.rule);
    let book = database.book_by(&info.name, rule)?;
    let options = ContentsOptions { depth: args.depth, width: table_width() };
    let text = match key {
        None => whole_contents(&book, catalogue, options),
        Some(key) => match book.find(&key) {
            Some(id) => contents(&book, catalogue, id, options),
            None => {
                let name = sanitize(info.name.as_bytes());
                return Err(Failure(format!("{name} does not have this position: {key}")));
            }
        },
    };
    print(text.as_bytes())?;
    Ok(Outcome::Done)
}
