//! What games are read from: paths, bytes, and whatever Python can read or iterate.
//!
//! Objects are read on the thread that runs the pipeline, which takes the interpreter lock for the
//! time of a `read` alone. What they raise is kept, so that it can be raised where the games are
//! asked for.

use std::{
    collections::HashMap,
    io::{self, Cursor, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use eco::{
    executor::Feed,
    output::sanitize,
    pgn::{
        Block, BlockOptions, Buffers,
        source::{self, LineEnds, Source, SourceError, SourceFault, Stream, Streams},
    },
    quoted::Quoted,
    replace,
    store::{CollectionInfo, Database, StoreError, UnreadGames},
};
use pyo3::{
    buffer::PyBuffer,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyIterator, PyString},
};

use crate::{
    arguments,
    errors::{ArgumentError, PgnError, source_error, store_error, unknown_name},
    parts::Part,
    paths,
    selection::SelectedGames,
    shutdown,
};

/// The number of bytes that are asked of a Python object at once.
const READ_SIZE: usize = 1 << 20;

/// What games are read from, in order.
pub(crate) struct Inputs {
    items: Vec<Item>,
}

/// Files and bytes can be read several times, an object once.
enum Item {
    Source(Source),
    Bytes(Arc<dyn AsRef<[u8]> + Send + Sync>),
    /// A part of a file.
    Part(Py<Part>),
    /// A collection of a position database.
    Stored(PathBuf, CollectionInfo),
    /// An object with `open`, and its name.
    Openable(Py<PyAny>, String),
    /// An object with `read`, or an iterator of bytes; `None` once it is taken.
    Object(Mutex<Option<PythonReader>>, String),
}

impl Inputs {
    /// Reads an argument: a path, bytes, an object with `read`, or an iterable of paths or of
    /// bytes.
    ///
    /// # Errors
    ///
    /// If it is something else, or a folder cannot be listed.
    pub(crate) fn new(argument: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut items = Vec::new();
        if let Some(item) = single(argument)? {
            items.extend(item);
            return Ok(Self { items });
        }
        let Ok(iterator) = argument.try_iter() else { return Err(not_an_input(argument)) };
        if argument.is_instance_of::<PyIterator>() || argument.hasattr("__next__")? {
            // A generator: of bytes, most likely, which are one stream.
            return Self::of_iterator(iterator);
        }
        for element in iterator {
            let element = element?;
            items.extend(single(&element)?.ok_or_else(|| not_an_input(&element))?);
        }
        Ok(Self { items })
    }

    /// An iterator of bytes is one stream, one of anything else is several inputs.
    fn of_iterator(mut iterator: Bound<'_, PyIterator>) -> PyResult<Self> {
        let Some(first) = iterator.next().transpose()? else {
            return Ok(Self { items: Vec::new() });
        };
        let mut items = Vec::new();
        if let Some(bytes) = bytes_of(&first)? {
            let reader = PythonReader::new(Calls::Next(iterator.unbind()), Some(bytes));
            items.push(Item::Object(Mutex::new(Some(reader)), "-".to_owned()));
            return Ok(Self { items });
        }
        items.extend(single(&first)?.ok_or_else(|| not_an_input(&first))?);
        for element in iterator {
            let element = element?;
            items.extend(single(&element)?.ok_or_else(|| not_an_input(&element))?);
        }
        Ok(Self { items })
    }

    /// The files among the inputs, over which nothing may be written. An open file counts by its
    /// name.
    pub(crate) fn files(&self) -> replace::Inputs {
        let mut files = replace::Inputs::none();
        for item in &self.items {
            match item {
                Item::Source(Source::File(path) | Source::Part(path, _))
                | Item::Stored(path, _) => files.add(path),
                Item::Part(part) => files.add(part.get().path().as_ref()),
                Item::Object(_, name) | Item::Openable(_, name) => files.add(name.as_ref()),
                Item::Source(Source::Stdin) | Item::Bytes(_) => {}
            }
        }
        files
    }

    /// Whether one of them is a part of a file.
    pub(crate) fn have_parts(&self) -> bool {
        let is_part = |item: &Item| matches!(item, Item::Part(_) | Item::Source(Source::Part(..)));
        self.items.iter().any(is_part)
    }

    /// The number of bytes to read, if every input has a known size.
    pub(crate) fn size(&self) -> Option<u64> {
        let size = |item: &Item| match item {
            Item::Source(source) => source.size(),
            Item::Bytes(bytes) => Some((**bytes).as_ref().len() as u64),
            Item::Part(part) => Some(part.get().size()),
            Item::Object(..) | Item::Openable(..) | Item::Stored(..) => None,
        };
        self.items.iter().map(size).sum()
    }

    /// Of the position databases among the inputs, only these collections.
    ///
    /// # Errors
    ///
    /// If one of them is in no database.
    pub(crate) fn with_collections(
        mut self,
        collection: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Some(collection) = collection else { return Ok(self) };
        let names = arguments::texts(collection)?;
        let kept = self.items.iter().filter_map(|item| match item {
            Item::Stored(_, info) => Some(&info.name),
            _ => None,
        });
        let known: Vec<String> = kept.cloned().collect();
        if let Some(missing) = names.iter().find(|name| !known.contains(name)) {
            let text = format!("no input has a collection {}", Quoted(missing));
            return Err(unknown_name(text, missing, known));
        }
        self.items.retain(|item| match item {
            Item::Stored(_, info) => names.contains(&info.name),
            _ => true,
        });
        Ok(self)
    }

    /// The collections that are all of the inputs; `None` if there are others.
    ///
    /// # Errors
    ///
    /// If one of their files cannot be opened any more.
    pub(crate) fn collections(&self) -> PyResult<Option<Vec<(Database, CollectionInfo)>>> {
        let open = |item: &Item| match item {
            Item::Stored(path, info) => {
                let opened = Database::open(path);
                let opened = opened.map_err(|error| store_error(&error, &path.to_string_lossy()));
                Some(opened.map(|database| (database, info.clone())))
            }
            _ => None,
        };
        self.items.iter().map(open).collect::<Option<PyResult<_>>>().transpose()
    }

    /// Refuses games of a position database, which have no bytes of their own.
    pub(crate) fn check_pgn(&self) -> PyResult<()> {
        self.items.iter().try_for_each(|item| match item {
            Item::Stored(path, _) => {
                let text = format!("{}: is a position database; tag reads PGN", path.display());
                Err(ArgumentError::new_err(text))
            }
            _ => Ok(()),
        })
    }

    /// Feeds the chunks of all inputs, with the names of their streams, to the workers. What is
    /// wrong with an input goes to `complain`, whose error ends the run. With `selected`, games of
    /// collections may be left out that are not.
    ///
    /// # Errors
    ///
    /// What `push` and `complain` return.
    pub(crate) fn feed<E>(
        &self,
        options: BlockOptions,
        counter: &Arc<AtomicU64>,
        selected: Option<&SelectedGames<'_>>,
        push: &mut Feed<'_, Fed, E>,
        complain: &dyn Fn(PyErr) -> Result<(), E>,
    ) -> Result<(), E> {
        let buffers = Buffers::default();
        for item in &self.items {
            if let Item::Stored(path, info) = item {
                match feed_stored(path, info, selected, push, complain) {
                    Ok(fed) => fed?,
                    Err(error) => complain(store_error(&error, &path.to_string_lossy()))?,
                }
                continue;
            }
            let raised = Raised::default();
            let mut streams = match item.open(counter, &raised) {
                Ok(streams) => streams,
                Err(error) => {
                    complain(raised.take().unwrap_or(error))?;
                    continue;
                }
            };
            while let Some(stream) = streams.next_stream() {
                feed_stream(stream, options, &buffers, push, &|error| {
                    complain(raised.take().unwrap_or_else(|| source_error(&error)))
                })?;
            }
        }
        Ok(())
    }
}

/// Games of a stream or of a collection.
pub(crate) struct Fed {
    /// The name of the stream or of the collection.
    pub(crate) source: Arc<str>,
    /// How its lines end.
    pub(crate) line_ends: LineEnds,
    pub(crate) games: UnreadGames,
}

/// Passes on the games of a collection; of selected games, those that its index says may be
/// selected. The people who were asked for are looked for among all its players.
fn feed_stored<E>(
    path: &Path,
    info: &CollectionInfo,
    selected: Option<&SelectedGames<'_>>,
    push: &mut Feed<'_, Fed, E>,
    complain: &dyn Fn(PyErr) -> Result<(), E>,
) -> Result<Result<(), E>, StoreError> {
    fn flow<E>(done: Result<(), E>) -> ControlFlow<E> {
        done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    }
    let source: Arc<str> = sanitize(format!("{}/{}", path.display(), info.name).as_bytes()).into();
    let push = &mut |games| {
        let (source, games) = (Arc::clone(&source), UnreadGames::Stored(games));
        flow(push(Fed { source, line_ends: LineEnds::LineFeed, games }))
    };
    let damaged = &mut |error| flow(complain(store_error(&error, &path.to_string_lossy())));
    let database = Database::open(path)?;
    if let Some(selected) = selected {
        database.meet_players(info, &selected.people)?;
    }
    let selection = selected.map(SelectedGames::selection).unwrap_or_default();
    let fed = database.feed_games(info, &selection, push, damaged)?;
    Ok(fed.break_value().map_or(Ok(()), Err))
}

/// Passes on the chunks of a stream.
fn feed_stream<E>(
    stream: Stream<'_>,
    options: BlockOptions,
    buffers: &Buffers,
    push: &mut Feed<'_, Fed, E>,
    complain: &dyn Fn(SourceError) -> Result<(), E>,
) -> Result<(), E> {
    let line_ends = stream.line_ends;
    let source: Arc<str> = sanitize(stream.position.name().as_bytes()).into();
    let (mut chunks, position) = stream.into_chunks(options, buffers);
    let mut is_whole = true;
    for chunk in &mut chunks {
        match chunk {
            Ok(chunk) => {
                let games = UnreadGames::Pgn(chunk);
                push(Fed { source: Arc::clone(&source), line_ends, games })?;
            }
            Err(error) => {
                is_whole = false;
                complain(position.broken(error))?;
            }
        }
    }
    if is_whole && chunks.has_only_text() {
        complain(SourceError::new(position.name(), SourceFault::NoGame))?;
    }
    Ok(())
}

impl Item {
    fn open(&self, counter: &Arc<AtomicU64>, raised: &Raised) -> PyResult<Streams> {
        let failed = |error: SourceError| source_error(&error);
        match self {
            Self::Source(source) => source.open(counter).map_err(failed),
            // Its games are no stream.
            Self::Stored(path, _) => {
                Err(failed(SourceError::new(path.to_string_lossy(), SourceFault::Database)))
            }
            Self::Bytes(bytes) => {
                let reader = Cursor::new(SharedBytes(Arc::clone(bytes)));
                Streams::from_reader("-", reader, counter).map_err(failed)
            }
            Self::Part(part) => {
                let raised = raised.clone();
                part.get().open(counter, move |error| raised.set(error))
            }
            Self::Openable(object, name) => {
                let reader = shutdown::attach(|py| {
                    PythonReader::of_file(&object.bind(py).call_method0("open")?)
                });
                let mut reader = reader.unwrap_or_else(|| Err(ends()))?;
                reader.raised = raised.clone();
                Streams::from_reader(name, reader, counter).map_err(failed)
            }
            Self::Object(reader, name) => {
                let reader = reader.lock().unwrap_or_else(PoisonError::into_inner).take();
                let Some(mut reader) = reader else {
                    let text = "was read already: a file object or an iterator can be read once";
                    return Err(ArgumentError::new_err(format!("{name}: {text}")));
                };
                reader.raised = raised.clone();
                Streams::from_reader(name, reader, counter).map_err(failed)
            }
        }
    }
}

/// The inputs that an object is by itself; `None` if it is not one.
fn single(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Item>>> {
    if let Some(bytes) = bytes_of(object)? {
        return Ok(Some(vec![Item::Bytes(bytes)]));
    }
    if let Ok(part) = object.cast::<Part>() {
        return Ok(Some(vec![Item::Part(part.clone().unbind())]));
    }
    if object.hasattr("read")? {
        return Ok(Some(vec![file_object(object)?]));
    }
    if is_openable(object)? {
        return Ok(Some(vec![openable(object)?]));
    }
    if let Ok(text) = object.cast::<PyString>()
        && text.to_str()?.contains('\n')
    {
        let text = "a str is a path; pass PGN as bytes, such as text.encode()";
        return Err(ArgumentError::new_err(text));
    }
    if !paths::is_path(object)? {
        return Ok(None);
    }
    let mut items = Vec::new();
    for found in paths::games(object)? {
        match paths::is_path(&found)? {
            true => items.extend(of_path(object.py(), found.extract()?)?),
            false => items.push(openable(&found)?),
        }
    }
    Ok(Some(items))
}

/// The inputs that a path of this machine stands for.
fn of_path(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Item>> {
    if replace::is_database(&path) {
        let collections = Database::open(&path).and_then(|database| database.collections());
        let collections =
            collections.map_err(|error| store_error(&error, &path.to_string_lossy()))?;
        let stored = |info| Item::Stored(path.clone(), info);
        return Ok(collections.into_iter().map(stored).collect());
    }
    let (sources, errors) = py.detach(|| source::find_sources(&[path]));
    if let Some(error) = errors.first() {
        return Err(source_error(error));
    }
    // Whether a file is there is known at once, not after an hour of others.
    for source in &sources {
        if let Source::File(path) = source
            && let Err(error) = std::fs::metadata(path)
        {
            let fault = SourceFault::Open(error);
            return Err(source_error(&SourceError::new(source.name(), fault)));
        }
    }
    Ok(sources.into_iter().map(Item::Source).collect())
}

/// Whether an object is a file that is to be opened yet, as `fsspec.open` gives it.
pub(crate) fn is_openable(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("full_name")? && object.hasattr("open")?)
}

fn not_an_input(object: &Bound<'_, PyAny>) -> PyErr {
    let found =
        object.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected paths, bytes, a binary file or an iterator of bytes, not {found}"
    ))
}

/// The bytes of an object that has them in memory. Those of `bytes` are not copied.
pub(crate) fn bytes_of(
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<Arc<dyn AsRef<[u8]> + Send + Sync>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(Arc::new(PyBackedBytes::from(bytes.clone()))));
    }
    match PyBuffer::<u8>::get(object) {
        Ok(buffer) => Ok(Some(Arc::new(buffer.to_vec(object.py())?))),
        Err(_) => Ok(None),
    }
}

/// An object with `read`.
fn file_object(file: &Bound<'_, PyAny>) -> PyResult<Item> {
    let name = ["name", "full_name", "path"].iter().find_map(|name| {
        file.getattr_opt(*name).ok().flatten().and_then(|name| name.extract::<String>().ok())
    });
    let reader = Mutex::new(Some(PythonReader::of_file(file)?));
    Ok(Item::Object(reader, name.unwrap_or_else(|| "-".to_owned())))
}

/// An object with `open`.
fn openable(object: &Bound<'_, PyAny>) -> PyResult<Item> {
    let name = object.getattr("full_name")?.extract()?;
    Ok(Item::Openable(object.clone().unbind(), name))
}

fn ends() -> PyErr {
    PyValueError::new_err("the interpreter ends")
}

struct SharedBytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

/// What a Python object has raised while it was read.
#[derive(Clone, Default)]
struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: PyErr) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

/// Reads a Python object.
struct PythonReader {
    calls: Calls,
    raised: Raised,
    /// Bytes that were read and not handed on yet.
    rest: Option<Arc<dyn AsRef<[u8]> + Send + Sync>>,
    start: usize,
}

enum Calls {
    Read(Py<PyAny>),
    Next(Py<PyIterator>),
}

impl PythonReader {
    fn new(calls: Calls, first: Option<Arc<dyn AsRef<[u8]> + Send + Sync>>) -> Self {
        Self { calls, raised: Raised::default(), rest: first, start: 0 }
    }

    /// Reads an object with `read`. Of a text file the bytes below are read.
    fn of_file(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        let file = match file.getattr_opt("buffer")? {
            Some(buffer) if buffer.hasattr("read")? => buffer,
            _ => file.clone(),
        };
        Ok(Self::new(Calls::Read(file.unbind()), None))
    }

    /// Calls the object; `None` at its end.
    fn more(&self, py: Python<'_>) -> PyResult<Option<Arc<dyn AsRef<[u8]> + Send + Sync>>> {
        let object = match &self.calls {
            Calls::Read(file) => Some(file.bind(py).call_method1("read", (READ_SIZE,))?),
            Calls::Next(iterator) => iterator.bind(py).clone().next().transpose()?,
        };
        let Some(object) = object.filter(|object| !object.is_none()) else { return Ok(None) };
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Some(Arc::new(text.to_str()?.as_bytes().to_vec())));
        }
        let bytes = bytes_of(&object)?;
        bytes.map(Some).ok_or_else(|| PyTypeError::new_err("expected bytes from the input"))
    }
}

impl Read for PythonReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(rest) = &self.rest {
                let count = (&(**rest).as_ref()[self.start..]).read(buffer)?;
                self.start += count;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
            }
            let more = shutdown::attach(|py| self.more(py));
            let more = more.unwrap_or_else(|| Err(ends())).map_err(|error| {
                self.raised.set(error);
                io::Error::other("the input raised an exception")
            })?;
            // A file ends with empty bytes, an iterator may have them in between.
            let is_end = match (&more, &self.calls) {
                (None, _) => true,
                (Some(bytes), Calls::Read(_)) => (**bytes).as_ref().is_empty(),
                (Some(_), Calls::Next(_)) => false,
            };
            if is_end {
                return Ok(0);
            }
            (self.rest, self.start) = (more, 0);
        }
    }
}

/// The number of the last game that was read of each stream.
#[derive(Default)]
pub(crate) struct LastGames(Mutex<HashMap<Arc<str>, u64>>);

impl LastGames {
    /// Notes the games of a block. Blocks may come in any order.
    pub(crate) fn note(&self, source: &Arc<str>, block: &Block) {
        let Some(game) = block.games().last() else { return };
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = numbers.entry(Arc::clone(source)).or_default();
        *last = game.number().max(*last);
    }

    /// Says in an exception which game of a damaged stream is the first that was not read.
    pub(crate) fn locate(&self, py: Python<'_>, error: &PyErr) {
        let value = error.value(py);
        let offset = value.getattr("offset").is_ok_and(|offset| !offset.is_none());
        if !(offset && error.is_instance_of::<PgnError>(py)) {
            return;
        }
        let file = value.getattr("file").and_then(|file| file.extract::<String>());
        let numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = file.map(|file| numbers.get(&*sanitize(file.as_bytes())).copied());
        if let Ok(last) = last {
            // An exception without the attribute is less than one that is not raised.
            let _ = value.setattr("game", last.unwrap_or_default() + 1);
        }
    }
}

/// How far a run has come.
#[derive(Default)]
pub(crate) struct Progress {
    pub(crate) bytes: Arc<AtomicU64>,
    pub(crate) games: AtomicU64,
}

impl Progress {
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.games.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }
}
