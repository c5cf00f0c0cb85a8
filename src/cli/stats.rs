//! `eco stats`.

use clap::Args;
use eco::output::{ColumnSet, StatsValue, Value, finding_columns, stats_columns};
use eco::quoted::counted;
use eco::select::{GameInfo, Selection};
use eco::stats::{
    Counted, Counter, Finding, Findings, GroupBy, Grouping, Number, Perspective, RowKind,
    RowOptions, SortBy, SortOrder, Subject, Totals, is_question,
};
use eco::{catalogue::Catalogue, chess::Color, classify::Classifier, executor::Executor};

use super::args::{Format, GamesArgs, RunArgs};
use super::games::{GameBlock, GameInputs, games_of};
use super::outcome::{Failure, Interruption, Outcome, refuse, say};
use super::row_writer::{RowLayout, RowWriter};
use super::run::{Counts, GamesRun, nothing_counted};
use super::selection::{SelectedGames, SelectionArgs};
use super::{completion, repeats::UniqueArgs, replace::Inputs, rows::RowArgs, terminal::lines_of};

const FIELDS: &str = "\
Examples:
  eco stats games.pgn
  eco stats games.pgn --by family --min-games 2
  eco stats games.pgn --by year,volume --limit 3
  eco stats games.pgn --by player --sort performance
  eco stats games.pgn --by family --sort score:asc
  eco stats games.pgn --by rating-gap --format csv > gaps.csv
  eco stats games.pgn --player 'Robert James Fischer' --by color,eco
  eco stats games.pgn --weaknesses

Fields (--by), one or two:
  eco, volume, family,       of the opening; a code has the name of its shortest
  variation, opening         line
  color, player, opponent    each game counts for White and for Black
  year, month, weekday,      of the date; hour of UTCTime, or else Time
  hour
  season                     the quarter of the year
  speed, time-control,       rated: played for ratings; termination: in the
  rated, event,              same words for every site
  termination, result
  rating, rating-gap         bands of 200 of the mean of both ratings, bands of
                             100 of their difference
  transposed, error          whether the move order differs from the opening's
                             line; what is wrong with the game
  first-moves:N, tag:NAME    the first N plies; any tag

";

const NOTES_ON_COLUMNS: &str = "\
What some of them are:
  score      percent, of games with a result
  diff       score minus what ratings and colour predict, in points
  certainty  whether diff may be luck: sure is not, with all rows considered (a
             false discovery rate of 10 %); maybe is not, if the row is
             considered alone; unclear may be
  rated      games with both ratings
  low, high  the 95 % interval of the score, by Wilson
  per_1000   games per 1,000 of all, or of the outer group
  evaluated  games with [%eval] at the last named position; eval is its mean in
             centipawns, from White's or the player's side
  timed      games with [%clk] or [%emt] up to there; time is the mean of the
             seconds that White, or the player, spent
  row        group, or with --totals also all, total and others

--strengths and --weaknesses list what scores above or below the level of all
games: of a player colours, families, variations, first moves, speeds, hours,
weekdays, time controls, seasons, opponents by strength; of an archive openings,
first moves and speeds. --by asks some of these, or other fields. The largest
comes first, and what it explains is taken from the others; at most one in ten
of all that is listed is false, on average. diff is against the level of these
games, diff_ratings against the ratings alone; estimate is what is left of diff
without other findings and luck; q the rate of false ones with which it is the
last on the list. docs/stats.md has the method.

Exit codes: 0 success; 1 success, but an input could not be read to its end; 2 failure.";

fn help() -> String {
    let names = Number::names().collect::<Vec<_>>().join(", ");
    let columns = format!(
        "Columns: {names}, certainty, row; won, drawn and lost are of a player. A table has games, \
         how they ended, score, diff and certainty, and with --detail all."
    );
    format!("{FIELDS}{}\n\n{NOTES_ON_COLUMNS}", lines_of(&columns, 80).join("\n"))
}

/// Count what was played and how it scored.
///
/// Games are grouped by opening or another field. Each group has its score with an interval, and
/// the score that ratings predict.
#[derive(Debug, Args)]
#[command(after_long_help = help(), after_help = "See --help for details and examples.")]
pub(super) struct StatsArgs {
    #[command(flatten)]
    games: GamesArgs,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    repeats: UniqueArgs,

    /// Group by this field, or by two, the second within the first [default: variation, and for a
    /// player the colour too]; with --strengths or --weaknesses, ask for these [default: all]
    #[arg(long, value_name = "FIELD[,FIELD]", value_parser = parse_by)]
    #[arg(add = completion::groups())]
    by: Option<By>,

    /// Print rows for all games, and for groups without a row, in every format; a table always has
    /// them
    #[arg(long)]
    totals: bool,

    /// Show intervals, expectation, performance and dates
    #[arg(long)]
    detail: bool,

    /// Sort by this column: numbers from the greatest, with :asc from the least; the field from the
    /// least, with :desc from the greatest. A table shows it after the games [default: games; years
    /// and the like in their order]
    #[arg(long, value_name = "COLUMN[:asc]", add = completion::numbers())]
    sort: Option<Sort>,

    /// Combine groups with fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,

    /// Show openings, speeds, hours and others that score above the level of all games
    #[arg(long, conflicts_with_all = ["weaknesses", "sort", "min_games"])]
    strengths: bool,

    /// Show those that score below it
    #[arg(long, conflicts_with_all = ["sort", "min_games"])]
    weaknesses: bool,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// What rows are sorted by, and in which direction if that is given.
#[derive(Debug, Clone)]
struct Sort {
    column: String,
    order: Option<SortOrder>,
}

impl From<&str> for Sort {
    fn from(text: &str) -> Self {
        let (column, order) = match text.rsplit_once(':') {
            Some((column, "asc")) => (column, Some(SortOrder::Ascending)),
            Some((column, "desc")) => (column, Some(SortOrder::Descending)),
            _ => (text, None),
        };
        Self { column: column.to_owned(), order }
    }
}

/// One field or two.
type By = Vec<GroupBy>;

impl StatsArgs {
    /// What games are grouped by. A player is another one as White than as Black.
    fn by(&self, selection: &Selection) -> Vec<GroupBy> {
        let by = self.by.clone().unwrap_or_else(|| vec![GroupBy::Variation]);
        let is_free = self.by.is_none() || self.is_table();
        let has_colors = selection.asks_for_players() && selection.color.is_none();
        match &by[..] {
            _ if self.has_findings() => self.by.clone().unwrap_or_default(),
            [field] if field.is_opening() && is_free && has_colors => {
                vec![GroupBy::Color, field.clone()]
            }
            _ => by,
        }
    }

    fn has_findings(&self) -> bool {
        self.strengths || self.weaknesses
    }

    fn is_table(&self) -> bool {
        self.rows.format() == Format::Table
    }

    /// Whether there may be columns of what comments say.
    fn shows_comments(&self) -> bool {
        self.detail || self.sort.is_some() || !self.is_table()
    }
}

fn parse_by(text: &str) -> Result<By, String> {
    let fields: Result<Vec<GroupBy>, _> = text.split(',').map(|name| name.trim().parse()).collect();
    match fields.map_err(|error| error.to_string())? {
        fields if fields.len() > 2 => Err("at most two fields can be nested".to_owned()),
        fields if fields.len() == 2 && fields[0] == fields[1] => {
            Err(format!("{} is named twice", fields[0]))
        }
        fields => Ok(fields),
    }
}

/// What is printed.
enum Listing {
    Rows {
        options: RowOptions,
        layout: RowLayout<StatsValue>,
    },
    Findings {
        tendency: Tendency,
        subject: Subject,
        /// The colour of those that are listed; `None` for both.
        color: Option<Color>,
        layout: RowLayout<fn(&Finding) -> Value<'_>>,
    },
}

/// Which findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tendency {
    Strengths,
    Weaknesses,
}

impl Listing {
    fn new(
        args: &StatsArgs,
        by: &[GroupBy],
        subject: Subject,
        selection: &mut Selection,
        catalogue: &Catalogue,
    ) -> Result<Self, Failure> {
        let tendency = match (args.strengths, args.weaknesses) {
            (true, _) => Tendency::Strengths,
            (_, true) => Tendency::Weaknesses,
            _ => {
                let columns = columns(args, by, subject);
                let layout = args.rows.layout(columns, [catalogue]);
                return Ok(Self::Rows { options: row_options(args, by, subject)?, layout });
            }
        };
        if let Some(field) = by.iter().find(|field| !is_question(field, subject)) {
            let whose = match subject {
                Subject::Archive => "of an archive; name a player with --player, or ask",
                Subject::Players => "; ask",
            };
            return refuse(format!(
                "{field} is no strength or weakness {whose} --by family, variation, speed or others"
            ));
        }
        let layout = args.rows.layout(finding_columns(by, subject), [catalogue]);
        // Games of both colours decide what is expected, and what stands out.
        let color = if subject == Subject::Players { selection.color.take() } else { None };
        Ok(Self::Findings { tendency, subject, color, layout })
    }

    /// What counts the games.
    fn counter(&self, args: &StatsArgs, catalogue: &Catalogue, by: &[GroupBy]) -> Counter {
        match self {
            Self::Rows { .. } => {
                let counter = Counter::new(catalogue, &[Grouping::new(by.to_vec())]);
                if args.shows_comments() { counter.with_comments() } else { counter }
            }
            Self::Findings { subject, .. } => Counter::for_findings(catalogue, *subject, by),
        }
    }

    fn open(&self, args: &RowArgs, inputs: &Inputs) -> Result<RowWriter, Interruption> {
        match self {
            Self::Rows { layout, .. } => args.open(layout, inputs),
            Self::Findings { layout, .. } => args.open(layout, inputs),
        }
    }

    /// Writes the rows of what was counted. Returns what is to be said of them.
    fn write(
        &self,
        counted: &Counted,
        limit: usize,
        writer: &mut RowWriter,
    ) -> Result<Option<String>, Interruption> {
        match self {
            Self::Rows { options, layout } => {
                let breakdown = &counted.breakdowns[0];
                // The colours are apart because what is expected of them is.
                let is_table = options.totals == Totals::Shown;
                let has_colors = is_table && breakdown.by.first() == Some(&GroupBy::Color);
                breakdown.try_each_row(options, &mut |row| match row.kind {
                    RowKind::All if has_colors && row.values.len() > 1 => Ok(()),
                    _ => writer.push(layout, &row),
                })?;
                Ok(None)
            }
            Self::Findings { tendency, subject, color, layout } => {
                let mut findings = counted.findings.clone().unwrap_or_default();
                if let Some(color) = color {
                    findings = findings.with_color(*color);
                }
                let found = match tendency {
                    Tendency::Strengths => &findings.strengths,
                    Tendency::Weaknesses => &findings.weaknesses,
                };
                if found.is_empty() {
                    writer.without_table();
                    return Ok(Some(nothing_found(&findings, *tendency)));
                }
                found.iter().take(limit).try_for_each(|finding| writer.push(layout, finding))?;
                Ok(Some(note(&findings, *subject)))
            }
        }
    }
}

/// Says that there are no findings, and what would have been found.
fn nothing_found(findings: &Findings, tendency: Tendency) -> String {
    let is_strength = tendency == Tendency::Strengths;
    let (option, side) =
        if is_strength { ("--strengths", "above") } else { ("--weaknesses", "below") };
    if findings.looked_at == 0 {
        return format!(
            "nothing has the 20 rated games that a finding needs, and as many others to compare \
             them with; read more games, drop conditions, or leave out {option} to see all \
             openings"
        );
    }
    format!(
        "none of {} with 20 rated games or more scores {side} the level of all games; {}; leave \
         out {option} to see all openings",
        counted(findings.looked_at, "value"),
        detectable(findings)
    )
}

/// Says what would have been found.
fn detectable(findings: &Findings) -> String {
    let [hundred, four] = [100, 400].map(|games| (100.0 * findings.detectable(games)).ceil());
    let sampled = match findings.one_in {
        0 | 1 => String::new(),
        several => format!("; one game in {several} was looked at"),
    };
    format!(
        "with 100 games {hundred:.0} points would have been found, with 400 games {four:.0}{sampled}"
    )
}

/// The columns of the format. A table has those that were asked for.
fn columns(args: &StatsArgs, by: &[GroupBy], subject: Subject) -> ColumnSet<StatsValue> {
    let columns = stats_columns(by, subject);
    // The difference of a table has a word beside it.
    let numbers = Number::all().map(|number| number.name(subject)).filter(|name| *name != "diff");
    let numbers = numbers.filter(|_| args.detail);
    let columns = numbers.fold(columns, ColumnSet::for_everyone);
    // What rows are sorted by is in sight.
    let sort = args.sort.as_ref().map_or("games", |sort| &sort.column);
    let is_shown =
        ["white", "draws", "black", "won", "drawn", "lost", "score", "diff"].contains(&sort);
    if is_shown { columns } else { columns.sooner_for_humans(sort, "games") }
}

/// Says how findings were found.
fn note(findings: &Findings, subject: Subject) -> String {
    let level = &findings.level;
    let expected = match subject {
        Subject::Archive => format!(
            "White is worth {:+.0} rating points, and a point of rating difference {:.2}",
            level.white, level.slope
        ),
        Subject::Players => format!(
            "the level of these games is {:+.0} rating points, and White is worth {:.0}",
            level.own, level.white
        ),
    };
    format!(
        "{} of {} with at least 20 rated games, of which at most one in ten is false on average; \
         expected: {expected}; {}",
        findings.strengths.len() + findings.weaknesses.len(),
        counted(findings.looked_at, "value"),
        detectable(findings)
    )
}

fn row_options(args: &StatsArgs, by: &[GroupBy], subject: Subject) -> Result<RowOptions, Failure> {
    let mut options = RowOptions::default();
    options.top = Some(args.rows.most_listed());
    options.min_games = args.min_games;
    options.subject = subject;
    let has_totals = args.totals || args.is_table();
    options.totals = if has_totals { Totals::Shown } else { Totals::Hidden };
    let Some(Sort { column, order }) = &args.sort else { return Ok(options) };
    options.order = *order;
    let is_value = by.iter().any(|field| field.column() == *column);
    options.sort = Some(match column.parse::<Number>() {
        Ok(number) => SortBy::Number(number),
        Err(_) if is_value => SortBy::Value,
        Err(error) => return refuse(error.to_string()),
    });
    Ok(options)
}

pub(super) fn run(args: &StatsArgs) -> Result<Outcome, Failure> {
    let mut selection = args.selection.selection()?;
    let by = args.by(&selection);
    // Groups of a side are of players; for findings who is asked for is chosen, whatever is asked.
    let has_sides = !args.has_findings() && by.iter().any(GroupBy::is_of_a_side);
    let subject = if has_sides { Subject::Players } else { Subject::of(&selection) };
    let paths = games_of(&args.games, "stats")?;
    let catalogue = args.games.database.naming.catalogue_for(args.rows.readers())?;
    let listing = Listing::new(args, &by, subject, &mut selection, catalogue)?;
    let inputs = GameInputs::of(&paths, &args.games)?;
    let empty = listing.counter(args, catalogue, &by);
    let classifier = Classifier::new(catalogue);
    let selected = SelectedGames::new(selection, args.selection.conditions.people(), classifier)?;
    let run = GamesRun::new(inputs, selected, args.rows.results(), &args.run).of_selected();
    run.outcome(count(args, &run, classifier, &empty, &listing))
}

impl Counts for Counter {
    fn group_count(&self) -> usize {
        self.group_count()
    }

    fn merge(&mut self, other: Self, _: &impl Executor) {
        self.merge(other);
    }
}

/// Counts the games and writes the rows.
fn count(
    args: &StatsArgs,
    run: &GamesRun<'_>,
    classifier: Classifier<'_>,
    empty: &Counter,
    listing: &Listing,
) -> Result<(), Interruption> {
    let mut writer = listing.open(&args.rows, &run.inputs.files())?;
    // The limit is that of each group.
    writer.limit(usize::MAX);
    let selected = &run.selected;
    let count = |counter: &mut Counter, GameBlock { source, block, turn, .. }: GameBlock<'_>| {
        selected.each_scored(&block, &classifier, turn, |game, scored, sides| {
            let info = counter.needs_more_tags().then(|| GameInfo::read(game));
            counter.add(scored, info.as_ref(), &source, Perspective::of(sides));
        });
    };
    let repeats = args.repeats.repeats();
    let counted = run.count(empty, repeats.as_ref(), count);
    run.progress.finish(counted.as_ref().map_or(0, |(_, counted)| counted.games()));
    let (games, counted) = counted?;
    if run.is_unread(games) {
        return Ok(());
    }
    let catalogue = classifier.catalogue();
    let mut counted = counted.finish(catalogue);
    counted.left_out.repeats = repeats.map_or(0, |repeats| repeats.count());
    run.check_people()?;
    let note = listing.write(&counted, args.rows.most_listed(), &mut writer)?;
    writer.finish()?;
    if !args.run.quiet {
        let notes = note.into_iter().chain(left_out(&counted));
        // Games of other variants are among those that are left out.
        let is_nothing = counted.games == 0 && counted.left_out.variants == 0;
        let notes = notes.chain(is_nothing.then(|| nothing_counted(games, 0)));
        notes.for_each(|note| say(&note));
    }
    Ok(())
}

/// Says what was left out, and why.
fn left_out(found: &Counted) -> Option<String> {
    let notes = found.left_out.notes();
    let notes = notes.map(|(count, why)| format!("{} {why}", counted(count, "game")));
    let (notes, games) = (notes.collect::<Vec<_>>().join("; "), counted(found.games, "game"));
    (!notes.is_empty()).then(|| format!("{games} counted; {notes}"))
}
