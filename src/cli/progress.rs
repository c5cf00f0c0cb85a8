//! The progress of a long run, shown on a terminal only. The only file that uses `indicatif`.

use std::{
    cell::Cell,
    fmt::Display,
    io::{IsTerminal, stderr, stdout},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::outcome::{complain, say};

/// A progress bar, if one is to be shown, and the errors reported beside it.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    position: Arc<AtomicU64>,
    begun: Instant,
    complaints: Cell<usize>,
}

/// What goes to standard output during the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Rows,
    OnlyTheEnd,
}

impl Progress {
    /// Starts a bar over `total` bytes, if standard error is a terminal. Without a total it is a
    /// spinner. There is no bar if rows scroll over the same terminal.
    pub(super) fn new(total: Option<u64>, shows: Shows, is_quiet: bool) -> Self {
        let is_seen = stderr().is_terminal()
            && !is_quiet
            && !(shows == Shows::Rows && stdout().is_terminal());
        let bar = is_seen.then(|| {
            let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
            let layout = match total {
                Some(_) => "{bar:24} {bytes:>10} of {total_bytes}  {msg}  {eta} left",
                None => "{spinner} {bytes:>10}  {msg}",
            };
            let style = ProgressStyle::with_template(layout).expect("the layouts are well formed");
            bar.set_style(style.progress_chars("━╸ "));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, position: Arc::default(), begun: Instant::now(), complaints: Cell::new(0) }
    }

    /// The counter to which sources add the bytes they read.
    pub(super) fn position(&self) -> &Arc<AtomicU64> {
        &self.position
    }

    /// Shows the number of games that are done.
    pub(super) fn update(&self, games: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.position.load(Ordering::Relaxed));
            bar.set_message(self.rate(games));
        }
    }

    /// Restarts the bar for the counting of positions, after all games have been read.
    pub(super) fn counting(&self) {
        if let Some(bar) = &self.bar {
            let layout = "{bar:24} {percent:>3} %  counting positions  {eta} left";
            let style = ProgressStyle::with_template(layout).expect("the layout is well formed");
            bar.set_style(style.progress_chars("━╸ "));
            bar.set_position(0);
        }
    }

    /// Shows how many of the parts have been counted.
    pub(super) fn part(&self, done: u64, parts: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(parts);
            bar.set_position(done);
        }
    }

    /// The number of errors reported.
    pub(super) fn complaints(&self) -> usize {
        self.complaints.get()
    }

    /// Reports an error without disturbing the bar.
    pub(super) fn complain(&self, what: &dyn Display) {
        self.complaints.set(self.complaints.get() + 1);
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(what)),
            None => complain(what),
        }
    }

    /// Replaces the bar by the totals.
    pub(super) fn finish(&self, games: u64) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            let seconds = self.begun.elapsed().as_secs_f64();
            say(&format_args!("{} in {seconds:.1} s", self.rate(games)));
        }
    }

    fn rate(&self, games: u64) -> String {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let rate = HumanCount((games as f64 / seconds) as u64);
        format!("{} games, {rate} games/s", HumanCount(games))
    }
}
