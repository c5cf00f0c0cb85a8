//! Signals that end the program, such as that of Ctrl-C: what is not complete is removed before.
//!
//! Without that it is not taken for anything else, and the next run would remove it; but it would
//! lie there. A file without a name, which Linux has, would not: not every file system has them,
//! and neither SQLite nor a folder can be one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};
use std::time::{Duration, Instant};
use std::{io, iter, path::Path, thread};

use eco::new_file;

use super::outcome::{Failure, refuse};

/// The signal of Ctrl-C, the same on all systems.
const SIGINT: i32 = 2;

/// Whether a signal has come that ends the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Whether a database is being changed.
static IS_CHANGING: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C ends the program; it always does before there is a pager.
static IS_CTRL_C_HEEDED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// How long a signal waits until changes of a database are undone. What waits for input cannot do
/// it: then its journal stays, by which the next use of the database undoes them.
const PATIENCE: Duration = Duration::from_secs(5);

/// As [`remove_files_on_signals`], where a database may be there already: what was changed in it is
/// undone, so that no journal stays beside it.
pub(super) fn undo_on_signals(db: &Path) {
    IS_CHANGING.store(db.exists(), Ordering::SeqCst);
    remove_files_on_signals();
}

/// Checks that no signal has come, between changes of a database.
///
/// # Errors
///
/// If one has.
pub(super) fn check() -> Result<(), Failure> {
    if IS_ENDING.load(Ordering::SeqCst) { refuse("interrupted") } else { Ok(()) }
}

/// The command is done, and its changes are made or undone. A signal that has come ends the run.
pub(super) fn end() {
    IS_CHANGING.store(false, Ordering::SeqCst);
    if IS_ENDING.load(Ordering::SeqCst) {
        thread::sleep(PATIENCE);
    }
}

/// Leaves Ctrl-C to a pager, which gets it as well and goes on: the reader ends it, as with git.
pub(super) fn leave_to_pager() {
    heed_ctrl_c(false);
}

/// Lets Ctrl-C end the program again.
pub(super) fn take_from_pager() {
    heed_ctrl_c(true);
}

fn heed_ctrl_c(is_heeded: bool) {
    let heeded = IS_CTRL_C_HEEDED.get_or_init(|| {
        let heeded = Arc::new(AtomicBool::new(true));
        #[cfg(unix)]
        let _ = signal_hook::flag::register_conditional_default(SIGINT, Arc::clone(&heeded));
        heeded
    });
    heeded.store(is_heeded, Ordering::SeqCst);
}

/// Removes new files that have not got their name when a signal ends the program. It ends as
/// without this, so that a shell learns of the signal.
///
/// A thread waits for the signals, so this is for commands that are about to write files.
pub(super) fn remove_files_on_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Ok(mut signals) = ending_signals() else { return };
        // Without the thread, the signals are not heeded: their handlers are given up again.
        let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let is_of_pager = |signal: &i32| {
                let heeded = IS_CTRL_C_HEEDED.get();
                *signal == SIGINT && heeded.is_some_and(|heeded| !heeded.load(Ordering::SeqCst))
            };
            if let Some(signal) = signals.find(|signal| !is_of_pager(signal)) {
                IS_ENDING.store(true, Ordering::SeqCst);
                new_file::remove_all();
                let begun = Instant::now();
                while IS_CHANGING.load(Ordering::SeqCst) && begun.elapsed() < PATIENCE {
                    thread::sleep(Duration::from_millis(5));
                }
                end_by(signal);
            }
        });
    });
}

/// Makes a write beyond the limit of `ulimit -f` an error instead of the end of the program, so
/// that incomplete files are removed and the error is reported.
#[cfg(unix)]
pub(super) fn outlive_file_limits() {
    use signal_hook::{consts::SIGXFSZ, flag};

    // Nobody reads the flag: that there is a handler is enough for the write to return.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub(super) fn outlive_file_limits() {}

/// The signals that end the program, as they come. Those that it was started to ignore, as `nohup`
/// and shells do it for runs in the background, it goes on to ignore.
#[cfg(unix)]
fn ending_signals() -> io::Result<impl Iterator<Item = i32>> {
    use signal_hook::{consts::SIGHUP, consts::SIGTERM, iterator::Signals};

    let ignored = ignored_signals();
    let is_heeded = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(is_heeded))?;
    Ok(iter::from_fn(move || signals.forever().next()))
}

/// Windows has Ctrl-C alone.
#[cfg(windows)]
fn ending_signals() -> io::Result<impl Iterator<Item = i32>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut signals = tokio::signal::windows::ctrl_c()?;
    Ok(iter::from_fn(move || runtime.block_on(signals.recv()).map(|()| SIGINT)))
}

/// Ends the process as the signal would have.
#[cfg(unix)]
fn end_by(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Ends the process as Ctrl-C would have: STATUS_CONTROL_C_EXIT.
#[cfg(windows)]
fn end_by(_: i32) {
    std::process::exit(0xc000_013a_u32.cast_signed())
}

/// The signals that are ignored, the first as the lowest bit. Elsewhere than on Linux nothing but
/// unsafe code can tell; then it is the signal of `nohup`.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.unwrap_or(1 << (signal_hook::consts::SIGHUP - 1))
}
