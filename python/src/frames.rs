//! `FrameWriter`: compressed output in frames, which can be cut again.

use std::{
    io::{self, Write},
    sync::{Mutex, PoisonError},
};

use eco::pgn::{Compression, Encoder, Frames};
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
    types::PyBytes,
};

use crate::{
    arguments,
    errors::ArgumentError,
    shutdown::{self, Process},
};

/// A binary file that compresses what is written to it into frames of zstd in the layout of pzstd,
/// as `eco tag --frames` does, and writes them to `output`. Such files, one after the other, are
/// such a file.
///
/// `close` writes what is left; `output` stays open. As a context manager it closes itself, unless
/// an exception came.
///
/// >>> import eco_openings as eco
/// >>> import io
/// >>> packed = io.BytesIO()
/// >>> with eco.FrameWriter(packed) as output:
/// ...     count = output.write(b"1. e4 c5 *")
/// >>> packed.getvalue()[:4].hex()
/// '502a4d18'
#[pyclass(frozen, module = "eco_openings")]
pub(crate) struct FrameWriter {
    process: Process,
    encoder: Mutex<Option<Encoder<Output>>>,
}

struct Output(Py<PyAny>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = shutdown::attach(|py| {
            self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),)).map(drop)
        });
        written.ok_or_else(|| io::Error::other("the interpreter ends"))??;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[pymethods]
impl FrameWriter {
    #[new]
    #[pyo3(signature = (output, *, level = None, threads = 1))]
    fn new(output: Py<PyAny>, level: Option<u32>, threads: isize) -> PyResult<Self> {
        let levels = Compression::Zstd.levels();
        if level.is_some_and(|level| !levels.as_ref().is_some_and(|all| all.contains(&level))) {
            return Err(ArgumentError::new_err("levels of compression are 1 to 9"));
        }
        let threads = arguments::threads(threads)?;
        let (zstd, always) = (Compression::Zstd, Frames::Always);
        let encoder = Encoder::framed(zstd, level, always, threads, Output(output));
        let encoder = Mutex::new(Some(encoder.map_err(PyOSError::new_err)?));
        Ok(Self { process: Process::current(), encoder })
    }

    /// Takes bytes, and returns their number.
    fn write(&self, bytes: &[u8]) -> PyResult<usize> {
        self.process.check("writer")?;
        let mut encoder = self.encoder.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(encoder) = encoder.as_mut() else {
            return Err(PyValueError::new_err("the writer is closed"));
        };
        encoder.write_all(bytes)?;
        Ok(bytes.len())
    }

    /// Writes what is left. Nothing can be written after that.
    fn close(&self) -> PyResult<()> {
        self.process.check("writer")?;
        let encoder = self.encoder.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(encoder.map_or(Ok(()), |encoder| encoder.finish().map(drop))?)
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &self,
        exception: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if exception.is_none() {
            return self.close();
        }
        // Where the writer belongs to another process, the exception that came is the one to raise.
        if self.process.check("writer").is_ok() {
            self.encoder.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        Ok(())
    }
}
