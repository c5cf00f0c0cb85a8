//! `eco classify`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::classify::{Classifier, GameError, Verdict, reference::Reference};
use eco::output::columns::DatasetOptions;
use eco::output::{
    Field, FieldValue, GameDetails, GameRow, explanation_json, explanation_text, parse_fields,
};
use eco::quoted::counted;

use super::args::{Format, GamesArgs, Readers, RunArgs};
use super::games::{GameBlock, GameInputs, games_of};
use super::outcome::{Failure, Interruption, Outcome, say};
use super::replace::{Inputs, destination};
use super::row_writer::{RowBuffer, RowLayout, RowWriter, Rows};
use super::selection::{SelectedGames, SelectionArgs};
use super::{completion, rows::RowArgs, run::GamesRun, terminal::lines_of};

const EXAMPLES: &str = "\
Examples:
  eco classify games.pgn
  eco classify ~/chess --format csv > openings.csv
  eco classify lichess_db.pgn.zst --fields game,eco,opening,ply
  eco classify games.pgn --fields all -o games.parquet
  eco classify games.pgn --partition-by year,eco_letter -o dataset
  eco classify games.pgn --explain
  eco classify games.pgn --player 'Byrne, Donald' --result win --since 1950";

const NOTES_ON_FIELDS: &str = "\
speed follows lichess's rule, by the time for 40 moves; link is the address of the game, from Link,
Site or GameId; offset is the byte of the unpacked file at which the game begins, 0 in a position
database. eval_book and the like are read from [%eval], [%clk] and [%emt] in comments, at the last
named position and after ply 30: centipawns from White's side, seconds left, and seconds spent.";

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
/// content); folders, searched for *.pgn, *.pgn.gz (bz2, xz, zst) and *.zip; position databases,
/// for the games of their collections; or - for standard input.
///
/// A game is named after the last position of its main line that the catalogue knows, whatever the
/// move order. The default catalogue is the built-in one, from lichess.
#[derive(Debug, Args)]
#[command(after_long_help = help(), after_help = "See --help for details and examples.")]
pub(super) struct ClassifyArgs {
    #[command(flatten)]
    games: GamesArgs,

    #[command(flatten)]
    rows: RowArgs,

    /// The fields to print, in this order, separated by commas; `all` for every field
    #[arg(long, value_name = "LIST", value_parser = parse_fields, add = completion::fields())]
    fields: Option<Fields>,

    /// Write a dataset to the folder of -o: Parquet files in folders named after the values of
    /// these fields (year,eco_letter)
    #[arg(long, value_name = "LIST", value_parser = parse_fields, add = completion::fields())]
    #[arg(requires = "output", conflicts_with = "explain")]
    partition_by: Option<Fields>,

    /// The most rows in a group of a Parquet file; a dataset holds as many in memory
    /// [default: 65536]
    #[arg(long, value_name = "N", conflicts_with = "explain")]
    rows_per_group: Option<NonZeroUsize>,

    /// Explain each name: the deciding position, the named positions on the line, and the name by
    /// move order
    #[arg(long, conflicts_with = "fields")]
    explain: bool,

    /// Exit with 1 if a game has an error, and check moves up to ply 40 even if no other name can
    /// be reached
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

impl ClassifyArgs {
    /// Who reads what is printed.
    fn readers(&self) -> Readers {
        match (self.explain, self.rows.named_format()) {
            (true, None) => Readers::People,
            _ => self.format().into(),
        }
    }

    fn format(&self) -> Format {
        if self.partition_by.is_some() { Format::Parquet } else { self.rows.format() }
    }

    /// The fields of the rows: those asked for, or the default, and those that name folders.
    fn fields(&self, inputs: &GameInputs) -> Vec<Field> {
        let fields = self.fields.clone().unwrap_or_else(|| default_fields(self.format(), inputs));
        Field::united(fields, self.partition_by.iter().flatten().cloned())
    }

    /// How a dataset is written, if one is.
    fn dataset(&self, paths: &[PathBuf], inputs: &GameInputs) -> Result<Option<Dataset>, Failure> {
        let Some(fields) = &self.partition_by else { return Ok(None) };
        let Some(folder) = self.rows.output() else {
            return Err(Failure("--partition-by writes to a folder: -o dataset".to_owned()));
        };
        if self.rows.named_format().is_some_and(|format| format != Format::Parquet) {
            return Err(Failure("the files of a dataset are Parquet; omit --format".to_owned()));
        }
        if inputs.have_stdin() {
            let hint = "files of a dataset are named after their inputs; name files";
            return Err(Failure(format!("standard input has no name: {hint}")));
        }
        let names = paths.iter().map(|path| destination(path).to_string_lossy().into_owned());
        let names = names.chain(self.games.collections.collection.iter().cloned());
        let options = DatasetOptions {
            partition_by: fields.iter().map(|field| field.name().into_owned()).collect(),
            rows_per_group: self.rows_per_group,
            inputs: names.collect::<Vec<_>>().join("\n"),
            range: self.games.range,
        };
        Ok(Some(Dataset { folder: folder.to_owned(), options }))
    }
}

/// A folder for the files of a dataset.
struct Dataset {
    folder: PathBuf,
    options: DatasetOptions,
}

/// The list of fields to print.
type Fields = Vec<Field>;

/// What is printed for each game.
enum Listing {
    /// A row.
    Rows { layout: RowLayout<FieldValue>, dataset: Option<Dataset> },
    /// An explanation of its name.
    Explanations { in_json: bool },
}

impl Listing {
    fn new(
        args: &ClassifyArgs,
        inputs: &GameInputs,
        catalogue: &Catalogue,
        dataset: Option<Dataset>,
    ) -> Result<Self, Failure> {
        match (args.explain, args.rows.named_format()) {
            (false, _) => {
                let fields = args.fields(inputs);
                let columns = Field::columns(&fields);
                let layout = RowLayout::new(args.format(), columns, [catalogue]);
                let layout = layout.with_rows_per_group(args.rows_per_group)?;
                Ok(Self::Rows { layout, dataset })
            }
            (true, None | Some(Format::Table)) => Ok(Self::Explanations { in_json: false }),
            (true, Some(Format::Jsonl)) => Ok(Self::Explanations { in_json: true }),
            (true, Some(_)) => {
                let hint = "explanations are text, or objects with --format jsonl";
                Err(Failure(format!("{hint}; for tables there are fields (--fields)")))
            }
        }
    }

    /// Opens the output for what is printed for each game.
    fn open(&self, args: &RowArgs, inputs: &Inputs) -> Result<RowWriter, Interruption> {
        match self {
            Self::Rows { layout, dataset: Some(Dataset { folder, options }), .. } => {
                args.open_dataset(layout, inputs, folder, options)
            }
            Self::Rows { layout, .. } => args.open(layout, inputs),
            Self::Explanations { in_json: false } => {
                args.open_for_text(inputs, "txt").map(RowWriter::with_blank_lines)
            }
            Self::Explanations { in_json: true } => args.open_for_text(inputs, "txt"),
        }
    }
}

pub(super) fn run(args: &ClassifyArgs) -> Result<Outcome, Failure> {
    let paths = games_of(&args.games, "classify")?;
    let catalogue = args.games.database.naming.catalogue_for(args.readers())?;
    let selection = args.selection.selection()?;
    let inputs = GameInputs::of(&paths, &args.games)?;
    let dataset = args.dataset(&paths, &inputs)?;
    let listing = Listing::new(args, &inputs, catalogue, dataset)?;
    let mut naming = Naming {
        classifier: Classifier::new(catalogue),
        reference: args.reference.then(|| Reference::new(catalogue)),
    };
    if args.strict || args.explain {
        naming.classifier = naming.classifier.exhaustive();
        naming.reference = naming.reference.map(Reference::exhaustive);
    }
    let selected =
        SelectedGames::new(selection, args.selection.conditions.people(), naming.classifier)?;
    let run = GamesRun::new(inputs, selected, args.rows.results(), &args.run).of_selected();
    run.inputs.find_several(&run.selected, &run.options)?;
    let mut total = Total::default();
    let written = classify(&naming, &listing, &run, &args.rows, &mut total);
    let is_unread = args.rows.output().is_some() && run.is_unread(total.games);
    let written = run.end(total.games, written).and_then(|writer| match args.fields {
        _ if is_unread => Ok(()),
        Some(_) => writer.finish_asked(),
        None => writer.finish(),
    });
    if !args.run.quiet && !run.has_enough() {
        say_errors(&total, args);
    }
    let has_fault = args.strict && total.errors > 0 && written.is_ok();
    run.outcome(written).map(|outcome| if has_fault { Outcome::Incomplete } else { outcome })
}

/// Says how many games could not be classified, and how to see them.
fn say_errors(total: &Total, args: &ClassifyArgs) {
    let Total { games, errors, variants } = *total;
    if errors == 0 {
        return;
    }
    let has_field = args.fields.as_ref().is_some_and(|fields| fields.contains(&Field::Error));
    let hint = match (args.explain, args.format(), has_field) {
        (true, ..) => "their explanations say why",
        (_, Format::Jsonl, _) if args.fields.is_none() => "see the key `error`",
        (_, format, has_field) if has_field || args.fields.is_none() && format != Format::Table => {
            "see the column `error`"
        }
        _ => "--fields game,white,black,error shows them",
    };
    let faulty = errors - variants;
    let games = counted(games, "game");
    let of_variants = match variants {
        1 => format!("1 of {games}, of another variant, is not classified"),
        _ => format!("{variants} of {games}, of other variants, are not classified"),
    };
    let counts = match (variants, faulty) {
        (0, 1) => format!("1 of {games} has an error"),
        (0, _) => format!("{faulty} of {games} have an error"),
        (_, 0) => of_variants,
        _ => format!("{of_variants}; {faulty} more with an error"),
    };
    say(&format_args!("{counts} ({hint})"));
}

/// The fields of a format, if none were asked for. Game numbers begin anew in each source, so a
/// table of several names them.
fn default_fields(format: Format, inputs: &GameInputs) -> Vec<Field> {
    let source: &[Field] = if inputs.shows_source() { &[Field::Source] } else { &[] };
    match format {
        Format::Table => [source, Field::FOR_TABLES].concat(),
        _ => Field::FOR_PROGRAMS.to_vec(),
    }
}

/// What is counted of the games.
#[derive(Debug, Clone, Copy, Default)]
struct Total {
    games: u64,
    /// Those with an error, and those of them that are of other variants.
    errors: u64,
    variants: u64,
}

impl Total {
    fn add(&mut self, verdict: &Verdict<'_>) {
        self.games += 1;
        self.errors += u64::from(verdict.error.is_some());
        self.variants += u64::from(matches!(verdict.error, Some(GameError::Variant { .. })));
    }

    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.errors += other.errors;
        self.variants += other.variants;
    }
}

/// What names games.
struct Naming<'c> {
    classifier: Classifier<'c>,
    /// Gives the verdicts instead, if it is there.
    reference: Option<Reference<'c>>,
}

fn classify(
    naming: &Naming<'_>,
    listing: &Listing,
    run: &GamesRun<'_>,
    args: &RowArgs,
    total: &mut Total,
) -> Result<RowWriter, Interruption> {
    let (selected, progress) = (&run.selected, &run.progress);
    let mut writer = listing.open(args, &run.inputs.files())?;
    run.each_rows(
        &mut writer,
        |block| work(naming, selected, listing, block),
        |summary| {
            total.merge(summary);
            progress.update(total.games);
        },
    )?;
    Ok(writer)
}

/// Classifies the games of a block, and writes or counts them.
fn work<'c>(
    naming: &Naming<'c>,
    selected: &SelectedGames<'c>,
    listing: &Listing,
    GameBlock { source, block, offset: block_offset, .. }: &GameBlock<'_>,
) -> (Total, Rows) {
    let Naming { classifier, reference } = naming;
    let mut summary = Total::default();
    let mut rows = match listing {
        Listing::Rows { layout, .. } => layout.buffer(block.game_count()),
        Listing::Explanations { .. } => RowBuffer::default(),
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
        let offset = block_offset.map_or(0, |offset| offset + game.start() as u64);
        let number = game.number();
        let details = GameDetails::new(&game, classifier);
        let row = GameRow { source, number, offset, game: &classified, details: Some(&details) };
        match listing {
            Listing::Rows { layout, .. } => layout.write(&row, &mut rows),
            Listing::Explanations { in_json } => {
                let explain = if *in_json { explanation_json } else { explanation_text };
                let explanation = explain(classifier.catalogue(), &row, &classifier.trace(&game));
                rows.text().extend_from_slice(explanation.as_bytes());
            }
        }
        summary.add(&classified.verdict);
    }
    (summary, rows.finish())
}
