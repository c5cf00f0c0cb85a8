//! `eco repertoire list`.

use clap::Args;
use eco::{
    output::{Column, Value, Width},
    store::Database,
};

use crate::cli::{
    args::{DatabaseArgs, Format},
    outcome::{Failure, Outcome},
    output::print_rows,
};

const HELP: &str = "\
Examples:
  eco repertoire list --db chess.db
  eco repertoire list --db chess.db --format jsonl";

/// List the repertoires of a position database.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ListArgs {
    #[command(flatten)]
    database: DatabaseArgs,

    /// Output format [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

const COLUMNS: [Column; 9] = [
    Column { name: "name", width: Width::Share(2), absent: "" },
    Column { name: "color", width: Width::Fixed(5), absent: "" },
    Column { name: "games", width: Width::Number(8), absent: "" },
    Column { name: "positions", width: Width::Number(9), absent: "" },
    Column { name: "prepared", width: Width::Number(8), absent: "" },
    Column { name: "max_ply", width: Width::Number(7), absent: "" },
    Column { name: "min_games", width: Width::Number(9), absent: "" },
    Column { name: "min_share", width: Width::Number(9), absent: "" },
    Column { name: "players", width: Width::Share(2), absent: "" },
];

pub(super) fn run(args: &ListArgs) -> Result<Outcome, Failure> {
    let database = Database::open(&args.database.db)?;
    let counted = |info| database.counts(&info).map(|counts| (info, counts));
    let repertoires = database.repertoires()?.into_iter().map(counted);
    let repertoires = repertoires.collect::<Result<Vec<_>, _>>()?;
    let rows = repertoires.iter().map(|(info, counts)| {
        let players = info.players.join("; ");
        vec![
            Value::text(info.name.as_str()),
            Value::text(info.color.to_string()),
            Value::Number(counts.games),
            Value::Number(counts.positions),
            Value::Number(counts.prepared_moves),
            Value::Number(info.max_ply.into()),
            Value::Number(info.rule.min_games.into()),
            Value::text(info.rule.min_share.to_string()),
            Value::text(players),
        ]
    });
    print_rows(args.format, &COLUMNS, rows)?;
    Ok(Outcome::Done)
}
