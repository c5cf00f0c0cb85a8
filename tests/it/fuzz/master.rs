//! Any bytes as an ECO master, in the format that is detected and in every other: what is read is
//! written in each format and read again, with the same openings at the same positions.

use eco::{
    catalogue::Catalogue,
    master::{Master, MasterFile, MasterFormat, MasterInfo, Reading},
};

const FORMATS: [MasterFormat; 6] = [
    MasterFormat::Tsv,
    MasterFormat::Pgn,
    MasterFormat::Scid,
    MasterFormat::EcoMast,
    MasterFormat::Json,
    MasterFormat::Epd,
];

pub fn check_bytes(bytes: &[u8]) {
    let detected = MasterFormat::of(&MasterFile { name: "a", bytes });
    let read_by_content =
        Master::read(MasterInfo::default(), &[MasterFile { name: "a", bytes }], None);
    match detected {
        Ok(format) => assert_eq!(read_by_content.as_ref(), Ok(&read(bytes, format))),
        Err(error) => assert_eq!(read_by_content, Err(error)),
    }
    for format in FORMATS {
        check(read(bytes, format), bytes);
    }
}

fn read(bytes: &[u8], format: MasterFormat) -> Reading {
    let file = MasterFile { name: "a", bytes };
    Master::read(MasterInfo::default(), &[file], Some(format)).expect("the format is given")
}

fn check(reading: Reading, bytes: &[u8]) {
    let line_count = 1 + bytes.split(|byte| matches!(byte, b'\n' | b'\r')).count() as u32;
    for line in reading.masters.iter().flat_map(|master| &master.lines) {
        assert!((1..=line_count).contains(&line.location.line), "{line:?}");
        assert!(!line.name.trim().is_empty() && !line.name.contains(char::is_control), "{line:?}");
        assert!(line.movetext.is_some() || line.key.is_some(), "{line:?}");
    }
    for fault in &reading.faults {
        assert!((1..=line_count).contains(&fault.location.line), "{fault:?}");
    }
    let (catalogue, _) = Catalogue::from_masters(reading.masters);
    if catalogue.lines().is_empty() {
        return;
    }
    check_written(&catalogue, MasterFormat::Json, &catalogue.to_masters());
    let one = catalogue.to_one_master(&MasterInfo::default());
    for format in FORMATS.into_iter().filter(|format| *format != MasterFormat::EcoMast) {
        check_written(&catalogue, format, std::slice::from_ref(&one));
    }
}

/// A file holds all openings but those that its format cannot express.
fn check_written(catalogue: &Catalogue, format: MasterFormat, masters: &[Master]) {
    let mut out = Vec::new();
    let left_out = format.write(masters, &mut out).expect("memory can be written").len();
    let text = out.escape_ascii();
    let again = read(&out, format);
    assert_eq!(again.faults, [], "{format:?}: {text}");
    let (again, faults) = Catalogue::from_masters(again.masters);
    assert_eq!(faults, [], "{format:?}: {text}");
    let differences = catalogue.diff(&again).len();
    assert!(differences <= left_out, "{format:?}: {text}\n{:?}", catalogue.diff(&again));
    if left_out == 0 && format != MasterFormat::Scid {
        let lines = masters.iter().map(|master| master.lines.len()).sum::<usize>();
        assert_eq!(again.lines().len(), lines, "{format:?}: {text}");
    }
}
