//! `classify`: arguments to a reader.

use std::sync::atomic::AtomicBool;

use eco::output::{
    Field, ParseFieldError,
    columns::{BatchLayout, origin},
    parse_fields,
};
use eco::quoted::Quoted;
use pyo3::prelude::*;

use crate::{
    arguments,
    catalogue::Catalogue,
    columns::{Damage, Plan, Reader},
    errors::{ArgumentError, unknown_name, unknown_tag},
    input::Inputs,
    selection::Conditions,
};

/// Rows about games, as they are read.
#[pyfunction]
#[pyo3(signature = (
    games, *, fields = None, select = None, collection = None, catalogue = None, threads = None,
    progress = None, errors = "raise", strict = false, partition_by = None,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn classify(
    games: &Bound<'_, PyAny>,
    fields: Option<&Bound<'_, PyAny>>,
    select: Option<&Bound<'_, PyAny>>,
    collection: Option<&Bound<'_, PyAny>>,
    catalogue: Option<&Bound<'_, PyAny>>,
    threads: Option<isize>,
    progress: Option<Py<PyAny>>,
    errors: &str,
    strict: bool,
    partition_by: Option<&Bound<'_, PyAny>>,
) -> PyResult<Reader> {
    let folders = partition_by.map(|named| read_fields(Some(named))).transpose()?;
    let fields = Field::united(read_fields(fields)?, folders.into_iter().flatten());
    let catalogue = Catalogue::of_argument(catalogue)?;
    let mut conditions = Conditions::read(select)?;
    conditions.understand_openings(&[catalogue.openings()])?;
    let layout = BatchLayout::new(Field::columns(&fields));
    let layout = layout.with_metadata(origin([catalogue.openings()]));
    Ok(Reader::new(Plan {
        conditions,
        damage: read_damage(errors)?,
        strict,
        threads: threads.map(arguments::threads).transpose()?,
        inputs: Inputs::new(games)?.with_collections(collection)?,
        catalogue,
        layout,
        progress,
        is_closed: AtomicBool::default(),
    }))
}

pub(crate) fn read_damage(errors: &str) -> PyResult<Damage> {
    match errors {
        "raise" => Ok(Damage::Raise),
        "skip" => Ok(Damage::Skip),
        other => {
            let message = format!("errors is 'raise' or 'skip', not {}", Quoted(other));
            Err(unknown_name(message, other, vec!["raise".to_owned(), "skip".to_owned()]))
        }
    }
}

/// Names of fields, as a list or separated by commas; the default for programs.
pub(crate) fn read_fields(fields: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Field>> {
    let Some(fields) = fields else { return Ok(Field::FOR_PROGRAMS.to_vec()) };
    parse_fields(&arguments::texts(fields)?.join(",")).map_err(|error| match &error {
        ParseFieldError::Unknown(name) => {
            let fields = Field::ALL.iter().map(|field| field.name().into_owned());
            // What is no field may be a tag.
            let tag = format!("tag:{name}");
            let is_tag = name.starts_with(|sign: char| sign.is_ascii_uppercase());
            let is_tag = is_tag && parse_fields(&tag).is_ok();
            match is_tag {
                true => unknown_tag(error.to_string(), name, tag),
                false => unknown_name(error.to_string(), name, fields.collect()),
            }
        }
        _ => ArgumentError::new_err(error.to_string()),
    })
}
