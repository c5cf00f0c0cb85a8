//! Files of frames: who unpacks them, and how long that takes.
//!
//! ```text
//! cargo bench --bench frames -- games.pgn
//! ```
//!
//! The games, five times over, are packed as frames of `pzstd` and as one frame of zstd. Each file
//! is classified with 1, 2 and 8 threads. Shown are the time, as a share of the time of `zstd -dc`
//! on the file where that is installed; the processor time of all threads; the share of it that
//! the busiest thread had; and the most memory. The answers must be the same. The processor time
//! of threads is read from `/proc`, so this runs on Linux.

use std::{
    collections::HashMap,
    env, fs,
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use eco::pgn::{Compression, Encoder, Frames};

fn main() -> io::Result<()> {
    let games = env::args().skip(1).find(|word| word != "--bench");
    let games = games
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/data/games/club.pgn").to_owned());
    let text = fs::read(&games)?.repeat(5);
    let folder = tempfile::tempdir()?;
    println!("{games} five times over, {} bytes", text.len());
    for (name, frames) in [("pzstd", Frames::Always), ("one frame", Frames::Never)] {
        let path = folder.path().join(format!("{}.pgn.zst", name.replace(' ', "-")));
        pack(&text, frames, &path)?;
        let unpacking = unpacking_time(&path);
        match unpacking {
            Some(time) => println!("{name}: zstd -dc {:.3} s", time.as_secs_f64()),
            None => println!("{name}: zstd is not installed, so its time is missing"),
        }
        let mut answers = Vec::new();
        for threads in [1, 2, 8] {
            let out = folder.path().join("rows.tsv");
            let run = Run::of(&path, threads, &out)?;
            run.print(threads, unpacking);
            answers.push(fs::read(&out)?);
        }
        assert!(answers.iter().all(|rows| *rows == answers[0]), "{name}: rows differ");
    }
    Ok(())
}

fn pack(text: &[u8], frames: Frames, path: &Path) -> io::Result<()> {
    let file = fs::File::create(path)?;
    let threads = NonZeroUsize::MIN.saturating_add(1);
    let mut encoder = Encoder::framed(Compression::Zstd, None, frames, threads, file)?;
    encoder.write_all(text)?;
    encoder.finish().map(drop)
}

/// The shortest of five runs of `zstd -dc` to nowhere.
fn unpacking_time(path: &Path) -> Option<Duration> {
    let once = || {
        let begun = Instant::now();
        let status = Command::new("zstd").arg("-dcq").arg(path).stdout(Stdio::null()).status();
        status.is_ok_and(|status| status.success()).then(|| begun.elapsed())
    };
    (0..5).map(|_| once()).min().flatten()
}

/// What a run took.
struct Run {
    time: Duration,
    /// The processor time of each thread, in ticks.
    ticks: Vec<u64>,
    /// The most memory, in KiB.
    memory: u64,
}

impl Run {
    /// The shortest of five runs.
    fn of(path: &Path, threads: usize, out: &Path) -> io::Result<Self> {
        let once = || {
            let begun = Instant::now();
            let child = Command::new(env!("CARGO_BIN_EXE_eco"))
                .args(["classify", "--quiet", "--format", "tsv", "-j"])
                .arg(threads.to_string())
                .arg(path)
                .stdout(fs::File::create(out)?)
                .spawn()?;
            let (ticks, memory) = watch(child)?;
            Ok(Self { time: begun.elapsed(), ticks, memory })
        };
        let runs = (0..5).map(|_| once()).collect::<io::Result<Vec<_>>>()?;
        Ok(runs.into_iter().min_by_key(|run| run.time).expect("there are five"))
    }

    fn print(&self, threads: usize, unpacking: Option<Duration>) {
        let all: u64 = self.ticks.iter().sum();
        let most = self.ticks.iter().max().copied().unwrap_or_default();
        let ratio = unpacking.map(|time| self.time.as_secs_f64() / time.as_secs_f64());
        println!(
            "  -j{threads}: {:.3} s, {} of zstd -dc, {:.2} s of processor time, busiest thread {:.2}, {} MiB",
            self.time.as_secs_f64(),
            ratio.map_or("?".to_owned(), |ratio| format!("{ratio:.2}")),
            all as f64 / 100.0,
            most as f64 / all.max(1) as f64,
            self.memory / 1024
        );
    }
}

/// Watches the threads of a process until it ends.
fn watch(mut child: Child) -> io::Result<(Vec<u64>, u64)> {
    let folder = PathBuf::from(format!("/proc/{}", child.id()));
    let (mut ticks, mut memory) = (HashMap::new(), 0);
    loop {
        // Threads that have ended are kept as they were seen last.
        for thread in fs::read_dir(folder.join("task")).into_iter().flatten().flatten() {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            if let Some(count) = ticks_of(&stat) {
                let seen = ticks.entry(thread.file_name()).or_insert(0);
                *seen = count.max(*seen);
            }
        }
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        memory = memory.max(most_memory(&status));
        if let Some(status) = child.try_wait()? {
            assert!(status.success(), "eco failed: {status}");
            return Ok((ticks.into_values().collect(), memory));
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The processor time in `/proc/PID/task/TID/stat`: fields 14 and 15, of which the second is a name
/// in parentheses.
fn ticks_of(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

fn most_memory(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
