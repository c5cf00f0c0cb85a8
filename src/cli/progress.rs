//! How far a long run is: the door to `indicatif`. Only ever on a terminal.

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

/// A progress bar, or nothing where there should be none.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    position: Arc<AtomicU64>,
    begun: Instant,
    complaints: Cell<usize>,
}

/// Whether rows go to standard output while the bar would be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Rows,
    OnlyTheEnd,
}

impl Progress {
    /// A bar over so many bytes, if they are known, and if somebody is there to see it. Rows that
    /// scroll over the same terminal are progress enough.
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

    /// Where sources count the bytes they read.
    pub(super) fn position(&self) -> &Arc<AtomicU64> {
        &self.position
    }

    /// Shows how many games are done.
    pub(super) fn update(&self, games: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.position.load(Ordering::Relaxed));
            bar.set_message(self.rate(games));
        }
    }

    /// The games are read, and now something else takes its time, part by part.
    pub(super) fn counting(&self) {
        if let Some(bar) = &self.bar {
            let layout = "{bar:24} {percent:>3} %  counting positions  {eta} left";
            let style = ProgressStyle::with_template(layout).expect("the layout is well formed");
            bar.set_style(style.progress_chars("━╸ "));
            bar.set_position(0);
        }
    }

    /// Shows how many of all parts are done.
    pub(super) fn part(&self, done: u64, parts: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(parts);
            bar.set_position(done);
        }
    }

    /// How many errors were told.
    pub(super) fn complaints(&self) -> usize {
        self.complaints.get()
    }

    /// Tells of an error without breaking the bar.
    pub(super) fn complain(&self, what: &dyn Display) {
        self.complaints.set(self.complaints.get() + 1);
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(what)),
            None => complain(what),
        }
    }

    /// Takes the bar away and says what was done in its place.
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
