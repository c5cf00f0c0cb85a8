//! Work in two steps: on items, and on what their results are gathered to.

use super::{
    run::{Feed, run_with_more},
    workers::Workers,
};

/// Gathers the results of a [run](run_gathered) to larger tasks, which the same threads work on.
///
/// All but [`perform`](Self::perform) runs on the calling thread.
pub trait Gather {
    /// What work on an item returns.
    type Result;
    /// What results are gathered to.
    type Task: Send;
    /// What work on a task returns.
    type Done: Send;
    /// Why a run ends early.
    type Error;

    /// Takes the next result, in the order of the items, and adds the tasks that are complete with
    /// it.
    ///
    /// # Errors
    ///
    /// An error ends the run.
    fn gather(
        &mut self,
        result: Self::Result,
        tasks: &mut Vec<Self::Task>,
    ) -> Result<(), Self::Error>;

    /// Adds the last tasks, after the last result.
    ///
    /// # Errors
    ///
    /// An error ends the run.
    fn gather_rest(&mut self, tasks: &mut Vec<Self::Task>) -> Result<(), Self::Error>;

    /// Works on a task, on any thread.
    fn perform(task: Self::Task) -> Self::Done;

    /// Takes what became of the next task, in the order of the tasks.
    ///
    /// # Errors
    ///
    /// An error ends the run.
    fn take(&mut self, done: Self::Done) -> Result<(), Self::Error>;
}

/// An item or a task, or what became of it.
enum Step<I, T> {
    Item(I),
    Task(T),
}

/// Runs `work` on every item that `feed` pushes, as [`run`](super::run()) does, gathers the results
/// to tasks, and works on those as well. Neither step waits for the other.
///
/// # Errors
///
/// As of [`run`](super::run()), with `gather` for the sink.
///
/// # Panics
///
/// As [`run`](super::run()).
pub fn run_gathered<T: Send, G: Gather>(
    workers: &Workers,
    feed: impl FnOnce(&mut Feed<'_, T, G::Error>) -> Result<(), G::Error>,
    work: impl Fn(T) -> G::Result + Sync,
    gather: &mut G,
) -> Result<(), G::Error>
where
    G::Result: Send,
{
    let mut tasks = Vec::new();
    run_with_more(
        workers,
        |push| feed(&mut |item| push(Step::Item(item))),
        |step| match step {
            Step::Item(item) => Step::Item(work(item)),
            Step::Task(task) => Step::Task(G::perform(task)),
        },
        |step, added| {
            match step {
                Some(Step::Item(result)) => gather.gather(result, &mut tasks)?,
                Some(Step::Task(done)) => gather.take(done)?,
                None => gather.gather_rest(&mut tasks)?,
            }
            added.extend(tasks.drain(..).map(Step::Task));
            Ok(())
        },
    )
}
