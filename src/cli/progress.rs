//! The progress of a long run, shown on a terminal only. The only file that uses `indicatif`.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{cell::Cell, cell::RefCell, fmt::Display, sync::Arc};

use eco::new_file::{FileKind, kind_of};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::outcome::{complain, say};
use super::{args::RunArgs, settings};

/// A run that takes no longer shows no progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A progress bar, if one is to be shown, and the errors reported beside it.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    is_shown: Cell<bool>,
    /// The counter to which sources add the bytes they read.
    pub(super) position: Arc<AtomicU64>,
    begun: Instant,
    complaints: RefCell<Vec<String>>,
}

/// Where the results of a run go while it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Results {
    /// To standard output, all along.
    Stdout,
    /// To files, or to standard output once the run is over.
    Elsewhere,
}

impl Progress {
    /// Starts a bar over `total` bytes, if it disturbs nobody: standard error is a terminal, and
    /// standard output is not a pipe, whose reader may draw on the same terminal. Without a total
    /// it is a spinner.
    ///
    /// Where results go to the same terminal, the writer calls
    /// [`make_way`](Self::make_way) before the first; without that there is no bar.
    pub(super) fn new(total: Option<u64>, results: Results, args: &RunArgs) -> Self {
        let shows_progress = settings::one("progress").as_deref() != Some("false");
        let is_wanted = !args.quiet && shows_progress && stderr().is_terminal();
        let is_free = match kind_of(&stdout()) {
            Ok(FileKind::File | FileKind::Nowhere) => true,
            _ => results == Results::Elsewhere && stdout().is_terminal(),
        };
        let bar = (is_wanted && is_free).then(|| {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template(match total {
                Some(_) => "{wide_bar} {bytes} of {total_bytes}  {msg}  {eta} left",
                None => "{spinner} {bytes}  {wide_msg}",
            });
            bar.set_style(style.expect("the layouts are well formed").progress_chars("━╸ "));
            bar
        });
        Self { bar, ..Self::hidden() }
    }

    /// No bar.
    pub(super) fn hidden() -> Self {
        Self {
            bar: None,
            is_shown: Cell::new(false),
            position: Arc::default(),
            begun: Instant::now(),
            complaints: RefCell::default(),
        }
    }

    /// Removes the bar, so that rows can be written to the same terminal.
    pub(super) fn make_way(&self) {
        if let Some(bar) = self.bar.as_ref().filter(|_| stdout().is_terminal()) {
            bar.finish_and_clear();
        }
    }

    /// Shows the number of games that are done.
    pub(super) fn update(&self, games: u64) {
        if let Some(bar) = &self.bar {
            if self.begun.elapsed() >= PATIENCE && !self.is_shown.replace(true) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            bar.set_position(self.position.load(Ordering::Relaxed));
            bar.set_message(self.rate(games));
        }
    }

    /// The number of errors reported.
    pub(super) fn complaints(&self) -> usize {
        self.complaints.borrow().len()
    }

    /// Whether an error of this file was reported.
    pub(super) fn has_complaint_of(&self, file: &str) -> bool {
        let is_of_file =
            |error: &String| error.strip_prefix(file).is_some_and(|rest| rest.starts_with(": "));
        self.complaints.borrow().iter().any(is_of_file)
    }

    /// Reports an error without disturbing the bar.
    pub(super) fn complain(&self, what: &dyn Display) {
        self.complaints.borrow_mut().push(what.to_string());
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(what)),
            None => complain(what),
        }
    }

    /// Replaces the bar by the totals. Without games there are none, and an error or a note says
    /// why.
    pub(super) fn finish(&self, games: u64) {
        if let Some(bar) = self.bar.as_ref().filter(|bar| !bar.is_finished()) {
            bar.finish_and_clear();
            let seconds = self.begun.elapsed().as_secs_f64();
            if games > 0 && self.begun.elapsed() >= PATIENCE {
                say(&format_args!("{} in {seconds:.1} s", self.rate(games)));
            }
        }
    }

    fn rate(&self, games: u64) -> String {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-3);
        let rate = HumanCount((games as f64 / seconds) as u64);
        format!("{} games, {rate} games/s", HumanCount(games))
    }
}
