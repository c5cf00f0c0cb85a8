//! `eco search`.

use std::collections::HashSet;

use clap::Args;
use eco::catalogue::{Catalogue, Line, Query};
use eco::quoted::Quoted;

use super::outcome::{Failure, Outcome, complain, say};
use super::{
    args::NamingArgs, args::Readers::Programs, completion, openings::Hit, openings::OpeningArgs,
};

const HELP: &str = "\
Examples:
  eco search najdorf
  eco search B90-B94 attack
  eco search kings indian defence --limit 5
  eco search gruenfeld --format jsonl
  eco search --format scid -o builtin.eco

Words match in any order, from their beginnings, with or without accents, and in common spellings.
B90 and B9 are codes, B90-B94 is a range. The best match comes first. Without words, all openings
are listed, in the order of their masters.

--format lichess, pgn, scid, epd, eco-json and sqlite write all that is found, and `eco ingest`
reads it back. eco-json and sqlite keep everything. The others hold one master: for each position
they get the lines of the master that decides there, so games keep their names. Whatever a format
cannot express is reported.";

/// Find openings by code or by words of their names.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct SearchArgs {
    /// Codes and words [default: all openings]
    #[arg(value_name = "WORDS")]
    words: Vec<String>,

    /// Only openings of this master; may be repeated
    #[arg(long, value_name = "NAME", add = completion::masters())]
    master: Vec<String>,

    #[command(flatten)]
    naming: NamingArgs,

    #[command(flatten)]
    output: OpeningArgs,
}

pub(super) fn run(args: &SearchArgs) -> Result<Outcome, Failure> {
    let readers = args.output.other.map_or_else(|| args.output.rows.readers(), |_| Programs);
    let catalogue = args.naming.catalogue_for(readers)?;
    let mut hits = find(args, catalogue)?;
    for name in &args.master {
        if !catalogue.masters().iter().any(|master| master.name == *name) {
            let known: Vec<&str> = catalogue.masters().iter().map(|m| &*m.name).collect();
            return Err(Failure(format!("no master '{name}'; there is {}", known.join(", "))));
        }
    }
    let is_of = |line: &Line| args.master.contains(&catalogue.masters()[line.master].name);
    hits.retain(|line| args.master.is_empty() || is_of(line));
    if let Some(format) = args.output.other {
        hits.truncate(args.output.rows.most());
        let found: HashSet<*const Line> = hits.into_iter().map(std::ptr::from_ref).collect();
        let is_wanted = |line: &Line| found.contains(&std::ptr::from_ref(line));
        return format.write(
            catalogue,
            is_wanted,
            args.naming.catalogue.as_deref(),
            args.output.rows.output(),
        );
    }
    let rows = hits.iter().map(|line| Hit { catalogue, line });
    let more = args.output.rows.write_named(Hit::columns(), [catalogue], rows)?;
    more.iter().for_each(|more| say(more));
    Ok(Outcome::Done)
}

/// The openings that the words mean, the best match first.
fn find<'c>(args: &SearchArgs, catalogue: &'c Catalogue) -> Result<Vec<&'c Line>, Failure> {
    if args.words.is_empty() {
        return Ok(catalogue.lines().iter().collect());
    }
    let text = args.words.join(" ");
    let query = Query::new(&text);
    if query.is_empty() {
        return Err(Failure(format!(
            "{} has neither a code nor a word to search for",
            Quoted(text)
        )));
    }
    let hits = catalogue.search(&query);
    if hits.is_empty() {
        complain(&format_args!("no opening matches {}", Quoted(text)));
    }
    Ok(hits)
}
