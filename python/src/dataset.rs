//! `write_dataset`: rows of games as Parquet files in folders that are named after values.

use std::{io, num::NonZeroUsize, path::Path};

use eco::{
    output::columns::{DatasetOptions, DatasetWriter},
    pgn::source,
    replace::{Refused, destination},
};
use pyo3::prelude::*;

use crate::{
    arguments::whole,
    classify::read_fields,
    columns::Reader,
    errors::{ArgumentError, os_error},
    input::is_openable,
    parts::Part,
    paths,
};

/// Writes the rows of a reader of these games, and returns their number.
#[pyfunction]
pub(crate) fn _write_dataset(
    py: Python<'_>,
    reader: PyRef<'_, Reader>,
    games: &Bound<'_, PyAny>,
    folder: &Bound<'_, PyAny>,
    partition_by: &Bound<'_, PyAny>,
    rows_per_group: Option<isize>,
) -> PyResult<u64> {
    let folder = paths::written(folder)?;
    let rows_per_group = whole("rows_per_group", rows_per_group)?.map(|rows| {
        let none = || ArgumentError::new_err("rows_per_group begins with 1");
        NonZeroUsize::new(rows).ok_or_else(none)
    });
    let refused = |error: Refused| ArgumentError::new_err(error.to_string());
    reader.files().check(&folder).map_err(refused)?;
    let (inputs, range) = identity(games)?;
    let partition_by = read_fields(Some(partition_by))?;
    let options = DatasetOptions {
        partition_by: partition_by.iter().map(|field| field.name().into_owned()).collect(),
        rows_per_group: rows_per_group.transpose()?,
        inputs,
        range,
    };
    let schema = reader.schema();
    let failed = |error| failed(&folder, &error);
    let mut writer = DatasetWriter::create(&folder, &schema, &options).map_err(failed)?;
    let (mut batches, mut rows) = (reader.batches()?, 0);
    while let Some(batch) = batches.next_batch(py)? {
        rows += batch.num_rows() as u64;
        py.detach(|| writer.push(&batch)).map_err(failed)?;
    }
    py.detach(|| writer.finish()).map_err(failed)?;
    Ok(rows)
}

fn failed(folder: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        None => ArgumentError::new_err(error.to_string()),
        number => os_error(number, error, folder.display().to_string()),
    }
}

/// What the files of a dataset are named after: the paths that are given, and the range of a single
/// part. `eco classify` makes the same of them.
fn identity(games: &Bound<'_, PyAny>) -> PyResult<(String, Option<source::Part>)> {
    if let Some(named) = named(games)? {
        return Ok(named);
    }
    let is_read_once = games.hasattr("__next__")?;
    let elements = games.try_iter().ok().filter(|_| !is_read_once).into_iter().flatten();
    let names = elements.map(|element| {
        let (name, range) = named(&element?)?.ok_or_else(nameless)?;
        let in_file = |part: source::Part| format!("{name}\t{}\t{}", part.offset, part.end());
        Ok(range.map_or(name.clone(), in_file))
    });
    let names = names.collect::<PyResult<Vec<_>>>()?;
    if names.is_empty() { Err(nameless()) } else { Ok((names.join("\n"), None)) }
}

/// The name of one input, and the range that is read of it.
fn named(games: &Bound<'_, PyAny>) -> PyResult<Option<(String, Option<source::Part>)>> {
    let (name, range) = match games.cast::<Part>() {
        Ok(part) => (part.get().path(), Some(part.get().range())),
        Err(_) if paths::is_path(games)? => (paths::name(games)?, None),
        Err(_) if is_openable(games)? => (games.getattr("full_name")?.extract()?, None),
        Err(_) => return Ok(None),
    };
    let is_address = name.contains("://");
    let path = || destination(Path::new(&name)).to_string_lossy().into_owned();
    Ok(Some((if is_address { name } else { path() }, range)))
}

fn nameless() -> PyErr {
    let text = "files of a dataset are named after their inputs; pass paths or Parts";
    ArgumentError::new_err(text)
}
