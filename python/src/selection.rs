//! `select=`: conditions by their names, as the flags of the command line have them.

use eco::select::Selection;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict, PyMapping, PyString, PyTuple},
};

use crate::errors::{condition_error, unknown_name};

/// Reads a mapping of conditions. A list has several values; `True` sets a flag; a pair is a range.
pub(crate) fn read_selection(select: Option<&Bound<'_, PyAny>>) -> PyResult<Selection> {
    let Some(select) = select else { return Ok(Selection::default()) };
    let Ok(mapping) = select.cast::<PyMapping>() else {
        return Err(PyTypeError::new_err(
            "select is a dict, such as {\"player\": \"Tal, Mihail\"}",
        ));
    };
    let mut conditions = Vec::new();
    for item in mapping.items()?.iter() {
        let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
        let name = known(&name)?;
        for value in values(&name, &value)? {
            conditions.push((name.clone(), value));
        }
    }
    let pairs = conditions.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Selection::from_conditions(pairs).map_err(|fault| condition_error(&fault))
}

/// The name of a condition as the library has it.
fn known(name: &str) -> PyResult<String> {
    let hyphenated = name.replace('_', "-");
    if Selection::CONDITIONS.contains(&hyphenated.as_str()) {
        return Ok(hyphenated);
    }
    let known: Vec<String> = Selection::CONDITIONS.iter().map(|n| n.replace('-', "_")).collect();
    let message = format!("no condition {name:?}; there are {}", known.join(", "));
    Err(unknown_name(message, name, known))
}

/// The values of a condition as texts; none for `None`.
fn values(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_none() {
        return Ok(Vec::new());
    }
    if let Ok(is_set) = value.cast::<PyBool>() {
        return Ok(vec![if is_set.is_true() { "true" } else { "false" }.to_owned()]);
    }
    if value.is_instance_of::<PyString>() {
        return Ok(vec![value.extract()?]);
    }
    if let Ok(range) = value.cast::<PyTuple>()
        && ["rating", "game"].contains(&name)
        && range.len() == 2
    {
        let end = |at| -> PyResult<String> {
            let end = range.get_item(at)?;
            if end.is_none() { Ok(String::new()) } else { Ok(end.str()?.to_string()) }
        };
        let between = if name == "rating" { ".." } else { "-" };
        return Ok(vec![format!("{}{between}{}", end(0)?, end(1)?)]);
    }
    if let Ok(tags) = value.cast::<PyDict>() {
        let pair = |(tag, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok(format!("{}={}", tag.str()?, value.str()?))
        };
        return tags.iter().map(pair).collect();
    }
    // Numbers and dates are texts, anything else that can be iterated is several values.
    match value.try_iter() {
        Ok(items) => items.map(|item| Ok(item?.str()?.to_string())).collect(),
        Err(_) => Ok(vec![value.str()?.to_string()]),
    }
}
