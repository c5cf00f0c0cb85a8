//! `eco classify`.

use std::{
    io::{self, Write, stdout},
    sync::Arc,
};

use clap::Args;
use eco::{
    catalogue::Catalogue,
    classify::{Classifier, reference::Reference},
    output::{
        ExplanationFormat, Field, GameRow, Layout, Row, SummaryRow, Value, parse_fields,
        write_explanation,
    },
    pgn::{Block, Chunk, source::Source},
    pipeline::{self, Options},
    stats::Summary,
};

use super::{
    args::{Format, InputArgs, NamingArgs, RunArgs},
    games::{feed_all, find_sources, inputs, options, total_size},
    masters::own_catalogue_at,
    outcome::{Failure, Outcome, complain},
    progress::{Progress, Shows},
};

const HELP: &str = "\
Examples:
  eco classify games.pgn
  eco classify ~/chess --format csv > openings.csv
  eco classify lichess_db.pgn.zst --fields game,eco,opening,ply
  eco classify games.pgn --summary
  eco classify games.pgn --explain

Fields (--fields): source, game, white, black, result, date, eco, opening, family, variation,
subvariation, ply, transposed, key, error, move_order_eco, move_order_opening, book_exit, master,
master_version; or all.

Exit codes: 0 success; 1 success, but an input could not be read to its end (or, with --strict, a
game had an error); 2 failure.";

/// Name the opening of every game.
///
/// Inputs are PGN files, plain or compressed with gzip, bzip2, xz, zstd or zip (detected from
/// content); folders, searched for *.pgn, *.pgn.gz (bz2, xz, zst) and *.zip; or - for standard
/// input.
///
/// A game is named after the last position of its main line that the catalogue knows, whatever the
/// move order. Without --db that is the built-in catalogue, from lichess.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ClassifyArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    naming: NamingArgs,

    /// Output format [default: table on a terminal, tsv otherwise]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// The fields to print, in this order, separated by commas; `all` for every field
    #[arg(long, value_name = "LIST", value_parser = |list: &str| parse_fields(list).map(Fields))]
    fields: Option<Fields>,

    /// Omit the header row of table, tsv and csv
    #[arg(long)]
    no_header: bool,

    /// Count games by code and by family instead of listing them
    #[arg(long, conflicts_with = "fields")]
    summary: bool,

    /// Explain each name: the deciding position, the named positions on the line, and the name by
    /// move order
    #[arg(long, conflicts_with_all = ["fields", "summary"])]
    explain: bool,

    /// Exit with 1 if a game has an error, and check moves up to ply 40 even where no other name
    /// can be reached
    #[arg(long)]
    strict: bool,

    /// Name games by the reference classifier, which is slow and simple, to check a verdict
    #[arg(long, conflicts_with = "explain")]
    reference: bool,

    #[command(flatten)]
    run: RunArgs,
}

/// The list of fields to print.
#[derive(Debug, Clone)]
struct Fields(pub(super) Vec<Field>);

/// The result for a block of games.
struct Done {
    rows: Vec<u8>,
    summary: Summary,
}

/// The expected length of a row in bytes; longer ones are rare.
const ROW_LENGTH: usize = 160;

/// What is printed for each game.
enum Listing {
    /// A row.
    Rows {
        layout: Layout<for<'r> fn(&'r GameRow<'_>) -> Value<'r>>,
        /// Whether a row needs the trace of its game.
        needs_trace: bool,
    },
    /// An explanation of its name.
    Explanations(ExplanationFormat),
    /// Nothing; games are only counted.
    Counts,
}

impl Listing {
    fn new(args: &ClassifyArgs, format: Format) -> Result<Self, Failure> {
        match (args.summary, args.explain, args.format) {
            (true, _, _) => Ok(Self::Counts),
            (false, false, _) => Ok(Self::rows(args, format)),
            (false, true, None | Some(Format::Table)) => {
                Ok(Self::Explanations(ExplanationFormat::Text))
            }
            (false, true, Some(Format::Jsonl)) => Ok(Self::Explanations(ExplanationFormat::Json)),
            (false, true, Some(_)) => {
                let hint = "explanations are text, or objects with --format jsonl";
                Err(Failure(format!("{hint}; for tables there are fields (--fields)")))
            }
        }
    }

    fn rows(args: &ClassifyArgs, format: Format) -> Self {
        let fields = args.fields.as_ref().map_or(default_fields(format), |fields| &fields.0);
        Self::Rows {
            layout: format.layout(Field::columns(fields)),
            needs_trace: fields.iter().any(|field| field.needs_trace()),
        }
    }

    /// What stands above the rows, if there are any.
    fn header(&self) -> Vec<u8> {
        match self {
            Self::Rows { layout, .. } => layout.header(),
            Self::Explanations(_) | Self::Counts => Vec::new(),
        }
    }
}

pub(super) fn run(args: &ClassifyArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.input.inputs, "classify")?;
    let stored = own_catalogue_at(args.naming.db.as_deref())?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let format = args.format.unwrap_or_else(Format::for_stdout);
    let listing = Listing::new(args, format)?;
    let header = if args.no_header { Vec::new() } else { listing.header() };
    let options = options(&args.run);

    let (sources, errors) = find_sources(&inputs)?;
    let shows = if args.summary { Shows::OnlyTheEnd } else { Shows::Rows };
    let progress = Progress::new(total_size(&sources), shows, args.run.quiet);
    let mut classifier = Classifier::new(catalogue);
    let mut reference = args.reference.then(|| Reference::new(catalogue));
    if args.strict || args.explain {
        classifier = classifier.exhaustive();
        reference = reference.map(Reference::exhaustive);
    }
    let mut run =
        Run { classifier, reference, options, listing, progress, total: Summary::default() };
    errors.iter().for_each(|error| run.progress.complain(error));
    let written = write(&header).and_then(|()| run.classify(&sources)).and_then(|()| {
        if args.summary { write(&summary(args, format, &run.total)) } else { Ok(()) }
    });
    run.progress.finish(run.total.games);
    let errors = run.total.errors;
    if errors > 0 && !args.run.quiet && !args.summary {
        let games = run.total.games;
        complain(&format_args!("{errors} of {games} games have an error; see the field `error`"));
    }
    match written {
        // The reader has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Done),
        Err(error) => Err(Failure(format!("standard output: {error}"))),
        Ok(()) if run.progress.complaints() > 0 || (args.strict && errors > 0) => {
            Ok(Outcome::Incomplete)
        }
        Ok(()) => Ok(Outcome::Done),
    }
}

fn default_fields(format: Format) -> &'static [Field] {
    match format {
        Format::Table => Field::FOR_TABLES,
        Format::Tsv | Format::Csv | Format::Jsonl => Field::FOR_PROGRAMS,
    }
}

/// The rows of `--summary`, with their header.
fn summary(args: &ClassifyArgs, format: Format, total: &Summary) -> Vec<u8> {
    let layout = format.layout(SummaryRow::columns());
    let mut out = if args.no_header { Vec::new() } else { layout.header() };
    SummaryRow::all(total).iter().for_each(|row| layout.write(row, &mut out));
    out
}

/// A run over all sources.
struct Run<'r> {
    classifier: Classifier<'r>,
    /// Gives the verdicts instead, if it is there.
    reference: Option<Reference<'r>>,
    options: Options,
    listing: Listing,
    progress: Progress,
    total: Summary,
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

impl Run<'_> {
    fn classify(&mut self, sources: &[Source]) -> io::Result<()> {
        let (progress, options) = (&self.progress, &self.options);
        let (classifier, reference) = (self.classifier, self.reference.as_ref());
        let listing = &self.listing;
        let total = &mut self.total;
        let mut out = stdout().lock();
        pipeline::run(
            &options.workers,
            |push| feed_all(sources, options.blocks, push, progress),
            |(source, chunk): (Arc<str>, Chunk)| {
                work(classifier, reference, listing, &source, &chunk.into_block())
            },
            |done: Done| {
                total.merge(done.summary);
                progress.update(total.games);
                out.write_all(&done.rows)
            },
        )?;
        out.flush()
    }
}

/// Classifies the games of a block, and writes or counts them.
fn work(
    classifier: Classifier<'_>,
    reference: Option<&Reference<'_>>,
    listing: &Listing,
    source: &str,
    block: &Block,
) -> Done {
    let mut done = Done { rows: Vec::new(), summary: Summary::default() };
    if let Listing::Rows { .. } = listing {
        // Enough for the default fields.
        done.rows.reserve(ROW_LENGTH * block.game_count());
    }
    for game in block.games() {
        let classified = match reference {
            Some(reference) => reference.classify(&game),
            None => classifier.classify(&game),
        };
        let row = GameRow { source, number: game.number(), game: &classified, trace: None };
        match listing {
            Listing::Counts => {
                done.summary.add(&classified.verdict);
                continue;
            }
            Listing::Rows { layout, needs_trace: true } => {
                let trace = classifier.trace(&game);
                layout.write(&GameRow { trace: Some(&trace), ..row }, &mut done.rows);
            }
            Listing::Rows { layout, .. } => layout.write(&row, &mut done.rows),
            Listing::Explanations(format) => {
                let trace = classifier.trace(&game);
                let catalogue = classifier.catalogue();
                write_explanation(catalogue, &row, &trace, *format, &mut done.rows);
            }
        }
        done.summary.add_totals(&classified.verdict);
    }
    done
}
