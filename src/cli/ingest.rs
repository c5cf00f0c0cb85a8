//! `eco ingest`.

use std::{collections::HashMap, iter, path::PathBuf};

use clap::Args;
use eco::catalogue::{Catalogue, CatalogueDifference, MasterCounts, Side};
use eco::master::{Master, MasterInfo};
use eco::{output::sanitize, quoted::counted, store::Database};

use super::masters::{self, ReadingArgs};
use super::outcome::{Failure, Outcome, complain, refuse, say};
use super::{args::DatabaseArgs, output};

const HELP: &str = "\
Examples:
  eco ingest --db openings.db
  eco ingest mine.tsv builtin --db my.db
  eco ingest scid.eco eco.pgn builtin --db all.db
  eco ingest a.tsv b.tsv c.tsv d.tsv e.tsv --master lichess-dev --db openings.db

A MASTER is a file of openings, in a format that is detected from content: lichess's tsv (eco,
name, pgn), PGN with ECO and Opening tags, Scid's .eco, ECOMast text, eco.json (or JSON lines), or
a list of EPD with eco and v0. All but Scid's and ECOMast can leave the code out. It can also be a
position database, for all of its masters, or the word builtin. A file with the columns alias and
opening has other names, by which searches find openings: of the other masters, or else of those
that the database has.

A master with the name of one in the database replaces it and keeps its rank; the changes are
printed. If two masters name the same position, the one that was added first decides; `eco db
prefer` changes that. Lines of one master that lead to the same position are reported; a game is
named by the line whose moves it followed, or else by the first.

Exit codes: 0 success; 1 success, but a file could not be read, or --lenient left lines out; 2
failure, and nothing was written (unless only the counts could not be printed).";

/// Create a position database from ECO masters, or add or replace masters in one.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct IngestArgs {
    /// Files of openings, position databases, or `builtin` (the default)
    #[arg(value_name = "MASTER", default_value = masters::BUILTIN, hide_default_value = true)]
    masters: Vec<PathBuf>,

    #[command(flatten)]
    database: DatabaseArgs,

    #[command(flatten)]
    reading: ReadingArgs,

    /// Write the valid lines even if others are not
    #[arg(long)]
    lenient: bool,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &IngestArgs) -> Result<Outcome, Failure> {
    let is_new = !args.database.db.exists();
    let (db, mut unread) = (&args.database.db, 0);
    let read = masters::read(&args.masters, &args.reading, Some(db), |Failure(fault)| {
        complain(&fault);
        unread += 1;
        Ok(())
    });
    let (catalogue, faults) = read?;
    // A master of several files lacks what one of them has.
    if unread == args.masters.len() || unread > 0 && args.reading.master.is_some() {
        complain(&"nothing was written");
        return Ok(Outcome::Incomplete);
    }
    masters::report_first(&faults, "bad line");
    if !faults.is_empty() && !args.lenient {
        let hint = "nothing was written (--lenient writes the good lines)";
        return refuse(format!("{}; {hint}", counted(faults.len(), "bad line")));
    }
    if catalogue.masters().is_empty() {
        return refuse("no master found; nothing was written");
    }
    for (index, master) in catalogue.masters().iter().enumerate() {
        if catalogue.counts(index).lines == 0 {
            let name = &master.name;
            return refuse(format!("{name}: no openings in it; nothing was written"));
        }
    }
    let replaced = Database::ingest(args.database.to_extend()?, &catalogue)?;
    if !args.quiet {
        report(args, &catalogue, replaced)?;
        if is_new {
            say_how_to_use(args, &catalogue);
        }
    }
    let is_whole = faults.is_empty() && unread == 0;
    Ok(if is_whole { Outcome::Done } else { Outcome::Incomplete })
}

/// Says how openings are named by a new database, and that it knows nothing but what was given,
/// which few expect.
fn say_how_to_use(args: &IngestArgs, catalogue: &Catalogue) {
    let db = args.database.db.display();
    let gaps = match args.masters.iter().any(|path| path.as_os_str() == masters::BUILTIN) {
        true => String::new(),
        false => {
            let names: Vec<&str> = catalogue.masters().iter().map(|m| &*m.name).collect();
            let positions = counted(catalogue.positions().len(), "position");
            format!(
                ", but it has only {positions}, of {}; `eco ingest builtin --db {db}` adds the \
                 built-in openings below them",
                names.join(", ")
            )
        }
    };
    say(&format_args!("--catalogue {db} names openings by it{gaps}"));
}

/// Reports what was added, how it relates to what the database already had, and how it differs from
/// the masters that it replaced.
fn report(args: &IngestArgs, added: &Catalogue, replaced: Vec<Master>) -> Result<(), Failure> {
    for index in 0..added.masters().len() {
        let mut duplicates = added.duplicates_of(index);
        for (line, first) in duplicates.by_ref().take(masters::SHOWN) {
            complain(&format_args!(
                "{}: {} leads to the same position as {}, {}",
                line.location, line.opening, first.location, first.opening
            ));
        }
        let more = duplicates.count();
        if more > 0 {
            let more = counted(more, "more line");
            say(&format_args!("... and {more} to the position of another"));
        }
    }
    let whole = Database::open(&args.database.db)?.catalogue()?;
    let mut replaced: HashMap<_, _> =
        replaced.into_iter().map(|old| (old.info.name.clone(), old)).collect();
    let mut text = String::new();
    for (index, new) in whole.to_masters().into_iter().enumerate() {
        let name = new.info.name.clone();
        if added.masters().iter().all(|master| master.name != name) {
            continue;
        }
        let counts = in_words(&whole.counts(index));
        let (what, changes) = match replaced.remove(&name) {
            Some(old) => {
                let changes = changes(old, new);
                (if changes.is_empty() { "unchanged" } else { "replaced" }, changes)
            }
            None => ("added", Vec::new()),
        };
        let message = format!("{}: {what} master {name}: {counts}", args.database.db.display());
        for line in iter::once(message).chain(changes) {
            text.extend([&*sanitize(line.as_bytes()), "\n"]);
        }
    }
    output::print(text.as_bytes())
}

/// How the new state of a master differs from its old state.
fn changes(old: Master, new: Master) -> Vec<String> {
    let mut lines = changes_of_edition(&old.info, &new.info);
    if old.lines == new.lines {
        return lines;
    }
    let [old, new] = [old, new].map(|master| Catalogue::from_masters([master]).0);
    let differences = old.diff(&new);
    lines.extend(differences.iter().take(masters::SHOWN).filter_map(change));
    match differences.len() {
        0 => lines.push("  every position has the name it had".to_owned()),
        count if count > masters::SHOWN => {
            lines.push(format!("  ... and {}", counted(count - masters::SHOWN, "more change")));
        }
        _ => {}
    }
    lines
}

/// The version and the date, as far as they differ.
fn changes_of_edition(old: &MasterInfo, new: &MasterInfo) -> Vec<String> {
    let fields = [("version", &old.version, &new.version), ("date", &old.date, &new.date)];
    let changed = fields.into_iter().filter(|(_, before, after)| before != after);
    let shown = |text: &String| if text.is_empty() { "none".to_owned() } else { text.clone() };
    changed
        .map(|(field, before, after)| {
            format!("  {field} {} is now {}", shown(before), shown(after))
        })
        .collect()
}

/// What is called otherwise, with the moves to it or its EPD.
fn change(difference: &CatalogueDifference<'_>) -> Option<String> {
    let opening = |side: Side<'_>| side.line.opening.to_string();
    let with_moves = |side: Side<'_>| {
        let position = || side.catalogue.positions()[side.line.position].key.to_string();
        let moves = side.catalogue.movetext(side.line).unwrap_or_else(position);
        format!("{} ({moves})", opening(side))
    };
    Some(match (difference.a, difference.b) {
        (Some(before), Some(after)) => {
            format!("  {} is now {}", opening(before), with_moves(after))
        }
        (Some(before), None) => format!("  {} is removed", with_moves(before)),
        (None, Some(after)) => format!("  {} is added", with_moves(after)),
        (None, None) => return None,
    })
}

fn in_words(counts: &MasterCounts) -> String {
    let MasterCounts { lines, positions, repeated, decided_before, .. } = counts;
    let mut text = format!("{}, {}", counted(*lines, "line"), counted(*positions, "position"));
    if *repeated > 0 {
        let codes = counts.repeated_with_other_code;
        text += &format!("; {repeated} listed twice, {codes} of them with different codes");
    }
    if *decided_before > 0 {
        let codes = counts.decided_otherwise;
        text += &format!("; {decided_before} named before, {codes} of them with another code");
    }
    text
}
