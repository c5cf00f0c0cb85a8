//! The format of lichess's `chess-openings`: `eco`, `name`, `pgn`, separated by tabs.
//!
//! Forgiven: a byte order mark, either kind of line end, blank lines, lines that begin with `#`,
//! other columns or another order of them, and a missing header line if the columns are these
//! three. The code may be empty, and its column may be missing. Two more columns are read, which
//! the `dist` folder of `chess-openings` has: `uci` gives the moves if `pgn` is empty. `epd` (or
//! `fen`) gives the position; if there are moves too, they must lead to it.
//!
//! The master that is part of this program has it too: lichess's, with its origin in
//! `data/openings/`.

use std::io::{self, Write};
use std::sync::LazyLock;

use super::reading::{Collector, LineReason, numbered_lines, read_key};
use super::{Master, MasterFile, MasterInfo, MasterLine};
use crate::packed::{Packed, packed};

const EXPECTED: &str = "code, name and moves, separated by tabs";

/// The numbers of the columns for code, name, moves, moves in UCI, and position.
type Columns = [usize; 5];

/// The number of a column that the file does not have: every row is shorter.
const ABSENT: usize = usize::MAX;

fn columns_of(header: &[&str]) -> Columns {
    let names: [&[&str]; 5] = [&["eco"], &["name"], &["pgn"], &["uci"], &["epd", "fen"]];
    names.map(|names| header.iter().position(|cell| names.contains(&cell.trim())).unwrap_or(ABSENT))
}

/// Whether a line is the header of such a file: it has a column for the code, or else for the name
/// and for moves or positions.
pub(super) fn is_header(line: &str) -> bool {
    let cells: Vec<&str> = line.split('\t').collect();
    let [eco, name, places @ ..] = columns_of(&cells);
    let has_openings = name != ABSENT && places != [ABSENT; 3];
    cells.len() > 1 && (eco != ABSENT || has_openings)
}

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    let mut columns = [0, 1, 2, ABSENT, ABSENT];
    let rows = numbered_lines(bytes).filter(|(_, row)| !row.trim().is_empty());
    for (index, (number, row)) in rows.enumerate() {
        let cells: Vec<&str> = row.split('\t').collect();
        if index == 0 && is_header(&row) {
            columns = columns_of(&cells);
            continue;
        }
        collector.add(number, read_row(&cells, columns));
    }
}

fn read_row(cells: &[&str], columns: Columns) -> Result<MasterLine, LineReason> {
    let [eco, name, pgn, uci, epd] =
        columns.map(|column| cells.get(column).map_or("", |cell| cell.trim()));
    let missing = |what| Err(LineReason::Missing { what, expected: EXPECTED });
    if name.is_empty() {
        return missing("name");
    }
    let opening = MasterLine::named(eco, name)?;
    let moves = [pgn, uci].into_iter().find(|text| !text.is_empty());
    let epd = Some(epd).filter(|epd| !epd.is_empty());
    if moves.is_none() && epd.is_none() {
        return missing("pgn");
    }
    let key = epd.map(read_key).transpose()?;
    Ok(MasterLine { movetext: moves.map(str::to_owned), key, ..opening })
}

/// Writes the lines with a header. There is a column `epd` only if some line has no moves.
pub(super) fn write(lines: &[&MasterLine], out: &mut dyn Write) -> io::Result<()> {
    let has_positions = lines.iter().any(|line| line.movetext.is_none());
    writeln!(out, "eco\tname\tpgn{}", if has_positions { "\tepd" } else { "" })?;
    for line in lines {
        let moves = line.movetext.as_deref().unwrap_or_default();
        write!(out, "{}\t{}\t{moves}", line.opening().code(), line.name)?;
        match &line.key {
            Some(key) if has_positions => writeln!(out, "\t{key}")?,
            _ => writeln!(out)?,
        }
    }
    Ok(())
}

static PACKED: [(&str, Packed); 5] = [
    ("a.tsv", packed!("a.tsv")),
    ("b.tsv", packed!("b.tsv")),
    ("c.tsv", packed!("c.tsv")),
    ("d.tsv", packed!("d.tsv")),
    ("e.tsv", packed!("e.tsv")),
];

static BUILTIN: LazyLock<[MasterFile<'_>; 5]> = LazyLock::new(|| {
    PACKED.each_ref().map(|(name, file)| MasterFile { name, bytes: file.bytes() })
});

/// The version of the built-in master, which is a day. The data folder gives it.
const BUILTIN_VERSION: &str = "2026-09-11";

/// Its [fingerprint](Master::fingerprint): to compute it takes longer than to classify a small
/// file.
const BUILTIN_FINGERPRINT: &str =
    "9bead1d246893e01b7be2dbbee4fc207ae177b04c509dcedbfec054aecce7cfa";

impl Master {
    /// The built-in master, read from its files. The built-in catalogue is made of the same lines,
    /// and is there without reading any.
    pub fn builtin() -> Self {
        let mut collector = Collector::new(Self::builtin_info());
        for file in Self::builtin_files() {
            collector.begin_file(file.name);
            read(file.bytes, &mut collector);
        }
        let mut reading = collector.finish();
        debug_assert_eq!(reading.faults, [], "the built-in master has faults");
        reading.masters.swap_remove(0)
    }

    /// The files of the built-in master.
    pub fn builtin_files() -> &'static [MasterFile<'static>] {
        &*BUILTIN
    }

    /// The number of lines of the built-in master.
    #[cfg(test)]
    pub(crate) const BUILTIN_LINES: usize = 3810;

    /// What is known of the built-in master.
    pub(crate) fn builtin_info() -> MasterInfo {
        MasterInfo {
            name: "lichess".to_owned(),
            version: BUILTIN_VERSION.to_owned(),
            date: BUILTIN_VERSION.to_owned(),
            fingerprint: BUILTIN_FINGERPRINT.to_owned(),
        }
    }
}
