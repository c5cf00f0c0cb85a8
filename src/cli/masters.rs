//! Masters that the user names: files of openings, position databases, or the built-in one.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fmt::Display, fs};

use eco::catalogue::Catalogue;
use eco::chess::Language;
use eco::master::{
    LineFault, Master, MasterFile, MasterFormat, MasterInfo, Reading, give_other_names,
};
use eco::quoted::counted;
use eco::store::Database;

use super::args::{NamingArgs, Readers};
use super::outcome::{Failure, complain, refuse};
use super::{input, replace, settings};

/// The name of the built-in catalogue on the command line.
pub(super) const BUILTIN: &str = "builtin";

/// The number of faults that are shown; the others are only counted.
pub(super) const SHOWN: usize = 20;

/// How files of openings are read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReadOptions<'o> {
    /// Merge all files into one master of this name, instead of one per file.
    pub(super) name: Option<&'o str>,
    pub(super) version: Option<&'o str>,
    pub(super) date: Option<&'o str>,
    pub(super) format: Option<MasterFormat>,
    /// The database whose openings other names are for, if nothing else is read with them.
    pub(super) named: Option<&'o Path>,
}

impl NamingArgs {
    /// The language of names and moves for these readers.
    pub(super) fn language(&self, readers: Readers) -> Language {
        let setting = || (readers == Readers::People).then(settings::lang).flatten();
        self.lang.or_else(setting).unwrap_or_default()
    }

    /// The language of moves within texts for these readers; programs read English.
    pub(super) fn language_of_moves(&self, readers: Readers) -> Language {
        match readers {
            Readers::People => self.language(readers),
            Readers::Programs => Language::English,
        }
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

/// The catalogue of all masters that are named, in order, and the faults in them. `unread` decides
/// about a file that cannot be read: without an error the others are read.
pub(super) fn read(
    paths: &[PathBuf],
    options: ReadOptions<'_>,
    mut unread: impl FnMut(Failure) -> Result<(), Failure>,
) -> Result<(Catalogue, Vec<LineFault>), Failure> {
    let (mut masters, mut faults, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    let mut other_names = Vec::new();
    for path in paths {
        let of_file = match contents(path, options) {
            Ok(of_file) => of_file,
            Err(failure) => {
                unread(failure)?;
                continue;
            }
        };
        let reading = load(path, &of_file, options)?;
        masters.extend(reading.masters);
        other_names.extend(reading.other_names);
        faults.extend(reading.faults);
        bytes.extend(of_file);
    }
    if masters.is_empty() && !other_names.is_empty() {
        masters = options.named_masters()?;
    }
    faults.extend(give_other_names(&mut masters, &other_names));
    if let Some(name) = options.name {
        masters = vec![as_one(name, options, masters, &bytes)];
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
fn contents(path: &Path, options: ReadOptions<'_>) -> Result<Vec<u8>, Failure> {
    if path == Path::new(BUILTIN) {
        let files = Master::builtin_files().iter();
        return Ok(files.flat_map(|file| file.bytes).copied().collect());
    }
    // The bytes of a database count only for the fingerprint of what is merged into one master.
    let is_needed = options.name.is_some() || !replace::is_database(path);
    if is_needed { input::read_whole(path) } else { Ok(Vec::new()) }
}

/// The masters of a file of these bytes, of a database, or the built-in one.
fn load(path: &Path, bytes: &[u8], options: ReadOptions<'_>) -> Result<Reading, Failure> {
    let name = path.display().to_string();
    if path == Path::new(BUILTIN) {
        options.are_for_files(&name)?;
        return Ok(of_masters(vec![Master::builtin()]));
    }
    if replace::is_database(path) {
        options.are_for_files(&name)?;
        let masters = Database::open(path)?.catalogue()?.to_masters();
        return Ok(of_masters(masters));
    }
    let changed = || fs::metadata(path).and_then(|metadata| metadata.modified()).ok().map(day);
    let date = options.date.map(str::to_owned).or_else(changed).unwrap_or_default();
    let info = MasterInfo {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        version: options.version.unwrap_or_default().to_owned(),
        date,
        fingerprint: String::new(),
    };
    Ok(Master::read(info, &[MasterFile { name: &name, bytes }], options.format)?)
}

fn of_masters(masters: Vec<Master>) -> Reading {
    Reading { masters, other_names: Vec::new(), faults: Vec::new() }
}

impl ReadOptions<'_> {
    /// The masters whose openings get other names, if none are read with these: those of the
    /// database, or the built-in one.
    fn named_masters(&self) -> Result<Vec<Master>, Failure> {
        let of_database = match self.named.filter(|path| path.exists()) {
            Some(path) => Database::open(path)?.catalogue()?.to_masters(),
            None => Vec::new(),
        };
        Ok(if of_database.is_empty() { vec![Master::builtin()] } else { of_database })
    }

    /// Refuses a version and a date for masters with their own, unless they are merged into one.
    fn are_for_files(&self, name: &str) -> Result<(), Failure> {
        let is_given = self.version.or(self.date).is_some() && self.name.is_none();
        let hint = "has its own edition and date; --edition and --date are for files";
        if is_given { refuse(format!("{name}: {hint}")) } else { Ok(()) }
    }
}

/// Merges masters into one, with the fingerprint of all files.
fn as_one(name: &str, options: ReadOptions<'_>, masters: Vec<Master>, bytes: &[u8]) -> Master {
    let newest = masters.iter().map(|master| master.info.date.as_str()).max();
    let first = masters.first().map(|master| master.info.version.as_str());
    let info = MasterInfo {
        name: name.to_owned(),
        version: options.version.or(first).unwrap_or_default().to_owned(),
        date: options.date.or(newest).unwrap_or_default().to_owned(),
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
    read(&[path.to_owned()], ReadOptions::default(), Err)
}

/// Reports the first faults, and the number of others, which a noun is for.
pub(super) fn report_first(faults: &[impl Display], noun: &str) {
    faults.iter().take(SHOWN).for_each(|fault| complain(fault));
    if faults.len() > SHOWN {
        let more = counted(faults.len() - SHOWN, &format!("more {noun}"));
        complain(&format_args!("... and {more}"));
    }
}
