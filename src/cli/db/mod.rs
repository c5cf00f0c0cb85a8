//! `eco db`: what a position database keeps, whether masters, collections or repertoires. The order
//! of imports:
//!
//! ```text
//! named · list · diff │ mod
//! ```

mod diff;
mod list;
mod named;

use std::path::Path;

use clap::Args;
use eco::catalogue::Catalogue;
use eco::classify::{Verification, verify};
use eco::collection::KeptGame;
use eco::quoted::counted;
use eco::select::Selection;
use eco::store::{DamagedGames, Database, Explorer, Kind, StoreError};
use eco::{output::sanitize, pipeline::Workers};

use self::named::Named;
use super::args::{DatabaseArgs, parse_name};
use super::outcome::{Failure, Outcome, complain, confirm, refuse, say};
use super::selection::{SelectionArgs, check_kept_people, understand_kept_openings};
use super::{clock, completion, masters::report_first, output::print};

const HELP: &str = "\
Examples:
  eco db list --db chess.db
  eco db verify --db chess.db
  eco db diff builtin mine.tsv

A position database keeps masters (openings, by `eco ingest`), collections (games, by `eco index`)
and repertoires (`eco repertoire`). If several kinds share a name, KIND:NAME says which:
collection:mine.";

/// List, rename, remove, compare and verify what a database keeps.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct DbArgs {
    #[command(subcommand)]
    command: Subcommands,
}

subcommands! {
    Result<Outcome, Failure>;
    List(args: list::ListArgs) => list::run(&args),
    Rename(args: RenameArgs) => rename(&args),
    Remove(args: RemoveArgs) => remove(&args),
    Prefer(args: PreferArgs) => prefer(&args),
    Diff(args: diff::DiffArgs) => diff::run(&args),
    Verify(args: VerifyArgs) => verify_all(&args),
}

pub(super) fn run(args: DbArgs) -> Result<Outcome, Failure> {
    args.command.run()
}

/// Prints what became of something.
fn report(path: &Path, name: &str, done: &str) -> Result<Outcome, Failure> {
    let name = sanitize(name.as_bytes());
    print(format!("{}: {name}: {done}\n", path.display()).as_bytes())?;
    Ok(Outcome::Done)
}

const RENAME_HELP: &str = "\
Examples:
  eco db rename mine white --db chess.db";

/// Rename a master, a collection or a repertoire.
#[derive(Debug, Args)]
#[command(after_long_help = RENAME_HELP, after_help = "See --help for details and examples.")]
struct RenameArgs {
    /// The name, or KIND:NAME
    #[arg(value_name = "NAME", add = completion::kept())]
    name: String,

    /// The new name
    #[arg(value_name = "NEW", value_parser = parse_name)]
    new: String,

    #[command(flatten)]
    database: DatabaseArgs,
}

fn rename(args: &RenameArgs) -> Result<Outcome, Failure> {
    let (path, kind, name) = Named::find_kept(&args.name, &args.database.db)?;
    Database::rename(&path, kind, &name, &args.new, clock::now())?;
    report(&path, &name, &format!("renamed to {}", sanitize(args.new.as_bytes())))
}

const PREFER_HELP: &str = "\
Examples:
  eco db prefer mine --db my.db

Where several masters name the same position, the first one decides.";

/// Put masters first, in this order.
#[derive(Debug, Args)]
#[command(after_long_help = PREFER_HELP, after_help = "See --help for details and examples.")]
struct PreferArgs {
    /// The masters
    #[arg(value_name = "MASTER", required = true, add = completion::kept())]
    masters: Vec<String>,

    #[command(flatten)]
    database: DatabaseArgs,
}

fn prefer(args: &PreferArgs) -> Result<Outcome, Failure> {
    let names = args.masters.iter().map(|name| name.strip_prefix("master:").unwrap_or(name));
    let names: Vec<String> = names.map(str::to_owned).collect();
    Database::prefer(&args.database.db, &names)?;
    Ok(Outcome::Done)
}

const REMOVE_HELP: &str = "\
Examples:
  eco db remove white --yes --db chess.db
  eco db remove games --games --player 'Byrne, Donald' --yes --db games.db

eco asks before it removes anything, and says what would go: games, prepared lines, notes and
answers of training go with what is removed. Where nobody can answer, --yes is needed. The file does
not shrink; its free space is reused. `eco repertoire undo` brings a repertoire back until another
one is removed.

With --games, only the selected games of a collection are removed. --eco and --opening mean the
opening that a game had when it was added. With --damaged, only games that cannot be read any more
are removed, of collections and repertoires; then `eco index` adds those that a PGN file has.";

/// Remove masters, collections and repertoires, or games of collections.
#[derive(Debug, Args)]
#[command(after_long_help = REMOVE_HELP, after_help = "See --help for details and examples.")]
#[command(mut_arg("game", |game| game.hide(true)))]
struct RemoveArgs {
    /// Names, or KIND:NAME
    #[arg(value_name = "NAME", required = true, add = completion::kept())]
    names: Vec<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Remove only the selected games of the collections
    #[arg(long)]
    games: bool,

    /// Remove only games that are damaged
    #[arg(long, conflicts_with = "games")]
    damaged: bool,

    /// Say what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    selection: SelectionArgs,
}

fn remove(args: &RemoveArgs) -> Result<Outcome, Failure> {
    let mut selection = args.selection.selection_of_kept()?;
    if args.games == selection.is_everything() {
        let hint = "`eco db remove NAME` removes all of it";
        return refuse(match args.games {
            true => format!("--games needs a selection, such as --player; {hint}"),
            false => "conditions choose games: add --games to remove those".to_owned(),
        });
    }
    let db = &args.database.db;
    let mut found = Vec::new();
    for name in &args.names {
        let (path, kind, name) = Named::find_kept(name, db)?;
        if path != *db {
            let path = path.display();
            return refuse(format!("{path}: name the database of what is removed by --db"));
        }
        found.push((kind, name));
    }
    if args.games {
        return found.iter().try_fold(Outcome::Done, |_, (kind, name)| match kind {
            Kind::Collection => remove_games(args, &mut selection, name),
            kind => refuse(format!("'{name}' is a {kind}; --games is for collections")),
        });
    }
    if args.damaged {
        return found.iter().try_fold(Outcome::Done, |_, (kind, name)| match kind {
            Kind::Master => refuse(format!("'{name}' is a master; --damaged is for games")),
            kind => remove_damaged(args, *kind, name),
        });
    }
    remove_kept(args, &found)
}

fn remove_kept(args: &RemoveArgs, found: &[(Kind, String)]) -> Result<Outcome, Failure> {
    let db = &args.database.db;
    let database = Database::open(db)?;
    let lost = found.iter().map(|(kind, name)| contents(&database, *kind, name));
    let lost = lost.collect::<Result<Vec<String>, Failure>>()?;
    drop(database);
    let all = found.iter().zip(&lost).map(|((_, name), lost)| format!("{name} with {lost}"));
    confirm_removal(args, &all.collect::<Vec<_>>().join("; "))?;
    if !args.dry_run {
        Database::remove(db, found, clock::now())?;
    }
    let removed = if args.dry_run { "would be removed" } else { "removed" };
    for ((_, name), lost) in found.iter().zip(&lost) {
        report(db, name, &format!("{removed} with {lost}"))?;
    }
    Ok(Outcome::Done)
}

/// What goes with what is removed.
fn contents(database: &Database, kind: Kind, name: &str) -> Result<String, Failure> {
    Ok(match kind {
        Kind::Master => {
            let masters = database.catalogue()?.to_masters();
            let of_name = masters.iter().filter(|master| master.info.name == name);
            counted(of_name.map(|master| master.lines.len()).sum::<usize>(), "line")
        }
        Kind::Collection => counted(database.collection(name)?.games, "game"),
        Kind::Repertoire => {
            let counts = database.counts(&database.repertoire(name)?)?;
            let (games, moves) = (counted(counts.games, "game"), counts.prepared_moves as usize);
            let answers = database.training_reviews(name)?.len();
            let answers = (answers > 0).then(|| counted(answers, "answer") + " of its training");
            let mut parts = vec![games, counted(moves, "prepared move")];
            parts.extend(answers);
            parts.join(", ")
        }
    })
}

fn remove_games(
    args: &RemoveArgs,
    selection: &mut Selection,
    name: &str,
) -> Result<Outcome, Failure> {
    let db = &args.database.db;
    let database = Database::open(db)?;
    let catalogue = args.database.naming.catalogue()?;
    if understand_kept_openings(selection, Some(catalogue))? && args.yes {
        // Nobody is asked whether the nearest name is what was meant.
        return refuse("--yes removes no games of a guess; write the name");
    }
    let explorer = Explorer::open(db, &[name.to_owned()])?;
    check_kept_people(&explorer, &args.selection.conditions.people())
        .map_err(|Failure(text)| Failure(format!("{text}; nothing was written")))?;
    let (info, mut selected) = (database.collection(name)?, 0);
    let count = &mut |game: KeptGame| selected += u64::from(game.is_selected(selection));
    database.kept_games(&info, count)?;
    let removed = format!("{} of {}", selected, counted(info.games, "game"));
    if args.dry_run {
        return report(db, name, &format!("would lose {removed}"));
    }
    if selected > 0 {
        confirm_removal(args, &format!("{removed} of {name}"))?;
    }
    drop((explorer, database));
    let removed = Database::remove_games(db, name, selection, &Workers::default())?;
    report(db, name, &format!("removed {}", counted(removed, "game")))
}

fn remove_damaged(args: &RemoveArgs, kind: Kind, name: &str) -> Result<Outcome, Failure> {
    let db = &args.database.db;
    let damage = Database::open(db)?.damage_of(kind, name)?;
    if damage.is_empty() {
        return report(db, name, "no game is damaged");
    }
    damage.iter().for_each(|damage| say(damage));
    if args.dry_run {
        return report(db, name, "would lose the damaged games");
    }
    confirm_removal(args, &format!("the damaged games of {name}"))?;
    let salvage = Database::remove_damaged(db, kind, name, &Workers::default())?;
    let (lost, kept) = (counted(salvage.lost, "damaged game"), salvage.kept);
    report(db, name, &format!("removed {lost}; {kept} of their segments are packed again"))
}

/// Asks whether to go on.
///
/// # Errors
///
/// If the answer is no, or nobody can be asked.
fn confirm_removal(args: &RemoveArgs, what: &str) -> Result<(), Failure> {
    if args.yes || args.dry_run {
        return Ok(());
    }
    let unasked = format_args!("nothing was removed; to remove {what}: {}", with_yes());
    confirm(&format_args!("Remove {what}?"), "nothing was removed", &unasked)
}

/// The command line as it was typed, with `--yes`.
fn with_yes() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    let words = std::env::args_os().skip(1).map(|word| match word.to_string_lossy() {
        word if !word.is_empty() && word.chars().all(is_plain) => word.into_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    });
    let line = words.collect::<Vec<_>>().join(" ");
    format!("eco {}", line.replacen("remove", "remove --yes", 1))
}

const VERIFY_HELP: &str = "\
Examples:
  eco db verify --db chess.db
  eco db verify builtin mine.tsv

Every line of a master is replayed, and its position must have the name that the line states. Every
game of a collection or a repertoire is read, and what is damaged is listed by segment and games:
`eco db remove NAME --damaged` removes it. For a whole database, the tables are checked too.

Exit codes: 0 no problem found; 1 problems found; 2 failure.";

/// Check that everything can be read and is consistent.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY_HELP, after_help = "See --help for details and examples.")]
struct VerifyArgs {
    /// Names, files of openings, or builtin [default: the whole database]
    #[arg(value_name = "NAME", add = completion::kept())]
    names: Vec<String>,

    #[command(flatten)]
    database: DatabaseArgs,
}

fn verify_all(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let db = &args.database.db;
    if args.names.is_empty() {
        return verify_database(db);
    }
    let mut outcome = Outcome::Done;
    for name in &args.names {
        let named = Named::find(name, db)?;
        let ended = match (named.catalogue()?, named) {
            (Some((catalogue, read)), _) => verify_catalogue(&catalogue)?.and(read),
            (None, Named::Kept(path, kind, name)) => verify_games(&path, kind, &name)?,
            (None, Named::Openings(_)) => Outcome::Done,
        };
        outcome = outcome.and(ended);
    }
    Ok(outcome)
}

/// Checks the tables of a database, and all that it keeps.
fn verify_database(path: &Path) -> Result<Outcome, Failure> {
    let database = Database::open(path)?;
    let mut faults = database.integrity_faults()?;
    let catalogue = database.catalogue_of_masters()?;
    if !database.keeps_catalogue_of(&catalogue)? {
        let hint = "DELETE FROM catalogue_image mends it";
        faults.push(format!("table catalogue_image is not what the masters make; {hint}"));
    }
    faults.iter().for_each(|fault| complain(fault));
    let mut outcome = if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete };
    if !catalogue.masters().is_empty() {
        outcome = outcome.and(verify_catalogue(&catalogue)?);
    }
    for kind in [Kind::Collection, Kind::Repertoire] {
        for name in database.names(kind)? {
            outcome = outcome.and(verify_games(path, kind, &name)?);
        }
    }
    Ok(outcome)
}

/// Reads all games of a collection or a repertoire, and what is prepared.
fn verify_games(path: &Path, kind: Kind, name: &str) -> Result<Outcome, Failure> {
    let faults = match faults_of(path, kind, name) {
        Ok(Ok(games)) => return report(path, name, &format!("{} read", counted(games, "game"))),
        Ok(Err(damage)) => damage.iter().map(ToString::to_string).collect(),
        Err(error) => vec![format!("{name}: {error}")],
    };
    faults.iter().for_each(|fault| complain(fault));
    Ok(Outcome::Incomplete)
}

/// The number of games of a collection or a repertoire, or else what of them is damaged.
fn faults_of(
    path: &Path,
    kind: Kind,
    name: &str,
) -> Result<Result<u64, Vec<DamagedGames>>, StoreError> {
    let database = Database::open(path)?;
    if kind == Kind::Repertoire {
        database.preparation(name)?;
    }
    let damage = database.damage_of(kind, name)?;
    if !damage.is_empty() {
        return Ok(Err(damage));
    }
    Ok(Ok(match kind {
        Kind::Repertoire => {
            database.games_of(&database.repertoire(name)?)?.map_or(0, |kept| kept.games)
        }
        _ => database.collection(name)?.games,
    }))
}

fn verify_catalogue(catalogue: &Catalogue) -> Result<Outcome, Failure> {
    let verification = verify(catalogue);
    let unfound = unfound(&verification);
    report_first(&unfound, "line");
    let text = format!(
        "{} replayed to {}: {} name what they say, {} are decided by a master before theirs, {} \
         are never found\n",
        counted(catalogue.lines().len(), "line"),
        counted(catalogue.positions().len(), "position"),
        verification.confirmed,
        verification.overruled,
        unfound.len(),
    );
    print(text.as_bytes())?;
    Ok(if unfound.is_empty() { Outcome::Done } else { Outcome::Incomplete })
}

/// The lines that name nothing, with the reason.
fn unfound(verification: &Verification<'_>) -> Vec<String> {
    let hidden = verification.hidden.iter().map(|(line, found)| {
        let (said, found) = (&line.opening, &found.opening);
        format!("{}: {said}: never found, it is {found}", line.location)
    });
    let lost = verification.lost.iter();
    let lost = lost.map(|line| format!("{}: {}: not found", line.location, line.opening));
    hidden.chain(lost).collect()
}
