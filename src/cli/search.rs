//! `eco search`.

use clap::Args;
use eco::catalogue::{Catalogue, Line, Query};
use eco::output::{ColumnSet, ColumnType, Value, Width};

use super::outcome::{Failure, Outcome, complain, say};
use super::{args::NamingArgs, rows::RowArgs};

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

    #[command(flatten)]
    rows: RowArgs,
}

/// An opening that fits the query.
struct Hit<'c> {
    catalogue: &'c Catalogue,
    line: &'c Line,
}

type HitColumns = ColumnSet<for<'r> fn(&'r Hit<'_>) -> Value<'r>>;

impl Hit<'_> {
    fn columns() -> HitColumns {
        HitColumns::new()
            .with("eco", Width::AtMost(5), |hit| Value::text(hit.line.opening.code()))
            .of(ColumnType::Name)
            .with("opening", Width::NameShare(5), |hit| Value::text(hit.line.opening.name()))
            .with("moves", Width::LineShare(4), |hit| {
                Value::optional(hit.catalogue.movetext(hit.line))
            })
            .with("master", Width::Share(1), |hit| {
                Value::Bytes(hit.catalogue.masters()[hit.line.master].name.as_bytes())
            })
            .of(ColumnType::Name)
            .for_machines("key", ColumnType::Text, |hit| {
                Value::Display(&hit.catalogue.positions()[hit.line.position].key)
            })
    }
}

pub(super) fn run(args: &SearchArgs) -> Result<Outcome, Failure> {
    let text = args.words.join(" ");
    let query = Query::new(&text);
    if query.is_empty() {
        return Err(Failure(format!("{text:?} has neither a code nor a word to search for")));
    }
    let catalogue = args.naming.catalogue()?;
    let hits = catalogue.search(&query);
    if hits.is_empty() {
        complain(&format_args!("no opening matches {text:?}"));
    }
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    let rows = hits.iter().take(limit).map(|line| Hit { catalogue, line });
    args.rows.write_named(Hit::columns(), [catalogue], rows)?;
    if hits.len() > limit {
        say(&format_args!("... and {} more (--limit)", hits.len() - limit));
    }
    Ok(Outcome::Done)
}
