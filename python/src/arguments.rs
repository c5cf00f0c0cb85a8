//! Numbers and names that Python passes.

use std::num::NonZeroUsize;

use eco::pipeline::{Options, Workers};
use pyo3::{prelude::*, types::PyString};

use crate::errors::ArgumentError;

/// A count that may be left out. Whatever is below 0 is named, as no conversion does it.
pub(crate) fn whole(name: &str, number: Option<isize>) -> PyResult<Option<usize>> {
    let count = |number: isize| {
        usize::try_from(number)
            .map_err(|_| ArgumentError::new_err(format!("{name} begins with 0, not {number}")))
    };
    number.map(count).transpose()
}

/// The most rows of a list. All without a limit, and with 0, as on the command line.
pub(crate) fn limit(limit: Option<isize>) -> PyResult<usize> {
    Ok(whole("limit", limit)?.filter(|limit| *limit > 0).unwrap_or(usize::MAX))
}

/// A text, or whatever has several.
pub(crate) fn texts(texts: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match texts.cast::<PyString>() {
        Ok(text) => Ok(vec![text.extract()?]),
        Err(_) => texts.try_iter()?.map(|text| text?.extract()).collect(),
    }
}

/// A number of threads.
pub(crate) fn threads(number: isize) -> PyResult<NonZeroUsize> {
    let threads = usize::try_from(number).ok().and_then(NonZeroUsize::new);
    threads.ok_or_else(|| {
        ArgumentError::new_err(format!("threads begin with 1, and {number} was asked for"))
    })
}

/// How one run of the pipeline works on this number of threads, which are its own: a process that
/// was forked has no threads of an earlier run.
pub(crate) fn options(threads: Option<NonZeroUsize>) -> Options {
    let mut options = Options::default();
    if let Some(threads) = threads {
        options.workers = Workers::new(threads);
    }
    options
}
