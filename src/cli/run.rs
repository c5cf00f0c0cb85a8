//! The run over the games that a command reads: on all threads, results in order.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{fmt::Display, mem};

use eco::collection::{KeptGame, KeptGameReader};
use eco::executor::{Executor, Feed, OneThread};
use eco::pipeline::{Counters, Options};
use eco::store::{CollectionBuild, CollectionReport, StoreError};
use eco::{classify::Classifier, output::columns::EncodeTask};
use eco::{quoted::counted, select::Selection};

use super::games::{Batch, GameBlock, GameInputs, Monitor, options};
use super::outcome::{Failure, Interruption, Outcome, refuse};
use super::progress::{Progress, Results};
use super::row_writer::{RowWriter, Rows};
use super::{args::RunArgs, interrupt, repeats::Repeats, selection::SelectedGames};

/// A run over all games that were named.
pub(super) struct GamesRun<'c> {
    pub(super) inputs: GameInputs,
    pub(super) selected: SelectedGames<'c>,
    pub(super) options: Options,
    pub(super) progress: Progress,
    is_quiet: bool,
    /// Whether games that are not selected make no difference, and the number of those that an
    /// index passed over.
    wants_selected_only: bool,
    passed_over: AtomicU64,
    /// Whether all rows that were asked for are written, and the other games are left unread.
    has_enough: AtomicBool,
}

impl<'c> GamesRun<'c> {
    /// Begins, and reports what cannot be found.
    pub(super) fn new(
        inputs: GameInputs,
        selected: SelectedGames<'c>,
        results: Results,
        args: &RunArgs,
    ) -> Self {
        let progress = Progress::new(inputs.size(), results, args);
        inputs.missing.iter().for_each(|error| progress.complain(error));
        Self {
            inputs,
            selected,
            options: options(args),
            progress,
            is_quiet: args.quiet,
            wants_selected_only: false,
            passed_over: AtomicU64::default(),
            has_enough: AtomicBool::default(),
        }
    }

    /// For a run to which games that are not selected make no difference: those of databases may be
    /// passed over.
    pub(super) fn of_selected(self) -> Self {
        Self { wants_selected_only: true, ..self }
    }

    /// The number of games, of which some were read and others passed over.
    pub(super) fn with_passed_over(&self, read: u64) -> u64 {
        read + self.passed_over.load(Ordering::Relaxed)
    }

    /// Runs `work` on all blocks, on all threads, and hands the results to `sink` in their order.
    pub(super) fn each<T: Send, E: From<Failure>>(
        &self,
        work: impl Fn(GameBlock<'_>) -> T + Sync,
        sink: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_in_turn(None, work, sink)
    }

    /// As [`each`](Self::each), where each block has its turn to ask for repeats.
    pub(super) fn each_in_turn<'r, T: Send, E: From<Failure>>(
        &self,
        repeats: Option<&'r Repeats>,
        work: impl Fn(GameBlock<'r>) -> T + Sync,
        mut sink: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.options.workers.run(
            |push| self.feed(repeats, push),
            |batch: Batch<'r>| work(batch.into_block()),
            |result| {
                self.selected.check_spellings()?;
                sink(result)
            },
        )
    }

    /// As [`each`](Self::each), where the results are rows, and counts, which `count` is given,
    /// until the writer has enough.
    pub(super) fn each_rows<S: Send>(
        &self,
        writer: &mut RowWriter,
        work: impl Fn(&GameBlock<'_>) -> (S, Rows) + Sync,
        mut count: impl FnMut(S),
    ) -> Result<(), Interruption> {
        let (progress, mut tasks) = (&self.progress, Vec::new());
        self.options.workers.run_with_more(
            |push| {
                let mut is_stopped = false;
                let fed = self.feed(None, &mut |batch| {
                    is_stopped = self.has_enough();
                    let stop = || Err(io::Error::from(ErrorKind::BrokenPipe).into());
                    if is_stopped { stop() } else { push(Step::Block(batch)) }
                });
                if is_stopped { Ok(()) } else { fed }
            },
            |step: Step<Batch<'_>, EncodeTask>| match step {
                Step::Block(batch) => Step::Block(work(&batch.into_block())),
                Step::Task(task) => Step::Task(task.run()),
            },
            |done, added| {
                match done {
                    Some(Step::Block(_)) if self.has_enough() => {}
                    Some(Step::Block((counted, rows))) => {
                        self.selected.check_spellings()?;
                        count(counted);
                        writer.gather(&rows, &mut tasks, progress)?;
                        self.has_enough.store(writer.is_full(), Ordering::Relaxed);
                    }
                    Some(Step::Task(part)) => writer.append(part, progress)?,
                    None => writer.gather_rest(&mut tasks)?,
                }
                added.extend(tasks.drain(..).map(Step::Task));
                Ok(())
            },
        )
    }

    /// Counts the games of all blocks with `count`. Returns the number of games that were read, and
    /// their counts. `empty` has no games. With `repeats`, each block has a turn.
    pub(super) fn count<C: Counts>(
        &self,
        empty: &C,
        repeats: Option<&Repeats>,
        count: impl Fn(&mut C, GameBlock<'_>) + Sync,
    ) -> Result<(u64, C), Interruption> {
        let counters = Counters::new(|| empty.clone());
        let (mut games, mut total) = (0, empty.clone());
        self.each_in_turn(
            repeats,
            |block| {
                counters.with(|part| {
                    let games = block.block.game_count() as u64;
                    count(part, block);
                    let is_full = part.group_count() > MAX_GROUPS;
                    let full = is_full.then(|| mem::replace(part, empty.clone()));
                    (games, full)
                })
            },
            |(count, full): (u64, Option<C>)| {
                games += count;
                self.progress.update(games);
                // The workers are busy.
                full.into_iter().for_each(|part| total.merge(part, &OneThread));
                Ok::<(), Interruption>(refuse_too_many(total.group_count())?)
            },
        )?;
        let parts = counters.into_inner().into_iter();
        parts.for_each(|part| total.merge(part, &self.options.workers));
        Ok((self.with_passed_over(games), total))
    }

    /// Reads all games for a collection or a repertoire, in their order, and returns their number;
    /// `None` is a game that was not selected. If nothing can be read, that is reported, and there
    /// is no number.
    pub(super) fn keep(
        &self,
        reader: &KeptGameReader<'_>,
        mut add: impl FnMut(Vec<Option<KeptGame>>) -> Result<(), StoreError>,
    ) -> Result<Option<u64>, Failure> {
        let (selected, mut seen) = (&self.selected, 0);
        self.each(
            |GameBlock { block, .. }| {
                let mut reader = reader.clone();
                selected.meet_people(&block);
                block.games().map(|game| reader.read(&game)).collect::<Vec<_>>()
            },
            |games: Vec<Option<KeptGame>>| {
                interrupt::check()?;
                seen += games.len() as u64;
                let added = add(games);
                self.progress.update(seen);
                Ok::<(), Failure>(added?)
            },
        )?;
        self.check_people()?;
        if self.is_unread(seen) {
            self.progress.complain(&"no game could be read; nothing was written");
            return Ok(None);
        }
        Ok(Some(seen))
    }

    /// Adds all selected games to a collection, and returns their number and what was added.
    /// If nothing can be read, nothing is written.
    pub(super) fn collect(
        &self,
        mut build: CollectionBuild,
        classifier: Classifier<'_>,
    ) -> Result<Option<(u64, CollectionReport)>, Failure> {
        let reader = KeptGameReader::with_classifier(self.selected.selection(), classifier);
        let add = |games: Vec<Option<KeptGame>>| build.add(games.into_iter().flatten());
        let Some(seen) = self.keep(&reader, add)? else { return Ok(None) };
        let report = build.finish()?;
        self.progress.finish(seen);
        Ok(Some((seen, report)))
    }

    fn feed<'r, E: From<Failure>>(
        &self,
        repeats: Option<&'r Repeats>,
        push: &mut Feed<'_, Batch<'r>, E>,
    ) -> Result<(), E> {
        let complain = |error: &dyn Display| self.progress.complain(error);
        let (position, passed_over) = (&self.progress.position, &self.passed_over);
        let monitor = Monitor { position, passed_over, complain: &complain };
        let has_index = self.inputs.meet_people(&self.selected)?;
        let selection = match has_index && self.wants_selected_only {
            true => self.selected.selection(),
            false => Selection::default(),
        };
        self.inputs.feed(self.options.blocks, &monitor, &selection, repeats, push)
    }

    /// Shows the totals once the games are read; then the people must have been met.
    pub(super) fn end<T, E: From<Failure>>(&self, games: u64, read: Result<T, E>) -> Result<T, E> {
        self.progress.finish(games);
        let read = read?;
        self.check_people()?;
        Ok(read)
    }

    /// Whether all rows that were asked for are written, so that not all games were read.
    pub(super) fn has_enough(&self) -> bool {
        self.has_enough.load(Ordering::Relaxed)
    }

    /// Checks that the people were met, and says in which spellings.
    pub(super) fn check_people(&self) -> Result<(), Failure> {
        if !self.has_enough() {
            self.selected.check_people()?;
        }
        if !self.is_quiet {
            self.selected.say_spellings();
        }
        Ok(())
    }

    /// Whether no game could be read, so that old files stay as they are.
    pub(super) fn is_unread(&self, games: u64) -> bool {
        games == 0 && self.progress.complaints() > 0
    }

    /// How the run ended. A reader that closed the pipe has seen enough.
    pub(super) fn outcome(&self, written: Result<(), Interruption>) -> Result<Outcome, Failure> {
        match written {
            Err(error) => error.outcome(),
            Ok(()) if self.progress.complaints() > 0 => Ok(Outcome::Incomplete),
            Ok(()) => Ok(Outcome::Done),
        }
    }
}

/// Counts of some games.
pub(super) trait Counts: Clone + Send + Sync {
    /// The number of groups, which decides how much memory the counts take.
    fn group_count(&self) -> usize;

    /// Adds counts of other games, on these threads.
    fn merge(&mut self, other: Self, executor: &impl Executor);
}

/// The message of a run that counted no game, from the numbers of games read and of other variants.
pub(super) fn nothing_counted(read: u64, variants: u64) -> String {
    match (read, variants) {
        (0, _) => "the input has no games".to_owned(),
        (1, 0) => "the one game of the input does not fit the selection".to_owned(),
        (_, 0) => format!("none of {read} games in the input fits the selection"),
        _ => format!("{} of other variants, not counted", counted(variants, "game")),
    }
}

/// A worker whose counts have more groups adds them to the total and begins again. This bounds the
/// memory of many workers.
const MAX_GROUPS: usize = 1 << 16;

/// More groups and names are refused: a player is one of each, and takes 260 bytes. Nobody reads so
/// many rows.
const MOST_GROUPS: usize = 10_000_000;

fn refuse_too_many(groups: usize) -> Result<(), Failure> {
    if groups <= MOST_GROUPS {
        return Ok(());
    }
    let hint =
        "choose fewer games, with --player, --rating or --since, or group them by another field";
    refuse(format!("the games have more than {MOST_GROUPS} groups and names; {hint}"))
}

/// What the threads of [`GamesRun::each_rows`] work on, or what became of it.
enum Step<B, T> {
    Block(B),
    Task(T),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_groups_are_refused_with_the_way_out() {
        assert!(refuse_too_many(MOST_GROUPS).is_ok());
        let Err(Failure(reason)) = refuse_too_many(MOST_GROUPS + 1) else { panic!("not refused") };
        assert!(reason.contains("10000000 groups") && reason.contains("--player"), "{reason}");
    }
}
