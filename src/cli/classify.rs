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
        ExplanationFormat, Field, GameRows, Record, SUMMARY_COLUMNS, parse_fields,
        write_explanation, write_summary,
    },
    pgn::{
        Block, Piece,
        source::{Source, find_sources},
    },
    pipeline::{self, Options},
    stats::Summary,
};

use super::{
    args::{Format, InputArgs, NamingArgs, RunArgs},
    games::{feed_all, inputs, options, total_size},
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
enum Listing<'r> {
    /// A row.
    Rows(GameRows<'r>),
    /// An explanation of its name.
    Explanations(ExplanationFormat),
    /// Nothing; games are only counted.
    Counts,
}

impl<'r> Listing<'r> {
    fn new(args: &ClassifyArgs, rows: GameRows<'r>) -> Result<Self, Failure> {
        match (args.summary, args.explain, args.format) {
            (true, _, _) => Ok(Self::Counts),
            (false, false, _) => Ok(Self::Rows(rows)),
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
}

pub(super) fn run(args: &ClassifyArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.input.inputs, "classify")?;
    let stored = own_catalogue_at(args.naming.db.as_deref())?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let format = args.format.unwrap_or_else(Format::usual);
    let fields = args.fields.clone().map_or_else(|| default_fields(format), |fields| fields.0);
    let columns = if args.summary { SUMMARY_COLUMNS.to_vec() } else { Field::columns(&fields) };
    let rows = format.rows(&columns);
    let listing = Listing::new(args, GameRows::new(&*rows, &fields))?;
    let options = options(&args.run);

    let (sources, errors) = find_sources(&inputs);
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
    let mut header = Vec::new();
    if !args.no_header && !args.explain {
        rows.write_header(&columns, &mut header);
    }
    let written = if args.summary {
        run.classify(&sources).and_then(|()| {
            write_summary(&run.total, &*rows, &mut header);
            write(&header)
        })
    } else {
        write(&header).and_then(|()| run.classify(&sources))
    };
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

fn default_fields(format: Format) -> Vec<Field> {
    match format {
        Format::Table => Field::FOR_TABLES.to_vec(),
        Format::Tsv | Format::Csv | Format::Jsonl => Field::FOR_PROGRAMS.to_vec(),
    }
}

/// A run over all sources.
struct Run<'r> {
    classifier: Classifier<'r>,
    /// Gives the verdicts instead, if it is there.
    reference: Option<Reference<'r>>,
    options: Options,
    listing: Listing<'r>,
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
            |(source, piece): (Arc<str>, Piece)| {
                work(classifier, reference, listing, &source, &piece.into_block())
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
    listing: &Listing<'_>,
    source: &str,
    block: &Block,
) -> Done {
    let mut done = Done { rows: Vec::new(), summary: Summary::default() };
    if let Listing::Rows(_) = listing {
        // Enough for the default fields.
        done.rows.reserve(ROW_LENGTH * block.game_count());
    }
    for game in block.games() {
        let classified = match reference {
            Some(reference) => reference.classify(&game),
            None => classifier.classify(&game),
        };
        let record = Record { source, number: game.number(), game: &classified, trace: None };
        match listing {
            Listing::Counts => {
                done.summary.add(&classified.verdict);
                continue;
            }
            Listing::Rows(rows) if rows.needs_trace() => {
                let trace = classifier.trace(&game);
                rows.write(&Record { trace: Some(&trace), ..record }, &mut done.rows);
            }
            Listing::Rows(rows) => rows.write(&record, &mut done.rows),
            Listing::Explanations(format) => {
                let trace = classifier.trace(&game);
                let catalogue = classifier.catalogue();
                write_explanation(catalogue, &record, &trace, *format, &mut done.rows);
            }
        }
        done.summary.add_totals(&classified.verdict);
    }
    done
}
