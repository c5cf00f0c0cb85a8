//! Openings as they are written: as rows, or in the formats of ECO masters, which `eco ingest` and
//! other programs read.

use std::path::Path;

use eco::catalogue::{Branch, Catalogue, FoundBy, Line};
use eco::master::{Master, MasterFormat, MasterInfo};
use eco::output::{ColumnType, RowColumns, Value, Width};
use eco::{pgn::source::Source, store::Database};

use super::outcome::{Failure, Outcome, complain, refuse, say};
use super::{completion::Choice, output, replace::Inputs, rows::OtherFormat};

/// What openings are written as, unless it is rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum OpeningFormat {
    Master(MasterFormat),
    Database,
}

impl OtherFormat for OpeningFormat {
    const CHOICES: &[Choice<Self>] = &[
        ("lichess", "lichess's tsv: eco, name and pgn", Self::Master(MasterFormat::Tsv)),
        ("pgn", "Games with ECO and Opening tags", Self::Master(MasterFormat::Pgn)),
        ("scid", "Scid's .eco", Self::Master(MasterFormat::Scid)),
        ("epd", "One EPD per line, with eco and v0", Self::Master(MasterFormat::Epd)),
        ("eco-json", "eco.json", Self::Master(MasterFormat::Json)),
        ("sqlite", "A position database, which --catalogue takes", Self::Database),
    ];
}

/// An opening of a catalogue, as a row.
pub(super) struct Hit<'c> {
    pub(super) catalogue: &'c Catalogue,
    pub(super) line: &'c Line,
    /// What it was found by, if that is not its name.
    pub(super) found_by: Option<&'c FoundBy>,
}

impl Hit<'_> {
    pub(super) fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with_name("eco", 5, |hit| Value::text(hit.line.opening.code()))
            .with("opening", Width::NameShare(5), |hit| Value::text(hit.line.opening.name()))
            .opening_en(|hit| Value::text(hit.line.opening.english_name()))
            .with("moves", Width::LineShare(4), |hit| {
                Value::optional(hit.catalogue.movetext(hit.line))
            })
            .with("master", Width::Share(1), |hit| {
                Value::Bytes(hit.catalogue.masters()[hit.line.master].name.as_bytes())
            })
            .of(ColumnType::Name)
            .for_machines("key", ColumnType::Text, |hit| {
                Value::Display(&hit.catalogue.positions()[hit.line.position].key)
            })
            .for_machines("aliases", ColumnType::List, |hit| {
                Value::list(hit.line.aliases.iter().map(|alias| &alias.name), "; ")
            })
    }

    /// With what they were found by.
    pub(super) fn columns_of_search() -> RowColumns<Self> {
        Self::columns().for_machines("found_by", ColumnType::Text, |hit| {
            hit.found_by.map_or(Value::None, |found_by| Value::Display(found_by))
        })
    }
}

/// A branch of the tree of openings, as a row.
pub(super) fn branch_columns<'a>() -> RowColumns<&'a Branch<'a>> {
    RowColumns::<&Branch<'_>>::new()
        .for_humans("opening", Width::NameShare(5), |branch| {
            Value::text(format!("{:1$}{2}", "", 2 * (branch.depth - 1), branch.part))
        })
        .for_machines("opening", ColumnType::Name, |branch| Value::text(&branch.name))
        .opening_en(|branch| Value::optional(branch.english.as_ref()))
        .for_machines("depth", ColumnType::UInt16, |branch| branch.depth.into())
        .with("eco", Width::AtMost(9), |branch| match branch.codes {
            [first, last] if first == last => Value::text(first),
            [first, last] => Value::text(format!("{first}-{last}")),
        })
        .with("lines", Width::Number, |branch| branch.lines.into())
        .with("games", Width::Number, |branch| branch.games.into())
}

impl OpeningFormat {
    /// Writes the wanted lines of a catalogue, which a file was read for.
    pub(super) fn write(
        self,
        catalogue: &Catalogue,
        is_wanted: impl Fn(&Line) -> bool,
        read: Option<&Path>,
        path: Option<&Path>,
    ) -> Result<Outcome, Failure> {
        let masters = masters_with(catalogue, is_wanted);
        match self {
            Self::Database => write_database(masters, path).map(|()| Outcome::Done),
            Self::Master(format) => {
                let read = read.map(|path| Source::File(path.to_owned()));
                write_masters(format, masters, &Inputs::of(&read), path)
            }
        }
    }
}

/// The masters with their wanted lines.
fn masters_with(catalogue: &Catalogue, is_wanted: impl Fn(&Line) -> bool) -> Vec<Master> {
    let mut masters = catalogue.to_masters();
    for (index, master) in masters.iter_mut().enumerate() {
        let mut lines = catalogue.lines().iter().filter(|line| line.master == index);
        master.lines.retain(|_| lines.next().is_some_and(&is_wanted));
    }
    masters.retain(|master| !master.lines.is_empty());
    masters
}

fn write_masters(
    format: MasterFormat,
    masters: Vec<Master>,
    inputs: &Inputs,
    path: Option<&Path>,
) -> Result<Outcome, Failure> {
    let masters = match format {
        MasterFormat::Json => masters,
        // The other formats hold one master: what decides is written.
        _ => vec![Catalogue::from_masters(masters).0.to_one_master(&MasterInfo::default())],
    };
    let mut bytes = Vec::new();
    let left_out = format.write(&masters, &mut bytes)?;
    output::stream_to(path, inputs, |out| out.write_all(&bytes))?;
    for line in &left_out {
        let reason = "left out: the format cannot express it";
        complain(&format_args!("{}: {}: {reason}", line.location, line.opening()));
    }
    let aliases = masters.iter().flat_map(|m| &m.lines).map(|l| l.aliases.len()).sum::<usize>();
    if aliases > 0 && format != MasterFormat::Json {
        let hint = "eco-json and sqlite keep them";
        let aliases = match aliases {
            1 => "1 alias of an opening is".to_owned(),
            _ => format!("{aliases} aliases of openings are"),
        };
        say(&format_args!("{aliases} left out; {hint}"));
    }
    Ok(if left_out.is_empty() { Outcome::Done } else { Outcome::Incomplete })
}

fn write_database(masters: Vec<Master>, path: Option<&Path>) -> Result<(), Failure> {
    let path = path.ok_or_else(|| Failure("sqlite needs a file (--output)".to_owned()))?;
    if path.exists() {
        return refuse(format!("{}: exists already; nothing was written", path.display()));
    }
    Database::ingest(path, &Catalogue::from_masters(masters).0)?;
    Ok(())
}
