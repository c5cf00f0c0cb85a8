//! Columns across the border: Arrow's C data interface in capsules, as the PyCapsule protocol has
//! them. Nothing is copied.
//!
//! `arrow-array` has the structures and the callbacks; what is missing is a capsule around them,
//! which is less than a crate for it brings (`pyo3-arrow` pins an older Arrow, and numpy).

use std::sync::Arc;

use arrow_array::{
    Array as _, ArrayReader, ArrayRef, NullArray, RecordBatch, RecordBatchReader, StringArray,
    StructArray,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi},
    ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream},
    make_array,
};
use arrow_schema::{ArrowError, DataType, Schema};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyCapsule, PyDict, PyIterator, PyList, PyString, PyTuple},
};

use crate::table::{dicts, value};

/// A schema for `__arrow_c_schema__`.
pub(crate) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| value_error(&error))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// An array for `__arrow_c_array__`: its schema and itself.
pub(crate) fn array_capsules<'py>(
    py: Python<'py>,
    array: &dyn arrow_array::Array,
) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(|error| value_error(&error))?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    PyTuple::new(py, [schema, array])
}

/// A stream for `__arrow_c_stream__`.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(reader);
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// The arrays of a Python object: one, the chunks of a stream, or one of the texts of a list.
pub(crate) fn read_arrays(
    object: &Bound<'_, PyAny>,
    mut each: impl FnMut(&ArrayRef) -> PyResult<()>,
) -> PyResult<()> {
    if object.hasattr("__arrow_c_array__")? {
        return each(&read_array(object)?);
    }
    if !object.hasattr("__arrow_c_stream__")? {
        return each(&listed(object)?);
    }
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast();
    // SAFETY: a capsule of this name holds such a structure, which is moved out of it.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) };
    let reader = reader.map_err(|error| value_error(&error))?;
    // Some libraries send nulls that have no type with a buffer, which Arrow's rules leave out.
    if *reader.field().data_type() == DataType::Null {
        return each(&(Arc::new(NullArray::new(object.len()?)) as ArrayRef));
    }
    for array in reader {
        each(&array.map_err(|error| value_error(&error))?)?;
    }
    Ok(())
}

/// The texts of a list, or of whatever else has them one after the other. None is a null.
fn listed(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let is_one = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    let Some(items) = (!is_one).then(|| object.try_iter().ok()).flatten() else {
        let found = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected an Arrow array, such as a pyarrow.Array or a polars.Series, or a list of \
             texts, not {found}"
        )));
    };
    let texts = items.map(|item| item?.extract()).collect::<PyResult<Vec<Option<String>>>>()?;
    Ok(Arc::new(StringArray::from(texts)))
}

fn read_array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
        object.call_method0("__arrow_c_array__")?.extract()?;
    let schema = capsules.0.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = capsules.1.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold such structures. The array is moved out of its capsule,
    // the schema is only read and belongs to the array.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        from_ffi(array, schema.as_ref())
    };
    Ok(make_array(data.map_err(|error| value_error(&error))?))
}

pub(crate) fn value_error(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An Arrow array, which other libraries take without a copy: `pl.Series(a)`, `pa.array(a)`.
#[pyclass(frozen, module = "eco_openings")]
pub(crate) struct Array(pub(crate) ArrayRef);

#[pymethods]
impl Array {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A consumer casts what it wants differently.
        let _ = requested_schema;
        array_capsules(py, &self.0)
    }

    /// The values, for those who have no library for arrays.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        (0..self.0.len()).map(|row| value(py, &self.0, row)).collect()
    }

    /// The values one after the other, as `to_list` has them.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.to_list(py)?)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("Array({} x {})", self.0.len(), self.0.data_type())
    }
}

/// A record batch, which other libraries take without a copy: `pl.DataFrame(b)`,
/// `pa.record_batch(b)`. Iterated, it gives each row as a dict.
#[pyclass(frozen, module = "eco_openings")]
pub(crate) struct Batch(pub(crate) RecordBatch);

#[pymethods]
impl Batch {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A consumer casts what it wants differently.
        let _ = requested_schema;
        array_capsules(py, &StructArray::from(self.0.clone()))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.0.schema_ref())
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as dicts.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        dicts(py, &self.0, usize::MAX)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.rows(py)?)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("Batch({} x [{}])", self.0.num_rows(), self.columns().join(", "))
    }
}
