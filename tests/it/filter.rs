//! `eco filter`, and the selection that all commands share: against an obvious program, which
//! splits text at its tags and knows nothing of the library; on odd files; and split over files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read,
};

use crate::{
    harness::{Run, Workplace, famous_games},
    real_games::games_folder,
};

/// A game as the obvious program sees it.
struct Seen {
    text: Vec<u8>,
    tags: BTreeMap<String, String>,
    plies: usize,
    number: usize,
    eco: String,
    opening: String,
}

impl Seen {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn rating(&self, name: &str) -> Option<u32> {
        self.tag(name).parse().ok().filter(|rating| (1..=4000).contains(rating))
    }

    /// The first and the last day that the date may be, as texts that sort.
    fn days(&self) -> Option<(String, String)> {
        let date = self.tag(if self.tags.contains_key("Date") { "Date" } else { "UTCDate" });
        date.starts_with(|c: char| c.is_ascii_digit())
            .then(|| (date.replace('?', "0"), date.replace('?', "9")))
    }

    fn seconds(&self) -> Option<u32> {
        let (base, increment) = self.tag("TimeControl").split_once('+')?;
        Some(base.parse::<u32>().ok()? + 40 * increment.parse::<u32>().ok()?)
    }

    fn has(&self, name: &str) -> bool {
        self.tag("White") == name || self.tag("Black") == name
    }
}

/// Reads games whose first tag is `Event`, in export format.
fn see(pgn: &[u8], named: &[(String, String)]) -> Vec<Seen> {
    let event =
        |at: &usize| pgn[*at..].starts_with(b"[Event ") && (*at == 0 || pgn[*at - 1] == b'\n');
    let starts: Vec<usize> = (0..pgn.len()).filter(event).collect();
    let ends = starts.iter().skip(1).copied().chain([pgn.len()]);
    let games = starts.iter().zip(ends).zip(1..).zip(named);
    let seen = games.map(|(((start, end), number), (eco, opening))| {
        let text = pgn[*start..end].to_vec();
        let all = String::from_utf8_lossy(&text).replace('\r', "");
        let (head, moves) = all.split_once("\n\n").unwrap_or((&all, ""));
        let mut tags = BTreeMap::new();
        for line in head.lines() {
            let (name, value) = line[1..].split_once(" \"").unwrap();
            tags.entry(name.to_owned()).or_insert(value.trim_end_matches("\"]").to_owned());
        }
        let (eco, opening) = (eco.clone(), opening.clone());
        Seen { plies: plies(moves), text, tags, number, eco, opening }
    });
    let seen: Vec<Seen> = seen.collect();
    assert_eq!((seen.len(), starts.len()), (named.len(), named.len()));
    seen
}

/// The words of movetext that begin with a letter, outside of comments and variations.
fn plies(moves: &str) -> usize {
    let (mut depth, mut plain) = (0, String::new());
    for c in moves.chars() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            '.' => plain.push(' '),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_alphabetic())).count()
}

/// Who is in most games, and who has played most against them.
fn commonest(games: &[Seen]) -> (String, String) {
    let most = |names: Vec<&str>| {
        let mut counts = BTreeMap::<&str, usize>::new();
        names
            .iter()
            .filter(|name| name.len() > 3)
            .for_each(|name| *counts.entry(*name).or_default() += 1);
        counts.into_iter().max_by_key(|(_, count)| *count).unwrap().0.to_owned()
    };
    let player = most(games.iter().flat_map(|g| [g.tag("White"), g.tag("Black")]).collect());
    let of_player = games.iter().filter(|game| game.has(&player));
    let both = of_player.flat_map(|g| [g.tag("White"), g.tag("Black")]);
    let opponent = most(both.filter(|name| *name != player).collect());
    (player, opponent)
}

type Condition<'a> = Box<dyn Fn(&Seen) -> bool + 'a>;

/// Selections as they are typed, and what the obvious program makes of them.
fn selections<'a>(player: &'a str, opponent: &'a str) -> Vec<(Vec<&'a str>, Condition<'a>)> {
    let won = move |game: &Seen, white: &str, black: &str| {
        let result = game.tag("Result");
        (game.tag("White") == player && result == white)
            || (game.tag("Black") == player && result == black)
    };
    let since =
        |text: &'static str| move |game: &Seen| game.days().is_some_and(|(_, last)| *last >= *text);
    let until = |text: &'static str| {
        move |game: &Seen| game.days().is_some_and(|(first, _)| *first <= *text)
    };
    let speed = |from: u32, to: u32| {
        move |game: &Seen| game.seconds().is_some_and(|s| (from..to).contains(&s))
    };
    let both = |game: &Seen, min: u32, max: u32| {
        let fits = |name| game.rating(name).is_some_and(|rating| (min..=max).contains(&rating));
        fits("WhiteElo") && fits("BlackElo")
    };
    let of_player = move |game: &Seen, is_own: bool| {
        let is_white = game.tag("White") == player;
        game.rating(if is_white == is_own { "WhiteElo" } else { "BlackElo" })
    };
    let mut all: Vec<(Vec<&str>, Condition<'a>)> = vec![(vec![], Box::new(|_| true))];
    let mut add = |args: &[&'a str], fits: Condition<'a>| all.push((args.to_vec(), fits));
    add(&["--player", player], Box::new(move |g| g.has(player)));
    add(&["--player", player, "--color", "white"], Box::new(move |g| g.tag("White") == player));
    add(&["--player", player, "--color", "black"], Box::new(move |g| g.tag("Black") == player));
    add(
        &["--player", player, "--opponent", opponent],
        Box::new(move |g| g.has(player) && g.has(opponent)),
    );
    add(
        &["--player", player, "--player", opponent],
        Box::new(move |g| g.has(player) || g.has(opponent)),
    );
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        add(&["--result", result], Box::new(move |g| g.tag("Result") == result));
    }
    add(&["--result", "1-0,0-1"], Box::new(|g| matches!(g.tag("Result"), "1-0" | "0-1")));
    add(&["--player", player, "--result", "win"], Box::new(move |g| won(g, "1-0", "0-1")));
    add(&["--player", player, "--result", "loss"], Box::new(move |g| won(g, "0-1", "1-0")));
    add(&["--player", player, "--result", "draw"], Box::new(move |g| won(g, "1/2-1/2", "1/2-1/2")));
    add(&["--since", "1950"], Box::new(since("1950")));
    add(&["--since", "2022-04"], Box::new(since("2022.04.00")));
    add(&["--since", "1851-06-21"], Box::new(since("1851.06.21")));
    add(&["--until", "1959"], Box::new(until("1959.99.99")));
    add(&["--until", "2026.02"], Box::new(until("2026.02.99")));
    add(&["--rating", "1800..1900"], Box::new(move |g| both(g, 1800, 1900)));
    add(&["--rating", "2900.."], Box::new(move |g| both(g, 2900, 9999)));
    add(&["--rating", "..2500"], Box::new(move |g| both(g, 0, 2500)));
    add(
        &["--player", player, "--rating", "1860..", "--rating-of", "opponent"],
        Box::new(move |g| g.has(player) && of_player(g, false).is_some_and(|r| r >= 1860)),
    );
    add(
        &["--player", player, "--rating", "..2700", "--rating-of", "player"],
        Box::new(move |g| g.has(player) && of_player(g, true).is_some_and(|r| r <= 2700)),
    );
    add(&["--speed", "ultrabullet"], Box::new(speed(1, 30)));
    add(&["--speed", "bullet"], Box::new(speed(30, 180)));
    add(&["--speed", "blitz,rapid"], Box::new(speed(180, 1500)));
    add(&["--speed", "correspondence"], Box::new(|g| g.tag("TimeControl") == "-"));
    add(&["--rated"], Box::new(|g| g.tag("Event").starts_with("Rated ")));
    add(&["--casual"], Box::new(|g| g.tag("Event").starts_with("Casual ")));
    let has = |tag: &'static str, part: &'static str| {
        move |g: &Seen| g.tag(tag).to_lowercase().contains(part)
    };
    add(&["--event", "CHAMPIONSHIP"], Box::new(has("Event", "championship")));
    add(
        &["--site", "lon", "--site", "lichess.org/a"],
        Box::new(move |g| has("Site", "lon")(g) || has("Site", "lichess.org/a")(g)),
    );
    add(
        &["--variant", "standard"],
        Box::new(|g| matches!(g.tag("Variant"), "" | "Standard" | "From Position")),
    );
    add(&["--variant", "from position"], Box::new(|g| g.tag("Variant") == "From Position"));
    add(&["--variant", "chess960"], Box::new(|g| g.tag("Variant") == "Chess960"));
    add(
        &["--game", "3,5-7,20-"],
        Box::new(|g| g.number == 3 || (5..=7).contains(&g.number) || g.number >= 20),
    );
    add(&["--tag", "Round=1"], Box::new(|g| g.tag("Round") == "1"));
    add(&["--tag", "WhiteElo="], Box::new(|g| g.tag("WhiteElo").is_empty()));
    add(&["--min-plies", "80"], Box::new(|g| g.plies >= 80));
    add(&["--eco", "B90"], Box::new(|g| g.eco == "B90"));
    add(&["--eco", "B2-B9"], Box::new(|g| *g.eco >= *"B20" && *g.eco <= *"B99"));
    add(&["--eco", "C,D3"], Box::new(|g| g.eco.starts_with('C') || g.eco.starts_with("D3")));
    add(
        &["--opening", "sicilian defence"],
        Box::new(|g| g.opening.contains("Sicilian") && g.opening.contains("Defense")),
    );
    add(
        &["--eco", "B", "--result", "1-0", "--min-plies", "40"],
        Box::new(|g| g.eco.starts_with('B') && g.tag("Result") == "1-0" && g.plies >= 40),
    );
    all
}

/// Checks every flag on a file of games. Returns how many selections kept some games, but not all.
fn check(place: &Workplace, pgn: &[u8], named: &[(String, String)]) -> usize {
    place.write("all.pgn", pgn);
    let games = see(pgn, named);
    let (player, opponent) = commonest(&games);
    let mut telling = 0;
    for (args, fits) in selections(&player, &opponent) {
        let run = bytes(place, &[&["filter", "all.pgn"], &args[..]].concat());
        let kept: Vec<&Seen> = games.iter().filter(|game| fits(game)).collect();
        let expected: Vec<u8> = kept.iter().flat_map(|game| game.text.iter().copied()).collect();
        let counts = format!("{} of {} games are selected\n", kept.len(), games.len());
        assert!(run.1.contains(&counts), "{args:?}: expected {counts}found {}", run.1);
        assert!(
            run.0 == expected,
            "{args:?}: other games, {} bytes for {}",
            run.0.len(),
            expected.len()
        );
        telling += usize::from(!kept.is_empty() && kept.len() < games.len());
    }
    telling
}

/// The bytes that a run writes to standard output, and its messages.
fn bytes(place: &Workplace, args: &[&str]) -> (Vec<u8>, String) {
    let output = place.command(args).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    (output.stdout, stderr)
}

#[test]
fn every_flag_selects_what_an_obvious_program_selects() {
    let place = Workplace::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games");
    for (name, least) in [("famous.pgn", 15), ("club.pgn", 15)] {
        let pgn = fs::read(format!("{data}/{name}")).unwrap();
        place.write("g.pgn", &pgn);
        let fields = ["classify", "g.pgn", "--reference", "--no-header", "--fields", "eco,opening"];
        let rows = place.run(&fields).exits(0).stdout.clone();
        let named = rows.lines().map(|row| row.split_once('\t').unwrap());
        let named: Vec<_> = named.map(|(eco, name)| (eco.to_owned(), name.to_owned())).collect();
        let telling = check(&place, &pgn, &named);
        assert!(telling >= least, "{name}: only {telling} selections tell games apart");
    }
}

#[test]
fn every_flag_selects_what_an_obvious_program_selects_of_real_games() {
    let Some(folder) = games_folder() else { return };
    for name in ["otb", "lichess"] {
        let place = Workplace::new();
        let file = fs::File::open(folder.join(format!("{name}.pgn.zst"))).unwrap();
        let mut pgn = Vec::new();
        zstd::Decoder::new(file).unwrap().take(1 << 20).read_to_end(&mut pgn).unwrap();
        // The last game is cut.
        let end = memchr::memmem::rfind(&pgn, b"\n[Event ").unwrap() + 1;
        pgn.truncate(end);
        let rows = fs::read_to_string(folder.join(format!("{name}.expected.tsv"))).unwrap();
        let count = memchr::memmem::find_iter(&pgn, b"\n[Event ").count() + 1;
        let named = rows.lines().skip(1).take(count).map(|row| {
            let fields: Vec<&str> = row.split('\t').collect();
            (fields[1].to_owned(), fields[2].to_owned())
        });
        let telling = check(&place, &pgn, &named.collect::<Vec<_>>());
        assert!(telling >= 15, "{name}: only {telling} selections tell games apart");
    }
}

#[test]
fn a_filter_of_everything_gives_the_input_back() {
    let place = Workplace::new();
    let famous = famous_games();
    let odd: &[&[u8]] = &[
        b"\xef\xbb\xbf; a file\n\n[Event \"a\"]\r\n\r\n1. e4 e5 *\r\n\r\n\r\n[Event \"b\"]\r\n\r\n1. d4 *",
        b"text before\n[Event \"M\xfcnchen\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4 {open\n\n[Event \"c\"]\n\n*",
        b"[Event \"a\"]\r\r1. e4 e5 1-0\r\r[Event \"b\"]\r\r1. d4 *\r",
        b"1. e4 *\n1. d4 d5 0-1\n\n1. c4",
        b"\n\n\n[White \"tags only\"]\n\n[White \"again\"]\n",
        &famous,
    ];
    for (index, pgn) in odd.iter().enumerate() {
        place.write("odd.pgn", pgn);
        for more in
            [&[][..], &["-j", "1"], &["-j", "3", "--block-size", "7"], &["--min-plies", "0"]]
        {
            for all in
                [&[][..], &["--game", "1-"], &["--until", "9999", "--game", "1-", "--since", "1"]]
            {
                if all.len() > 2 && index != 5 {
                    continue;
                }
                let (out, _) = bytes(&place, &[&["filter", "odd.pgn"], more, all].concat());
                assert!(
                    out == *pgn,
                    "file {index}, {more:?} {all:?}: {}",
                    String::from_utf8_lossy(&out)
                );
            }
        }
    }
    // So is text without games; with a condition, none of it is about a game that is selected.
    let long = "text\n".repeat(1 << 20);
    let text = format!("{long}[Event \"a\"]\n\n*\n");
    for pgn in ["", "\u{feff}", "just text", "\n\n \n", &long, &text] {
        place.write("text.pgn", pgn);
        for more in [&[][..], &["-j", "1"]] {
            let run = place.run(&[&["filter", "text.pgn"], more].concat());
            let length = run.stdout.len();
            assert!(run.stdout == *pgn, "{length} bytes of {}, {more:?}", pgn.len());
        }
    }
    assert_eq!(bytes(&place, &["filter", "text.pgn", "--game", "1"]).0, b"[Event \"a\"]\n\n*\n");
    place.write("text.pgn", "just {text");
    place.write("b.pgn", "1. d4 *\n");
    place.run(&["filter", "text.pgn", "--game", "1"]).prints("");
    let two = "just {text\n} *\n\n1. d4 *\n";
    place.run(&["filter", "text.pgn", "b.pgn"]).prints(two);
    // A game longer than what is looked at is copied to its end, or left out to its end.
    let long = format!("[Event \"long\"]\n\n1. e4 {{{}}} *\n\n", "x\n".repeat(5 << 20));
    let pgn = format!("[Event \"a\"]\n\n*\n\n{long}[Event \"b\"]\n\n*\n");
    place.write("long.pgn", &pgn);
    assert!(bytes(&place, &["filter", "long.pgn"]).0 == pgn.as_bytes());
    assert!(bytes(&place, &["filter", "long.pgn", "--game", "2"]).0 == long.as_bytes());
    let short = bytes(&place, &["filter", "long.pgn", "--game", "1,3"]).0;
    assert_eq!(String::from_utf8(short).unwrap(), pgn.replace(&long, ""));
}

#[test]
fn games_that_come_together_stay_apart() {
    let place = Workplace::new();
    place.write(
        "a.pgn",
        "\u{feff}[Event \"a\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4 *\n\n1. c4 c5 *\n",
    );
    place.write("b.pgn", "; b\n[Event \"c\"]\n\n1. e4 *");
    place
        .run(&["filter", "a.pgn", "--game", "1,3"])
        .exits(0)
        .prints("\u{feff}[Event \"a\"]\n\n1. e4 e5\n\n*\n\n1. c4 c5 *\n");
    place.run(&["filter", "a.pgn", "--game", "2"]).prints("[Event \"b\"]\n\n1. d4 *\n\n");
    place
        .run(&["filter", "b.pgn", "a.pgn", "--game", "1"])
        .prints("; b\n[Event \"c\"]\n\n1. e4 *\n\u{feff}[Event \"a\"]\n\n1. e4 e5\n\n");
    place.run(&["filter", "b.pgn", "b.pgn", "--game", "2"]).exits(0).prints("");
}

/// The files of a folder with their bytes, unpacked.
fn files(place: &Workplace, folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap());
    let read = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        let bytes =
            if name.ends_with(".zst") { zstd::decode_all(&bytes[..]).unwrap() } else { bytes };
        (name, String::from_utf8(bytes).unwrap())
    });
    read.collect()
}

/// The games of a text, which all begin with `Event`.
fn games(text: &str) -> Vec<String> {
    let parts = text.split("[Event ").skip(1);
    parts.map(|part| format!("[Event {}", part.trim_end())).collect()
}

#[test]
fn files_by_opening_hold_all_games_together() {
    let place = Workplace::new();
    let all = famous_games();
    place.write("g.pgn", &all);
    let mut expected = games(str::from_utf8(&all).unwrap());
    expected.sort();
    for (by, more) in [
        ("eco", &[][..]),
        ("eco:1", &["--extension", "pgn.zst", "--level", "3"]),
        ("eco:2", &["-j", "1", "--block-size", "100"]),
        ("family", &["-j", "3"]),
        ("year", &[]),
    ] {
        let args = ["filter", "g.pgn", "--split-by", by, "-O", "out"];
        let run = place.run(&[&args, more].concat());
        let parts = files(&place, "out");
        run.exits(0)
            .prints("")
            .complains(&format!("30 of 30 games are selected in {} files", parts.len()));
        assert!(parts.len() > 3, "{:?}", parts.keys());
        let mut found: Vec<String> = parts.values().flat_map(|text| games(text)).collect();
        found.sort();
        assert_eq!(found, expected, "by {by}");
        for (name, text) in &parts {
            place.write("part.pgn", text);
            let fields = ["classify", "part.pgn", "--no-header", "--fields", "eco,family,date"];
            let rows = place.run(&fields).stdout.clone();
            let (stem, _) = name.split_once('.').unwrap();
            let is_there = |row: &str| match by {
                "family" => row.split('\t').nth(1).unwrap().replace('ü', "u") == stem,
                "year" => row.split('\t').nth(2).unwrap().starts_with(stem),
                _ => row.starts_with(stem),
            };
            assert!(rows.lines().all(is_there), "{name}:\n{rows}");
        }
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn names_of_players_make_names_of_files_that_are_safe() {
    let place = Workplace::new();
    let names = [
        "../../evil",
        "CON",
        "con",
        "Zoë, Ann",
        "ann zoe",
        "?",
        "",
        "a/b\\\\c:d",
        "\u{1b}[31m",
        "TAL",
        "Tal.",
        "-rf",
        &"x".repeat(3000),
    ];
    let mut pgn = String::new();
    for (index, name) in names.iter().enumerate() {
        pgn += &format!("[Event \"{index}\"]\n[White \"{name}\"]\n[Black \"Bob\"]\n\n*\n\n");
    }
    place.write("g.pgn", &pgn);
    let run = |folder, more: &[&str]| {
        let args = ["filter", "g.pgn", "--split-by", "player", "-O", folder];
        place.run(&[&args, more].concat()).exits(0);
        files(&place, folder)
    };
    let parts = run("one", &["-j", "1"]);
    let found: Vec<&str> = parts.keys().map(String::as_str).collect();
    let long = format!("{}.pgn", "x".repeat(80));
    let mut expected = [
        "______evil.pgn",
        "CON_.pgn",
        "Zoe, Ann.pgn",
        "unknown.pgn",
        "a_b_c_d.pgn",
        "__31m.pgn",
        "TAL.pgn",
        "rf.pgn",
        "Bob.pgn",
        &long,
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(games(&parts["Bob.pgn"]).len(), names.len());
    assert_eq!(games(&parts["Zoe, Ann.pgn"]).len(), 2);
    assert_eq!(run("two", &["-j", "7", "--block-size", "50"]), parts, "the same at any threads");
    // Of a player who is asked for there is one file.
    let parts = run("three", &["--player", "Ann Zoe"]);
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["Zoe, Ann.pgn"]);
    // Nothing outside of the folders.
    let there: BTreeSet<String> = fs::read_dir(place.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(there.into_iter().collect::<Vec<_>>(), ["g.pgn", "one", "three", "two"]);
}

#[test]
fn a_folder_that_has_files_is_refused_and_a_failed_run_leaves_none() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.write("full/mine.txt", "mine");
    let split = |folder, more: &[&str]| {
        place.run(&[&["filter", "g.pgn", "--split-by", "eco", "-O", folder], more].concat())
    };
    split("full", &[]).exits(2).complains("is not empty");
    split("g.pgn", &[]).exits(2);
    split("out", &["--player", "Nobody, Such"]).exits(2).complains("no game has a player");
    split("out", &["--extension", "a/b"]).exits(2);
    split("out", &["--extension", "zip"]).exits(2).complains(".zip is not written");
    split("out", &["--level", "3"]).exits(2);
    split(".", &[]).exits(2);
    place.run(&["filter", "g.pgn", "-O", "out"]).exits(2);
    for more in [&["-O", "out"][..], &["--extension", "pgn"], &["--split-by", "eco", "-O", "out"]] {
        let run = place.run(&[&["filter", "g.pgn", "-o", "one.pgn"], more].concat());
        run.exits(2).complains("cannot be used with");
    }
    place.run(&["filter", "g.pgn", "--split-by", "eco"]).exits(2);
    place.run(&["filter", "g.pgn", "--split-by", "x", "-O", "out"]).exits(2);
    place.run(&["filter", ".", "--split-by", "eco", "-O", "out"]).exits(2).complains("is within");
    let names = fs::read_dir(place.folder()).unwrap().map(|e| e.unwrap().file_name());
    assert_eq!(names.collect::<BTreeSet<_>>().len(), 2, "litter");
    assert_eq!(fs::read_dir(place.path("full")).unwrap().count(), 1);
}

#[test]
fn outputs_are_compressed_as_their_names_say_and_whole_or_not_there() {
    let place = Workplace::new();
    let all = famous_games();
    place.write("g.pgn", &all);
    for name in ["o.pgn", "o.pgn.gz", "o.pgn.bz2", "o.pgn.xz", "o.pgn.zst"] {
        place.run(&["filter", "g.pgn", "--eco", "C", "-o", name]).exits(0).prints("");
        let plain = bytes(&place, &["filter", "g.pgn", "--eco", "C"]).0;
        assert_eq!(bytes(&place, &["filter", name]).0, plain, "{name}");
        assert!(plain.len() < all.len() && !plain.is_empty());
    }
    place.write("old.pgn", "old");
    let nobody = ["filter", "g.pgn", "--player", "Kasparow", "-o", "old.pgn"];
    place.run(&nobody).exits(2).complains("'Kasparov, Garry'").complains("nothing was written");
    place.run(&["filter", "missing.pgn", "-o", "old.pgn"]).exits(1);
    place.run(&["filter", "g.pgn", "-o", "g.pgn"]).exits(2);
    assert_eq!(fs::read(place.path("old.pgn")).unwrap(), b"old");
    assert_eq!(fs::read(place.path("g.pgn")).unwrap(), all);
}

#[test]
fn a_player_nobody_has_is_an_error_in_every_command() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    place.run(&["repertoire", "build", "r", "g.pgn", "--color", "white", "--db", "r.db"]).exits(0);
    let player = ["--player", "Byrne, Donlad"];
    for command in [
        &["classify", "g.pgn"][..],
        &["classify", "g.pgn", "--summary"],
        &["classify", "g.pgn", "-o", "new"],
        &["filter", "g.pgn"],
        &["tag", "g.pgn"],
        &["tag", "g.pgn", "-o", "new"],
        &["tag", "g.pgn", "-O", "new"],
        &["tag", "g.pgn", "--in-place"],
        &["fen", "from-pgn", "g.pgn"],
        &["repertoire", "build", "new", "g.pgn", "--color", "white", "--db", "new.db"],
        &["repertoire", "check", "r", "g.pgn", "--db", "r.db"],
        &["repertoire", "check", "r", "g.pgn", "--db", "r.db", "--summary"],
        &["repertoire", "filter", "r", "g.pgn", "--db", "r.db", "--min-ply", "0"],
        &["repertoire", "novelties", "g.pgn", "--reference", "r.db"],
    ] {
        let run = place.run(&[command, &player].concat());
        run.exits(2).prints("").complains("'Byrne, Donald'");
    }
    let names = fs::read_dir(place.folder()).unwrap().map(|e| e.unwrap().file_name());
    let names: BTreeSet<_> = names.collect();
    assert_eq!(names, ["g.pgn", "r.db"].map(Into::into).into());
    assert_eq!(fs::read(place.path("g.pgn")).unwrap(), famous_games());
    // Each name that nobody has is one, whatever the others are.
    place.write("old.pgn", "old");
    for others in [&["--player", "Zzyzx"][..], &["--opponent", "Zzyzx"]] {
        for command in [
            &["classify", "g.pgn"][..],
            &["filter", "g.pgn"],
            &["filter", "g.pgn", "-o", "old.pgn"],
            &["tag", "g.pgn", "-o", "old.pgn"],
            &["fen", "from-pgn", "g.pgn"],
        ] {
            let run =
                place.run(&[command, &["--player", "Fischer, Robert James"], others].concat());
            run.exits(2).prints("").complains("no game has a player 'Zzyzx'");
        }
    }
    assert_eq!(fs::read(place.path("old.pgn")).unwrap(), b"old");
    // Who is there, but in no game that fits, is no error.
    let fits = ["filter", "g.pgn", "--player", "Byrne, Donald", "--since", "1999"];
    place.run(&fits).exits(0).prints("").complains("0 of 30 games are selected");
    place.run(&["filter", "--player", "X"]).exits(0).prints("");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let place = Workplace::new();
    place.write("g.pgn", "1. e4 *\n");
    for (args, part) in [
        (&["--color", "white"][..], "--color goes with --player"),
        (&["--eco", "B20-A10"], "B20-A10 ends before it begins; expected A10-B20"),
        (&["--since", "2022", "--until", "2021"], "no date is on or after 2022 and on or before"),
        (&["--opening", "sicillian"], "the nearest word is 'sicilian'; `eco search` finds"),
        (&["--opening", "najdorf", "--eco", "C"], "no opening has these codes and words together"),
        (&["--result", "win"], "go with --player"),
        (&["--rating", "2000..", "--rating-of", "player"], "--rating-of goes with --player"),
        (&["--rating", "2000"], "expected the lowest and the highest rating"),
        (&["--rating-of", "player"], "--rating"),
        (&["--rated", "--casual"], "cannot be used with"),
        (&["--eco", "Z99"], "expected a code"),
        (&["--eco", "najdorf"], "expected a code"),
        (&["--opening", "..."], "expected words"),
        (&["--result", "won"], "not a result"),
        (&["--since", "yesterday"], "not a date"),
        (&["--speed", "fast"], "not a speed"),
        (&["--game", "0"], "expected N"),
        (&["--tag", "Round"], "expected NAME=VALUE"),
        (&["--player", " "], "expected the name"),
        (&["--event", ""], "expected a text"),
    ] {
        for command in ["filter", "classify", "tag"] {
            place.run(&[&[command, "g.pgn"], args].concat()).exits(2).complains(part).prints("");
        }
    }
}

/// Runs a command on famous games, of which some of 1900 to 1962 are selected.
fn selected(place: &Workplace, command: &[&str]) -> Run {
    let selection = ["--since", "1900", "--until", "1962", "--eco", "B,C,D"];
    place.run(&[command, &selection].concat())
}

#[test]
fn all_commands_select_alike() {
    let place = Workplace::new();
    place.write("g.pgn", famous_games());
    let rows =
        selected(&place, &["classify", "g.pgn", "--no-header", "--fields", "game,white,date"]);
    let numbers: Vec<String> =
        rows.stdout.lines().map(|row| row.split('\t').next().unwrap().to_owned()).collect();
    assert!(numbers.len() > 1 && numbers.len() < 10, "{}", rows.stdout);
    let with_reference =
        ["classify", "g.pgn", "--no-header", "--fields", "game,white,date", "--reference"];
    assert_eq!(selected(&place, &with_reference).stdout, rows.stdout);
    let filtered = selected(&place, &["filter", "g.pgn"]).stdout;
    assert_eq!(filtered.matches("[Event").count(), numbers.len());
    let fens = selected(&place, &["fen", "from-pgn", "g.pgn", "--format", "tsv", "--no-header"]);
    let of_fens: Vec<&str> =
        fens.stdout.lines().map(|row| row.split('\t').nth(1).unwrap()).collect();
    assert_eq!(of_fens, numbers);
    // Everywhere a database names the openings.
    place.write("mine.tsv", "eco\tname\tpgn\nE99\tMine\t1. e4\n");
    place.run(&["ingest", "mine.tsv", "--db", "mine.db"]).exits(0);
    let by_db = ["g.pgn", "--db", "mine.db", "--eco", "E99", "--opening", "mine"];
    let numbers_by = |command: &[&str], column: usize| -> Vec<String> {
        let run = place.run(&[command, &by_db, &["--format", "tsv", "--no-header"]].concat());
        let rows = run.exits(0).stdout.lines();
        rows.map(|row| row.split('\t').nth(column).unwrap().to_owned()).collect()
    };
    let classified = numbers_by(&["classify"], 1);
    assert!(classified.len() > 5);
    assert_eq!(numbers_by(&["fen", "from-pgn"], 1), classified);
    let filtered = place.run(&[&["filter"][..], &by_db].concat());
    assert_eq!(filtered.exits(0).stdout.matches("[Event").count(), classified.len());
    // Games that are not selected are copied.
    let tagged = selected(&place, &["tag", "g.pgn"]);
    let copied = 30 - numbers.len();
    tagged
        .exits(0)
        .complains(&format!("30 games: {} changed, {copied} not selected", numbers.len()));
    assert_eq!(tagged.stdout.matches("[ECO ").count(), numbers.len());
    let is_new = |line: &&str| !line.starts_with("[ECO ") && !line.starts_with("[Opening ");
    let lines: Vec<&str> = tagged.stdout.lines().filter(is_new).collect();
    let before = String::from_utf8(famous_games()).unwrap();
    assert_eq!(lines, before.lines().collect::<Vec<_>>());
    // Repertoires take the same games, whatever the colour.
    let build = ["repertoire", "build", "r", "g.pgn", "--color", "white", "--db", "r.db"];
    let built = selected(&place, &build);
    built.exits(0).prints_part(&format!("added {} games, {copied} not selected", numbers.len()));
    let check = ["repertoire", "check", "r", "g.pgn", "--db", "r.db", "--only", "unmatched"];
    let unmatched = selected(&place, &check);
    unmatched.exits(0).complains(&format!("{copied} unmatched"));
    let novelties = ["repertoire", "novelties", "g.pgn", "--reference", "r.db"];
    selected(&place, &novelties).exits(0).complains(&format!("{} games, ", numbers.len()));
}

#[test]
fn a_selection_by_tags_needs_no_moves_that_can_be_played() {
    let place = Workplace::new();
    let game =
        "[Event \"a\"]\n[White \"Ann\"]\n[Result \"1-0\"]\n[FEN \"nonsense\"]\n\n1. Ke9 what 1-0\n";
    place.write("g.pgn", game);
    let tags = ["--player", "ann", "--result", "win", "--min-plies", "2"];
    place.run(&[&["filter", "g.pgn"], &tags[..]].concat()).exits(0).prints(game);
    place.run(&["filter", "g.pgn", "--eco", "A,B,C,D,E"]).exits(0).prints("");
}

#[test]
fn a_damaged_input_gives_its_whole_games() {
    let place = Workplace::new();
    let games = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(2000);
    let packed = zstd::encode_all(games.as_bytes(), 3).unwrap();
    place.write("cut.pgn.zst", &packed[..packed.len() - 9]);
    let run = place.run(&["filter", "cut.pgn.zst"]);
    run.exits(1);
    assert!(games.starts_with(&run.stdout));
    place.write("cut.gz", &gzip(games.as_bytes())[..100]);
    let run = place.run(&["filter", "cut.gz"]);
    run.exits(1);
    assert!(
        games.starts_with(&run.stdout) && run.stdout.ends_with("*\n\n") | run.stdout.is_empty()
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
