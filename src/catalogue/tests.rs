//! Catalogues made from masters.

use std::collections::HashSet;

use super::{index::Duplicate, *};
use crate::chess::Board;
use crate::master::{Master, MasterFile, MasterFormat, MasterInfo};

fn master(rows: &str) -> Master {
    let file = MasterFile { name: "test.tsv", bytes: rows.as_bytes() };
    let format = Some(MasterFormat::Tsv);
    let mut reading = Master::read(MasterInfo::default(), &[file], format).unwrap();
    assert_eq!(reading.faults, []);
    reading.masters.swap_remove(0)
}

#[test]
fn the_built_in_lines_are_legal_distinct_and_of_all_codes() {
    let (catalogue, faults) = Catalogue::from_masters([Master::builtin()]);
    assert_eq!(faults, []);
    assert_eq!(catalogue.duplicates(), []);
    assert_eq!(catalogue.lines().len(), Master::BUILTIN_LINES);
    assert_eq!(catalogue.positions().len(), 3810);
    let codes: HashSet<_> = catalogue.lines().iter().map(|l| l.opening.eco()).collect();
    assert_eq!(codes.len(), 500);
    assert_eq!((catalogue.max_ply(), catalogue.min_pieces()), (40, 20));
    let longest = catalogue.lines().iter().filter_map(|l| catalogue.plies(l)).max();
    assert_eq!(longest, Some(36));
}

#[test]
fn every_built_in_line_is_found_by_its_position_and_written_as_it_was_read() {
    let catalogue = Catalogue::builtin();
    for (line, read) in catalogue.lines().iter().zip(Master::builtin().lines) {
        let key = &catalogue.positions()[line.position].key;
        assert_eq!(catalogue.find(key), Some(line.position), "{}", line.location);
        let opening = catalogue.get(key).map(|line| &line.opening);
        assert_eq!(opening, Some(&line.opening), "{}", line.location);
        let without_signs = |text: String| text.replace(['+', '#'], "");
        assert_eq!(
            catalogue.movetext(line).map(without_signs),
            read.movetext.map(without_signs),
            "{}",
            line.location
        );
    }
}

#[test]
fn the_first_line_to_a_position_decides() {
    let first = master("A80\tDutch\t1. d4 f5 2. g3\nA01\tOther\t1. g3 f5 2. d4\n");
    let second = master("A02\tThird\t1. d4 f5 2. g3\nA03\tFourth\t1. d4 f5\n");
    let (catalogue, faults) = Catalogue::from_masters([first, second]);
    assert_eq!(faults, []);
    assert_eq!(catalogue.positions().len(), 2);
    assert_eq!(catalogue.lines()[catalogue.positions()[0].line].opening.name(), "Dutch");
    assert_eq!(catalogue.duplicates(), [Duplicate { line: 1, first: 0 }]);
    assert_eq!(catalogue.lines()[2].position, 0);
}

#[test]
fn bad_lines_are_reported_with_their_move() {
    let (catalogue, faults) = Catalogue::from_masters([master(
        "A00\tA\t1. e4 e5 2. Nf4\nA00\tB\t*\nA00\tC\t1. e4 {\nA00\tD\t1. Nh3 *\n",
    )]);
    assert_eq!(catalogue.lines().len(), 1);
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "test.tsv: line 1: move 2. Nf4: illegal",
            "test.tsv: line 2: no moves",
            "test.tsv: line 3: a comment or variation is never closed",
        ]
    );
}

#[test]
fn a_line_that_is_left_out_leaves_nothing_behind() {
    let key = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let rows = format!(
        "eco\tname\tpgn\tepd\nA00\tA\t1. e4 e5 2. Nf4\t\nA00\tB\t1. d4 d5 2. c4\t{key}\n\
         A00\tC\t1. c4 d5 2. d4\t\n"
    );
    let (catalogue, faults) = Catalogue::from_masters([master(&rows)]);
    assert_eq!(faults.len(), 2);
    let after = |movetext: &str| {
        let mut board = Board::from_position(&crate::chess::Chess::default());
        movetext.split(' ').for_each(|word| board.play(word.as_bytes()).unwrap());
        board.key()
    };
    assert!(catalogue.is_on_line(&after("c4 d5")));
    assert!(!catalogue.is_on_line(&after("e4 e5")));
    assert!(!catalogue.is_on_line(&after("d4 d5")));
    let verdict = crate::classify::Classifier::new(&catalogue).classify_movetext(b"d4 d5 c4");
    assert!(verdict.named.unwrap().is_transposed(), "a line that was left out was followed");
}

#[test]
fn limits_follow_lines_that_are_longer_or_thinner() {
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(11);
    let (catalogue, _) = Catalogue::from_masters([master(&format!("A00\tLong\t{long}\n"))]);
    assert_eq!((catalogue.max_ply(), catalogue.min_pieces()), (44, 20));
}
