//! Many workers, one order: the door to `rayon`.
//!
//! One thread feeds and writes, the workers work, and results come out in the order in which the
//! items went in. No more than a few items for each worker are under way at a time, so memory does
//! not grow with the input.

use std::{
    collections::VecDeque,
    io::{self, Read},
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::mpsc::{Receiver, TryRecvError, sync_channel},
};

use rayon::{ScopeFifo, ThreadPoolBuilder};

use crate::{
    classify::{Classified, Classifier},
    pgn::{BlockOptions, Game, Piece, Pieces},
};

/// How many items are under way for each worker: one in its hands, the others so that it never
/// waits for the feeder.
const ITEMS_PER_WORKER: usize = 3;

/// More workers than this are never started.
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
    let threads = threads.get().min(MAX_THREADS);
    let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
    let Some(Ok(pool)) = pool else {
        return feed(&mut |item| sink(work(item)));
    };
    // First in, first out: items come from outside the pool, through its one queue, so they are begun
    // in their order, as `run` promises.
    pool.in_place_scope_fifo(|scope| {
        let limit = ITEMS_PER_WORKER * threads;
        let mut queue =
            Queue { scope, limit, work: &work, sink: &mut sink, pending: VecDeque::new() };
        feed(&mut |item| queue.push(item));
        while queue.pop().is_continue() && !queue.pending.is_empty() {}
    });
}

/// Results on their way, in order.
struct Queue<'q, 's, W, S, R> {
    scope: &'q ScopeFifo<'s>,
    limit: usize,
    work: &'s W,
    sink: &'q mut S,
    pending: VecDeque<Receiver<R>>,
}

impl<'s, W, S, R: Send + 's> Queue<'_, 's, W, S, R> {
    /// Begins another item, hands on what is done by now, and waits only if too much is under way.
    fn push<T: Send + 's>(&mut self, item: T) -> ControlFlow<()>
    where
        W: Fn(T) -> R + Sync,
        S: FnMut(R) -> ControlFlow<()>,
    {
        let (sender, receiver) = sync_channel(1);
        let work = self.work;
        self.scope.spawn_fifo(move |_| {
            // The receiver is gone when the sink has had enough.
            let _ = sender.send(work(item));
        });
        self.pending.push_back(receiver);
        while let Some(receiver) = self.pending.front() {
            let result = match self.pending.len() < self.limit {
                true => match receiver.try_recv() {
                    Err(TryRecvError::Empty) => break,
                    result => result.ok(),
                },
                false => receiver.recv().ok(),
            };
            self.pending.pop_front();
            self.hand_on(result)?;
        }
        ControlFlow::Continue(())
    }

    fn pop(&mut self) -> ControlFlow<()>
    where
        S: FnMut(R) -> ControlFlow<()>,
    {
        let result = self.pending.pop_front().and_then(|receiver| receiver.recv().ok());
        self.hand_on(result)
    }

    /// `None` if nothing is left, or if a worker has panicked, which the scope will tell.
    fn hand_on(&mut self, result: Option<R>) -> ControlFlow<()>
    where
        S: FnMut(R) -> ControlFlow<()>,
    {
        let step = result.map_or(ControlFlow::Break(()), |result| (self.sink)(result));
        if step.is_break() {
            self.pending.clear();
        }
        step
    }
}

/// How a stream of games is classified in parallel.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// How many workers.
    pub threads: NonZeroUsize,
    /// How the stream is cut.
    pub blocks: BlockOptions,
}

impl Default for Options {
    /// As many workers as the machine has cores.
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
    fn a_sink_that_has_enough_ends_the_run() {
        for threads in [1, 2, 7] {
            assert_eq!(numbers_through(threads, 50).len(), 50, "{threads} threads");
        }
    }
}
