//! Masters that the user names: files of openings, position databases, or the built-in one.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fmt::Display, fs};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::chess::Language;
use eco::master::{
    LineFault, Master, MasterFile, MasterFormat, MasterInfo, Reading, give_other_names,
};
use eco::{pgn::GameDate, quoted::counted, store::Database};

use super::args::{NamingArgs, Readers, parse_name};
use super::completion::{Choice, one_of};
use super::outcome::{Failure, complain, refuse};
use super::{input, replace, settings};

/// The name of the built-in catalogue on the command line.
pub(super) const BUILTIN: &str = "builtin";

/// The number of faults that are shown; the others are only counted.
pub(super) const SHOWN: usize = 20;

/// How files of openings are read.
#[derive(Debug, Default, Args)]
pub(super) struct ReadingArgs {
    /// Add all files as one master of this name [default: one per file, named after it]
    #[arg(long, value_name = "NAME", requires = "masters", value_parser = parse_name)]
    pub(super) master: Option<String>,

    /// The master's edition, for the record
    #[arg(long, value_name = "TEXT", requires = "masters")]
    edition: Option<String>,

    /// The master's date, for the record [default: when the file was last changed]
    #[arg(long, value_name = "YYYY-MM-DD", requires = "masters", value_parser = parse_day)]
    date: Option<String>,

    /// The format of the files [default: detected from content]
    #[arg(long, value_parser = one_of(FORMATS), requires = "masters")]
    format: Option<MasterFormat>,
}

/// A day, as its own text.
fn parse_day(text: &str) -> Result<String, &'static str> {
    let is_day = |date: GameDate| text.len() == "YYYY-MM-DD".len() && date.to_string() == text;
    let day = text.parse().ok().filter(|date| is_day(*date));
    day.map(|_| text.to_owned()).ok_or("expected a day such as 2026-09-11")
}

const FORMATS: &[Choice<MasterFormat>] = &[
    ("tsv", "lichess's: eco, name and pgn, tab-separated", MasterFormat::Tsv),
    ("pgn", "Games with ECO and Opening tags", MasterFormat::Pgn),
    ("scid", "Scid's .eco", MasterFormat::Scid),
    ("ecomast", "ECOMast text", MasterFormat::EcoMast),
    ("json", "eco.json, or one object per line", MasterFormat::Json),
    ("epd", "One EPD or FEN per line", MasterFormat::Epd),
    ("aliases", "Other names: alias and opening, tab-separated", MasterFormat::Aliases),
];

impl NamingArgs {
    /// The language of names and moves for these readers.
    pub(super) fn language(&self, readers: Readers) -> Language {
        let setting = || (readers == Readers::People).then(settings::lang).flatten();
        self.lang.or_else(setting).unwrap_or_default()
    }

    /// The language of moves within texts for these readers; programs read English.
    pub(super) fn language_of_moves(&self, readers: Readers) -> Language {
        if readers == Readers::People { self.language(readers) } else { Language::English }
    }

    /// The catalogue that names openings in data. A command reads it once, and needs it to its end.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, has bad lines, or is a database without masters.
    pub(super) fn catalogue(&self) -> Result<&'static Catalogue, Failure> {
        self.catalogue_for(Readers::Programs)
    }

    /// The catalogue that names openings for these readers, in their language.
    ///
    /// # Errors
    ///
    /// As [`catalogue`](Self::catalogue).
    pub(super) fn catalogue_for(&self, readers: Readers) -> Result<&'static Catalogue, Failure> {
        let catalogue = self.masters()?;
        match self.language(readers) {
            Language::English => Ok(catalogue),
            language => Ok(Box::leak(Box::new(catalogue.in_language(language)))),
        }
    }

    /// The catalogue with the names of its masters.
    pub(super) fn masters(&self) -> Result<&'static Catalogue, Failure> {
        let setting = || settings::one("catalogue").map(PathBuf::from);
        let Some(path) = self.catalogue.clone().or_else(setting) else {
            return Ok(Catalogue::builtin());
        };
        let (catalogue, faults) = catalogue_of(&path)?;
        report_first(&faults, "bad line");
        let name = path.display();
        if !faults.is_empty() {
            let lines = counted(faults.len(), "bad line");
            let hint = "correct the file, or let `eco ingest --lenient` take the good lines";
            return refuse(format!("{name}: {lines}; {hint}"));
        }
        if catalogue.masters().is_empty() {
            let hint = format!("`eco ingest FILE --db {name}` adds some");
            return refuse(format!("{name}: has no masters to name openings by; {hint}"));
        }
        Ok(Box::leak(Box::new(catalogue)))
    }
}

/// The catalogue of all masters that are named, in order, and the faults in them. Other names are
/// for openings of the database `named` if nothing else is read with them. `unread` decides about
/// a file that cannot be read: without an error the others are read.
pub(super) fn read(
    paths: &[PathBuf],
    args: &ReadingArgs,
    named: Option<&Path>,
    mut unread: impl FnMut(Failure) -> Result<(), Failure>,
) -> Result<(Catalogue, Vec<LineFault>), Failure> {
    let (mut masters, mut faults, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    let mut other_names = Vec::new();
    for path in paths {
        let of_file = match contents(path, args) {
            Ok(of_file) => of_file,
            Err(failure) => {
                unread(failure)?;
                continue;
            }
        };
        let reading = load(path, &of_file, args)?;
        masters.extend(reading.masters);
        other_names.extend(reading.other_names);
        faults.extend(reading.faults);
        bytes.extend(of_file);
    }
    if masters.is_empty() && !other_names.is_empty() {
        masters = named_masters(named)?;
    }
    faults.extend(give_other_names(&mut masters, &other_names));
    if let Some(name) = &args.master {
        masters = vec![as_one(name, args, masters, &bytes)];
    }
    for (index, master) in masters.iter().enumerate() {
        let name = &master.info.name;
        if masters[..index].iter().any(|other| other.info.name == *name) {
            let hint = "ingest one of them under a name of its own, with --master";
            return refuse(format!("two masters would be called '{name}'; {hint}"));
        }
    }
    let (catalogue, unplayable) = Catalogue::from_masters(masters);
    faults.extend(unplayable);
    Ok((catalogue, faults))
}

/// The bytes of a file, or those that a fingerprint of other masters is of.
fn contents(path: &Path, args: &ReadingArgs) -> Result<Vec<u8>, Failure> {
    if path == Path::new(BUILTIN) {
        let files = Master::builtin_files().iter();
        return Ok(files.flat_map(|file| file.bytes).copied().collect());
    }
    // The bytes of a database count only for the fingerprint of what is merged into one master.
    let is_needed = args.master.is_some() || !replace::is_database(path);
    if is_needed { input::read_whole(path) } else { Ok(Vec::new()) }
}

/// The masters of a file of these bytes, of a database, or the built-in one.
fn load(path: &Path, bytes: &[u8], args: &ReadingArgs) -> Result<Reading, Failure> {
    let name = path.display().to_string();
    let masters = match () {
        () if path == Path::new(BUILTIN) => Some(vec![Master::builtin()]),
        () if replace::is_database(path) => Some(Database::open(path)?.catalogue()?.to_masters()),
        () => None,
    };
    if let Some(masters) = masters {
        if args.edition.as_ref().or(args.date.as_ref()).is_some() && args.master.is_none() {
            let hint = "has its own edition and date; --edition and --date are for files";
            return refuse(format!("{name}: {hint}"));
        }
        return Ok(Reading { masters, other_names: Vec::new(), faults: Vec::new() });
    }
    let changed = || fs::metadata(path).and_then(|metadata| metadata.modified()).ok().map(day);
    let info = MasterInfo {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        version: args.edition.clone().unwrap_or_default(),
        date: args.date.clone().or_else(changed).unwrap_or_default(),
        fingerprint: String::new(),
    };
    Ok(Master::read(info, &[MasterFile { name: &name, bytes }], args.format)?)
}

/// The masters whose openings get other names, if none are read with these: those of the database,
/// or the built-in one.
fn named_masters(db: Option<&Path>) -> Result<Vec<Master>, Failure> {
    let of_database = match db.filter(|path| path.exists()) {
        Some(path) => Database::open(path)?.catalogue()?.to_masters(),
        None => Vec::new(),
    };
    Ok(if of_database.is_empty() { vec![Master::builtin()] } else { of_database })
}

/// Merges masters into one, with the fingerprint of all files.
fn as_one(name: &str, args: &ReadingArgs, masters: Vec<Master>, bytes: &[u8]) -> Master {
    let newest = masters.iter().map(|master| master.info.date.as_str()).max();
    let first = masters.first().map(|master| master.info.version.as_str());
    let info = MasterInfo {
        name: name.to_owned(),
        version: args.edition.as_deref().or(first).unwrap_or_default().to_owned(),
        date: args.date.as_deref().or(newest).unwrap_or_default().to_owned(),
        fingerprint: Master::fingerprint(&[MasterFile { name, bytes }]),
    };
    Master { info, lines: masters.into_iter().flat_map(|master| master.lines).collect() }
}

/// The date of a time in UTC, as YYYY-MM-DD; empty before 1970 and after 9999.
fn day(time: SystemTime) -> String {
    const YEAR_10000: Duration = Duration::from_secs(253_402_300_800);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) if since < YEAR_10000 => {
            let mut text = humantime::format_rfc3339_seconds(time).to_string();
            text.truncate("YYYY-MM-DD".len());
            text
        }
        _ => String::new(),
    }
}

/// The catalogue of a database, of a file of openings, or the built-in one, and the faults in it.
pub(super) fn catalogue_of(path: &Path) -> Result<(Catalogue, Vec<LineFault>), Failure> {
    if path != Path::new(BUILTIN) && replace::is_database(path) {
        return Ok((Database::open(path)?.catalogue()?, Vec::new()));
    }
    read(&[path.to_owned()], &ReadingArgs::default(), None, Err)
}

/// Reports the first faults, and the number of others, which a noun is for.
pub(super) fn report_first(faults: &[impl Display], noun: &str) {
    faults.iter().take(SHOWN).for_each(|fault| complain(fault));
    if faults.len() > SHOWN {
        let more = counted(faults.len() - SHOWN, &format!("more {noun}"));
        complain(&format_args!("... and {more}"));
    }
}
