//! `eco search`.

use std::collections::HashSet;

use clap::Args;
use eco::catalogue::{Branch, FoundBy, Line, Query};
use eco::classify::{Question, find_openings};
use eco::quoted::Quoted;

use super::args::{Format, NamingArgs, Readers};
use super::openings::{Hit, OpeningFormat, branch_columns};
use super::outcome::{Failure, Outcome, complain, refuse, say};
use super::{completion, rows::RowArgs};

const HELP: &str = "\
Examples:
  eco search najdorf
  eco search QGD tartakower
  eco search B90-B94 attack
  eco search sizilianisch --limit 5
  eco search 1. d4 Nf6 2. c4 e6
  eco search --depth 2
  eco search gruenfeld --format jsonl
  eco search --format scid -o builtin.eco

Words match in any order, from their beginnings, and may be joined; accents do not matter. Other
names (QGD, KID, Spanish, Orangutan) and names in other languages are understood, and words with a
slip or two stand for the nearest. B90 and B9 are codes, B90-B94 is a range. The best match comes
first, and what is played often before what is rare. Moves are looked up.

Without words, a table is the tree of openings: their families, and with --depth 2 or 3 what these
have below them. Other formats list all openings, in the order of their masters, unless --depth is
given.

--format lichess, pgn, scid, epd, eco-json and sqlite write all that is found, and `eco ingest`
reads it back. eco-json and sqlite keep everything. The others hold one master: for each position
they get the lines of the master that decides there, so games keep their names. Whatever a format
cannot express is reported.";

/// Find openings by any name, code or moves, or browse them.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct SearchArgs {
    /// Codes, words or moves [default: all openings]
    #[arg(value_name = "WORDS")]
    words: Vec<String>,

    /// Only openings of this master; may be repeated
    #[arg(long, value_name = "NAME", add = completion::masters())]
    master: Vec<String>,

    /// The openings as a tree: 1 for families, 2 with their variations, 3 with all below them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    depth: Option<u8>,

    #[command(flatten)]
    naming: NamingArgs,

    #[command(flatten)]
    rows: RowArgs<OpeningFormat>,
}

pub(super) fn run(args: &SearchArgs) -> Result<Outcome, Failure> {
    let readers = args.rows.other().map_or_else(|| args.rows.readers(), |_| Readers::Programs);
    let catalogue = args.naming.catalogue_for(readers)?;
    let (mut hits, query) = match read(args)? {
        Some(query) => {
            let (hits, query) = find_openings(catalogue, &query);
            (hits, Some(query))
        }
        None => (catalogue.lines().iter().collect(), None),
    };
    match &query {
        Some(_) if hits.is_empty() => {
            let (text, mut line) = (args.words.join(" "), Question::initial());
            match line.play(&text, &[]) {
                Err(fault) if !line.moves().is_empty() => {
                    complain(&format_args!("{}: {fault}", Quoted(text)));
                }
                _ => complain(&format_args!("no opening matches {}", Quoted(text))),
            }
        }
        Some(query) => {
            query.correction().iter().for_each(|correction| complain(correction));
            if let Some(FoundBy::Alias { alias, name }) = query.found_by(&hits[0].opening) {
                complain(&format_args!("{} is another name of {name}", Quoted(alias)));
            }
        }
        None => {}
    }
    for name in &args.master {
        if !catalogue.masters().iter().any(|master| master.name == *name) {
            let known: Vec<&str> = catalogue.masters().iter().map(|m| &*m.name).collect();
            return refuse(format!("no master '{name}'; there is {}", known.join(", ")));
        }
    }
    let is_of = |line: &Line| args.master.contains(&catalogue.masters()[line.master].name);
    hits.retain(|line| args.master.is_empty() || is_of(line));
    if let Some(format) = args.rows.other() {
        if args.depth.is_some() {
            return refuse("--depth is for rows; this format has all openings");
        }
        hits.truncate(args.rows.most());
        let found: HashSet<*const Line> = hits.into_iter().map(std::ptr::from_ref).collect();
        let is_wanted = |line: &Line| found.contains(&std::ptr::from_ref(line));
        return format.write(
            catalogue,
            is_wanted,
            args.naming.catalogue.as_deref(),
            args.rows.output(),
        );
    }
    let is_tree = query.is_none() && args.rows.format() == Format::Table;
    let more = match args.depth.or(is_tree.then_some(1)) {
        Some(depth) => {
            let tree = catalogue.branches(hits, depth.into());
            let rows = tree.iter().flat_map(Branch::all);
            args.rows.write_named(branch_columns(), [catalogue], rows)?
        }
        None => {
            let found_by = |line: &Line| query.as_ref()?.found_by(&line.opening);
            let rows = hits.iter().map(|line| {
                let found_by = found_by(line).filter(|found_by| **found_by != FoundBy::Name);
                Hit { catalogue, line, found_by }
            });
            let has_words = query.is_some();
            let columns = if has_words { Hit::columns_of_search() } else { Hit::columns() };
            args.rows.write_named(columns, [catalogue], rows)?
        }
    };
    more.iter().for_each(|more| say(more));
    Ok(Outcome::Done)
}

/// What is searched for; `None` without words.
fn read(args: &SearchArgs) -> Result<Option<Query>, Failure> {
    if args.words.is_empty() {
        return Ok(None);
    }
    let text = args.words.join(" ");
    let query = Query::new(&text);
    if query.is_empty() {
        return refuse(format!("{} has neither a code nor a word to search for", Quoted(text)));
    }
    Ok(Some(query))
}
