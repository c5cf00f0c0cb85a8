//! `eco classify`.

use std::{
    io::{self, Write, stdout},
    ops::ControlFlow,
    sync::Arc,
};

use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    output::{
        ExplanationFormat, Field, GameRows, Record, SUMMARY_COLUMNS, write_explanation,
        write_summary,
    },
    pgn::{
        Block, Piece,
        source::{Source, find_sources},
    },
    pipeline::{self, Options},
    stats::Summary,
};

use super::{
    Failure, Outcome,
    args::{ClassifyArgs, Format},
    complain,
    games::{feed_all, inputs, options, total_size},
    masters::own_catalogue_at,
    progress::{Progress, Shows},
};

/// What a worker has made of a block.
struct Done {
    rows: Vec<u8>,
    summary: Summary,
}

/// Rows are seldom longer.
const ROW_LENGTH: usize = 160;

/// What is written of each game.
enum Listing<'r> {
    /// A row.
    Rows(GameRows<'r>),
    /// Why it is called as it is.
    Explanations(ExplanationFormat),
    /// Nothing: games are only counted.
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
    let inputs = inputs(&args.inputs, "classify")?;
    let stored = own_catalogue_at(args.db.as_deref())?;
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
    let classifier = Classifier::new(catalogue);
    let is_whole = args.strict || args.explain;
    let mut run = Run {
        classifier: if is_whole { classifier.to_the_limits() } else { classifier },
        options,
        listing,
        progress,
        written: Ok(()),
        total: Summary::default(),
    };
    errors.iter().for_each(|error| run.progress.complain(error));
    let mut header = Vec::new();
    if !args.no_header && !args.explain {
        rows.write_header(&columns, &mut header);
    }
    if args.summary {
        run.classify(&sources);
        write_summary(&run.total, &*rows, &mut header);
        run.write(&header);
    } else {
        run.write(&header);
        run.classify(&sources);
    }
    run.progress.finish(run.total.games);
    let errors = run.total.errors;
    if errors > 0 && !args.run.quiet && !args.summary {
        let games = run.total.games;
        complain(&format_args!("{errors} of {games} games have an error; see the field `error`"));
    }
    match run.written {
        // The reader has seen enough.
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
    options: Options,
    listing: Listing<'r>,
    progress: Progress,
    written: io::Result<()>,
    total: Summary,
}

impl Run<'_> {
    fn write(&mut self, bytes: &[u8]) {
        if self.written.is_ok() {
            let mut out = stdout().lock();
            self.written = out.write_all(bytes).and_then(|()| out.flush());
        }
    }

    fn classify(&mut self, sources: &[Source]) {
        let (progress, options) = (&self.progress, self.options);
        let (classifier, listing) = (self.classifier, &self.listing);
        let (written, total) = (&mut self.written, &mut self.total);
        let mut out = stdout().lock();
        pipeline::run(
            options.threads,
            |(source, piece): (Arc<str>, Piece)| {
                work(classifier, listing, &source, &piece.into_block())
            },
            |done: Done| {
                total.merge(done.summary);
                progress.update(total.games);
                *written = out.write_all(&done.rows);
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
            |push| feed_all(sources, options.blocks, push, progress),
        );
        if written.is_ok() {
            *written = out.flush();
        }
    }
}

/// Classifies the games of a block, and writes or counts them.
fn work(classifier: Classifier<'_>, listing: &Listing<'_>, source: &str, block: &Block) -> Done {
    let mut done = Done { rows: Vec::new(), summary: Summary::default() };
    if let Listing::Rows(_) = listing {
        // About what the default fields take.
        done.rows.reserve(ROW_LENGTH * block.game_count());
    }
    for game in block.games() {
        let classified = classifier.classify(&game);
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
