//! Rows in memory.

use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray, cast::AsArray, types,
};
use arrow_schema::{DataType, SchemaRef};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyCapsule, PyDate, PyDict, PyList},
};

use crate::arrow::{schema_capsule, stream_capsule};

/// Rows in memory, which other libraries take without a copy: `pl.DataFrame(t)`, `pa.table(t)`,
/// `pd.DataFrame.from_arrow(t)`, `duckdb.sql("from t")`.
#[pyclass(frozen, module = "eco_openings")]
#[derive(Clone)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    pub(crate) fn len(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer casts what it wants differently.
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        stream_capsule(py, Box::new(RecordBatchIterator::new(batches, self.schema.clone())))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as dicts, for those who have no library for tables.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut rows = Vec::with_capacity(self.len());
        for batch in &self.batches {
            let dicts: Vec<_> = (0..batch.num_rows()).map(|_| PyDict::new(py)).collect();
            for (field, array) in self.schema.fields().iter().zip(batch.columns()) {
                for (row, dict) in dicts.iter().enumerate() {
                    dict.set_item(field.name(), value(py, array, row)?)?;
                }
            }
            rows.extend(dicts);
        }
        Ok(rows)
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __repr__(&self) -> String {
        format!("Table({} x [{}])", self.len(), self.columns().join(", "))
    }
}

/// The value in a row of a column, of the types that rows have.
pub(crate) fn value<'py>(
    py: Python<'py>,
    array: &ArrayRef,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::UInt64 => number(py, array.as_primitive::<types::UInt64Type>().value(row)),
        DataType::UInt16 => number(py, array.as_primitive::<types::UInt16Type>().value(row).into()),
        DataType::Int64 => {
            array.as_primitive::<types::Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            array.as_primitive::<types::Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::Date32 => date(py, array.as_primitive::<types::Date32Type>().value(row))?,
        DataType::Dictionary(..) => {
            let names = array.as_dictionary::<types::Int32Type>();
            let name = names
                .downcast_dict::<StringArray>()
                .map(|names| names.values().value(names.keys().value(row) as usize).to_owned());
            name.into_pyobject(py)?
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(row);
            let items = (0..list.len()).map(|item| value(py, &list, item));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        DataType::Struct(fields) => {
            let (array, dict) = (array.as_struct(), PyDict::new(py));
            for (field, column) in fields.iter().zip(array.columns()) {
                dict.set_item(field.name(), value(py, column, row)?)?;
            }
            dict.into_any()
        }
        other => return Err(PyTypeError::new_err(format!("no value of Python for {other}"))),
    })
}

fn number(py: Python<'_>, number: u64) -> Bound<'_, PyAny> {
    match number.into_pyobject(py) {
        Ok(number) => number.into_any(),
        Err(never) => match never {},
    }
}

/// A day, counted from 1970-01-01.
fn date(py: Python<'_>, days: i32) -> PyResult<Bound<'_, PyAny>> {
    const ORDINAL_OF_1970: i32 = 719_163;
    py.get_type::<PyDate>().call_method1("fromordinal", (days + ORDINAL_OF_1970,))
}
