//! `eco week`.

use std::collections::HashSet;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use eco::collection::{KeptGame, KeptGameReader};
use eco::output::repertoire::{WeekKind, WeekOf, WeekRow};
use eco::output::sanitize;
use eco::pipeline::Workers;
use eco::quoted::{counted, counts};
use eco::repertoire::Week;
use eco::report::{Topic, WeekPage};
use eco::select::{Selection, Selector};
use eco::store::{Database, RepertoireBuild, RepertoireInfo, RepertoireSettings};
use eco::training::{Moment, Outlook, Progress as Learned};
use eco::{catalogue::Catalogue, classify::Classifier};

use super::args::{BreadthArgs, DatabaseArgs, Format, InputArgs, Readers, RunArgs};
use super::games::{GameInputs, inputs, options};
use super::outcome::{Failure, Outcome, refuse, say};
use super::rows::{OtherFormat, RowArgs};
use super::{browser, clock, completion, run::GamesRun};
use super::{interrupt::undo_on_signals, repertoire::OpenRepertoire, selection::SelectedGames};
use super::{
    output::stream_to, progress::Results, report::file_names, settings, terminal::lines_of,
};

const HELP: &str = "\
Examples:
  eco week games.pgn --db chess.db --repertoire mine
  eco week games.pgn --db chess.db --repertoire mine -o week.html
  eco week --db chess.db --repertoire mine

Adds your games of INPUT to your repertoire, or to those of both colours, as `eco repertoire build`
does, and says what they show: where they left the books and what it cost, in points below what the
ratings predict; three things to learn; what opponents play more often than in your earlier games;
and what is due in training. `eco train` then asks the positions where games left the books first.

Your games are those of the players of a repertoire or, if it has none, of `eco me`, who are then
its players. Without INPUT nothing is added, and the games are those of the last seven days up to
the newest game of a repertoire.

A table has a section for each kind of rows, on one screen; other formats have rows with the kind in
a column. -o x.html writes a page with diagrams, --open shows it in the browser.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

/// Add the latest games to your books, and say what they show.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct WeekArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Your book [default: the only one, or that of each colour]
    #[arg(long, value_name = "NAME", add = completion::repertoires())]
    repertoire: Option<String>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// Show the page in the browser
    #[arg(long, conflicts_with = "format")]
    open: bool,

    #[command(flatten)]
    rows: RowArgs<Page>,

    #[command(flatten)]
    run: RunArgs,
}

/// What is written in place of rows.
#[derive(Debug, Clone, Copy)]
struct Page;

impl OtherFormat for Page {
    const CHOICES: &[completion::Choice<Self>] = &[("html", "A page for a browser", Self)];
}

impl WeekArgs {
    /// Whether a page is written.
    fn is_page(&self) -> bool {
        let rows = &self.rows;
        let ending = rows.output().filter(|_| rows.format.is_none()).and_then(Path::extension);
        self.open || rows.other().is_some() || ending.is_some_and(|e| e == "html" || e == "htm")
    }

    fn readers(&self) -> Readers {
        if self.is_page() { Readers::People } else { self.rows.readers() }
    }
}

pub(super) fn run(args: &WeekArgs) -> Result<Outcome, Failure> {
    let read = match args.input.inputs.is_empty() {
        true => None,
        false => match add_games(args)? {
            Some(added) => Some(added),
            None => return Ok(Outcome::Incomplete),
        },
    };
    let (name, as_built) = (args.repertoire.as_deref(), BreadthArgs::default());
    let books = OpenRepertoire::named_or_each(&args.database, name, &as_built, args.readers())?;
    let catalogue = books[0].catalogue;
    let mut weeks = Vec::new();
    for OpenRepertoire { database, info, book, .. } in &books {
        let own = info.own_games(&Selection::default());
        let selector = Selector::new(own, Classifier::new(catalogue));
        let week = match &read {
            Some(read) => Week::of(book, selector, &read.games),
            None => Week::of(book, selector, &latest_games(database, info)?),
        };
        weeks.push(WeekOf { name: &info.name, week });
    }
    let language = args.database.naming.language_of_moves(args.readers());
    let mut rows = WeekRow::all(&weeks, language);
    let now = Moment::from_seconds(clock::now());
    for OpenRepertoire { database, info, .. } in &books {
        let progress = Learned::of(&database.training_deck(&info.name, now)?, &[], now);
        let Outlook { due, tomorrow, week, new, .. } = progress.outlook;
        let departures = counts("; ", [(progress.departures, "where games left the book")]);
        let text =
            format!("{due} due, {tomorrow} tomorrow, {week} in a week, {new} new{departures}");
        rows.push(WeekRow::due(&info.name, info.color, &text));
    }
    let games: u32 = weeks.iter().map(|of| of.week.games).sum();
    write(args, rows, games, catalogue)?;
    Ok(if read.is_some_and(|read| read.is_partial) { Outcome::Incomplete } else { Outcome::Done })
}

/// The games of the inputs that are the user's.
struct Added {
    games: Vec<KeptGame>,
    /// Whether an input could not be read to its end.
    is_partial: bool,
}

/// Adds the games of the inputs to the repertoires; `None` if no input can be read.
fn add_games(args: &WeekArgs) -> Result<Option<Added>, Failure> {
    let infos = OpenRepertoire::infos(&args.database, args.repertoire.as_deref())?;
    let classifier = Classifier::new(args.database.naming.catalogue()?);
    let paths = inputs(&args.input.inputs, "week")?;
    let inputs = GameInputs::find(&paths, &[])?;
    inputs.check_output(&args.database.db)?;
    let me = settings::all("me");
    let mut players: Vec<String> = infos.iter().flat_map(|info| info.players.clone()).collect();
    if infos.iter().any(|info| info.players.is_empty()) {
        if me.is_empty() {
            return refuse(format!("whose games are yours? {}", settings::HOW_TO_NAME));
        }
        players.extend(me.clone());
    }
    players.sort();
    players.dedup();
    let mut selection = Selection::default();
    selection.players = players.iter().map(|name| eco::select::Player::asked(name)).collect();
    selection.see_from_players();
    let selected = SelectedGames::new(selection.clone(), players, classifier)?;
    let run = GamesRun::new(inputs, selected, Results::Elsewhere, &args.run);
    let reader = KeptGameReader::with_classifier(selection, classifier);
    let (mut games, mut seen) = (Vec::new(), HashSet::new());
    let read = run.keep(&reader, |read| {
        let is_new = |game: &KeptGame| seen.insert(game.fingerprint());
        games.extend(read.into_iter().flatten().filter(is_new));
        Ok(())
    })?;
    let Some(read) = read else { return Ok(None) };
    run.progress.finish(read);
    undo_on_signals(&args.database.db);
    for info in &infos {
        let players = if info.players.is_empty() { me.clone() } else { Vec::new() };
        let settings = RepertoireSettings { players, ..RepertoireSettings::default() };
        let workers: Workers = options(&args.run).workers;
        let mut build = RepertoireBuild::begin(&args.database.db, &info.name, &settings, &workers)?;
        build.add(games.iter().cloned().map(Some))?;
        let report = build.finish(clock::now())?;
        if !args.run.quiet {
            let (added, name) = (counted(report.added, "game"), sanitize(info.name.as_bytes()));
            let mut text = format!("{}: {name}: added {added}", args.database.db.display());
            if report.known > 0 {
                text += &format!(", {} known already", report.known);
            }
            say(&text);
        }
    }
    Ok(Some(Added { games, is_partial: run.progress.complaints() > 0 }))
}

/// The games of a repertoire of the last days up to its newest one.
fn latest_games(database: &Database, info: &RepertoireInfo) -> Result<Vec<KeptGame>, Failure> {
    let Some(collection) = database.games_of(info)? else { return Ok(Vec::new()) };
    let Some((_, newest)) = collection.dates else { return Ok(Vec::new()) };
    let mut games = Vec::new();
    let keep = &mut |game| games.extend(Week::has(&game, newest).then_some(game));
    database.kept_games(&collection, keep)?;
    Ok(games)
}

fn write(
    args: &WeekArgs,
    rows: Vec<WeekRow<'_>>,
    games: u32,
    catalogue: &Catalogue,
) -> Result<(), Failure> {
    let row_args = &args.rows;
    if args.is_page() {
        return write_page(args, rows, games);
    }
    if row_args.format() != Format::Table {
        return row_args.write_named(WeekRow::columns(), [catalogue], rows).map(drop);
    }
    let width = row_args.width();
    let mut text = format!("{} in your books\n", counted(games, "game"));
    for &kind in WeekKind::ALL {
        let of_kind: Vec<&WeekRow<'_>> = rows.iter().filter(|row| row.kind == kind).collect();
        text += &format!("\n{}", kind.title());
        if of_kind.is_empty() {
            text += &format!(": {}\n", kind.nothing());
            continue;
        }
        text += "\n";
        for row in of_kind {
            let said = sanitize(row.text.as_bytes());
            let lines = lines_of(&said, width.saturating_sub(4));
            let indented = (0..)
                .zip(lines)
                .map(|(n, line)| format!("{}{line}\n", if n == 0 { "  " } else { "    " }));
            text.extend(indented);
        }
    }
    text += "\n`eco train` begins where games left the book; `eco repertoire edit` adds lines.\n";
    row_args.write_text(&text)
}

/// Writes the page to the file that is named, or to one that is shown in the browser.
fn write_page(args: &WeekArgs, rows: Vec<WeekRow<'_>>, games: u32) -> Result<(), Failure> {
    let mut topic = Topic::default();
    topic.title = format!("{} in your books", counted(games, "game"));
    topic.sources = file_names(&args.input.inputs);
    let html = WeekPage { topic, rows }.to_html();
    let write = |out: &mut dyn Write| out.write_all(html.as_bytes());
    let files = GameInputs::find(&args.input.inputs, &[])?.files();
    let path = args.rows.output();
    match path {
        None if args.open => {
            let file = tempfile::Builder::new().prefix("eco-week-").suffix(".html").tempfile()?;
            write(&mut file.as_file())?;
            let (_, path) = file.keep()?;
            return show(&path);
        }
        None if stdout().is_terminal() => {
            return refuse("a page is for a browser; --open, or name a file with -o x.html");
        }
        path => stream_to(path, &files, write)?,
    }
    path.filter(|_| args.open).map_or(Ok(()), show)
}

fn show(path: &Path) -> Result<(), Failure> {
    let path: PathBuf = std::path::absolute(path)?;
    say(&path.display());
    browser::open(&format!("file://{}", path.display())).map_err(Failure::from)
}
