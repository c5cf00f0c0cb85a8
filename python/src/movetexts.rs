//! `classify_moves` over a column.

use std::sync::Arc;

use eco::{
    classify::Classifier,
    output::columns::{MovetextError, OpeningColumn},
};
use pyo3::{exceptions::PyTypeError, exceptions::PyValueError, prelude::*};

use crate::{
    arrow::{Array, read_arrays},
    catalogue::Catalogue,
};

/// The opening of each movetext of a column: an array of structs of eco, opening, ply and
/// transposed.
///
/// The column is whatever has `__arrow_c_array__` or `__arrow_c_stream__`: a pyarrow.Array, a
/// polars.Series. It may be text or bytes, a dictionary of text, or nulls without a type. A null
/// stays null, and a game without an opening is a struct of nulls. Nothing is copied on the way in
/// or out.
///
/// >>> import eco_openings as eco, polars as pl
/// >>> moves = pl.Series(["1. g3 f5 2. d4", None])
/// >>> eco.classify_moves(moves).to_list()[0]
/// {'eco': 'A81', 'opening': 'Dutch Defense: Fianchetto Attack', 'ply': 3, 'transposed': True}
/// >>> pl.Series(eco.classify_moves(moves)).struct.field("eco").to_list()
/// ['A81', None]
#[pyfunction]
#[pyo3(signature = (movetexts, *, db = None))]
pub(crate) fn classify_moves(
    py: Python<'_>,
    movetexts: &Bound<'_, PyAny>,
    db: Option<&Bound<'_, PyAny>>,
) -> PyResult<Array> {
    let catalogue = Catalogue::of_argument(db)?;
    let mut column = OpeningColumn::new(Classifier::new(catalogue.openings()));
    read_arrays(movetexts, |array| {
        py.detach(|| column.push(array)).map_err(|error| failed(&error))
    })?;
    Ok(Array(Arc::new(column.finish())))
}

fn failed(error: &MovetextError) -> PyErr {
    match error {
        MovetextError::NotText(_) => PyTypeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
