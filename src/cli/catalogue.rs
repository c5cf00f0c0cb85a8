//! `eco catalogue`.

use std::path::{Path, PathBuf};

use clap::Args;
use eco::catalogue::{Catalogue, CatalogueDifference, DifferenceKind, MasterCounts, Side};
use eco::classify::{Verification, verify};
use eco::master::{Master, MasterFormat, MasterInfo, MasterLine};
use eco::output::{ColumnSet, ColumnType, Value, Width};
use eco::pgn::source::Source;
use eco::store::{Database, StoreError};

use super::args::Format;
use super::outcome::{Failure, Outcome, complain, say};
use super::progress::Progress;
use super::row_writer::{Pager, RowLayout, RowWriter};
use super::{completion, masters, output, replace, rows};

const HELP: &str = "\
Examples:
  eco catalogue list --db my.db
  eco catalogue prefer mine --db my.db
  eco catalogue diff builtin my.db
  eco catalogue verify --db my.db
  eco catalogue export --db my.db --format pgn -o my-eco.pgn

A catalogue is a position database, a file of openings in a format that `eco ingest` reads, or the
word builtin.";

/// Manage a catalogue: list, order, export, compare and verify its masters.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct CatalogueArgs {
    #[command(subcommand)]
    command: Subcommands,
}

subcommands! {
    Result<Outcome, Failure>;
    /// List the masters in order of precedence, with the positions that each has and decides
    List(args: ListArgs) => list(&args),
    /// Put masters first: where several name the same position, the first one decides
    Prefer(args: ChangeArgs) => change(&args, Database::prefer),
    /// Remove masters from a position database
    Remove(args: ChangeArgs) => change(&args, Database::remove),
    /// Write the openings in a format that other programs read
    ///
    /// jsonl and sqlite keep everything; tsv, pgn, scid and epd hold one master, so they get, for
    /// each position, the lines of the master that names it. --master selects one of several.
    Export(args: ExportArgs) => export(&args),
    /// Compare two catalogues: positions that only one names, different codes, different names
    ///
    /// A and B are catalogues or, with --db, masters of that database. Codes that differ only by a
    /// missing suffix count as equal.
    Diff(args: DiffArgs) => diff(&args),
    /// Replay every line, and check that it is found and has the name that it states
    ///
    /// Exit codes: 0 no problem found; 1 problems found; 2 failure.
    Verify(args: VerifyArgs) => verify_all(&args),
}

/// The catalogue of a command.
#[derive(Debug, Args)]
struct WhichCatalogue {
    /// The catalogue [default: the built-in one]
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    db: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    catalogue: WhichCatalogue,

    #[command(flatten)]
    rows: rows::RowArgs,
}

#[derive(Debug, Args)]
struct ChangeArgs {
    /// The masters, as `eco catalogue list` names them
    #[arg(value_name = "MASTER", required = true)]
    masters: Vec<String>,

    /// The position database to change
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    db: PathBuf,
}

#[derive(Debug, Args)]
struct ExportArgs {
    #[command(flatten)]
    catalogue: WhichCatalogue,

    /// Only this master; can be repeated [default: all]
    #[arg(long, value_name = "NAME")]
    master: Vec<String>,

    /// Output format
    #[arg(long, short, value_parser = completion::one_of(FORMATS))]
    format: ExportFormat,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE", required_if_eq("format", "sqlite"))]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy)]
enum ExportFormat {
    Openings(MasterFormat),
    Database,
    Columns(Format),
}

const FORMATS: &[completion::Choice<ExportFormat>] = {
    use ExportFormat::{Columns, Database, Openings};
    &[
        ("tsv", "lichess's: eco, name and pgn, tab-separated", Openings(MasterFormat::Tsv)),
        (
            "pgn",
            "Games with ECO, Opening, Variation and SubVariation tags",
            Openings(MasterFormat::Pgn),
        ),
        (
            "scid",
            "Scid's .eco; it cannot hold openings without a code, positions without a line, or \
             quotes in names",
            Openings(MasterFormat::Scid),
        ),
        ("epd", "One EPD per line, with eco and v0, v1, v2", Openings(MasterFormat::Epd)),
        (
            "jsonl",
            "One JSON object per line, as in eco.json, with its master",
            Openings(MasterFormat::Json),
        ),
        ("sqlite", "A position database", Database),
        ("arrow", "Typed columns as an Apache Arrow IPC stream", Columns(Format::Arrow)),
        ("parquet", "Typed columns as an Apache Parquet file", Columns(Format::Parquet)),
    ]
};

#[derive(Debug, Args)]
struct DiffArgs {
    /// The first catalogue
    a: PathBuf,

    /// The second catalogue
    b: PathBuf,

    /// A position database whose masters A and B can name
    #[arg(long, value_name = "FILE", env = "ECO_DB", hide_env_values = true)]
    db: Option<PathBuf>,

    /// Only these kinds of differences
    #[arg(long, value_parser = completion::one_of(KINDS), value_name = "KIND")]
    #[arg(value_delimiter = ',')]
    only: Vec<DifferenceKind>,

    #[command(flatten)]
    rows: rows::RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

const KINDS: &[completion::Choice<DifferenceKind>] = &[
    ("only_a", "Positions that only A names", DifferenceKind::OnlyFirst),
    ("only_b", "Positions that only B names", DifferenceKind::OnlySecond),
    ("code", "Different codes", DifferenceKind::Code),
    ("name", "The same code, different names", DifferenceKind::Name),
];

#[derive(Debug, Args)]
struct VerifyArgs {
    #[command(flatten)]
    catalogue: WhichCatalogue,
}

pub(super) fn run(args: CatalogueArgs) -> Result<Outcome, Failure> {
    args.command.run()
}

fn change(
    args: &ChangeArgs,
    change: fn(&Path, &[String]) -> Result<(), StoreError>,
) -> Result<Outcome, Failure> {
    change(&args.db, &args.masters)?;
    Ok(Outcome::Done)
}

/// The catalogue of a file, or the built-in one, and whether all of it could be read.
fn open(path: Option<&PathBuf>) -> Result<(Catalogue, Outcome), Failure> {
    let (catalogue, faults) =
        masters::catalogue_of(path.map_or(Path::new(masters::BUILTIN), PathBuf::as_path))?;
    masters::report_first(&faults, "more bad lines");
    Ok((catalogue, if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete }))
}

fn text(text: &str) -> Value<'_> {
    Value::Bytes(text.as_bytes())
}

/// A master of a catalogue.
struct MasterRow<'c> {
    precedence: usize,
    master: &'c MasterInfo,
    counts: MasterCounts,
}

type MasterColumns = ColumnSet<for<'r> fn(&'r MasterRow<'_>) -> Value<'r>>;

impl MasterRow<'_> {
    fn columns() -> MasterColumns {
        MasterColumns::new()
            .with("precedence", Width::Number, |row| row.precedence.into())
            .with("master", Width::Share(3), |row| text(&row.master.name))
            .with("version", Width::AtMost(10), |row| text(&row.master.version))
            .with("date", Width::Date, |row| text(&row.master.date))
            .with("lines", Width::Number, |row| row.counts.lines.into())
            .with("positions", Width::Number, |row| row.counts.positions.into())
            .with("decides", Width::Number, |row| {
                (row.counts.positions - row.counts.decided_before).into()
            })
            .with("fingerprint", Width::Share(2), |row| text(&row.master.fingerprint))
    }
}

fn list(args: &ListArgs) -> Result<Outcome, Failure> {
    let (catalogue, outcome) = open(args.catalogue.db.as_ref())?;
    let masters = catalogue.masters().iter().enumerate();
    let rows = masters.map(|(index, master)| MasterRow {
        precedence: index + 1,
        master,
        counts: catalogue.counts(index),
    });
    args.rows.write_named(MasterRow::columns(), [&catalogue], rows)?;
    Ok(outcome)
}

fn export(args: &ExportArgs) -> Result<Outcome, Failure> {
    let (catalogue, outcome) = open(args.catalogue.db.as_ref())?;
    let masters = chosen(catalogue.to_masters(), &args.master)?;
    let read = args.catalogue.db.clone().map(Source::File);
    let inputs = replace::Inputs::of(&read);
    let format = match args.format {
        ExportFormat::Openings(format) => format,
        ExportFormat::Database => {
            export_database(masters, args.output.as_deref())?;
            return Ok(outcome);
        }
        ExportFormat::Columns(format) => {
            export_columns(format, masters, args.output.as_deref(), &inputs)?;
            return Ok(outcome);
        }
    };
    let masters = match format {
        MasterFormat::Json => masters,
        // The other formats hold one master: what decides is written.
        _ => vec![Catalogue::from_masters(masters).0.to_one_master(&MasterInfo::default())],
    };
    let mut bytes = Vec::new();
    let left_out = format.write(&masters, &mut bytes)?;
    match &args.output {
        Some(path) => output::stream_file(path, &inputs, |out| out.write_all(&bytes))?,
        None => output::print(&bytes)?,
    }
    for line in &left_out {
        let reason = "left out: the format cannot express it";
        complain(&format_args!("{}: {}: {reason}", line.location, line.opening()));
    }
    let aliases = masters.iter().flat_map(|m| &m.lines).map(|l| l.aliases.len()).sum::<usize>();
    if aliases > 0 && format != MasterFormat::Json {
        let hint = "jsonl and sqlite keep them";
        say(&format_args!("{aliases} aliases of openings are left out; {hint}"));
    }
    Ok(if left_out.is_empty() { outcome } else { Outcome::Incomplete })
}

type OpeningColumns = ColumnSet<for<'r> fn(&'r MasterLine) -> Value<'r>>;

/// The columns of lichess's tsv, and the names of openings elsewhere.
fn opening_columns() -> OpeningColumns {
    OpeningColumns::new()
        .with("eco", Width::AtMost(5), |line| Value::optional(line.eco))
        .of(ColumnType::Name)
        .with("name", Width::NameShare(5), |line| text(&line.name))
        .with("pgn", Width::LineShare(4), |line| line.movetext.as_deref().map_or(Value::None, text))
        .with("epd", Width::Share(3), |line| Value::optional(line.key))
        .with("aliases", Width::Share(3), |line| {
            Value::list(line.aliases.iter().map(|alias| &alias.name), "; ")
        })
        .of(ColumnType::List)
}

fn export_columns(
    format: Format,
    masters: Vec<Master>,
    path: Option<&Path>,
    inputs: &replace::Inputs,
) -> Result<(), Failure> {
    let (catalogue, _) = Catalogue::from_masters(masters);
    let layout = RowLayout::new(format, opening_columns()).named_by([&catalogue]);
    let rows = layout.rows(catalogue.to_one_master(&MasterInfo::default()).lines);
    let path = path.filter(|path| *path != Path::new("-"));
    let written =
        RowWriter::open(path, inputs, &layout, true, 0, Pager::Never).and_then(|mut writer| {
            writer.write(&rows, &Progress::hidden())?;
            writer.finish()
        });
    written.or_else(|error| error.outcome().map(drop))
}

fn export_database(masters: Vec<Master>, path: Option<&Path>) -> Result<(), Failure> {
    let path = path.ok_or_else(|| Failure("sqlite needs a file (--output)".to_owned()))?;
    if path.exists() {
        return Err(Failure(format!("{}: exists already; nothing was written", path.display())));
    }
    Database::ingest(path, &Catalogue::from_masters(masters).0)?;
    Ok(())
}

/// The masters of these names, in their own order; all, if none is named.
fn chosen(mut masters: Vec<Master>, names: &[String]) -> Result<Vec<Master>, Failure> {
    for name in names {
        if !masters.iter().any(|master| master.info.name == *name) {
            let known: Vec<&str> = masters.iter().map(|m| m.info.name.as_str()).collect();
            return Err(Failure(format!("no master {name:?}; there is {}", known.join(", "))));
        }
    }
    masters.retain(|master| names.is_empty() || names.contains(&master.info.name));
    Ok(masters)
}

type DifferenceColumns = ColumnSet<for<'r> fn(&'r &CatalogueDifference<'_>) -> Value<'r>>;

fn difference_columns() -> DifferenceColumns {
    DifferenceColumns::new()
        .with("kind", Width::AtMost(6), |row| Value::optional(Some(row.kind)))
        .of(ColumnType::Name)
        .with("eco_a", Width::AtMost(5), |row| code(row.a))
        .of(ColumnType::Name)
        .with("eco_b", Width::AtMost(5), |row| code(row.b))
        .of(ColumnType::Name)
        .with("opening_a", Width::NameShare(3), |row| name(row.a))
        .with("opening_b", Width::NameShare(3), |row| name(row.b))
        .with("moves", Width::LineShare(3), |row| {
            let mut sides = row.a.into_iter().chain(row.b);
            Value::optional(sides.find_map(|side| side.catalogue.movetext(side.line)))
        })
        .with("key", Width::Share(2), |row| {
            let side = row.a.or(row.b);
            Value::optional(side.map(|side| side.catalogue.positions()[side.line.position].key))
        })
}

fn code(side: Option<Side<'_>>) -> Value<'_> {
    side.map_or(Value::None, |side| Value::text(side.line.opening.code()))
}

fn name(side: Option<Side<'_>>) -> Value<'_> {
    side.map_or(Value::None, |side| text(side.line.opening.name()))
}

fn diff(args: &DiffArgs) -> Result<Outcome, Failure> {
    let in_database = args.db.as_ref().map(|path| open(Some(path))).transpose()?;
    let whole = in_database.as_ref().map(|(catalogue, _)| catalogue);
    let (a, outcome_a) = side(&args.a, whole)?;
    let (b, outcome_b) = side(&args.b, whole)?;
    let differences = a.diff(&b);
    let is_wanted = |difference: &&CatalogueDifference<'_>| {
        args.only.is_empty() || args.only.contains(&difference.kind)
    };
    let rows = differences.iter().filter(is_wanted);
    args.rows.write_named(difference_columns(), [&a, &b], rows)?;
    if !args.quiet {
        use DifferenceKind::{Code, Name, OnlyFirst, OnlySecond};
        let count = |kind| differences.iter().filter(|d| d.kind == kind).count();
        let kinds = [OnlyFirst, OnlySecond, Code, Name];
        let [only_a, only_b, code, name] = kinds.map(count);
        let same = a.positions().len() - only_a - code - name;
        say(&format_args!(
            "{only_a} positions only in A, {only_b} only in B, {code} with another code, {name} \
             with another name, {same} the same"
        ));
    }
    Ok(if outcome_a == Outcome::Done { outcome_b } else { outcome_a })
}

/// A master of the database, or else a catalogue.
fn side(name: &Path, whole: Option<&Catalogue>) -> Result<(Catalogue, Outcome), Failure> {
    let masters = whole.map(Catalogue::to_masters).unwrap_or_default();
    match masters.into_iter().find(|master| Path::new(&master.info.name) == name) {
        Some(master) => Ok((Catalogue::from_masters([master]).0, Outcome::Done)),
        None if whole.is_some_and(|_| name != Path::new(masters::BUILTIN) && !name.exists()) => {
            let known = whole.into_iter().flat_map(Catalogue::masters).map(|m| m.name.as_str());
            let known = known.collect::<Vec<_>>().join(", ");
            let name = name.display();
            Err(Failure(format!("{name}: neither a file nor a master of the database ({known})")))
        }
        None => open(Some(&name.to_owned())),
    }
}

fn verify_all(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let path = args.catalogue.db.as_ref();
    let (catalogue, mut outcome) = match path.filter(|path| replace::is_database(path)) {
        Some(path) => verify_database(path)?,
        None => open(path)?,
    };
    let verification = verify(&catalogue);
    let unfound = unfound(&verification);
    if !unfound.is_empty() {
        outcome = Outcome::Incomplete;
        masters::report_first(&unfound, "more");
    }
    output::print(
        format!(
            "{} lines replayed to {} positions: {} name what they say, {} are decided by a master \
             before theirs, {} are never found\n",
            catalogue.lines().len(),
            catalogue.positions().len(),
            verification.confirmed,
            verification.overruled,
            unfound.len(),
        )
        .as_bytes(),
    )?;
    Ok(outcome)
}

/// The catalogue that the masters in a position database make, and whether all else there is sound.
fn verify_database(path: &Path) -> Result<(Catalogue, Outcome), Failure> {
    let database = Database::open(path)?;
    let mut faults = database.integrity_faults()?;
    let catalogue = database.catalogue_of_masters()?;
    if !database.keeps_catalogue_of(&catalogue)? {
        let hint = "DELETE FROM catalogue_image mends it";
        faults.push(format!("table catalogue_image is not what the masters make; {hint}"));
    }
    faults.iter().for_each(|fault| complain(fault));
    let outcome = if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete };
    Ok((catalogue, outcome))
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
