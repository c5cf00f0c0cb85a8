//! `eco tag`: where games go, what stays as it is, and that no file is ever lost.

use std::{
    fs,
    io::Read,
    process::Stdio,
    time::{Duration, SystemTime},
};

use crate::{
    classify::packed,
    harness::{Run, Workplace, famous_games},
};

const GAME: &str = "[White \"A\"]\n[ECO \"A00\"]\n[Variation \"old\"]\n\n1. e4 c5 *\n";
const TAGGED: &str = "[White \"A\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n";
const STRIPPED: &str = "[White \"A\"]\n\n1. e4 c5 *\n";

fn read(place: &Workplace, name: &str) -> String {
    String::from_utf8(fs::read(place.path(name)).unwrap()).unwrap()
}

fn unpacked(how: &str, bytes: &[u8]) -> Vec<u8> {
    let mut reader: Box<dyn Read + '_> = match how {
        "gz" => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        "bz2" => Box::new(bzip2::read::MultiBzDecoder::new(bytes)),
        "xz" => Box::new(liblzma::read::XzDecoder::new(bytes)),
        "zst" => Box::new(zstd::Decoder::new(bytes).unwrap()),
        _ => Box::new(bytes),
    };
    let mut out = Vec::new();
    reader.read_to_end(&mut out).unwrap();
    out
}

/// A workplace with one game in `g.pgn`.
fn with_game() -> Workplace {
    let place = Workplace::new();
    place.write("g.pgn", GAME);
    place
}

#[test]
fn one_input_goes_to_standard_output_and_several_need_a_target() {
    let place = with_game();
    place.run(&["tag", "g.pgn", "-q"]).exits(0).prints(TAGGED).is_silent();
    place.pipe(&["tag", "-"], GAME.as_bytes()).exits(0).prints(TAGGED).complains("1 changed");
    place.run(&["tag", "g.pgn", "--strip"]).exits(0).prints(STRIPPED);
    place.run(&["tag", "g.pgn", "g.pgn"]).exits(2).prints("").complains("several inputs: name one");
    place.write("h.pgn", GAME.trim_end());
    // A file without a final line end must not run into the next.
    place.run(&["tag", "h.pgn", "g.pgn", "-o", "o.pgn"]).exits(0);
    assert_eq!(read(&place, "o.pgn"), format!("{}\n{TAGGED}", TAGGED.trim_end()));
    place.run(&["tag", "h.pgn", "g.pgn", "-o", "-"]).exits(0).prints_part(TAGGED);
}

#[test]
fn options_decide_which_tags_are_set() {
    let place = with_game();
    for (args, expected) in [
        (&["--only", "missing"][..], GAME.to_owned()),
        (&["--only", "changed"], TAGGED.to_owned()),
        (&["--names", "split"], TAGGED.to_owned()),
        (
            &["--add", "source"],
            TAGGED.replace("e\"]\n\n", "e\"]\n[ECOSource \"lichess 2026-09-11 9bead1d2\"]\n\n"),
        ),
        (
            &["--add", "move-order"],
            TAGGED.replace(
                "e\"]\n\n",
                "e\"]\n[MoveOrderECO \"B20\"]\n[MoveOrderOpening \"Sicilian Defense\"]\n\n",
            ),
        ),
    ] {
        place.run(&[&["tag", "g.pgn"], args].concat()).exits(0).prints(&expected);
    }
    let unknown = "[White \"A\"]\n[ECO \"A00\"]\n\n*\n";
    place.pipe(&["tag"], unknown.as_bytes()).prints(unknown).complains("1 without an opening");
    place.pipe(&["tag", "--strip=unknown"], unknown.as_bytes()).prints("[White \"A\"]\n\n*\n");
    place.write("mine.tsv", "B20a\tMy \"Sicilian\"\t1. e4 c5\n");
    place.run(&["ingest", "mine.tsv", "--db", "my.db"]).exits(0);
    let args = ["tag", "g.pgn", "--catalogue", "my.db", "--add", "code:LongECO"];
    place.run(&args).exits(0).prints(
        "[White \"A\"]\n[ECO \"B20\"]\n[Opening \"My \\\"Sicilian\\\"\"]\n[LongECO \"B20a\"]\n\n1. e4 c5 *\n",
    );
    place.run(&["tag", "g.pgn", "--add", "code:White"]).exits(2).complains("a meaning of its own");
    place.run(&["tag", "g.pgn", "--strip", "--add", "source"]).exits(2);
}

#[test]
fn every_compression_goes_in_and_comes_out() {
    let place = Workplace::new();
    let games = famous_games();
    let plain = place.pipe(&["tag"], &games).exits(0).stdout.clone();
    for how in ["gz", "bz2", "xz", "zst", "zip"] {
        place.write("in", packed(how, &games));
        place.run(&["tag", "in"]).exits(0).prints(&plain);
    }
    for how in ["gz", "bz2", "xz", "zst", "pgn"] {
        let name = format!("out.{how}");
        place.run(&["tag", "in", "-o", &name]).exits(0);
        assert!(unpacked(how, &fs::read(place.path(&name)).unwrap()) == plain.as_bytes(), "{how}");
        // In place, a file keeps its compression, regardless of its name.
        let odd = format!("{how}-in-place");
        place.write(&odd, if how == "pgn" { games.clone() } else { packed(how, &games) });
        place.run(&["tag", "--in-place", &odd]).exits(0).complains("1 file changed");
        assert!(unpacked(how, &fs::read(place.path(&odd)).unwrap()) == plain.as_bytes(), "{how}");
    }
    place
        .run(&["tag", "in", "-o", "x.zst", "--level", "30"])
        .exits(2)
        .complains("zstd has levels 1 to 9");
    place.run(&["tag", "in", "--in-place"]).exits(1).complains("in: a zip archive is not changed");
}

#[test]
fn the_bytes_are_the_same_at_any_thread_count_and_block_size() {
    let place = Workplace::new();
    let mut games = b"\xef\xbb\xbf; notes\r\n\r\n".to_vec();
    games.extend(famous_games().repeat(20));
    games.extend(
        b"[Event \"bad\"]\n\n1. e4 {\n\n[White \"M\xfcller\n\n1. d4 *\n\n1. c4 *\n\n1. e4 c5",
    );
    place.write("g.pgn", &games);
    let run = |threads: &str, block: &str, output: &str| {
        place.run(&["tag", "g.pgn", "-j", threads, "--block-size", block, "-o", output]).exits(0);
        fs::read(place.path(output)).unwrap()
    };
    for output in ["o.pgn", "o.zst"] {
        let expected = run("1", "1048576", output);
        for threads in ["1", "2", "7"] {
            assert!(run(threads, "1048576", output) == expected, "{output}, {threads} threads");
        }
        for block in ["100", "1024"] {
            let is_same = unpacked(&output[2..], &run("2", block, output))
                == unpacked(&output[2..], &expected);
            assert!(is_same, "{output}, blocks of {block}");
        }
    }
    place.run(&["tag", "o.pgn", "-o", "twice.pgn"]).exits(0).complains(" 0 changed");
    assert!(fs::read(place.path("twice.pgn")).unwrap() == fs::read(place.path("o.pgn")).unwrap());
    place.run(&["tag", "o.pgn", "--strip", "-o", "bare.pgn"]).exits(0);
    assert!(fs::read(place.path("bare.pgn")).unwrap() == games);
}

#[test]
fn everything_but_games_is_passed_through() {
    let place = Workplace::new();
    let long = format!("[White \"x\"]\n\n1. e4 c5 {{{}}} *\n\n", "long ".repeat(4_000_000));
    let tagged_long =
        long.replace("\n\n1.", "\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1.");
    for (input, expected) in [
        (String::new(), String::new()),
        ("no game at all\n".to_owned(), "no game at all\n".to_owned()),
        ("\u{2}\u{1}[;{".repeat(1000), "\u{2}\u{1}[;{".repeat(1000)),
        (format!("{long}{GAME}"), format!("{tagged_long}{TAGGED}")),
        (format!("1. e4 {}\n\n{GAME}", "(".repeat(100_000)), String::new()),
    ] {
        let run = place.pipe(&["tag", "-q"], input.as_bytes());
        let start: String = input.chars().take(40).collect();
        if expected.is_empty() && !input.is_empty() {
            assert!(run.stdout.ends_with(TAGGED) && run.stdout.starts_with("1. e4 (("), "{start}");
        } else {
            assert!(run.stdout == expected, "for {start:?}");
        }
    }
}

#[test]
fn a_report_counts_kinds_of_changes_with_an_example() {
    let place = Workplace::new();
    place.write("g.pgn", format!("{GAME}\n{GAME}\n{TAGGED}\n[White \"B\"]\n\n1. e4 *\n"));
    let header = "change\tgames\tsource\tgame\twhite\tblack\topening_before\topening_after\n";
    let report = format!(
        "{header}A00 -> B20\t2\tg.pgn\t1\tA\t\t\tSicilian Defense\n\
         none -> B00\t1\tg.pgn\t4\tB\t\t\tKing's Pawn Game\n"
    );
    place.run(&["tag", "g.pgn", "--dry-run"]).exits(0).prints(&report);
    place.run(&["tag", "g.pgn", "--in-place", "--dry-run", "-q"]).exits(0).prints(&report);
    assert_eq!(place.files(), ["g.pgn"]);
    place.run(&["tag", "g.pgn", "-o", "o.pgn", "--report", "r.tsv"]).exits(0).prints("");
    assert_eq!(read(&place, "r.tsv"), report);
    let args = ["tag", "g.pgn", "-o", "o.pgn", "--report", "r.jsonl", "--by", "game"];
    place.run(&args).exits(0);
    assert_eq!(
        read(&place, "r.jsonl").lines().next(),
        Some(
            "{\"source\":\"g.pgn\",\"game\":1,\"white\":\"A\",\"black\":null,\"change\":\"A00 -> B20\",\
             \"eco_before\":\"A00\",\"eco_after\":\"B20\",\"opening_before\":null,\
             \"opening_after\":\"Sicilian Defense\"}"
        )
    );
    assert_eq!(read(&place, "r.jsonl").lines().count(), 3);
    place.run(&["tag", "g.pgn", "--report", "-"]).exits(2).complains("cannot both go");
}

#[test]
fn no_output_overwrites_an_input() {
    let place = with_game();
    place.write("d/g.pgn", GAME);
    place.write("d/sub/g.pgn", GAME);
    for (args, part) in [
        (&["g.pgn", "-o", "g.pgn"][..], "g.pgn is an input too"),
        (&["g.pgn", "-o", "./d/../g.pgn"], "is an input too"),
        (&["d/g.pgn", "-O", "d"], "is an input too"),
        (&["d", "-O", "d/new"], "d/new is within d"),
        (&["d", "-o", "d"], "d is a folder; use -O"),
        (&["d/g.pgn", "d/sub/g.pgn", "-O", "o"], "two outputs would be written to"),
        (&["g.pgn", "-o", "x.pgn", "--report", "g.pgn"], "is an input too"),
        (&["-", "--in-place"], "standard input cannot be changed in place"),
    ] {
        place.run(&[&["tag"], args].concat()).exits(2).complains(part);
    }
    assert_eq!(read(&place, "g.pgn"), GAME);
    assert_eq!(place.files(), ["d", "g.pgn"]);
    place.run(&["tag", "d", "-O", "o"]).exits(0);
    assert_eq!(read(&place, "o/sub/g.pgn"), TAGGED);
    assert_eq!(read(&place, "o/g.pgn"), TAGGED);
}

#[test]
fn an_input_that_cannot_be_read_to_its_end_is_never_replaced() {
    let place = Workplace::new();
    let whole = packed("gz", &famous_games().repeat(50));
    let cut = &whole[..whole.len() / 2];
    place.write("cut.pgn.gz", cut);
    let run = place.run(&["tag", "--in-place", "cut.pgn.gz"]);
    run.exits(1)
        .complains("cannot be read beyond byte")
        .complains("1 file skipped, not read to the end");
    assert!(fs::read(place.path("cut.pgn.gz")).unwrap() == cut);
    assert_eq!(place.files(), ["cut.pgn.gz"]);
    // Elsewhere, incomplete output is worth having.
    place.run(&["tag", "cut.pgn.gz", "-o", "o.pgn"]).exits(1);
    assert!(read(&place, "o.pgn").contains("[ECO \"B00\"]"));
    place.write("o.pgn", "precious");
    place.run(&["tag", "no.pgn", "-o", "o.pgn"]).exits(1).complains("no.pgn: No such file");
    assert_eq!(read(&place, "o.pgn"), "precious");
}

#[test]
fn files_already_tagged_are_skipped() {
    let place = Workplace::new();
    place.write("d/a.pgn", TAGGED);
    place.write("d/b.pgn", GAME);
    let args = ["tag", "d", "--in-place", "--resume"];
    place.run(&args).exits(0).complains("1 file changed; 1 file already tagged");
    place.run(&args).exits(0).complains("2 files already tagged");
    // By content, not by date.
    place.write("d/a.pgn", GAME);
    place.run(&args).exits(0).complains("1 file changed; 1 file already tagged");
    let args = ["tag", "d", "-O", "o", "--resume"];
    place.run(&args).exits(0);
    place.run(&args).exits(0).complains("2 files already tagged");
    for changed in [format!("{TAGGED}x"), TAGGED.replace("Sic", "Sik"), String::new()] {
        place.write("o/b.pgn", changed);
        place.run(&args).exits(0).complains("1 file already tagged");
        assert_eq!(read(&place, "o/b.pgn"), TAGGED);
    }
    let right = fs::metadata(place.path("d/a.pgn")).unwrap().modified().unwrap();
    place.run(&["tag", "d", "--in-place"]).exits(0).complains("2 files with nothing to change");
    assert_eq!(fs::metadata(place.path("d/a.pgn")).unwrap().modified().unwrap(), right);
}

#[test]
#[cfg(unix)]
fn in_place_keeps_what_belongs_to_a_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = with_game();
    let path = place.path("g.pgn");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let accessed = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let times = fs::FileTimes::new().set_accessed(accessed);
    fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    symlink("g.pgn", place.path("link.pgn")).unwrap();
    place.run(&["tag", "--in-place", "link.pgn"]).exits(0);
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert_eq!(metadata.accessed().unwrap(), accessed);
    assert!(metadata.modified().unwrap() > accessed);
    assert!(fs::symlink_metadata(place.path("link.pgn")).unwrap().is_symlink());
    assert_eq!(read(&place, "g.pgn"), TAGGED);

    place.write("g.pgn", GAME);
    fs::hard_link(&path, place.path("twin.pgn")).unwrap();
    place
        .run(&["tag", "--in-place", "g.pgn"])
        .exits(1)
        .complains("g.pgn: has 2 names (hard links)");
    fs::remove_file(place.path("twin.pgn")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    place.run(&["tag", "--in-place", "g.pgn"]).exits(1).complains("g.pgn: is write-protected");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    place.run(&["tag", "--in-place", "/dev/null"]).exits(1).complains("not a file that can be");
    let lock = fs::File::open(&path).unwrap();
    lock.lock().unwrap();
    place
        .run(&["tag", "--in-place", "g.pgn"])
        .exits(1)
        .complains("in use: another run, or another program, has locked it");
    drop(lock);
    assert_eq!(read(&place, "g.pgn"), GAME);
    place.run(&["tag", "--in-place", "g.pgn"]).exits(0);
    assert_eq!(place.files(), ["g.pgn", "link.pgn"]);
}

#[test]
#[cfg(unix)]
fn the_next_run_clears_away_what_a_killed_one_left() {
    let place = with_game();
    place.write(".eco-dead.tmp", "half a fi");
    place.write(".eco-live.tmp", "half a fi");
    place.write(".eco-notes.txt", "mine");
    // A process that lives holds the lock of its file.
    let live = fs::File::open(place.path(".eco-live.tmp")).unwrap();
    live.lock().unwrap();
    place.run(&["tag", "--in-place", "g.pgn"]).exits(0);
    assert_eq!(place.files(), [".eco-live.tmp", ".eco-notes.txt", "g.pgn"]);
    drop(live);
    place.run(&["tag", "g.pgn", "-o", "o.pgn"]).exits(0);
    assert_eq!(place.files(), [".eco-notes.txt", "g.pgn", "o.pgn"]);
}

#[test]
#[cfg(unix)]
fn a_kill_at_any_moment_leaves_the_old_file_or_the_new_one() {
    let place = Workplace::new();
    let old = famous_games().repeat(400);
    place.write("g.pgn", &old);
    place.run(&["tag", "g.pgn", "-o", "new.pgn"]).exits(0);
    let new = fs::read(place.path("new.pgn")).unwrap();
    for wait in (0..20).map(|n| n * n) {
        place.write("g.pgn", &old);
        let mut command = place.command(&["tag", "--in-place", "g.pgn"]);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(place.path("g.pgn")).unwrap();
        assert!(now == old || now == new, "killed after {wait} ms: {} bytes", now.len());
    }
    place.run(&["tag", "--in-place", "g.pgn"]).exits(0);
    assert_eq!(place.files(), ["g.pgn", "new.pgn"]);
    assert!(fs::read(place.path("g.pgn")).unwrap() == new);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games().repeat(300));
    let mut command = place.command(&["tag", "g.pgn", "-q"]);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    Run::new(&child.wait_with_output().unwrap()).exits(0).is_silent();
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let place = with_game();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = place.command(&["tag", "g.pgn"]);
    let output = command.stdin(Stdio::null()).stdout(full).output().unwrap();
    Run::new(&output).exits(2).complains("standard output: No space left");
    place
        .run(&["tag", "g.pgn", "-o", "/dev/full"])
        .exits(2)
        .complains("/dev/full: cannot be written");
    place.run(&["tag", "g.pgn", "-o", "/dev/null"]).exits(0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
#[cfg(unix)]
fn a_pipe_is_written_to_and_not_replaced() {
    let place = Workplace::new();
    place.write("g.pgn", GAME);
    for args in [
        &["tag", "g.pgn", "-o", "pipe"][..],
        &["tag", "g.pgn", "-o", "out.pgn", "--report", "pipe"],
        &["tag", "g.pgn", "-O", "folder"],
    ] {
        let pipe = if args.contains(&"-O") { "folder/g.pgn" } else { "pipe" };
        fs::create_dir_all(place.path("folder")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(place.path(pipe)).status();
        if !made.is_ok_and(|status| status.success()) {
            println!("SKIPPED: no mkfifo here");
            return;
        }
        let path = place.path(pipe);
        let reader = std::thread::spawn(move || fs::read_to_string(path).unwrap());
        place.run(args).exits(0);
        let read = reader.join().unwrap();
        assert!(read == TAGGED || read.starts_with("change\t"), "{args:?}\n{read}");
        assert!(!fs::metadata(place.path(pipe)).unwrap().is_file(), "{args:?}");
        fs::remove_file(place.path(pipe)).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn two_names_of_one_output_are_one_output() {
    use std::os::unix::fs::symlink;

    let place = Workplace::new();
    place.write("a/g.pgn", GAME);
    place.write("b/h.pgn", GAME);
    fs::create_dir(place.path("o")).unwrap();
    symlink("g.pgn", place.path("o/h.pgn")).unwrap();
    for args in [
        &["tag", "a/g.pgn", "-o", "o.pgn", "--report", "./o.pgn"][..],
        &["tag", "a/g.pgn", "b/h.pgn", "-O", "o"],
    ] {
        place.run(args).exits(2).complains("two outputs would be written to");
    }
    // A link to nothing yet is followed.
    symlink("new.pgn", place.path("link.pgn")).unwrap();
    place.run(&["tag", "a/g.pgn", "-o", "link.pgn"]).exits(0);
    assert!(place.path("link.pgn").is_symlink());
    assert_eq!(fs::read_to_string(place.path("new.pgn")).unwrap(), TAGGED);
}

#[test]
fn games_are_written_though_nobody_reads_the_report() {
    let place = Workplace::new();
    place.write("g.pgn", GAME.repeat(5000));
    let args = ["tag", "g.pgn", "--in-place", "-q", "--report", "-", "--by", "game"];
    let mut command = place.command(&args);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(place.path("g.pgn")).unwrap(), TAGGED.repeat(5000));
}

#[test]
fn impossible_options_are_refused_before_anything_is_written() {
    let place = Workplace::new();
    place.write("a.pgn.zst", zstd::encode_all(GAME.as_bytes(), 1).unwrap());
    place.write("b.pgn", GAME);
    let before = fs::read(place.path("a.pgn.zst")).unwrap();
    for (args, reason) in [
        (
            &["--in-place", "a.pgn.zst", "b.pgn", "--level", "9"][..],
            "--level 9: a file that is not",
        ),
        (&["b.pgn", "-o", "c.pgn.gz", "--level", "12"], "--level 12: gzip has levels 1 to 9"),
        (&["b.pgn", "-o", "c.tsv"], "c.tsv: games are not written to .tsv; name a file in .pgn"),
        (&["b.pgn", "-o", "c.parquet"], "not written to .parquet"),
        (&["b.pgn", "-o", "c.zip"], "c.zip: .zip is not written; .gz, .bz2, .xz and .zst are"),
        (&["b.pgn", "-o", "c.pgn", "--resume"], "--resume goes with --in-place or -O"),
    ] {
        place.run(&[&["tag"], args].concat()).exits(2).complains(reason);
    }
    assert_eq!(fs::read(place.path("a.pgn.zst")).unwrap(), before);
    assert_eq!(place.files(), ["a.pgn.zst", "b.pgn"]);
}

#[test]
#[cfg(unix)]
fn a_dry_run_reports_what_would_be_refused() {
    let place = Workplace::new();
    place.write("g.pgn", GAME);
    fs::hard_link(place.path("g.pgn"), place.path("h.pgn")).unwrap();
    for dry in [&["--dry-run"][..], &[]] {
        let args = [&["tag", "--in-place", "g.pgn"], dry].concat();
        place.run(&args).exits(1).complains("g.pgn: has 2 names (hard links)");
    }
}

#[test]
#[cfg(unix)]
fn attributes_stay_with_a_file_that_is_changed_in_place() {
    let place = Workplace::new();
    place.write("g.pgn", GAME);
    let path = place.path("g.pgn");
    if xattr::set(&path, "user.note", b"mine").is_err() {
        println!("SKIPPED: no extended attributes here");
        return;
    }
    place.run(&["tag", "--in-place", "g.pgn"]).exits(0);
    assert_eq!(fs::read_to_string(&path).unwrap(), TAGGED);
    assert_eq!(xattr::get(&path, "user.note").unwrap().as_deref(), Some(&b"mine"[..]));
}

#[test]
fn a_game_with_a_managed_tag_that_lacks_its_bracket_is_skipped_and_counted() {
    let place = Workplace::new();
    let game = "[Event \"e\"]\n[ECO \"B21\"\n[ECO \"A00\"] {note}\n\n1. e4 c5 *\n";
    for args in [&["tag", "-"][..], &["tag", "-", "--strip"]] {
        let run = place.pipe(args, game.as_bytes());
        run.exits(0).prints(game).complains("1 game: 0 changed, 1 skipped for damaged tags");
    }
}
