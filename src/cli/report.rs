//! `eco report`.

use std::ffi::OsStr;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use eco::repertoire::{Book, Costs, Follower};
use eco::report::{Compared, Departures, Page, Topic, title};
use eco::select::{GameInfo, Player, Selection, Selector};
use eco::stats::{Perspective, Report, ReportCounter, ScoredGame, Subject};
use eco::store::{Database, RepertoireInfo};
use eco::{chess::Color, pgn::GameDate};
use eco::{classify::Classifier, executor::Executor, output::to_json};

use super::args::{GamesArgs, Readers, RunArgs};
use super::games::{GameBlock, GameInputs, inputs_or};
use super::outcome::{Failure, Interruption, Outcome, refuse};
use super::run::{Counts, GamesRun, nothing_counted};
use super::selection::{SelectedGames, SelectionArgs};
use super::{completion, output::Output, progress::Results, repeats::UniqueArgs};

const HELP: &str = "\
Examples:
  eco report games.pgn -o report.html
  eco report games.pgn --player 'Robert James Fischer' -o fischer.html
  eco report games.pgn --player 'Robert James Fischer' --compare 'Boris Spassky' -o two.html
  eco report games.pgn --since 1950 --title 'Since 1950' -o recent.html
  eco report games.pgn --format json > report.json

The page is a single file: it needs no network, and a script only to sort tables. The same games
give the same page, with any number of threads. Below each picture is a table with its numbers;
--format json has all of them.

Scores are of games with a result, and have 95 % intervals by Wilson. What stands out is what
`eco stats --strengths` and --weaknesses list; `eco stats --help` has the formulas, and says what is
expected.

With --player, games as White and as Black are separate, and findings list the latest games won and
lost: links if the tags have an address, otherwise file and number. With --repertoire, the page has
a table of the moves that left it, as `eco repertoire check` has; without --player, it follows the
games of the players of the repertoire.

Exit codes: 0 success; 1 success, but an input could not be read to its end, or no game was counted,
and nothing was written; 2 failure.";

/// Show what was played and how it scored, on one page with pictures.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ReportArgs {
    #[command(flatten)]
    games: GamesArgs,

    /// Write to FILE, which appears only when it is complete [default: standard output, unless that
    /// is a terminal]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Output format [default: by the name of the output file; else html]
    #[arg(long, short, value_enum)]
    format: Option<ReportFormat>,

    /// Title of the page [default: who played, and what stands out most]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Show where the games left this repertoire of the position database
    #[arg(long, value_name = "NAME", add = completion::repertoires())]
    #[arg(conflicts_with = "unique")]
    repertoire: Option<String>,

    /// Show the differences from the same games of another player, or of a year
    #[arg(long, value_name = "NAME|YEAR", conflicts_with = "unique")]
    compare: Option<String>,

    #[command(flatten)]
    repeats: UniqueArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    selection: SelectionArgs,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// A page for a browser
    Html,
    /// All its numbers
    Json,
}

impl ReportArgs {
    /// The file to write to; `None` for standard output.
    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// The format that is asked for, or that the name of the file promises.
    fn format(&self) -> Result<ReportFormat, Failure> {
        let path = self.output().filter(|_| self.format.is_none());
        let ending = path.and_then(|path| path.extension()).and_then(OsStr::to_str);
        match (self.format, ending.map(str::to_ascii_lowercase).as_deref()) {
            (Some(format), _) => Ok(format),
            (None, Some("json")) => Ok(ReportFormat::Json),
            (None, None | Some("html" | "htm" | "xhtml")) => Ok(ReportFormat::Html),
            (None, Some(_)) => refuse(format!(
                "{}: a report is HTML or JSON: name the file so, or give --format; `eco stats` \
                 writes tables",
                path.unwrap_or(Path::new("")).display()
            )),
        }
    }
}

pub(super) fn run(args: &ReportArgs) -> Result<Outcome, Failure> {
    let format = args.format()?;
    if args.output.is_none() && format == ReportFormat::Html && stdout().is_terminal() {
        return refuse("a page is for a browser; name a file with -o report.html");
    }
    let mut selection = args.selection.selection()?;
    let paths = inputs_or(&args.games.input.inputs, &args.games.database.db, "report")?;
    let is_page = format == ReportFormat::Html;
    let readers = if is_page { Readers::People } else { Readers::Programs };
    let catalogue = args.games.database.naming.catalogue_for(readers)?;
    let repertoire = open_repertoire(args)?;
    let inputs = GameInputs::of(&paths, &args.games)?;
    let classifier = Classifier::new(catalogue);
    let follower = repertoire.as_ref().map(|(info, book)| {
        Follower::new(book, Selector::new(followed(&selection, info), classifier))
    });
    let other = args.compare.as_ref().map(|asked| other_selection(&selection, asked));
    let beside = other.as_ref().map(|other| ReportCounter::new(catalogue, Subject::of(other)));
    let other = other.map(|other| Selector::new(other, classifier));
    let mut counter = ReportCounter::new(catalogue, Subject::of(&selection));
    // Expectation and findings are computed from the games of both colours.
    if let Some(color) = selection.color.take() {
        counter = counter.with_color(color);
    }
    let selected = SelectedGames::new(selection, args.selection.conditions.people(), classifier)?;
    let mut run = GamesRun::new(inputs, selected, Results::Elsewhere, &args.run);
    if other.is_none() {
        run = run.of_selected();
    }
    let costs = Costs::default();
    let counted =
        Counting { classifier, follower, other, format, empty: Part { counter, costs, beside } };
    let name = repertoire.as_ref().map(|(info, _)| info.name.as_str());
    run.outcome(counted.write(args, &run, &paths, name))
}

/// The games that others are compared with: of a year, or of another player.
fn other_selection(selection: &Selection, asked: &str) -> Selection {
    let mut other = selection.clone();
    match asked.parse().ok().filter(|_: &GameDate| asked.len() == 4) {
        Some(year) => (other.since, other.until) = (Some(year), Some(year)),
        None => other.players = vec![Player::asked(asked)],
    }
    other
}

/// The repertoire that was asked for.
fn open_repertoire(args: &ReportArgs) -> Result<Option<(RepertoireInfo, Book)>, Failure> {
    let Some(name) = &args.repertoire else { return Ok(None) };
    let database = Database::open(&args.games.database.db)?;
    let info = database.repertoire(name)?;
    let book = database.book_by(&info.name, info.rule)?;
    Ok(Some((info, book)))
}

/// Which games are followed through a repertoire.
fn followed(selection: &Selection, info: &RepertoireInfo) -> Selection {
    let mut followed = selection.clone();
    if !selection.asks_for_players() {
        followed.players = info.players.iter().map(|name| Player::asked(name)).collect();
    }
    // Games in which the players have the other colour are not followed.
    if followed.color.is_none() && followed.asks_for_players() {
        followed.color = Some(info.color);
    }
    followed
}

/// How games are counted.
struct Counting<'r> {
    classifier: Classifier<'r>,
    /// What follows games through a repertoire, if one was asked for.
    follower: Option<Follower<'r>>,
    /// What selects the games of a comparison.
    other: Option<Selector<'r>>,
    format: ReportFormat,
    /// What is counted before the first game.
    empty: Part,
}

/// What is counted of a part of the games.
#[derive(Clone)]
struct Part {
    counter: ReportCounter,
    costs: Costs,
    /// The games of a comparison.
    beside: Option<ReportCounter>,
}

impl Counts for Part {
    fn group_count(&self) -> usize {
        self.counter.group_count()
    }

    fn merge(&mut self, other: Self, executor: &impl Executor) {
        self.counter.merge_on(other.counter, executor);
        self.costs.merge(&other.costs);
        if let (Some(own), Some(other)) = (&mut self.beside, other.beside) {
            own.merge_on(other, executor);
        }
    }
}

impl Counting<'_> {
    fn write(
        &self,
        args: &ReportArgs,
        run: &GamesRun<'_>,
        paths: &[PathBuf],
        repertoire: Option<&str>,
    ) -> Result<(), Interruption> {
        let mut out = Output::open(args.output(), &run.inputs.files())?;
        let (selected, repeats) = (&run.selected, args.repeats.repeats());
        let count = |part: &mut Part, block: GameBlock<'_>| self.count(selected, part, block);
        let counted = run.count(&self.empty, repeats.as_ref(), count);
        run.progress.finish(counted.as_ref().map_or(0, |(games, _)| *games));
        let (games_read, counted) = counted?;
        run.check_people()?;
        let workers = &run.options.workers;
        let mut report = counted.counter.finish_on(self.classifier.catalogue(), workers);
        report.left_out.repeats = repeats.map_or(0, |repeats| repeats.count());
        if report.games == 0 {
            if !run.is_unread(games_read) {
                let why = nothing_counted(games_read, report.left_out.variants);
                run.progress.complain(&format_args!("{why}; nothing was written"));
            }
            return Ok(());
        }
        let topic = topic(args, paths, games_read, &report);
        let mut page = Page::new(topic, report);
        if let (Some(name), Some(follower)) = (repertoire, &self.follower) {
            page.departures = Some(Departures::new(name, follower, &counted.costs));
        }
        if let (Some(beside), Some(name)) = (counted.beside, &args.compare) {
            let report = beside.finish_on(self.classifier.catalogue(), workers);
            if report.games == 0 {
                return refuse(format!("--compare {name}: no game of that"));
            }
            page.compared = Some(Compared::new(name, report));
        }
        let text = match self.format {
            ReportFormat::Html => {
                page.in_language(self.classifier.catalogue().language()).to_html(workers)
            }
            ReportFormat::Json => to_json(&page) + "\n",
        };
        out.put(text.as_bytes())?;
        out.finish()
    }

    /// Counts the selected games of a block.
    fn count(&self, selected: &SelectedGames<'_>, part: &mut Part, block: GameBlock<'_>) {
        let GameBlock { source, block, turn, .. } = block;
        if let Some(follower) = &self.follower {
            block.games().for_each(|game| part.costs.add(follower, &follower.follow(&game)));
        }
        let source = file_name(&source);
        if let (Some(other), Some(beside)) = (&self.other, &mut part.beside) {
            for game in block.games() {
                let Some(found) = other.select(&GameInfo::read(&game)) else { continue };
                let sides: Vec<Color> = found.sides().collect();
                let scored = ScoredGame::read(&self.classifier, &game);
                beside.add(&scored, source, Perspective::of(&sides));
            }
        }
        selected.each_scored(&block, &self.classifier, turn, |_, scored, sides| {
            part.counter.add(scored, source, Perspective::of(sides));
        });
    }
}

/// What the report is about.
fn topic(args: &ReportArgs, inputs: &[PathBuf], games_read: u64, report: &Report) -> Topic {
    let who = args.selection.conditions.player.join(" and ");
    let mut topic = Topic::default();
    topic.title = args.title.clone().unwrap_or_else(|| title(&who, report));
    topic.sources = file_names(inputs);
    topic.selection = args.selection.as_typed();
    topic.games_read = games_read;
    topic
}

/// Files without their folders: a page is shared, and they say nothing to others.
pub(super) fn file_names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| file_name(&path.to_string_lossy()).to_owned()).collect()
}

fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path)
}
