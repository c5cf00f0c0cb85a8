//! The format of lichess's `chess-openings`: `eco`, `name`, `pgn`, separated by tabs.
//!
//! Forgiven: a byte order mark, either kind of line end, blank lines, columns in another order or
//! more of them (as in its `dist` folder), and no header line if the columns are the usual three.

use std::sync::Arc;

use super::{LineFault, LinePlace, LineReason, MasterLine};
use crate::pgn::decode_text;

const COLUMNS: [&str; 3] = ["eco", "name", "pgn"];

/// Reads one file into `lines` and `faults`.
pub(super) fn read(
    file: &str,
    bytes: &[u8],
    lines: &mut Vec<MasterLine>,
    faults: &mut Vec<LineFault>,
) {
    let file: Arc<str> = file.into();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut columns = [0, 1, 2];
    for (row, line) in bytes.split(|b| *b == b'\n').zip(1_u32..) {
        let row = decode_text(row.strip_suffix(b"\r").unwrap_or(row));
        if row.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = row.split('\t').collect();
        if line == 1 && cells.contains(&COLUMNS[0]) {
            columns = COLUMNS.map(|name| position(&cells, name));
            continue;
        }
        let place = LinePlace { file: Arc::clone(&file), line };
        match read_row(&cells, columns, &place) {
            Ok(line) => lines.push(line),
            Err(reason) => faults.push(LineFault { place, reason }),
        }
    }
}

/// Where a column is; beyond every row if the header has it not.
fn position(header: &[&str], name: &str) -> usize {
    header.iter().position(|cell| *cell == name).unwrap_or(usize::MAX)
}

fn read_row(
    cells: &[&str],
    columns: [usize; 3],
    place: &LinePlace,
) -> Result<MasterLine, LineReason> {
    let cell = |which: usize| {
        let text = cells.get(columns[which]).map_or("", |cell| cell.trim());
        if text.is_empty() {
            return Err(LineReason::NoColumn(COLUMNS[which]));
        }
        Ok(text)
    };
    let (eco, name, movetext) = (cell(0)?, cell(1)?, cell(2)?);
    Ok(MasterLine {
        place: place.clone(),
        eco: eco.parse()?,
        name: name.to_owned(),
        movetext: movetext.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> (Vec<String>, Vec<String>) {
        let (mut lines, mut faults) = (Vec::new(), Vec::new());
        read("x.tsv", text.as_bytes(), &mut lines, &mut faults);
        let line =
            |l: &MasterLine| format!("{} {} | {} | {}", l.place.line, l.eco, l.name, l.movetext);
        (lines.iter().map(line).collect(), faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_layout_gives_the_same_line() {
        for text in [
            "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n",
            "\u{feff}eco\tname\tpgn\r\nA00\tAmar Opening\t1. Nh3\r\n\r\n",
            "name\tuci\tpgn\teco\nAmar Opening\tg1h3\t1. Nh3\tA00",
        ] {
            let (lines, faults) = read_all(text);
            assert_eq!(lines, ["2 A00 | Amar Opening | 1. Nh3"], "{text:?}");
            assert_eq!(faults, [""; 0]);
        }
        assert_eq!(read_all("A00\tAmar Opening\t1. Nh3").0, ["1 A00 | Amar Opening | 1. Nh3"]);
    }

    #[test]
    fn bad_rows_are_named_and_the_rest_is_read() {
        let (lines, faults) =
            read_all("eco\tname\tpgn\nA00\tAmar\nX99\tNo\t1. e4\nA00\tAmar\t1. Nh3\n\t\t\t");
        assert_eq!(lines, ["4 A00 | Amar | 1. Nh3"]);
        assert_eq!(
            faults,
            [
                "x.tsv: line 2: no pgn (expected code, name and moves, separated by tabs)",
                "x.tsv: line 3: not an ECO code: \"X99\" (expected A00 to E99)",
            ]
        );
    }
}
