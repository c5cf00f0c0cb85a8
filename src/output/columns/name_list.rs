//! Names of openings, whose numbers follow from those of lines.
//!
//! A catalogue has few thousand lines. What they have for names in a column is listed once; then a
//! row takes a number from a table, and no name is compared or hashed. The dictionary of such rows
//! has all names of the list, until arrays are [joined](super::names::join_names).

use std::sync::Arc;

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, types::Int32Type};

use super::{names::NameBuilder, nulls::Nulls};
use crate::{
    catalogue::{Catalogue, CatalogueId},
    classify::NamedAt,
    opening::Opening,
    output::Value,
};

/// The names that the lines of a catalogue have in a column.
#[derive(Debug)]
pub(super) struct NameList {
    catalogue: CatalogueId,
    /// The number of the name of each line.
    numbers: Int32Array,
    /// Each once.
    names: ArrayRef,
}

impl NameList {
    pub(super) fn new(catalogue: &Catalogue, name: for<'r> fn(&'r Opening) -> Value<'r>) -> Self {
        let mut names = NameBuilder::new(catalogue.lines().len(), 0);
        catalogue.lines().iter().for_each(|line| names.push(&name(&line.opening)));
        let (numbers, names) = names.finish().into_parts();
        Self { catalogue: catalogue.id().clone(), numbers, names }
    }

    /// The number of a name; `None` if another catalogue gave it.
    #[inline]
    fn number_of(&self, named: &NamedAt<'_>) -> Option<i32> {
        let is_listed = *named.catalogue().id() == self.catalogue;
        is_listed.then(|| self.numbers.values()[named.line_index()])
    }
}

/// Names of a list: their numbers, row by row.
pub(super) struct ListedBuilder {
    list: Arc<NameList>,
    rows: Vec<i32>,
    nulls: Nulls,
    /// Has all rows once there is one with another name.
    others: Option<Box<NameBuilder>>,
}

impl ListedBuilder {
    /// For about this number of rows.
    pub(super) fn new(list: &Arc<NameList>, rows: usize) -> Self {
        Self {
            list: Arc::clone(list),
            rows: Vec::with_capacity(rows),
            nulls: Nulls::new(rows),
            others: None,
        }
    }

    /// Adds a row with this name, whose opening is known, if there is one.
    #[inline]
    pub(super) fn push<'r>(
        &mut self,
        named: Option<&NamedAt<'_>>,
        value: impl FnOnce() -> Value<'r>,
    ) {
        let number = named.map(|named| self.list.number_of(named));
        match (number, &self.others) {
            (Some(Some(number)), None) => {
                self.rows.push(number);
                self.nulls.push(true);
            }
            (None, None) => {
                self.rows.push(0);
                self.nulls.push(false);
            }
            _ => self.push_other(&value()),
        }
    }

    /// Adds a value that may be missing in the list.
    #[inline(never)]
    pub(super) fn push_other(&mut self, value: &Value<'_>) {
        if self.others.is_none() {
            let mut others = NameBuilder::new(self.rows.capacity(), 0);
            let rows: ArrayRef = Arc::new(self.finish());
            others.extend(&rows).expect("the rows of a list are an array of names");
            self.others = Some(Box::new(others));
        }
        if let Some(others) = &mut self.others {
            others.push(value);
        }
    }

    /// The names, and an empty builder.
    pub(super) fn finish(&mut self) -> DictionaryArray<Int32Type> {
        if let Some(mut others) = self.others.take() {
            return others.finish();
        }
        let rows = Int32Array::new(std::mem::take(&mut self.rows).into(), self.nulls.finish());
        DictionaryArray::new(rows, Arc::clone(&self.list.names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        classify::{Classified, Classifier, Header},
        master::{Master, MasterFile, MasterInfo},
        output::{Field, GameRow, columns::BatchLayout, parse_fields},
    };

    const LINES: [&str; 8] =
        ["1. e4 c5", "1. b4", "", "1. e4 c5 2. Nf3 d6 3. d4", "1. b4", "1. b3", "1. Ke2", "1. d4"];

    fn own_catalogue() -> Catalogue {
        let rows = "eco\tname\tpgn\nA00\tMine: Sokolsky\t1. b4\nA01\tMine: Larsen\t1. b3\n";
        let file = MasterFile { name: "mine.tsv", bytes: rows.as_bytes() };
        let masters = Master::read(MasterInfo::default(), &[file], None).unwrap().masters;
        Catalogue::from_masters(masters).0
    }

    #[test]
    fn rows_are_those_of_a_layout_without_lists_whoever_names_the_games() {
        let (builtin, own) = (Catalogue::builtin(), own_catalogue());
        let fields = parse_fields("eco,opening,family,variation,subvariation").unwrap();
        let plain = BatchLayout::new(Field::columns(&fields));
        let listed = plain.clone().with_names_of(builtin);
        let (mut expected, mut found) = (plain.builder(), listed.builder());
        for catalogues in [&[builtin][..], &[&own], &[builtin, &own, builtin], &[builtin]] {
            for (catalogue, line) in catalogues
                .iter()
                .flat_map(|catalogue| LINES.into_iter().map(move |line| (catalogue, line)))
            {
                let verdict = Classifier::new(catalogue).classify_movetext(line.as_bytes());
                let game = Classified { header: Header::default(), verdict };
                let (source, number, offset) = ("-", 1, 0);
                let row = GameRow { source, number, offset, game: &game, trace: None, tags: None };
                plain.write(&row, &mut expected);
                listed.write(&row, &mut found);
            }
            assert_eq!(found.finish(), expected.finish());
        }
    }
}
