//! `eco classify --partition-by`: the rows of a dataset, in folders and files, against those of one
//! Parquet file; parts, repeated and killed runs, names of any kind.

use std::path::{Path, PathBuf};
use std::{fs, process::Stdio, thread, time::Duration};

use arrow_array::{RecordBatch, cast::AsArray, types::UInt64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::harness::{Run, Workplace, famous_games};

const BY_YEAR: [&str; 5] = ["classify", "g.pgn", "--partition-by", "year,eco_letter", "-q"];

/// The files of a dataset: their folder, and their path.
fn files(place: &Workplace, folder: &str) -> Vec<(String, PathBuf)> {
    fn visit(top: &Path, folder: &Path, found: &mut Vec<(String, PathBuf)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(top, &path, found);
            } else {
                let folder = folder.strip_prefix(top).unwrap().to_str().unwrap();
                found.push((folder.replace('\\', "/"), path));
            }
        }
    }
    let mut found = Vec::new();
    visit(&place.path(folder), &place.path(folder), &mut found);
    found.sort();
    found
}

fn folders(place: &Workplace, folder: &str) -> Vec<String> {
    let mut folders: Vec<String> = files(place, folder).into_iter().map(|(name, _)| name).collect();
    folders.dedup();
    folders
}

fn batches(path: &Path) -> Vec<RecordBatch> {
    let file = fs::File::open(path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    reader.map(Result::unwrap).collect()
}

/// The numbers of the games of a dataset, sorted.
fn games(place: &Workplace, folder: &str) -> Vec<u64> {
    let batches = files(place, folder).into_iter().flat_map(|(_, path)| batches(&path));
    let numbers = |batch: RecordBatch| {
        let games = batch.column_by_name("game").unwrap().as_primitive::<UInt64Type>().clone();
        games.iter().flatten().collect::<Vec<_>>()
    };
    let mut games: Vec<u64> = batches.flat_map(numbers).collect();
    games.sort_unstable();
    games
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place
}

fn write(place: &Workplace, args: &[&str]) -> Run {
    place.run(&[&BY_YEAR[..], args].concat())
}

#[test]
fn files_have_the_rows_of_their_folder_and_not_its_columns() {
    let place = place();
    write(&place, &["-o", "set"]).exits(0);
    place.run(&["classify", "g.pgn", "-q", "-o", "all.parquet"]).exits(0);
    let all = batches(&place.path("all.parquet"));
    assert_eq!(all.len(), 1);
    let rows = place.run(&["classify", "g.pgn", "-q", "--fields", "game,year,eco_letter"]);
    for row in rows.stdout.lines().skip(1) {
        let [game, year, letter] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let folder = format!("year={year}/eco_letter={letter}");
        let files = files(&place, "set");
        let here: Vec<_> = files.iter().filter(|(name, _)| *name == folder).collect();
        let [(_, path)] = here[..] else { panic!("{folder}: {} files", here.len()) };
        let game: u64 = game.parse().unwrap();
        let whole = all[0].slice(game as usize - 1, 1);
        let found = batches(path).into_iter().any(|batch| {
            let games = batch.column_by_name("game").unwrap().as_primitive::<UInt64Type>();
            let at = games.iter().position(|number| number == Some(game));
            at.is_some_and(|at| texts(&batch.slice(at, 1)) == texts(&whole))
        });
        assert!(found, "game {game} is not in {folder} as in the plain file");
    }
    assert_eq!(
        games(&place, "set"),
        (1..=rows.stdout.lines().count() as u64 - 1).collect::<Vec<_>>()
    );
}

/// The values of a row, with dictionaries of different sizes.
fn texts(row: &RecordBatch) -> String {
    let columns = row.columns().iter().map(|column| match column.as_any_dictionary_opt() {
        Some(_) if column.is_null(0) => "null".to_owned(),
        Some(names) => format!("{:?}", names.values().slice(names.normalized_keys()[0], 1)),
        None => format!("{column:?}"),
    });
    columns.collect()
}

#[test]
fn runs_of_parts_write_at_the_same_time_and_are_replaced_by_runs_of_the_same_games() {
    let place = place();
    let size = fs::metadata(place.path("g.pgn")).unwrap().len();
    let whole = write(&place, &["--fields", "offset,game", "-o", "set"]);
    whole.exits(0);
    let expected = games(&place, "set").len();
    for parts in [3, 2] {
        thread::scope(|scope| {
            for part in 0..parts {
                let (place, length) = (&place, size.div_ceil(parts));
                let range = format!("{}:{length}", part * length);
                scope.spawn(move || {
                    write(place, &["--fields", "game", "--range", &range, "-o", "set"]).exits(0);
                });
            }
        });
        assert_eq!(games(&place, "set").len(), expected, "{parts} parts");
        let is_temporary = |name: &str| name.starts_with('.');
        let names = fs::read_dir(place.path("set")).unwrap();
        assert!(!names.flatten().any(|entry| is_temporary(entry.file_name().to_str().unwrap())));
    }
    write(&place, &["-o", "set"]).exits(0);
    assert_eq!(games(&place, "set"), (1..=expected as u64).collect::<Vec<_>>());
    // Other games are added, and a run with other folders replaces the files of the first.
    fs::copy(place.path("g.pgn"), place.path("other.pgn")).unwrap();
    place.run(&["classify", "other.pgn", "-q", "--partition-by", "result", "-o", "set"]).exits(0);
    assert_eq!(games(&place, "set").len(), 2 * expected);
    place.run(&["classify", "./g.pgn", "-q", "--partition-by", "result", "-o", "set"]).exits(0);
    assert_eq!(games(&place, "set").len(), 2 * expected);
    let by_result = |name: &String| name.starts_with("result=");
    assert!(folders(&place, "set").iter().all(by_result), "{:?}", folders(&place, "set"));
}

#[test]
fn a_run_that_is_killed_leaves_the_dataset_as_it_was_and_the_next_makes_it_whole() {
    let place = place();
    write(&place, &["-o", "set", "--limit", "3"]).exits(0);
    assert_eq!(games(&place, "set"), [1, 2, 3]);
    let before = files(&place, "set");
    place.write("g.pgn", famous_games().repeat(2000));
    let mut killed = 0;
    for pause in [1, 5, 20, 50, 100, 200, 300] {
        let mut command = place.command(&[&BY_YEAR[..], &["-o", "set"]].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(pause));
        // SIGKILL: nothing can be tidied up.
        child.kill().unwrap();
        if !child.wait().unwrap().success() {
            killed += 1;
        }
        let is_placed = |(folder, _): &(String, PathBuf)| folder.starts_with("year=");
        let placed = files(&place, "set").into_iter().filter(is_placed);
        assert!(placed.clone().count() >= before.len());
        placed.for_each(|(_, path)| assert!(!batches(&path).is_empty(), "{}", path.display()));
    }
    assert!(killed > 0);
    write(&place, &["-o", "set"]).exits(0);
    let all = games(&place, "set");
    assert_eq!(all, (1..=all.len() as u64).collect::<Vec<_>>(), "lost or doubled");
    assert_eq!(all.len() % 2000, 0);
    assert!(folders(&place, "set").iter().all(|folder| folder.starts_with("year=")));
}

#[test]
fn names_of_any_kind_are_folders_within_the_dataset() {
    let place = Workplace::new();
    let names = [
        ("a/b", "white=a%2Fb"),
        ("..", "white=.%2E"),
        ("", "white=__HIVE_DEFAULT_PARTITION__"),
        ("x=y", "white=x%3Dy"),
        ("100% \\\"sure\\\"?", "white=100%25 %22sure%22%3F"),
        ("C:\\\\x", "white=C%3A%5Cx"),
        ("Łódź, Ёж", "white=Łódź, Ёж"),
        ("a{b}[c]^d|<e>*'#", "white=a%7Bb%7D%5Bc%5D%5Ed%7C%3Ce%3E%2A%27%23"),
        ("end. ", "white=end.%20"),
        ("Tal", "white=Tal"),
        ("TAL", "white=TAL"),
    ];
    let game = |(name, _): &(&str, &str)| format!("[White \"{name}\"]\n\n1. e4 c5 *\n\n");
    place.write("g.pgn", names.iter().map(game).collect::<String>() + "[Black \"x\"]\n\n1. d4 *\n");
    place.run(&["classify", "g.pgn", "-q", "--partition-by", "white", "-o", "set"]).exits(0);
    let mut expected: Vec<&str> = names.iter().map(|(_, folder)| *folder).collect();
    expected.sort_unstable();
    assert_eq!(folders(&place, "set"), expected);
    assert_eq!(games(&place, "set").len(), names.len() + 1);
    assert_eq!(place.files().len(), 2, "outside of the folder: {:?}", place.files());
}

#[test]
fn groups_have_as_many_rows_as_are_asked_for_and_say_what_is_in_them() {
    let place = place();
    place.write("g.pgn", famous_games().repeat(50));
    let fields = ["--fields", "game,eco,date,utc_start"];
    write(&place, &[&fields[..], &["--rows-per-group", "7", "-o", "set"]].concat()).exits(0);
    let mut whole_groups = 0;
    for (_, path) in files(&place, "set") {
        let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
        let groups = reader.metadata().row_groups();
        let (last, full) = groups.split_last().unwrap();
        assert!(full.iter().all(|group| group.num_rows() == 7) && last.num_rows() <= 7);
        whole_groups += full.len();
        for column in groups.iter().flat_map(parquet::file::metadata::RowGroupMetaData::columns) {
            let name = column.column_path().string();
            // Dates as they are written are texts, which differ too much.
            assert!(name == "date" || column.statistics().is_some(), "no statistics of {name}");
        }
    }
    assert!(whole_groups > 0);
    place.run(&["classify", "g.pgn", "-o", "g.parquet", "--rows-per-group", "100"]).exits(0);
    let file = fs::File::open(place.path("g.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    assert_eq!(reader.metadata().row_group(0).num_rows(), 100);
}

#[test]
fn what_cannot_be_a_dataset_is_refused_before_the_run() {
    let place = place();
    place.write("file", "");
    for (args, reason) in [
        (&["--partition-by", "year"][..], "--output"),
        (&["--partition-by", "foo", "-o", "set"], "no field 'foo'"),
        (&["--partition-by", "year", "-f", "csv", "-o", "set"], "are Parquet"),
        (&["--partition-by", "year", "-o", "-"], "-o dataset"),
        (&["--partition-by", "eval_book", "-o", "set"], "eval_book is no column to partition by"),
        (&["--partition-by", "eco", "--fields", "eco", "-o", "set"], "none is left"),
        (&["--partition-by", "year", "-o", "file"], "file: cannot be written"),
        (&["--partition-by", "year", "-o", "g.pgn"], "is an input too"),
        (&["--rows-per-group", "5", "-o", "rows.csv"], "--rows-per-group is for Parquet"),
    ] {
        place.run(&[&["classify", "g.pgn"], args].concat()).exits(2).complains(reason);
    }
    let mut command = place.command(&["classify", "-", "--partition-by", "year", "-o", "set"]);
    let refused = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("standard input has no name"));
    assert_eq!(place.files(), ["file", "g.pgn"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_dataset_that_cannot_be_written_to_stays_as_it_was() {
    let place = place();
    write(&place, &["-o", "set"]).exits(0);
    let before = files(&place, "set");
    place.write("g.pgn", famous_games().repeat(3000));
    place.run(&["classify", "g.pgn", "--partition-by", "year", "-o", "/proc/set"]).exits(2);
    // As a full disk: no file may be longer than a kilobyte.
    let line = "eco classify g.pgn --partition-by year,eco_letter -q -o set";
    let failed = place.shell(&format!("trap '' XFSZ; ulimit -f 2; exec {line}"));
    failed.exits(2).complains("set: cannot be written: File too large");
    assert_eq!(files(&place, "set"), before);
}
