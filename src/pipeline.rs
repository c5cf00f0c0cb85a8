//! Many workers, one order: the door to `rayon` and `crossbeam-channel`.
//!
//! One thread feeds and writes, the others work, and results come out in the order in which the
//! items went in. Where enough items are waiting, the feeder works as well: so it takes its share
//! whether reading is nearly all there is to do or nearly nothing, and on what it has just read, which
//! its core still has at hand. No more than a few items for each thread are under way at a time, so
//! memory does not grow with the input.

use std::{
    collections::VecDeque,
    io::{self, Read},
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel},
};

use rayon::ThreadPoolBuilder;

use crate::{
    classify::{Classified, Classifier},
    pgn::{BlockOptions, Game, Piece, Pieces},
};

/// So many items for each thread may be under way: waiting, worked on, or done before an earlier one.
const ITEMS_PER_THREAD: usize = 5;

/// The feeder works itself if it leaves so many items waiting for each worker: enough for the time that
/// it takes over its own and over reading the next.
const WAITING_PER_WORKER: usize = 3;

/// More threads than this are never used.
const MAX_THREADS: usize = 256;

/// Feeds items to workers: give it one item after the other; it says when to stop.
pub type Feed<'f, T> = dyn FnMut(T) -> ControlFlow<()> + 'f;

/// Runs `work` on every item that `feed` gives, on so many threads, and hands the results to `sink`
/// in the order of the items. When `sink` breaks, nothing more is fed.
///
/// Items are begun in their order too, so work on one may wait for something that work on an earlier
/// one does: the earliest of those under way waits for nothing.
///
/// With one thread, or where no others can be started, everything runs on the calling one.
///
/// # Panics
///
/// If `work` does.
pub fn run<T: Send, R: Send>(
    threads: NonZeroUsize,
    work: impl Fn(T) -> R + Sync,
    mut sink: impl FnMut(R) -> ControlFlow<()>,
    feed: impl FnOnce(&mut Feed<'_, T>),
) {
    let workers = threads.get().min(MAX_THREADS) - 1;
    let pool = (workers > 0).then(|| ThreadPoolBuilder::new().num_threads(workers).build());
    let Some(Ok(pool)) = pool else {
        let mut is_over = false;
        return feed(&mut |item| {
            let step = if is_over { ControlFlow::Break(()) } else { sink(work(item)) };
            is_over = step.is_break();
            step
        });
    };
    let (jobs, waiting) = crossbeam_channel::unbounded::<Job<T, R>>();
    let (work, waiting) = (&work, &waiting);
    pool.in_place_scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|_| waiting.iter().for_each(|job| job.run(work)));
        }
        let most_waiting = WAITING_PER_WORKER * workers;
        let most = ITEMS_PER_THREAD * (workers + 1);
        let pending = VecDeque::new();
        let (sink, is_over) = (&mut sink, false);
        let mut queue = Queue { jobs, waiting, most_waiting, most, work, sink, pending, is_over };
        feed(&mut |item| queue.push(item));
        while !queue.pending.is_empty() && queue.advance().is_continue() {}
    });
}

/// An item, and where its result goes.
struct Job<T, R> {
    item: T,
    result: SyncSender<R>,
}

impl<T, R> Job<T, R> {
    fn run(self, work: impl Fn(T) -> R) {
        // The receiver is gone when the sink has had enough.
        let _ = self.result.send(work(self.item));
    }
}

/// Items on their way to the workers, and results on their way back, in order.
struct Queue<'q, T, R, W, S> {
    jobs: crossbeam_channel::Sender<Job<T, R>>,
    /// The jobs that nobody has begun.
    waiting: &'q crossbeam_channel::Receiver<Job<T, R>>,
    most_waiting: usize,
    most: usize,
    work: &'q W,
    sink: &'q mut S,
    pending: VecDeque<Receiver<R>>,
    /// The sink has had enough, whatever is fed.
    is_over: bool,
}

impl<T, R, W, S> Queue<'_, T, R, W, S>
where
    W: Fn(T) -> R,
    S: FnMut(R) -> ControlFlow<()>,
{
    /// Takes in another item, and hands on what is done by now. Works and waits only if too much is
    /// under way.
    fn push(&mut self, item: T) -> ControlFlow<()> {
        if self.is_over {
            return ControlFlow::Break(());
        }
        let (result, receiver) = sync_channel(1);
        self.pending.push_back(receiver);
        // There is a receiver as long as this one.
        let _ = self.jobs.send(Job { item, result });
        self.hand_on_done()?;
        while self.waiting.len() > self.most_waiting || self.pending.len() >= self.most {
            self.advance()?;
        }
        ControlFlow::Continue(())
    }

    /// Works on what waits, or waits for what others work on, and hands on what is done.
    fn advance(&mut self) -> ControlFlow<()> {
        match self.waiting.try_recv() {
            Ok(job) => job.run(self.work),
            Err(_) => {
                let first = self.pending.pop_front();
                self.hand_on(first.and_then(|receiver| receiver.recv().ok()))?;
            }
        }
        self.hand_on_done()
    }

    fn hand_on_done(&mut self) -> ControlFlow<()> {
        while let Some(receiver) = self.pending.front() {
            let result = match receiver.try_recv() {
                Err(TryRecvError::Empty) => break,
                result => result.ok(),
            };
            self.pending.pop_front();
            self.hand_on(result)?;
        }
        ControlFlow::Continue(())
    }

    /// `None` if nothing is left, or if a worker has panicked, which the scope will tell.
    fn hand_on(&mut self, result: Option<R>) -> ControlFlow<()> {
        let step = result.map_or(ControlFlow::Break(()), |result| (self.sink)(result));
        if step.is_break() {
            self.is_over = true;
            self.pending.clear();
            self.waiting.try_iter().for_each(drop);
        }
        step
    }
}

/// How a stream of games is classified in parallel.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How many threads, the one that reads and writes among them.
    pub threads: NonZeroUsize,
    /// How the stream is cut.
    pub blocks: BlockOptions,
}

impl Default for Options {
    /// As many threads as the machine has cores.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self { threads, blocks: BlockOptions::default() }
    }
}

/// Classifies a stream of PGN in parallel.
///
/// `each` runs on the workers: it is given the games of a block, which borrow from it, and makes of
/// them what is wanted. `sink` is given what it made, block by block, in the order of the stream,
/// and may end the run. Returns how many games there were.
///
/// # Errors
///
/// What `reader` returns; the whole games before the error have gone to `sink` by then.
///
/// ```
/// use std::ops::ControlFlow;
/// use eco::{catalogue::Catalogue, classify::Classifier, pipeline::{Options, classify_pgn}};
///
/// let pgn = b"[White \"Byrne\"]\n\n1. c4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 c5 *\n";
/// let mut codes = Vec::new();
/// let classifier = Classifier::new(Catalogue::builtin());
/// let count = classify_pgn(
///     classifier,
///     &pgn[..],
///     Options::default(),
///     |games| {
///         let named = games.filter_map(|(_, classified)| classified.verdict.named);
///         named.map(|named| *named.opening().eco()).collect::<Vec<_>>()
///     },
///     |block| {
///         codes.extend(block);
///         ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!(count, 2);
/// assert_eq!(codes.iter().map(|code| code.as_str()).collect::<Vec<_>>(), ["A30", "B20"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn classify_pgn<T: Send>(
    classifier: Classifier<'_>,
    reader: impl Read,
    options: Options,
    each: impl Fn(&mut dyn Iterator<Item = (Game<'_>, Classified<'_, '_>)>) -> T + Sync,
    mut sink: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<u64> {
    let mut outcome = Ok(());
    let mut count = 0;
    run(
        options.threads,
        |piece: Piece| {
            let block = piece.into_block();
            let done = each(&mut block.games().map(|game| (game, classifier.classify(&game))));
            (block.game_count() as u64, done)
        },
        |(games, done)| {
            count += games;
            sink(done)
        },
        |push| {
            for piece in Pieces::new(reader, options.blocks) {
                let step = match piece {
                    Ok(piece) => push(piece),
                    Err(error) => {
                        outcome = Err(error);
                        ControlFlow::Break(())
                    }
                };
                if step.is_break() {
                    break;
                }
            }
        },
    );
    outcome.map(|()| count)
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        sync::{
            Mutex,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use super::*;

    fn numbers_through(threads: usize, stop_at: usize) -> Vec<usize> {
        let mut out = Vec::new();
        run(
            NonZeroUsize::new(threads).unwrap(),
            |n: usize| {
                // The earlier, the slower: out of order unless the queue puts them right.
                std::thread::sleep(std::time::Duration::from_micros((200 - n as u64) * 5));
                n * 10
            },
            |n| {
                out.push(n);
                if out.len() == stop_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
            |push| {
                for n in 0..200 {
                    if push(n).is_break() {
                        break;
                    }
                }
            },
        );
        out
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let expected: Vec<usize> = (0..200).map(|n| n * 10).collect();
        for threads in [1, 2, 7] {
            assert_eq!(numbers_through(threads, usize::MAX), expected, "{threads} threads");
        }
    }

    #[test]
    fn a_sink_that_has_enough_is_given_nothing_more_whatever_is_fed() {
        for threads in [1, 2, 7] {
            let mut given = 0;
            run(
                NonZeroUsize::new(threads).unwrap(),
                |n: u32| n,
                |_| {
                    given += 1;
                    if given == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
                |push| {
                    for n in 0..100 {
                        let _ = push(n);
                    }
                },
            );
            assert_eq!(given, 5, "{threads} threads");
        }
    }

    #[test]
    fn a_sink_that_has_enough_ends_the_run() {
        for threads in [1, 2, 7] {
            assert_eq!(numbers_through(threads, 50).len(), 50, "{threads} threads");
        }
    }

    #[test]
    fn the_feeder_works_too_and_little_is_under_way() {
        for threads in [2, 3, 7] {
            let (handed_on, mut most) = (AtomicUsize::new(0), 0);
            let workers = Mutex::new(HashSet::new());
            run(
                NonZeroUsize::new(threads).unwrap(),
                |()| {
                    std::thread::sleep(std::time::Duration::from_micros(200));
                    workers.lock().unwrap().insert(std::thread::current().id());
                },
                |()| {
                    handed_on.fetch_add(1, Ordering::Relaxed);
                    ControlFlow::Continue(())
                },
                |push| {
                    for fed in 1..=300 {
                        assert!(push(()).is_continue());
                        most = most.max(fed - handed_on.load(Ordering::Relaxed));
                    }
                },
            );
            assert_eq!(handed_on.into_inner(), 300);
            assert!(most < ITEMS_PER_THREAD * threads, "{most} under way with {threads} threads");
            let workers = workers.into_inner().unwrap();
            assert!(workers.contains(&std::thread::current().id()), "{threads} threads");
            assert!(workers.len() <= threads, "{} instead of {threads}", workers.len());
        }
    }
}
