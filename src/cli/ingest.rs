//! `eco ingest`.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use eco::{
    catalogue::Catalogue,
    master::{LineFault, Master},
    report::harmless,
    store::Database,
};

use super::{Failure, Outcome, args::IngestArgs, complain};

/// So many bad lines are shown; the others are counted.
const FAULTS_SHOWN: usize = 20;

pub(super) fn run(args: &IngestArgs) -> Result<Outcome, Failure> {
    let (masters, mut faults) = read_masters(args)?;
    let (catalogue, unplayable) = Catalogue::from_masters(masters);
    faults.extend(unplayable);
    tell_faults(&faults);
    if !faults.is_empty() && !args.partial {
        let hint = "nothing was written (--partial writes the good lines)";
        return Err(Failure(format!("{} bad lines; {hint}", faults.len())));
    }
    for (index, master) in catalogue.masters().iter().enumerate() {
        if !catalogue.lines().iter().any(|line| line.master == index) {
            return Err(Failure(format!(
                "{}: no openings in it; nothing was written",
                master.name
            )));
        }
    }
    Database::ingest(&args.db, &catalogue)?;
    if !args.quiet {
        match report(args, &catalogue) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                return Err(Failure(format!("standard output: {error}")));
            }
            _ => {}
        }
    }
    Ok(if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete })
}

fn read_masters(args: &IngestArgs) -> Result<(Vec<Master>, Vec<LineFault>), Failure> {
    if args.masters.is_empty() {
        return Ok((vec![Master::builtin_with_fingerprint()], Vec::new()));
    }
    let mut files = Vec::new();
    for path in &args.masters {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| Failure(format!("{name}: {error}")))?;
        files.push((name, bytes));
    }
    let files: Vec<(&str, &[u8])> = files.iter().map(|(n, b)| (n.as_str(), &b[..])).collect();
    let version = args.master_version.as_deref().unwrap_or_default();
    if let Some(name) = &args.name {
        let (master, faults) = Master::read_tsv(name, version, files.into_iter());
        return Ok((vec![master], faults));
    }
    let (mut masters, mut faults): (Vec<Master>, _) = (Vec::new(), Vec::new());
    for file in files {
        let stem = Path::new(file.0).file_stem().unwrap_or_default().to_string_lossy();
        if masters.iter().any(|master| master.name == stem) {
            return Err(Failure(format!("two masters would be called {stem:?}; use --name")));
        }
        let (master, bad) = Master::read_tsv(&stem, version, [file].into_iter());
        masters.push(master);
        faults.extend(bad);
    }
    Ok((masters, faults))
}

fn tell_faults(faults: &[LineFault]) {
    faults.iter().take(FAULTS_SHOWN).for_each(|fault| complain(fault));
    if faults.len() > FAULTS_SHOWN {
        complain(&format_args!("... and {} more bad lines", faults.len() - FAULTS_SHOWN));
    }
}

fn report(args: &IngestArgs, catalogue: &Catalogue) -> io::Result<()> {
    for duplicate in catalogue.duplicates() {
        let (line, first) =
            (&catalogue.lines()[duplicate.line], &catalogue.lines()[duplicate.first]);
        complain(&format_args!(
            "{}: leads where line {} led already; {} {} decides",
            line.place,
            first.place.line,
            first.opening.eco(),
            first.opening.name()
        ));
    }
    for (index, master) in catalogue.masters().iter().enumerate() {
        let lines = catalogue.lines().iter().filter(|line| line.master == index).count();
        let added = format!("{}: added master {}, {lines} lines", args.db.display(), master.name);
        writeln!(io::stdout(), "{}", harmless(added.as_bytes()))?;
    }
    Ok(())
}
