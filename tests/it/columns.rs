//! `--format arrow` and `--format parquet`: the rows of every command, read back with the crates of
//! Apache, against its tab-separated ones; and what becomes of a run that cannot end.

use std::{fs, io::Write, path::Path, process::Stdio};

use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, RecordBatch, StringArray,
    UInt16Array, UInt64Array,
    cast::AsArray,
    types::{Int32Type, TimestampMicrosecondType, UInt16Type, UInt64Type},
};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{DataType, SchemaRef};
use parquet::{
    arrow::arrow_reader::ParquetRecordBatchReaderBuilder,
    file::{
        metadata::RowGroupMetaData,
        reader::{FileReader, SerializedFileReader},
    },
};

use crate::{
    harness::{Run, Workplace, famous_games},
    real_games::games_folder,
    repertoire_check::PREPARED,
};

/// Rows that were read back.
struct Columns {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Columns {
    fn of_stream(bytes: &[u8]) -> Self {
        let reader = StreamReader::try_new(bytes, None).unwrap();
        Self { schema: reader.schema(), batches: reader.map(Result::unwrap).collect() }
    }

    fn of_file(path: &Path) -> Self {
        let file = fs::File::open(path).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let schema = builder.schema().clone();
        Self { schema, batches: builder.build().unwrap().map(Result::unwrap).collect() }
    }

    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn row_count(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns that text has too: not the days beside dates.
    fn written_names(&self) -> Vec<&str> {
        let fields = self.schema.fields().iter();
        let fields = fields.filter(|field| *field.data_type() != DataType::Date32);
        fields.map(|field| field.name().as_str()).collect()
    }

    /// The values of a column.
    fn column(&self, name: &str) -> Vec<Cell> {
        let arrays = self.batches.iter().map(|batch| batch.column_by_name(name).unwrap());
        arrays.flat_map(|array| (0..array.len()).map(|row| cell(array, row))).collect()
    }
}

/// A value that was read back.
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Null,
    /// Text, or a number or a truth value as text.
    Text(String),
    Float(f64),
    List(Vec<String>),
    Day(i32),
    /// In microseconds.
    Moment(i64),
}

fn cell(array: &ArrayRef, row: usize) -> Cell {
    if array.is_null(row) {
        return Cell::Null;
    }
    match array.data_type() {
        DataType::UInt64 => Cell::Text(array.as_primitive::<UInt64Type>().value(row).to_string()),
        DataType::UInt16 => Cell::Text(array.as_primitive::<UInt16Type>().value(row).to_string()),
        DataType::Boolean => Cell::Text(array.as_boolean().value(row).to_string()),
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row).to_owned()),
        DataType::Dictionary(..) => {
            let names = array.as_dictionary::<Int32Type>();
            let key = usize::try_from(names.keys().value(row)).unwrap();
            Cell::Text(names.values().as_string::<i32>().value(key).to_owned())
        }
        DataType::Float64 => {
            Cell::Float(array.as_any().downcast_ref::<Float64Array>().unwrap().value(row))
        }
        DataType::Timestamp(..) => {
            Cell::Moment(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::Date32 => {
            Cell::Day(array.as_any().downcast_ref::<Date32Array>().unwrap().value(row))
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let items = items.as_string::<i32>();
            Cell::List(items.iter().map(|item| item.unwrap().to_owned()).collect())
        }
        other => panic!("a column of {other}"),
    }
}

impl Cell {
    /// Whether text has this for the value.
    fn is_written(&self, text: &str, column: &str) -> bool {
        match self {
            Self::Null => {
                text.is_empty() || (text == "0" && ["ply", "book_exit"].contains(&column))
            }
            Self::Text(value) => value == text,
            Self::Float(value) => text.parse() == Ok(*value),
            Self::List(items) => {
                [", ", "; ", ",", " "].iter().any(|separator| items.join(separator) == text)
            }
            // The time of day; the date is that of another column.
            Self::Moment(moment) => {
                let seconds = moment / 1_000_000 % 86_400;
                let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
                text.ends_with(&format!("T{hours:02}:{minutes:02}:{seconds:02}Z"))
            }
            Self::Day(_) => false,
        }
    }
}

/// Compares rows with what text has, field by field.
#[track_caller]
fn assert_same(tsv: &str, columns: &Columns, what: &str) {
    let mut lines = tsv.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    assert_eq!(columns.written_names(), names, "{what}");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    assert_eq!(columns.row_count(), rows.len(), "{what}");
    for (at, name) in names.iter().enumerate() {
        for (row, cell) in columns.column(name).iter().enumerate() {
            let text = rows[row][at];
            assert!(
                cell.is_written(text, name),
                "{what}: row {row}, {name}: {cell:?} for {text:?}"
            );
        }
    }
}

fn bytes_of(place: &Workplace, args: &[&str]) -> Vec<u8> {
    let output = place.command(args).stdin(Stdio::null()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {stderr}");
    output.stdout
}

/// Compares the three formats of a command.
#[track_caller]
fn assert_all_same(place: &Workplace, args: &[&str]) -> Columns {
    let tsv = String::from_utf8(bytes_of(place, &[args, &["-f", "tsv"]].concat())).unwrap();
    let stream = Columns::of_stream(&bytes_of(place, &[args, &["-f", "arrow"]].concat()));
    assert_same(&tsv, &stream, &format!("{args:?} as arrow"));
    let stdout = bytes_of(place, &[args, &["-o", "rows.parquet"]].concat());
    assert!(stdout.is_empty(), "{args:?} writes more than the file");
    let file = Columns::of_file(&place.path("rows.parquet"));
    assert_same(&tsv, &file, &format!("{args:?} as parquet"));
    assert_eq!(stream.schema, file.schema, "{args:?}");
    assert_eq!(stream.schema.metadata(), file.schema.metadata(), "{args:?}");
    for name in stream.names() {
        assert_eq!(stream.column(name), file.column(name), "{args:?}: {name}");
    }
    file
}

/// A folder with games, a database with a repertoire, a collection and a catalogue, and questions.
fn furnished() -> Workplace {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games/club.pgn"), "club.pgn");
    place.write("prepared.pgn", PREPARED);
    place.write(
        "mine.tsv",
        "eco\tname\tpgn\nA15\tMine\t1. Nf3 Nf6 2. c4 g6\nC20\tOther\t1. e4 e5\n",
    );
    for args in [
        &[
            "repertoire",
            "build",
            "own",
            "--db",
            "c.db",
            "--color",
            "white",
            "club.pgn",
            "--player",
            "Novak, Ana",
        ][..],
        &["repertoire", "add", "lines", "--db", "c.db", "--color", "white", "prepared.pgn"],
        &["index", "g.pgn", "club.pgn", "--db", "g.db"],
        &["ingest", "mine.tsv", "builtin", "--db", "own.db"],
    ] {
        place.run(args).exits(0);
    }
    place.pipe(&["train", "lines", "--db", "c.db"], b"?\n?\n?\n").exits(0);
    place
}

#[test]
fn every_command_with_rows_has_them_as_columns() {
    let place = furnished();
    let commands: &[&[&str]] = &[
        &["classify", "g.pgn"],
        &["classify", "g.pgn", "--limit", "2"],
        &["classify", "g.pgn", "club.pgn", "--fields", "all"],
        &["classify", "g.pgn", "--fields", "tag:Annotator,tag:WhiteElo,date,tag:Site,eco"],
        &["stats", "g.pgn", "--by", "transposed,error", "--totals"],
        &["classify", "g.pgn", "--catalogue", "own.db"],
        &["stats", "g.pgn"],
        &["stats", "g.pgn", "--by", "year,opening"],
        &["stats", "g.pgn", "--by", "player,color"],
        &["stats", "g.pgn", "--by", "hour"],
        &["stats", "g.pgn", "--by", "rating-gap,tag:Event", "--limit", "3"],
        &["stats", "g.pgn", "--player", "Fischer, Robert James"],
        &["stats", "g.pgn", "--strengths"],
        &["lookup", "1. e4 c5", "1. g3 f5 2. d4", "1. e4 Ke2", "1. h4 h5 2. h3"],
        &["lookup", "1. e4 c5", "1. g3 f5 2. d4", "1. h4 h5 2. h3", "--catalogue", "own.db"],
        &["search", "najdorf", "--limit", "0"],
        &["db", "list", "--db", "own.db"],
        &["db", "list", "mine", "--db", "own.db"],
        &["db", "diff", "builtin", "mine.tsv"],
        &["explore", "--db", "g.db"],
        &["explore", "--db", "g.db", "--games"],
        &["db", "list", "--db", "g.db"],
        &["fen", "from-pgn", "g.pgn", "--ply", "all"],
        &["db", "list", "--db", "c.db"],
        &["db", "list", "lines", "--db", "c.db"],
        &["repertoire", "tree", "own", "--db", "c.db", "--depth", "1"],
        &["repertoire", "tree", "lines", "--db", "c.db", "--depth", "1"],
        &["repertoire", "check", "lines", "--db", "c.db", "g.pgn", "club.pgn", "--games"],
        &["repertoire", "check", "lines", "--db", "c.db", "g.pgn"],
        &["repertoire", "gaps", "lines", "--db", "c.db", "--reference", "g.pgn"],
        &["repertoire", "lint", "lines", "--db", "c.db"],
        &["db", "diff", "lines", "own", "--db", "c.db"],
        &["novelties", "g.pgn", "--reference", "club.pgn"],
        &["train", "lines", "--db", "c.db", "--stats"],
    ];
    for args in commands {
        let columns = assert_all_same(&place, args);
        let program = columns.schema.metadata().get("eco.program");
        let expected = concat!("eco ", env!("CARGO_PKG_VERSION"));
        assert_eq!(program.map(String::as_str), Some(expected), "{args:?}");
    }
}

#[test]
fn a_catalogue_is_exported_as_columns() {
    let place = furnished();
    let export = ["search", "--limit", "0", "--catalogue", "own.db", "--format"];
    let tsv = place.run(&[&export[..], &["tsv"]].concat()).exits(0).stdout.clone();
    place.run(&[&export[..], &["parquet", "-o", "c.parquet"]].concat()).exits(0).prints("");
    let file = Columns::of_file(&place.path("c.parquet"));
    assert_eq!(file.names(), ["eco", "opening", "moves", "master", "key", "aliases"]);
    let stream = Columns::of_stream(&bytes_of(&place, &[&export[..], &["arrow"]].concat()));
    assert_eq!(file.row_count(), tsv.lines().count() - 1);
    for columns in [file, stream] {
        let cells = ["eco", "opening", "moves"].map(|name| columns.column(name));
        for (row, line) in tsv.lines().skip(1).enumerate() {
            for (at, text) in line.split('\t').take(3).enumerate() {
                assert_eq!(cells[at][row], Cell::Text(text.to_owned()), "row {row}");
            }
        }
    }
}

#[test]
fn reports_of_tagging_are_columns_too() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    for by in ["game", "change"] {
        let report = |name: &str| {
            let args = ["tag", "g.pgn", "--dry-run", "--by", by, "--report", name];
            place.run(&args).exits(0);
            place.path(name)
        };
        let tsv = fs::read_to_string(report("r.tsv")).unwrap();
        assert!(tsv.lines().count() > 1);
        assert_same(&tsv, &Columns::of_file(&report("r.parquet")), by);
        assert_same(&tsv, &Columns::of_stream(&fs::read(report("r.arrow")).unwrap()), by);
    }
}

#[test]
fn columns_have_the_types_of_what_they_hold() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    let args = ["classify", "g.pgn", "-f", "arrow", "--fields", "all,tag:ECO"];
    let columns = Columns::of_stream(&bytes_of(&place, &args));
    let names = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    for (name, expected) in [
        ("source", names()),
        ("game", DataType::UInt64),
        ("white", DataType::Utf8),
        ("result", names()),
        ("date", DataType::Utf8),
        ("date_from", DataType::Date32),
        ("date_to", DataType::Date32),
        ("eco", names()),
        ("opening", names()),
        ("variation", names()),
        ("ply", DataType::UInt16),
        ("transposed", DataType::Boolean),
        ("key", DataType::Utf8),
        ("move_order_opening", names()),
        ("book_exit", DataType::UInt16),
        ("white_elo", DataType::UInt16),
        ("black_elo", DataType::UInt16),
        ("rated", DataType::Boolean),
        ("eval_15", DataType::Float64),
        ("clock_book_white", DataType::UInt64),
        ("tag:ECO", DataType::Utf8),
    ] {
        let field = columns.schema.field_with_name(name).unwrap();
        assert_eq!(*field.data_type(), expected, "{name}");
        assert!(field.is_nullable(), "{name}");
    }
    let is_ours = |name: &&str| {
        name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    let others: Vec<&str> = columns.names().into_iter().filter(|name| !is_ours(name)).collect();
    assert_eq!(others, ["tag:ECO"], "names of columns are snake_case, but for tags");
    // All builders that are used are those of the types that are stated.
    let batch = &columns.batches[0];
    assert!(batch.column_by_name("game").unwrap().as_any().is::<UInt64Array>());
    assert!(batch.column_by_name("ply").unwrap().as_any().is::<UInt16Array>());
    assert!(batch.column_by_name("rated").unwrap().as_any().is::<BooleanArray>());
    assert!(batch.column_by_name("white").unwrap().as_any().is::<StringArray>());
}

#[test]
fn dates_have_the_days_that_they_can_mean_beside_them() {
    let place = Workplace::new();
    let dates = [
        ("1956.10.17", Some([-4824, -4824])),
        ("1956.??.??", Some([-5114, -4749])),
        ("1956.02.??", Some([-5083, -5055])),
        ("2023.02.30", None),
        ("????.??.??", None),
        ("spring", None),
        ("", None),
    ];
    let game = |(date, _): &(&str, _)| format!("[White \"A\"]\n[Date \"{date}\"]\n\n1. e4 *\n\n");
    place.write("g.pgn", dates.iter().map(game).collect::<String>());
    let columns = assert_all_same(&place, &["classify", "g.pgn", "--fields", "date,game"]);
    assert_eq!(columns.names(), ["date", "date_from", "date_to", "game"]);
    let [from, to] = ["date_from", "date_to"].map(|name| columns.column(name));
    for (row, (date, expected)) in dates.iter().enumerate() {
        let cells = expected.map_or([Cell::Null, Cell::Null], |days| days.map(Cell::Day));
        assert_eq!([from[row].clone(), to[row].clone()], cells, "{date}");
    }
}

#[test]
fn files_name_the_program_and_the_catalogue() {
    let place = furnished();
    for db in [None, Some("own.db")] {
        let of: Vec<&str> = db.into_iter().flat_map(|db| ["--catalogue", db]).collect();
        let list = place.run(&["db", "list", db.unwrap_or("builtin"), "-f", "tsv"]);
        let rows: Vec<Vec<&str>> =
            list.stdout.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        let prints: Vec<&str> = rows.iter().map(|row| *row.last().unwrap()).collect();
        let masters: Vec<String> = rows.iter().map(|row| row[1].to_owned()).collect();
        let columns = assert_all_same(&place, &[&["classify", "g.pgn"], &of[..]].concat());
        let metadata = columns.schema.metadata();
        let fact = |key: &str| metadata.get(key).unwrap().as_str();
        assert_eq!(fact("eco.catalogue_fingerprint"), prints.join("; "));
        assert!(prints.iter().all(|print| print.len() == 64), "{prints:?}");
        for master in &masters {
            assert!(fact("eco.catalogue").contains(master.as_str()), "{metadata:?}");
        }
        let file = fs::File::open(place.path("rows.parquet")).unwrap();
        let file = SerializedFileReader::new(file).unwrap();
        let facts = file.metadata().file_metadata();
        assert_eq!(facts.created_by(), Some(concat!("eco version ", env!("CARGO_PKG_VERSION"))));
        let seen = facts.key_value_metadata().unwrap();
        let print = seen.iter().find(|pair| pair.key == "eco.catalogue_fingerprint").unwrap();
        assert_eq!(print.value.as_deref(), Some(prints.join("; ").as_str()));
    }
}

/// Games that are as short as can be.
fn short_games(count: usize) -> String {
    (0..count).map(|n| format!("[White \"P{}\"]\n\n1. e4 c5 *\n\n", n % 7000)).collect()
}

#[test]
fn groups_of_rows_are_bounded_and_the_same_with_any_number_of_threads() {
    let place = Workplace::new();
    place.write("g.pgn", short_games(70_000));
    for name in ["rows.parquet", "rows.arrow"] {
        let write = |args: &[&str]| {
            place.run(&[&["classify", "g.pgn", "-o", name], args].concat()).exits(0);
            fs::read(place.path(name)).unwrap()
        };
        let bytes = write(&["-j", "1"]);
        assert!(write(&["-j", "2"]) == bytes, "{name}: two threads write something else");
        assert!(write(&["-j", "7"]) == bytes, "{name}: seven threads write something else");
        let other_blocks = write(&["-j", "3", "--block-size", "5000"]);
        let same = match name {
            "rows.parquet" => Columns::of_file(&place.path(name)),
            _ => Columns::of_stream(&other_blocks),
        };
        let numbers = same.column("game");
        let expected = (1..=70_000).map(|n: u64| Cell::Text(n.to_string()));
        assert!(numbers.into_iter().eq(expected), "{name}: not in order");
    }
    let file = SerializedFileReader::new(fs::File::open(place.path("rows.parquet")).unwrap());
    let file = file.unwrap();
    let groups = file.metadata().row_groups().iter();
    let groups: Vec<i64> = groups.map(RowGroupMetaData::num_rows).collect();
    assert_eq!(groups, [65_536, 4_464]);
    let stream = Columns::of_stream(&fs::read(place.path("rows.arrow")).unwrap());
    let batches: Vec<usize> = stream.batches.iter().map(RecordBatch::num_rows).collect();
    assert_eq!(batches, [[8_192; 8].as_slice(), &[4_464]].concat());
    for batch in &stream.batches {
        let names = batch.column_by_name("opening").unwrap().as_dictionary::<Int32Type>();
        assert_eq!(names.values().len(), 1, "a name is in a dictionary once");
    }
}

#[test]
fn without_games_there_are_columns_and_no_rows() {
    let place = Workplace::new();
    place.write("empty.pgn", "");
    let columns = assert_all_same(&place, &["classify", "empty.pgn"]);
    assert_eq!(columns.row_count(), 0);
    assert_eq!(columns.written_names().len(), 11);
    assert_eq!(assert_all_same(&place, &["search", "xyzzy"]).row_count(), 0);
}

#[test]
fn hostile_text_is_as_in_other_rows() {
    let place = Workplace::new();
    let tags: &[&[u8]] = &[
        b"a\tb\x1b[31m",
        b"M\xfcller",
        "Müller\u{202e}".as_bytes(),
        b"\0\x9b31m",
        b"=cmd()",
        b"\\\"quoted\\\"",
        &[b'x'; 70_000],
        b"",
    ];
    let mut pgn = Vec::new();
    for tag in tags {
        pgn.extend_from_slice(b"[White \"");
        pgn.extend_from_slice(tag);
        pgn.extend_from_slice(b"\"]\n[Event \"");
        pgn.extend_from_slice(tag);
        pgn.extend_from_slice(b"\"]\n\n1. e4 Ke2 *\n\n");
    }
    place.write("g.pgn", &pgn);
    let fields = "white,event,tag:White,error,game";
    let columns = assert_all_same(&place, &["classify", "g.pgn", "--fields", fields]);
    let white = columns.column("white");
    assert_eq!(white[0], Cell::Text("a b [31m".to_owned()));
    assert_eq!(white[1], Cell::Text("Müller".to_owned()));
    assert_eq!(white[2], Cell::Text("Müller ".to_owned()));
}

#[test]
fn what_makes_no_sense_is_refused_with_the_way_out() {
    let place = furnished();
    for (args, complaint) in [
        (&["classify", "g.pgn", "-f", "parquet"][..], "name it with -o games.parquet"),
        (&["classify", "g.pgn", "-f", "parquet"], "--format arrow goes into a pipe"),
        (&["search", "najdorf", "-f", "parquet", "-o", "-"], "name it with -o"),
        (&["lookup", "1. e4", "-f", "parquet"], "name it with -o"),
        (&["search", "-f", "parquet"], "name it with -o"),
        (&["classify", "g.pgn", "-o", "a.parquet", "--no-header"], "--no-header is for"),
        (&["classify", "g.pgn", "-f", "arrow", "--no-header"], "have their names in any case"),
        (&["classify", "g.pgn", "--explain", "-f", "arrow"], "explanations are text"),
        (&["classify", "g.pgn", "-o", "g.pgn", "-f", "parquet"], "is an input too"),
        (&["classify", "g.pgn", "-o", "c.db", "-f", "parquet"], "is a database"),
    ] {
        place.run(args).exits(2).complains(complaint).prints("");
    }
    assert!(!place.files().contains(&"a.parquet".to_owned()));
}

#[test]
fn names_of_files_promise_nothing_else_than_is_written() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    for (name, complaint) in [
        ("a.csv.gz", "a.csv.gz: rows are not written to .gz; name a.csv and compress that"),
        ("a.parquet.GZ", "name a.parquet and compress that"),
        ("a.arrow.zst", "name a.arrow and compress that"),
        ("a.ipc", "a.ipc: no format is written to .ipc; a.arrow is a stream of Arrow"),
        ("a.feather", "a.arrow is a stream of Arrow"),
        ("a.pq", "a.parquet is Parquet"),
        ("a.xlsx", "a.xlsx: rows are not written to .xlsx; name a file in .tsv, .csv"),
        ("a.HTML", "not written to .html"),
        ("a.ods", "not written to .ods"),
        ("a.db", "not written to .db"),
        ("a.pgn", "not written to .pgn"),
        ("a.png", "not written to .png; name a file in .tsv"),
        ("a.doc", "not written to .doc"),
        ("a.epd", "not written to .epd"),
    ] {
        place.run(&["classify", "g.pgn", "-o", name]).exits(2).complains(complaint).prints("");
        place.run(&["search", "najdorf", "-o", name]).exits(2).complains(complaint).prints("");
    }
    assert_eq!(place.files(), ["g.pgn"]);
    // Who names the format has it.
    place.run(&["classify", "g.pgn", "-f", "parquet", "-o", "a.pq"]).exits(0);
    place.run(&["classify", "g.pgn", "-f", "arrow", "-o", "a.ipc"]).exits(0);
    for (args, complaint) in [
        (&["classify", "g.pgn", "-f", "csv", "-o", "a.tsv"][..], "--format csv is not written to"),
        (&["classify", "g.pgn", "--explain", "-o", "a.epd"], "not written to .epd"),
        (&["classify", "g.pgn", "-f", "tsv", "-o", "a.data"], ""),
        (&["fen", "from-pgn", "g.pgn", "-o", "a.png"], "not written to .png"),
        (&["fen", "from-pgn", "g.pgn", "-o", "a.epd"], ""),
        (&["lookup", "e4", "-o", "a.png"], "a.png: name a file in .txt, .epd, .jsonl"),
        (&["lookup", "e4", "-o", "b.csv"], ""),
        (&["lookup", "e4", "-o", "b.epd"], ""),
        (&["tag", "g.pgn", "--dry-run", "--report", "a.html"], "not written to .html"),
        (&["tag", "g.pgn", "--dry-run", "--report", "a.csv"], ""),
        (&["tag", "g.pgn", "-o", "a.fresh"], "games are not written to .fresh; name a file in"),
        (&["tag", "g.pgn", "-o", "fresh.db"], "games are not written to .db"),
        (&["filter", "g.pgn", "-o", "a.tsv.gz"], "games are not written to .tsv"),
        (&["filter", "g.pgn", "-o", "a.gz"], ""),
    ] {
        let is_written = complaint.is_empty();
        let run = place.run(args);
        run.exits(if is_written { 0 } else { 2 }).complains(complaint).prints("");
        assert_eq!(place.path(args.last().unwrap()).exists(), is_written, "{args:?}");
    }
}

#[test]
#[cfg(unix)]
fn parquet_is_not_written_to_a_pipe_with_a_name() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    let run = place.shell("mkfifo p.parquet && eco classify g.pgn -o p.parquet");
    run.exits(2).complains("and not to a pipe; --format arrow is");
}

#[test]
#[cfg(target_os = "linux")]
fn arrow_is_not_written_to_a_terminal() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    let run = place.shell("script --version");
    if run.code != Some(0) {
        // Not by `eprintln!`, which a test that passes keeps to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no program `script` that lends a terminal");
        return;
    }
    let run = place.shell("script -qec 'eco classify g.pgn -f arrow' /dev/null");
    run.exits(2).prints_part("arrow is not for a terminal: name a file with -o");
}

#[test]
fn a_closed_pipe_is_no_error_for_columns_either() {
    let place = Workplace::new();
    place.write("g.pgn", short_games(40_000));
    let mut command = place.command(&["classify", "g.pgn", "-f", "arrow"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    Run::new(&child.wait_with_output().unwrap()).exits(0).is_silent();
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_cannot_end_leaves_no_part_of_a_file() {
    let place = Workplace::new();
    place.write("g.pgn", short_games(3000));
    for name in ["a.parquet", "a.arrow"] {
        // As on a disk that is full after the first kilobytes.
        let command = format!("trap '' XFSZ; ulimit -f 2; eco classify g.pgn -j 2 -o {name}");
        place.shell(&command).exits(2).complains("cannot be written");
        assert_eq!(place.files(), ["g.pgn"], "after a full disk");
        let format = if name.ends_with("parquet") { "parquet" } else { "arrow" };
        place.run(&["classify", "g.pgn", "-o", "/dev/full", "-f", format]).exits(2);
        let nowhere = format!("/proc/{name}");
        place.run(&["classify", "g.pgn", "-o", &nowhere]).exits(2).complains("cannot be written");
        // Killed while it waits for more games.
        let mut child = place
            .command(&["classify", "-", "-o", name])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(short_games(3000).as_bytes()).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        drop(stdin);
        assert!(!place.path(name).exists(), "a killed run has left {name}");
        // What a killed run leaves has no name that anybody would take for the file, and goes away.
        place.run(&["classify", "g.pgn", "-o", name]).exits(0);
        assert_eq!(place.files(), [name, "g.pgn"]);
        fs::remove_file(place.path(name)).unwrap();
    }
}

#[test]
fn all_real_games_have_the_same_fields_in_every_format() {
    let Some(folder) = games_folder() else { return };
    let folder = folder.to_str().unwrap();
    let place = Workplace::new();
    let fields = "all,tag:Annotator,tag:UTCDate,tag:WhiteTitle";
    let args = ["classify", folder, "--fields", fields, "--quiet"];
    let columns = assert_all_same(&place, &args);
    assert!(columns.row_count() > 80_000, "{} games", columns.row_count());
}
