//! `eco stats` against an independent recount: games split at their `Event` tags, read by
//! `pgn-reader`, counted in maps; and what the rows, their order and their notes are.

use std::{
    collections::BTreeMap,
    fs,
    io::Cursor,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use serde_json::Value;

use crate::{
    harness::{Workplace, famous_games},
    real_games::games_folder,
};

/// A game as the recount sees it.
#[derive(Debug, Default)]
struct Plain {
    tags: BTreeMap<String, String>,
    plies: usize,
    end: String,
    eco: String,
    name: String,
    exit: Option<f64>,
}

impl Visitor for Plain {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let value = value.decode();
        let text = match str::from_utf8(&value) {
            Ok(text) => text.to_owned(),
            Err(_) => value.iter().map(|byte| char::from(*byte)).collect(),
        };
        let name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
        // A control character is a space in rows.
        let text = text.replace(char::is_control, " ");
        self.tags.entry(name).or_insert(text.trim().to_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.end = outcome.to_string();
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

impl Plain {
    fn read(game: &[u8]) -> Self {
        let lines = game.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let text = lines.collect::<Vec<_>>().join(&b'\n');
        let mut plain = Self::default();
        let mut reader =
            Reader::build(Cursor::new(text)).set_supported_tag_line_length(4096).finish();
        let _ = reader.read_game(&mut plain);
        plain
    }

    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn is_standard(&self) -> bool {
        ["", "standard", "from position", "chess"].contains(&&*self.tag("Variant").to_lowercase())
    }

    fn points(&self) -> Option<f64> {
        let points = |result: &str| match result {
            "1-0" => Some(1.0),
            "0-1" => Some(0.0),
            "1/2-1/2" | "1/2" => Some(0.5),
            _ => None,
        };
        points(self.tag("Result")).or_else(|| points(&self.end))
    }

    fn elo(&self, tag: &str) -> Option<f64> {
        self.tag(tag).parse().ok().filter(|elo| (1..=4000).contains(elo)).map(|elo: u16| elo.into())
    }

    /// `2021-05-13`, as far as it is known.
    fn date(&self) -> Option<String> {
        let name = if self.tags.contains_key("Date") { "Date" } else { "UTCDate" };
        let mut known = Vec::new();
        for (part, most) in self.tag(name).split('.').zip([9999, 12, 31]) {
            match part.parse::<u16>() {
                Ok(number) if number > 0 && number <= most => known.push(part.to_owned()),
                _ => break,
            }
        }
        (!known.is_empty()).then(|| known.join("-"))
    }

    fn speed(&self) -> &'static str {
        let control = self.tag("TimeControl");
        if control == "-" {
            return "correspondence";
        }
        let Some((base, increment)) = control.split_once('+') else { return "" };
        let (Ok(base), Ok(increment)) = (base.parse::<u32>(), increment.parse::<u32>()) else {
            return "";
        };
        match base + 40 * increment {
            0..30 => "ultraBullet",
            30..180 => "bullet",
            180..480 => "blitz",
            480..1500 => "rapid",
            1500..21_600 => "classical",
            _ => "correspondence",
        }
    }
}

/// Games begin at their `Event` tags. `rows` are the code, the name and the ply of each.
fn read_all(pgn: &[u8], rows: &str) -> Vec<Plain> {
    const EVENT: &[u8] = b"\n[Event ";
    let is_start = |at: &usize| pgn[*at..].starts_with(EVENT);
    let mut starts: Vec<usize> = (0..pgn.len()).filter(is_start).map(|at| at + 1).collect();
    starts.insert(0, 0);
    starts.push(pgn.len());
    let games = starts.windows(2).map(|ends| Plain::read(&pgn[ends[0]..ends[1]]));
    let rows = rows.lines().skip(1);
    let games: Vec<Plain> = games
        .zip(rows)
        .map(|(game, row)| {
            let [_, eco, name, ply] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("four columns in {row:?}")
            };
            let exit = (!eco.is_empty()).then(|| ply.parse().unwrap());
            Plain { eco: eco.to_owned(), name: name.to_owned(), exit, ..game }
        })
        .collect();
    assert_eq!(games.len(), starts.len() - 1);
    games
}

/// A game from one side.
#[derive(Debug, Clone)]
struct Seen {
    points: Option<f64>,
    ratings: Option<(f64, f64)>,
    date: Option<String>,
    plies: f64,
    exit: Option<f64>,
}

/// The groups of a field, with the games of each.
fn group(games: &[Plain], field: &str) -> BTreeMap<String, Vec<Seen>> {
    let mut groups: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
    for game in games.iter().filter(|game| game.is_standard()) {
        let white = Seen {
            points: game.points(),
            ratings: game.elo("WhiteElo").zip(game.elo("BlackElo")),
            date: game.date(),
            plies: game.plies as f64,
            exit: game.exit,
        };
        let black = Seen {
            points: white.points.map(|points| 1.0 - points),
            ratings: white.ratings.map(|(white, black)| (black, white)),
            ..white.clone()
        };
        let name = |tag| Some(game.tag(tag)).filter(|n| !["?", "-"].contains(n)).unwrap_or("");
        let mut add = |key: &str, seen| groups.entry(key.to_owned()).or_default().push(seen);
        match field {
            "eco" => add(&game.eco, white),
            "family" => add(game.name.split(':').next().unwrap(), white),
            "year" => {
                let date = game.date().unwrap_or_default();
                add(date.split('-').next().unwrap().trim_start_matches('0'), white);
            }
            "speed" => add(game.speed(), white),
            "player" => {
                add(name("White"), white);
                add(name("Black"), black);
            }
            _ => panic!("no recount by {field}"),
        }
    }
    groups
}

/// FIDE's differences for 50 % to 100 %.
const FIDE: &str = "0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 \
    175 184 193 202 211 220 230 240 251 262 273 284 296 309 322 336 351 366 383 401 422 444 470 \
    501 538 589 677 800";

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    (count > 0).then(|| (values[(count - 1) / 2] + values[count / 2]) / 2.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Result and expectation of the rated games.
fn rated(games: &[Seen]) -> Vec<(f64, f64)> {
    let rated = games.iter().filter_map(|game| game.points.zip(game.ratings));
    rated
        .map(|(points, (own, other))| {
            let gap = (own - other).clamp(-400.0, 400.0);
            (points, 1.0 / (1.0 + 10_f64.powf(-gap / 400.0)))
        })
        .collect()
}

fn mean_square(games: &[(f64, f64)]) -> f64 {
    mean(&games.iter().map(|(points, expected)| (points - expected).powi(2)).collect::<Vec<_>>())
}

/// The numbers of a row of these games, out of all games, whose mean square is `all_square`.
fn columns(
    games: &[Seen],
    all: usize,
    all_square: f64,
    names: [&str; 3],
) -> Vec<(String, Option<f64>)> {
    let points: Vec<f64> = games.iter().filter_map(|game| game.points).collect();
    let count = |wanted: f64| points.iter().filter(|points| **points == wanted).count() as f64;
    let n = points.len() as f64;
    let score = (n > 0.0).then(|| mean(&points));
    let (z, z2) = (1.959_964, 1.959_964_f64.powi(2));
    let wilson = |sign: f64| {
        score.map(|p| {
            let root = (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
            100.0 * (p + z2 / (2.0 * n) + sign * z * root) / (1.0 + z2 / n)
        })
    };
    let rated_games = rated(games);
    let is_rated = !rated_games.is_empty();
    let expected = mean(&rated_games.iter().map(|game| game.1).collect::<Vec<_>>());
    let diff = mean(&rated_games.iter().map(|game| game.0 - game.1).collect::<Vec<_>>());
    let square = mean_square(&rated_games).max(all_square);
    let error = z * (square / rated_games.len() as f64).sqrt();
    let if_rated = |value: f64| is_rated.then_some(100.0 * value);
    let opponents: Vec<f64> = games
        .iter()
        .filter(|game| game.points.is_some())
        .filter_map(|game| game.ratings.map(|(_, other)| other))
        .collect();
    let performance = (opponents.len() >= 5).then(|| {
        let share = mean(&rated_games.iter().map(|game| game.0).collect::<Vec<_>>());
        let percent = (100.0 * share + 1e-9).round() as i32;
        let table: Vec<f64> = FIDE.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let added = table[(percent - 50).unsigned_abs() as usize];
        (mean(&opponents) + 1e-9).round() + if percent < 50 { -added } else { added }
    });
    let [won, drawn, lost] = names;
    [
        ("games", Some(games.len() as f64)),
        (won, Some(count(1.0))),
        (drawn, Some(count(0.5))),
        (lost, Some(count(0.0))),
        ("score", score.map(|score| 100.0 * score)),
        ("low", wilson(-1.0)),
        ("high", wilson(1.0)),
        ("rated", Some(rated_games.len() as f64)),
        ("expected", if_rated(expected)),
        ("diff", if_rated(diff)),
        ("diff_low", if_rated((diff - error).max(-expected))),
        ("diff_high", if_rated((diff + error).min(1.0 - expected))),
        ("performance", performance),
        ("per_1000", Some(1000.0 * games.len() as f64 / all as f64)),
        ("plies", median(games.iter().map(|game| game.plies).collect())),
        ("exit", median(games.iter().filter_map(|game| game.exit).collect())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

fn rows(place: &Workplace, args: &[&str]) -> Vec<Value> {
    let args = [&["stats", "--format", "jsonl", "--quiet"], args].concat();
    let out = place.run(&args).exits(0).stdout.clone();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Compares the rows of a run with the recount.
fn compare(place: &Workplace, path: &Path, games: &[Plain], field: &str) {
    let expected = group(games, field);
    let all: Vec<Seen> = expected.values().flatten().cloned().collect();
    let all_square = mean_square(&rated(&all));
    let names =
        if field == "player" { ["won", "drawn", "lost"] } else { ["white", "draws", "black"] };
    let rows = rows(place, &[path.to_str().unwrap(), "--by", field]);
    assert_eq!(rows.len(), expected.len() + 1, "{}: groups by {field}", path.display());
    for row in &rows {
        let key = text(&row[field]).trim().to_owned();
        let is_all = row["row"] == "all";
        let case = format!("{} by {field}: {key}", path.display());
        let group = || expected.get(&key).unwrap_or_else(|| panic!("{case}: not in the recount"));
        let games = if is_all { &all } else { group() };
        for (name, value) in columns(games, all.len(), all_square, names) {
            let found = row[&name].as_f64();
            // All games of players have each game twice, with opposite results.
            let is_interval = ["low", "high", "diff_low", "diff_high"].contains(&&*name);
            let value = value.filter(|_| !(is_all && field == "player" && is_interval));
            let is_same = match (found, value) {
                (Some(found), Some(value)) => (found - value).abs() <= 0.0501,
                (found, value) => found.is_none() && value.is_none(),
            };
            assert!(is_same, "{case}: {name} is {found:?}, the recount has {value:?}\n{row}");
        }
        // Of partial dates, that which says less comes first.
        let dates = || games.iter().filter_map(|game| game.date.as_deref());
        assert_eq!(row["first"].as_str(), dates().min(), "{case}: first");
        assert_eq!(row["last"].as_str(), dates().max(), "{case}: last");
    }
    let top = self::rows(place, &[path.to_str().unwrap(), "--by", field, "--top", "3"]);
    assert_adds_up(&top, &["games", names[0], names[1], names[2], "rated"]);
}

/// The groups and the others are all.
fn assert_adds_up(rows: &[Value], columns: &[&str]) {
    for column in columns {
        let sum: u64 = rows[1..].iter().map(|row| row[column].as_u64().unwrap()).sum();
        assert_eq!(rows[0][column].as_u64(), Some(sum), "{column}");
    }
}

const FIELDS: [&str; 5] = ["eco", "family", "player", "year", "speed"];

#[test]
fn every_number_of_real_games_equals_a_recount() {
    let Some(folder) = games_folder() else { return };
    let place = Workplace::new();
    for name in ["otb", "lichess"] {
        let path = folder.join(format!("{name}.pgn.zst"));
        let pgn = zstd::decode_all(fs::File::open(&path).unwrap()).unwrap();
        let expected = fs::read_to_string(folder.join(format!("{name}.expected.tsv"))).unwrap();
        let games = read_all(&pgn, &expected);
        for field in FIELDS {
            compare(&place, &path.canonicalize().unwrap(), &games, field);
        }
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/games").join(name)
}

#[test]
fn every_number_of_the_games_at_hand_equals_a_recount() {
    let place = Workplace::new();
    for name in ["famous.pgn", "club.pgn"] {
        let path = data(name);
        let names = ["classify", path.to_str().unwrap(), "--fields", "game,eco,opening,ply"];
        let classified = place.run(&names).exits(0).stdout.clone();
        let games = read_all(&fs::read(&path).unwrap(), &classified);
        for field in FIELDS {
            compare(&place, &path, &games, field);
        }
    }
}

#[test]
fn rows_are_the_same_bytes_with_any_number_of_threads() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games().repeat(20));
    for by in ["eco", "player,eco", "first-moves:3", "tag:Site", "year,family"] {
        for more in [&[][..], &["--top", "4"], &["--min-games", "21"], &["--sort", "plies"]] {
            let run = |threads: &str, block: &str| {
                let threads = ["--threads", threads, "--block-size", block];
                let args = [&["stats", "g.pgn", "--by", by], more, &threads].concat();
                place.run(&args).exits(0).stdout.clone()
            };
            let one = run("1", "262144");
            assert!(one.lines().count() > 2, "{one}");
            for (threads, block) in [("2", "5000"), ("7", "700")] {
                assert_eq!(run(threads, block), one, "{by} {more:?}, {threads} threads");
            }
        }
    }
}

/// Words are read whole where nothing separates them from what follows; they must not stand for the
/// moves of another game.
#[test]
fn first_moves_are_those_of_each_game_however_they_are_glued() {
    let rest = "2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0";
    for glue in ["\t(d4 d5)", "(d4 d5)", " (d4 d5)", "{a b4}", "\t{a b4}"] {
        let place = Workplace::new();
        let game = |reply: &str| format!("1. e4{glue} {reply} {rest}\n\n");
        place.write("g.pgn", [game("e5"), game("c5")].concat());
        let args = ["stats", "g.pgn", "--by", "first-moves:2", "--format", "csv"];
        let rows = place.run(&args).exits(0).stdout.clone();
        for moves in ["1. e4 e5,1,", "1. e4 c5,1,"] {
            assert!(rows.contains(moves), "{glue:?}: {rows}");
        }
    }
}

#[test]
fn nested_rows_add_up_to_their_totals() {
    let place = Workplace::new();
    let games = data("club.pgn");
    let games = games.to_str().unwrap();
    let rows = rows(&place, &[games, "--by", "volume,eco", "--min-games", "2"]);
    let kinds: Vec<String> = rows.iter().map(|row| text(&row["row"])).collect();
    assert_eq!(kinds[0], "all");
    let mut open: Option<(String, u64)> = None;
    let mut totals = 0;
    for (row, kind) in rows[1..].iter().zip(&kinds[1..]) {
        let games = row["games"].as_u64().unwrap();
        let is_inner = kind == "group" || kind == "others" && !row["volume"].is_null();
        if !is_inner {
            assert!(open.as_ref().is_none_or(|(_, left)| *left == 0), "{open:?}");
            totals += games;
            open = (kind == "total").then(|| (text(&row["volume"]), games));
        } else {
            let (volume, left) = open.as_mut().unwrap();
            assert_eq!(text(&row["volume"]), *volume);
            assert_eq!(row["opening"].is_string(), kind == "group", "{row}");
            *left -= games;
        }
    }
    assert_eq!(Some(totals), rows[0]["games"].as_u64());
}

#[test]
fn what_is_left_out_is_said() {
    let place = Workplace::new();
    place.write(
        "g.pgn",
        "[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"*\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
         [Result \"*\"]\n\n*\n",
    );
    let run = place.run(&["stats", "g.pgn"]);
    run.exits(0).complains(
        "2 games counted; 1 game of other variants, not counted; 1 game without a result, in no \
         score; 1 game without both ratings, in no expectation; 1 game without an opening",
    );
    assert!(run.stdout.starts_with("eco\topening\tgames\twhite\tdraws\tblack\tscore\tlow\thigh\t"));
    let by_player = place.run(&["stats", "g.pgn", "--by", "player"]);
    by_player.exits(0).complains("2 games without the name of a player");
    place.run(&["stats", "g.pgn", "--quiet"]).exits(0).is_silent();
    place.write("empty.pgn", "");
    place.run(&["stats", "none.pgn"]).exits(1).prints("").complains("none.pgn");
    let empty = place.run(&["stats", "empty.pgn", "--format", "jsonl"]);
    empty.exits(0).prints_part("\"eco\":null,\"opening\":null,\"games\":0,");
    empty.complains("the input has no games");
    let none = place.run(&["stats", "g.pgn", "--since", "1900"]);
    none.exits(0).complains("none of 3 games in the input fits the selection");
}

#[test]
fn usage_errors_say_what_there_is() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 *\n");
    for (args, part) in [
        (&["--by", "colour"][..], "cannot group by \"colour\"; fields are eco, volume"),
        (&["--by", "eco,eco"], "eco is named twice"),
        (&["--by", "eco,year,month"], "at most two fields"),
        (&["--by", "first-moves:0"], "first-moves:N"),
        (&["--sort", "elo"], "cannot sort by \"elo\"; columns are games, white, won"),
        (&["--strengths", "--by", "year"], "--by eco, volume, family, variation or opening"),
    ] {
        place.run(&[&["stats", "g.pgn"], args].concat()).exits(2).complains(part);
    }
    // A table shows what it is sorted by, and other formats have their order.
    let sorted = ["stats", "g.pgn", "--sort", "diff", "--width", "60", "--format"];
    let table = place.run(&[&sorted[..], &["table"]].concat()).exits(0).stdout.clone();
    let heads: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heads[..4], ["eco", "opening", "games", "diff"], "{table}");
    place.run(&[&sorted[..], &["tsv"]].concat()).prints_part(
        "games\twhite\tdraws\tblack\tscore\tlow\thigh\trated\texpected\tdiff\tdiff_low\t",
    );
    for sort in ["eco", "white", "won", "score", "diff_low", "first", "last", "per_1000"] {
        place.run(&["stats", "g.pgn", "--sort", sort]).exits(0);
    }
}

#[test]
fn hostile_text_can_break_no_row() {
    let place = Workplace::new();
    let evil = "a\tb\u{1b}[31m\u{9b}x\u{202e}<script>=1+1\\\"";
    let tags = format!("[Event \"{evil}\"]\n[White \"{evil}\"]\n[Result \"1-0\"]\n");
    place.write("g.pgn", tags + "\n1. e4 1-0\n");
    for by in ["event", "player", "opponent", "tag:Event", "player,event"] {
        for format in ["tsv", "csv", "jsonl", "table"] {
            let args = ["stats", "g.pgn", "--by", by, "--format", format, "-q", "--width", "400"];
            let out = place.run(&args).exits(0).stdout.clone();
            let is_control = |c: char| !"\n\t".contains(c) && (c.is_control() || c == '\u{202e}');
            assert!(!out.contains(is_control), "{by} {format}: {out:?}");
            if format == "tsv" {
                let columns: Vec<usize> = out.lines().map(|l| l.split('\t').count()).collect();
                assert!(columns.iter().all(|count| *count == columns[0]), "{out}");
            }
        }
    }
}

#[test]
fn weaknesses_are_openings_away_from_expectation() {
    let place = Workplace::new();
    // White loses nearly all games of one opening, and half of all others.
    let mut pgn = String::new();
    for n in 0..120 {
        let (moves, is_lost) = match n % 4 {
            0 => ("1. e4 c5", n % 40 != 0),
            1 => ("1. d4 d5", n % 8 == 1),
            2 => ("1. c4 e5", n % 8 == 2),
            _ => ("1. e4 e5 2. Nf3 Nc6", n % 8 == 3),
        };
        let result = if is_lost { "0-1" } else { "1-0" };
        pgn += &format!(
            "[White \"A\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n[Result \"{result}\"]\n\n\
             {moves} {result}\n\n"
        );
    }
    place.write("g.pgn", pgn);
    let weak = place.run(&["stats", "g.pgn", "--weaknesses", "--format", "jsonl"]);
    weak.exits(0).complains("1 of 4 openings with at least 20 rated games");
    let row: Value = serde_json::from_str(weak.stdout.lines().next().unwrap()).unwrap();
    let found = (text(&row["variation"]), row["games"].as_u64());
    assert_eq!(found, ("Sicilian Defense".to_owned(), Some(30)), "{row}");
    let (estimate, diff) = (row["estimate"].as_f64().unwrap(), row["diff"].as_f64().unwrap());
    assert!(diff < -22.0 && estimate >= diff && estimate < 0.0, "{row}");
    assert_eq!((text(&row["line"]), row["line_games"].as_u64()), ("1. e4 c5".to_owned(), Some(30)));
    let strong = place.run(&["stats", "g.pgn", "--strengths", "--format", "jsonl"]);
    strong.exits(0).prints("").complains("0 of 4 openings");
}

/// Games between equals in three openings. White scores 70 % of each; as many have other moves.
fn games_that_white_wins() -> String {
    let mut pgn = String::new();
    for n in 0..600 {
        let moves = ["1. e4 c5 2. Nf3", "1. d4 d5", "1. c4 e5"][n % 3];
        let result = if n / 3 % 10 < 7 { "1-0" } else { "0-1" };
        let moves = if n % 12 == 0 { "1. Nf3 c5 2. e4" } else { moves };
        let [white, black] = if n / 3 % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
        pgn += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"2000\"]\n\
             [BlackElo \"2000\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    pgn
}

#[test]
fn what_white_scores_in_all_openings_is_expected_of_an_archive() {
    let place = Workplace::new();
    place.write("g.pgn", games_that_white_wins());
    for flag in ["--strengths", "--weaknesses"] {
        let run = place.run(&["stats", "g.pgn", flag, "--format", "jsonl"]);
        run.exits(0).prints("").complains(
            "0 of 3 openings with at least 20 rated games, at a false discovery rate of 10 %; \
             expected is what the ratings predict and the +20.0 points that White scores beyond it \
             in all games",
        );
    }
    // Of a player, half of what lies between the colours is the colour's.
    let player = ["stats", "g.pgn", "--player", "A", "--format", "jsonl", "--strengths"];
    let run = place.run(&player);
    run.exits(0).complains(
        "6 of 6 openings with at least 20 rated games, at a false discovery rate of 10 %; \
         expected is what the ratings predict and +20.0 points with White, -20.0 with Black: \
         half of what lies between the colours in all games",
    );
    let both = run.stdout.clone();
    for line in both.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let expected = if row["color"] == "white" { 70.0 } else { 30.0 };
        assert_eq!((&row["expected"], &row["diff"]), (&expected.into(), &10.0.into()), "{row}");
    }
    // What is listed of one colour is measured by both all the same.
    for color in ["white", "black"] {
        let run = place.run(&[&player[..], &["--color", color]].concat());
        run.exits(0).complains("3 of 6 openings of both colours with at least 20 rated games");
        let part = format!("{{\"color\":\"{color}\"");
        let expected: Vec<&str> = both.lines().filter(|line| line.starts_with(&part)).collect();
        assert_eq!(run.stdout.lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_line_of_a_finding_is_that_of_most_of_its_games_of_that_colour() {
    let place = Workplace::new();
    // A wins the Open Sicilian as White, and loses the Closed as Black, too seldom for the colours
    // to be compared.
    let mut pgn = String::new();
    for n in 0..150 {
        let (moves, white, black) = match n % 5 {
            0 => ("1. Nf3 c5 2. e4", "A", "B"),
            1..4 => ("1. e4 c5 2. Nf3 d6", "A", "B"),
            _ => ("1. e4 c5 2. Nc3", "B", "A"),
        };
        pgn += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"2000\"]\n\
             [BlackElo \"2000\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
        );
    }
    place.write("g.pgn", pgn);
    for (flag, by, color, line, games) in [
        ("--strengths", "family", "white", "1. e4 c5 2. Nf3 d6", 90),
        ("--weaknesses", "family", "black", "1. e4 c5 2. Nc3", 30),
        // In another order of moves.
        ("--strengths", "eco", "white", "1. e4 c5 2. Nf3", 30),
    ] {
        let args = ["stats", "g.pgn", "--player", "A", flag, "--by", by, "--format", "jsonl", "-q"];
        let out = place.run(&args).exits(0).stdout.clone();
        let rows: Vec<Value> = out.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        let found = rows.iter().find(|row| row["line"] == line).unwrap_or_else(|| panic!("{out}"));
        assert_eq!(
            (text(&found["color"]), found["line_games"].as_u64()),
            (color.to_owned(), Some(games))
        );
    }
}

#[test]
fn players_are_seen_from_their_side() {
    let place = Workplace::new();
    let games = data("club.pgn");
    let games = games.to_str().unwrap();
    let rows = rows(&place, &[games, "--player", "ana novak", "--by", "color"]);
    let facts: Vec<_> = rows
        .iter()
        .map(|row| {
            (text(&row["color"]) + &text(&row["row"]), row["games"].as_u64(), row["won"].as_u64())
        })
        .collect();
    // A recount by eye: White won 7 of her 16 games, Black 2 of 4.
    let expected = [("all", 20, 9), ("whitegroup", 16, 7), ("blackgroup", 4, 2)];
    assert_eq!(facts, expected.map(|(side, g, won)| (side.to_owned(), Some(g), Some(won))));
    // A selection counts what the obvious program counts of the selected games.
    let some = self::rows(&place, &[games, "--eco", "D", "--since", "2026", "--by", "volume"]);
    assert_eq!(some.iter().map(|row| text(&row["volume"])).collect::<Vec<_>>(), ["", "D"]);
    let run = place.run(&["stats", games, "--player", "Nobody Known"]);
    run.exits(2).prints("").complains("no game has a player");
    let weak = place.run(&["stats", games, "--player", "Novak, Ana", "--weaknesses"]);
    weak.exits(0).prints_part("color\tvariation\tline\tline_games\testimate\t");
}

#[test]
fn other_spellings_of_a_player_are_told() {
    let place = Workplace::new();
    let game = |white: &str| {
        format!("[White \"{white}\"]\n[Black \"Anand, V\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n")
    };
    let names =
        ["Carlsen, Magnus", "Carlsen,M", "Carlsen, Henrik", "Carlsen,M", "Carlsen", "Kasparov"];
    place.write("g.pgn", names.map(game).concat());
    let note = "not counted: 'Carlsen,M' (2 games), 'Carlsen' (1 game), perhaps also 'magnus \
                carlsen'; name them as well to count them";
    for command in [&["stats"][..], &["report", "-o", "r.html"]] {
        for threads in ["1", "3"] {
            let args = ["g.pgn", "--player", "magnus carlsen", "--threads", threads];
            let args = [command, &args].concat();
            place.run(&args).exits(0).complains(note);
            let quiet = place.run(&[&args[..], &["--quiet"]].concat());
            assert_eq!(quiet.exits(0).stderr, "");
            let both = place.run(&[&args[..], &["--player", "Carlsen,M"]].concat());
            assert!(!both.exits(0).stderr.contains("'Carlsen,M' ("), "{}", both.stderr);
        }
    }
    // The opponent is one of the people too.
    let run = place.run(&["stats", "g.pgn", "--player", "Kasparov", "--opponent", "Anand, V"]);
    assert!(!run.exits(0).stderr.contains("perhaps"), "{}", run.stderr);
}

#[test]
fn narrow_tables_keep_the_difference() {
    let place = Workplace::new();
    let games = data("club.pgn");
    let columns = |args: &[&str]| {
        let run =
            place.run(&[&["stats", games.to_str().unwrap(), "--format", "table"], args].concat());
        run.exits(0);
        let shown = run.stdout.lines().next().unwrap_or_default().split_whitespace();
        (shown.collect::<Vec<_>>().join(" "), run.stderr.clone())
    };
    let (shown, notes) = columns(&["--width", "80"]);
    assert_eq!(shown, "eco opening games score diff diff_low diff_high");
    let rest = "no room for white, draws, black, low, high, rated, expected, performance, per_1000, \
                plies, exit, first, last: a wider table (--width) or another --format has them";
    assert!(notes.contains(rest), "{notes}");
    let (shown, _) = columns(&["--width", "80", "--sort", "plies"]);
    assert_eq!(shown, "eco opening games plies score diff diff_low diff_high");
    let (shown, _) = columns(&["--width", "113", "--by", "year"]);
    assert_eq!(
        shown,
        "year games white draws black score low high rated expected diff diff_low diff_high performance"
    );
    let (shown, notes) = columns(&["--width", "300"]);
    assert!(shown.ends_with("first last") && !notes.contains("no room"), "{shown} {notes}");
}

#[test]
fn a_game_of_two_chosen_players_counts_for_both() {
    let place = Workplace::new();
    place.write(
        "g.pgn",
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
         [White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n\
         [White \"C\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n\n\
         [White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n",
    );
    let both = ["g.pgn", "--player", "A", "--player", "B", "--by"];
    // The value, its games, those won, drawn and lost, and whether they have an interval.
    for (field, expected) in [
        (
            "player",
            &[("", 5, 1, 2, 2, false), ("B", 3, 0, 1, 2, true), ("A", 2, 1, 1, 0, true)][..],
        ),
        (
            "color",
            &[("", 5, 1, 2, 2, false), ("black", 3, 0, 1, 2, true), ("white", 2, 1, 1, 0, true)],
        ),
        ("volume", &[("", 5, 1, 2, 2, false), ("C", 4, 1, 2, 1, false), ("D", 1, 0, 0, 1, true)]),
    ] {
        let found: Vec<_> = rows(&place, &[&both[..], &[field]].concat())
            .iter()
            .map(|row| {
                let [games, won, drawn, lost] =
                    ["games", "won", "drawn", "lost"].map(|name| row[name].as_u64().unwrap());
                (text(&row[field]), games, won, drawn, lost, row["low"].is_number())
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(v, g, w, d, l, i)| ((*v).to_owned(), *g, *w, *d, *l, *i))
            .collect();
        assert_eq!(found, expected, "by {field}");
    }
    // Each game is one game all the same.
    let run = place.run(&[&["stats"], &both[..], &["color"]].concat());
    run.exits(0).complains("3 games counted; 3 games without both ratings");
}

#[test]
fn games_that_come_again_count_once_if_that_is_asked_for() {
    let place = Workplace::new();
    let club = fs::read_to_string(data("club.pgn")).unwrap();
    let games = club.matches("[Event ").count();
    // Tags that say nothing of which game it is.
    let other = club.replace("[WhiteElo \"", "[WhiteElo \"1").replace("[Event \"", "[Event \"x");
    place.write("club.pgn", &club);
    place.write("again.pgn", format!("{other}\n{club}"));
    let table = ["--by", "eco,player", "--format", "tsv"];
    let once = place.run(&[&["stats", "club.pgn"], &table[..]].concat()).exits(0).stdout.clone();
    let all = ["club.pgn", "again.pgn"];
    for threads in ["1", "2", "7"] {
        let options = ["--unique", "--block-size", "900", "-j", threads];
        let unique = place.run(&[&["stats"], &all[..], &table, &options].concat());
        assert_eq!(unique.exits(0).stdout, once, "{threads} threads");
        unique.complains(&format!("{} games that came before, not counted again", 2 * games));
        let report = ["report", "-f", "json", "-o", "-"];
        let report = place.run(&[&report, &all[..], &options].concat()).exits(0).stdout.clone();
        let report: Value = serde_json::from_str(&report).unwrap();
        let numbers = report.get("report").unwrap_or(&report);
        assert_eq!(numbers["games"], games, "{threads} threads");
        assert_eq!(numbers["left_out"]["repeats"], 2 * games, "{threads} threads");
        let filter = place.run(&[&["filter"], &all[..], &options].concat());
        assert_eq!(filter.exits(0).stdout, club, "{threads} threads");
    }
    let twice = place.run(&[&["stats"], &all[..], &table].concat());
    assert_ne!(twice.exits(0).stdout, once);
    // The first of the input counts.
    let reversed = ["stats", "again.pgn", "club.pgn", "--unique", "--by", "rating", "-f", "tsv"];
    let other = place.run(&reversed).exits(0).stdout.clone();
    assert_ne!(other, place.run(&["stats", "club.pgn", "--by", "rating", "-f", "tsv"]).stdout);
}
