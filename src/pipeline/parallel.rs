//! Many workers, one order.
//!
//! The calling thread feeds and writes, and the threads of the pool work. Where enough items wait,
//! the calling thread works as well. So it does its share, whether reading takes nearly all of the
//! time or nearly none, and what it works on is often still in the cache of its core, since it has
//! just read it. Chunks of a plain file are read later, by the thread that works on them.
//!
//! A worker is a task in the pool that takes one item after another and ends when none waits. So a
//! pool may be shared, and `work` may use the pool itself: no task waits for items.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{collections::VecDeque, sync::Mutex, thread};

use rayon::{Scope, ThreadPool};

use crate::executor::lock;

/// At most this number of items per worker is under way: waiting, worked on, or done before an
/// earlier one.
const ITEMS_PER_WORKER: usize = 5;

/// The calling thread works itself if it leaves this number of items waiting for each worker. That
/// is enough for the time that it spends on its own and on reading the next.
const WAITING_PER_WORKER: usize = 3;

pub(super) fn run<T: Send, R: Send, E>(
    pool: &ThreadPool,
    feed: impl FnOnce(&mut dyn FnMut(T) -> Result<(), E>) -> Result<(), E>,
    work: impl Fn(T) -> R + Sync,
    sink: impl FnMut(Option<R>, &mut Vec<T>) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = Jobs::new(most_workers(pool));
    let (jobs, work) = (&jobs, &work);
    pool.in_place_scope(|scope| {
        let pending = VecDeque::new();
        let mut queue = Queue { scope, jobs, work, sink, pending, has_failed: false };
        let fed = feed(&mut |item| queue.push(item));
        let drained = queue.drain();
        fed.and(drained)?;
        queue.end()
    })
}

/// The workers that there may be at once. Where a pool has more threads than the machine has cores,
/// a few more workers than cores keep them busy, also while one waits to unpack; all threads at
/// once would push each other's bytes out of the caches.
fn most_workers(pool: &ThreadPool) -> usize {
    let threads = pool.current_num_threads();
    thread::available_parallelism().map_or(threads, |cores| threads.min(cores.get() + 2))
}

/// An item, and where its result goes.
struct Job<T, R> {
    item: T,
    result: SyncSender<thread::Result<R>>,
}

impl<T, R> Job<T, R> {
    /// A panic is a result too: it goes on in the calling thread, in the order of the items.
    fn run(self, work: impl Fn(T) -> R) {
        let Self { item, result } = self;
        let done = catch_unwind(AssertUnwindSafe(|| work(item)));
        // The receiver is gone after an error.
        let _ = result.send(done);
    }
}

/// The jobs that nobody has begun, and how many workers look for them.
struct Jobs<T, R> {
    workers: usize,
    state: Mutex<JobsState<T, R>>,
}

struct JobsState<T, R> {
    waiting: VecDeque<Job<T, R>>,
    active: usize,
}

impl<T, R> Jobs<T, R> {
    fn new(workers: usize) -> Self {
        let state = JobsState { waiting: VecDeque::new(), active: 0 };
        Self { workers, state: Mutex::new(state) }
    }

    /// Adds a job; whether another worker must be started for it.
    fn add(&self, job: Job<T, R>) -> bool {
        let mut state = lock(&self.state);
        state.waiting.push_back(job);
        let needs_worker = state.active < self.workers;
        state.active += usize::from(needs_worker);
        needs_worker
    }

    fn take(&self) -> Option<Job<T, R>> {
        lock(&self.state).waiting.pop_front()
    }

    /// A job for a worker, which ends if there is none.
    fn take_or_end(&self) -> Option<Job<T, R>> {
        let mut state = lock(&self.state);
        let job = state.waiting.pop_front();
        state.active -= usize::from(job.is_none());
        job
    }

    fn clear(&self) {
        drop(std::mem::take(&mut lock(&self.state).waiting));
    }
}

/// Items on their way to the workers, and results on their way back, in order.
struct Queue<'q, 'scope, T, R, W, S> {
    scope: &'q Scope<'scope>,
    jobs: &'scope Jobs<T, R>,
    work: &'scope W,
    sink: S,
    pending: VecDeque<Receiver<thread::Result<R>>>,
    /// The sink has returned an error.
    has_failed: bool,
}

impl<'scope, T, R, E, W, S> Queue<'_, 'scope, T, R, W, S>
where
    T: Send,
    R: Send,
    W: Fn(T) -> R + Sync,
    S: FnMut(Option<R>, &mut Vec<T>) -> Result<(), E>,
{
    /// Takes in another item, and hands on a result if one is done. Hands on more, works and waits
    /// only if too much is under way: while results are handed on, workers may run out of items.
    fn push(&mut self, item: T) -> Result<(), E> {
        if self.has_failed {
            return Ok(());
        }
        self.add(item);
        self.hand_on_done()?;
        while self.is_too_much() {
            self.advance()?;
        }
        Ok(())
    }

    fn add(&mut self, item: T) {
        let (result, receiver) = sync_channel(1);
        self.pending.push_back(receiver);
        if self.jobs.add(Job { item, result }) {
            let (jobs, work) = (self.jobs, self.work);
            self.scope.spawn(move |_| {
                while let Some(job) = jobs.take_or_end() {
                    job.run(work);
                }
            });
        }
    }

    fn is_too_much(&self) -> bool {
        self.pending.len() >= ITEMS_PER_WORKER * (self.jobs.workers + 1)
            || lock(&self.jobs.state).waiting.len() > WAITING_PER_WORKER * self.jobs.workers
    }

    /// Hands on the next result, if it is done; or works on what waits; or waits for what others
    /// work on.
    fn advance(&mut self) -> Result<(), E> {
        if self.hand_on_done()? {
            return Ok(());
        }
        if let Some(job) = self.jobs.take() {
            job.run(self.work);
            return Ok(());
        }
        let Some(next) = self.pending.pop_front() else { return Ok(()) };
        self.hand_on(next.recv().expect("each job that is taken sends a result"))
    }

    /// Hands on the next result, if it is done. Returns whether it is.
    fn hand_on_done(&mut self) -> Result<bool, E> {
        let Some(next) = self.pending.front() else { return Ok(false) };
        let Ok(result) = next.try_recv() else { return Ok(false) };
        self.pending.pop_front();
        self.hand_on(result)?;
        Ok(true)
    }

    fn hand_on(&mut self, result: thread::Result<R>) -> Result<(), E> {
        self.give(Some(result.unwrap_or_else(|payload| resume_unwind(payload))))
    }

    /// Gives the sink a result, and takes in the items that it adds. They do not wait for room:
    /// what is gathered from results is less than they were.
    fn give(&mut self, result: Option<R>) -> Result<(), E> {
        let mut added = Vec::new();
        let result = (self.sink)(result, &mut added);
        if result.is_err() {
            self.has_failed = true;
            self.pending.clear();
            self.jobs.clear();
        } else {
            added.into_iter().for_each(|item| self.add(item));
        }
        result
    }

    /// Lets the sink know that all results have come.
    fn end(&mut self) -> Result<(), E> {
        if self.has_failed {
            return Ok(());
        }
        self.give(None)?;
        self.drain()
    }

    fn drain(&mut self) -> Result<(), E> {
        while !self.pending.is_empty() {
            self.advance()?;
        }
        Ok(())
    }
}

/// After a panic nobody needs the results.
impl<T, R, W, S> Drop for Queue<'_, '_, T, R, W, S> {
    fn drop(&mut self) {
        self.jobs.clear();
    }
}
