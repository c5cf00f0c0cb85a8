//! Whether the lines of a catalogue get their own names.

use super::classifier::Classifier;
use crate::catalogue::{Catalogue, Line};

/// The lines of a catalogue, by what classifying them returns.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Verification<'c> {
    /// The number of lines and positions that get their own name.
    pub confirmed: usize,
    /// The number of those whose position another master decides.
    pub overruled: usize,
    /// Those that never name anything, because an earlier line of their own master has the same
    /// moves or names the same position; each with the line that is found instead.
    pub hidden: Vec<(&'c Line, &'c Line)>,
    /// Those that are not found at their own position. There are none unless the classifier is
    /// wrong.
    pub lost: Vec<&'c Line>,
}

/// Classifies every line of a catalogue by its moves, and every position without a line by itself.
#[must_use]
pub fn verify(catalogue: &Catalogue) -> Verification<'_> {
    let mut verification = Verification::default();
    for line in catalogue.lines() {
        let found = classified(catalogue, line);
        match found {
            Some(found) if std::ptr::eq(found, line) => verification.confirmed += 1,
            Some(found) if found.position != line.position => verification.lost.push(line),
            Some(found) if found.master != line.master => verification.overruled += 1,
            Some(found) => verification.hidden.push((line, found)),
            None => verification.lost.push(line),
        }
    }
    verification
}

/// The line that names the position of `line`, for a game that follows it.
fn classified<'c>(catalogue: &'c Catalogue, line: &'c Line) -> Option<&'c Line> {
    match catalogue.movetext(line) {
        Some(moves) if !moves.is_empty() => {
            let verdict = Classifier::new(catalogue).classify_movetext(moves.as_bytes());
            verdict.named.map(|named| named.line())
        }
        _ => catalogue.get(&catalogue.positions()[line.position].key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::{Master, MasterFile, MasterInfo};

    fn master(name: &str, rows: &str) -> Master {
        let info = MasterInfo { name: name.to_owned(), ..MasterInfo::default() };
        let file = MasterFile { name, bytes: rows.as_bytes() };
        Master::read(info, &[file], None).unwrap().masters.swap_remove(0)
    }

    #[test]
    fn the_built_in_catalogue_names_what_it_says() {
        let verification = verify(Catalogue::builtin());
        assert_eq!(verification.confirmed, Catalogue::builtin().lines().len());
        assert_eq!(verification.overruled, 0);
        assert!(verification.hidden.is_empty() && verification.lost.is_empty());
    }

    #[test]
    fn lines_that_never_name_anything_are_listed() {
        let first = master(
            "first",
            "eco\tname\tpgn\tepd\nA80\tOne\t1. d4 f5 2. g3\nA81\tOther order\t1. g3 f5 2. d4\n\
             A82\tSame moves\t1. d4 f5 2. g3\nA83\tPosition\t\t\
             rnbqkbnr/ppppp1pp/8/5p2/3P4/6P1/PPP1PP1P/RNBQKBNR b KQkq -\n",
        );
        let second = master("second", "A84\tElsewhere\t1. d4 f5 2. g3\n");
        let (catalogue, faults) = Catalogue::from_masters([first, second]);
        assert_eq!(faults, []);
        let verification = verify(&catalogue);
        assert_eq!((verification.confirmed, verification.overruled), (2, 1));
        let hidden: Vec<&str> =
            verification.hidden.iter().map(|(line, _)| line.opening.name()).collect();
        assert_eq!(hidden, ["Same moves", "Position"]);
        assert!(verification.lost.is_empty());
    }
}
