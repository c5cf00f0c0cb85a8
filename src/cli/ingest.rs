//! `eco ingest`.

use eco::{
    catalogue::{Catalogue, MasterCounts},
    output::sanitize,
    store::Database,
};

use super::{
    Failure, Outcome,
    args::IngestArgs,
    complain,
    masters::{self, BUILTIN, ReadOptions, tell_faults},
    output::print,
    say,
};

/// So many lines that lead to one position are shown; the others are counted.
const DUPLICATES_SHOWN: usize = 20;

pub(super) fn run(args: &IngestArgs) -> Result<Outcome, Failure> {
    let paths = match &args.masters[..] {
        [] => vec![BUILTIN.into()],
        paths => paths.to_vec(),
    };
    let options = ReadOptions {
        name: args.name.as_deref(),
        version: args.master_version.as_deref(),
        date: args.master_date.as_deref(),
        format: args.format.map(Into::into),
    };
    let reading = masters::read(&paths, options)?;
    let (catalogue, unplayable) = Catalogue::from_masters(reading.masters);
    let mut faults = reading.faults;
    faults.extend(unplayable);
    tell_faults(&faults);
    if !faults.is_empty() && !args.partial {
        let hint = "nothing was written (--partial writes the good lines)";
        return Err(Failure(format!("{} bad lines; {hint}", faults.len())));
    }
    if catalogue.masters().is_empty() {
        return Err(Failure("no master in it; nothing was written".to_owned()));
    }
    for (index, master) in catalogue.masters().iter().enumerate() {
        if catalogue.counts(index).lines == 0 {
            let name = &master.name;
            return Err(Failure(format!("{name}: no openings in it; nothing was written")));
        }
    }
    Database::ingest(&args.db, &catalogue)?;
    if !args.quiet {
        report(args, &catalogue)?;
    }
    Ok(if faults.is_empty() { Outcome::Done } else { Outcome::Incomplete })
}

/// Says what was added, and how it stands to what the database had.
fn report(args: &IngestArgs, added: &Catalogue) -> Result<(), Failure> {
    for index in 0..added.masters().len() {
        let mut duplicates = added.duplicates_of(index);
        for (line, first) in duplicates.by_ref().take(DUPLICATES_SHOWN) {
            complain(&format_args!(
                "{}: {} {} leads where {} led already, {} {}",
                line.place,
                line.opening.eco(),
                line.opening.name(),
                first.place,
                first.opening.eco(),
                first.opening.name()
            ));
        }
        let more = duplicates.count();
        if more > 0 {
            say(&format_args!("... and {more} more that lead where another line led"));
        }
    }
    let whole = Database::open(&args.db)?.catalogue()?;
    let mut text = String::new();
    for (index, master) in whole.masters().iter().enumerate() {
        if added.masters().iter().any(|other| other.name == master.name) {
            let counts = in_words(&whole.counts(index));
            let said = format!("{}: added master {}: {counts}", args.db.display(), master.name);
            text.extend([&*sanitize(said.as_bytes()), "\n"]);
        }
    }
    print(text.as_bytes())
}

fn in_words(counts: &MasterCounts) -> String {
    let MasterCounts { lines, positions, repeated, decided_before, .. } = counts;
    let mut text = format!("{lines} lines, {positions} positions");
    if *repeated > 0 {
        let codes = counts.repeated_with_other_code;
        text += &format!("; {repeated} listed twice, {codes} of them with different codes");
    }
    if *decided_before > 0 {
        let codes = counts.decided_otherwise;
        text += &format!("; {decided_before} named before, {codes} of them with another code");
    }
    text
}
