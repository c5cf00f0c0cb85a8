//! Rows of games as Arrow columns, read when they are asked for.
//!
//! A run has a thread, which reads, works with others, and puts batches in order into a channel
//! that holds few: so memory is bounded, and a consumer that stops ends the run. While a consumer
//! waits, the interpreter lock is free, and an interruption from the keyboard is noticed.

use std::{
    mem,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use eco::{
    classify::Classifier,
    executor::Executor,
    output::{
        FieldValue, GameDetails, GameRow,
        columns::{BatchLayout, join_batches},
    },
    replace,
};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyOSError, PyValueError},
    ffi,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use crate::{
    arguments::options,
    arrow::{Batch, schema_capsule, stream_capsule},
    catalogue::Catalogue,
    errors::{PgnError, game_error},
    input::{Fed, Inputs, LastGames, Progress},
    interrupt,
    selection::{Conditions, SelectedGames},
    shutdown::{self, Process},
    table::Table,
};

/// The number of batches that wait for the consumer.
const BATCHES_AHEAD: usize = 2;

/// The rows of a batch at least, but for the last one.
const ROWS_PER_BATCH: usize = 1 << 13;

/// How often progress is reported.
const REPORT: Duration = Duration::from_millis(100);

/// What is read, and how.
pub(crate) struct Plan {
    pub(crate) catalogue: Catalogue,
    pub(crate) inputs: Inputs,
    pub(crate) layout: BatchLayout<FieldValue>,
    pub(crate) conditions: Conditions,
    pub(crate) threads: Option<NonZeroUsize>,
    pub(crate) damage: Damage,
    /// Whether a game with an error counts as damage.
    pub(crate) strict: bool,
    /// Called with games, bytes, and the bytes of all inputs.
    pub(crate) progress: Option<Py<PyAny>>,
    pub(crate) is_closed: AtomicBool,
}

impl Plan {
    /// Refuses to read once the reader is closed.
    fn check_open(&self) -> PyResult<()> {
        match self.is_closed.load(Ordering::Relaxed) {
            true => Err(PyValueError::new_err("the reader is closed")),
            false => Ok(()),
        }
    }
}

/// What happens at an input that cannot be read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    /// The run ends with the exception.
    Raise,
    /// The exception is collected, and the other inputs are read.
    Skip,
}

/// What the thread of a run sends.
enum Event {
    Batch(RecordBatch),
    Failed(PyErr),
}

/// Why a run ends early.
enum Stop {
    /// Nobody wants its batches any more.
    Unwanted,
    Failed(PyErr),
}

/// What is known of the runs of a reader.
#[derive(Default)]
struct Outcome {
    /// The exception that ended the last run.
    error: Option<PyErr>,
    /// Those that did not.
    skipped: Vec<PyErr>,
}

type Shared = Arc<Mutex<Outcome>>;

fn locked(outcome: &Shared) -> std::sync::MutexGuard<'_, Outcome> {
    outcome.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The rows of a chunk of games.
struct Rows {
    batch: RecordBatch,
    /// The number of all games of the chunk.
    games: u64,
    /// What is wrong with single games, if that counts.
    faults: Vec<PyErr>,
}

/// Sends rows in large batches: consumers work on one at a time.
struct Gathered<'e> {
    events: &'e SyncSender<Event>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    rows: usize,
}

impl Gathered<'_> {
    fn push(&mut self, batch: RecordBatch) -> Result<(), Stop> {
        if batch.num_rows() > 0 {
            self.rows += batch.num_rows();
            self.batches.push(batch);
        }
        if self.rows < ROWS_PER_BATCH { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> Result<(), Stop> {
        let batches = mem::take(&mut self.batches);
        if mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let batch = join_batches(&self.schema, batches);
        let batch =
            batch.map_err(|error| Stop::Failed(PyValueError::new_err(error.to_string())))?;
        self.events.send(Event::Batch(batch)).map_err(|_| Stop::Unwanted)
    }
}

/// Classifies all games, and sends their rows in batches.
fn classify(
    plan: &Plan,
    progress: &Progress,
    outcome: &Shared,
    events: &SyncSender<Event>,
) -> Result<(), Stop> {
    let mut classifier = Classifier::new(plan.catalogue.openings());
    if plan.strict {
        classifier = classifier.exhaustive();
    }
    let selected = SelectedGames::new(&plan.conditions, &plan.inputs, classifier);
    let selected = selected.map_err(Stop::Failed)?;
    let (options, last_games) = (options(plan.threads), LastGames::default());
    let complain = |error| match plan.damage {
        Damage::Raise => Err(Stop::Failed(error)),
        Damage::Skip => {
            locked(outcome).skipped.push(error);
            Ok(())
        }
    };
    let schema = plan.layout.schema();
    let mut gathered = Gathered { events, schema, batches: Vec::new(), rows: 0 };
    let mut done = options.workers.run(
        |push| plan.inputs.feed(options.blocks, &progress.bytes, Some(&selected), push, &complain),
        |fed: Fed| rows(plan, classifier, &selected, &last_games, fed),
        |rows: Rows| {
            progress.games.fetch_add(rows.games, Ordering::Relaxed);
            gathered.push(rows.batch)?;
            rows.faults.into_iter().try_for_each(complain)
        },
    );
    // All games before a damage are read by now.
    gathered.send()?;
    let failed = done.as_mut().err().and_then(|stop| match stop {
        Stop::Failed(error) => Some(error),
        Stop::Unwanted => None,
    });
    if failed.is_some() || !locked(outcome).skipped.is_empty() {
        shutdown::attach(|py| {
            let skipped = std::mem::take(&mut locked(outcome).skipped);
            skipped.iter().chain(failed.as_deref()).for_each(|error| last_games.locate(py, error));
            locked(outcome).skipped = skipped;
        });
    }
    done?;
    // An input that was skipped may have them.
    if !locked(outcome).skipped.is_empty() {
        return Ok(());
    }
    selected.check_people().map_err(Stop::Failed)
}

/// The rows of a chunk of games: up to the first that is at fault, if that ends the run.
fn rows(
    plan: &Plan,
    classifier: Classifier<'_>,
    selected: &SelectedGames<'_>,
    last_games: &LastGames,
    fed: Fed,
) -> Rows {
    let Fed { source, games, .. } = fed;
    let (block, offset) = games.into_block();
    last_games.note(&source, &block);
    let mut builder = plan.layout.builder(block.game_count());
    let mut faults = Vec::new();
    let mut selection = selected.in_block();
    for game in block.games() {
        let mut known = None;
        if let Some(selection) = &mut selection {
            let named = || known.insert(classifier.classify(&game)).verdict.named;
            if selection.select_named(&game, named).is_none() {
                continue;
            }
        }
        let classified = known.unwrap_or_else(|| classifier.classify(&game));
        if let Some(error) = classified.verdict.error.as_ref().filter(|_| plan.strict) {
            faults.push(game_error(error, &source, game.number()));
            if plan.damage == Damage::Raise {
                break;
            }
        }
        let details = GameDetails::new(&game, &classifier);
        let row = GameRow {
            source: &source,
            number: game.number(),
            offset: offset.map_or(0, |offset| offset + game.start() as u64),
            game: &classified,
            details: Some(&details),
        };
        plan.layout.write(&row, &mut builder);
    }
    Rows { batch: builder.finish(), games: block.game_count() as u64, faults }
}

/// The batches of one run, which begins when the first is asked for.
pub(crate) struct Batches {
    plan: Arc<Plan>,
    outcome: Shared,
    progress: Arc<Progress>,
    state: State,
    reported: Instant,
}

enum State {
    New,
    Running(Process, Mutex<Receiver<Event>>),
    Done,
}

impl Batches {
    fn new(plan: &Arc<Plan>, outcome: &Shared) -> Self {
        Self {
            plan: Arc::clone(plan),
            outcome: Arc::clone(outcome),
            progress: Arc::default(),
            state: State::New,
            reported: Instant::now(),
        }
    }

    /// The next batch; `None` at the end.
    pub(crate) fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let event = self.wait(py);
        let is_end = !matches!(event, Ok(Some(Event::Batch(_))));
        if is_end {
            self.finish();
        }
        self.report(py, is_end)?;
        match event? {
            Some(Event::Batch(batch)) => Ok(Some(batch)),
            Some(Event::Failed(error)) => {
                locked(&self.outcome).error = Some(error.clone_ref(py));
                Err(error)
            }
            None => Ok(None),
        }
    }

    fn wait(&mut self, py: Python<'_>) -> PyResult<Option<Event>> {
        if matches!(self.state, State::New) {
            self.state = State::Running(Process::current(), Mutex::new(self.start()?));
        }
        let State::Running(process, events) = &self.state else { return Ok(None) };
        if let Err(error) = self.plan.check_open() {
            return Ok(Some(Event::Failed(error)));
        }
        if let Err(error) = process.check("reading") {
            return Ok(Some(Event::Failed(error)));
        }
        loop {
            py.check_signals()?;
            let received = py.detach(|| {
                events
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .recv_timeout(interrupt::INTERVAL)
            });
            match received {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Starts the thread of the run.
    fn start(&self) -> PyResult<Receiver<Event>> {
        let (sender, receiver) = sync_channel(BATCHES_AHEAD);
        let (plan, outcome) = (Arc::clone(&self.plan), Arc::clone(&self.outcome));
        let progress = Arc::clone(&self.progress);
        *locked(&self.outcome) = Outcome::default();
        let run = move || {
            let ran = AssertUnwindSafe(|| classify(&plan, &progress, &outcome, &sender));
            let error = match catch_unwind(ran) {
                Ok(Ok(()) | Err(Stop::Unwanted)) => return,
                Ok(Err(Stop::Failed(error))) => error,
                Err(payload) => interrupt::panicked(payload.as_ref()),
            };
            // The receiver is gone if nobody wants to know.
            let _ = sender.send(Event::Failed(error));
        };
        thread::Builder::new().name("eco-classify".to_owned()).spawn(run)?;
        Ok(receiver)
    }

    /// Ends the run, whose thread notices that nobody wants its batches. The channel of
    /// another process is left alone: a thread that is not there may have locked it.
    fn finish(&mut self) {
        match mem::replace(&mut self.state, State::Done) {
            State::Running(process, events) if process != Process::current() => mem::forget(events),
            _ => {}
        }
    }

    fn report(&mut self, py: Python<'_>, is_end: bool) -> PyResult<()> {
        let Some(progress) = &self.plan.progress else { return Ok(()) };
        if !is_end && self.reported.elapsed() < REPORT {
            return Ok(());
        }
        self.reported = Instant::now();
        let (games, bytes) = self.progress.counts();
        progress.call1(py, (games, bytes, self.plan.inputs.size(), is_end)).map(drop)
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.finish();
    }
}

/// For the C stream interface, which knows errors only as a number and a text. The exception is
/// kept with the reader.
impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // The consumer may hold the interpreter lock or not.
        let next =
            Python::try_attach(|py| self.next_batch(py).map_err(|error| to_arrow(py, &error)));
        match next? {
            Ok(batch) => batch.map(Ok),
            Err(error) => Some(Err(error)),
        }
    }
}

fn to_arrow(py: Python<'_>, error: &PyErr) -> ArrowError {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        // The consumer raises something else, and the interruption must come through. It does with
        // the next statement of Python, so none is run here.
        // SAFETY: the interpreter runs, and its lock is held.
        unsafe { ffi::PyErr_SetInterrupt() };
        return ArrowError::ExternalError("interrupted".into());
    }
    // The text goes into a C string.
    let text = error.to_string().replace('\0', " ");
    if error.is_instance_of::<PgnError>(py) || error.is_instance_of::<PyOSError>(py) {
        return ArrowError::IoError(text.clone(), std::io::Error::other(text));
    }
    ArrowError::ExternalError(text.into())
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.plan.layout.schema()
    }
}

/// The rows of games, read when they are asked for.
///
/// Whatever takes an Arrow stream takes it: `pl.DataFrame(r)`, `pa.table(r)`,
/// `pd.DataFrame.from_arrow(r)`, `duckdb.sql("from r")`. Iterated, it gives one Batch after
/// another. Files and bytes are read anew each time, a file object or a generator once. As a
/// context manager it closes itself, after which nothing is read any more.
///
/// An Arrow stream knows errors as texts only, so a consumer raises an exception of its own;
/// `error` is the original. Iteration and `read_all` raise it themselves.
#[pyclass(frozen, module = "eco_openings")]
pub(crate) struct Reader {
    plan: Arc<Plan>,
    outcome: Shared,
}

impl Reader {
    pub(crate) fn new(plan: Plan) -> Self {
        Self { plan: Arc::new(plan), outcome: Shared::default() }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        self.plan.layout.schema()
    }

    /// The files that it reads.
    pub(crate) fn files(&self) -> replace::Inputs {
        self.plan.inputs.files()
    }

    /// Begins to read.
    pub(crate) fn batches(&self) -> PyResult<Batches> {
        self.plan.check_open()?;
        Ok(Batches::new(&self.plan, &self.outcome))
    }
}

#[pymethods]
impl Reader {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer casts what it wants differently.
        let _ = requested_schema;
        self.plan.check_open()?;
        stream_capsule(py, Box::new(Batches::new(&self.plan, &self.outcome)))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.plan.layout.schema())
    }

    fn __iter__(&self) -> PyResult<BatchIterator> {
        self.batches().map(BatchIterator)
    }

    /// Ends all reading.
    fn close(&self) {
        self.plan.is_closed.store(true, Ordering::Relaxed);
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// Reads everything, and raises what is wrong with the inputs.
    fn read_all(&self, py: Python<'_>) -> PyResult<Table> {
        self.plan.check_open()?;
        let mut run = Batches::new(&self.plan, &self.outcome);
        let mut batches = Vec::new();
        while let Some(batch) = run.next_batch(py)? {
            batches.push(batch);
        }
        Ok(Table::new(self.plan.layout.schema(), batches))
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.plan.layout.schema();
        schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The exception that ended the last reading; None if it came to its end.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<PyErr> {
        locked(&self.outcome).error.as_ref().map(|error| error.clone_ref(py))
    }

    /// What was wrong with the inputs of the last reading, with errors="skip".
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<PyErr> {
        locked(&self.outcome).skipped.iter().map(|error| error.clone_ref(py)).collect()
    }

    fn __repr__(&self) -> String {
        format!("Reader([{}])", self.columns().join(", "))
    }
}

/// The batches of one reading.
#[pyclass(module = "eco_openings")]
pub(crate) struct BatchIterator(Batches);

#[pymethods]
impl BatchIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Batch>> {
        Ok(self.0.next_batch(py)?.map(Batch))
    }
}
