//! Other programs with their own masters, where they are installed: `pgn-extract` and Scid.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::harness::Workplace;

const ECO_PGN: &str = "/usr/share/pgn-extract/eco.pgn";
const SCID_ECO: &str = "/usr/share/scid/data/scid.eco";

fn is_there(what: &str) -> bool {
    let is_there = Path::new(what).exists();
    if !is_there {
        println!("SKIPPED: there is no {what}");
    }
    is_there
}

#[test]
fn the_master_of_pgn_extract_is_read_without_loss() {
    if !is_there(ECO_PGN) {
        return;
    }
    let place = Workplace::new();
    place.run(&["ingest", ECO_PGN, "--db", "x.db"]).exits(0).prints(
        "x.db: added master eco: 2014 lines, 2010 positions; 4 listed twice, 3 of them with \
         different codes\n",
    );
    place.run(&["db", "verify", "--db", "x.db"]).exits(0).prints_part("2014 name what they say");
}

#[test]
fn the_master_of_scid_is_read_without_loss() {
    if !is_there(SCID_ECO) {
        return;
    }
    let place = Workplace::new();
    place
        .run(&["ingest", SCID_ECO, "--db", "x.db"])
        .exits(0)
        .prints("x.db: added master scid: 10360 lines, 10360 positions\n");
    place.run(&["db", "verify", "--db", "x.db"]).exits(0).prints_part("10360 name what they say");
    place.run(&["search", "--catalogue", "x.db", "--format", "scid", "-o", "y.eco"]).exits(0);
    place.run(&["ingest", "y.eco", "--db", "y.db"]).exits(0);
    place
        .run(&["db", "diff", "x.db", "y.db"])
        .exits(0)
        .complains("0 with another code, 0 with another name, 10360 the same");
}

/// A file of real games, each with its number in a tag, so that answers find their game, and
/// without the code that it had, so that no old answer is left in place.
fn numbered_games(place: &Workplace, name: &str) -> Option<PathBuf> {
    let packed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/games/{name}.pgn.zst"));
    if !is_there(packed.to_str()?) {
        return None;
    }
    let pgn = zstd::decode_all(fs::File::open(packed).unwrap()).unwrap();
    let mut numbered = Vec::new();
    let mut number = 0;
    for line in pgn.split_inclusive(|byte| *byte == b'\n') {
        if !line.starts_with(b"[ECO ") {
            numbered.extend_from_slice(line);
        }
        if line.starts_with(b"[Event ") {
            number += 1;
            numbered.extend_from_slice(format!("[GameNo \"{number}\"]\n").as_bytes());
        }
    }
    place.write("numbered.pgn", numbered);
    Some(place.path("numbered.pgn"))
}

/// The codes of the games of standard chess, by number.
fn our_codes(place: &Workplace, master: &str) -> HashMap<u32, String> {
    place.run(&["ingest", master, "--db", "x.db", "-q"]).exits(0);
    let fields = "game,eco,error";
    let run =
        place.run(&["classify", "numbered.pgn", "--catalogue", "x.db", "-q", "--fields", fields]);
    let rows = run.exits(0).stdout.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    let standard = rows.filter(|row| !row[2].starts_with("variant"));
    standard.map(|row| (row[0].parse().unwrap(), row[1].to_owned())).collect()
}

#[track_caller]
fn agree(ours: &HashMap<u32, String>, theirs: &HashMap<u32, String>, least_percent: f64) {
    let both: Vec<_> = ours.iter().filter_map(|(n, eco)| Some((eco, theirs.get(n)?))).collect();
    let same = both.iter().filter(|(ours, theirs)| ours == theirs).count();
    let percent = 100.0 * same as f64 / both.len() as f64;
    println!("{same} of {} games have the same code: {percent:.3} %", both.len());
    let missing = ours.len() - both.len();
    assert!(
        both.len() > 9_000 && missing < 10,
        "{missing} games have no code by the other program"
    );
    assert!(percent >= least_percent, "{percent:.3} %");
}

fn value<'l>(line: &'l str, tag: &str) -> Option<&'l str> {
    line.strip_prefix('[')?.strip_prefix(tag)?.strip_prefix(" \"")?.strip_suffix("\"]")
}

/// pgn-extract looks at the placement of the pieces only, and not at games that come to a position
/// sooner than its line does; see README.
#[test]
#[ignore = "takes a minute, and needs pgn-extract and real games"]
fn pgn_extract_gives_the_same_codes() {
    for name in ["otb", "lichess"] {
        let place = Workplace::new();
        let program = "/usr/games/pgn-extract";
        let Some(games) = numbered_games(&place, name).filter(|_| is_there(program)) else {
            return;
        };
        let output = Command::new(program)
            .arg("-s")
            .arg(format!("-e{ECO_PGN}"))
            .arg(games)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let mut theirs = HashMap::new();
        let (mut number, mut eco) = (0, "");
        for line in text.lines() {
            eco = value(line, "ECO").unwrap_or(eco);
            number = value(line, "GameNo").map_or(number, |number| number.parse().unwrap());
            if !line.starts_with('[') && number > 0 {
                theirs.insert(number, eco.to_owned());
                (number, eco) = (0, "");
            }
        }
        agree(&our_codes(&place, ECO_PGN), &theirs, 99.5);
    }
}

const CLASSIFY_IN_SCID: &str = "
lassign $argv eco pgn base out
sc_eco read $eco
set id [sc_base create SCID4 $base]
sc_base switch $id
sc_base import $id $pgn
sc_eco base 1 1
set file [open $out w]
for {set game 1} {$game <= [sc_base numGames $id]} {incr game} {
    sc_game load $game
    regexp {GameNo\\D*(\\d+)} [sc_game tags get Extra] - number
    puts $file \"$number\\t[sc_game eco]\"
}
close $file
sc_base close $id
exit
";

#[test]
#[ignore = "takes a minute, and needs Scid and real games"]
fn scid_gives_the_same_codes() {
    for name in ["otb", "lichess"] {
        let place = Workplace::new();
        let program = "/usr/games/tkscid";
        let Some(games) = numbered_games(&place, name).filter(|_| is_there(program)) else {
            return;
        };
        place.write("classify.tcl", CLASSIFY_IN_SCID);
        let status = Command::new(program)
            .arg(place.path("classify.tcl"))
            .arg(SCID_ECO)
            .arg(games)
            .arg(place.path("base"))
            .arg(place.path("out.tsv"))
            .output()
            .unwrap()
            .status;
        assert!(status.success(), "{status}");
        let text = fs::read_to_string(place.path("out.tsv")).unwrap();
        let rows = text.lines().filter_map(|row| row.split_once('\t'));
        let theirs = rows.map(|(number, eco)| (number.parse().unwrap(), eco.to_owned())).collect();
        agree(&our_codes(&place, SCID_ECO), &theirs, 99.9);
    }
}
