//! Parts of archives: listing them, and reading one.
//!
//! A file is a path, or an object with `seek` and `read`, such as a file of fsspec. What such an
//! object raises is kept for the one who asks for games.

use std::{
    fs::File,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
};

use eco::quoted::Quoted;
use eco::{
    output::sanitize,
    pgn::{
        parts::{Listing, PartSize, split},
        source::{self, ReadAt, Source, SourceError, SourceFault, Streams},
    },
};
use pyo3::{
    buffer::PyBuffer,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{
    errors::{ArgumentError, source_error},
    paths, shutdown,
};

/// A part of a file: a range of its bytes as they are stored. The games that begin in the parts of
/// a file are its games, once each.
///
/// It stands wherever games are expected: `classify(Part("games.pgn", 0, 1 << 20))`. The file is a
/// path, or an object with `seek` and `read`, of which `name` is the name in rows and errors.
#[pyclass(frozen, module = "eco_openings")]
pub(crate) struct Part {
    file: PartFile,
    part: source::Part,
    /// How the file is compressed; None if that was not looked at.
    #[pyo3(get)]
    compression: Option<String>,
}

enum PartFile {
    Path(PathBuf),
    Object { file: Py<PyAny>, name: String },
}

#[pymethods]
impl Part {
    #[new]
    #[pyo3(signature = (file, offset, length, *, name = None, compression = None))]
    fn new(
        file: &Bound<'_, PyAny>,
        offset: u64,
        length: u64,
        name: Option<String>,
        compression: Option<String>,
    ) -> PyResult<Self> {
        let part = source::Part { offset, length };
        Ok(Self { file: PartFile::new(file, name)?, part, compression })
    }

    /// What `pickle` makes a part of again. A file object goes with it, if it can.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((Bound<'py, PyAny>, u64, u64), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("compression", &self.compression)?;
        let file = match &self.file {
            PartFile::Path(path) => path.as_os_str().into_pyobject(py)?.into_any(),
            PartFile::Object { file, name } => {
                keywords.set_item("name", name)?;
                file.bind(py).clone()
            }
        };
        Ok(((file, self.part.offset, self.part.length), keywords))
    }

    /// The name of the file.
    #[getter]
    pub(crate) fn path(&self) -> String {
        match &self.file {
            PartFile::Path(path) => Source::File(path.clone()).name(),
            PartFile::Object { name, .. } => name.clone(),
        }
    }

    /// Where the part begins.
    #[getter]
    fn offset(&self) -> u64 {
        self.part.offset
    }

    /// The number of its bytes.
    #[getter]
    fn length(&self) -> u64 {
        self.part.length
    }

    fn __repr__(&self) -> String {
        format!("Part({:?}, {}, {})", self.path(), self.part.offset, self.part.length)
    }
}

impl Part {
    /// Its bytes in the file.
    pub(crate) fn range(&self) -> source::Part {
        self.part
    }

    /// The number of stored bytes.
    pub(crate) fn size(&self) -> u64 {
        self.part.length
    }

    /// The games that begin in the part. What an object raises while it is read goes to `raised`.
    pub(crate) fn open(
        &self,
        counter: &Arc<AtomicU64>,
        raised: impl Fn(PyErr) + Send + Sync + 'static,
    ) -> PyResult<Streams> {
        let opened = match &self.file {
            PartFile::Path(path) => Source::Part(path.clone(), self.part).open(counter),
            PartFile::Object { file, name } => {
                let file = shutdown::attach(|py| Object::new(file.bind(py), Box::new(raised)));
                let file = file.unwrap_or_else(|| Err(PyValueError::new_err(ENDS)))?;
                let size = file.size;
                let file: Arc<dyn ReadAt> = Arc::new(file);
                Streams::of_part(&file, size, self.part, name, counter)
            }
        };
        opened.map_err(|error| source_error(&error))
    }
}

impl PartFile {
    fn new(file: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Self> {
        if paths::is_path(file)? {
            let found = paths::games(file)?;
            let [found] = &found[..] else {
                return Err(ArgumentError::new_err("a part is one of a single file"));
            };
            return match paths::is_path(found)? {
                true => Ok(Self::Path(found.extract()?)),
                false => Self::new(
                    &found.call_method0("open")?,
                    Some(found.getattr("full_name")?.extract()?),
                ),
            };
        }
        if !(file.hasattr("seek")? && file.hasattr("read")?) {
            let found = file.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected a path, or a binary file with seek and read, not {found}"
            )));
        }
        let known = || {
            ["full_name", "name", "path"].iter().find_map(|name| {
                file.getattr_opt(*name).ok().flatten().and_then(|name| name.extract().ok())
            })
        };
        let name = name.or_else(known).unwrap_or_else(|| "-".to_owned());
        let name = sanitize(name.as_bytes()).into_owned();
        Ok(Self::Object { file: file.clone().unbind(), name })
    }
}

const ENDS: &str = "the interpreter ends";

/// An object with `seek` and `read`. Its calls wait for each other.
struct Object {
    file: Mutex<Py<PyAny>>,
    size: u64,
    raised: Box<dyn Fn(PyErr) + Send + Sync>,
}

impl Object {
    fn new(file: &Bound<'_, PyAny>, raised: Box<dyn Fn(PyErr) + Send + Sync>) -> PyResult<Self> {
        // From the end.
        let size = file.call_method1("seek", (0, 2))?.extract()?;
        Ok(Self { file: Mutex::new(file.clone().unbind()), size, raised })
    }

    fn read(file: &Bound<'_, PyAny>, buffer: &mut [u8], offset: u64) -> PyResult<usize> {
        file.call_method1("seek", (offset,))?;
        let bytes = file.call_method1("read", (buffer.len(),))?;
        if let Ok(bytes) = bytes.cast::<PyBytes>() {
            return copy(bytes.as_bytes(), buffer);
        }
        let bytes = PyBuffer::<u8>::get(&bytes)
            .map_err(|_| PyTypeError::new_err("expected bytes from the input"))?;
        copy(&bytes.to_vec(file.py())?, buffer)
    }
}

fn copy(bytes: &[u8], buffer: &mut [u8]) -> PyResult<usize> {
    let Some(start) = buffer.get_mut(..bytes.len()) else {
        return Err(PyValueError::new_err("the input gave more bytes than were asked for"));
    };
    start.copy_from_slice(bytes);
    Ok(bytes.len())
}

impl ReadAt for Object {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // Beyond the end, some objects wrap around.
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        // Held from the seek to the read, between which Python may let another thread run; and
        // taken before the interpreter's own lock, which its holder needs.
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = shutdown::attach(|py| Self::read(file.bind(py), &mut buffer[..wanted], offset));
        drop(file);
        let read = read.ok_or_else(|| io::Error::other(ENDS))?;
        read.map_err(|error| {
            (self.raised)(error);
            io::Error::other("the input raised an exception")
        })
    }
}

/// The endings of files of games, for those that are found in folders.
#[pyfunction]
pub(crate) fn _endings() -> Vec<String> {
    source::endings().collect()
}

/// Lists the parts of files, for machines that share the work: what `eco split` does.
///
/// `files` is a path or several, folders among them, or a binary file with `seek` and `read`.
/// `size` is the length of a part in stored bytes; `count` is their number instead. Nothing is
/// unpacked. Plain PGN can be cut anywhere; a compressed file where a frame begins, if it has
/// several.
///
/// With `listing="lengths"` frames are listed by the lengths that pzstd and bgzip write, in a few
/// reads for each, as suits a file in a store; with `"blocks"` no such length is trusted. The
/// default is "blocks" for paths and "lengths" for objects.
///
/// >>> import eco_openings as eco
/// >>> import io
/// >>> pgn = b'[White "Byrne"]\n\n1. c4 c5 *\n\n' * 100
/// >>> found = eco.parts(io.BytesIO(pgn), count=3)
/// >>> [(part.offset, part.length) for part in found]
/// [(0, 967), (967, 967), (1934, 966)]
/// >>> sum(len(eco.classify(part, fields="eco").read_all()) for part in found)
/// 100
#[pyfunction]
#[pyo3(signature = (files, *, size = None, count = None, listing = None))]
pub(crate) fn parts(
    py: Python<'_>,
    files: &Bound<'_, PyAny>,
    size: Option<u64>,
    count: Option<u64>,
    listing: Option<&str>,
) -> PyResult<Vec<Part>> {
    let part_size = match (size, count) {
        (Some(bytes), None) if bytes > 0 => PartSize::Bytes(bytes),
        (None, Some(count)) if count > 0 => PartSize::Parts(count),
        _ => return Err(PyTypeError::new_err("parts have a size or a count, from 1 on")),
    };
    let listing = match listing {
        None => None,
        Some("blocks") => Some(Listing::Blocks),
        Some("lengths") => Some(Listing::Lengths),
        Some(other) => {
            let text = format!("listing is 'blocks' or 'lengths', not {}", Quoted(other));
            return Err(ArgumentError::new_err(text));
        }
    };
    if files.hasattr("seek")? {
        return list_object(files, None, part_size, listing.unwrap_or(Listing::Lengths));
    }
    let files = match paths::is_path(files)? {
        true => vec![files.clone()],
        false => files.try_iter()?.collect::<PyResult<_>>()?,
    };
    let mut listed = Vec::new();
    for file in files {
        for found in paths::games(&file)? {
            listed.append(&mut match paths::is_path(&found)? {
                true => {
                    let path = [found.extract()?];
                    py.detach(|| list_paths(&path, part_size, listing.unwrap_or_default()))?
                }
                false => {
                    let name = Some(found.getattr("full_name")?.extract()?);
                    let listing = listing.unwrap_or(Listing::Lengths);
                    list_object(&found.call_method0("open")?, name, part_size, listing)?
                }
            });
        }
    }
    Ok(listed)
}

fn list_paths(paths: &[PathBuf], part_size: PartSize, listing: Listing) -> PyResult<Vec<Part>> {
    let (sources, errors) = source::find_sources(paths);
    if let Some(error) = errors.first() {
        return Err(source_error(error));
    }
    let mut listed = Vec::new();
    for source in sources {
        let Source::File(path) = &source else {
            return Err(ArgumentError::new_err(
                "standard input cannot be cut: parts are read again",
            ));
        };
        let found = File::open(path).and_then(|file| {
            let size = file.metadata()?.len();
            split(&file, size, part_size, listing)
        });
        let found = found.map_err(|error| {
            source_error(&SourceError::new(source.name(), SourceFault::Open(error)))
        })?;
        let compression = found.compression.name();
        listed.extend(found.parts.into_iter().map(|part| {
            let file = PartFile::Path(path.clone());
            Part { file, part, compression: Some(compression.to_owned()) }
        }));
    }
    Ok(listed)
}

fn list_object(
    object: &Bound<'_, PyAny>,
    name: Option<String>,
    part_size: PartSize,
    listing: Listing,
) -> PyResult<Vec<Part>> {
    let py = object.py();
    let raised = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&raised);
    let keep = move |error| *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    let file = Object::new(object, Box::new(keep))?;
    let found = py.detach(|| split(&file, file.size, part_size, listing));
    let found = found.map_err(|error| {
        let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.unwrap_or_else(|| PyValueError::new_err(error.to_string()))
    })?;
    let compression = found.compression.name();
    let part = |part| {
        let file = PartFile::new(object, name.clone())?;
        Ok(Part { file, part, compression: Some(compression.to_owned()) })
    };
    found.parts.into_iter().map(part).collect()
}
