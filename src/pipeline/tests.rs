//! The order of results, errors, panics, and what is under way.

use std::{num::NonZeroUsize, thread, time::Duration};

use super::Workers;
use crate::executor::{Executor, Feed};

fn workers(threads: usize) -> Workers {
    Workers::new(NonZeroUsize::new(threads).unwrap())
}

/// The error of a sink or feeder.
#[derive(Debug, PartialEq)]
struct Full;

/// What goes to a sink that fails at its `room`th item.
fn numbers_through(workers: &Workers, room: usize) -> (Vec<usize>, Result<(), Full>) {
    let mut out = Vec::new();
    let result = workers.run(
        |push| (0..200).try_for_each(push),
        |n: usize| {
            // The earlier, the slower: out of order unless the queue sorts them.
            thread::sleep(Duration::from_micros((200 - n as u64) * 5));
            n * 10
        },
        |n| {
            out.push(n);
            if out.len() == room { Err(Full) } else { Ok(()) }
        },
    );
    (out, result)
}

#[test]
fn results_come_in_the_order_of_the_items() {
    let expected: Vec<usize> = (0..200).map(|n| n * 10).collect();
    for threads in [1, 2, 7] {
        let workers = workers(threads);
        for _ in 0..2 {
            let (out, result) = numbers_through(&workers, usize::MAX);
            assert_eq!((out, result), (expected.clone(), Ok(())), "{threads} threads");
        }
    }
}

#[test]
fn an_error_of_the_sink_ends_the_run() {
    for threads in [1, 2, 7] {
        let (out, result) = numbers_through(&workers(threads), 50);
        assert_eq!((out.len(), result), (50, Err(Full)), "{threads} threads");
        let (out, result) = numbers_through(&workers(threads), 200);
        assert_eq!((out.len(), result), (200, Err(Full)), "{threads} threads");
    }
}

#[test]
fn after_its_error_the_sink_is_given_nothing_more_whatever_is_fed() {
    for threads in [1, 2, 7] {
        let mut given = 0;
        let result = workers(threads).run(
            |push| {
                (0..100).for_each(|n| drop(push(n)));
                Ok(())
            },
            |n: u32| n,
            |_| {
                given += 1;
                if given == 5 { Err(Full) } else { Ok(()) }
            },
        );
        assert_eq!((given, result), (5, Ok(())), "{threads} threads");
    }
}

#[test]
fn what_was_fed_before_an_error_of_the_feeder_goes_to_the_sink() {
    for threads in [1, 2, 7] {
        let mut given = 0;
        let result = workers(threads).run(
            |push| {
                (0..100).try_for_each(push)?;
                Err(Full)
            },
            |n: u32| n,
            |_| {
                given += 1;
                Ok(())
            },
        );
        assert_eq!((given, result), (100, Err(Full)), "{threads} threads");
    }
}

#[test]
fn a_panic_of_the_work_goes_on_in_the_calling_thread() {
    for threads in [1, 2, 7] {
        let mut given = Vec::new();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            workers(threads).run(
                |push| (0..100).try_for_each(push),
                |n: u32| if n == 40 { std::panic::resume_unwind(Box::new("forty")) } else { n },
                |n| {
                    given.push(n);
                    Ok::<(), Full>(())
                },
            )
        }));
        let payload = panicked.unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&"forty"), "{threads} threads");
        assert_eq!(given, (0..40).collect::<Vec<_>>(), "{threads} threads");
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_calling_thread_works_too_and_little_is_under_way() {
    use std::{
        collections::HashSet,
        sync::{
            Mutex,
            atomic::{AtomicUsize, Ordering},
        },
    };

    for threads in [2, 3, 7] {
        let (handed_on, mut most) = (AtomicUsize::new(0), 0);
        let seen = Mutex::new(HashSet::new());
        let result = workers(threads).run(
            |push| {
                for fed in 1..=300 {
                    push(())?;
                    most = most.max(fed - handed_on.load(Ordering::Relaxed));
                }
                Ok(())
            },
            |()| {
                thread::sleep(Duration::from_micros(200));
                seen.lock().unwrap().insert(thread::current().id());
            },
            |()| {
                handed_on.fetch_add(1, Ordering::Relaxed);
                Ok::<(), Full>(())
            },
        );
        assert_eq!((result, handed_on.into_inner()), (Ok(()), 300));
        assert!(most < 5 * threads, "{most} under way with {threads} threads");
        let seen = seen.into_inner().unwrap();
        assert!(seen.contains(&thread::current().id()), "{threads} threads");
        assert!(seen.len() <= threads, "{} instead of {threads}", seen.len());
    }
}

#[cfg(feature = "parallel")]
#[test]
fn a_pool_is_shared_and_used_from_within() {
    use std::sync::Arc;

    use rayon::ThreadPoolBuilder;

    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(2).build().unwrap());
    let workers = Workers::from_pool(Arc::clone(&pool));
    assert_eq!(workers.threads().get(), 3);
    let expected: Vec<usize> = (0..200).map(|n| n * 10).collect();
    let inside = || numbers_through(&workers, usize::MAX).0;
    // On both threads of the pool at once, and on one from outside.
    let (a, b) = pool.join(inside, inside);
    assert_eq!((&a, &b), (&expected, &expected));
    assert_eq!(inside(), expected);
    // Work that waits for other work of the same pool.
    let mut sum = 0;
    let result = workers.run(
        |push| (0..100).try_for_each(push),
        |n: u64| {
            let (a, b) = rayon::join(|| n, || n);
            a + b
        },
        |n| {
            sum += n;
            Ok::<(), Full>(())
        },
    );
    assert_eq!((result, sum), (Ok(()), 9900));
}

/// Gathers numbers to sums of several, and keeps the sums.
struct Sums {
    of: usize,
    pending: Vec<usize>,
    sums: Vec<usize>,
    /// How many are kept before an error.
    room: usize,
}

impl Sums {
    fn of(of: usize, room: usize) -> Self {
        Self { of, pending: Vec::new(), sums: Vec::new(), room }
    }

    /// Runs `work` on numbers, and sums of the results.
    fn run(
        &mut self,
        threads: usize,
        feed: impl FnOnce(&mut Feed<'_, Vec<usize>, Full>) -> Result<(), Full>,
        work: impl Fn(usize) -> usize + Sync,
    ) -> Result<(), Full> {
        let work = |numbers: Vec<usize>| match numbers[..] {
            [number] => (work(number), true),
            _ => {
                // The earlier, the slower.
                thread::sleep(Duration::from_micros((2000 - numbers[0] as u64) / 4));
                (numbers.iter().sum(), false)
            }
        };
        workers(threads).run_with_more(feed, work, |result, more| match result {
            Some((number, true)) => {
                self.pending.push(number);
                more.extend((self.pending.len() == self.of).then(|| self.take()));
                Ok(())
            }
            Some((sum, false)) => {
                self.sums.push(sum);
                if self.sums.len() == self.room { Err(Full) } else { Ok(()) }
            }
            None => {
                more.extend((!self.pending.is_empty()).then(|| self.take()));
                Ok(())
            }
        })
    }

    fn take(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.pending).into_iter().chain([0]).collect()
    }
}

#[test]
fn what_is_gathered_from_results_is_worked_on_and_comes_in_order_to_its_last() {
    let numbers: Vec<usize> = (0..200).map(|n| n * 10).collect();
    for (threads, of) in [1, 2, 7].into_iter().flat_map(|threads| [(threads, 1), (threads, 7)]) {
        let run = |room| {
            let mut sums = Sums::of(of, room);
            let feed = |push: &mut Feed<'_, _, Full>| (0..200).try_for_each(|n| push(vec![n]));
            let result = sums.run(threads, feed, |n| n * 10);
            (sums.sums, result)
        };
        let expected: Vec<usize> = numbers.chunks(of).map(|part| part.iter().sum()).collect();
        assert_eq!(run(usize::MAX), (expected.clone(), Ok(())), "{threads} threads, {of}");
        assert_eq!(run(5), (expected[..5].to_vec(), Err(Full)), "{threads} threads, {of}");
    }
}

#[test]
fn after_an_error_of_the_feeder_nothing_is_gathered_from_the_rest() {
    for threads in [1, 2, 7] {
        let mut sums = Sums::of(7, usize::MAX);
        let feed = |push: &mut Feed<'_, _, Full>| {
            (0..20).try_for_each(|n| push(vec![n]))?;
            Err(Full)
        };
        let result = sums.run(threads, feed, |n| n);
        let found = (sums.sums.len(), sums.pending.len(), result);
        assert_eq!(found, (2, 6, Err(Full)), "{threads} threads");
    }
}
