//! `classify_moves` over a column.

use std::{collections::VecDeque, sync::Arc};

use arrow_array::{Array as _, ArrayRef, NullArray};
use eco::{
    classify::Classifier,
    output::columns::{MovetextError, OpeningColumn},
};
use pyo3::{exceptions::PyTypeError, exceptions::PyValueError, prelude::*};

use crate::{
    arrow::{Array, read_arrays},
    catalogue::Catalogue,
};

/// The opening of each movetext of a column: an array of structs of eco, opening, ply, transposed
/// and error.
///
/// The column is whatever has `__arrow_c_array__` or `__arrow_c_stream__`: a pyarrow.Array, a
/// polars.Series. It may be text or bytes, a dictionary of text, or nulls without a type. A null
/// stays null, and a game without an opening has nulls in its struct. Nothing is copied on the way
/// in or out.
///
/// `fen` and `variant` are columns of the tags `FEN` and `Variant`, of the same length: a game that
/// begins elsewhere is named from there, and one of another variant has no name, and an error. A
/// null is a game without the tag. Without them every game begins in the initial position.
///
/// >>> import eco_openings as eco, polars as pl
/// >>> moves = pl.Series(["1. g3 f5 2. d4", None, "1. e4 c5"])
/// >>> named = eco.classify_moves(moves, variant=pl.Series([None, None, "Atomic"])).to_list()
/// >>> named[0]["eco"], named[0]["opening"], named[0]["ply"], named[0]["transposed"]
/// ('A81', 'Dutch Defense: Fianchetto Attack', 3, True)
/// >>> named[1], named[2]["eco"], named[2]["error"]
/// (None, None, 'variant Atomic: not classified')
/// >>> pl.Series(eco.classify_moves(moves)).struct.field("eco").to_list()
/// ['A81', None, 'B20']
#[pyfunction]
#[pyo3(signature = (movetexts, *, fen = None, variant = None, catalogue = None))]
pub(crate) fn classify_moves(
    py: Python<'_>,
    movetexts: &Bound<'_, PyAny>,
    fen: Option<&Bound<'_, PyAny>>,
    variant: Option<&Bound<'_, PyAny>>,
    catalogue: Option<&Bound<'_, PyAny>>,
) -> PyResult<Array> {
    let catalogue = Catalogue::of_argument(catalogue)?;
    let mut column = OpeningColumn::new(Classifier::new(catalogue.openings()));
    let (mut fens, mut variants) = (Column::read(fen)?, Column::read(variant)?);
    read_arrays(movetexts, |array| {
        let mut rest = Arc::clone(array);
        loop {
            // Columns may be cut at different rows.
            let rows = rest.len().min(fens.first_len()).min(variants.first_len());
            let (moves, tags) = (rest.slice(0, rows), [fens.take(rows), variants.take(rows)]);
            let named = py.detach(|| column.push(&moves, tags.each_ref().map(Option::as_deref)));
            named.map_err(|error| failed(&error))?;
            rest = rest.slice(rows, rest.len() - rows);
            if rest.is_empty() {
                return Ok(());
            }
        }
    })?;
    if fens.is_left() || variants.is_left() {
        return Err(PyValueError::new_err("fen and variant have more rows than the movetexts"));
    }
    Ok(Array(Arc::new(column.finish())))
}

/// A column of a tag, as far as it is not taken yet; `None` if there is none.
struct Column(Option<VecDeque<ArrayRef>>);

impl Column {
    fn read(object: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(object) = object else { return Ok(Self(None)) };
        let mut chunks = VecDeque::new();
        read_arrays(object, |array| {
            chunks.push_back(Arc::clone(array));
            Ok(())
        })?;
        Ok(Self(Some(chunks)))
    }

    fn first_len(&self) -> usize {
        let first = self.0.as_ref().and_then(VecDeque::front);
        first.map_or(usize::MAX, arrow_array::Array::len)
    }

    /// Takes rows of the first chunk. There are none where the column is too short.
    fn take(&mut self, rows: usize) -> Option<ArrayRef> {
        let chunks = self.0.as_mut()?;
        let Some(first) = chunks.pop_front() else { return Some(Arc::new(NullArray::new(0))) };
        if rows < first.len() {
            chunks.push_front(first.slice(rows, first.len() - rows));
        }
        Some(first.slice(0, rows))
    }

    fn is_left(&self) -> bool {
        self.0.iter().flatten().any(|chunk| !chunk.is_empty())
    }
}

fn failed(error: &MovetextError) -> PyErr {
    match error {
        MovetextError::NotText(_) => PyTypeError::new_err(error.to_string()),
        MovetextError::Lengths(..) => {
            PyValueError::new_err("fen and variant have fewer rows than the movetexts")
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}
