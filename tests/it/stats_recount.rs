//! `eco stats` against an independent recount: games split at their `Event` tags, read by
//! `pgn-reader`, counted in maps.

use std::{collections::BTreeMap, fs, io::Cursor, ops::ControlFlow, path::Path};

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};

use crate::{
    harness::Workplace,
    real_games::games_folder,
    stats::{assert_adds_up, data, rows, text},
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
            "family" => add(family(&game.name), white),
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
    all: &[Seen],
    names: [&str; 3],
    advantage: f64,
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
    let beyond = |games: &[Seen]| -> Vec<(f64, f64)> {
        rated(games).into_iter().map(|(points, expected)| (points, expected + advantage)).collect()
    };
    let (rated_games, all_square) = (beyond(games), mean_square(&beyond(all)));
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
        ("per_1000", Some(1000.0 * games.len() as f64 / all.len() as f64)),
        ("plies", median(games.iter().map(|game| game.plies).collect())),
        ("exit", median(games.iter().filter_map(|game| game.exit).collect())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// Compares the rows of a run with the recount.
fn compare(place: &Workplace, path: &Path, games: &[Plain], field: &str) {
    let expected = group(games, field);
    let all: Vec<Seen> = expected.values().flatten().cloned().collect();
    // In an archive, what White scores beyond the ratings in all games is expected of each group.
    let beyond: Vec<f64> = rated(&all).iter().map(|game| game.0 - game.1).collect();
    let of_all = if field == "player" || beyond.is_empty() { 0.0 } else { mean(&beyond) };
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
        let advantage = if is_all { 0.0 } else { of_all };
        for (name, value) in columns(games, &all, names, advantage) {
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
    let top = self::rows(place, &[path.to_str().unwrap(), "--by", field, "--limit", "3"]);
    assert_adds_up(&top, &["games", names[0], names[1], names[2], "rated"]);
}

/// The family of a name: up to the colon, or without one up to the first comma.
fn family(name: &str) -> &str {
    let end = name.find(':').or_else(|| name.find(',')).unwrap_or(name.len());
    &name[..end]
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
