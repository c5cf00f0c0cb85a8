//! `eco search`.

use clap::Args;
use eco::{
    catalogue::{Catalogue, Line, Query},
    output::{Column, Value, Width, sanitize},
};

use super::{
    args::{Format, NamingArgs},
    masters::own_catalogue_at,
    outcome::{Failure, Outcome, complain, say},
    output::print_rows,
};

const HELP: &str = "\
Examples:
  eco search najdorf
  eco search B90-B94 attack
  eco search kings indian defence --limit 5
  eco search gruenfeld --format jsonl

Words match in any order, from their beginnings, with or without accents, and in common spellings.
B90 and B9 are codes, B90-B94 is a range. The best match comes first.";

/// Find openings by code or by words of their names.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct SearchArgs {
    /// Codes and words
    #[arg(value_name = "TEXT", required = true)]
    words: Vec<String>,

    #[command(flatten)]
    naming: NamingArgs,

    /// Maximum number of openings; 0 for all
    #[arg(long, value_name = "N", default_value = "20")]
    limit: usize,

    /// Output format [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

const COLUMNS: [Column; 5] = [
    Column { name: "eco", width: Width::Fixed(5), absent: "" },
    Column { name: "opening", width: Width::Share(5), absent: "" },
    Column { name: "moves", width: Width::Share(4), absent: "" },
    Column { name: "master", width: Width::Share(1), absent: "" },
    Column { name: "key", width: Width::Share(1), absent: "" },
];

/// A table shows only so many of the columns: what fits on a terminal.
const IN_TABLES: usize = 4;

pub(super) fn run(args: &SearchArgs) -> Result<Outcome, Failure> {
    let text = args.words.join(" ");
    let query = Query::new(&text);
    if query.is_empty() {
        return Err(Failure(format!("{text:?} has neither a code nor a word to search for")));
    }
    let stored = own_catalogue_at(args.naming.db.as_deref())?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let hits = catalogue.search(&query);
    if hits.is_empty() {
        complain(&format_args!("no opening matches {text:?}"));
    }
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let format = args.format.unwrap_or_else(Format::usual);
    let count = if format == Format::Table { IN_TABLES } else { COLUMNS.len() };
    let rows = hits.iter().take(limit).map(|line| {
        let mut row = row(catalogue, line);
        row.truncate(count);
        row
    });
    print_rows(Some(format), &COLUMNS[..count], rows)?;
    if hits.len() > limit {
        say(&format_args!("... and {} more (--limit)", hits.len() - limit));
    }
    Ok(Outcome::Done)
}

fn row<'c>(catalogue: &'c Catalogue, line: &'c Line) -> Vec<Value<'c>> {
    let text = |text: &'c str| Value::Text(sanitize(text.as_bytes()));
    vec![
        text(line.opening.eco().as_str()),
        text(line.opening.name()),
        catalogue.movetext(line).map_or(Value::None, |moves| Value::Text(moves.into())),
        text(&catalogue.masters()[line.master].name),
        Value::Text(catalogue.positions()[line.position].key.to_string().into()),
    ]
}
