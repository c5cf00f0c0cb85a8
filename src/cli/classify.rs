//! `eco classify`.

use std::sync::Arc;

use clap::Args;
use eco::{
    catalogue::Catalogue,
    classify::{Classifier, reference::Reference},
    output::{
        ExplanationFormat, Field, FieldValue, GameRow, Row, RowTags, SummaryRow, parse_fields,
        write_explanation,
    },
    pgn::{Block, Chunk, source::Source},
    pipeline::Options,
    stats::Summary,
};

use super::{
    args::{Format, InputArgs, NamingArgs, PartArgs, RunArgs},
    completion,
    games::{feed_all, find_part, inputs, options, shows_source, total_size},
    masters::own_catalogue_at,
    outcome::{Failure, Interruption, Outcome, say},
    output::lines_of,
    progress::Progress,
    replace::Inputs,
    row_layout::{RowBuffer, RowLayout, Rows},
    row_run::run_rows,
    row_writer::RowWriter,
    rows::RowArgs,
    selection::{SelectedGames, SelectionArgs},
};

const EXAMPLES: &str = "\
Examples:
  eco classify games.pgn
  eco classify ~/chess --format csv > openings.csv
  eco classify lichess_db.pgn.zst --fields game,eco,opening,ply
  eco classify games.pgn --fields all -o games.parquet
  eco classify games.pgn --summary
  eco classify games.pgn --explain
  eco classify games.pgn --player 'Byrne, Donald' --result win --since 1950";

const NOTES_ON_FIELDS: &str = "\
speed is lichess's, by the time for 40 moves; link is the address of the game, from Link, Site or
GameId; offset is the byte of the unpacked file at which the game begins.";

const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 success, but an input could not be read to its end (or, with --strict, a
game had an error); 2 failure.";

fn help() -> String {
    let names = Field::names(Field::ALL);
    let fields = format!(
        "Fields (--fields): {names}; or all. tag:NAME is any tag, such as tag:Annotator; moves is the main line."
    );
    let fields = lines_of(&fields, 100).join("\n");
    format!("{EXAMPLES}\n\n{fields}\n{NOTES_ON_FIELDS}\n\n{EXIT_CODES}")
}

/// Name the opening of every game.
///
/// Inputs are PGN files, plain or compressed with gzip, bzip2, xz, zstd or zip (detected from
/// content); folders, searched for *.pgn, *.pgn.gz (bz2, xz, zst) and *.zip; or - for standard
/// input.
///
/// A game is named after the last position of its main line that the catalogue knows, whatever the
/// move order. Without --db that is the built-in catalogue, from lichess.
#[derive(Debug, Args)]
#[command(after_long_help = help(), after_help = "See --help for details and examples.")]
pub(super) struct ClassifyArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    part: PartArgs,

    #[command(flatten)]
    naming: NamingArgs,

    #[command(flatten)]
    rows: RowArgs,

    /// The fields to print, in this order, separated by commas; `all` for every field
    #[arg(
        long,
        value_name = "LIST",
        value_parser = |list: &str| parse_fields(list).map(Fields),
        add = completion::fields()
    )]
    fields: Option<Fields>,

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

    #[command(flatten)]
    selection: SelectionArgs,
}

/// The list of fields to print.
#[derive(Debug, Clone)]
struct Fields(pub(super) Vec<Field>);

/// What is printed for each game.
enum Listing {
    /// A row.
    Rows {
        layout: RowLayout<FieldValue>,
        /// Whether a row needs the trace of its game.
        needs_trace: bool,
        /// The fields, if a row needs the tags of its game.
        tag_fields: Option<Vec<Field>>,
    },
    /// An explanation of its name.
    Explanations(ExplanationFormat),
    /// Nothing; games are only counted.
    Counts,
}

impl Listing {
    fn new(
        args: &ClassifyArgs,
        sources: &[Source],
        catalogue: &Catalogue,
    ) -> Result<Self, Failure> {
        match (args.summary, args.explain, args.rows.named_format()) {
            (true, _, _) => Ok(Self::Counts),
            (false, false, _) => Ok(Self::rows(args, sources, catalogue)),
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

    fn rows(args: &ClassifyArgs, sources: &[Source], catalogue: &Catalogue) -> Self {
        let format = args.rows.format();
        let given = args.fields.as_ref().map(|fields| fields.0.clone());
        let fields = given.unwrap_or_else(|| default_fields(format, sources));
        Self::Rows {
            layout: args.rows.layout(Field::columns(&fields)).named_by([catalogue]),
            needs_trace: fields.iter().any(Field::needs_trace),
            tag_fields: fields.iter().any(Field::needs_tags).then_some(fields),
        }
    }

    /// Opens the output for what is printed for each game.
    fn open(&self, args: &RowArgs, inputs: &Inputs) -> Result<RowWriter, Interruption> {
        match self {
            Self::Rows { layout, .. } => args.open(layout, inputs),
            Self::Explanations(_) | Self::Counts => args.open_for_text(inputs),
        }
    }
}

pub(super) fn run(args: &ClassifyArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.input.inputs, "classify")?;
    let stored = own_catalogue_at(args.naming.db.as_deref())?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let selection = args.selection.selection()?;
    let (sources, errors) = find_part(&inputs, &args.part)?;
    let options = options(&args.run);
    let listing = Listing::new(args, &sources, catalogue)?;
    let progress = Progress::new(total_size(&sources), args.rows.results(), &args.run);
    let mut classifier = Classifier::new(catalogue);
    let mut reference = args.reference.then(|| Reference::new(catalogue));
    if args.strict || args.explain {
        classifier = classifier.exhaustive();
        reference = reference.map(Reference::exhaustive);
    }
    let people = args.selection.conditions.people();
    let selected = SelectedGames::new(selection, people, classifier)?;
    let total = Summary::default();
    let mut run = Run { classifier, reference, selected, options, listing, progress, total };
    errors.iter().for_each(|error| run.progress.complain(error));
    run.selected.find_several(&sources, &run.options)?;
    let written = run.classify(&args.rows, &sources);
    run.progress.finish(run.total.games);
    if written.is_ok() {
        run.selected.check_people()?;
    }
    let written = written.and_then(|writer| match args.summary {
        true => Ok(write_summary(&args.rows, catalogue, &run.total)?),
        false if args.fields.is_some() => writer.finish_asked(),
        false => writer.finish(),
    });
    if !args.run.quiet && !args.summary {
        tell_errors(&run.total, args);
    }
    match written {
        Err(error) => error.outcome(),
        Ok(()) if run.progress.complaints() > 0 || (args.strict && run.total.errors > 0) => {
            Ok(Outcome::Incomplete)
        }
        Ok(()) => Ok(Outcome::Done),
    }
}

/// Says how many games could not be classified, and how to see them.
fn tell_errors(total: &Summary, args: &ClassifyArgs) {
    let Summary { games, errors, variants, .. } = *total;
    if errors == 0 {
        return;
    }
    let has_field = args.fields.as_ref().is_some_and(|fields| fields.0.contains(&Field::Error));
    let hint = match (args.explain, args.rows.format(), has_field) {
        (true, ..) => "their explanations say why",
        (_, Format::Jsonl, _) if args.fields.is_none() => "see the key `error`",
        (_, Format::Tsv | Format::Csv | Format::Arrow | Format::Parquet, _)
            if args.fields.is_none() =>
        {
            "see the column `error`"
        }
        (_, _, true) => "see the column `error`",
        _ => "--fields game,white,black,error shows them",
    };
    let faulty = errors - variants;
    let counts = match (variants, faulty) {
        (0, 1) => format!("1 of {games} games has an error"),
        (0, _) => format!("{faulty} of {games} games have an error"),
        (_, 0) => format!("{variants} of {games} games, of other variants, are not classified"),
        _ => format!(
            "{variants} of {games} games, of other variants, are not classified; {faulty} more with \
             an error"
        ),
    };
    say(&format_args!("{counts} ({hint})"));
}

/// The fields of a format, if none were asked for. Game numbers begin anew in each source, so a
/// table of several names them.
fn default_fields(format: Format, sources: &[Source]) -> Vec<Field> {
    let source: &[Field] = if shows_source(sources) { &[Field::Source] } else { &[] };
    match format {
        Format::Table => [source, Field::FOR_TABLES].concat(),
        Format::Tsv | Format::Csv | Format::Jsonl | Format::Arrow | Format::Parquet => {
            Field::FOR_PROGRAMS.to_vec()
        }
    }
}

/// Writes the rows of `--summary`.
fn write_summary(args: &RowArgs, catalogue: &Catalogue, total: &Summary) -> Result<(), Failure> {
    args.write_named(SummaryRow::columns(), [catalogue], SummaryRow::all(total))
}

/// A run over all sources.
struct Run<'r> {
    classifier: Classifier<'r>,
    /// Gives the verdicts instead, if it is there.
    reference: Option<Reference<'r>>,
    selected: SelectedGames<'r>,
    options: Options,
    listing: Listing,
    progress: Progress,
    total: Summary,
}

impl Run<'_> {
    fn classify(&mut self, args: &RowArgs, sources: &[Source]) -> Result<RowWriter, Interruption> {
        let (progress, options) = (&self.progress, &self.options);
        let (classifier, reference) = (self.classifier, self.reference.as_ref());
        let (listing, selected) = (&self.listing, &self.selected);
        let total = &mut self.total;
        let mut writer = listing.open(args, &Inputs::of(sources))?;
        run_rows(
            &options.workers,
            |push| feed_all(sources, options.blocks, push, progress),
            |(source, chunk): (Arc<str>, Chunk)| {
                work(classifier, reference, selected, listing, &source, &chunk.into_block())
            },
            |summary| {
                total.merge(summary);
                progress.update(total.games);
            },
            &mut writer,
            progress,
        )?;
        Ok(writer)
    }
}

/// Classifies the games of a block, and writes or counts them.
fn work<'c>(
    classifier: Classifier<'c>,
    reference: Option<&Reference<'c>>,
    selected: &SelectedGames<'c>,
    listing: &Listing,
    source: &str,
    block: &Block,
) -> (Summary, Rows) {
    let mut summary = Summary::default();
    let mut rows = match listing {
        Listing::Rows { layout, .. } => layout.buffer(block.game_count()),
        Listing::Explanations(_) | Listing::Counts => RowBuffer::default(),
    };
    let mut selected = selected.in_block(block);
    for game in block.games() {
        let classify = || match reference {
            Some(reference) => reference.classify(&game),
            None => classifier.classify(&game),
        };
        // Nothing is moved where no games are selected: that took 120 instructions a game.
        let classified = match &mut selected {
            None => classify(),
            Some(selected) => match selected.classify(&game, classify) {
                Some(classified) => classified,
                None => continue,
            },
        };
        let (number, offset) = (game.number(), block.offset() + game.start() as u64);
        let row = GameRow { source, number, offset, game: &classified, trace: None, tags: None };
        match listing {
            Listing::Counts => {
                summary.add(&classified.verdict);
                continue;
            }
            Listing::Rows { layout, needs_trace: false, tag_fields: None } => {
                layout.write(&row, &mut rows);
            }
            Listing::Rows { layout, needs_trace, tag_fields } => {
                let trace = needs_trace.then(|| classifier.trace(&game));
                let tags = tag_fields
                    .as_ref()
                    .map(|fields| RowTags::read(&game, fields.iter().filter_map(Field::tag)));
                let row = GameRow { trace: trace.as_ref(), tags: tags.as_ref(), ..row };
                layout.write(&row, &mut rows);
            }
            Listing::Explanations(format) => {
                let trace = classifier.trace(&game);
                let catalogue = classifier.catalogue();
                write_explanation(catalogue, &row, &trace, *format, rows.text());
            }
        }
        summary.add_totals(&classified.verdict);
    }
    (summary, rows.finish())
}
