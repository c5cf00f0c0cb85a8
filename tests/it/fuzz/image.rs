//! The catalogue that a small file keeps, with bytes changed and the right checksum: it is refused,
//! or can be used.
//!
//! The input lists changes: where, as two bytes, how many bytes, and these.

use std::sync::OnceLock;

use super::Choices;
use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    master::{Master, MasterFile, MasterInfo},
};

const MASTER: &str = "A00\tGrob\t1. g4\nA00\tGrob: Fritz\t1. g4 d5 2. Bg2 Bxg4\n\
    B20\tSicilian Defense\t1. e4 c5\nB20\tÉtude\t1. e4 c5 2. a3\nA00\tGrob again\t1. g4\n";

const GAMES: [&str; 5] = [
    "1. g4 d5 2. Bg2 Bxg4 3. c4 c6 4. Qb3",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4",
    "1. e4 g5 2. g4 c5 3. d4",
    "1. c4 c5 2. e4 e6 3. e5 d5 4. exd6",
    "1. g4 d5 2. Nf3 Bxg4 3. Bg2 Nc6 4. O-O Qd7 5. h3 O-O-O",
];

pub fn check_bytes(bytes: &[u8]) {
    let Some(catalogue) = Catalogue::from_unsealed_image(&forged(bytes)) else { return };
    let classifier = Classifier::new(&catalogue);
    for movetext in GAMES {
        for classifier in [classifier, classifier.exhaustive()] {
            if let Some(named) = classifier.classify_movetext(movetext.as_bytes()).named {
                assert!(named.ply() <= 10);
            }
        }
    }
    for line in catalogue.lines() {
        let (plies, moves) = (catalogue.plies(line), catalogue.moves(line));
        assert!(moves.is_none_or(|moves| Some(moves.len()) == plies));
        let _ = catalogue.movetext(line);
        assert!(line.master < catalogue.masters().len());
        assert!(!line.opening.name().contains(char::is_control));
    }
    for position in catalogue.positions() {
        assert!(catalogue.get(&position.key).is_some());
        assert!(!position.key.to_string().is_empty());
        let _ = (position.key.to_position(), catalogue.is_decided(&position.key));
    }
}

/// The bytes of a catalogue, with the changes that are listed.
fn forged(bytes: &[u8]) -> Vec<u8> {
    static VALID: OnceLock<Vec<u8>> = OnceLock::new();
    let valid = VALID.get_or_init(|| {
        let file = MasterFile { name: "a.tsv", bytes: MASTER.as_bytes() };
        let reading = Master::read(MasterInfo::default(), &[file], None).expect("it is a master");
        Catalogue::from_masters(reading.masters).0.to_unsealed_image()
    });
    let mut image = valid.clone();
    let mut choices = Choices::new(bytes);
    while !choices.rest().is_empty() {
        let at = (0..2).fold(0, |at, _| at << 8 | choices.below(256)) % image.len();
        let count = 1 + choices.below(16);
        for byte in image.iter_mut().skip(at).take(count) {
            *byte = choices.try_next().unwrap_or(0);
        }
    }
    image
}
