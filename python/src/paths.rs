//! Paths as people give them: `~`, patterns, folders and URLs. `_paths.py` knows what each stands
//! for.

use std::path::PathBuf;

use pyo3::{prelude::*, types::PyString};

/// Whether an object is a path.
pub(crate) fn is_path(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?)
}

/// What games are read from: paths of this machine, and files in stores, which have `open`.
pub(crate) fn games<'py>(path: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    call("games", path)?.extract()
}

/// A file of this machine: a copy, if it is in a store.
pub(crate) fn local(path: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    call("local", path)?.extract()
}

/// The files of this machine that one path or several stand for.
pub(crate) fn all_local(paths: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    match is_path(paths)? {
        true => Ok(vec![local(paths)?]),
        false => paths.try_iter()?.map(|path| local(&path?)).collect(),
    }
}

/// A file of this machine that is written.
pub(crate) fn written(path: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    call("written", path)?.extract()
}

/// What is written: a path of this machine, or an object with `open`.
pub(crate) fn output<'py>(path: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    call("output", path)
}

/// The name of a path, by which it is known again.
pub(crate) fn name(path: &Bound<'_, PyAny>) -> PyResult<String> {
    let output = output(path)?;
    if is_path(&output)? { output } else { output.getattr("full_name")? }.extract()
}

fn call<'py>(function: &str, path: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    path.py().import("eco_openings._paths")?.call_method1(function, (path,))
}
