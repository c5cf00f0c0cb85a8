//! Signals that end the program while it writes.

use std::{
    fs,
    io::Write,
    os::unix::process::ExitStatusExt,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use crate::harness::Workplace;

const GAME: &[u8] = b"[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n";

/// Their names, as `kill` knows them, and their numbers.
const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

/// The signals that these tests were started to ignore, the first as the lowest bit. A program that
/// they start goes on to ignore them.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(bits.trim(), 16).unwrap()
}

/// Waits until something is so, for a minute.
fn wait_until<T>(mut found: impl FnMut() -> Option<T>, what: &str) -> T {
    for _ in 0..6000 {
        if let Some(found) = found() {
            return found;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{what}")
}

/// Sends a signal to a run, and waits for its end.
fn end(child: &mut Child, signal: &str) -> ExitStatus {
    let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    wait_until(|| child.try_wait().unwrap(), "the run goes on")
}

#[test]
fn a_run_that_a_signal_ends_leaves_nothing() {
    let place = Workplace::new();
    let ignored = ignored();
    for (name, number) in SIGNALS.into_iter().filter(|(_, n)| ignored >> (n - 1) & 1 == 0) {
        for args in [
            &["classify", "-", "-o", "rows.parquet"][..],
            &["classify", "-", "-o", "rows.tsv"],
            &["tag", "-", "-o", "tagged.pgn"],
            &["filter", "-", "--by", "eco", "-O", "games"],
            &["index", "-", "--db", "new.db"],
            &["report", "-", "-o", "report.html"],
        ] {
            let mut command = place.command(args);
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            // It waits for more games, with the new file beside the place of its name.
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(GAME).unwrap();
            let has_begun = || (!place.files().is_empty()).then_some(());
            wait_until(has_begun, &format!("{args:?} writes no file"));
            let status = end(&mut child, name);
            drop(stdin);
            assert_eq!(status.signal(), Some(number), "{args:?}: {status}");
            assert_eq!(place.files(), [""; 0], "{args:?} after {name}");
        }
    }
}

#[test]
fn a_file_that_is_replaced_stays_when_a_signal_ends_the_run() {
    let place = Workplace::new();
    let Some((name, _)) = SIGNALS.into_iter().find(|(_, n)| ignored() >> (n - 1) & 1 == 0) else {
        return;
    };
    place.write("rows.tsv", "as it was\n");
    let mut command = place.command(&["classify", "-", "-o", "rows.tsv"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let stdin = child.stdin.take();
    let has_begun = || (place.files().len() > 1).then_some(());
    wait_until(has_begun, "no new file");
    end(&mut child, name);
    drop(stdin);
    assert_eq!(place.files(), ["rows.tsv"]);
    assert_eq!(fs::read_to_string(place.path("rows.tsv")).unwrap(), "as it was\n");
}

#[test]
fn a_database_is_as_it_was_when_a_signal_ends_the_run() {
    let place = Workplace::new();
    let Some((name, _)) = SIGNALS.into_iter().find(|(_, n)| ignored() >> (n - 1) & 1 == 0) else {
        return;
    };
    place.write("one.pgn", GAME);
    place.run(&["index", "one.pgn", "--db", "old.db"]).exits(0);
    let before = place.files();
    let mut command = place.command(&["index", "-", "--db", "old.db"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // More games come as long as somebody reads them.
    let games = thread::spawn(move || {
        let game = |n: u32| format!("[Round \"{n}\"]\n\n1. e4 c5 1-0\n\n");
        let mut all = (0..).map(|n: u32| (n * 100..n * 100 + 100).map(game).collect::<String>());
        all.all(|games| stdin.write_all(games.as_bytes()).is_ok())
    });
    let has_begun = || (place.files().len() > before.len()).then_some(());
    wait_until(has_begun, "no journal");
    end(&mut child, name);
    games.join().unwrap();
    assert_eq!(place.files(), before);
    place.run(&["filter", "old.db", "-q"]).exits(0).prints_part("1. e4 c5 1-0\n");
}

/// As `nohup` has it, and a shell for a run in the background.
#[test]
fn a_signal_that_is_ignored_goes_on_to_be() {
    let place = Workplace::new();
    place.write("g.pgn", GAME);
    let run = "trap '' HUP INT
        { sleep 1; cat g.pgn; } | eco classify - -o rows.tsv &
        n=0; while [ ! -e .eco-*.tmp ] && [ $n -lt 900 ]; do n=$((n + 1)); sleep 0.01; done
        kill -HUP $!; kill -INT $!; wait $!";
    place.shell(run).exits(0);
    assert_eq!(place.files(), ["g.pgn", "rows.tsv"]);
}

#[test]
fn a_file_beyond_the_limit_is_an_error_and_leaves_nothing() {
    let place = Workplace::new();
    place.write("g.pgn", GAME.repeat(2000));
    for run in [
        "classify g.pgn -o rows.tsv",
        "tag g.pgn -o tagged.pgn",
        "filter g.pgn --by eco -O games",
        "fen show startpos -o start.svg --width 4000",
    ] {
        let limited = format!("ulimit -f 2; exec eco {run}");
        place.shell(&limited).exits(2).complains("File too large (`ulimit -f` shows the limit)");
        assert_eq!(place.files(), ["g.pgn"], "{run}");
    }
    let limit = "cannot be written: File too large (`ulimit -f` shows the limit)";
    place.shell("ulimit -f 2; exec eco index g.pgn --db new.db").exits(2).complains(limit);
    assert_eq!(place.files(), ["g.pgn"]);

    place.write("one.pgn", GAME);
    let many = |n| format!("[White \"A{n}\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n");
    place.write("many.pgn", (0..2000).map(many).collect::<String>());
    place.run(&["index", "one.pgn", "--db", "old.db"]).exits(0);
    let before = fs::read(place.path("old.db")).unwrap();
    let blocks = before.len().div_ceil(512);
    for run in ["index many.pgn", "repertoire build r many.pgn --color white", "ingest"] {
        let limited = format!("ulimit -f {blocks}; exec eco {run} --db old.db");
        place.shell(&limited).exits(2).complains(limit);
        // What was written before the error is rolled back by the next run.
        place.run(&["explore", "e4", "--db", "old.db"]).exits(0);
        assert!(fs::read(place.path("old.db")).unwrap() == before, "{run}");
    }
}
