//! Masters from what the user names: files of openings, position databases, or the built-in one.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use eco::{
    catalogue::Catalogue,
    master::{LineFault, Master, MasterFile, MasterFormat, MasterInfo, Reading},
    store::Database,
};

use super::{Failure, complain};

/// The word that stands for the built-in catalogue where a master is named.
pub(super) const BUILTIN: &str = "builtin";

/// So many bad lines are shown; the others are counted.
const FAULTS_SHOWN: usize = 20;

/// How files of openings are read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReadOptions<'o> {
    /// One master of this name, instead of one for each file.
    pub(super) name: Option<&'o str>,
    pub(super) version: Option<&'o str>,
    pub(super) date: Option<&'o str>,
    pub(super) format: Option<MasterFormat>,
}

/// A file, read.
struct Bytes {
    path: PathBuf,
    name: String,
    bytes: Vec<u8>,
    date: String,
}

/// Reads all masters that are named, in order.
pub(super) fn read(paths: &[PathBuf], options: ReadOptions<'_>) -> Result<Reading, Failure> {
    let mut all = Reading { masters: Vec::new(), faults: Vec::new() };
    for path in paths {
        let Reading { masters, faults } = read_one(path, options)?;
        all.masters.extend(masters);
        all.faults.extend(faults);
    }
    if let Some(name) = options.name {
        all.masters = as_one(name, paths, all.masters)?;
    }
    for (index, master) in all.masters.iter().enumerate() {
        let name = &master.info.name;
        if all.masters[..index].iter().any(|other| other.info.name == *name) {
            return Err(Failure(format!("two masters would be called {name:?}; use --name")));
        }
    }
    Ok(all)
}

fn read_one(path: &Path, options: ReadOptions<'_>) -> Result<Reading, Failure> {
    if path == Path::new(BUILTIN) {
        let masters = vec![Master::builtin_with_fingerprint()];
        return Ok(Reading { masters, faults: Vec::new() });
    }
    let file = Bytes::read(path)?;
    if Database::is_sqlite(&file.bytes) {
        let masters = Database::open(&file.path)?.catalogue()?.to_masters();
        return Ok(Reading { masters, faults: Vec::new() });
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let info = MasterInfo {
        name: stem,
        version: options.version.unwrap_or_default().to_owned(),
        date: options.date.map_or(file.date, str::to_owned),
        fingerprint: String::new(),
    };
    let file = MasterFile { name: &file.name, bytes: &file.bytes };
    Ok(Master::read(info, &[file], options.format)?)
}

/// All lines as those of one master, with the fingerprint of all files.
fn as_one(name: &str, paths: &[PathBuf], masters: Vec<Master>) -> Result<Vec<Master>, Failure> {
    let date = masters.iter().map(|master| master.info.date.clone()).max().unwrap_or_default();
    let version = masters.first().map(|master| master.info.version.clone()).unwrap_or_default();
    let files = paths.iter().filter(|path| *path != Path::new(BUILTIN));
    let files = files.map(|path| Bytes::read(path)).collect::<Result<Vec<_>, _>>()?;
    let files: Vec<MasterFile<'_>> =
        files.iter().map(|f| MasterFile { name: &f.name, bytes: &f.bytes }).collect();
    let fingerprint = Master::fingerprint(&files);
    let lines = masters.into_iter().flat_map(|master| master.lines).collect();
    let info = MasterInfo { name: name.to_owned(), version, date, fingerprint };
    Ok(vec![Master { info, lines }])
}

impl Bytes {
    fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let failed = |error| Failure(format!("{name}: {error}"));
        let bytes = fs::read(path).map_err(failed)?;
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let date = changed.map(day).unwrap_or_default();
        Ok(Self { path: path.to_owned(), name, bytes, date })
    }
}

/// The day of a moment, in UTC.
fn day(time: SystemTime) -> String {
    let mut text = String::new();
    // It has no words for moments before 1970 and after 9999.
    let _ = write!(text, "{}", humantime::format_rfc3339_seconds(time));
    text.truncate("YYYY-MM-DD".len());
    text
}

/// A catalogue of what is named: a database, a file of openings, or the built-in one.
pub(super) fn catalogue_of(path: &Path) -> Result<(Catalogue, Vec<LineFault>), Failure> {
    let Reading { masters, mut faults } = read(&[path.to_owned()], ReadOptions::default())?;
    let (catalogue, unplayable) = Catalogue::from_masters(masters);
    faults.extend(unplayable);
    Ok((catalogue, faults))
}

/// Tells of the first bad lines, and how many more there are.
pub(super) fn tell_faults(faults: &[LineFault]) {
    faults.iter().take(FAULTS_SHOWN).for_each(|fault| complain(fault));
    if faults.len() > FAULTS_SHOWN {
        complain(&format_args!("... and {} more bad lines", faults.len() - FAULTS_SHOWN));
    }
}
