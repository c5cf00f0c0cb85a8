//! Rows in memory.

use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray, cast::AsArray, types,
};
use arrow_ipc::{reader::StreamReader, writer::StreamWriter};
use arrow_schema::{DataType, SchemaRef};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyCapsule, PyDate, PyDict, PyIterator, PyList},
};

use crate::{
    arguments,
    arrow::{schema_capsule, stream_capsule, value_error},
};

/// Rows in memory, which other libraries take without a copy: `pl.DataFrame(t)`, `pa.table(t)`,
/// `pd.DataFrame.from_arrow(t)`, `duckdb.sql("from t")`. Iterated, it gives each row as a dict.
///
/// `Table(ipc)` reads the bytes of an Arrow IPC stream. Processes send each other tables so.
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
    #[new]
    fn of_stream(ipc: &[u8]) -> PyResult<Self> {
        let read = || {
            let reader = StreamReader::try_new(ipc, None)?;
            Ok(Self { schema: reader.schema(), batches: reader.collect::<Result<_, _>>()? })
        };
        read().map_err(|error| value_error(&error))
    }

    /// What `pickle` makes a table of again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let write = || {
            let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
            self.batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.into_inner()
        };
        let bytes = write().map_err(|error| value_error(&error))?;
        Ok((PyBytes::new(py, &bytes),))
    }

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

    /// The rows as dicts, for those who have no library for tables; the first ones with a limit.
    #[pyo3(signature = (*, limit = None))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        limit: Option<isize>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let limit = arguments::limit(limit)?;
        let mut rows = Vec::with_capacity(self.len().min(limit));
        for batch in &self.batches {
            rows.append(&mut dicts(py, batch, limit - rows.len())?);
        }
        Ok(rows)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.rows(py, None)?)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __repr__(&self) -> String {
        format!("Table({} x [{}])", self.len(), self.columns().join(", "))
    }
}

/// The first rows of a batch as dicts.
pub(crate) fn dicts<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
    limit: usize,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let count = batch.num_rows().min(limit);
    let dicts: Vec<_> = (0..count).map(|_| PyDict::new(py)).collect();
    for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        for (row, dict) in dicts.iter().enumerate() {
            dict.set_item(field.name(), value(py, array, row)?)?;
        }
    }
    Ok(dicts)
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
