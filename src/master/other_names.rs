//! Other names of openings: `alias` and `opening`, a name or a code, separated by tabs, below a
//! header with these words. Further columns are skipped.
//!
//! They are no openings, but belong to those of masters.

use std::collections::HashMap;

use super::reading::{Collector, LineFault, LineReason, OtherName, clean, numbered_lines};
use super::{Alias, Master};

pub(super) fn is_header(line: &str) -> bool {
    line.split('\t').map(str::trim).take(2).eq(["alias", "opening"])
}

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    let rows = numbered_lines(bytes).filter(|(_, row)| !row.trim().is_empty());
    for (number, row) in rows.filter(|(_, row)| !is_header(row)) {
        let mut cells = row.split('\t').map(clean).filter(|cell| !cell.is_empty());
        let Some((alias, opening)) = cells.next().zip(cells.next()) else {
            collector.add(number, Err(LineReason::Form("alias and opening")));
            continue;
        };
        let location = collector.location(number);
        collector.reading.other_names.push(OtherName { location, alias, opening });
    }
}

/// Gives openings of masters their other names: of several lines with a name or a code, the first
/// has them. Returns a fault for each name without an opening.
pub fn give_other_names(masters: &mut [Master], names: &[OtherName]) -> Vec<LineFault> {
    let mut lines: Vec<_> = masters.iter_mut().flat_map(|master| &mut master.lines).collect();
    let (mut by_name, mut by_code) = (HashMap::new(), HashMap::new());
    for (at, line) in lines.iter().enumerate() {
        by_name.entry(line.name.clone()).or_insert(at);
        by_code.entry(line.opening().code().to_owned()).or_insert(at);
    }
    let mut faults = Vec::new();
    for OtherName { location, alias, opening } in names {
        let Some(at) = by_name.get(opening).or_else(|| by_code.get(opening)) else {
            let reason = LineReason::NoOpening(opening.clone());
            faults.push(LineFault { location: location.clone(), reason });
            continue;
        };
        let aliases = &mut lines[*at].aliases;
        if aliases.iter().any(|other| other.name == *alias) {
            continue;
        }
        // Each source has one name for an opening, so further ones of a file are numbered.
        let file = location.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let numbers = (aliases.len() + 1..).map(|number| format!("{file} {number}"));
        let mut free = std::iter::once(file.to_owned())
            .chain(numbers)
            .filter(|source| aliases.iter().all(|alias| alias.source != *source));
        let source = free.next().unwrap_or_default();
        aliases.push(Alias { source, eco: None, name: alias.clone() });
    }
    faults
}
