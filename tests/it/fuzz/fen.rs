//! Any text as a FEN or an EPD: what is read is written and read again, a repaired FEN needs no
//! repair, and what `shakmaty` takes for a legal position is one. Any text is a pawn structure or
//! material as well, or is refused.

use eco::{
    chess::{
        Chess, EnPassantMode, Epd, FaultClass, Fen, FenReading, PositionKey,
        epd::split_epd,
        fen::{FenTable, complete_fen, split_fen, unwrap_fen},
        polyglot_hash, read_fen, shakmaty,
    },
    classify::Question,
    diagram::{Diagram, TextStyle, Theme},
    select::{Material, PawnStructure},
};

pub fn check_bytes(bytes: &[u8]) {
    let reading = FenReading::from_ascii(bytes);
    check_reading(&reading, FenReading::from_ascii);
    check_reading(&FenReading::of_chess960(bytes), FenReading::of_chess960);
    if let Ok(position) = read_fen(bytes) {
        assert_eq!(reading.fen().and_then(|fen| fen.to_position().ok()), Some(position.clone()));
        check_position(&position);
    }
    check_peer(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        check_line(text);
    }
}

fn check_reading(reading: &FenReading, again: impl Fn(&[u8]) -> FenReading) {
    let read_again = |fen: &Fen| again(fen.to_string().as_bytes());
    let columns: Vec<usize> = reading.faults.iter().map(|fault| fault.column).collect();
    assert!(columns.is_sorted(), "{columns:?}");
    for fault in &reading.faults {
        assert!(!fault.to_string().is_empty() && !fault.in_words().is_empty());
    }
    if let Some(fen) = reading.fen() {
        let second = read_again(fen);
        assert_eq!(second.fen(), Some(fen), "{fen}");
        assert_eq!(fen.to_string().parse().as_ref(), Ok(fen));
        check_fen(fen);
    } else {
        assert!(!reading.faults.is_empty());
    }
    if let Some(repaired) = reading.repaired() {
        assert!(!reading.faults.is_empty());
        let second = read_again(repaired);
        assert!(second.class() <= Some(FaultClass::Odd), "{repaired}: {second:?}");
        assert_eq!(second.fen(), Some(repaired));
    }
}

fn check_fen(fen: &Fen) {
    let table = FenTable::from_fen(fen);
    assert_eq!(table.to_fen().ok().as_ref(), Some(fen));
    for json in [table.to_json(), table.to_pretty_json()] {
        let read: Vec<_> = FenTable::read_json(json.as_bytes()).collect();
        assert!(matches!(&read[..], [Ok(read)] if *read == table), "{fen}: {read:?}");
    }
    let diagram = Diagram::new(fen.clone());
    let svg = diagram.to_svg(&Theme::default());
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for style in [TextStyle::Ascii, TextStyle::Unicode] {
        let text = diagram.to_text(style);
        assert!(text.lines().count() >= 8);
        let structure = fen.to_string().parse::<PawnStructure>();
        assert_eq!(text.parse::<PawnStructure>(), structure, "{text}");
    }
}

fn check_position(position: &Chess) {
    for mode in [EnPassantMode::Legal, EnPassantMode::PseudoLegal, EnPassantMode::Always] {
        let key = PositionKey::from_position(position, mode);
        assert_eq!(key.to_string().parse(), Ok(key));
        let again = key.to_position().expect("it comes from a position");
        assert_eq!(PositionKey::from_position(&again, mode), key);
        assert_eq!(polyglot_hash(&again, mode), polyglot_hash(position, mode));
        let fen = Fen::from_position(position, mode);
        assert_eq!(fen.to_position().as_ref(), Ok(position), "{fen}");
    }
}

/// What the other reader takes for a legal position of standard chess is one here, and what is one
/// here is one there.
fn check_peer(bytes: &[u8]) {
    let peer = |text: &[u8]| {
        let fen = shakmaty::fen::Fen::from_ascii(text).ok()?;
        fen.into_position::<Chess>(shakmaty::CastlingMode::Standard).ok()
    };
    // It reads marks of crazyhouse, a ninth rank if that is empty, counters of any length, and
    // underscores for spaces, and lets fields be empty.
    let placement = bytes.split(|byte| *byte == b' ').next().unwrap_or_default();
    let is_standard = bytes.split(|byte| *byte == b' ').count() == 6
        && bytes.rsplit(|byte| *byte == b' ').take(2).all(|counter| counter.len() < 10)
        && placement.split(|byte| *byte == b'/').count() == 8
        && !placement.iter().any(|byte| b"~[]".contains(byte))
        && !bytes.contains(&b'_')
        && !bytes.split(|byte| *byte == b' ').any(<[u8]>::is_empty);
    if is_standard && let Some(theirs) = peer(bytes) {
        assert_eq!(read_fen(bytes).as_ref(), Ok(&theirs), "{}", bytes.escape_ascii());
    }
    let reading = FenReading::from_ascii(bytes);
    if let (None, Some(fen)) = (reading.class(), reading.fen()) {
        let theirs = peer(fen.to_string().as_bytes());
        assert_eq!(theirs, fen.to_position().ok(), "{fen}");
        assert!(theirs.is_some(), "{fen}");
    }
}

/// A line is a FEN and what follows it; an EPD that was read is written and read again.
fn check_line(line: &str) {
    let faults = [
        line.parse::<PawnStructure>().err().map(|fault| fault.to_string()),
        line.parse::<Material>().err().map(|fault| fault.to_string()),
    ];
    assert!(
        faults.iter().flatten().all(|fault| !fault.is_empty() && !fault.contains('\n')),
        "{line}"
    );
    for (first, rest) in [split_fen(line), split_epd(line)] {
        assert_eq!(format!("{first}{rest}"), line);
    }
    if let Ok(question) = line.parse::<Question>() {
        assert_eq!(question.steps().count(), question.moves().len(), "{line}");
        let fen = Fen::from_position(question.end(), EnPassantMode::Legal).to_string();
        let again: Question = fen.parse().unwrap_or_else(|fault| panic!("{line}: {fault}"));
        assert_eq!(again.key(), question.key(), "{line}");
    }
    let (unwrapped, _) = unwrap_fen(line);
    let (completed, _) = complete_fen(&unwrapped);
    let _ = FenReading::from_ascii(completed.as_bytes());
    if let Ok(epd) = line.parse::<Epd>() {
        let written = epd.to_string();
        assert_eq!(written.parse::<Epd>().as_ref(), Ok(&epd), "{written}");
    }
}
